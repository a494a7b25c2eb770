// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What flesh did before the first frame that is wanted.
#ifndef TURGOR_CLI_PREROLL_H
#define TURGOR_CLI_PREROLL_H

#include "actor.h"
#include "shot.h"

/// Plays the shot's frames before `end` that the actor has not played yet, without deforming, so
/// that a frame comes out with the same bits wherever a range begins. A shot that loops first goes
/// round until the flesh repeats.
tgResult tgPreroll(const tgShot* shot, tgActor* actor, double end, tgError* error);

#endif
