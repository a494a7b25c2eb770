// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// turgor measure FILE: volume of every frame against the one to keep, what the joints took, and
// what the correction did to the skin.

#include "commands.h"
#include "core/core.h"
#include "inputs.h"
#include "json.h"
#include "measure.h"
#include "measure_page.h"
#include "measure_plot.h"
#include "play/actor.h"
#include "shot.h"

#include <math.h>

/// As many joints are told in the text; the JSON has them all.
enum { tg_toldJoints = 10 };

/// One line of errors in percent.
static void tgPrintErrors(const tgMeasure* measure, int frame)
{
    for (int i = 0; i < measure->takeCount; ++i) {
        tgTake t = measure->takes[i];
        double error =
            frame >= 0 ? tgMeasure_GetError(measure, t, frame) : tgMeasure_GetWorst(measure, t);
        // The corrected one is a matter of rounding.
        printf(t == tg_takeCorrected ? " %+12.1e" : " %+12.3f", 100.0 * error);
    }
    printf("\n");
}

/// In per cent; what rounds to nothing is a dash.
static void tgPrintPart(double part)
{
    if (fabs(part) < 5e-6) {
        printf(" %8s", "-");
    } else {
        printf(" %+8.3f", 100.0 * part);
    }
}

/// What may be said of a joint besides.
static void tgPrintRemark(const tgShot* shot, const tgJointMeasure* at)
{
    float gain = tgShot_GetGain(shot, at->joint);
    double given = at->inside + at->beside + at->spilled;
    if (gain != 1.0f) {
        printf("  (gain %g)", (double)gain);
    }
    if (tgShot_IsChosen(shot, at->joint) && fabs(at->inside) < 0.5 * fabs(given)) {
        printf("  (its profile is full: a larger sigma has room)");
    }
    printf("\n");
}

/// A line for each joint: lost, given back, where, how far its skin went.
static void tgPrintJoints(const tgShot* shot, const tgMeasure* measure, bool all)
{
    bool isExact = shot->settings->volume.method == tg_volumeExact &&
                   shot->settings->volume.mode == tg_modeExact;
    int told = all || measure->lossCount < tg_toldJoints ? measure->lossCount : tg_toldJoints;
    if (measure->lossCount == 0) {
        return;
    }
    printf("\nvolume that bending took, in %% of the target, each joint's worst frame%s\n\n",
           isExact ? "; given back inside its profile, beside it, or\nspilled to all the skin; "
                     "moved: its skin's largest displacement, in % of the diagonal"
                   : "; moved: its skin's\nlargest displacement, in % of the diagonal");
    printf("%9s%s %8s  %s\n", "lost", isExact ? "    given   inside   beside  spilled" : "",
           "moved", "joint");
    for (int i = 0; i < told; ++i) {
        const tgJointMeasure* at = &measure->losses[i];
        tgPrintPart(at->loss);
        if (isExact) {
            tgPrintPart(at->inside + at->beside + at->spilled);
            tgPrintPart(at->inside);
            tgPrintPart(at->beside);
            tgPrintPart(at->spilled);
        }
        printf(" %8.2f  %s", 100.0 * at->displacement,
               tgTellName(shot->scene->joints[at->joint].name).text);
        tgPrintRemark(shot, at);
    }
    if (told < measure->lossCount) {
        printf("%9s and %d more; --all-joints tells them\n", "", measure->lossCount - told);
    }
}

static void tgPrintCorrection(const tgShot* shot, const tgMeasure* measure, bool allJoints)
{
    tgPrintJoints(shot, measure, allJoints);
    printf("\ncorrected volume   within %.1e of its target\n",
           fabs(tgMeasure_GetWorst(measure, tg_takeCorrected)));
    if (fabs(measure->residual) > TG_TOLD_RESIDUAL) {
        printf("residual           %s %% found no place\n",
               tgTellPercent(fabs(measure->residual)).text);
    }
    printf("peak displacement  %.2f %% of the bounding diagonal\n",
           100.0 * measure->peakDisplacement);
}

static void tgPrintText(const tgShot* shot, const tgMeasure* measure, bool allJoints)
{
    static const char* const tg_heads[] = {"linear %", "dual quat %", "blend %", "corrected %"};
    printf("%s: rest volume %.9g", shot->file, measure->restVolume);
    if (measure->noInsideCount > 0) {
        printf(", of %d of %d pieces", measure->componentCount - measure->noInsideCount,
               measure->componentCount);
    }
    printf("\n\n%7s %9s %14s", "frame", "time s", "target");
    for (int i = 0; i < measure->takeCount; ++i) {
        printf(" %12s", tg_heads[measure->takes[i]]);
    }
    printf("\n");
    for (int i = 0; i < measure->frameCount; ++i) {
        printf("%7d %9.4f %14.6g", measure->frames[i], measure->times[i], measure->targets[i]);
        tgPrintErrors(measure, i);
    }
    printf("\n%7s %9s %14s", "worst", "", "");
    tgPrintErrors(measure, -1);
    printf("  %-30s", "flipped faces");
    for (int i = 0; i < measure->takeCount; ++i) {
        printf(" %12d", measure->flipped[measure->takes[i]]);
    }
    printf("\n  %-30s", "crossed triangles");
    for (int i = 0; i < measure->takeCount; ++i) {
        printf(" %12d", measure->crossed[measure->takes[i]]);
    }
    printf("  (pairs; %d in the bind pose)\n", measure->restCrossed);
    tgSampledText sampled = tgMeasure_TellSampling(measure, shot);
    printf(sampled.text[0] != '\0' ? "\n%s\n" : "%s", sampled.text);
    if (shot->scene->unskinnedMeshCount > 0) {
        printf("\nwithout a skin     %s, not measured: no joint changes their volume\n",
               tgTellCount(shot->scene->unskinnedMeshCount, "mesh", "meshes").text);
    }
    if (tgMeasure_HasScale(measure)) {
        printf("\nvolume to keep     %.2f to %.2f %% of the bind volume\n",
               100.0 * measure->targetScales[0], 100.0 * measure->targetScales[1]);
    }
    if (measure->isCorrected) {
        tgPrintCorrection(shot, measure, allJoints);
    }
}

static const char* const tg_keys[] = {"linear", "dualQuaternion", "blend", "corrected"};

static tgJsonValue* tgMakeFramesJson(tgArena* arena, const tgMeasure* measure)
{
    tgJsonValue* frames = tgMakeJsonList(arena);
    for (int i = 0; i < measure->frameCount; ++i) {
        tgJsonValue* frame = tgPackJson(arena, "{s:i, s:f, s:f}", "frame", measure->frames[i],
                                        "time", measure->times[i], "target", measure->targets[i]);
        for (int k = 0; k < measure->takeCount; ++k) {
            tgTake t = measure->takes[k];
            tgJson_Set(frame, tg_keys[t], tgMakeJsonNumber(arena, measure->volumes[t][i]));
        }
        tgJson_Append(frames, frame);
    }
    return frames;
}

static tgJsonValue* tgMakeJson(tgArena* arena, const tgShot* shot, const tgMeasure* measure)
{
    tgJsonValue *worst = tgMakeJsonObject(arena), *flipped = tgMakeJsonObject(arena),
                *joints = tgMakeJsonList(arena);
    tgJsonValue* crossed = tgPackJson(arena, "{s:i}", "rest", measure->restCrossed);
    for (int i = 0; i < measure->takeCount; ++i) {
        tgTake t = measure->takes[i];
        tgJson_Set(worst, tg_keys[t], tgMakeJsonNumber(arena, tgMeasure_GetWorst(measure, t)));
        tgJson_Set(flipped, tg_keys[t], tgMakeJsonWhole(arena, measure->flipped[t]));
        tgJson_Set(crossed, tg_keys[t], tgMakeJsonWhole(arena, measure->crossed[t]));
    }
    for (int i = 0; i < measure->lossCount; ++i) {
        const tgJointMeasure* at = &measure->losses[i];
        int index = at->joint;
        tgJsonValue* joint =
            tgPackJson(arena, "{s:o, s:f, s:i, s:f}", "name",
                       tgMakeJsonText(arena, shot->scene->joints[index].name), "loss", at->loss,
                       "frame", at->frame, "displacement", at->displacement);
        if (shot->settings->volume.method == tg_volumeExact &&
            shot->settings->volume.mode == tg_modeExact) {
            tgJson_Set(joint, "inside", tgMakeJsonNumber(arena, at->inside));
            tgJson_Set(joint, "beside", tgMakeJsonNumber(arena, at->beside));
            tgJson_Set(joint, "spilled", tgMakeJsonNumber(arena, at->spilled));
        }
        float gain = tgShot_GetGain(shot, index);
        if (gain != 1.0f) {
            tgJson_Set(joint, "gain", tgMakeJsonNumber(arena, (double)gain));
        }
        tgJson_Append(joints, joint);
    }
    tgJsonValue* object = tgPackJson(
        arena, "{s:o, s:i, s:i, s:i, s:f, s:o, s:o}", "file", tgMakeJsonText(arena, shot->file),
        "components", measure->componentCount, "componentsWithoutVolume", measure->noInsideCount,
        "frames", measure->frameCount, "restVolume", measure->restVolume, "perFrame",
        tgMakeFramesJson(arena, measure), "worst", worst);
    if (measure->isCorrected) {
        tgJson_Set(object, "joints", joints);
        tgJson_Set(object, "peakDisplacement", tgMakeJsonNumber(arena, measure->peakDisplacement));
        tgJson_Set(object, "residual", tgMakeJsonNumber(arena, fabs(measure->residual)));
    }
    tgJson_Set(object, "targetScale",
               tgPackJson(arena, "{s:f, s:f}", "min", measure->targetScales[0], "max",
                          measure->targetScales[1]));
    if (tgMeasure_TellSampling(measure, shot).text[0] != '\0') {
        tgJson_Set(object, "sampled",
                   tgPackJson(arena, "{s:i, s:i, s:i}", "frames", measure->frameCount, "of",
                              shot->frameCount, "crossings", measure->crossingCount));
    }
    if (shot->scene->unskinnedMeshCount > 0) {
        tgJson_Set(object, "unskinnedMeshes",
                   tgMakeJsonWhole(arena, shot->scene->unskinnedMeshCount));
    }
    tgJson_Set(object, "flippedFaces", flipped);
    tgJson_Set(object, "selfIntersections", crossed);
    return object;
}

/// One line and tg_statusFailed when a frame misses its volume by more than `most`.
static int tgCheckError(const tgShot* shot, const tgMeasure* measure, double most)
{
    tgTake take = measure->isCorrected ? tg_takeCorrected : (tgTake)shot->settings->skinning;
    int frame = tgMeasure_GetWorstFrame(measure, take);
    double error = tgMeasure_GetError(measure, take, frame);
    if (isnan(most) || fabs(error) <= most) {
        return tg_statusDone;
    }
    return tgSayFailure(shot->file, "frame %d misses its volume by %.3g, wanted at most %g",
                        measure->frames[frame], error, most);
}

/// What is made of the measures.
typedef struct tgOutputs {
    bool json, allJoints, everyFrame;
    const char *plot, *page, *themeName; ///< NULL for none
    int theme;                           ///< a tgTheme
    double mostError;                    ///< NaN for any
} tgOutputs;

/// Everything that was asked for, then the judgement.
static int tgTell(const tgShot* shot, const tgMeasure* measure, const tgOutputs* outputs)
{
    int status = tg_statusDone;
    tgArena arena = {0};
    if (outputs->json) {
        status = tgPrintJson(tgMakeJson(&arena, shot, measure), &arena);
    } else {
        tgPrintText(shot, measure, outputs->allJoints);
    }
    return status == tg_statusDone ? tgCheckError(shot, measure, outputs->mostError) : status;
}

/// Says what is wrong with them; returns the status.
static int tgCheckOutputs(tgOutputs* outputs)
{
    static const char* const tg_themes[] = {"auto", "light", "dark", NULL}; // as in tgTheme
    const char* theme = outputs->themeName;
    if (outputs->mostError < 0.0) {
        return tgSayUsage("--max-error is %g, wanted 0 or more", outputs->mostError);
    }
    outputs->theme = theme != NULL ? tgParseChoice("--theme", theme, tg_themes) : tg_themeAuto;
    return outputs->theme < 0 ? tg_statusUsage : tg_statusDone;
}

static int tgMeasureFile(const char* file, const tgShotOptions* options, const tgOutputs* outputs)
{
    tgShot shot;
    tgMeasure measure = {0};
    int status = tgOpenShot(file, options, &shot);
    status = status == tg_statusDone ? tgShot_RefuseOutput(&shot, options, outputs->plot) : status;
    status = status == tg_statusDone ? tgShot_RefuseOutput(&shot, options, outputs->page) : status;
    if (status == tg_statusDone) {
        // A frame that was left out could be the one that misses its volume.
        tgSampling sampling = outputs->everyFrame         ? tg_sampleNothing
                              : isnan(outputs->mostError) ? tg_sampleFrames
                                                          : tg_sampleCrossings;
        status = tgMeasureShot(&shot, sampling, &measure);
    }
    if (status == tg_statusDone && outputs->plot != NULL) {
        status = tgPlotMeasure(&measure, file, (tgTheme)outputs->theme, outputs->plot);
    }
    if (status == tg_statusDone && outputs->page != NULL) {
        status = tgWriteMeasurePage(&shot, options, &measure, outputs->page);
    }
    if (status == tg_statusDone) {
        status = tgTell(&shot, &measure, outputs);
    }
    tgFreeMeasure(&measure);
    tgCloseShot(&shot);
    return status;
}

int tgCommandMeasure(int argc, char** argv)
{
    tgOutputs outputs = {.mostError = (double)NAN};
    tgShotOptions options = tgDefaultShotOptions();
    const tgOption table[] = {
        TG_SHOT_OPTIONS(options),
        TG_ANIMATION_OPTION(options),
        TG_FRAMES_OPTION(options),
        {"--plot", "OUT.svg", tg_optionText, &outputs.plot, "draw volume over time"},
        {"--theme", "auto|light|dark", tg_optionText, &outputs.themeName,
         "of the plot; auto follows the reader's system; default auto"},
        {"--report", "OUT.html", tg_optionText, &outputs.page,
         "one page: the worst frames, volume over time, joints by loss, settings, warnings"},
        {"--max-error", "E", tg_optionNumber, &outputs.mostError,
         "fail when the corrected volume misses its target by more, in any frame: 1e-6"},
        {"--every-frame", NULL, tg_optionFlag, &outputs.everyFrame,
         "measure all frames of dense meshes too; default: as many as take a few seconds"},
        {"--all-joints", NULL, tg_optionFlag, &outputs.allJoints,
         "tell what every joint lost; default the 10 that lost most"},
        {"--json", NULL, tg_optionFlag, &outputs.json, "print one JSON object instead of text"},
    };
    const tgVerb verb = {"measure",
                         "FILE",
                         true,
                         "Volume of every frame, linear, dual quaternion and corrected, against "
                         "the volume to keep: joint\nscales and lengths of the frame, rotations at "
                         "rest.",
                         table,
                         sizeof(table) / sizeof(table[0])};
    const char* file;
    tgParse parse = tgParseArguments(&verb, argc, argv, &file);
    if (parse != tg_parseRun) {
        return tgGetParseStatus(parse);
    }
    int status = tgCheckOutputs(&outputs);
    return status == tg_statusDone ? tgMeasureFile(file, &options, &outputs) : status;
}
