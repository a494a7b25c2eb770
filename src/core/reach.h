// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// How far vertices are from a set of vertices, along the skin.
#ifndef TURGOR_CORE_REACH_H
#define TURGOR_CORE_REACH_H

#include "core/mesh.h"

typedef struct tgReach {
    const tgMesh* mesh;
    const float* rest; ///< 4 for each vertex
    float* distances;  ///< out, for each vertex; INFINITY beyond the limit
    int* heap;         ///< scratch: as many as vertices
    int* heapPlace;    ///< scratch: place of each vertex in the heap + 1
    int heapCount;
} tgReach;

bool tgMakeReach(const tgMesh* mesh, const float* rest, tgScratch* scratch, tgReach* reach);

/// Distances from the vertices whose `distances` are 0 (the others must be INFINITY).
void tgSpreadReach(tgReach* reach, float limit);

#endif
