// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Making an instance, and what can be asked of it between frames.

#include "core/instance.h"

#include "core/hash.h"
#include "core/volume.h"

#include <string.h>

static const int tg_instanceCookie = 0x7417;

tgInstanceDef tgDefaultInstanceDef(void)
{
    return (tgInstanceDef){
        .normals = tg_normalsOfSurface,
        .simd = tg_simdBest,
        .cookie = tg_instanceCookie,
    };
}

/// Lays out the instance; with a block in `layout`, also fills in the pointers.
static tgInstance* tgPlaceInstance(const tgInstance* built, tgLayout* layout)
{
    const tgRig* rig = built->rig;
    size_t joints = (size_t)rig->skeleton.jointCount;
    size_t elements = (size_t)rig->skin.elementCount;
    tgInstance placed = *built;
    tgInstance* instance = tgLayout_Take(layout, 1, sizeof(tgInstance));
    placed.joints = tgLayout_Take(layout, joints, sizeof(tgMat34));
    placed.skinMatrices = tgLayout_Take(layout, joints, sizeof(tgMat34d));
    placed.targetJoints = tgLayout_Take(layout, joints, sizeof(tgMat34d));
    placed.palette = tgLayout_Take(layout, joints * tg_matrixFloats, sizeof(float));
    placed.rigid = tgLayout_Take(layout, joints * tg_dualQuaternionFloats, sizeof(float));
    placed.pairPalette =
        tgLayout_Take(layout, (size_t)rig->skin.pairCount * tg_dualQuaternionFloats, sizeof(float));
    placed.shape = tgLayout_Take(layout, 4 * elements, sizeof(float));
    placed.positions = tgLayout_Take(layout, 4 * elements, sizeof(float));
    placed.normals = tgLayout_Take(layout, 4 * elements, sizeof(float));
    placed.slots = tgLayout_Take(layout, 4 * (size_t)tgMesh_SlotCount(&rig->mesh), sizeof(float));
    if (instance != NULL) {
        placed.size = layout->size;
        *instance = placed;
    }
    return instance;
}

tgInstance* tgCreateInstance(const tgRig* rig, const tgInstanceDef* def, tgError* error)
{
    if (rig == NULL || def == NULL || def->cookie != tg_instanceCookie) {
        tgFail(error, tg_invalidArgument, -1, "%s",
               rig == NULL ? "there is no rig"
                           : "the instance definition is not from tgDefaultInstanceDef");
        return NULL;
    }
    tgInstance built = {
        .rig = rig,
        .allocator = def->allocator,
        .parallel = {def->parallelFor, def->parallelUser},
        .kernels = tgSelectKernels(def->simd),
        .normalsFrom = def->normals,
    };
    if (built.kernels == NULL) {
        tgFail(error, tg_unsupported, -1, "this machine has no SIMD backend %d of tgSimd",
               (int)def->simd);
        return NULL;
    }
    tgLayout measure = {0};
    tgPlaceInstance(&built, &measure);
    tgLayout layout = {0};
    layout.base = measure.overflow ? NULL : tgAllocate(&def->allocator, measure.size);
    if (layout.base == NULL) {
        tgFail(error, tg_outOfMemory, -1, "no memory for an instance of %zu bytes", measure.size);
        return NULL;
    }
    tgInstance* instance = tgPlaceInstance(&built, &layout);
    // Before the first frame the character stands in its bind pose.
    memcpy(instance->positions, rig->skin.rest, 4 * (size_t)rig->skin.elementCount * sizeof(float));
    return instance;
}

void tgDestroyInstance(tgInstance* instance)
{
    if (instance != NULL) {
        tgAllocator allocator = instance->allocator;
        tgFree(&allocator, instance, instance->size);
    }
}

/// The target is skinned linearly for either blend: with rotations at rest the two are the same.
static double tgMeasureTarget(tgInstance* instance)
{
    const tgRig* rig = instance->rig;
    bool moved = tgPoseToTargetMatrices(&rig->skeleton, instance->joints, instance->targetJoints,
                                        instance->skinMatrices);
    if (!moved && !instance->shaped) {
        return rig->info.restVolume;
    }
    tgFillMatrixPalette(instance->skinMatrices, rig->skeleton.jointCount, instance->palette);
    // The normals' room serves as scratch: 4 floats for each element as well.
    tgSkinTask task = {
        .rest = instance->shaped ? instance->shape : rig->skin.rest,
        .groupStart = rig->skin.groupStart,
        .weights = rig->skin.weights,
        .entries = rig->skin.joints,
        .palette = instance->palette,
        .positions = instance->normals,
    };
    tgRunSkin(&instance->parallel, instance->kernels->skinLinear, &task, 0, rig->skin.extraStart);
    tgPlaceCapCenters(&rig->mesh, instance->normals);
    return tgVolume(&rig->mesh, instance->normals);
}

tgVolumeReport tgInstance_MeasureVolume(tgInstance* instance)
{
    const tgRig* rig = instance->rig;
    tgVolumeReport report = {rig->info.restVolume, rig->info.restVolume, rig->info.restVolume};
    if (instance->deformed) {
        report.result = tgVolume(&rig->mesh, instance->positions);
        report.target = tgMeasureTarget(instance);
    }
    return report;
}

uint64_t tgInstance_GetStateHash(const tgInstance* instance)
{
    uint64_t hash = tg_hashSeed;
    for (int v = 0; v < instance->rig->mesh.vertexCount; ++v) {
        hash = tgHashWords(hash, instance->positions + 4 * (size_t)v, 3);
    }
    return hash;
}

const char* tgInstance_GetSimdName(const tgInstance* instance)
{
    return instance->kernels->name;
}
