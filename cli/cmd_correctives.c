// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// turgor correctives FILE -o OUT.glb: the file's own skin with a few corrective morph targets and
// their tracks, so that any engine plays the corrected character.

#include "commands.h"
#include "core/core.h"
#include "correctives.h"
#include "correctives_page.h"
#include "driver_file.h"
#include "inputs.h"
#include "io/output_file.h"
#include "json.h"
#include "report.h"
#include "take.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct tgCorrectiveOptions {
    const char* output;
    const char* maxError;
    const char* report; ///< a page; NULL: none
    const char* driver; ///< a pose driver's JSON; NULL: tracks
    int targets;        ///< -1: not given
    bool noNormals;
    bool compress;
    bool json;
} tgCorrectiveOptions;

/// All that the verb works with.
typedef struct tgCorrectiveJob {
    const tgCorrectiveOptions* options;
    tgFitOptions fit;
    tgShot shot;
    tgScene* document;     ///< the character as glTF, where the file is none; else NULL
    const tgScene* viewer; ///< what a viewer plays
    tgActor actor;
    tgActor plain; ///< without corrections, where the character has morph targets
    tgShownMeshes meshes;
    tgClips clips;
    tgFitted fitted;
    tgTrained trained; ///< with a driver
    tgDriverScore score;
    tgDriverName* names;
    int clipCount;
    int* clipAnimations; ///< which animations
    int* clipStarts;     ///< first sample of each, and the end
    int frameCount;
    long long size; ///< bytes written
} tgCorrectiveJob;

/// "0.05%" or 0.0005; false when it is neither.
static bool tgParseError(const char* text, float* error)
{
    char* end = NULL;
    double value = strtod(text, &end);
    bool isPercent = end != text && *end == '%';
    end += isPercent ? 1 : 0;
    *error = (float)(isPercent ? value / 100.0 : value);
    return end != text && *end == '\0' && *error >= 1e-6f && *error <= 0.1f;
}

static int tgCheckCorrectiveOptions(const tgCorrectiveOptions* options, tgFitOptions* fit)
{
    *fit = (tgFitOptions){.maxError = 1e-3f,
                          .targetCount = options->targets > 0 ? options->targets : 0,
                          .compress = options->compress};
    if (options->output == NULL) {
        return tgSayUsage("correctives wants -o OUT.glb, the file to write");
    }
    if (options->maxError != NULL && !tgParseError(options->maxError, &fit->maxError)) {
        return tgSayUsage("--max-error is %s, wanted 0.0001%% to 10%% of the diagonal",
                          options->maxError);
    }
    if (options->targets != -1 && options->targets < 1) {
        return tgSayUsage("--targets is %d, wanted 1 or more", options->targets);
    }
    if (options->report != NULL && options->driver != NULL) {
        return tgSayUsage("--report tells of tracks, a driver has none");
    }
    if (options->targets != -1 && options->driver != NULL) {
        return tgSayUsage("--targets is for tracks, a driver has as many targets as joints need");
    }
    if (options->targets != -1 && options->maxError != NULL) {
        return tgSayUsage("--targets and --max-error: one decides, not both");
    }
    return tg_statusDone;
}

/// The animations to go through, and room for their samples.
static int tgListClips(tgCorrectiveJob* job)
{
    tgShot* shot = &job->shot;
    const tgScene* scene = shot->scene;
    int count = scene->animationCount == 0 ? 0 : shot->all ? scene->animationCount : 1;
    job->clipAnimations = calloc((size_t)count + 1, sizeof(int));
    job->clipStarts = calloc((size_t)count + 2, sizeof(int));
    if (job->clipAnimations == NULL || job->clipStarts == NULL) {
        return tgSayFailure(shot->file, "out of memory");
    }
    for (int i = 0; i < count; ++i) {
        job->clipAnimations[i] = shot->all ? i : shot->animation;
    }
    job->clipCount = count;
    return tg_statusDone;
}

static int tgOpenActors(tgCorrectiveJob* job)
{
    tgShot* shot = &job->shot;
    tgError error = {0};
    tgActorDef plain = {.scene = shot->scene, .parallel = tgGetParallel(shot->pool)};
    if (tgOpenTake(shot, tg_takeCorrected, shot->pool, &job->actor, &error) != tg_success ||
        (shot->scene->morphCount > 0 && tgOpenActor(&plain, &job->plain, &error) != tg_success)) {
        return tgSayFailed(shot->file, &error);
    }
    return tg_statusDone;
}

/// Normals of the surface in the bind pose, which those of the samples are told against.
static tgResult tgTakeRest(tgCorrectiveJob* job, tgError* error)
{
    const tgScene* scene = job->shot.scene;
    tgMat34* joints = malloc((size_t)scene->jointCount * sizeof(tgMat34));
    if (joints == NULL) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for a pose");
    }
    for (int j = 0; j < scene->jointCount; ++j) {
        joints[j] = scene->joints[j].restJoint;
    }
    tgResult result = tgActor_Pose(&job->actor, joints, error);
    memcpy(job->clips.restNormals, job->actor.normals, (size_t)scene->vertexCount * sizeof(tgVec3));
    tgInstance_Reset(job->actor.instance);
    free(joints);
    return result;
}

static tgResult tgTakeSample(tgCorrectiveJob* job, int sample, tgMat34* nodes, tgMat34* joints,
                             tgError* error)
{
    tgClips* clips = &job->clips;
    const tgClipSample* at = &clips->samples[sample];
    bool hasPlain = job->plain.rig != NULL;
    tgResult result = tgActor_Play(&job->actor, at->animation, at->time, error);
    if (result == tg_success && hasPlain) {
        result = tgActor_Play(&job->plain, at->animation, at->time, error);
    }
    if (result == tg_success) {
        float* weights = clips->morphWeights + (size_t)sample * (size_t)job->viewer->morphCount;
        tgScene_SamplePose(job->viewer, at->animation, at->time, nodes, joints, weights);
        tgClips_SetPalette(clips, sample, joints);
        tgClips_Take(clips, sample, &job->actor, hasPlain ? &job->plain : NULL);
    }
    return result;
}

/// Deform the character at every sample.
static tgResult tgPlayClips(tgCorrectiveJob* job, tgError* error)
{
    tgShot* shot = &job->shot;
    const tgScene* viewer = job->viewer;
    tgMat34* nodes = malloc(((size_t)viewer->nodeCount + 1) * sizeof(tgMat34));
    tgMat34* joints = malloc(((size_t)viewer->jointCount + 1) * sizeof(tgMat34));
    tgResult result = nodes != NULL && joints != NULL
                          ? tgTakeRest(job, error)
                          : tgFail(error, tg_outOfMemory, -1, "no memory for a pose");
    for (int s = 0; s < job->clips.sampleCount && result == tg_success; ++s) {
        bool isStart = false;
        for (int c = 0; c < job->clipCount; ++c) {
            isStart |= job->clipStarts[c] == s;
        }
        if (isStart) {
            tgShot_SetAnimation(shot, job->clips.samples[s].animation);
            job->actor.played = false;
            result = tgShot_Preroll(shot, &job->actor, job->clips.samples[s].time, error);
        }
        if (result == tg_success && tgWasInterrupted()) {
            result = tgFail(error, tg_ioError, -1, "interrupted at frame %d of %d", s,
                            job->clips.sampleCount);
        }
        if (result == tg_success) {
            result = tgTakeSample(job, s, nodes, joints, error);
        }
        if (s == 0 && result == tg_success) {
            tgClips_MeasureSize(&job->clips);
        }
        tgShowProgress("correctives", s + 1, job->clips.sampleCount);
    }
    free(nodes);
    free(joints);
    return result;
}

/// The file's own pose first, then the samples of every clip.
static int tgGatherClips(tgCorrectiveJob* job)
{
    tgShot* shot = &job->shot;
    tgError error = {0};
    int room = 1;
    for (int c = 0; c < job->clipCount; ++c) {
        int status = tgShot_SetAnimation(shot, job->clipAnimations[c]);
        if (status != tg_statusDone) {
            return status;
        }
        job->frameCount += shot->frameCount;
        room += tgListSamples(shot, NULL);
    }
    if (job->fit.targetCount > job->frameCount) {
        return tgSayFailure(shot->file, "--targets is %d, but the animations have %s",
                            job->fit.targetCount,
                            tgTellCount(job->frameCount, "frame", "frames").text);
    }
    tgClipSample* samples = malloc((size_t)room * sizeof(*samples));
    if (samples == NULL) {
        return tgSayFailure(shot->file, "out of memory for %d frames", room);
    }
    samples[0] = (tgClipSample){-1, 0.0, false};
    int count = 1;
    for (int c = 0; c < job->clipCount; ++c) {
        tgShot_SetAnimation(shot, job->clipAnimations[c]);
        job->clipStarts[c] = count;
        count += tgListSamples(shot, samples + count);
    }
    job->clipStarts[job->clipCount] = count;
    bool hasNormals = !job->options->noNormals && job->viewer->normals != NULL;
    tgResult result =
        tgClips_Make(&job->clips, job->viewer, &job->actor, shot->pool, count, hasNormals, &error);
    if (result == tg_success) {
        memcpy(job->clips.samples, samples, (size_t)count * sizeof(*samples));
        result = tgPlayClips(job, &error);
    }
    free(samples);
    return result == tg_success ? tg_statusDone : tgSayFailed(shot->file, &error);
}

/// A scene with a document, of which every vertex is one of the shot's.
static int tgFindViewer(tgCorrectiveJob* job)
{
    tgError error = {0};
    job->viewer = job->shot.scene;
    if (!tgCanAddTargets(job->viewer)) {
        job->document = tgMakeDocumentScene(job->viewer, &error);
        job->viewer = job->document;
    }
    if (job->viewer == NULL || tgListShownMeshes(job->viewer, &job->meshes, &error) != tg_success) {
        return tgSayFailed(job->shot.file, &error);
    }
    return tg_statusDone;
}

/// Keys of one clip for one node.
static bool tgFillTrack(const tgCorrectiveJob* job, const bool* isKey, int clip, int mesh, int node,
                        tgTargetTrack* track)
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

static bool tgAllocateParts(const tgCorrectiveJob* job, tgOutputParts* parts)
{
    size_t trackCount = 1, weightCount = 1;
    int most = 0;
    for (int m = 0; m < job->meshes.count; ++m) {
        int count = job->fitted.meshes[m].targetCount;
        most = count > most ? count : most;
        trackCount += (size_t)job->meshes.meshes[m].nodeCount * (size_t)job->clipCount;
        weightCount += (size_t)job->meshes.meshes[m].nodeCount * (size_t)count;
    }
    parts->targets = calloc((size_t)job->meshes.count + 1, sizeof(*parts->targets));
    parts->tracks = calloc(trackCount, sizeof(*parts->tracks));
    parts->names = calloc((size_t)most + 1, sizeof(*parts->names));
    parts->still = calloc(weightCount, sizeof(float));
    parts->isKey = calloc((size_t)job->clips.sampleCount + 1, sizeof(bool));
    parts->nameTexts = parts->names != NULL ? tgMakeNames(most, parts->names) : NULL;
    for (int t = 0; t < most && job->names != NULL && parts->names != NULL; ++t) {
        parts->names[t] = job->names[t].text; // a driver's
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

static bool tgFillParts(const tgCorrectiveJob* job, tgOutputParts* parts)
{
    float* still = parts->still;
    for (int c = 0; c < job->clipCount; ++c) {
        if (!tgChooseKeys(&job->clips, &job->meshes, &job->fitted, job->fit.maxError,
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

static long long tgGetFileSize(const char* path)
{
    struct stat status;
    return stat(path, &status) == 0 ? (long long)status.st_size : 0;
}

static int tgWriteJob(tgCorrectiveJob* job)
{
    tgError error = {0};
    tgOutputParts parts = {0};
    tgOutputFile driver = {0};
    tgResult result = tgAllocateParts(job, &parts) && tgFillParts(job, &parts)
                          ? tg_success
                          : tgFail(&error, tg_outOfMemory, -1, "no memory for the tracks");
    if (result == tg_success) {
        tgCorrectivesFile file = {.scene = job->viewer,
                                  .meshes = &job->meshes,
                                  .targets = parts.targets,
                                  .trackCount = parts.trackCount,
                                  .tracks = parts.tracks,
                                  .compress = job->options->compress,
                                  .offsetExponent = job->fitted.offsetExponent,
                                  .normalExponent = job->fitted.normalExponent};
        tgHoldInterrupt();
        if (job->options->driver != NULL) {
            result = tgOutputFile_Open(&driver, job->options->driver, &error);
            if (result == tg_success) {
                result = tgWriteDriver(&job->trained, job->viewer, job->names, &driver, &error);
            }
        }
        if (result == tg_success) {
            result = tgSaveCorrectives(&file, job->options->output, &error);
        }
        if (result == tg_success && job->options->driver != NULL) {
            result = tgOutputFile_Commit(&driver, &error);
        }
        job->size = tgGetFileSize(job->options->output);
    }
    tgOutputFile_Discard(&driver);
    tgFreeParts(&parts);
    return result == tg_success ? tg_statusDone : tgSayFailed(job->options->output, &error);
}

/// Targets that follow the joints, in place of some that follow the clips.
static int tgMakeDriver(tgCorrectiveJob* job)
{
    tgError error = {0};
    const char* file = job->shot.file;
    for (int m = 0; m < job->meshes.count; ++m) {
        if (job->meshes.meshes[m].nodeCount > 1) {
            return tgSayFailure(file,
                                "a mesh is shown by %d nodes, a driver wants a mesh for each; "
                                "without --driver it works",
                                job->meshes.meshes[m].nodeCount);
        }
    }
    tgTrainDef def = {.scene = job->shot.scene,
                      .viewer = job->viewer,
                      .actor = &job->actor,
                      .pool = job->shot.pool,
                      .clips = &job->clips,
                      .file = file,
                      .maxError = job->fit.maxError};
    tgResult result = tgTrainDriver(&def, &job->trained, &error);
    if (result == tg_success && job->trained.driver.targetCount == 0) {
        return tgSayFailure(file, "no joint bends skin that needs correcting: there is nothing to "
                                  "drive");
    }
    if (result == tg_success) {
        result = tgFitDriver(&job->trained, &job->clips, &job->meshes, job->fit.maxError,
                             &job->fitted, &job->names, &error);
    }
    if (result == tg_success) {
        result = tgScoreDriver(&job->clips, &job->meshes, &job->fitted, &job->score, &error);
    }
    return result == tg_success ? tg_statusDone : tgSayFailed(file, &error);
}

static int tgRunJob(tgCorrectiveJob* job)
{
    tgError error = {0};
    int status = tgFindViewer(job);
    status = status == tg_statusDone ? tgOpenActors(job) : status;
    status = status == tg_statusDone ? tgListClips(job) : status;
    status = status == tg_statusDone ? tgGatherClips(job) : status;
    if (status == tg_statusDone && job->options->driver != NULL) {
        status = tgMakeDriver(job);
        return status == tg_statusDone ? tgWriteJob(job) : status;
    }
    if (status == tg_statusDone &&
        tgFitClips(&job->clips, &job->meshes, &job->fit, &job->fitted, &error) != tg_success) {
        status = tgSayFailed(job->shot.file, &error);
    }
    status = status == tg_statusDone ? tgWriteJob(job) : status;
    if (status == tg_statusDone && job->options->report != NULL) {
        tgCorrectivesPageDef def = {.shot = &job->shot,
                                    .rig = job->actor.rig,
                                    .clips = &job->clips,
                                    .meshes = &job->meshes,
                                    .fitted = &job->fitted,
                                    .options = job->fit,
                                    .size = job->size,
                                    .path = job->options->report};
        status = tgWriteCorrectivesPage(&def);
    }
    return status;
}

static void tgCloseJob(tgCorrectiveJob* job)
{
    tgFreeFitted(&job->fitted);
    tgFreeTrained(&job->trained);
    free(job->names);
    tgClips_Free(&job->clips);
    tgFreeShownMeshes(&job->meshes);
    tgCloseActor(&job->actor);
    tgCloseActor(&job->plain);
    tgDestroyScene(job->document);
    free(job->clipAnimations);
    free(job->clipStarts);
    tgCloseShot(&job->shot);
}

/// Moving targets of the mesh that has the most.
static int tgCountTargets(const tgCorrectiveJob* job)
{
    int most = 0;
    for (int m = 0; m < job->fitted.meshCount; ++m) {
        int count = job->fitted.meshes[m].targetCount - 1;
        most = count > most ? count : most;
    }
    return most;
}

static tgJsonValue* tgMakeDriverReport(tgArena* arena, const tgCorrectiveJob* job)
{
    return tgPackJson(arena, "{s:o, s:o, s:o, s:i, s:i, s:i, s:f, s:f, s:I}", "file",
                      tgMakeJsonText(arena, job->shot.file), "output",
                      tgMakeJsonText(arena, job->options->output), "driver",
                      tgMakeJsonText(arena, job->options->driver), "joints",
                      job->trained.jointCount, "elements", job->trained.elementCount, "targets",
                      job->trained.driver.targetCount, "rmsOfPlain", job->score.rms,
                      "volumeOfPlain", job->score.volume, "bytes", (long long)job->size);
}

static void tgPrintDriver(const tgCorrectiveJob* job)
{
    printf("%s: %s of %s and pairs of them, %.2f MB; %s makes their weights\n",
           job->options->output,
           tgTellCount(job->trained.driver.targetCount, "target", "targets").text,
           tgTellCount(job->trained.jointCount, "joint", "joints").text, (double)job->size / 1e6,
           job->options->driver);
    if (job->frameCount > 0) {
        printf("on the file's own clips it leaves %.2f of plain skinning's error and %.2f of its "
               "error in volume\n",
               job->score.rms, job->score.volume);
    }
}

static tgJsonValue* tgMakeJson(tgArena* arena, const tgCorrectiveJob* job)
{
    tgJsonValue* meshes = tgMakeJsonList(arena);
    for (int m = 0; m < job->fitted.meshCount; ++m) {
        int count = job->fitted.meshes[m].targetCount;
        tgJson_Append(meshes, tgMakeJsonWhole(arena, count > 0 ? count - 1 : 0));
    }
    return tgPackJson(arena, "{s:o, s:o, s:i, s:i, s:i, s:o, s:f, s:f, s:I}", "file",
                      tgMakeJsonText(arena, job->shot.file), "output",
                      tgMakeJsonText(arena, job->options->output), "animations", job->clipCount,
                      "frames", job->frameCount, "targets", tgCountTargets(job), "targetsOfMeshes",
                      meshes, "error", (double)job->fitted.worst, "volumeError",
                      job->fitted.worstVolume, "bytes", (long long)job->size);
}

static void tgPrintText(const tgCorrectiveJob* job)
{
    int targets = tgCountTargets(job);
    printf("%s: %s and a constant one for %s of %s, %.2f MB\n", job->options->output,
           tgTellCount(targets, "target", "targets").text,
           tgTellCount(job->frameCount, "frame", "frames").text,
           tgTellCount(job->clipCount, "animation", "animations").text, (double)job->size / 1e6);
    if (targets == 0) {
        printf("a plain viewer shows the corrected skin already: there is nothing to add\n");
        return;
    }
    printf("played back it is within %s %% of the diagonal and within %.1e of its volume\n",
           tgTellPercent((double)job->fitted.worst).text, fabs(job->fitted.worstVolume));
}

static int tgReportJob(const tgCorrectiveJob* job)
{
    tgArena arena = {0};
    if (job->options->driver != NULL) {
        if (job->options->json) {
            return tgPrintJson(tgMakeDriverReport(&arena, job), &arena);
        }
        tgPrintDriver(job);
        return tg_statusDone;
    }
    if (job->fit.targetCount == 0 && job->fitted.worst > job->fit.maxError) {
        tgSayFailure(job->shot.file,
                     "warning: the worst vertex is off by %s %% of the diagonal, wanted %s %%",
                     tgTellPercent((double)job->fitted.worst).text,
                     tgTellPercent((double)job->fit.maxError).text);
    }
    if (job->options->json) {
        return tgPrintJson(tgMakeJson(&arena, job), &arena);
    }
    tgPrintText(job);
    return tg_statusDone;
}

int tgCommandCorrectives(int argc, char** argv)
{
    tgCorrectiveOptions own = {.targets = -1};
    tgShotOptions options = tgDefaultShotOptions();
    options.takesAll = true;
    const tgOption table[] = {
        {"-o", "OUT.glb|.gltf", tg_optionText, &own.output, "what to write"},
        {"--max-error", "E%", tg_optionText, &own.maxError,
         "as many targets as keep every vertex so near, of the diagonal; default 0.1%"},
        {"--targets", "N", tg_optionInt, &own.targets,
         "so many moving targets for each mesh, beside a constant one"},
        {"--no-normals", NULL, tg_optionFlag, &own.noNormals, "targets without normals"},
        {"--compress", NULL, tg_optionFlag, &own.compress,
         "smaller, for readers that know EXT_meshopt_compression"},
        {"--report", "OUT.html", tg_optionText, &own.report,
         "a page: size, error and volume for 1, 2, 4 ... targets, and what each target moves"},
        {"--driver", "OUT.json", tg_optionText, &own.driver,
         "targets that follow the joints, and the numbers that make their weights"},
        TG_SHOT_OPTIONS(options),
        {"--animation", "NAME|INDEX|all", tg_optionText, &options.animation,
         "which of the file's animations; default all"},
        {"--json", NULL, tg_optionFlag, &own.json, "print one JSON object instead of text"},
    };
    const tgVerb verb = {
        "correctives",
        "FILE -o OUT.glb",
        true,
        "The file's own skin with a few corrective morph targets, for any engine to play.",
        table,
        sizeof(table) / sizeof(table[0])};
    const char* file;
    tgParse parse = tgParseArguments(&verb, argc, argv, &file);
    if (parse != tg_parseRun) {
        return tgGetParseStatus(parse);
    }
    tgCorrectiveJob job = {.options = &own};
    int status = tgCheckCorrectiveOptions(&own, &job.fit);
    if (status != tg_statusDone) {
        return status;
    }
    options.animation = options.animation != NULL ? options.animation : "all";
    status = tgOpenShot(file, &options, &job.shot);
    status =
        status == tg_statusDone ? tgShot_RefuseOutput(&job.shot, &options, own.output) : status;
    status = status == tg_statusDone && own.driver != NULL
                 ? tgShot_RefuseOutput(&job.shot, &options, own.driver)
                 : status;
    status =
        status == tg_statusDone ? tgShot_RefuseOutput(&job.shot, &options, own.report) : status;
    if (status == tg_statusDone && job.shot.scene->animationCount == 0 && own.driver == NULL) {
        status = tgSayFailure(file, "there is no animation to fit targets to; a driver needs none: "
                                    "--driver OUT.json");
    }
    status = status == tg_statusDone ? tgShot_FitOutput(&job.shot, own.output) : status;
    status = status == tg_statusDone ? tgRunJob(&job) : status;
    status = status == tg_statusDone ? tgReportJob(&job) : status;
    tgCloseJob(&job);
    return status;
}
