// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A tube with flesh on it, moved about as a whole or bent; for the tests of the flesh stage.
#ifndef TURGOR_TEST_FLESH_STAGE_H
#define TURGOR_TEST_FLESH_STAGE_H

#include "check.h"
#include "shapes.h"

/// A rig, an instance, and the skin of the last frame.
typedef struct tgFleshStage {
    tgShape shape;
    tgRigDef def;
    tgRig* rig;
    tgInstance* instance;
    int count;
    tgVec3* positions;
} tgFleshStage;

/// Two bones along x, the first one with flesh: from 0 to 2.
static inline tgFleshElement tgMakeTubeElement(void)
{
    static const int driven[1] = {1};
    tgFleshElement element = tgDefaultFleshElement();
    element.name = "tube";
    element.driver = 0;
    element.driven = driven;
    element.drivenCount = 1;
    return element;
}

static inline void tgOpenFleshRig(tgFleshStage* stage)
{
    tgError error = {0};
    stage->rig = tgCreateRig(&stage->def, &error);
    if (stage->rig == NULL) {
        print_error("%s\n", error.message);
    }
    assert_non_null(stage->rig);
    tgInstanceDef instanceDef = tgDefaultInstanceDef();
    stage->instance = tgCreateInstance(stage->rig, &instanceDef, NULL);
    assert_non_null(stage->instance);
    stage->count = tgRig_GetVertexCount(stage->rig);
    stage->positions = calloc((size_t)stage->count, sizeof(tgVec3));
}

static inline void tgOpenFleshStage(tgFleshStage* stage, const tgFleshElement* element)
{
    stage->shape = tgMakeTube(16, 33, 4.0f, 1.5f, 2.5f, true);
    stage->def = tgShape_GetRigDef(&stage->shape);
    stage->def.flesh = (tgFleshDef){element, element != NULL ? 1 : 0};
    tgOpenFleshRig(stage);
}

static inline void tgCloseFleshStage(tgFleshStage* stage)
{
    tgDestroyInstance(stage->instance);
    tgDestroyRig(stage->rig);
    tgFreeShape(&stage->shape);
    free(stage->positions);
}

/// A frame with given joints.
static inline void tgPlayJoints(tgFleshStage* stage, const tgMat34* joints, double time,
                                double timeStep)
{
    tgPose pose = {.joints = joints,
                   .jointCount = stage->shape.jointCount,
                   .time = (float)time,
                   .timeStep = (float)timeStep};
    tgVec3Span positions = {&stage->positions->x, stage->count, sizeof(tgVec3)};
    tgVec3Span none = {NULL, 0, 0};
    tgError error = {0};
    tgResult result = tgInstance_Deform(stage->instance, &pose, positions, none, &error);
    if (result != tg_success) {
        print_error("%s\n", error.message);
    }
    assert_int_equal(result, tg_success);
}

/// A frame with the tube in its bind pose, moved by `at`.
static inline void tgPlayMoved(tgFleshStage* stage, tgVec3 at, double time, double timeStep)
{
    tgMat34 joints[2] = {stage->shape.restJoints[0], stage->shape.restJoints[1]};
    joints[0].origin = tgAdd(joints[0].origin, at);
    joints[1].origin = tgAdd(joints[1].origin, at);
    tgPlayJoints(stage, joints, time, timeStep);
}

static inline tgVec3 tgGetDisplacement(const tgFleshStage* stage)
{
    return tgInstance_GetFleshMotion(stage->instance, 0).displacement;
}

#endif
