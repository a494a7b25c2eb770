// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// turgor centers MARKERS --segments FILE: joint centres from motion capture, and a skeleton of
// them.

#include "args.h"
#include "capture.h"
#include "commands.h"
#include "core/core.h"
#include "json.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static const double tg_degreesPerRadian = 57.29577951308232;
static const char* const tg_methodNames[] = {"fit", "annealing", "two-sided", NULL};
static const char* const tg_kindNames[] = {"auto", "ball", "hinge"};

typedef struct tgCenterOptions {
    const char* segments;
    const char* output;
    const char* method;
    const char* units;
    const char* up;
    double fps;
    int frame;
    int seed;
    bool json;
} tgCenterOptions;

static double tgMeasureGap(const tgCenter* center, const tgCenterEstimate* other)
{
    return (double)tgDistance(center->fit.position, other->position);
}

/// Whose centre a joint is at.
static tgCenterMethod tgGetMethod(const tgCapture* capture, int s)
{
    const tgCenterEstimate* estimate = tgCapture_GetEstimate(capture, s);
    const tgCenter* center = &capture->centers[s];
    return estimate == &center->annealed   ? tg_centerAnnealed
           : estimate == &center->twoSided ? tg_centerTwoSided
                                           : tg_centerFit;
}

static void tgPrintTable(const char* file, const tgCapture* capture, double fps)
{
    const tgMarkers* markers = capture->markers;
    printf("%s: %s, %s", file, tgTellCount(markers->markerCount, "marker", "markers").text,
           tgTellCount(markers->frameCount, "frame", "frames").text);
    if (fps > 0.0) {
        printf(" at %.6g a second", fps);
    }
    printf(", %s; joints as in frame %d, millimetres\n\n",
           tgTellCount(markers->gapCount, "gap", "gaps").text, capture->referenceFrame);
    printf("  %-20s %-6s %9s %9s %9s %8s %8s %9s %10s %9s  %s\n", "joint", "kind", "x", "y", "z",
           "error", "residual", "annealed", "two-sided", "range", "used");
    for (int s = 0; s < capture->segments->segmentCount; ++s) {
        const tgSegment* segment = &capture->segments->segments[s];
        tgVec3 p = tgMulSV(1000.0f, capture->positions[s]);
        printf("  %-20s %-6s %9.2f %9.2f %9.2f", tgTellName(segment->name).text,
               segment->parent < 0 ? "root" : tg_kindNames[capture->centers[s].kind], (double)p.x,
               (double)p.y, (double)p.z);
        const tgCenter* center = &capture->centers[s];
        if (segment->parent >= 0) {
            printf(" %8.2f %8.3f %9.2g", 1000.0 * capture->errors[s], 1000.0 * center->fit.residual,
                   1000.0 * tgMeasureGap(center, &center->annealed));
            if (center->twoSided.found) {
                printf(" %10.2g", 1000.0 * tgMeasureGap(center, &center->twoSided));
            } else {
                printf(" %10s", "-");
            }
            printf(" %5.1f deg  %s", center->range * tg_degreesPerRadian,
                   tg_methodNames[tgGetMethod(capture, s)]);
        }
        printf("\n");
    }
    printf(
        "\n  error: how far off the joint is to be expected, root mean square, in shots with the "
        "same motion\n  and new noise. residual: how much the distances to the markers vary. "
        "annealed, two-sided: how\n  far these methods' centres are from the least-squares one; "
        "\"-\": fewer than 3 markers.\n");
}

static tgJsonValue* tgMakePointJson(tgArena* arena, tgVec3 p)
{
    return tgPackJson(arena, "[f, f, f]", (double)p.x, (double)p.y, (double)p.z);
}

static tgJsonValue* tgMakeEstimateJson(tgArena* arena, const tgCenter* center,
                                       const tgCenterEstimate* estimate)
{
    if (!estimate->found) {
        return tgMakeJsonNull(arena);
    }
    return tgPackJson(arena, "{s:o, s:f, s:f, s:f}", "position",
                      tgMakePointJson(arena, estimate->position), "residual", estimate->residual,
                      "error", estimate->error, "distance", tgMeasureGap(center, estimate));
}

static tgJsonValue* tgMakeJointJson(tgArena* arena, const tgCapture* capture, int s)
{
    const tgSegment* segment = &capture->segments->segments[s];
    tgJsonValue* joint =
        tgPackJson(arena, "{s:o, s:o}", "name", tgMakeJsonText(arena, segment->name), "position",
                   tgMakePointJson(arena, capture->positions[s]));
    if (segment->parent < 0) {
        tgJson_Set(joint, "parent", tgMakeJsonNull(arena));
        return joint;
    }
    const tgCenter* center = &capture->centers[s];
    tgJsonValue* more = tgPackJson(
        arena, "{s:o, s:s, s:s, s:o, s:f, s:f, s:f, s:f, s:f, s:i, s:f, s:o, s:o, s:o}", "parent",
        tgMakeJsonText(arena, capture->segments->segments[segment->parent].name), "kind",
        tg_kindNames[center->kind], "used", tg_methodNames[tgGetMethod(capture, s)], "axis",
        center->kind == tg_jointHinge ? tgMakePointJson(arena, center->axis)
                                      : tgMakeJsonNull(arena),
        "error", capture->errors[s], "standardError", center->standardError, "axisError",
        center->axisError, "residual", center->fit.residual, "rangeDegrees",
        center->range * tg_degreesPerRadian, "frames", center->frameCount, "agreement",
        center->agreement, "fit", tgMakeEstimateJson(arena, center, &center->fit), "annealed",
        tgMakeEstimateJson(arena, center, &center->annealed), "twoSided",
        tgMakeEstimateJson(arena, center, &center->twoSided));
    tgJson_Merge(joint, more);
    return joint;
}

static int tgPrintCentersJson(const char* file, const tgCapture* capture, double fps)
{
    tgArena memory = {0};
    tgArena* arena = &memory;
    tgJsonValue* joints = tgMakeJsonList(arena);
    for (int s = 0; s < capture->segments->segmentCount; ++s) {
        tgJson_Append(joints, tgMakeJointJson(arena, capture, s));
    }
    tgJsonValue* warnings = tgMakeJsonList(arena);
    for (int i = 0; i < capture->markers->warningCount; ++i) {
        tgJson_Append(warnings, tgMakeJsonText(arena, capture->markers->warnings[i]));
    }
    return tgPrintJson(tgPackJson(arena, "{s:o, s:i, s:i, s:f, s:i, s:i, s:o, s:o}", "file",
                                  tgMakeJsonText(arena, file), "markers",
                                  capture->markers->markerCount, "frames",
                                  capture->markers->frameCount, "fps", fps, "gaps",
                                  capture->markers->gapCount, "referenceFrame",
                                  capture->referenceFrame, "joints", joints, "warnings", warnings),
                       arena);
}

/// Other units than the file's, and Y up.
static int tgChangeSpace(tgMarkers* markers, const tgCenterOptions* options)
{
    static const char* const units[] = {"mm", "cm", "m", NULL};
    static const char* const ups[] = {"y", "z", NULL};
    static const double sizes[] = {0.001, 0.01, 1.0};
    int unit = options->units != NULL ? tgParseChoice("--units", options->units, units) : 0;
    int up = options->up != NULL ? tgParseChoice("--up", options->up, ups) : 0;
    if (unit < 0 || up < 0) {
        return tg_statusUsage;
    }
    float scale = options->units != NULL ? (float)(sizes[unit] / markers->unit) : 1.0f;
    size_t count = (size_t)markers->markerCount * (size_t)markers->frameCount;
    for (size_t i = 0; i < count; ++i) {
        tgVec3 p = tgMulSV(scale, markers->positions[i]);
        markers->positions[i] = up == 1 ? tgMakeVec3(p.x, p.z, -p.y) : p;
    }
    return tg_statusDone;
}

static int tgPrepareCapture(const char* file, const tgCenterOptions* options, tgCapture* capture)
{

    int method =
        options->method != NULL ? tgParseChoice("--method", options->method, tg_methodNames) : 0;
    if (method < 0) {
        return tg_statusUsage;
    }
    tgError error = {0};
    capture->isChosen = options->method != NULL;
    capture->method = (tgCenterMethod)method;
    capture->seed = (uint64_t)(unsigned)options->seed;
    capture->markers = tgLoadMarkers(file, &error);
    if (capture->markers == NULL) {
        return tgSayFailed(file, &error);
    }
    int status = tgChangeSpace(capture->markers, options);
    if (status != tg_statusDone) {
        return status;
    }
    capture->segments = tgLoadSegments(options->segments, capture->markers, &error);
    if (capture->segments == NULL) {
        return tgSayFailed(options->segments, &error);
    }
    bool isChosen = options->frame != INT_MAX;
    if (isChosen && (options->frame < 0 || options->frame >= capture->markers->frameCount)) {
        return tgSayFailure(file, "has %s, there is no frame %d",
                            tgTellCount(capture->markers->frameCount, "frame", "frames").text,
                            options->frame);
    }
    capture->referenceFrame = isChosen ? options->frame : tgCapture_FindReference(capture);
    return tgCapture_FindJoints(capture, &error) == tg_success ? tg_statusDone
                                                               : tgSayFailed(file, &error);
}

static int tgReportCapture(const char* file, const tgCenterOptions* options,
                           const tgCapture* capture)
{
    double fps = options->fps > 0.0 ? options->fps : capture->markers->rate;
    if (options->output != NULL) {
        tgError error = {0};
        tgHoldInterrupt();
        if (tgCapture_Save(capture, options->output, fps > 0.0 ? fps : 30.0, &error) !=
            tg_success) {
            return tgSayFailed(options->output, &error);
        }
    }
    if (options->json) {
        return tgPrintCentersJson(file, capture, fps);
    }
    for (int i = 0; i < capture->markers->warningCount; ++i) {
        fprintf(stderr, "turgor: %s: warning: %s\n", file, capture->markers->warnings[i]);
    }
    tgPrintTable(file, capture, fps);
    if (options->output != NULL) {
        printf("\n%s: %s\n", options->output,
               tgTellCount(capture->segments->segmentCount, "joint", "joints").text);
    }
    return tg_statusDone;
}

int tgCommandCenters(int argc, char** argv)
{
    tgCenterOptions options = {.frame = INT_MAX, .seed = 1};
    const tgOption table[] = {
        {"--segments", "FILE.json", tg_optionText, &options.segments,
         "which markers are on which part of the body; see docs/formats.md"},
        {"-o", "OUT.bvh|.json", tg_optionText, &options.output,
         ".bvh: the skeleton and its motion; .json: the skeleton; metres"},
        {"--method", "NAME", tg_optionText, &options.method,
         "fit, annealing or two-sided: whose centres are told; default the best"},
        {"--frame", "N", tg_optionInt, &options.frame,
         "the pose of the skeleton; default the one with the most markers seen"},
        {"--seed", "N", tg_optionInt, &options.seed, "of the annealing and the errors; default 1"},
        {"--units", "mm|cm|m", tg_optionText, &options.units,
         "of the file; default what it says, metres for .csv"},
        {"--up", "y|z", tg_optionText, &options.up, "of the file; z is turned to y; default y"},
        {"--fps", "N", tg_optionNumber, &options.fps, "of the file; default what it says"},
        {"--json", NULL, tg_optionFlag, &options.json, "print one JSON object instead of text"},
    };
    const tgVerb verb = {"centers", "MARKERS --segments FILE.json",
                         true,      "Joint centres from motion capture: .c3d, .trc or .csv.",
                         table,     sizeof(table) / sizeof(table[0])};
    const char* file;
    tgParse parse = tgParseArguments(&verb, argc, argv, &file);
    if (parse != tg_parseRun) {
        return tgGetParseStatus(parse);
    }
    if (options.segments == NULL) {
        return tgSayUsage("centers wants --segments FILE.json; see turgor centers --help");
    }
    if (options.fps < 0.0) {
        return tgSayUsage("--fps is %g, wanted more than 0", options.fps);
    }
    tgCapture capture = {0};
    int status = tgPrepareCapture(file, &options, &capture);
    if (status == tg_statusDone) {
        status = tgReportCapture(file, &options, &capture);
    }
    tgCapture_Free(&capture);
    return status;
}
