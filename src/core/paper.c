// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Mode paper, for comparison (2009 s.3.2 as published): pose joint after joint, correct the whole
// mesh each time, carry earlier displacements along by the blended rotation. Depends on the order
// of joints.

#include "core/correct.h"

#include "core/volume.h"

#include <string.h>

/// Displacements turn with the joint as far as each vertex follows it.
static void tgCarryAlong(const tgCorrectTask* task, const tgLimb* limb)
{
    const tgTree* tree = &task->loss.limbs->tree;
    const tgMat34d* own = &task->loss.motions[limb->joint];
    const tgMat34d* before = &task->loss.motions[tree->carriers[limb->joint]];
    tgMat34d back;
    if (!tgMat34d_Invert(before, &back)) {
        return;
    }
    tgMat34d turn = tgMat34d_Mul(own, &back);
    int first = tree->place[limb->joint], end = tree->subtreeEnd[limb->joint];
    const tgSkin* skin = task->loss.skin;
    for (int v = 0; v < task->exact.mesh->vertexCount; ++v) {
        float* u = task->carried + 4 * (size_t)v;
        int begin = skin->groupStart != NULL ? skin->groupStart[v] : v;
        int groupEnd = skin->groupStart != NULL ? skin->groupStart[v + 1] : v + 1;
        double w = 0.0, turned[3];
        for (int k = 4 * begin; k < 4 * groupEnd; ++k) {
            int place = tree->place[skin->joints[k]];
            w += place >= first && place < end ? (double)skin->weights[k] : 0.0;
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

double tgCorrectAsPublished(tgCorrectTask* task)
{
    const tgLossTask* loss = &task->loss;
    const tgExactTask* exact = &task->exact;
    int count = exact->mesh->vertexCount;
    memset(task->carried, 0, 4 * (size_t)count * sizeof(float));
    tgPoseFirst(loss);
    double left = 0.0;
    for (int i = 1; i < loss->limbs->tree.count; ++i) {
        int joint = loss->limbs->tree.order[i], number = loss->limbs->byJoint[joint];
        tgPoseOneMore(loss, joint);
        if (number < 0 || !loss->bends[number]) {
            continue;
        }
        const tgLimb* limb = &loss->limbs->limbs[number];
        tgJointFrame frame;
        tgGetLimbFrame(task, limb, &frame);
        tgSkinState(loss, exact->positions);
        tgCarryAlong(task, limb);
        for (int v = 0; v < 4 * count; ++v) {
            loss->whole[v] = exact->positions[v]; // the skinned state
            exact->positions[v] += v % 4 < 3 ? task->carried[v] : 0.0f;
        }
        tgPlaceCapCenters(exact->mesh, exact->positions);
        left = tgCorrectByAxes(exact, limb, &frame, task->target - tgMeasureNow(task));
        for (int v = 0; v < 4 * count; ++v) {
            task->carried[v] = v % 4 < 3 ? exact->positions[v] - loss->whole[v] : 0.0f;
        }
    }
    return left;
}
