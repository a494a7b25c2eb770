// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Numbers as text files want them.
#ifndef TURGOR_IO_NUMBER_TEXT_H
#define TURGOR_IO_NUMBER_TEXT_H

enum { tg_numberSize = 24 }; ///< bytes that any float takes, with its closing zero

/// As many digits as give the same float again, with a point even where a host has set a locale
/// that has commas; 0 for what is not finite. Returns the length.
int tgFormatFloat(float value, char text[tg_numberSize]);

typedef struct tgRangeText {
    char text[64];
} tgRangeText;

/// "0.20 to 1.81", "0.75" for two that are the same, and more digits where both would read 1.00 and
/// are not.
tgRangeText tgTellSums(double lowest, double highest);

#endif
