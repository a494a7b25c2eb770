// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// From markers to a skeleton: a centre for every segment that has a parent, placed bone by bone.

#include "capture.h"

#include "core/core.h"

#include <stdlib.h>

int tgCapture_FindReference(const tgCapture* capture)
{
    const tgMarkers* markers = capture->markers;
    int best = 0, most = -1;
    for (int f = 0; f < markers->frameCount; ++f) {
        const tgVec3* frame = markers->positions + (size_t)f * (size_t)markers->markerCount;
        int seen = 0;
        for (int s = 0; s < capture->segments->segmentCount; ++s) {
            const tgSegment* segment = &capture->segments->segments[s];
            for (int i = 0; i < segment->markerCount; ++i) {
                seen += tgIsFiniteVec3(frame[segment->markers[i]]);
            }
        }
        best = seen > most ? f : best;
        most = seen > most ? seen : most;
    }
    return best;
}

/// The mean of some markers in the reference frame, NaN when none of them is seen.
static tgVec3 tgFindMean(const tgCapture* capture, const int* markers, int count)
{
    const tgVec3* frame = capture->markers->positions +
                          (size_t)capture->referenceFrame * (size_t)capture->markers->markerCount;
    tgVec3 sum = {0.0f, 0.0f, 0.0f};
    int seen = 0;
    for (int i = 0; i < count; ++i) {
        if (tgIsFiniteVec3(frame[markers[i]])) {
            sum = tgAdd(sum, frame[markers[i]]);
            seen += 1;
        }
    }
    return seen > 0 ? tgMulSV(1.0f / (float)seen, sum) : tgMakeVec3(NAN, NAN, NAN);
}

static tgResult tgFindJoint(tgCapture* capture, int s, tgError* error)
{
    const tgSegment* segment = &capture->segments->segments[s];
    const tgSegment* parent = &capture->segments->segments[segment->parent];
    tgCenterDef def = tgDefaultCenterDef();
    def.markers = tgMarkers_GetView(capture->markers);
    def.parentMarkers = parent->markers;
    def.parentMarkerCount = parent->markerCount;
    def.childMarkers = segment->markers;
    def.childMarkerCount = segment->markerCount;
    def.referenceFrame = capture->referenceFrame;
    def.kind = segment->kind;
    def.seed = capture->seed;
    def.prior = tgFindMean(capture, segment->near, segment->nearCount);
    def.hasPrior = tgIsFiniteVec3(def.prior);
    tgError reason = {0};
    tgResult result = tgFindCenter(&def, &capture->centers[s], &reason);
    return result == tg_success ? result
                                : tgFail(error, result, s, "segment %.40s on %.40s: %s",
                                         segment->name, parent->name, reason.message);
}

/// From the parent's joint along the bone as the parent carries both ends: free of the reference
/// frame's noise, which would make every bone a little too long or too short.
static tgVec3 tgPlaceJoint(const tgCapture* capture, int s)
{
    int parent = capture->segments->segments[s].parent;
    tgVec3 position = tgCapture_GetEstimate(capture, s)->position;
    if (capture->segments->segments[parent].parent < 0) {
        return position;
    }
    tgVec3 start = tgCapture_GetEstimate(capture, parent)->carried;
    return tgAdd(capture->positions[parent], tgSub(position, start));
}

/// A joint at the end of a bone is as wrong as the joint it starts from, and as its own centre.
static double tgAddError(const tgCapture* capture, int s)
{
    double own = tgCapture_GetEstimate(capture, s)->error;
    double along = capture->centers[s].axisError;
    double before = capture->errors[capture->segments->segments[s].parent];
    return sqrt(before * before + own * own + along * along);
}

tgResult tgCapture_FindJoints(tgCapture* capture, tgError* error)
{
    size_t count = (size_t)capture->segments->segmentCount;
    capture->centers = calloc(count, sizeof(tgCenter));
    capture->positions = calloc(count, sizeof(tgVec3));
    capture->errors = calloc(count, sizeof(double));
    capture->ends = calloc(count, sizeof(tgVec3));
    if (capture->centers == NULL || capture->positions == NULL || capture->errors == NULL ||
        capture->ends == NULL) {
        return tgFail(error, tg_outOfMemory, -1, "out of memory for %zu segments", count);
    }
    for (int s = 0; s < capture->segments->segmentCount; ++s) {
        const tgSegment* segment = &capture->segments->segments[s];
        capture->ends[s] = tgFindMean(capture, segment->end, segment->endCount);
        if (segment->parent >= 0) {
            tgResult result = tgFindJoint(capture, s, error);
            if (result != tg_success) {
                return result;
            }
            capture->positions[s] = tgPlaceJoint(capture, s);
            capture->errors[s] = tgAddError(capture, s);
            continue;
        }
        bool hasNear = segment->nearCount > 0;
        capture->positions[s] = tgFindMean(capture, hasNear ? segment->near : segment->markers,
                                           hasNear ? segment->nearCount : segment->markerCount);
        if (!tgIsFiniteVec3(capture->positions[s])) {
            return tgFail(error, tg_invalidArgument, s,
                          "segment %.40s: none of its markers is seen in frame %d", segment->name,
                          capture->referenceFrame);
        }
    }
    return tg_success;
}

const tgCenterEstimate* tgCapture_GetEstimate(const tgCapture* capture, int segment)
{
    const tgCenter* center = &capture->centers[segment];
    tgCenterMethod method = capture->isChosen ? capture->method : center->best;
    if (method == tg_centerAnnealed) {
        return &center->annealed;
    }
    bool isTwoSided = method == tg_centerTwoSided && center->twoSided.found;
    return isTwoSided ? &center->twoSided : &center->fit;
}

void tgCapture_Free(tgCapture* capture)
{
    tgDestroySegments(capture->segments);
    tgDestroyMarkers(capture->markers);
    free(capture->centers);
    free(capture->positions);
    free(capture->errors);
    free(capture->ends);
    *capture = (tgCapture){0};
}
