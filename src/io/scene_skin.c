// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A mesh gets another skeleton and other weights. Its objects keep their names; the skeleton brings
// its nodes, joints and animations along.

#include "core/core.h"
#include "io/gltf_source.h"
#include "turgor/io.h"

#include <stdlib.h>
#include <string.h>

tgBindDef tgScene_GetBindDef(const tgScene* mesh, const tgScene* skeleton)
{
    tgBindDef def = tgDefaultBindDef();
    if (mesh->positions != NULL) {
        def.positions = (tgVec3View){&mesh->positions->x, mesh->vertexCount, sizeof(tgVec3)};
    }
    def.faceVertices = mesh->faceVertices;
    def.faceSizes = mesh->faceSizes;
    def.faceCount = mesh->faceCount;
    if (skeleton->jointCount > 0) {
        def.jointPositions = (tgVec3View){&skeleton->joints->restJoint.origin.x,
                                          skeleton->jointCount, sizeof(tgSceneJoint)};
        def.jointParents = &skeleton->joints->parent;
        def.jointParentStride = sizeof(tgSceneJoint);
    }
    return def;
}

/// A copy of an array that lives as long as the scene; NULL without memory or when there is none.
static void* tgCopyArray(tgScene* scene, const void* from, size_t count, size_t size)
{
    void* copy = count > 0 ? tgScene_Alloc(scene, count, size) : NULL;
    return copy != NULL ? memcpy(copy, from, count * size) : NULL;
}

/// A node without a transform in place of one that carries an object, unless there is one already.
static void tgKeepNode(const tgScene* scene, int node, tgSceneNode* nodes, int* nodeCount,
                       int* nodeOf)
{
    if (node >= 0 && node < scene->nodeCount && nodeOf[node] < 0) {
        tgTransform still = {{0.0f, 0.0f, 0.0f}, tgIdentityQuat(), {1.0f, 1.0f, 1.0f}};
        nodes[*nodeCount] =
            (tgSceneNode){.name = scene->nodes[node].name, .parent = -1, .local = still};
        nodeOf[node] = (*nodeCount)++;
    }
}

/// A node without a transform for every object and place: the vertices are in model space.
/// @param nodeOf for each old node its new one, -1 for those that carry no object
static void tgKeepObjectNodes(const tgScene* scene, tgSceneNode* nodes, int* nodeCount, int* nodeOf)
{
    for (int n = 0; n < scene->nodeCount; ++n) {
        nodeOf[n] = -1;
    }
    for (int p = 0; p < scene->partCount; ++p) {
        tgKeepNode(scene, scene->parts[p].node, nodes, nodeCount, nodeOf);
    }
    for (int i = 0; i < scene->placeCount; ++i) {
        tgKeepNode(scene, scene->places[i].node, nodes, nodeCount, nodeOf);
    }
}

static bool tgCopyAnimation(tgScene* scene, const tgAnimation* from, int firstNode, tgAnimation* to)
{
    size_t count = (size_t)from->channelCount;
    *to = *from;
    to->name = tgScene_CopyText(scene, from->name);
    tgChannel* channels = tgScene_Alloc(scene, count + 1, sizeof(tgChannel));
    if (channels == NULL) {
        return false;
    }
    to->channels = channels;
    to->channelCount = 0;
    for (size_t c = 0; c < count; ++c) {
        const tgChannel* channel = &from->channels[c];
        if (channel->path == tg_pathWeights) {
            continue; // of the skeleton's own mesh, which does not come along
        }
        size_t perKey = channel->interpolation == tg_interpolateCubic ? 3 : 1;
        size_t valueCount = (size_t)channel->keyCount * (size_t)channel->width * perKey;
        tgChannel* copy = &channels[to->channelCount++];
        *copy = *channel;
        copy->node += firstNode;
        copy->times = tgCopyArray(scene, channel->times, (size_t)channel->keyCount, sizeof(float));
        copy->values = tgCopyArray(scene, channel->values, valueCount, sizeof(float));
        if (copy->times == NULL || copy->values == NULL) {
            return false;
        }
    }
    return true;
}

/// The skeleton's nodes after those of the objects, its joints and animations.
static bool tgTakeSkeleton(tgScene* scene, const tgScene* skeleton, int* nodeOf)
{
    size_t nodeRoom = (size_t)scene->nodeCount + (size_t)skeleton->nodeCount + 1;
    tgSceneNode* nodes = tgScene_Alloc(scene, nodeRoom, sizeof(tgSceneNode));
    tgSceneJoint* joints =
        tgCopyArray(scene, skeleton->joints, (size_t)skeleton->jointCount, sizeof(tgSceneJoint));
    tgAnimation* animations =
        tgScene_Alloc(scene, (size_t)skeleton->animationCount + 1, sizeof(tgAnimation));
    if (nodes == NULL || joints == NULL || animations == NULL) {
        return false;
    }
    int first = 0;
    tgKeepObjectNodes(scene, nodes, &first, nodeOf);
    for (int n = 0; n < skeleton->nodeCount; ++n) {
        nodes[first + n] = skeleton->nodes[n];
        nodes[first + n].name = tgScene_CopyText(scene, skeleton->nodes[n].name);
        nodes[first + n].parent += skeleton->nodes[n].parent >= 0 ? first : 0;
    }
    for (int j = 0; j < skeleton->jointCount; ++j) {
        joints[j].node += first;
        joints[j].name = tgScene_CopyText(scene, skeleton->joints[j].name);
    }
    for (int a = 0; a < skeleton->animationCount; ++a) {
        if (!tgCopyAnimation(scene, &skeleton->animations[a], first, &animations[a])) {
            return false;
        }
    }
    for (int p = 0; p < scene->partCount; ++p) {
        int node = scene->parts[p].node;
        scene->parts[p].node = node >= 0 && node < scene->nodeCount ? nodeOf[node] : -1;
    }
    for (int i = 0; i < scene->placeCount; ++i) {
        scene->places[i].node = nodeOf[scene->places[i].node];
        scene->places[i].source = nodeOf[scene->places[i].source];
    }
    for (int m = 0; m < scene->morphCount; ++m) {
        scene->morphs[m].node = nodeOf[scene->morphs[m].node];
    }
    scene->nodes = nodes;
    scene->nodeCount = first + skeleton->nodeCount;
    scene->joints = joints;
    scene->jointCount = skeleton->jointCount;
    scene->animations = animations;
    scene->animationCount = skeleton->animationCount;
    if (scene->source != NULL) {
        scene->source->hasOtherNodes = true;
    }
    return true;
}

tgResult tgScene_SetSkin(tgScene* scene, const tgScene* skeleton, int influencesPerVertex,
                         const int* influenceJoints, const float* influenceWeights, tgError* error)
{
    if (scene == NULL || skeleton == NULL || influenceJoints == NULL || influenceWeights == NULL ||
        influencesPerVertex < 1 || skeleton->jointCount < 1 || scene->vertexCount < 1) {
        return tgFail(error, tg_invalidArgument, -1,
                      "wanted a mesh, a skeleton with joints, and weights");
    }
    size_t count = (size_t)scene->vertexCount * (size_t)influencesPerVertex;
    for (size_t i = 0; i < count; ++i) {
        int joint = influenceJoints[i];
        if (joint < 0 || joint >= skeleton->jointCount) {
            int v = (int)(i / (size_t)influencesPerVertex);
            return tgFail(error, tg_invalidArgument, v,
                          "vertex %d follows joint %d, the skeleton has %d", v, joint,
                          skeleton->jointCount);
        }
    }
    int* joints = tgCopyArray(scene, influenceJoints, count, sizeof(int));
    float* weights = tgCopyArray(scene, influenceWeights, count, sizeof(float));
    int* nodeOf = calloc((size_t)scene->nodeCount + 1, sizeof(int));
    bool done = joints != NULL && weights != NULL && nodeOf != NULL;
    if (done && skeleton != scene) {
        done = tgTakeSkeleton(scene, skeleton, nodeOf);
    }
    free(nodeOf);
    if (!done || scene->hasRunOut) {
        return tgFail(error, tg_outOfMemory, -1, "not enough memory for the weights");
    }
    scene->influencesPerVertex = influencesPerVertex;
    scene->influenceJoints = joints;
    scene->influenceWeights = weights;
    return tg_success;
}
