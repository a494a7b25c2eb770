// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What the fuzzers of the whole way share: a scene and its settings to a rig, two frames of it, and
// what must hold of them.
#ifndef TURGOR_FUZZ_FRAMES_H
#define TURGOR_FUZZ_FRAMES_H

#include "turgor/io.h"
#include "turgor/settings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Not assert: it must hold in builds without asserts too.
static inline void tgRequire(bool condition)
{
    if (!condition) {
        abort();
    }
}

/// Of numbers that float could overflow with, nothing is promised.
static inline bool tgIsModest(const float* values, size_t count)
{
    float largest = 0.0f;
    for (size_t i = 0; i < count; ++i) {
        largest = fmaxf(largest, fabsf(values[i]));
    }
    return largest < 1e6f;
}

/// Two frames of a character; positions of both, or NULL when no rig could be made or posed.
/// @param positions 2 * vertexCount; the caller frees it
static inline tgVec3* tgPlayTwoFrames(const tgScene* scene, const tgSettings* settings)
{
    tgError error = {0};
    tgRigDef def = tgScene_GetRigDef(scene);
    def.skinning = settings->skinning;
    def.volume = settings->volume;
    def.flesh = settings->flesh;
    def.bones = settings->bones;
    tgRig* rig = tgCreateRig(&def, &error);
    tgRequire(rig != NULL || (error.code != tg_success && error.message[0] != '\0'));
    tgInstanceDef instanceDef = tgDefaultInstanceDef();
    tgInstance* instance = rig != NULL ? tgCreateInstance(rig, &instanceDef, &error) : NULL;
    size_t count = (size_t)scene->vertexCount;
    tgMat34* nodes = malloc(((size_t)scene->nodeCount + 1) * sizeof(tgMat34));
    tgMat34* joints = malloc(((size_t)scene->jointCount + 1) * sizeof(tgMat34));
    tgVec3* positions = malloc((2 * count + 1) * sizeof(tgVec3));
    tgRequire(nodes != NULL && joints != NULL && positions != NULL);
    int animation = scene->animationCount > 0 ? 0 : -1;
    double start = animation >= 0 ? scene->animations[0].start : 0.0;
    double end = animation >= 0 ? scene->animations[0].end : 0.0;
    bool done = instance != NULL;
    for (int i = 0; i < 2 && done; ++i) {
        tgScene_SamplePose(scene, animation, i == 0 ? start : end, nodes, joints, NULL);
        tgPose pose = {.joints = joints, .jointCount = scene->jointCount, .timeStep = 1.0f / 30.0f};
        tgVec3Span out = {&positions[(size_t)i * count].x, scene->vertexCount, sizeof(tgVec3)};
        tgVec3Span noNormals = {0};
        tgResult result = tgInstance_Deform(instance, &pose, out, noNormals, &error);
        done = result == tg_success || result == tg_notConverged;
        tgRequire(done || error.message[0] != '\0');
        bool isModest = tgIsModest(&scene->positions->x, 3 * count) &&
                        tgIsModest(&joints->x.x, 12 * (size_t)scene->jointCount);
        for (int j = 0; j < scene->jointCount; ++j) {
            tgMat34 inverse = tgIdentityMat34();
            isModest &= tgInvertMat34(&scene->joints[j].restJoint, &inverse) &&
                        tgIsModest(&inverse.x.x, 12);
        }
        for (size_t v = 0; v < count && done && isModest; ++v) {
            tgRequire(tgIsFiniteVec3(positions[(size_t)i * count + v]));
        }
    }
    tgDestroyInstance(instance);
    tgDestroyRig(rig);
    free(nodes);
    free(joints);
    if (!done) {
        free(positions);
        return NULL;
    }
    return positions;
}

#endif
