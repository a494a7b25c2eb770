// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Members of JSON objects by type, with errors in words.

#include "io/gltf_json.h"

#include "core/core.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { tg_longestQuote = 48 }; ///< bytes of a file's own text in a message of 192

tgPlace tgMakePlace(const char* format, ...)
{
    tgPlace place;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(place.text, sizeof(place.text), format, arguments);
    va_end(arguments);
    return place;
}

tgPlace tgShortenText(const char* text)
{
    tgPlace place;
    size_t size = strlen(text);
    if (size > tg_longestQuote) {
        size = tg_longestQuote;
        // A UTF-8 character may not lose its tail: step back to where it starts.
        while (size > 0 && ((unsigned char)text[size] & 0xc0) == 0x80) {
            size -= 1;
        }
    }
    memcpy(place.text, text, size);
    place.text[size] = '\0';
    return place;
}

const char* tgJson_GetTypeName(const tgJsonValue* value)
{
    switch (value->kind) {
    case tg_jsonObject:
        return "an object";
    case tg_jsonList:
        return "an array";
    case tg_jsonText:
        return "a text";
    case tg_jsonNumber:
        return "a number";
    case tg_jsonBool:
        return "true or false";
    case tg_jsonNull:
        return "null";
    }
    return "nothing";
}

/// "nodes[3].mesh is a text, expected an index"
static tgResult tgFailType(const tgJsonValue* found, const char* place, const char* key,
                           const char* wanted, tgError* error)
{
    return tgFail(error, tg_invalidMesh, -1, "%s%s%s is %s, expected %s", place,
                  place[0] != '\0' && key[0] != '\0' ? "." : "", key, tgJson_GetTypeName(found),
                  wanted);
}

tgResult tgJson_GetArray(const tgJsonValue* object, const char* key, const char* place,
                         const tgJsonValue** array, tgError* error)
{
    *array = tgJson_Find(object, key);
    if (*array != NULL && !tgJson_IsList(*array)) {
        return tgFailType(*array, place, key, "an array", error);
    }
    return tg_success;
}

tgResult tgJson_GetObject(const tgJsonValue* object, const char* key, const char* place,
                          const tgJsonValue** member, tgError* error)
{
    *member = tgJson_Find(object, key);
    if (*member != NULL && !tgJson_IsObject(*member)) {
        return tgFailType(*member, place, key, "an object", error);
    }
    return tg_success;
}

tgResult tgJson_GetText(const tgJsonValue* object, const char* key, const char* place,
                        const char** text, tgError* error)
{
    const tgJsonValue* member = tgJson_Find(object, key);
    if (member == NULL) {
        return tg_success;
    }
    if (!tgJson_IsText(member)) {
        return tgFailType(member, place, key, "a text", error);
    }
    *text = tgJson_GetString(member);
    return tg_success;
}

/// Exporters in JavaScript may write 3.0 for 3, which the standard allows.
static bool tgGetWhole(const tgJsonValue* value, long long* whole)
{
    if (tgJson_IsWhole(value)) {
        *whole = tgJson_GetWhole(value);
        return true;
    }
    double real = tgJson_IsNumber(value) ? tgJson_GetNumber(value) : 0.5;
    if (!(fabs(real) < 9e15) || real != floor(real)) {
        return false;
    }
    *whole = (long long)real;
    return true;
}

tgResult tgJson_GetSize(const tgJsonValue* object, const char* key, const char* place, size_t* size,
                        tgError* error)
{
    const tgJsonValue* member = tgJson_Find(object, key);
    if (member == NULL) {
        return tg_success;
    }
    long long whole = 0;
    if (!tgGetWhole(member, &whole)) {
        return tgFailType(member, place, key, "a whole number", error);
    }
    if (whole < 0 || (unsigned long long)whole > SIZE_MAX) {
        return tgFail(error, tg_invalidMesh, -1, "%s.%s is %lld, expected 0 or more", place, key,
                      whole);
    }
    *size = (size_t)whole;
    return tg_success;
}

static tgResult tgCheckIndex(const tgJsonValue* value, const char* place, const char* key,
                             size_t count, int* index, tgError* error)
{
    long long whole = 0;
    if (!tgGetWhole(value, &whole)) {
        return tgFailType(value, place, key, "an index", error);
    }
    if (count == 0) {
        return tgFail(error, tg_invalidMesh, -1, "%s%s%s is %lld, the file has none", place,
                      place[0] != '\0' && key[0] != '\0' ? "." : "", key, whole);
    }
    if (whole < 0 || (unsigned long long)whole >= count || whole > INT_MAX) {
        return tgFail(error, tg_invalidMesh, -1, "%s%s%s is %lld, expected 0 to %lld", place,
                      place[0] != '\0' && key[0] != '\0' ? "." : "", key, whole,
                      (long long)count - 1);
    }
    *index = (int)whole;
    return tg_success;
}

tgResult tgJson_GetIndex(const tgJsonValue* object, const char* key, const char* place,
                         size_t count, int* index, tgError* error)
{
    *index = -1;
    const tgJsonValue* member = tgJson_Find(object, key);
    return member != NULL ? tgCheckIndex(member, place, key, count, index, error) : tg_success;
}

tgResult tgJson_GetElementIndex(const tgJsonValue* array, size_t i, const char* place, size_t count,
                                int* index, tgError* error)
{
    tgPlace element = tgMakePlace("%s[%zu]", place, i);
    return tgCheckIndex(tgJson_GetItem(array, i), element.text, "", count, index, error);
}

tgResult tgJson_GetFloats(const tgJsonValue* object, const char* key, const char* place, int count,
                          float* values, tgError* error)
{
    const tgJsonValue* member = tgJson_Find(object, key);
    if (member == NULL) {
        return tg_success;
    }
    if (!tgJson_IsList(member) || tgJson_CountItems(member) != (size_t)count) {
        return tgFail(error, tg_invalidMesh, -1, "%s.%s is %s, expected an array of %d numbers",
                      place, key, tgJson_IsList(member) ? "too short or too long" : "no array",
                      count);
    }
    for (int i = 0; i < count; ++i) {
        const tgJsonValue* element = tgJson_GetItem(member, (size_t)i);
        if (!tgJson_IsNumber(element)) {
            tgPlace at = tgMakePlace("%s.%s[%d]", place, key, i);
            return tgFailType(element, at.text, "", "a number", error);
        }
        double value = tgJson_GetNumber(element);
        if (!(fabs(value) <= (double)FLT_MAX)) {
            return tgFail(error, tg_invalidMesh, -1, "%s.%s[%d] is %g, too large for a float",
                          place, key, i, value);
        }
        values[i] = (float)value;
    }
    return tg_success;
}
