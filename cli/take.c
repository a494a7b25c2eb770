// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The skins of a shot that are compared.

#include "take.h"

const char* tgGetTakeName(tgTake take)
{
    static const char* const tg_names[] = {"linear", "dual quaternion", "corrected"};
    return tg_names[take];
}

tgTake tgShot_GetTake(const tgShot* shot)
{
    bool isPlain = shot->method == tg_volumeNone && shot->settings->flesh.elementCount == 0;
    return isPlain ? (tgTake)shot->skinning : tg_takeCorrected;
}

tgResult tgOpenTake(const tgShot* shot, tgTake take, tgThreadPool* pool, tgActor* actor,
                    tgError* error)
{
    tgVolumeDef volume = tgShot_GetVolume(shot);
    bool corrected = take == tg_takeCorrected;
    tgActorDef def = {.scene = shot->scene,
                      .skinning = corrected ? shot->skinning : (tgSkinning)take,
                      .volume = corrected ? &volume : NULL,
                      .flesh = corrected ? &shot->settings->flesh : NULL,
                      .pool = pool};
    return tgOpenActor(&def, actor, error);
}
