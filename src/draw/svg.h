// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Pieces of SVG: numbers, escaped text, lines.
#ifndef TURGOR_DRAW_SVG_H
#define TURGOR_DRAW_SVG_H

#include <stdio.h>

/// A colour with a name, for style rules to change it in the dark.
typedef struct tgSvgInk {
    const char* name;  ///< class of the element
    const char* color; ///< "#222222"
} tgSvgInk;

typedef struct tgSvgText {
    const char* text;
    double x, y, size;
    tgSvgInk ink;
    const char* anchor; ///< "middle", "end"; NULL: start
    const char* weight; ///< "600"; NULL: normal
    int exponent;       ///< not 0: "(x 10^exponent)" follows
} tgSvgText;

void tgWriteText(FILE* file, const tgSvgText* text);
/// An unclosed <line, for the caller to add its pen and the end.
void tgWriteLine(FILE* file, const double from[2], const double to[2]);
/// A whole line of one pixel.
void tgWriteThinLine(FILE* file, const double from[2], const double to[2], tgSvgInk ink);
void tgWriteNumber(FILE* file, double value);
/// What XML cannot hold, control characters and broken UTF-8, becomes a question mark.
void tgWriteEscaped(FILE* file, const char* text);
/// Width of text in pixels, about, in the widest of the usual sans-serif faces.
double tgEstimateWidth(const char* text, double size);

#endif
