// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A vertex belongs to the chains whose surface is near it, and within a chain to the bones beside
// it: a smooth step over `ramp` at each joint, by the arc length of the nearest bone point. So a
// belly follows the spine and one leg never feels the other, however close they are. A few passes
// of averaging over the mesh take out what is left of corners.

#include "models/skin_weights.h"

#include "core/core.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

enum { tg_smoothPassCount = 3 };

/// A chain's bones, on one of its two sides.
typedef struct tgBoneLine {
    int jointCount;
    int joints[tg_maxChainJoints];
    tgVec3 points[tg_maxChainJoints + 1]; ///< the joints, then the tail
    float lengths[tg_maxChainJoints];     ///< arc length from the first joint to each
    float ramp;
} tgBoneLine;

static tgBoneLine tgMakeBoneLine(const tgChainDef* def, const tgModelSkeleton* skeleton, bool twin)
{
    tgBoneLine line = {.ramp = def->ramp};
    float length = 0.0f;
    for (int i = 0; i < tg_maxChainJoints && def->joints[i] != NULL; ++i) {
        int j = tgModelSkeleton_Find(skeleton, def->joints[i]);
        TG_ASSERT(j >= 0);
        j = twin ? skeleton->twins[j] : j;
        line.joints[i] = j;
        line.points[i] = skeleton->positions[j];
        length += i > 0 ? tgDistance(line.points[i], line.points[i - 1]) : 0.0f;
        line.lengths[i] = length;
        line.jointCount = i + 1;
    }
    int last = 0;
    while (last + 1 < tg_maxChainKeys && def->keys[last + 1].radius > 0.0f) {
        last += 1;
    }
    bool hasTail = tgDot(def->tail, def->tail) > 0.0f;
    tgVec3 tail = hasTail ? def->tail : def->keys[last].position;
    tail.x = twin ? -tail.x : tail.x;
    line.points[line.jointCount] = tail;
    return line;
}

/// Arc length of the bone point nearest to p.
static float tgFindArcLength(const tgBoneLine* line, tgVec3 p)
{
    float best = FLT_MAX, at = 0.0f;
    for (int i = 0; i < line->jointCount; ++i) {
        tgVec3 along = tgSub(line->points[i + 1], line->points[i]);
        float length = tgLength(along);
        tgVec3 axis = tgNormalize(along, tgMakeVec3(0.0f, 0.0f, 0.0f));
        float t = fmaxf(0.0f, fminf(length, tgDot(tgSub(p, line->points[i]), axis)));
        float distance = tgDistance(p, tgMulAdd(line->points[i], t, axis));
        if (distance < best) {
            best = distance;
            at = line->lengths[i] + t;
        }
    }
    return at;
}

static float tgSmoothStep(float t)
{
    t = fmaxf(0.0f, fminf(1.0f, t));
    return t * t * (3.0f - 2.0f * t);
}

/// Add `share` of one to the joints of a line.
static void tgAddLineWeights(const tgBoneLine* line, tgVec3 p, float share, float* weights)
{
    float at = tgFindArcLength(line, p);
    // What is carried from joint i on; the difference of two neighbours is what i carries itself.
    float carried = share;
    for (int i = 0; i < line->jointCount; ++i) {
        float next = 0.0f;
        if (i + 1 < line->jointCount) {
            next = share * tgSmoothStep((at - line->lengths[i + 1]) / line->ramp + 0.5f);
            next = fminf(next, carried);
        }
        weights[line->joints[i]] += carried - next;
        carried = next;
    }
}

/// Both sides of all chains, and how far the vertex is from each.
typedef struct tgWeightTask {
    const tgField* field;
    const tgChainDef* chains;
    tgBoneLine* lines; ///< two for each chain; the second has no joints when there is no twin
    float* distances;  ///< two for each chain
} tgWeightTask;

static void tgWeighVertex(const tgWeightTask* task, tgVec3 p, float* weights)
{
    int lineCount = 2 * task->field->chainCount;
    tgVec3 mirrored = tgMakeVec3(-p.x, p.y, p.z);
    float nearest = FLT_MAX;
    for (int i = 0; i < lineCount; ++i) {
        task->distances[i] = FLT_MAX;
        if (task->lines[i].jointCount > 0) {
            tgVec3 at = (i & 1) != 0 ? mirrored : p;
            task->distances[i] = tgField_SampleChain(task->field, i / 2, at, 1e18f).value;
            nearest = fminf(nearest, task->distances[i]);
        }
    }
    float shareSum = 0.0f;
    for (int pass = 0; pass < 2; ++pass) {
        for (int i = 0; i < lineCount; ++i) {
            float reach = task->chains[i / 2].reach;
            float share = tgSmoothStep(1.0f - (task->distances[i] - nearest) / reach);
            if (share <= 0.0f || task->lines[i].jointCount == 0) {
                continue;
            }
            if (pass == 0) {
                shareSum += share;
            } else {
                tgAddLineWeights(&task->lines[i], p, share / shareSum, weights);
            }
        }
    }
}

static void tgSmoothWeights(const tgNeighbors* neighbors, int vertexCount, int jointCount,
                            const float* weights, float* smoothed)
{
    for (int v = 0; v < vertexCount; ++v) {
        float* out = &smoothed[(size_t)v * (size_t)jointCount];
        const float* own = &weights[(size_t)v * (size_t)jointCount];
        int begin = neighbors->start[v], end = neighbors->start[v + 1];
        float scale = 0.5f / (float)(end - begin);
        for (int j = 0; j < jointCount; ++j) {
            out[j] = 0.5f * own[j];
        }
        for (int k = begin; k < end; ++k) {
            const float* other = &weights[(size_t)neighbors->list[k] * (size_t)jointCount];
            for (int j = 0; j < jointCount; ++j) {
                out[j] += scale * other[j];
            }
        }
    }
}

/// Keep the largest. Taking the first weight that is left out from the others, too, makes them fade
/// to nothing where the order changes, instead of jumping.
static void tgPruneWeights(const float* weights, int jointCount, int* influenceJoints,
                           float* influenceWeights)
{
    int joints[tg_modelInfluenceCount + 1] = {0};
    float best[tg_modelInfluenceCount + 1] = {0.0f};
    for (int j = 0; j < jointCount; ++j) {
        int joint = j;
        float w = weights[j];
        for (int k = 0; k <= tg_modelInfluenceCount; ++k) {
            if (w > best[k]) {
                float lastWeight = best[k];
                int lastJoint = joints[k];
                best[k] = w;
                joints[k] = joint;
                w = lastWeight;
                joint = lastJoint;
            }
        }
    }
    // Below a thousandth nothing is seen; dropping it keeps limbs that do not touch apart.
    float cut = fmaxf(best[tg_modelInfluenceCount], fminf(1e-3f, 0.5f * best[0]));
    double sum = 0.0;
    for (int k = 0; k < tg_modelInfluenceCount; ++k) {
        best[k] = fmaxf(0.0f, best[k] - cut);
        sum += (double)best[k];
    }
    for (int k = 0; k < tg_modelInfluenceCount; ++k) {
        influenceWeights[k] = (float)((double)best[k] / sum);
        influenceJoints[k] = influenceWeights[k] > 0.0f ? joints[k] : 0;
    }
}

static bool tgPrepareTask(tgWeightTask* task, const tgModelSkeleton* skeleton)
{
    int chainCount = task->field->chainCount;
    task->lines = calloc(2 * (size_t)chainCount, sizeof(tgBoneLine));
    task->distances = calloc(2 * (size_t)chainCount, sizeof(float));
    if (task->lines == NULL || task->distances == NULL) {
        return false;
    }
    for (int c = 0; c < chainCount; ++c) {
        task->lines[2 * c] = tgMakeBoneLine(&task->chains[c], skeleton, false);
        if (task->chains[c].mirrored) {
            task->lines[2 * c + 1] = tgMakeBoneLine(&task->chains[c], skeleton, true);
        }
    }
    return true;
}

bool tgComputeModelWeights(const tgQuadMesh* mesh, const tgNeighbors* neighbors,
                           const tgField* field, const tgChainDef* chains,
                           const tgModelSkeleton* skeleton, int* influenceJoints,
                           float* influenceWeights)
{
    size_t jointCount = (size_t)skeleton->jointCount;
    float* weights = calloc((size_t)mesh->vertexCount * jointCount, sizeof(float));
    float* smoothed = calloc((size_t)mesh->vertexCount * jointCount, sizeof(float));
    tgWeightTask task = {.field = field, .chains = chains};
    bool ok = tgPrepareTask(&task, skeleton) && weights != NULL && smoothed != NULL;
    if (ok) {
        for (int v = 0; v < mesh->vertexCount; ++v) {
            tgWeighVertex(&task, mesh->positions[v], &weights[(size_t)v * jointCount]);
        }
        for (int pass = 0; pass < tg_smoothPassCount; ++pass) {
            tgSmoothWeights(neighbors, mesh->vertexCount, skeleton->jointCount, weights, smoothed);
            float* swap = weights;
            weights = smoothed;
            smoothed = swap;
        }
        for (int v = 0; v < mesh->vertexCount; ++v) {
            size_t first = (size_t)v * tg_modelInfluenceCount;
            tgPruneWeights(&weights[(size_t)v * jointCount], skeleton->jointCount,
                           &influenceJoints[first], &influenceWeights[first]);
        }
    }
    free(weights);
    free(smoothed);
    free(task.lines);
    free(task.distances);
    return ok;
}
