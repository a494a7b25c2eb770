// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The actors of a picture.

#include "stage.h"

#include "report.h"

#include <math.h>
#include <stdio.h>

/// A plain take that keeps its volume knows what each joint lost under its skinning.
static tgResult tgOpenJudge(const tgShot* shot, tgTake take, tgActor* judge, tgError* error)
{
    tgVolumeDef volume = tgDefaultRigDef().volume;
    volume.method = tg_volumeExact;
    volume.contact = tg_contactOff;
    tgActorDef def = {.scene = shot->scene,
                      .skinning = (tgSkinning)take,
                      .volume = &volume,
                      .parallel = tgGetParallel(shot->pool)};
    return tgOpenActor(&def, judge, error);
}

int tgOpenStage(const tgStageDef* def, tgStage* stage)
{
    const tgShot* shot = def->shot;
    *stage = (tgStage){.shot = shot,
                       .show = def->show,
                       .focus = def->focus,
                       .arrowScale = def->arrowScale,
                       .takeCount = 1};
    stage->takes[0] = tgShot_GetTake(shot);
    if (def->compare) {
        // Without a correction there are only the plain ones to compare.
        bool isCorrected = stage->takes[0] == tg_takeCorrected;
        stage->takeCount = tgShot_ListTakes(shot, isCorrected, stage->takes);
    }
    stage->hasPlain = def->arrowScale != 0.0f || tgShow_HasValues(def->show);
    stage->hasJudges = stage->focus != NULL && stage->takeCount > 1;
    tgError error = {0};
    tgResult result = tg_success;
    for (int i = 0; i < stage->takeCount && result == tg_success; ++i) {
        tgTake take = stage->takes[i];
        result = tgOpenTake(shot, take, shot->pool, &stage->actors[i], &error);
        if (result == tg_success && stage->hasJudges && take != tg_takeCorrected) {
            result = tgOpenJudge(shot, take, &stage->judges[i], &error);
        }
    }
    if (stage->hasPlain && result == tg_success) {
        result =
            tgOpenTake(shot, (tgTake)shot->settings->skinning, shot->pool, &stage->plain, &error);
    }
    // Bones are meshes without a skin, too; through a skin of glass only those in use are seen.
    if (result == tg_success && !tgShow_IsGlass(def->show)) {
        result = tgOpenProps(shot, &stage->props, &error);
    }
    return result == tg_success ? tg_statusDone : tgSayFailed(shot->file, &error);
}

void tgCloseStage(tgStage* stage)
{
    tgCloseProps(&stage->props);
    for (int i = 0; i < stage->takeCount; ++i) {
        tgCloseActor(&stage->actors[i]);
        tgCloseActor(&stage->judges[i]);
    }
    tgCloseActor(&stage->plain);
    *stage = (tgStage){0};
}

int tgStage_Play(tgStage* stage, const tgMoment* moment)
{
    int status = tg_statusDone;
    for (int i = 0; i < stage->takeCount && status == tg_statusDone; ++i) {
        status = tgMoment_Play(moment, stage->shot, &stage->actors[i]);
        if (status == tg_statusDone && stage->judges[i].rig != NULL) {
            status = tgMoment_Play(moment, stage->shot, &stage->judges[i]);
        }
    }
    if (stage->hasPlain && status == tg_statusDone) {
        status = tgMoment_Play(moment, stage->shot, &stage->plain);
    }
    return status;
}

/// A part of 1 in per cent with its sign; two digits of nothing have none.
static tgPercentText tgTellChange(double part)
{
    tgPercentText told;
    double percent = 100.0 * part;
    snprintf(told.text, sizeof(told.text), fabs(percent) < 0.005 ? "0.00 %%" : "%+.2f %%", percent);
    return told;
}

/// What the joints in focus lack of their volume, over the target; false where that is not told.
static bool tgGetFocusChange(const tgStage* stage, int i, double target, double* change)
{
    bool isCorrected = stage->takes[i] == tg_takeCorrected;
    if (!stage->hasJudges ||
        (isCorrected && stage->shot->settings->volume.method != tg_volumeExact)) {
        return false;
    }
    const tgActor* actor = isCorrected ? &stage->actors[i] : &stage->judges[i];
    tgReport report = tgInstance_GetReport(actor->instance);
    *change = 0.0;
    for (int k = 0; k < report.lossCount; ++k) {
        const tgJointLoss* loss = &report.losses[k];
        for (int f = 0; f < stage->focus->count; ++f) {
            if (stage->focus->joints[f] == loss->joint) {
                *change +=
                    (loss->loss + (isCorrected ? loss->inside + loss->beside : 0.0)) / target;
            }
        }
    }
    return true;
}

/// "linear  -7.54 % volume", with a joint in focus "linear  elbow.L -0.42 %, all -7.54 %"
static void tgWriteLabel(tgStage* stage, int i, tgPanel* panel)
{
    tgActor* actor = &stage->actors[i];
    tgKept kept = tgActor_MeasureKept(actor);
    const char* name = tgGetTakeName(stage->takes[i]);
    double change;
    if (!kept.any) {
        snprintf(panel->label, sizeof(panel->label), "%s", name); // flat: there is none
    } else if (tgGetFocusChange(stage, i, kept.target, &change)) {
        snprintf(panel->label, sizeof(panel->label), "%s  %.40s %s, all %s", name,
                 stage->focus->name, tgTellChange(change).text, tgTellChange(kept.error).text);
    } else {
        snprintf(panel->label, sizeof(panel->label), "%s  %s volume", name,
                 tgTellChange(kept.error).text);
    }
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
                          .focus = stage->focus,
                          .props = stage->props.scene != NULL ? &stage->props : NULL,
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
