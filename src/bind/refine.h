// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What the stages of a refinement hand on: pieces of at most four corners, edges of the welded
// mesh, and which of them are split.
#ifndef TURGOR_BIND_REFINE_H
#define TURGOR_BIND_REFINE_H

#include "core/scratch.h"
#include "turgor/refine.h"

/// A face, or a triangle of a larger polygon.
typedef struct tgFacePiece {
    int corners[4]; ///< vertices as given; corner k and the next one are the ends of side k
    int edges[4];   ///< of each side, into the edges of the welded mesh
    int size;       ///< 3 or 4; 0: it has collapsed, and stays as it is
} tgFacePiece;

typedef struct tgRefineWork {
    const tgRefineDef* def;
    tgScratch* scratch;
    int vertexCount;
    int* labels;      ///< of each vertex: its number in the welded mesh
    int* firstVertex; ///< of each label: the first vertex that has it
    int pieceCount;
    int* pieceStarts; ///< faceCount + 1, into pieces
    int* faceStarts;  ///< faceCount + 1, into def->faceVertices
    tgFacePiece* pieces;
    int edgeCount;
    bool* isSplit; ///< of each edge
    bool* isRed;   ///< of each piece: split in four
} tgRefineWork;

/// Pairs of numbers and what they were given, in a table that grows no more.
typedef struct tgPairTable {
    int* slots; ///< place in pairs + 1; 0 for none
    int (*pairs)[2];
    int count;
    uint32_t mask;
} tgPairTable;

/// refine_pieces.c. False without memory.
bool tgOpenPairs(tgPairTable* table, int mostPairs, tgScratch* scratch);
/// The place of the pair (a, b), either way round, by first appearance.
int tgPairTable_Find(tgPairTable* table, int a, int b);

/// refine_pieces.c: checks the mesh, cuts polygons, finds the edges.
tgResult tgMakePieces(tgRefineWork* work, tgError* error);

/// refine_split.c: the finer mesh, from pieces whose split edges are known.
tgRefinement* tgSplitPieces(const tgRefineWork* work, tgError* error);

/// refine_smooth.c: fills in the masks. False without memory.
/// @param edgeVertices of each edge of the welded mesh: its first new vertex; 0 for none
bool tgSmoothPlaces(const tgRefineWork* work, const int* edgeVertices, tgRefinement* refinement);

/// How many of a piece's sides are split.
static inline int tgCountSplits(const tgRefineWork* work, const tgFacePiece* piece)
{
    int count = 0;
    for (int k = 0; k < piece->size; ++k) {
        count += work->isSplit[piece->edges[k]];
    }
    return count;
}

#endif
