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

const char* tgJson_GetTypeName(const json_t* value)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "an array";
    case JSON_STRING:
        return "a text";
    case JSON_INTEGER:
    case JSON_REAL:
        return "a number";
    case JSON_TRUE:
    case JSON_FALSE:
        return "true or false";
    case JSON_NULL:
        return "null";
    }
    return "nothing";
}

/// "nodes[3].mesh is a text, expected an index"
static tgResult tgFailType(const json_t* found, const char* place, const char* key,
                           const char* wanted, tgError* error)
{
    return tgFail(error, tg_invalidMesh, -1, "%s%s%s is %s, expected %s", place,
                  place[0] != '\0' && key[0] != '\0' ? "." : "", key, tgJson_GetTypeName(found),
                  wanted);
}

tgResult tgJson_GetArray(const json_t* object, const char* key, const char* place,
                         const json_t** array, tgError* error)
{
    *array = json_object_get(object, key);
    if (*array != NULL && !json_is_array(*array)) {
        return tgFailType(*array, place, key, "an array", error);
    }
    return tg_success;
}

tgResult tgJson_GetObject(const json_t* object, const char* key, const char* place,
                          const json_t** member, tgError* error)
{
    *member = json_object_get(object, key);
    if (*member != NULL && !json_is_object(*member)) {
        return tgFailType(*member, place, key, "an object", error);
    }
    return tg_success;
}

tgResult tgJson_GetText(const json_t* object, const char* key, const char* place, const char** text,
                        tgError* error)
{
    const json_t* member = json_object_get(object, key);
    if (member == NULL) {
        return tg_success;
    }
    if (!json_is_string(member)) {
        return tgFailType(member, place, key, "a text", error);
    }
    *text = json_string_value(member);
    return tg_success;
}

/// Exporters in JavaScript may write 3.0 for 3, which the standard allows.
static bool tgGetWhole(const json_t* value, long long* whole)
{
    if (json_is_integer(value)) {
        *whole = json_integer_value(value);
        return true;
    }
    double real = json_is_real(value) ? json_real_value(value) : 0.5;
    if (!(fabs(real) < 9e15) || real != floor(real)) {
        return false;
    }
    *whole = (long long)real;
    return true;
}

tgResult tgJson_GetSize(const json_t* object, const char* key, const char* place, size_t* size,
                        tgError* error)
{
    const json_t* member = json_object_get(object, key);
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

static tgResult tgCheckIndex(const json_t* value, const char* place, const char* key, size_t count,
                             int* index, tgError* error)
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

tgResult tgJson_GetIndex(const json_t* object, const char* key, const char* place, size_t count,
                         int* index, tgError* error)
{
    *index = -1;
    const json_t* member = json_object_get(object, key);
    return member != NULL ? tgCheckIndex(member, place, key, count, index, error) : tg_success;
}

tgResult tgJson_GetElementIndex(const json_t* array, size_t i, const char* place, size_t count,
                                int* index, tgError* error)
{
    tgPlace element = tgMakePlace("%s[%zu]", place, i);
    return tgCheckIndex(json_array_get(array, i), element.text, "", count, index, error);
}

tgResult tgJson_GetFloats(const json_t* object, const char* key, const char* place, int count,
                          float* values, tgError* error)
{
    const json_t* member = json_object_get(object, key);
    if (member == NULL) {
        return tg_success;
    }
    if (!json_is_array(member) || json_array_size(member) != (size_t)count) {
        return tgFail(error, tg_invalidMesh, -1, "%s.%s is %s, expected an array of %d numbers",
                      place, key, json_is_array(member) ? "too short or too long" : "no array",
                      count);
    }
    for (int i = 0; i < count; ++i) {
        const json_t* element = json_array_get(member, (size_t)i);
        if (!json_is_number(element)) {
            tgPlace at = tgMakePlace("%s.%s[%d]", place, key, i);
            return tgFailType(element, at.text, "", "a number", error);
        }
        double value = json_number_value(element);
        if (!(fabs(value) <= (double)FLT_MAX)) {
            return tgFail(error, tg_invalidMesh, -1, "%s.%s[%d] is %g, too large for a float",
                          place, key, i, value);
        }
        values[i] = (float)value;
    }
    return tg_success;
}
