// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT

#include "core/parts.h"

/// The end of the run of vertices from i on that are in one chunk.
static int tgFindRunEnd(const int* vertices, int i, int end)
{
    int chunk = vertices[i] / tg_chunkSize;
    while (i < end && vertices[i] / tg_chunkSize == chunk) {
        i += 1;
    }
    return i;
}

bool tgCutLists(const int* vertices, const int* listStart, int listCount, int elementCount,
                tgScratch* scratch, tgParts* parts)
{
    *parts = (tgParts){.chunkCount = tgCountChunks(elementCount)};
    parts->chunkStart = tgScratch_Take(scratch, (size_t)parts->chunkCount + 1, sizeof(int));
    int* next = tgScratch_Take(scratch, (size_t)parts->chunkCount + 1, sizeof(int));
    if (scratch->failed) {
        return false;
    }
    for (int list = 0; list < listCount; ++list) {
        for (int i = listStart[list]; i < listStart[list + 1]; ++parts->count) {
            parts->chunkStart[vertices[i] / tg_chunkSize + 1] += 1;
            i = tgFindRunEnd(vertices, i, listStart[list + 1]);
        }
    }
    parts->parts = tgScratch_Take(scratch, (size_t)parts->count, sizeof(tgListPart));
    if (scratch->failed) {
        return false;
    }
    for (int chunk = 0; chunk < parts->chunkCount; ++chunk) {
        parts->chunkStart[chunk + 1] += parts->chunkStart[chunk];
        next[chunk] = parts->chunkStart[chunk];
    }
    for (int list = 0; list < listCount; ++list) {
        for (int i = listStart[list], end; i < listStart[list + 1]; i = end) {
            end = tgFindRunEnd(vertices, i, listStart[list + 1]);
            parts->parts[next[vertices[i] / tg_chunkSize]++] = (tgListPart){list, i, end - i};
        }
    }
    return true;
}

void tgParts_Place(const tgParts* built, tgLayout* layout, tgParts* placed)
{
    *placed = *built;
    placed->parts = tgPlaceArray(layout, built->parts, (size_t)built->count, sizeof(tgListPart));
    placed->chunkStart =
        tgPlaceArray(layout, built->chunkStart, (size_t)built->chunkCount + 1, sizeof(int));
}
