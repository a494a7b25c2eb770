// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Loops over the caller's threads. One place is written by one element only, so their number never
// shows in a picture.
#ifndef TURGOR_DRAW_PARALLEL_H
#define TURGOR_DRAW_PARALLEL_H

#include "core/parallel.h"

static inline void tgRunRange(const tgParallel* parallel, tgRangeFcn* range, int count,
                              int minRange, void* context)
{
    if (parallel->run != NULL) {
        parallel->run(range, count, minRange, context, parallel->user);
    } else {
        range(0, count, context);
    }
}

#endif
