// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Exact volume at playback. K weights of a sample are free and one equation is wanted: V(w) = V0.
// The weights nearest to the fit's lie along the gradient g of V there (Lagrange): w + t g, and
// along that line V is a cubic of t, whose root is found by secants from t = (V0 - V) / g.g. A
// weight at an end of its range stays there. Between keys, where weights go straight, errors are
// bounded by the same slopes; that tells which samples need keys.

#include "play/correctives.h"

#include "bind/rows.h"
#include "core/core.h"
#include "core/kernels.h"
#include "core/volume.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Near enough, in parts of the volume: a few times what rounding of float positions does to it.
static const double tg_sameVolume = 2e-7;
enum { tg_mostRounds = 4, tg_mostSecants = 12 };
/// What straight lines between keys may add, in parts of the error allowed; and to the volume of a
/// frame.
static const float tg_linePart = 0.05f;
static const float tg_lineVolume = 2e-6f;
enum { tg_longestLine = 256 }; ///< samples

/// A mesh as one node shows it at the sample.
typedef struct tgPlayedNode {
    const tgFittedMesh* mesh;
    const tgShownMesh* shown;
    int firstVertex;
    float* weights;
    float* slopes; ///< dV/dw of each
} tgPlayedNode;

/// One thread's room.
typedef struct tgPlayback {
    const tgClips* clips;
    tgFitted* fitted;
    int sample;
    int nodeCount;
    tgPlayedNode* nodes;
    const float** rows; ///< of the targets that a sum has
    float* factors;
    const tgVec3* shape;
    tgVec3* shapeScratch;
    tgMat34* blends;  ///< of each vertex of the scene
    tgVec3* moved;    ///< so, too: offsets by the weights
    tgVec3* way;      ///< the same, of a change of the weights
    float* positions; ///< welded, 4 for each, virtual ones included
    float* gradient;
    float* slots;
    float* shift; ///< the welded ones' way
    float* tried;
} tgPlayback;

static bool tgAllocatePlayback(tgPlayback* play, int nodeCount, int mostTargets)
{
    const tgMesh* mesh = play->clips->mesh;
    size_t welded = 4 * (size_t)tgRoundToLane(mesh->vertexCount + mesh->loopCount + tg_lane);
    size_t vertexCount = (size_t)play->clips->viewer->vertexCount;
    play->nodes = calloc((size_t)nodeCount + 1, sizeof(*play->nodes));
    play->rows = malloc(((size_t)mostTargets + 1) * sizeof(*play->rows));
    play->factors = malloc(((size_t)mostTargets + 1) * sizeof(float));
    play->shapeScratch = malloc(vertexCount * sizeof(tgVec3));
    play->blends = malloc(vertexCount * sizeof(tgMat34));
    play->moved = malloc(vertexCount * sizeof(tgVec3));
    play->way = malloc(vertexCount * sizeof(tgVec3));
    play->positions = calloc(welded, sizeof(float));
    play->gradient = calloc(welded, sizeof(float));
    play->shift = calloc(welded, sizeof(float));
    play->tried = calloc(welded, sizeof(float));
    play->slots = calloc(4 * ((size_t)tgMesh_SlotCount(mesh) + tg_lane), sizeof(float));
    return play->nodes != NULL && play->rows != NULL && play->factors != NULL &&
           play->shapeScratch != NULL && play->blends != NULL && play->moved != NULL &&
           play->way != NULL && play->positions != NULL && play->gradient != NULL &&
           play->shift != NULL && play->tried != NULL && play->slots != NULL;
}

static bool tgOpenPlayback(tgPlayback* play, const tgShownMeshes* meshes)
{
    int nodeCount = 0, mostTargets = 0;
    for (int m = 0; m < meshes->count; ++m) {
        int targetCount = play->fitted->meshes[m].targetCount;
        nodeCount += meshes->meshes[m].nodeCount;
        mostTargets = targetCount > mostTargets ? targetCount : mostTargets;
    }
    if (!tgAllocatePlayback(play, nodeCount, mostTargets)) {
        return false;
    }
    for (int m = 0; m < meshes->count; ++m) {
        const tgShownMesh* shown = &meshes->meshes[m];
        const tgFittedMesh* mesh = &play->fitted->meshes[m];
        for (int n = 0; n < shown->nodeCount && mesh->targetCount > 0; ++n) {
            play->nodes[play->nodeCount++] = (tgPlayedNode){
                .mesh = mesh, .shown = shown, .firstVertex = shown->firstVertices[n]};
        }
    }
    return true;
}

static void tgClosePlayback(tgPlayback* play)
{
    free(play->nodes);
    free((void*)play->rows);
    free(play->factors);
    free(play->shapeScratch);
    free(play->blends);
    free(play->moved);
    free(play->way);
    free(play->positions);
    free(play->gradient);
    free(play->shift);
    free(play->tried);
    free(play->slots);
}

static void tgOpenSample(tgPlayback* play, int sample)
{
    const tgClips* clips = play->clips;
    play->sample = sample;
    play->shape = tgClips_GetShape(clips, sample, play->shapeScratch);
    for (int v = 0; v < clips->viewer->vertexCount; ++v) {
        play->blends[v] = tgClips_Blend(clips, sample, v);
    }
    for (int i = 0, node = 0; i < play->nodeCount; ++i) {
        tgPlayedNode* at = &play->nodes[i];
        node = i > 0 && play->nodes[i - 1].mesh == at->mesh ? node + 1 : 0;
        at->weights = tgGetWeights(at->mesh, clips, node, sample);
        at->slopes = at->mesh->slopes + (at->weights - at->mesh->weights);
    }
}

/// The way that a weight goes, per unit of t: along the gradient in the fit's own measure. The
/// constant target stays, and what is at an end of its range.
/// @param sign whether volume is wanted or to be lost
static float tgGetStep(const tgPlayedNode* node, int target, float sign)
{
    float span = node->mesh->spans[target], weight = node->weights[target];
    float step = span > 0.0f ? node->slopes[target] / (span * span) : 0.0f;
    bool isAtEnd = sign * step > 0.0f ? weight >= 1.0f : weight <= 0.0f;
    return isAtEnd ? 0.0f : step;
}

/// Offsets that the weights make on every vertex of the scene, or their steps when there is a sign.
static void tgSumTargets(const tgPlayback* play, float sign, tgVec3* sums)
{
    memset(sums, 0, (size_t)play->clips->viewer->vertexCount * sizeof(tgVec3));
    for (int i = 0; i < play->nodeCount; ++i) {
        const tgPlayedNode* node = &play->nodes[i];
        int width = 3 * node->shown->vertexCount, count = 0;
        for (int t = 0; t < node->mesh->targetCount; ++t) {
            float factor = sign != 0.0f ? tgGetStep(node, t, sign) : node->weights[t];
            if (factor != 0.0f) {
                play->rows[count] = &node->mesh->offsets->x + (ptrdiff_t)t * width;
                play->factors[count++] = factor;
            }
        }
        float* to = &sums[node->firstVertex].x;
        for (int first = 0; first < width; first += tg_rowChunk) {
            int chunk = width - first < tg_rowChunk ? width - first : tg_rowChunk;
            tgAddRows(to + first, chunk, play->factors, play->rows, count, (size_t)first);
        }
    }
}

/// The surface that a viewer shows, and its volume.
static double tgShowSample(tgPlayback* play)
{
    const tgMesh* mesh = play->clips->mesh;
    tgSumTargets(play, 0.0f, play->moved);
    for (int i = 0; i < mesh->vertexCount; ++i) {
        int v = mesh->vertexToRender[i];
        tgVec3 p = tgMulMatPoint(&play->blends[v], tgAdd(play->shape[v], play->moved[v]));
        memcpy(play->positions + 4 * (size_t)i, &p, sizeof(p));
    }
    tgPlaceCapCenters(mesh, play->positions);
    return tgVolume(mesh, play->positions);
}

/// dV/dw of every weight of the sample, into the slopes.
static void tgFindSlopes(const tgPlayback* play)
{
    const tgMesh* surface = play->clips->mesh;
    const tgParallel alone = {0};
    tgFillGradient(&alone, tgSelectKernels(tg_simdBest), surface, play->positions, play->slots,
                   play->gradient);
    tgSpreadCapGradient(surface, play->gradient);
    // The gradient in the bind pose, on the one render vertex that stands for each welded one.
    memset(play->way, 0, (size_t)play->clips->viewer->vertexCount * sizeof(tgVec3));
    for (int i = 0; i < surface->vertexCount; ++i) {
        int v = surface->vertexToRender[i];
        const tgMat34* blend = &play->blends[v];
        tgVec3 g;
        memcpy(&g, play->gradient + 4 * (size_t)i, sizeof(g));
        play->way[v] = tgMakeVec3(tgDot(blend->x, g), tgDot(blend->y, g), tgDot(blend->z, g));
    }
    for (int i = 0; i < play->nodeCount; ++i) {
        const tgPlayedNode* node = &play->nodes[i];
        size_t width = 3 * (size_t)node->shown->vertexCount;
        for (int t = 0; t < node->mesh->targetCount; ++t) {
            node->slopes[t] =
                (float)tgMultiplyRow(&play->way[node->firstVertex].x,
                                     &node->mesh->offsets->x + (size_t)t * width, width);
        }
    }
}

/// How the welded surface moves as weights go their way; and the volume's slope along it.
static double tgShowWay(tgPlayback* play, float sign)
{
    const tgMesh* mesh = play->clips->mesh;
    double slope = 0.0;
    for (int i = 0; i < play->nodeCount; ++i) {
        for (int t = 0; t < play->nodes[i].mesh->targetCount; ++t) {
            slope += (double)play->nodes[i].slopes[t] * (double)tgGetStep(&play->nodes[i], t, sign);
        }
    }
    tgSumTargets(play, sign, play->way);
    for (int i = 0; i < mesh->vertexCount; ++i) {
        int v = mesh->vertexToRender[i];
        tgVec3 way = tgMulMatDirection(&play->blends[v], play->way[v]);
        memcpy(play->shift + 4 * (size_t)i, &way, sizeof(way));
    }
    return slope;
}

/// t with V(positions + t shift) = wanted; secants from the slope at 0.
/// @param volume at 0; on return at t
static double tgSolveAlong(tgPlayback* play, double slope, double wanted, double* volume)
{
    const tgMesh* mesh = play->clips->mesh;
    size_t count = 4 * (size_t)mesh->vertexCount;
    double last = 0.0, lastGap = *volume - wanted;
    double t = -lastGap / slope;
    double best = 0.0, bestGap = lastGap;
    for (int i = 0; i < tg_mostSecants; ++i) {
        for (size_t k = 0; k < count; ++k) {
            play->tried[k] = play->positions[k] + (float)t * play->shift[k];
        }
        tgPlaceCapCenters(mesh, play->tried);
        double gap = tgVolume(mesh, play->tried) - wanted;
        if (!(fabs(gap) < fabs(bestGap))) {
            break; // nothing but rounding is left
        }
        best = t;
        bestGap = gap;
        if (fabs(gap) <= 0.1 * tg_sameVolume * fabs(wanted)) {
            break;
        }
        double next = t - gap * (t - last) / (gap - lastGap);
        last = t;
        lastGap = gap;
        t = next;
    }
    *volume = wanted + bestGap;
    return best;
}

/// Weights go t of their way; false when one of them comes to an end of its range before.
static bool tgGoWay(const tgPlayback* play, float sign, float t)
{
    bool isFree = true;
    for (int i = 0; i < play->nodeCount; ++i) {
        const tgPlayedNode* node = &play->nodes[i];
        for (int k = 0; k < node->mesh->targetCount; ++k) {
            float weight = node->weights[k] + t * tgGetStep(node, k, sign);
            node->weights[k] = weight < 0.0f ? 0.0f : weight > 1.0f ? 1.0f : weight;
            isFree &= node->weights[k] == weight;
        }
    }
    return isFree;
}

/// Change the weights until the volume is right.
static void tgKeepVolume(tgPlayback* play, int rounds)
{
    double wanted = play->clips->volumes[play->sample];
    double volume = tgShowSample(play);
    tgFindSlopes(play);
    for (int round = 0; round < rounds; ++round) {
        if (wanted == 0.0 || fabs(volume - wanted) <= tg_sameVolume * fabs(wanted)) {
            break;
        }
        float sign = volume < wanted ? 1.0f : -1.0f;
        double slope = tgShowWay(play, sign);
        float t = slope > 0.0 ? (float)tgSolveAlong(play, slope, wanted, &volume) : NAN;
        if (!isfinite(t)) {
            break;
        }
        if (tgGoWay(play, sign, t)) {
            for (int v = 0; v < play->clips->viewer->vertexCount; ++v) {
                play->moved[v] = tgMulAdd(play->moved[v], t, play->way[v]);
            }
            break;
        }
        volume = tgShowSample(play);
        tgFindSlopes(play);
    }
    play->fitted->volumeErrors[play->sample] = wanted != 0.0 ? volume / wanted - 1.0 : 0.0;
    // The slopes in parts of the volume. They are those before the last step, which is small.
    double unit = wanted != 0.0 ? wanted : (double)INFINITY;
    for (int i = 0; i < play->nodeCount; ++i) {
        for (int t = 0; t < play->nodes[i].mesh->targetCount; ++t) {
            play->nodes[i].slopes[t] = (float)((double)play->nodes[i].slopes[t] / unit);
        }
    }
}

/// How far the sample is off.
static void tgMeasureErrors(tgPlayback* play)
{
    const tgClips* clips = play->clips;
    const tgVec3* offsets =
        clips->offsets + (size_t)play->sample * (size_t)clips->viewer->vertexCount;
    float worst = 0.0f;
    double squares = 0.0;
    for (int v = 0; v < clips->viewer->vertexCount; ++v) {
        tgVec3 off = tgMulMatDirection(&play->blends[v], tgSub(play->moved[v], offsets[v]));
        float square = tgDot(off, off);
        worst = square > worst ? square : worst;
        squares += (double)square;
    }
    play->fitted->errors[play->sample] = sqrtf(worst) / clips->diagonal;
    play->fitted->squares[play->sample] = squares;
}

typedef struct tgKeepTask {
    const tgClips* clips;
    const tgShownMeshes* meshes;
    tgFitted* fitted;
    int rounds;      ///< of changing weights; 0: none
    bool* hasRunOut; ///< of each sample
} tgKeepTask;

static void tgKeepSamples(int begin, int end, void* context)
{
    const tgKeepTask* task = context;
    tgPlayback play = {.clips = task->clips, .fitted = task->fitted};
    bool good = tgOpenPlayback(&play, task->meshes);
    for (int s = begin; s < end; ++s) {
        task->hasRunOut[s] = !good;
        if (good) {
            tgOpenSample(&play, s);
            tgKeepVolume(&play, task->rounds);
            tgMeasureErrors(&play);
        }
    }
    tgClosePlayback(&play);
}

static tgResult tgGoThrough(const tgClips* clips, const tgShownMeshes* meshes, int rounds,
                            tgFitted* fitted, tgError* error)
{
    int count = clips->sampleCount;
    tgKeepTask task = {clips, meshes, fitted, rounds, calloc((size_t)count + 1, sizeof(bool))};
    bool good = task.hasRunOut != NULL;
    if (good) {
        tgRun(&clips->parallel, tgKeepSamples, count, &task);
    }
    fitted->worst = 0.0f;
    fitted->worstVolume = 0.0;
    for (int s = 0; s < count && good; ++s) {
        good = !task.hasRunOut[s];
        fitted->worst = fmaxf(fitted->worst, fitted->errors[s]);
        if (fabs(fitted->volumeErrors[s]) > fabs(fitted->worstVolume)) {
            fitted->worstVolume = fitted->volumeErrors[s];
        }
    }
    free(task.hasRunOut);
    return good ? tg_success
                : tgFail(error, tg_outOfMemory, -1, "no memory to keep the volume of %d frames",
                         count);
}

tgResult tgKeepVolumes(const tgClips* clips, const tgShownMeshes* meshes, tgFitted* fitted,
                       tgError* error)
{
    return tgGoThrough(clips, meshes, tg_mostRounds, fitted, error);
}

tgResult tgMeasureVolumes(const tgClips* clips, const tgShownMeshes* meshes, tgFitted* fitted,
                          tgError* error)
{
    return tgGoThrough(clips, meshes, 0, fitted, error);
}

/// The longest offset of each target of a mesh.
static float tgGetReach(const tgFittedMesh* mesh, const tgShownMesh* shown, int target)
{
    const tgVec3* offsets = mesh->offsets + (size_t)target * (size_t)shown->vertexCount;
    float reach = 0.0f;
    for (int v = 0; v < shown->vertexCount; ++v) {
        reach = fmaxf(reach, tgLength(offsets[v]));
    }
    return reach;
}

/// May the straight line from sample `from` to sample `to` stand for one in between?
static bool tgIsOnLine(const tgClips* clips, const tgShownMeshes* meshes, const tgFitted* fitted,
                       const float* reaches, int from, int to, int at, float limit)
{
    double span = clips->samples[to].time - clips->samples[from].time;
    float part = (float)((clips->samples[at].time - clips->samples[from].time) / span);
    double volume = 0.0;
    int target = 0;
    for (int m = 0; m < meshes->count; ++m) {
        const tgFittedMesh* mesh = &fitted->meshes[m];
        for (int n = 0; n < meshes->meshes[m].nodeCount && mesh->targetCount > 0; ++n) {
            const float* a = tgGetWeights(mesh, clips, n, from);
            const float* b = tgGetWeights(mesh, clips, n, to);
            const float* w = tgGetWeights(mesh, clips, n, at);
            const float* slopes = mesh->slopes + (w - mesh->weights);
            float off = 0.0f;
            for (int t = 0; t < mesh->targetCount; ++t) {
                float gap = a[t] + part * (b[t] - a[t]) - w[t];
                off += fabsf(gap) * reaches[target + t];
                volume += (double)gap * (double)slopes[t];
            }
            if (off > limit) {
                return false;
            }
        }
        target += mesh->targetCount;
    }
    return fabs(volume) <= (double)tg_lineVolume;
}

bool tgChooseKeys(const tgClips* clips, const tgShownMeshes* meshes, const tgFitted* fitted,
                  float maxError, int first, int last, bool* isKey)
{
    int targetCount = 0;
    for (int m = 0; m < meshes->count; ++m) {
        targetCount += fitted->meshes[m].targetCount;
    }
    float* reaches = malloc(((size_t)targetCount + 1) * sizeof(float));
    for (int m = 0, at = 0; m < meshes->count && reaches != NULL; ++m) {
        for (int t = 0; t < fitted->meshes[m].targetCount; ++t) {
            reaches[at++] = tgGetReach(&fitted->meshes[m], &meshes->meshes[m], t);
        }
    }
    float limit = tg_linePart * maxError * clips->restDiagonal;
    for (int s = first; s <= last; ++s) {
        isKey[s] = false;
    }
    isKey[first] = isKey[last] = true;
    for (int from = first; from < last && reaches != NULL;) {
        int to = from + 1;
        bool good = true;
        while (good && to < last && to - from < tg_longestLine) {
            for (int at = from + 1; at <= to && good; ++at) {
                good = tgIsOnLine(clips, meshes, fitted, reaches, from, to + 1, at, limit);
            }
            to += good ? 1 : 0;
        }
        isKey[to] = true;
        from = to;
    }
    bool good = reaches != NULL;
    free(reaches);
    return good;
}
