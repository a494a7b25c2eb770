// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The mesh as a refinement sees it: faces of at most four corners, larger polygons cut as the rig
// cuts them, and the edges that faces share once seams are closed.

#include "bind/refine.h"

#include "core/triangulate.h"

#include <limits.h>
#include <string.h>

/// Vertices and corners of the finer mesh are counted by ints; each level makes up to four times as
/// many.
enum { tg_mostCorners = INT_MAX / 64 };

bool tgOpenPairs(tgPairTable* table, int mostPairs, tgScratch* scratch)
{
    size_t slotCount = 64;
    while (slotCount < 2 * (size_t)mostPairs) {
        slotCount *= 2;
    }
    *table = (tgPairTable){.mask = (uint32_t)(slotCount - 1)};
    table->slots = tgScratch_Take(scratch, slotCount, sizeof(int));
    table->pairs = tgScratch_Take(scratch, (size_t)mostPairs + 1, sizeof(*table->pairs));
    return !scratch->failed;
}

int tgPairTable_Find(tgPairTable* table, int a, int b)
{
    int low = a < b ? a : b, high = a < b ? b : a;
    uint64_t hash = (uint64_t)(uint32_t)low << 32 | (uint32_t)high;
    hash *= 0x9e3779b97f4a7c15u;
    uint32_t at = (uint32_t)(hash >> 32) & table->mask;
    for (; table->slots[at] != 0; at = (at + 1) & table->mask) {
        const int* pair = table->pairs[table->slots[at] - 1];
        if (pair[0] == low && pair[1] == high) {
            return table->slots[at] - 1;
        }
    }
    int place = table->count++;
    table->pairs[place][0] = low;
    table->pairs[place][1] = high;
    table->slots[at] = place + 1;
    return place;
}

static int tgGetFaceSize(const tgRefineDef* def, int f)
{
    return def->faceSizes != NULL ? def->faceSizes[f] : 3;
}

/// Sizes and corners, and where each face's corners and pieces start.
static tgResult tgCheckFaces(tgRefineWork* work, int* largest, tgError* error)
{
    const tgRefineDef* def = work->def;
    *largest = 0;
    for (int f = 0; f < def->faceCount; ++f) {
        int size = tgGetFaceSize(def, f);
        if (size < 3 || size > tg_mostCorners - work->faceStarts[f]) {
            return tgFail(error, tg_invalidMesh, f, "face %d has %d corners, wanted 3 or more%s", f,
                          size, size < 3 ? "" : " and fewer in all");
        }
        for (int k = 0; k < size; ++k) {
            int v = def->faceVertices[work->faceStarts[f] + k];
            if (v < 0 || v >= work->vertexCount) {
                return tgFail(error, tg_invalidMesh, f, "face %d uses vertex %d, the mesh has %d",
                              f, v, work->vertexCount);
            }
        }
        work->faceStarts[f + 1] = work->faceStarts[f] + size;
        work->pieceStarts[f + 1] = work->pieceStarts[f] + (size <= 4 ? 1 : size - 2);
        *largest = size > *largest ? size : *largest;
    }
    work->pieceCount = work->pieceStarts[def->faceCount];
    return tg_success;
}

static tgResult tgReadLabels(tgRefineWork* work, tgError* error)
{
    const int* welded = work->def->weldedVertices;
    for (int v = work->vertexCount - 1; v >= 0; --v) {
        int label = welded != NULL ? welded[v] : v;
        if (label < 0 || label >= work->vertexCount) {
            return tgFail(error, tg_invalidArgument, v,
                          "vertex %d is welded vertex %d, wanted 0 to %d", v, label,
                          work->vertexCount - 1);
        }
        work->labels[v] = label;
        work->firstVertex[label] = v;
    }
    return tg_success;
}

/// As in the rig's mesh: a quad with two equal neighbours is a triangle, one with less than three
/// different corners is nothing.
static void tgMakeFacePiece(const tgRefineWork* work, const int* corners, int size,
                            tgFacePiece* piece)
{
    int labels[4];
    *piece = (tgFacePiece){.size = 0};
    for (int k = 0; k < size; ++k) {
        int label = work->labels[corners[k]];
        if (label != work->labels[corners[(k + 1) % size]]) {
            piece->corners[piece->size] = corners[k];
            labels[piece->size++] = label;
        }
    }
    bool isFolded = piece->size == 4 && (labels[0] == labels[2] || labels[1] == labels[3]);
    if (piece->size < 3 || isFolded) {
        piece->size = 0;
    }
}

static tgResult tgCutFaces(tgRefineWork* work, int largest, tgError* error)
{
    const tgRefineDef* def = work->def;
    int* polygon = tgScratch_Take(work->scratch, (size_t)largest + 1, sizeof(int));
    int* cut = tgScratch_Take(work->scratch, 3 * ((size_t)largest + 1), sizeof(int));
    work->pieces = tgScratch_Take(work->scratch, (size_t)work->pieceCount + 1, sizeof(tgFacePiece));
    if (work->scratch->failed) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for %d faces", def->faceCount);
    }
    for (int f = 0; f < def->faceCount; ++f) {
        const int* corners = def->faceVertices + work->faceStarts[f];
        int size = tgGetFaceSize(def, f);
        tgFacePiece* pieces = work->pieces + work->pieceStarts[f];
        if (size <= 4) {
            tgMakeFacePiece(work, corners, size, pieces);
            continue;
        }
        memcpy(polygon, corners, (size_t)size * sizeof(int));
        tgTriangulateFace(def->positions, polygon, size, cut);
        for (int k = 0; k < size - 2; ++k) {
            tgMakeFacePiece(work, cut + 3 * (size_t)k, 3, &pieces[k]);
        }
    }
    return tg_success;
}

tgResult tgMakePieces(tgRefineWork* work, tgError* error)
{
    size_t faceCount = (size_t)work->def->faceCount;
    work->labels = tgScratch_Take(work->scratch, (size_t)work->vertexCount + 1, sizeof(int));
    work->firstVertex = tgScratch_Take(work->scratch, (size_t)work->vertexCount + 1, sizeof(int));
    work->faceStarts = tgScratch_Take(work->scratch, faceCount + 1, sizeof(int));
    work->pieceStarts = tgScratch_Take(work->scratch, faceCount + 1, sizeof(int));
    if (work->scratch->failed) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for %d vertices", work->vertexCount);
    }
    int largest = 0;
    tgResult result = tgReadLabels(work, error);
    result = result == tg_success ? tgCheckFaces(work, &largest, error) : result;
    result = result == tg_success ? tgCutFaces(work, largest, error) : result;
    if (result != tg_success) {
        return result;
    }
    tgPairTable edges;
    if (!tgOpenPairs(&edges, 4 * work->pieceCount, work->scratch)) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for the edges of %d faces",
                      work->def->faceCount);
    }
    for (int i = 0; i < work->pieceCount; ++i) {
        tgFacePiece* piece = &work->pieces[i];
        for (int k = 0; k < piece->size; ++k) {
            int next = piece->corners[(k + 1) % piece->size];
            piece->edges[k] =
                tgPairTable_Find(&edges, work->labels[piece->corners[k]], work->labels[next]);
        }
    }
    work->edgeCount = edges.count;
    return tg_success;
}
