// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Line plots as SVG 1.1: title, axes with units, grid, legend, several series.
#ifndef TURGOR_DRAW_PLOT_H
#define TURGOR_DRAW_PLOT_H

#include "turgor/base.h"

#include <stdio.h>

/// Dark ink on white paper, or light ink on black.
typedef enum tgTheme {
    tg_themeAuto, ///< as the reader's system has it (prefers-color-scheme); light where unknown
    tg_themeLight,
    tg_themeDark,
} tgTheme;

/// One line. A NaN or an infinity is a gap; a value alone between gaps is a dot.
typedef struct tgPlotSeries {
    const char* name;     ///< UTF-8, in the legend; NULL or empty leaves it out of there
    const double* values; ///< valueCount of them; NULL: an empty series
    int color;            ///< 0xRRGGBB; -1: the next of a palette safe for the colour-blind
    const char* dash;     ///< SVG dash lengths in pixels, "6 4"; NULL: a solid line
    double width;         ///< of the line, pixels, up to 20; 0: 2
} tgPlotSeries;

/// Start from tgDefaultPlotDef(). Text is UTF-8 and may hold any character.
typedef struct tgPlotDef {
    const char* title;  ///< NULL for none
    const char* xLabel; ///< with its unit: "time (s)"; NULL for none
    const char* yLabel;
    const double* xValues; ///< increasing; NULL: 0, 1, 2 and on
    int valueCount;        ///< of the x values and of each series
    const tgPlotSeries* series;
    int seriesCount;
    int width, height; ///< pixels, 200 to 10000; 800 x 420
    tgTheme theme;     ///< auto
    int cookie;        ///< set by tgDefaultPlotDef, not by you
} tgPlotDef;

tgPlotDef tgDefaultPlotDef(void);

/// The <svg> element alone, to stand in a page.
tgResult tgWritePlot(const tgPlotDef* def, FILE* file, tgError* error);

/// Written to a temporary name beside the target and renamed. Messages do not repeat the path.
tgResult tgSavePlot(const tgPlotDef* def, const char* path, tgError* error);

#endif
