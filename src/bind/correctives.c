// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Corrective morph targets: with frames as rows of D, the K targets that come nearest to all of
// them are its leading singular vectors (reduce_frames.c).
//
// "Nearest" there is in the mean; what is wanted is the worst vertex. So vertices count more from
// round to round where they are off most, which takes about a third of the targets away. The rounds
// work within the leading r singular vectors, r two or three times K, where they cost next to
// nothing: with D = A Q and a metric H = Q W Q' = L L' of the vertices' weights W, the best K
// directions are the leading eigenvectors of L' A' A L.

#include "bind/correctives.h"

#include "bind/dense.h"
#include "bind/eigen.h"
#include "bind/rows.h"
#include "core/core.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    tg_rounds = 9, ///< of weighing vertices anew, for one number of targets
    tg_hopeRounds = 2,
    tg_fewFrames = 64, ///< so many tell about how far a fit is off
};

/// After tg_hopeRounds rounds a fit that is off by more than this, in goals, will not make it.
static const float tg_hopeless = 1.5f;
/// An emphasis that adds less than this to a vertex's weight is none.
static const float tg_leastEmphasis = 0.05f;

/// All that a fit works with; r is the rank of the basis.
typedef struct tgFitter {
    const tgCorrectiveDef* def;
    const tgFrameBasis* basis;
    const float* rows[tg_mostRank]; ///< Q: the vectors of the basis
    size_t width;                   ///< floats of a frame
    float* emphasis;                ///< of each vertex: how much more it counts
    float* weights;                 ///< of each vertex: what the emphasis adds
    float* errors;                  ///< of each vertex, after tgTryFit
    double* products;               ///< r * r: A' A
    double* metric;                 ///< r * r: H, then L
    double* matrix;                 ///< r * r: L' A' A L, then its eigenvectors as rows
    double* mix;                    ///< r for each target: targets = mix * Q
    double* scratch;                ///< r * r, at least 3 * r
    tgCorrectives fit;
    bool isWhole; ///< all frames were asked how far the fit is off
} tgFitter;

/// H = Q W Q' = I + Q (W - areas) Q', since Q is orthonormal under the areas; then L.
static bool tgMakeMetric(tgFitter* fitter)
{
    int r = fitter->basis->rank;
    for (int v = 0; v < fitter->def->frames.vertexCount; ++v) {
        float added = fitter->emphasis[v] - 1.0f;
        fitter->weights[v] = added > tg_leastEmphasis ? added * fitter->basis->areas[v] : 0.0f;
    }
    tgGramTask task = {fitter->rows, r, fitter->def->frames.vertexCount, fitter->weights,
                       fitter->metric};
    if (!tgMultiplyRows(&fitter->def->frames.parallel, &task)) {
        return false;
    }
    for (int i = 0; i < r; ++i) {
        fitter->metric[i * r + i] += 1.0;
    }
    return tgFactorDense(r, fitter->metric); // no less than I: it has a factor
}

/// matrix = L' P L with P = A' A.
static void tgProjectProducts(tgFitter* fitter)
{
    size_t r = (size_t)fitter->basis->rank;
    const double* l = fitter->metric;
    double* half = fitter->scratch; // P L
    memset(half, 0, r * r * sizeof(double));
    memset(fitter->matrix, 0, r * r * sizeof(double));
    for (size_t i = 0; i < r; ++i) {
        for (size_t k = 0; k < r; ++k) {
            for (size_t j = 0; j <= k; ++j) {
                half[i * r + j] += fitter->products[i * r + k] * l[k * r + j];
            }
        }
    }
    for (size_t k = 0; k < r; ++k) {
        for (size_t i = 0; i <= k; ++i) {
            for (size_t j = 0; j < r; ++j) {
                fitter->matrix[i * r + j] += l[k * r + i] * half[k * r + j];
            }
        }
    }
}

/// Eigenvectors p of L' P L, the leading first: rows of fitter->matrix.
static bool tgFindDirections(tgFitter* fitter)
{
    int r = fitter->basis->rank;
    if (!tgMakeMetric(fitter)) {
        return false;
    }
    tgProjectProducts(fitter);
    tgFindEigenvectors(r, fitter->matrix, fitter->scratch, fitter->scratch + r);
    return true;
}

/// Weights and targets of one direction: weight = a' L p, mix = L'^-1 p.
static void tgTakeDirection(tgFitter* fitter, int target)
{
    int r = fitter->basis->rank, targetCount = fitter->fit.targetCount;
    const double* p = fitter->matrix + (ptrdiff_t)target * r;
    double* mix = fitter->mix + (ptrdiff_t)target * r;
    double* turned = fitter->scratch; // L p
    for (int i = 0; i < r; ++i) {
        turned[i] = 0.0;
        for (int k = 0; k <= i; ++k) {
            turned[i] += fitter->metric[i * r + k] * p[k];
        }
    }
    for (int s = 0; s < fitter->def->frames.frameCount; ++s) {
        const double* a = fitter->basis->coefficients + (ptrdiff_t)s * r;
        double sum = 0.0;
        for (int i = 0; i < r; ++i) {
            sum += turned[i] * a[i];
        }
        fitter->fit.weights[(ptrdiff_t)s * targetCount + target] = sum;
    }
    memcpy(mix, p, (size_t)r * sizeof(double));
    tgSolveUpper(r, fitter->metric, 1, mix);
}

/// How far off the fit is, chunk by chunk of the vertices.
typedef struct tgMeasureTask {
    const tgFitter* fitter;
    const float* factors; ///< targetCount for each frame: minus its weights
    const float** rows;   ///< of each target
    int stride;           ///< every so many frames are looked at
} tgMeasureTask;

static void tgMeasureChunks(int begin, int end, void* context)
{
    const tgMeasureTask* task = context;
    const tgCorrectiveDef* def = task->fitter->def;
    int targetCount = task->fitter->fit.targetCount;
    float residuals[tg_rowChunk];
    for (int chunk = begin; chunk < end; ++chunk) {
        size_t first = (size_t)chunk * tg_rowChunk;
        size_t left = task->fitter->width - first;
        int count = left < tg_rowChunk ? (int)left : tg_rowChunk;
        float* errors = task->fitter->errors + first / 3;
        memset(errors, 0, (size_t)(count / 3) * sizeof(float));
        for (int s = 0; s < def->frames.frameCount; s += task->stride) {
            memcpy(residuals, &def->frames.frames[s]->x + first, (size_t)count * sizeof(float));
            tgAddRows(residuals, count, task->factors + (ptrdiff_t)s * targetCount, task->rows,
                      targetCount, first);
            def->measure(s, (int)first / 3, count / 3, (const tgVec3*)residuals, errors, def->user);
        }
    }
}

/// How far the fit is off in every stride-th frame, also of each vertex. False without memory.
static bool tgMeasureFit(tgFitter* fitter, int stride)
{
    const tgFrames* frames = &fitter->def->frames;
    size_t targetCount = (size_t)fitter->fit.targetCount;
    size_t weightCount = targetCount * (size_t)frames->frameCount;
    float* factors = malloc((weightCount + 1) * sizeof(float));
    const float** rows = malloc((targetCount + 1) * sizeof(*rows));
    bool good = factors != NULL && rows != NULL;
    if (good) {
        for (size_t i = 0; i < weightCount; ++i) {
            factors[i] = (float)-fitter->fit.weights[i];
        }
        for (size_t t = 0; t < targetCount; ++t) {
            rows[t] = &fitter->fit.offsets->x + t * fitter->width;
        }
        tgMeasureTask task = {fitter, factors, rows, stride};
        tgRun(&frames->parallel, tgMeasureChunks,
              (int)((fitter->width + tg_rowChunk - 1) / tg_rowChunk), &task);
        fitter->fit.error = 0.0f;
        fitter->isWhole = stride == 1;
        for (int v = 0; v < frames->vertexCount; ++v) {
            float error = fitter->errors[v];
            fitter->fit.error = error > fitter->fit.error ? error : fitter->fit.error;
        }
    }
    free(factors);
    free((void*)rows);
    return good;
}

/// The best so many targets, and how far they are off. A few frames tell first whether the others
/// need be asked. False without memory.
static bool tgTryFit(tgFitter* fitter, int targetCount)
{
    const tgFrames* frames = &fitter->def->frames;
    fitter->fit.targetCount = targetCount;
    for (int t = 0; t < targetCount; ++t) {
        tgTakeDirection(fitter, t);
    }
    tgCombineTask targets = {fitter->rows, fitter->basis->rank, fitter->width,
                             fitter->mix,  targetCount,         &fitter->fit.offsets->x};
    int stride = (frames->frameCount + tg_fewFrames - 1) / tg_fewFrames;
    bool good = tgCombineRows(&frames->parallel, &targets) && tgMeasureFit(fitter, stride);
    if (good && stride > 1 && fitter->fit.error <= fitter->def->goal) {
        good = tgMeasureFit(fitter, 1);
    }
    return good;
}

/// How many of the leading vectors each of a few frames needs to keep the goal.
typedef struct tgCountTask {
    const tgFitter* fitter;
    int stride;
    int* counts;
} tgCountTask;

/// What the vectors from `count` on add to a chunk of a frame is to be within the goal.
static int tgCountForChunk(const tgFitter* fitter, int frame, const float* a, size_t first,
                           int width, int count)
{
    const tgCorrectiveDef* def = fitter->def;
    int rank = fitter->basis->rank;
    float residuals[tg_rowChunk] = {0};
    tgAddRows(residuals, width, a + count, fitter->rows + count, rank - count, first);
    for (; count < rank; ++count) {
        float errors[tg_rowChunk / 3] = {0}, worst = 0.0f;
        def->measure(frame, (int)first / 3, width / 3, (const tgVec3*)residuals, errors, def->user);
        for (int v = 0; v < width / 3; ++v) {
            worst = errors[v] > worst ? errors[v] : worst;
        }
        if (worst <= def->goal) {
            break;
        }
        float taken = -a[count];
        tgAddRows(residuals, width, &taken, &fitter->rows[count], 1, first);
    }
    return count;
}

static void tgCountForFrames(int begin, int end, void* context)
{
    const tgCountTask* task = context;
    const tgFitter* fitter = task->fitter;
    int rank = fitter->basis->rank;
    for (int i = begin; i < end; ++i) {
        float a[tg_mostRank];
        int frame = i * task->stride;
        for (int j = 0; j < rank; ++j) {
            a[j] = (float)fitter->basis->coefficients[(ptrdiff_t)frame * rank + j];
        }
        task->counts[i] = 1;
        for (size_t first = 0; first < fitter->width; first += tg_rowChunk) {
            size_t left = fitter->width - first;
            int width = left < tg_rowChunk ? (int)left : tg_rowChunk;
            task->counts[i] = tgCountForChunk(fitter, frame, a, first, width, task->counts[i]);
        }
    }
}

/// About how many targets keep the goal without any emphasis.
static int tgCountLeading(const tgFitter* fitter)
{
    int frameCount = fitter->def->frames.frameCount;
    int counts[tg_fewFrames] = {0}, most = 0;
    int stride = (frameCount + tg_fewFrames - 1) / tg_fewFrames;
    tgCountTask task = {fitter, stride, counts};
    tgRun(&fitter->def->frames.parallel, tgCountForFrames, (frameCount + stride - 1) / stride,
          &task);
    for (int i = 0; i < tg_fewFrames; ++i) {
        most = counts[i] > most ? counts[i] : most;
    }
    return most;
}

/// Let vertices count more where they are off most, until so many targets keep the goal, or will
/// not. False without memory.
static bool tgImprove(tgFitter* fitter, int targetCount)
{
    const tgCorrectiveDef* def = fitter->def;
    for (int v = 0; v < def->frames.vertexCount; ++v) {
        fitter->emphasis[v] = 1.0f;
    }
    for (int round = 0; round < tg_rounds; ++round) {
        if (!tgFindDirections(fitter) || !tgTryFit(fitter, targetCount)) {
            return false;
        }
        float worst = fitter->fit.error;
        bool isHopeless = round >= tg_hopeRounds && worst > tg_hopeless * def->goal;
        if (worst <= def->goal || (isHopeless && def->targetCount == 0)) {
            break;
        }
        for (int v = 0; v < def->frames.vertexCount; ++v) {
            float part = fitter->errors[v] / worst;
            float grown = 1.0f + part * part;
            fitter->emphasis[v] *= grown * grown;
        }
    }
    return true;
}

/// About the fewest targets that keep the goal, given that about `most` do without any emphasis.
static bool tgFindFewest(tgFitter* fitter, int most)
{
    static const double parts[] = {0.66, 0.72, 0.8, 0.9, 1.0, 1.2, 1.5};
    int tried = 0;
    fitter->fit.error = INFINITY;
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); ++i) {
        int count = (int)fmin(ceil(parts[i] * most), fitter->basis->rank);
        if (count > tried && fitter->fit.error > fitter->def->goal) {
            tried = count;
            if (!tgImprove(fitter, count)) {
                return false;
            }
        }
    }
    return true;
}

static bool tgOpenFitter(tgFitter* fitter)
{
    const tgFrames* frames = &fitter->def->frames;
    int rank = fitter->basis->rank;
    size_t vertexCount = (size_t)frames->vertexCount, r = (size_t)rank;
    size_t scratch = r > 3 ? r * r : 9;
    fitter->emphasis = malloc(vertexCount * sizeof(float));
    fitter->weights = malloc(vertexCount * sizeof(float));
    fitter->errors = calloc(vertexCount, sizeof(float));
    fitter->products = calloc(4 * r * r + scratch, sizeof(double));
    fitter->fit.offsets = malloc(r * vertexCount * sizeof(tgVec3));
    fitter->fit.weights = malloc(r * (size_t)frames->frameCount * sizeof(double));
    if (fitter->emphasis == NULL || fitter->weights == NULL || fitter->errors == NULL ||
        fitter->products == NULL || fitter->fit.offsets == NULL || fitter->fit.weights == NULL) {
        return false;
    }
    fitter->metric = fitter->products + r * r;
    fitter->matrix = fitter->metric + r * r;
    fitter->mix = fitter->matrix + r * r;
    fitter->scratch = fitter->mix + r * r;
    for (int j = 0; j < rank; ++j) {
        fitter->rows[j] = fitter->basis->vectors + (size_t)j * fitter->width;
    }
    for (int s = 0; s < frames->frameCount; ++s) {
        const double* a = fitter->basis->coefficients + (size_t)s * r;
        for (size_t i = 0; i < r; ++i) {
            for (size_t k = 0; k < r; ++k) {
                fitter->products[i * r + k] += a[i] * a[k];
            }
        }
    }
    return true;
}

static void tgCloseFitter(tgFitter* fitter)
{
    free(fitter->emphasis);
    free(fitter->weights);
    free(fitter->errors);
    free(fitter->products);
}

/// Targets of a mesh whose frames have a basis. False without memory.
static bool tgChooseTargets(tgFitter* fitter)
{
    int wanted = fitter->def->targetCount, rank = fitter->basis->rank;
    if (!tgOpenFitter(fitter)) {
        return false;
    }
    bool good = wanted == 0 ? tgFindFewest(fitter, tgCountLeading(fitter))
                            : tgImprove(fitter, wanted < rank ? wanted : rank);
    return good && (fitter->isWhole || tgMeasureFit(fitter, 1));
}

tgResult tgFitCorrectives(const tgCorrectiveDef* def, tgFrameBasis* basis, tgCorrectives* fit,
                          tgError* error)
{
    *fit = (tgCorrectives){0};
    tgResult result = tgReduceFrames(&def->frames, def->goal, basis, error);
    if (result == tg_success && basis->rank > 0) {
        tgFitter fitter = {
            .def = def, .basis = basis, .width = 3 * (size_t)def->frames.vertexCount};
        if (!tgChooseTargets(&fitter)) {
            result = tgFail(error, tg_outOfMemory, -1, "no memory for targets of %d vertices",
                            def->frames.vertexCount);
        }
        *fit = fitter.fit;
        tgCloseFitter(&fitter);
    }
    return result;
}

void tgFreeCorrectives(tgCorrectives* fit)
{
    free(fit->offsets);
    free(fit->weights);
    *fit = (tgCorrectives){0};
}
