// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The frames of a character into a file, one at a time: what turgor bake does, and a page.
#ifndef TURGOR_PLAY_BAKE_JOB_H
#define TURGOR_PLAY_BAKE_JOB_H

#include "play/preroll.h"
#include "turgor/io.h"

/// More frames than this are a mistake in the file: nine hours at 30 fps.
enum { tg_mostFrames = 1000000 };

typedef struct tgBakeJobDef {
    tgRoll roll; ///< what is played
    bool all;    ///< every frame of every animation, in place of the roll's
    int firstFrame, frameCount;
    tgActor* actor; ///< on stage, with its settings; must outlive the job
    const char* path;
    tgBytes* memory; ///< NULL: the file; see tgBakeDef
} tgBakeJobDef;

typedef struct tgBakeJob {
    tgBakeJobDef def;
    tgBake* bake;
    tgBakeClip* clips; ///< of a bake of all animations; else NULL
    int clip;          ///< that is being played
    int frame;         ///< that comes next, in the clip
    int done;          ///< frames written
    int frameCount;    ///< of all clips
    bool rings;        ///< some clip's flesh does not come to repeat
} tgBakeJob;

/// Lists the frames; nothing is written yet. Cancel it also on failure.
tgResult tgPlanBakeJob(const tgBakeJobDef* def, tgBakeJob* job, tgError* error);
/// Opens the file.
tgResult tgOpenBakeJob(tgBakeJob* job, tgError* error);
/// One more frame; all of them are there when `done` is frameCount.
tgResult tgStepBakeJob(tgBakeJob* job, tgError* error);
/// Closes the file and frees the job.
tgResult tgCloseBakeJob(tgBakeJob* job, tgError* error);
void tgCancelBakeJob(tgBakeJob* job);

#endif
