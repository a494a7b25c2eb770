// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The volume that each joint took away or added (2009 s.3.2).
#ifndef TURGOR_CORE_LOSS_H
#define TURGOR_CORE_LOSS_H

#include "core/limb.h"
#include "core/pose.h"

/// What the loss stage reads and writes. Motions are since the target pose: bind pose, but with the
/// frame's scales and lengths.
typedef struct tgLossTask {
    const tgSkeleton* skeleton;
    const tgMesh* mesh;
    const tgSkin* skin;
    const tgLimbs* limbs;
    const tgKernels* kernels;
    const tgParallel* parallel;
    bool dualQuaternion;
    const float* rest;           ///< the frame's bind shape, 4 for each element
    const tgMat34d* motions;     ///< of each joint
    const tgMat34d* targetSkins; ///< target skin matrices; NULL: all the identity
    const float* skinned;        ///< the posed character, 4 for each element
    const float* palette;        ///< that skinned it: matrices,
    const float* rigid;          ///< or dual quaternions of each joint
    const float* pairs;          ///< and of each pair
    float* statePalette;         ///< scratch: 16 for each joint
    float* stateRigid;           ///< scratch: 8 for each joint
    float* statePairs;           ///< scratch: 8 for each pair
    float* whole;                ///< scratch: 4 for each element
    float* targetRigid;          ///< scratch: 8 for each joint
    float* stretched;            ///< scratch: 4 for each element
    bool* bends;                 ///< out, for each limb
    double* losses;              ///< out, for each limb: volume after minus before
} tgLossTask;

/// Fills `bends` alone; whether any joint does.
bool tgFindBends(const tgLossTask* task);
/// The state of mode paper: nothing but the first root posed; one more joint posed; the mesh so.
void tgPoseFirst(const tgLossTask* task);
void tgPoseOneMore(const tgLossTask* task, int joint);
void tgSkinState(const tgLossTask* task, float* positions);

/// Fills `losses` of the limbs that bend; the others are 0.
void tgMeasureLosses(const tgLossTask* task);

#endif
