// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Profiles that somebody chose or drew: how much each vertex may take of a joint's correction.
#ifndef TURGOR_CORE_PROFILE_H
#define TURGOR_CORE_PROFILE_H

#include "core/limb.h"

/// The frame of a joint as it bends (2009 s.3.1, with the swing in place of the cross product,
/// which is undefined for limbs that are bent at rest). Stateless: the same turn gives the same
/// frame.
typedef struct tgJointFrame {
    tgVec3 origin;
    tgVec3 axes[3];     ///< e0 along the parent bone, e1 the bending axis, e2 the inner side
    float unit;         ///< length of the parent bone over that at rest
    float swingSquared; ///< |posed direction of the bone - that at rest|^2 = (2 sin(bend / 2))^2
    float bendPart;     ///< 1 for a pure bend, 0 for a pure twist
} tgJointFrame;

/// What is wrong with a profile; tg_success when nothing is.
tgResult tgCheckProfile(const tgProfile* profile, const char* where, int joint, tgError* error);

/// How far from the joint the limb's profiles reach, in model units; infinity for no end.
float tgGetProfileReach(const tgLimb* limb);

/// |swing|^2 = (2 sin(angle / 2))^2 of a bend.
float tgGetSwingSquared(float angle);

/// The frame at rest: where the parent's motion would carry it to.
/// @param turn of the joint against its parent, by columns
tgJointFrame tgMakeRestFrame(const tgLimb* limb, const double turn[3][3]);

/// The same from the turn of the limb's joint, whichever of the two the hinge is.
tgJointFrame tgMakeHingeFrame(const tgLimb* limb, const double turn[3][3]);

/// mu of the first profile in this frame. A twist has no inner side: then e1 and e2 share alike.
void tgGetShares(const tgLimb* limb, const tgJointFrame* frame, float shares[3]);

/// All profiles of a limb together; each has its peak at 1.
/// @param positions 4 floats for each vertex
/// @param supports of the limb itself, for organic; NULL: a bell stands for it
void tgFillGamma(const tgLimb* limb, const tgJointFrame* frame, const float* positions,
                 const float* supports, int count, float* gamma);

#endif
