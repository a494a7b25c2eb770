// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Loops over the caller's threads, in fixed blocks.

#include "core/parallel.h"

typedef struct tgBlockLoop {
    tgBlockFcn* work;
    void* context;
    int count;
} tgBlockLoop;

static void tgRunBlocks(int firstBlock, int endBlock, void* context)
{
    const tgBlockLoop* loop = context;
    for (int block = firstBlock; block < endBlock; ++block) {
        int begin = block * tg_blockSize;
        int end = loop->count - begin < tg_blockSize ? loop->count : begin + tg_blockSize;
        loop->work(block, begin, end, loop->context);
    }
}

void tgRun(const tgParallel* parallel, tgRangeFcn* range, int count, void* context)
{
    if (parallel->run != NULL && count > 1) {
        parallel->run(range, count, 1, context, parallel->user);
    } else if (count > 0) {
        range(0, count, context);
    }
}

void tgParallelBlocks(const tgParallel* parallel, int count, tgBlockFcn* work, void* context)
{
    tgBlockLoop loop = {work, context, count};
    tgRun(parallel, tgRunBlocks, tgCountBlocks(count), &loop);
}
