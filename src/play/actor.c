// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A scene's character on stage: its rig, its pose, and the skin of the last frame.

#include "play/actor.h"

#include "core/core.h"

#include <math.h>
#include <stdlib.h>

/// A smaller target, in cubes of the frame's diagonal, is what rounding left of none: a sheet of
/// paper has 1e-5.
static const double tg_smallestTarget = 1e-9;

/// At least one element, so that NULL always means no memory.
static void* tgAllocArray(int count, size_t size)
{
    return calloc(count > 0 ? (size_t)count : 1, size);
}

/// From the scene and the layers that the def names.
static tgRig* tgMakeRig(const tgActorDef* def, tgError* error)
{
    tgRigDef rigDef = tgScene_GetRigDef(def->scene);
    rigDef.skinning = def->skinning;
    if (def->volume != NULL) {
        rigDef.volume = *def->volume;
    }
    if (def->flesh != NULL) {
        rigDef.flesh = *def->flesh;
    }
    if (def->bones != NULL) {
        rigDef.bones = *def->bones;
    }
    if (def->wrinkles != NULL) {
        rigDef.wrinkles = *def->wrinkles;
    }
    return tgCreateRig(&rigDef, error);
}

tgResult tgOpenActor(const tgActorDef* def, tgActor* actor, tgError* error)
{
    const tgScene* scene = def->scene;
    *actor = (tgActor){.scene = scene, .animation = -1};
    actor->rig = def->rig != NULL ? def->rig : tgMakeRig(def, error);
    if (actor->rig == NULL) {
        return tg_invalidMesh;
    }
    tgInstanceDef instanceDef = tgDefaultInstanceDef();
    instanceDef.normals = def->normals;
    instanceDef.parallelFor = def->parallel.run;
    instanceDef.parallelUser = def->parallel.user;
    actor->instance = tgCreateInstance(actor->rig, &instanceDef, error);
    actor->nodes = tgAllocArray(scene->nodeCount, sizeof(tgMat34));
    actor->joints = tgAllocArray(scene->jointCount, sizeof(tgMat34));
    actor->morphWeights = tgAllocArray(scene->morphCount, sizeof(float));
    actor->shape = tgAllocArray(scene->vertexCount, sizeof(tgVec3));
    actor->positions = tgAllocArray(scene->vertexCount, sizeof(tgVec3));
    actor->normals = tgAllocArray(scene->vertexCount, sizeof(tgVec3));
    if (actor->instance == NULL || actor->nodes == NULL || actor->joints == NULL ||
        actor->morphWeights == NULL || actor->shape == NULL || actor->positions == NULL ||
        actor->normals == NULL) {
        tgCloseActor(actor);
        return tgFail(error, tg_outOfMemory, -1, "out of memory for %d vertices",
                      scene->vertexCount);
    }
    return tg_success;
}

void tgCloseActor(tgActor* actor)
{
    tgDestroyInstance(actor->instance);
    tgDestroyRig(actor->rig);
    free(actor->nodes);
    free(actor->joints);
    free(actor->morphWeights);
    free(actor->shape);
    free(actor->positions);
    free(actor->normals);
    *actor = (tgActor){0};
}

static tgResult tgDeformActor(tgActor* actor, const tgPose* pose, tgError* error)
{
    int count = actor->scene->vertexCount;
    tgVec3Span positions = {&actor->positions->x, count, sizeof(tgVec3)};
    tgVec3Span normals = {&actor->normals->x, count, sizeof(tgVec3)};
    return tgInstance_Deform(actor->instance, pose, positions, normals, error);
}

/// Any time is one that floats have.
static float tgToFloat(double seconds)
{
    return (float)fmin(fmax(seconds, -1e30), 1e30);
}

/// The joints at a time, and the step since the last one, which the difference of two floats would
/// tell less and less well as time goes on.
static tgPose tgSamplePose(tgActor* actor, int animation, double time)
{
    const tgScene* scene = actor->scene;
    tgScene_SamplePose(scene, animation, time, actor->nodes, actor->joints, actor->morphWeights);
    double step = actor->played && time > actor->time ? time - actor->time : 0.0;
    actor->played = true;
    actor->time = time;
    actor->animation = animation;
    return (tgPose){.joints = actor->joints,
                    .jointCount = scene->jointCount,
                    .time = tgToFloat(time),
                    .timeStep = tgToFloat(step)};
}

tgResult tgActor_Advance(tgActor* actor, int animation, double time, tgError* error)
{
    tgPose pose = tgSamplePose(actor, animation, time);
    return tgInstance_Advance(actor->instance, &pose, error);
}

tgResult tgActor_StartOver(tgActor* actor, int animation, double time, tgError* error)
{
    tgPose pose = tgSamplePose(actor, animation, time);
    return tgInstance_Carry(actor->instance, &pose, error);
}

tgResult tgActor_Play(tgActor* actor, int animation, double time, tgError* error)
{
    const tgScene* scene = actor->scene;
    tgPose pose = tgSamplePose(actor, animation, time);
    if (scene->morphCount > 0) {
        tgScene_SampleShape(scene, actor->morphWeights, actor->shape);
        pose.shapePositions = (tgVec3View){&actor->shape->x, scene->vertexCount, sizeof(tgVec3)};
    }
    return tgDeformActor(actor, &pose, error);
}

tgResult tgActor_Pose(tgActor* actor, const tgMat34* joints, tgError* error)
{
    tgPose pose = {.joints = joints, .jointCount = actor->scene->jointCount};
    actor->animation = -1;
    return tgDeformActor(actor, &pose, error);
}

/// Of the last frame's bounding box.
static double tgMeasureDiagonal(const tgActor* actor)
{
    tgVec3 low = {0}, high = {0};
    for (int v = 0; v < actor->scene->vertexCount; ++v) {
        tgVec3 p = actor->positions[v];
        low = v == 0 ? p : tgMakeVec3(fminf(low.x, p.x), fminf(low.y, p.y), fminf(low.z, p.z));
        high = v == 0 ? p : tgMakeVec3(fmaxf(high.x, p.x), fmaxf(high.y, p.y), fmaxf(high.z, p.z));
    }
    return (double)tgDistance(low, high);
}

bool tgActor_IsVolume(const tgActor* actor, double target)
{
    double diagonal = tgMeasureDiagonal(actor);
    return target > tg_smallestTarget * diagonal * diagonal * diagonal;
}

tgKept tgActor_MeasureKept(tgActor* actor)
{
    tgVolumeReport report = tgInstance_MeasureVolume(actor->instance);
    double residual = tgInstance_GetReport(actor->instance).residual;
    bool any = tgActor_IsVolume(actor, report.target);
    return (tgKept){
        .any = any,
        .volume = report.result,
        .target = report.target,
        .error = any ? report.result / report.target - 1.0 : 0.0,
        .residual = any ? residual / report.target : 0.0,
    };
}
