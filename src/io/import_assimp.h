// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// FBX and COLLADA files through Assimp. There only when TURGOR_HAS_ASSIMP is defined.
#ifndef TURGOR_IO_IMPORT_ASSIMP_H
#define TURGOR_IO_IMPORT_ASSIMP_H

#include "turgor/scene.h"

/// Read an .fbx or .dae file. NULL on failure; what could be mended is told in scene->warnings.
tgScene* tgImportAssimp(const char* path, tgError* error);

#endif
