// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A table that gives equal byte strings equal numbers, counted from 0 in the order they come.
#ifndef TURGOR_IO_OBJ_NAMES_H
#define TURGOR_IO_OBJ_NAMES_H

#include <stddef.h>
#include <stdint.h>

typedef struct tgObjNames {
    int count;
    char** texts; ///< copies, each with a closing zero
    size_t* lengths;
    uint32_t* hashes;
    int* slots; ///< name + 1 by hash, 0 when free
    int slotCount;
} tgObjNames;

/// The number of the name; a new one when it was not there. -1 without memory.
int tgObjNames_Find(tgObjNames* names, const void* bytes, size_t length);
void tgObjNames_Free(tgObjNames* names);

#endif
