// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What skinning does to the volume of a shot's frames, and the correction after it; for measure and
// demo.
#ifndef TURGOR_CLI_MEASURE_H
#define TURGOR_CLI_MEASURE_H

#include "joint_measure.h"
#include "take.h"

typedef struct tgSampledText {
    char text[160];
} tgSampledText;

typedef struct tgMeasure {
    int takeCount;
    tgTake takes[tg_takeCount]; ///< those that were compared
    bool isCorrected;           ///< the last of them is tg_takeCorrected
    int frameCount;             ///< that were measured
    int* frames;                ///< their numbers
    int crossingStep;           ///< crossings were counted in every so many of them
    int crossingCount;          ///< which makes so many
    double restVolume;
    int componentCount, noInsideCount; ///< pieces, and those that enclose no volume
    double* times;                     ///< seconds
    double* targets;                   ///< volume to keep
    double* volumes[tg_takeCount];     ///< by take, as the next two; NULL for those not compared
    int flipped[tg_takeCount];         ///< most faces turned inside out in any frame
    int crossed[tg_takeCount];         ///< most pairs of triangles that cross in any frame
    int restCrossed;                   ///< in the bind pose
    double targetScales[2]; ///< least and most of the targets, over the bind volume at the size
                            ///< that the first frame stands in
    int* joints;            ///< that lost most in each frame; -1 for none
    int lossCount;
    tgJointMeasure* losses;  ///< of every joint that bends, ranked by loss
    double peakDisplacement; ///< corrected against plain skinning, in rest bounding diagonals
    int peakFrame;           ///< where that is
    int peakVertex;          ///< and at which vertex
    double residual;         ///< the largest of any frame, over the target
} tgMeasure;

/// Which frames of a shot are measured: the first, the last, and as many between them as answer in
/// a few seconds, evenly spaced. That depends on the mesh and the frames alone, so the same input
/// gives the same output.
typedef enum tgSampling {
    tg_sampleFrames,    ///< frames are sampled, and of these once more for crossings
    tg_sampleCrossings, ///< the volume of every frame
    tg_sampleNothing,   ///< all of every frame
} tgSampling;

/// Plays the frames with all takes; returns the status.
int tgMeasureShot(const tgShot* shot, tgSampling sampling, tgMeasure* measure);
/// "81 of 241 frames were measured, every 3rd, and crossings in 27; --every-frame measures all",
/// or nothing when it was all of them.
tgSampledText tgMeasure_TellSampling(const tgMeasure* measure, const tgShot* shot);
void tgFreeMeasure(tgMeasure* measure);

/// Volume over target minus one.
double tgMeasure_GetError(const tgMeasure* measure, tgTake take, int frame);
/// The frame with the largest error, and that error with its sign.
int tgMeasure_GetWorstFrame(const tgMeasure* measure, tgTake take);
double tgMeasure_GetWorst(const tgMeasure* measure, tgTake take);
/// Whether the targets differ from the bind volume by more than rounding does.
bool tgMeasure_HasScale(const tgMeasure* measure);

#endif
