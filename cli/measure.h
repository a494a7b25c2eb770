// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What skinning does to the volume of a shot's frames, and the correction after it; for measure and
// demo.
#ifndef TURGOR_CLI_MEASURE_H
#define TURGOR_CLI_MEASURE_H

#include "take.h"

typedef struct tgMeasure {
    int takeCount; ///< tg_takeCorrected, so without it, for plain skinning
    int frameCount;
    double restVolume;
    double* times;                 ///< seconds
    double* targets;               ///< volume to keep
    double* volumes[tg_takeCount]; ///< takeCount of them
    int flipped[tg_takeCount];     ///< most faces turned inside out in any frame
    int crossed[tg_takeCount];     ///< most pairs of triangles that cross in any frame
    int restCrossed;               ///< in the bind pose
    int lossCount;
    tgJointLoss* losses;     ///< of every joint that bends its worst frame, over the target; ranked
    double peakDisplacement; ///< corrected against plain skinning, in rest bounding diagonals
    int peakFrame;           ///< where that is
    double residual;         ///< the largest of any frame, over the target
} tgMeasure;

/// Plays all frames with all takes; returns the status.
int tgMeasureShot(const tgShot* shot, tgMeasure* measure);
void tgFreeMeasure(tgMeasure* measure);

/// Volume over target minus one.
double tgMeasure_GetError(const tgMeasure* measure, tgTake take, int frame);
/// The frame with the largest error, and that error with its sign.
int tgMeasure_GetWorstFrame(const tgMeasure* measure, tgTake take);
double tgMeasure_GetWorst(const tgMeasure* measure, tgTake take);
/// Adds a warning when the mesh encloses nothing.
bool tgWarnAboutVolume(tgScene* scene, const tgRigInfo* info);

#endif
