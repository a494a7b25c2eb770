// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// How much each vertex may take of a joint's correction.
#ifndef TURGOR_CORE_PROFILE_H
#define TURGOR_CORE_PROFILE_H

#include "core/frame.h"
#include "core/kernels.h"

/// What is wrong with a profile; tg_success when nothing is.
tgResult tgCheckProfile(const tgProfile* profile, const char* where, int joint, tgError* error);

/// How far from the joint the limb's profiles reach, in model units.
float tgGetProfileReach(const tgLimb* limb);

/// |swing|^2 = (2 sin(angle / 2))^2 of a bend.
float tgGetSwingSquared(float angle);

/// The frame that a limb's shares are meant in: that of its first profile.
static inline const tgVec3* tgGetShareFrame(const tgLimb* limb, const tgJointFrame* frame)
{
    bool organic = limb->profileCount > 0 && limb->profiles[0].kind == tg_profileOrganic;
    return organic ? frame->bisector : frame->axes;
}

/// Fills gamma of the takers, limb mask and vertex area included.
/// @param freedom of each vertex; NULL: all free
/// @param gamma one for each taker, padded
/// @param scratch 4 times as many; begins with the takers' mask then
void tgFillGamma(const tgLimb* limb, const tgJointFrame* frame, bool takes,
                 const tgKernels* kernels, const float* positions, const float* freedom,
                 float* gamma, float* scratch);

/// Whether a limb's profiles are bells about the joint and no other shape.
bool tgIsBellAllRound(const tgLimb* limb);

#endif
