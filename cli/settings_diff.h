// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What differs between two settings files.
#ifndef TURGOR_CLI_SETTINGS_DIFF_H
#define TURGOR_CLI_SETTINGS_DIFF_H

#include "turgor/base.h"

#include <stdbool.h>

/// One value that the two do not share.
typedef struct tgDifference {
    char name[96];      ///< where it stands: "elbow.L gain"
    char values[2][32]; ///< in each file, as written; "unset" where it is not there
} tgDifference;

enum { tg_mostDifferences = 32 };

typedef struct tgDifferences {
    int count; ///< all of them, also those that have no room here
    tgDifference list[tg_mostDifferences];
} tgDifferences;

/// Both files are known to be good settings.
tgResult tgCompareSettings(const char* const paths[2], tgDifferences* differences, tgError* error);
/// What one of the two has, in so many letters: "elbow.L gain 2, sigma 0.3 and 2 more".
void tgDifferences_Tell(const tgDifferences* differences, int which, char* text, size_t size);

#endif
