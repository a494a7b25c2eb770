// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Working memory while an object is being made. Many pieces are taken, all are given back at once;
// one flag tells at the end whether any of them was missing. A step that needs much more than it
// leaves behind has a scratch of its own for that.
#ifndef TURGOR_CORE_SCRATCH_H
#define TURGOR_CORE_SCRATCH_H

#include "core/core.h"

typedef struct tgScratchBlock tgScratchBlock;

typedef struct tgScratch {
    const tgAllocator* allocator;
    tgScratchBlock* blocks;
    bool failed; ///< some tgScratch_Take found no memory
} tgScratch;

/// Zeroed room for `count` elements; NULL, with `failed` set, when there is none.
void* tgScratch_Take(tgScratch* scratch, size_t count, size_t size);
void tgScratch_FreeAll(tgScratch* scratch);

/// A scratch for one step, from the allocator of the whole.
tgScratch tgScratch_BeginStep(const tgScratch* whole);
/// Gives back all of it. What was missing in the step is missing in the whole.
/// @return whether nothing was, so far
bool tgScratch_EndStep(tgScratch* step, tgScratch* whole);

#endif
