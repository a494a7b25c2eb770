// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// How far the joints of a character bend in its animations, about which axis, and to which side.
#ifndef TURGOR_PLAY_BENDS_H
#define TURGOR_PLAY_BENDS_H

#include "turgor/scene.h"

/// What tells a joint's axis; the first that does counts.
typedef enum tgAxisSource {
    tg_axisOfClips = 0, ///< it bends in the animations
    tg_axisOfRest,      ///< the limb is not quite straight in the bind pose: it bends on from there
    tg_axisAcross,      ///< nothing does: across the limb, the bone towards the front
} tgAxisSource;

/// Of one joint, against its parent and the bind pose.
typedef struct tgBend {
    float swing; ///< largest angle from its bone to where the bind pose has it, radians
    float twist; ///< largest turn about that bone, radians
    tgVec3 axis; ///< about which it bends: a unit vector in model coordinates of the bind pose; a
                 ///< turn by more than 0 goes to its natural side
    tgAxisSource source;
} tgBend;

/// Looks at all animations, some 30 times a second.
/// @param bends room for as many as the scene has joints
/// @return false without memory
bool tgFindBends(const tgScene* scene, tgBend* bends);

/// From a joint to the mean of its children at rest, a unit vector; its parent's bone goes on where
/// it has none.
tgVec3 tgGetRestBone(const tgScene* scene, int joint);
/// How a joint turned against its parent since the bind pose, in coordinates of that.
/// @param joints jointCount entries: joint to model
/// @return false where it cannot be told
bool tgGetRelativeTurn(const tgScene* scene, const tgMat34* joints, int joint, tgMat34* turn);

#endif
