// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Meshes of a character's file that no joint moves. The file is read a second time for them; its
// nodes have the same numbers both times.

#include "props.h"

#include "core/core.h"
#include "io/load_objects.h"

#include <stdlib.h>
#include <string.h>

static bool tgAllocProps(tgProps* props)
{
    const tgScene* scene = props->scene;
    size_t nodes = (size_t)scene->nodeCount + 1;
    props->toNodes = calloc((size_t)scene->partCount + 1, sizeof(tgMat34));
    props->jointOfNode = calloc(nodes, sizeof(int));
    props->weights = calloc((size_t)scene->morphCount + 1, sizeof(float));
    props->nodes = calloc(nodes, sizeof(tgMat34));
    props->shape = calloc((size_t)scene->vertexCount + 1, sizeof(tgVec3));
    return props->toNodes != NULL && props->jointOfNode != NULL && props->weights != NULL &&
           props->nodes != NULL && props->shape != NULL;
}

tgResult tgOpenProps(const tgShot* shot, tgProps* props, tgError* error)
{
    *props = (tgProps){.skinned = shot->scene};
    if (shot->scene->unskinnedMeshCount == 0) {
        return tg_success;
    }
    props->scene = tgLoadObjectsWith(shot->file, &shot->loadDef, error);
    if (props->scene == NULL) {
        return error->code;
    }
    if (!tgAllocProps(props)) {
        return tgFail(error, tg_outOfMemory, -1, "out of memory for what has no skin");
    }
    const tgScene* scene = props->scene;
    tgScene_SamplePose(scene, -1, 0.0, props->nodes, NULL, NULL);
    for (int p = 0; p < scene->partCount; ++p) {
        // What its node makes flat in the file's own pose is not to be seen.
        props->toNodes[p] = (tgMat34){{0}};
        tgInvertMat34(&props->nodes[scene->parts[p].node], &props->toNodes[p]);
    }
    for (int n = 0; n < scene->nodeCount; ++n) {
        props->jointOfNode[n] = -1;
    }
    for (int j = 0; j < shot->scene->jointCount; ++j) {
        props->jointOfNode[shot->scene->joints[j].node] = j;
    }
    return tg_success;
}

void tgCloseProps(tgProps* props)
{
    tgDestroyScene(props->scene);
    free(props->toNodes);
    free(props->jointOfNode);
    free(props->weights);
    free(props->nodes);
    free(props->shape);
    *props = (tgProps){0};
}

/// Where a node is: carried by the nearest joint above it, which may have been turned by hand.
static tgMat34 tgFindNode(const tgProps* props, const tgActor* actor, int node)
{
    for (int n = node; n >= 0; n = props->scene->nodes[n].parent) {
        int joint = props->jointOfNode[n];
        tgMat34 toJoint;
        if (joint >= 0 && tgInvertMat34(&actor->nodes[n], &toJoint)) {
            tgMat34 turned = tgMulMat34(&actor->joints[joint], &toJoint);
            return tgMulMat34(&turned, &actor->nodes[node]);
        }
    }
    return actor->nodes[node];
}

/// Normals of the faces round each vertex, for files that have none.
static void tgSumNormals(const tgScene* scene, const tgVec3* positions, tgVec3* normals)
{
    memset(normals, 0, (size_t)scene->vertexCount * sizeof(tgVec3));
    const int* corners = scene->faceVertices;
    for (int f = 0; f < scene->faceCount; corners += scene->faceSizes[f], ++f) {
        tgVec3 a = positions[corners[0]], b = positions[corners[1]], c = positions[corners[2]];
        tgVec3 area = tgCross(tgSub(b, a), tgSub(c, a));
        for (int k = 0; k < scene->faceSizes[f]; ++k) {
            normals[corners[k]] = tgAdd(normals[corners[k]], area);
        }
    }
    for (int v = 0; v < scene->vertexCount; ++v) {
        normals[v] = tgNormalize(normals[v], tgMakeVec3(0.0f, 1.0f, 0.0f));
    }
}

/// By the rows of the inverse, so that they stay upright where a node has unequal scales.
static void tgTurnNormals(const tgScene* scene, const tgScenePart* part, const tgMat34* move,
                          tgVec3* normals)
{
    tgMat34 inverse = tgIdentityMat34();
    tgInvertMat34(move, &inverse);
    for (int v = part->firstVertex; v < part->firstVertex + part->vertexCount; ++v) {
        tgVec3 n = scene->normals[v];
        tgVec3 turned = tgMakeVec3(tgDot(inverse.x, n), tgDot(inverse.y, n), tgDot(inverse.z, n));
        normals[v] = tgNormalize(turned, n);
    }
}

void tgProps_Place(tgProps* props, const tgActor* actor, tgVec3* positions, tgVec3* normals)
{
    const tgScene* scene = props->scene;
    tgScene_SamplePose(scene, actor->animation, actor->time, props->nodes, NULL, props->weights);
    tgScene_SampleShape(scene, props->weights, props->shape);
    for (int p = 0; p < scene->partCount; ++p) {
        const tgScenePart* part = &scene->parts[p];
        tgMat34 node = tgFindNode(props, actor, part->node);
        tgMat34 move = tgMulMat34(&node, &props->toNodes[p]);
        for (int v = part->firstVertex; v < part->firstVertex + part->vertexCount; ++v) {
            positions[v] = tgMulMatPoint(&move, props->shape[v]);
        }
        if (scene->normals != NULL) {
            tgTurnNormals(scene, part, &move, normals);
        }
    }
    if (scene->normals == NULL) {
        tgSumNormals(scene, positions, normals);
    }
}
