// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Weights by distance (Rohmer, Hahmann, Cani 2008): w = (1 / d)^a over the bones that a vertex
// sees, made to sum 1. A bone is seen when the way to it stays inside: no face lies between, or,
// cheaper, it leaves against the normal. A part that sees no bone, such as a horn, follows one
// joint as a whole: vertex by vertex would tear it.

#include "bind/distance_weights.h"

#include "bind/sight.h"
#include "core/core.h"

#include <math.h>

/// Distances are at least this fraction of the diagonal.
static const float tg_leastBoneDistance = 1e-6f;
/// A ray this near to the normal, 45 degrees, leaves the body. The paper has "too small" an angle;
/// in creases normals lean over, and 90 degrees would hide a vertex's own bone.
static const float tg_escapeCosine = 0.7071068f;
/// Bones with less than this part of the nearest one's weight are left out.
static const float tg_leastShare = 1e-4f;

/// (1 / d)^a, or (l / d)^a as published, in units of the body's diagonal.
static float tgWeigh(const tgBindDef* def, const tgBody* body, const tgBoneWay* way)
{
    float distance = fmaxf(tgBoneWay_Claim(way) / body->diagonal, tg_leastBoneDistance);
    float reach =
        def->useBoneLength ? fmaxf(way->boneLength / body->diagonal, tg_leastBoneDistance) : 1.0f;
    return powf(reach / distance, def->falloff);
}

static bool tgSees(const tgBindDef* def, const tgVoxels* voxels, int v, const tgBoneWay* way)
{
    tgVec3 p = voxels->body->positions[v];
    if (def->insideTest == tg_insideByNormal) {
        tgVec3 ray = tgSub(way->nearest, p);
        return tgDot(ray, voxels->body->normals[v]) <= tg_escapeCosine * tgLength(ray);
    }
    return tgIsClear(voxels, p, way->nearest, v);
}

/// The weights of one vertex, heaviest first; looks no further than they matter.
/// @param ways scratch for every joint
static void tgWeighVertex(const tgBindDef* def, const tgVoxels* voxels, const tgBones* bones, int v,
                          tgBoneWay* ways, float* strengths, tgWeights* weights)
{
    for (int j = 0; j < bones->jointCount; ++j) {
        ways[j] = tgBones_Measure(bones, j, voxels->body->positions[v]);
        strengths[j] = ways[j].distance < HUGE_VALF ? tgWeigh(def, voxels->body, &ways[j]) : 0.0f;
    }
    float heaviest = 0.0f;
    while (weights->counts[v] < weights->perVertex) {
        int best = 0;
        for (int j = 1; j < bones->jointCount; ++j) {
            best = strengths[j] > strengths[best] ? j : best;
        }
        float strength = strengths[best];
        if (!(strength > 0.0f) || strength < tg_leastShare * heaviest) {
            return;
        }
        strengths[best] = 0.0f;
        if (tgSees(def, voxels, v, &ways[best])) {
            heaviest = heaviest > 0.0f ? heaviest : strength;
            tgWeights_Add(weights, v, best, strength / heaviest);
        }
    }
}

static void tgNormalizeWeights(tgWeights* weights, int v)
{
    float* own = weights->weights + (size_t)v * (size_t)weights->perVertex;
    float sum = 0.0f;
    for (int k = 0; k < weights->counts[v]; ++k) {
        sum += own[k];
    }
    for (int k = 0; k < weights->counts[v]; ++k) {
        own[k] /= sum;
    }
}

/// Gathers the part of unreached vertices that `first` belongs to, and adds up the weights of the
/// reached ones round it.
/// @return how many vertices the part has
static int tgGatherPart(const tgBody* body, const tgWeights* weights, const bool* isReached,
                        bool* isDone, int first, int* part, float* sums)
{
    int count = 0;
    part[count++] = first;
    isDone[first] = true;
    for (int i = 0; i < count; ++i) {
        int v = part[i];
        for (int a = body->aroundStart[v]; a < body->aroundStart[v + 1]; ++a) {
            for (int k = 0; k < 3; ++k) {
                int other = body->triangles[3 * (size_t)body->around[a] + (size_t)k];
                if (!isReached[other] && !isDone[other]) {
                    isDone[other] = true;
                    part[count++] = other;
                }
                size_t start = (size_t)other * (size_t)weights->perVertex;
                for (int w = 0; isReached[other] && w < weights->counts[other]; ++w) {
                    sums[weights->joints[start + (size_t)w]] += weights->weights[start + (size_t)w];
                }
            }
        }
    }
    return count;
}

/// The joint that a part follows: the heaviest round it, or the nearest when nothing is round it.
static int tgChooseJoint(const tgBody* body, const tgBones* bones, const int* part, int count,
                         const float* sums)
{
    int best = -1;
    for (int j = 0; j < bones->jointCount; ++j) {
        if (sums[j] > 0.0f && (best < 0 || sums[j] > sums[best])) {
            best = j;
        }
    }
    float nearest = HUGE_VALF;
    for (int j = 0; best < 0 || nearest < HUGE_VALF; ++j) {
        if (j == bones->jointCount) {
            break;
        }
        for (int i = 0; i < count; ++i) {
            tgBoneWay way = tgBones_Measure(bones, j, body->positions[part[i]]);
            if (way.distance < nearest) {
                nearest = way.distance;
                best = j;
            }
        }
    }
    return best;
}

tgResult tgWeighDistances(const tgBindDef* def, const tgVoxels* voxels, const tgBones* bones,
                          const tgProgress* progress, tgScratch* scratch, tgWeights* weights,
                          bool* isReached, tgError* error)
{
    const tgBody* body = voxels->body;
    size_t jointCount = (size_t)bones->jointCount;
    tgBoneWay* ways = tgScratch_Take(scratch, jointCount, sizeof(tgBoneWay));
    float* strengths = tgScratch_Take(scratch, jointCount, sizeof(float));
    float* sums = tgScratch_Take(scratch, jointCount, sizeof(float));
    int* part = tgScratch_Take(scratch, (size_t)body->vertexCount, sizeof(int));
    bool* isDone = tgScratch_Take(scratch, (size_t)body->vertexCount, sizeof(bool));
    if (scratch->failed) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for the weights");
    }
    for (int v = 0; v < body->vertexCount; ++v) {
        if (v % 1024 == 0) {
            tgTellProgress(progress, "weights", v, body->vertexCount);
        }
        if (!tgBody_IsLoose(body, v)) {
            tgWeighVertex(def, voxels, bones, v, ways, strengths, weights);
        }
        tgNormalizeWeights(weights, v);
        isReached[v] = weights->counts[v] > 0;
    }
    for (int v = 0; v < body->vertexCount; ++v) {
        if (isReached[v] || isDone[v]) {
            continue;
        }
        for (size_t j = 0; j < jointCount; ++j) {
            sums[j] = 0.0f;
        }
        int count = tgGatherPart(body, weights, isReached, isDone, v, part, sums);
        int joint = tgChooseJoint(body, bones, part, count, sums);
        for (int i = 0; i < count; ++i) {
            tgWeights_Add(weights, part[i], joint, 1.0f);
        }
    }
    return tg_success;
}
