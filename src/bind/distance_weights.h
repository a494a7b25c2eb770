// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Weights from the distances to the bones that a vertex sees.
#ifndef TURGOR_BIND_DISTANCE_WEIGHTS_H
#define TURGOR_BIND_DISTANCE_WEIGHTS_H

#include "bind/geodesic.h"
#include "bind/prune.h"

/// @param def falloff, useBoneLength and insideTest are read
/// @param isReached of each vertex: it sees some bone; the others follow one joint, part by part
tgResult tgWeighDistances(const tgBindDef* def, const tgVoxels* voxels, const tgBones* bones,
                          const tgProgress* progress, tgScratch* scratch, tgWeights* weights,
                          bool* isReached, tgError* error);

#endif
