// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// turgor demo [-o DIR]: the main job on embedded characters. The elephant sits down, its belly
// folds and its trunk curls; the giraffe's neck bends like a rubber tube; the human sits down, and
// buttocks and thighs shake. For each it writes the rigged character, its settings, its bake, a
// picture of the frame that lost most and a plot, and prints the table.

#include "args.h"
#include "commands.h"
#include "demo_settings.h"
#include "io/output_file.h"
#include "measure.h"
#include "measure_plot.h"
#include "render.h"
#include "report.h"
#include "turgor/io.h"
#include "turgor/models.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { tg_pathSize = 1024 };

/// One character of the demo.
typedef struct tgDemo {
    const char* model;
    const char* title;
    const char* settings; ///< the text of its settings file
    tgVec3 direction;     ///< to look from
} tgDemo;

static const tgDemo tg_demos[] = {
    {.model = "elephant",
     .title = "The elephant sits down: volume over time",
     .settings = tg_elephantSettings,
     .direction = {1.0f, 0.1f, 0.3f}},
    {.model = "giraffe",
     .title = "The giraffe bends its neck: volume over time",
     .settings = tg_giraffeSettings,
     .direction = {0.9f, 0.2f, 0.6f}},
    {.model = "human",
     .title = "The human sits down: volume over time",
     .settings = tg_humanSettings,
     .direction = {0.8f, 0.15f, 0.6f}},
};

/// Where its files go.
typedef struct tgDemoPaths {
    char rigged[tg_pathSize], settings[tg_pathSize], baked[tg_pathSize];
    char picture[tg_pathSize], plot[tg_pathSize];
} tgDemoPaths;

static void tgPrintTable(const tgMeasure* measure)
{
    printf("%8s %12s %12s %12s\n", "time s", "linear %", "dual quat %", "corrected %");
    int step = measure->frameCount > 12 ? (measure->frameCount + 11) / 12 : 1;
    for (int i = 0; i < measure->frameCount; i += step) {
        printf("%8.2f %+12.2f %+12.2f %+12.1e\n", measure->times[i],
               100.0 * tgMeasure_GetError(measure, tg_takeLinear, i),
               100.0 * tgMeasure_GetError(measure, tg_takeDualQuaternion, i),
               100.0 * tgMeasure_GetError(measure, tg_takeCorrected, i));
    }
    printf("%8s %+12.2f %+12.2f %+12.1e\n\n", "worst",
           100.0 * tgMeasure_GetWorst(measure, tg_takeLinear),
           100.0 * tgMeasure_GetWorst(measure, tg_takeDualQuaternion),
           100.0 * tgMeasure_GetWorst(measure, tg_takeCorrected));
}

/// The character and its settings as files, for the verbs to read; returns the status.
static int tgWriteInputs(const tgDemo* demo, const tgDemoPaths* paths)
{
    tgError error = {0};
    tgScene* scene = tgCreateModel(demo->model, 0, &error);
    tgHoldInterrupt();
    tgResult result = scene != NULL ? tgSaveScene(scene, paths->rigged, &error) : error.code;
    tgDestroyScene(scene);
    if (result != tg_success) {
        return tgSayFailed(paths->rigged, &error);
    }
    tgOutputFile file = {0};
    result = tgOutputFile_Open(&file, paths->settings, &error);
    if (result == tg_success) {
        result = tgOutputFile_Write(&file, demo->settings, strlen(demo->settings), &error);
    }
    result = result == tg_success ? tgOutputFile_Finish(&file, &error) : result;
    result = result == tg_success ? tgOutputFile_Commit(&file, &error) : result;
    tgOutputFile_Discard(&file);
    return result == tg_success ? tg_statusDone : tgSayFailed(paths->settings, &error);
}

/// The frame that lost most, under all takes; returns the status.
static int tgDrawDemo(const tgDemo* demo, const tgShot* shot, const tgMeasure* measure,
                      const char* path)
{
    tgShow show = {0};
    tgRenderDef def = {.shot = shot, .show = &show, .look = tgDefaultLook(), .compare = true};
    def.look.hasView = true;
    def.look.direction = demo->direction;
    tgMoment moment = tgDefaultMoment();
    moment.frame = measure->frames[tgMeasure_GetWorstFrame(measure, tg_takeLinear)];
    tgError error = {0};
    tgPicture* picture = NULL;
    int status = tgOpenShow(NULL, NULL, shot, &show);
    status = status == tg_statusDone ? tgRenderMoment(&def, &moment, &picture) : status;
    if (status == tg_statusDone && tgPicture_SavePng(picture, path, &error) != tg_success) {
        status = tgSayFailed(path, &error);
    }
    tgDestroyPicture(picture);
    tgCloseShow(&show);
    return status;
}

/// The table, the plot and the picture; returns the status.
static int tgTellDemo(const tgDemo* demo, const tgDemoPaths* paths)
{
    tgShot shot;
    tgMeasure measure = {0};
    tgShotOptions options = tgDefaultShotOptions();
    options.settings = paths->settings;
    int status = tgOpenShot(paths->rigged, &options, &shot);
    status = status == tg_statusDone ? tgMeasureShot(&shot, tg_sampleNothing, &measure) : status;
    if (status == tg_statusDone) {
        printf("\nvolume of the %s, against the volume to keep:\n\n", demo->model);
        tgPrintTable(&measure);
        status = tgPlotMeasure(&measure, demo->title, tg_themeAuto, paths->plot);
    }
    status = status == tg_statusDone ? tgDrawDemo(demo, &shot, &measure, paths->picture) : status;
    tgFreeMeasure(&measure);
    tgCloseShot(&shot);
    return status;
}

static int tgRunDemo(const tgDemo* demo, const char* folder)
{
    tgDemoPaths paths;
    snprintf(paths.rigged, tg_pathSize, "%s/%s.glb", folder, demo->model);
    snprintf(paths.settings, tg_pathSize, "%s/%s.json", folder, demo->model);
    snprintf(paths.baked, tg_pathSize, "%s/%s_baked.glb", folder, demo->model);
    snprintf(paths.picture, tg_pathSize, "%s/%s.png", folder, demo->model);
    snprintf(paths.plot, tg_pathSize, "%s/%s_volume.svg", folder, demo->model);
    int status = tgWriteInputs(demo, &paths);
    if (status == tg_statusDone) {
        char* bake[] = {paths.rigged, "--settings", paths.settings, "-o", paths.baked};
        status = tgCommandBake(sizeof(bake) / sizeof(bake[0]), bake);
    }
    status = status == tg_statusDone ? tgTellDemo(demo, &paths) : status;
    if (status == tg_statusDone) {
        printf("rigged    %s\nsettings  %s\nbaked     %s\npicture   %s\nplot      %s\n\n",
               paths.rigged, paths.settings, paths.baked, paths.picture, paths.plot);
    }
    return status;
}

int tgCommandDemo(int argc, char** argv)
{
    const char* folder = "demo";
    const tgOption table[] = {
        {"-o", "DIR", tg_optionText, &folder, "where to write; default demo"},
    };
    const tgVerb verb = {
        "demo", NULL,
        false,  "Bake the embedded elephant, giraffe and human: GLB, picture, plot, table.",
        table,  1};
    const char* operand;
    tgParse parse = tgParseArguments(&verb, argc, argv, &operand);
    if (parse != tg_parseRun) {
        return tgGetParseStatus(parse);
    }
    if (strlen(folder) + 32 > tg_pathSize) {
        return tgSayFailure(folder, "is too long a name, at most %d bytes", tg_pathSize - 32);
    }
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        return tgSayFailure(folder, "cannot be made: %s", strerror(errno));
    }
    int status = tg_statusDone;
    for (size_t i = 0; i < sizeof(tg_demos) / sizeof(tg_demos[0]) && status == tg_statusDone; ++i) {
        status = tgRunDemo(&tg_demos[i], folder);
    }
    return status;
}
