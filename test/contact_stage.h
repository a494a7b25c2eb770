// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// An embedded character on stage, for the tests of contact.
#ifndef TURGOR_TEST_CONTACT_STAGE_H
#define TURGOR_TEST_CONTACT_STAGE_H

#include "check.h"
#include "core/bvh.h"
#include "core/instance.h"
#include "turgor/models.h"

typedef struct tgStage {
    tgScene* scene;
    tgRig* rig;
    tgInstance* instance;
    tgVec3* out;
    tgMat34* joints;
    int* triangles; ///< of the first part: the finger has a nail that lies in it
    int triangleCount;
} tgStage;

static inline tgVolumeDef tgMakeVolume(tgVolumeMethod method, bool neighbours)
{
    tgVolumeDef volume = tgDefaultRigDef().volume;
    volume.method = method;
    volume.contact.neighbours = neighbours ? tg_contactOn : tg_contactOff;
    return volume;
}

/// Faces of the first part as triangles over the first vertex of each welded one.
static inline void tgListTriangles(tgStage* stage)
{
    const tgScene* scene = stage->scene;
    const int* welded = tgRig_GetWeldedVertices(stage->rig);
    int* first = calloc((size_t)scene->vertexCount, sizeof(int));
    for (int v = scene->vertexCount - 1; v >= 0; --v) {
        first[welded[v]] = v;
    }
    stage->triangles = calloc(6 * (size_t)scene->faceCount, sizeof(int));
    const int* corners = scene->faceVertices;
    for (int f = 0; f < scene->parts[0].faceCount; corners += scene->faceSizes[f], ++f) {
        for (int k = 1; k + 1 < scene->faceSizes[f]; ++k) {
            int* to = stage->triangles + 3 * (size_t)stage->triangleCount++;
            to[0] = first[welded[corners[0]]];
            to[1] = first[welded[corners[k]]];
            to[2] = first[welded[corners[k + 1]]];
        }
    }
    free(first);
}

static inline tgStage tgMakeStage(const char* model, int vertexCount, tgSkinning skinning,
                                  const tgVolumeDef* volume, tgSimd simd)
{
    tgStage stage = {.scene = tgCreateModel(model, vertexCount, NULL)};
    assert_non_null(stage.scene);
    tgError error = {0};
    tgRigDef def = tgScene_GetRigDef(stage.scene);
    def.skinning = skinning;
    def.volume = *volume;
    stage.rig = tgCreateRig(&def, &error);
    if (stage.rig == NULL) {
        print_error("%s\n", error.message);
    }
    assert_non_null(stage.rig);
    tgInstanceDef instanceDef = tgDefaultInstanceDef();
    instanceDef.simd = simd;
    stage.instance = tgCreateInstance(stage.rig, &instanceDef, NULL);
    assert_non_null(stage.instance);
    stage.out = calloc((size_t)stage.scene->vertexCount, sizeof(tgVec3));
    stage.joints = calloc((size_t)stage.scene->jointCount, sizeof(tgMat34));
    tgListTriangles(&stage);
    return stage;
}

static inline void tgFreeStage(tgStage* stage)
{
    free(stage->out);
    free(stage->joints);
    free(stage->triangles);
    tgDestroyInstance(stage->instance);
    tgDestroyRig(stage->rig);
    tgDestroyScene(stage->scene);
}

static inline void tgPlay(tgStage* stage, float time)
{
    tgPose pose = {.joints = stage->joints, .jointCount = stage->scene->jointCount, .time = time};
    tgVec3Span out = {&stage->out->x, stage->scene->vertexCount, sizeof(tgVec3)};
    assert_int_equal(tgInstance_Deform(stage->instance, &pose, out, (tgVec3Span){0}, NULL),
                     tg_success);
}

/// Curls the finger at one joint, about -z.
static inline void tgBendFinger(tgStage* stage, const char* name, double degrees)
{
    const tgScene* scene = stage->scene;
    int bent = tgScene_FindJoint(scene, name);
    tgTransform turn = tgIdentityTransform();
    tgVec3 origin = scene->joints[bent].restJoint.origin;
    turn.rotation = tgMakeQuat(tgMakeVec3(0.0f, 0.0f, -1.0f),
                               (float)(degrees * 3.14159265358979323846 / 180.0));
    turn.position = tgSub(origin, tgRotate(turn.rotation, origin));
    tgMat34 motion = tgMakeMat34(turn);
    for (int j = 0; j < scene->jointCount; ++j) {
        int up = j;
        while (up >= 0 && up != bent) {
            up = scene->joints[up].parent;
        }
        stage->joints[j] = scene->joints[j].restJoint;
        if (up == bent) {
            stage->joints[j] = tgMulMat34(&motion, &stage->joints[j]);
        }
    }
    tgPlay(stage, 0.0f);
}

static inline void tgPlayAnimation(tgStage* stage, double time)
{
    tgMat34* nodes = calloc((size_t)stage->scene->nodeCount, sizeof(tgMat34));
    tgScene_SamplePose(stage->scene, 0, time, nodes, stage->joints, NULL);
    free(nodes);
    tgPlay(stage, (float)time);
}

static inline int tgCountPairs(const tgStage* stage)
{
    tgSurface surface = {{&stage->out->x, stage->scene->vertexCount, sizeof(tgVec3)},
                         stage->triangles,
                         stage->triangleCount};
    void* memory = malloc(tgBvh_GetSize(stage->triangleCount));
    tgBvh tree;
    tgBvh_Build(&tree, &surface, memory);
    int count = tgBvh_FindCrossings(&tree, &surface, NULL, NULL);
    free(memory);
    return count;
}

static inline double tgGetVolumeError(const tgStage* stage)
{
    tgVolumeReport report = tgInstance_MeasureVolume(stage->instance);
    return fabs(report.result / report.target - 1.0);
}

#endif
