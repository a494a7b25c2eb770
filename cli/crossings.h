// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Triangles of a character that pass through each other.
#ifndef TURGOR_CLI_CROSSINGS_H
#define TURGOR_CLI_CROSSINGS_H

#include "core/bvh.h"
#include "turgor/scene.h"

/// The skin as triangles over welded vertices, so that a seam does not part neighbours.
typedef struct tgCrossingCounter {
    const tgScene* scene;
    int* triangles; ///< by the first vertex of each welded one
    int triangleCount;
    void* memory; ///< of the tree
    tgBvh tree;
    double looseness;    ///< of the tree when it was built
    tgParallel parallel; ///< threads to count on, for you to set once it is open; none
} tgCrossingCounter;

tgResult tgOpenCrossingCounter(const tgScene* scene, const tgRig* rig, tgCrossingCounter* counter,
                               tgError* error);
void tgCloseCrossingCounter(tgCrossingCounter* counter);

/// Pairs of triangles that cross and do not share a vertex.
/// @param positions of all the scene's vertices
int tgCrossingCounter_Count(tgCrossingCounter* counter, const tgVec3* positions);

#endif
