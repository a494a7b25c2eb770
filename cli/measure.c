// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What skinning does to the volume of a shot's frames, and the correction after it; for measure and
// demo. All takes play each frame side by side, so that they can be compared vertex by vertex.

#include "measure.h"

#include "crossings.h"
#include "flips.h"
#include "preroll.h"
#include "report.h"

#include <math.h>
#include <stdlib.h>

bool tgWarnAboutVolume(tgScene* scene, const tgRigInfo* info)
{
    if (info->isFlat) {
        tgScene_Warn(scene, "the mesh is flat: it encloses no volume to keep");
    }
    return info->isFlat;
}

/// The takes on stage.
typedef struct tgMeasureStage {
    const tgShot* shot;
    tgActor actors[tg_takeCount];
    tgFlipCounter flips;
    tgCrossingCounter crossings;
    double diagonal;
} tgMeasureStage;

static tgResult tgOpenStage(const tgShot* shot, int takeCount, tgMeasureStage* stage,
                            tgError* error)
{
    tgResult result = tg_success;
    for (int t = 0; t < takeCount && result == tg_success; ++t) {
        result = tgOpenTake(shot, (tgTake)t, shot->pool, &stage->actors[t], error);
    }
    if (result == tg_success) {
        result = tgOpenFlipCounter(shot->scene, &stage->flips, error);
    }
    return result == tg_success
               ? tgOpenCrossingCounter(shot->scene, stage->actors[0].rig, &stage->crossings, error)
               : result;
}

static void tgCloseStage(tgMeasureStage* stage)
{
    for (int t = 0; t < tg_takeCount; ++t) {
        tgCloseActor(&stage->actors[t]);
    }
    tgCloseFlipCounter(&stage->flips);
    tgCloseCrossingCounter(&stage->crossings);
}

static bool tgAllocMeasure(const tgShot* shot, tgMeasure* measure)
{
    size_t count = (size_t)shot->frameCount, joints = (size_t)shot->scene->jointCount;
    measure->takeCount = shot->method != tg_volumeNone ? tg_takeCount : tg_takeCorrected;
    measure->frameCount = shot->frameCount;
    measure->times = calloc(count, sizeof(double));
    measure->targets = calloc(count, sizeof(double));
    measure->losses = calloc(joints, sizeof(tgJointLoss));
    bool memory = measure->times != NULL && measure->targets != NULL && measure->losses != NULL;
    for (int t = 0; t < measure->takeCount; ++t) {
        measure->volumes[t] = calloc(count, sizeof(double));
        memory &= measure->volumes[t] != NULL;
    }
    for (size_t j = 0; memory && j < joints; ++j) {
        measure->losses[j].joint = (int)j;
    }
    return memory;
}

/// What the correction did in the frame that the stage shows.
static void tgMeasureCorrection(const tgMeasureStage* stage, int frame, tgMeasure* measure)
{
    const tgShot* shot = stage->shot;
    const tgActor* corrected = &stage->actors[tg_takeCorrected];
    const tgActor* plain = &stage->actors[shot->skinning];
    float farthest = 0.0f;
    for (int v = 0; v < shot->scene->vertexCount; ++v) {
        tgVec3 moved = tgSub(corrected->positions[v], plain->positions[v]);
        farthest = fmaxf(farthest, tgDot(moved, moved));
    }
    double target = measure->targets[frame];
    if (!tgActor_IsVolume(corrected, target)) {
        return; // no fraction of it
    }
    // Of the diagonal at the size that the character has in this frame.
    double size = stage->diagonal * cbrt(target / measure->restVolume);
    double displacement = sqrt((double)farthest) / size;
    if (displacement > measure->peakDisplacement) {
        measure->peakDisplacement = displacement;
        measure->peakFrame = frame;
    }
    tgReport report = tgInstance_GetReport(corrected->instance);
    for (int i = 0; i < report.lossCount; ++i) {
        tgJointLoss* worst = &measure->losses[report.losses[i].joint];
        double loss = report.losses[i].loss / target;
        worst->loss = fabs(loss) > fabs(worst->loss) ? loss : worst->loss;
    }
    if (fabs(report.residual / target) > fabs(measure->residual)) {
        measure->residual = report.residual / target;
    }
}

/// Frame i of the measure; returns the status.
static int tgMeasureFrame(tgMeasureStage* stage, int i, tgMeasure* measure)
{
    const tgShot* shot = stage->shot;
    int frame = shot->firstFrame + i;
    double time = tgShot_GetTime(shot, frame);
    tgError error = {0};
    measure->times[i] = time;
    for (int t = 0; t < measure->takeCount; ++t) {
        tgActor* actor = &stage->actors[t];
        tgResult result = tgPreroll(shot, actor, time, &error);
        if (result != tg_success ||
            tgActor_Play(actor, shot->animation, time, &error) != tg_success) {
            return tgSayFailed(shot->file, &error);
        }
        tgVolumeReport volume = tgInstance_MeasureVolume(actor->instance);
        if (!isfinite(volume.target) || !isfinite(volume.result)) {
            return tgSayFailure(shot->file, "the volume of frame %d is not a number", frame);
        }
        if (t == 0) {
            tgFlipCounter_SetPose(&stage->flips, actor->joints);
        }
        int flipped = tgFlipCounter_Count(&stage->flips, actor->positions);
        measure->flipped[t] = flipped > measure->flipped[t] ? flipped : measure->flipped[t];
        int crossed = tgCrossingCounter_Count(&stage->crossings, actor->positions);
        measure->crossed[t] = crossed > measure->crossed[t] ? crossed : measure->crossed[t];
        measure->volumes[t][i] = volume.result;
        measure->targets[i] = volume.target; // the last take's: only that one breathes
    }
    if (measure->takeCount == tg_takeCount) {
        tgMeasureCorrection(stage, i, measure);
    }
    return tg_statusDone;
}

static int tgCompareLosses(const void* a, const void* b)
{
    const tgJointLoss *left = a, *right = b;
    double l = fabs(left->loss), r = fabs(right->loss);
    return l != r ? (l < r) - (l > r) : left->joint - right->joint;
}

/// Largest first, and those that lost nothing left out.
static void tgRankLosses(int jointCount, tgMeasure* measure)
{
    qsort(measure->losses, (size_t)jointCount, sizeof(tgJointLoss), tgCompareLosses);
    while (measure->lossCount < jointCount && measure->losses[measure->lossCount].loss != 0.0) {
        measure->lossCount += 1;
    }
}

int tgMeasureShot(const tgShot* shot, tgMeasure* measure)
{
    tgHoldInterrupt();
    if (!tgAllocMeasure(shot, measure)) {
        return tgSayFailure(shot->file, "out of memory for %d frames", shot->frameCount);
    }
    tgError error = {0};
    tgMeasureStage stage = {.shot = shot};
    int status = tg_statusDone;
    if (tgOpenStage(shot, measure->takeCount, &stage, &error) != tg_success) {
        status = tgSayFailed(shot->file, &error);
    } else {
        tgRigInfo info = tgRig_GetInfo(stage.actors[tg_takeLinear].rig);
        measure->restVolume = info.restVolume;
        stage.diagonal = (double)info.restDiagonal;
        measure->restCrossed = tgCrossingCounter_Count(&stage.crossings, shot->scene->positions);
        if (info.isFlat) {
            status = tgSayFailure(shot->file, "the mesh is flat: it encloses no volume to measure");
        }
    }
    for (int i = 0; status == tg_statusDone && i < shot->frameCount; ++i) {
        status = tgWasInterrupted()
                     ? tgSayFailure(shot->file, "interrupted at frame %d", shot->firstFrame + i)
                     : tgMeasureFrame(&stage, i, measure);
        if (status == tg_statusDone) {
            tgShowProgress("measure", i + 1, shot->frameCount);
        }
    }
    tgCloseStage(&stage);
    tgRankLosses(shot->scene->jointCount, measure);
    return status;
}

void tgFreeMeasure(tgMeasure* measure)
{
    free(measure->times);
    free(measure->targets);
    free(measure->losses);
    for (int t = 0; t < tg_takeCount; ++t) {
        free(measure->volumes[t]);
    }
    *measure = (tgMeasure){0};
}

double tgMeasure_GetError(const tgMeasure* measure, tgTake take, int frame)
{
    // A target of nothing (everything scaled away) has no relative error; call it met.
    double target = measure->targets[frame];
    return target > 0.0 ? measure->volumes[take][frame] / target - 1.0 : 0.0;
}

int tgMeasure_GetWorstFrame(const tgMeasure* measure, tgTake take)
{
    int worst = 0;
    for (int i = 1; i < measure->frameCount; ++i) {
        if (fabs(tgMeasure_GetError(measure, take, i)) >
            fabs(tgMeasure_GetError(measure, take, worst))) {
            worst = i;
        }
    }
    return worst;
}

double tgMeasure_GetWorst(const tgMeasure* measure, tgTake take)
{
    return tgMeasure_GetError(measure, take, tgMeasure_GetWorstFrame(measure, take));
}
