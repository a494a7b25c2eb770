// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The actors of a picture.

#include "stage.h"

#include "report.h"

#include <math.h>
#include <stdio.h>

int tgOpenStage(const tgShot* shot, const tgShow* show, bool compare, float arrowScale,
                tgStage* stage)
{
    *stage = (tgStage){.shot = shot, .show = show, .arrowScale = arrowScale, .takeCount = 1};
    stage->takes[0] = tgShot_GetTake(shot);
    if (compare) {
        // Without a correction there are only the plain ones to compare.
        bool isCorrected = stage->takes[0] == tg_takeCorrected;
        stage->takeCount = tgShot_ListTakes(shot, isCorrected, stage->takes);
    }
    stage->hasPlain = arrowScale != 0.0f || tgShow_HasValues(show);
    tgError error = {0};
    tgResult result = tg_success;
    for (int i = 0; i < stage->takeCount && result == tg_success; ++i) {
        result = tgOpenTake(shot, stage->takes[i], shot->pool, &stage->actors[i], &error);
    }
    if (stage->hasPlain && result == tg_success) {
        result = tgOpenTake(shot, (tgTake)shot->skinning, shot->pool, &stage->plain, &error);
    }
    return result == tg_success ? tg_statusDone : tgSayFailed(shot->file, &error);
}

void tgCloseStage(tgStage* stage)
{
    for (int i = 0; i < stage->takeCount; ++i) {
        tgCloseActor(&stage->actors[i]);
    }
    tgCloseActor(&stage->plain);
    *stage = (tgStage){0};
}

int tgStage_Play(tgStage* stage, const tgMoment* moment)
{
    int status = tg_statusDone;
    for (int i = 0; i < stage->takeCount && status == tg_statusDone; ++i) {
        status = tgMoment_Play(moment, stage->shot, &stage->actors[i]);
    }
    if (stage->hasPlain && status == tg_statusDone) {
        status = tgMoment_Play(moment, stage->shot, &stage->plain);
    }
    return status;
}

/// "linear  -7.54 % volume"
static void tgWriteLabel(tgStage* stage, int i, tgPanel* panel)
{
    tgActor* actor = &stage->actors[i];
    tgKept kept = tgActor_MeasureKept(actor);
    double percent = 100.0 * kept.error;
    const char* name = tgGetTakeName(stage->takes[i]);
    if (!kept.any) {
        snprintf(panel->label, sizeof(panel->label), "%s", name); // flat: there is none
        return;
    }
    // Two digits of nothing, without its sign.
    bool isNothing = fabs(percent) < 0.005;
    snprintf(panel->label, sizeof(panel->label),
             isNothing ? "%s  0.00 %% volume" : "%s  %+.2f %% volume", name, percent);
}

int tgStage_Capture(tgStage* stage, tgPanel* panels)
{
    tgError error = {0};
    for (int i = 0; i < stage->takeCount; ++i) {
        tgPanelDef def = {.show = stage->show,
                          .actor = &stage->actors[i],
                          .plain = stage->hasPlain ? &stage->plain : NULL,
                          // The last take has all layers; plain ones are compared over its bones.
                          .boneRig = stage->actors[stage->takeCount - 1].rig,
                          .arrowScale = stage->arrowScale};
        if (tgPanel_Capture(&panels[i], &def, &error) != tg_success) {
            return tgSayFailed(stage->shot->file, &error);
        }
        if (stage->takeCount > 1) {
            tgWriteLabel(stage, i, &panels[i]);
        }
    }
    return tg_statusDone;
}
