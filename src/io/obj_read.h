// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Wavefront OBJ files: the mesh alone, its vertices in the order of the file.
#ifndef TURGOR_IO_OBJ_READ_H
#define TURGOR_IO_OBJ_READ_H

#include "turgor/scene.h"

/// NULL on failure. What could not be kept is told in scene->warnings.
tgScene* tgImportObj(const char* path, tgError* error);
/// The same from memory; no closing zero is needed.
tgScene* tgImportObjMemory(const char* text, size_t size, tgError* error);

#endif
