// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A tube of several bones off its middle, and frames of it, for the tests of the local method.
#ifndef TURGOR_TEST_SPINE_H
#define TURGOR_TEST_SPINE_H

#include "shape_stage.h"

enum { tg_spineJoints = 4, tg_spineRings = 61, tg_spineAround = 20 };

/// Four bones of length 2.5 in a tube of radius 1, `offset` below its middle. Weights go over
/// smoothly between 0.9 before and after each joint.
static inline tgShape tgMakeSpine(float offset)
{
    tgShape tube = tgMakeTube(tg_spineAround, tg_spineRings, 10.0f, 0.0f, 1.0f, true);
    size_t n = (size_t)tube.vertexCount * tg_spineJoints;
    tube.jointCount = tube.influencesPerVertex = tg_spineJoints;
    tube.parents = realloc(tube.parents, tg_spineJoints * sizeof(int));
    tube.restJoints = realloc(tube.restJoints, tg_spineJoints * sizeof(tgMat34));
    tube.joints = realloc(tube.joints, n * sizeof(int));
    tube.weights = realloc(tube.weights, n * sizeof(float));
    for (int j = 0; j < tg_spineJoints; ++j) {
        tube.parents[j] = j - 1;
        tube.restJoints[j] = tgIdentityMat34();
        tube.restJoints[j].origin = tgMakeVec3(2.5f * (float)j, -offset, 0.0f);
    }
    for (int v = 0; v < tube.vertexCount; ++v) {
        float below = 0.0f; // weight of the bones further on
        for (int j = tg_spineJoints - 1; j >= 0; --j) {
            float t = (tube.positions[v].x - 2.5f * (float)j + 0.9f) / 1.8f;
            t = fminf(fmaxf(t, 0.0f), 1.0f);
            float w = j > 0 ? t * t * (3.0f - 2.0f * t) : 1.0f;
            tube.joints[v * tg_spineJoints + j] = j;
            tube.weights[v * tg_spineJoints + j] = w - below;
            below = w;
        }
    }
    return tube;
}

/// Each joint turned by its own angle about an axis of its own.
static inline void tgBendSpine(const tgShape* spine, const double angles[tg_spineJoints],
                               tgMat34 joints[tg_spineJoints])
{
    tgMat34 parent = tgIdentityMat34();
    for (int j = 0; j < tg_spineJoints; ++j) {
        tgTransform local = tgIdentityTransform();
        tgVec3 from = j > 0 ? spine->restJoints[j - 1].origin : tgMakeVec3(0, 0, 0);
        local.position = tgSub(spine->restJoints[j].origin, from);
        tgVec3 axis = tgNormalize(tgMakeVec3(0.1f * (float)j, 0.3f, 1.0f), tgMakeVec3(0, 0, 1));
        local.rotation = tgMakeQuat(axis, (float)angles[j]);
        tgMat34 m = tgMakeMat34(local);
        joints[j] = parent = tgMulMat34(&parent, &m);
    }
}

static inline tgVolumeDef tgLocalVolume(void)
{
    tgVolumeDef volume = tgDefaultRigDef().volume;
    volume.method = tg_volumeLocal;
    return volume;
}

/// Volume over target minus one.
static inline double tgMeasureMiss(const tgStage* stage)
{
    tgVolumeReport report = tgInstance_MeasureVolume(stage->instance);
    return report.result / report.target - 1.0;
}

#endif
