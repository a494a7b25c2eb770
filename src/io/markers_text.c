// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Texts in cells: lines end as they like, cells are parted by one character, an empty cell is one.

#include "io/markers_private.h"

#include <math.h>
#include <string.h>

tgCells tgCells_Start(const char* text, size_t size, char separator)
{
    // A byte order mark is no part of the first cell.
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        text += 3;
        size -= 3;
    }
    return (tgCells){text, text + size, 1, separator, true};
}

static bool tgIsLineEnd(char c)
{
    return c == '\n' || c == '\r';
}

static bool tgIsBlank(char c)
{
    return c == ' ' || c == '\t';
}

bool tgCells_Next(tgCells* cells, tgObjWord* cell)
{
    if (!cells->isOpen) {
        return false;
    }
    const char* start = cells->at;
    while (cells->at < cells->end && !tgIsLineEnd(*cells->at) && *cells->at != cells->separator) {
        cells->at += 1;
    }
    const char* last = cells->at;
    cells->isOpen = cells->at < cells->end && *cells->at == cells->separator;
    cells->at += cells->isOpen ? 1 : 0;
    while (start < last && (tgIsBlank(*start) || *start == '"')) {
        start += 1;
    }
    while (last > start && (tgIsBlank(last[-1]) || last[-1] == '"')) {
        last -= 1;
    }
    *cell = (tgObjWord){start, (int)(last - start)};
    return true;
}

bool tgCells_NextLine(tgCells* cells)
{
    while (cells->at < cells->end && !tgIsLineEnd(*cells->at)) {
        cells->at += 1;
    }
    if (cells->at < cells->end) {
        bool isPair = cells->at[0] == '\r' && cells->at + 1 < cells->end && cells->at[1] == '\n';
        cells->at += isPair ? 2 : 1;
        cells->line += 1;
    }
    cells->isOpen = true;
    return cells->at < cells->end;
}

bool tgCells_IsBlank(const tgCells* cells)
{
    const char* at = cells->at;
    while (at < cells->end && (tgIsBlank(*at) || *at == cells->separator)) {
        at += 1;
    }
    return at == cells->end || tgIsLineEnd(*at);
}

bool tgWord_Matches(tgObjWord word, const char* lowerCase)
{
    if (strlen(lowerCase) != (size_t)word.length) {
        return false;
    }
    for (int i = 0; i < word.length; ++i) {
        char c = word.text[i];
        if ((c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != lowerCase[i]) {
            return false;
        }
    }
    return true;
}

bool tgReadCoordinate(tgObjWord cell, float* number, bool* isNumber)
{
    *isNumber = cell.length > 0 && !tgWord_Matches(cell, "nan");
    return !*isNumber || tgObjWord_GetFloat(cell, number);
}

tgQuote tgQuoteWord(tgObjWord word)
{
    char text[128];
    size_t length = (size_t)word.length < sizeof(text) - 1 ? (size_t)word.length : sizeof(text) - 1;
    memcpy(text, word.text, length);
    text[length] = '\0';
    return tgMakeQuote(text);
}

double tgGetUnitSize(tgObjWord word)
{
    static const struct {
        const char* name;
        double size;
    } units[] = {
        {"mm", 0.001},
        {"millimeters", 0.001},
        {"millimetres", 0.001},
        {"cm", 0.01},
        {"m", 1.0},
        {"meters", 1.0},
        {"metres", 1.0},
        {"in", 0.0254},
        {"inch", 0.0254},
        {"inches", 0.0254},
        {"ft", 0.3048},
        {"feet", 0.3048},
        {"centimeters", 0.01},
        {"centimetres", 0.01},
        {"meter", 1.0},
        {"metre", 1.0},
    };
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); ++i) {
        if (tgWord_Matches(word, units[i].name)) {
            return units[i].size;
        }
    }
    return 0.0;
}
