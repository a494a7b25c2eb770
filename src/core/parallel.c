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

void tgParallelBlocks(const tgParallel* parallel, int count, tgBlockFcn* work, void* context)
{
    tgBlockLoop loop = {work, context, count};
    int blockCount = tgCountBlocks(count);
    if (parallel->run != NULL && blockCount > 1) {
        parallel->run(tgRunBlocks, blockCount, 1, &loop, parallel->user);
    } else {
        tgRunBlocks(0, blockCount, &loop);
    }
}
