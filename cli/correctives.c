// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Corrective morph targets for a character's clips. The fit of each mesh (bind/correctives.h) is
// brought into the form that viewers play: weights of 0 to 1, by shifting and scaling each target
// and gathering what the shifts leave in one target of weight 1; offsets too small to see left out,
// and the others on a grid, which compresses well. What that costs is measured with the rest.

#include "correctives.h"

#include "bind/correctives.h"
#include "core/core.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Parts of the error that is allowed: for the fit itself, for offsets that are left out, and for
/// one step of the grid.
static const float tg_fitPart = 0.95f;
static const float tg_leftOutPart[] = {0.1f, 0.32f};
static const float tg_stepPart[] = {0.02f, 0.14f}; ///< plain, compressed
/// Of unit normals: what may be left out, and the grid.
static const float tg_normalLeftOut[] = {0.02f, 0.08f};
enum { tg_mostTries = 8 };
static const int tg_normalExponents[] = {-8, -6}; ///< plain, compressed
/// Weights keep so far away from 0 and 1, for the volume to be met; more where that was not enough.
static const double tg_margin = 0.02, tg_moreMargin = 7.0, tg_mostMargin = 1.0;
/// A volume that is further off has not been met.
static const double tg_metVolume = 1e-6;

/// One mesh at work.
typedef struct tgMeshFit {
    const tgClips* clips;
    const tgShownMesh* shown;
    int rowCount;        ///< samples of all nodes: node after node
    const tgVec3** rows; ///< offsets of each
    float* stretches;    ///< of each sample: the most that its blends lengthen
    double margin;       ///< of the weights, in parts of their span
    tgCorrectives fit;
    tgFittedMesh* out;
} tgMeshFit;

/// For the fit: how far offsets put the vertices of a viewer off.
static void tgMeasureOffsets(int row, int first, int count, const tgVec3* residuals, float* errors,
                             void* user)
{
    const tgMeshFit* fit = user;
    int sample = row % fit->clips->sampleCount;
    int node = row / fit->clips->sampleCount;
    float stretch = fit->stretches[sample];
    for (int v = 0; v < count; ++v) {
        float known = errors[v] / stretch;
        tgVec3 r = residuals[v];
        if (tgDot(r, r) > known * known) { // else no blend makes it the worst
            int vertex = fit->shown->firstVertices[node] + first + v;
            tgMat34 blend = tgClips_Blend(fit->clips, sample, vertex);
            float error = tgLength(tgMulMatDirection(&blend, r));
            errors[v] = error > errors[v] ? error : errors[v];
        }
    }
}

/// The most that a blend of a sample's matrices can lengthen anything: no more than the joints do.
static float tgMeasureStretch(const tgClips* clips, int sample)
{
    const tgMat34* palette = clips->palettes + (size_t)sample * (size_t)clips->viewer->jointCount;
    float most = 0.0f;
    for (int j = 0; j < clips->viewer->jointCount; ++j) {
        const tgMat34* m = &palette[j];
        float xy = fabsf(tgDot(m->x, m->y)), xz = fabsf(tgDot(m->x, m->z));
        float yz = fabsf(tgDot(m->y, m->z));
        // The largest row of M'M bounds its largest eigenvalue.
        most = fmaxf(most, fmaxf(tgDot(m->x, m->x) + xy + xz,
                                 fmaxf(tgDot(m->y, m->y) + xy + yz, tgDot(m->z, m->z) + xz + yz)));
    }
    return sqrtf(most) * 1.0001f + 1e-30f;
}

/// Smallest and largest weight of each target, 0 among them, with a margin; targets are turned so
/// that most is above 0.
static void tgFindSpan(tgMeshFit* work, int target, double* low, double* high)
{
    tgCorrectives* fit = &work->fit;
    size_t count = (size_t)fit->targetCount;
    *low = *high = 0.0;
    for (int r = 0; r < work->rowCount; ++r) {
        double w = fit->weights[(size_t)r * count + (size_t)target];
        *low = fmin(*low, w);
        *high = fmax(*high, w);
    }
    if (-*low > *high) {
        double was = *low;
        *low = -*high;
        *high = -was;
        for (int r = 0; r < work->rowCount; ++r) {
            fit->weights[(size_t)r * count + (size_t)target] *= -1.0;
        }
        tgVec3* offsets = fit->offsets + (size_t)target * (size_t)work->shown->vertexCount;
        for (int v = 0; v < work->shown->vertexCount; ++v) {
            offsets[v] = tgMulSV(-1.0f, offsets[v]);
        }
    }
    double margin = work->margin * (*high - *low);
    *low -= margin;
    *high += margin;
}

/// Targets of weights 0 to 1, and the constant one.
static void tgShiftTargets(tgMeshFit* work)
{
    const tgCorrectives* fit = &work->fit;
    tgFittedMesh* out = work->out;
    size_t vertexCount = (size_t)work->shown->vertexCount;
    for (int t = 0; t < fit->targetCount; ++t) {
        double low, high;
        tgFindSpan(work, t, &low, &high);
        const tgVec3* from = fit->offsets + (size_t)t * vertexCount;
        tgVec3* to = out->offsets + (size_t)(t + 1) * vertexCount;
        double span = high - low > 0.0 ? high - low : 1.0;
        out->spans[t + 1] = (float)span;
        for (size_t v = 0; v < vertexCount; ++v) {
            out->offsets[v] = tgMulAdd(out->offsets[v], (float)low, from[v]);
            to[v] = tgMulSV((float)span, from[v]);
        }
        for (int r = 0; r < work->rowCount; ++r) {
            double w = fit->weights[(size_t)r * (size_t)fit->targetCount + (size_t)t];
            size_t row = (size_t)r * (size_t)out->targetCount;
            out->weights[row] = 1.0f;
            out->weights[row + (size_t)t + 1] = (float)((w - low) / span);
        }
    }
}

/// Leave out the smallest vectors of each vertex as long as their sum is within `leftOut`, and
/// round the others to the grid.
/// @param vectors vertexCount for each target
static void tgThinVectors(tgVec3* vectors, int targetCount, size_t vertexCount, float leftOut,
                          int exponent)
{
    float step = ldexpf(1.0f, exponent);
    for (size_t v = 0; v < vertexCount; ++v) {
        float left = leftOut;
        float floor = -1.0f;
        for (int done = 0; done < targetCount; ++done) { // the next smallest, if it goes
            int smallest = -1;
            float size = FLT_MAX;
            for (int t = 0; t < targetCount; ++t) {
                float length = tgLength(vectors[(size_t)t * vertexCount + v]);
                if (length > floor && length < size) {
                    smallest = t;
                    size = length;
                }
            }
            if (smallest < 0 || size > left) {
                break;
            }
            left -= size;
            floor = size;
            vectors[(size_t)smallest * vertexCount + v] = tgMakeVec3(0.0f, 0.0f, 0.0f);
        }
        for (int t = 0; t < targetCount; ++t) {
            tgVec3* p = &vectors[(size_t)t * vertexCount + v];
            *p = tgMakeVec3(step * rintf(p->x / step), step * rintf(p->y / step),
                            step * rintf(p->z / step));
        }
    }
}

static bool tgAllocateMesh(tgMeshFit* work, bool hasNormals)
{
    tgFittedMesh* out = work->out;
    out->targetCount = work->fit.targetCount + 1;
    size_t targets = (size_t)out->targetCount;
    size_t size = targets * (size_t)work->shown->vertexCount;
    out->offsets = calloc(size, sizeof(tgVec3));
    out->normals = hasNormals ? calloc(size, sizeof(tgVec3)) : NULL;
    out->weights = calloc(targets * (size_t)work->rowCount, sizeof(float));
    out->slopes = calloc(targets * (size_t)work->rowCount, sizeof(float));
    out->spans = calloc(targets, sizeof(float));
    return out->offsets != NULL && out->weights != NULL && out->slopes != NULL &&
           out->spans != NULL && (!hasNormals || out->normals != NULL);
}

static void tgFreeFittedMesh(tgFittedMesh* mesh)
{
    free(mesh->offsets);
    free(mesh->normals);
    free(mesh->weights);
    free(mesh->slopes);
    free(mesh->spans);
    *mesh = (tgFittedMesh){0};
}

/// The targets of one mesh, and weights as the fit has them.
/// @param goal in scene units
static tgResult tgFitMesh(const tgClips* clips, const tgShownMesh* shown, float goal, double margin,
                          const tgFitOptions* options, tgFitted* fitted, int mesh, tgError* error)
{
    tgMeshFit work = {.clips = clips,
                      .shown = shown,
                      .rowCount = shown->nodeCount * clips->sampleCount,
                      .margin = margin,
                      .out = &fitted->meshes[mesh]};
    work.rows = malloc(((size_t)work.rowCount + 1) * sizeof(*work.rows));
    work.stretches = malloc(((size_t)clips->sampleCount + 1) * sizeof(float));
    if (work.rows == NULL || work.stretches == NULL) {
        free(work.rows);
        free(work.stretches);
        return tgFail(error, tg_outOfMemory, -1, "no memory to fit %d frames", work.rowCount);
    }
    for (int s = 0; s < clips->sampleCount; ++s) {
        work.stretches[s] = tgMeasureStretch(clips, s);
    }
    for (int r = 0; r < work.rowCount; ++r) {
        size_t sample = (size_t)(r % clips->sampleCount);
        work.rows[r] = clips->offsets + sample * (size_t)clips->viewer->vertexCount +
                       shown->firstVertices[r / clips->sampleCount];
    }
    tgCorrectiveDef def = {.frameCount = work.rowCount,
                           .frames = work.rows,
                           .vertexCount = shown->vertexCount,
                           .areas = clips->areas + shown->firstVertices[0],
                           .goal = goal,
                           .targetCount = options->targetCount,
                           .measure = tgMeasureOffsets,
                           .user = &work,
                           .parallel = clips->parallel};
    tgResult result = tgFitCorrectives(&def, &work.fit, error);
    if (result == tg_success && work.fit.targetCount > 0) {
        if (tgAllocateMesh(&work, clips->normals != NULL)) {
            tgShiftTargets(&work);
            tgThinVectors(work.out->offsets, work.out->targetCount, (size_t)shown->vertexCount,
                          tg_leftOutPart[options->compress] * options->maxError *
                              clips->restDiagonal,
                          fitted->offsetExponent);
        } else {
            result = tgFail(error, tg_outOfMemory, -1, "no memory for %d targets",
                            work.out->targetCount);
        }
    }
    tgFreeCorrectives(&work.fit);
    free(work.rows);
    free(work.stretches);
    return result;
}

/// L with L L' = A in place; false when A is not positive.
static bool tgFactor(double* a, size_t n)
{
    for (size_t j = 0; j < n; ++j) {
        for (size_t i = j; i < n; ++i) {
            double sum = a[i * n + j];
            for (size_t k = 0; k < j; ++k) {
                sum -= a[i * n + k] * a[j * n + k];
            }
            if (i == j && !(sum > 0.0)) {
                return false;
            }
            a[i * n + j] = i == j ? sqrt(sum) : sum / a[j * n + j];
        }
    }
    return true;
}

/// Normals of the targets: with the weights given, those that come nearest to all samples.
typedef struct tgNormalFit {
    const tgClips* clips;
    const tgShownMesh* shown;
    const tgFittedMesh* mesh;
    const double* factor; ///< of W' W
} tgNormalFit;

static void tgSolveNormals(int begin, int end, void* context)
{
    const tgNormalFit* fit = context;
    const tgFittedMesh* mesh = fit->mesh;
    size_t n = (size_t)mesh->targetCount;
    size_t vertexCount = (size_t)fit->shown->vertexCount;
    size_t sceneCount = (size_t)fit->clips->viewer->vertexCount;
    double x[3 * 256]; // tg_mostRank and the constant one are fewer
    for (int v = begin; v < end; ++v) {
        memset(x, 0, 3 * n * sizeof(double));
        for (int node = 0; node < fit->shown->nodeCount; ++node) {
            const tgVec3* normal = fit->clips->normals + fit->shown->firstVertices[node] + v;
            for (int s = 0; s < fit->clips->sampleCount; ++s) {
                const float* w = tgGetWeights(mesh, fit->clips, node, s);
                tgVec3 at = normal[(size_t)s * sceneCount];
                for (size_t t = 0; t < n; ++t) {
                    x[3 * t] += (double)(w[t] * at.x);
                    x[3 * t + 1] += (double)(w[t] * at.y);
                    x[3 * t + 2] += (double)(w[t] * at.z);
                }
            }
        }
        for (size_t c = 0; c < 3; ++c) {
            for (size_t i = 0; i < n; ++i) {
                for (size_t k = 0; k < i; ++k) {
                    x[3 * i + c] -= fit->factor[i * n + k] * x[3 * k + c];
                }
                x[3 * i + c] /= fit->factor[i * n + i];
            }
            for (size_t i = n; i-- > 0;) {
                for (size_t k = i + 1; k < n; ++k) {
                    x[3 * i + c] -= fit->factor[k * n + i] * x[3 * k + c];
                }
                x[3 * i + c] /= fit->factor[i * n + i];
            }
        }
        for (size_t t = 0; t < n; ++t) {
            mesh->normals[t * vertexCount + (size_t)v] =
                tgMakeVec3((float)x[3 * t], (float)x[3 * t + 1], (float)x[3 * t + 2]);
        }
    }
}

static tgResult tgFitNormals(const tgClips* clips, const tgShownMesh* shown, tgFittedMesh* mesh,
                             int exponent, tgError* error)
{
    size_t n = (size_t)mesh->targetCount;
    double* products = calloc(n * n, sizeof(double));
    if (products == NULL) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for the normals");
    }
    double trace = 0.0;
    for (int r = 0; r < shown->nodeCount * clips->sampleCount; ++r) {
        const float* w = mesh->weights + (size_t)r * n;
        for (size_t i = 0; i < n; ++i) {
            for (size_t k = 0; k < n; ++k) {
                products[i * n + k] += (double)w[i] * (double)w[k];
            }
            trace += (double)w[i] * (double)w[i];
        }
    }
    for (size_t i = 0; i < n; ++i) {
        products[i * n + i] += 1e-6 * trace; // targets that hardly move have no say
    }
    if (tgFactor(products, n)) {
        tgNormalFit fit = {clips, shown, mesh, products};
        tgRun(&clips->parallel, tgSolveNormals, shown->vertexCount, &fit);
    }
    free(products);
    tgThinVectors(mesh->normals, mesh->targetCount, (size_t)shown->vertexCount,
                  tg_normalLeftOut[exponent > tg_normalExponents[0]], exponent);
    return tg_success;
}

/// All meshes, once.
static tgResult tgTryClips(const tgClips* clips, const tgShownMeshes* meshes, float part,
                           double margin, const tgFitOptions* options, tgFitted* fitted,
                           tgError* error)
{
    float goal = part * options->maxError * clips->diagonal;
    for (int m = 0; m < meshes->count; ++m) {
        tgFreeFittedMesh(&fitted->meshes[m]);
        tgResult result =
            tgFitMesh(clips, &meshes->meshes[m], goal, margin, options, fitted, m, error);
        if (result != tg_success) {
            return result;
        }
    }
    return tgKeepVolumes(clips, meshes, fitted, error);
}

tgResult tgFitClips(const tgClips* clips, const tgShownMeshes* meshes, const tgFitOptions* options,
                    tgFitted* fitted, tgError* error)
{
    size_t samples = (size_t)clips->sampleCount + 1;
    float step = tg_stepPart[options->compress] * options->maxError * clips->restDiagonal;
    *fitted = (tgFitted){.meshCount = meshes->count,
                         .meshes = calloc((size_t)meshes->count + 1, sizeof(tgFittedMesh)),
                         .errors = calloc(samples, sizeof(float)),
                         .squares = calloc(samples, sizeof(double)),
                         .volumeErrors = calloc(samples, sizeof(double)),
                         .offsetExponent = (int)floorf(log2f(step)),
                         .normalExponent = tg_normalExponents[options->compress]};
    if (fitted->meshes == NULL || fitted->errors == NULL || fitted->squares == NULL ||
        fitted->volumeErrors == NULL) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for %d meshes", meshes->count);
    }
    tgResult result = tg_success;
    float part = tg_fitPart;
    double margin = tg_margin;
    for (int i = 0; i < tg_mostTries && result == tg_success; ++i) {
        result = tgTryClips(clips, meshes, part, margin, options, fitted, error);
        bool isMet = fabs(fitted->worstVolume) <= tg_metVolume || margin >= tg_mostMargin;
        bool isNear = options->targetCount > 0 || fitted->worst <= options->maxError;
        if (isMet && isNear) {
            break;
        }
        margin = isMet ? margin : fmin(tg_moreMargin * margin, tg_mostMargin);
        if (!isNear) { // what else is added takes its part: first a little, then what it takes
            part *= (i < 1 ? 0.92f : 0.5f) * options->maxError / fitted->worst;
        }
    }
    for (int m = 0; m < meshes->count && result == tg_success && clips->normals != NULL; ++m) {
        if (fitted->meshes[m].targetCount > 0) {
            result = tgFitNormals(clips, &meshes->meshes[m], &fitted->meshes[m],
                                  fitted->normalExponent, error);
        }
    }
    return result;
}

void tgFreeFitted(tgFitted* fitted)
{
    for (int m = 0; m < fitted->meshCount && fitted->meshes != NULL; ++m) {
        tgFreeFittedMesh(&fitted->meshes[m]);
    }
    free(fitted->meshes);
    free(fitted->errors);
    free(fitted->squares);
    free(fitted->volumeErrors);
    *fitted = (tgFitted){0};
}
