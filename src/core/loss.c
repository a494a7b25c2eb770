// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// dV(b) = V(skinned with joints up to b posed) - V(skinned with joints before b posed), root to
// leaf (2009 s.3.2). Joints not posed yet follow the nearest ancestor that is. Faces that stand
// still or turn rigidly about joint b keep the volume of their cones from the JOINT, so only the
// band of faces in between is looked at; a joint that slides by t adds t . A / 3, with A the vector
// area of what it carries. The losses sum to the whole change of volume.

#include "core/loss.h"

#include "core/volume.h"

#include <math.h>
#include <string.h>

/// Motions closer than this (angles, and lengths over the bone's) are the same motion.
static const double tg_sameMotion = 1e-6;

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
    return !tgIsSameMotion(&task->motions[j], &task->motions[task->limbs->tree.carriers[j]],
                           task->skeleton->rest[j].c[3], length);
}

void tgFindBends(const tgLossTask* task)
{
    for (int i = 0; i < task->limbs->count; ++i) {
        const tgLimb* limb = &task->limbs->limbs[i];
        task->bends[i] = tgMovesAlone(task, limb->joint, (double)limb->boneLength);
        task->losses[i] = 0.0;
    }
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

/// A vertex by the dual quaternions of the state, sign by sign; scalar, for a few vertices.
static void tgBlendState(const tgLossTask* task, int v, float* out)
{
    const tgSkin* skin = task->skin;
    int begin = skin->groupStart != NULL ? skin->groupStart[v] : v;
    int end = skin->groupStart != NULL ? skin->groupStart[v + 1] : v + 1;
    const float* pivot =
        task->stateRigid + tg_dualQuaternionFloats * (size_t)skin->joints[4 * begin];
    float q[8] = {0.0f};
    for (int k = 4 * begin; k < 4 * end; ++k) {
        const float* own = task->stateRigid + tg_dualQuaternionFloats * (size_t)skin->joints[k];
        float dot =
            (pivot[0] * own[0] + pivot[1] * own[1]) + (pivot[2] * own[2] + pivot[3] * own[3]);
        float w = dot < 0.0f ? -skin->weights[k] : skin->weights[k];
        for (int i = 0; i < 8; ++i) {
            q[i] += w * own[i];
        }
    }
    const float* rest = task->rest + 4 * (size_t)v;
    tgVec3 p = tgMakeVec3(rest[0], rest[1], rest[2]), u = tgMakeVec3(q[0], q[1], q[2]);
    tgVec3 d = tgMakeVec3(q[4], q[5], q[6]);
    float scale = 2.0f / ((q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]));
    tgVec3 turned = tgMulAdd(p, scale, tgCross(u, tgMulAdd(tgCross(u, p), q[3], p)));
    tgVec3 moved = tgMulAdd(tgMulAdd(tgCross(u, d), q[3], d), -q[7], u);
    tgVec3 result = tgMulAdd(turned, scale, moved);
    memcpy(out, &result, sizeof(result));
    out[3] = 0.0f;
}

static void tgBlendBand(const tgLossTask* task, const tgLimb* limb, float* out)
{
    for (int i = 0; i < limb->bandCount; ++i) {
        if (limb->bandVertices[i] < task->mesh->vertexCount) {
            tgBlendState(task, limb->bandVertices[i], out + 4 * (size_t)i);
        }
    }
}

/// Middles of caps: the mean of their loop, which is in the band whole.
static void tgPlaceBandCaps(const tgLossTask* task, const tgLimb* limb, float* positions)
{
    const tgMesh* mesh = task->mesh;
    for (int i = 0; i < limb->bandCount && mesh->loopCount > 0; ++i) {
        int l = limb->bandVertices[i] - mesh->vertexCount;
        if (l < 0) {
            continue;
        }
        int begin = mesh->loopStart[l], end = mesh->loopStart[l + 1];
        double sum[3] = {0.0, 0.0, 0.0};
        for (int k = 0; k < limb->bandCount; ++k) {
            for (int at = begin; at < end; ++at) {
                if (mesh->loopVertices[at] == limb->bandVertices[k]) {
                    for (int axis = 0; axis < 3; ++axis) {
                        sum[axis] += (double)positions[4 * (size_t)k + (size_t)axis];
                    }
                }
            }
        }
        for (int axis = 0; axis < 3; ++axis) {
            positions[4 * (size_t)i + (size_t)axis] = (float)(sum[axis] / (end - begin));
        }
    }
}

static void tgTurnBand(const tgLossTask* task, const tgLimb* limb)
{
    const tgMat34d* own = &task->motions[limb->joint];
    const tgMat34d* carried = &task->motions[task->limbs->tree.carriers[limb->joint]];
    if (task->dualQuaternion) {
        tgBlendBand(task, limb, task->before);
        tgPoseSubtree(task, limb->joint, own);
        tgBlendBand(task, limb, task->after);
        return;
    }
    _Alignas(32) float turn[tg_matrixFloats];
    tgMat34d difference;
    for (int k = 0; k < 4; ++k) {
        for (int i = 0; i < 3; ++i) {
            difference.c[k][i] = own->c[k][i] - carried->c[k][i];
        }
    }
    tgFillMatrixPalette(&difference, 1, turn);
    tgTurnTask turnTask = {
        .rest = task->rest,
        .vertices = limb->bandVertices,
        .turnShares = limb->bandWeights,
        .groupStart = task->skin->groupStart,
        .weights = task->skin->weights,
        .entries = task->skin->joints,
        .palette = task->statePalette,
        .turn = turn,
        .before = task->before,
        .after = task->after,
    };
    task->kernels->turnList(&turnTask, 0, limb->bandCount);
    tgPoseSubtree(task, limb->joint, own);
}

/// dV of one joint by its band.
static double tgMeasureBand(const tgLossTask* task, const tgLimb* limb)
{
    const tgMat34d* own = &task->motions[limb->joint];
    const tgMat34d* carried = &task->motions[task->limbs->tree.carriers[limb->joint]];
    const double* rest = task->skeleton->rest[limb->joint].c[3];
    tgTurnBand(task, limb);
    tgPlaceBandCaps(task, limb, task->before);
    tgPlaceBandCaps(task, limb, task->after);
    double apex[3], slide[3], area[3];
    for (int i = 0; i < 3; ++i) {
        apex[i] = carried->c[3][i];
        slide[i] = own->c[3][i] - carried->c[3][i];
        area[i] = 0.0;
        for (int k = 0; k < 3; ++k) {
            apex[i] += carried->c[k][i] * rest[k];
            slide[i] += (own->c[k][i] - carried->c[k][i]) * rest[k];
            area[i] += own->c[k][i] * limb->restArea[k];
        }
    }
    tgVec3 o = tgMakeVec3((float)apex[0], (float)apex[1], (float)apex[2]);
    const tgPatch* band = &limb->band;
    double before = task->kernels->coneVolume(band->triangles, band->triangleCount, band->quads,
                                              band->quadCount, task->before, o);
    double after = task->kernels->coneVolume(band->triangles, band->triangleCount, band->quads,
                                             band->quadCount, task->after, o);
    double slid = slide[0] * area[0] + slide[1] * area[1] + slide[2] * area[2];
    return (after - before) / 6.0 + slid / 3.0;
}

// ---- the whole mesh, where scale or shape of the frame make the band's shortcut untrue ----------

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

void tgMeasureLosses(const tgLossTask* task)
{
    const tgTree* tree = &task->limbs->tree;
    tgPoseFirst(task);
    bool whole = task->targetSkins != NULL;
    double volume = whole ? tgMeasureWhole(task) : 0.0;
    for (int i = 1; i < tree->count; ++i) {
        int j = tree->order[i], limb = task->limbs->byJoint[j];
        if (limb >= 0 && !task->bends[limb]) {
            continue;
        }
        if (limb < 0) {
            // No face bends with it, but what it carries may go along for those that follow.
            if (tgMovesAlone(task, j, 0.0)) {
                tgPoseSubtree(task, j, &task->motions[j]);
            }
        } else if (whole) {
            tgPoseSubtree(task, j, &task->motions[j]);
            double now = tgMeasureWhole(task);
            task->losses[limb] = now - volume;
            volume = now;
        } else {
            task->losses[limb] = tgMeasureBand(task, &task->limbs->limbs[limb]);
        }
    }
}
