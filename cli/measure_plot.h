// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Volume over time as a plot.
#ifndef TURGOR_CLI_MEASURE_PLOT_H
#define TURGOR_CLI_MEASURE_PLOT_H

#include "draw/plot.h"
#include "measure.h"

typedef struct tgMeasurePlot {
    tgPlotDef def; ///< ready to be written
    tgPlotSeries series[tg_takeCount + 1];
    double* percent;
} tgMeasurePlot;

/// @param title NULL for none
tgResult tgMakeMeasurePlot(const tgMeasure* measure, const char* title, tgMeasurePlot* plot,
                           tgError* error);
void tgFreeMeasurePlot(tgMeasurePlot* plot);

/// As SVG; returns the status.
int tgPlotMeasure(const tgMeasure* measure, const char* title, tgTheme theme, const char* path);

#endif
