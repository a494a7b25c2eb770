// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A segment's markers as one rigid body: their shape, averaged over all frames, and the motion that
// brings the shape to each frame (Horn, Closed-form solution of absolute orientation, 1987). The
// noise of the reference frame would otherwise be in every result.

#include "bind/segment_track.h"

#include "bind/symmetric.h"
#include "core/core.h"

#include <stdlib.h>

/// Rounds of fitting all frames to the shape and the shape to all frames; it settles at once.
enum { tg_shapeRounds = 3 };
/// Narrower than this fraction of their length, points are in a row.
static const double tg_rowFraction = 0.02;

static tgVec3d tgFindMean(const tgVec3d* points, int count)
{
    tgVec3d sum = {0};
    for (int i = 0; i < count; ++i) {
        sum = tgAddD(sum, points[i]);
    }
    return tgMulSVD(1.0 / count, sum);
}

/// S[i][k] = sum of a_i b_k, both about their means.
static void tgSumProducts(const tgVec3d* a, const tgVec3d* b, int count, double sums[3][3])
{
    tgVec3d meanA = tgFindMean(a, count), meanB = tgFindMean(b, count);
    for (int i = 0; i < count; ++i) {
        tgVec3d da = tgSubD(a[i], meanA), db = tgSubD(b[i], meanB);
        const double x[3] = {da.x, da.y, da.z}, y[3] = {db.x, db.y, db.z};
        for (int r = 0; r < 3; ++r) {
            for (int c = 0; c < 3; ++c) {
                sums[r][c] += x[r] * y[c];
            }
        }
    }
}

static bool tgIsRow(const tgVec3d* points, int count)
{
    double spread[3][3] = {{0.0}};
    tgSumProducts(points, points, count, spread);
    tgEigen eigen = tgFindEigen(3, &spread[0][0]);
    return !(eigen.values[1] > tg_rowFraction * tg_rowFraction * eigen.values[0]);
}

static void tgSetRotation(tgMotion* motion, const double q[4])
{
    double w = q[0], x = q[1], y = q[2], z = q[3];
    motion->row[0] =
        tgMakeVec3d(1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y));
    motion->row[1] =
        tgMakeVec3d(2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x));
    motion->row[2] =
        tgMakeVec3d(2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y));
}

bool tgFitMotion(const tgVec3d* from, const tgVec3d* to, int count, tgMotion* motion)
{
    if (count < 3 || tgIsRow(from, count)) {
        return false;
    }
    double s[3][3] = {{0.0}};
    tgSumProducts(from, to, count, s);
    // The quaternion w, x, y, z of the best rotation is the first eigenvector of this matrix.
    const double n[16] = {
        s[0][0] + s[1][1] + s[2][2], s[1][2] - s[2][1],           s[2][0] - s[0][2],
        s[0][1] - s[1][0],           s[1][2] - s[2][1],           s[0][0] - s[1][1] - s[2][2],
        s[0][1] + s[1][0],           s[2][0] + s[0][2],           s[2][0] - s[0][2],
        s[0][1] + s[1][0],           s[1][1] - s[0][0] - s[2][2], s[1][2] + s[2][1],
        s[0][1] - s[1][0],           s[2][0] + s[0][2],           s[1][2] + s[2][1],
        s[2][2] - s[0][0] - s[1][1],
    };
    tgEigen eigen = tgFindEigen(4, n);
    tgSetRotation(motion, eigen.vectors[0]);
    tgVec3d turned = tgMotion_Turn(motion, tgFindMean(from, count));
    motion->translation = tgSubD(tgFindMean(to, count), turned);
    return true;
}

/// Those of the segment's markers that are known and seen in a frame, in the shape and there.
static int tgGatherPairs(const tgSegmentTrack* track, const tgVec3* frame, const int* segment,
                         tgVec3d* from, tgVec3d* to)
{
    int count = 0;
    for (int i = 0; i < track->markerCount; ++i) {
        if (track->isKnown[i] && tgIsFiniteVec3(frame[segment[i]])) {
            from[count] = track->shape[i];
            to[count] = tgVec3d_FromFloat(frame[segment[i]]);
            count += 1;
        }
    }
    return count;
}

static void tgFitFrames(tgSegmentTrack* track, tgMarkerView markers, const int* segment,
                        tgVec3d* from, tgVec3d* to)
{
    for (int f = 0; f < markers.frameCount; ++f) {
        const tgVec3* frame = markers.positions + (size_t)f * (size_t)markers.markerCount;
        int count = tgGatherPairs(track, frame, segment, from, to);
        track->isSeen[f] = tgFitMotion(from, to, count, &track->motions[f]);
    }
}

/// Each marker of the shape becomes the mean of where all frames put it.
static void tgAverageShape(tgSegmentTrack* track, tgMarkerView markers, const int* segment)
{
    for (int i = 0; i < track->markerCount; ++i) {
        tgVec3d sum = {0};
        int count = 0;
        for (int f = 0; f < markers.frameCount; ++f) {
            tgVec3 p =
                markers.positions[(size_t)f * (size_t)markers.markerCount + (size_t)segment[i]];
            if (track->isSeen[f] && tgIsFiniteVec3(p)) {
                sum = tgAddD(sum, tgMotion_Undo(&track->motions[f], tgVec3d_FromFloat(p)));
                count += 1;
            }
        }
        track->isKnown[i] = count > 0;
        track->shape[i] = count > 0 ? tgMulSVD(1.0 / count, sum) : track->shape[i];
    }
}

/// Put the averaged shape where the reference frame has it.
static void tgAlignShape(tgSegmentTrack* track, const tgVec3* frame, const int* segment,
                         tgVec3d* from, tgVec3d* to)
{
    tgMotion motion;
    int count = tgGatherPairs(track, frame, segment, from, to);
    if (tgFitMotion(from, to, count, &motion)) {
        for (int i = 0; i < track->markerCount; ++i) {
            track->shape[i] = tgMotion_Apply(&motion, track->shape[i]);
        }
    }
}

static tgResult tgStartShape(tgSegmentTrack* track, const tgVec3* frame, const int* segment,
                             tgVec3d* from, int referenceFrame, tgError* error)
{
    int count = 0;
    for (int i = 0; i < track->markerCount; ++i) {
        track->isKnown[i] = tgIsFiniteVec3(frame[segment[i]]);
        if (track->isKnown[i]) {
            track->shape[i] = tgVec3d_FromFloat(frame[segment[i]]);
            from[count++] = track->shape[i];
        }
    }
    if (count < 3) {
        return tgFail(error, tg_invalidArgument, -1,
                      "%d of its %d markers are seen in frame %d, wanted 3 or more", count,
                      track->markerCount, referenceFrame);
    }
    if (tgIsRow(from, count)) {
        return tgFail(error, tg_invalidArgument, -1,
                      "its markers are all in a row in frame %d, wanted 3 that are not",
                      referenceFrame);
    }
    return tg_success;
}

/// How far off the markers are from the moved shape tells their noise, and how much of the turning
/// is noise: variance over the moment of the markers about their longest axis.
static void tgMeasureNoise(tgSegmentTrack* track, tgMarkerView markers, const int* segment,
                           tgVec3d* from, tgVec3d* to)
{
    double squares = 0.0, freedoms = 0.0;
    for (int f = 0; f < markers.frameCount; ++f) {
        const tgVec3* frame = markers.positions + (size_t)f * (size_t)markers.markerCount;
        int count = track->isSeen[f] ? tgGatherPairs(track, frame, segment, from, to) : 0;
        for (int i = 0; i < count; ++i) {
            tgVec3d off = tgSubD(tgMotion_Apply(&track->motions[f], from[i]), to[i]);
            squares += tgDotD(off, off);
        }
        freedoms += count > 0 ? 3.0 * count - 6.0 : 0.0; // six were spent on the motion
    }
    int known = 0;
    for (int i = 0; i < track->markerCount; ++i) {
        if (track->isKnown[i]) {
            from[known++] = track->shape[i];
        }
    }
    double spread[3][3] = {{0.0}};
    tgSumProducts(from, from, known, spread);
    tgEigen eigen = tgFindEigen(3, &spread[0][0]);
    track->noise = squares / freedoms;
    track->turnNoise = track->noise / (eigen.values[1] + eigen.values[2]);
}

tgResult tgSegmentTrack_Make(tgSegmentTrack* track, tgMarkerView markers, const int* segment,
                             int segmentCount, int referenceFrame, tgError* error)
{
    size_t count = (size_t)segmentCount, frames = (size_t)markers.frameCount;
    *track = (tgSegmentTrack){.markerCount = segmentCount};
    track->shape = calloc(count + 1, sizeof(tgVec3d));
    track->isKnown = calloc(count + 1, sizeof(bool));
    track->motions = calloc(frames, sizeof(tgMotion));
    track->isSeen = calloc(frames, sizeof(bool));
    tgVec3d* pairs = calloc(2 * count + 1, sizeof(tgVec3d));
    tgResult result = tg_success;
    if (track->shape == NULL || track->isKnown == NULL || track->motions == NULL ||
        track->isSeen == NULL || pairs == NULL) {
        result = tgFail(error, tg_outOfMemory, -1, "no memory for %d frames", markers.frameCount);
    } else {
        tgVec3d *from = pairs, *to = pairs + count;
        const tgVec3* reference =
            markers.positions + (size_t)referenceFrame * (size_t)markers.markerCount;
        result = tgStartShape(track, reference, segment, from, referenceFrame, error);
        for (int round = 0; round < tg_shapeRounds && result == tg_success; ++round) {
            tgFitFrames(track, markers, segment, from, to);
            tgAverageShape(track, markers, segment);
            tgAlignShape(track, reference, segment, from, to);
        }
        if (result == tg_success) {
            tgFitFrames(track, markers, segment, from, to);
            tgMeasureNoise(track, markers, segment, from, to);
        }
    }
    free(pairs);
    return result;
}

void tgSegmentTrack_Free(tgSegmentTrack* track)
{
    free(track->shape);
    free(track->isKnown);
    free(track->motions);
    free(track->isSeen);
    *track = (tgSegmentTrack){0};
}
