// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// One JSON object on standard output.
#ifndef TURGOR_CLI_JSON_H
#define TURGOR_CLI_JSON_H

#include "report.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

/// Prints and frees it; returns the status.
static inline int tgPrintJson(json_t* object)
{
    // As text first: half an object is worse than none.
    char* text =
        object != NULL ? json_dumps(object, JSON_REAL_PRECISION(12) | JSON_INDENT(1)) : NULL;
    json_decref(object);
    if (text == NULL || tgHasJsonRunOut()) { // parts of it may be missing
        free(text);
        return tgSayFailure("standard output",
                            tgHasJsonRunOut() ? "out of memory" : "the JSON could not be made");
    }
    puts(text);
    free(text);
    return tg_statusDone;
}

/// A text that need not be UTF-8, as file names are; what is not comes out as '?'.
static inline json_t* tgJsonText(const char* text)
{
    json_t* string = json_string(text);
    if (string != NULL) {
        return string;
    }
    char ascii[512];
    size_t i = 0;
    for (; text[i] != '\0' && i + 1 < sizeof(ascii); ++i) {
        ascii[i] = (unsigned char)text[i] < 0x80 ? text[i] : '?';
    }
    ascii[i] = '\0';
    return json_string(ascii);
}

#endif
