// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
/// @file markers.h
/// Motion capture files: markers over time, and which segment of the body each of them is on.
#ifndef TURGOR_MARKERS_H
#define TURGOR_MARKERS_H

#include "turgor/base.h"
#include "turgor/centers.h"
#include "turgor/math.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tgMarkerFormat { tg_markersC3d = 0, tg_markersTrc, tg_markersCsv } tgMarkerFormat;

/// Markers over time. Arrays live as long as it does.
typedef struct tgMarkers {
    int markerCount;
    int frameCount;
    const char** names;
    tgVec3* positions; ///< metres; frame after frame, markerCount in each; NaN where not seen
    double rate;       ///< frames per second; 0 when the file does not tell
    double unit;       ///< metres of one of the file's units; a CSV tells none: 1
    int gapCount;      ///< positions that are not there
    int warningCount;
    const char** warnings; ///< one line each, without the file's name
    struct tgMarkersMemory* memory;
} tgMarkers;

/// Read markers by the ending: .c3d, .trc, .csv. NULL on failure; messages about a text tell the
/// line, about a C3D the byte.
TG_API tgMarkers* tgLoadMarkers(const char* path, tgError* error);
TG_API tgMarkers* tgParseMarkers(const void* data, size_t size, tgMarkerFormat format,
                                 tgError* error);
TG_API void tgDestroyMarkers(tgMarkers* markers); ///< NULL is fine

TG_API tgMarkerView tgMarkers_GetView(const tgMarkers* markers);
/// Index of a marker, with or without the subject's name before a colon; -1 when there is none.
TG_API int tgMarkers_Find(const tgMarkers* markers, const char* name);

/// A segment of the body, and the joint it turns about.
typedef struct tgSegment {
    const char* name; ///< of the segment and of its joint
    int parent;       ///< -1 for the first, which is the root; parent before child
    const int* markers;
    int markerCount;
    tgJointKind kind;
    const int* near; ///< markers about the joint: a root's joint is at their mean, a hinge's point
                     ///< is the one of its axis that is nearest to it
    int nearCount;
    const int* end; ///< markers at the far end of the last bone: an end joint at their mean
    int endCount;
} tgSegment;

typedef struct tgSegments {
    int segmentCount;
    const tgSegment* segments;
    struct tgSegmentsMemory* memory;
} tgSegments;

/// Read a segments file: JSON, see docs/formats.md. NULL on failure; a message about its content
/// starts with "line 12, column 7: ".
/// @param markers whose names the file uses
TG_API tgSegments* tgLoadSegments(const char* path, const tgMarkers* markers, tgError* error);
TG_API tgSegments* tgParseSegments(const char* text, size_t size, const tgMarkers* markers,
                                   tgError* error);
TG_API void tgDestroySegments(tgSegments* segments); ///< NULL is fine

#ifdef __cplusplus
}
#endif

#endif
