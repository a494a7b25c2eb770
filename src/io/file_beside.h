// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Which files a document may name. A character comes from anywhere, and what it names is read and
// may be written into an output that is passed on, so the one place that decides is here.
#ifndef TURGOR_IO_FILE_BESIDE_H
#define TURGOR_IO_FILE_BESIDE_H

#include "turgor/base.h"

#include <stdint.h>
#include <stdio.h>

/// 1 GiB: no file that a document names is read further than this.
#define tg_largestBeside ((size_t)1 << 30)

/// Where the files of a document may be.
typedef struct tgFileRoot {
    const char* folder; ///< with no slash at its end; NULL: nowhere, nothing is read
    bool allowOutside;  ///< "../" and links may lead out of the folder
} tgFileRoot;

/// Open a file by its name relative to the root's folder. It must be a plain file, no pipe, device
/// or folder, and, unless that is allowed, lie in the folder or below when all links are followed.
/// @param name no URI any more: escapes are undone
/// @return to be closed by the caller; NULL on failure
FILE* tgOpenBeside(const tgFileRoot* root, const char* name, uint64_t* size, tgError* error);

/// Fails because of what is no plain file.
tgResult tgFailPlain(tgError* error);

/// The first bytes of such a file, `most` of them or all.
/// @param bytes the caller frees it; NULL on failure
/// @param error not NULL
tgResult tgReadBeside(const tgFileRoot* root, const char* name, size_t most, uint8_t** bytes,
                      size_t* size, tgError* error);

#endif
