// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A shape on stage, for the tests of the volume methods.
#ifndef TURGOR_TEST_SHAPE_STAGE_H
#define TURGOR_TEST_SHAPE_STAGE_H

#include "actor.h"
#include "core/instance.h"
#include "shapes.h"

typedef struct tgStage {
    tgShape shape; ///< owned
    tgRig* rig;
    tgInstance* instance;
    tgVec3* out;
} tgStage;

static inline tgStage tgMakeStage(tgShape shape, tgSkinning skinning, const tgVolumeDef* volume)
{
    tgStage stage = {.shape = shape};
    tgRigDef def = tgShape_GetRigDef(&stage.shape);
    def.skinning = skinning;
    def.volume = *volume;
    stage.rig = tgMustCreateRig(&def);
    tgInstanceDef instanceDef = tgDefaultInstanceDef();
    stage.instance = tgCreateInstance(stage.rig, &instanceDef, NULL);
    stage.out = calloc((size_t)shape.vertexCount, sizeof(tgVec3));
    return stage;
}

static inline void tgFreeStage(tgStage* stage)
{
    free(stage->out);
    tgDestroyInstance(stage->instance);
    tgDestroyRig(stage->rig);
    tgFreeShape(&stage->shape);
}

static inline void tgPlay(tgStage* stage, const tgMat34* joints, float time)
{
    tgPose pose = {.joints = joints, .jointCount = stage->shape.jointCount, .time = time};
    tgVec3Span out = {&stage->out->x, stage->shape.vertexCount, sizeof(tgVec3)};
    tgError error = {0};
    if (tgInstance_Deform(stage->instance, &pose, out, (tgVec3Span){0}, &error) != tg_success) {
        print_error("%s\n", error.message);
        fail();
    }
}

#endif
