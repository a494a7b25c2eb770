// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Members of JSON objects by type. A member of the wrong type or out of range is an error that
// names its place in the document, what was found and what was wanted.
#ifndef TURGOR_IO_GLTF_JSON_H
#define TURGOR_IO_GLTF_JSON_H

#include "io/json.h"
#include "turgor/base.h"

/// A place in the document, for messages: "meshes[2].primitives[0]".
typedef struct tgPlace {
    char text[80];
} tgPlace;

tgPlace tgMakePlace(const char* format, ...) TG_PRINTF(1, 2);

/// Text from a file, made short enough for a message and never cut inside a character.
tgPlace tgShortenText(const char* text);

/// "an array", "a number", ...
const char* tgJson_GetTypeName(const tgJsonValue* value);

/// The array `key`, NULL when there is none. `place` is that of `object`, empty for the root.
tgResult tgJson_GetArray(const tgJsonValue* object, const char* key, const char* place,
                         const tgJsonValue** array, tgError* error);

/// The object `key`, NULL when there is none.
tgResult tgJson_GetObject(const tgJsonValue* object, const char* key, const char* place,
                          const tgJsonValue** member, tgError* error);

/// The text `key`, or `text` as it was when there is none.
tgResult tgJson_GetText(const tgJsonValue* object, const char* key, const char* place,
                        const char** text, tgError* error);

/// The whole number `key`, at least 0; `size` as it was when there is none.
tgResult tgJson_GetSize(const tgJsonValue* object, const char* key, const char* place, size_t* size,
                        tgError* error);

/// The number `key` as an index into an array of `count`; -1 when there is none.
tgResult tgJson_GetIndex(const tgJsonValue* object, const char* key, const char* place,
                         size_t count, int* index, tgError* error);

/// Element i of an array as an index into an array of `count`.
/// @param place that of the array
tgResult tgJson_GetElementIndex(const tgJsonValue* array, size_t i, const char* place, size_t count,
                                int* index, tgError* error);

/// Exactly `count` finite floats; `values` as they were when there is no `key`.
tgResult tgJson_GetFloats(const tgJsonValue* object, const char* key, const char* place, int count,
                          float* values, tgError* error);

#endif
