// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A small stroke font of our own: ASCII, drawn at any size with a pen of any width.
#ifndef TURGOR_DRAW_FONT_H
#define TURGOR_DRAW_FONT_H

/// Units of the font in one line; capitals are 14 high, small letters 10, tails go 4 below.
enum { tg_fontLine = 20, tg_fontGap = 3 };

typedef struct tgGlyph {
    int width; ///< between the outermost pen centres; tg_fontGap more to the next glyph
    /// M x,y starts a line, L x,y goes on straight, Q x,y x,y bends past the first point to the
    /// second, D x,y is a dot. y goes up from the line the text stands on.
    const char* path;
} tgGlyph;

/// The glyph of the first character of `text`, and how many bytes it takes up. What is not
/// printable ASCII is an empty box, one for each UTF-8 character.
tgGlyph tgGetGlyph(const char* text, int* byteCount);

#endif
