// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A picture of one joint: what the camera looks at in place of the whole character, and where from.
#ifndef TURGOR_CLI_FOCUS_H
#define TURGOR_CLI_FOCUS_H

#include "play/actor.h"
#include "shot.h"

typedef struct tgFocus {
    const char* name; ///< as given: a joint or a pattern
    int* joints;      ///< that it is for
    int count;
    float size; ///< how much is seen to every side, in limb radii
} tgFocus;

/// Finds the joints; returns the status. Free it in either case.
int tgOpenFocus(const char* name, float size, const tgShot* shot, tgFocus* focus);
void tgCloseFocus(tgFocus* focus);

/// A ball about the joints as an actor stands. It follows from the pose alone, so that pictures
/// with other settings fit over each other.
/// @param rig that knows how thick limbs are; where it does not, a part of the bone is taken
void tgFocus_Place(const tgFocus* focus, const tgRig* rig, const tgActor* actor, tgVec3* place,
                   float* reach);
/// Of each joint, whether skin that follows it most lies in that ball, in the bind pose; NULL
/// without memory.
bool* tgFocus_FindSeen(const tgFocus* focus, const tgRig* rig, const tgScene* scene);
/// Towards the camera, a unit vector: along the axis that the first joint bends about, from
/// outside; where it does not bend, from outside.
tgVec3 tgFocus_ChooseView(const tgFocus* focus, const tgActor* actor);

#endif
