// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Loops over the caller's threads, in fixed blocks: sums are taken block by block and then in block
// order, so the number of workers never shows in the result.
#ifndef TURGOR_CORE_PARALLEL_H
#define TURGOR_CORE_PARALLEL_H

#include "turgor/base.h"

enum { tg_blockSize = 1024 }; ///< elements; a multiple of tg_lane

typedef struct tgParallel {
    tgParallelForFcn* run; ///< NULL: on this thread
    void* user;
} tgParallel;

/// Elements [begin, end) of block `block`.
typedef void tgBlockFcn(int block, int begin, int end, void* context);

static inline int tgCountBlocks(int count)
{
    return (count + tg_blockSize - 1) / tg_blockSize;
}

/// Call `range` over [0, count), in pieces of any size and on any thread.
void tgRun(const tgParallel* parallel, tgRangeFcn* range, int count, void* context);

/// Call `work` for every block of [0, count), in any order and on any thread.
void tgParallelBlocks(const tgParallel* parallel, int count, tgBlockFcn* work, void* context);

#endif
