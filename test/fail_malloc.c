// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A malloc that fails when it is told to, for LD_PRELOAD: every allocation of a program and of the
// libraries it uses is counted, and number TURGOR_FAIL_AT fails; with TURGOR_FAIL_ON=1 all after it
// fail as well. TURGOR_FAIL_COUNT names a file that gets how many there were.

#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// The C library's own, which a malloc in front of it does not hide.
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* memory, size_t size);
void* __libc_memalign(size_t alignment, size_t size);

static atomic_long tg_count;
static long tg_failAt = -1;
static bool tg_failOn;

__attribute__((constructor)) static void tgStart(void)
{
    const char* at = getenv("TURGOR_FAIL_AT");
    tg_failAt = at != NULL ? atol(at) : -1;
    tg_failOn = getenv("TURGOR_FAIL_ON") != NULL;
    atomic_store(&tg_count, 0); // what came before is the loader's
}

__attribute__((destructor)) static void tgEnd(void)
{
    const char* path = getenv("TURGOR_FAIL_COUNT");
    int file = path != NULL ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
    if (file >= 0) {
        dprintf(file, "%ld\n", atomic_load(&tg_count));
        close(file);
    }
}

static bool tgFails(void)
{
    long number = atomic_fetch_add(&tg_count, 1) + 1;
    bool fails = tg_failAt > 0 && (tg_failOn ? number >= tg_failAt : number == tg_failAt);
    if (fails) {
        errno = ENOMEM;
    }
    return fails;
}

void* malloc(size_t size)
{
    return tgFails() ? NULL : __libc_malloc(size);
}

void* calloc(size_t count, size_t size)
{
    return tgFails() ? NULL : __libc_calloc(count, size);
}

void* realloc(void* memory, size_t size)
{
    return tgFails() ? NULL : __libc_realloc(memory, size);
}

void* aligned_alloc(size_t alignment, size_t size)
{
    return tgFails() ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void** memory, size_t alignment, size_t size)
{
    void* made = tgFails() ? NULL : __libc_memalign(alignment, size);
    *memory = made != NULL ? made : *memory;
    return made != NULL ? 0 : ENOMEM;
}
