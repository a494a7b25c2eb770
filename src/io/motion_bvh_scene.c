// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// From a .bvh file that was read to a scene. A joint's local transform is T R1 R2 R3: its rotations
// multiply in the order of its channels, the first one outermost. Position channels are the joint's
// place in its parent, in place of the OFFSET.

#include "core/core.h"
#include "io/motion_bvh_private.h"

#include <math.h>
#include <string.h>

static const double tg_radiansPerDegree = 3.14159265358979323846 / 180.0;

static const char* tgCopyBvhName(tgScene* scene, const tgBvhNode* node)
{
    static const char ending[] = "_end";
    size_t length = (size_t)node->name.length;
    char* name = tgScene_Alloc(scene, length + sizeof(ending), 1);
    if (name == NULL) {
        return "";
    }
    memcpy(name, node->name.text, length);
    memcpy(name + length, ending, node->isEnd ? sizeof(ending) : 0);
    return name;
}

static bool tgBuildBvhSkeleton(const tgBvhReader* reader, tgScene* scene)
{
    size_t count = (size_t)reader->nodeCount;
    scene->nodes = tgScene_Alloc(scene, count, sizeof(tgSceneNode));
    scene->joints = tgScene_Alloc(scene, count, sizeof(tgSceneJoint));
    int* nodeJoints = tgScene_Alloc(scene, count, sizeof(int));
    if (scene->nodes == NULL || scene->joints == NULL || nodeJoints == NULL) {
        return false;
    }
    scene->nodeCount = reader->nodeCount;
    for (int n = 0; n < reader->nodeCount; ++n) {
        const tgBvhNode* node = &reader->nodes[n];
        tgTransform local = {node->offset, tgIdentityQuat(), {1.0f, 1.0f, 1.0f}};
        scene->nodes[n] = (tgSceneNode){
            .name = tgCopyBvhName(scene, node), .parent = node->parent, .local = local};
        if (node->isEnd) {
            continue;
        }
        tgSceneJoint* joint = &scene->joints[scene->jointCount];
        *joint = (tgSceneJoint){
            .name = scene->nodes[n].name, .parent = -1, .node = n, .restJoint = tgIdentityMat34()};
        joint->restJoint.origin = node->offset;
        if (node->parent >= 0) {
            joint->parent = nodeJoints[node->parent];
            joint->restJoint.origin =
                tgAdd(scene->joints[joint->parent].restJoint.origin, node->offset);
        }
        nodeJoints[n] = scene->jointCount++;
    }
    return true;
}

/// Offsets are finite, but their sums need not be.
static tgResult tgCheckBvhPlaces(const tgBvhReader* reader, const tgScene* scene)
{
    for (int j = 0; j < scene->jointCount; ++j) {
        if (!tgIsFiniteVec3(scene->joints[j].restJoint.origin)) {
            return tgFail(reader->error, tg_ioError, j,
                          "the OFFSETs down to joint %d, \"%.40s\", add up to no finite number", j,
                          scene->joints[j].name);
        }
    }
    return tg_success;
}

static tgQuat tgMakeBvhRotation(const tgBvhNode* node, const float* values)
{
    tgQuat rotation = tgIdentityQuat();
    for (int c = 0; c < node->channelCount; ++c) {
        int axis = node->channels[c] - tg_firstBvhRotation;
        if (axis >= 0) {
            tgVec3 direction = tgMakeVec3(axis == 0, axis == 1, axis == 2);
            // A file may count turns; the half angle of many loses digits in float.
            double angle = fmod((double)values[c], 720.0) * tg_radiansPerDegree;
            rotation = tgMulQuat(rotation, tgMakeQuat(direction, (float)angle));
        }
    }
    return tgNormalizeQuat(rotation);
}

static tgVec3 tgMakeBvhPosition(const tgBvhNode* node, const float* values)
{
    float position[3] = {node->offset.x, node->offset.y, node->offset.z};
    for (int c = 0; c < node->channelCount; ++c) {
        if (node->channels[c] < tg_firstBvhRotation) {
            position[node->channels[c]] = values[c];
        }
    }
    return tgMakeVec3(position[0], position[1], position[2]);
}

/// One channel of the scene: a node's translations or rotations in every frame.
/// @param first of the node's numbers in a frame
static bool tgAddBvhChannel(const tgBvhReader* reader, tgScene* scene, int n, int first,
                            tgPath path, const float* times, tgChannel* channel)
{
    int width = path == tg_pathRotation ? 4 : 3;
    float* values = tgScene_Alloc(scene, (size_t)reader->frameCount * (size_t)width, sizeof(float));
    if (values == NULL) {
        return false;
    }
    const tgBvhNode* node = &reader->nodes[n];
    for (int i = 0; i < reader->frameCount; ++i) {
        const float* numbers =
            reader->frames + (size_t)i * (size_t)reader->channelCount + (size_t)first;
        float* value = values + (size_t)i * (size_t)width;
        if (path == tg_pathRotation) {
            tgQuat q = tgMakeBvhRotation(node, numbers);
            memcpy(value, &q, sizeof(q));
        } else {
            tgVec3 p = tgMakeBvhPosition(node, numbers);
            memcpy(value, &p, sizeof(p));
        }
    }
    *channel = (tgChannel){.node = n,
                           .path = path,
                           .interpolation = tg_interpolateLinear,
                           .keyCount = reader->frameCount,
                           .width = width,
                           .times = times,
                           .values = values};
    return true;
}

static bool tgBuildBvhChannels(const tgBvhReader* reader, tgScene* scene, const float* times,
                               tgChannel* channels, int* channelCount)
{
    int first = 0;
    for (int n = 0; n < reader->nodeCount; ++n) {
        const tgBvhNode* node = &reader->nodes[n];
        bool moves = false, turns = false;
        for (int c = 0; c < node->channelCount; ++c) {
            moves = moves || node->channels[c] < tg_firstBvhRotation;
            turns = turns || node->channels[c] >= tg_firstBvhRotation;
        }
        if (moves && !tgAddBvhChannel(reader, scene, n, first, tg_pathTranslation, times,
                                      &channels[(*channelCount)++])) {
            return false;
        }
        if (turns && !tgAddBvhChannel(reader, scene, n, first, tg_pathRotation, times,
                                      &channels[(*channelCount)++])) {
            return false;
        }
        first += node->channelCount;
    }
    return true;
}

static tgResult tgBuildBvhMotion(const tgBvhReader* reader, tgScene* scene)
{
    float* times = tgScene_Alloc(scene, (size_t)reader->frameCount, sizeof(float));
    tgChannel* channels = tgScene_Alloc(scene, 2 * (size_t)reader->nodeCount, sizeof(tgChannel));
    tgAnimation* animation = tgScene_Alloc(scene, 1, sizeof(tgAnimation));
    bool done = times != NULL && channels != NULL && animation != NULL;
    for (int i = 0; done && i < reader->frameCount; ++i) {
        times[i] = (float)(i * (double)reader->frameTime);
        if (i > 0 && !(times[i] > times[i - 1])) {
            return tgFail(reader->error, tg_unsupported, i,
                          "%d frames of %g seconds are more than can be told apart",
                          reader->frameCount, (double)reader->frameTime);
        }
    }
    int channelCount = 0;
    done = done && tgBuildBvhChannels(reader, scene, times, channels, &channelCount);
    if (!done) {
        return tgFail(reader->error, tg_outOfMemory, -1, "not enough memory for %d frames",
                      reader->frameCount);
    }
    *animation = (tgAnimation){.name = "motion",
                               .start = 0.0,
                               .end = (double)times[reader->frameCount - 1],
                               .channelCount = channelCount,
                               .channels = channels};
    scene->animationCount = 1;
    scene->animations = animation;
    return tg_success;
}

tgResult tgBuildBvhScene(const tgBvhReader* reader, tgScene* scene)
{
    if (!tgBuildBvhSkeleton(reader, scene)) {
        return tgFail(reader->error, tg_outOfMemory, -1, "not enough memory for the joints");
    }
    tgResult result = tgCheckBvhPlaces(reader, scene);
    if (reader->frameCount != reader->toldCount) {
        tgScene_Warn(scene, "the file says it has %s, found %d",
                     tgTellCount(reader->toldCount, "frame", "frames").text, reader->frameCount);
    }
    if (result == tg_success && reader->frameCount > 0) {
        result = tgBuildBvhMotion(reader, scene);
    }
    return result;
}
