// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// JSON from text, by recursive descent. Reads a copy of the text that it may change: texts lose
// their escapes where they stand and end with a zero in place of their quote, so that a value costs
// its struct and nothing more.

#include "core/core.h"
#include "io/decimal.h"
#include "io/json.h"
#include "io/settings_text.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const tgJsonRules tg_settingsRules = {
    .name = "settings",
    .largest = tg_largestJson,
    .deepest = 32, // they need 9
    .isForFloats = true,
};

typedef struct tgJsonReader {
    char* at;
    char* end;
    const char* lineStart;
    int line;
    int laterBytes; ///< of characters in this line, which take no column
    int depth;
    char* numberEnd; ///< of the last number; NULL once a zero stands there
    const tgJsonRules* rules;
    tgArena* arena;
    tgError* error;
    tgJsonValue** open; ///< children read so far of all lists and objects that are open
    int openCount, openRoom;
} tgJsonReader;

// ---- messages ----

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
static tgQuote tgShortenWith(const char* text, const char* mark)
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
    return tgShortenWith(text, "\"");
}

static tgQuote tgDescribeNumber(const tgJsonValue* value)
{
    char text[tg_decimalSize];
    tgWriteDecimal(value->number, 9, text);
    return tgShortenWith(value->text != NULL ? value->text : text, "");
}

tgQuote tgDescribeJson(const tgJsonValue* value)
{
    switch (value->kind) {
    case tg_jsonNull:
        return tgShortenWith("null", "");
    case tg_jsonBool:
        return tgShortenWith(value->truth ? "true" : "false", "");
    case tg_jsonNumber:
        return tgDescribeNumber(value);
    case tg_jsonText:
        return tgMakeQuote(value->text);
    case tg_jsonList:
        return tgShortenWith(value->count > 0 ? "a list" : "an empty list", "");
    case tg_jsonObject:
        break;
    }
    return tgShortenWith("an object", "");
}

static tgJsonPlace tgGetPlace(const tgJsonReader* reader)
{
    int column = (int)(reader->at - reader->lineStart) - reader->laterBytes + 1;
    return (tgJsonPlace){reader->line, column};
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
    return tgFailAt(reader->error, tg_invalidArgument, tgGetPlace(reader),
                    "found %s, expected %s%s", found, wanted, hint);
}

static tgResult tgFailJsonMemory(const tgJsonReader* reader)
{
    return tgFailAt(reader->error, tg_outOfMemory, tgGetPlace(reader), "out of memory");
}

// ---- blanks ----

/// A line ends with LF, CR LF or CR.
static void tgSkipBlanks(tgJsonReader* reader)
{
    char* at = reader->at;
    for (; at < reader->end; ++at) {
        if (*at == '\n' || *at == '\r') {
            bool isPair = *at == '\r' && at + 1 < reader->end && at[1] == '\n';
            at += isPair ? 1 : 0;
            reader->line += 1;
            reader->lineStart = at + 1;
            reader->laterBytes = 0;
        } else if (*at != ' ' && *at != '\t') {
            break;
        }
    }
    reader->at = at;
}

static bool tgIsNext(const tgJsonReader* reader, char c)
{
    return reader->at < reader->end && *reader->at == c;
}

// ---- texts ----

static tgResult tgFailEscape(const tgJsonReader* reader, const char* wanted)
{
    return tgFailAt(reader->error, tg_invalidArgument, tgGetPlace(reader),
                    "this \\ in a text starts no known escape, expected %s", wanted);
}

/// Resolve the escape that starts here and step past it.
static tgResult tgReadEscape(tgJsonReader* reader, char** out)
{
    static const char letters[] = "\"\\/bfnrt";
    static const char meanings[] = "\"\\/\b\f\n\r\t";
    char letter = reader->end - reader->at > 1 ? reader->at[1] : '\0';
    const char* found = letter != '\0' ? strchr(letters, letter) : NULL;
    if (found != NULL) {
        *(*out)++ = meanings[found - letters];
        reader->at += 2;
        return tg_success;
    }
    uint32_t character = 0;
    int length = tgDecodeUnicodeEscape(reader->at, reader->end, &character);
    if (length == 0 || character == 0) {
        return tgFailEscape(reader, length == 0 ? "\\\" \\\\ \\/ \\b \\f \\n \\r \\t or \\u with "
                                                  "4 hexadecimal digits, pairs whole"
                                                : "any character but 0");
    }
    *out += tgEncodeUtf8(character, *out); // never longer than the escape was
    reader->at += length;
    return tg_success;
}

/// Is there a closing quote before the line or the file ends?
static bool tgHasTextEnd(const tgJsonReader* reader)
{
    const char* at = reader->at;
    while (at < reader->end && *at != '"' && *at != '\n' && *at != '\r') {
        at += *at == '\\' && at + 1 < reader->end ? 2 : 1;
    }
    return at < reader->end && *at == '"';
}

/// What is no plain ASCII letter: an escape, more bytes of UTF-8, or something wrong.
static tgResult tgReadOddLetter(tgJsonReader* reader, tgJsonPlace start, char** out)
{
    if (!tgHasTextEnd(reader)) {
        return tgFailAt(reader->error, tg_invalidArgument, start,
                        "a text without an end, expected a closing \" on the same line");
    }
    if (*reader->at == '\\') {
        return tgReadEscape(reader, out);
    }
    int size = tgMeasureUtf8(reader->at, reader->end);
    if (size < 2) {
        return tgFailFound(reader, "an escape such as \\t in its place");
    }
    memmove(*out, reader->at, (size_t)size);
    *out += size;
    reader->at += size;
    reader->laterBytes += size - 1;
    return tg_success;
}

/// From the opening quote to after the closing one.
static tgResult tgReadText(tgJsonReader* reader, const char** text)
{
    tgJsonPlace start = tgGetPlace(reader);
    reader->at += 1;
    char* out = reader->at;
    *text = out;
    for (;;) {
        char* at = reader->at;
        while (at < reader->end && *at != '"' && *at != '\\' && (signed char)*at >= 0x20) {
            at += 1;
        }
        size_t plain = (size_t)(at - reader->at);
        if (out != reader->at) {
            memmove(out, reader->at, plain);
        }
        out += plain;
        reader->at = at;
        if (tgIsNext(reader, '"')) {
            break;
        }
        tgResult result = tgReadOddLetter(reader, start, &out);
        if (result != tg_success) {
            return result;
        }
    }
    *out = '\0';
    reader->at += 1;
    return tg_success;
}

// ---- numbers and words ----

static bool tgIsTokenByte(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' ||
           c == '-' || c == '.' || c == '_';
}

/// Why the word that starts here is no value.
static tgResult tgFailToken(const tgJsonReader* reader)
{
    char text[64]; // longer ones are cut in the message anyway
    size_t length = 0;
    while (length < sizeof(text) - 1 && reader->at + length < reader->end &&
           tgIsTokenByte(reader->at[length])) {
        text[length] = reader->at[length];
        length += 1;
    }
    text[length] = '\0';
    tgJsonPlace place = tgGetPlace(reader);
    if (tgIsWrittenNotFinite(text)) {
        return tgFailAt(reader->error, tg_invalidArgument, place,
                        "%s is not allowed, expected a finite number",
                        tgShortenWith(text, "").text);
    }
    if (strchr("+-.0123456789", text[0]) != NULL) {
        return tgFailAt(reader->error, tg_invalidArgument, place,
                        "%s is not a number of JSON, expected one such as 0.5, -2 or 1e-3",
                        tgShortenWith(text, "").text);
    }
    return tgFailAt(reader->error, tg_invalidArgument, place,
                    "found %s, expected true, false, null, a number or a text in double quotes",
                    tgMakeQuote(text).text);
}

/// A zero after the number that was read last, once what stood there is not needed any more.
static void tgEndNumber(tgJsonReader* reader)
{
    if (reader->numberEnd != NULL) {
        *reader->numberEnd = '\0';
        reader->numberEnd = NULL;
    }
}

static tgResult tgReadNumber(tgJsonReader* reader, tgJsonValue* value)
{
    const char* after = tgReadDecimal(reader->at, reader->end, &value->number);
    if (after == NULL || (after < reader->end && tgIsTokenByte(*after))) {
        return tgFailToken(reader);
    }
    value->kind = tg_jsonNumber;
    value->text = reader->at;
    char* end = reader->at + (after - reader->at);
    bool isFinite =
        reader->rules->isForFloats ? isfinite((float)value->number) : isfinite(value->number);
    if (!isFinite) {
        *end = '\0';
        return tgFailAt(reader->error, tg_invalidArgument, tgGetPlace(reader),
                        "%s is too large, expected a number between %s",
                        tgShortenWith(value->text, "").text,
                        reader->rules->isForFloats ? "-3.4e38 and 3.4e38" : "-1.7e308 and 1.7e308");
    }
    reader->numberEnd = end;
    reader->at = end;
    return tg_success;
}

/// A number, true, false, null, or a word that JSON does not know.
static tgResult tgReadToken(tgJsonReader* reader, tgJsonValue* value)
{
    static const char* const words[] = {"null", "true", "false"};
    if (*reader->at == '-' || (*reader->at >= '0' && *reader->at <= '9')) {
        return tgReadNumber(reader, value);
    }
    for (int i = 0; i < 3; ++i) {
        size_t length = strlen(words[i]), left = (size_t)(reader->end - reader->at);
        if (left >= length && memcmp(reader->at, words[i], length) == 0 &&
            (left == length || !tgIsTokenByte(reader->at[length]))) {
            value->kind = i == 0 ? tg_jsonNull : tg_jsonBool;
            value->truth = i == 1;
            reader->at += length;
            return tg_success;
        }
    }
    return tgFailToken(reader);
}

// ---- lists and objects ----

static bool tgOpenChild(tgJsonReader* reader, tgJsonValue* child)
{
    if (reader->openCount == reader->openRoom) {
        int room = reader->openRoom > 0 ? 2 * reader->openRoom : 256;
        tgJsonValue** larger = realloc(reader->open, (size_t)room * sizeof(*larger));
        if (larger == NULL) {
            return false;
        }
        reader->open = larger;
        reader->openRoom = room;
    }
    reader->open[reader->openCount++] = child;
    return true;
}

static tgResult tgCloseObject(tgJsonReader* reader, tgJsonValue* object, int first)
{
    for (int i = first; i < reader->openCount; ++i) {
        tgJsonValue* member = reader->open[i];
        const tgJsonValue* kept = tgJson_AddNew(object, member, reader->rules->takesLastOfTwins);
        if (kept == NULL) {
            return tgFailJsonMemory(reader);
        }
        if (kept != member) {
            return tgFailAt(reader->error, tg_invalidArgument, member->keyPlace,
                            "%s is there twice, expected once; the first is on line %d",
                            tgMakeQuote(member->key).text, kept->keyPlace.line);
        }
    }
    return tg_success;
}

/// Children from `first` on are all that the parent has.
static tgResult tgCloseParent(tgJsonReader* reader, tgJsonValue* parent, int first)
{
    tgResult result = tg_success;
    int count = reader->openCount - first;
    if (count > 0 && !tgJson_Reserve(parent, count)) {
        result = tgFailJsonMemory(reader);
    } else if (parent->kind == tg_jsonObject) {
        result = tgCloseObject(reader, parent, first);
    } else if (count > 0) {
        memcpy(parent->items, reader->open + first, (size_t)count * sizeof(tgJsonValue*));
        parent->count = count;
    }
    reader->openCount = first;
    return result;
}

static tgResult tgReadValue(tgJsonReader* reader, tgJsonValue* value);

/// "key": and then the value, which the caller reads.
static tgResult tgReadKey(tgJsonReader* reader, tgJsonValue* member)
{
    member->keyPlace = tgGetPlace(reader);
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
    reader->at += 1;
    return tg_success;
}

/// What follows a child: a comma and another, or the end.
static tgResult tgReadComma(tgJsonReader* reader, bool isObject)
{
    char closing = isObject ? '}' : ']';
    tgSkipBlanks(reader);
    if (tgIsNext(reader, ',')) {
        tgJsonPlace comma = tgGetPlace(reader);
        reader->at += 1;
        tgEndNumber(reader);
        tgSkipBlanks(reader);
        if (tgIsNext(reader, closing)) {
            return tgFailAt(reader->error, tg_invalidArgument, comma,
                            "found a comma before %c, expected none after the last %s", closing,
                            isObject ? "member" : "element");
        }
        return tg_success;
    }
    return tgIsNext(reader, closing)
               ? tg_success
               : tgFailFound(reader, isObject ? "a comma or }" : "a comma or ]");
}

/// Elements or members, with what is between and after them.
static tgResult tgReadChildren(tgJsonReader* reader, tgJsonValue* parent)
{
    bool isObject = parent->kind == tg_jsonObject;
    char closing = isObject ? '}' : ']';
    int first = reader->openCount;
    reader->at += 1;
    tgSkipBlanks(reader);
    while (!tgIsNext(reader, closing)) {
        tgJsonValue* child = tgArena_Take(reader->arena, 1, sizeof(tgJsonValue));
        if (child == NULL || !tgOpenChild(reader, child)) {
            return tgFailJsonMemory(reader);
        }
        tgResult result = isObject ? tgReadKey(reader, child) : tg_success;
        result = result == tg_success ? tgReadValue(reader, child) : result;
        result = result == tg_success ? tgReadComma(reader, isObject) : result;
        if (result != tg_success) {
            return result;
        }
    }
    reader->at += 1;
    tgEndNumber(reader);
    return tgCloseParent(reader, parent, first);
}

static tgResult tgReadValue(tgJsonReader* reader, tgJsonValue* value)
{
    tgSkipBlanks(reader);
    value->place = tgGetPlace(reader);
    if (tgIsNext(reader, '{') || tgIsNext(reader, '[')) {
        value->kind = *reader->at == '{' ? tg_jsonObject : tg_jsonList;
        value->arena = reader->arena;
        if (reader->depth == reader->rules->deepest) {
            return tgFailAt(reader->error, tg_invalidArgument, value->place,
                            "nested too deep, expected at most %d levels", reader->rules->deepest);
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

/// The one value of the text, and nothing after it.
static tgResult tgReadRoot(tgJsonReader* reader, tgJsonValue* root)
{
    tgSkipBlanks(reader);
    if (reader->at == reader->end) {
        return tgFailAt(reader->error, tg_invalidArgument, tgGetPlace(reader),
                        "the file is empty, expected an object; {} takes every default");
    }
    tgResult result = tgReadValue(reader, root);
    if (result != tg_success) {
        return result;
    }
    tgSkipBlanks(reader);
    if (reader->at < reader->end) {
        char wanted[64];
        snprintf(wanted, sizeof(wanted), "nothing more after the end of the %s",
                 reader->rules->name);
        return tgFailFound(reader, wanted);
    }
    tgEndNumber(reader);
    return tg_success;
}

tgJsonValue* tgReadJson(const char* text, size_t size, const tgJsonRules* rules, tgArena* arena,
                        tgError* error)
{
    if (text == NULL || size > rules->largest) {
        tgFail(error, tg_invalidArgument, -1, "a %s file of %zu bytes, expected at most %zu",
               rules->name, size, rules->largest);
        return NULL;
    }
    char* copy = tgArena_CopyText(arena, text, size);
    tgJsonValue* root = tgArena_Take(arena, 1, sizeof(tgJsonValue));
    tgJsonReader reader = {.at = copy, .line = 1, .rules = rules, .arena = arena, .error = error};
    if (copy == NULL || root == NULL) {
        tgFail(error, tg_outOfMemory, -1, "out of memory");
        return NULL;
    }
    reader.end = copy + size;
    if (size >= 3 && memcmp(copy, "\xef\xbb\xbf", 3) == 0) {
        reader.at += 3; // a byte order mark has no column
    }
    reader.lineStart = reader.at;
    tgResult result = tgReadRoot(&reader, root);
    free(reader.open);
    return result == tg_success ? root : NULL;
}

const tgJsonValue* tgParseJson(const char* text, size_t size, tgArena* arena, tgError* error)
{
    return tgReadJson(text, size, &tg_settingsRules, arena, error);
}
