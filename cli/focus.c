// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A picture of one joint.

#include "focus.h"

#include "draw/camera.h"
#include "io/joint_names.h"
#include "play/bends.h"
#include "report.h"

#include <math.h>
#include <stdlib.h>

/// Radius of a limb that the rig knows nothing of: over the rest diagonal.
static const float tg_guessedRadius = 0.03f;
/// Below this |sine| a joint counts as straight.
static const float tg_straightSine = 0.08f;
/// How much of the usual view is in that of a joint.
static const float tg_usualPart = 0.4f;

int tgOpenFocus(const char* name, float size, const tgShot* shot, tgFocus* focus)
{
    *focus = (tgFocus){.name = name, .size = size};
    focus->joints = calloc((size_t)shot->scene->jointCount + 1, sizeof(int));
    if (focus->joints == NULL) {
        return tgSayFailure(shot->file, "out of memory for %d joints", shot->scene->jointCount);
    }
    focus->count = tgMatchJoints(shot->scene, name, focus->joints);
    return focus->count > 0 ? tg_statusDone : tgSayNoJoint(shot->file, shot->scene, name);
}

void tgCloseFocus(tgFocus* focus)
{
    free(focus->joints);
    *focus = (tgFocus){0};
}

/// To the farthest of its children, in the bind pose.
static float tgGetOwnLength(const tgScene* scene, int joint)
{
    float most = 0.0f;
    for (int j = joint + 1; j < scene->jointCount; ++j) { // parents come first
        if (scene->joints[j].parent == joint) {
            most = fmaxf(most, tgDistance(scene->joints[j].restJoint.origin,
                                          scene->joints[joint].restJoint.origin));
        }
    }
    return most;
}

/// Of a limb, in the bind pose. No limb counts as thicker than its bones are long: a leg whose bend
/// reaches the belly has the belly's radius.
static float tgGetRadius(const tgRig* rig, const tgScene* scene, int joint)
{
    tgJointInfo info = tgRig_GetJointInfo(rig, joint);
    float guessed = tg_guessedRadius * tgRig_GetInfo(rig).restDiagonal;
    float bone = 0.5f * fmaxf(info.boneLength, tgGetOwnLength(scene, joint));
    return !info.bends ? guessed : bone > 0.0f ? fminf(info.radius, bone) : info.radius;
}

bool* tgFocus_FindSeen(const tgFocus* focus, const tgRig* rig, const tgScene* scene)
{
    bool* isSeen = calloc((size_t)scene->jointCount + 1, sizeof(bool));
    for (int i = 0; i < focus->count && isSeen != NULL; ++i) {
        tgVec3 place = scene->joints[focus->joints[i]].restJoint.origin;
        // A little more, for the corners of the picture.
        float reach = 1.5f * focus->size * tgGetRadius(rig, scene, focus->joints[i]);
        for (int v = 0; v < scene->vertexCount; ++v) {
            isSeen[tgRig_GetRegion(rig, v)] |= tgDistance(scene->positions[v], place) <= reach;
        }
    }
    return isSeen;
}

/// How many times longer than in the bind pose a joint makes things.
static float tgGetScale(const tgActor* actor, int joint)
{
    float rest = fabsf(tgDeterminant(&actor->scene->joints[joint].restJoint));
    float now = fabsf(tgDeterminant(&actor->joints[joint]));
    return rest > 0.0f && now > 0.0f ? cbrtf(now / rest) : 1.0f;
}

void tgFocus_Place(const tgFocus* focus, const tgRig* rig, const tgActor* actor, tgVec3* place,
                   float* reach)
{
    tgVec3 sum = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < focus->count; ++i) {
        sum = tgAdd(sum, actor->joints[focus->joints[i]].origin);
    }
    *place = tgMulSV(1.0f / (float)focus->count, sum);
    *reach = 0.0f;
    for (int i = 0; i < focus->count; ++i) {
        int j = focus->joints[i];
        float radius = tgGetScale(actor, j) * tgGetRadius(rig, actor->scene, j);
        float away = tgDistance(actor->joints[j].origin, *place);
        *reach = fmaxf(*reach, away + focus->size * radius);
    }
}

/// From the middle of all joints to the joint, level: what is seen from above or below is little.
static tgVec3 tgGetWayOut(const tgActor* actor, int joint)
{
    tgVec3 sum = {0.0f, 0.0f, 0.0f};
    int count = actor->scene->jointCount;
    for (int j = 0; j < count; ++j) {
        sum = tgMulAdd(sum, 1.0f / (float)count, actor->joints[j].origin);
    }
    tgVec3 way = tgSub(actor->joints[joint].origin, sum);
    way.y = 0.0f;
    return tgNormalize(way, tgMakeVec3(0.0f, 0.0f, 0.0f));
}

tgVec3 tgFocus_ChooseView(const tgFocus* focus, const tgActor* actor)
{
    tgVec3 usual = tgGetViewDirection(tg_viewThreeQuarter);
    int joint = focus->joints[0], parent = actor->scene->joints[joint].parent;
    tgVec3 out = tgGetWayOut(actor, joint), axis = {0.0f, 0.0f, 0.0f};
    tgMat34 turn, inverse;
    if (tgGetRelativeTurn(actor->scene, actor->joints, joint, &turn) &&
        tgInvertMat34(&actor->scene->joints[parent].restJoint, &inverse)) {
        tgVec3 bone = tgGetRestBone(actor->scene, joint);
        tgVec3 bent = tgCross(bone, tgMulMatDirection(&turn, bone));
        tgMat34 motion = tgMulMat34(&actor->joints[parent], &inverse);
        if (tgLength(bent) > tg_straightSine) {
            axis = tgNormalize(tgMulMatDirection(&motion, bent), axis);
        }
    }
    if (!(tgLength(axis) > 0.0f)) {
        return tgNormalize(tgMulAdd(out, tg_usualPart, usual), usual);
    }
    float side = tgDot(axis, out) + tg_usualPart * tgDot(axis, usual);
    tgVec3 from = tgMulSV(side < 0.0f ? -1.0f : 1.0f, axis);
    return tgNormalize(tgMulAdd(from, tg_usualPart, usual), usual);
}
