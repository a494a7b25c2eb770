// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What correctives cost and give, as one page: the fit is made again for 1, 2, 4 ... targets.

#include "correctives_page.h"

#include "core/core.h"
#include "draw/page.h"
#include "draw/plot.h"
#include "figure.h"
#include "io/output_file.h"
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { tg_mostCurves = 8, tg_panelsInRow = 4, tg_panelSize = 300 };

/// Bytes of a sparse entry, with an index of two bytes, and of one in full.
enum { tg_sparseSize = 14, tg_fullSize = 12 };

/// One number of targets.
typedef struct tgCurve {
    int targetCount; ///< the most that a mesh has
    double size;     ///< bytes of the file, about
    float worst;
    double worstVolume;
    double* errors;  ///< of each sample, in per cent of the diagonal
    double* volumes; ///< of each sample: error of the volume, in per cent
    char name[64];
} tgCurve;

typedef struct tgCorrectivesPage {
    const tgCorrectivesPageDef* def;
    FILE* file;
    double* times; ///< of each sample but the first, clip after clip
    int curveCount;
    tgCurve curves[tg_mostCurves];
} tgCorrectivesPage;

static double tgCountBytes(const tgVec3* vectors, int count)
{
    int moved = 0;
    for (int v = 0; v < count; ++v) {
        moved += vectors[v].x != 0.0f || vectors[v].y != 0.0f || vectors[v].z != 0.0f;
    }
    return fmin((double)moved * tg_sparseSize, (double)count * tg_fullSize);
}

/// About what targets and tracks take.
static double tgGuessSize(const tgCorrectivesPage* page, const tgFitted* fitted)
{
    double size = 0.0;
    for (int m = 0; m < fitted->meshCount; ++m) {
        const tgFittedMesh* mesh = &fitted->meshes[m];
        const tgShownMesh* shown = &page->def->meshes->meshes[m];
        for (int t = 0; t < mesh->targetCount; ++t) {
            size_t first = (size_t)t * (size_t)shown->vertexCount;
            size += tgCountBytes(mesh->offsets + first, shown->vertexCount);
            size += mesh->normals != NULL ? tgCountBytes(mesh->normals + first, shown->vertexCount)
                                          : 0.0;
        }
        size += 4.0 * mesh->targetCount * shown->nodeCount * page->def->clips->sampleCount;
    }
    return size;
}

/// Keep what a fit gives.
static bool tgAddCurve(tgCorrectivesPage* page, const tgFitted* fitted, double size)
{
    int count = page->def->clips->sampleCount;
    tgCurve* curve = &page->curves[page->curveCount++];
    *curve = (tgCurve){.targetCount = tgFitted_GetMostMoving(fitted),
                       .size = size,
                       .worst = fitted->worst,
                       .worstVolume = fitted->worstVolume,
                       .errors = malloc((size_t)count * sizeof(double)),
                       .volumes = malloc((size_t)count * sizeof(double))};
    snprintf(curve->name, sizeof(curve->name), "%s",
             tgTellCount(curve->targetCount, "target", "targets").text);
    if (curve->errors == NULL || curve->volumes == NULL) {
        return false;
    }
    for (int s = 1; s < count; ++s) {
        curve->errors[s - 1] = 100.0 * (double)fitted->errors[s];
        curve->volumes[s - 1] = 100.0 * fitted->volumeErrors[s];
    }
    return true;
}

/// The fits of 1, 2, 4 ... targets, up to what was written; then that.
static tgResult tgMakeCurves(tgCorrectivesPage* page, tgError* error)
{
    const tgCorrectivesPageDef* def = page->def;
    int most = tgFitted_GetMostMoving(def->fitted);
    double own = tgGuessSize(page, def->fitted);
    tgResult result = tg_success;
    for (int k = 1; k < most && page->curveCount < tg_mostCurves - 1; k *= 2) {
        tgFitted fitted;
        tgFitOptions options = def->options;
        options.targetCount = k;
        result = tgFitClips(def->clips, def->meshes, &options, &fitted, error);
        bool good = result == tg_success &&
                    tgAddCurve(page, &fitted, (double)def->size - own + tgGuessSize(page, &fitted));
        tgFreeFitted(&fitted);
        if (!good) {
            return result != tg_success
                       ? result
                       : tgFail(error, tg_outOfMemory, -1, "no memory for a curve");
        }
    }
    return tgAddCurve(page, def->fitted, (double)def->size)
               ? tg_success
               : tgFail(error, tg_outOfMemory, -1, "no memory for a curve");
}

/// Clip after clip on one axis.
static bool tgFillTimes(tgCorrectivesPage* page)
{
    const tgClips* clips = page->def->clips;
    page->times = malloc((size_t)clips->sampleCount * sizeof(double));
    double start = 0.0;
    for (int s = 1; s < clips->sampleCount && page->times != NULL; ++s) {
        const tgClipSample *at = &clips->samples[s], *last = &clips->samples[s - 1];
        if (s > 1 && at->animation != last->animation) {
            start = page->times[s - 2] + 1.0 / page->def->shot->fps - at->time;
        }
        page->times[s - 1] = start + at->time;
        if (s > 1 && !(page->times[s - 1] > page->times[s - 2])) {
            page->times[s - 1] = page->times[s - 2] + 1e-6;
        }
    }
    return page->times != NULL;
}

static tgResult tgAddCurves(const tgCorrectivesPage* page, bool ofVolume, const char* title,
                            const char* label, tgError* error)
{
    tgPlotSeries series[tg_mostCurves];
    for (int i = 0; i < page->curveCount; ++i) {
        const tgCurve* curve = &page->curves[i];
        series[i] = (tgPlotSeries){.name = curve->name,
                                   .values = ofVolume ? curve->volumes : curve->errors,
                                   .color = -1,
                                   .width = i == page->curveCount - 1 ? 3.0 : 1.5};
    }
    tgPlotDef def = tgDefaultPlotDef();
    def.xLabel = "time, animation after animation (s)";
    def.yLabel = label;
    def.xValues = page->times;
    def.valueCount = page->def->clips->sampleCount - 1;
    def.series = series;
    def.seriesCount = page->curveCount;
    def.width = 950;
    def.height = 360;
    tgPage_AddText(page->file, "h2", title);
    return tgWritePlot(&def, page->file, error);
}

static void tgAddTable(const tgCorrectivesPage* page)
{
    tgPage_AddText(page->file, "h2", "What targets cost and give");
    fputs("<table>\n<tr><th class=\"number\">targets</th><th class=\"number\">MB</th>"
          "<th class=\"number\">worst vertex, % of the diagonal</th>"
          "<th class=\"number\">worst volume, %</th></tr>\n",
          page->file);
    for (int i = 0; i < page->curveCount; ++i) {
        const tgCurve* curve = &page->curves[i];
        fprintf(page->file,
                "<tr><td class=\"number\">%d</td><td class=\"number\">%.2f</td><td "
                "class=\"number\">%.4f</td><td class=\"number\">",
                curve->targetCount, curve->size / 1e6, 100.0 * (double)curve->worst);
        tgPage_AddNumber(page->file, 2, 100.0 * curve->worstVolume);
        fputs("</td></tr>\n", page->file);
    }
    fputs("</table>\n<p class=\"soft\">Beside them each mesh has one constant target. The last row "
          "is the file that was written; the sizes of the others are near.</p>\n",
          page->file);
}

/// How far a target moves each vertex, on the character as the file stands it.
static bool tgFillPanel(const tgCorrectivesPage* page, const tgShow* show, int target,
                        tgPanel* panel)
{
    const tgScene* viewer = page->def->clips->viewer;
    if (!tgAllocPanel(show, panel)) {
        return false;
    }
    for (int v = 0; v < viewer->vertexCount; ++v) {
        tgMat34 blend = tgClips_Blend(page->def->clips, 0, v);
        panel->positions[v] = tgMulMatPoint(&blend, viewer->positions[v]);
    }
    for (int m = 0; m < page->def->meshes->count; ++m) {
        const tgShownMesh* shown = &page->def->meshes->meshes[m];
        const tgFittedMesh* mesh = &page->def->fitted->meshes[m];
        for (int v = 0; v < shown->vertexCount && target < mesh->targetCount; ++v) {
            tgVec3 offset = mesh->offsets[(size_t)target * (size_t)shown->vertexCount + (size_t)v];
            for (int n = 0; n < shown->nodeCount; ++n) {
                panel->values[shown->firstVertices[n] + v] =
                    100.0f * tgLength(offset) / page->def->clips->restDiagonal;
            }
        }
    }
    if (target == 0) {
        snprintf(panel->label, sizeof(panel->label), "the constant target");
    } else {
        snprintf(panel->label, sizeof(panel->label), "turgor_%d", target);
    }
    return true;
}

/// A row of targets.
static tgResult tgAddRow(const tgCorrectivesPage* page, const tgShow* show, int first, int count,
                         tgError* error)
{
    tgPanel panels[tg_panelsInRow] = {0};
    tgFigure figure = {.scene = page->def->shot->scene,
                       .show = show,
                       .rig = page->def->rig,
                       .look = tgDefaultLook(),
                       .hasLabels = true};
    bool good = true;
    for (int i = 0; i < count; ++i) {
        good = tgFillPanel(page, show, first + i, &panels[i]) && good;
    }
    tgResult result = good ? tgOpenFigure(&figure, error)
                           : tgFail(error, tg_outOfMemory, -1, "no memory for a picture");
    if (result == tg_success) {
        tgFigure_SetSize(&figure, count, tg_panelSize * count, tg_panelSize + 40);
        tgFigure_ChooseView(&figure, panels[0].positions);
        for (int i = 0; i < count && result == tg_success; ++i) {
            result = tgFigure_Watch(&figure, &panels[i], error);
        }
        result = result == tg_success ? tgFigure_Aim(&figure, error) : result;
        tgPicture* picture = result == tg_success
                                 ? tgFigure_Draw(&figure, panels, page->def->shot->pool, error)
                                 : NULL;
        if (picture != NULL) {
            fputs("<figure>\n", page->file);
            result = tgPage_AddPicture(page->file, picture, "how far targets move the skin", error);
            fputs("</figure>\n", page->file);
        } else {
            result = result == tg_success ? tg_outOfMemory : result;
        }
        tgDestroyPicture(picture);
        tgCloseFigure(&figure);
    }
    for (int i = 0; i < count; ++i) {
        tgFreePanel(&panels[i]);
    }
    return result;
}

static int tgAddTargets(const tgCorrectivesPage* page)
{
    tgShow show = {0};
    tgError error = {0};
    int status = tgOpenShow("displacement", NULL, page->def->shot, &show);
    tgPage_AddText(page->file, "h2", "The targets");
    int count = tgFitted_GetMostMoving(page->def->fitted) + 1;
    int rows = (count + tg_panelsInRow - 1) / tg_panelsInRow;
    for (int r = 0; r < rows && status == tg_statusDone; ++r) { // rows of the same length, nearly
        int first = r * count / rows, end = (r + 1) * count / rows;
        if (tgAddRow(page, &show, first, end - first, &error) != tg_success) {
            status = tgSayFailed(page->def->path, &error);
        }
    }
    tgCloseShow(&show);
    return status;
}

static int tgFillPage(tgCorrectivesPage* page)
{
    const tgCorrectivesPageDef* def = page->def;
    tgError error = {0};
    const char* name = tgGetFileName(def->shot->file);
    tgPage_Begin(page->file, name);
    tgPage_AddText(page->file, "h1", name);
    fprintf(
        page->file,
        "<p class=\"lead\">%s and a constant one, %.2f MB, within %.4f %% of the diagonal and "
        "%.1e of the volume.</p>\n",
        tgTellCount(tgFitted_GetMostMoving(def->fitted), "corrective target", "corrective targets")
            .text,
        (double)def->size / 1e6, 100.0 * (double)def->fitted->worst,
        fabs(def->fitted->worstVolume));
    tgAddTable(page);
    tgResult result =
        tgAddCurves(page, false, "Error over time", "worst vertex (% of the diagonal)", &error);
    if (result == tg_success) {
        result = tgAddCurves(page, true, "Volume over time", "error of the volume (%)", &error);
    }
    if (result != tg_success) {
        return tgSayFailed(def->path, &error);
    }
    int status = tgAddTargets(page);
    tgPage_End(page->file);
    return status;
}

int tgPrepareCorrectivesPage(const tgCorrectivesPageDef* def, tgOutputFile* file)
{
    tgError error = {0};
    tgCorrectivesPage page = {.def = def};
    tgResult result = tgFillTimes(&page)
                          ? tgMakeCurves(&page, &error)
                          : tgFail(&error, tg_outOfMemory, -1, "no memory for times");
    if (result == tg_success) {
        tgHoldInterrupt();
        result = tgOutputFile_Open(file, def->path, &error);
    }
    int status = result == tg_success ? tg_statusDone : tgSayFailed(def->path, &error);
    if (status == tg_statusDone) {
        page.file = file->stream;
        status = tgFillPage(&page);
    }
    if (status == tg_statusDone && tgOutputFile_Finish(file, &error) != tg_success) {
        status = tgSayFailed(def->path, &error);
    }
    for (int i = 0; i < page.curveCount; ++i) {
        free(page.curves[i].errors);
        free(page.curves[i].volumes);
    }
    free(page.times);
    return status;
}
