// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
#ifndef TURGOR_IO_IMPORT_CHILD_H
#define TURGOR_IO_IMPORT_CHILD_H

#include "io/import_wish.h"
#include "turgor/scene.h"

/// Read an .fbx or .dae in a process of its own, the program turgor-import, so that a file that
/// brings Assimp down does not bring the caller down. NULL on failure.
tgScene* tgImportInChild(const char* path, tgImportWish wish, tgError* error);

#endif
