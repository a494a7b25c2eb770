// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// turgor correctives FILE -o OUT.glb: the file's own skin with a few corrective morph targets and
// their tracks, so that any engine plays the corrected character.

#include "commands.h"
#include "core/core.h"
#include "correctives_page.h"
#include "driver_file.h"
#include "inputs.h"
#include "io/output_file.h"
#include "json.h"
#include "play/correctives_job.h"
#include "report.h"
#include "take.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    tgActor actor;
    tgCorrectivesJob play;
    tgTrained trained; ///< with a driver
    tgDriverScore score;
    tgDriverName* names;
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

/// Deform the character at every sample.
static tgResult tgPlayClips(tgCorrectiveJob* job, tgError* error)
{
    tgCorrectivesJob* play = &job->play;
    while (play->done < play->clips.sampleCount) {
        if (tgWasInterrupted()) {
            return tgFail(error, tg_ioError, -1, "interrupted at frame %d of %d", play->done,
                          play->clips.sampleCount);
        }
        bool rang = play->rings;
        tgResult result = tgStepCorrectivesJob(play, error);
        if (result != tg_success) {
            return result;
        }
        if (play->rings && !rang) {
            tgSayRinging(job->shot.file);
        }
        tgShowProgress("correctives", play->done, play->clips.sampleCount);
    }
    return tg_success;
}

static int tgGatherClips(tgCorrectiveJob* job)
{
    tgError error = {0};
    tgShot* shot = &job->shot;
    tgResult result = tgOpenTake(shot, tg_takeCorrected, shot->pool, &job->actor, &error);
    if (result == tg_success) {
        tgCorrectivesJobDef def = {.roll = tgShot_GetRoll(shot),
                                   .all = shot->all,
                                   .actor = &job->actor,
                                   .fit = job->fit,
                                   .noNormals = job->options->noNormals,
                                   .parallel = tgGetParallel(shot->pool)};
        result = tgOpenCorrectivesJob(&def, &job->play, &error);
    }
    result = result == tg_success ? tgPlayClips(job, &error) : result;
    return result == tg_success ? tg_statusDone : tgSayFailed(shot->file, &error);
}

/// Names of a driver's targets; NULL without memory.
static const char** tgListNames(const tgCorrectiveJob* job)
{
    int most = tgFitted_GetMost(&job->play.fitted);
    const char** names = calloc((size_t)most + 1, sizeof(*names));
    for (int t = 0; t < most && names != NULL; ++t) {
        names[t] = job->names[t].text;
    }
    return names;
}

/// All that is written, under temporary names.
typedef struct tgCorrectiveOutputs {
    tgOutputFile output, driver, page;
} tgCorrectiveOutputs;

/// Can all of them be written? Told before the work, which may take long, and not after it.
static int tgCheckOutputs(const tgCorrectiveOptions* options)
{
    const char* paths[] = {options->output, options->driver, options->report};
    for (int i = 0; i < 3; ++i) {
        tgError error = {0};
        tgOutputFile file = {0};
        if (paths[i] != NULL && tgOutputFile_Open(&file, paths[i], &error) != tg_success) {
            return tgSayFailed(paths[i], &error);
        }
        tgOutputFile_Discard(&file);
    }
    return tg_statusDone;
}

static int tgPreparePage(const tgCorrectiveJob* job, tgOutputFile* file)
{
    tgCorrectivesPageDef def = {.shot = &job->shot,
                                .rig = job->actor.rig,
                                .clips = &job->play.clips,
                                .meshes = &job->play.meshes,
                                .fitted = &job->play.fitted,
                                .options = job->fit,
                                .size = job->size,
                                .path = job->options->report};
    return tgPrepareCorrectivesPage(&def, file);
}

/// The character, whole but not yet under its name.
static int tgPrepareOutput(const tgCorrectiveJob* job, const tgBytes* bytes, tgOutputFile* file)
{
    tgError error = {0};
    tgResult result = tgOutputFile_Open(file, job->options->output, &error);
    result =
        result == tg_success ? tgOutputFile_Write(file, bytes->data, bytes->size, &error) : result;
    result = result == tg_success ? tgOutputFile_Finish(file, &error) : result;
    return result == tg_success ? tg_statusDone : tgSayFailed(job->options->output, &error);
}

static int tgPrepareDriver(const tgCorrectiveJob* job, tgOutputFile* file)
{
    tgError error = {0};
    tgResult result = tgOutputFile_Open(file, job->options->driver, &error);
    if (result == tg_success) {
        result = tgWriteDriver(&job->trained, job->play.viewer, job->names, file, &error);
    }
    return result == tg_success ? tg_statusDone : tgSayFailed(job->options->driver, &error);
}

/// A file that was prepared gets its name; one that was not wanted does not.
static int tgCommitOutput(tgOutputFile* file)
{
    tgError error = {0};
    if (file->path != NULL && tgOutputFile_Commit(file, &error) != tg_success) {
        return tgSayFailed(file->path, &error);
    }
    return tg_statusDone;
}

/// The file in memory first, for the page tells its size; then all are written, and only when all
/// are whole they get their names.
static int tgWriteJob(tgCorrectiveJob* job)
{
    tgError error = {0};
    tgBytes bytes = {NULL, 0};
    const char** names = job->names != NULL ? tgListNames(job) : NULL;
    tgResult result = job->names == NULL || names != NULL
                          ? tg_success
                          : tgFail(&error, tg_outOfMemory, -1, "no memory for the tracks");
    if (result == tg_success) {
        result = tgWriteCorrectivesJob(&job->play, job->options->output, names, &bytes, &error);
    }
    job->size = (long long)bytes.size;
    tgCorrectiveOutputs files = {0};
    int status = result == tg_success ? tg_statusDone : tgSayFailed(job->options->output, &error);
    if (status == tg_statusDone && job->options->report != NULL) {
        status = tgPreparePage(job, &files.page);
    }
    tgHoldInterrupt();
    if (status == tg_statusDone && job->options->driver != NULL) {
        status = tgPrepareDriver(job, &files.driver);
    }
    status = status == tg_statusDone ? tgPrepareOutput(job, &bytes, &files.output) : status;
    status = status == tg_statusDone ? tgCommitOutput(&files.output) : status;
    status = status == tg_statusDone ? tgCommitOutput(&files.driver) : status;
    status = status == tg_statusDone ? tgCommitOutput(&files.page) : status;
    tgOutputFile_Discard(&files.output);
    tgOutputFile_Discard(&files.driver);
    tgOutputFile_Discard(&files.page);
    tgFreeBytes(&bytes);
    free(names);
    return status;
}

/// Can a driver be made at all?
static int tgCheckDriven(const tgCorrectiveJob* job)
{
    const char* file = job->shot.file;
    for (int m = 0; m < job->play.meshes.count; ++m) {
        if (job->play.meshes.meshes[m].nodeCount > 1) {
            return tgSayFailure(file,
                                "a mesh is shown by %d nodes, a driver wants a mesh for each; "
                                "without --driver it works",
                                job->play.meshes.meshes[m].nodeCount);
        }
    }
    const tgScene* viewer = job->play.viewer;
    if (viewer->placeCount > 0) {
        return tgSayFailure(file,
                            "%s shown again, a driver wants a mesh for each node; without --driver "
                            "it works",
                            tgTellCount(viewer->placeCount, "mesh is", "meshes are").text);
    }
    for (int j = 0; j < viewer->jointCount; ++j) {
        if (viewer->joints[j].parent >= 0) {
            return tg_statusDone;
        }
    }
    return tgSayFailure(file, "no joint has a parent, and a driver follows turns against one; "
                              "tracks, without --driver, need none");
}

/// Targets that follow the joints, in place of some that follow the clips.
static int tgMakeDriver(tgCorrectiveJob* job)
{
    tgError error = {0};
    const char* file = job->shot.file;
    int status = tgCheckDriven(job);
    if (status != tg_statusDone) {
        return status;
    }
    tgTrainDef def = {.scene = job->shot.scene,
                      .viewer = job->play.viewer,
                      .actor = &job->actor,
                      .parallel = tgGetParallel(job->shot.pool),
                      .clips = &job->play.clips,
                      .file = file,
                      .maxError = job->fit.maxError};
    tgResult result = tgTrainDriver(&def, &job->trained, &error);
    if (result == tg_success && job->trained.driver.targetCount == 0) {
        return tgSayFailure(file, "no joint bends skin that needs correcting: there is nothing to "
                                  "drive");
    }
    if (result == tg_success) {
        result = tgFitDriver(&job->trained, &job->play.clips, &job->play.meshes, job->fit.maxError,
                             &job->play.fitted, &job->names, &error);
    }
    if (result == tg_success) {
        result = tgScoreDriver(&job->play.clips, &job->play.meshes, &job->play.fitted, &job->score,
                               &error);
    }
    return result == tg_success ? tg_statusDone : tgSayFailed(file, &error);
}

static int tgRunJob(tgCorrectiveJob* job)
{
    tgError error = {0};
    tgHoldInterrupt();
    int status = tgCheckOutputs(job->options);
    status = status == tg_statusDone ? tgGatherClips(job) : status;
    if (status == tg_statusDone && job->options->driver != NULL) {
        status = tgMakeDriver(job);
    }
    if (status != tg_statusDone) {
        return status;
    }
    tgReleaseInterrupt(); // no file is there, and fits ask no flag
    if (job->options->driver == NULL && tgFitCorrectivesJob(&job->play, &error) != tg_success) {
        return tgSayFailed(job->shot.file, &error);
    }
    return tgWriteJob(job);
}

static void tgCloseJob(tgCorrectiveJob* job)
{
    tgFreeTrained(&job->trained);
    free(job->names);
    tgFreeCorrectivesJob(&job->play);
    tgCloseActor(&job->actor);
    tgCloseShot(&job->shot);
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
    if (job->play.frameCount > 0) {
        printf("on the file's own clips it leaves %.2f of plain skinning's error and %.2f of its "
               "error in volume\n",
               job->score.rms, job->score.volume);
    }
}

static void tgWarnOfDriver(const tgCorrectiveJob* job)
{
    if (job->score.rms >= 1.0 || job->score.volume >= 1.0) {
        tgSayFailure(job->shot.file,
                     "warning: on the file's own clips the driver leaves %.2f of plain skinning's "
                     "error and %.2f of its error in volume, wanted less than 1; tracks are exact: "
                     "call it without --driver",
                     job->score.rms, job->score.volume);
    }
}

static tgJsonValue* tgMakeJson(tgArena* arena, const tgCorrectiveJob* job)
{
    tgJsonValue* meshes = tgMakeJsonList(arena);
    for (int m = 0; m < job->play.fitted.meshCount; ++m) {
        int count = job->play.fitted.meshes[m].targetCount;
        tgJson_Append(meshes, tgMakeJsonWhole(arena, count > 0 ? count - 1 : 0));
    }
    return tgPackJson(arena, "{s:o, s:o, s:i, s:i, s:i, s:o, s:f, s:f, s:I}", "file",
                      tgMakeJsonText(arena, job->shot.file), "output",
                      tgMakeJsonText(arena, job->options->output), "animations",
                      job->play.clipCount, "frames", job->play.frameCount, "targets",
                      tgFitted_GetMostMoving(&job->play.fitted), "targetsOfMeshes", meshes, "error",
                      (double)job->play.fitted.worst, "volumeError", job->play.fitted.worstVolume,
                      "bytes", (long long)job->size);
}

static void tgPrintText(const tgCorrectiveJob* job)
{
    int targets = tgFitted_GetMostMoving(&job->play.fitted);
    printf("%s: %s and a constant one for %s of %s, %.2f MB\n", job->options->output,
           tgTellCount(targets, "target", "targets").text,
           tgTellCount(job->play.frameCount, "frame", "frames").text,
           tgTellCount(job->play.clipCount, "animation", "animations").text,
           (double)job->size / 1e6);
    if (targets == 0) {
        printf("a plain viewer shows the corrected skin already: there is nothing to add\n");
        return;
    }
    printf("played back it is within %s %% of the diagonal and within %.1e of its volume\n",
           tgTellPercent((double)job->play.fitted.worst).text, fabs(job->play.fitted.worstVolume));
}

static int tgReportJob(const tgCorrectiveJob* job)
{
    tgArena arena = {0};
    if (job->options->driver != NULL) {
        tgWarnOfDriver(job);
        if (job->options->json) {
            return tgPrintJson(tgMakeDriverReport(&arena, job), &arena);
        }
        tgPrintDriver(job);
        return tg_statusDone;
    }
    if (job->fit.targetCount == 0 && job->play.fitted.worst > job->fit.maxError) {
        tgSayFailure(job->shot.file,
                     "warning: the worst vertex is off by %s %% of the diagonal, wanted %s %%",
                     tgTellPercent((double)job->play.fitted.worst).text,
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
