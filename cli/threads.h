// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The parallel-for of the command line: a few threads that wait for loops to split.
#ifndef TURGOR_CLI_THREADS_H
#define TURGOR_CLI_THREADS_H

#include "core/parallel.h"

typedef struct tgThreadPool tgThreadPool;

/// @param count threads that work on a loop, the caller's among them; 0: as many as processors.
/// NULL without memory.
tgThreadPool* tgCreateThreadPool(int count);
void tgDestroyThreadPool(tgThreadPool* pool); ///< NULL is fine

/// A tgParallelForFcn; `user` is the pool.
tgParallelForFcn tgThreadPool_Run;
/// NULL: the calling thread.
static inline tgParallel tgGetParallel(tgThreadPool* pool)
{
    return (tgParallel){pool != NULL ? tgThreadPool_Run : NULL, pool};
}

#endif
