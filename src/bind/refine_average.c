// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What belongs to vertices, carried to those that a refinement added.

#include "core/core.h"
#include "turgor/refine.h"

#include <stdlib.h>
#include <string.h>

static void tgApplyMasks(const tgRefinement* refinement, const float* values, int width,
                         float* refined)
{
    for (int v = 0; v < refinement->vertexCount; ++v) {
        const tgMaskEntry* mask = refinement->maskEntries + refinement->maskStarts[v];
        int count = refinement->maskStarts[v + 1] - refinement->maskStarts[v];
        for (int k = 0; k < width; ++k) {
            double sum = 0.0;
            for (int i = 0; i < count; ++i) {
                size_t from = (size_t)mask[i].vertex * (size_t)width + (size_t)k;
                sum += (double)mask[i].weight * (double)values[from];
            }
            refined[(size_t)v * (size_t)width + (size_t)k] = (float)sum;
        }
    }
}

void tgRefinement_Average(const tgRefinement* refinement, bool isPlace, const float* values,
                          int width, float* refined)
{
    if (isPlace && refinement->maskStarts != NULL) {
        tgApplyMasks(refinement, values, width, refined);
        return;
    }
    const tgVertexMean* means = isPlace ? refinement->placeMeans : refinement->means;
    size_t coarseCount = (size_t)refinement->coarseVertexCount, count = (size_t)width;
    memmove(refined, values, coarseCount * count * sizeof(float));
    for (size_t i = 0; i + coarseCount < (size_t)refinement->vertexCount; ++i) {
        float* mean = refined + (coarseCount + i) * count;
        for (size_t k = 0; k < count; ++k) {
            double sum = 0.0;
            for (int n = 0; n < 4; ++n) {
                sum += (double)means[i].weights[n] *
                       (double)refined[(size_t)means[i].vertices[n] * count + k];
            }
            mean[k] = (float)sum;
        }
    }
}

/// A joint and its weight in a list that is sorted later.
typedef struct tgInfluence {
    int joint;
    double weight;
} tgInfluence;

/// Heaviest first, then by joint, so that equal ones do not depend on the order they came in.
static int tgCompareInfluences(const void* left, const void* right)
{
    const tgInfluence *a = left, *b = right;
    if (a->weight != b->weight) {
        return a->weight > b->weight ? -1 : 1;
    }
    return (a->joint > b->joint) - (a->joint < b->joint);
}

static int tgAddInfluence(tgInfluence* list, int count, int joint, double weight)
{
    for (int k = 0; k < count; ++k) {
        if (list[k].joint == joint) {
            list[k].weight += weight;
            return count;
        }
    }
    list[count] = (tgInfluence){joint, weight};
    return count + 1;
}

/// All influences of a mask; their count.
/// @param list room for as many as all of its vertices have
static int tgGatherInfluences(const tgMaskEntry* mask, int maskCount, int perVertex,
                              const int* joints, const float* weights, tgInfluence* list)
{
    int count = 0;
    for (int n = 0; n < maskCount; ++n) {
        size_t first = (size_t)mask[n].vertex * (size_t)perVertex;
        for (int k = 0; k < perVertex && mask[n].weight > 0.0f; ++k) {
            double weight = (double)mask[n].weight * (double)weights[first + (size_t)k];
            if (weight > 0.0) {
                count = tgAddInfluence(list, count, joints[first + (size_t)k], weight);
            }
        }
    }
    return count;
}

/// The heaviest, scaled to the sum 1; what is not needed has weight 0.
static void tgKeepHeaviest(tgInfluence* list, int count, int perVertex, int* joints, float* weights)
{
    qsort(list, (size_t)count, sizeof(*list), tgCompareInfluences);
    int kept = count < perVertex ? count : perVertex;
    double sum = 0.0;
    for (int k = 0; k < kept; ++k) {
        sum += list[k].weight;
    }
    for (int k = 0; k < perVertex; ++k) {
        joints[k] = k < kept ? list[k].joint : 0;
        weights[k] = k < kept ? (float)(list[k].weight / sum) : 0.0f;
    }
}

tgResult tgRefinement_AverageInfluences(const tgRefinement* refinement, int influencesPerVertex,
                                        const int* joints, const float* weights, int* refinedJoints,
                                        float* refinedWeights, tgError* error)
{
    if (influencesPerVertex < 1 || joints == NULL || weights == NULL) {
        return tgFail(error, tg_invalidArgument, -1, "there are no skin weights to carry over");
    }
    size_t perVertex = (size_t)influencesPerVertex;
    size_t coarseCount = (size_t)refinement->coarseVertexCount;
    const int* starts = refinement->maskStarts;
    int longest = 4;
    for (int v = 0; v < refinement->vertexCount && starts != NULL; ++v) {
        longest = starts[v + 1] - starts[v] > longest ? starts[v + 1] - starts[v] : longest;
    }
    tgInfluence* list = calloc((size_t)longest * perVertex, sizeof(*list));
    if (list == NULL) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for %d influences",
                      influencesPerVertex);
    }
    memcpy(refinedJoints, joints, coarseCount * perVertex * sizeof(int));
    memcpy(refinedWeights, weights, coarseCount * perVertex * sizeof(float));
    for (size_t v = starts != NULL ? 0 : coarseCount; v < (size_t)refinement->vertexCount; ++v) {
        size_t first = v * perVertex;
        tgMaskEntry four[4];
        const tgMaskEntry* mask = four;
        int maskCount = 4;
        for (int n = 0; n < 4 && v >= coarseCount; ++n) {
            const tgVertexMean* mean = &refinement->placeMeans[v - coarseCount];
            four[n] = (tgMaskEntry){mean->vertices[n], mean->weights[n]};
        }
        if (starts != NULL) {
            mask = refinement->maskEntries + starts[v];
            maskCount = starts[v + 1] - starts[v];
        }
        if (maskCount == 1 && v < coarseCount) {
            continue; // as it was
        }
        int count = tgGatherInfluences(mask, maskCount, influencesPerVertex, joints, weights, list);
        tgKeepHeaviest(list, count, influencesPerVertex, refinedJoints + first,
                       refinedWeights + first);
    }
    free(list);
    return tg_success;
}
