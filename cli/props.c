// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Meshes of a character's file that no joint moves. The file is read a second time for them; its
// nodes have the same numbers both times.

#include "props.h"

#include "core/core.h"
#include "io/load_objects.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/// Vertices that are drawn for each time that a glTF may unfold to. At 40 times that is 2 million,
/// which take a picture of 960 x 720 some 750 MB.
enum { tg_shownPerUnfolding = 50000 };

static bool tgAllocProps(tgProps* props)
{
    const tgScene* scene = props->scene;
    size_t nodes = (size_t)scene->nodeCount + 1;
    size_t parts = (size_t)scene->partCount + 1;
    props->props = calloc(parts + (size_t)scene->placeCount, sizeof(tgProp));
    props->partCorners = calloc(parts, sizeof(int));
    props->toNodes = calloc(nodes, sizeof(tgMat34));
    props->jointOfNode = calloc(nodes, sizeof(int));
    props->weights = calloc((size_t)scene->morphCount + 1, sizeof(float));
    props->nodes = calloc(nodes, sizeof(tgMat34));
    props->shape = calloc((size_t)scene->vertexCount + 1, sizeof(tgVec3));
    return props->props != NULL && props->partCorners != NULL && props->toNodes != NULL &&
           props->jointOfNode != NULL && props->weights != NULL && props->nodes != NULL &&
           props->shape != NULL;
}

/// The parts of each node, which follow one another. Their corners are counted from the node's
/// first vertex from here on, so that each place has arrays of its own.
static void tgListOwn(tgProps* props)
{
    tgScene* scene = props->scene;
    int corner = 0, f = 0;
    for (int p = 0; p < scene->partCount; ++p) {
        const tgScenePart* part = &scene->parts[p];
        tgProp* prop = props->propCount > 0 ? &props->props[props->propCount - 1] : NULL;
        if (prop == NULL || prop->node != part->node || part->firstVertex < prop->firstVertex) {
            prop = &props->props[props->propCount++];
            *prop = (tgProp){.node = part->node,
                             .source = part->node,
                             .firstPart = p,
                             .firstVertex = part->firstVertex,
                             .firstShown = part->firstVertex};
        }
        int end = part->firstVertex + part->vertexCount - prop->firstVertex;
        prop->vertexCount = end > prop->vertexCount ? end : prop->vertexCount;
        prop->partCount += 1;
        for (; f < part->firstFace; ++f) {
            corner += scene->faceSizes[f];
        }
        props->partCorners[p] = corner;
        for (; f < part->firstFace + part->faceCount; ++f) {
            for (int k = 0; k < scene->faceSizes[f]; ++k) {
                scene->faceVertices[corner++] -= prop->firstVertex;
            }
        }
    }
}

/// Nodes that show the parts of another one again.
static tgResult tgListPlaces(tgProps* props, const tgLoadDef* def, tgError* error)
{
    const tgScene* scene = props->scene;
    int ownCount = props->propCount;
    int64_t shownCount = scene->vertexCount, shownPartCount = scene->partCount;
    int* propOfNode = props->jointOfNode; // not filled yet
    for (int i = 0; i < ownCount; ++i) {
        propOfNode[props->props[i].node] = i + 1;
    }
    for (int i = 0; i < scene->placeCount; ++i) {
        const tgScenePlace* place = &scene->places[i];
        if (propOfNode[place->source] == 0) {
            continue;
        }
        tgProp prop = props->props[propOfNode[place->source] - 1];
        prop.node = place->node;
        prop.firstShown = (int)shownCount;
        shownCount += prop.vertexCount;
        shownPartCount += prop.partCount;
        if (shownCount > (int64_t)tg_shownPerUnfolding * def->mostUnfolding ||
            shownCount > INT_MAX / 16 || shownPartCount > INT_MAX / 16) {
            return tgFail(error, tg_unsupported, -1,
                          "nodes without a skin show more than %lld vertices, too many to draw; "
                          "--max-unfolding allows more",
                          (long long)tg_shownPerUnfolding * def->mostUnfolding);
        }
        props->props[props->propCount++] = prop;
    }
    props->shownCount = (int)shownCount;
    props->shownPartCount = (int)shownPartCount;
    return tg_success;
}

tgResult tgOpenProps(const tgShot* shot, tgProps* props, tgError* error)
{
    *props = (tgProps){.skinned = shot->scene};
    if (shot->scene->unskinnedMeshCount == 0) {
        return tg_success;
    }
    tgLoadDef def = shot->loadDef;
    def.sharesMeshes = true;
    props->scene = tgLoadObjectsWith(shot->file, &def, error);
    if (props->scene == NULL) {
        return error->code;
    }
    if (!tgAllocProps(props)) {
        return tgFail(error, tg_outOfMemory, -1, "out of memory for what has no skin");
    }
    const tgScene* scene = props->scene;
    tgListOwn(props);
    tgResult result = tgListPlaces(props, &def, error);
    tgScene_SamplePose(scene, -1, 0.0, props->nodes, NULL, NULL);
    for (int n = 0; n < scene->nodeCount; ++n) {
        // What its node makes flat in the file's own pose is not to be seen.
        props->toNodes[n] = (tgMat34){{0}};
        tgInvertMat34(&props->nodes[n], &props->toNodes[n]);
        props->jointOfNode[n] = -1;
    }
    for (int i = 0; i < scene->placeCount; ++i) {
        props->toNodes[scene->places[i].source] = tgIdentityMat34();
    }
    for (int j = 0; j < shot->scene->jointCount; ++j) {
        props->jointOfNode[shot->scene->joints[j].node] = j;
    }
    return result;
}

void tgCloseProps(tgProps* props)
{
    tgDestroyScene(props->scene);
    free(props->props);
    free(props->partCorners);
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

/// Normals of the faces round each vertex of a prop, for files that have none.
/// @param positions, normals of its first vertex
static void tgSumNormals(const tgProps* props, const tgProp* prop, const tgVec3* positions,
                         tgVec3* normals)
{
    const tgScene* scene = props->scene;
    memset(normals, 0, (size_t)prop->vertexCount * sizeof(tgVec3));
    for (int p = prop->firstPart; p < prop->firstPart + prop->partCount; ++p) {
        const tgScenePart* part = &scene->parts[p];
        const int* corners = scene->faceVertices + props->partCorners[p];
        for (int f = part->firstFace; f < part->firstFace + part->faceCount; ++f) {
            tgVec3 a = positions[corners[0]], b = positions[corners[1]], c = positions[corners[2]];
            tgVec3 area = tgCross(tgSub(b, a), tgSub(c, a));
            for (int k = 0; k < scene->faceSizes[f]; ++k) {
                normals[corners[k]] = tgAdd(normals[corners[k]], area);
            }
            corners += scene->faceSizes[f];
        }
    }
    for (int v = 0; v < prop->vertexCount; ++v) {
        normals[v] = tgNormalize(normals[v], tgMakeVec3(0.0f, 1.0f, 0.0f));
    }
}

/// By the rows of the inverse, so that they stay upright where a node has unequal scales.
static void tgTurnNormals(const tgScene* scene, const tgProp* prop, const tgMat34* move,
                          tgVec3* normals)
{
    tgMat34 inverse = tgIdentityMat34();
    tgInvertMat34(move, &inverse);
    for (int v = 0; v < prop->vertexCount; ++v) {
        tgVec3 n = scene->normals[prop->firstVertex + v];
        tgVec3 turned = tgMakeVec3(tgDot(inverse.x, n), tgDot(inverse.y, n), tgDot(inverse.z, n));
        normals[v] = tgNormalize(turned, n);
    }
}

void tgProps_Place(tgProps* props, const tgActor* actor, tgVec3* positions, tgVec3* normals)
{
    const tgScene* scene = props->scene;
    tgScene_SamplePose(scene, actor->animation, actor->time, props->nodes, NULL, props->weights);
    tgScene_SampleShape(scene, props->weights, props->shape);
    for (int i = 0; i < props->propCount; ++i) {
        const tgProp* prop = &props->props[i];
        tgMat34 node = tgFindNode(props, actor, prop->node);
        tgMat34 move = tgMulMat34(&node, &props->toNodes[prop->source]);
        for (int v = 0; v < prop->vertexCount; ++v) {
            tgVec3 rest = props->shape[prop->firstVertex + v];
            positions[prop->firstShown + v] = tgMulMatPoint(&move, rest);
        }
        if (scene->normals != NULL) {
            tgTurnNormals(scene, prop, &move, normals + prop->firstShown);
        } else {
            tgSumNormals(props, prop, positions + prop->firstShown, normals + prop->firstShown);
        }
    }
}
