// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A small JSON reader (RFC 8259) that keeps the line and column of every key and value, so that a
// message can point at what is wrong long after it was read. Refuses what the standard leaves open:
// a key twice in one object, numbers that a float cannot hold, deep nesting.
#ifndef TURGOR_IO_SETTINGS_JSON_H
#define TURGOR_IO_SETTINGS_JSON_H

#include "turgor/base.h"

enum { tg_largestJson = 16 << 20 }; ///< bytes; 65535 joints with curves of their own fit

/// Memory that is freed at once. All zero is an empty one.
typedef struct tgArena {
    struct tgArenaBlock* blocks;
} tgArena;

/// Zeroed memory, NULL when there is none left.
void* tgArena_Take(tgArena* arena, size_t count, size_t size);
void tgArena_Free(tgArena* arena);

/// Counted from 1; columns in characters.
typedef struct tgJsonPlace {
    int line;
    int column;
} tgJsonPlace;

typedef enum tgJsonKind {
    tg_jsonNull = 0,
    tg_jsonBool,
    tg_jsonNumber,
    tg_jsonText,
    tg_jsonList,
    tg_jsonObject,
} tgJsonKind;

typedef struct tgJsonValue {
    tgJsonKind kind;
    tgJsonPlace place;
    const char* key; ///< its name in an object; NULL elsewhere
    tgJsonPlace keyPlace;
    const char* text; ///< UTF-8 with escapes resolved; of a number: as written
    float number;     ///< finite
    bool truth;
    int count; ///< elements of a list, members of an object
    struct tgJsonValue* first;
    struct tgJsonValue* next; ///< in the same list or object, in the order of the file
} tgJsonValue;

/// The whole text as one value that lives in `arena`; NULL on failure.
const tgJsonValue* tgParseJson(const char* text, size_t size, tgArena* arena, tgError* error);

/// `error` with "line 12, column 7: " before the message.
tgResult tgFailAt(tgError* error, tgResult code, tgJsonPlace place, const char* format, ...)
    TG_PRINTF(4, 5);

/// Text of the file, made short enough for a message and never cut inside a character.
typedef struct tgQuote {
    char text[56];
} tgQuote;

/// With quotation marks round it.
tgQuote tgMakeQuote(const char* text);
/// What a value is, for messages: "elbow", 0.5, true, null, a list, an object.
tgQuote tgDescribeJson(const tgJsonValue* value);

#endif
