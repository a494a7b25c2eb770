// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Reading a glTF by its path, for tgLoadScene.
#ifndef TURGOR_IO_GLTF_LOAD_H
#define TURGOR_IO_GLTF_LOAD_H

#include "turgor/io.h"

enum { tg_loadCookie = 0x10ad }; ///< of a tgLoadDef from tgDefaultLoadDef

/// The scene itself when it keeps to the limits, otherwise NULL, and it is destroyed. NULL is fine.
tgScene* tgKeepLimits(tgScene* scene, const tgLoadDef* def, tgError* error);

/// Read a .glb or .gltf and the files beside it. NULL on failure.
/// @param prefersLoose take the meshes without a skin, where the file has any
tgScene* tgLoadGltf(const char* path, const tgLoadDef* def, bool prefersLoose, tgError* error);

#endif
