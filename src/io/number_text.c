// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Numbers as text files want them.

#include "io/number_text.h"

#include <math.h>
#include <stdio.h>

int tgFormatFloat(float value, char text[tg_numberSize])
{
    int length = snprintf(text, tg_numberSize, "%.9g", isfinite(value) ? (double)value : 0.0);
    for (char* c = text; *c != '\0'; ++c) {
        *c = *c == ',' ? '.' : *c;
    }
    return length;
}
