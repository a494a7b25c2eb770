// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The pieces of a refined mesh. With m the middle of a side and g a vertex inside:
//
//   triangle, all sides    4 triangles       quad, all sides       4 quads about g
//   triangle, one side     2 triangles       quad, one side        3 triangles
//                                            quad, opposite sides  2 quads
//                                            quad, adjacent sides  3 quads about g
//
// All of them enclose what the piece did. Triangles are flat; halves and quarters of a bilinear
// patch are bilinear; the 3 triangles on one split side average the patch's two diagonals as the
// patch does. Three quads about the mean of the corners would not: over z = xy they hold 15/64 in
// place of 16/64. They do about g = (7 a + 4 b + 7 c + 4 d) / 22, with b between the split sides.

#include "bind/refine.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { tg_mostPieces = 4, tg_mostPieceCorners = 16 };

/// A finer mesh being written.
typedef struct tgSplitter {
    const tgRefineWork* work;
    tgPairTable sides;    ///< pairs of vertices with a new one between them
    int* sideVertices;    ///< of each pair
    int* edgeVertices;    ///< of each edge of the welded mesh: its first new vertex; 0 for none yet
    tgVertexMean* means;  ///< of new vertices
    tgVertexMean* places; ///< the same over the first vertices of each label
    int* welded;          ///< of all vertices
    int vertexCount;
    int* corners;
    int* sizes;
    int* parents;
    int cornerCount, faceCount, splitFaceCount;
} tgSplitter;

static void tgEmitFace(tgSplitter* splitter, int size, int a, int b, int c, int d)
{
    const int corners[4] = {a, b, c, d};
    memcpy(splitter->corners + splitter->cornerCount, corners, (size_t)size * sizeof(int));
    splitter->cornerCount += size;
    splitter->sizes[splitter->faceCount++] = size;
}

static void tgEmitTriangle(tgSplitter* splitter, int a, int b, int c)
{
    tgEmitFace(splitter, 3, a, b, c, 0);
}

static int tgFirstAtPlace(const tgSplitter* splitter, int v)
{
    return splitter->work->firstVertex[splitter->work->labels[v]];
}

/// @param mean of vertices as given
static int tgAddMean(tgSplitter* splitter, const tgVertexMean* mean)
{
    int at = splitter->vertexCount - splitter->work->vertexCount;
    splitter->means[at] = splitter->places[at] = *mean;
    for (int k = 0; k < 4; ++k) {
        splitter->places[at].vertices[k] = tgFirstAtPlace(splitter, mean->vertices[k]);
    }
    splitter->welded[splitter->vertexCount] = splitter->vertexCount;
    return splitter->vertexCount++;
}

/// The vertex in the middle of side k.
static int tgGetMiddle(tgSplitter* splitter, const tgFacePiece* piece, int k)
{
    int a = piece->corners[k], b = piece->corners[(k + 1) % piece->size];
    int known = splitter->sides.count;
    int side = tgPairTable_Find(&splitter->sides, a, b);
    if (side < known) {
        return splitter->sideVertices[side];
    }
    // The same order on both sides of a seam gives the same bits.
    if (splitter->work->labels[a] > splitter->work->labels[b]) {
        int swapped = a;
        a = b;
        b = swapped;
    }
    int v = tgAddMean(splitter, &(tgVertexMean){{a, b, a, a}, {0.5f, 0.5f, 0.0f, 0.0f}});
    splitter->sideVertices[side] = v;
    int* first = &splitter->edgeVertices[piece->edges[k]];
    *first = *first != 0 ? *first : v; // no new vertex is vertex 0
    splitter->welded[v] = *first;
    return v;
}

/// Side 0 is split.
static void tgSplitOneSide(tgSplitter* splitter, const tgFacePiece* piece, int m)
{
    const int* c = piece->corners;
    if (piece->size == 3) {
        tgEmitTriangle(splitter, c[0], m, c[2]);
        tgEmitTriangle(splitter, m, c[1], c[2]);
    } else {
        tgEmitTriangle(splitter, c[0], m, c[3]);
        tgEmitTriangle(splitter, m, c[1], c[2]);
        tgEmitTriangle(splitter, m, c[2], c[3]);
    }
}

/// Sides 0 and 1 of a quad are split.
static void tgSplitAdjacent(tgSplitter* splitter, const tgFacePiece* piece, int m0, int m1)
{
    static const float tg_far = 7.0f / 22.0f, tg_near = 4.0f / 22.0f;
    const int* c = piece->corners;
    int g = tgAddMean(
        splitter, &(tgVertexMean){{c[0], c[1], c[2], c[3]}, {tg_far, tg_near, tg_far, tg_near}});
    tgEmitFace(splitter, 4, m0, c[1], m1, g);
    tgEmitFace(splitter, 4, m1, c[2], c[3], g);
    tgEmitFace(splitter, 4, c[0], m0, g, c[3]);
}

static void tgSplitRed(tgSplitter* splitter, const tgFacePiece* piece)
{
    const int* c = piece->corners;
    int m[4];
    for (int k = 0; k < piece->size; ++k) {
        m[k] = tgGetMiddle(splitter, piece, k);
    }
    if (piece->size == 3) {
        tgEmitTriangle(splitter, c[0], m[0], m[2]);
        tgEmitTriangle(splitter, m[0], c[1], m[1]);
        tgEmitTriangle(splitter, m[2], m[1], c[2]);
        tgEmitTriangle(splitter, m[0], m[1], m[2]);
        return;
    }
    int g = tgAddMean(splitter,
                      &(tgVertexMean){{c[0], c[1], c[2], c[3]}, {0.25f, 0.25f, 0.25f, 0.25f}});
    tgEmitFace(splitter, 4, c[0], m[0], g, m[3]);
    tgEmitFace(splitter, 4, m[0], c[1], m[1], g);
    tgEmitFace(splitter, 4, g, m[1], c[2], m[2]);
    tgEmitFace(splitter, 4, m[3], g, m[2], c[3]);
}

/// The piece with side k in the first place.
static tgFacePiece tgTurnFacePiece(const tgFacePiece* piece, int k)
{
    tgFacePiece turned = {.size = piece->size};
    for (int i = 0; i < piece->size; ++i) {
        turned.corners[i] = piece->corners[(k + i) % piece->size];
        turned.edges[i] = piece->edges[(k + i) % piece->size];
    }
    return turned;
}

/// One split side, or two of a quad.
static void tgSplitGreen(tgSplitter* splitter, const tgFacePiece* piece, int splitCount)
{
    const bool* isSplit = splitter->work->isSplit;
    int k = 0;
    while (!isSplit[piece->edges[k]]) {
        k += 1;
    }
    // Of two adjacent sides the one that leads into the corner between them comes first.
    if (splitCount == 2 && k == 0 && isSplit[piece->edges[3]]) {
        k = 3;
    }
    tgFacePiece turned = tgTurnFacePiece(piece, k);
    const int* c = turned.corners;
    int first = tgGetMiddle(splitter, &turned, 0);
    if (splitCount == 1) {
        tgSplitOneSide(splitter, &turned, first);
    } else if (isSplit[turned.edges[2]]) {
        int opposite = tgGetMiddle(splitter, &turned, 2);
        tgEmitFace(splitter, 4, c[0], first, opposite, c[3]);
        tgEmitFace(splitter, 4, first, c[1], c[2], opposite);
    } else {
        tgSplitAdjacent(splitter, &turned, first, tgGetMiddle(splitter, &turned, 1));
    }
}

static void tgSplitFacePiece(tgSplitter* splitter, int index)
{
    const tgFacePiece* piece = &splitter->work->pieces[index];
    int splitCount = tgCountSplits(splitter->work, piece);
    if (splitter->work->isRed[index]) {
        tgSplitRed(splitter, piece);
    } else if (splitCount > 0) {
        tgSplitGreen(splitter, piece, splitCount);
    } else if (piece->size > 0) {
        const int* c = piece->corners;
        tgEmitFace(splitter, piece->size, c[0], c[1], c[2], c[3]);
    }
}

/// All pieces of a face; a face without a split side as it came.
static void tgSplitFace(tgSplitter* splitter, int f)
{
    const tgRefineWork* work = splitter->work;
    bool isTouched = false;
    for (int i = work->pieceStarts[f]; i < work->pieceStarts[f + 1]; ++i) {
        isTouched |= tgCountSplits(work, &work->pieces[i]) > 0;
    }
    int firstFace = splitter->faceCount;
    if (isTouched) {
        splitter->splitFaceCount += 1;
        for (int i = work->pieceStarts[f]; i < work->pieceStarts[f + 1]; ++i) {
            tgSplitFacePiece(splitter, i);
        }
    } else {
        int size = work->faceStarts[f + 1] - work->faceStarts[f];
        memcpy(splitter->corners + splitter->cornerCount,
               work->def->faceVertices + work->faceStarts[f], (size_t)size * sizeof(int));
        splitter->cornerCount += size;
        splitter->sizes[splitter->faceCount++] = size;
    }
    for (int i = firstFace; i < splitter->faceCount; ++i) {
        splitter->parents[i] = f;
    }
}

/// Upper bounds of what the splitter may add.
typedef struct tgSplitRoom {
    size_t vertices, faces, corners;
} tgSplitRoom;

static tgSplitRoom tgMeasureRoom(const tgRefineWork* work)
{
    tgSplitRoom room = {0, 0, (size_t)work->faceStarts[work->def->faceCount]};
    room.faces = (size_t)work->pieceCount;
    for (int i = 0; i < work->pieceCount; ++i) {
        int splitCount = tgCountSplits(work, &work->pieces[i]);
        if (splitCount > 0) {
            room.vertices += (size_t)splitCount + 1;
            room.faces += tg_mostPieces;
            room.corners += tg_mostPieceCorners;
        } else {
            room.corners += 3; // of a polygon that others cut
        }
    }
    return room;
}

/// Arrays of the result; the rest is scratch. False without memory.
static bool tgOpenSplitter(tgSplitter* splitter, tgSplitRoom room)
{
    const tgRefineWork* work = splitter->work;
    size_t vertexCount = (size_t)work->vertexCount + room.vertices;
    splitter->means = calloc(room.vertices + 1, sizeof(tgVertexMean));
    splitter->places = calloc(room.vertices + 1, sizeof(tgVertexMean));
    splitter->welded = calloc(vertexCount, sizeof(int));
    splitter->corners = calloc(room.corners, sizeof(int));
    splitter->sizes = calloc(room.faces, sizeof(int));
    splitter->parents = calloc(room.faces, sizeof(int));
    splitter->sideVertices = tgScratch_Take(work->scratch, room.vertices + 1, sizeof(int));
    splitter->edgeVertices =
        tgScratch_Take(work->scratch, (size_t)work->edgeCount + 1, sizeof(int));
    if (!tgOpenPairs(&splitter->sides, (int)room.vertices, work->scratch) ||
        splitter->means == NULL || splitter->places == NULL || splitter->welded == NULL ||
        splitter->corners == NULL || splitter->sizes == NULL || splitter->parents == NULL) {
        return false;
    }
    splitter->vertexCount = work->vertexCount;
    memcpy(splitter->welded, work->labels, (size_t)work->vertexCount * sizeof(int));
    return true;
}

tgRefinement* tgSplitPieces(const tgRefineWork* work, tgError* error)
{
    tgSplitter splitter = {.work = work};
    tgSplitRoom room = tgMeasureRoom(work);
    tgRefinement* refinement = calloc(1, sizeof(tgRefinement));
    bool isOpen = refinement != NULL && tgOpenSplitter(&splitter, room);
    for (int f = 0; isOpen && f < work->def->faceCount; ++f) {
        tgSplitFace(&splitter, f);
    }
    const tgRefinement made = {.vertexCount = splitter.vertexCount,
                               .coarseVertexCount = work->vertexCount,
                               .means = splitter.means,
                               .placeMeans = splitter.places,
                               .weldedVertices = splitter.welded,
                               .faceCount = splitter.faceCount,
                               .faceVertices = splitter.corners,
                               .faceSizes = splitter.sizes,
                               .faceParents = splitter.parents,
                               .splitFaceCount = splitter.splitFaceCount};
    if (refinement != NULL) {
        *refinement = made;
    }
    bool isSmooth = isOpen && work->def->smooth && splitter.splitFaceCount > 0;
    isOpen = isOpen && (!isSmooth || tgSmoothPlaces(work, splitter.edgeVertices, refinement));
    if (!isOpen) {
        tgDestroyRefinement(refinement);
        tgFail(error, tg_outOfMemory, -1, "no memory for up to %zu new vertices", room.vertices);
        return NULL;
    }
    return refinement;
}
