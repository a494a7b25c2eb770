// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A file that is made in pieces: a bake, or corrective morph targets.
#ifndef TURGOR_WEB_JOB_H
#define TURGOR_WEB_JOB_H

#include "play/bake_job.h"
#include "play/correctives_job.h"

typedef struct tgJobDef {
    int animation; ///< -1: none, -2: all
    double fps;
    int firstFrame, lastFrame; ///< INT_MAX: to the end
    bool loop;
    bool isCorrectives; ///< else a bake; the following are for it
    tgFitOptions fit;
    bool noNormals;
} tgJobDef;

typedef struct tgJob tgJob;

/// As the command line does it: the settings are read, the mesh is refined, a rig is made. Takes
/// over the scene, also on failure; NULL then.
tgJob* tgOpenJob(tgScene* scene, const char* settings, size_t size, const tgJobDef* def,
                 tgError* error);

typedef enum tgJobState { tg_jobFailed = 0, tg_jobGoesOn, tg_jobDone } tgJobState;

/// The next piece.
tgJobState tgJob_Step(tgJob* job, tgError* error);
double tgJob_GetProgress(const tgJob* job); ///< 0 to 1
const tgBytes* tgJob_GetBytes(const tgJob* job);
void tgCloseJob(tgJob* job);

#endif
