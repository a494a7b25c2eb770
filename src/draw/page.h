// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Pages of pictures, plots and tables: HTML that is also well-formed XML, in one file that needs
// nothing from elsewhere, light or dark as the reader has it.
#ifndef TURGOR_DRAW_PAGE_H
#define TURGOR_DRAW_PAGE_H

#include "draw/picture.h"

#include <stdio.h>

/// From the first byte to the open body.
void tgPage_Begin(FILE* file, const char* title);
void tgPage_End(FILE* file);

/// A picture inside the page. (A plot is tgWritePlot.)
/// @param alt what is to be seen, in words
tgResult tgPage_AddPicture(FILE* file, const tgPicture* picture, const char* alt, tgError* error);
/// `<tag>text</tag>` with the text escaped.
void tgPage_AddText(FILE* file, const char* tag, const char* text);
/// The text escaped, with a minus sign for a hyphen that stands before a digit at the beginning of
/// a word.
void tgPage_AddSigns(FILE* file, const char* text);
/// A number as one writes it: so many significant digits, whole from 1000 on, and a power of ten
/// only where there would be rows of zeros.
void tgPage_AddNumber(FILE* file, int digits, double value);

#endif
