// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A small thread pool. A loop is cut into more pieces than there are threads; whoever is free takes
// the next one. Which thread does what never shows in a result (see src/core/parallel.h).

#include "threads.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { tg_mostThreads = 64, tg_piecesPerThread = 4 };

struct tgThreadPool {
    pthread_mutex_t lock;
    pthread_cond_t wake, finished;
    pthread_t threads[tg_mostThreads];
    int threadCount; ///< without the caller's
    bool closing;
    // The loop at hand, guarded by the lock.
    tgRangeFcn* range;
    void* context;
    int count, pieceSize, next, running;
};

/// Takes pieces until there are none left. The lock is held on entry and on exit.
static void tgWork(tgThreadPool* pool)
{
    while (pool->next < pool->count) {
        int begin = pool->next;
        int end = pool->count - begin < pool->pieceSize ? pool->count : begin + pool->pieceSize;
        pool->next = end;
        pool->running += 1;
        pthread_mutex_unlock(&pool->lock);
        pool->range(begin, end, pool->context);
        pthread_mutex_lock(&pool->lock);
        pool->running -= 1;
    }
    if (pool->running == 0) {
        pthread_cond_signal(&pool->finished);
    }
}

static void* tgThreadMain(void* argument)
{
    tgThreadPool* pool = argument;
    pthread_mutex_lock(&pool->lock);
    while (!pool->closing) {
        tgWork(pool);
        pthread_cond_wait(&pool->wake, &pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

tgThreadPool* tgCreateThreadPool(int count)
{
    tgThreadPool* pool = calloc(1, sizeof(tgThreadPool));
    if (pool == NULL) {
        return NULL;
    }
    if (count == 0) {
        count = (int)sysconf(_SC_NPROCESSORS_ONLN);
    }
    count = count > tg_mostThreads ? tg_mostThreads : count;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pthread_cond_init(&pool->finished, NULL);
    for (int i = 1; i < count; ++i) {
        if (pthread_create(&pool->threads[pool->threadCount], NULL, tgThreadMain, pool) != 0) {
            break; // fewer threads, the same result
        }
        pool->threadCount += 1;
    }
    return pool;
}

void tgDestroyThreadPool(tgThreadPool* pool)
{
    if (pool == NULL) {
        return;
    }
    pthread_mutex_lock(&pool->lock);
    pool->closing = true;
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < pool->threadCount; ++i) {
        pthread_join(pool->threads[i], NULL);
    }
    pthread_cond_destroy(&pool->finished);
    pthread_cond_destroy(&pool->wake);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

void tgThreadPool_Run(tgRangeFcn* range, int count, int minRange, void* context, void* user)
{
    tgThreadPool* pool = user;
    if (pool->threadCount == 0 || count <= minRange) {
        range(0, count, context);
        return;
    }
    int pieces = (pool->threadCount + 1) * tg_piecesPerThread;
    pthread_mutex_lock(&pool->lock);
    pool->range = range;
    pool->context = context;
    pool->pieceSize = (count + pieces - 1) / pieces;
    pool->pieceSize = pool->pieceSize < minRange ? minRange : pool->pieceSize;
    pool->next = 0;
    pool->count = count;
    pthread_cond_broadcast(&pool->wake);
    tgWork(pool);
    while (pool->running > 0) {
        pthread_cond_wait(&pool->finished, &pool->lock);
    }
    pool->count = 0;
    pool->next = 0;
    pthread_mutex_unlock(&pool->lock);
}
