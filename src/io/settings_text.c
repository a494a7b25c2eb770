// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Characters and words of the settings file. Nearness is the edit distance with swaps (optimal
// string alignment), upper and lower case alike.

#include "io/settings_text.h"

#include <stddef.h>
#include <string.h>

int tgMeasureUtf8(const char* at, const char* end)
{
    if (at >= end) {
        return 0;
    }
    const unsigned char* byte = (const unsigned char*)at;
    int length = byte[0] < 0x80   ? 1
                 : byte[0] < 0xc2 ? 0
                 : byte[0] < 0xe0 ? 2
                 : byte[0] < 0xf0 ? 3
                                  : 4;
    if (length == 0 || byte[0] > 0xf4 || end - at < length) {
        return 0;
    }
    for (int i = 1; i < length; ++i) {
        if ((byte[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    // Written longer than needed, half of a pair, or past the last character there is.
    bool isWrong = (byte[0] == 0xe0 && byte[1] < 0xa0) || (byte[0] == 0xed && byte[1] > 0x9f) ||
                   (byte[0] == 0xf0 && byte[1] < 0x90) || (byte[0] == 0xf4 && byte[1] > 0x8f);
    return isWrong ? 0 : length;
}

int tgEncodeUtf8(uint32_t character, char* out)
{
    if (character < 0x80) {
        out[0] = (char)character;
        return 1;
    }
    int length = character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
    static const unsigned char leads[5] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (int i = length - 1; i > 0; --i) {
        out[i] = (char)(0x80 | (character & 0x3f));
        character >>= 6;
    }
    out[0] = (char)(leads[length] | character);
    return length;
}

/// Four hexadecimal digits after \u.
static bool tgDecodeHex(const char* at, const char* end, uint32_t* unit)
{
    if (end - at < 6 || at[0] != '\\' || at[1] != 'u') {
        return false;
    }
    *unit = 0;
    for (int i = 2; i < 6; ++i) {
        char c = at[i];
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0) {
            return false;
        }
        *unit = *unit << 4 | (uint32_t)digit;
    }
    return true;
}

int tgDecodeUnicodeEscape(const char* at, const char* end, uint32_t* character)
{
    uint32_t low = 0;
    if (!tgDecodeHex(at, end, character) || (*character >= 0xdc00 && *character <= 0xdfff)) {
        return 0;
    }
    if (*character < 0xd800 || *character > 0xdbff) {
        return 6;
    }
    if (!tgDecodeHex(at + 6, end, &low) || low < 0xdc00 || low > 0xdfff) {
        return 0;
    }
    *character = 0x10000 + ((*character - 0xd800) << 10) + (low - 0xdc00);
    return 12;
}

static int tgLowerCase(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : (unsigned char)c;
}

static bool tgIsSameWord(const char* a, const char* b)
{
    while (*a != '\0' && tgLowerCase(*a) == tgLowerCase(*b)) {
        ++a;
        ++b;
    }
    return *a == *b;
}

bool tgIsWrittenNotFinite(const char* text)
{
    const char* word = *text == '-' || *text == '+' ? text + 1 : text;
    return tgIsSameWord(word, "nan") || tgIsSameWord(word, "inf") || tgIsSameWord(word, "infinity");
}

enum { tg_longestWord = 63 }; ///< bytes; longer names are not suggested

static int tgLesser(int a, int b)
{
    return a < b ? a : b;
}

/// Insertions, deletions, changes and swaps of neighbours that turn a into b. In a, * stands for
/// any letters and ? for one.
static int tgMeasureDistance(const char* a, int aLength, const char* b, int bLength)
{
    int rows[3][tg_longestWord + 1];
    int* before = rows[0];
    int* last = rows[1];
    int* row = rows[2];
    for (int k = 0; k <= bLength; ++k) {
        row[k] = k;
    }
    for (int i = 1; i <= aLength; ++i) {
        int* freed = before;
        before = last;
        last = row;
        row = freed;
        bool isStar = a[i - 1] == '*';
        row[0] = last[0] + (isStar ? 0 : 1);
        for (int k = 1; k <= bLength; ++k) {
            if (isStar) {
                row[k] = tgLesser(last[k], row[k - 1]);
                continue;
            }
            bool isSame = a[i - 1] == '?' || tgLowerCase(a[i - 1]) == tgLowerCase(b[k - 1]);
            int changed = isSame ? 0 : 1;
            row[k] = tgLesser(last[k - 1] + changed, tgLesser(last[k], row[k - 1]) + 1);
            if (i > 1 && k > 1 && tgLowerCase(a[i - 1]) == tgLowerCase(b[k - 2]) &&
                tgLowerCase(a[i - 2]) == tgLowerCase(b[k - 1])) {
                row[k] = tgLesser(row[k], before[k - 2] + 1);
            }
        }
    }
    return row[bLength];
}

/// Letters of a pattern that stand for themselves.
static int tgCountLetters(const char* word)
{
    int count = 0;
    for (; *word != '\0'; ++word) {
        count += *word != '*' && *word != '?';
    }
    return count;
}

void tgNearest_Try(tgNearest* nearest, const char* candidate)
{
    size_t wordSize = strlen(nearest->word);
    size_t candidateSize = strlen(candidate);
    if (wordSize > tg_longestWord || candidateSize > tg_longestWord) {
        return;
    }
    bool isOpen = strchr(nearest->word, '*') != NULL; // of any length
    int length = tgCountLetters(nearest->word);
    int other = (int)candidateSize;
    int limit = length < 6 ? 1 : length / 3;
    int difference = length < other ? other - length : length - other;
    int distance = limit + 1;
    if (difference <= limit || isOpen) {
        distance = tgMeasureDistance(nearest->word, (int)wordSize, candidate, other);
    }
    // "LeftArm" for "mixamorig:LeftArm": what was left out is a prefix.
    if (distance > limit && length >= 3 && other > length &&
        tgIsSameWord(nearest->word, candidate + (other - length))) {
        distance = limit;
    }
    // A word of which nothing is left is not near.
    bool isNear = distance <= limit && distance < length;
    if (isNear && (nearest->best == NULL || distance < nearest->bestDistance)) {
        nearest->best = candidate;
        nearest->bestDistance = distance;
    }
}
