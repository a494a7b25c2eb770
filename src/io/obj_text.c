// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Words and numbers of an OBJ file's lines. Lines end in LF, CR LF or CR.

#include "io/obj_text.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

static bool tgIsLineEnd(char c)
{
    return c == '\n' || c == '\r';
}

/// Characters of the line end that stands here: 1 or 2, 0 when there is none.
static int tgMeasureLineEnd(const char* at, const char* end)
{
    if (at == end || !tgIsLineEnd(*at)) {
        return 0;
    }
    return *at == '\r' && end - at > 1 && at[1] == '\n' ? 2 : 1;
}

/// Characters of a backslash and the line end after it, 0 when there is none.
static int tgMeasureContinuation(const char* at, const char* end)
{
    if (at == end || *at != '\\') {
        return 0;
    }
    int size = tgMeasureLineEnd(at + 1, end);
    return size > 0 ? size + 1 : 0;
}

static void tgObjText_SkipBlanks(tgObjText* text)
{
    while (text->at < text->end) {
        int continuation = tgMeasureContinuation(text->at, text->end);
        if (continuation > 0) {
            text->at += continuation;
            text->line += 1;
        } else if (*text->at == ' ' || *text->at == '\t') {
            text->at += 1;
        } else {
            return;
        }
    }
}

bool tgObjText_NextWord(tgObjText* text, tgObjWord* word)
{
    tgObjText_SkipBlanks(text);
    const char* start = text->at;
    const char* at = start;
    while (at < text->end && *at != ' ' && *at != '\t' && !tgIsLineEnd(*at) &&
           tgMeasureContinuation(at, text->end) == 0) {
        at += 1;
    }
    if (at == start || *start == '#') {
        return false;
    }
    *word = (tgObjWord){start, (int)(at - start)};
    text->at = at;
    return true;
}

tgObjWord tgObjText_Rest(tgObjText* text)
{
    tgObjText_SkipBlanks(text);
    const char* start = text->at;
    while (text->at < text->end && !tgIsLineEnd(*text->at)) {
        text->at += 1;
    }
    const char* last = text->at;
    while (last > start && (last[-1] == ' ' || last[-1] == '\t')) {
        last -= 1;
    }
    return (tgObjWord){start, (int)(last - start)};
}

bool tgObjText_NextLine(tgObjText* text)
{
    while (text->at < text->end) {
        int lineEnd = tgMeasureLineEnd(text->at, text->end);
        int continuation = tgMeasureContinuation(text->at, text->end);
        text->at += lineEnd > 0 ? lineEnd : continuation > 0 ? continuation : 1;
        text->line += lineEnd > 0 || continuation > 0 ? 1 : 0;
        if (lineEnd > 0) {
            return text->at < text->end;
        }
    }
    return false;
}

bool tgObjWord_Is(tgObjWord word, const char* text)
{
    return strlen(text) == (size_t)word.length && memcmp(word.text, text, strlen(text)) == 0;
}

/// Digits into `mantissa`, as many as it holds; the others only count.
/// @param dropped how many digits did not fit
/// @return how many digits there were
static int tgCutDigits(tgObjWord* word, uint64_t* mantissa, int* dropped)
{
    int count = 0;
    for (; word->length > 0 && word->text[0] >= '0' && word->text[0] <= '9'; ++count) {
        unsigned digit = (unsigned)(word->text[0] - '0');
        if (*mantissa < (UINT64_MAX - 9) / 10) {
            *mantissa = 10 * *mantissa + digit;
        } else {
            *dropped += 1;
        }
        word->text += 1;
        word->length -= 1;
    }
    return count;
}

static bool tgCutSign(tgObjWord* word)
{
    bool isNegative = word->length > 0 && word->text[0] == '-';
    if (isNegative || (word->length > 0 && word->text[0] == '+')) {
        word->text += 1;
        word->length -= 1;
    }
    return isNegative;
}

bool tgObjWord_CutInt(tgObjWord* word, int* value)
{
    tgObjWord rest = *word;
    bool isNegative = tgCutSign(&rest);
    uint64_t magnitude = 0;
    int dropped = 0;
    if (tgCutDigits(&rest, &magnitude, &dropped) == 0) {
        return false;
    }
    // Too large for an int is also too large for an index: the caller refuses it as such.
    int size = dropped > 0 || magnitude > INT_MAX ? INT_MAX : (int)magnitude;
    *value = isNegative ? -size : size;
    *word = rest;
    return true;
}

bool tgObjWord_GetFloat(tgObjWord word, float* value)
{
    bool isNegative = tgCutSign(&word);
    uint64_t mantissa = 0;
    int dropped = 0;
    int digitCount = tgCutDigits(&word, &mantissa, &dropped);
    int exponent = dropped;
    if (word.length > 0 && word.text[0] == '.') {
        word.text += 1;
        word.length -= 1;
        dropped = 0;
        int fractionCount = tgCutDigits(&word, &mantissa, &dropped);
        exponent -= fractionCount - dropped;
        digitCount += fractionCount;
    }
    if (digitCount == 0) {
        return false;
    }
    if (word.length > 0 && (word.text[0] == 'e' || word.text[0] == 'E')) {
        tgObjWord rest = {word.text + 1, word.length - 1};
        int written = 0;
        if (!tgObjWord_CutInt(&rest, &written)) {
            return false;
        }
        // Zero or infinity long before these limits, which keep the sum inside an int.
        exponent = exponent < 99999 ? exponent : 99999;
        exponent += written > 9999 ? 9999 : written < -9999 ? -9999 : written;
        word = rest;
    }
    // Powers up to 10^22 are exact, and one division rounds better than a product with 10^-n.
    double scale = pow(10.0, fabs((double)exponent));
    double magnitude = exponent < 0 ? (double)mantissa / scale : (double)mantissa * scale;
    magnitude = mantissa == 0 ? 0.0 : magnitude;
    *value = (float)(isNegative ? -magnitude : magnitude);
    return word.length == 0 && isfinite(*value);
}
