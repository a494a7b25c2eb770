// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The anatomical shape of a character on stage, for its tests: shape, skin, clamp.
#ifndef TURGOR_TEST_ANATOMY_STAGE_H
#define TURGOR_TEST_ANATOMY_STAGE_H

#include "contact_stage.h"
#include "core/meeting.h"

#include <string.h>

/// On top of two stages of one character: plain, and one that has planes.
typedef struct tgLimbStage {
    tgStage *plain, *met;
    tgScratch scratch;
    tgAnatomy anatomy;
    tgAnatomyTask task;
    float* drift;   ///< of each joint
    tgVec3* shaped; ///< of each render vertex
} tgLimbStage;

static inline void tgOpenLimbs(tgStage* plain, tgStage* met, tgLimbStage* limbs)
{
    const tgRig* rig = met->rig;
    *limbs = (tgLimbStage){.plain = plain, .met = met, .scratch = {.allocator = &rig->allocator}};
    size_t elements = (size_t)rig->skin.elementCount;
    assert_true(tgBuildAnatomy(&rig->mesh, &rig->skeleton, &rig->planes, NULL, rig->skin.rest,
                               &limbs->scratch, &limbs->anatomy));
    limbs->shaped = calloc((size_t)plain->scene->vertexCount, sizeof(tgVec3));
    limbs->drift = calloc((size_t)plain->scene->jointCount, sizeof(float));
    for (int j = 0; j < plain->scene->jointCount; ++j) {
        limbs->drift[j] = 1.0f;
    }
    limbs->task = (tgAnatomyTask){
        .anatomy = &limbs->anatomy,
        .skinMatrices = plain->instance->skinMatrices,
        .drift = limbs->drift,
        .parallel = &met->instance->parallel,
        .kernels = met->instance->kernels,
        .rest = rig->skin.rest,
        .shaped = calloc(4 * elements, sizeof(float)),
        .positions = met->instance->positions,
        .changed = calloc((size_t)limbs->anatomy.count + 1, sizeof(double)),
        .poses = calloc((size_t)limbs->anatomy.count + 1, sizeof(tgAnatomyPose)),
        .elementCount = rig->skin.elementCount,
    };
}

static inline void tgCloseLimbs(tgLimbStage* limbs)
{
    free(limbs->task.shaped);
    free(limbs->task.changed);
    free(limbs->task.poses);
    free(limbs->drift);
    free(limbs->shaped);
    tgScratch_FreeAll(&limbs->scratch);
}

/// Shape, skin and clamp for the pose that `plain` has just been played in. Its skin is then that
/// of the shaped rest; `met` has the clamped skin.
static inline void tgPlayLimbs(tgLimbStage* limbs)
{
    tgStage *plain = limbs->plain, *met = limbs->met;
    const tgRig* rig = met->rig;
    size_t elements = (size_t)rig->skin.elementCount;
    int count = plain->scene->vertexCount;
    limbs->task.anatomy = &limbs->anatomy; // which may have been copied
    limbs->scratch.allocator = &rig->allocator;
    tgShapeRest(&limbs->task);
    for (int r = 0; r < count; ++r) {
        const float* p = limbs->task.shaped + 4 * (size_t)rig->mesh.renderToVertex[r];
        limbs->shaped[r] = tgMakeVec3(p[0], p[1], p[2]);
    }
    tgPose pose = {.joints = plain->joints, .jointCount = plain->scene->jointCount};
    pose.shapePositions = (tgVec3View){&limbs->shaped->x, count, sizeof(tgVec3)};
    tgVec3Span out = {&plain->out->x, count, sizeof(tgVec3)};
    assert_int_equal(tgInstance_Deform(plain->instance, &pose, out, (tgVec3Span){0}, NULL),
                     tg_success);
    memcpy(met->instance->positions, plain->instance->positions, 4 * elements * sizeof(float));
    tgClampFolds(&limbs->task);
    for (int r = 0; r < count; ++r) {
        const float* p = met->instance->positions + 4 * (size_t)rig->mesh.renderToVertex[r];
        met->out[r] = tgMakeVec3(p[0], p[1], p[2]);
    }
}

#endif
