// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Products of matrices whose rows are long. Both of them are sums of rows, which compilers make
// wide loops of: M R as it stands, and R W R' as the sum over all columns c of R of the outer
// products w c c', for which the columns are laid out as rows. Terms are added in the order in
// which they stand, whatever the number of threads.

#include "bind/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    tg_tile = 3 * 128, ///< columns of which products are summed as floats, then as doubles
    tg_lanes = 8,
};

static inline __attribute__((always_inline)) void tgAddRowsInline(float* restrict out, int width,
                                                                  const float* factors,
                                                                  const float* const* rows,
                                                                  int rowCount, size_t first)
{
    int r = 0;
    for (; r + 4 <= rowCount; r += 4) {
        const float *a = rows[r] + first, *b = rows[r + 1] + first;
        const float *c = rows[r + 2] + first, *d = rows[r + 3] + first;
        float fa = factors[r], fb = factors[r + 1], fc = factors[r + 2], fd = factors[r + 3];
        for (int i = 0; i < width; ++i) {
            out[i] += (fa * a[i] + fb * b[i]) + (fc * c[i] + fd * d[i]);
        }
    }
    for (; r < rowCount; ++r) {
        const float* a = rows[r] + first;
        for (int i = 0; i < width; ++i) {
            out[i] += factors[r] * a[i];
        }
    }
}

#ifdef __x86_64__
/// The same, eight floats at a time where the machine can: the same bits, in two thirds of the
/// time.
__attribute__((target("avx2"))) static void tgAddRowsWide(float* restrict out, int width,
                                                          const float* factors,
                                                          const float* const* rows, int rowCount,
                                                          size_t first)
{
    tgAddRowsInline(out, width, factors, rows, rowCount, first);
}
#endif

void tgAddRows(float* restrict out, int width, const float* factors, const float* const* rows,
               int rowCount, size_t first)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2")) {
        tgAddRowsWide(out, width, factors, rows, rowCount, first);
        return;
    }
#endif
    tgAddRowsInline(out, width, factors, rows, rowCount, first);
}

double tgMultiplyRow(const float* a, const float* b, size_t count)
{
    float sums[tg_lanes] = {0};
    size_t whole = count / tg_lanes * tg_lanes;
    for (size_t i = 0; i < whole; i += tg_lanes) {
        for (int k = 0; k < tg_lanes; ++k) {
            sums[k] += a[i + (size_t)k] * b[i + (size_t)k];
        }
    }
    double sum = 0.0;
    for (int k = 0; k < tg_lanes; ++k) {
        sum += (double)sums[k];
    }
    for (size_t i = whole; i < count; ++i) {
        sum += (double)a[i] * (double)b[i];
    }
    return sum;
}

typedef struct tgCombineLoop {
    const tgCombineTask* task;
    const float* mix;
} tgCombineLoop;

static void tgCombineChunks(int begin, int end, void* context)
{
    const tgCombineLoop* loop = context;
    const tgCombineTask* task = loop->task;
    for (int chunk = begin; chunk < end; ++chunk) {
        size_t first = (size_t)chunk * tg_rowChunk;
        size_t left = task->width - first;
        int count = left < tg_rowChunk ? (int)left : tg_rowChunk;
        for (int j = 0; j < task->outCount; ++j) {
            float* out = task->out + (size_t)j * task->width + first;
            memset(out, 0, (size_t)count * sizeof(float));
            tgAddRows(out, count, loop->mix + (size_t)j * (size_t)task->rowCount, task->rows,
                      task->rowCount, first);
        }
    }
}

bool tgCombineRows(const tgParallel* parallel, const tgCombineTask* task)
{
    size_t count = (size_t)task->outCount * (size_t)task->rowCount;
    float* mix = malloc((count + 1) * sizeof(float));
    if (mix == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; ++i) {
        mix[i] = (float)task->mix[i];
    }
    tgCombineLoop loop = {task, mix};
    tgRun(parallel, tgCombineChunks, (int)((task->width + tg_rowChunk - 1) / tg_rowChunk), &loop);
    free(mix);
    return true;
}

/// Some columns, times the roots of their weights.
typedef struct tgGramLoop {
    const tgGramTask* task;
    int columnCount;
    int columns[tg_tile]; ///< where they are in the rows
    float roots[tg_tile];
    float* asRows;    ///< tg_tile for each row
    float* asColumns; ///< rowCount for each column
    float* sums;      ///< rowCount for each row
} tgGramLoop;

static void tgFillTile(int begin, int end, void* context)
{
    const tgGramLoop* loop = context;
    for (int r = begin; r < end; ++r) {
        const float* row = loop->task->rows[r];
        float* out = loop->asRows + (size_t)r * tg_tile;
        for (int c = 0; c < loop->columnCount; ++c) {
            out[c] = loop->roots[c] * row[loop->columns[c]];
            loop->asColumns[(size_t)c * (size_t)loop->task->rowCount + (size_t)r] = out[c];
        }
    }
}

/// Row r of the sum of outer products, up to the diagonal.
static void tgMultiplyTile(int begin, int end, void* context)
{
    const tgGramLoop* loop = context;
    size_t n = (size_t)loop->task->rowCount;
    const float* columns[tg_tile];
    for (int c = 0; c < loop->columnCount; ++c) {
        columns[c] = loop->asColumns + (size_t)c * n;
    }
    for (int r = begin; r < end; ++r) {
        float* sums = loop->sums + (size_t)r * n;
        double* gram = loop->task->gram + (size_t)r * n;
        memset(sums, 0, (size_t)(r + 1) * sizeof(float));
        tgAddRows(sums, r + 1, loop->asRows + (size_t)r * tg_tile, columns, loop->columnCount, 0);
        for (int k = 0; k <= r; ++k) {
            gram[k] += (double)sums[k];
        }
    }
}

/// The columns of the next vertices that count; returns the vertex to go on with.
static int tgChooseColumns(tgGramLoop* loop, int v)
{
    loop->columnCount = 0;
    for (; v < loop->task->vertexCount && loop->columnCount + 3 <= tg_tile; ++v) {
        float weight = loop->task->weights[v];
        for (int k = 0; k < 3 && weight > 0.0f; ++k) {
            loop->columns[loop->columnCount] = 3 * v + k;
            loop->roots[loop->columnCount++] = sqrtf(weight);
        }
    }
    return v;
}

bool tgMultiplyRows(const tgParallel* parallel, const tgGramTask* task)
{
    size_t n = (size_t)task->rowCount;
    float* memory = malloc((2 * n * tg_tile + n * n + 1) * sizeof(float));
    if (memory == NULL) {
        return false;
    }
    tgGramLoop loop = {.task = task,
                       .asRows = memory,
                       .asColumns = memory + n * tg_tile,
                       .sums = memory + 2 * n * tg_tile};
    memset(task->gram, 0, n * n * sizeof(double));
    for (int v = 0; v < task->vertexCount;) {
        v = tgChooseColumns(&loop, v);
        tgRun(parallel, tgFillTile, task->rowCount, &loop);
        tgRun(parallel, tgMultiplyTile, task->rowCount, &loop);
    }
    for (size_t i = 0; i < n; ++i) {
        for (size_t k = 0; k < i; ++k) {
            task->gram[k * n + i] = task->gram[i * n + k];
        }
    }
    free(memory);
    return true;
}
