// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// TRC, the Track Row Column text of Motion Analysis and OpenSim: a line that names the type, two
// that tell rate, counts and unit, one with the markers' names over every third column, one with
// the axes, then a line per frame. Cells are parted by tabs; an empty one is a gap.

#include "core/core.h"
#include "io/markers_private.h"

#include <stdlib.h>

typedef struct tgTrcHeader {
    float rate;
    int frameCount;  ///< as told; 0 when it is not
    int markerCount; ///< the same
    tgObjWord unit;
} tgTrcHeader;

/// Two lines: what the columns are called, and what they hold.
static tgResult tgReadTrcHeader(tgCells* cells, tgTrcHeader* header, tgError* error)
{
    tgCells names = *cells;
    if (!tgCells_NextLine(cells)) {
        return tgFail(error, tg_invalidArgument, -1,
                      "line %d: the file ends in its header, expected five lines of it",
                      cells->line);
    }
    tgCells values = *cells;
    tgObjWord name, value;
    while (tgCells_Next(&names, &name) && tgCells_Next(&values, &value)) {
        float number = 0.0f;
        bool isRate = tgWord_Matches(name, "datarate"),
             isFrames = tgWord_Matches(name, "numframes");
        bool isMarkers = tgWord_Matches(name, "nummarkers");
        if ((isRate || isFrames || isMarkers) &&
            (!tgObjWord_GetFloat(value, &number) || number < 0.0f || number > 1e9f)) {
            return tgFail(error, tg_invalidArgument, -1, "line %d: %.*s is %s, expected a number",
                          values.line, name.length, name.text, tgQuoteWord(value).text);
        }
        header->rate = isRate ? number : header->rate;
        header->frameCount = isFrames ? (int)number : header->frameCount;
        header->markerCount = isMarkers ? (int)number : header->markerCount;
        header->unit = tgWord_Matches(name, "units") ? value : header->unit;
    }
    return tg_success;
}

/// "Frame#", "Time", then a name over each marker's first column.
static tgResult tgReadTrcNames(tgCells* cells, tgMarkers* markers, tgError* error)
{
    tgObjWord cell = {"", 0};
    if (!tgCells_Next(cells, &cell) || !tgWord_Matches(cell, "frame#")) {
        return tgFail(error, tg_invalidArgument, -1,
                      "line %d: begins with %s, expected Frame#, Time and the markers' names with "
                      "tabs between",
                      cells->line, tgQuoteWord(cell).text);
    }
    tgCells again = *cells;
    int count = 0;
    while (tgCells_Next(&again, &cell)) {
        count += cell.length > 0;
    }
    count -= count > 0; // Time
    tgObjWord* words = calloc((size_t)count + 1, sizeof(tgObjWord));
    tgCells_Next(cells, &cell);
    for (int i = 0; words != NULL && i < count && tgCells_Next(cells, &cell);) {
        words[i] = cell;
        i += cell.length > 0;
    }
    bool isDone = words != NULL && tgMarkers_SetNames(markers, words, count);
    free(words);
    return isDone ? tg_success
                  : tgFail(error, tg_outOfMemory, -1, "line %d: out of memory", cells->line);
}

static tgResult tgReadTrcFrame(tgCells* cells, tgMarkers* markers, tgError* error)
{
    tgObjWord cell = {"", 0};
    for (int i = 0; i < 2; ++i) { // the frame's number and its time
        float number = 0.0f;
        if (!tgCells_Next(cells, &cell) || !tgObjWord_GetFloat(cell, &number)) {
            return tgFail(error, tg_invalidArgument, -1, "line %d: the %s is %s, expected a number",
                          cells->line, i == 0 ? "frame" : "time", tgQuoteWord(cell).text);
        }
    }
    tgVec3* frame = tgMarkers_AddFrame(markers);
    if (frame == NULL) {
        return tgFail(error, tg_outOfMemory, -1, "line %d: out of memory", cells->line);
    }
    for (int column = 0; tgCells_Next(cells, &cell); ++column) {
        float number = 0.0f;
        bool isNumber;
        if (!tgReadCoordinate(cell, &number, &isNumber)) {
            return tgFail(error, tg_invalidArgument, column / 3,
                          "line %d: %s is no coordinate, expected a number or nothing", cells->line,
                          tgQuoteWord(cell).text);
        }
        if (isNumber && column >= 3 * markers->markerCount) {
            return tgFail(error, tg_invalidArgument, -1,
                          "line %d: has a coordinate in column %d, there are %d markers",
                          cells->line, column + 3, markers->markerCount);
        }
        if (isNumber) {
            (&frame[column / 3].x)[column % 3] = number;
        }
    }
    return tg_success;
}

static void tgCheckTrcCounts(tgMarkers* markers, const tgTrcHeader* header)
{
    if (header->markerCount != markers->markerCount) {
        tgMarkers_Warn(markers, "the header tells %s, found %d",
                       tgTellCount(header->markerCount, "marker", "markers").text,
                       markers->markerCount);
    }
    if (header->frameCount != markers->frameCount) {
        tgMarkers_Warn(markers, "the header tells %s, found %d",
                       tgTellCount(header->frameCount, "frame", "frames").text,
                       markers->frameCount);
    }
}

tgResult tgReadTrc(tgMarkers* markers, const char* text, size_t size, tgError* error)
{
    tgCells cells = tgCells_Start(text, size, '\t');
    tgObjWord cell = {text, 0};
    if (!tgCells_Next(&cells, &cell) || !tgWord_Matches(cell, "pathfiletype") ||
        !tgCells_NextLine(&cells)) {
        return tgFail(error, tg_invalidArgument, -1,
                      "line 1: begins with %s, expected PathFileType and a tab",
                      tgQuoteWord(cell).text);
    }
    tgTrcHeader header = {.unit = {"", 0}};
    tgResult result = tgReadTrcHeader(&cells, &header, error);
    if (result == tg_success) {
        tgCells_NextLine(&cells);
        result = tgReadTrcNames(&cells, markers, error);
    }
    tgCells_NextLine(&cells); // the axes X1 Y1 Z1, which tell nothing new
    while (result == tg_success && tgCells_NextLine(&cells)) {
        result = tgCells_IsBlank(&cells) ? tg_success : tgReadTrcFrame(&cells, markers, error);
    }
    if (result == tg_success) {
        markers->rate = (double)header.rate;
        tgMarkers_SetUnit(markers, header.unit);
        tgCheckTrcCounts(markers, &header);
    }
    return result;
}
