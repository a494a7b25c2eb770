// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Memory that is taken piece by piece and freed at once.

#include "io/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    tg_arenaFirstSize = 1 << 14,
    tg_arenaLargestSize = 1 << 20, ///< blocks double up to this; a larger piece has one of its own
};

struct tgArenaBlock {
    struct tgArenaBlock* next;
    size_t used, size; ///< bytes after this header
};

enum { tg_arenaHeaderSize = (sizeof(struct tgArenaBlock) + 15) / 16 * 16 };

static struct tgArenaBlock* tgAddBlock(tgArena* arena, size_t wanted)
{
    size_t size = arena->blocks != NULL ? 2 * arena->blocks->size : tg_arenaFirstSize;
    size = size < tg_arenaLargestSize ? size : tg_arenaLargestSize;
    size = size > wanted ? size : wanted;
    struct tgArenaBlock* block = calloc(1, tg_arenaHeaderSize + size);
    if (block != NULL) {
        block->size = size;
        block->next = arena->blocks;
        arena->blocks = block;
    }
    return block;
}

void* tgArena_Take(tgArena* arena, size_t count, size_t size)
{
    bool isTooMuch = size != 0 && count > (SIZE_MAX / 2) / size;
    size_t wanted = isTooMuch ? 0 : (count * size + 15) / 16 * 16;
    struct tgArenaBlock* block = arena->blocks;
    if (!isTooMuch && (block == NULL || block->size - block->used < wanted)) {
        block = tgAddBlock(arena, wanted);
    }
    if (isTooMuch || block == NULL) {
        arena->ranOut = true;
        return NULL;
    }
    void* memory = (char*)block + tg_arenaHeaderSize + block->used;
    block->used += wanted;
    return memory;
}

char* tgArena_CopyText(tgArena* arena, const char* text, size_t length)
{
    char* copy = tgArena_Take(arena, length + 1, 1);
    return copy != NULL ? memcpy(copy, text, length) : NULL;
}

void tgArena_Free(tgArena* arena)
{
    for (struct tgArenaBlock* block = arena->blocks; block != NULL;) {
        struct tgArenaBlock* next = block->next;
        free(block);
        block = next;
    }
    *arena = (tgArena){0};
}
