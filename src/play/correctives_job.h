// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// From a character on stage to a file with corrective morph targets, in steps: what turgor
// correctives does, and a page.
#ifndef TURGOR_PLAY_CORRECTIVES_JOB_H
#define TURGOR_PLAY_CORRECTIVES_JOB_H

#include "play/correctives.h"

typedef struct tgCorrectivesJobDef {
    tgRoll roll;    ///< its scene and rate; the animation where not all are wanted
    bool all;       ///< animations
    tgActor* actor; ///< on stage, with its settings; must outlive the job
    tgFitOptions fit;
    bool noNormals;
    tgParallel parallel;
} tgCorrectivesJobDef;

typedef struct tgCorrectivesJob {
    tgCorrectivesJobDef def;
    tgScene* document;     ///< the character as glTF, where the file is none; else NULL
    const tgScene* viewer; ///< what a viewer plays
    tgActor plain;         ///< without corrections, where the character has morph targets
    tgShownMeshes meshes;
    tgClips clips;
    tgFitted fitted;
    int clipCount;
    int* clipAnimations; ///< which animations
    int* clipStarts;     ///< first sample of each, and the end
    int frameCount;
    int done; ///< samples taken, of clips.sampleCount
    bool rings;
    tgMat34 *nodes, *joints; ///< scratch, of the viewer
} tgCorrectivesJob;

/// Lists the samples. Free it also on failure.
tgResult tgOpenCorrectivesJob(const tgCorrectivesJobDef* def, tgCorrectivesJob* job,
                              tgError* error);
/// Deforms the character at the next sample; all are there when `done` is clips.sampleCount.
tgResult tgStepCorrectivesJob(tgCorrectivesJob* job, tgError* error);
/// After that: the targets.
tgResult tgFitCorrectivesJob(tgCorrectivesJob* job, tgError* error);
/// After that, or after another fit: the file.
/// @param names of the targets of the mesh that has the most; NULL: "turgor", "turgor_1" and on
/// @param memory NULL: the file; see tgBakeDef
tgResult tgWriteCorrectivesJob(const tgCorrectivesJob* job, const char* path,
                               const char* const* names, tgBytes* memory, tgError* error);
void tgFreeCorrectivesJob(tgCorrectivesJob* job);

#endif
