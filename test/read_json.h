// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A file of JSON that must be sound.
#ifndef TURGOR_TEST_READ_JSON_H
#define TURGOR_TEST_READ_JSON_H

#include "check.h"
#include "io/gltf_uri.h"
#include "io/json.h"

#include <stdlib.h>

/// Documents of any size and depth; no key twice.
static const tgJsonRules tg_testRules = {.name = "JSON", .largest = SIZE_MAX, .deepest = 256};

static inline tgJsonValue* tgMustReadJson(const char* text, size_t size, tgArena* arena)
{
    tgError error = {0};
    tgJsonValue* json = tgReadJson(text, size, &tg_testRules, arena, &error);
    if (json == NULL) {
        print_error("%s\n", error.message);
    }
    assert_non_null(json);
    return json;
}

static inline tgJsonValue* tgMustReadJsonFile(const char* path, tgArena* arena)
{
    tgError error = {0};
    uint8_t* bytes = NULL;
    size_t size = 0;
    assert_int_equal(tgReadFile(path, (size_t)1 << 30, &bytes, &size, &error), tg_success);
    tgJsonValue* json = tgMustReadJson((const char*)bytes, size, arena);
    free(bytes);
    return json;
}

#endif
