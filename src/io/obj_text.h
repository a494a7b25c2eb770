// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Words and numbers of an OBJ file's lines, without the C locale and without a closing zero.
#ifndef TURGOR_IO_OBJ_TEXT_H
#define TURGOR_IO_OBJ_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/// Borrowed characters; no zero at the end.
typedef struct tgObjWord {
    const char* text;
    int length;
} tgObjWord;

typedef struct tgObjText {
    const char* at;
    const char* end;
    int line; ///< of `at`, counted from 1
} tgObjText;

/// The next word of this line; false at its end. A backslash joins the next line to this one.
bool tgObjText_NextWord(tgObjText* text, tgObjWord* word);
/// What is left of this line, blanks at both ends cut off; the text then stands at the line's end.
tgObjWord tgObjText_Rest(tgObjText* text);
/// Go to the next line; false at the end of the text.
bool tgObjText_NextLine(tgObjText* text);

bool tgObjWord_Is(tgObjWord word, const char* text);
/// True when the whole word is a number that a float can hold.
bool tgObjWord_GetFloat(tgObjWord word, float* value);
/// Cut one whole number off the front of the word; false when it does not start with one.
bool tgObjWord_CutInt(tgObjWord* word, int* value);

#endif
