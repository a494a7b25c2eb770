// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The joints in the bind pose.
#ifndef TURGOR_CORE_SKELETON_H
#define TURGOR_CORE_SKELETON_H

#include "core/mat34d.h"
#include "core/scratch.h"
#include "core/tree.h"
#include "turgor/turgor.h"

/// With several roots the first one carries the others: where a character stands is its motion.
typedef struct tgSkeleton {
    int jointCount;
    int* parents;   ///< -1 for a root
    tgTree tree;    ///< parents, and the first root for the other roots
    tgTree bodies;  ///< who bends against whom, by the skin they share; see bodies.c
    int* pivots;    ///< of each joint: itself or its carrier there; about whose origin they turn
    int* partners;  ///< of each joint the one it shares most skin with; -1 for none
    tgMat34d* rest; ///< joint to model
    tgMat34d* restInverse; ///< model to joint
} tgSkeleton;

/// Checks the joints of a definition: parents, cycles, matrices.
tgResult tgCheckSkeleton(const tgRigDef* def, tgScratch* scratch, tgError* error);

/// Places a checked skeleton in an object's block; fills it once there is a block.
void tgSkeleton_Place(const tgRigDef* def, tgLayout* layout, tgSkeleton* skeleton);

#endif
