// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Volume over time as a plot: every take, and what is to be kept.

#include "measure_plot.h"

#include "core/core.h"
#include "report.h"

#include <stdlib.h>

tgResult tgMakeMeasurePlot(const tgMeasure* measure, const char* title, tgMeasurePlot* plot,
                           tgError* error)
{
    *plot = (tgMeasurePlot){.def = tgDefaultPlotDef()};
    int count = measure->takeCount + 1;
    plot->percent = calloc((size_t)count * (size_t)measure->frameCount, sizeof(double));
    if (plot->percent == NULL) {
        return tgFail(error, tg_outOfMemory, -1, "out of memory for the plot");
    }
    // Of the first frame's target: a file may stand in another size than it was bound in.
    double whole = measure->targets[0] > 0.0 ? measure->targets[0] : measure->restVolume;
    for (int s = 0; s < count; ++s) {
        // What is to be kept is dashed and comes last, to stay in sight on the corrected line.
        bool isTarget = s == measure->takeCount;
        double* line = plot->percent + (size_t)s * (size_t)measure->frameCount;
        for (int i = 0; i < measure->frameCount; ++i) {
            line[i] = 100.0 *
                      (isTarget ? measure->targets : measure->volumes[measure->takes[s]])[i] /
                      whole;
        }
        tgTake take = isTarget ? tg_takeCount : measure->takes[s];
        plot->series[s] = (tgPlotSeries){
            .name = isTarget ? "to keep" : tgGetTakeName(take),
            .values = line,
            .color = isTarget ? 0x888888 : -1,
            .dash = isTarget ? "6 4" : (take == tg_takeDualQuaternion ? "9 4" : NULL),
            .width = take == tg_takeCorrected ? 3.0 : (isTarget ? 1.5 : 2.0),
        };
    }
    plot->def.title = title;
    plot->def.xLabel = "time (s)";
    plot->def.yLabel = "volume (% of the one to keep)";
    plot->def.xValues = measure->times;
    plot->def.valueCount = measure->frameCount;
    plot->def.series = plot->series;
    plot->def.seriesCount = count;
    return tg_success;
}

void tgFreeMeasurePlot(tgMeasurePlot* plot)
{
    free(plot->percent);
    plot->percent = NULL;
}

int tgPlotMeasure(const tgMeasure* measure, const char* title, tgTheme theme, const char* path)
{
    tgMeasurePlot plot;
    tgError error = {0};
    tgResult result = tgMakeMeasurePlot(measure, title, &plot, &error);
    plot.def.theme = theme;
    result = result == tg_success ? tgSavePlot(&plot.def, path, &error) : result;
    tgFreeMeasurePlot(&plot);
    return result == tg_success ? tg_statusDone : tgSayFailed(path, &error);
}
