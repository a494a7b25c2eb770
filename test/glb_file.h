// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A written GLB taken apart by hand, so that the tests of the writer rest on no more of our reader
// than its JSON.
#ifndef TURGOR_TEST_GLB_FILE_H
#define TURGOR_TEST_GLB_FILE_H

#include "read_json.h"
#include "write_fixture.h"

typedef struct tgGlbFile {
    unsigned char* bytes;
    tgArena* arena;
    tgJsonValue* document;
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
    file.arena = calloc(1, sizeof(tgArena));
    assert_non_null(file.arena);
    file.document = tgMustReadJson((const char*)file.bytes + 20, jsonSize, file.arena);
    return file;
}

static inline void tgCloseGlb(tgGlbFile* file)
{
    tgArena_Free(file->arena);
    free(file->arena);
    free(file->bytes);
}

/// A member by its path: keys and indices separated by dots, "meshes.0.name". NULL for none.
static inline tgJsonValue* tgFindJson(const tgJsonValue* json, const char* path)
{
    char copy[256];
    snprintf(copy, sizeof(copy), "%s", path);
    tgJsonValue* at = (tgJsonValue*)json;
    for (char* key = strtok(copy, "."); key != NULL && at != NULL; key = strtok(NULL, ".")) {
        at = tgJson_IsList(at) ? tgJson_GetItem(at, (size_t)atoi(key)) : tgJson_Find(at, key);
    }
    return at;
}

static inline int tgFindInt(const tgJsonValue* json, const char* path)
{
    tgJsonValue* value = tgFindJson(json, path);
    if (!tgJson_IsWhole(value)) {
        print_error("no number at %s\n", path);
    }
    assert_true(tgJson_IsWhole(value));
    return (int)tgJson_GetWhole(value);
}

static inline int tgCountJson(const tgJsonValue* json, const char* path)
{
    return (int)tgJson_CountItems(tgFindJson(json, path));
}

static inline const char* tgFindText(const tgJsonValue* json, const char* path)
{
    const char* text = tgJson_GetString(tgFindJson(json, path));
    return text != NULL ? text : "";
}

/// The bytes of a buffer view.
static inline const unsigned char* tgGetView(const tgGlbFile* file, int view, size_t* size)
{
    const tgJsonValue* json =
        tgJson_GetItem(tgJson_Find(file->document, "bufferViews"), (size_t)view);
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
