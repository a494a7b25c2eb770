// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A motion capture session: markers, segments, the joints found between them, their motion.
#ifndef TURGOR_CLI_CAPTURE_H
#define TURGOR_CLI_CAPTURE_H

#include "turgor/markers.h"

typedef struct tgCapture {
    tgMarkers* markers;
    tgSegments* segments;
    int referenceFrame;
    bool isChosen; ///< `method` for all joints; otherwise the best for each
    tgCenterMethod method;
    uint64_t seed;
    tgCenter* centers; ///< for each segment; a root's is all zero
    tgVec3* positions; ///< of each segment's joint, in the reference frame
    double* errors;    ///< of each position, as far as the markers tell; 0 for a root
    tgVec3* ends;      ///< of each segment's bone, where the file names it; NaN elsewhere
} tgCapture;

/// The frame in which the most of the segments' markers are seen; the first of several.
int tgCapture_FindReference(const tgCapture* capture);
/// Fill centers, positions, errors and ends. Free the capture with tgCapture_Free, after a failure
/// too.
tgResult tgCapture_FindJoints(tgCapture* capture, tgError* error);
/// The estimate of the chosen method; the fit where that had too few markers.
const tgCenterEstimate* tgCapture_GetEstimate(const tgCapture* capture, int segment);
/// Write the skeleton with its motion (.bvh), or as it stands in the reference frame (.json).
tgResult tgCapture_Save(const tgCapture* capture, const char* path, double fps, tgError* error);
void tgCapture_Free(tgCapture* capture);

#endif
