// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Refinement where bulges occur (2009 s.4.3): faces with a corner whose gamma is above the
// threshold are split in four (red). A side that is split is split for every face that has it, so
// that no vertex ends up in the middle of a side: triangles with two split sides and quads with
// three become red themselves, the others are closed with fewer pieces (green).

#include "bind/refine.h"

#include <stdlib.h>

enum { tg_refineCookie = 0x72656669 };

tgRefineDef tgDefaultRefineDef(void)
{
    return (tgRefineDef){.threshold = 0.3f, .cookie = tg_refineCookie};
}

static tgResult tgCheckRefineDef(const tgRefineDef* def, tgError* error)
{
    if (def == NULL || def->cookie != tg_refineCookie) {
        return tgFail(error, tg_invalidArgument, -1, "start the def from tgDefaultRefineDef()");
    }
    if (def->positions.data == NULL || def->positions.count < 1 || def->faceVertices == NULL ||
        def->faceCount < 1) {
        return tgFail(error, tg_invalidMesh, -1, "there are no positions or no faces to refine");
    }
    if (def->values == NULL) {
        return tgFail(error, tg_invalidArgument, -1, "there are no values to tell where to refine");
    }
    return tg_success;
}

/// Pieces of each edge: those of edge e are pieces[starts[e]] to pieces[starts[e + 1]].
typedef struct tgEdgePieces {
    int* starts;
    int* pieces;
} tgEdgePieces;

static bool tgListEdgePieces(const tgRefineWork* work, tgEdgePieces* list)
{
    list->starts = tgScratch_Take(work->scratch, (size_t)work->edgeCount + 2, sizeof(int));
    list->pieces = tgScratch_Take(work->scratch, 4 * (size_t)work->pieceCount + 1, sizeof(int));
    if (work->scratch->failed) {
        return false;
    }
    // starts[e + 2] counts, then starts[e + 1] walks from the begin of e to its end.
    for (int i = 0; i < work->pieceCount; ++i) {
        for (int k = 0; k < work->pieces[i].size; ++k) {
            list->starts[work->pieces[i].edges[k] + 2] += 1;
        }
    }
    for (int e = 0; e < work->edgeCount; ++e) {
        list->starts[e + 2] += list->starts[e + 1];
    }
    for (int i = 0; i < work->pieceCount; ++i) {
        for (int k = 0; k < work->pieces[i].size; ++k) {
            list->pieces[list->starts[work->pieces[i].edges[k] + 1]++] = i;
        }
    }
    return true;
}

static bool tgIsMarked(const tgRefineWork* work, const tgFacePiece* piece)
{
    for (int k = 0; k < piece->size; ++k) {
        if (work->def->values[piece->corners[k]] > work->def->threshold) {
            return true;
        }
    }
    return false;
}

/// Split the marked pieces, and whatever must be split with them. Every piece turns red at most
/// once, so the order of the work does not change the result.
static bool tgSpread(tgRefineWork* work)
{
    tgEdgePieces list = {0};
    work->isSplit = tgScratch_Take(work->scratch, (size_t)work->edgeCount + 1, sizeof(bool));
    work->isRed = tgScratch_Take(work->scratch, (size_t)work->pieceCount + 1, sizeof(bool));
    int* waiting = tgScratch_Take(work->scratch, (size_t)work->pieceCount + 1, sizeof(int));
    int waitingCount = 0;
    if (!tgListEdgePieces(work, &list)) {
        return false;
    }
    for (int i = 0; i < work->pieceCount; ++i) {
        if (tgIsMarked(work, &work->pieces[i])) {
            work->isRed[i] = true;
            waiting[waitingCount++] = i;
        }
    }
    while (waitingCount > 0) {
        const tgFacePiece* piece = &work->pieces[waiting[--waitingCount]];
        for (int k = 0; k < piece->size; ++k) {
            int e = piece->edges[k];
            if (work->isSplit[e]) {
                continue;
            }
            work->isSplit[e] = true;
            for (int i = list.starts[e]; i < list.starts[e + 1]; ++i) {
                int other = list.pieces[i];
                // Two sides of a triangle, three of a quad: one less than all of them.
                if (!work->isRed[other] &&
                    tgCountSplits(work, &work->pieces[other]) >= work->pieces[other].size - 1) {
                    work->isRed[other] = true;
                    waiting[waitingCount++] = other;
                }
            }
        }
    }
    return true;
}

tgRefinement* tgCreateRefinement(const tgRefineDef* def, tgError* error)
{
    if (tgCheckRefineDef(def, error) != tg_success) {
        return NULL;
    }
    const tgAllocator allocator = {0};
    tgScratch scratch = {.allocator = &allocator};
    tgRefineWork work = {.def = def, .scratch = &scratch, .vertexCount = def->positions.count};
    tgRefinement* refinement = NULL;
    if (tgMakePieces(&work, error) == tg_success) {
        if (tgSpread(&work)) {
            refinement = tgSplitPieces(&work, error);
        } else {
            tgFail(error, tg_outOfMemory, -1, "no memory to refine %d faces", def->faceCount);
        }
    }
    tgScratch_FreeAll(&scratch);
    return refinement;
}

void tgDestroyRefinement(tgRefinement* refinement)
{
    if (refinement == NULL) {
        return;
    }
    free((void*)refinement->means);
    free((void*)refinement->placeMeans);
    free((void*)refinement->weldedVertices);
    free((void*)refinement->faceVertices);
    free((void*)refinement->faceSizes);
    free((void*)refinement->faceParents);
    free((void*)refinement->maskStarts);
    free((void*)refinement->maskEntries);
    free(refinement);
}
