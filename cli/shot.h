// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What bake, pose and measure share: a file, one of its animations, a range of frames, the
// skinning, and how the volume is kept.
#ifndef TURGOR_CLI_SHOT_H
#define TURGOR_CLI_SHOT_H

#include "args.h"
#include "threads.h"
#include "turgor/io.h"
#include "turgor/scene.h"
#include "turgor/settings.h"

#include <limits.h>

typedef struct tgShotOptions {
    const char* settings; ///< a settings file
    const char* preset;
    const char* skinning;
    const char* volume;
    const char* mode;
    const char* contact;
    const char* animation;
    bool takesAll; ///< the verb can do all animations: --animation all
    double fps;
    int frames[2]; ///< first and last; a last of INT_MAX: to the end
    bool loop;
    int threads;
    bool allowOutside;
    int unfolding;
} tgShotOptions;

enum { tg_mostUnfolding = 40 }; ///< the library's own default

static inline tgShotOptions tgDefaultShotOptions(void)
{
    tgShotOptions options = {.fps = 30.0, .frames = {0, INT_MAX}, .unfolding = tg_mostUnfolding};
    return options;
}

/// For every verb that reads a character: what it may bring along.
#define TG_LOAD_OPTIONS(outside, unfolding)                                                        \
    {"--allow-outside", NULL, tg_optionFlag, &(outside),                                           \
     "a glTF may name files outside its own folder"},                                              \
    {                                                                                              \
        "--max-unfolding", "N", tg_optionInt, &(unfolding),                                        \
            "bytes of memory for each byte of a glTF, beside 40 MB; default 40"                    \
    }

/// The lines of a verb's table for them.
#define TG_SHOT_OPTIONS(options)                                                                   \
    {"--settings", "FILE.json", tg_optionText, &(options).settings,                                \
     "how each joint gives its volume back; see docs/settings.md"},                                \
        {"--preset", "NAME", tg_optionText, &(options).preset,                                     \
         "organic (default), anatomic, rubber, muscle, folds, isotropic, belly, flesh"},           \
        {"--volume", "exact|local|none", tg_optionText, &(options).volume,                         \
         "exact (default) keeps it, local is faster and nearly does, none is plain skinning"},     \
        {"--mode", "exact|paper", tg_optionText, &(options).mode,                                  \
         "exact (default); paper: joint after joint as published, without contact"},               \
        {"--contact", "on|off", tg_optionText, &(options).contact,                                 \
         "stop skin where it meets the neighbouring bone's; default on with volume exact"},        \
        {"--skinning", "auto|linear|dual-quaternion|blend", tg_optionText, &(options).skinning,    \
         "how joints are blended; auto (default): what the file says"},                            \
        {"--fps", "N", tg_optionNumber, &(options).fps, "frames per second; default 30"},          \
        {"--loop", NULL, tg_optionFlag, &(options).loop,                                           \
         "the animation repeats: shaking flesh comes round without a seam"},                       \
        TG_LOAD_OPTIONS((options).allowOutside, (options).unfolding),                              \
    {                                                                                              \
        "--threads", "N", tg_optionInt, &(options).threads,                                        \
            "threads to use, of which 64 run at most; default 0: one for each processor"           \
    }

/// Which of the file's animations.
#define TG_ANIMATION_OPTION(options)                                                               \
    {                                                                                              \
        "--animation", "NAME|INDEX", tg_optionText, &(options).animation,                          \
            "which of the file's animations; default the first"                                    \
    }

/// What the frames of a character are written as.
#define TG_BAKE_OUTPUT "OUT.glb|.gltf|.pc2|.mdd|.usda|.obj"

/// And for verbs that go through several frames.
#define TG_FRAMES_OPTION(options)                                                                  \
    {                                                                                              \
        "--frames", "A:B", tg_optionRange, (options).frames,                                       \
            "frames A to B, both included; default all"                                            \
    }

typedef struct tgShot {
    const char* file;
    tgLoadDef loadDef; ///< by which it was read
    tgScene* scene;
    tgThreadPool* pool;
    tgSettings* settings; ///< what the file says, or the defaults, and the options over it
    int fileVertexCount;  ///< before the scene was refined
    int animation;        ///< -1 when the file has none
    bool all;             ///< all animations are wanted; `animation` is the first
    double fps;
    int firstFrame, frameCount;
    bool loop;
} tgShot;

/// What both options say; false when one line was printed.
bool tgMakeLoadDef(bool allowOutside, int unfolding, tgLoadDef* def);

/// Loads the file and settles the options; says what is wrong. Returns the status; 0 is good.
int tgOpenShot(const char* file, const tgShotOptions* options, tgShot* shot);
void tgCloseShot(tgShot* shot);

/// Go over to another animation (-1: the file's own pose), all frames of it. Returns the status.
int tgShot_SetAnimation(tgShot* shot, int animation);

/// Before anyone deforms it: faces as the output holds them, so that the volume is kept of what is
/// written. Says what is wrong; returns the status.
int tgShot_FitOutput(tgShot* shot, const char* output);

/// As the options have them: "exact", "paper", "dual-quaternion".
const char* tgGetMethodName(tgVolumeMethod method);
const char* tgGetModeName(tgVolumeMode mode);
const char* tgGetSkinningName(tgSkinning skinning);

/// Seconds at which frame number `frame` is sampled.
double tgShot_GetTime(const tgShot* shot, int frame);

#endif
