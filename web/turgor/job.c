// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A file that is made in pieces, byte for byte that of the command line: this goes through a file
// and its settings in the same order as tgOpenShot and the verbs bake and correctives.

#include "job.h"

#include "core/core.h"
#include "io/scene_rig.h"

#include <limits.h>
#include <stdlib.h>

struct tgJob {
    tgJobDef def;
    tgScene* scene;
    tgSettings* settings;
    tgActor actor;
    tgBakeJob bake;
    tgCorrectivesJob correctives;
    bool isFitted;
    bool isDone;
    tgBytes bytes;
};

void tgCloseJob(tgJob* job)
{
    if (job == NULL) {
        return;
    }
    tgCancelBakeJob(&job->bake);
    tgFreeCorrectivesJob(&job->correctives);
    tgCloseActor(&job->actor);
    tgDestroySettings(job->settings);
    tgDestroyScene(job->scene);
    tgFreeBytes(&job->bytes);
    free(job);
}

/// Which frames, where they are there.
static tgResult tgChooseFrames(tgJob* job, int animation, int* frameCount, tgError* error)
{
    tgJobDef* def = &job->def;
    int count = tgScene_GetFrameCount(job->scene, animation, def->fps);
    if (animation < -1 || animation >= job->scene->animationCount) {
        return tgFail(error, tg_invalidArgument, -1, "there is no animation %d, the file has %d",
                      animation, job->scene->animationCount);
    }
    if (!(def->fps > 0.0 && def->fps <= 100000.0)) {
        return tgFail(error, tg_invalidArgument, -1,
                      "fps is %g, wanted more than 0 and at most 100000", def->fps);
    }
    if (count > tg_mostFrames) {
        return tgFail(error, tg_unsupported, -1,
                      "the animation has %d frames at %g fps, wanted at most %d", count, def->fps,
                      tg_mostFrames);
    }
    def->lastFrame = def->lastFrame == INT_MAX ? count - 1 : def->lastFrame;
    if (def->firstFrame < 0 || def->lastFrame < def->firstFrame || def->lastFrame >= count) {
        return tgFail(error, tg_invalidArgument, -1,
                      "frames %d:%d are not there, the animation has 0:%d at %g fps",
                      def->firstFrame, def->lastFrame, count - 1, def->fps);
    }
    *frameCount = def->lastFrame - def->firstFrame + 1;
    return tg_success;
}

static tgResult tgOpenStage(tgJob* job, int animation, tgError* error)
{
    tgError failure = {0};
    tgResult result = tgSettings_Refine(job->settings, job->scene, animation, error);
    result = result == tg_success ? tgScene_Triangulate(job->scene, error) : result;
    if (result != tg_success) {
        return result;
    }
    tgActorDef def = {.scene = job->scene};
    def.rig = tgScene_CreateRig(job->scene, job->settings, &failure);
    if (def.rig != NULL) {
        tgOpenActor(&def, &job->actor, &failure);
    }
    if (failure.code != tg_success && error != NULL) {
        *error = failure;
    }
    return failure.code;
}

static tgResult tgOpenFile(tgJob* job, int animation, int frameCount, tgError* error)
{
    const tgJobDef* def = &job->def;
    tgRoll roll = {job->scene, animation, def->fps, def->loop};
    bool all = def->animation == -2;
    if (def->isCorrectives) {
        tgCorrectivesJobDef own = {.roll = roll,
                                   .all = all,
                                   .actor = &job->actor,
                                   .fit = def->fit,
                                   .noNormals = def->noNormals};
        return tgOpenCorrectivesJob(&own, &job->correctives, error);
    }
    tgBakeJobDef own = {.roll = roll,
                        .all = all,
                        .firstFrame = def->firstFrame,
                        .frameCount = frameCount,
                        .actor = &job->actor,
                        .path = "bake.glb",
                        .memory = &job->bytes};
    tgResult result = tgPlanBakeJob(&own, &job->bake, error);
    return result == tg_success ? tgOpenBakeJob(&job->bake, error) : result;
}

tgJob* tgOpenJob(tgScene* scene, const char* settings, size_t size, const tgJobDef* def,
                 tgError* error)
{
    tgJob* job = calloc(1, sizeof(*job));
    if (job == NULL) {
        tgDestroyScene(scene);
        tgFail(error, tg_outOfMemory, -1, "out of memory");
        return NULL;
    }
    job->def = *def;
    job->scene = scene;
    int first = scene->animationCount > 0 ? 0 : -1, frameCount = 0;
    int animation = def->animation == -2 ? first : def->animation;
    tgResult result = tgCheckCharacter(scene, error);
    job->settings = result == tg_success ? tgParseSettings(settings, size, scene, error) : NULL;
    bool isOpen =
        job->settings != NULL && tgChooseFrames(job, animation, &frameCount, error) == tg_success;
    if (isOpen && def->isCorrectives && scene->animationCount == 0) {
        tgFail(error, tg_unsupported, -1, "there is no animation to fit targets to");
        isOpen = false;
    }
    isOpen = isOpen && tgOpenStage(job, animation, error) == tg_success &&
             tgOpenFile(job, animation, frameCount, error) == tg_success;
    if (!isOpen) {
        tgCloseJob(job);
        return NULL;
    }
    return job;
}

static tgResult tgStepBake(tgJob* job, tgError* error)
{
    if (job->bake.done < job->bake.frameCount) {
        return tgStepBakeJob(&job->bake, error);
    }
    job->isDone = true;
    return tgCloseBakeJob(&job->bake, error);
}

static tgResult tgStepCorrectives(tgJob* job, tgError* error)
{
    tgCorrectivesJob* own = &job->correctives;
    if (own->done < own->clips.sampleCount) {
        return tgStepCorrectivesJob(own, error);
    }
    if (!job->isFitted) {
        job->isFitted = true;
        return tgFitCorrectivesJob(own, error);
    }
    job->isDone = true;
    return tgWriteCorrectivesJob(own, "correctives.glb", NULL, &job->bytes, error);
}

tgJobState tgJob_Step(tgJob* job, tgError* error)
{
    tgResult result = job->isDone              ? tg_success
                      : job->def.isCorrectives ? tgStepCorrectives(job, error)
                                               : tgStepBake(job, error);
    return result != tg_success ? tg_jobFailed : job->isDone ? tg_jobDone : tg_jobGoesOn;
}

double tgJob_GetProgress(const tgJob* job)
{
    int done = job->def.isCorrectives ? job->correctives.done : job->bake.done;
    int all = job->def.isCorrectives ? job->correctives.clips.sampleCount : job->bake.frameCount;
    double played = job->isDone ? 1.0 : all > 0 ? (double)done / all : 0.0;
    // Fitting takes about as long as playing.
    return job->def.isCorrectives && !job->isDone ? (job->isFitted ? 0.9 : 0.5 * played) : played;
}

const tgBytes* tgJob_GetBytes(const tgJob* job)
{
    return &job->bytes;
}
