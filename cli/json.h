// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// One JSON object on standard output.
#ifndef TURGOR_CLI_JSON_H
#define TURGOR_CLI_JSON_H

#include "io/json.h"
#include "report.h"

#include <stdio.h>
#include <stdlib.h>

/// Prints it and frees the arena that it is in; returns the status.
static inline int tgPrintJson(const tgJsonValue* object, tgArena* arena)
{
    // As text first: half an object is worse than none.
    static const tgJsonLook look = {.digits = 12, .isIndented = true};
    char* text = arena->ranOut ? NULL : tgFormatJson(object, &look);
    tgArena_Free(arena);
    if (text == NULL) {
        return tgSayFailure("standard output", "out of memory");
    }
    puts(text);
    free(text);
    return tg_statusDone;
}

#endif
