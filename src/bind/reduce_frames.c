// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The leading singular vectors of frames. With frames as rows of D and the vertices' areas W,
// frames are few beside vertices, so the vectors come from the matrix of the frames' products with
// each other: D W D' = U S^2 U', R = U' D, Q = S^-1 R. Long clips are gathered in blocks, each of
// which is reduced to its own R first.

#include "bind/reduce_frames.h"

#include "bind/dense.h"
#include "bind/eigen.h"
#include "bind/rows.h"
#include "core/core.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { tg_mostAtOnce = 512 }; ///< frames whose products are taken

/// What the vectors leave out of any frame, in the mean over its vertices, in goals. Of a worst
/// vertex it is some thirty times as much.
static const double tg_leftOut = 7e-3;
/// Vertices count by their area, and a little for being there, in parts of the mean area.
static const float tg_leastArea = 1e-2f;
/// What is added to products of rows with themselves, in parts of them, for Cholesky's roots.
static const double tg_rounding = 1e-6;
/// A basis serves goals down to this part of its own.
static const float tg_fineEnough = 0.5f;

/// Rows to reduce: the frames themselves, or what blocks of them were reduced to.
typedef struct tgRowList {
    const float** rows;
    int count;
    float** blocks; ///< owned
    int blockCount;
} tgRowList;

static void tgFreeRowList(tgRowList* list)
{
    for (int i = 0; i < list->blockCount && list->blocks != NULL; ++i) {
        free(list->blocks[i]);
    }
    free(list->blocks);
    free((void*)list->rows);
    *list = (tgRowList){0};
}

/// The fewest leading vectors that leave at most so much, squared, out of every row.
/// @param u eigenvectors as rows
/// @param lost scratch, `count` entries
static int tgCutRank(const double* u, const double* values, int count, double leftOut, double* lost)
{
    memset(lost, 0, (size_t)count * sizeof(double));
    int rank = count;
    for (; rank > 0; --rank) {
        double value = fmax(values[rank - 1], 0.0);
        const double* vector = u + (size_t)(rank - 1) * (size_t)count;
        double most = 0.0;
        for (int i = 0; i < count; ++i) {
            lost[i] += value * vector[i] * vector[i];
            most = fmax(most, lost[i]);
        }
        if (most > leftOut) {
            break;
        }
    }
    return rank < tg_mostRank ? rank : tg_mostRank;
}

/// R = U' D of some rows: their leading singular vectors, each times its singular value.
/// @param out rank rows, to be freed
/// @return the rank; -1 without memory
static int tgReduceRows(const tgFrames* frames, const float* areas, const float* const* rows,
                        int count, double leftOut, float** out)
{
    size_t n = (size_t)count, width = 3 * (size_t)frames->vertexCount;
    double* u = malloc(n * n * sizeof(double));
    double* values = malloc(4 * n * sizeof(double));
    tgGramTask task = {rows, count, frames->vertexCount, areas, u};
    int rank = -1;
    if (u != NULL && values != NULL && tgMultiplyRows(&frames->parallel, &task)) {
        tgFindEigenvectors(count, u, values, values + n);
        rank = tgCutRank(u, values, count, leftOut, values + 3 * n);
        *out = malloc(((size_t)rank * width + 1) * sizeof(float));
        tgCombineTask mix = {rows, count, width, u, rank, *out};
        rank = *out != NULL && tgCombineRows(&frames->parallel, &mix) ? rank : -1;
    }
    free(u);
    free(values);
    return rank;
}

/// How many of the rows say more than so much, squared, all that follow taken together.
static int tgTrimRank(const double* gram, int rank, double leftOut)
{
    double lost = 0.0;
    int count = rank;
    while (count > 0) {
        lost += gram[(ptrdiff_t)(count - 1) * rank + count - 1];
        if (lost > leftOut) {
            break;
        }
        count -= 1;
    }
    return count;
}

/// Q = L^-1 R with R W R' = L L': Gram and Schmidt's. The eigenvalues, differences of large numbers
/// where they are small, would not do to scale the rows of R; their own products, small for small
/// rows, do. False without memory.
static bool tgOrthonormalize(const tgFrames* frames, double leftOut, tgFrameBasis* basis)
{
    const float* rows[tg_mostRank];
    size_t width = 3 * (size_t)frames->vertexCount, n = (size_t)basis->rank;
    float* r = basis->vectors;
    float* q = malloc((n * width + 1) * sizeof(float));
    double* gram = malloc((2 * n * n + 1) * sizeof(double));
    for (size_t j = 0; j < n; ++j) {
        rows[j] = r + j * width;
    }
    tgGramTask products = {rows, basis->rank, frames->vertexCount, basis->areas, gram};
    bool good = q != NULL && gram != NULL && tgMultiplyRows(&frames->parallel, &products);
    if (good) {
        int rank = tgTrimRank(gram, basis->rank, leftOut);
        double* inverse = gram + n * n;
        memset(inverse, 0, n * n * sizeof(double));
        for (int j = 0; j < rank; ++j) {
            memmove(gram + (ptrdiff_t)j * rank, gram + (ptrdiff_t)j * basis->rank,
                    (size_t)rank * sizeof(double));
            gram[(ptrdiff_t)j * rank + j] *= 1.0 + tg_rounding;
            inverse[(ptrdiff_t)j * rank + j] = 1.0;
        }
        basis->rank = tgFactorDense(rank, gram) ? rank : 0;
        tgSolveLower(basis->rank, gram, rank, inverse);
        tgCombineTask mix = {rows, rank, width, inverse, basis->rank, q};
        good = tgCombineRows(&frames->parallel, &mix);
    }
    basis->vectors = q;
    free(r);
    free(gram);
    return good;
}

/// One round of a long list: blocks of it, each by its leading vectors. False without memory.
static bool tgReduceBlocks(const tgFrames* frames, const float* areas, const tgRowList* from,
                           double leftOut, tgRowList* to)
{
    int blockCount = (from->count + tg_mostAtOnce - 1) / tg_mostAtOnce;
    *to = (tgRowList){.rows = malloc((size_t)from->count * sizeof(*to->rows)),
                      .blocks = calloc((size_t)blockCount, sizeof(*to->blocks)),
                      .blockCount = blockCount};
    if (to->rows == NULL || to->blocks == NULL) {
        return false;
    }
    for (int b = 0; b < blockCount; ++b) {
        int first = b * tg_mostAtOnce;
        int count = from->count - first < tg_mostAtOnce ? from->count - first : tg_mostAtOnce;
        int rank = tgReduceRows(frames, areas, from->rows + first, count, leftOut, &to->blocks[b]);
        if (rank < 0) {
            return false;
        }
        for (int i = 0; i < rank; ++i) {
            to->rows[to->count++] = to->blocks[b] + (size_t)i * 3 * (size_t)frames->vertexCount;
        }
    }
    return true;
}

/// The vectors of all frames. False without memory.
static bool tgFindVectors(const tgFrames* frames, double leftOut, tgFrameBasis* basis)
{
    tgRowList list = {.rows = malloc((size_t)frames->frameCount * sizeof(*list.rows))};
    bool good = list.rows != NULL;
    for (int s = 0; s < frames->frameCount && good; ++s) {
        list.rows[list.count++] = &frames->frames[s]->x;
    }
    for (bool isShorter = true; good && isShorter && list.count > tg_mostAtOnce;) {
        tgRowList next;
        // A quarter of what may be lost, for the last step to have the most of it.
        good = tgReduceBlocks(frames, basis->areas, &list, leftOut / 4.0, &next);
        isShorter = next.count < list.count; // else what is there first must do
        tgFreeRowList(&list);
        list = next;
    }
    if (good && list.count > 0) {
        int count = list.count < tg_mostAtOnce ? list.count : tg_mostAtOnce;
        int rank = tgReduceRows(frames, basis->areas, list.rows, count, leftOut, &basis->vectors);
        basis->rank = rank > 0 ? rank : 0;
        good = rank >= 0 && tgOrthonormalize(frames, leftOut, basis);
    }
    tgFreeRowList(&list);
    return good;
}

/// A = D W Q': products of frames with the vectors under the areas.
typedef struct tgCoefficientLoop {
    const tgFrames* frames;
    const tgFrameBasis* basis;
    const float* columns; ///< W Q' : rank for each column
} tgCoefficientLoop;

static void tgFindCoefficients(int begin, int end, void* context)
{
    const tgCoefficientLoop* loop = context;
    int rank = loop->basis->rank;
    int width = 3 * loop->frames->vertexCount;
    float sums[tg_mostRank];
    const float* columns[tg_rowChunk];
    for (int first = 0; first < width; first += tg_rowChunk) {
        int count = width - first < tg_rowChunk ? width - first : tg_rowChunk;
        for (int i = 0; i < count; ++i) {
            columns[i] = loop->columns + (size_t)(first + i) * (size_t)rank;
        }
        for (int s = begin; s < end; ++s) {
            memset(sums, 0, (size_t)rank * sizeof(float));
            tgAddRows(sums, rank, &loop->frames->frames[s]->x + first, columns, count, 0);
            double* a = loop->basis->coefficients + (size_t)s * (size_t)rank;
            for (int j = 0; j < rank; ++j) {
                a[j] += (double)sums[j];
            }
        }
    }
}

static bool tgExpressFrames(const tgFrames* frames, tgFrameBasis* basis)
{
    size_t width = 3 * (size_t)frames->vertexCount, rank = (size_t)basis->rank;
    float* columns = malloc((width * rank + 1) * sizeof(float));
    basis->coefficients = calloc((size_t)frames->frameCount * rank + 1, sizeof(double));
    bool good = columns != NULL && basis->coefficients != NULL;
    for (size_t i = 0; i < width && good; ++i) {
        for (size_t j = 0; j < rank; ++j) {
            columns[i * rank + j] = basis->areas[i / 3] * basis->vectors[j * width + i];
        }
    }
    if (good) {
        tgCoefficientLoop loop = {frames, basis, columns};
        tgRun(&frames->parallel, tgFindCoefficients, frames->frameCount, &loop);
    }
    free(columns);
    return good;
}

/// Areas in parts of their mean.
static bool tgScaleAreas(const tgFrames* frames, tgFrameBasis* basis)
{
    basis->areas = malloc((size_t)frames->vertexCount * sizeof(float) + 1);
    double sum = 0.0;
    for (int v = 0; v < frames->vertexCount; ++v) {
        sum += (double)frames->areas[v];
    }
    float mean = sum > 0.0 ? (float)(sum / frames->vertexCount) : 1.0f;
    for (int v = 0; v < frames->vertexCount && basis->areas != NULL; ++v) {
        basis->areas[v] = frames->areas[v] / mean + tg_leastArea;
    }
    return basis->areas != NULL;
}

tgResult tgReduceFrames(const tgFrames* frames, float goal, tgFrameBasis* basis, tgError* error)
{
    if (basis->areas != NULL && goal >= tg_fineEnough * basis->goal) {
        return tg_success;
    }
    tgFreeFrameBasis(basis);
    basis->goal = goal;
    double perVertex = tg_leftOut * (double)goal;
    double leftOut = perVertex * perVertex * (double)frames->vertexCount;
    bool good = tgScaleAreas(frames, basis) && tgFindVectors(frames, leftOut, basis) &&
                tgExpressFrames(frames, basis);
    return good ? tg_success
                : tgFail(error, tg_outOfMemory, -1,
                         "no memory to fit targets to %d frames of %d vertices", frames->frameCount,
                         frames->vertexCount);
}

void tgFreeFrameBasis(tgFrameBasis* basis)
{
    free(basis->areas);
    free(basis->vectors);
    free(basis->coefficients);
    *basis = (tgFrameBasis){0};
}
