// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// How far joints bend, and about which axis. A turn R of a joint against its parent takes its bone
// d to R d: it swings by the angle theta between the two about a = d x R d, and twists about d.
// Over all frames of all animations the axis is the direction that the sum of theta^2 a a^T is
// largest in, and the natural side is the one that the sum of theta a lies on.

#include "play/bends.h"

#include <math.h>
#include <stdlib.h>

/// Frames a second, and the most of one animation.
static const double tg_lookRate = 30.0;
enum { tg_mostLooks = 600 };
/// Transforms that all looks together compose, half a second of work: small files may have
/// thousands of clips and nodes.
static const double tg_mostTransforms = 5e7;
/// Joints that swing by less than this, radians, tell no axis by that: 3 degrees.
static const float tg_leastSwing = 0.052f;
/// Sine of the bend that a limb must have in the bind pose to tell one: 2 degrees.
static const float tg_leastRestBend = 0.035f;

/// What the frames of one joint came to.
typedef struct tgSwings {
    double spread[3][3]; ///< sum of theta^2 a a^T
    double mean[3];      ///< sum of theta a
} tgSwings;

/// @param sum of the children's places
static tgVec3 tgMakeRestBone(const tgScene* scene, int joint, tgVec3 sum, int count)
{
    tgVec3 here = scene->joints[joint].restJoint.origin, bone = {0.0f, 0.0f, 0.0f};
    int parent = scene->joints[joint].parent;
    if (count > 0) {
        bone = tgSub(tgMulSV(1.0f / (float)count, sum), here);
    } else if (parent >= 0) {
        bone = tgSub(here, scene->joints[parent].restJoint.origin);
    }
    return tgNormalize(bone, tgMakeVec3(0.0f, 1.0f, 0.0f));
}

tgVec3 tgGetRestBone(const tgScene* scene, int joint)
{
    tgVec3 sum = {0.0f, 0.0f, 0.0f};
    int count = 0;
    for (int j = joint + 1; j < scene->jointCount; ++j) { // parents come first
        if (scene->joints[j].parent == joint) {
            sum = tgAdd(sum, scene->joints[j].restJoint.origin);
            count += 1;
        }
    }
    return tgMakeRestBone(scene, joint, sum, count);
}

/// The same for all joints at once.
/// @param counts as many zeros
static void tgFillRestBones(const tgScene* scene, int* counts, tgVec3* bones)
{
    for (int j = 0; j < scene->jointCount; ++j) {
        int parent = scene->joints[j].parent;
        if (parent >= 0) {
            bones[parent] = tgAdd(bones[parent], scene->joints[j].restJoint.origin);
            counts[parent] += 1;
        }
    }
    for (int j = 0; j < scene->jointCount; ++j) {
        bones[j] = tgMakeRestBone(scene, j, bones[j], counts[j]);
    }
}

/// Of a joint since the bind pose.
static bool tgGetMotion(const tgScene* scene, const tgMat34* joints, int joint, tgMat34* motion)
{
    tgMat34 inverse;
    bool isKnown = tgInvertMat34(&scene->joints[joint].restJoint, &inverse);
    *motion = isKnown ? tgMulMat34(&joints[joint], &inverse) : tgIdentityMat34();
    return isKnown;
}

bool tgGetRelativeTurn(const tgScene* scene, const tgMat34* joints, int joint, tgMat34* turn)
{
    int parent = scene->joints[joint].parent;
    tgMat34 own, carried, back;
    *turn = tgIdentityMat34();
    if (parent < 0 || !tgGetMotion(scene, joints, joint, &own) ||
        !tgGetMotion(scene, joints, parent, &carried) || !tgInvertMat34(&carried, &back)) {
        return false;
    }
    tgMat34 relative = tgMulMat34(&back, &own);
    // Scales are not turns: three axes at right angles.
    tgVec3 none = {0.0f, 0.0f, 0.0f};
    turn->x = tgNormalize(relative.x, none);
    turn->y = tgNormalize(tgMulAdd(relative.y, -tgDot(turn->x, relative.y), turn->x), none);
    turn->z = tgCross(turn->x, turn->y);
    return tgDeterminant(turn) > 0.5f;
}

/// Adds a frame's turn.
static void tgAddTurn(const tgMat34* turn, tgVec3 bone, tgSwings* swings, tgBend* bend)
{
    tgVec3 to = tgMulMatDirection(turn, bone), axis = tgCross(bone, to);
    float swing = atan2f(tgLength(axis), tgDot(bone, to));
    tgVec3 unit = tgNormalize(axis, tgMakeVec3(0.0f, 0.0f, 0.0f));
    const double a[3] = {(double)unit.x, (double)unit.y, (double)unit.z};
    for (int k = 0; k < 3; ++k) {
        swings->mean[k] += (double)swing * a[k];
        for (int i = 0; i < 3; ++i) {
            swings->spread[k][i] += (double)swing * (double)swing * a[k] * a[i];
        }
    }
    // Twist: what is left of the turn's vector part along the bone, over its cosine.
    float cosine = 0.25f * (1.0f + turn->x.x + turn->y.y + turn->z.z); // squared, of half the turn
    float w = sqrtf(fmaxf(cosine, 0.0f));
    tgVec3 vector = tgMakeVec3(turn->y.z - turn->z.y, turn->z.x - turn->x.z, turn->x.y - turn->y.x);
    float along = w > 1e-6f ? 0.25f * tgDot(vector, bone) / w : 1.0f;
    bend->swing = fmaxf(bend->swing, swing);
    bend->twist = fmaxf(bend->twist, 2.0f * atan2f(fabsf(along), w));
}

/// Where the spread is largest, by power iteration from the mean; to the mean's side.
static tgVec3 tgGetMainAxis(const tgSwings* swings)
{
    const double(*m)[3] = swings->spread;
    double v[3] = {swings->mean[0], swings->mean[1], swings->mean[2]};
    int most = m[0][0] > m[1][1] ? 0 : 1;
    most = m[2][2] > m[most][most] ? 2 : most;
    for (int k = 0; k < 3; ++k) { // as much again of where it surely is not nothing
        v[k] += m[k][most] / sqrt(m[most][most]);
    }
    for (int round = 0; round < 100; ++round) {
        double next[3], length = 0.0;
        for (int k = 0; k < 3; ++k) {
            next[k] = m[k][0] * v[0] + m[k][1] * v[1] + m[k][2] * v[2];
            length += next[k] * next[k];
        }
        length = sqrt(length);
        for (int k = 0; k < 3 && length > 0.0; ++k) {
            v[k] = next[k] / length;
        }
    }
    double side = v[0] * swings->mean[0] + v[1] * swings->mean[1] + v[2] * swings->mean[2];
    float sign = side < 0.0 ? -1.0f : 1.0f;
    return tgMakeVec3(sign * (float)v[0], sign * (float)v[1], sign * (float)v[2]);
}

/// The axis of a joint, by the first that tells it.
static void tgChooseAxis(const tgScene* scene, int joint, tgVec3 bone, const tgSwings* swings,
                         tgBend* bend)
{
    int parent = scene->joints[joint].parent;
    tgVec3 in = bone;
    if (parent >= 0) {
        in = tgNormalize(
            tgSub(scene->joints[joint].restJoint.origin, scene->joints[parent].restJoint.origin),
            bone);
    }
    tgVec3 onwards = tgCross(in, bone);
    if (bend->swing > tg_leastSwing) {
        bend->source = tg_axisOfClips;
        bend->axis = tgGetMainAxis(swings);
    } else if (tgLength(onwards) > tg_leastRestBend) {
        bend->source = tg_axisOfRest;
        bend->axis = tgNormalize(onwards, onwards);
    } else {
        // Towards the front, which is z in glTF; a bone along z goes up.
        tgVec3 front = tgMakeVec3(0.0f, 0.0f, 1.0f), up = tgMakeVec3(0.0f, 1.0f, 0.0f);
        bend->source = tg_axisAcross;
        bend->axis = tgNormalize(tgCross(bone, fabsf(bone.z) < 0.9f ? front : up), up);
    }
}

/// All frames of an animation, or as many of them as may be looked at.
static void tgLookAtClip(const tgScene* scene, int animation, int mostLooks, const tgVec3* bones,
                         tgMat34* nodes, tgMat34* joints, tgSwings* swings, tgBend* bends)
{
    int count = tgScene_GetFrameCount(scene, animation, tg_lookRate);
    int step = (count - 1) / mostLooks + 1;
    for (int frame = 0; frame<count; frame = count - frame> step ? frame + step : count) {
        double time = tgScene_GetFrameTime(scene, animation, tg_lookRate, frame);
        tgScene_SamplePose(scene, animation, time, nodes, joints, NULL);
        for (int j = 0; j < scene->jointCount; ++j) {
            tgMat34 turn;
            if (tgGetRelativeTurn(scene, joints, j, &turn)) {
                tgAddTurn(&turn, bones[j], &swings[j], &bends[j]);
            }
        }
    }
}

bool tgFindBends(const tgScene* scene, tgBend* bends)
{
    size_t count = (size_t)scene->jointCount + 1;
    tgMat34* nodes = calloc((size_t)scene->nodeCount + 1, sizeof(tgMat34));
    tgMat34* joints = calloc(count, sizeof(tgMat34));
    tgVec3* bones = calloc(count, sizeof(tgVec3));
    tgSwings* swings = calloc(count, sizeof(tgSwings));
    int* childCounts = calloc(count, sizeof(int));
    bool memory =
        nodes != NULL && joints != NULL && bones != NULL && swings != NULL && childCounts != NULL;
    if (memory) {
        tgFillRestBones(scene, childCounts, bones);
    }
    for (int j = 0; memory && j < scene->jointCount; ++j) {
        bends[j] = (tgBend){.swing = 0.0f};
    }
    double looks = tg_mostTransforms / ((double)scene->nodeCount + (double)scene->jointCount + 1.0);
    double each = fmax(fmin(looks / fmax(scene->animationCount, 1), tg_mostLooks), 1.0);
    for (int a = 0; memory && a < scene->animationCount && a * each < looks; ++a) {
        tgLookAtClip(scene, a, (int)each, bones, nodes, joints, swings, bends);
    }
    for (int j = 0; memory && j < scene->jointCount; ++j) {
        tgChooseAxis(scene, j, bones[j], &swings[j], &bends[j]);
    }
    free(nodes);
    free(joints);
    free(bones);
    free(swings);
    free(childCounts);
    return memory;
}
