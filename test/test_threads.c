// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The command line's thread pool: every element once, loops one after the other, pools of any size.

#include "check.h"
#include "threads.h"

enum { tg_most = 5000 };

typedef struct tgCounts {
    int seen[tg_most];
} tgCounts;

static void tgCount(int begin, int end, void* context)
{
    tgCounts* counts = context;
    for (int i = begin; i < end; ++i) {
        counts->seen[i] += 1;
    }
}

static void tgTestEveryElementOnce(void** state)
{
    (void)state;
    for (int threads = 0; threads <= 9; threads += 3) {
        tgThreadPool* pool = tgCreateThreadPool(threads);
        assert_non_null(pool);
        for (int round = 0; round < 200; ++round) {
            tgCounts counts = {{0}};
            int count = round * 25 + round % 7;
            tgThreadPool_Run(tgCount, count, 1 + round % 13, &counts, pool);
            for (int i = 0; i < tg_most; ++i) {
                assert_int_equal(counts.seen[i], i < count);
            }
        }
        tgDestroyThreadPool(pool);
    }
    tgDestroyThreadPool(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tgTestEveryElementOnce)};
    return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}
