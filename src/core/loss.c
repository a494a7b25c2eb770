// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// dV(b) = V(skinned with joints up to b posed) - V(skinned with joints before b posed), root to
// leaf (2009 s.3.2). Joints not posed yet follow the nearest ancestor that is. Faces that stand
// still or turn rigidly about joint b keep the volume of their cones from the JOINT, so only the
// band of faces in between is looked at; a joint that slides by t adds t . A / 3, with A the vector
// area of what it carries. The losses sum to the whole change of volume.
//
// All of that happens to the target pose, which has the frame's scales, lengths and bind shape: a
// vertex goes there with its own joints first, then moves as they do. Where motions are rigid, what
// follows one joint alone is a rigid body, whatever its size and shape.

#include "core/loss.h"

#include "core/polar.h"
#include "core/volume.h"

#include <math.h>
#include <string.h>

/// Motions closer than this (angles, and lengths over the bone's) are the same motion.
static const double tg_sameMotion = 1e-6;
/// Squares of lengths may change by this under a rigid motion. Files in text, over a chain of
/// twenty joints, come to 6e-5, which puts less than 1e-6 of the volume down to the wrong joint.
static const double tg_rigidMotion = 1e-4;

/// Where a joint turns, in the target pose.
static void tgGetPivot(const tgLossTask* task, int j, double pivot[3])
{
    const double* rest = task->skeleton->rest[j].c[3];
    memcpy(pivot, rest, 3 * sizeof(double));
    for (int i = 0; i < 3 && task->targetSkins != NULL; ++i) {
        const tgMat34d* m = &task->targetSkins[j];
        pivot[i] = m->c[0][i] * rest[0] + m->c[1][i] * rest[1] + m->c[2][i] * rest[2] + m->c[3][i];
    }
}

static bool tgIsSameMotion(const tgMat34d* a, const tgMat34d* b, const double* point, double length)
{
    double worst = 0.0, slid = 0.0;
    for (int i = 0; i < 3; ++i) {
        double moved = a->c[3][i] - b->c[3][i];
        for (int k = 0; k < 3; ++k) {
            worst = fmax(worst, fabs(a->c[k][i] - b->c[k][i]));
            moved += (a->c[k][i] - b->c[k][i]) * point[k];
        }
        slid = fmax(slid, fabs(moved));
    }
    return worst <= tg_sameMotion && slid <= tg_sameMotion * length;
}

static bool tgMovesAlone(const tgLossTask* task, int j, double length)
{
    double pivot[3], scale = 1.0;
    tgGetPivot(task, j, pivot);
    if (task->targetSkins != NULL) {
        scale = (double)tgMat34d_GetScale(&task->targetSkins[j]);
    }
    return !tgIsSameMotion(&task->motions[j], &task->motions[task->limbs->tree.carriers[j]], pivot,
                           scale * length);
}

bool tgFindBends(const tgLossTask* task)
{
    bool any = false;
    for (int i = 0; i < task->limbs->count; ++i) {
        const tgLimb* limb = &task->limbs->limbs[i];
        task->bends[i] = tgMovesAlone(task, limb->joint, (double)limb->boneLength);
        task->losses[i] = 0.0;
        any |= task->bends[i];
    }
    return any;
}

// ---- the state: joints that are posed, and those that follow ------------------------------------

static void tgSetState(const tgLossTask* task, int j, const tgMat34d* motion)
{
    tgMat34d skin =
        task->targetSkins != NULL ? tgMat34d_Mul(motion, &task->targetSkins[j]) : *motion;
    if (task->dualQuaternion) {
        tgSplitSkinMatrix(task->skeleton, &skin, j, task->stateRigid, task->statePalette);
    } else {
        tgFillMatrixPalette(&skin, 1, task->statePalette + tg_matrixFloats * (size_t)j);
    }
}

/// Joint `joint` and all below it move as `motion` says.
static void tgPoseSubtree(const tgLossTask* task, int joint, const tgMat34d* motion)
{
    const tgTree* tree = &task->limbs->tree;
    for (int i = tree->place[joint]; i < tree->subtreeEnd[joint]; ++i) {
        tgSetState(task, tree->order[i], motion);
    }
}

// ---- the band -----------------------------------------------------------------------------------
//
// Joints are taken back one after the other, leaf to root, from the skinned pose on. A vertex that
// joints have bent is where the last of them left it; others turn rigidly with the joint that
// carries them now.

/// All joints posed, and the vertices that joints bend.
static void tgStartPosed(const tgLossTask* task)
{
    size_t joints = (size_t)task->skeleton->jointCount * sizeof(float);
    size_t pairs = (size_t)task->skin->pairCount * sizeof(float);
    if (task->dualQuaternion) {
        memcpy(task->stateRigid, task->rigid, tg_dualQuaternionFloats * joints);
        memcpy(task->statePairs, task->pairs, tg_dualQuaternionFloats * pairs);
    } else if (task->targetSkins == NULL) {
        memcpy(task->statePalette, task->palette, tg_matrixFloats * joints);
    } else {
        for (int j = 0; j < task->skeleton->jointCount; ++j) {
            tgSetState(task, j, &task->motions[j]);
        }
    }
    int blended = 0;
    for (int i = 0; i < task->limbs->count; ++i) {
        blended += task->bends[i] ? task->limbs->limbs[i].blendedCount : 0;
    }
    if (2 * blended > task->mesh->vertexCount) { // all at once is faster
        memcpy(task->whole, task->skinned, 4 * (size_t)task->mesh->vertexCount * sizeof(float));
        return;
    }
    for (int i = 0; i < task->limbs->count; ++i) {
        const tgLimb* limb = &task->limbs->limbs[i];
        for (int k = 0; task->bends[i] && k < limb->blendedCount; ++k) {
            size_t at = 4 * (size_t)limb->bandVertices[k];
            memcpy(task->whole + at, task->skinned + at, 4 * sizeof(float));
        }
    }
}

/// A joint and all below it do what its carrier does.
static void tgCopyCarrier(const tgLossTask* task, int joint)
{
    const tgTree* tree = &task->limbs->tree;
    size_t size = task->dualQuaternion ? tg_dualQuaternionFloats : tg_matrixFloats;
    float* state = task->dualQuaternion ? task->stateRigid : task->statePalette;
    const float* carrier = state + size * (size_t)tree->carriers[joint];
    for (int i = tree->place[joint]; i < tree->subtreeEnd[joint]; ++i) {
        memcpy(state + size * (size_t)tree->order[i], carrier, size * sizeof(float));
    }
}

/// The same, each from its own place in the target pose on.
static void tgMoveWithCarrier(const tgLossTask* task, int joint)
{
    const tgTree* tree = &task->limbs->tree;
    const tgMat34d* motion = &task->motions[tree->carriers[joint]];
    if (!task->dualQuaternion) {
        tgPoseSubtree(task, joint, motion);
        return;
    }
    double turn[tg_dualQuaternionFloats];
    tgRigidToDualQuaternion(motion, turn);
    for (int i = tree->place[joint]; i < tree->subtreeEnd[joint]; ++i) {
        size_t at = tg_dualQuaternionFloats * (size_t)tree->order[i];
        tgMulDualQuaternions(turn, task->targetRigid + at, task->stateRigid + at);
    }
}

/// A joint and all below it follow its carrier.
static void tgTakeBack(const tgLossTask* task, int joint)
{
    const tgTree* tree = &task->limbs->tree;
    if (task->targetSkins == NULL) {
        tgCopyCarrier(task, joint);
    } else {
        tgMoveWithCarrier(task, joint);
    }
    for (int i = 0; task->dualQuaternion && i < task->skin->pairCount; ++i) {
        const tgJointPair* pair = &task->skin->pairList[i];
        if (tgTree_Carries(tree, joint, pair->pivot) || tgTree_Carries(tree, joint, pair->joint)) {
            tgFillPairPalette(task->stateRigid, pair, 1,
                              task->statePairs + tg_dualQuaternionFloats * (size_t)i);
        }
    }
}

static void tgSkinListed(const tgLossTask* task, const int* vertices, int count)
{
    const tgSkin* skin = task->skin;
    tgSkinTask skinTask = {.rest = task->rest,
                           .groupStart = skin->groupStart,
                           .weights = skin->weights,
                           .entries = task->dualQuaternion ? skin->pairs : skin->joints,
                           .palette = task->dualQuaternion ? task->statePairs : task->statePalette,
                           .positions = task->whole};
    if (task->dualQuaternion) {
        task->kernels->skinDualList(&skinTask, vertices, count);
    } else {
        task->kernels->skinList(&skinTask, vertices, count);
    }
}

/// Takes the joint back and its band along.
static void tgTakeBandBack(const tgLossTask* task, const tgLimb* limb)
{
    tgTakeBack(task, limb->joint);
    if (task->dualQuaternion || task->targetSkins != NULL) {
        tgSkinListed(task, limb->bandVertices, limb->skinnedCount);
        return;
    }
    const tgMat34d* own = &task->motions[limb->joint];
    const tgMat34d* carried = &task->motions[task->limbs->tree.carriers[limb->joint]];
    _Alignas(32) float turn[tg_matrixFloats];
    tgMat34d difference;
    for (int k = 0; k < 4; ++k) {
        for (int i = 0; i < 3; ++i) {
            difference.c[k][i] = own->c[k][i] - carried->c[k][i];
        }
    }
    tgFillMatrixPalette(&difference, 1, turn);
    tgTurnTask turnTask = {.rest = task->rest,
                           .vertices = limb->bandVertices,
                           .turnShares = limb->bandWeights,
                           .turn = turn,
                           .positions = task->whole};
    task->kernels->turnBack(&turnTask, limb->skinnedCount);
}

/// Six times the volume of the cones over the band.
static double tgMeasureCones(const tgLossTask* task, const tgLimb* limb, tgVec3 apex)
{
    // The loops of caps that bend are in the band whole.
    for (int i = limb->skinnedCount; i < limb->bandCount; ++i) {
        tgPlaceCapCenter(task->mesh, limb->bandVertices[i] - task->mesh->vertexCount, task->whole);
    }
    const tgPatch* band = &limb->band;
    return task->kernels->coneVolume(band->triangles, band->triangleCount, band->quads,
                                     band->quadCount, task->whole, apex);
}

/// The vector area of what turns rigidly with the joint, now: that of any surface with its border.
static void tgGetRigidArea(const tgLossTask* task, const tgLimb* limb, double area[3])
{
    // Half the sum of a x b, about one of the corners lest large numbers cancel.
    area[0] = area[1] = area[2] = 0.0;
    for (int e = 0; e < limb->borderCount; ++e) {
        const float* o = task->whole + 4 * (size_t)limb->border[0];
        const float* p = task->whole + 4 * (size_t)limb->border[2 * e];
        const float* q = task->whole + 4 * (size_t)limb->border[2 * e + 1];
        for (int i = 0; i < 3; ++i) {
            int k = (i + 1) % 3, l = (i + 2) % 3;
            area[i] += 0.5 * ((double)(p[k] - o[k]) * (double)(q[l] - o[l]) -
                              (double)(p[l] - o[l]) * (double)(q[k] - o[k]));
        }
    }
}

/// dV of one joint by its band. The joint is taken back.
static double tgMeasureBand(const tgLossTask* task, const tgLimb* limb)
{
    const tgMat34d* own = &task->motions[limb->joint];
    const tgMat34d* carried = &task->motions[task->limbs->tree.carriers[limb->joint]];
    double pivot[3], apex[3], slide[3], area[3];
    tgGetPivot(task, limb->joint, pivot);
    for (int i = 0; i < 3; ++i) {
        apex[i] = carried->c[3][i];
        slide[i] = own->c[3][i] - carried->c[3][i];
        for (int k = 0; k < 3; ++k) {
            apex[i] += carried->c[k][i] * pivot[k];
            slide[i] += (own->c[k][i] - carried->c[k][i]) * pivot[k];
        }
    }
    tgVec3 o = tgMakeVec3((float)apex[0], (float)apex[1], (float)apex[2]);
    tgSkinListed(task, limb->bandVertices + limb->blendedCount,
                 limb->skinnedCount - limb->blendedCount);
    double after = tgMeasureCones(task, limb, o);
    tgGetRigidArea(task, limb, area);
    tgTakeBandBack(task, limb);
    double before = tgMeasureCones(task, limb, o);
    double slid = slide[0] * area[0] + slide[1] * area[1] + slide[2] * area[2];
    return (after - before) / 6.0 + slid / 3.0;
}

static void tgMeasureBands(const tgLossTask* task)
{
    const tgTree* tree = &task->limbs->tree;
    tgStartPosed(task);
    for (int i = tree->count - 1; i > 0; --i) {
        int j = tree->order[i], limb = task->limbs->byJoint[j];
        if (limb >= 0 && task->bends[limb]) {
            task->losses[limb] = tgMeasureBand(task, &task->limbs->limbs[limb]);
        } else if (limb < 0 && tgMovesAlone(task, j, 0.0)) {
            tgTakeBack(task, j); // no face bends with it, but what it carries goes along
        }
    }
}

/// Dual quaternions move what was stretched before: the bind shape so, and where the target pose
/// takes each joint from there.
static void tgStretchRest(tgLossTask* task)
{
    const tgSkin* skin = task->skin;
    if (tgSplitSkinMatrices(task->skeleton, task->targetSkins, task->targetRigid,
                            task->statePalette)) {
        tgSkinTask stretch = {.rest = task->rest,
                              .groupStart = skin->groupStart,
                              .weights = skin->weights,
                              .entries = skin->joints,
                              .palette = task->statePalette,
                              .positions = task->stretched};
        tgRunSkin(task->parallel, task->kernels->skinLinear, &stretch, 0, skin->extraStart);
        task->rest = task->stretched;
    }
}

// ---- the whole mesh, where joints do not move rigidly: unequal scales above joints that turn ----

void tgSkinState(const tgLossTask* task, float* positions)
{
    tgSkinTask skinTask = {
        .rest = task->rest,
        .groupStart = task->skin->groupStart,
        .weights = task->skin->weights,
        .entries = task->skin->joints,
        .palette = task->statePalette,
        .positions = positions,
    };
    // For dual quaternions the palette holds the stretch before the motion.
    tgRunSkin(task->parallel, task->kernels->skinLinear, &skinTask, 0, task->skin->extraStart);
    if (task->dualQuaternion) {
        tgFillPairPalette(task->stateRigid, task->skin->pairList, task->skin->pairCount,
                          task->statePairs);
        skinTask.rest = positions;
        skinTask.entries = task->skin->pairs;
        skinTask.palette = task->statePairs;
        tgRunSkin(task->parallel, task->kernels->skinDualQuaternion, &skinTask, 0,
                  task->skin->extraStart);
    }
    tgPlaceCapCenters(task->mesh, positions);
}

static double tgMeasureWhole(const tgLossTask* task)
{
    tgSkinState(task, task->whole);
    return tgVolume(task->mesh, task->whole);
}

void tgPoseFirst(const tgLossTask* task)
{
    int root = task->limbs->tree.order[0];
    tgPoseSubtree(task, root, &task->motions[root]);
}

void tgPoseOneMore(const tgLossTask* task, int joint)
{
    tgPoseSubtree(task, joint, &task->motions[joint]);
}

static void tgMeasureWholes(const tgLossTask* task)
{
    const tgTree* tree = &task->limbs->tree;
    tgPoseFirst(task);
    double volume = tgMeasureWhole(task);
    for (int i = 1; i < tree->count; ++i) {
        int j = tree->order[i], limb = task->limbs->byJoint[j];
        if (limb >= 0 ? task->bends[limb] : tgMovesAlone(task, j, 0.0)) {
            tgPoseOneMore(task, j);
        }
        if (limb >= 0 && task->bends[limb]) {
            double now = tgMeasureWhole(task);
            task->losses[limb] = now - volume;
            volume = now;
        }
    }
}

static bool tgAllMoveRigidly(const tgLossTask* task)
{
    bool rigid = true;
    for (int j = 0; j < task->skeleton->jointCount; ++j) {
        rigid &= tgIsRotationWithin(&task->motions[j], tg_rigidMotion);
    }
    return rigid;
}

void tgMeasureLosses(const tgLossTask* task)
{
    tgLossTask bands = *task;
    if (task->targetSkins != NULL && !tgAllMoveRigidly(task)) {
        tgMeasureWholes(task);
        return;
    }
    if (task->targetSkins != NULL && task->dualQuaternion) {
        tgStretchRest(&bands);
    }
    tgMeasureBands(&bands);
}
