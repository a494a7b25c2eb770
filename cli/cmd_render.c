// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// turgor render FILE -o OUT.png: a picture of one moment, or a film of all of them.

#include "args.h"
#include "commands.h"
#include "cut.h"
#include "inputs.h"
#include "render.h"
#include "render_settings.h"
#include "report.h"
#include "watch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct tgRenderOptions {
    const char *output, *film;
    const char *view, *background, *color;
    tgTextList sizes; ///< pixels WxH, and how much is seen of a joint in focus
    const char *show, *joint, *focus;
    const char* pair[2]; ///< settings files to compare
    tgCutDef cut;
    double arrows;
    float focusSize; ///< of `sizes`: in limb radii
    bool compare, frameAll, noGround, wireframe, watch;
} tgRenderOptions;

/// How much is seen of a joint, in limb radii, and the most that makes sense.
static const float tg_focusSize = 5.0f, tg_mostFocus = 1000.0f;

/// WxH in pixels; a plain number is for the focus.
static int tgReadSizes(tgRenderOptions* options, tgLook* look)
{
    int status = tg_statusDone;
    options->focusSize = tg_focusSize;
    for (int i = 0; i < options->sizes.count && status == tg_statusDone; ++i) {
        const char* text = options->sizes.values[i];
        char* end = NULL;
        double number = strtod(text, &end);
        if (end == text || *end != '\0') {
            status = tgParseSize(text, look);
        } else if (options->focus == NULL) {
            status = tgSayUsage("--size %s is no WxH in pixels; a number of limb radii goes with "
                                "--focus JOINT",
                                text);
        } else if (!(number > 0.0 && number <= (double)tg_mostFocus)) {
            status = tgSayUsage("--size is %s, wanted more than 0 and at most %g limb radii", text,
                                (double)tg_mostFocus);
        } else {
            options->focusSize = (float)number;
        }
    }
    return status;
}

/// What can be judged without the file; returns the status.
static int tgReadLook(tgRenderOptions* options, tgLook* look)
{
    *look = tgDefaultLook();
    look->wireframe = options->wireframe;
    look->hasGround = !options->noGround;
    int status = tgReadSizes(options, look);
    if (status == tg_statusDone && options->view != NULL) {
        status = tgParseView(options->view, look);
    }
    if (status == tg_statusDone && options->background != NULL) {
        status = tgParseBackground(options->background, look);
    }
    if (status == tg_statusDone && options->color != NULL) {
        status = tgParseSkinColor(options->color, look);
    }
    return status;
}

/// What does not go together with a picture of a joint, of two settings, or one that is drawn
/// again.
static int tgCheckPicture(const tgRenderOptions* options, const tgShotOptions* shotOptions)
{
    bool isPair = options->pair[0] != NULL;
    if (isPair && (options->film != NULL || options->output == NULL)) {
        return tgSayUsage("--compare-settings is a picture, wanted -o OUT.png without --animate");
    }
    if (isPair && (options->compare || options->cut.joint != NULL)) {
        return tgSayUsage("--compare-settings has two panels of its own, wanted it without %s",
                          options->compare ? "--compare" : "--cut");
    }
    if (isPair && shotOptions->settings != NULL) {
        return tgSayUsage("--compare-settings names both files, wanted it without --settings");
    }
    if (options->focus != NULL && options->cut.joint != NULL) {
        return tgSayUsage("--cut has a view of its own, wanted it without --focus");
    }
    if (options->focus != NULL && options->frameAll) {
        return tgSayUsage(
            "--focus looks at a joint, --frame-all at everything: wanted one of them");
    }
    if (options->watch && options->film != NULL) {
        return tgSayUsage("--watch draws a picture again, wanted -o OUT.png without --animate");
    }
    if (options->watch && shotOptions->settings == NULL && !isPair) {
        return tgSayUsage(
            "--watch waits for a settings file to change, wanted --settings FILE.json "
            "or --compare-settings");
    }
    return tg_statusDone;
}

static int tgCheckRender(const tgRenderOptions* options, const tgShotOptions* shotOptions,
                         tgMoment* moment)
{
    if (options->output == NULL && options->film == NULL) {
        return tgSayUsage("render wants -o OUT.png or --animate OUT.mp4");
    }
    if (tgMoment_CountWays(moment) > 1) {
        return tgSayUsage("render wants at most one of --frame, --time, --rotate or --bend");
    }
    if (options->film != NULL && tgMoment_IsTurned(moment)) {
        return tgSayUsage("--animate goes through the animation, %s is one pose of its own",
                          moment->rotate.count > 0 ? "--rotate" : "--bend");
    }
    if (options->film != NULL && options->cut.joint != NULL) {
        return tgSayUsage("--cut is a picture, wanted -o OUT.png without --animate");
    }
    if (options->cut.plane != NULL && options->cut.joint == NULL) {
        return tgSayUsage("--plane goes with --cut JOINT");
    }
    if (!(fabs(options->arrows) <= 1000.0)) {
        return tgSayUsage("--arrows is %g, wanted up to 1000 times the displacement",
                          options->arrows);
    }
    int status = tgCheckPicture(options, shotOptions);
    return status == tg_statusDone ? tgMoment_Check(moment) : status;
}

/// One shot and what is drawn of it.
typedef struct tgSet {
    tgShot shot;
    tgShow show;
    tgFocus focus;
    tgRenderDef def;
} tgSet;

/// Returns the status; close it in either case.
static int tgOpenSet(const char* file, const tgShotOptions* shotOptions,
                     const tgRenderOptions* options, const tgLook* look, tgSet* set)
{
    *set = (tgSet){.focus = {.name = NULL}};
    int status = tgOpenShot(file, shotOptions, &set->shot);
    if (status == tg_statusDone) {
        status = tgShot_RefuseOutput(&set->shot, shotOptions, options->output);
    }
    if (status == tg_statusDone) {
        status = tgShot_RefuseOutput(&set->shot, shotOptions, options->film);
    }
    if (status == tg_statusDone && options->arrows != 0.0 &&
        tgShot_GetTake(&set->shot) != tg_takeCorrected) {
        status = tgSayUsage("--arrows of plain skinning are none, wanted --volume exact or local, "
                            "flesh or bones");
    }
    if (status == tg_statusDone && options->focus != NULL) {
        status = tgOpenFocus(options->focus, options->focusSize, &set->shot, &set->focus);
    }
    if (status == tg_statusDone) {
        status = tgOpenShow(options->show, options->joint, &set->shot, &set->show);
    }
    set->def = (tgRenderDef){.shot = &set->shot,
                             .show = &set->show,
                             .look = *look,
                             .joint = options->focus != NULL ? &set->focus : NULL,
                             .compare = options->compare,
                             .arrowScale = (float)options->arrows,
                             .frameAnimation = options->frameAll};
    return status;
}

static void tgCloseSet(tgSet* set)
{
    tgCloseShow(&set->show);
    tgCloseFocus(&set->focus);
    tgCloseShot(&set->shot);
}

/// Returns the status.
static int tgSavePicture(const tgPicture* picture, const char* output)
{
    tgError error = {0};
    tgHoldInterrupt(); // from here on there is a temporary file
    if (tgPicture_SavePng(picture, output, &error) != tg_success) {
        return tgSayFailed(output, &error);
    }
    printf("%s: %d x %d pixels\n", output, picture->width, picture->height);
    return tg_statusDone;
}

/// What the command line asks for.
typedef struct tgRenderJob {
    const char* file;
    const tgRenderOptions* options;
    const tgShotOptions* shotOptions;
    const tgLook* look;
    const tgMoment* moment;
} tgRenderJob;

/// The picture of one or two settings, and the film; returns the status.
static int tgDrawSets(const tgRenderJob* job, tgSet sets[2], tgMoment* moment)
{
    const tgRenderOptions* options = job->options;
    bool isPair = options->pair[0] != NULL;
    if (tgMoment_CountWays(moment) == 0) {
        moment->frame = sets[0].shot.firstFrame;
    }
    int status = tgMoment_Settle(moment, &sets[0].shot);
    tgPicture* picture = NULL;
    if (status == tg_statusDone && isPair) {
        tgSettingsPair pair = {{options->pair[0], options->pair[1]}, {sets[0].def, sets[1].def}};
        status = tgRenderSettings(&pair, moment, &picture);
    } else if (status == tg_statusDone && options->output != NULL) {
        status = options->cut.joint != NULL
                     ? tgRenderCut(&sets[0].def, &options->cut, moment, &picture)
                     : tgRenderMoment(&sets[0].def, moment, &picture);
    }
    if (status == tg_statusDone && picture != NULL) {
        status = tgSavePicture(picture, options->output);
    }
    tgDestroyPicture(picture);
    if (status == tg_statusDone && options->film != NULL) {
        status = tgRenderFilm(&sets[0].def, options->film);
    }
    return status;
}

/// All of it, from the files on; returns the status.
static int tgRender(const tgRenderJob* job)
{
    bool isPair = job->options->pair[0] != NULL;
    tgMoment moment = *job->moment;
    tgSet* sets = calloc(2, sizeof(tgSet));
    int status = sets != NULL ? tg_statusDone : tgSayFailure(job->file, "out of memory");
    for (int i = 0; i < (isPair ? 2 : 1) && status == tg_statusDone; ++i) {
        tgShotOptions shotOptions = *job->shotOptions;
        shotOptions.settings = isPair ? job->options->pair[i] : shotOptions.settings;
        status = tgOpenSet(job->file, &shotOptions, job->options, job->look, &sets[i]);
    }
    if (status == tg_statusDone) {
        status = tgDrawSets(job, sets, &moment);
    }
    for (int i = 0; i < 2 && sets != NULL; ++i) {
        tgCloseSet(&sets[i]);
    }
    tgFreeMoment(&moment);
    free(sets);
    return status;
}

/// Whenever a settings file changes, until Ctrl-C. What is wrong with it is told, and then waited
/// for to be mended.
static int tgRenderAgain(const tgRenderJob* job)
{
    const char* paths[] = {job->shotOptions->settings, job->options->pair[0], job->options->pair[1],
                           job->file};
    tgWatch watch;
    tgHoldInterrupt();
    tgOpenWatch(paths, 4, &watch);
    int status = tgRender(job);
    if (status == tg_statusUsage || access(job->file, R_OK) != 0) {
        tgCloseWatch(&watch);
        return status;
    }
    printf("watching the settings; Ctrl-C ends it\n");
    fflush(stdout);
    while (tgWatch_Wait(&watch)) {
        tgRender(job);
        fflush(stdout);
    }
    tgCloseWatch(&watch);
    return tg_statusDone;
}

int tgCommandRender(int argc, char** argv)
{
    tgRenderOptions options = {0};
    tgMoment moment = tgDefaultMoment();
    tgShotOptions shotOptions = tgDefaultShotOptions();
    const tgOption table[] = {
        {"-o", "OUT.png", tg_optionText, &options.output, "a picture of one moment"},
        {"--animate", "OUT.mp4|.gif", tg_optionText, &options.film,
         "a film of all frames; wants ffmpeg"},
        TG_MOMENT_OPTIONS(moment),
        {"--compare", NULL, tg_optionFlag, &options.compare,
         "linear, dual quaternion and corrected side by side"},
        {"--compare-settings", "FILE.json FILE.json", tg_optionPair, options.pair,
         "one moment under two settings, and what differs"},
        {"--watch", NULL, tg_optionFlag, &options.watch,
         "draw it again whenever the settings file changes; Ctrl-C ends it"},
        {"--show", "WHAT", tg_optionText, &options.show,
         "skin, weights, gamma, displacement, flesh, aptness, regions or bones; default skin"},
        {"--joint", "NAME", tg_optionText, &options.joint,
         "weights, gamma, flesh or aptness of this joint"},
        {"--focus", "JOINT", tg_optionText, &options.focus,
         "look at this joint; with --compare what it lost is told"},
        {"--arrows", "SCALE", tg_optionNumber, &options.arrows,
         "arrows along the displacements, so many times as long"},
        {"--cut", "JOINT", tg_optionText, &options.cut.joint,
         "the outlines of all takes in a plane through this joint"},
        {"--plane", "PLANE", tg_optionText, &options.cut.plane,
         "of the cut: bend, across or its normal X,Y,Z; default bend"},
        {"--view", "VIEW", tg_optionText, &options.view,
         "front, back, side, right, top, three-quarter or X,Y,Z; default what shows enough"},
        {"--size", "WxH|R", tg_optionTexts, &options.sizes,
         "pixels, default 960x720; or how many limb radii about a joint in focus, default 5"},
        {"--background", "COLOR", tg_optionText, &options.background,
         "#rrggbb, white, black or transparent; default white"},
        {"--color", "COLOR", tg_optionText, &options.color,
         "of the skin, in place of the file's materials"},
        {"--wireframe", NULL, tg_optionFlag, &options.wireframe, "the edges over the skin"},
        {"--no-ground", NULL, tg_optionFlag, &options.noGround, "no shadow below"},
        {"--frame-all", NULL, tg_optionFlag, &options.frameAll,
         "a camera that sees the whole animation from one place"},
        TG_SHOT_OPTIONS(shotOptions),
        TG_ANIMATION_OPTION(shotOptions),
        TG_FRAMES_OPTION(shotOptions),
    };
    const tgVerb verb = {"render", "FILE -o OUT.png",
                         true,     "A picture of one frame, or a film, in soft light.",
                         table,    sizeof(table) / sizeof(table[0])};
    const char* file;
    tgParse parse = tgParseArguments(&verb, argc, argv, &file);
    if (parse != tg_parseRun) {
        return tgGetParseStatus(parse);
    }
    tgLook look;
    int status = tgCheckRender(&options, &shotOptions, &moment);
    status = status == tg_statusDone ? tgReadLook(&options, &look) : status;
    if (status != tg_statusDone) {
        return status;
    }
    tgRenderJob job = {file, &options, &shotOptions, &look, &moment};
    return options.watch ? tgRenderAgain(&job) : tgRender(&job);
}
