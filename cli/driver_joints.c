// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The joints that drive targets: which they are, how they stand against their parents, and how far
// the clips turn them.

#include "core/core.h"
#include "core/polar.h"
#include "driver_training.h"

#include <math.h>
#include <stdlib.h>

/// The most that a turn can be told by.
static const float tg_mostTurn = 1.9f;
/// A joint whose range is less bends nothing: 2 degrees.
static const float tg_leastRange = 0.035f;
/// The range of a joint when there are no clips: 60 degrees to each side.
static const float tg_restRange = 1.0f;

/// Joints of two scenes are the same within this, in diagonals and in lengths of their axes.
static const float tg_sameJoint = 1e-3f;

static tgQuat tgFindRotation(const tgMat34* m)
{
    tgMat34d d = tgMat34d_FromFloat(m);
    double rotation[3][3], stretch[3][3], q[4];
    if (!tgPolarDecompose(&d, rotation, stretch)) {
        const tgVec3* axes[3] = {&m->x, &m->y, &m->z};
        for (int c = 0; c < 3; ++c) {
            rotation[c][0] = (double)axes[c]->x;
            rotation[c][1] = (double)axes[c]->y;
            rotation[c][2] = (double)axes[c]->z;
        }
    }
    tgRotationToQuat(rotation, q);
    return (tgQuat){(float)q[0], (float)q[1], (float)q[2], (float)q[3]};
}

/// The rotation of a joint against its parent joint; joint to model for both.
static tgQuat tgFindLocalRotation(const tgMat34* parent, const tgMat34* joint)
{
    tgMat34 back;
    if (!tgInvertMat34(parent, &back)) {
        return tgIdentityQuat();
    }
    tgMat34 local = tgMulMat34(&back, joint);
    return tgFindRotation(&local);
}

/// Along the bone: to the mean of the joint's children; the joint's own y where it has none.
static tgVec3 tgFindAxis(const tgScene* scene, int joint)
{
    const tgMat34* rest = &scene->joints[joint].restJoint;
    tgVec3 sum = {0};
    int count = 0;
    for (int j = 0; j < scene->jointCount; ++j) {
        if (scene->joints[j].parent == joint) {
            sum = tgAdd(sum, tgSub(scene->joints[j].restJoint.origin, rest->origin));
            count += 1;
        }
    }
    tgMat34 back;
    tgVec3 y = tgMakeVec3(0.0f, 1.0f, 0.0f);
    if (count == 0 || !tgInvertMat34(rest, &back)) {
        return y;
    }
    return tgNormalize(tgMulMatDirection(&back, sum), y);
}

void tgGetRotations(const tgTrained* trained, const tgClips* clips, int sample, tgQuat* rotations)
{
    const tgScene* viewer = clips->viewer;
    const tgMat34* palette = clips->palettes + (size_t)sample * (size_t)viewer->jointCount;
    for (int i = 0; i < trained->jointCount; ++i) {
        int joint = trained->sceneJoints[i];
        int parent = viewer->joints[joint].parent;
        tgMat34 at = tgMulMat34(&palette[joint], &viewer->joints[joint].restJoint);
        tgMat34 above = tgMulMat34(&palette[parent], &viewer->joints[parent].restJoint);
        rotations[i] = tgFindLocalRotation(&above, &at);
    }
}

static float tgGetGap(const tgMat34* a, const tgMat34* b)
{
    return fmaxf(fmaxf(tgDistance(a->x, b->x), tgDistance(a->y, b->y)), tgDistance(a->z, b->z));
}

tgResult tgCheckJoints(const tgTrainDef* def, tgError* error)
{
    const tgScene *scene = def->scene, *viewer = def->viewer;
    if (scene->jointCount != viewer->jointCount) {
        return tgFail(error, tg_unsupported, -1,
                      "it has %d joints, and %d when it is written as glTF; save it as .glb first, "
                      "with turgor bind or another program",
                      scene->jointCount, viewer->jointCount);
    }
    for (int j = 0; j < scene->jointCount; ++j) {
        const tgMat34 *a = &scene->joints[j].restJoint, *b = &viewer->joints[j].restJoint;
        float size = tgLength(a->x) + tgLength(a->y) + tgLength(a->z);
        if (tgGetGap(a, b) > tg_sameJoint * size ||
            tgDistance(a->origin, b->origin) > tg_sameJoint * def->clips->restDiagonal) {
            return tgFail(error, tg_unsupported, j,
                          "joint %d is another one when it is written as glTF; save it as .glb "
                          "first, with turgor bind or another program",
                          j);
        }
    }
    return tg_success;
}

tgResult tgListJoints(const tgTrainDef* def, tgTrained* trained, tgError* error)
{
    const tgScene* viewer = def->viewer;
    size_t count = (size_t)viewer->jointCount + 1;
    bool* hasSkin = calloc(count, sizeof(bool));
    trained->sceneJoints = calloc(count, sizeof(int));
    trained->joints = calloc(count, sizeof(tgDriverJoint));
    if (hasSkin == NULL || trained->sceneJoints == NULL || trained->joints == NULL) {
        free(hasSkin);
        return tgFail(error, tg_outOfMemory, -1, "no memory for the joints");
    }
    for (int i = 0; i < viewer->vertexCount * viewer->influencesPerVertex; ++i) {
        if (viewer->influenceWeights[i] > 0.0f) {
            hasSkin[viewer->influenceJoints[i]] = true;
        }
    }
    for (int j = viewer->jointCount - 1; j > 0; --j) { // what moves skin below it moves skin
        if (hasSkin[j] && viewer->joints[j].parent >= 0) {
            hasSkin[viewer->joints[j].parent] = true;
        }
    }
    for (int j = 0; j < viewer->jointCount; ++j) {
        int parent = viewer->joints[j].parent;
        if (hasSkin[j] && parent >= 0) {
            int i = trained->jointCount++;
            trained->sceneJoints[i] = j;
            trained->joints[i] =
                (tgDriverJoint){.rest = tgFindLocalRotation(&viewer->joints[parent].restJoint,
                                                            &viewer->joints[j].restJoint),
                                .axis = tgFindAxis(viewer, j)};
        }
    }
    free(hasSkin);
    return tg_success;
}

static float tgGetPart(const tgVec3* v, int k)
{
    return (&v->x)[k];
}

tgResult tgFindRanges(const tgTrainDef* def, const tgTrained* trained, tgTurnRange* ranges,
                      tgError* error)
{
    tgQuat* rotations = malloc(((size_t)trained->jointCount + 1) * sizeof(tgQuat));
    if (rotations == NULL) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for a pose");
    }
    bool isStill = def->clips->sampleCount < 2;
    for (int s = 0; s < def->clips->sampleCount; ++s) {
        tgGetRotations(trained, def->clips, s, rotations);
        for (int i = 0; i < trained->jointCount; ++i) {
            tgVec3 turn = tgDriver_GetTurn(&trained->joints[i], rotations[i]);
            for (int k = 0; k < 3; ++k) {
                float x = isStill ? 0.0f : tgGetPart(&turn, k);
                ranges[i].low[k] = s == 0 ? x : fminf(ranges[i].low[k], x);
                ranges[i].high[k] = s == 0 ? x : fmaxf(ranges[i].high[k], x);
            }
        }
    }
    for (int i = 0; i < trained->jointCount && isStill; ++i) {
        for (int k = 0; k < 3; ++k) {
            ranges[i].low[k] = -tg_restRange;
            ranges[i].high[k] = tg_restRange;
        }
    }
    free(rotations);
    return tg_success;
}

void tgWidenRange(tgTurnRange* range)
{
    for (int k = 0; k < 3; ++k) {
        range->low[k] = fmaxf(range->low[k] - tg_widen, -tg_mostTurn);
        range->high[k] = fminf(range->high[k] + tg_widen, tg_mostTurn);
    }
}

bool tgBends(const tgTurnRange* range)
{
    float most = 0.0f;
    for (int k = 0; k < 3; ++k) {
        most = fmaxf(most, fmaxf(fabsf(range->low[k]), fabsf(range->high[k])));
    }
    return most > tg_leastRange;
}

tgQuat tgMakeRotation(const tgDriverJoint* joint, const float* turn)
{
    tgVec3 x = tgMakeVec3(0.5f * turn[0], 0.5f * turn[1], 0.5f * turn[2]);
    float along = fminf(fmaxf(tgDot(x, joint->axis), -0.99f), 0.99f);
    tgVec3 across = tgSub(x, tgMulSV(tgDot(x, joint->axis), joint->axis));
    float length = tgLength(across);
    across = length > 0.99f ? tgMulSV(0.99f / length, across) : across;
    tgVec3 v = tgMulSV(along, joint->axis);
    tgQuat twist = {v.x, v.y, v.z, sqrtf(1.0f - along * along)};
    tgQuat swing = {across.x, across.y, across.z, sqrtf(1.0f - tgDot(across, across))};
    return tgMulQuat(joint->rest, tgMulQuat(swing, twist));
}
