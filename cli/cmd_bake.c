// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// turgor bake FILE -o OUT: deform every frame and write it, in the format of the ending.

#include "commands.h"
#include "core/core.h"
#include "inputs.h"
#include "io/output_file.h"
#include "joint_measure.h"
#include "json.h"
#include "measure.h"
#include "play/bake_job.h"
#include "report.h"
#include "shot.h"
#include "take.h"
#include "turgor/io.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// The frames that kept their volume worst.
typedef struct tgBakeReport {
    double error; ///< volume over target minus one
    double residual;
    int residualFrame;
    int frameCount; ///< of all animations
    bool flat;      ///< there was nothing to keep
    bool any;       ///< some frame had a volume to keep
    double* losses; ///< of each joint in the frame that took or gave most, over the target
} tgBakeReport;

static void tgBakeReport_Add(tgBakeReport* report, const tgKept* kept, int frame)
{
    report->any |= kept->any;
    if (fabs(kept->error) > fabs(report->error)) {
        report->error = kept->error;
    }
    if (fabs(kept->residual) > fabs(report->residual)) {
        report->residual = kept->residual;
        report->residualFrame = frame;
    }
}

/// What the joints lost in the frame that an actor stands in.
static void tgBakeReport_AddLosses(tgBakeReport* report, const tgActor* actor, const tgKept* kept)
{
    tgReport told = tgInstance_GetReport(actor->instance);
    for (int i = 0; i < told.lossCount && kept->any; ++i) {
        double loss = told.losses[i].loss / kept->target;
        double* worst = &report->losses[told.losses[i].joint];
        *worst = fabs(loss) > fabs(*worst) ? loss : *worst;
    }
}

/// Joints with a chosen profile that gained volume.
static void tgBakeReport_WarnAboutDents(const tgBakeReport* report, const tgShot* shot)
{
    tgDents dents = {.count = 0};
    for (int j = 0; j < shot->scene->jointCount; ++j) {
        tgDents_Add(&dents, shot, j, report->losses[j]);
    }
    tgDents_Say(&dents, shot);
}

/// All frames into an open bake.
static tgResult tgRunBake(const tgShot* shot, tgBakeJob* job, tgBakeReport* report, tgError* error)
{
    bool measures = shot->settings->volume.method != tg_volumeNone;
    while (job->done < job->frameCount) {
        if (tgWasInterrupted()) {
            return tgFail(error, tg_ioError, -1, "interrupted at frame %d of %d", job->done,
                          job->frameCount);
        }
        bool rang = job->rings;
        int frame = (job->clips != NULL ? 0 : shot->firstFrame) + job->frame;
        tgResult result = tgStepBakeJob(job, error);
        if (result != tg_success) {
            return result;
        }
        if (job->rings && !rang) {
            tgSayRinging(shot->file);
        }
        if (measures) {
            tgKept kept = tgActor_MeasureKept(job->def.actor);
            tgBakeReport_Add(report, &kept, frame);
            tgBakeReport_AddLosses(report, job->def.actor, &kept);
        }
        tgShowProgress("bake", job->done, job->frameCount);
    }
    return tg_success;
}

/// What every frame adds to a glTF, and their weights for each other: about what it will take.
static double tgGuessSize(const tgShot* shot, int frameCount)
{
    double frames = frameCount;
    return 24.0 * frames * shot->scene->vertexCount + 4.0 * frames * frames;
}

/// Says so before a file is written that nobody ships.
static void tgWarnAboutSize(const tgShot* shot, const tgBakeJob* job)
{
    static const double large = 200e6;
    double size = tgGuessSize(shot, job->frameCount);
    if (!tgKeepsPolygons(job->def.path) && size > large) {
        tgSayFailure(shot->file,
                     "warning: the bake will take about %.0f MB, one morph target for each of %d "
                     "frames; turgor correctives writes a few MB",
                     size / 1e6, job->frameCount);
    }
}

static int tgBakeShot(tgShot* shot, const char* output, tgBakeReport* report)
{
    tgError error = {0};
    tgActor actor;
    if (tgOpenTake(shot, tg_takeCorrected, shot->pool, &actor, &error) != tg_success) {
        return tgSayFailed(shot->file, &error);
    }
    tgRigInfo info = tgRig_GetInfo(actor.rig);
    report->flat = info.isFlat;
    tgVolumeText told = tgTellNoVolume(&info);
    if (told.text[0] != '\0') {
        tgSayFailure(shot->file, "warning: %s", told.text);
    }
    tgBakeJob job;
    tgBakeJobDef def = {.roll = tgShot_GetRoll(shot),
                        .all = shot->all,
                        .firstFrame = shot->firstFrame,
                        .frameCount = shot->frameCount,
                        .actor = &actor,
                        .path = output};
    const char* blamed = shot->file;
    tgResult result = tgPlanBakeJob(&def, &job, &error);
    report->frameCount = job.frameCount;
    if (result == tg_success) {
        blamed = output;
        tgWarnAboutSize(shot, &job);
        tgHoldInterrupt();
        result = tgOpenBakeJob(&job, &error);
    }
    result = result == tg_success ? tgRunBake(shot, &job, report, &error) : result;
    result = result == tg_success ? tgCloseBakeJob(&job, &error) : result;
    tgCancelBakeJob(&job);
    tgCloseActor(&actor);
    return result == tg_success ? tg_statusDone : tgSayFailed(blamed, &error);
}

/// No frame may replace an input; an .obj is one file a frame.
static int tgRefuseBake(const tgShot* shot, const tgShotOptions* options, const char* output)
{
    if (!tgHasEnding(output, ".obj")) {
        return tgShot_RefuseOutput(shot, options, output);
    }
    size_t size = strlen(output) + 16;
    char* name = malloc(size);
    int status = name != NULL ? tg_statusDone : tgSayFailure(output, "out of memory");
    for (int i = 0; i < shot->frameCount && status == tg_statusDone; ++i) {
        int stemSize = (int)(strlen(output) - strlen(".obj"));
        snprintf(name, size, "%.*s_%04d%s", stemSize, output, shot->firstFrame + i,
                 output + stemSize);
        status = tgShot_RefuseOutput(shot, options, name);
    }
    free(name);
    return status;
}

/// Which parts shake.
static void tgPrintFlesh(const tgShot* shot)
{
    const tgFleshDef* flesh = &shot->settings->flesh;
    for (int i = 0; i < flesh->elementCount; ++i) {
        const tgFleshElement* element = &flesh->elements[i];
        const char* joint = shot->scene->joints[element->driver].name;
        printf("%s%s", i == 0 ? "flesh shakes on " : ", ",
               element->name != NULL ? element->name : joint);
    }
    printf("%s", flesh->elementCount > 0 ? "\n" : "");
}

static void tgPrintText(const tgShot* shot, const char* output, const tgBakeReport* report)
{
    printf("%s: %s of %s at %g fps\n", output,
           tgTellCount(report->frameCount, "frame", "frames").text,
           tgTellCount(shot->scene->vertexCount, "vertex", "vertices").text, shot->fps);
    tgPrintFlesh(shot);
    if (shot->scene->unskinnedMeshCount > 0) {
        bool isGltf = tgHasEnding(output, ".glb") || tgHasEnding(output, ".gltf");
        printf("%s without a skin %s\n",
               tgTellCount(shot->scene->unskinnedMeshCount, "mesh", "meshes").text,
               shot->scene->source == NULL ? "left out: a glTF's are carried over"
               : isGltf                    ? "carried over, and their animation"
                                           : "left out: .glb and .gltf carry them over");
    }
    if (shot->scene->vertexCount > shot->fileVertexCount) {
        printf("refined from %d vertices\n", shot->fileVertexCount);
    }
    if (shot->settings->volume.method != tg_volumeNone && !report->flat && !report->any) {
        printf("it encloses next to nothing: there is no volume to keep\n");
    } else if (shot->settings->volume.method != tg_volumeNone && !report->flat) {
        printf("the volume is within %.1e of its target in every frame\n", fabs(report->error));
    }
    if (fabs(report->residual) > TG_TOLD_RESIDUAL) {
        printf("at frame %d %s %% of it found no place\n", report->residualFrame,
               tgTellPercent(fabs(report->residual)).text);
    }
}

static tgJsonValue* tgMakeJson(tgArena* arena, const tgShot* shot, const char* output,
                               const tgBakeReport* report)
{
    tgJsonValue* object =
        tgPackJson(arena, "{s:o, s:o, s:i, s:i, s:f}", "file", tgMakeJsonText(arena, shot->file),
                   "output", tgMakeJsonText(arena, output), "frames", report->frameCount,
                   "vertices", shot->scene->vertexCount, "fps", shot->fps);
    if (shot->scene->vertexCount > shot->fileVertexCount) {
        tgJson_Set(object, "refinedFrom", tgMakeJsonWhole(arena, shot->fileVertexCount));
    }
    if (shot->settings->volume.method != tg_volumeNone) {
        tgJson_Set(object, "worst", tgMakeJsonNumber(arena, report->error));
        tgJson_Set(object, "residual", tgMakeJsonNumber(arena, report->residual));
    }
    return object;
}

/// One line and tg_statusFailed when a frame could not keep its volume.
static int tgCheckStrictly(const tgShot* shot, const tgBakeReport* report)
{
    if (fabs(report->residual) <= TG_TOLD_RESIDUAL) {
        return tg_statusDone;
    }
    return tgSayFailure(shot->file,
                        "at frame %d %s %% of the volume found no place, wanted all "
                        "of it (--strict); the bake is written",
                        report->residualFrame, tgTellPercent(fabs(report->residual)).text);
}

int tgCommandBake(int argc, char** argv)
{
    const char* output = NULL;
    bool json = false, strict = false;
    tgShotOptions options = tgDefaultShotOptions();
    options.takesAll = true;
    const tgOption table[] = {
        {"-o", TG_BAKE_OUTPUT, tg_optionText, &output,
         "what to write; .obj is a sequence OUT_0000.obj and on"},
        TG_SHOT_OPTIONS(options),
        {"--animation", "NAME|INDEX|all", tg_optionText, &options.animation,
         "which of the file's animations; default the first; all of them in one .glb or .gltf"},
        TG_FRAMES_OPTION(options),
        {"--strict", NULL, tg_optionFlag, &strict,
         "fail when a frame has volume that found no place; the bake is written all the same"},
        {"--json", NULL, tg_optionFlag, &json, "print one JSON object instead of text"},
    };
    const tgVerb verb = {"bake", "FILE -o OUT",
                         true,   "Deform every frame and write it.",
                         table,  sizeof(table) / sizeof(table[0])};
    const char* file;
    tgParse parse = tgParseArguments(&verb, argc, argv, &file);
    if (parse != tg_parseRun) {
        return tgGetParseStatus(parse);
    }
    if (output == NULL) {
        return tgSayUsage("bake wants -o OUT, the file to write");
    }
    tgShot shot;
    tgBakeReport report = {0};
    int status = tgOpenShot(file, &options, &shot);
    status = status == tg_statusDone ? tgRefuseBake(&shot, &options, output) : status;
    status = status == tg_statusDone ? tgShot_FitOutput(&shot, output) : status;
    if (status == tg_statusDone) {
        report.losses = calloc((size_t)shot.scene->jointCount + 1, sizeof(double));
        status = report.losses != NULL ? tgBakeShot(&shot, output, &report)
                                       : tgSayFailure(file, "out of memory");
    }
    if (status == tg_statusDone) {
        tgBakeReport_WarnAboutDents(&report, &shot);
    }
    tgArena arena = {0};
    if (status == tg_statusDone && json) {
        status = tgPrintJson(tgMakeJson(&arena, &shot, output, &report), &arena);
    } else if (status == tg_statusDone) {
        tgPrintText(&shot, output, &report);
    }
    if (status == tg_statusDone && strict) {
        status = tgCheckStrictly(&shot, &report);
    }
    free(report.losses);
    tgCloseShot(&shot);
    return status;
}
