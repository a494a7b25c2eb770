// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// An allocator for objects that counts what it gives, and fails when it is told to.
#ifndef TURGOR_TEST_COUNTED_MEMORY_H
#define TURGOR_TEST_COUNTED_MEMORY_H

#include "turgor/base.h"

#include <stdlib.h>

typedef struct tgCounter {
    int calls, live, failAt; ///< failAt: the call that finds no memory, counted from 1; 0 for none
    size_t bytes, mostBytes; ///< now, and at any time
} tgCounter;

static inline void* tgCountedAlloc(size_t size, size_t alignment, void* user)
{
    tgCounter* counter = user;
    if (++counter->calls == counter->failAt) {
        return NULL;
    }
    counter->live += 1;
    counter->bytes += size;
    counter->mostBytes = counter->bytes > counter->mostBytes ? counter->bytes : counter->mostBytes;
    return aligned_alloc(alignment, size);
}

static inline void tgCountedFree(void* memory, size_t size, void* user)
{
    tgCounter* counter = user;
    counter->live -= 1;
    counter->bytes -= size;
    free(memory);
}

static inline tgAllocator tgCounter_GetAllocator(tgCounter* counter)
{
    return (tgAllocator){tgCountedAlloc, tgCountedFree, counter};
}

#endif
