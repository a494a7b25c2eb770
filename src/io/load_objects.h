// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Meshes that are no character: bones and the like.
#ifndef TURGOR_IO_LOAD_OBJECTS_H
#define TURGOR_IO_LOAD_OBJECTS_H

#include "turgor/io.h"

/// As tgLoadScene, but of a file that has both, the meshes without a skin are taken, each where its
/// node stands. Parts are the objects, by name.
tgScene* tgLoadObjects(const char* path, tgError* error);
/// The same with other rules.
tgScene* tgLoadObjectsWith(const char* path, const tgLoadDef* def, tgError* error);

#endif
