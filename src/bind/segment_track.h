// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The rigid motion of one segment, from its markers.
#ifndef TURGOR_BIND_SEGMENT_TRACK_H
#define TURGOR_BIND_SEGMENT_TRACK_H

#include "bind/vec3d.h"
#include "turgor/centers.h"

typedef struct tgSegmentTrack {
    int markerCount;
    tgVec3d* shape;    ///< the segment's markers in the reference frame, averaged over all frames
    bool* isKnown;     ///< for each marker: it was seen together with the others
    tgMotion* motions; ///< for each frame: from the reference frame to it
    bool* isSeen;      ///< for each frame: enough markers were there
    double noise;      ///< variance of a marker's coordinate that is no motion of the segment
    double turnNoise;  ///< variance of its turning about its worst axis that is noise, radians^2
} tgSegmentTrack;

/// The rotation and translation that bring `from` nearest to `to`.
/// @return false when there are fewer than three points, or all are in a row
bool tgFitMotion(const tgVec3d* from, const tgVec3d* to, int count, tgMotion* motion);

/// Free the track with tgSegmentTrack_Free, after a failure too.
tgResult tgSegmentTrack_Make(tgSegmentTrack* track, tgMarkerView markers, const int* segment,
                             int segmentCount, int referenceFrame, tgError* error);
void tgSegmentTrack_Free(tgSegmentTrack* track);

#endif
