// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What each joint lost, what it was given back and where, and how far its skin went for that.

#include "joint_measure.h"

#include "core/core.h"
#include "io/settings_private.h"
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/// A joint that gains less than this part of the volume dents nothing that is seen.
static const double tg_leastDent = 1e-4;

bool tgOpenJointJudge(const tgScene* scene, tgJointJudge* judge)
{
    size_t count = (size_t)scene->vertexCount + 1;
    *judge = (tgJointJudge){.gamma = calloc(count, sizeof(float)),
                            .most = calloc(count, sizeof(float)),
                            .owner = calloc(count, sizeof(int))};
    return judge->gamma != NULL && judge->most != NULL && judge->owner != NULL;
}

void tgCloseJointJudge(tgJointJudge* judge)
{
    free(judge->gamma);
    free(judge->most);
    free(judge->owner);
    *judge = (tgJointJudge){0};
}

/// Whose each vertex is: the joint's that it takes part in the correction of most.
static tgResult tgFindOwners(tgJointJudge* judge, const tgActor* corrected, const tgReport* report,
                             tgError* error)
{
    int count = corrected->scene->vertexCount;
    tgResult result = tg_success;
    for (int v = 0; v < count; ++v) {
        judge->owner[v] = -1;
        judge->most[v] = 0.0f;
    }
    for (int i = 0; i < report->lossCount && result == tg_success; ++i) {
        int joint = report->losses[i].joint;
        result = tgInstance_SampleGamma(corrected->instance, joint, judge->gamma, error);
        for (int v = 0; v < count && result == tg_success; ++v) {
            if (judge->gamma[v] > judge->most[v]) {
                judge->most[v] = judge->gamma[v];
                judge->owner[v] = joint;
            }
        }
    }
    return result;
}

tgResult tgJudgeJoints(tgJointJudge* judge, const tgActor* corrected, const tgActor* plain,
                       int frame, double target, double size, tgJointMeasure* joints,
                       tgError* error)
{
    tgReport report = tgInstance_GetReport(corrected->instance);
    for (int i = 0; i < report.lossCount; ++i) {
        const tgJointLoss* loss = &report.losses[i];
        tgJointMeasure* worst = &joints[loss->joint];
        if (fabs(loss->loss / target) > fabs(worst->loss)) {
            worst->loss = loss->loss / target;
            worst->inside = loss->inside / target;
            worst->beside = loss->beside / target;
            worst->spilled = loss->spilled / target;
            worst->frame = frame;
        }
    }
    tgResult result = tgFindOwners(judge, corrected, &report, error);
    for (int v = 0; v < corrected->scene->vertexCount && result == tg_success; ++v) {
        if (judge->owner[v] >= 0) {
            double way = (double)tgDistance(corrected->positions[v], plain->positions[v]) / size;
            tgJointMeasure* own = &joints[judge->owner[v]];
            own->displacement = fmax(own->displacement, way);
        }
    }
    return result;
}

// ---- dents --------------------------------------------------------------------------------------

/// The first profile of a joint; NULL: organic, or none.
static const tgProfile* tgGetFirstProfile(const tgVolumeDef* volume, int joint)
{
    const tgProfile* first = volume->profileCount > 0 ? volume->profiles : NULL;
    for (int i = 0; i < volume->jointCount; ++i) {
        if (volume->joints[i].joint == joint) {
            first = volume->joints[i].profileCount > 0 ? volume->joints[i].profiles : NULL;
        }
    }
    return first;
}

float tgShot_GetGain(const tgShot* shot, int joint)
{
    tgVolumeDef volume = shot->settings->volume;
    const tgProfile* first = tgGetFirstProfile(&volume, joint);
    return first != NULL ? first->gain : 1.0f;
}

bool tgShot_IsChosen(const tgShot* shot, int joint)
{
    tgVolumeDef volume = shot->settings->volume;
    const tgProfile* first = tgGetFirstProfile(&volume, joint);
    return first != NULL && first->kind != tg_profileOrganic && volume.method == tg_volumeExact;
}

void tgDents_Add(tgDents* dents, const tgShot* shot, int joint, double loss)
{
    if (!tgShot_IsChosen(shot, joint) || !(tgShot_GetGain(shot, joint) > 0.0f) ||
        !(loss > tg_leastDent)) {
        return;
    }
    int at = dents->count < 3 ? dents->count : 3;
    for (; at > 0 && dents->gains[at - 1] < loss; --at) { // those after it make room
        if (at < 3) {
            dents->joints[at] = dents->joints[at - 1];
            dents->gains[at] = dents->gains[at - 1];
        }
    }
    if (at < 3) {
        dents->joints[at] = joint;
        dents->gains[at] = loss;
    }
    tgVolumeDef volume = shot->settings->volume;
    dents->shape = tg_profileNames.names[tgGetFirstProfile(&volume, joint)->kind];
    dents->count += 1;
}

void tgDents_Say(const tgDents* dents, const tgShot* shot)
{
    const tgSceneJoint* joints = shot->scene->joints;
    char names[200] = "";
    int used = 0;
    for (int i = 0; i < dents->count && i < 3; ++i) {
        used += snprintf(names + used, sizeof(names) - (size_t)used, "%s%.48s",
                         i == 0                  ? ""
                         : i + 1 == dents->count ? " and "
                                                 : ", ",
                         joints[dents->joints[i]].name);
    }
    if (dents->count > 3) {
        snprintf(names + used, sizeof(names) - (size_t)used, " and %d more", dents->count - 3);
    }
    if (dents->count == 1) {
        tgSayFailure(shot->file,
                     "warning: %s gains %s %% of the volume where it bends, so its %s dents the "
                     "skin instead of bulging; \"gain\": 0 in its profile leaves it as it is",
                     names, tgTellPercent(dents->gains[0]).text, dents->shape);
    } else if (dents->count > 1) {
        tgSayFailure(shot->file,
                     "warning: %s gain up to %s %% of the volume where they bend, so their "
                     "profiles dent the skin instead of bulging; \"gain\": 0 leaves it as it is",
                     names, tgTellPercent(dents->gains[0]).text);
    }
}

void tgWarnAboutDents(const tgShot* shot, tgActor* actor)
{
    tgVolumeReport kept = tgInstance_MeasureVolume(actor->instance);
    tgReport report = tgInstance_GetReport(actor->instance);
    tgDents dents = {.count = 0};
    for (int i = 0; i < report.lossCount && tgActor_IsVolume(actor, kept.target); ++i) {
        tgDents_Add(&dents, shot, report.losses[i].joint, report.losses[i].loss / kept.target);
    }
    tgDents_Say(&dents, shot);
}
