// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Exact volume as published (2009). Joint after joint, root to leaf: pose one more joint, carry the
// displacements so far along by its blended turn, and give back what is missing (s.3.2). Axis after
// axis of the joint's frame, with the gradient g taken anew each time (eq. 4):
//
//   u_k = mu_a dV gamma_k g_ka / sum_j gamma_j g_ja^2   along e_a
//
// The volume is linear in the coordinates along one axis, so this adds mu_a dV and nothing else.
// None of the rules that make it fit for any character; the result depends on the order of joints.

#include "core/paper.h"

#include "core/pose.h"
#include "core/volume.h"

#include <math.h>
#include <string.h>

void tgPaperTask_Place(const tgSkin* skin, int jointCount, int limbCount, tgLayout* layout,
                       tgPaperTask* task)
{
    size_t elements = (size_t)skin->elementCount, joints = (size_t)jointCount;
    size_t pairs = (size_t)skin->pairCount;
    task->palette = tgLayout_Take(layout, joints * tg_matrixFloats, sizeof(float));
    task->rigid = tgLayout_Take(layout, joints * tg_dualQuaternionFloats, sizeof(float));
    task->pairs = tgLayout_Take(layout, pairs * tg_dualQuaternionFloats, sizeof(float));
    task->states = tgLayout_Take(layout, joints, sizeof(tgMat34d));
    task->turns = tgLayout_Take(layout, (size_t)limbCount, sizeof(bool));
    task->skinned = tgLayout_Take(layout, 4 * elements, sizeof(float));
    task->carried = tgLayout_Take(layout, 4 * elements, sizeof(float));
    task->gradient = tgLayout_Take(layout, 4 * elements, sizeof(float));
    task->gamma = tgLayout_Take(layout, elements, sizeof(float));
}

// ---- the state: joints that are posed, and those that follow ------------------------------------

/// Joint `joint` and all below it move as its motion says.
static void tgPoseSubtree(const tgPaperTask* task, int joint)
{
    const tgTree* tree = &task->skeleton->tree;
    const tgMat34d* motion = &task->target->motions[joint];
    for (int i = tree->place[joint]; i < tree->subtreeEnd[joint]; ++i) {
        int j = tree->order[i];
        task->states[j] =
            task->target->isRest ? *motion : tgMat34d_Mul(motion, &task->target->skins[j]);
    }
}

static void tgSkinState(const tgPaperTask* task)
{
    int count = task->skeleton->jointCount, end = task->skin->extraStart;
    tgSkinTask skin = {.rest = task->rest,
                       .groupStart = task->skin->groupStart,
                       .weights = task->skin->weights,
                       .entries = task->skin->joints,
                       .palette = task->palette,
                       .positions = task->skinned};
    if (task->isLinear) {
        tgFillMatrixPalette(task->states, count, task->palette);
        tgRunSkin(task->parallel, task->kernels->skinLinear, &skin, 0, end);
    } else {
        if (tgSplitSkinMatrices(task->skeleton, task->states, task->rigid, task->palette)) {
            tgRunSkin(task->parallel, task->kernels->skinLinear, &skin, 0, end);
            skin.rest = task->skinned;
        }
        tgFillPairPalette(task->rigid, task->skin->pairList, task->skin->pairCount, task->pairs);
        skin.entries = task->skin->pairs;
        skin.palette = task->pairs;
        tgRunSkin(task->parallel, task->kernels->skinDualQuaternion, &skin, 0, end);
    }
    tgPlaceCapCenters(task->mesh, task->skinned);
}

/// Displacements turn with the joint as far as each vertex follows it.
static void tgCarryAlong(const tgPaperTask* task, int joint)
{
    const tgTree* tree = &task->skeleton->tree;
    const tgSkin* skin = task->skin;
    tgMat34d back;
    if (!tgMat34d_Invert(&task->target->motions[tree->carriers[joint]], &back)) {
        return;
    }
    tgMat34d turn = tgMat34d_Mul(&task->target->motions[joint], &back);
    for (int v = 0; v < task->mesh->vertexCount; ++v) {
        float* u = task->carried + 4 * (size_t)v;
        int begin = skin->groupStart != NULL ? skin->groupStart[v] : v;
        int end = skin->groupStart != NULL ? skin->groupStart[v + 1] : v + 1;
        double w = 0.0, turned[3];
        for (int k = 4 * begin; k < 4 * end; ++k) {
            w += tgTree_Carries(tree, joint, skin->joints[k]) ? (double)skin->weights[k] : 0.0;
        }
        for (int i = 0; i < 3; ++i) {
            turned[i] = turn.c[0][i] * (double)u[0] + turn.c[1][i] * (double)u[1] +
                        turn.c[2][i] * (double)u[2];
        }
        for (int i = 0; i < 3; ++i) {
            u[i] = (float)((1.0 - w) * (double)u[i] + w * turned[i]);
        }
    }
}

// ---- one joint ----------------------------------------------------------------------------------

/// The joint's frame, where its parent's motion carries it.
static tgJointFrame tgMakePosedFrame(const tgPaperTask* task, const tgLimb* limb)
{
    const tgMat34d* carried = &task->states[task->skeleton->tree.carriers[limb->hinge]];
    const tgMat34d* motion = &task->target->motions[task->skeleton->tree.carriers[limb->hinge]];
    const tgMat34d* own = &task->target->motions[limb->hinge];
    double turn[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    tgMat34d back, relative;
    if (tgMat34d_Invert(motion, &back)) {
        relative = tgMat34d_Mul(&back, own);
        memcpy(turn, relative.c, sizeof(turn));
    }
    tgJointFrame frame = tgMakeRestFrame(limb, (const double(*)[3])turn);
    frame.origin = tgMat34d_MulPoint(carried, task->skeleton->rest[limb->hinge].c[3]);
    for (int axis = 0; axis < 3; ++axis) {
        tgVec3 posed = tgMat34d_MulVector(motion, frame.axes[axis]);
        frame.axes[axis] = tgNormalize(posed, frame.axes[axis]);
    }
    frame.unit = tgMat34d_GetScale(carried);
    return frame;
}

/// Axes by falling share, ties in their own order.
static void tgGetOrder(const float shares[3], int order[3])
{
    for (int a = 0; a < 3; ++a) {
        int at = a;
        for (; at > 0 && shares[order[at - 1]] < shares[a]; --at) {
            order[at] = order[at - 1];
        }
        order[at] = a;
    }
}

/// Adds `amount` along one axis.
static void tgMoveAlongAxis(const tgPaperTask* task, tgVec3 axis, double amount)
{
    double sum = 0.0;
    tgFillGradient(task->parallel, task->kernels, task->mesh, task->positions, task->slots,
                   task->gradient);
    for (int v = 0; v < task->mesh->vertexCount; ++v) {
        const float* g = task->gradient + 4 * (size_t)v;
        double along = (double)g[0] * (double)axis.x + (double)g[1] * (double)axis.y +
                       (double)g[2] * (double)axis.z;
        sum += (double)task->gamma[v] * along * along;
    }
    for (int v = 0; sum > 0.0 && v < task->mesh->vertexCount; ++v) {
        const float* g = task->gradient + 4 * (size_t)v;
        float* p = task->positions + 4 * (size_t)v;
        float along = (g[0] * axis.x + g[1] * axis.y) + g[2] * axis.z;
        float step = (float)(amount / sum) * task->gamma[v] * along;
        p[0] += step * axis.x;
        p[1] += step * axis.y;
        p[2] += step * axis.z;
    }
    tgPlaceCapCenters(task->mesh, task->positions);
}

static void tgCorrectJoint(const tgPaperTask* task, const tgLimb* limb)
{
    tgJointFrame frame = tgMakePosedFrame(task, limb);
    float shares[3] = {(float)1 / 3, (float)1 / 3, (float)1 / 3};
    int order[3], last = 2;
    if (limb->profileCount > 0) {
        tgGetShares(limb, &frame, shares);
    }
    tgGetOrder(shares, order);
    while (last > 0 && !(shares[order[last]] > 0.0f)) {
        last -= 1;
    }
    tgFillGamma(limb, &frame, task->positions, NULL, task->mesh->vertexCount, task->gamma);
    for (int v = 0; v < task->mesh->vertexCount; ++v) {
        task->gamma[v] *= tgPaint_Get(task->paint, limb->hinge, v);
    }
    double wanted = task->target->sign * task->target->volume;
    double amount = wanted - tgVolume(task->mesh, task->positions);
    for (int i = 0; i <= last; ++i) {
        // The last axis is given what is really left, so that rounding ends there.
        double left = wanted - tgVolume(task->mesh, task->positions);
        double share = i == last ? left : (double)shares[order[i]] * amount;
        tgMoveAlongAxis(task, frame.axes[order[i]], share);
    }
}

void tgRestoreAsPublished(const tgPaperTask* task)
{
    const tgTree* tree = &task->skeleton->tree;
    size_t size = 4 * (size_t)task->skin->elementCount * sizeof(float);
    int count = task->mesh->vertexCount;
    memset(task->carried, 0, size);
    tgPoseSubtree(task, tree->order[0]);
    tgSkinState(task);
    memcpy(task->positions, task->skinned, size);
    for (int i = 1; i < tree->count; ++i) {
        int joint = tree->order[i], number = task->limbs->byJoint[joint];
        tgPoseSubtree(task, joint);
        bool isLast = i + 1 == tree->count;
        if (!isLast && (number < 0 || !task->turns[number])) {
            continue;
        }
        tgSkinState(task);
        tgCarryAlong(task, joint);
        for (int v = 0; v < 4 * count; ++v) {
            task->positions[v] = task->skinned[v] + (v % 4 < 3 ? task->carried[v] : 0.0f);
        }
        tgPlaceCapCenters(task->mesh, task->positions);
        if (number >= 0 && task->turns[number] && !task->limbs->limbs[number].isSilent) {
            tgCorrectJoint(task, &task->limbs->limbs[number]);
        }
        for (int v = 0; v < 4 * count; ++v) {
            task->carried[v] = v % 4 < 3 ? task->positions[v] - task->skinned[v] : 0.0f;
        }
    }
}
