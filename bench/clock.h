// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The shortest and the 99th percentile of many runs: on a shared machine only those mean something.
#ifndef TURGOR_BENCH_CLOCK_H
#define TURGOR_BENCH_CLOCK_H

#include <stdlib.h>
#include <time.h>

enum { tg_runCount = 300 };

typedef struct tgTiming {
    double least, percentile99; ///< seconds
} tgTiming;

static inline double tgNow(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/// Seconds that the processor worked for this process: what one thread costs, whoever else is on
/// the machine.
static inline double tgGetProcessorTime(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static inline int tgCompareDoubles(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static inline tgTiming tgTimeRuns(void (*work)(void*), void* context, int count)
{
    double times[tg_runCount];
    for (int i = 0; i < count; ++i) {
        double start = tgNow();
        work(context);
        times[i] = tgNow() - start;
    }
    qsort(times, (size_t)count, sizeof(double), tgCompareDoubles);
    return (tgTiming){times[0], times[(count * 99) / 100]};
}

#endif
