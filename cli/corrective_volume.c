// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Exact volume at playback. K weights of a sample are free and one equation is wanted: V(w) = V0.
// The weights nearest to the fit's lie along the gradient g of V there (Lagrange): w + t g, and
// along that line V is a cubic of t, whose root is found by secants from t = (V0 - V) / g.g. A
// weight at an end of its range stays there. Between keys, where weights go straight, errors are
// bounded by the same slopes; that tells which samples need keys.

#include "correctives.h"

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

/// One thread's room.
typedef struct tgPlayback {
    const tgClips* clips;
    const tgShownMeshes* meshes;
    tgFitted* fitted;
    int sample;
    const tgVec3* shape;
    tgVec3* shapeScratch;
    tgVec3* moved;    ///< of each vertex of the scene: offsets by the weights
    tgVec3* way;      ///< the same, of a change of the weights
    float* positions; ///< welded, 4 for each, virtual ones included
    float* gradient;
    float* slots;
    float* shift; ///< the welded ones' way
    float* tried;
} tgPlayback;

static bool tgOpenPlayback(tgPlayback* play)
{
    const tgMesh* mesh = play->clips->mesh;
    size_t welded = 4 * (size_t)tgRoundToLane(mesh->vertexCount + mesh->loopCount + tg_lane);
    size_t vertexCount = (size_t)play->clips->viewer->vertexCount;
    play->shapeScratch = malloc(vertexCount * sizeof(tgVec3));
    play->moved = malloc(vertexCount * sizeof(tgVec3));
    play->way = malloc(vertexCount * sizeof(tgVec3));
    play->positions = calloc(welded, sizeof(float));
    play->gradient = calloc(welded, sizeof(float));
    play->shift = calloc(welded, sizeof(float));
    play->tried = calloc(welded, sizeof(float));
    play->slots = calloc(4 * ((size_t)tgMesh_SlotCount(mesh) + tg_lane), sizeof(float));
    return play->shapeScratch != NULL && play->moved != NULL && play->way != NULL &&
           play->positions != NULL && play->gradient != NULL && play->shift != NULL &&
           play->tried != NULL && play->slots != NULL;
}

static void tgClosePlayback(tgPlayback* play)
{
    free(play->shapeScratch);
    free(play->moved);
    free(play->way);
    free(play->positions);
    free(play->gradient);
    free(play->shift);
    free(play->tried);
    free(play->slots);
}

/// Offsets that weights of the sample make, on every vertex of the scene.
/// @param pick which weights: those of the fit, or those in `slopes`
static void tgSumTargets(const tgPlayback* play, bool ofSlopes, tgVec3* sums)
{
    memset(sums, 0, (size_t)play->clips->viewer->vertexCount * sizeof(tgVec3));
    for (int m = 0; m < play->meshes->count; ++m) {
        const tgShownMesh* shown = &play->meshes->meshes[m];
        const tgFittedMesh* mesh = &play->fitted->meshes[m];
        for (int n = 0; n < shown->nodeCount && mesh->targetCount > 0; ++n) {
            float* to = &sums[shown->firstVertices[n]].x;
            const float* w = tgGetWeights(mesh, play->clips, n, play->sample);
            w = ofSlopes ? mesh->slopes + (w - mesh->weights) : w;
            for (int t = 0; t < mesh->targetCount; ++t) {
                const float* from = &mesh->offsets[(size_t)t * (size_t)shown->vertexCount].x;
                if (w[t] == 0.0f) {
                    continue;
                }
                for (int i = 0; i < 3 * shown->vertexCount; ++i) {
                    to[i] += w[t] * from[i];
                }
            }
        }
    }
}

/// The surface that a viewer shows.
static void tgShowSurface(const tgPlayback* play, float* positions)
{
    const tgMesh* mesh = play->clips->mesh;
    for (int i = 0; i < mesh->vertexCount; ++i) {
        int v = mesh->vertexToRender[i];
        tgMat34 blend = tgClips_Blend(play->clips, play->sample, v);
        tgVec3 p = tgMulMatPoint(&blend, tgAdd(play->shape[v], play->moved[v]));
        memcpy(positions + 4 * (size_t)i, &p, sizeof(p));
    }
    tgPlaceCapCenters(mesh, positions);
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
        tgMat34 blend = tgClips_Blend(play->clips, play->sample, v);
        tgVec3 g;
        memcpy(&g, play->gradient + 4 * (size_t)i, sizeof(g));
        play->way[v] = tgMakeVec3(tgDot(blend.x, g), tgDot(blend.y, g), tgDot(blend.z, g));
    }
    for (int m = 0; m < play->meshes->count; ++m) {
        const tgShownMesh* shown = &play->meshes->meshes[m];
        const tgFittedMesh* mesh = &play->fitted->meshes[m];
        for (int n = 0; n < shown->nodeCount && mesh->targetCount > 0; ++n) {
            const float* w = tgGetWeights(mesh, play->clips, n, play->sample);
            float* slopes = mesh->slopes + (w - mesh->weights);
            const tgVec3* g = play->way + shown->firstVertices[n];
            for (int t = 0; t < mesh->targetCount; ++t) {
                const tgVec3* offsets = mesh->offsets + (size_t)t * (size_t)shown->vertexCount;
                double sum = 0.0;
                for (int v = 0; v < shown->vertexCount; ++v) {
                    sum += (double)tgDot(g[v], offsets[v]);
                }
                slopes[t] = (float)sum;
            }
        }
    }
}

/// For each weight of the sample that is free.
typedef void tgWeightFcn(float* weight, float* slope, float span, void* user);

static void tgForWeights(const tgPlayback* play, tgWeightFcn* call, void* user)
{
    for (int m = 0; m < play->meshes->count; ++m) {
        const tgFittedMesh* mesh = &play->fitted->meshes[m];
        for (int n = 0; n < play->meshes->meshes[m].nodeCount && mesh->targetCount > 0; ++n) {
            float* w = tgGetWeights(mesh, play->clips, n, play->sample);
            float* slopes = mesh->slopes + (w - mesh->weights);
            for (int t = 0; t < mesh->targetCount; ++t) {
                call(&w[t], &slopes[t], mesh->spans[t], user);
            }
        }
    }
}

/// The way that weights go, per unit of t: along the gradient in the fit's own measure.
typedef struct tgWay {
    double slope; ///< of the volume along it
    float sign;   ///< whether volume is wanted or to be lost
} tgWay;

static void tgMakeWay(float* weight, float* slope, float span, void* user)
{
    tgWay* way = user;
    float gradient = *slope;
    float step = span > 0.0f ? gradient / (span * span) : 0.0f; // the constant target stays
    bool isAtEnd = way->sign * step > 0.0f ? *weight >= 1.0f : *weight <= 0.0f;
    step = isAtEnd ? 0.0f : step;
    way->slope += (double)gradient * (double)step;
    *slope = step;
}

static void tgGoWay(float* weight, float* slope, float span, void* user)
{
    (void)span;
    *weight = fminf(fmaxf(*weight + *(const float*)user * *slope, 0.0f), 1.0f);
}

/// t with V(positions + t shift) = wanted; secants from the slope at 0.
static double tgSolveAlong(tgPlayback* play, double volume, double slope, double wanted)
{
    const tgMesh* mesh = play->clips->mesh;
    size_t count = 4 * (size_t)mesh->vertexCount;
    double last = 0.0, lastGap = volume - wanted;
    double t = -lastGap / slope;
    double best = 0.0, bestGap = fabs(lastGap);
    for (int i = 0; i < tg_mostSecants; ++i) {
        for (size_t k = 0; k < count; ++k) {
            play->tried[k] = play->positions[k] + (float)t * play->shift[k];
        }
        tgPlaceCapCenters(mesh, play->tried);
        double gap = tgVolume(mesh, play->tried) - wanted;
        if (!(fabs(gap) < bestGap)) {
            break; // nothing but rounding is left
        }
        best = t;
        bestGap = fabs(gap);
        if (bestGap <= 0.1 * tg_sameVolume * fabs(wanted)) {
            break;
        }
        double next = t - gap * (t - last) / (gap - lastGap);
        last = t;
        lastGap = gap;
        t = next;
    }
    return best;
}

/// How the welded surface moves as weights go their way.
static void tgShowWay(tgPlayback* play)
{
    const tgMesh* mesh = play->clips->mesh;
    tgSumTargets(play, true, play->way);
    for (int i = 0; i < mesh->vertexCount; ++i) {
        int v = mesh->vertexToRender[i];
        tgMat34 blend = tgClips_Blend(play->clips, play->sample, v);
        tgVec3 way = tgMulMatDirection(&blend, play->way[v]);
        memcpy(play->shift + 4 * (size_t)i, &way, sizeof(way));
    }
}

/// The volume as the sample's weights have it.
static double tgMeasureSample(tgPlayback* play)
{
    tgSumTargets(play, false, play->moved);
    tgShowSurface(play, play->positions);
    return tgVolume(play->clips->mesh, play->positions);
}

static void tgKeepVolume(tgPlayback* play, int rounds)
{
    double wanted = play->clips->volumes[play->sample];
    double volume = tgMeasureSample(play);
    for (int round = 0; round < rounds; ++round) {
        if (wanted == 0.0 || fabs(volume - wanted) <= tg_sameVolume * fabs(wanted)) {
            break;
        }
        tgFindSlopes(play);
        tgWay way = {.sign = volume < wanted ? 1.0f : -1.0f};
        tgForWeights(play, tgMakeWay, &way);
        if (!(way.slope > 0.0)) {
            break;
        }
        tgShowWay(play);
        float t = (float)tgSolveAlong(play, volume, way.slope, wanted);
        if (!isfinite(t)) {
            break;
        }
        tgForWeights(play, tgGoWay, &t);
        volume = tgMeasureSample(play);
    }
    play->fitted->volumeErrors[play->sample] = wanted != 0.0 ? volume / wanted - 1.0 : 0.0;
}

static void tgRelateSlope(float* weight, float* slope, float span, void* user)
{
    (void)weight;
    (void)span;
    *slope = (float)((double)*slope / *(const double*)user);
}

/// How far the sample is off, and how its volume depends on the weights.
static void tgMeasureRest(tgPlayback* play)
{
    const tgClips* clips = play->clips;
    size_t row = (size_t)play->sample * (size_t)clips->viewer->vertexCount;
    float worst = 0.0f;
    double squares = 0.0;
    for (int v = 0; v < clips->viewer->vertexCount; ++v) {
        tgMat34 blend = tgClips_Blend(clips, play->sample, v);
        tgVec3 off = tgSub(play->moved[v], clips->offsets[row + (size_t)v]);
        float error = tgLength(tgMulMatDirection(&blend, off));
        worst = error > worst ? error : worst;
        squares += (double)error * (double)error;
    }
    play->fitted->errors[play->sample] = worst / clips->diagonal;
    play->fitted->squares[play->sample] = squares;
    double wanted = clips->volumes[play->sample];
    tgFindSlopes(play);
    double unit = wanted != 0.0 ? wanted : (double)INFINITY;
    tgForWeights(play, tgRelateSlope, &unit);
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
    tgPlayback play = {.clips = task->clips, .meshes = task->meshes, .fitted = task->fitted};
    bool good = tgOpenPlayback(&play);
    for (int s = begin; s < end; ++s) {
        task->hasRunOut[s] = !good;
        if (good) {
            play.sample = s;
            play.shape = tgClips_GetShape(task->clips, s, play.shapeScratch);
            tgKeepVolume(&play, task->rounds);
            tgMeasureRest(&play);
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
    if (good && clips->parallel.run != NULL) {
        clips->parallel.run(tgKeepSamples, count, 1, &task, clips->parallel.user);
    } else if (good) {
        tgKeepSamples(0, count, &task);
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
