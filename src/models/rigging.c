// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Skeletons from tables, poses by joint name with two-bone legs that keep their feet on the ground,
// and animations sampled from a pose function.

#include "models/rigging.h"

#include "core/core.h"
#include "models/angles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const float tg_degree = 3.14159265f / 180.0f;

// Keys for each second, and no fewer in all: linear steps between them stay within a tenth of a
// degree of the curve, in a short quick loop too.
enum { tg_keysPerSecond = 30, tg_leastKeyCount = 90 };

static bool tgHasTwin(const char* name)
{
    size_t length = strlen(name);
    return length > 2 && strcmp(name + length - 2, ".L") == 0;
}

static void tgNameTwin(char twin[24], const char* name)
{
    snprintf(twin, 24, "%s", name);
    twin[strlen(twin) - 1] = 'R';
}

static int tgAddModelJoint(tgModelSkeleton* skeleton, const char* name, int parent, tgVec3 position)
{
    TG_ASSERT(skeleton->jointCount < tg_maxModelJoints);
    int j = skeleton->jointCount++;
    snprintf(skeleton->names[j], sizeof(skeleton->names[j]), "%s", name);
    skeleton->parents[j] = parent;
    skeleton->twins[j] = j;
    skeleton->positions[j] = position;
    return j;
}

void tgModelSkeleton_Create(tgModelSkeleton* skeleton, const tgJointDef* joints, int jointCount)
{
    skeleton->jointCount = 0;
    for (int i = 0; i < jointCount; ++i) {
        const tgJointDef* def = &joints[i];
        int parent = def->parent != NULL ? tgModelSkeleton_Find(skeleton, def->parent) : -1;
        TG_ASSERT(def->parent == NULL || parent >= 0);
        int j = tgAddModelJoint(skeleton, def->name, parent, def->position);
        if (tgHasTwin(def->name)) {
            char name[24];
            tgNameTwin(name, def->name);
            tgVec3 mirrored = tgMakeVec3(-def->position.x, def->position.y, def->position.z);
            int twinParent = parent >= 0 ? skeleton->twins[parent] : -1;
            int twin = tgAddModelJoint(skeleton, name, twinParent, mirrored);
            skeleton->twins[j] = twin;
            skeleton->twins[twin] = j;
        }
    }
}

int tgModelSkeleton_Find(const tgModelSkeleton* skeleton, const char* name)
{
    for (int j = 0; j < skeleton->jointCount; ++j) {
        if (strcmp(skeleton->names[j], name) == 0) {
            return j;
        }
    }
    return -1;
}

tgPoser tgMakePoser(const tgModelSkeleton* skeleton)
{
    tgPoser poser = {.skeleton = skeleton};
    for (int j = 0; j < skeleton->jointCount; ++j) {
        poser.rotations[j] = tgIdentityQuat();
    }
    return poser;
}

static tgQuat tgMakeEuler(float x, float y, float z)
{
    tgQuat qx = tgMakeTurn(tgMakeVec3(1.0f, 0.0f, 0.0f), tg_degree * x);
    tgQuat qy = tgMakeTurn(tgMakeVec3(0.0f, 1.0f, 0.0f), tg_degree * y);
    tgQuat qz = tgMakeTurn(tgMakeVec3(0.0f, 0.0f, 1.0f), tg_degree * z);
    return tgMulQuat(qz, tgMulQuat(qy, qx));
}

static void tgTurnJoint(tgPoser* poser, int j, float x, float y, float z)
{
    TG_ASSERT(j >= 0);
    poser->rotations[j] = tgNormalizeQuat(tgMulQuat(tgMakeEuler(x, y, z), poser->rotations[j]));
}

void tgPoser_Turn(tgPoser* poser, const char* joint, float x, float y, float z)
{
    tgTurnJoint(poser, tgModelSkeleton_Find(poser->skeleton, joint), x, y, z);
}

void tgPoser_TurnBoth(tgPoser* poser, const char* joint, float x, float y, float z)
{
    int j = tgModelSkeleton_Find(poser->skeleton, joint);
    tgTurnJoint(poser, j, x, y, z);
    tgTurnJoint(poser, poser->skeleton->twins[j], x, -y, -z);
}

void tgPoser_TurnAbout(tgPoser* poser, const char* joint, tgVec3 axis, float degrees)
{
    int j = tgModelSkeleton_Find(poser->skeleton, joint);
    TG_ASSERT(j >= 0);
    tgQuat turn = tgMakeTurn(axis, tg_degree * degrees);
    poser->rotations[j] = tgNormalizeQuat(tgMulQuat(turn, poser->rotations[j]));
}

void tgPoser_Move(tgPoser* poser, const char* joint, tgVec3 offset)
{
    int j = tgModelSkeleton_Find(poser->skeleton, joint);
    TG_ASSERT(j >= 0);
    poser->offsets[j] = tgAdd(poser->offsets[j], offset);
}

tgTransform tgPoser_GetJoint(const tgPoser* poser, int j)
{
    const tgModelSkeleton* skeleton = poser->skeleton;
    tgTransform posed = tgIdentityTransform();
    posed.position = tgAdd(skeleton->positions[j], poser->offsets[j]);
    posed.rotation = poser->rotations[j];
    int parent = skeleton->parents[j];
    if (parent >= 0) {
        tgTransform above = tgPoser_GetJoint(poser, parent);
        tgVec3 local = tgSub(posed.position, skeleton->positions[parent]);
        posed.position = tgAdd(above.position, tgRotate(above.rotation, local));
        posed.rotation = tgMulQuat(above.rotation, posed.rotation);
    }
    return posed;
}

/// Angle about +x in the y, z plane, from straight down: legs stay far from where it wraps.
static float tgGetPitch(tgVec3 v)
{
    return tgAngleOf(-v.z, -v.y);
}

static float tgLengthInPlane(tgVec3 v)
{
    return sqrtf(v.y * v.y + v.z * v.z);
}

void tgPoser_PlaceFoot(tgPoser* poser, const char* hip, const char* knee, const char* ankle,
                       tgVec3 offset)
{
    const tgModelSkeleton* skeleton = poser->skeleton;
    int hipJoint = tgModelSkeleton_Find(skeleton, hip);
    int kneeJoint = tgModelSkeleton_Find(skeleton, knee);
    int ankleJoint = tgModelSkeleton_Find(skeleton, ankle);
    TG_ASSERT(hipJoint >= 0 && kneeJoint >= 0 && ankleJoint >= 0);
    tgVec3 thigh = tgSub(skeleton->positions[kneeJoint], skeleton->positions[hipJoint]);
    tgVec3 shin = tgSub(skeleton->positions[ankleJoint], skeleton->positions[kneeJoint]);
    tgTransform above = tgPoser_GetJoint(poser, hipJoint);
    float parentPitch = 2.0f * tgAngleOf(above.rotation.x, above.rotation.w);

    tgVec3 target = tgAdd(skeleton->positions[ankleJoint], offset);
    tgVec3 reach = tgSub(target, above.position);
    float a = tgLengthInPlane(thigh), b = tgLengthInPlane(shin);
    float c = fmaxf(fabsf(a - b) * 1.001f, fminf((a + b) * 0.9999f, tgLengthInPlane(reach)));
    // Law of cosines: the angle at the hip between the thigh and the line to the ankle.
    float cosine = (a * a + c * c - b * b) / (2.0f * a * c);
    float clamped = fmaxf(-1.0f, fminf(1.0f, cosine));
    float atHip = tgAngleOf(sqrtf(1.0f - clamped * clamped), clamped);
    float side = thigh.y * shin.z - thigh.z * shin.y > 0.0f ? -1.0f : 1.0f;
    float thighPitch = tgGetPitch(reach) + side * atHip;
    float scale = c / tgLengthInPlane(reach);
    tgVec3 fromKnee = tgMakeVec3(0.0f, scale * reach.y + a * tgCos(thighPitch),
                                 scale * reach.z + a * tgSin(thighPitch));
    float shinPitch = tgGetPitch(fromKnee);

    float thighTurn = thighPitch - tgGetPitch(thigh), shinTurn = shinPitch - tgGetPitch(shin);
    tgTurnJoint(poser, hipJoint, (thighTurn - parentPitch) / tg_degree, 0.0f, 0.0f);
    tgTurnJoint(poser, kneeJoint, (shinTurn - thighTurn) / tg_degree, 0.0f, 0.0f);
    tgTurnJoint(poser, ankleJoint, -shinTurn / tg_degree, 0.0f, 0.0f);
}

void tgGetStride(const tgStride* stride, float phase, tgVec3* offset, float* fold)
{
    const float pi = 3.14159265f;
    float u = phase - floorf(phase);
    float span = stride->back - stride->front;
    *offset = tgMakeVec3(0.0f, 0.0f, 0.0f);
    if (u < stride->stance) {
        float t = u / stride->stance;
        offset->z = stride->front + span * t;
        *fold = stride->foldDown + (stride->foldUp - stride->foldDown) * t * t;
    } else {
        float t = (u - stride->stance) / (1.0f - stride->stance), s = 1.0f - t;
        // A cubic that leaves and lands with the speed of the ground, which runs by all the time.
        float speed = span * (1.0f - stride->stance) / stride->stance;
        offset->z = s * s * (stride->back * (1.0f + 2.0f * t) + t * speed) +
                    t * t * (stride->front * (3.0f - 2.0f * t) - s * speed);
        float up = tgSin(pi * t);
        offset->y = stride->lift * up * up;
        float ease = t * t * (3.0f - 2.0f * t);
        *fold = stride->foldUp + (stride->foldDown - stride->foldUp) * ease;
        *fold += (stride->foldSwing - 0.5f * (stride->foldUp + stride->foldDown)) * up * up;
    }
}

float tgEase(const float (*keys)[2], int keyCount, float time)
{
    if (time <= keys[0][0]) {
        return keys[0][1];
    }
    for (int k = 1; k < keyCount; ++k) {
        if (time < keys[k][0]) {
            float t = (time - keys[k - 1][0]) / (keys[k][0] - keys[k - 1][0]);
            return keys[k - 1][1] + t * t * (3.0f - 2.0f * t) * (keys[k][1] - keys[k - 1][1]);
        }
    }
    return keys[keyCount - 1][1];
}

bool tgWriteModelSkeleton(tgScene* scene, const tgModelSkeleton* skeleton,
                          const char* const* objectNames, int objectCount)
{
    scene->jointCount = skeleton->jointCount;
    scene->nodeCount = skeleton->jointCount + objectCount;
    scene->joints = tgScene_Alloc(scene, (size_t)scene->jointCount, sizeof(tgSceneJoint));
    scene->nodes = tgScene_Alloc(scene, (size_t)scene->nodeCount, sizeof(tgSceneNode));
    if (scene->joints == NULL || scene->nodes == NULL) {
        return false;
    }
    for (int j = 0; j < skeleton->jointCount; ++j) {
        int parent = skeleton->parents[j];
        tgTransform local = tgIdentityTransform();
        local.position = skeleton->positions[j];
        if (parent >= 0) {
            local.position = tgSub(local.position, skeleton->positions[parent]);
        }
        const char* name = tgScene_CopyText(scene, skeleton->names[j]);
        scene->nodes[j] = (tgSceneNode){.name = name, .parent = parent, .local = local};
        tgMat34 rest = tgIdentityMat34();
        rest.origin = skeleton->positions[j];
        scene->joints[j] =
            (tgSceneJoint){.name = name, .parent = parent, .node = j, .restJoint = rest};
    }
    for (int i = 0; i < objectCount; ++i) {
        scene->nodes[skeleton->jointCount + i] =
            (tgSceneNode){.name = tgScene_CopyText(scene, objectNames[i]),
                          .parent = -1,
                          .local = tgIdentityTransform()};
    }
    return true;
}

/// The channel of one joint, or none (keyCount 0) when it never moves.
static bool tgWriteChannel(tgScene* scene, tgChannel* channel, const tgPoser* poses, int keyCount,
                           int j, const float* times)
{
    bool isRotation = channel->path == tg_pathRotation;
    float* values = tgScene_Alloc(scene, (size_t)keyCount, (size_t)channel->width * sizeof(float));
    if (values == NULL) {
        return false;
    }
    bool moves = false;
    for (int i = 0; i < keyCount; ++i) {
        float* value = &values[i * channel->width];
        if (isRotation) {
            memcpy(value, &poses[i].rotations[j], sizeof(tgQuat));
        } else {
            tgVec3 position = tgAdd(scene->nodes[j].local.position, poses[i].offsets[j]);
            memcpy(value, &position, sizeof(tgVec3));
        }
        moves = moves || memcmp(value, values, (size_t)channel->width * sizeof(float)) != 0;
    }
    channel->node = j;
    channel->interpolation = tg_interpolateLinear;
    channel->keyCount = moves ? keyCount : 0;
    channel->times = times;
    channel->values = values;
    return true;
}

/// Pose the skeleton at every key.
static void tgSampleAnimation(const tgModelSkeleton* skeleton, tgAnimateFcn* animate,
                              float duration, tgPoser* poses, float* times, int keyCount)
{
    for (int i = 0; i < keyCount; ++i) {
        times[i] = duration * (float)i / (float)(keyCount - 1);
        poses[i] = i + 1 < keyCount ? tgMakePoser(skeleton) : poses[0];
        if (i + 1 < keyCount) {
            animate(&poses[i], times[i]);
        }
    }
}

/// A channel for everything that moves; -1 when there is no memory.
static int tgWriteChannels(tgScene* scene, tgChannel* channels, const tgPoser* poses, int keyCount,
                           const float* times)
{
    int channelCount = 0;
    for (int j = 0; j < poses->skeleton->jointCount; ++j) {
        for (int k = 0; k < 2; ++k) {
            tgChannel* channel = &channels[channelCount];
            *channel = (tgChannel){.path = k == 0 ? tg_pathTranslation : tg_pathRotation,
                                   .width = k == 0 ? 3 : 4};
            if (!tgWriteChannel(scene, channel, poses, keyCount, j, times)) {
                return -1;
            }
            channelCount += channel->keyCount > 0;
        }
    }
    return channelCount;
}

static bool tgWriteAnimation(tgScene* scene, const tgModelSkeleton* skeleton,
                             const tgModelAnimation* def, tgAnimation* animation)
{
    int stepCount = (int)(def->duration * (float)tg_keysPerSecond + 0.5f);
    int keyCount = (stepCount > tg_leastKeyCount ? stepCount : tg_leastKeyCount) + 1;
    float* times = tgScene_Alloc(scene, (size_t)keyCount, sizeof(float));
    tgChannel* channels = tgScene_Alloc(scene, 2 * (size_t)skeleton->jointCount, sizeof(tgChannel));
    tgPoser* poses = calloc((size_t)keyCount, sizeof(tgPoser));
    if (times == NULL || channels == NULL || poses == NULL) {
        free(poses);
        return false;
    }
    tgSampleAnimation(skeleton, def->animate, def->duration, poses, times, keyCount);
    int channelCount = tgWriteChannels(scene, channels, poses, keyCount, times);
    free(poses);
    if (channelCount < 0) {
        return false;
    }
    *animation = (tgAnimation){.name = tgScene_CopyText(scene, def->name),
                               .start = 0.0,
                               .end = (double)times[keyCount - 1],
                               .channelCount = channelCount,
                               .channels = channels};
    return true;
}

bool tgWriteModelAnimations(tgScene* scene, const tgModelSkeleton* skeleton,
                            const tgModelAnimation* animations, int animationCount)
{
    scene->animations = tgScene_Alloc(scene, (size_t)animationCount, sizeof(tgAnimation));
    scene->animationCount = scene->animations != NULL ? animationCount : 0;
    for (int i = 0; i < scene->animationCount; ++i) {
        if (!tgWriteAnimation(scene, skeleton, &animations[i], &scene->animations[i])) {
            return false;
        }
    }
    return scene->animationCount == animationCount;
}
