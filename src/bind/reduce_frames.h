// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Many frames of a mesh as sums of a few: the leading singular vectors of the matrix whose rows
// the frames are.
#ifndef TURGOR_BIND_REDUCE_FRAMES_H
#define TURGOR_BIND_REDUCE_FRAMES_H

#include "core/parallel.h"
#include "turgor/math.h"

typedef struct tgFrames {
    int frameCount;
    const tgVec3* const* frames; ///< of each frame vertexCount offsets
    int vertexCount;
    const float* areas; ///< of each vertex: how much it counts
    tgParallel parallel;
} tgFrames;

/// frame = sum of coefficients times vectors.
typedef struct tgFrameBasis {
    float goal;           ///< the error that it is fine enough for
    float* areas;         ///< of each vertex: by its area, the mean about 1
    int rank;             ///< 0 where nothing moves
    float* vectors;       ///< 3 * vertexCount for each; orthonormal under the areas
    double* coefficients; ///< rank for each frame
} tgFrameBasis;

enum { tg_mostRank = 192 };

/// Make a basis in which errors as small as `goal` can be told; one that is fine enough stays.
/// @param basis all 0 at first; free it also on failure
tgResult tgReduceFrames(const tgFrames* frames, float goal, tgFrameBasis* basis, tgError* error);
void tgFreeFrameBasis(tgFrameBasis* basis);

#endif
