// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The frames of a character into a file. Flesh has swung before the first frame of each animation
// (preroll.h), and animations follow one another in the file.

#include "play/bake_job.h"

#include "core/core.h"

#include <stdlib.h>

/// Frames of an animation, the first time of which is told.
static tgResult tgListFrames(const tgBakeJobDef* def, int animation, tgBakeClip* clip,
                             tgError* error)
{
    const tgRoll* roll = &def->roll;
    int count = tgScene_GetFrameCount(roll->scene, animation, roll->fps);
    if (count > tg_mostFrames) {
        return tgFail(error, tg_unsupported, -1,
                      "the animation has %d frames at %g fps, wanted at most %d", count, roll->fps,
                      tg_mostFrames);
    }
    double start = tgScene_GetFrameTime(roll->scene, animation, roll->fps, 0);
    *clip = (tgBakeClip){animation, count, start};
    return tg_success;
}

tgResult tgPlanBakeJob(const tgBakeJobDef* def, tgBakeJob* job, tgError* error)
{
    *job = (tgBakeJob){.def = *def, .frameCount = def->frameCount};
    int count = def->roll.scene->animationCount;
    if (!def->all || count == 0) {
        job->def.all = false;
        return tg_success;
    }
    job->clips = calloc((size_t)count, sizeof(*job->clips));
    if (job->clips == NULL) {
        return tgFail(error, tg_outOfMemory, -1, "out of memory for %d animations", count);
    }
    job->frameCount = 0;
    for (int c = 0; c < count; ++c) {
        tgResult result = tgListFrames(def, c, &job->clips[c], error);
        if (result != tg_success) {
            return result;
        }
        job->frameCount += job->clips[c].frameCount;
    }
    return tg_success;
}

tgResult tgOpenBakeJob(tgBakeJob* job, tgError* error)
{
    const tgRoll* roll = &job->def.roll;
    tgError failure = {0};
    tgBakeDef def = tgDefaultBakeDef();
    def.scene = roll->scene;
    def.path = job->def.path;
    def.memory = job->def.memory;
    def.frameCount = job->frameCount;
    def.firstFrame = job->def.firstFrame;
    def.animation = roll->animation;
    def.startTime =
        tgScene_GetFrameTime(roll->scene, roll->animation, roll->fps, job->def.firstFrame);
    def.fps = roll->fps;
    def.clips = job->clips;
    def.clipCount = roll->scene->animationCount;
    job->bake = tgOpenBake(&def, &failure);
    if (job->bake == NULL && error != NULL) {
        *error = failure;
    }
    return failure.code;
}

/// Before the first frame of a clip.
static tgResult tgStartClip(tgBakeJob* job, double time, tgError* error)
{
    if (job->clips != NULL) {
        job->def.roll.animation = job->clips[job->clip].animation;
        tgInstance_Reset(job->def.actor->instance);
        time = job->clips[job->clip].startTime;
    }
    job->def.actor->played = false;
    return tgPreroll(&job->def.roll, job->def.actor, time, &job->rings, error);
}

tgResult tgStepBakeJob(tgBakeJob* job, tgError* error)
{
    tgActor* actor = job->def.actor;
    tgRoll* roll = &job->def.roll;
    bool isAll = job->clips != NULL;
    int first = isAll ? 0 : job->def.firstFrame;
    tgResult result = tg_success;
    if (job->frame == 0) {
        result = tgStartClip(
            job, tgScene_GetFrameTime(roll->scene, roll->animation, roll->fps, first), error);
    }
    double time = tgScene_GetFrameTime(roll->scene, roll->animation, roll->fps, first + job->frame);
    result = result == tg_success ? tgActor_Play(actor, roll->animation, time, error) : result;
    result = result == tg_success
                 ? tgBake_AddFrame(job->bake, actor->positions, actor->normals, error)
                 : result;
    if (result == tg_success) {
        job->done += 1;
        job->frame += 1;
        if (isAll && job->frame == job->clips[job->clip].frameCount) {
            job->clip += 1;
            job->frame = 0;
        }
    }
    return result;
}

tgResult tgCloseBakeJob(tgBakeJob* job, tgError* error)
{
    tgResult result = tgCloseBake(job->bake, error);
    job->bake = NULL;
    tgCancelBakeJob(job);
    return result;
}

void tgCancelBakeJob(tgBakeJob* job)
{
    tgCancelBake(job->bake);
    free(job->clips);
    *job = (tgBakeJob){.done = job->done};
}
