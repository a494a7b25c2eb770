// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What is asked, beside what was measured. A bench that misses any of it ends with status 1.
#ifndef TURGOR_BENCH_BARS_H
#define TURGOR_BENCH_BARS_H

#include <stdbool.h>
#include <stdio.h>

typedef enum tgBarSide { tg_atMost, tg_atLeast } tgBarSide;

/// Of the process.
static int tg_barCount, tg_missedCount;

/// Counts a bar, and tells it and whether it is missed behind what stands on the line already.
static inline bool tgTellBar(double value, tgBarSide side, double bar)
{
    bool isMet = side == tg_atMost ? value <= bar : value >= bar; // not by NaN
    tg_barCount += 1;
    tg_missedCount += !isMet;
    printf("  wanted %s %g%s", side == tg_atMost ? "<=" : ">=", bar, isMet ? "" : "  MISSED");
    return isMet;
}

/// The status of the process.
/// @param csv closed; NULL for none
static inline int tgEndBench(FILE* csv)
{
    if (tg_missedCount > 0) {
        printf("%d of %d bars are missed\n", tg_missedCount, tg_barCount);
    }
    bool isWritten = csv == NULL || fclose(csv) == 0;
    return tg_missedCount > 0 || !isWritten;
}

#endif
