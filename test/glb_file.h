// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A written GLB taken apart by hand, so that the tests of the writer do not rest on our reader.
#ifndef TURGOR_TEST_GLB_FILE_H
#define TURGOR_TEST_GLB_FILE_H

#include "write_fixture.h"

#include <jansson.h>

typedef struct tgGlbFile {
    unsigned char* bytes;
    json_t* document;
    const unsigned char* binary;
    size_t binarySize;
} tgGlbFile;

static inline uint32_t tgGetWord(const unsigned char* bytes)
{
    uint32_t word;
    memcpy(&word, bytes, sizeof(word));
    return word;
}

static inline tgGlbFile tgOpenGlb(const char* path)
{
    tgGlbFile file = {0};
    size_t size = 0;
    file.bytes = tgReadBytes(path, &size);
    assert_memory_equal(file.bytes, "glTF", 4);
    assert_int_equal(tgGetWord(file.bytes + 4), 2);
    assert_int_equal(tgGetWord(file.bytes + 8), size);
    size_t jsonSize = tgGetWord(file.bytes + 12);
    assert_memory_equal(file.bytes + 16, "JSON", 4);
    assert_int_equal(jsonSize % 4, 0);
    file.binarySize = tgGetWord(file.bytes + 20 + jsonSize);
    assert_memory_equal(file.bytes + 24 + jsonSize, "BIN", 4);
    assert_int_equal(28 + jsonSize + file.binarySize, size);
    file.binary = file.bytes + 28 + jsonSize;
    json_error_t reason;
    file.document = json_loadb((const char*)file.bytes + 20, jsonSize, 0, &reason);
    assert_non_null(file.document);
    return file;
}

static inline void tgCloseGlb(tgGlbFile* file)
{
    json_decref(file->document);
    free(file->bytes);
}

/// A member by its path: keys and indices separated by dots, "meshes.0.name". NULL for none.
static inline json_t* tgFindJson(const json_t* json, const char* path)
{
    char copy[256];
    snprintf(copy, sizeof(copy), "%s", path);
    json_t* at = (json_t*)json;
    for (char* key = strtok(copy, "."); key != NULL && at != NULL; key = strtok(NULL, ".")) {
        at = json_is_array(at) ? json_array_get(at, (size_t)atoi(key)) : json_object_get(at, key);
    }
    return at;
}

static inline int tgFindInt(const json_t* json, const char* path)
{
    json_t* value = tgFindJson(json, path);
    if (!json_is_integer(value)) {
        print_error("no number at %s\n", path);
    }
    assert_true(json_is_integer(value));
    return (int)json_integer_value(value);
}

static inline int tgCountJson(const json_t* json, const char* path)
{
    return (int)json_array_size(tgFindJson(json, path));
}

static inline const char* tgFindText(const json_t* json, const char* path)
{
    const char* text = json_string_value(tgFindJson(json, path));
    return text != NULL ? text : "";
}

/// The bytes of a buffer view.
static inline const unsigned char* tgGetView(const tgGlbFile* file, int view, size_t* size)
{
    const json_t* json =
        json_array_get(json_object_get(file->document, "bufferViews"), (size_t)view);
    size_t offset = (size_t)tgFindInt(json, "byteOffset");
    *size = (size_t)tgFindInt(json, "byteLength");
    assert_true(offset % 4 == 0 && offset + *size <= file->binarySize);
    return file->binary + offset;
}

/// The bytes of an accessor that is not sparse.
static inline const void* tgGetArray(const tgGlbFile* file, int accessor)
{
    char path[64];
    snprintf(path, sizeof(path), "accessors.%d.bufferView", accessor);
    size_t size = 0;
    return tgGetView(file, tgFindInt(file->document, path), &size);
}

#endif
