// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Characters and words of the settings file: UTF-8, escapes, and which of
// the known names a wrong one comes nearest to.
#ifndef TURGOR_IO_SETTINGS_TEXT_H
#define TURGOR_IO_SETTINGS_TEXT_H

#include <stdbool.h>
#include <stdint.h>

/// Bytes of the character at `at`, 1 to 4; 0 at the end and where it is not UTF-8 (RFC 3629).
int tgMeasureUtf8(const char* at, const char* end);
/// Writes 1 to 4 bytes and returns how many.
int tgEncodeUtf8(uint32_t character, char* out);
/// The character of \uXXXX, or of two such that are a pair; returns the bytes it takes, 0 when it
/// is no such escape or half a pair.
int tgDecodeUnicodeEscape(const char* at, const char* end, uint32_t* character);

/// NaN and Infinity as several programs write them, with or without a sign.
bool tgIsWrittenNotFinite(const char* text);

/// Which candidate comes nearest to a word. Set `word`, try all, then `best` is the nearest that is
/// near enough to suggest, or NULL.
typedef struct tgNearest {
    const char* word;
    const char* best;
    int bestDistance;
} tgNearest;

void tgNearest_Try(tgNearest* nearest, const char* candidate);

#endif
