// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What flesh did before the first frame that is wanted.
#ifndef TURGOR_PLAY_PREROLL_H
#define TURGOR_PLAY_PREROLL_H

#include "play/actor.h"

/// What is played: frames of an animation at a rate.
typedef struct tgRoll {
    const tgScene* scene;
    int animation; ///< -1: the file's own pose
    double fps;
    bool loop; ///< the animation repeats
} tgRoll;

/// Springs that ring for ever are let go after so many rounds.
enum { tg_mostLoops = 1000 };

/// Plays frames before `end` that the actor has not played yet, without deforming, so that a frame
/// comes out with the same bits wherever a range begins. What loops first goes round until the
/// flesh repeats.
/// @param rings set where it does not after tg_mostLoops; may be NULL
tgResult tgPreroll(const tgRoll* roll, tgActor* actor, double end, bool* rings, tgError* error);

#endif
