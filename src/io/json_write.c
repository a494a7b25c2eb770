// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// JSON as text: compact, or a line for each value with one blank for each level.

#include "io/decimal.h"
#include "io/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct tgJsonWriter {
    tgJsonLook look;
    tgJsonSink* sink;
    void* user;
    bool isFine; ///< until the sink ends it
    size_t used;
    char piece[4096]; ///< waits for the sink
} tgJsonWriter;

static void tgFlush(tgJsonWriter* writer)
{
    writer->isFine = writer->isFine && writer->sink(writer->piece, writer->used, writer->user);
    writer->used = 0;
}

static void tgPut(tgJsonWriter* writer, const char* text, size_t size)
{
    if (size > sizeof(writer->piece) - writer->used) {
        tgFlush(writer);
    }
    if (size > sizeof(writer->piece)) {
        writer->isFine = writer->isFine && writer->sink(text, size, writer->user);
        return;
    }
    memcpy(writer->piece + writer->used, text, size);
    writer->used += size;
}

static void tgPutText(tgJsonWriter* writer, const char* text)
{
    static const char letters[] = "\"\\\b\f\n\r\t";
    static const char names[] = "\"\\bfnrt";
    tgPut(writer, "\"", 1);
    while (*text != '\0') {
        size_t plain = 0;
        while ((unsigned char)text[plain] >= 0x20 && text[plain] != '"' && text[plain] != '\\') {
            plain += 1;
        }
        tgPut(writer, text, plain);
        text += plain;
        if (*text != '\0') {
            const char* letter = strchr(letters, *text);
            char escape[8];
            int size = letter != NULL
                           ? snprintf(escape, sizeof(escape), "\\%c", names[letter - letters])
                           : snprintf(escape, sizeof(escape), "\\u%04X", (unsigned)*text);
            tgPut(writer, escape, (size_t)size);
            text += 1;
        }
    }
    tgPut(writer, "\"", 1);
}

static void tgPutNumber(tgJsonWriter* writer, const tgJsonValue* value)
{
    bool isAsWritten = value->text != NULL && (writer->look.digits == 17 || tgJson_IsWhole(value));
    char text[tg_decimalSize];
    if (isAsWritten) {
        tgPut(writer, value->text, strlen(value->text));
    } else {
        int length = tgWriteDecimal(value->number, writer->look.digits, text);
        tgPut(writer, text, (size_t)length);
    }
}

static void tgPutLine(tgJsonWriter* writer, int depth)
{
    if (writer->look.isIndented) {
        tgPut(writer, "\n", 1);
        for (int i = 0; i < depth; ++i) {
            tgPut(writer, " ", 1);
        }
    }
}

static void tgPutValue(tgJsonWriter* writer, const tgJsonValue* value, int depth);

static void tgPutItems(tgJsonWriter* writer, const tgJsonValue* parent, int depth)
{
    bool isObject = parent->kind == tg_jsonObject;
    bool isOpen = writer->look.isOpen && depth == 0;
    tgPut(writer, isObject ? "{" : "[", isOpen ? 0 : 1);
    for (int i = 0; i < parent->count && writer->isFine; ++i) {
        const tgJsonValue* item = parent->items[i];
        tgPut(writer, ",", i > 0 ? 1 : 0);
        tgPutLine(writer, depth + 1);
        if (isObject) {
            tgPutText(writer, item->key);
            tgPut(writer, ": ", writer->look.isIndented ? 2 : 1);
        }
        tgPutValue(writer, item, depth + 1);
    }
    if (parent->count > 0) {
        tgPutLine(writer, depth);
    }
    tgPut(writer, isObject ? "}" : "]", isOpen ? 0 : 1);
}

static void tgPutValue(tgJsonWriter* writer, const tgJsonValue* value, int depth)
{
    switch (value->kind) {
    case tg_jsonNull:
        tgPut(writer, "null", 4);
        break;
    case tg_jsonBool:
        tgPut(writer, value->truth ? "true" : "false", value->truth ? 4 : 5);
        break;
    case tg_jsonNumber:
        tgPutNumber(writer, value);
        break;
    case tg_jsonText:
        tgPutText(writer, value->text);
        break;
    case tg_jsonList:
    case tg_jsonObject:
        tgPutItems(writer, value, depth);
        break;
    }
}

bool tgWriteJson(const tgJsonValue* value, const tgJsonLook* look, tgJsonSink* sink, void* user)
{
    tgJsonWriter writer = {.look = *look, .sink = sink, .user = user, .isFine = true};
    tgPutValue(&writer, value, 0);
    tgFlush(&writer);
    return writer.isFine;
}

typedef struct tgGrownText {
    char* text;
    size_t used, room;
} tgGrownText;

static bool tgGrowText(const char* text, size_t size, void* user)
{
    tgGrownText* grown = user;
    if (grown->room - grown->used < size + 1) {
        size_t room = 2 * grown->room + size + 1;
        char* larger = realloc(grown->text, room);
        if (larger == NULL) {
            return false;
        }
        grown->text = larger;
        grown->room = room;
    }
    memcpy(grown->text + grown->used, text, size);
    grown->used += size;
    grown->text[grown->used] = '\0';
    return true;
}

char* tgFormatJson(const tgJsonValue* value, const tgJsonLook* look)
{
    tgGrownText grown = {0};
    if (value == NULL || !tgWriteJson(value, look, tgGrowText, &grown)) {
        free(grown.text);
        return NULL;
    }
    return grown.text;
}
