// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The two bones that meet in a joint, with the joints that lie in them to spread a twist.
#ifndef TURGOR_CORE_HINGE_H
#define TURGOR_CORE_HINGE_H

#include "core/skeleton.h"

enum { tg_elsewhere = 0, tg_ownBone = 1, tg_carrierBone = 2 };

/// At one joint, which bone each joint of the skeleton belongs to.
typedef struct tgHinge {
    char* bones;     ///< of each joint: tg_ownBone, tg_carrierBone or tg_elsewhere
    float in, out;   ///< how long the carrier's bone and the joint's own are; endless for a leaf
    float next;      ///< how far it is to the next joint of its own
    bool beginsFree; ///< no joint carries the carrier's bone
} tgHinge;

/// Twist bones count as the bone that they lie in: leaves that stand on the straight way to the
/// bone's end, and joints in between two others in one line, where the chain does not branch. At
/// a hand, whose bone is the mean of its fingers', none is counted.
/// @param joint not the one that carries all
/// @param hinge with room in `bones`
void tgFindHinge(const tgSkeleton* skeleton, const tgTree* tree, int joint, tgHinge* hinge);

#endif
