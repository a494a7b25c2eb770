// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Weights of every vertex on their way to a few influences.
#ifndef TURGOR_BIND_PRUNE_H
#define TURGOR_BIND_PRUNE_H

#include "core/scratch.h"

/// The heaviest weights of each vertex, heaviest first.
typedef struct tgWeights {
    int perVertex; ///< one more than the influences in the end
    int* counts;
    int* joints;
    float* weights;
} tgWeights;

bool tgOpenWeights(tgWeights* weights, int vertexCount, int influences, tgScratch* scratch);

/// Adds a weight, unless all that are kept are heavier.
void tgWeights_Add(tgWeights* weights, int v, int joint, float weight);

/// At most perVertex - 1 influences, with the sum 1.
void tgPruneWeights(tgWeights* weights, int vertexCount);

#endif
