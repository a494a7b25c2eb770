// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Working memory while an object is being made: a list of blocks from the caller's allocator.

#include "core/scratch.h"

struct tgScratchBlock {
    tgScratchBlock* next;
    size_t size;
};

_Static_assert(sizeof(tgScratchBlock) <= tg_blockAlignment, "the header fits before the data");

void* tgScratch_Take(tgScratch* scratch, size_t count, size_t size)
{
    if (scratch->failed) {
        return NULL;
    }
    tgScratchBlock* block = NULL;
    size_t total = 0;
    if (size == 0 || count <= (SIZE_MAX - tg_blockAlignment) / size) {
        total = tg_blockAlignment + count * size;
        block = tgAllocate(scratch->allocator, total);
    }
    if (block == NULL) {
        scratch->failed = true;
        return NULL;
    }
    block->next = scratch->blocks;
    block->size = total;
    scratch->blocks = block;
    return (char*)block + tg_blockAlignment;
}

void tgScratch_FreeAll(tgScratch* scratch)
{
    for (tgScratchBlock* block = scratch->blocks; block != NULL;) {
        tgScratchBlock* next = block->next;
        tgFree(scratch->allocator, block, block->size);
        block = next;
    }
    scratch->blocks = NULL;
}

tgScratch tgScratch_BeginStep(const tgScratch* whole)
{
    return (tgScratch){.allocator = whole->allocator, .failed = whole->failed};
}

bool tgScratch_EndStep(tgScratch* step, tgScratch* whole)
{
    tgScratch_FreeAll(step);
    whole->failed = whole->failed || step->failed;
    return !whole->failed;
}
