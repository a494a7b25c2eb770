// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The parallel-for of a game engine in small: workers that spin until the next loop, so that a
// frame of many short loops does not wait for the operating system to wake them.
#ifndef TURGOR_BENCH_SPIN_POOL_H
#define TURGOR_BENCH_SPIN_POOL_H

#include "turgor/base.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { tg_mostSpinThreads = 16, tg_piecesPerSpinThread = 4 };

typedef struct tgSpinPool {
    pthread_t threads[tg_mostSpinThreads];
    int threadCount; ///< without the caller's
    // The loop at hand; written before `generation` goes up.
    tgRangeFcn* range;
    void* context;
    int count, pieceSize;
    atomic_int generation; ///< goes up with every loop; -1: the end
    atomic_int next;       ///< first element that nobody has taken
    atomic_int done;       ///< workers that have left the loop
} tgSpinPool;

/// After so many looks the processor is offered to others: on a busy machine they may hold the one
/// that is waited for.
enum { tg_spinsBeforeYield = 4096 };

static inline void tgSpinPause(int* spins)
{
    if (++*spins % tg_spinsBeforeYield == 0) {
        sched_yield();
    }
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

static inline void tgSpinPool_Take(tgSpinPool* pool)
{
    for (;;) {
        int begin = atomic_fetch_add(&pool->next, pool->pieceSize);
        if (begin >= pool->count) {
            return;
        }
        int end = pool->count - begin < pool->pieceSize ? pool->count : begin + pool->pieceSize;
        pool->range(begin, end, pool->context);
    }
}

static void* tgSpinMain(void* argument)
{
    tgSpinPool* pool = argument;
    for (int seen = 0;;) {
        int generation, spins = 0;
        while ((generation = atomic_load(&pool->generation)) == seen) {
            tgSpinPause(&spins);
        }
        if (generation < 0) {
            return NULL;
        }
        seen = generation;
        tgSpinPool_Take(pool);
        atomic_fetch_add(&pool->done, 1);
    }
}

/// @param threadCount the caller's among them
static inline tgSpinPool* tgCreateSpinPool(int threadCount)
{
    tgSpinPool* pool = calloc(1, sizeof(tgSpinPool));
    while (pool != NULL && pool->threadCount + 1 < threadCount &&
           pthread_create(&pool->threads[pool->threadCount], NULL, tgSpinMain, pool) == 0) {
        pool->threadCount += 1;
    }
    return pool;
}

static inline void tgDestroySpinPool(tgSpinPool* pool)
{
    atomic_store(&pool->generation, -1);
    for (int i = 0; i < pool->threadCount; ++i) {
        pthread_join(pool->threads[i], NULL);
    }
    free(pool);
}

/// A tgParallelForFcn; `user` is the pool.
static inline void tgSpinPool_Run(tgRangeFcn* range, int count, int minRange, void* context,
                                  void* user)
{
    tgSpinPool* pool = user;
    if (pool->threadCount == 0 || count <= minRange) {
        range(0, count, context);
        return;
    }
    int pieces = (pool->threadCount + 1) * tg_piecesPerSpinThread;
    int pieceSize = (count + pieces - 1) / pieces;
    pool->range = range;
    pool->context = context;
    pool->count = count;
    pool->pieceSize = pieceSize < minRange ? minRange : pieceSize;
    atomic_store(&pool->next, 0);
    atomic_store(&pool->done, 0);
    atomic_fetch_add(&pool->generation, 1);
    tgSpinPool_Take(pool);
    int spins = 0;
    while (atomic_load(&pool->done) < pool->threadCount) {
        tgSpinPause(&spins);
    }
}

#endif
