// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// turgor measure FILE: volume of every frame against the one to keep.

#include "commands.h"
#include "io/output_file.h"
#include "json.h"
#include "measure.h"
#include "shot.h"

static void tgPrintText(const tgShot* shot, const tgMeasure* measure)
{
    printf("%s: rest volume %.9g\n\n", shot->file, measure->restVolume);
    printf("%7s %9s %14s %12s %12s\n", "frame", "time s", "target", "linear %", "dual quat %");
    for (int i = 0; i < measure->frameCount; ++i) {
        printf("%7d %9.4f %14.6g %+12.3f %+12.3f\n", shot->firstFrame + i, measure->times[i],
               measure->targets[i], 100.0 * tgMeasure_GetError(measure, tg_linear, i),
               100.0 * tgMeasure_GetError(measure, tg_dualQuaternion, i));
    }
    printf("\n%7s %9s %14s %+12.3f %+12.3f\n", "worst", "", "",
           100.0 * tgMeasure_GetWorst(measure, tg_linear),
           100.0 * tgMeasure_GetWorst(measure, tg_dualQuaternion));
}

static json_t* tgMakeJson(const tgShot* shot, const tgMeasure* measure)
{
    json_t* frames = json_array();
    for (int i = 0; i < measure->frameCount; ++i) {
        json_array_append_new(frames,
                              json_pack("{s:i, s:f, s:f, s:f, s:f}", "frame", shot->firstFrame + i,
                                        "time", measure->times[i], "target", measure->targets[i],
                                        "linear", measure->volumes[tg_linear][i], "dualQuaternion",
                                        measure->volumes[tg_dualQuaternion][i]));
    }
    return json_pack("{s:o, s:i, s:f, s:o, s:{s:f, s:f}}", "file", tgJsonText(shot->file), "frames",
                     measure->frameCount, "restVolume", measure->restVolume, "perFrame", frames,
                     "worst", "linear", tgMeasure_GetWorst(measure, tg_linear), "dualQuaternion",
                     tgMeasure_GetWorst(measure, tg_dualQuaternion));
}

int tgCommandMeasure(int argc, char** argv)
{
    bool json = false;
    const char* plot = NULL;
    tgShotOptions options = tgDefaultShotOptions();
    const tgOption table[] = {
        TG_SHOT_OPTIONS(options),
        {"--plot", "OUT.svg", tg_optionText, &plot, "draw volume over time"},
        {"--json", NULL, tg_optionFlag, &json, "print one JSON object instead of text"},
    };
    const tgVerb verb = {"measure",
                         "FILE",
                         true,
                         "Volume of every frame, linear and dual quaternion, against the volume to "
                         "keep: joint scales\nand translations of the frame, rotations at rest.",
                         table,
                         sizeof(table) / sizeof(table[0])};
    const char* file;
    tgParse parse = tgParseArguments(&verb, argc, argv, &file);
    if (parse != tg_parseRun) {
        return parse == tg_parseDone ? tg_statusDone : tg_statusUsage;
    }
    tgShot shot;
    tgMeasure measure = {0};
    if (plot != NULL && !tgHasEnding(plot, ".svg")) {
        return tgSayFailure(plot, "unknown ending, a plot is written as .svg");
    }
    int status = tgOpenShot(file, &options, &shot);
    if (status == tg_statusDone) {
        status = tgMeasureShot(&shot, &measure);
    }
    if (status == tg_statusDone && plot != NULL) {
        status = tgPlotMeasure(&measure, file, plot);
    }
    if (status == tg_statusDone && json) {
        status = tgPrintJson(tgMakeJson(&shot, &measure));
    } else if (status == tg_statusDone) {
        tgPrintText(&shot, &measure);
    }
    tgFreeMeasure(&measure);
    tgCloseShot(&shot);
    return status;
}
