// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The joints of all skins as one skeleton. A joint of the scene is a node with an inverse bind
// matrix; skins that bind the same node alike share it. Its rest transform is the inverse of that
// matrix, so that node-to-model times the matrix is what moves a vertex (section 3.7.3.2).

#include "core/core.h"
#include "io/gltf_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Inverse bind matrices of the same node that differ by less are the same: skins exported one by
/// one differ in the last digits.
static const float tg_sameMatrix = 1e-5f;

/// A joint while they are collected, in the order in which the skins name them.
typedef struct tgJointDraft {
    int node;       ///< of the scene
    int skin;       ///< of the document, the first that has it
    int nextOfNode; ///< another joint of the same node, -1 for none
    int parent;     ///< among the drafts
    tgMat34 inverseBind;
    tgMat34 restJoint;
} tgJointDraft;

/// A joint of a skin in the order of the walk.
typedef struct tgWalkEntry {
    int first; ///< place of its node
    int order; ///< place in the skin
    int joint; ///< among the drafts
} tgWalkEntry;

typedef struct tgSkeletonDraft {
    int jointCount;
    tgJointDraft* joints; ///< room for the joints of all skins in use
    int* firstOfNode;     ///< by node of the scene, -1 for none
    int *first, *end;     ///< by node of the scene: its place and its subtree's end in the walk
    int* aboveOfAny;      ///< by node of the scene: the nearest joint above it, -1 for none
    tgWalkEntry* entries; ///< room for the joints of the largest skin
    int* stack;           ///< the same
} tgSkeletonDraft;

static float tgGetLargest(tgVec3 v)
{
    return fmaxf(fabsf(v.x), fmaxf(fabsf(v.y), fabsf(v.z)));
}

static bool tgIsSameMatrix(const tgMat34* a, const tgMat34* b)
{
    float axes = fmaxf(tgGetLargest(a->x), fmaxf(tgGetLargest(a->y), tgGetLargest(a->z)));
    float difference = tgGetLargest(tgSub(a->x, b->x));
    difference = fmaxf(difference, tgGetLargest(tgSub(a->y, b->y)));
    difference = fmaxf(difference, tgGetLargest(tgSub(a->z, b->z)));
    float offset = tgGetLargest(tgSub(a->origin, b->origin));
    return difference <= tg_sameMatrix * axes &&
           offset <= tg_sameMatrix * fmaxf(axes, tgGetLargest(a->origin));
}

static tgResult tgReadInverseBinds(tgGltfReader* reader, int skin, int jointCount,
                                   tgMat34** matrices, tgError* error)
{
    const tgJsonValue* json = tgJson_GetItem(reader->skins, (size_t)skin);
    tgPlace place = tgMakePlace("skins[%d].inverseBindMatrices", skin);
    tgPlace skinPlace = tgMakePlace("skins[%d]", skin);
    int index = -1;
    tgResult result = tgJson_GetIndex(json, "inverseBindMatrices", skinPlace.text,
                                      tgJson_CountItems(reader->accessors), &index, error);
    if (result != tg_success) {
        return result;
    }
    tgGltfAccessor accessor = {.count = jointCount};
    if (index >= 0) {
        result = tgGltfReader_GetAccessor(reader, index, 16, place.text, &accessor, error);
        if (result != tg_success) {
            return result;
        }
    }
    if (accessor.count < jointCount) {
        return tgFail(error, tg_invalidMesh, -1, "%s has %d matrices for %d joints", place.text,
                      accessor.count, jointCount);
    }
    size_t count = (size_t)accessor.count;
    *matrices = tgGltfReader_Alloc(reader->scratch, count, sizeof(tgMat34), error);
    float* values = tgGltfReader_Alloc(reader->scratch, count, 16 * sizeof(float), error);
    if (*matrices == NULL || values == NULL) {
        return tg_outOfMemory;
    }
    if (index >= 0) {
        tgGltfAccessor_CopyFloats(&accessor, values);
    }
    for (int j = 0; j < jointCount; ++j) {
        const float* m = values + 16 * j;
        (*matrices)[j] = (tgMat34){
            {m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}, {m[12], m[13], m[14]}};
        if (index < 0) {
            (*matrices)[j] = tgIdentityMat34();
        }
    }
    return tg_success;
}

/// The joint of the scene for a node and a matrix: one that is there already, or a new one.
static tgResult tgAddJoint(tgGltfReader* reader, tgSkeletonDraft* draft, int skin, int node,
                           const tgMat34* inverseBind, int* joint, tgError* error)
{
    for (int j = draft->firstOfNode[node]; j >= 0; j = draft->joints[j].nextOfNode) {
        if (tgIsSameMatrix(&draft->joints[j].inverseBind, inverseBind)) {
            *joint = j;
            return tg_success;
        }
    }
    tgMat34 restJoint;
    bool isFinite = tgIsFiniteMat34(inverseBind);
    if (!isFinite || !tgInvertMat34(inverseBind, &restJoint) || !tgIsFiniteMat34(&restJoint)) {
        tgPlace name = tgShortenText(reader->scene->nodes[node].name);
        return tgFail(error, tg_invalidMesh, draft->jointCount,
                      "joint \"%s\" (nodes[%d]) has an inverse bind matrix %s", name.text,
                      reader->source->gltfNodes[node],
                      isFinite ? "that flattens space, expected one that can be inverted"
                               : "with a NaN or an infinity, expected finite numbers");
    }
    *joint = draft->jointCount;
    draft->joints[*joint] = (tgJointDraft){
        .node = node,
        .skin = skin,
        .nextOfNode = draft->firstOfNode[node],
        .parent = -1,
        .inverseBind = *inverseBind,
        .restJoint = restJoint,
    };
    draft->firstOfNode[node] = *joint;
    draft->jointCount += 1;
    return tg_success;
}

static tgResult tgReadSkin(tgGltfReader* reader, tgSkeletonDraft* draft, int skin, tgError* error)
{
    const tgJsonValue* json = tgJson_GetItem(reader->skins, (size_t)skin);
    const tgJsonValue* nodes = NULL;
    tgPlace skinPlace = tgMakePlace("skins[%d]", skin);
    tgPlace place = tgMakePlace("skins[%d].joints", skin);
    tgResult result = tgJson_GetArray(json, "joints", skinPlace.text, &nodes, error);
    if (result != tg_success) {
        return result;
    }
    int count = (int)tgJson_CountItems(nodes);
    if (count == 0) {
        return tgFail(error, tg_invalidMesh, -1, "%s has no joints", skinPlace.text);
    }
    tgMat34* inverseBinds = NULL;
    result = tgReadInverseBinds(reader, skin, count, &inverseBinds, error);
    if (result != tg_success) {
        return result;
    }
    tgGltfSkin* out = &reader->gltfSkins[skin];
    out->joints = tgGltfReader_Alloc(reader->scratch, (size_t)count, sizeof(int), error);
    if (out->joints == NULL) {
        return tg_outOfMemory;
    }
    out->jointCount = count;
    for (int j = 0; j < count; ++j) {
        int node = -1;
        result = tgJson_GetElementIndex(nodes, (size_t)j, place.text,
                                        (size_t)reader->source->nodeCount, &node, error);
        if (result == tg_success) {
            result = tgAddJoint(reader, draft, skin, reader->source->sceneNodes[node],
                                &inverseBinds[j], &out->joints[j], error);
        }
        if (result != tg_success) {
            return result;
        }
    }
    return tg_success;
}

/// Where each node and all below it stand when the tree is walked depth first: [first, end).
static tgResult tgWalkTree(tgGltfReader* reader, tgSkeletonDraft* draft, tgError* error)
{
    const tgScene* scene = reader->scene;
    size_t count = (size_t)scene->nodeCount;
    draft->first = tgGltfReader_Alloc(reader->scratch, count, sizeof(int), error);
    draft->end = tgGltfReader_Alloc(reader->scratch, count, sizeof(int), error);
    draft->aboveOfAny = tgGltfReader_Alloc(reader->scratch, count, sizeof(int), error);
    int* next = tgGltfReader_Alloc(reader->scratch, count, sizeof(int), error);
    if (draft->first == NULL || draft->end == NULL || draft->aboveOfAny == NULL || next == NULL) {
        return tg_outOfMemory;
    }
    // Parents come before children, so one pass back adds up the sizes and one forth places them.
    for (int n = scene->nodeCount - 1; n >= 0; --n) {
        draft->end[n] += 1;
        if (scene->nodes[n].parent >= 0) {
            draft->end[scene->nodes[n].parent] += draft->end[n];
        }
    }
    int nextRoot = 0;
    for (int n = 0; n < scene->nodeCount; ++n) {
        int parent = scene->nodes[n].parent;
        int* place = parent >= 0 ? &next[parent] : &nextRoot;
        draft->first[n] = *place;
        *place += draft->end[n];
        draft->end[n] += draft->first[n];
        next[n] = draft->first[n] + 1;
        draft->aboveOfAny[n] = -1;
        if (parent >= 0) {
            int joint = draft->firstOfNode[parent];
            draft->aboveOfAny[n] = joint >= 0 ? joint : draft->aboveOfAny[parent];
        }
    }
    return tg_success;
}

static int tgCompareEntries(const void* left, const void* right)
{
    const tgWalkEntry* a = left;
    const tgWalkEntry* b = right;
    int order = (a->first > b->first) - (a->first < b->first);
    return order != 0 ? order : (a->order > b->order) - (a->order < b->order);
}

/// For each joint of a skin the nearest one of the same skin above it, or else of any. In the order
/// of the walk those above stand on a stack, however deep the tree is.
static void tgFindParents(const tgGltfReader* reader, tgSkeletonDraft* draft, int skin)
{
    const tgGltfSkin* joints = &reader->gltfSkins[skin];
    tgWalkEntry* entries = draft->entries;
    for (int j = 0; j < joints->jointCount; ++j) {
        int joint = joints->joints[j];
        entries[j] = (tgWalkEntry){draft->first[draft->joints[joint].node], j, joint};
    }
    qsort(entries, (size_t)joints->jointCount, sizeof(*entries), tgCompareEntries);
    int depth = 0;
    for (int j = 0; j < joints->jointCount; ++j) {
        int joint = entries[j].joint, node = draft->joints[joint].node;
        int* stack = draft->stack;
        while (depth > 0 && (draft->end[draft->joints[stack[depth - 1]].node] <= entries[j].first ||
                             draft->joints[stack[depth - 1]].node == node)) {
            depth -= 1;
        }
        if (draft->joints[joint].skin == skin) {
            draft->joints[joint].parent = depth > 0 ? stack[depth - 1] : draft->aboveOfAny[node];
        }
        stack[depth++] = joint;
    }
}

/// Parents first, otherwise in the order of the skins; then everything that names a joint follows.
static tgResult tgPlaceJoints(tgGltfReader* reader, const tgSkeletonDraft* draft, tgError* error)
{
    tgScene* scene = reader->scene;
    size_t count = (size_t)draft->jointCount;
    int* order = tgGltfReader_Alloc(reader->scratch, count, sizeof(int), error);
    int* stack = tgGltfReader_Alloc(reader->scratch, count, sizeof(int), error);
    scene->joints = tgGltfReader_Alloc(scene, count, sizeof(tgSceneJoint), error);
    if (order == NULL || stack == NULL || scene->joints == NULL) {
        return tg_outOfMemory;
    }
    for (size_t j = 0; j < count; ++j) {
        order[j] = -1;
    }
    for (int j = 0; j < draft->jointCount; ++j) {
        int depth = 0;
        for (int a = j; a >= 0 && order[a] < 0; a = draft->joints[a].parent) {
            stack[depth++] = a;
        }
        while (depth > 0) {
            const tgJointDraft* joint = &draft->joints[stack[--depth]];
            order[stack[depth]] = scene->jointCount;
            scene->joints[scene->jointCount] = (tgSceneJoint){
                .name = scene->nodes[joint->node].name,
                .parent = joint->parent >= 0 ? order[joint->parent] : -1,
                .node = joint->node,
                .restJoint = joint->restJoint,
            };
            scene->jointCount += 1;
        }
    }
    for (size_t s = 0; s < tgJson_CountItems(reader->skins); ++s) {
        for (int j = 0; j < reader->gltfSkins[s].jointCount; ++j) {
            reader->gltfSkins[s].joints[j] = order[reader->gltfSkins[s].joints[j]];
        }
    }
    return tg_success;
}

static tgResult tgPrepareDraft(tgGltfReader* reader, const bool* isUsed, tgSkeletonDraft* draft,
                               tgError* error)
{
    size_t nodeCount = (size_t)reader->source->nodeCount;
    size_t room = 0;
    for (size_t s = 0; s < tgJson_CountItems(reader->skins); ++s) {
        const tgJsonValue* joints = tgJson_Find(tgJson_GetItem(reader->skins, s), "joints");
        room += isUsed[s] ? tgJson_CountItems(joints) : 0;
    }
    draft->joints = tgGltfReader_Alloc(reader->scratch, room, sizeof(tgJointDraft), error);
    draft->firstOfNode = tgGltfReader_Alloc(reader->scratch, nodeCount, sizeof(int), error);
    draft->entries = tgGltfReader_Alloc(reader->scratch, room, sizeof(tgWalkEntry), error);
    draft->stack = tgGltfReader_Alloc(reader->scratch, room, sizeof(int), error);
    if (draft->joints == NULL || draft->firstOfNode == NULL || draft->entries == NULL ||
        draft->stack == NULL) {
        return tg_outOfMemory;
    }
    for (size_t n = 0; n < nodeCount; ++n) {
        draft->firstOfNode[n] = -1;
    }
    return tg_success;
}

tgResult tgReadGltfSkins(tgGltfReader* reader, tgError* error)
{
    if (!reader->hasSkin) {
        return tg_success;
    }
    int skinCount = (int)tgJson_CountItems(reader->skins);
    bool* isUsed = tgGltfReader_Alloc(reader->scratch, (size_t)skinCount, sizeof(bool), error);
    reader->gltfSkins =
        tgGltfReader_Alloc(reader->scratch, (size_t)skinCount, sizeof(tgGltfSkin), error);
    if (isUsed == NULL || reader->gltfSkins == NULL) {
        return tg_outOfMemory;
    }
    for (int n = 0; n < reader->source->nodeCount; ++n) {
        if (reader->gltfNodes[n].isTaken) {
            isUsed[reader->gltfNodes[n].skin] = true;
        }
    }
    tgSkeletonDraft draft = {0};
    tgResult result = tgPrepareDraft(reader, isUsed, &draft, error);
    for (int s = 0; s < skinCount && result == tg_success; ++s) {
        result = isUsed[s] ? tgReadSkin(reader, &draft, s, error) : tg_success;
    }
    result = result == tg_success ? tgWalkTree(reader, &draft, error) : result;
    if (result != tg_success) {
        return result;
    }
    for (int s = 0; s < skinCount; ++s) {
        tgFindParents(reader, &draft, s);
    }
    return tgPlaceJoints(reader, &draft, error);
}
