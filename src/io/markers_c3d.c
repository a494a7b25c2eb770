// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// C3D, the binary format of most motion capture systems (The C3D File Format, a technical
// reference, c3d.org): blocks of 512 bytes, a header, parameters by group and name, then frames of
// points as integers or floats in the numbers of an Intel, a DEC or a MIPS machine. Analog samples
// are passed over.

#include "core/core.h"
#include "io/markers_private.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { tg_c3dBlock = 512, tg_c3dMagic = 0x50, tg_c3dIntel = 84, tg_c3dDec = 85, tg_c3dMips = 86 };

typedef struct tgC3d {
    const uint8_t* bytes;
    size_t size;
    int processor;
    size_t parameters; ///< where the first record is
    tgError* error;
} tgC3d;

/// A parameter's values. All zero when there is none.
typedef struct tgC3dParameter {
    size_t at;
    int type; ///< bytes of one value; -1 for characters
    int dimensionCount;
    int dimensions[7];
} tgC3dParameter;

/// Where points are and how.
typedef struct tgC3dData {
    int pointCount, frameCount;
    size_t analogCount; ///< samples of one frame
    float scale;        ///< negative: points are floats
    size_t start;
} tgC3dData;

// Reading past the end gives zeros: whoever counts on the bytes checks first.

static unsigned tgC3d_Byte(const tgC3d* c3d, size_t at)
{
    return at < c3d->size ? c3d->bytes[at] : 0;
}

static unsigned tgC3d_Word(const tgC3d* c3d, size_t at)
{
    unsigned low = tgC3d_Byte(c3d, at), high = tgC3d_Byte(c3d, at + 1);
    return c3d->processor == tg_c3dMips ? (low << 8) | high : low | (high << 8);
}

static int tgC3d_Integer(const tgC3d* c3d, size_t at)
{
    return (int)(int16_t)tgC3d_Word(c3d, at);
}

static float tgC3d_Float(const tgC3d* c3d, size_t at)
{
    uint32_t first = tgC3d_Word(c3d, at), second = tgC3d_Word(c3d, at + 2);
    // Intel stores the low word first, the others the high one.
    uint32_t bits = c3d->processor == tg_c3dIntel ? first | (second << 16) : (first << 16) | second;
    float value;
    memcpy(&value, &bits, sizeof(value));
    // A DEC exponent is two larger.
    return c3d->processor == tg_c3dDec ? 0.25f * value : value;
}

static bool tgC3d_NameIs(const tgC3d* c3d, size_t at, size_t length, const char* upperCase)
{
    if (strlen(upperCase) != length || at + length > c3d->size) {
        return false;
    }
    for (size_t i = 0; i < length; ++i) {
        char c = (char)c3d->bytes[at + i];
        if ((c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c) != upperCase[i]) {
            return false;
        }
    }
    return true;
}

/// One record of the parameter section.
typedef struct tgC3dRecord {
    int group; ///< negative for the record of a group itself
    size_t name, nameLength;
    size_t content;
} tgC3dRecord;

/// @param at the record; moves on to the next, 0 after the last
/// @return false at the end
static bool tgC3d_NextRecord(const tgC3d* c3d, size_t* at, tgC3dRecord* record)
{
    if (*at == 0 || *at + 4 > c3d->size) {
        return false;
    }
    int length = (int)(int8_t)c3d->bytes[*at]; // negative: locked
    record->nameLength = (size_t)(length < 0 ? -length : length);
    record->group = (int)(int8_t)c3d->bytes[*at + 1];
    record->name = *at + 2;
    size_t link = record->name + record->nameLength;
    record->content = link + 2;
    if (length == 0 || record->group == 0 || record->content > c3d->size) {
        return false;
    }
    // Counted from the link itself; only forwards, so that there is an end.
    size_t next = tgC3d_Word(c3d, link);
    *at = next > 0 ? link + next : 0;
    return true;
}

static size_t tgC3dParameter_Count(const tgC3dParameter* parameter)
{
    size_t count = parameter->at > 0 ? 1 : 0;
    for (int i = 0; i < parameter->dimensionCount; ++i) {
        count *= (size_t)parameter->dimensions[i];
    }
    return count;
}

static tgC3dParameter tgC3d_ReadParameter(const tgC3d* c3d, size_t at)
{
    tgC3dParameter parameter = {.type = (int)(int8_t)tgC3d_Byte(c3d, at)};
    parameter.dimensionCount = (int)tgC3d_Byte(c3d, at + 1);
    if (parameter.dimensionCount > 7) {
        return (tgC3dParameter){0};
    }
    for (int i = 0; i < parameter.dimensionCount; ++i) {
        parameter.dimensions[i] = (int)tgC3d_Byte(c3d, at + 2 + (size_t)i);
    }
    parameter.at = at + 2 + (size_t)parameter.dimensionCount;
    size_t width = (size_t)(parameter.type < 0 ? 1 : parameter.type);
    size_t room = c3d->size > parameter.at ? c3d->size - parameter.at : 0;
    bool fits = tgC3dParameter_Count(&parameter) <= room / (width > 0 ? width : 1);
    return fits ? parameter : (tgC3dParameter){0};
}

static tgC3dParameter tgC3d_Find(const tgC3d* c3d, const char* group, const char* name)
{
    tgC3dRecord record;
    int number = 0;
    for (size_t at = c3d->parameters; number == 0 && tgC3d_NextRecord(c3d, &at, &record);) {
        if (record.group < 0 && tgC3d_NameIs(c3d, record.name, record.nameLength, group)) {
            number = -record.group;
        }
    }
    for (size_t at = c3d->parameters; number > 0 && tgC3d_NextRecord(c3d, &at, &record);) {
        if (record.group == number && tgC3d_NameIs(c3d, record.name, record.nameLength, name)) {
            return tgC3d_ReadParameter(c3d, record.content);
        }
    }
    return (tgC3dParameter){0};
}

/// A number of any type; `otherwise` when there is none. Integers are taken without a sign, because
/// counts beyond 32767 are stored so.
static double tgC3d_GetNumber(const tgC3d* c3d, const char* group, const char* name,
                              double otherwise)
{
    tgC3dParameter parameter = tgC3d_Find(c3d, group, name);
    if (tgC3dParameter_Count(&parameter) == 0) {
        return otherwise;
    }
    switch (parameter.type) {
    case 1:
        return tgC3d_Byte(c3d, parameter.at);
    case 2: // two of them are one long number, low word first
        return tgC3d_Word(c3d, parameter.at) + (tgC3dParameter_Count(&parameter) > 1
                                                    ? 65536.0 * tgC3d_Word(c3d, parameter.at + 2)
                                                    : 0.0);
    case 4:
        return (double)tgC3d_Float(c3d, parameter.at);
    default:
        return otherwise;
    }
}

/// Text `index` of a list of texts, blanks at its end cut off.
static tgObjWord tgC3d_GetText(const tgC3d* c3d, const tgC3dParameter* parameter, int index)
{
    int length = parameter->dimensionCount > 0 ? parameter->dimensions[0] : 1;
    const char* text = (const char*)c3d->bytes + parameter->at + (size_t)index * (size_t)length;
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\0')) {
        length -= 1;
    }
    return (tgObjWord){text, length};
}

static int tgC3d_CountTexts(const tgC3dParameter* parameter)
{
    size_t count = parameter->type == -1 ? tgC3dParameter_Count(parameter) : 0;
    bool isList = parameter->dimensionCount > 1;
    return count == 0 ? 0 : isList ? (int)(count / (size_t)parameter->dimensions[0]) : 1;
}

/// POINT:LABELS, and LABELS2 and on, which hold what one list cannot.
static tgResult tgReadC3dNames(const tgC3d* c3d, int pointCount, tgMarkers* markers)
{
    tgObjWord* words = calloc((size_t)pointCount + 1, sizeof(tgObjWord));
    int named = 0;
    for (int list = 1; words != NULL && named < pointCount && list < 256; ++list) {
        char name[16] = "LABELS";
        if (list > 1) {
            snprintf(name, sizeof(name), "LABELS%d", list);
        }
        tgC3dParameter labels = tgC3d_Find(c3d, "POINT", name);
        int count = tgC3d_CountTexts(&labels);
        for (int i = 0; i < count && named < pointCount; ++i) {
            words[named++] = tgC3d_GetText(c3d, &labels, i);
        }
        if (count == 0) {
            break;
        }
    }
    for (int i = named; words != NULL && i < pointCount; ++i) {
        words[i] = (tgObjWord){"", 0};
    }
    bool isDone = words != NULL && tgMarkers_SetNames(markers, words, pointCount);
    free(words);
    return isDone ? tg_success
                  : tgFail(c3d->error, tg_outOfMemory, -1, "no memory for %d names", pointCount);
}

/// The header's sections, and where the parameters begin.
static tgResult tgOpenC3d(tgC3d* c3d)
{
    if (c3d->size < tg_c3dBlock || c3d->bytes[1] != tg_c3dMagic) {
        return tgFail(c3d->error, tg_invalidArgument, -1,
                      "byte 1: is %u in a file of %zu bytes, expected 80 and at least 512 bytes",
                      tgC3d_Byte(c3d, 1), c3d->size);
    }
    size_t section = ((size_t)c3d->bytes[0] - 1) * tg_c3dBlock;
    if (c3d->bytes[0] == 0 || section + 8 > c3d->size) {
        return tgFail(c3d->error, tg_invalidArgument, -1,
                      "byte 0: the parameters are in block %u, the file has %zu", c3d->bytes[0],
                      c3d->size / tg_c3dBlock);
    }
    c3d->processor = c3d->bytes[section + 3];
    c3d->parameters = section + 4;
    if (c3d->processor < tg_c3dIntel || c3d->processor > tg_c3dMips) {
        return tgFail(c3d->error, tg_invalidArgument, -1,
                      "byte %zu: the processor is %d, expected 84, 85 or 86", section + 3,
                      c3d->processor);
    }
    return tg_success;
}

static int tgCountFrames(const tgC3d* c3d)
{
    // The header's 16 bits are not enough for long recordings; the trial's 32 are.
    double first = tgC3d_GetNumber(c3d, "TRIAL", "ACTUAL_START_FIELD", tgC3d_Word(c3d, 6));
    double last = tgC3d_GetNumber(c3d, "TRIAL", "ACTUAL_END_FIELD", tgC3d_Word(c3d, 8));
    double count = last - first + 1.0;
    return count >= 1.0 && count < 1e9 ? (int)count : 0;
}

static tgResult tgLocateC3dData(const tgC3d* c3d, tgC3dData* data)
{
    data->pointCount = (int)tgC3d_Word(c3d, 2);
    data->analogCount = tgC3d_Word(c3d, 4);
    data->scale = tgC3d_Float(c3d, 12);
    data->frameCount = tgCountFrames(c3d);
    unsigned block = tgC3d_Word(c3d, 16);
    data->start = ((size_t)block - 1) * tg_c3dBlock;
    if (block == 0 || data->start > c3d->size) {
        return tgFail(c3d->error, tg_invalidArgument, -1,
                      "byte 16: the data begin in block %u, the file has %zu", block,
                      c3d->size / tg_c3dBlock);
    }
    if (!isfinite(data->scale) || data->scale == 0.0f) {
        return tgFail(c3d->error, tg_invalidArgument, -1,
                      "byte 12: the scale is %g, expected a number that is not 0",
                      (double)data->scale);
    }
    size_t number = data->scale < 0.0f ? 4 : 2;
    size_t frameSize = number * (4 * (size_t)data->pointCount + data->analogCount);
    size_t held = frameSize > 0 ? (c3d->size - data->start) / frameSize : 0;
    if (held < (size_t)data->frameCount) {
        return tgFail(c3d->error, tg_invalidArgument, (int)held,
                      "byte %zu: the file ends in frame %zu of %d", c3d->size, held + 1,
                      data->frameCount);
    }
    return tg_success;
}

static tgResult tgReadC3dFrames(const tgC3d* c3d, const tgC3dData* data, tgMarkers* markers)
{
    bool isFloat = data->scale < 0.0f;
    size_t number = isFloat ? 4 : 2, at = data->start;
    for (int f = 0; f < data->frameCount; ++f) {
        tgVec3* frame = tgMarkers_AddFrame(markers);
        if (frame == NULL) {
            return tgFail(c3d->error, tg_outOfMemory, -1, "byte %zu: out of memory", at);
        }
        for (int m = 0; m < data->pointCount; ++m, at += 4 * number) {
            float values[4]; // the fourth is negative where the point was not seen
            for (size_t i = 0; i < 4; ++i) {
                values[i] =
                    isFloat ? tgC3d_Float(c3d, at + 4 * i) : (float)tgC3d_Integer(c3d, at + 2 * i);
            }
            float scale = isFloat ? 1.0f : data->scale;
            if (values[3] >= 0.0f) {
                frame[m] = tgMulSV(scale, tgMakeVec3(values[0], values[1], values[2]));
            }
        }
        at += number * data->analogCount;
    }
    return tg_success;
}

tgResult tgReadC3d(tgMarkers* markers, const uint8_t* bytes, size_t size, tgError* error)
{
    tgC3d c3d = {.bytes = bytes, .size = size, .error = error};
    tgC3dData data = {0};
    tgResult result = tgOpenC3d(&c3d);
    if (result == tg_success) {
        result = tgLocateC3dData(&c3d, &data);
    }
    if (result == tg_success) {
        result = tgReadC3dNames(&c3d, data.pointCount, markers);
    }
    if (result == tg_success) {
        result = tgReadC3dFrames(&c3d, &data, markers);
    }
    if (result == tg_success) {
        double rate = tgC3d_GetNumber(&c3d, "POINT", "RATE", (double)tgC3d_Float(&c3d, 20));
        markers->rate = isfinite(rate) && rate > 0.0 ? rate : 0.0;
        tgC3dParameter units = tgC3d_Find(&c3d, "POINT", "UNITS");
        tgObjWord none = {"", 0};
        tgMarkers_SetUnit(markers,
                          tgC3d_CountTexts(&units) > 0 ? tgC3d_GetText(&c3d, &units, 0) : none);
    }
    return result;
}
