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
    float turnPart;     ///< 0 at rest, 1 where a joint has turned enough for an inner side
    float scale;        ///< of the limb since the bind pose, which the limb's lengths are of
} tgJointFrame;

/// For a limb that is as large as in the bind pose. Motions are since the pose whose volume is
/// kept.
/// @param origin of the joint in that pose
/// @param carried motion of the parent
/// @param own motion of the joint
void tgMakeJointFrame(const tgLimb* limb, tgVec3 origin, const tgMat34d* carried,
                      const tgMat34d* own, tgJointFrame* frame);

#endif
