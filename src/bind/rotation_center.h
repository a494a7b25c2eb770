// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What the ways to find a centre of rotation share: the child's markers as the parent sees them,
// the measure that is to be small, and random numbers.
#ifndef TURGOR_BIND_ROTATION_CENTER_H
#define TURGOR_BIND_ROTATION_CENTER_H

#include "bind/segment_track.h"

/// Positions of the child's markers in the parent's frame, which is the reference frame.
typedef struct tgCloud {
    int markerCount;
    int* starts;     ///< markerCount + 1 entries: points of marker m are starts[m] to starts[m + 1]
    tgVec3d* points; ///< marker after marker
    tgVec3d middle;  ///< of both segments' markers
    double radius;   ///< the farthest of them is so far from the middle
} tgCloud;

/// Where a centre may be: anywhere, or in the plane through the prior across a hinge's axis.
typedef struct tgFreedom {
    tgVec3d prior;
    tgVec3d axis; ///< unit; used for a hinge only
    bool isHinge;
} tgFreedom;

/// The part of a direction that is free.
static inline tgVec3d tgFreedom_Project(const tgFreedom* freedom, tgVec3d v)
{
    return freedom->isHinge ? tgFlattenD(v, freedom->axis) : v;
}

/// What is known about a joint while its centre is sought.
typedef struct tgCenterSearch {
    const tgCenterDef* def;
    tgSegmentTrack parent, child;
    bool hasChild;      ///< the child's own motion is known
    tgMotion* relative; ///< the child's motion in the parent's frame, where both are seen
    int relativeCount;
    tgCloud cloud;
    tgFreedom freedom;
    bool isSeen; ///< the child turns more than noise does
} tgCenterSearch;

/// Everything but the centre. Close it after a failure too.
tgResult tgCenterSearch_Open(tgCenterSearch* search, const tgCenterDef* def, tgError* error);
void tgCenterSearch_Close(tgCenterSearch* search);

/// splitmix64 (Steele, Lea and Flood, 2014), uniform in [0, 1).
static inline double tgDrawNumber(uint64_t* state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    z ^= z >> 31;
    return (double)(z >> 11) * 0x1p-53;
}

/// Sum over all points of (|p - c| - mean of the marker)^2: zero when every marker moves on a
/// sphere about c.
double tgMeasureSpheres(const tgCloud* cloud, tgVec3d center);

/// The same with its Gauss-Newton matrix and gradient, both halved.
double tgMeasureSlope(const tgCloud* cloud, tgVec3d center, double matrix[3][3], double slope[3]);

/// Sum of (p - mean of the marker)(p - mean of the marker)^T.
void tgMeasureSpread(const tgCloud* cloud, double spread[3][3]);

/// How the child turns.
typedef struct tgTurning {
    tgVec3d axis; ///< the one it turns most about
    bool isHinge; ///< it turns about no other
    bool isSeen;  ///< it turns more than noise does
} tgTurning;

/// From its motions in the parent's frame.
/// @param noise variance of the turning that is noise alone, in radians squared
tgTurning tgFindTurning(const tgMotion* motions, int count, double noise);
/// From positions only: a hinge is where every marker stays in a plane, to the noise.
/// @param noise of the parent's turning
tgTurning tgFindFlatTurning(const tgCloud* cloud, tgVec3d prior, double noise);

/// Least squares in closed form, then Gauss-Newton.
tgVec3d tgFitCenter(const tgCloud* cloud, const tgFreedom* freedom);

/// Simulated annealing.
tgVec3d tgAnnealCenter(const tgCloud* cloud, const tgFreedom* freedom, const tgCenterDef* def);

/// The point that stays put in both segments.
/// @param residual root mean square distance of its two sides
tgVec3d tgFitTwoSided(const tgMotion* motions, int count, const tgFreedom* freedom,
                      double* residual);

/// center_error.c: how far from the truth the centres are to be expected.
tgResult tgMeasureErrors(const tgCenterSearch* search, tgCenter* center, tgError* error);

#endif
