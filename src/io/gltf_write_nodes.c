// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A scene's nodes as glTF, under their own indices, with a few of ours after them where glTF asks
// for more than a scene does: a mesh node that nothing moves, joints that are all different nodes,
// and one root above them.

#include "io/gltf_write.h"
#include "io/gltf_write_mesh.h"

#include <stdlib.h>
#include <string.h>

/// A squared length of a rotation further from 1 than this is made unit.
static const float tg_unitRotationSlop = 1e-6f;

static void tgSetMatrix(tgGltfBuilder* builder, tgJsonValue* node, const tgMat34* m)
{
    const float values[16] = {m->x.x,      m->x.y,      m->x.z,      0.0f,   m->y.x, m->y.y,
                              m->y.z,      0.0f,        m->z.x,      m->z.y, m->z.z, 0.0f,
                              m->origin.x, m->origin.y, m->origin.z, 1.0f};
    tgMat34 identity = tgIdentityMat34();
    if (memcmp(m, &identity, sizeof(identity)) != 0) {
        tgGltfBuilder_Set(builder, node, "matrix", tgMakeJsonFloats(&builder->arena, values, 16));
    }
}

static void tgSetTransform(tgGltfBuilder* builder, tgJsonValue* node, const tgTransform* local)
{
    tgVec3 p = local->position, s = local->scale;
    tgQuat q = local->rotation;
    float squared = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    if (!(fabsf(squared - 1.0f) <= tg_unitRotationSlop)) {
        q = tgNormalizeQuat(q);
    }
    if (p.x != 0.0f || p.y != 0.0f || p.z != 0.0f) {
        tgGltfBuilder_Set(builder, node, "translation", tgMakeJsonFloats(&builder->arena, &p.x, 3));
    }
    if (q.x != 0.0f || q.y != 0.0f || q.z != 0.0f) {
        tgGltfBuilder_Set(builder, node, "rotation", tgMakeJsonFloats(&builder->arena, &q.x, 4));
    }
    if (s.x != 1.0f || s.y != 1.0f || s.z != 1.0f) {
        tgGltfBuilder_Set(builder, node, "scale", tgMakeJsonFloats(&builder->arena, &s.x, 3));
    }
}

/// Append a node and return its index.
static int tgAddNode(tgGltfBuilder* builder, const char* name)
{
    tgJsonValue* nodes = tgGltfBuilder_GetArray(builder, "nodes");
    tgJsonValue* node = tgMakeJsonObject(&builder->arena);
    tgGltfBuilder_SetName(builder, node, name);
    tgGltfBuilder_Append(builder, nodes, node);
    return (int)tgJson_CountItems(nodes) - 1;
}

static void tgAddChild(tgGltfBuilder* builder, int parent, int child)
{
    tgJsonValue* node = tgJson_GetItem(tgGltfBuilder_GetArray(builder, "nodes"), (size_t)parent);
    if (tgJson_Find(node, "children") == NULL) {
        tgGltfBuilder_Set(builder, node, "children", tgMakeJsonList(&builder->arena));
    }
    tgGltfBuilder_Append(builder, tgJson_Find(node, "children"),
                         tgMakeJsonWhole(&builder->arena, child));
}

static bool tgIsAnimated(const tgScene* scene, int node)
{
    for (int a = 0; a < scene->animationCount; ++a) {
        for (int c = 0; c < scene->animations[a].channelCount; ++c) {
            const tgChannel* channel = &scene->animations[a].channels[c];
            if (channel->node == node && channel->path != tg_pathWeights) {
                return true;
            }
        }
    }
    return false;
}

/// May a mesh hang on this node? Positions are in model space, so nothing may move it.
static bool tgStandsStill(const tgScene* scene, tgJsonValue* nodes, int node)
{
    if (node < 0 || node >= scene->nodeCount || scene->nodes[node].parent >= 0) {
        return false;
    }
    tgJsonValue* json = tgJson_GetItem(nodes, (size_t)node);
    static const char* const moves[] = {"matrix", "translation", "rotation", "scale", "mesh"};
    for (size_t i = 0; i < sizeof(moves) / sizeof(moves[0]); ++i) {
        if (tgJson_Find(json, moves[i]) != NULL) {
            return false;
        }
    }
    for (int j = 0; j < scene->jointCount; ++j) {
        if (scene->joints[j].node == node) {
            return false;
        }
    }
    return !tgIsAnimated(scene, node);
}

static void tgAssignObjectNodes(tgSceneWriter* writer)
{
    tgGltfBuilder* builder = &writer->builder;
    tgJsonValue* nodes = tgGltfBuilder_GetArray(builder, "nodes");
    for (int i = 0; i < writer->layout.objectCount; ++i) {
        const tgMeshObject* object = &writer->layout.objects[i];
        writer->objectNodes[i] = tgStandsStill(writer->scene, nodes, object->node)
                                     ? object->node
                                     : tgAddNode(builder, object->name);
    }
}

/// The node of each joint. A node bound twice in different ways gets a child that follows it.
static void tgAssignJointNodes(tgSceneWriter* writer)
{
    const tgScene* scene = writer->scene;
    tgGltfBuilder* builder = &writer->builder;
    bool* isTaken = calloc((size_t)scene->nodeCount + 1, sizeof(bool));
    if (isTaken == NULL) {
        tgGltfBuilder_Fail(builder, tg_outOfMemory, -1, "no memory for the joints");
        return;
    }
    for (int j = 0; j < scene->jointCount; ++j) {
        int node = scene->joints[j].node;
        writer->jointNodes[j] = node;
        if (isTaken[node]) {
            writer->jointNodes[j] = tgAddNode(builder, scene->joints[j].name);
            tgAddChild(builder, node, writer->jointNodes[j]);
        }
        isTaken[node] = true;
    }
    free(isTaken);
}

static int tgFindSceneRoot(const tgScene* scene, int node)
{
    while (scene->nodes[node].parent >= 0) {
        node = scene->nodes[node].parent;
    }
    return node;
}

/// "scenes": all roots, those of the skeleton under one of ours when they are several.
static void tgWriteRoots(tgSceneWriter* writer)
{
    const tgScene* scene = writer->scene;
    tgGltfBuilder* builder = &writer->builder;
    int nodeCount = (int)tgJson_CountItems(tgGltfBuilder_GetArray(builder, "nodes"));
    bool* isBelow = calloc((size_t)nodeCount + 1, sizeof(bool)); // the common root
    if (isBelow == NULL) {
        tgGltfBuilder_Fail(builder, tg_outOfMemory, -1, "no memory for the roots");
        return;
    }
    int skeletonRoots = 0;
    for (int j = 0; j < scene->jointCount; ++j) {
        int root = tgFindSceneRoot(scene, scene->joints[j].node);
        skeletonRoots += isBelow[root] ? 0 : 1;
        isBelow[root] = true;
    }
    tgJsonValue* roots = tgMakeJsonList(&builder->arena);
    if (skeletonRoots > 1) {
        int common = tgAddNode(builder, "skeleton");
        tgGltfBuilder_Append(builder, roots, tgMakeJsonWhole(&builder->arena, common));
        for (int n = 0; n < scene->nodeCount; ++n) {
            if (isBelow[n]) {
                tgAddChild(builder, common, n);
            }
        }
    }
    for (int n = 0; n < scene->nodeCount; ++n) {
        if (scene->nodes[n].parent < 0 && !(skeletonRoots > 1 && isBelow[n])) {
            tgGltfBuilder_Append(builder, roots, tgMakeJsonWhole(&builder->arena, n));
        }
    }
    for (int i = 0; i < writer->layout.objectCount; ++i) {
        if (writer->objectNodes[i] >= scene->nodeCount) {
            tgGltfBuilder_Append(builder, roots,
                                 tgMakeJsonWhole(&builder->arena, writer->objectNodes[i]));
        }
    }
    tgGltfBuilder_SetWhole(builder, builder->document, "scene", 0);
    tgGltfBuilder_Set(builder, builder->document, "scenes",
                      tgPackJson(&builder->arena, "[{s:o}]", "nodes", roots));
    free(isBelow);
}

void tgWriteNodes(tgSceneWriter* writer)
{
    const tgScene* scene = writer->scene;
    tgGltfBuilder* builder = &writer->builder;
    tgJsonValue* nodes = tgGltfBuilder_GetArray(builder, "nodes");
    for (int n = 0; n < scene->nodeCount; ++n) {
        const tgSceneNode* node = &scene->nodes[n];
        tgAddNode(builder, node->name);
        tgJsonValue* json = tgJson_GetItem(nodes, (size_t)n);
        if (node->hasMatrix) {
            tgSetMatrix(builder, json, &node->matrix);
        } else {
            tgSetTransform(builder, json, &node->local);
        }
        if (node->parent >= 0 && node->parent < n) {
            tgAddChild(builder, node->parent, n);
        }
    }
    tgAssignObjectNodes(writer);
    tgAssignJointNodes(writer);
    tgWriteRoots(writer);
}
