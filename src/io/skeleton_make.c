// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Skeletons as scenes: joints by their places, and a test animation that moves one joint after the
// other.

#include "io/skeleton_make.h"

#include "core/core.h"
#include "turgor/io.h"

#include <stdlib.h>
#include <string.h>

/// Of the test animation: how far a joint swings, radians, and how long that takes, seconds.
static const float tg_wiggleAngle = 40.0f * 3.14159265f / 180.0f, tg_wiggleTime = 0.8f;
/// A bone nearer than this to the axis of a swing, as a cosine, swings about another.
static const float tg_wiggleAlong = 0.7f;

bool tgScene_OpenSkeleton(tgScene* scene, int jointCount)
{
    scene->joints = tgScene_Alloc(scene, (size_t)jointCount, sizeof(tgSceneJoint));
    scene->nodes = tgScene_Alloc(scene, 2 * (size_t)jointCount + 1, sizeof(tgSceneNode));
    return scene->joints != NULL && scene->nodes != NULL;
}

static void tgAddNode(tgScene* scene, const char* name, int parent, tgVec3 offset)
{
    tgTransform local = {offset, tgIdentityQuat(), {1.0f, 1.0f, 1.0f}};
    scene->nodes[scene->nodeCount++] =
        (tgSceneNode){.name = name, .parent = parent, .local = local};
}

void tgScene_AddSkeletonJoint(tgScene* scene, const char* name, int parent, int rootNode,
                              tgVec3 place, const tgVec3* tail)
{
    tgSceneJoint* joint = &scene->joints[scene->jointCount++];
    *joint = (tgSceneJoint){.name = tgScene_CopyText(scene, name),
                            .parent = parent,
                            .node = scene->nodeCount,
                            .restJoint = tgIdentityMat34()};
    joint->restJoint.origin = place;
    tgVec3 from = parent >= 0 ? scene->joints[parent].restJoint.origin : tgMakeVec3(0, 0, 0);
    tgAddNode(scene, joint->name, parent >= 0 ? scene->joints[parent].node : rootNode,
              tgSub(place, from));
    if (tail != NULL) {
        tgAddNode(scene, joint->name, joint->node, tgSub(*tail, place));
    }
}

// ---- the test animation ----

/// Across the bone and, where that can be, across the mirror plane: knees and elbows bend so.
static tgVec3 tgChooseSwing(const tgAutorig* rig, int joint)
{
    tgVec3 along = tgSub(rig->joints[joint].tail, rig->joints[joint].position);
    for (int j = 0; j < rig->jointCount; ++j) {
        if (rig->joints[j].parent == joint) {
            along = tgAdd(along, tgSub(rig->joints[j].position, rig->joints[joint].position));
        }
    }
    tgVec3 axis = rig->hasPlane ? rig->planeNormal : tgMakeVec3(1.0f, 0.0f, 0.0f);
    along = tgNormalize(along, tgMakeVec3(0.0f, 0.0f, 0.0f));
    if (fabsf(tgDot(along, axis)) > tg_wiggleAlong) {
        axis = rig->up;
    }
    axis = tgMulAdd(axis, -tgDot(axis, along), along);
    return tgNormalize(axis, tgMakeVec3(0.0f, 0.0f, 1.0f));
}

/// There, to the other side, and back.
static bool tgFillSwing(tgScene* scene, const tgAutorig* rig, int joint, tgChannel* channel)
{
    static const float parts[] = {0.0f, 0.25f, 0.75f, 1.0f}, angles[] = {0.0f, 1.0f, -1.0f, 0.0f};
    enum { tg_keyCount = 4 };
    float* times = tgScene_Alloc(scene, tg_keyCount, sizeof(float));
    float* values = tgScene_Alloc(scene, tg_keyCount, sizeof(tgQuat));
    if (times == NULL || values == NULL) {
        return false;
    }
    tgVec3 axis = tgChooseSwing(rig, joint);
    for (int k = 0; k < tg_keyCount; ++k) {
        times[k] = tg_wiggleTime * ((float)joint + parts[k]);
        tgQuat q = tgMakeQuat(axis, tg_wiggleAngle * angles[k]);
        memcpy(values + 4 * k, &q, sizeof(q));
    }
    *channel = (tgChannel){.node = scene->joints[joint].node,
                           .path = tg_pathRotation,
                           .interpolation = tg_interpolateLinear,
                           .keyCount = tg_keyCount,
                           .width = 4,
                           .times = times,
                           .values = values};
    return true;
}

static bool tgAddWiggle(tgScene* scene, const tgAutorig* rig)
{
    scene->animations = tgScene_Alloc(scene, 1, sizeof(tgAnimation));
    tgChannel* channels = tgScene_Alloc(scene, (size_t)rig->jointCount, sizeof(tgChannel));
    if (scene->animations == NULL || channels == NULL) {
        return false;
    }
    for (int j = 0; j < rig->jointCount; ++j) {
        if (!tgFillSwing(scene, rig, j, &channels[j])) {
            return false;
        }
    }
    scene->animations[0] = (tgAnimation){.name = tgScene_CopyText(scene, "wiggle"),
                                         .end = (double)tg_wiggleTime * (double)rig->jointCount,
                                         .channelCount = rig->jointCount,
                                         .channels = channels};
    scene->animationCount = 1;
    return true;
}

static bool tgIsLeaf(const tgAutorig* rig, int joint)
{
    for (int j = joint + 1; j < rig->jointCount; ++j) {
        if (rig->joints[j].parent == joint) {
            return false;
        }
    }
    return true;
}

tgScene* tgCreateSkeletonScene(const tgAutorig* rig, const tgMat34* bindToModel, bool wiggles,
                               tgError* error)
{
    tgScene* scene = rig != NULL && rig->jointCount > 0 ? tgCreateScene() : NULL;
    if (rig == NULL || rig->jointCount < 1) {
        tgFail(error, tg_invalidArgument, -1, "wanted a skeleton with joints");
        return NULL;
    }
    bool isMade = scene != NULL && tgScene_OpenSkeleton(scene, rig->jointCount);
    int root = -1;
    if (isMade && bindToModel != NULL) {
        root = scene->nodeCount;
        scene->nodes[scene->nodeCount++] = (tgSceneNode){.name = tgScene_CopyText(scene, "rig"),
                                                         .parent = -1,
                                                         .hasMatrix = true,
                                                         .matrix = *bindToModel};
    }
    for (int j = 0; j < rig->jointCount && isMade; ++j) {
        const tgAutorigJoint* joint = &rig->joints[j];
        tgScene_AddSkeletonJoint(scene, joint->name, joint->parent, root, joint->position,
                                 tgIsLeaf(rig, j) ? &joint->tail : NULL);
    }
    isMade = isMade && (!wiggles || tgAddWiggle(scene, rig)) && !scene->hasRunOut;
    if (!isMade) {
        tgDestroyScene(scene);
        tgFail(error, tg_outOfMemory, -1, "not enough memory for the joints");
        return NULL;
    }
    return scene;
}
