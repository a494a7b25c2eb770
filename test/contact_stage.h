// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// An embedded character on stage, for the tests of contact.
#ifndef TURGOR_TEST_CONTACT_STAGE_H
#define TURGOR_TEST_CONTACT_STAGE_H

#include "actor.h"
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
    volume.contact = neighbours ? tg_contactOn : tg_contactOff;
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
    int room = 0;
    for (int f = 0; f < scene->faceCount; ++f) {
        room += scene->faceSizes[f] - 2;
    }
    stage->triangles = calloc(3 * (size_t)room, sizeof(int));
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

/// Takes the scene.
static inline tgStage tgStageScene(tgScene* scene, tgSkinning skinning, const tgVolumeDef* volume,
                                   tgSimd simd)
{
    tgStage stage = {.scene = scene};
    assert_non_null(stage.scene);
    tgRigDef def = tgScene_GetRigDef(stage.scene);
    def.skinning = skinning;
    def.volume = *volume;
    stage.rig = tgMustCreateRig(&def);
    tgInstanceDef instanceDef = tgDefaultInstanceDef();
    instanceDef.simd = simd;
    stage.instance = tgCreateInstance(stage.rig, &instanceDef, NULL);
    assert_non_null(stage.instance);
    stage.out = calloc((size_t)stage.scene->vertexCount, sizeof(tgVec3));
    stage.joints = calloc((size_t)stage.scene->jointCount, sizeof(tgMat34));
    tgListTriangles(&stage);
    return stage;
}

static inline tgStage tgMakeStage(const char* model, int vertexCount, tgSkinning skinning,
                                  const tgVolumeDef* volume, tgSimd simd)
{
    return tgStageScene(tgCreateModel(model, vertexCount, NULL), skinning, volume, simd);
}

/// A tube of radius 1 and length 10 along x, whose bones lie so far below its middle line. It bends
/// at x = 5; about z it goes to +y.
static inline tgScene* tgMakeLongTube(int around, int rings, float blendLength, float boneOffset,
                                      bool smooth)
{
    tgCylinderDef def = tgDefaultCylinderDef();
    def.aroundCount = around;
    def.ringCount = rings;
    def.length = 10.0f;
    def.blendLength = blendLength;
    def.boneOffset = boneOffset;
    def.smooth = smooth;
    def.capped = false;
    tgScene* scene = tgCreateCylinder(&def, NULL);
    assert_non_null(scene);
    return scene;
}

/// Faces of a tube that lie flat would cross by rounding.
static inline tgScene* tgRoughen(tgScene* tube)
{
    for (int v = 0; v < tube->vertexCount; ++v) {
        float swell = 1.0f + 0.004f * sinf(17.0f * (float)v);
        tube->positions[v].y *= swell;
        tube->positions[v].z *= swell;
    }
    return tube;
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

static inline void tgPlayAnimation(tgStage* stage, double time)
{
    tgMat34* nodes = calloc((size_t)stage->scene->nodeCount, sizeof(tgMat34));
    tgScene_SamplePose(stage->scene, 0, time, nodes, stage->joints, NULL);
    free(nodes);
    tgPlay(stage, (float)time);
}

/// Bends one joint about an axis through it; what it carries follows.
static inline void tgBendJoint(tgStage* stage, int bent, tgVec3 axis, double degrees)
{
    const tgScene* scene = stage->scene;
    tgMat34 motion = tgTurnAbout(scene->joints[bent].restJoint.origin, axis,
                                 degrees * 3.14159265358979323846 / 180.0);
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

/// The contact stage alone: `plain` has just been posed, `stage` takes its skin on.
/// @param freedom out, of each element; NULL: not wanted
/// @return volume that it says to have added
static inline double tgMeetAlone(tgStage* stage, const tgStage* plain, float* freedom)
{
    const tgRig* rig = stage->rig;
    size_t elements = (size_t)rig->skin.elementCount;
    float* free1 = calloc(elements, sizeof(float));
    tgContactTask task = stage->instance->contact;
    for (size_t v = 0; v < elements; ++v) {
        free1[v] = 1.0f;
    }
    memcpy(stage->instance->positions, plain->instance->positions, 4 * elements * sizeof(float));
    memcpy(stage->joints, plain->joints, (size_t)plain->scene->jointCount * sizeof(tgMat34));
    task.freedom = free1;
    task.rest = rig->skin.rest;
    task.skinMatrices = plain->instance->skinMatrices;
    double added = 0.0;
    tgRunContact(&task);
    for (int i = 0; i < rig->planes.count; ++i) {
        added += task.changed[i];
    }
    for (int v = 0; v < stage->scene->vertexCount; ++v) {
        const float* p = stage->instance->positions + 4 * (size_t)rig->mesh.renderToVertex[v];
        stage->out[v] = tgMakeVec3(p[0], p[1], p[2]);
    }
    if (freedom != NULL) {
        memcpy(freedom, free1, elements * sizeof(float));
    }
    free(free1);
    return added;
}

/// Moves all skin outwards by so much, less where it is crushed, and along the planes near them:
/// more than a volume stage would.
static inline void tgPushOut(tgStage* stage, const tgStage* plain, float by)
{
    const tgSkin* skin = &stage->rig->skin;
    float* ways = calloc(4 * (size_t)skin->elementCount, sizeof(float));
    for (int v = 0; v < stage->rig->mesh.vertexCount; ++v) {
        const float* n = stage->rig->normals.rest + 4 * (size_t)v;
        int begin = skin->groupStart != NULL ? skin->groupStart[v] : v;
        int end = skin->groupStart != NULL ? skin->groupStart[v + 1] : v + 1;
        tgVec3 turned = {0.0f, 0.0f, 0.0f};
        for (int k = 4 * begin; k < 4 * end; ++k) {
            const tgMat34d* motion = &plain->instance->skinMatrices[skin->joints[k]];
            tgVec3 way = tgMat34d_MulVector(motion, tgMakeVec3(n[0], n[1], n[2]));
            turned = tgMulAdd(turned, skin->weights[k], way);
        }
        float crushed = by * fminf(tgDot(turned, turned), 1.0f);
        ways[4 * v] = crushed * turned.x;
        ways[4 * v + 1] = crushed * turned.y;
        ways[4 * v + 2] = crushed * turned.z;
    }
    tgHoldVectors(&stage->instance->contact, ways);
    for (int r = 0; r < stage->scene->vertexCount; ++r) {
        const float* way = ways + 4 * (size_t)stage->rig->mesh.renderToVertex[r];
        stage->out[r] = tgAdd(stage->out[r], tgMakeVec3(way[0], way[1], way[2]));
    }
    free(ways);
}

static inline void tgCountNewPair(int first, int second, void* context)
{
    void* const* known = context;
    const tgStage* stage = known[0];
    int* count = known[1];
    tgVec3 a[3], b[3];
    for (int k = 0; k < 3; ++k) {
        a[k] = stage->scene->positions[stage->triangles[3 * (size_t)first + (size_t)k]];
        b[k] = stage->scene->positions[stage->triangles[3 * (size_t)second + (size_t)k]];
    }
    *count += !tgDoTrianglesCross(a, b);
}

/// Triangles that pass through each other and did not at rest.
static inline int tgCountPairs(tgStage* stage)
{
    tgSurface surface = {{&stage->out->x, stage->scene->vertexCount, sizeof(tgVec3)},
                         stage->triangles,
                         stage->triangleCount};
    void* memory = malloc(tgBvh_GetSize(stage->triangleCount));
    int count = 0;
    void* known[2] = {stage, &count};
    tgBvh tree;
    tgBvh_Build(&tree, &surface, memory);
    tgBvh_FindCrossings(&tree, &surface, tgCountNewPair, known);
    free(memory);
    return count;
}

static inline double tgGetVolumeError(const tgStage* stage)
{
    tgVolumeReport report = tgInstance_MeasureVolume(stage->instance);
    return fabs(report.result / report.target - 1.0);
}

#endif
