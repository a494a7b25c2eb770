// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The nodes of a glTF: parents, an order with parents first, local transforms, and which nodes the
// file shows. A node with two parents, or one that is its own ancestor, is refused.

#include "core/core.h"
#include "io/gltf_read.h"

#include <stdlib.h>

static tgResult tgReadNode(tgGltfReader* reader, int index, tgError* error)
{
    const tgJsonValue* json = tgJson_GetItem(reader->nodes, (size_t)index);
    tgPlace place = tgMakePlace("nodes[%d]", index);
    tgGltfNode* node = &reader->gltfNodes[index];
    const tgJsonValue* children = NULL;
    tgResult result = tgJson_GetIndex(json, "mesh", place.text, tgJson_CountItems(reader->meshes),
                                      &node->mesh, error);
    if (result == tg_success) {
        result = tgJson_GetIndex(json, "skin", place.text, tgJson_CountItems(reader->skins),
                                 &node->skin, error);
    }
    if (result == tg_success) {
        result = tgJson_GetArray(json, "children", place.text, &children, error);
    }
    if (result != tg_success) {
        return result;
    }
    tgPlace childrenPlace = tgMakePlace("nodes[%d].children", index);
    for (size_t i = 0; i < tgJson_CountItems(children); ++i) {
        int child = -1;
        result = tgJson_GetElementIndex(children, i, childrenPlace.text,
                                        (size_t)reader->source->nodeCount, &child, error);
        if (result != tg_success) {
            return result;
        }
        int other = reader->gltfNodes[child].parent;
        if (other >= 0) {
            return tgFail(error, tg_invalidMesh, -1,
                          "nodes[%d] is a child of both nodes[%d] and nodes[%d]", child, other,
                          index);
        }
        reader->gltfNodes[child].parent = index;
    }
    return tg_success;
}

/// Parents first, and otherwise as in the file: each node brings along the ancestors that are not
/// placed yet.
static tgResult tgOrderNodes(tgGltfReader* reader, tgError* error)
{
    tgGltfSource* source = reader->source;
    int* stack = tgGltfReader_Alloc(reader->scratch, (size_t)source->nodeCount, sizeof(int), error);
    if (stack == NULL) {
        return tg_outOfMemory;
    }
    for (int n = 0; n < source->nodeCount; ++n) {
        source->sceneNodes[n] = -1;
    }
    int placed = 0;
    for (int n = 0; n < source->nodeCount; ++n) {
        int depth = 0;
        for (int a = n; a >= 0 && source->sceneNodes[a] < 0; a = reader->gltfNodes[a].parent) {
            if (depth == source->nodeCount) {
                return tgFail(error, tg_invalidMesh, -1, "nodes[%d] is its own ancestor", n);
            }
            stack[depth++] = a;
        }
        while (depth > 0) {
            depth -= 1;
            source->sceneNodes[stack[depth]] = placed;
            source->gltfNodes[placed] = stack[depth];
            placed += 1;
        }
    }
    return tg_success;
}

static tgResult tgReadTransform(const tgJsonValue* json, const char* place, tgSceneNode* node,
                                tgError* error)
{
    node->local = tgIdentityTransform();
    node->matrix = tgIdentityMat34();
    if (tgJson_Find(json, "matrix") != NULL) {
        float m[16];
        tgResult result = tgJson_GetFloats(json, "matrix", place, 16, m, error);
        if (result != tg_success) {
            return result;
        }
        node->hasMatrix = true;
        node->matrix.x = tgMakeVec3(m[0], m[1], m[2]);
        node->matrix.y = tgMakeVec3(m[4], m[5], m[6]);
        node->matrix.z = tgMakeVec3(m[8], m[9], m[10]);
        node->matrix.origin = tgMakeVec3(m[12], m[13], m[14]);
        return tg_success;
    }
    tgTransform* local = &node->local;
    tgResult result = tgJson_GetFloats(json, "translation", place, 3, &local->position.x, error);
    if (result == tg_success) {
        result = tgJson_GetFloats(json, "rotation", place, 4, &local->rotation.x, error);
    }
    if (result == tg_success) {
        result = tgJson_GetFloats(json, "scale", place, 3, &local->scale.x, error);
    }
    local->rotation = tgNormalizeQuat(local->rotation);
    return result;
}

/// Fill scene->nodes in their new order.
static tgResult tgMakeSceneNodes(tgGltfReader* reader, tgError* error)
{
    tgScene* scene = reader->scene;
    const tgGltfSource* source = reader->source;
    scene->nodes = tgGltfReader_Alloc(scene, (size_t)source->nodeCount, sizeof(tgSceneNode), error);
    if (scene->nodes == NULL) {
        return tg_outOfMemory;
    }
    scene->nodeCount = source->nodeCount;
    for (int i = 0; i < scene->nodeCount; ++i) {
        int index = source->gltfNodes[i];
        int parent = reader->gltfNodes[index].parent;
        const tgJsonValue* json = tgJson_GetItem(reader->nodes, (size_t)index);
        tgPlace place = tgMakePlace("nodes[%d]", index);
        tgSceneNode* node = &scene->nodes[i];
        node->name = "";
        node->parent = parent >= 0 ? source->sceneNodes[parent] : -1;
        tgResult result = tgJson_GetText(json, "name", place.text, &node->name, error);
        if (result == tg_success) {
            result = tgReadTransform(json, place.text, node, error);
        }
        if (result != tg_success) {
            return result;
        }
    }
    return tg_success;
}

/// Marks the nodes of the scene the file opens with: "scene", or its first, or all nodes when it
/// has no scenes.
static tgResult tgMarkShown(tgGltfReader* reader, tgError* error)
{
    const tgJsonValue* document = reader->source->document;
    const tgJsonValue* scenes = tgJson_Find(document, "scenes");
    size_t sceneCount = tgJson_CountItems(scenes);
    int index = -1;
    tgResult result = tgJson_GetIndex(document, "scene", "", sceneCount, &index, error);
    if (result != tg_success) {
        return result;
    }
    index = index < 0 && sceneCount > 0 ? 0 : index;
    const tgJsonValue* roots = NULL;
    tgPlace scenePlace = tgMakePlace("scenes[%d]", index);
    tgPlace place = tgMakePlace("scenes[%d].nodes", index);
    if (index >= 0) {
        const tgJsonValue* json = tgJson_GetItem(scenes, (size_t)index);
        result = tgJson_GetArray(json, "nodes", scenePlace.text, &roots, error);
    }
    for (size_t i = 0; i < tgJson_CountItems(roots) && result == tg_success; ++i) {
        int root = -1;
        result = tgJson_GetElementIndex(roots, i, place.text, (size_t)reader->source->nodeCount,
                                        &root, error);
        if (result == tg_success) {
            reader->gltfNodes[root].isShown = true;
        }
    }
    for (int i = 0; i < reader->source->nodeCount; ++i) {
        tgGltfNode* node = &reader->gltfNodes[reader->source->gltfNodes[i]];
        bool isUnderShown = node->parent >= 0 && reader->gltfNodes[node->parent].isShown;
        node->isShown = node->isShown || isUnderShown || index < 0;
    }
    return result;
}

/// Skinned nodes when there are any, otherwise all that have a mesh.
static tgResult tgMarkTaken(tgGltfReader* reader, tgError* error)
{
    int meshCount = 0, looseCount = 0;
    for (int n = 0; n < reader->source->nodeCount; ++n) {
        const tgGltfNode* node = &reader->gltfNodes[n];
        bool hasMesh = node->isShown && node->mesh >= 0;
        meshCount += hasMesh;
        looseCount += hasMesh && node->skin < 0;
        reader->hasSkin = reader->hasSkin || (hasMesh && node->skin >= 0);
    }
    bool takesLoose = reader->prefersLoose && looseCount > 0;
    reader->hasSkin = reader->hasSkin && !takesLoose;
    if (meshCount == 0) {
        return tgFail(error, tg_invalidMesh, -1, "the scene of the file shows no mesh");
    }
    for (int n = 0; n < reader->source->nodeCount; ++n) {
        tgGltfNode* node = &reader->gltfNodes[n];
        bool isWanted = node->skin < 0 ? !reader->hasSkin : !takesLoose;
        node->isTaken = node->isShown && node->mesh >= 0 && isWanted;
    }
    reader->scene->unskinnedMeshCount = reader->hasSkin ? looseCount : 0;
    if (!reader->hasSkin) {
        tgScene_Warn(reader->scene, "no skin: the file has %d mesh%s that no joint moves",
                     meshCount, meshCount == 1 ? "" : "es");
    }
    return tg_success;
}

tgResult tgReadGltfNodes(tgGltfReader* reader, tgError* error)
{
    enum { tg_nodeMemory = 190 }; // bytes here and in the scene
    tgGltfSource* source = reader->source;
    size_t count = tgJson_CountItems(reader->nodes);
    tgResult spent = tgGltfReader_Spend(reader, "nodes", count, tg_nodeMemory, "nodes", error);
    if (spent != tg_success) {
        return spent;
    }
    source->nodeCount = (int)count;
    source->sceneNodes = calloc(count + 1, sizeof(int));
    source->gltfNodes = calloc(count + 1, sizeof(int));
    if (source->sceneNodes == NULL || source->gltfNodes == NULL) {
        return tgFail(error, tg_outOfMemory, -1, "not enough memory for %zu nodes", count);
    }
    reader->gltfNodes = tgGltfReader_Alloc(reader->scratch, count, sizeof(tgGltfNode), error);
    if (reader->gltfNodes == NULL) {
        return tg_outOfMemory;
    }
    for (int n = 0; n < source->nodeCount; ++n) {
        reader->gltfNodes[n].parent = -1;
    }
    tgResult result = tg_success;
    for (int n = 0; n < source->nodeCount && result == tg_success; ++n) {
        result = tgReadNode(reader, n, error);
    }
    if (result == tg_success) {
        result = tgOrderNodes(reader, error);
    }
    if (result == tg_success) {
        result = tgMakeSceneNodes(reader, error);
    }
    if (result == tg_success) {
        result = tgMarkShown(reader, error);
    }
    if (result == tg_success) {
        result = tgMarkTaken(reader, error);
    }
    return result;
}

const tgMat34* tgGltfReader_GetNodesToModel(tgGltfReader* reader, tgError* error)
{
    const tgScene* scene = reader->scene;
    if (reader->nodesToModel == NULL) {
        reader->nodesToModel =
            tgGltfReader_Alloc(reader->scratch, (size_t)scene->nodeCount, sizeof(tgMat34), error);
        for (int n = 0; n < scene->nodeCount && reader->nodesToModel != NULL; ++n) {
            const tgSceneNode* node = &scene->nodes[n]; // parents come first
            tgMat34 local = node->hasMatrix ? node->matrix : tgMakeMat34(node->local);
            reader->nodesToModel[n] =
                node->parent >= 0 ? tgMulMat34(&reader->nodesToModel[node->parent], &local) : local;
        }
    }
    return reader->nodesToModel;
}
