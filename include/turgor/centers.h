// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
/// @file centers.h
/// Where joints are, from motion capture: markers on two neighbouring segments of a body tell the
/// point about which one turns against the other.
///
/// All positions that come out are those of one reference frame, so that the centres of a body's
/// joints together are a skeleton in that frame's pose.
#ifndef TURGOR_CENTERS_H
#define TURGOR_CENTERS_H

#include "turgor/base.h"
#include "turgor/math.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Borrowed positions of markers over time.
typedef struct tgMarkerView {
    const tgVec3* positions; ///< frame after frame, markerCount in each; NaN where one was not seen
    int markerCount;
    int frameCount;
} tgMarkerView;

typedef enum tgJointKind {
    tg_jointAuto = 0, ///< the motion tells
    tg_jointBall,     ///< turns about a point
    tg_jointHinge,    ///< turns about a line: the point of it that is nearest to a prior is taken
} tgJointKind;

/// Two neighbouring segments of a body. Start from tgDefaultCenterDef().
typedef struct tgCenterDef {
    tgMarkerView markers;
    const int* parentMarkers; ///< on the segment that is taken to stand still
    int parentMarkerCount;    ///< 3 or more, not all in a row
    const int* childMarkers;  ///< on the segment that turns
    int childMarkerCount;     ///< 1 or more; from 3 on the two-sided fit can be made
    int referenceFrame;       ///< where positions are told; 3 parent markers must be seen in it; 0
    tgJointKind kind;         ///< default tg_jointAuto
    bool hasPrior;            ///< default false: the mean of both segments' markers is the prior
    tgVec3 prior;             ///< a hinge's point is taken near it; as in the reference frame
    int restarts;             ///< of the annealing, 1 to 1000; 5
    int steps;                ///< of each annealing, 1 to 1000000; 2000
    uint64_t seed;            ///< of annealing and errors: the same seed, the same result; 1
    int cookie;               ///< set by tgDefaultCenterDef, not by you
} tgCenterDef;

TG_API tgCenterDef tgDefaultCenterDef(void);

typedef enum tgCenterMethod {
    tg_centerFit = 0,  ///< sphere fit refined by Gauss-Newton
    tg_centerAnnealed, ///< simulated annealing of the same measure
    tg_centerTwoSided, ///< fixed in both segments: the symmetrical fit
} tgCenterMethod;

/// What one method found.
typedef struct tgCenterEstimate {
    bool found;      ///< false: the method had too few markers
    tgVec3 position; ///< in the reference frame, as the parent carries it
    tgVec3 carried;  ///< the same as the child carries it, the mean of all frames: from here to the
                     ///< child's own joints, bones are right although the frame is noisy
    double residual; ///< root mean square, in the markers' unit: how much the distances to the
                     ///< markers vary; of the two-sided fit: how far its two sides are apart
    double error;    ///< root mean square distance from the truth to expect, from shots with the
                     ///< same motion and new noise; of a hinge: from its axis
} tgCenterEstimate;

typedef struct tgCenter {
    tgJointKind kind; ///< ball or hinge
    tgVec3 axis;      ///< of a hinge: a unit vector, in the reference frame
    tgCenterEstimate fit;
    tgCenterEstimate annealed;
    tgCenterEstimate twoSided;
    tgCenterMethod best;  ///< the one to use: two-sided, but the fit where a child of few or
                          ///< crowded markers cannot tell its own turning
    double agreement;     ///< the largest distance between any two of them
    double standardError; ///< of the best: its error, and of a hinge axisError with it
    double axisError;     ///< of a hinge without a prior: how well its markers, which are taken to
                          ///< stand about it, tell the place along its axis; 0 for others
    double range;         ///< radians through which the child turned
    int frameCount;       ///< frames in which enough was seen
} tgCenter;

/// Find the centre of rotation. Fails in words when the markers cannot tell it: too few, in a row,
/// hidden, or not moving.
TG_API tgResult tgFindCenter(const tgCenterDef* def, tgCenter* center, tgError* error);

/// The rigid motion of a segment from the reference frame to every frame: one matrix each.
/// @param motions markers.frameCount entries; all NaN where fewer than 3 markers were seen
TG_API tgResult tgTrackSegment(tgMarkerView markers, const int* segment, int segmentCount,
                               int referenceFrame, tgMat34* motions, tgError* error);

#ifdef __cplusplus
}
#endif

#endif
