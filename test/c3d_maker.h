// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// C3D files made by hand, after the format's manual: for every processor, as floats or integers.
#ifndef TURGOR_TEST_C3D_MAKER_H
#define TURGOR_TEST_C3D_MAKER_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { tg_c3dMarkers = 3, tg_c3dFrames = 4, tg_c3dAnalog = 2, tg_c3dSize = 4 * 512 };

typedef struct tgC3dFile {
    uint8_t bytes[tg_c3dSize];
    size_t at;
    int processor; ///< 84 Intel, 85 DEC, 86 MIPS
} tgC3dFile;

static void tgPutWord(tgC3dFile* file, unsigned word)
{
    bool isBig = file->processor == 86;
    file->bytes[file->at++] = (uint8_t)(isBig ? word >> 8 : word);
    file->bytes[file->at++] = (uint8_t)(isBig ? word : word >> 8);
}

static void tgPutFloat(tgC3dFile* file, float value)
{
    // A DEC float has its halves swapped and an exponent that is two larger.
    value = file->processor == 85 ? 4.0f * value : value;
    uint32_t bits;
    memcpy(&bits, &value, 4);
    unsigned low = bits & 0xFFFF, high = bits >> 16;
    tgPutWord(file, file->processor == 84 ? low : high);
    tgPutWord(file, file->processor == 84 ? high : low);
}

static void tgPutText(tgC3dFile* file, const char* text, size_t length)
{
    memset(file->bytes + file->at, ' ', length);
    memcpy(file->bytes + file->at, text, strlen(text));
    file->at += length;
}

/// The name and the place of the link; returns where the link is.
static size_t tgPutRecord(tgC3dFile* file, int group, const char* name)
{
    file->bytes[file->at++] = (uint8_t)strlen(name);
    file->bytes[file->at++] = (uint8_t)group;
    tgPutText(file, name, strlen(name));
    file->at += 2;
    return file->at - 2;
}

/// No description, and the link to what follows.
static void tgEndRecord(tgC3dFile* file, size_t link)
{
    file->bytes[file->at++] = 0;
    size_t end = file->at;
    file->at = link;
    tgPutWord(file, (unsigned)(end - link));
    file->at = end;
}

static void tgPutFloatParameter(tgC3dFile* file, int group, const char* name, float value)
{
    size_t link = tgPutRecord(file, group, name);
    file->bytes[file->at++] = 4;
    file->bytes[file->at++] = 0;
    tgPutFloat(file, value);
    tgEndRecord(file, link);
}

static void tgPutTexts(tgC3dFile* file, int group, const char* name, const char* const* texts,
                       int count)
{
    enum { length = 6 };
    size_t link = tgPutRecord(file, group, name);
    file->bytes[file->at++] = (uint8_t)-1;
    file->bytes[file->at++] = count > 1 ? 2 : 1;
    file->bytes[file->at++] = length;
    if (count > 1) {
        file->bytes[file->at++] = (uint8_t)count;
    }
    for (int i = 0; i < count; ++i) {
        tgPutText(file, texts[i], length);
    }
    tgEndRecord(file, link);
}

/// Coordinate i of marker m in frame f, in the file's unit: whole numbers, so that integers hold
/// them.
static float tgGetC3dCoordinate(int f, int m, int i)
{
    return (float)(100 * m + 10 * f + i - 150);
}

/// Marker 1 is not seen in frame 2.
static void tgMakeC3d(tgC3dFile* file, int processor, bool isFloat, const char* unit)
{
    static const char* const names[] = {"KNEE", "S1:TOE", "HEEL"};
    memset(file, 0, sizeof(*file));
    file->processor = processor;
    file->bytes[0] = 2;
    file->bytes[1] = 0x50;
    file->at = 2;
    tgPutWord(file, tg_c3dMarkers);
    tgPutWord(file, tg_c3dAnalog);
    tgPutWord(file, 5);
    tgPutWord(file, 5 + tg_c3dFrames - 1);
    tgPutWord(file, 0);
    tgPutFloat(file, isFloat ? -0.5f : 0.5f);
    tgPutWord(file, 3);
    tgPutWord(file, 1);
    tgPutFloat(file, 120.0f);
    file->at = 512 + 2;
    file->bytes[file->at++] = 1;
    file->bytes[file->at++] = (uint8_t)processor;
    // Parameters may come before their group.
    tgPutTexts(file, 3, "LABELS", names, 3);
    tgEndRecord(file, tgPutRecord(file, -1, "ANALOG"));
    tgPutFloatParameter(file, 1, "RATE", 999.0f);
    tgEndRecord(file, tgPutRecord(file, -3, "POINT"));
    if (unit != NULL) {
        tgPutTexts(file, 3, "UNITS", &unit, 1);
    }
    tgPutFloatParameter(file, 3, "RATE", 50.0f);
    file->at = 1024;
    for (int f = 0; f < tg_c3dFrames; ++f) {
        for (int m = 0; m < tg_c3dMarkers; ++m) {
            bool isHidden = m == 1 && f == 2;
            for (int i = 0; i < 4; ++i) {
                float value = i < 3 ? tgGetC3dCoordinate(f, m, i) : isHidden ? -1.0f : 3.0f;
                if (isFloat) {
                    tgPutFloat(file, value);
                } else {
                    tgPutWord(file, (unsigned)(int)(i < 3 ? 2.0f * value : value) & 0xFFFF);
                }
            }
        }
        for (int i = 0; i < tg_c3dAnalog; ++i) {
            if (isFloat) {
                tgPutFloat(file, 7.0f);
            } else {
                tgPutWord(file, 7);
            }
        }
    }
}

#endif
