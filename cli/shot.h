// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What bake, pose and measure share: a file, one of its animations, a range of frames, the
// skinning.
#ifndef TURGOR_CLI_SHOT_H
#define TURGOR_CLI_SHOT_H

#include "args.h"
#include "threads.h"
#include "turgor/scene.h"

#include <limits.h>

typedef struct tgShotOptions {
    const char* skinning;
    const char* volume;
    const char* animation;
    double fps;
    int frames[2]; ///< first and last; a last of INT_MAX: to the end
    int threads;
} tgShotOptions;

static inline tgShotOptions tgDefaultShotOptions(void)
{
    tgShotOptions options = {.fps = 30.0, .frames = {0, INT_MAX}};
    return options;
}

/// The lines of a verb's table for them.
#define TG_SHOT_OPTIONS(options)                                                                   \
    {"--skinning", "linear|dual-quaternion", tg_optionText, &(options).skinning,                   \
     "how joints are blended; default dual-quaternion"},                                           \
        {"--volume", "none", tg_optionText, &(options).volume,                                     \
         "how volume is kept; this version has none: plain skinning"},                             \
        {"--animation", "NAME|INDEX", tg_optionText, &(options).animation,                         \
         "which of the file's animations; default the first"},                                     \
        {"--fps", "N", tg_optionNumber, &(options).fps, "frames per second; default 30"},          \
        {"--frames", "A:B", tg_optionRange, (options).frames,                                      \
         "frames A to B, both included; default all"},                                             \
    {                                                                                              \
        "--threads", "N", tg_optionInt, &(options).threads,                                        \
            "threads to use; default one for each processor"                                       \
    }

typedef struct tgShot {
    const char* file;
    tgScene* scene;
    tgThreadPool* pool;
    tgSkinning skinning;
    int animation; ///< -1 when the file has none
    double fps;
    int firstFrame, frameCount;
} tgShot;

/// Loads the file and settles the options; says what is wrong. Returns the status; 0 is good.
int tgOpenShot(const char* file, const tgShotOptions* options, tgShot* shot);
void tgCloseShot(tgShot* shot);

/// Seconds at which frame number `frame` is sampled.
double tgShot_GetTime(const tgShot* shot, int frame);

#endif
