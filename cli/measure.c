// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Volumes of a shot's frames, for measure and demo.

#include "measure.h"

#include "actor.h"
#include "draw/plot.h"
#include "report.h"

#include <math.h>
#include <stdlib.h>

/// Below this fraction of the cube over the bounding diagonal a mesh counts as flat.
static const double tg_flatFraction = 1e-9;

bool tgIsFlat(double volume, double diagonal)
{
    return !(volume > tg_flatFraction * diagonal * diagonal * diagonal);
}

bool tgWarnAboutVolume(tgScene* scene, const tgRigInfo* info)
{
    bool flat = tgIsFlat(info->restVolume, (double)info->restDiagonal);
    if (flat) {
        tgScene_Warn(scene, "the mesh is flat: it encloses no volume to keep");
    }
    return flat;
}

static bool tgAllocMeasure(tgMeasure* measure, int frameCount)
{
    size_t count = (size_t)frameCount;
    measure->frameCount = frameCount;
    measure->times = calloc(count, sizeof(double));
    measure->targets = calloc(count, sizeof(double));
    measure->volumes[tg_linear] = calloc(count, sizeof(double));
    measure->volumes[tg_dualQuaternion] = calloc(count, sizeof(double));
    return measure->times != NULL && measure->targets != NULL &&
           measure->volumes[tg_linear] != NULL && measure->volumes[tg_dualQuaternion] != NULL;
}

/// One blend over all frames.
static int tgMeasureBlend(const tgShot* shot, tgSkinning skinning, tgMeasure* measure)
{
    tgError error = {0};
    tgActor actor;
    if (tgOpenActor(shot->scene, skinning, shot->pool, &actor, &error) != tg_success) {
        return tgSayFailed(shot->file, &error);
    }
    tgRigInfo info = tgRig_GetInfo(actor.rig);
    int status = tg_statusDone;
    measure->restVolume = info.restVolume;
    if (tgIsFlat(info.restVolume, (double)info.restDiagonal)) {
        status = tgSayFailure(shot->file, "the mesh is flat: it encloses no volume to measure");
    }
    for (int i = 0; status == tg_statusDone && i < shot->frameCount; ++i) {
        double time = tgShot_GetTime(shot, shot->firstFrame + i);
        if (tgWasInterrupted()) {
            status = tgSayFailure(shot->file, "interrupted at frame %d", shot->firstFrame + i);
        } else if (tgActor_Play(&actor, shot->animation, time, &error) != tg_success) {
            status = tgSayFailed(shot->file, &error);
        } else {
            tgVolumeReport volume = tgInstance_MeasureVolume(actor.instance);
            if (!isfinite(volume.target) || !isfinite(volume.result)) {
                status = tgSayFailure(shot->file, "the volume of frame %d is not a number",
                                      shot->firstFrame + i);
            }
            measure->times[i] = time;
            measure->targets[i] = volume.target;
            measure->volumes[skinning][i] = volume.result;
            tgShowProgress(skinning == tg_linear ? "linear" : "dual quaternion", i + 1,
                           shot->frameCount);
        }
    }
    tgCloseActor(&actor);
    return status;
}

int tgMeasureShot(const tgShot* shot, tgMeasure* measure)
{
    tgHoldInterrupt();
    if (!tgAllocMeasure(measure, shot->frameCount)) {
        return tgSayFailure(shot->file, "no memory for %d frames", shot->frameCount);
    }
    int status = tgMeasureBlend(shot, tg_linear, measure);
    return status == tg_statusDone ? tgMeasureBlend(shot, tg_dualQuaternion, measure) : status;
}

void tgFreeMeasure(tgMeasure* measure)
{
    free(measure->times);
    free(measure->targets);
    free(measure->volumes[tg_linear]);
    free(measure->volumes[tg_dualQuaternion]);
    *measure = (tgMeasure){0};
}

double tgMeasure_GetError(const tgMeasure* measure, tgSkinning skinning, int frame)
{
    // A target of nothing (everything scaled away) has no relative error; call it met.
    double target = measure->targets[frame];
    return target > 0.0 ? measure->volumes[skinning][frame] / target - 1.0 : 0.0;
}

int tgMeasure_GetWorstFrame(const tgMeasure* measure, tgSkinning skinning)
{
    int worst = 0;
    for (int i = 1; i < measure->frameCount; ++i) {
        if (fabs(tgMeasure_GetError(measure, skinning, i)) >
            fabs(tgMeasure_GetError(measure, skinning, worst))) {
            worst = i;
        }
    }
    return worst;
}

double tgMeasure_GetWorst(const tgMeasure* measure, tgSkinning skinning)
{
    return tgMeasure_GetError(measure, skinning, tgMeasure_GetWorstFrame(measure, skinning));
}

int tgPlotMeasure(const tgMeasure* measure, const char* title, const char* path)
{
    size_t count = (size_t)measure->frameCount;
    double* percent[3];
    bool memory = true;
    for (int s = 0; s < 3; ++s) {
        percent[s] = calloc(count, sizeof(double));
        memory &= percent[s] != NULL;
    }
    tgResult result = tg_outOfMemory;
    tgError error = {.message = "no memory for the plot"};
    // Of the first frame's target: a file may stand in another size than it was bound in.
    double whole = measure->targets[0] > 0.0 ? measure->targets[0] : measure->restVolume;
    for (int i = 0; memory && i < measure->frameCount; ++i) {
        percent[0][i] = 100.0 * measure->targets[i] / whole;
        percent[1][i] = 100.0 * measure->volumes[tg_linear][i] / whole;
        percent[2][i] = 100.0 * measure->volumes[tg_dualQuaternion][i] / whole;
    }
    if (memory) {
        const tgPlotSeries series[] = {{"to keep", percent[0], 0x888888, "6 4"},
                                       {"linear", percent[1], -1, NULL},
                                       {"dual quaternion", percent[2], -1, NULL}};
        tgPlotDef def = tgDefaultPlotDef();
        def.title = title;
        def.xLabel = "time (s)";
        def.yLabel = "volume (% of the one to keep)";
        def.xValues = measure->times;
        def.valueCount = measure->frameCount;
        def.series = series;
        def.seriesCount = 3;
        result = tgSavePlot(&def, path, &error);
    }
    for (int s = 0; s < 3; ++s) {
        free(percent[s]);
    }
    return result == tg_success ? tg_statusDone : tgSayFailed(path, &error);
}
