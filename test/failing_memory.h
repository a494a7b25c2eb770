// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Allocations that fail on purpose: set tg_allocationsLeft to how many may still succeed.
#ifndef TURGOR_TEST_FAILING_MEMORY_H
#define TURGOR_TEST_FAILING_MEMORY_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

// The linker sends every allocation of ours through these (see the CMake file).
void* __real_malloc(size_t size);
void* __real_calloc(size_t count, size_t size);
void* __real_realloc(void* memory, size_t size);
void* __wrap_malloc(size_t size);
void* __wrap_calloc(size_t count, size_t size);
void* __wrap_realloc(void* memory, size_t size);

static int tg_allocationsLeft = INT_MAX;

static bool tgMayAllocate(void)
{
    return tg_allocationsLeft == INT_MAX || tg_allocationsLeft-- > 0;
}

void* __wrap_malloc(size_t size)
{
    return tgMayAllocate() ? __real_malloc(size) : NULL;
}

void* __wrap_calloc(size_t count, size_t size)
{
    return tgMayAllocate() ? __real_calloc(count, size) : NULL;
}

void* __wrap_realloc(void* memory, size_t size)
{
    return tgMayAllocate() ? __real_realloc(memory, size) : NULL;
}

#endif
