// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Joint transforms of a frame to what the skin stage blends.
#ifndef TURGOR_CORE_POSE_H
#define TURGOR_CORE_POSE_H

#include "core/skeleton.h"

enum {
    tg_matrixFloats = 16,        ///< four columns of x, y, z, 0
    tg_dualQuaternionFloats = 8, ///< real x, y, z, w, then dual x, y, z, w
};

/// Two joints that some vertex blends. The quaternion of `joint` is given the sign that lies on the
/// same side as the one of `pivot`, the vertex's heaviest joint: no blend ever takes the long way.
typedef struct tgJointPair {
    int pivot, joint;
} tgJointPair;

/// model in the bind pose -> model now, for each joint, in double.
void tgPoseToSkinMatrices(const tgSkeleton* skeleton, const tgMat34* joints,
                          tgMat34d* skinMatrices);

/// Columns of float for the linear blend.
void tgFillMatrixPalette(const tgMat34d* skinMatrices, int jointCount, float* palette);

/// Splits each skin matrix into a rigid motion and, before it, a stretch that takes the joint's
/// bind position where the stretch of the joint that carries it does.
/// @param rigid jointCount dual quaternions
/// @param stretch jointCount matrices for the linear blend
/// @return whether any joint stretches at all; when not, `stretch` is not to be used
bool tgSplitSkinMatrices(const tgSkeleton* skeleton, const tgMat34d* skinMatrices, float* rigid,
                         float* stretch);

/// Dual quaternions for the pairs, each with the sign of its pivot.
void tgFillPairPalette(const float* rigid, const tgJointPair* pairs, int pairCount, float* palette);

/// How much of the dual quaternion blend each pair of joints takes, 0 to 1, and how far it may: a
/// pair at 180 degrees of each other may not, because there its shortest way changes sides.
typedef struct tgPairShare {
    float wanted, allowed;
} tgPairShare;

/// @param twists for tg_blend: more where a pair twists about the way between its joints; else all
/// @return whether any pair takes less than all of it
bool tgFillPairShares(const tgSkeleton* skeleton, const float* rigid, const tgJointPair* pairs,
                      int pairCount, bool twists, tgPairShare* shares);

#endif
