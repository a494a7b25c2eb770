// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The frame of a joint in the current pose: where its correction is measured and placed.
#ifndef TURGOR_CORE_FRAME_H
#define TURGOR_CORE_FRAME_H

#include "core/limb.h"
#include "core/mat34d.h"

typedef struct tgJointFrame {
    tgVec3 origin;      ///< of the joint, as its parent carries it
    tgVec3 axes[3];     ///< e0 along the parent bone, e1 the bending axis, e2 the inner side
    tgVec3 bisector[3]; ///< the same with e2 along the swing: e0 and e2 halve the bend
    tgVec3 swing;       ///< posed direction of the bone minus where its parent would carry it
    float swingSquared; ///< |swing|^2 = (2 sin(bend / 2))^2
    float bendPart;     ///< 1 for a pure bend, 0 for a pure twist
} tgJointFrame;

/// @param carried motion of the parent since the bind pose
/// @param own motion of the joint since the bind pose
void tgMakeJointFrame(const tgLimb* limb, const tgSkeleton* skeleton, const tgMat34d* carried,
                      const tgMat34d* own, tgJointFrame* frame);

#endif
