// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A look at a COLLADA file before Assimp sees it. Assimp 5.2 reads lists of whole numbers without
// ever giving up: one stray character among them and it appends zeros until all memory is gone.

#include "core/core.h"
#include "io/import_assimp_private.h"

#include <ctype.h>
#include <string.h>

enum { tg_longestTag = 15 }; ///< longer names are none that we look for

typedef struct tgColladaText {
    FILE* file;
    int line;
} tgColladaText;

/// Elements that hold nothing but whole numbers.
static const char* const tg_numberTags[] = {"p", "h", "v", "vcount"};

static int tgColladaText_Next(tgColladaText* text)
{
    int c = getc(text->file);
    text->line += c == '\n' ? 1 : 0;
    return c;
}

static void tgSkipComment(tgColladaText* text)
{
    int dashes = 0;
    for (int c = tgColladaText_Next(text); c != EOF; c = tgColladaText_Next(text)) {
        if (c == '>' && dashes >= 2) {
            return;
        }
        dashes = c == '-' ? dashes + 1 : 0;
    }
}

/// Read a tag after its "<" to the end.
/// @param name tg_longestTag + 1 characters; empty for a tag that opens nothing
static void tgReadTag(tgColladaText* text, char* name)
{
    int length = 0;
    int c = tgColladaText_Next(text);
    for (; c != EOF && c != '>' && c != '/' && !isspace(c); c = tgColladaText_Next(text)) {
        if (length < tg_longestTag) {
            name[length++] = (char)c;
        }
        if (length == 3 && memcmp(name, "!--", 3) == 0) {
            tgSkipComment(text);
            name[0] = '\0';
            return;
        }
    }
    name[length] = '\0';
    int quote = 0;
    bool isClosed = false;
    for (; c != EOF && (quote != 0 || c != '>'); c = tgColladaText_Next(text)) {
        isClosed = c == '/';
        if (quote == 0 && (c == '"' || c == '\'')) {
            quote = c;
        } else if (c == quote) {
            quote = 0;
        }
    }
    if (isClosed || c == EOF) {
        name[0] = '\0';
    }
}

/// Check the content of an element up to the "<" that ends it.
static tgResult tgCheckNumbers(tgColladaText* text, const char* name, tgError* error)
{
    int last = ' ';
    for (int c = tgColladaText_Next(text); c != EOF; c = tgColladaText_Next(text)) {
        bool isSign = c == '-' || c == '+';
        bool afterSign = last == '-' || last == '+';
        bool isEnd = c == '<' || isspace(c);
        if ((!isEnd && !isSign && !isdigit(c)) || (afterSign && !isdigit(c)) ||
            (isSign && !isspace(last))) {
            return tgFail(error, tg_invalidMesh, -1,
                          "line %d: <%s> holds \"%c\", expected whole numbers only", text->line,
                          name, isprint(c) ? c : '?');
        }
        if (c == '<') {
            ungetc(c, text->file);
            return tg_success;
        }
        last = c;
    }
    return tg_success;
}

tgResult tgCheckCollada(FILE* file, tgError* error)
{
    tgColladaText text = {file, 1};
    tgResult result = tg_success;
    for (int c = tgColladaText_Next(&text); c != EOF && result == tg_success;
         c = tgColladaText_Next(&text)) {
        char name[tg_longestTag + 1] = "";
        if (c == '<') {
            tgReadTag(&text, name);
        }
        for (size_t i = 0; i < sizeof(tg_numberTags) / sizeof(tg_numberTags[0]); ++i) {
            if (result == tg_success && strcmp(name, tg_numberTags[i]) == 0) {
                result = tgCheckNumbers(&text, name, error);
            }
        }
    }
    return result;
}
