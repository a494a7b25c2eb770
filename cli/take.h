// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The skins of a shot that are compared.
#ifndef TURGOR_CLI_TAKE_H
#define TURGOR_CLI_TAKE_H

#include "play/preroll.h"
#include "shot.h"

/// Plain ones by tgSkinning, then the one of the shot's settings. Blend is compared only where the
/// shot has that skinning.
typedef enum tgTake {
    tg_takeLinear = tg_linear,
    tg_takeDualQuaternion = tg_dualQuaternion,
    tg_takeBlend = tg_blend,
    tg_takeCorrected,
    tg_takeCount,
} tgTake;

/// "dual quaternion"
const char* tgGetTakeName(tgTake take);

/// The take that the shot's settings ask for; a plain one where they keep no volume and have no
/// flesh.
tgTake tgShot_GetTake(const tgShot* shot);
/// The takes that are compared, plain ones first; returns how many.
/// @param corrected the one of the shot's settings comes last
int tgShot_ListTakes(const tgShot* shot, bool corrected, tgTake takes[tg_takeCount]);
/// @param pool threads for its frames; NULL: none
tgResult tgOpenTake(const tgShot* shot, tgTake take, tgThreadPool* pool, tgActor* actor,
                    tgError* error);

/// What the shot plays.
tgRoll tgShot_GetRoll(const tgShot* shot);
/// Of flesh that does not come to repeat.
void tgSayRinging(const char* file);
/// tgPreroll of the shot's frames; says where flesh does not come to repeat.
tgResult tgShot_Preroll(const tgShot* shot, tgActor* actor, double end, tgError* error);

#endif
