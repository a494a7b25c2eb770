// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Numbers as text files want them.

#include "io/number_text.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

int tgFormatFloat(float value, char text[tg_numberSize])
{
    int length = snprintf(text, tg_numberSize, "%.9g", isfinite(value) ? (double)value : 0.0);
    for (char* c = text; *c != '\0'; ++c) {
        *c = *c == ',' ? '.' : *c;
    }
    return length;
}

tgRangeText tgTellSums(double lowest, double highest)
{
    tgRangeText told = {""};
    char low[24] = "", high[24] = "";
    for (int digits = 2; digits <= 9; ++digits) {
        char one[24];
        snprintf(one, sizeof(one), "%.*f", digits, 1.0);
        snprintf(low, sizeof(low), "%.*f", digits, fmin(lowest, 1e6));
        snprintf(high, sizeof(high), "%.*f", digits, fmin(highest, 1e6));
        if (strcmp(low, one) != 0 || strcmp(high, one) != 0) {
            break;
        }
    }
    bool isSame = strcmp(low, high) == 0;
    snprintf(told.text, sizeof(told.text), "%s%s%s", low, isSame ? "" : " to ", isSame ? "" : high);
    return told;
}
