// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Stage 2 of the frame: the blend of every vertex. Any number of influences, in groups of four.
// For dual quaternions the joints that meet in a vertex are known beforehand, so each pair of a
// vertex's heaviest joint and another gets a palette entry of its own with the right sign, and the
// inner loop has no test for antipodal quaternions left.

#include "core/skin.h"

#include <string.h>

/// Pairs found so far, in a hash table with open addressing.
typedef struct tgPairTable {
    int* slots; ///< pair index + 1, 0 when free
    uint32_t mask;
    tgJointPair* pairs;
    int count;
} tgPairTable;

enum { tg_mostPairs = 65535 };

/// Index of the pair, new or old; -1 when there are too many.
static int tgFindPair(tgPairTable* table, int pivot, int joint)
{
    uint32_t h = (uint32_t)pivot * 0x9e3779b1u ^ (uint32_t)joint * 0x85ebca77u;
    for (uint32_t at = (h ^ h >> 15) & table->mask;; at = (at + 1) & table->mask) {
        int found = table->slots[at] - 1;
        if (found < 0) {
            if (table->count == tg_mostPairs) {
                return -1;
            }
            table->pairs[table->count] = (tgJointPair){pivot, joint};
            table->slots[at] = ++table->count;
            return table->count - 1;
        }
        if (table->pairs[found].pivot == pivot && table->pairs[found].joint == joint) {
            return found;
        }
    }
}

/// Groups of one element. The padding repeats the heaviest joint with weight 0.
static bool tgFillGroups(tgSkin* skin, const tgInfluences* influences, int render, int group,
                         tgPairTable* table)
{
    int begin = influences->start[render], count = influences->start[render + 1] - begin;
    int pivot = influences->joints[begin];
    int room = (count + 3) / 4 * 4;
    for (int k = 0; k < room; ++k) {
        int joint = k < count ? influences->joints[begin + k] : pivot;
        skin->weights[4 * group + k] = k < count ? influences->weights[begin + k] : 0.0f;
        skin->joints[4 * group + k] = (uint16_t)joint;
        if (skin->pairs != NULL) {
            int pair = tgFindPair(table, pivot, joint);
            if (pair < 0) {
                return false;
            }
            skin->pairs[4 * group + k] = (uint16_t)pair;
        }
    }
    return true;
}

/// The render vertex an element shows. Padding shows the first vertex: any valid one will do.
static int tgElementToRender(const tgMesh* mesh, const tgSkin* skin, const int* extraVertices,
                             int extraCount, int element)
{
    int v = element < mesh->vertexCount ? element : 0;
    if (element >= skin->extraStart && element < skin->extraStart + extraCount) {
        v = extraVertices[element - skin->extraStart];
    }
    return mesh->vertexToRender[v];
}

static bool tgTakeArrays(const tgRigDef* def, const tgInfluences* influences, tgScratch* scratch,
                         tgSkin* skin, tgPairTable* table)
{
    size_t elements = (size_t)skin->elementCount;
    size_t room = elements * (size_t)((influences->most + 3) / 4) * 4;
    skin->groupStart = tgScratch_Take(scratch, elements + 1, sizeof(int));
    skin->rest = tgScratch_Take(scratch, 4 * elements, sizeof(float));
    skin->weights = tgScratch_Take(scratch, room, sizeof(float));
    skin->joints = tgScratch_Take(scratch, room, sizeof(uint16_t));
    if (def->skinning != tg_linear) {
        table->mask = 0x3ffff; // four times tg_mostPairs: the table never fills
        table->slots = tgScratch_Take(scratch, (size_t)table->mask + 1, sizeof(int));
        table->pairs = tgScratch_Take(scratch, tg_mostPairs, sizeof(tgJointPair));
        skin->pairs = tgScratch_Take(scratch, room, sizeof(uint16_t));
        skin->pairList = table->pairs;
    }
    return !scratch->failed;
}

tgResult tgBuildSkin(const tgRigDef* def, const tgInfluences* influences, const tgMesh* mesh,
                     const int* extraVertices, int extraCount, tgScratch* scratch, tgSkin* skin,
                     tgError* error)
{
    *skin = (tgSkin){.extraStart = tgRoundToLane(mesh->vertexCount + mesh->loopCount)};
    skin->elementCount = skin->extraStart + tgRoundToLane(extraCount);
    tgPairTable table = {0};
    if (!tgTakeArrays(def, influences, scratch, skin, &table)) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for the skin weights");
    }
    bool single = true;
    for (int e = 0; e < skin->elementCount; ++e) {
        int render = tgElementToRender(mesh, skin, extraVertices, extraCount, e);
        tgVec3 p = tgVec3View_Get(def->restPositions, render);
        float* rest = skin->rest + 4 * (size_t)e;
        rest[0] = p.x;
        rest[1] = p.y;
        rest[2] = p.z;
        rest[3] = 1.0f;
        skin->groupStart[e] = skin->groupCount;
        if (!tgFillGroups(skin, influences, render, skin->groupCount, &table)) {
            return tgFail(error, tg_unsupported, -1,
                          "the weights blend joints in more than %d different pairs, "
                          "which dual quaternion skinning does not take",
                          tg_mostPairs);
        }
        int count = influences->start[render + 1] - influences->start[render];
        skin->groupCount += (count + 3) / 4;
        single &= count <= 4;
    }
    skin->groupStart[skin->elementCount] = skin->groupCount;
    skin->groupStart = single ? NULL : skin->groupStart;
    skin->pairCount = table.count;
    return tg_success;
}

/// Arrays that a skinning does without stay NULL.
static void* tgPlaceIfThere(tgLayout* layout, const void* from, size_t count, size_t size)
{
    return from != NULL ? tgPlaceArray(layout, from, count, size) : NULL;
}

void tgSkin_Place(const tgSkin* built, tgLayout* layout, tgSkin* placed)
{
    size_t elements = (size_t)built->elementCount, groups = (size_t)built->groupCount;
    *placed = *built;
    placed->groupStart = tgPlaceIfThere(layout, built->groupStart, elements + 1, sizeof(int));
    placed->rest = tgPlaceIfThere(layout, built->rest, 4 * elements, sizeof(float));
    placed->weights = tgPlaceIfThere(layout, built->weights, 4 * groups, sizeof(float));
    placed->joints = tgPlaceIfThere(layout, built->joints, 4 * groups, sizeof(uint16_t));
    placed->pairs = tgPlaceIfThere(layout, built->pairs, 4 * groups, sizeof(uint16_t));
    placed->pairList =
        tgPlaceIfThere(layout, built->pairList, (size_t)built->pairCount, sizeof(tgJointPair));
}

typedef struct tgSkinLoop {
    void (*kernel)(const tgSkinTask*, int, int);
    const tgSkinTask* task;
    int offset;
} tgSkinLoop;

static void tgSkinBlock(int block, int begin, int end, void* context)
{
    (void)block;
    const tgSkinLoop* loop = context;
    loop->kernel(loop->task, loop->offset + begin, loop->offset + end);
}

void tgRunSkin(const tgParallel* parallel, void (*kernel)(const tgSkinTask*, int, int),
               const tgSkinTask* task, int begin, int end)
{
    tgSkinLoop loop = {kernel, task, begin};
    tgParallelBlocks(parallel, end - begin, tgSkinBlock, &loop);
}
