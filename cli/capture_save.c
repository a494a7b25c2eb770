// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A captured skeleton in files: as it stands, or moving. Gaps in a segment's motion are bridged
// from the last frame that shows it to the next.

#include "capture.h"
#include "core/core.h"
#include "io/json.h"
#include "io/motion_bvh_write.h"
#include "io/output_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Between two rigid motions: axes by their mean, made square again.
static tgMat34 tgBlendMotions(const tgMat34* a, const tgMat34* b, float t)
{
    tgMat34 m;
    m.x = tgNormalize(tgLerp(a->x, b->x, t), a->x);
    tgVec3 y = tgLerp(a->y, b->y, t);
    m.y = tgNormalize(tgMulAdd(y, -tgDot(y, m.x), m.x), a->y);
    m.z = tgCross(m.x, m.y);
    m.origin = tgLerp(a->origin, b->origin, t);
    return m;
}

/// At least the reference frame is always there.
static void tgBridgeGaps(tgMat34* motions, int count)
{
    int last = -1;
    for (int f = 0; f < count; ++f) {
        if (!tgIsFiniteMat34(&motions[f])) {
            continue;
        }
        for (int g = last + 1; g < f; ++g) {
            float t = last >= 0 ? (float)(g - last) / (float)(f - last) : 1.0f;
            motions[g] = tgBlendMotions(&motions[last >= 0 ? last : f], &motions[f], t);
        }
        last = f;
    }
    for (int g = last + 1; last >= 0 && g < count; ++g) {
        motions[g] = motions[last];
    }
}

/// What writing takes: for every segment its motion, then the same seen from its parent.
typedef struct tgMoves {
    tgMat34* motions; ///< segment after segment, frameCount each
    tgMat34* locals;  ///< frame after frame
    tgVec3* roots;
    const char** names;
    int* parents;
} tgMoves;

static tgResult tgTrackMoves(const tgCapture* capture, tgMoves* moves, tgError* error)
{
    const tgMarkers* markers = capture->markers;
    size_t frames = (size_t)markers->frameCount;
    for (int s = 0; s < capture->segments->segmentCount; ++s) {
        const tgSegment* segment = &capture->segments->segments[s];
        tgMat34* motions = moves->motions + (size_t)s * frames;
        tgError reason = {0};
        tgResult result =
            tgTrackSegment(tgMarkers_GetView(markers), segment->markers, segment->markerCount,
                           capture->referenceFrame, motions, &reason);
        if (result == tg_outOfMemory || (result != tg_success && segment->parent < 0)) {
            return tgFail(error, result, s, "segment %.40s: %s", segment->name, reason.message);
        }
        if (result != tg_success) { // too few markers: it goes with its parent
            const tgMat34* parent = moves->motions + (size_t)segment->parent * frames;
            for (size_t f = 0; f < frames; ++f) {
                motions[f] = parent[f];
            }
        }
        tgBridgeGaps(motions, markers->frameCount);
    }
    return tg_success;
}

/// Rotations only: joint to parent is the transpose of the parent's turn times its own.
static tgMat34 tgMakeLocal(const tgMat34* parent, const tgMat34* own)
{
    const tgVec3 axes[3] = {own->x, own->y, own->z};
    tgVec3 columns[3];
    for (int i = 0; i < 3; ++i) {
        columns[i] = tgMakeVec3(tgDot(parent->x, axes[i]), tgDot(parent->y, axes[i]),
                                tgDot(parent->z, axes[i]));
    }
    return (tgMat34){columns[0], columns[1], columns[2], {0.0f, 0.0f, 0.0f}};
}

static tgResult tgSaveMotion(const tgCapture* capture, const char* path, double fps, tgMoves* moves,
                             tgError* error)
{
    int count = capture->segments->segmentCount, frames = capture->markers->frameCount;
    tgResult result = tgTrackMoves(capture, moves, error);
    if (result != tg_success) {
        return result;
    }
    const tgMat34 still = tgIdentityMat34();
    for (int s = 0; s < count; ++s) {
        const tgSegment* segment = &capture->segments->segments[s];
        moves->names[s] = segment->name;
        moves->parents[s] = segment->parent;
        for (int f = 0; f < frames; ++f) {
            const tgMat34* own = &moves->motions[(size_t)s * (size_t)frames + (size_t)f];
            const tgMat34* parent =
                segment->parent < 0
                    ? &still
                    : &moves->motions[(size_t)segment->parent * (size_t)frames + (size_t)f];
            moves->locals[(size_t)f * (size_t)count + (size_t)s] = tgMakeLocal(parent, own);
            if (s == 0) {
                moves->roots[f] = tgMulMatPoint(own, capture->positions[0]);
            }
        }
    }
    const tgSkeletonMotion motion = {
        .jointCount = count,
        .names = moves->names,
        .parents = moves->parents,
        .positions = capture->positions,
        .ends = capture->ends,
        .frameCount = frames,
        .frameTime = 1.0 / fps,
        .rootPositions = moves->roots,
        .locals = moves->locals,
    };
    return tgSaveBvh(&motion, path, error);
}

static tgResult tgSaveBvhOf(const tgCapture* capture, const char* path, double fps, tgError* error)
{
    size_t count = (size_t)capture->segments->segmentCount;
    size_t frames = (size_t)capture->markers->frameCount;
    tgMoves moves = {
        .motions = calloc(count * frames, sizeof(tgMat34)),
        .locals = calloc(count * frames, sizeof(tgMat34)),
        .roots = calloc(frames, sizeof(tgVec3)),
        .names = calloc(count, sizeof(char*)),
        .parents = calloc(count, sizeof(int)),
    };
    bool isWhole = moves.motions != NULL && moves.locals != NULL && moves.roots != NULL &&
                   moves.names != NULL && moves.parents != NULL;
    tgResult result =
        isWhole ? tgSaveMotion(capture, path, fps, &moves, error)
                : tgFail(error, tg_outOfMemory, -1, "out of memory for %zu frames", frames);
    free(moves.motions);
    free(moves.locals);
    free(moves.roots);
    free(moves.names);
    free(moves.parents);
    return result;
}

static tgJsonValue* tgMakePlaceJson(tgArena* arena, tgVec3 p)
{
    return tgPackJson(arena, "[f, f, f]", (double)p.x, (double)p.y, (double)p.z);
}

/// As `turgor bind --skeleton` reads it.
static tgJsonValue* tgMakeSkeletonJson(tgArena* arena, const tgCapture* capture)
{
    tgJsonValue* joints = tgMakeJsonList(arena);
    for (int s = 0; s < capture->segments->segmentCount; ++s) {
        const tgSegment* segment = &capture->segments->segments[s];
        const char* parent =
            segment->parent >= 0 ? capture->segments->segments[segment->parent].name : NULL;
        tgJsonValue* joint =
            tgPackJson(arena, "{s:s, s:s?, s:o}", "name", segment->name, "parent", parent,
                       "position", tgMakePlaceJson(arena, capture->positions[s]));
        if (tgIsFiniteVec3(capture->ends[s])) {
            tgJson_Set(joint, "tail", tgMakePlaceJson(arena, capture->ends[s]));
        }
        tgJson_Append(joints, joint);
    }
    return tgPackJson(arena, "{s:o}", "joints", joints);
}

static tgResult tgSaveSkeleton(const tgCapture* capture, const char* path, tgError* error)
{
    static const tgJsonLook look = {.digits = 9, .isIndented = true};
    tgArena arena = {0};
    const tgJsonValue* object = tgMakeSkeletonJson(&arena, capture);
    char* text = arena.ranOut ? NULL : tgFormatJson(object, &look);
    tgArena_Free(&arena);
    tgOutputFile file = {0};
    tgResult result = text != NULL
                          ? tgOutputFile_Open(&file, path, error)
                          : tgFail(error, tg_outOfMemory, -1, "out of memory for the skeleton");
    if (result == tg_success) {
        result = tgOutputFile_Write(&file, text, strlen(text), error);
    }
    if (result == tg_success) {
        result = tgOutputFile_Finish(&file, error);
    }
    if (result == tg_success) {
        result = tgOutputFile_Commit(&file, error);
    }
    tgOutputFile_Discard(&file);
    free(text);
    return result;
}

tgResult tgCapture_Save(const tgCapture* capture, const char* path, double fps, tgError* error)
{
    if (tgHasEnding(path, ".bvh")) {
        return tgSaveBvhOf(capture, path, fps, error);
    }
    if (tgHasEnding(path, ".json")) {
        return tgSaveSkeleton(capture, path, error);
    }
    return tgFail(error, tg_unsupported, -1, "unknown ending, expected .bvh or .json");
}
