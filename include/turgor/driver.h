// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
/// @file driver.h
/// Weights of corrective morph targets from the pose, for games that blend clips: what
/// `turgor correctives --driver` writes, evaluated. Numbers only: nothing is allocated or kept.
#ifndef TURGOR_DRIVER_H
#define TURGOR_DRIVER_H

#include "turgor/base.h"
#include "turgor/math.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A joint that drives targets.
typedef struct tgDriverJoint {
    tgQuat rest; ///< its rotation against its parent joint in the bind pose
    tgVec3 axis; ///< along its bone, in its own coordinates, unit: what twist is about
} tgDriverJoint;

/// Targets of one joint, or of two that bend the same skin: Gaussians of the rotations about some
/// centres.
typedef struct tgDriverElement {
    int jointCount; ///< 1 or 2
    int joints[2];
    int firstTarget, targetCount;
    int centerCount;
    const float* centers;      ///< 3 for each joint of each centre, see tgDriver_GetTurn
    const float* widths;       ///< 3 for each joint: of the Gaussians, > 0
    const float* coefficients; ///< centerCount for each target
    const float* biases;       ///< targetCount: the weight far from all centres
} tgDriverElement;

typedef struct tgDriver {
    int jointCount;
    const tgDriverJoint* joints;
    int elementCount;
    const tgDriverElement* elements;
    int targetCount; ///< of all elements
} tgDriver;

/// How a joint is turned against its rest: twice the vector part of its swing, and of its twist
/// along the axis. For small turns the angle in radians.
/// @param rotation of the joint against its parent joint
TG_API tgVec3 tgDriver_GetTurn(const tgDriverJoint* joint, tgQuat rotation);

/// Weights of all targets, 0 to 1.
/// @param rotations of the driver's joints, each against its parent joint
/// @param weights targetCount entries
TG_API void tgDriver_GetWeights(const tgDriver* driver, const tgQuat* rotations, float* weights);

#ifdef __cplusplus
}
#endif

#endif
