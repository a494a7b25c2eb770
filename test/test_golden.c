// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The golden hashes on every backend this machine has. `test_golden FILE PART PARTS` looks at every
// PARTS-th case, so that two can run at once. `test_golden --write FILE` makes them anew: a change
// of the file is a change of what every user gets.

#include "frame_hashes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* const tg_names[] = {"best", "scalar", "sse2", "avx2", "neon", "wasm"};

static int tgWriteHashes(const char* path)
{
    FILE* file = fopen(path, "w");
    for (int which = 0; file != NULL && which < tg_frameCaseCount; ++which) {
        fprintf(file, "%d %016" PRIx64 "\n", which, tgHashFrameCase(which, tg_simdScalar));
    }
    return file != NULL && fclose(file) == 0 ? 0 : 1;
}

/// Two cases alike look at the same thing: what one of them was to show does not happen in it.
static int tgCountTwins(const char* path)
{
    uint64_t hashes[tg_frameCaseCount] = {0};
    int count = 0, twins = 0, which;
    FILE* file = fopen(path, "r");
    while (file != NULL && count < tg_frameCaseCount &&
           fscanf(file, "%d %" SCNx64, &which, &hashes[count]) == 2) {
        for (int i = 0; i < count; ++i) {
            if (hashes[i] == hashes[count]) {
                printf("cases %d and %d are alike\n", i, count);
                twins += 1;
            }
        }
        count += 1;
    }
    if (file != NULL) {
        fclose(file);
    }
    return twins;
}

int main(int argc, char** argv)
{
    if (argc == 3 && strcmp(argv[1], "--write") == 0) {
        return tgWriteHashes(argv[2]);
    }
    int part = argc == 4 ? atoi(argv[2]) : 0, parts = argc == 4 ? atoi(argv[3]) : 1;
    FILE* file = (argc == 2 || argc == 4) && parts > 0 ? fopen(argv[1], "r") : NULL;
    if (file == NULL) {
        fprintf(stderr, "usage: test_golden FILE [PART PARTS] | --write FILE\n");
        return 2;
    }
    int passed = 0, failed = tgCountTwins(argv[1]), which;
    uint64_t golden;
    while (fscanf(file, "%d %" SCNx64, &which, &golden) == 2) {
        if (which % parts != part) {
            continue;
        }
        for (int simd = tg_simdScalar; simd <= tg_simdWasm; ++simd) {
            uint64_t hash = tgHashFrameCase(which, simd);
            if (hash == 0) {
                continue; // not on this machine
            }
            passed += hash == golden;
            failed += hash != golden;
            printf("case %d %-6s %016" PRIx64 " %s\n", which, tg_names[simd], hash,
                   hash == golden ? "ok" : "DIFFERS");
        }
    }
    fclose(file);
    printf("%d passed, %d failed\n", passed, failed);
    return passed >= tg_frameCaseCount / parts && failed == 0 ? 0 : 1;
}
