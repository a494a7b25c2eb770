// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Volumes of a shot's frames, for measure and demo.
#ifndef TURGOR_CLI_MEASURE_H
#define TURGOR_CLI_MEASURE_H

#include "shot.h"

typedef struct tgMeasure {
    int frameCount;
    double restVolume;
    double* times;      ///< seconds
    double* targets;    ///< volume to keep
    double* volumes[2]; ///< by tgSkinning
} tgMeasure;

/// Plays all frames with both blends; returns the status.
int tgMeasureShot(const tgShot* shot, tgMeasure* measure);
void tgFreeMeasure(tgMeasure* measure);

/// Volume over target minus one.
double tgMeasure_GetError(const tgMeasure* measure, tgSkinning skinning, int frame);
/// The frame with the largest error, and that error with its sign.
int tgMeasure_GetWorstFrame(const tgMeasure* measure, tgSkinning skinning);
double tgMeasure_GetWorst(const tgMeasure* measure, tgSkinning skinning);

/// Volume over time as SVG; returns the status.
int tgPlotMeasure(const tgMeasure* measure, const char* title, const char* path);

/// Whether a volume is as good as nothing for a mesh of that size.
bool tgIsFlat(double volume, double diagonal);
/// Adds a warning when the mesh encloses nothing.
bool tgWarnAboutVolume(tgScene* scene, const tgRigInfo* info);

#endif
