// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What skinning does to the volume of a shot's frames, and the correction after it; for measure and
// demo. All takes play each frame side by side, so that they can be compared vertex by vertex.

#include "measure.h"

#include "core/core.h"
#include "crossings.h"
#include "play/flips.h"
#include "report.h"
#include "take.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/// A target farther from the bind volume than this, where nothing scales, is told.
static const double tg_farTarget = 0.05;
/// Joints whose scales differ by less than this part are alike.
static const double tg_leastScale = 1e-3;
/// Targets that differ from the bind volume by less than this part are not told: it would not show.
static const double tg_leastDifference = 5e-5;

/// What is measured unless all is asked for. A vertex takes 0.95 us a frame under all takes, and a
/// triangle 1.05 us more to be looked at for crossings, on one thread of an EPYC (Zen 4): this is 5
/// and 3 seconds.
static const double tg_mostVertexFrames = 5e6, tg_mostFaceFrames = 3e6;
/// Fewer tell little of an animation, however long they take.
enum { tg_leastFrames = 24, tg_leastCrossings = 8 };

/// The takes on stage.
typedef struct tgMeasureStage {
    const tgShot* shot;
    tgActor actors[tg_takeCount];
    tgFlipCounter flips;
    tgCrossingCounter crossings;
    tgJointJudge judge;
    double diagonal;
    double size;   ///< that the first frame stands in, as a volume, over the bind pose's
    bool hasScale; ///< some joint of some frame has another
} tgMeasureStage;

static tgResult tgOpenStage(const tgShot* shot, const tgMeasure* measure, tgMeasureStage* stage,
                            tgError* error)
{
    tgResult result = tg_success;
    for (int i = 0; i < measure->takeCount && result == tg_success; ++i) {
        tgTake take = measure->takes[i];
        result = tgOpenTake(shot, take, shot->pool, &stage->actors[take], error);
    }
    if (result == tg_success && !tgOpenJointJudge(shot->scene, &stage->judge)) {
        result = tgFail(error, tg_outOfMemory, -1, "out of memory for the joints");
    }
    if (result == tg_success) {
        result = tgOpenFlipCounter(shot->scene, &stage->flips, error);
    }
    if (result == tg_success) {
        result = tgOpenCrossingCounter(shot->scene, stage->actors[0].rig, &stage->crossings, error);
    }
    if (result == tg_success && shot->pool != NULL) {
        stage->crossings.parallel = (tgParallel){tgThreadPool_Run, shot->pool};
    }
    return result;
}

static void tgCloseStage(tgMeasureStage* stage)
{
    for (int t = 0; t < tg_takeCount; ++t) {
        tgCloseActor(&stage->actors[t]);
    }
    tgCloseFlipCounter(&stage->flips);
    tgCloseCrossingCounter(&stage->crossings);
    tgCloseJointJudge(&stage->judge);
}

/// So that `count` elements, each of so many parts, stay below the most: every so many of them.
static int tgChooseStep(int count, int partCount, double most, int leastCount)
{
    int room = (int)fmax(most / fmax(partCount, 1), leastCount);
    return count > room ? (count + room - 1) / room : 1;
}

/// The frames to measure: every so many, the last one always.
static void tgChooseFrames(const tgShot* shot, tgSampling sampling, tgMeasure* measure)
{
    int step = sampling == tg_sampleFrames
                   ? tgChooseStep(shot->frameCount, shot->scene->vertexCount, tg_mostVertexFrames,
                                  tg_leastFrames)
                   : 1;
    measure->frameCount = 0;
    for (int i = 0; i < shot->frameCount; ++i) {
        if (i % step == 0 || i == shot->frameCount - 1) {
            measure->frames[measure->frameCount++] = shot->firstFrame + i;
        }
    }
    measure->crossingStep = sampling != tg_sampleNothing
                                ? tgChooseStep(measure->frameCount, shot->scene->faceCount,
                                               tg_mostFaceFrames, tg_leastCrossings)
                                : 1;
}

static bool tgCountsCrossings(const tgMeasure* measure, int i)
{
    return i % measure->crossingStep == 0 || i == measure->frameCount - 1;
}

static bool tgAllocMeasure(const tgShot* shot, tgSampling sampling, tgMeasure* measure)
{
    size_t count = (size_t)shot->frameCount, joints = (size_t)shot->scene->jointCount;
    measure->isCorrected = shot->settings->volume.method != tg_volumeNone;
    measure->takeCount = tgShot_ListTakes(shot, measure->isCorrected, measure->takes);
    measure->frames = calloc(count, sizeof(int));
    measure->times = calloc(count, sizeof(double));
    measure->targets = calloc(count, sizeof(double));
    measure->losses = calloc(joints, sizeof(tgJointMeasure));
    measure->joints = calloc(count, sizeof(int));
    bool memory = measure->frames != NULL && measure->times != NULL && measure->targets != NULL &&
                  measure->losses != NULL && measure->joints != NULL;
    for (int i = 0; i < measure->takeCount; ++i) {
        double** volumes = &measure->volumes[measure->takes[i]];
        *volumes = calloc(count, sizeof(double));
        memory &= *volumes != NULL;
    }
    for (size_t j = 0; memory && j < joints; ++j) {
        measure->losses[j].joint = (int)j;
    }
    if (memory) {
        tgChooseFrames(shot, sampling, measure);
    }
    return memory;
}

/// What the correction did in the frame that the stage shows; returns the status.
static int tgMeasureCorrection(tgMeasureStage* stage, int frame, tgMeasure* measure)
{
    const tgShot* shot = stage->shot;
    const tgActor* corrected = &stage->actors[tg_takeCorrected];
    const tgActor* plain = &stage->actors[shot->settings->skinning];
    float farthest = 0.0f;
    int vertex = 0;
    for (int v = 0; v < shot->scene->vertexCount; ++v) {
        tgVec3 moved = tgSub(corrected->positions[v], plain->positions[v]);
        float way = tgDot(moved, moved);
        vertex = way > farthest ? v : vertex;
        farthest = fmaxf(farthest, way);
    }
    double target = measure->targets[frame];
    if (!tgActor_IsVolume(corrected, target)) {
        return tg_statusDone; // no fraction of it
    }
    // Of the diagonal at the size that the character has in this frame.
    double size = stage->diagonal * cbrt(target / measure->restVolume);
    double displacement = sqrt((double)farthest) / size;
    if (displacement > measure->peakDisplacement) {
        measure->peakDisplacement = displacement;
        measure->peakFrame = frame;
        measure->peakVertex = vertex;
    }
    tgReport report = tgInstance_GetReport(corrected->instance);
    double most = 0.0;
    for (int i = 0; i < report.lossCount; ++i) {
        if (fabs(report.losses[i].loss) > most) {
            most = fabs(report.losses[i].loss);
            measure->joints[frame] = report.losses[i].joint;
        }
    }
    if (fabs(report.residual / target) > fabs(measure->residual)) {
        measure->residual = report.residual / target;
    }
    tgError error = {0};
    tgResult result = tgJudgeJoints(&stage->judge, corrected, plain, measure->frames[frame], target,
                                    size, measure->losses, &error);
    return result == tg_success ? tg_statusDone : tgSayFailed(shot->file, &error);
}

/// How many times larger than in the bind pose a joint makes its skin, as a volume.
static double tgGetJointScale(const tgScene* scene, const tgMat34* joints, int j)
{
    double rest = (double)tgDeterminant(&scene->joints[j].restJoint);
    return rest != 0.0 ? (double)tgDeterminant(&joints[j]) / rest : 1.0;
}

/// The joint that most skin follows.
static int tgFindMainJoint(const tgScene* scene)
{
    double* sums = calloc((size_t)scene->jointCount + 1, sizeof(double));
    int main = 0;
    for (int i = 0; sums != NULL && i < scene->vertexCount * scene->influencesPerVertex; ++i) {
        int joint = scene->influenceJoints[i];
        sums[joint] += (double)scene->influenceWeights[i];
        main = sums[joint] > sums[main] ? joint : main;
    }
    free(sums);
    return main;
}

/// The size that a character stands in: as it was bound, where any joint is; else its main joint's.
static double tgGetSize(const tgScene* scene, const tgMat34* joints)
{
    for (int j = 0; j < scene->jointCount; ++j) {
        if (fabs(tgGetJointScale(scene, joints, j) - 1.0) < tg_leastScale) {
            return 1.0;
        }
    }
    return tgGetJointScale(scene, joints, tgFindMainJoint(scene));
}

/// A file may stand in another size than it was bound in; what matters is what changes from there.
static void tgLookForScales(const tgMat34* joints, int frame, tgMeasureStage* stage)
{
    const tgScene* scene = stage->shot->scene;
    if (frame == 0) {
        stage->size = tgGetSize(scene, joints);
    }
    for (int j = 0; j < scene->jointCount && !stage->hasScale; ++j) {
        double scale = tgGetJointScale(scene, joints, j);
        stage->hasScale = fabs(scale - stage->size) > tg_leastScale * fabs(stage->size);
    }
}

/// Frame i of the measure; returns the status.
static int tgMeasureFrame(tgMeasureStage* stage, int i, tgMeasure* measure)
{
    const tgShot* shot = stage->shot;
    int frame = measure->frames[i];
    double time = tgShot_GetTime(shot, frame);
    bool countsCrossings = tgCountsCrossings(measure, i);
    tgError error = {0};
    measure->crossingCount += countsCrossings;
    measure->times[i] = time;
    measure->joints[i] = -1;
    for (int k = 0; k < measure->takeCount; ++k) {
        tgTake t = measure->takes[k];
        tgActor* actor = &stage->actors[t];
        tgResult result = tgShot_Preroll(shot, actor, time, &error);
        if (result != tg_success ||
            tgActor_Play(actor, shot->animation, time, &error) != tg_success) {
            return tgSayFailed(shot->file, &error);
        }
        tgVolumeReport volume = tgInstance_MeasureVolume(actor->instance);
        if (!isfinite(volume.target) || !isfinite(volume.result)) {
            return tgSayFailure(shot->file, "the volume of frame %d is not a number", frame);
        }
        if (k == 0) {
            tgFlipCounter_SetPose(&stage->flips, actor->joints);
        }
        int flipped = tgFlipCounter_Count(&stage->flips, actor->positions);
        measure->flipped[t] = flipped > measure->flipped[t] ? flipped : measure->flipped[t];
        if (countsCrossings) {
            int crossed = tgCrossingCounter_Count(&stage->crossings, actor->positions);
            measure->crossed[t] = crossed > measure->crossed[t] ? crossed : measure->crossed[t];
        }
        measure->volumes[t][i] = volume.result;
        measure->targets[i] = volume.target; // the last take's: only that one breathes
    }
    tgLookForScales(stage->actors[tg_takeLinear].joints, i, stage);
    return measure->isCorrected ? tgMeasureCorrection(stage, i, measure) : tg_statusDone;
}

/// Says so when the volume to keep goes far from the bind volume and nothing asks for that.
static void tgJudgeTargets(const tgMeasureStage* stage, tgMeasure* measure)
{
    const tgShot* shot = stage->shot;
    int worst = 0;
    double bind = measure->restVolume * (stage->size != 0.0 ? fabs(stage->size) : 1.0);
    for (int i = 0; i < measure->frameCount; ++i) {
        double scale = measure->targets[i] / bind;
        measure->targetScales[0] = i == 0 ? scale : fmin(measure->targetScales[0], scale);
        measure->targetScales[1] = i == 0 ? scale : fmax(measure->targetScales[1], scale);
        worst = fabs(scale - 1.0) > fabs(measure->targets[worst] / bind - 1.0) ? i : worst;
    }
    bool isAsked =
        stage->hasScale || shot->scene->morphCount > 0 || shot->settings->volume.targetKeyCount > 0;
    for (int j = 0; j < shot->scene->jointCount; ++j) {
        isAsked |= tgShot_GetGain(shot, j) != 1.0f;
    }
    double scale = measure->targets[worst] / bind;
    if (!isAsked && fabs(scale - 1.0) > tg_farTarget) {
        tgScene_Warn(shot->scene,
                     "the volume to keep is %.1f %% of the bind volume in frame %d, and nothing "
                     "in the file scales",
                     100.0 * scale, measure->frames[worst]);
        tgSayFailure(shot->file, "warning: %s",
                     shot->scene->warnings[shot->scene->warningCount - 1]);
    }
}

static int tgCompareLosses(const void* a, const void* b)
{
    const tgJointMeasure *left = a, *right = b;
    double l = fabs(left->loss), r = fabs(right->loss);
    return l != r ? (l < r) - (l > r) : left->joint - right->joint;
}

/// Largest first, and those that lost nothing left out.
static void tgRankLosses(int jointCount, tgMeasure* measure)
{
    qsort(measure->losses, (size_t)jointCount, sizeof(tgJointMeasure), tgCompareLosses);
    while (measure->lossCount < jointCount && measure->losses[measure->lossCount].loss != 0.0) {
        measure->lossCount += 1;
    }
}

/// Joints whose worst frame gained volume, and whose profile was chosen.
static void tgWarnAboutMeasured(const tgShot* shot, const tgMeasure* measure)
{
    tgDents dents = {.count = 0};
    for (int i = 0; i < measure->lossCount; ++i) {
        tgDents_Add(&dents, shot, measure->losses[i].joint, measure->losses[i].loss);
    }
    tgDents_Say(&dents, shot);
}

int tgMeasureShot(const tgShot* shot, tgSampling sampling, tgMeasure* measure)
{
    tgHoldInterrupt();
    if (!tgAllocMeasure(shot, sampling, measure)) {
        return tgSayFailure(shot->file, "out of memory for %d frames", shot->frameCount);
    }
    tgError error = {0};
    tgMeasureStage stage = {.shot = shot};
    int status = tg_statusDone;
    if (tgOpenStage(shot, measure, &stage, &error) != tg_success) {
        status = tgSayFailed(shot->file, &error);
    } else {
        tgRigInfo info = tgRig_GetInfo(stage.actors[tg_takeLinear].rig);
        measure->restVolume = info.restVolume;
        stage.diagonal = (double)info.restDiagonal;
        measure->restCrossed = tgCrossingCounter_Count(&stage.crossings, shot->scene->positions);
        measure->componentCount = info.componentCount;
        measure->noInsideCount = info.noInsideCount;
        tgVolumeText told = tgTellNoVolume(&info);
        if (info.isFlat) {
            status = tgSayFailure(shot->file, "%s", told.text);
        } else if (told.text[0] != '\0') {
            tgSayFailure(shot->file, "warning: %s", told.text);
        }
    }
    for (int i = 0; status == tg_statusDone && i < measure->frameCount; ++i) {
        status = tgWasInterrupted()
                     ? tgSayFailure(shot->file, "interrupted at frame %d", measure->frames[i])
                     : tgMeasureFrame(&stage, i, measure);
        if (status == tg_statusDone) {
            tgShowProgress("measure", i + 1, measure->frameCount);
        }
    }
    if (status == tg_statusDone) {
        tgJudgeTargets(&stage, measure);
    }
    tgCloseStage(&stage);
    tgRankLosses(shot->scene->jointCount, measure);
    if (status == tg_statusDone) {
        tgWarnAboutMeasured(shot, measure);
    }
    return status;
}

tgSampledText tgMeasure_TellSampling(const tgMeasure* measure, const tgShot* shot)
{
    tgSampledText told = {""};
    if (measure->frameCount < shot->frameCount) {
        snprintf(told.text, sizeof(told.text),
                 "%d of %d frames were measured, crossings in %d; --every-frame measures all",
                 measure->frameCount, shot->frameCount, measure->crossingCount);
    } else if (measure->crossingCount < measure->frameCount) {
        snprintf(told.text, sizeof(told.text),
                 "crossings were counted in %d of %d frames; --every-frame counts all",
                 measure->crossingCount, measure->frameCount);
    }
    return told;
}

void tgFreeMeasure(tgMeasure* measure)
{
    free(measure->frames);
    free(measure->times);
    free(measure->targets);
    free(measure->losses);
    free(measure->joints);
    for (int t = 0; t < tg_takeCount; ++t) {
        free(measure->volumes[t]);
    }
    *measure = (tgMeasure){0};
}

bool tgMeasure_HasScale(const tgMeasure* measure)
{
    return fabs(measure->targetScales[0] - 1.0) > tg_leastDifference ||
           fabs(measure->targetScales[1] - 1.0) > tg_leastDifference;
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
