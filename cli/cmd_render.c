// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// turgor render FILE -o OUT.png: a picture of one moment, or a film of all of them.

#include "args.h"
#include "commands.h"
#include "cut.h"
#include "inputs.h"
#include "io/output_file.h"
#include "render.h"
#include "report.h"

#include <math.h>
#include <stdio.h>

typedef struct tgRenderOptions {
    const char *output, *film;
    const char *size, *view, *background, *color;
    const char *show, *joint;
    tgCutDef cut;
    double arrows;
    bool compare, frameAll, noGround, wireframe;
} tgRenderOptions;

/// What can be judged without the file; returns the status.
static int tgReadLook(const tgRenderOptions* options, tgLook* look)
{
    *look = tgDefaultLook();
    look->wireframe = options->wireframe;
    look->hasGround = !options->noGround;
    int status = options->size != NULL ? tgParseSize(options->size, look) : tg_statusDone;
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

static int tgCheckRender(const tgRenderOptions* options, tgMoment* moment)
{
    if (options->output == NULL && options->film == NULL) {
        return tgSayUsage("render wants -o OUT.png or --animate OUT.mp4");
    }
    if (options->output != NULL && !tgHasEnding(options->output, ".png")) {
        return tgSayFailure(options->output, "unknown ending, a picture is written as .png");
    }
    if (options->film != NULL && !tgHasEnding(options->film, ".mp4") &&
        !tgHasEnding(options->film, ".gif")) {
        return tgSayFailure(options->film, "unknown ending, a film is written as .mp4 or .gif");
    }
    if (tgMoment_CountWays(moment) > 1) {
        return tgSayUsage("render wants at most one of --frame, --time, --rotate");
    }
    if (options->film != NULL && moment->rotate.count > 0) {
        return tgSayUsage("--animate goes through the animation, --rotate is one pose of its own");
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
    return tgMoment_Check(moment);
}

static int tgRenderShot(const tgShot* shot, const tgRenderOptions* options, const tgLook* look,
                        tgMoment* moment)
{
    if (tgMoment_CountWays(moment) == 0) {
        moment->frame = shot->firstFrame;
    }
    int status = tgMoment_CheckPlace(moment, shot);
    if (status == tg_statusDone && options->arrows != 0.0 &&
        tgShot_GetTake(shot) != tg_takeCorrected) {
        status = tgSayUsage("--arrows of plain skinning are none, wanted --volume exact or local, "
                            "flesh or bones");
    }
    tgShow show = {0};
    status =
        status == tg_statusDone ? tgOpenShow(options->show, options->joint, shot, &show) : status;
    tgRenderDef def = {.shot = shot,
                       .show = &show,
                       .look = *look,
                       .compare = options->compare,
                       .arrowScale = (float)options->arrows,
                       .frameAnimation = options->frameAll};
    if (status == tg_statusDone && options->output != NULL) {
        tgError error = {0};
        tgPicture* picture = NULL;
        status = options->cut.joint != NULL ? tgRenderCut(&def, &options->cut, moment, &picture)
                                            : tgRenderMoment(&def, moment, &picture);
        tgHoldInterrupt(); // from here on there is a temporary file
        if (status == tg_statusDone &&
            tgPicture_SavePng(picture, options->output, &error) != tg_success) {
            status = tgSayFailed(options->output, &error);
        } else if (status == tg_statusDone) {
            printf("%s: %d x %d pixels\n", options->output, picture->width, picture->height);
        }
        tgDestroyPicture(picture);
    }
    if (status == tg_statusDone && options->film != NULL) {
        status = tgRenderFilm(&def, options->film);
    }
    tgCloseShow(&show);
    return status;
}

int tgCommandRender(int argc, char** argv)
{
    tgRenderOptions options = {0};
    tgMoment moment = tgDefaultMoment();
    tgShotOptions shotOptions = tgDefaultShotOptions();
    const tgOption table[] = {
        {"-o", "OUT.png", tg_optionText, &options.output, "a picture of one moment"},
        {"--animate", "OUT.mp4|OUT.gif", tg_optionText, &options.film,
         "a film of all frames; wants ffmpeg"},
        TG_MOMENT_OPTIONS(moment),
        {"--compare", NULL, tg_optionFlag, &options.compare,
         "linear, dual quaternion and corrected side by side"},
        {"--show", "WHAT", tg_optionText, &options.show,
         "skin, weights, gamma, displacement, flesh, regions or bones; default skin"},
        {"--joint", "NAME", tg_optionText, &options.joint, "weights, gamma or flesh of this joint"},
        {"--arrows", "SCALE", tg_optionNumber, &options.arrows,
         "arrows along the displacements, so many times as long"},
        {"--cut", "JOINT", tg_optionText, &options.cut.joint,
         "the outlines of all takes in a plane through this joint"},
        {"--plane", "PLANE", tg_optionText, &options.cut.plane,
         "of the cut: bend, across or its normal X,Y,Z; default bend"},
        {"--view", "VIEW", tg_optionText, &options.view,
         "front, back, side, right, top, three-quarter or X,Y,Z; default what shows enough"},
        {"--size", "WxH", tg_optionText, &options.size, "pixels; default 960x720"},
        {"--background", "COLOR", tg_optionText, &options.background,
         "#rrggbb, white, black or transparent; default white"},
        {"--color", "COLOR", tg_optionText, &options.color,
         "of the skin, in place of the file's materials"},
        {"--wireframe", NULL, tg_optionFlag, &options.wireframe, "the edges over the skin"},
        {"--no-ground", NULL, tg_optionFlag, &options.noGround, "no shadow below"},
        {"--frame-all", NULL, tg_optionFlag, &options.frameAll,
         "a camera that sees the whole animation from one place"},
        TG_SHOT_OPTIONS(shotOptions),
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
    int status = tgCheckRender(&options, &moment);
    status = status == tg_statusDone ? tgReadLook(&options, &look) : status;
    if (status != tg_statusDone) {
        return status;
    }
    tgShot shot;
    status = tgOpenShot(file, &shotOptions, &shot);
    if (status == tg_statusDone) {
        status = tgShot_RefuseOutput(&shot, &shotOptions, options.output);
    }
    if (status == tg_statusDone) {
        status = tgShot_RefuseOutput(&shot, &shotOptions, options.film);
    }
    if (status == tg_statusDone) {
        status = tgRenderShot(&shot, &options, &look, &moment);
    }
    tgCloseShot(&shot);
    return status;
}
