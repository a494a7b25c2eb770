// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The skins of a shot that are compared.

#include "take.h"

const char* tgGetTakeName(tgTake take)
{
    static const char* const tg_names[] = {"linear", "dual quaternion", "blend", "corrected"};
    return tg_names[take];
}

tgTake tgShot_GetTake(const tgShot* shot)
{
    const tgSettings* settings = shot->settings;
    bool hasLayers = shot->method != tg_volumeNone || settings->flesh.elementCount > 0 ||
                     settings->bones.boneCount > 0 || settings->bones.automatic;
    return hasLayers ? tg_takeCorrected : (tgTake)shot->skinning;
}

int tgShot_ListTakes(const tgShot* shot, bool corrected, tgTake takes[tg_takeCount])
{
    int count = 0;
    takes[count++] = tg_takeLinear;
    takes[count++] = tg_takeDualQuaternion;
    if (shot->skinning == tg_blend) {
        takes[count++] = tg_takeBlend;
    }
    if (corrected) {
        takes[count++] = tg_takeCorrected;
    }
    return count;
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
                      .bones = corrected ? &shot->settings->bones : NULL,
                      .pool = pool};
    tgResult result = tgOpenActor(&def, actor, error);
    if (result == tg_success && corrected) {
        tgWarnAboutBones(shot->file, actor);
    }
    return result;
}
