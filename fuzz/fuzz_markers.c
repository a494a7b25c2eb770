// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Any bytes as a marker file or a segments file, the first byte says which: either all that was
// read is in range, or there is a message.

#include "turgor/markers.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void tgRequire(bool condition)
{
    if (!condition) {
        abort();
    }
}

static void tgCheckMarkers(const tgMarkers* markers)
{
    tgRequire(markers->markerCount > 0 && markers->frameCount > 0);
    tgRequire(isfinite(markers->rate) && markers->rate >= 0.0 && markers->unit > 0.0);
    int gaps = 0;
    for (int m = 0; m < markers->markerCount; ++m) {
        tgRequire(strlen(markers->names[m]) > 0);
        tgRequire(tgMarkers_Find(markers, markers->names[m]) >= 0);
    }
    for (int i = 0; i < markers->markerCount * markers->frameCount; ++i) {
        tgVec3 p = markers->positions[i];
        bool isGap = isnan(p.x) && isnan(p.y) && isnan(p.z);
        tgRequire(isGap || tgIsFiniteVec3(p));
        gaps += isGap;
    }
    tgRequire(gaps == markers->gapCount);
}

static void tgCheckSegments(const tgSegments* segments, const tgMarkers* markers)
{
    tgRequire(segments->segmentCount > 0);
    for (int s = 0; s < segments->segmentCount; ++s) {
        const tgSegment* segment = &segments->segments[s];
        tgRequire(segment->name[0] != '\0' && segment->markerCount > 0);
        tgRequire(s == 0 ? segment->parent == -1 : segment->parent >= 0 && segment->parent < s);
        for (int i = 0; i < segment->markerCount; ++i) {
            tgRequire(segment->markers[i] >= 0 && segment->markers[i] < markers->markerCount);
        }
    }
}

static bool tgTrySegments(const char* text, size_t size, tgError* error)
{
    static const char csv[] = "a_x,a_y,a_z,b_x,b_y,b_z,c_x,c_y,c_z\n1,2,3,4,5,6,7,8,9\n";
    tgMarkers* markers = tgParseMarkers(csv, sizeof(csv) - 1, tg_markersCsv, NULL);
    tgSegments* segments = tgParseSegments(text, size, markers, error);
    bool isRead = segments != NULL;
    if (isRead) {
        tgCheckSegments(segments, markers);
    }
    tgDestroySegments(segments);
    tgDestroyMarkers(markers);
    return isRead;
}

static bool tgTryMarkers(const void* data, size_t size, tgMarkerFormat format, tgError* error)
{
    tgMarkers* markers = tgParseMarkers(data, size, format, error);
    bool isRead = markers != NULL;
    if (isRead) {
        tgCheckMarkers(markers);
    }
    tgDestroyMarkers(markers);
    return isRead;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    if (size < 1) {
        return 0;
    }
    tgError error = {0};
    int which = data[0] % 4;
    bool isRead = which == 3 ? tgTrySegments((const char*)data + 1, size - 1, &error)
                             : tgTryMarkers(data + 1, size - 1, (tgMarkerFormat)which, &error);
    tgRequire(isRead || (error.code != tg_success && error.message[0] != '\0'));
    return 0;
}
