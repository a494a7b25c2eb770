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

/// The dual quaternion of a motion whose linear part is a rotation.
void tgRigidToDualQuaternion(const tgMat34d* motion, double out[tg_dualQuaternionFloats]);
/// First b, then a; rounded once.
void tgMulDualQuaternions(const double a[tg_dualQuaternionFloats], const float* b, float* out);

/// Splits each skin matrix into a rigid motion and, before it, a stretch that takes the joint's
/// bind position where the stretch of the joint that carries it does.
/// @param rigid jointCount dual quaternions
/// @param stretch jointCount matrices for the linear blend
/// @return whether any joint stretches at all; when not, `stretch` is not to be used
bool tgSplitSkinMatrices(const tgSkeleton* skeleton, const tgMat34d* skinMatrices, float* rigid,
                         float* stretch);

/// The same for one joint, at its place in both arrays, after the one that carries it.
bool tgSplitSkinMatrix(const tgSkeleton* skeleton, const tgMat34d* skinMatrix, int joint,
                       float* rigid, float* stretch);

/// Dual quaternions for the pairs, each with the sign of its pivot.
void tgFillPairPalette(const float* rigid, const tgJointPair* pairs, int pairCount, float* palette);

/// Whether no joint scales and none but roots slides along its bone: then the pose whose volume is
/// to be kept is the rest pose. Quicker than making it.
bool tgIsRestTarget(const tgSkeleton* skeleton, const tgMat34d* skinMatrices);

/// The pose whose volume is to be kept: local scales and translations of this frame, rotations at
/// rest. Of a translation only the part along the joint's rest offset counts, and where a root
/// stands does not matter: roots stay at rest but for their scale, which takes the others along.
void tgPoseToTargetMatrices(const tgSkeleton* skeleton, const tgMat34* joints,
                            tgMat34d* targetJoints, tgMat34d* skinMatrices);

#endif
