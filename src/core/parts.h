// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Lists of vertices cut at the borders of chunks. A stage that goes from chunk to chunk, and in
// each from list to list, has one writer for every vertex, on any number of threads.
#ifndef TURGOR_CORE_PARTS_H
#define TURGOR_CORE_PARTS_H

#include "core/kernels.h"
#include "core/scratch.h"

/// What a list has in one chunk.
typedef struct tgListPart {
    int list;
    int first, count; ///< of its vertices
} tgListPart;

typedef struct tgParts {
    int count;
    tgListPart* parts; ///< by chunk, in each by list
    int chunkCount;
    int* chunkStart; ///< chunkCount + 1, into parts
} tgParts;

static inline int tgCountChunks(int elementCount)
{
    return (elementCount + tg_chunkSize - 1) / tg_chunkSize;
}

/// In scratch memory; false without any.
/// @param vertices list after list, each by rising chunk
/// @param listStart listCount + 1, into vertices
bool tgCutLists(const int* vertices, const int* listStart, int listCount, int elementCount,
                tgScratch* scratch, tgParts* parts);

void tgParts_Place(const tgParts* built, tgLayout* layout, tgParts* placed);

#endif
