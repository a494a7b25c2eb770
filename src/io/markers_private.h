// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What the readers of marker files share: a set of markers that grows frame by frame, and texts in
// cells.
#ifndef TURGOR_IO_MARKERS_PRIVATE_H
#define TURGOR_IO_MARKERS_PRIVATE_H

#include "io/json.h"
#include "io/obj_text.h"
#include "turgor/markers.h"

#include <stdint.h>

struct tgMarkersMemory {
    tgArena arena;
    int frameCapacity;
    int warningCapacity;
};

/// Names of all markers, copied; the subject's prefix stays. False when there is no memory.
/// @param words markerCount of them; empty ones get a name of their own
bool tgMarkers_SetNames(tgMarkers* markers, const tgObjWord* words, int count);
/// Room for one more frame, all gaps; NULL when there is no memory.
tgVec3* tgMarkers_AddFrame(tgMarkers* markers);
void tgMarkers_Warn(tgMarkers* markers, const char* format, ...) TG_PRINTF(2, 3);
/// Metres of one "mm", "cm", "m", "inches" and so on; 0 for an unknown one.
double tgGetUnitSize(tgObjWord word);
/// The unit a file names; millimetres, with a warning, when it is unknown.
void tgMarkers_SetUnit(tgMarkers* markers, tgObjWord word);

/// A text as lines of cells.
typedef struct tgCells {
    const char* at;
    const char* end;
    int line; ///< of `at`, counted from 1
    char separator;
    bool isOpen; ///< the line has another cell, be it empty
} tgCells;

tgCells tgCells_Start(const char* text, size_t size, char separator);
/// The next cell of this line without blanks and quotation marks round it; false at its end.
bool tgCells_Next(tgCells* cells, tgObjWord* cell);
/// Go to the next line; false at the end of the text.
bool tgCells_NextLine(tgCells* cells);
/// True when nothing but blanks and separators is left of this line; it does not move.
bool tgCells_IsBlank(const tgCells* cells);

/// Capitals or not.
bool tgWord_Matches(tgObjWord word, const char* lowerCase);
/// A coordinate: false in `isNumber` for an empty cell or NaN.
/// @return whether it is one of those at all
bool tgReadCoordinate(tgObjWord cell, float* number, bool* isNumber);
/// "M1" or whatever is short enough to show, with quotation marks.
tgQuote tgQuoteWord(tgObjWord word);

tgResult tgReadC3d(tgMarkers* markers, const uint8_t* bytes, size_t size, tgError* error);
tgResult tgReadTrc(tgMarkers* markers, const char* text, size_t size, tgError* error);
tgResult tgReadMarkerCsv(tgMarkers* markers, const char* text, size_t size, tgError* error);

#endif
