// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A line plot as SVG 1.1. From the top: title, legend, the y axis's label over it, the plot, and
// the x axis below. Numbers are written without the locale, text with XML's special characters
// escaped.

#include "draw/plot.h"

#include "core/core.h"
#include "draw/axis.h"
#include "draw/svg.h"
#include "io/output_file.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    tg_plotCookie = 0x706c6f74,
    tg_plotMargin = 24, ///< left of the title and right of the plot
    tg_legendLine = 22,
    tg_keyLength = 26, ///< of the piece of line in the legend
    tg_tickSize = 12,  ///< of the font, pixels, as the next two
    tg_legendSize = 13,
    tg_titleSize = 18,
};

/// Okabe and Ito's colours, the yellow left out: it is too faint for a line on white. In the dark
/// the same hues are lighter.
static const struct {
    int light, dark;
} tg_palette[] = {
    {0x0072B2, 0x5DB4EC}, {0xD55E00, 0xF08A3C}, {0x009E73, 0x2CC79A}, {0xCC79A7, 0xE09BC2},
    {0x333333, 0xCCCCCC}, {0x56B4E9, 0x8FD0F5}, {0xE69F00, 0xF2BC4B},
};
enum { tg_paletteCount = sizeof(tg_palette) / sizeof(tg_palette[0]) };

/// Larger ones are gaps, as infinities are: the differences of two could not be plotted.
static const double tg_largestValue = 1e100;

static const tgSvgInk tg_ink = {"ink", "#222222"};
static const tgSvgInk tg_softInk = {"soft", "#555555"};
static const tgSvgInk tg_gridInk = {"grid", "#e4e4e4"};

/// Colours of the elements' classes in the dark; style rules come before attributes.
static const char tg_darkStyle[] =
    ".paper{fill:#16181b}.ink{fill:#e6e6e6}.soft{fill:#a8b0b8}.soft-line{stroke:#a8b0b8}"
    ".grid-line{stroke:#33383d}";

typedef struct tgPlot {
    const tgPlotDef* def;
    FILE* file;
    tgAxis x, y;
    double left, right, top, bottom; ///< of the plot itself, pixels
    double legendTop;
    bool empty; ///< no series has a point
} tgPlot;

tgPlotDef tgDefaultPlotDef(void)
{
    tgPlotDef def = {.width = 800, .height = 420, .cookie = tg_plotCookie};
    return def;
}

static bool tgHasText(const char* text)
{
    return text != NULL && text[0] != '\0';
}

static double tgGetX(const tgPlotDef* def, int i)
{
    return def->xValues != NULL ? def->xValues[i] : i;
}

static bool tgHasPoint(const tgPlotDef* def, int s, int i)
{
    const double* values = def->series[s].values;
    // Also false for a NaN.
    return values != NULL && fabs(values[i]) < tg_largestValue &&
           fabs(tgGetX(def, i)) < tg_largestValue;
}

static double tgPlaceX(const tgPlot* plot, double x)
{
    double t = (x - plot->x.low) / (plot->x.high - plot->x.low);
    return plot->left + t * (plot->right - plot->left);
}

static double tgPlaceY(const tgPlot* plot, double y)
{
    double t = (y - plot->y.low) / (plot->y.high - plot->y.low);
    return plot->bottom - t * (plot->bottom - plot->top);
}

static int tgGetColor(const tgPlotDef* def, int s)
{
    return def->series[s].color >= 0 ? def->series[s].color & 0xFFFFFF
                                     : tg_palette[s % tg_paletteCount].light;
}

/// The pen of a series, and the end of the element.
static void tgWritePen(FILE* file, const tgPlotDef* def, int s)
{
    if (def->series[s].color < 0) {
        fprintf(file, " class=\"line%d\"", s % tg_paletteCount);
    }
    fprintf(file, " fill=\"none\" stroke=\"#%06x\" stroke-linejoin=\"round\" stroke-width=\"",
            (unsigned int)tgGetColor(def, s));
    tgWriteNumber(file, def->series[s].width > 0.0 ? def->series[s].width : 2.0);
    fputc('"', file);
    if (tgHasText(def->series[s].dash)) {
        fprintf(file, " stroke-dasharray=\"%s\"", def->series[s].dash);
    }
    fputs(" stroke-linecap=\"round\"/>\n", file);
}

/// Ranges of all points, and from them both axes.
static void tgMakeAxes(tgPlot* plot)
{
    const tgPlotDef* def = plot->def;
    double low[2] = {DBL_MAX, DBL_MAX};
    double high[2] = {-DBL_MAX, -DBL_MAX};
    for (int s = 0; s < def->seriesCount; ++s) {
        for (int i = 0; i < def->valueCount; ++i) {
            if (tgHasPoint(def, s, i)) {
                double point[2] = {tgGetX(def, i), def->series[s].values[i]};
                for (int k = 0; k < 2; ++k) {
                    low[k] = fmin(low[k], point[k]);
                    high[k] = fmax(high[k], point[k]);
                }
            }
        }
    }
    plot->empty = !(low[0] <= high[0]);
    if (plot->empty) {
        low[0] = low[1] = 0.0;
        high[0] = high[1] = 1.0;
    }
    plot->x = tgMakeAxis(low[0], high[0], true, def->width / 90 > 2 ? def->width / 90 : 2);
    plot->y = tgMakeAxis(low[1], high[1], false, def->height / 70 > 2 ? def->height / 70 : 2);
}

/// Lay the legend out from left to right in as many lines as it needs, and write it unless `file`
/// is NULL. The number of lines.
static int tgWriteLegend(const tgPlot* plot, FILE* file)
{
    const tgPlotDef* def = plot->def;
    double x = tg_plotMargin;
    int lineCount = 0;
    for (int s = 0; s < def->seriesCount; ++s) {
        const tgPlotSeries* series = &def->series[s];
        if (!tgHasText(series->name)) {
            continue;
        }
        double width = tg_keyLength + 8.0 + tgEstimateWidth(series->name, tg_legendSize);
        if (lineCount == 0 || x + width > def->width - tg_plotMargin) {
            x = tg_plotMargin;
            lineCount += 1;
        }
        double y = plot->legendTop + tg_legendLine * (lineCount - 0.5);
        if (file != NULL) {
            const double from[2] = {x, y};
            const double to[2] = {x + tg_keyLength, y};
            tgWriteLine(file, from, to);
            tgWritePen(file, def, s);
            tgSvgText text = {series->name, to[0] + 8.0, y + 4.5, tg_legendSize, tg_ink};
            tgWriteText(file, &text);
        }
        x += width + 26.0;
    }
    return lineCount;
}

/// Room for the title, the legend, the labels and the widest tick.
static void tgLayOut(tgPlot* plot)
{
    const tgPlotDef* def = plot->def;
    plot->legendTop = tgHasText(def->title) ? 48.0 : 14.0;
    plot->top = plot->legendTop + tg_legendLine * tgWriteLegend(plot, NULL) + 12.0;
    plot->top += tgHasText(def->yLabel) || plot->y.exponent != 0 ? 26.0 : 6.0;
    plot->bottom = def->height - (tgHasText(def->xLabel) || plot->x.exponent != 0 ? 58.0 : 36.0);
    double widest = 0.0;
    for (int i = 0; i < plot->y.tickCount; ++i) {
        char label[64];
        tgAxis_FormatTick(&plot->y, i, label, sizeof(label));
        widest = fmax(widest, tgEstimateWidth(label, tg_tickSize));
    }
    plot->left = tg_plotMargin + widest + 8.0;
    plot->right = def->width - tg_plotMargin;
}

static void tgWriteGrid(const tgPlot* plot)
{
    FILE* file = plot->file;
    for (int i = 0; i < plot->y.tickCount; ++i) {
        char label[64];
        tgAxis_FormatTick(&plot->y, i, label, sizeof(label));
        double y = tgPlaceY(plot, tgAxis_GetTick(&plot->y, i));
        const double from[2] = {plot->left, y};
        const double to[2] = {plot->right, y};
        tgWriteThinLine(file, from, to, tg_gridInk);
        const double tick[2] = {plot->left - 5.0, y};
        tgWriteThinLine(file, tick, from, tg_softInk);
        tgSvgText text = {label, plot->left - 9.0, y + 4.0, tg_tickSize, tg_softInk, "end"};
        tgWriteText(file, &text);
    }
    for (int i = 0; i < plot->x.tickCount; ++i) {
        char label[64];
        tgAxis_FormatTick(&plot->x, i, label, sizeof(label));
        double x = tgPlaceX(plot, tgAxis_GetTick(&plot->x, i));
        const double from[2] = {x, plot->bottom};
        const double to[2] = {x, plot->bottom + 5.0};
        tgWriteThinLine(file, from, to, tg_softInk);
        tgSvgText text = {label, x, plot->bottom + 20.0, tg_tickSize, tg_softInk, "middle"};
        tgWriteText(file, &text);
    }
    const double origin[2] = {plot->left, plot->bottom};
    const double right[2] = {plot->right, plot->bottom};
    const double top[2] = {plot->left, plot->top};
    tgWriteThinLine(file, origin, right, tg_softInk);
    tgWriteThinLine(file, top, origin, tg_softInk);
}

static void tgWriteLabels(const tgPlot* plot)
{
    const tgPlotDef* def = plot->def;
    if (tgHasText(def->title)) {
        tgSvgText title = {def->title, tg_plotMargin, 36.0, tg_titleSize, tg_ink, NULL, "600"};
        tgWriteText(plot->file, &title);
    }
    if (tgHasText(def->yLabel) || plot->y.exponent != 0) {
        tgSvgText label = {tgHasText(def->yLabel) ? def->yLabel : "",
                           tg_plotMargin,
                           plot->top - 16.0,
                           tg_legendSize,
                           tg_softInk,
                           NULL,
                           NULL,
                           plot->y.exponent};
        tgWriteText(plot->file, &label);
    }
    if (tgHasText(def->xLabel) || plot->x.exponent != 0) {
        tgSvgText label = {tgHasText(def->xLabel) ? def->xLabel : "",
                           0.5 * (plot->left + plot->right),
                           plot->bottom + 44.0,
                           tg_legendSize,
                           tg_softInk,
                           "middle",
                           NULL,
                           plot->x.exponent};
        tgWriteText(plot->file, &label);
    }
    if (plot->empty) {
        tgSvgText text = {"no data",
                          0.5 * (plot->left + plot->right),
                          0.5 * (plot->top + plot->bottom),
                          tg_titleSize,
                          tg_softInk,
                          "middle"};
        tgWriteText(plot->file, &text);
    }
}

/// One path with a new start after each gap. A point alone is a circle that the pen fills.
static void tgWriteSeries(const tgPlot* plot, int s)
{
    const tgPlotDef* def = plot->def;
    bool open = false;
    bool started = false;
    for (int i = 0; i < def->valueCount; ++i) {
        bool here = tgHasPoint(def, s, i);
        if (here) {
            fputs(started ? (open ? "L" : " M") : "<path d=\"M", plot->file);
            double x = tgPlaceX(plot, tgGetX(def, i));
            double y = tgPlaceY(plot, def->series[s].values[i]);
            tgWriteNumber(plot->file, x);
            fputc(' ', plot->file);
            tgWriteNumber(plot->file, y);
            bool last = i + 1 == def->valueCount || !tgHasPoint(def, s, i + 1);
            if (!open && last) {
                fputs("m-1 0a1 1 0 1 0 2 0a1 1 0 1 0 -2 0", plot->file);
            }
            started = true;
        }
        open = here;
    }
    if (started) {
        fputc('"', plot->file);
        tgWritePen(plot->file, def, s);
    }
}

/// What changes in the dark: always, never, or when the reader's system is dark.
static void tgWriteStyle(const tgPlot* plot)
{
    if (plot->def->theme == tg_themeLight) {
        return;
    }
    bool isDark = plot->def->theme == tg_themeDark;
    fprintf(plot->file, "<style>%s%s", isDark ? "" : "@media (prefers-color-scheme:dark){",
            tg_darkStyle);
    for (int i = 0; i < tg_paletteCount; ++i) {
        fprintf(plot->file, ".line%d{stroke:#%06x}", i, (unsigned int)tg_palette[i].dark);
    }
    fprintf(plot->file, "%s</style>\n", isDark ? "" : "}");
}

static void tgWriteElement(tgPlot* plot)
{
    const tgPlotDef* def = plot->def;
    fprintf(plot->file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" version=\"1.1\" "
            "width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\" "
            "font-family=\"Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif\">\n",
            def->width, def->height, def->width, def->height);
    if (tgHasText(def->title)) {
        fputs("<title>", plot->file);
        tgWriteEscaped(plot->file, def->title);
        fputs("</title>\n", plot->file);
    }
    tgWriteStyle(plot);
    fputs("<rect class=\"paper\" width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n", plot->file);
    tgWriteGrid(plot);
    tgWriteLabels(plot);
    for (int s = 0; s < def->seriesCount; ++s) {
        tgWriteSeries(plot, s);
    }
    tgWriteLegend(plot, plot->file);
    fputs("</svg>\n", plot->file);
}

static tgResult tgCheckPlotDef(const tgPlotDef* def, tgError* error)
{
    if (def == NULL || def->cookie != tg_plotCookie) {
        return tgFail(error, tg_invalidArgument, -1,
                      "the plot definition must start from tgDefaultPlotDef()");
    }
    if (def->width < 200 || def->height < 200 || def->width > 10000 || def->height > 10000) {
        return tgFail(error, tg_invalidArgument, -1,
                      "a plot of %d x %d pixels, expected 200 to 10000 a side", def->width,
                      def->height);
    }
    if (def->valueCount < 0 || def->seriesCount < 0 ||
        (def->seriesCount > 0 && def->series == NULL)) {
        return tgFail(error, tg_invalidArgument, -1, "a plot of %d series of %d values",
                      def->seriesCount, def->valueCount);
    }
    for (int s = 0; s < def->seriesCount; ++s) {
        if (!(def->series[s].width >= 0.0 && def->series[s].width <= 20.0)) {
            return tgFail(error, tg_invalidArgument, s,
                          "series %d is %g pixels wide, expected 0 to 20", s, def->series[s].width);
        }
        const char* dash = def->series[s].dash;
        if (dash != NULL && dash[strspn(dash, "0123456789., ")] != '\0') {
            return tgFail(error, tg_invalidArgument, s,
                          "series %d has dashes \"%s\", expected numbers such as \"6 4\"", s, dash);
        }
    }
    return tg_success;
}

tgResult tgWritePlot(const tgPlotDef* def, FILE* file, tgError* error)
{
    tgResult result = tgCheckPlotDef(def, error);
    if (result == tg_success) {
        tgPlot plot = {.def = def, .file = file};
        tgMakeAxes(&plot);
        tgLayOut(&plot);
        tgWriteElement(&plot);
    }
    return result;
}

tgResult tgSavePlot(const tgPlotDef* def, const char* path, tgError* error)
{
    tgOutputFile file = {0};
    tgResult result = tgCheckPlotDef(def, error);
    result = result == tg_success ? tgOutputFile_Open(&file, path, error) : result;
    if (result != tg_success) {
        return result;
    }
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", file.stream);
    result = tgWritePlot(def, file.stream, error);
    result = result == tg_success ? tgOutputFile_Finish(&file, error) : result;
    result = result == tg_success ? tgOutputFile_Commit(&file, error) : result;
    tgOutputFile_Discard(&file);
    return result;
}
