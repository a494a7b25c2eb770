// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A sphere with many joints and influences, and a frame in one call, for the tests of the frame.
#ifndef TURGOR_TEST_MANY_JOINTS_H
#define TURGOR_TEST_MANY_JOINTS_H

#include "actor.h"
#include "random.h"
#include "shapes.h"

static inline tgInstance* tgMakeInstance(const tgRig* rig, tgSimd simd)
{
    tgInstanceDef def = tgDefaultInstanceDef();
    def.simd = simd;
    tgInstance* instance = tgCreateInstance(rig, &def, NULL);
    return instance;
}

static inline void tgDeform(tgInstance* instance, const tgMat34* joints, int jointCount,
                            tgVec3* positions, int vertexCount)
{
    tgPose pose = {.joints = joints, .jointCount = jointCount};
    tgVec3Span out = {positions != NULL ? &positions->x : NULL, vertexCount, sizeof(tgVec3)};
    tgError error = {0};
    if (tgInstance_Deform(instance, &pose, out, (tgVec3Span){0}, &error) != tg_success) {
        print_error("%s\n", error.message);
        fail();
    }
}

enum { tg_manyJoints = 17, tg_manyInfluences = 13 };

static unsigned tg_seed = 1;

/// A sphere whose vertices each follow 13 of 17 joints.
static inline tgShape tgMakeManyJoints(void)
{
    tg_seed = 99;
    tgShape shape = tgMakeSphere(24, 13);
    int n = shape.vertexCount;
    shape.jointCount = tg_manyJoints;
    shape.influencesPerVertex = tg_manyInfluences;
    shape.parents = realloc(shape.parents, tg_manyJoints * sizeof(int));
    shape.restJoints = realloc(shape.restJoints, tg_manyJoints * sizeof(tgMat34));
    shape.joints = realloc(shape.joints, (size_t)(n * tg_manyInfluences) * sizeof(int));
    shape.weights = realloc(shape.weights, (size_t)(n * tg_manyInfluences) * sizeof(float));
    for (int j = 0; j < tg_manyJoints; ++j) {
        tgTransform t = tgIdentityTransform();
        t.position = tgMakeVec3((float)tgNextSigned(&tg_seed), (float)tgNextSigned(&tg_seed),
                                (float)tgNextSigned(&tg_seed));
        t.rotation = tgMakeQuat(
            tgNormalize(tgMakeVec3((float)tgNextSigned(&tg_seed), (float)tgNextSigned(&tg_seed),
                                   (float)tgNextSigned(&tg_seed)),
                        tgMakeVec3(1.0f, 0.0f, 0.0f)),
            (float)tgNextSigned(&tg_seed));
        shape.parents[j] = j - 1;
        shape.restJoints[j] = tgMakeMat34(t);
    }
    for (int v = 0; v < n; ++v) {
        double sum = 0.0;
        for (int k = 0; k < tg_manyInfluences; ++k) {
            shape.joints[v * tg_manyInfluences + k] = (v + k) % tg_manyJoints;
            float w = (float)tgNextSigned(&tg_seed) + 1.01f;
            shape.weights[v * tg_manyInfluences + k] = w;
            sum += (double)w;
        }
        for (int k = 0; k < tg_manyInfluences; ++k) {
            float* w = &shape.weights[v * tg_manyInfluences + k];
            *w = (float)((double)*w / sum);
        }
    }
    return shape;
}

static inline void tgPoseManyJoints(const tgShape* shape, float turn, bool scaled, tgMat34* joints)
{
    for (int j = 0; j < tg_manyJoints; ++j) {
        tgTransform t = tgIdentityTransform();
        t.rotation = tgMakeQuat(
            tgNormalize(tgMakeVec3((float)tgNextSigned(&tg_seed), (float)tgNextSigned(&tg_seed),
                                   (float)tgNextSigned(&tg_seed)),
                        tgMakeVec3(0.0f, 1.0f, 0.0f)),
            turn * (float)tgNextSigned(&tg_seed));
        t.position =
            tgMakeVec3(0.2f * (float)tgNextSigned(&tg_seed), 0.2f * (float)tgNextSigned(&tg_seed),
                       0.2f * (float)tgNextSigned(&tg_seed));
        if (scaled) {
            t.scale = tgMakeVec3(1.0f + 0.3f * (float)tgNextSigned(&tg_seed),
                                 1.0f + 0.3f * (float)tgNextSigned(&tg_seed),
                                 1.0f + 0.3f * (float)tgNextSigned(&tg_seed));
        }
        tgMat34 m = tgMakeMat34(t);
        joints[j] = tgMulMat34(&m, &shape->restJoints[j]);
    }
}

#endif
