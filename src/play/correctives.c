// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Corrective morph targets for a character's clips. The fit of each mesh (bind/correctives.h) is
// brought into the form that viewers play: weights of 0 to 1, by shifting and scaling each target
// and gathering what the shifts leave in one target of weight 1; offsets too small to see left out,
// and the others on a grid, which compresses well. What that costs is measured with the rest.

#include "play/correctives.h"

#include "bind/correctives.h"
#include "bind/dense.h"
#include "bind/rows.h"
#include "core/core.h"

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
    float goal;          ///< of the fit, at the size of the bind pose; 0: there is none yet
    tgFrameBasis basis;
    tgCorrectives fit;
} tgMeshFit;

/// Where the samples of a node have their vectors: row r of all nodes' samples.
static size_t tgFindRow(const tgClips* clips, const tgShownMesh* shown, int r)
{
    size_t sample = (size_t)(r % clips->sampleCount);
    return sample * (size_t)clips->viewer->vertexCount +
           (size_t)shown->firstVertices[r / clips->sampleCount];
}

/// For the fit: how far offsets put the vertices of a viewer off, at the size of the bind pose,
/// which offsets have.
static void tgMeasureOffsets(int row, int first, int count, const tgVec3* residuals, float* errors,
                             void* user)
{
    const tgMeshFit* fit = user;
    int sample = row % fit->clips->sampleCount;
    int node = row / fit->clips->sampleCount;
    float toRest = fit->clips->restDiagonal / fit->clips->diagonal;
    float stretch = fit->stretches[sample] * toRest;
    for (int v = 0; v < count; ++v) {
        float known = errors[v] / stretch;
        tgVec3 r = residuals[v];
        if (tgDot(r, r) > known * known) { // else no blend makes it the worst
            int vertex = fit->shown->firstVertices[node] + first + v;
            tgMat34 blend = tgClips_Blend(fit->clips, sample, vertex);
            float error = toRest * tgLength(tgMulMatDirection(&blend, r));
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
static void tgFindSpan(tgMeshFit* work, int target, double margin, double* low, double* high)
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
    double room = margin * (*high - *low);
    *low -= room;
    *high += room;
}

/// Targets of weights 0 to 1, and the constant one.
static void tgShiftTargets(tgMeshFit* work, double margin, tgFittedMesh* out)
{
    const tgCorrectives* fit = &work->fit;
    size_t vertexCount = (size_t)work->shown->vertexCount;
    for (int t = 0; t < fit->targetCount; ++t) {
        double low, high;
        tgFindSpan(work, t, margin, &low, &high);
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
    float lengths[tg_mostRank + 1]; // the constant target is one more
    for (size_t v = 0; v < vertexCount; ++v) {
        for (int t = 0; t < targetCount; ++t) {
            lengths[t] = tgLength(vectors[(size_t)t * vertexCount + v]);
        }
        for (float left = leftOut;;) { // the next smallest, if it goes
            int smallest = 0;
            for (int t = 1; t < targetCount; ++t) {
                smallest = lengths[t] < lengths[smallest] ? t : smallest;
            }
            if (!(lengths[smallest] <= left)) {
                break;
            }
            left -= lengths[smallest];
            lengths[smallest] = INFINITY;
            vectors[(size_t)smallest * vertexCount + v] = tgMakeVec3(0.0f, 0.0f, 0.0f);
        }
        for (int t = 0; t < targetCount; ++t) {
            vectors[(size_t)t * vertexCount + v] =
                tgRoundVector(vectors[(size_t)t * vertexCount + v], step);
        }
    }
}

bool tgMakeFittedMesh(int targetCount, int vertexCount, int rowCount, bool hasNormals,
                      tgFittedMesh* mesh)
{
    size_t targets = (size_t)targetCount;
    size_t size = targets * (size_t)vertexCount, weights = targets * (size_t)rowCount;
    *mesh = (tgFittedMesh){.targetCount = targetCount,
                           .offsets = calloc(size + 1, sizeof(tgVec3)),
                           .normals = hasNormals ? calloc(size + 1, sizeof(tgVec3)) : NULL,
                           .weights = calloc(weights + 1, sizeof(float)),
                           .slopes = calloc(weights + 1, sizeof(float)),
                           .spans = calloc(targets + 1, sizeof(float))};
    return mesh->offsets != NULL && mesh->weights != NULL && mesh->slopes != NULL &&
           mesh->spans != NULL && (!hasNormals || mesh->normals != NULL);
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

static void tgCloseMeshFit(tgMeshFit* work)
{
    tgFreeFrameBasis(&work->basis);
    tgFreeCorrectives(&work->fit);
    free((void*)work->rows);
    free(work->stretches);
    *work = (tgMeshFit){0};
}

static bool tgOpenMeshFit(const tgClips* clips, const tgShownMesh* shown, tgMeshFit* work)
{
    *work = (tgMeshFit){
        .clips = clips, .shown = shown, .rowCount = shown->nodeCount * clips->sampleCount};
    work->rows = malloc(((size_t)work->rowCount + 1) * sizeof(*work->rows));
    work->stretches = malloc(((size_t)clips->sampleCount + 1) * sizeof(float));
    if (work->rows == NULL || work->stretches == NULL) {
        return false;
    }
    for (int s = 0; s < clips->sampleCount; ++s) {
        work->stretches[s] = tgMeasureStretch(clips, s);
    }
    for (int r = 0; r < work->rowCount; ++r) {
        work->rows[r] = clips->offsets + tgFindRow(clips, shown, r);
    }
    return true;
}

/// Targets of the mesh within the goal, if that is not what there is.
static tgResult tgFitOffsets(tgMeshFit* work, float goal, int targetCount, tgError* error)
{
    if (work->goal == goal) {
        return tg_success;
    }
    const tgClips* clips = work->clips;
    tgCorrectiveDef def = {.frames = {.frameCount = work->rowCount,
                                      .frames = work->rows,
                                      .vertexCount = work->shown->vertexCount,
                                      .areas = clips->areas + work->shown->firstVertices[0],
                                      .parallel = clips->parallel},
                           .goal = goal,
                           .targetCount = targetCount,
                           .measure = tgMeasureOffsets,
                           .user = work};
    tgFreeCorrectives(&work->fit);
    work->goal = goal;
    return tgFitCorrectives(&def, &work->basis, &work->fit, error);
}

/// The targets of one mesh, and weights as the fit has them.
/// @param margin of the weights, in parts of their span
static tgResult tgFitMesh(tgMeshFit* work, float goal, double margin, const tgFitOptions* options,
                          int exponent, tgFittedMesh* out, tgError* error)
{
    const tgClips* clips = work->clips;
    int vertexCount = work->shown->vertexCount;
    tgFreeFittedMesh(out);
    tgResult result = tgFitOffsets(work, goal, options->targetCount, error);
    if (result != tg_success || work->fit.targetCount == 0) {
        return result;
    }
    if (!tgMakeFittedMesh(work->fit.targetCount + 1, vertexCount, work->rowCount,
                          clips->normals != NULL, out)) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for %d targets", out->targetCount);
    }
    tgShiftTargets(work, margin, out);
    tgThinVectors(out->offsets, out->targetCount, (size_t)vertexCount,
                  tg_leftOutPart[options->compress] * options->maxError * clips->restDiagonal,
                  exponent);
    return tg_success;
}

/// Normals of the targets: with the weights W given, those that come nearest to the samples' N,
/// X = (W' W)^-1 W' N.
static bool tgSolveNormals(const tgClips* clips, const tgShownMesh* shown, tgFittedMesh* mesh)
{
    int n = mesh->targetCount, rowCount = shown->nodeCount * clips->sampleCount;
    double* products = calloc((size_t)n * (size_t)n, sizeof(double));
    double* mix = malloc((size_t)n * (size_t)rowCount * sizeof(double)); // W', then the solution
    const float** rows = malloc((size_t)rowCount * sizeof(*rows));
    bool good = products != NULL && mix != NULL && rows != NULL;
    double trace = 0.0;
    for (int r = 0; r < rowCount && good; ++r) {
        const float* w = mesh->weights + (ptrdiff_t)r * n;
        rows[r] = &clips->normals[tgFindRow(clips, shown, r)].x;
        for (int i = 0; i < n; ++i) {
            for (int k = 0; k < n; ++k) {
                products[i * n + k] += (double)w[i] * (double)w[k];
            }
            trace += (double)w[i] * (double)w[i];
            mix[(ptrdiff_t)i * rowCount + r] = (double)w[i];
        }
    }
    for (int i = 0; i < n && good; ++i) {
        products[i * n + i] += 1e-6 * trace; // targets that hardly move have no say
    }
    if (good && tgFactorDense(n, products)) {
        tgSolveLower(n, products, rowCount, mix);
        tgSolveUpper(n, products, rowCount, mix);
        tgCombineTask task = {rows, rowCount, 3 * (size_t)shown->vertexCount,
                              mix,  n,        &mesh->normals->x};
        good = tgCombineRows(&clips->parallel, &task);
    }
    free(products);
    free(mix);
    free((void*)rows);
    return good;
}

static tgResult tgFitNormals(const tgClips* clips, const tgShownMesh* shown, tgFittedMesh* mesh,
                             int exponent, tgError* error)
{
    if (!tgSolveNormals(clips, shown, mesh)) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for the normals");
    }
    tgThinVectors(mesh->normals, mesh->targetCount, (size_t)shown->vertexCount,
                  tg_normalLeftOut[exponent > tg_normalExponents[0]], exponent);
    return tg_success;
}

/// All meshes, once.
static tgResult tgTryClips(const tgClips* clips, const tgShownMeshes* meshes, float part,
                           double margin, const tgFitOptions* options, tgMeshFit* works,
                           tgFitted* fitted, tgError* error)
{
    float goal = part * options->maxError * clips->restDiagonal;
    for (int m = 0; m < meshes->count; ++m) {
        tgResult result = tgFitMesh(&works[m], goal, margin, options, fitted->offsetExponent,
                                    &fitted->meshes[m], error);
        if (result != tg_success) {
            return result;
        }
    }
    return tgKeepVolumes(clips, meshes, fitted, error);
}

/// Meshes until what else is added, by the grid and for the volume, leaves them near enough.
static tgResult tgFitMeshes(const tgClips* clips, const tgShownMeshes* meshes,
                            const tgFitOptions* options, tgMeshFit* works, tgFitted* fitted,
                            tgError* error)
{
    tgResult result = tg_success;
    float part = tg_fitPart;
    double margin = tg_margin;
    for (int i = 0; i < tg_mostTries && result == tg_success; ++i) {
        result = tgTryClips(clips, meshes, part, margin, options, works, fitted, error);
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

tgResult tgMakeFitted(const tgClips* clips, const tgShownMeshes* meshes, tgFitted* fitted,
                      tgError* error)
{
    size_t samples = (size_t)clips->sampleCount + 1;
    *fitted = (tgFitted){.meshCount = meshes->count,
                         .meshes = calloc((size_t)meshes->count + 1, sizeof(tgFittedMesh)),
                         .errors = calloc(samples, sizeof(float)),
                         .squares = calloc(samples, sizeof(double)),
                         .volumeErrors = calloc(samples, sizeof(double))};
    bool good = fitted->meshes != NULL && fitted->errors != NULL && fitted->squares != NULL &&
                fitted->volumeErrors != NULL;
    return good ? tg_success
                : tgFail(error, tg_outOfMemory, -1, "no memory for targets in %d frames",
                         clips->sampleCount);
}

tgResult tgFitClips(const tgClips* clips, const tgShownMeshes* meshes, const tgFitOptions* options,
                    tgFitted* fitted, tgError* error)
{
    tgResult result = tgMakeFitted(clips, meshes, fitted, error);
    float step = tg_stepPart[options->compress] * options->maxError * clips->restDiagonal;
    fitted->offsetExponent = (int)floorf(log2f(step));
    fitted->normalExponent = tg_normalExponents[options->compress];
    tgMeshFit* works = calloc((size_t)meshes->count + 1, sizeof(*works));
    for (int m = 0; m < meshes->count && result == tg_success; ++m) {
        if (works == NULL || !tgOpenMeshFit(clips, &meshes->meshes[m], &works[m])) {
            result =
                tgFail(error, tg_outOfMemory, -1, "no memory to fit %d frames", clips->sampleCount);
        }
    }
    if (result == tg_success) {
        result = tgFitMeshes(clips, meshes, options, works, fitted, error);
    }
    for (int m = 0; m < meshes->count && works != NULL; ++m) {
        tgCloseMeshFit(&works[m]);
    }
    free(works);
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
