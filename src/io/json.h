// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// JSON (RFC 8259) as values in an arena: read from text, made, changed, and written again. What was
// read keeps the line and column of every key and value, so that a message can point at what is
// wrong long after, and every number as it was written.
//
// All queries take NULL, and values of another kind, for something empty: paths through a document
// need no checks on their way.
#ifndef TURGOR_IO_JSON_H
#define TURGOR_IO_JSON_H

#include "io/arena.h"
#include "turgor/base.h"

enum {
    tg_largestJson = 16 << 20
}; ///< bytes of settings; 65535 joints with curves of their own fit

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
    int count;         ///< elements of a list, members of an object; 0 elsewhere
    tgJsonPlace place; ///< 0 of a value that was not read
    tgJsonPlace keyPlace;
    const char* key; ///< its name in an object; NULL elsewhere
    union {
        struct {
            const char* text; ///< UTF-8 with escapes resolved; of a number: as written, or NULL
            union {
                double number; ///< finite
                bool truth;
            };
        };
        struct {
            struct tgJsonValue** items; ///< elements or members, in the order of the file
            tgArena* arena;             ///< where more of them go
        };
    };
} tgJsonValue;

// ---- reading ----

/// What a text may be.
typedef struct tgJsonRules {
    const char* name;      ///< what it is, for messages
    size_t largest;        ///< bytes
    int deepest;           ///< levels of lists and objects
    bool isForFloats;      ///< numbers that a float cannot hold are refused; else those of a double
    bool takesLastOfTwins; ///< of a key twice in one object; else that is refused
} tgJsonRules;

extern const tgJsonRules tg_settingsRules;

/// The whole text as one value that lives in `arena`; NULL on failure.
tgJsonValue* tgReadJson(const char* text, size_t size, const tgJsonRules* rules, tgArena* arena,
                        tgError* error);
/// The same by the rules of settings.
const tgJsonValue* tgParseJson(const char* text, size_t size, tgArena* arena, tgError* error);

// ---- queries ----

bool tgJson_IsObject(const tgJsonValue* value);
bool tgJson_IsList(const tgJsonValue* value);
bool tgJson_IsText(const tgJsonValue* value);
bool tgJson_IsNumber(const tgJsonValue* value);
bool tgJson_IsTrue(const tgJsonValue* value);
/// A number that is written without point and exponent and fits a long long.
bool tgJson_IsWhole(const tgJsonValue* value);

/// NULL for what is no text.
const char* tgJson_GetString(const tgJsonValue* value);
/// 0 for what is none.
double tgJson_GetNumber(const tgJsonValue* value);
float tgJson_GetFloat(const tgJsonValue* value);
/// 0 for what is no whole number.
long long tgJson_GetWhole(const tgJsonValue* value);

/// The member of an object, NULL for none.
tgJsonValue* tgJson_Find(const tgJsonValue* object, const char* key);
/// Member i of an object in the order of the file, NULL past the last.
tgJsonValue* tgJson_GetMember(const tgJsonValue* object, size_t i);
/// Element i of a list, NULL past the last.
tgJsonValue* tgJson_GetItem(const tgJsonValue* list, size_t i);
/// Element i of a list; of what is none, itself as the first and only one. NULL past the last.
const tgJsonValue* tgJson_GetEach(const tgJsonValue* value, size_t i);
size_t tgJson_CountItems(const tgJsonValue* list);
size_t tgJson_CountMembers(const tgJsonValue* object);
/// The same members in any order, the same elements in the same order, the same numbers.
bool tgJson_IsSame(const tgJsonValue* a, const tgJsonValue* b);

// ---- making and changing ----
// Makers return NULL when memory ran out, which the arena then knows.

tgJsonValue* tgMakeJsonObject(tgArena* arena);
tgJsonValue* tgMakeJsonList(tgArena* arena);
tgJsonValue* tgMakeJsonNull(tgArena* arena);
tgJsonValue* tgMakeJsonBool(tgArena* arena, bool truth);
tgJsonValue* tgMakeJsonWhole(tgArena* arena, long long whole);
/// null for what is not finite, which JSON cannot tell.
tgJsonValue* tgMakeJsonNumber(tgArena* arena, double number);
/// Bytes that are not UTF-8 become underscores.
tgJsonValue* tgMakeJsonText(tgArena* arena, const char* text);
/// A list of them; what is not finite becomes 0.
tgJsonValue* tgMakeJsonFloats(tgArena* arena, const float* values, int count);
/// A value of this shape: {} and [] as in JSON, and for what comes from the arguments: s text
/// (const char*), i int, I long long, f double, b bool (int), o a value (tgJsonValue*), which NULL
/// makes fail. Members are a key, given as s too, a colon and a value; s? takes NULL for null.
tgJsonValue* tgPackJson(tgArena* arena, const char* format, ...);
/// With all below it; NULL for NULL.
tgJsonValue* tgCopyJson(tgArena* arena, const tgJsonValue* value);

/// Put a value into an object, in place of what has the key; false when there is no memory, no
/// object or no value. A value may be in several places, under the same key.
bool tgJson_Set(tgJsonValue* object, const char* key, tgJsonValue* value);
bool tgJson_Append(tgJsonValue* list, tgJsonValue* value);
/// All members of `from` into `object`.
bool tgJson_Merge(tgJsonValue* object, const tgJsonValue* from);
void tgJson_Remove(tgJsonValue* object, const char* key);
void tgJson_RemoveItem(tgJsonValue* list, size_t i);

// ---- writing ----

/// How it looks. The same value gives the same bytes on every machine.
typedef struct tgJsonLook {
    int digits;      ///< of numbers, 1 to 17; what was read stays as it was written when 17
    bool isIndented; ///< a line for each value; else all of it without blanks
    bool isOpen;     ///< leave out the outermost brackets
} tgJsonLook;

/// Takes pieces of text; false ends the writing.
typedef bool tgJsonSink(const char* text, size_t size, void* user);

/// False when the sink ended it.
bool tgWriteJson(const tgJsonValue* value, const tgJsonLook* look, tgJsonSink* sink, void* user);
/// As text that the caller frees; NULL when there is no memory.
char* tgFormatJson(const tgJsonValue* value, const tgJsonLook* look);

// ---- messages ----

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

// ---- shared by the files of this header ----

/// Room for `count` items, which are kept.
bool tgJson_Reserve(tgJsonValue* parent, int count);
/// Add a member that has its key, and return it; of two with the same key `replaces` says which one
/// stays, and that is returned. NULL when there is no memory.
tgJsonValue* tgJson_AddNew(tgJsonValue* object, tgJsonValue* member, bool replaces);

#endif
