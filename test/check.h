// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// cmocka, and a few checks of ours that print both values.
#ifndef TURGOR_TEST_CHECK_H
#define TURGOR_TEST_CHECK_H

// clang-format off
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
// clang-format on

/// |actual - expected| <= tolerance, and neither is NaN.
#define CHECK_NEAR(actual, expected, tolerance)                                                    \
    tgCheckNear((double)(actual), (double)(expected), (double)(tolerance), #actual, __FILE__,      \
                __LINE__)

/// value <= limit, and not NaN.
#define CHECK_AT_MOST(value, limit)                                                                \
    tgCheckAtMost((double)(value), (double)(limit), #value, __FILE__, __LINE__)

/// The text holds the fragment; prints the text when it does not.
#define CHECK_CONTAINS(text, fragment) tgCheckContains(text, fragment, __FILE__, __LINE__)

static inline void tgCheckNear(double actual, double expected, double tolerance, const char* what,
                               const char* file, int line)
{
    if (!(fabs(actual - expected) <= tolerance)) {
        print_error("%s = %.12g, expected %.12g within %.3g (off by %.3g)\n", what, actual,
                    expected, tolerance, fabs(actual - expected));
        _fail(file, line);
    }
}

static inline void tgCheckAtMost(double value, double limit, const char* what, const char* file,
                                 int line)
{
    if (!(value <= limit)) {
        print_error("%s = %.12g, expected at most %.12g\n", what, value, limit);
        _fail(file, line);
    }
}

static inline void tgCheckContains(const char* text, const char* fragment, const char* file,
                                   int line)
{
    if (strstr(text, fragment) == NULL) {
        print_error("\"%s\" does not contain \"%s\"\n", text, fragment);
        _fail(file, line);
    }
}

/// What is asked, and what is reached today where that is less.
typedef struct tgBar {
    double asked, today;
} tgBar;

/// Prints the number beside its bar.
/// @return 1 when it is worse than both what is asked and today's
static inline int tgMissBar(const char* what, double value, tgBar bar)
{
    bool isMet = value <= bar.asked, holds = isMet || value <= bar.today;
    print_message("%s: %.4g, asked %.4g%s", what, value, bar.asked, isMet ? "\n" : " MISSED");
    if (!isMet) {
        print_message(", today %.4g%s\n", bar.today, holds ? "" : " WORSE");
    }
    return !holds;
}

#endif
