// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// An island without a bone of its own, or one that no bone reached, that lies all along on the skin
// of an island with bones takes the weights of the nearest place there: weights of its own would
// let it sink in or float off as soon as the skin bends.

#include "bind/follow.h"

#include "core/bvh.h"

#include <string.h>

/// As far from the skin, as a fraction of the diagonal, an island still lies on it.
static const double tg_followReach = 0.03;

/// Which islands have a bone of their own that reached them.
static bool tgFindCarriers(const tgVoxels* voxels, const tgBones* bones, const bool* isReached,
                           tgScratch* scratch, bool* isCarrier)
{
    const tgBody* body = voxels->body;
    const tgMesh* mesh = &body->mesh;
    int* windings = tgScratch_Take(scratch, (size_t)mesh->componentCount, sizeof(int));
    bool* isMet = tgScratch_Take(scratch, (size_t)mesh->componentCount, sizeof(bool));
    if (scratch->failed) {
        return false;
    }
    for (int v = 0; v < body->vertexCount; ++v) {
        isMet[mesh->vertexComponent[v]] |= isReached[v] && !tgBody_IsLoose(body, v);
    }
    for (int b = 0; b < bones->boneCount; ++b) {
        const tgBone* bone = &bones->bones[b];
        memset(windings, 0, (size_t)mesh->componentCount * sizeof(int));
        tgCountIslandWindings(body, tgLerp(bone->from, bone->to, 0.5f), windings);
        for (int c = 0; c < mesh->componentCount; ++c) {
            isCarrier[c] |= windings[c] != 0 && isMet[c];
        }
    }
    return true;
}

/// The weights at a place of the skin, in place of a vertex's own.
static void tgCopyWeights(const tgClosestPoint* place, const int* triangles, tgWeights* weights,
                          int v)
{
    enum { tg_room = 3 * 17 };
    int joints[tg_room], count = 0;
    float sums[tg_room];
    for (int k = 0; k < 3; ++k) {
        int corner = triangles[3 * (size_t)place->triangle + (size_t)k];
        size_t start = (size_t)corner * (size_t)weights->perVertex;
        for (int i = 0; i < weights->counts[corner]; ++i) {
            int joint = weights->joints[start + (size_t)i];
            int at = 0;
            while (at < count && joints[at] != joint) {
                at += 1;
            }
            if (at == count) {
                joints[at] = joint;
                sums[at] = 0.0f;
                count += 1;
            }
            sums[at] += (float)place->weights[k] * weights->weights[start + (size_t)i];
        }
    }
    weights->counts[v] = 0;
    for (int i = 0; i < count; ++i) {
        tgWeights_Add(weights, v, joints[i], sums[i]);
    }
}

/// The skin of the carriers as one surface, with its tree; false without memory.
static bool tgGatherSkin(const tgBody* body, const bool* isCarrier, tgScratch* scratch,
                         tgSurface* skin, tgBvh* tree)
{
    int* triangles = tgScratch_Take(scratch, 3 * (size_t)body->realCount, sizeof(int));
    if (scratch->failed) {
        return false;
    }
    int count = 0;
    for (int t = 0; t < body->realCount; ++t) {
        const int* c = body->triangles + 3 * (size_t)t;
        if (isCarrier[body->mesh.vertexComponent[c[0]]]) {
            memcpy(triangles + 3 * (size_t)count++, c, 3 * sizeof(int));
        }
    }
    *skin = (tgSurface){{&body->positions->x, body->vertexCount, sizeof(tgVec3)}, triangles, count};
    void* memory = tgScratch_Take(scratch, tgBvh_GetSize(count) + 1, 1);
    if (scratch->failed) {
        return false;
    }
    tgBvh_Build(tree, skin, memory);
    return true;
}

int tgFollowSkin(const tgVoxels* voxels, const tgBones* bones, tgScratch* scratch, bool* isReached,
                 tgWeights* weights)
{
    const tgBody* body = voxels->body;
    const tgMesh* mesh = &body->mesh;
    if (mesh->componentCount < 2) {
        return 0;
    }
    size_t islands = (size_t)mesh->componentCount;
    bool* isCarrier = tgScratch_Take(scratch, islands, sizeof(bool));
    bool* isFar = tgScratch_Take(scratch, islands, sizeof(bool));
    bool* isCounted = tgScratch_Take(scratch, islands, sizeof(bool));
    tgClosestPoint* places =
        tgScratch_Take(scratch, (size_t)body->vertexCount, sizeof(tgClosestPoint));
    tgSurface skin;
    tgBvh tree;
    if (scratch->failed || !tgFindCarriers(voxels, bones, isReached, scratch, isCarrier) ||
        !tgGatherSkin(body, isCarrier, scratch, &skin, &tree)) {
        return -1;
    }
    double reach = tg_followReach * (double)body->diagonal;
    for (int v = 0; v < body->vertexCount; ++v) {
        int island = mesh->vertexComponent[v];
        if (isCarrier[island] || isFar[island]) {
            continue;
        }
        isFar[island] = tgBody_IsLoose(body, v) ||
                        !tgBvh_FindClosest(&tree, &skin, body->positions[v], reach, &places[v]);
    }
    int count = 0;
    for (int v = 0; v < body->vertexCount; ++v) {
        int island = mesh->vertexComponent[v];
        if (!isCarrier[island] && !isFar[island]) {
            tgCopyWeights(&places[v], skin.triangles, weights, v);
            isReached[v] = true;
            count += isCounted[island] ? 0 : 1;
            isCounted[island] = true;
        }
    }
    return count;
}
