// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Skin weights, cleaned: no zeros, no joint twice, heaviest first, summing to one.
#ifndef TURGOR_CORE_INFLUENCE_H
#define TURGOR_CORE_INFLUENCE_H

#include "core/scratch.h"
#include "turgor/turgor.h"

/// The influences of every render vertex, packed one vertex after the other.
typedef struct tgInfluences {
    int vertexCount;
    int most;    ///< of any vertex
    int* start;  ///< vertexCount + 1
    int* joints; ///< heaviest first
    float* weights;
} tgInfluences;

/// Checks and cleans the weights of a definition.
tgResult tgMakeInfluences(const tgRigDef* def, tgScratch* scratch, tgInfluences* influences,
                          tgError* error);

void tgInfluences_Place(const tgInfluences* built, tgLayout* layout, tgInfluences* placed);

/// Whether two vertices follow the same joints, up to a summed weight difference of 0.02.
bool tgInfluences_Match(const tgInfluences* influences, int a, int b);

#endif
