// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// How far vertices step from one pose to the next: nothing jumps where no step stands out of those
// of its neighbours.
#ifndef TURGOR_TEST_STEPS_H
#define TURGOR_TEST_STEPS_H

#include "check.h"
#include "turgor/turgor.h"

/// The vertices that one shares a face with.
enum { tg_mostNeighbours = 32 };

typedef struct tgNeighbours {
    int count, vertices[tg_mostNeighbours];
} tgNeighbours;

typedef struct tgSteps {
    int vertexCount;
    const int* welded;    ///< borrowed: of each vertex the one that stands for its place
    tgNeighbours* around; ///< of each welded vertex
    tgVec3* before;
    float* lengths; ///< of the last step
} tgSteps;

static inline int tgCompareFloats(const void* a, const void* b)
{
    float x = *(const float*)a, y = *(const float*)b;
    return (x > y) - (x < y);
}

/// Sorts the values; of two in the middle the mean.
static inline float tgFindMedian(float* values, int count)
{
    qsort(values, (size_t)count, sizeof(float), tgCompareFloats);
    return 0.5f * (values[count / 2] + values[(count - 1) / 2]);
}

static inline void tgAddNeighbour(tgSteps* steps, int v, int other)
{
    tgNeighbours* around = &steps->around[steps->welded[v]];
    bool isKnown = steps->welded[v] == steps->welded[other];
    for (int i = 0; i < around->count; ++i) {
        isKnown |= steps->welded[around->vertices[i]] == steps->welded[other];
    }
    if (!isKnown) {
        assert_true(around->count < tg_mostNeighbours);
        around->vertices[around->count++] = other;
    }
}

/// @param faceCount the first faces of the definition, which has their sizes
static inline tgSteps tgOpenSteps(const tgRig* rig, const tgRigDef* def, int faceCount)
{
    size_t count = (size_t)def->restPositions.count;
    tgSteps steps = {.vertexCount = (int)count,
                     .welded = tgRig_GetWeldedVertices(rig),
                     .around = calloc(count, sizeof(tgNeighbours)),
                     .before = calloc(count, sizeof(tgVec3)),
                     .lengths = calloc(count, sizeof(float))};
    const int* face = def->faceVertices;
    for (int f = 0; f < faceCount; face += def->faceSizes[f++]) {
        for (int k = 0; k < def->faceSizes[f]; ++k) {
            for (int m = 0; m < def->faceSizes[f]; ++m) {
                tgAddNeighbour(&steps, face[k], face[m]);
            }
        }
    }
    return steps;
}

static inline void tgCloseSteps(tgSteps* steps)
{
    free(steps->around);
    free(steps->before);
    free(steps->lengths);
}

/// The skin goes on to other positions.
/// @return the longest step
static inline float tgSteps_Take(tgSteps* steps, const tgVec3* positions)
{
    float longest = 0.0f;
    for (int v = 0; v < steps->vertexCount; ++v) {
        steps->lengths[v] = tgDistance(positions[v], steps->before[v]);
        steps->before[v] = positions[v];
        longest = fmaxf(longest, steps->lengths[v]);
    }
    return longest;
}

/// The largest step of a vertex over the median of its neighbours'.
/// @param least steps that are shorter cannot be seen; they do not divide
static inline double tgSteps_FindJump(const tgSteps* steps, float least)
{
    double worst = 0.0;
    for (int v = 0; v < steps->vertexCount; ++v) {
        const tgNeighbours* around = &steps->around[steps->welded[v]];
        if (around->count == 0 || (double)steps->lengths[v] <= worst * (double)least) {
            continue;
        }
        float near[tg_mostNeighbours];
        for (int i = 0; i < around->count; ++i) {
            near[i] = steps->lengths[around->vertices[i]];
        }
        float median = tgFindMedian(near, around->count);
        worst = fmax(worst, (double)(steps->lengths[v] / fmaxf(median, least)));
    }
    return worst;
}

#endif
