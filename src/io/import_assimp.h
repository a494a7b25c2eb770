// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// FBX and COLLADA through Assimp.
#ifndef TURGOR_IO_IMPORT_ASSIMP_H
#define TURGOR_IO_IMPORT_ASSIMP_H

#include "io/import_wish.h"
#include "turgor/scene.h"

#include <stdint.h>

/// A whole file in memory.
typedef struct tgAssimpFile {
    uint8_t* bytes;
    size_t size;
    bool isFbx; ///< by its ending; .dae otherwise
    tgImportWish wish;
} tgAssimpFile;

/// The only part that opens anything. The caller frees file->bytes.
tgResult tgReadAssimpFile(tgAssimpFile* file, const char* path, tgImportWish wish, tgError* error);
/// NULL on failure.
tgScene* tgImportAssimpFile(const tgAssimpFile* file, tgError* error);

/// The machine has no more memory, or a damaged file asks for more than one of its size may.
tgResult tgFailAssimpMemory(tgError* error);

/// Both, in this process. NULL on failure.
tgScene* tgImportAssimp(const char* path, tgImportWish wish, tgError* error);

#endif
