// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Skin weights of the embedded characters, from the chains that made them.
#ifndef TURGOR_MODELS_SKIN_WEIGHTS_H
#define TURGOR_MODELS_SKIN_WEIGHTS_H

#include "models/relax.h"
#include "models/rigging.h"

enum { tg_modelInfluenceCount = 4 };

/// Weights that sum to 1, tg_modelInfluenceCount for each vertex, largest first.
/// @param chains the ones that `field` was made from
/// @return false when there is no memory
bool tgComputeModelWeights(const tgQuadMesh* mesh, const tgNeighbors* neighbors,
                           const tgField* field, const tgChainDef* chains,
                           const tgModelSkeleton* skeleton, int* influenceJoints,
                           float* influenceWeights);

#endif
