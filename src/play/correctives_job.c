// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// From a character on stage to a file with corrective morph targets: every sample is deformed, the
// targets are fitted to all of them, keys are chosen, and the file's own document gets both.

#include "play/correctives_job.h"

#include "core/core.h"
#include "play/bake_job.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- samples ------------------------------------------------------------------------------------

/// A scene with a document, of which every vertex is one of the character's.
static tgResult tgFindViewer(tgCorrectivesJob* job, tgError* error)
{
    tgError failure = {0};
    bool isDocument = false;
    job->viewer = job->def.roll.scene;
    if (tgCanAddTargets(job->viewer, &isDocument, error) != tg_success) {
        return tg_outOfMemory;
    }
    if (!isDocument) {
        job->document = tgMakeDocumentScene(job->viewer, &failure);
        job->viewer = job->document;
    }
    if (job->viewer != NULL) {
        tgListShownMeshes(job->viewer, &job->meshes, &failure);
    }
    if (failure.code != tg_success && error != NULL) {
        *error = failure;
    }
    return failure.code;
}

static tgResult tgOpenPlain(tgCorrectivesJob* job, tgError* error)
{
    tgActorDef plain = {.scene = job->def.roll.scene, .parallel = job->def.parallel};
    return plain.scene->morphCount > 0 ? tgOpenActor(&plain, &job->plain, error) : tg_success;
}

/// The animations to go through, and room for their samples.
static tgResult tgListClips(tgCorrectivesJob* job, tgError* error)
{
    const tgRoll* roll = &job->def.roll;
    int all = roll->scene->animationCount, count = all == 0 ? 0 : job->def.all ? all : 1;
    job->clipAnimations = calloc((size_t)count + 1, sizeof(int));
    job->clipStarts = calloc((size_t)count + 2, sizeof(int));
    if (job->clipAnimations == NULL || job->clipStarts == NULL) {
        return tgFail(error, tg_outOfMemory, -1, "out of memory");
    }
    for (int i = 0; i < count; ++i) {
        job->clipAnimations[i] = job->def.all ? i : roll->animation;
    }
    job->clipCount = count;
    return tg_success;
}

static tgRoll tgGetClipRoll(const tgCorrectivesJob* job, int clip)
{
    tgRoll roll = job->def.roll;
    roll.animation = job->clipAnimations[clip];
    return roll;
}

/// How many samples there are at most; the frames are counted.
static tgResult tgCountSamples(tgCorrectivesJob* job, int* room, tgError* error)
{
    *room = 1;
    for (int c = 0; c < job->clipCount; ++c) {
        tgRoll roll = tgGetClipRoll(job, c);
        int frames = tgScene_GetFrameCount(roll.scene, roll.animation, roll.fps);
        if (frames > tg_mostFrames) {
            return tgFail(error, tg_unsupported, -1,
                          "the animation has %d frames at %g fps, wanted at most %d", frames,
                          roll.fps, tg_mostFrames);
        }
        job->frameCount += frames;
        *room += tgListSamples(&roll, NULL);
    }
    if (job->def.fit.targetCount > job->frameCount) {
        return tgFail(error, tg_invalidArgument, -1, "--targets is %d, but the animations have %s",
                      job->def.fit.targetCount,
                      tgTellCount(job->frameCount, "frame", "frames").text);
    }
    return tg_success;
}

/// The file's own pose first, then the samples of every clip.
static int tgFillSamples(tgCorrectivesJob* job, tgClipSample* samples)
{
    int count = 1;
    samples[0] = (tgClipSample){-1, 0.0, false};
    for (int c = 0; c < job->clipCount; ++c) {
        tgRoll roll = tgGetClipRoll(job, c);
        job->clipStarts[c] = count;
        count += tgListSamples(&roll, samples + count);
    }
    job->clipStarts[job->clipCount] = count;
    return count;
}

/// Normals of the surface in the bind pose, which those of the samples are told against.
static tgResult tgTakeRest(tgCorrectivesJob* job, tgError* error)
{
    const tgScene* scene = job->def.roll.scene;
    tgMat34* joints = malloc((size_t)scene->jointCount * sizeof(tgMat34));
    if (joints == NULL) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for a pose");
    }
    for (int j = 0; j < scene->jointCount; ++j) {
        joints[j] = scene->joints[j].restJoint;
    }
    tgResult result = tgActor_Pose(job->def.actor, joints, error);
    memcpy(job->clips.restNormals, job->def.actor->normals,
           (size_t)scene->vertexCount * sizeof(tgVec3));
    tgInstance_Reset(job->def.actor->instance);
    free(joints);
    return result;
}

static tgResult tgMakeSamples(tgCorrectivesJob* job, tgError* error)
{
    int room = 0;
    tgResult result = tgCountSamples(job, &room, error);
    if (result != tg_success) {
        return result;
    }
    tgClipSample* samples = malloc((size_t)room * sizeof(*samples));
    job->nodes = malloc(((size_t)job->viewer->nodeCount + 1) * sizeof(tgMat34));
    job->joints = malloc(((size_t)job->viewer->jointCount + 1) * sizeof(tgMat34));
    if (samples == NULL || job->nodes == NULL || job->joints == NULL) {
        free(samples);
        return tgFail(error, tg_outOfMemory, -1, "out of memory for %d frames", room);
    }
    int count = tgFillSamples(job, samples);
    bool hasNormals = !job->def.noNormals && job->viewer->normals != NULL;
    result = tgClips_Make(&job->clips, job->viewer, job->def.actor, job->def.parallel, count,
                          hasNormals, error);
    if (result == tg_success) {
        memcpy(job->clips.samples, samples, (size_t)count * sizeof(*samples));
    }
    free(samples);
    return result;
}

tgResult tgOpenCorrectivesJob(const tgCorrectivesJobDef* def, tgCorrectivesJob* job, tgError* error)
{
    *job = (tgCorrectivesJob){.def = *def};
    tgResult result = tgFindViewer(job, error);
    result = result == tg_success ? tgOpenPlain(job, error) : result;
    result = result == tg_success ? tgListClips(job, error) : result;
    result = result == tg_success ? tgMakeSamples(job, error) : result;
    return result == tg_success ? tgTakeRest(job, error) : result;
}

static tgResult tgTakeSample(tgCorrectivesJob* job, int sample, tgError* error)
{
    tgClips* clips = &job->clips;
    const tgClipSample* at = &clips->samples[sample];
    bool hasPlain = job->plain.rig != NULL;
    tgResult result = tgActor_Play(job->def.actor, at->animation, at->time, error);
    if (result == tg_success && hasPlain) {
        result = tgActor_Play(&job->plain, at->animation, at->time, error);
    }
    if (result == tg_success) {
        float* weights = clips->morphWeights + (size_t)sample * (size_t)job->viewer->morphCount;
        tgScene_SamplePose(job->viewer, at->animation, at->time, job->nodes, job->joints, weights);
        tgClips_SetPalette(clips, sample, job->joints);
        tgClips_Take(clips, sample, job->def.actor, hasPlain ? &job->plain : NULL);
    }
    return result;
}

tgResult tgStepCorrectivesJob(tgCorrectivesJob* job, tgError* error)
{
    int s = job->done;
    const tgClipSample* at = &job->clips.samples[s];
    tgResult result = tg_success;
    for (int c = 0; c < job->clipCount; ++c) {
        if (job->clipStarts[c] == s) {
            tgRoll roll = tgGetClipRoll(job, c);
            job->def.actor->played = false;
            result = tgPreroll(&roll, job->def.actor, at->time, &job->rings, error);
        }
    }
    result = result == tg_success ? tgTakeSample(job, s, error) : result;
    if (s == 0 && result == tg_success) {
        tgClips_MeasureSize(&job->clips);
    }
    job->done += result == tg_success;
    return result;
}

tgResult tgFitCorrectivesJob(tgCorrectivesJob* job, tgError* error)
{
    return tgFitClips(&job->clips, &job->meshes, &job->def.fit, &job->fitted, error);
}

// ---- the file -----------------------------------------------------------------------------------

/// Keys of one clip for one node.
static bool tgFillTrack(const tgCorrectivesJob* job, const bool* isKey, int clip, int mesh,
                        int node, tgTargetTrack* track)
{
    const tgFittedMesh* fitted = &job->fitted.meshes[mesh];
    size_t width = (size_t)fitted->targetCount;
    int first = job->clipStarts[clip], end = job->clipStarts[clip + 1];
    float* times = malloc((size_t)(end - first) * sizeof(float));
    float* weights = malloc((size_t)(end - first) * width * sizeof(float));
    *track = (tgTargetTrack){.animation = job->clipAnimations[clip],
                             .mesh = mesh,
                             .node = node,
                             .times = times,
                             .weights = weights};
    if (times == NULL || weights == NULL) {
        return false;
    }
    for (int s = first; s < end; ++s) {
        float time = (float)fmax(job->clips.samples[s].time, 0.0);
        if (isKey[s] && (track->keyCount == 0 || time > times[track->keyCount - 1])) {
            times[track->keyCount] = time;
            memcpy(weights + (size_t)track->keyCount * width,
                   tgGetWeights(fitted, &job->clips, node, s), width * sizeof(float));
            track->keyCount += 1;
        }
    }
    return true;
}

/// Names of a mesh's targets: "turgor" is the constant one.
static char (*tgMakeNames(int count, const char** names))[32]
{
    char(*texts)[32] = calloc((size_t)count + 1, sizeof(*texts));
    for (int t = 0; t < count && texts != NULL; ++t) {
        if (t == 0) {
            snprintf(texts[t], sizeof(texts[t]), "turgor");
        } else {
            snprintf(texts[t], sizeof(texts[t]), "turgor_%d", t);
        }
        names[t] = texts[t];
    }
    return texts;
}

/// What is written: tracks and targets, gathered from the fit.
typedef struct tgOutputParts {
    tgMeshTargets* targets;
    tgTargetTrack* tracks;
    int trackCount;
    const char** names; ///< as many as the busiest mesh has
    char (*nameTexts)[32];
    float* still; ///< weights when nothing plays, mesh after mesh, node after node
    bool* isKey;  ///< of each sample
} tgOutputParts;

static bool tgAllocateParts(const tgCorrectivesJob* job, const char* const* names,
                            tgOutputParts* parts)
{
    size_t trackCount = 1, weightCount = 1;
    int most = tgFitted_GetMost(&job->fitted);
    for (int m = 0; m < job->meshes.count; ++m) {
        int count = job->fitted.meshes[m].targetCount;
        trackCount += (size_t)job->meshes.meshes[m].nodeCount * (size_t)job->clipCount;
        weightCount += (size_t)job->meshes.meshes[m].nodeCount * (size_t)count;
    }
    parts->targets = calloc((size_t)job->meshes.count + 1, sizeof(*parts->targets));
    parts->tracks = calloc(trackCount, sizeof(*parts->tracks));
    parts->names = calloc((size_t)most + 1, sizeof(*parts->names));
    parts->still = calloc(weightCount, sizeof(float));
    parts->isKey = calloc((size_t)job->clips.sampleCount + 1, sizeof(bool));
    parts->nameTexts = parts->names != NULL ? tgMakeNames(most, parts->names) : NULL;
    for (int t = 0; t < most && names != NULL && parts->names != NULL; ++t) {
        parts->names[t] = names[t];
    }
    return parts->targets != NULL && parts->tracks != NULL && parts->nameTexts != NULL &&
           parts->still != NULL && parts->isKey != NULL;
}

static void tgFreeParts(tgOutputParts* parts)
{
    for (int i = 0; i < parts->trackCount; ++i) {
        free((void*)parts->tracks[i].times);
        free((void*)parts->tracks[i].weights);
    }
    free(parts->targets);
    free(parts->tracks);
    free(parts->names);
    free(parts->nameTexts);
    free(parts->still);
    free(parts->isKey);
}

static bool tgFillParts(const tgCorrectivesJob* job, tgOutputParts* parts)
{
    float* still = parts->still;
    for (int c = 0; c < job->clipCount; ++c) {
        if (!tgChooseKeys(&job->clips, &job->meshes, &job->fitted, job->def.fit.maxError,
                          job->clipStarts[c], job->clipStarts[c + 1] - 1, parts->isKey)) {
            return false;
        }
    }
    for (int m = 0; m < job->meshes.count; ++m) {
        const tgFittedMesh* fitted = &job->fitted.meshes[m];
        size_t width = (size_t)fitted->targetCount;
        parts->targets[m] = (tgMeshTargets){.targetCount = fitted->targetCount,
                                            .offsets = fitted->offsets,
                                            .normals = fitted->normals,
                                            .weights = still,
                                            .names = parts->names};
        for (int n = 0; n < job->meshes.meshes[m].nodeCount && width > 0; ++n) {
            memcpy(still, tgGetWeights(fitted, &job->clips, n, 0), width * sizeof(float));
            still += width;
            for (int c = 0; c < job->clipCount; ++c) {
                if (!tgFillTrack(job, parts->isKey, c, m, n, &parts->tracks[parts->trackCount++])) {
                    return false;
                }
            }
        }
    }
    return true;
}

tgResult tgWriteCorrectivesJob(const tgCorrectivesJob* job, const char* path,
                               const char* const* names, tgBytes* memory, tgError* error)
{
    tgOutputParts parts = {0};
    tgResult result = tgAllocateParts(job, names, &parts) && tgFillParts(job, &parts)
                          ? tg_success
                          : tgFail(error, tg_outOfMemory, -1, "no memory for the tracks");
    if (result == tg_success) {
        tgCorrectivesFile file = {.scene = job->viewer,
                                  .meshes = &job->meshes,
                                  .targets = parts.targets,
                                  .trackCount = parts.trackCount,
                                  .tracks = parts.tracks,
                                  .compress = job->def.fit.compress,
                                  .offsetExponent = job->fitted.offsetExponent,
                                  .normalExponent = job->fitted.normalExponent,
                                  .memory = memory};
        result = tgSaveCorrectives(&file, path, error);
    }
    tgFreeParts(&parts);
    return result;
}

void tgFreeCorrectivesJob(tgCorrectivesJob* job)
{
    tgFreeFitted(&job->fitted);
    tgClips_Free(&job->clips);
    tgFreeShownMeshes(&job->meshes);
    tgCloseActor(&job->plain);
    tgDestroyScene(job->document);
    free(job->clipAnimations);
    free(job->clipStarts);
    free(job->nodes);
    free(job->joints);
    *job = (tgCorrectivesJob){.done = 0};
}
