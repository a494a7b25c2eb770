// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Markers as a table of one's own: a line that names the columns, then a line per frame. Columns
// are an optional frame and time, then three for each marker: NAME_x, NAME_y, NAME_z, with _ . : -
// or a blank between, capitals or not. Commas, semicolons or tabs; an empty cell or NaN is a gap.

#include "core/core.h"
#include "io/markers_private.h"

#include <stdlib.h>
#include <string.h>

/// What a column holds.
typedef enum tgColumn { tg_columnPassed = -2, tg_columnTime = -1 } tgColumn; // else 3 marker + axis

typedef struct tgCsvTable {
    int* columns;
    int columnCount;
    float firstTime, lastTime;
    bool hasTime;
} tgCsvTable;

/// Whichever of the three the first line uses.
static char tgFindSeparator(const char* text, size_t size)
{
    for (size_t i = 0; i < size && text[i] != '\n' && text[i] != '\r'; ++i) {
        if (text[i] == ',' || text[i] == ';' || text[i] == '\t') {
            return text[i];
        }
    }
    return ',';
}

/// Cut the axis off a column's name; -1 when it has none.
static int tgCutAxis(tgObjWord* word)
{
    if (word->length < 2) {
        return -1;
    }
    char last = word->text[word->length - 1], before = word->text[word->length - 2];
    int axis = last == 'x' || last == 'X' ? 0 : last == 'y' || last == 'Y' ? 1 : 2;
    if ((axis == 2 && last != 'z' && last != 'Z') || strchr("_.:- ", before) == NULL) {
        return -1;
    }
    word->length -= 2;
    return axis;
}

static bool tgIsSameWord(tgObjWord a, tgObjWord b)
{
    return a.length == b.length && memcmp(a.text, b.text, (size_t)a.length) == 0;
}

/// The columns' names to what they hold.
/// @param words room for a name per column
static tgResult tgReadCsvHeader(tgCells* cells, tgCsvTable* table, tgObjWord* words, int* count,
                                tgError* error)
{
    tgObjWord cell = {"", 0}, current = {"", 0};
    int nextAxis = 0;
    for (int i = 0; i < table->columnCount && tgCells_Next(cells, &cell); ++i) {
        tgObjWord name = cell;
        int axis = tgCutAxis(&name);
        bool isTime = tgWord_Matches(cell, "time"), isFrame = tgWord_Matches(cell, "frame");
        if (nextAxis == 0 && (isTime || isFrame || cell.length == 0)) {
            table->columns[i] = isTime ? tg_columnTime : tg_columnPassed;
            table->hasTime = table->hasTime || isTime;
            continue;
        }
        if (axis != nextAxis || (axis > 0 && !tgIsSameWord(name, current))) {
            return tgFail(error, tg_invalidArgument, i,
                          "line %d, column %d: is called %s, expected %s_%c", cells->line, i + 1,
                          tgQuoteWord(cell).text,
                          nextAxis == 0 ? "frame, time or a marker's NAME" : "the same marker's",
                          "xyz"[nextAxis]);
        }
        if (axis == 0) {
            current = name;
            words[(*count)++] = name;
        }
        table->columns[i] = 3 * (*count - 1) + axis;
        nextAxis = (axis + 1) % 3;
    }
    return nextAxis == 0
               ? tg_success
               : tgFail(error, tg_invalidArgument, -1, "line %d: ends before the last marker's _%c",
                        cells->line, "xyz"[nextAxis]);
}

static tgResult tgReadCsvFrame(tgCells* cells, tgCsvTable* table, tgMarkers* markers,
                               tgError* error)
{
    tgVec3* frame = tgMarkers_AddFrame(markers);
    if (frame == NULL) {
        return tgFail(error, tg_outOfMemory, -1, "line %d: out of memory", cells->line);
    }
    tgObjWord cell = {"", 0};
    for (int i = 0; tgCells_Next(cells, &cell); ++i) {
        float number = 0.0f;
        bool isNumber = false;
        int column = i < table->columnCount ? table->columns[i] : tg_columnPassed;
        if (column == tg_columnPassed && (i < table->columnCount || cell.length == 0)) {
            continue;
        }
        if (i >= table->columnCount || !tgReadCoordinate(cell, &number, &isNumber)) {
            return tgFail(error, tg_invalidArgument, -1, "line %d, column %d: %s, expected %s",
                          cells->line, i + 1, tgQuoteWord(cell).text,
                          i < table->columnCount ? "a number or nothing" : "no such column");
        }
        if (column == tg_columnTime && !isNumber) {
            return tgFail(error, tg_invalidArgument, -1,
                          "line %d, column %d: there is no time, expected a number", cells->line,
                          i + 1);
        }
        if (column == tg_columnTime) {
            table->firstTime = markers->frameCount == 1 ? number : table->firstTime;
            table->lastTime = number;
        } else if (isNumber) {
            (&frame[column / 3].x)[column % 3] = number;
        }
    }
    return tg_success;
}

static tgResult tgReadCsvTable(tgCells* cells, tgCsvTable* table, tgObjWord* words,
                               tgMarkers* markers, tgError* error)
{
    int count = 0;
    tgResult result = tgReadCsvHeader(cells, table, words, &count, error);
    if (result == tg_success && !tgMarkers_SetNames(markers, words, count)) {
        result = tgFail(error, tg_outOfMemory, -1, "line %d: out of memory", cells->line);
    }
    if (result == tg_success && count == 0) {
        result = tgFail(error, tg_invalidArgument, -1,
                        "line %d: names no marker, expected NAME_x, NAME_y, NAME_z", cells->line);
    }
    while (result == tg_success && tgCells_NextLine(cells)) {
        result = tgCells_IsBlank(cells) ? tg_success : tgReadCsvFrame(cells, table, markers, error);
    }
    double span = (double)table->lastTime - (double)table->firstTime;
    if (result == tg_success && table->hasTime && markers->frameCount > 1) {
        if (!(span > 0.0)) {
            return tgFail(error, tg_invalidArgument, -1,
                          "the time goes from %g to %g, expected it to grow",
                          (double)table->firstTime, (double)table->lastTime);
        }
        markers->rate = (markers->frameCount - 1) / span;
    }
    return result;
}

tgResult tgReadMarkerCsv(tgMarkers* markers, const char* text, size_t size, tgError* error)
{
    tgCells cells = tgCells_Start(text, size, tgFindSeparator(text, size));
    while (tgCells_IsBlank(&cells) && tgCells_NextLine(&cells)) {
    }
    tgCells again = cells;
    tgObjWord cell = {"", 0};
    tgCsvTable table = {0};
    while (tgCells_Next(&again, &cell)) {
        table.columnCount += 1;
    }
    table.columns = calloc((size_t)table.columnCount, sizeof(int));
    tgObjWord* words = calloc((size_t)table.columnCount, sizeof(tgObjWord));
    tgResult result = table.columns != NULL && words != NULL
                          ? tgReadCsvTable(&cells, &table, words, markers, error)
                          : tgFail(error, tg_outOfMemory, -1, "line 1: out of memory");
    free(words);
    free(table.columns);
    return result;
}
