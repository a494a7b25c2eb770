// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Skin weights as they come, to weights as the frame wants them: zeros dropped, a joint named twice
// counted once, heaviest first, and a float sum of exactly one in the order the skin stage adds.

#include "core/influence.h"

#include <math.h>

/// Weights may miss one by this much before it is an error: 8-bit weights of 13 joints do.
static const double tg_weightSumSlop = 0.03;
/// Summed difference below which two vertices count as bound alike; 8-bit rounding gives 0.01.
static const float tg_weightMatchSlop = 0.02f;

/// Insert into a list sorted by falling weight, then rising joint, or add to the joint's entry.
static int tgInsertInfluence(int* joints, float* weights, int count, int joint, float weight)
{
    for (int k = 0; k < count; ++k) {
        if (joints[k] == joint) {
            weight += weights[k];
            for (; k + 1 < count; ++k) {
                joints[k] = joints[k + 1];
                weights[k] = weights[k + 1];
            }
            count -= 1;
            break;
        }
    }
    int at = count;
    while (at > 0 &&
           (weights[at - 1] < weight || (weights[at - 1] == weight && joints[at - 1] > joint))) {
        joints[at] = joints[at - 1];
        weights[at] = weights[at - 1];
        at -= 1;
    }
    joints[at] = joint;
    weights[at] = weight;
    return count + 1;
}

/// Scale to sum one, then nudge one weight until the float sum, taken as the kernels do, is one:
/// a character in its bind pose then comes back to the bit.
static void tgNormalizeWeights(float* weights, int count, double sum)
{
    for (int k = 0; k < count; ++k) {
        weights[k] = (float)((double)weights[k] / sum);
    }
    for (int round = 0; round < 8; ++round) {
        float total = 0.0f;
        for (int group = 0; group < count; group += 4) {
            float part = weights[group];
            for (int k = group + 1; k < count && k < group + 4; ++k) {
                part += weights[k];
            }
            total += part;
        }
        if (total == 1.0f) {
            break;
        }
        // The lightest has the finest steps; the heaviest can always give.
        int k = weights[count - 1] + (1.0f - total) > 0.0f && round % 4 != 3 ? count - 1 : 0;
        weights[k] += 1.0f - total;
    }
}

static tgResult tgCleanVertex(const tgRigDef* def, int v, int* joints, float* weights, int* count,
                              tgError* error)
{
    const size_t first = (size_t)v * (size_t)def->influencesPerVertex;
    double sum = 0.0;
    *count = 0;
    for (int k = 0; k < def->influencesPerVertex; ++k) {
        int joint = def->influenceJoints[first + (size_t)k];
        float weight = def->influenceWeights[first + (size_t)k];
        if (!(weight >= 0.0f) || !isfinite(weight)) {
            return tgFail(error, tg_invalidMesh, v,
                          "vertex %d has weight %g for joint %d, wanted 0 to 1", v, (double)weight,
                          joint);
        }
        if (weight == 0.0f) {
            continue;
        }
        if (joint < 0 || joint >= def->jointCount) {
            return tgFail(error, tg_invalidMesh, v,
                          "vertex %d follows joint %d, the skeleton has %d joints", v, joint,
                          def->jointCount);
        }
        sum += (double)weight;
        *count = tgInsertInfluence(joints, weights, *count, joint, weight);
    }
    if (!(fabs(sum - 1.0) <= tg_weightSumSlop)) {
        return tgFail(error, tg_invalidMesh, v, "vertex %d has weights that sum to %.4g, wanted 1",
                      v, sum);
    }
    tgNormalizeWeights(weights, *count, sum);
    return tg_success;
}

tgResult tgMakeInfluences(const tgRigDef* def, tgScratch* scratch, tgInfluences* influences,
                          tgError* error)
{
    const int vertexCount = def->restPositions.count;
    const size_t room = (size_t)vertexCount * (size_t)def->influencesPerVertex;
    influences->vertexCount = vertexCount;
    influences->most = 0;
    influences->start = tgScratch_Take(scratch, (size_t)vertexCount + 1, sizeof(int));
    influences->joints = tgScratch_Take(scratch, room, sizeof(int));
    influences->weights = tgScratch_Take(scratch, room, sizeof(float));
    if (scratch->failed) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for the skin weights");
    }
    int used = 0;
    for (int v = 0; v < vertexCount; ++v) {
        int count = 0;
        tgResult result = tgCleanVertex(def, v, influences->joints + used,
                                        influences->weights + used, &count, error);
        if (result != tg_success) {
            return result;
        }
        influences->start[v] = used;
        influences->most = count > influences->most ? count : influences->most;
        used += count;
    }
    influences->start[vertexCount] = used;
    return tg_success;
}

bool tgInfluences_Match(const tgInfluences* influences, int a, int b)
{
    const int* start = influences->start;
    float shared = 0.0f;
    for (int i = start[a]; i < start[a + 1]; ++i) {
        for (int k = start[b]; k < start[b + 1]; ++k) {
            if (influences->joints[i] == influences->joints[k]) {
                shared += fminf(influences->weights[i], influences->weights[k]);
                break;
            }
        }
    }
    // Both sum to one, so what they do not share is half their summed difference.
    return 2.0f * (1.0f - shared) <= tg_weightMatchSlop;
}

void tgInfluences_Place(const tgInfluences* built, tgLayout* layout, tgInfluences* placed)
{
    size_t count = (size_t)built->vertexCount, total = (size_t)built->start[count];
    *placed = *built;
    placed->start = tgPlaceArray(layout, built->start, count + 1, sizeof(int));
    placed->joints = tgPlaceArray(layout, built->joints, total, sizeof(int));
    placed->weights = tgPlaceArray(layout, built->weights, total, sizeof(float));
}
