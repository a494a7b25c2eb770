// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// How the bind pose stands in its file: the nodes above a skeleton may stand up what lies in the
// bind pose, or carry several characters apart.
#ifndef TURGOR_CLI_STAND_H
#define TURGOR_CLI_STAND_H

#include "turgor/scene.h"

/// From the bind pose of a joint to where it stands; the identity for one that was bound flat.
/// @param stands the joint, of tgScene_SamplePose without an animation
static inline tgMat34 tgGetStand(const tgSceneJoint* joint, const tgMat34* stands)
{
    tgMat34 inverse;
    return tgInvertMat34(&joint->restJoint, &inverse) ? tgMulMat34(stands, &inverse)
                                                      : tgIdentityMat34();
}

#endif
