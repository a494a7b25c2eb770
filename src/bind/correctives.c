// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Corrective morph targets: with frames as rows of D, the K targets that come nearest to all of
// them are its leading singular vectors. Frames are few beside vertices, so they are found through
// the matrix of the frames' products with each other.
//
// "Nearest" there is in the mean; what is wanted is the worst vertex. So vertices count more from
// round to round where they are off most, which takes about a third of the targets away. The rounds
// work within the leading r singular vectors, r some three times K, where they cost next to
// nothing: with D = A Q and a metric H = Q W Q' = L L' of the vertices' weights W, the best K
// directions are the leading eigenvectors of L' A' A L.

#include "bind/correctives.h"

#include "bind/eigen.h"
#include "core/core.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    tg_mostAtOnce = 512, ///< frames whose products are taken; longer clips are gathered in blocks
    tg_mostRank = 192,
    tg_rounds = 9, ///< of weighing vertices anew, for one number of targets
    tg_hopeRounds = 2,
    tg_lanes = 8, ///< partial sums of a product, in this order on every machine
    tg_tile = 1024,
    tg_chunk = 3 * 1024, ///< floats that stay near while rows are added
    tg_fewFrames = 64,   ///< so many tell about how far a fit is off
};

/// What the leading vectors leave out, in the mean, in parts of the goal.
static const double tg_leftOut = 2e-3;
/// After tg_hopeRounds rounds a fit that is off by more than this, in goals, will not make it.
static const float tg_hopeless = 1.5f;
/// Vertices count by their area, and a little for being there, in parts of the mean area.
static const float tg_leastArea = 1e-2f;

/// The leading singular vectors: frame = sum of coefficients times vectors.
typedef struct tgReduced {
    int rank;
    float* vectors;       ///< 3 * vertexCount for each; orthonormal under the vertices' areas
    double* coefficients; ///< rank for each frame
} tgReduced;

/// All that a fit works with.
typedef struct tgFitter {
    const tgCorrectiveDef* def;
    size_t width;    ///< floats of a frame
    float* areas;    ///< of each vertex, the mean 1
    float* emphasis; ///< of each vertex: how much more it counts
    float* errors;   ///< of each vertex, after tgTryFit
    tgReduced reduced;
    double* metric;   ///< rank * rank, then its Cholesky factor
    double* matrix;   ///< rank * rank
    double* values;   ///< rank
    double* scratch;  ///< 2 * rank
    double* products; ///< rank * rank: A' A
    double* mix;      ///< rank for each target: targets = mix * vectors
    tgCorrectives fit;
    bool hasRunOut;
} tgFitter;

static void tgRunRows(const tgParallel* parallel, tgRangeFcn* range, int count, void* context)
{
    if (parallel->run != NULL && count > 0) {
        parallel->run(range, count, 1, context, parallel->user);
    } else if (count > 0) {
        range(0, count, context);
    }
}

static double tgProduct(const float* a, const float* b, size_t count)
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

/// sum[i] += factor * row[i]
static void tgAddRow(float* sum, float factor, const float* row, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        sum[i] += factor * row[i];
    }
}

/// Products of rows with each other under weights of the vertices.
typedef struct tgGramTask {
    const float* const* rows;
    int rowCount;
    int vertexCount;
    const float* weights;
    float* tile;  ///< tg_tile vertices of all rows, times the weights' roots
    int tileSize; ///< floats
    int firstVertex;
    double* gram; ///< rowCount * rowCount
} tgGramTask;

static void tgFillTile(int begin, int end, void* context)
{
    const tgGramTask* task = context;
    for (int i = begin; i < end; ++i) {
        const float* row = task->rows[i] + 3 * (size_t)task->firstVertex;
        float* tile = task->tile + (size_t)i * 3 * tg_tile;
        for (int v = 0; v < task->tileSize / 3; ++v) {
            float root = sqrtf(task->weights[task->firstVertex + v]);
            for (int k = 0; k < 3; ++k) {
                tile[3 * v + k] = root * row[3 * v + k];
            }
        }
    }
}

static void tgMultiplyTile(int begin, int end, void* context)
{
    const tgGramTask* task = context;
    for (int i = begin; i < end; ++i) {
        const float* a = task->tile + (size_t)i * 3 * tg_tile;
        double* out = task->gram + (size_t)i * (size_t)task->rowCount;
        for (int k = 0; k <= i; ++k) {
            out[k] += tgProduct(a, task->tile + (size_t)k * 3 * tg_tile, (size_t)task->tileSize);
        }
    }
}

static bool tgMultiplyRows(const tgParallel* parallel, tgGramTask* task)
{
    size_t n = (size_t)task->rowCount;
    task->tile = malloc(n * 3 * tg_tile * sizeof(float));
    if (task->tile == NULL) {
        return false;
    }
    memset(task->gram, 0, n * n * sizeof(double));
    for (int v = 0; v < task->vertexCount; v += tg_tile) {
        int count = task->vertexCount - v < tg_tile ? task->vertexCount - v : tg_tile;
        task->firstVertex = v;
        task->tileSize = 3 * count;
        tgRunRows(parallel, tgFillTile, task->rowCount, task);
        tgRunRows(parallel, tgMultiplyTile, task->rowCount, task);
    }
    for (size_t i = 0; i < n; ++i) {
        for (size_t k = 0; k < i; ++k) {
            task->gram[k * n + i] = task->gram[i * n + k];
        }
    }
    free(task->tile);
    return true;
}

/// out row j = sum over i of mix[j * mixWidth + i] times row i.
typedef struct tgMixTask {
    const float* const* rows;
    int rowCount;
    const double* mix;
    int mixWidth;
    float* out;
    size_t width;
} tgMixTask;

static void tgMixRows(int begin, int end, void* context)
{
    const tgMixTask* task = context;
    for (int j = begin; j < end; ++j) {
        float* out = task->out + (size_t)j * task->width;
        memset(out, 0, task->width * sizeof(float));
        for (size_t first = 0; first < task->width; first += tg_chunk) {
            size_t left = task->width - first;
            size_t count = left < tg_chunk ? left : tg_chunk;
            for (int i = 0; i < task->rowCount; ++i) {
                float factor = (float)task->mix[(size_t)j * (size_t)task->mixWidth + (size_t)i];
                tgAddRow(out + first, factor, task->rows[i] + first, count);
            }
        }
    }
}

/// How many leading values leave no more than that out.
static int tgCutRank(const double* values, int count, double leftOut)
{
    double floor = values[0] * 1e-13; // what rounding leaves
    double sum = 0.0;
    int rank = count;
    while (rank > 0 && (sum + fmax(values[rank - 1], 0.0) <= leftOut || values[rank - 1] < floor)) {
        sum += fmax(values[rank - 1], 0.0);
        rank -= 1;
    }
    return rank < tg_mostRank ? rank : tg_mostRank;
}

/// Leading singular vectors of some rows, each times its singular value when `scaled`.
/// @param vectors count * width floats on return in `*vectors`, to be freed
static int tgReduceRows(tgFitter* fitter, const float* const* rows, int count, double leftOut,
                        bool scaled, float** vectors)
{
    size_t n = (size_t)count;
    double* gram = malloc(n * n * sizeof(double));
    double* values = malloc(3 * n * sizeof(double));
    tgGramTask task = {.rows = rows,
                       .rowCount = count,
                       .vertexCount = fitter->def->vertexCount,
                       .weights = fitter->areas,
                       .gram = gram};
    int rank = 0;
    *vectors = NULL;
    bool good = gram != NULL && values != NULL && tgMultiplyRows(&fitter->def->parallel, &task);
    if (good) {
        tgFindEigenvectors(count, gram, values, values + n);
        rank = tgCutRank(values, count, leftOut);
        *vectors = malloc(((size_t)rank * fitter->width + 1) * sizeof(float));
        good = *vectors != NULL;
    }
    if (good) {
        for (int j = 0; j < rank; ++j) {
            double factor = scaled ? 1.0 : 1.0 / sqrt(values[j]);
            for (int i = 0; i < count; ++i) {
                gram[(size_t)j * n + (size_t)i] *= factor;
            }
        }
        tgMixTask mix = {rows, count, gram, count, *vectors, fitter->width};
        tgRunRows(&fitter->def->parallel, tgMixRows, rank, &mix);
    }
    fitter->hasRunOut |= !good;
    free(gram);
    free(values);
    return good ? rank : 0;
}

/// Rows to reduce: the frames themselves, or what blocks of them were reduced to.
typedef struct tgRowList {
    const float** rows;
    int count;
    float** blocks; ///< owned
    int blockCount;
} tgRowList;

static void tgFreeRowList(tgRowList* list)
{
    for (int i = 0; i < list->blockCount; ++i) {
        free(list->blocks[i]);
    }
    free(list->blocks);
    free(list->rows);
    *list = (tgRowList){0};
}

/// One round of a long list: blocks of it, each by its scaled leading vectors.
static tgRowList tgReduceBlocks(tgFitter* fitter, const tgRowList* from, double leftOut)
{
    int blockCount = (from->count + tg_mostAtOnce - 1) / tg_mostAtOnce;
    tgRowList list = {.rows = malloc((size_t)from->count * sizeof(float*)),
                      .blocks = calloc((size_t)blockCount, sizeof(float*)),
                      .blockCount = blockCount};
    fitter->hasRunOut |= list.rows == NULL || list.blocks == NULL;
    for (int b = 0; b < blockCount && !fitter->hasRunOut; ++b) {
        int first = b * tg_mostAtOnce;
        int count = from->count - first < tg_mostAtOnce ? from->count - first : tg_mostAtOnce;
        // Blocks may leave out their share each; the last round counts what is left of all.
        int rank = tgReduceRows(fitter, from->rows + first, count, leftOut / blockCount, true,
                                &list.blocks[b]);
        for (int i = 0; i < rank; ++i) {
            list.rows[list.count++] = list.blocks[b] + (size_t)i * fitter->width;
        }
    }
    return list;
}

/// Coefficients of the frames: their products with the vectors under the areas.
static void tgFindCoefficients(int begin, int end, void* context)
{
    tgFitter* fitter = context;
    const tgReduced* reduced = &fitter->reduced;
    float* weighted = malloc(fitter->width * sizeof(float));
    if (weighted == NULL) {
        fitter->hasRunOut = true;
        return;
    }
    for (int s = begin; s < end; ++s) {
        const float* row = &fitter->def->frames[s]->x;
        for (int v = 0; v < fitter->def->vertexCount; ++v) {
            for (int k = 0; k < 3; ++k) {
                weighted[3 * v + k] = fitter->areas[v] * row[3 * v + k];
            }
        }
        for (int j = 0; j < reduced->rank; ++j) {
            reduced->coefficients[(size_t)s * (size_t)reduced->rank + (size_t)j] =
                tgProduct(weighted, reduced->vectors + (size_t)j * fitter->width, fitter->width);
        }
    }
    free(weighted);
}

static void tgReduceFrames(tgFitter* fitter)
{
    const tgCorrectiveDef* def = fitter->def;
    tgReduced* reduced = &fitter->reduced;
    double perFrame = tg_leftOut * (double)def->goal;
    double leftOut = perFrame * perFrame * (double)def->vertexCount * (double)def->frameCount;
    tgRowList list = {.rows = malloc((size_t)def->frameCount * sizeof(float*))};
    if (list.rows == NULL) {
        fitter->hasRunOut = true;
        return;
    }
    for (int s = 0; s < def->frameCount; ++s) {
        list.rows[s] = &def->frames[s]->x;
    }
    list.count = def->frameCount;
    while (list.count > tg_mostAtOnce && !fitter->hasRunOut) {
        tgRowList next = tgReduceBlocks(fitter, &list, leftOut / 4.0);
        bool isShorter = next.count < list.count;
        tgFreeRowList(&list);
        list = next;
        if (!isShorter) {
            break; // nothing can be left out: what is there first must do
        }
    }
    if (list.count > tg_mostAtOnce) {
        list.count = tg_mostAtOnce;
    }
    if (list.count > 0 && !fitter->hasRunOut) {
        reduced->rank =
            tgReduceRows(fitter, list.rows, list.count, leftOut, false, &reduced->vectors);
    }
    tgFreeRowList(&list);
    size_t size = (size_t)def->frameCount * (size_t)reduced->rank + 1;
    reduced->coefficients = calloc(size, sizeof(double));
    fitter->hasRunOut |= reduced->coefficients == NULL;
    if (!fitter->hasRunOut) {
        tgRunRows(&def->parallel, tgFindCoefficients, def->frameCount, fitter);
    }
}

/// H = Q W Q' of the vectors under areas and emphasis, then its Cholesky factor L in place.
static bool tgMakeMetric(tgFitter* fitter)
{
    int rank = fitter->reduced.rank;
    size_t r = (size_t)rank;
    const float* rows[tg_mostRank];
    float* weights = malloc((size_t)fitter->def->vertexCount * sizeof(float));
    if (weights == NULL) {
        return false;
    }
    for (int j = 0; j < rank; ++j) {
        rows[j] = fitter->reduced.vectors + (size_t)j * fitter->width;
    }
    for (int v = 0; v < fitter->def->vertexCount; ++v) {
        weights[v] = fitter->areas[v] * fitter->emphasis[v];
    }
    tgGramTask task = {.rows = rows,
                       .rowCount = rank,
                       .vertexCount = fitter->def->vertexCount,
                       .weights = weights,
                       .gram = fitter->metric};
    bool good = tgMultiplyRows(&fitter->def->parallel, &task);
    free(weights);
    double* l = fitter->metric;
    for (size_t j = 0; good && j < r; ++j) {
        for (size_t i = j; i < r; ++i) {
            double sum = l[i * r + j];
            for (size_t k = 0; k < j; ++k) {
                sum -= l[i * r + k] * l[j * r + k];
            }
            l[i * r + j] = i > j ? sum / l[j * r + j] : sqrt(fmax(sum, 1e-9));
        }
    }
    return good;
}

/// matrix = L' P L with P = A' A.
static void tgProjectProducts(tgFitter* fitter, double* half)
{
    size_t r = (size_t)fitter->reduced.rank;
    const double* l = fitter->metric;
    for (size_t i = 0; i < r; ++i) { // half = P L
        for (size_t j = 0; j < r; ++j) {
            double sum = 0.0;
            for (size_t k = j; k < r; ++k) {
                sum += fitter->products[i * r + k] * l[k * r + j];
            }
            half[i * r + j] = sum;
        }
    }
    for (size_t i = 0; i < r; ++i) {
        for (size_t j = 0; j <= i; ++j) {
            double sum = 0.0;
            for (size_t k = i; k < r; ++k) {
                sum += l[k * r + i] * half[k * r + j];
            }
            fitter->matrix[i * r + j] = sum;
            fitter->matrix[j * r + i] = sum;
        }
    }
}

/// Eigenvectors p of L' P L, the leading first: rows of fitter->matrix.
static bool tgFindDirections(tgFitter* fitter)
{
    size_t r = (size_t)fitter->reduced.rank;
    double* half = malloc(r * r * sizeof(double));
    if (half == NULL || !tgMakeMetric(fitter)) {
        free(half);
        return false;
    }
    tgProjectProducts(fitter, half);
    free(half);
    tgFindEigenvectors((int)r, fitter->matrix, fitter->values, fitter->scratch);
    return true;
}

/// Targets and weights out of the leading directions: weight = p' L' a, mix = L^-T p.
static void tgTakeDirections(tgFitter* fitter, int targetCount)
{
    const tgCorrectiveDef* def = fitter->def;
    size_t r = (size_t)fitter->reduced.rank;
    const double* l = fitter->metric;
    fitter->fit.targetCount = targetCount;
    for (int t = 0; t < targetCount; ++t) {
        const double* p = fitter->matrix + (size_t)t * r;
        double* mix = fitter->mix + (size_t)t * r;
        double* turned = fitter->scratch; // L p
        for (size_t i = 0; i < r; ++i) {
            turned[i] = 0.0;
            for (size_t k = 0; k <= i; ++k) {
                turned[i] += l[i * r + k] * p[k];
            }
        }
        for (size_t i = r; i-- > 0;) { // L' mix = p
            double sum = p[i];
            for (size_t k = i + 1; k < r; ++k) {
                sum -= l[k * r + i] * mix[k];
            }
            mix[i] = sum / l[i * r + i];
        }
        for (int s = 0; s < def->frameCount; ++s) {
            const double* a = fitter->reduced.coefficients + (size_t)s * r;
            double sum = 0.0;
            for (size_t i = 0; i < r; ++i) {
                sum += turned[i] * a[i];
            }
            fitter->fit.weights[(size_t)s * (size_t)targetCount + (size_t)t] = sum;
        }
    }
    const float* rows[tg_mostRank];
    for (size_t j = 0; j < r; ++j) {
        rows[j] = fitter->reduced.vectors + j * fitter->width;
    }
    tgMixTask task = {rows, (int)r, fitter->mix, (int)r, &fitter->fit.offsets->x, fitter->width};
    tgRunRows(&def->parallel, tgMixRows, targetCount, &task);
}

/// Errors of frames, eight of which share an array and so a thread; the arrays join at the end.
typedef struct tgErrorTask {
    tgFitter* fitter;
    int stride;    ///< every so many frames are looked at
    float* errors; ///< vertexCount for each eight of them
} tgErrorTask;

static void tgMeasureFrame(const tgErrorTask* task, int frame, float* residuals, float* errors)
{
    const tgCorrectiveDef* def = task->fitter->def;
    const tgCorrectives* fit = &task->fitter->fit;
    size_t width = task->fitter->width;
    for (size_t first = 0; first < width; first += tg_chunk) {
        size_t count = width - first < tg_chunk ? width - first : tg_chunk;
        memcpy(residuals, &def->frames[frame]->x + first, count * sizeof(float));
        for (int t = 0; t < fit->targetCount; ++t) {
            double weight = fit->weights[(size_t)frame * (size_t)fit->targetCount + (size_t)t];
            tgAddRow(residuals, (float)-weight, &fit->offsets->x + (size_t)t * width + first,
                     count);
        }
        def->measure(frame, (int)first / 3, (int)count / 3, (const tgVec3*)residuals,
                     errors + first / 3, def->user);
    }
}

static void tgMeasureEights(int begin, int end, void* context)
{
    const tgErrorTask* task = context;
    const tgCorrectiveDef* def = task->fitter->def;
    float residuals[tg_chunk];
    for (int i = begin; i < end; ++i) {
        float* errors = task->errors + (size_t)i * (size_t)def->vertexCount;
        for (int k = 0; k < tg_lanes; ++k) {
            int frame = (tg_lanes * i + k) * task->stride;
            if (frame < def->frameCount) {
                tgMeasureFrame(task, frame, residuals, errors);
            }
        }
    }
}

/// How far the fit is off in every stride-th frame.
static float tgMeasureFit(tgFitter* fitter, int stride)
{
    const tgCorrectiveDef* def = fitter->def;
    size_t vertexCount = (size_t)def->vertexCount;
    int count = (def->frameCount + stride - 1) / stride;
    int eights = (count + tg_lanes - 1) / tg_lanes;
    tgErrorTask task = {fitter, stride, calloc((size_t)eights * vertexCount + 1, sizeof(float))};
    if (task.errors == NULL) {
        fitter->hasRunOut = true;
        return 0.0f;
    }
    tgRunRows(&def->parallel, tgMeasureEights, eights, &task);
    float worst = 0.0f;
    memset(fitter->errors, 0, vertexCount * sizeof(float));
    for (int i = 0; i < eights; ++i) {
        const float* errors = task.errors + (size_t)i * vertexCount;
        for (size_t v = 0; v < vertexCount; ++v) {
            float error = errors[v];
            fitter->errors[v] = error > fitter->errors[v] ? error : fitter->errors[v];
            worst = error > worst ? error : worst;
        }
    }
    free(task.errors);
    return worst;
}

/// The best so many targets; and how far they are off, also of each vertex. A few frames tell first
/// whether the others need be asked.
static float tgTryFit(tgFitter* fitter, int targetCount)
{
    tgTakeDirections(fitter, targetCount);
    int stride = (fitter->def->frameCount + tg_fewFrames - 1) / tg_fewFrames;
    fitter->fit.error = tgMeasureFit(fitter, stride);
    if (stride > 1 && fitter->fit.error <= fitter->def->goal) {
        fitter->fit.error = tgMeasureFit(fitter, 1);
    }
    return fitter->fit.error;
}

/// With the emphasis as it is, the fewest targets that keep the goal; all when none do.
static int tgFindCount(tgFitter* fitter)
{
    int low = 0, high = 1;
    while (high < fitter->reduced.rank && tgTryFit(fitter, high) > fitter->def->goal) {
        low = high;
        high = 2 * high < fitter->reduced.rank ? 2 * high : fitter->reduced.rank;
    }
    while (high - low > 1 && !fitter->hasRunOut) {
        int middle = (low + high) / 2;
        if (tgTryFit(fitter, middle) > fitter->def->goal) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return high;
}

/// Let vertices count more where they are off most, until so many targets keep the goal.
static bool tgImprove(tgFitter* fitter, int targetCount)
{
    for (int round = 0; round < tg_rounds; ++round) {
        if (!tgFindDirections(fitter)) {
            fitter->hasRunOut = true;
            return false;
        }
        float worst = tgTryFit(fitter, targetCount);
        if (worst <= fitter->def->goal || fitter->hasRunOut) {
            return true;
        }
        if (round >= tg_hopeRounds && worst > tg_hopeless * fitter->def->goal &&
            fitter->def->targetCount == 0) {
            return false;
        }
        for (int v = 0; v < fitter->def->vertexCount; ++v) {
            float part = fitter->errors[v] / worst;
            float grown = 1.0f + part * part;
            fitter->emphasis[v] *= grown * grown;
        }
    }
    return false;
}

static void tgResetEmphasis(tgFitter* fitter)
{
    for (int v = 0; v < fitter->def->vertexCount; ++v) {
        fitter->emphasis[v] = 1.0f;
    }
}

/// About the fewest targets that keep the goal, given that `most` do without any emphasis.
static void tgFindFewest(tgFitter* fitter, int most)
{
    static const double parts[] = {0.66, 0.72, 0.8, 0.9, 1.0};
    int tried = 0;
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]) && !fitter->hasRunOut; ++i) {
        int count = (int)ceil(parts[i] * most);
        if (count > tried) {
            tried = count;
            tgResetEmphasis(fitter);
            if (tgImprove(fitter, count)) {
                return;
            }
        }
    }
}

static bool tgAllocateFitter(tgFitter* fitter)
{
    const tgCorrectiveDef* def = fitter->def;
    size_t vertexCount = (size_t)def->vertexCount;
    fitter->areas = malloc(vertexCount * sizeof(float));
    fitter->emphasis = malloc(vertexCount * sizeof(float));
    fitter->errors = calloc(vertexCount, sizeof(float));
    if (fitter->areas == NULL || fitter->emphasis == NULL || fitter->errors == NULL) {
        return false;
    }
    double sum = 0.0;
    for (size_t v = 0; v < vertexCount; ++v) {
        sum += (double)def->areas[v];
    }
    float mean = sum > 0.0 ? (float)(sum / (double)vertexCount) : 1.0f;
    for (size_t v = 0; v < vertexCount; ++v) {
        fitter->areas[v] = def->areas[v] / mean + tg_leastArea;
    }
    tgResetEmphasis(fitter);
    return true;
}

static bool tgAllocateRank(tgFitter* fitter)
{
    size_t r = (size_t)fitter->reduced.rank;
    fitter->metric = malloc(r * r * sizeof(double));
    fitter->matrix = malloc(r * r * sizeof(double));
    fitter->products = calloc(r * r, sizeof(double));
    fitter->mix = malloc(r * r * sizeof(double));
    fitter->values = malloc(r * sizeof(double));
    fitter->scratch = malloc(2 * r * sizeof(double));
    fitter->fit.offsets = malloc(r * fitter->width * sizeof(float));
    fitter->fit.weights = malloc(r * (size_t)fitter->def->frameCount * sizeof(double));
    if (fitter->metric == NULL || fitter->matrix == NULL || fitter->products == NULL ||
        fitter->mix == NULL || fitter->values == NULL || fitter->scratch == NULL ||
        fitter->fit.offsets == NULL || fitter->fit.weights == NULL) {
        return false;
    }
    for (int s = 0; s < fitter->def->frameCount; ++s) {
        const double* a = fitter->reduced.coefficients + (size_t)s * r;
        for (size_t i = 0; i < r; ++i) {
            for (size_t k = 0; k < r; ++k) {
                fitter->products[i * r + k] += a[i] * a[k];
            }
        }
    }
    return true;
}

static void tgFreeFitter(tgFitter* fitter)
{
    free(fitter->areas);
    free(fitter->emphasis);
    free(fitter->errors);
    free(fitter->reduced.vectors);
    free(fitter->reduced.coefficients);
    free(fitter->metric);
    free(fitter->matrix);
    free(fitter->products);
    free(fitter->mix);
    free(fitter->values);
    free(fitter->scratch);
}

/// Targets of a mesh whose frames have been reduced to a rank of one or more.
static void tgChooseTargets(tgFitter* fitter)
{
    int rank = fitter->reduced.rank;
    if (!tgAllocateRank(fitter) || !tgFindDirections(fitter)) {
        fitter->hasRunOut = true;
        return;
    }
    int wanted = fitter->def->targetCount;
    if (wanted == 0) {
        tgFindFewest(fitter, tgFindCount(fitter));
    } else if (wanted < rank) {
        tgImprove(fitter, wanted);
    } else {
        tgTryFit(fitter, rank);
    }
    fitter->fit.error = tgMeasureFit(fitter, 1);
}

tgResult tgFitCorrectives(const tgCorrectiveDef* def, tgCorrectives* fit, tgError* error)
{
    tgFitter fitter = {.def = def, .width = 3 * (size_t)def->vertexCount};
    *fit = (tgCorrectives){0};
    fitter.hasRunOut = !tgAllocateFitter(&fitter);
    if (!fitter.hasRunOut) {
        tgReduceFrames(&fitter);
    }
    if (!fitter.hasRunOut && fitter.reduced.rank > 0) {
        tgChooseTargets(&fitter);
    }
    *fit = fitter.fit;
    tgFreeFitter(&fitter);
    return fitter.hasRunOut ? tgFail(error, tg_outOfMemory, -1,
                                     "no memory to fit targets to %d frames of %d vertices",
                                     def->frameCount, def->vertexCount)
                            : tg_success;
}

void tgFreeCorrectives(tgCorrectives* fit)
{
    free(fit->offsets);
    free(fit->weights);
    *fit = (tgCorrectives){0};
}
