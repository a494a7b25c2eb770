// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// JSON with places, by recursive descent. Steps one byte at a time, because every byte counts for
// the line and column.

#include "io/settings_json.h"

#include "core/core.h"
#include "io/obj_text.h"
#include "io/settings_text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    tg_deepestJson = 32, ///< the settings need 9
    tg_arenaBlockSize = 1 << 14,
};

typedef struct tgJsonReader {
    const char* at;
    const char* end;
    tgJsonPlace place; ///< of `at`
    int depth;
    tgArena* arena;
    tgError* error;
} tgJsonReader;

struct tgArenaBlock {
    struct tgArenaBlock* next;
    size_t used, size; ///< bytes after this header
};

enum { tg_arenaHeaderSize = (sizeof(struct tgArenaBlock) + 15) / 16 * 16 };

void* tgArena_Take(tgArena* arena, size_t count, size_t size)
{
    if (size != 0 && count > (SIZE_MAX / 2) / size) {
        return NULL;
    }
    size_t wanted = (count * size + 15) / 16 * 16;
    struct tgArenaBlock* block = arena->blocks;
    if (block == NULL || block->size - block->used < wanted) {
        size_t blockSize = wanted > tg_arenaBlockSize ? wanted : tg_arenaBlockSize;
        block = calloc(1, tg_arenaHeaderSize + blockSize);
        if (block == NULL) {
            return NULL;
        }
        block->size = blockSize;
        block->next = arena->blocks;
        arena->blocks = block;
    }
    void* memory = (char*)block + tg_arenaHeaderSize + block->used;
    block->used += wanted;
    return memory;
}

void tgArena_Free(tgArena* arena)
{
    for (struct tgArenaBlock* block = arena->blocks; block != NULL;) {
        struct tgArenaBlock* next = block->next;
        free(block);
        block = next;
    }
    arena->blocks = NULL;
}

tgResult tgFailAt(tgError* error, tgResult code, tgJsonPlace place, const char* format, ...)
{
    char text[sizeof(error->message)];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    return tgFail(error, code, -1, "line %d, column %d: %s", place.line, place.column, text);
}

enum { tg_longestQuote = 40 }; ///< bytes: two quotes and our own words fit a message of 192

/// At most tg_longestQuote bytes, in whole characters, nothing unprintable.
static tgQuote tgShorten(const char* text, const char* mark)
{
    size_t size = strlen(text);
    bool isCut = size > tg_longestQuote;
    if (isCut) {
        size = tg_longestQuote - 3;
        while (size > 0 && ((unsigned char)text[size] & 0xc0) == 0x80) {
            size -= 1;
        }
    }
    tgQuote quote;
    snprintf(quote.text, sizeof(quote.text), "%s%.*s%s%s", mark, (int)size, text,
             isCut ? "..." : "", mark);
    for (char* c = quote.text; *c != '\0'; ++c) {
        *c = (unsigned char)*c < 0x20 || *c == 0x7f ? '?' : *c;
    }
    return quote;
}

tgQuote tgMakeQuote(const char* text)
{
    return tgShorten(text, "\"");
}

tgQuote tgDescribeJson(const tgJsonValue* value)
{
    switch (value->kind) {
    case tg_jsonNull:
        return tgShorten("null", "");
    case tg_jsonBool:
        return tgShorten(value->truth ? "true" : "false", "");
    case tg_jsonNumber:
        return tgShorten(value->text, "");
    case tg_jsonText:
        return tgMakeQuote(value->text);
    case tg_jsonList:
        return tgShorten(value->count > 0 ? "a list" : "an empty list", "");
    case tg_jsonObject:
        break;
    }
    return tgShorten("an object", "");
}

/// One byte on. A line ends with LF, CR LF or CR; a character's later bytes take no column.
static void tgStep(tgJsonReader* reader)
{
    unsigned char byte = (unsigned char)*reader->at;
    bool endsPair = byte == '\n' && reader->place.column == 1 && reader->place.line > 1 &&
                    reader->at[-1] == '\r';
    if (byte == '\r' || (byte == '\n' && !endsPair)) {
        reader->place.line += 1;
        reader->place.column = 1;
    } else if (!endsPair && (byte & 0xc0) != 0x80) {
        reader->place.column += 1;
    }
    reader->at += 1;
}

static void tgSkipBlanks(tgJsonReader* reader)
{
    while (reader->at < reader->end && (*reader->at == ' ' || *reader->at == '\t' ||
                                        *reader->at == '\n' || *reader->at == '\r')) {
        tgStep(reader);
    }
}

static bool tgIsNext(const tgJsonReader* reader, char c)
{
    return reader->at < reader->end && *reader->at == c;
}

/// "found X, expected `wanted`", X being what stands here.
static tgResult tgFailFound(const tgJsonReader* reader, const char* wanted)
{
    char found[32];
    int length = tgMeasureUtf8(reader->at, reader->end);
    const char* hint = "";
    if (reader->at == reader->end) {
        snprintf(found, sizeof(found), "the end of the file");
    } else if (length == 0) {
        snprintf(found, sizeof(found), "byte 0x%02x, not UTF-8", (unsigned char)*reader->at);
        wanted = "a file saved as UTF-8";
    } else if ((unsigned char)*reader->at < 0x20 || *reader->at == 0x7f) {
        snprintf(found, sizeof(found), "byte 0x%02x", (unsigned char)*reader->at);
    } else {
        snprintf(found, sizeof(found), "%.*s", length, reader->at);
        hint = *reader->at == '/' || *reader->at == '#' ? "; JSON has no comments" : "";
    }
    return tgFailAt(reader->error, tg_invalidArgument, reader->place, "found %s, expected %s%s",
                    found, wanted, hint);
}

static tgResult tgFailJsonMemory(const tgJsonReader* reader)
{
    return tgFailAt(reader->error, tg_outOfMemory, reader->place, "out of memory");
}

static tgResult tgFailEscape(const tgJsonReader* reader, const char* wanted)
{
    return tgFailAt(reader->error, tg_invalidArgument, reader->place,
                    "this \\ in a text starts no known escape, expected %s", wanted);
}

/// Resolve the escape that starts here and step past it.
static tgResult tgReadEscape(tgJsonReader* reader, char** out)
{
    static const char letters[] = "\"\\/bfnrt";
    static const char meanings[] = "\"\\/\b\f\n\r\t";
    const char* found = strchr(letters, reader->at[1]);
    int length = 2;
    if (reader->at[1] != '\0' && found != NULL) {
        *(*out)++ = meanings[found - letters];
    } else {
        uint32_t character = 0;
        length = tgDecodeUnicodeEscape(reader->at, reader->end, &character);
        if (length == 0 || character == 0) {
            return tgFailEscape(reader, length == 0
                                            ? "\\\" \\\\ \\/ \\b \\f \\n \\r \\t or \\u with "
                                              "4 hexadecimal digits, pairs whole"
                                            : "any character but 0");
        }
        *out += tgEncodeUtf8(character, *out);
    }
    for (int i = 0; i < length; ++i) {
        tgStep(reader);
    }
    return tg_success;
}

/// Bytes to the closing quote, or -1 when the line or the file ends first.
static int tgMeasureText(const tgJsonReader* reader)
{
    const char* at = reader->at + 1;
    while (at < reader->end && *at != '"' && *at != '\n' && *at != '\r') {
        at += *at == '\\' && at + 1 < reader->end ? 2 : 1;
    }
    return at < reader->end && *at == '"' ? (int)(at - reader->at) : -1;
}

/// From the opening quote to after the closing one.
static tgResult tgReadText(tgJsonReader* reader, const char** text)
{
    int length = tgMeasureText(reader);
    if (length < 0) {
        return tgFailAt(reader->error, tg_invalidArgument, reader->place,
                        "a text without an end, expected a closing \" on the same line");
    }
    // Never longer than written: \u and its pair take 6 and 12 bytes for at most 3 and 4.
    char* out = tgArena_Take(reader->arena, (size_t)length + 1, 1);
    if (out == NULL) {
        return tgFailJsonMemory(reader);
    }
    *text = out;
    tgStep(reader);
    while (*reader->at != '"') {
        unsigned char byte = (unsigned char)*reader->at;
        int size = tgMeasureUtf8(reader->at, reader->end);
        if (byte == '\\') {
            tgResult result = tgReadEscape(reader, &out);
            if (result != tg_success) {
                return result;
            }
            continue;
        }
        if (byte < 0x20 || size == 0) {
            return tgFailFound(reader, byte < 0x20 ? "an escape such as \\t in its place"
                                                   : "a file saved as UTF-8");
        }
        for (int i = 0; i < size; ++i) {
            *out++ = *reader->at;
            tgStep(reader);
        }
    }
    tgStep(reader);
    return tg_success;
}

static bool tgIsTokenByte(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' ||
           c == '-' || c == '.' || c == '_';
}

static tgResult tgReadNumber(tgJsonReader* reader, tgObjWord word, tgJsonValue* value)
{
    if (!tgIsJsonNumber(word.text, word.length)) {
        return tgFailAt(reader->error, tg_invalidArgument, value->place,
                        "%s is not a number of JSON, expected one such as 0.5, -2 or 1e-3",
                        tgDescribeJson(value).text);
    }
    if (!tgObjWord_GetFloat(word, &value->number)) {
        return tgFailAt(reader->error, tg_invalidArgument, value->place,
                        "%s is too large, expected a number between -3.4e38 and 3.4e38",
                        tgDescribeJson(value).text);
    }
    return tg_success;
}

/// A number, true, false, null, or a word that JSON does not know.
static tgResult tgReadToken(tgJsonReader* reader, tgJsonValue* value)
{
    const char* start = reader->at;
    while (reader->at < reader->end && tgIsTokenByte(*reader->at)) {
        tgStep(reader);
    }
    tgObjWord word = {start, (int)(reader->at - start)};
    char* text = tgArena_Take(reader->arena, (size_t)word.length + 1, 1);
    if (text == NULL) {
        return tgFailJsonMemory(reader);
    }
    value->text = memcpy(text, start, (size_t)word.length);
    value->kind = tg_jsonNumber;
    if (tgIsWrittenNotFinite(text)) {
        return tgFailAt(reader->error, tg_invalidArgument, value->place,
                        "%s is not allowed, expected a finite number", tgDescribeJson(value).text);
    }
    if (strchr("+-.0123456789", *start) != NULL) {
        return tgReadNumber(reader, word, value);
    }
    if (strcmp(text, "null") == 0) {
        value->kind = tg_jsonNull;
        return tg_success;
    }
    value->kind = tg_jsonBool;
    value->truth = strcmp(text, "true") == 0;
    if (!value->truth && strcmp(text, "false") != 0) {
        return tgFailAt(reader->error, tg_invalidArgument, value->place,
                        "found %s, expected true, false, null, a number or a text in double quotes",
                        tgMakeQuote(text).text);
    }
    return tg_success;
}

static int tgCompareMembers(const void* a, const void* b)
{
    const tgJsonValue* left = *(const tgJsonValue* const*)a;
    const tgJsonValue* right = *(const tgJsonValue* const*)b;
    int order = strcmp(left->key, right->key);
    if (order != 0) {
        return order;
    }
    if (left->keyPlace.line != right->keyPlace.line) {
        return left->keyPlace.line < right->keyPlace.line ? -1 : 1;
    }
    return left->keyPlace.column < right->keyPlace.column ? -1 : 1;
}

/// No key twice. Sorted, so that a file of thousands of joints is no trouble.
static tgResult tgCheckKeysOnce(const tgJsonReader* reader, const tgJsonValue* object)
{
    if (object->count < 2) {
        return tg_success;
    }
    const tgJsonValue** members = malloc((size_t)object->count * sizeof(*members));
    if (members == NULL) {
        return tgFailJsonMemory(reader);
    }
    int count = 0;
    for (const tgJsonValue* member = object->first; member != NULL; member = member->next) {
        members[count++] = member;
    }
    qsort(members, (size_t)count, sizeof(*members), tgCompareMembers);
    tgResult result = tg_success;
    for (int i = 1; i < count && result == tg_success; ++i) {
        if (strcmp(members[i - 1]->key, members[i]->key) == 0) {
            result = tgFailAt(reader->error, tg_invalidArgument, members[i]->keyPlace,
                              "%s is there twice, expected once; the first is on line %d",
                              tgMakeQuote(members[i]->key).text, members[i - 1]->keyPlace.line);
        }
    }
    free(members);
    return result;
}

static tgResult tgReadValue(tgJsonReader* reader, tgJsonValue* value);

/// "key": and then the value, which the caller reads.
static tgResult tgReadKey(tgJsonReader* reader, tgJsonValue* member)
{
    member->keyPlace = reader->place;
    if (!tgIsNext(reader, '"')) {
        return tgFailFound(reader, "a key in double quotes");
    }
    tgResult result = tgReadText(reader, &member->key);
    if (result != tg_success) {
        return result;
    }
    tgSkipBlanks(reader);
    if (!tgIsNext(reader, ':')) {
        return tgFailFound(reader, "a : between key and value");
    }
    tgStep(reader);
    return tg_success;
}

/// Elements or members, with what is between and after them.
static tgResult tgReadChildren(tgJsonReader* reader, tgJsonValue* parent)
{
    bool isObject = parent->kind == tg_jsonObject;
    char closing = isObject ? '}' : ']';
    tgJsonValue** link = &parent->first;
    tgStep(reader);
    tgSkipBlanks(reader);
    while (!tgIsNext(reader, closing)) {
        tgJsonValue* child = tgArena_Take(reader->arena, 1, sizeof(tgJsonValue));
        tgResult result = child == NULL ? tgFailJsonMemory(reader)
                          : isObject    ? tgReadKey(reader, child)
                                        : tg_success;
        result = result == tg_success ? tgReadValue(reader, child) : result;
        if (result != tg_success) {
            return result;
        }
        *link = child;
        link = &child->next;
        parent->count += 1;
        tgSkipBlanks(reader);
        if (tgIsNext(reader, ',')) {
            tgJsonPlace comma = reader->place;
            tgStep(reader);
            tgSkipBlanks(reader);
            if (tgIsNext(reader, closing)) {
                return tgFailAt(reader->error, tg_invalidArgument, comma,
                                "found a comma before %c, expected none after the last %s", closing,
                                isObject ? "member" : "element");
            }
        } else if (!tgIsNext(reader, closing)) {
            return tgFailFound(reader, isObject ? "a comma or }" : "a comma or ]");
        }
    }
    tgStep(reader);
    return isObject ? tgCheckKeysOnce(reader, parent) : tg_success;
}

static tgResult tgReadValue(tgJsonReader* reader, tgJsonValue* value)
{
    tgSkipBlanks(reader);
    value->place = reader->place;
    if (tgIsNext(reader, '{') || tgIsNext(reader, '[')) {
        value->kind = *reader->at == '{' ? tg_jsonObject : tg_jsonList;
        if (reader->depth == tg_deepestJson) {
            return tgFailAt(reader->error, tg_invalidArgument, reader->place,
                            "nested too deep, expected at most %d levels", tg_deepestJson);
        }
        reader->depth += 1;
        tgResult result = tgReadChildren(reader, value);
        reader->depth -= 1;
        return result;
    }
    if (tgIsNext(reader, '"')) {
        value->kind = tg_jsonText;
        return tgReadText(reader, &value->text);
    }
    if (reader->at < reader->end && tgIsTokenByte(*reader->at)) {
        return tgReadToken(reader, value);
    }
    return tgFailFound(reader, "a value");
}

const tgJsonValue* tgParseJson(const char* text, size_t size, tgArena* arena, tgError* error)
{
    if (text == NULL || size > tg_largestJson) {
        tgFail(error, tg_invalidArgument, -1, "a settings file of %zu bytes, expected at most %d",
               size, tg_largestJson);
        return NULL;
    }
    tgJsonReader reader = {text, text + size, {1, 1}, 0, arena, error};
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        reader.at += 3; // a byte order mark has no column
    }
    tgSkipBlanks(&reader);
    if (reader.at == reader.end) {
        tgFailAt(error, tg_invalidArgument, reader.place,
                 "the file is empty, expected an object; {} takes every default");
        return NULL;
    }
    tgJsonValue* root = tgArena_Take(arena, 1, sizeof(tgJsonValue));
    tgResult result = root != NULL ? tgReadValue(&reader, root) : tgFailJsonMemory(&reader);
    if (result != tg_success) {
        return NULL;
    }
    tgSkipBlanks(&reader);
    if (reader.at < reader.end) {
        tgFailFound(&reader, "nothing more after the end of the settings");
        return NULL;
    }
    return root;
}
