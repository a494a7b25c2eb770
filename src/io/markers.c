// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Markers of motion capture: which reader takes a file, and the memory they all fill.

#include "core/core.h"
#include "io/gltf_uri.h"
#include "io/markers_private.h"
#include "io/output_file.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static tgMarkers* tgCreateMarkers(void)
{
    tgMarkers* markers = calloc(1, sizeof(tgMarkers));
    struct tgMarkersMemory* memory = calloc(1, sizeof(struct tgMarkersMemory));
    if (markers == NULL || memory == NULL) {
        free(markers);
        free(memory);
        return NULL;
    }
    markers->memory = memory;
    markers->unit = 1.0;
    return markers;
}

void tgDestroyMarkers(tgMarkers* markers)
{
    if (markers != NULL) {
        tgArena_Free(&markers->memory->arena);
        free(markers->memory);
        free(markers->positions);
        free(markers);
    }
}

bool tgMarkers_SetNames(tgMarkers* markers, const tgObjWord* words, int count)
{
    tgArena* arena = &markers->memory->arena;
    const char** names = tgArena_Take(arena, (size_t)count + 1, sizeof(char*));
    for (int i = 0; i < count && names != NULL; ++i) {
        size_t length = (size_t)words[i].length;
        char* name = tgArena_Take(arena, length + 32, 1);
        if (name == NULL) {
            return false;
        }
        for (size_t k = 0; k < length; ++k) { // names go into messages of one line
            unsigned char c = (unsigned char)words[i].text[k];
            name[k] = c < 0x20 || c == 0x7F ? '_' : (char)c;
        }
        if (length == 0) {
            snprintf(name, 32, "unnamed_%d", i + 1);
        }
        names[i] = name;
    }
    markers->names = names;
    markers->markerCount = count;
    return names != NULL;
}

tgVec3* tgMarkers_AddFrame(tgMarkers* markers)
{
    size_t width = (size_t)markers->markerCount;
    if (markers->frameCount == markers->memory->frameCapacity) {
        int capacity = markers->frameCount > 0 ? markers->frameCount : 64;
        if (capacity > INT_MAX / 2) {
            return NULL;
        }
        capacity *= 2;
        tgVec3* grown = realloc(markers->positions, (size_t)capacity * width * sizeof(tgVec3));
        if (grown == NULL) {
            return NULL;
        }
        markers->positions = grown;
        markers->memory->frameCapacity = capacity;
    }
    tgVec3* frame = markers->positions + (size_t)markers->frameCount++ * width;
    for (size_t i = 0; i < width; ++i) {
        frame[i] = tgMakeVec3(NAN, NAN, NAN);
    }
    return frame;
}

void tgMarkers_Warn(tgMarkers* markers, const char* format, ...)
{
    struct tgMarkersMemory* memory = markers->memory;
    enum { longest = 256 };
    if (markers->warningCount == memory->warningCapacity) {
        int capacity = memory->warningCapacity + 16;
        const char** grown = tgArena_Take(&memory->arena, (size_t)capacity, sizeof(char*));
        if (grown == NULL) {
            return;
        }
        for (int i = 0; i < markers->warningCount; ++i) {
            grown[i] = markers->warnings[i];
        }
        markers->warnings = grown;
        memory->warningCapacity = capacity;
    }
    char* line = tgArena_Take(&memory->arena, longest, 1);
    if (line != NULL) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(line, longest, format, arguments);
        va_end(arguments);
        markers->warnings[markers->warningCount++] = line;
    }
}

void tgMarkers_SetUnit(tgMarkers* markers, tgObjWord word)
{
    markers->unit = tgGetUnitSize(word);
    if (markers->unit == 0.0) {
        markers->unit = 0.001;
        tgMarkers_Warn(markers, "the unit %s is unknown, taken as millimetres",
                       tgQuoteWord(word).text);
    }
}

/// To metres; what is not finite, or no longer is, becomes a gap as a whole.
static tgResult tgFinishMarkers(tgMarkers* markers, tgError* error)
{
    if (markers->markerCount == 0 || markers->frameCount == 0) {
        return tgFail(error, tg_invalidArgument, -1, "the file has %d markers in %d frames",
                      markers->markerCount, markers->frameCount);
    }
    size_t count = (size_t)markers->markerCount * (size_t)markers->frameCount;
    for (size_t i = 0; i < count; ++i) {
        tgVec3* p = &markers->positions[i];
        *p = tgMulSV((float)markers->unit, *p);
        if (!tgIsFiniteVec3(*p)) {
            *p = tgMakeVec3(NAN, NAN, NAN);
            markers->gapCount += 1;
        }
    }
    return tg_success;
}

tgMarkers* tgParseMarkers(const void* data, size_t size, tgMarkerFormat format, tgError* error)
{
    if (data == NULL || size > INT_MAX) {
        tgFail(error, tg_unsupported, -1, "a file of %zu bytes, expected 1 to %d", size, INT_MAX);
        return NULL;
    }
    tgMarkers* markers = tgCreateMarkers();
    tgResult result = tg_success;
    if (markers == NULL) {
        result = tgFail(error, tg_outOfMemory, -1, "no memory for the markers");
    } else if (format == tg_markersC3d) {
        result = tgReadC3d(markers, data, size, error);
    } else if (format == tg_markersTrc) {
        result = tgReadTrc(markers, data, size, error);
    } else {
        result = tgReadMarkerCsv(markers, data, size, error);
    }
    if (result == tg_success) {
        result = tgFinishMarkers(markers, error);
    }
    if (result != tg_success) {
        tgDestroyMarkers(markers);
        return NULL;
    }
    return markers;
}

tgMarkers* tgLoadMarkers(const char* path, tgError* error)
{
    static const char* const endings[] = {".c3d", ".trc", ".csv"};
    for (int format = 0; path != NULL && format < 3; ++format) {
        if (tgHasEnding(path, endings[format])) {
            uint8_t* bytes = NULL;
            size_t size = 0;
            if (tgReadFile(path, tg_largestFile, &bytes, &size, error) != tg_success) {
                return NULL;
            }
            tgMarkers* markers = tgParseMarkers(bytes, size, (tgMarkerFormat)format, error);
            free(bytes);
            return markers;
        }
    }
    tgFail(error, tg_unsupported, -1, "unknown ending, expected .c3d .trc or .csv");
    return NULL;
}

tgMarkerView tgMarkers_GetView(const tgMarkers* markers)
{
    return (tgMarkerView){markers->positions, markers->markerCount, markers->frameCount};
}

int tgMarkers_Find(const tgMarkers* markers, const char* name)
{
    for (int i = 0; i < markers->markerCount; ++i) {
        if (strcmp(markers->names[i], name) == 0) {
            return i;
        }
    }
    for (int i = 0; i < markers->markerCount; ++i) {
        const char* colon = strrchr(markers->names[i], ':');
        if (colon != NULL && strcmp(colon + 1, name) == 0) {
            return i;
        }
    }
    return -1;
}
