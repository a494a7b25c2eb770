// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Making an instance, and what can be asked of it between frames.

#include "core/instance.h"

#include "core/hash.h"
#include "core/volume.h"

#include <string.h>

static const int tg_instanceCookie = 0x7417;
/// The local method moves skin no farther along its normal, in radii of its region.
static const float tg_localCap = 0.3f;

tgPose tgDefaultPose(void)
{
    return (tgPose){0};
}

tgInstanceDef tgDefaultInstanceDef(void)
{
    return (tgInstanceDef){
        .normals = tg_normalsOfSurface,
        .simd = tg_simdBest,
        .cookie = tg_instanceCookie,
    };
}

/// Scratch memory of the local method.
static void tgPlaceLocal(const tgRig* rig, tgLayout* layout, tgInstance* placed)
{
    const tgRegions *regions = &rig->regions, *breathing = &rig->breathing;
    size_t elements = (size_t)rig->skin.elementCount, joints = (size_t)rig->skeleton.jointCount;
    size_t takers = (size_t)(regions->takerCount > breathing->takerCount ? regions->takerCount
                                                                         : breathing->takerCount);
    size_t slots = (size_t)(regions->slotCount > breathing->slotCount ? regions->slotCount
                                                                      : breathing->slotCount);
    size_t seams = (size_t)(regions->seamCount > breathing->seamCount ? regions->seamCount
                                                                      : breathing->seamCount);
    size_t spread = rig->volume.local.exact ? 4 * elements : 0;
    tgLocalTask* local = &placed->local;
    placed->keptJoints = tgLayout_Take(layout, joints, sizeof(tgMat34d));
    placed->jointLosses = tgLayout_Take(layout, joints, sizeof(tgJointLoss));
    local->slots = tgLayout_Take(layout, 4 * slots, sizeof(float));
    local->field = tgLayout_Take(layout, 4 * takers, sizeof(float));
    local->gamma = tgLayout_Take(layout, takers, sizeof(float));
    local->points = tgLayout_Take(layout, 4 * (size_t)regions->pointCount, sizeof(float));
    local->origins = tgLayout_Take(layout, joints, sizeof(tgVec3));
    local->keptOrigins = tgLayout_Take(layout, joints, sizeof(tgVec3));
    local->leaders = tgLayout_Take(layout, joints, sizeof(int));
    local->spread = tgLayout_Take(layout, spread, sizeof(float));
    local->trial = tgLayout_Take(layout, spread, sizeof(float));
    local->worths = tgLayout_Take(layout, seams, sizeof(tgFieldWorth));
    local->states = tgLayout_Take(layout, (size_t)regions->count, sizeof(tgRegionState));
    local->breaths = tgLayout_Take(layout, (size_t)breathing->count, sizeof(tgRegionState));
}

/// Scratch memory of the exact method.
static void tgPlaceVolume(const tgRig* rig, tgLayout* layout, tgInstance* placed)
{
    const tgVolumeRig* stage = &rig->stage;
    tgVolumeTask* task = &placed->volume;
    size_t elements = (size_t)rig->skin.elementCount, limbs = (size_t)rig->limbs.count;
    size_t near = (size_t)stage->near.partStart[stage->chunkCount];
    size_t wide = (size_t)stage->wide.partStart[stage->chunkCount];
    size_t entries = (size_t)stage->near.entryStart[near];
    bool isShaped = stage->chosenCount > 0;
    placed->jointLosses = tgLayout_Take(layout, limbs, sizeof(tgJointLoss));
    placed->added = tgLayout_Take(layout, limbs, sizeof(double));
    placed->lossPlaces = tgLayout_Take(layout, limbs, sizeof(int));
    task->states = tgLayout_Take(layout, limbs, sizeof(tgLimbState));
    task->directions = tgLayout_Take(layout, 4 * elements, sizeof(float));
    task->field = tgLayout_Take(layout, 4 * elements, sizeof(float));
    if (isShaped) {
        task->shift = tgLayout_Take(layout, 4 * elements, sizeof(float));
        task->limits = tgLayout_Take(layout, near, sizeof(float));
        task->shapes = tgLayout_Take(layout, near, sizeof(float*));
        task->values = tgLayout_Take(layout, tg_lane * entries, sizeof(uint16_t));
    }
    task->overs = tgLayout_Take(layout, near, sizeof(float));
    task->wideOvers = tgLayout_Take(layout, wide, sizeof(float));
    if (rig->bones.count > 0) {
        task->heldSums = tgLayout_Take(layout, near + wide, sizeof(tgSupportSum));
    }
    size_t faceBlocks = (size_t)tgCountFaceBlocks(stage);
    task->hasTurned = tgLayout_Take(layout, (size_t)stage->chunkCount, sizeof(bool));
    task->moves = tgLayout_Take(layout, (size_t)stage->chunkCount, sizeof(bool));
    task->volumes = tgLayout_Take(layout, faceBlocks, sizeof(double));
    task->faceSums = tgLayout_Take(layout, 4 * faceBlocks, sizeof(double));
    if (rig->volume.mode == tg_modePaper) {
        tgPaperTask_Place(&rig->skin, rig->skeleton.jointCount, rig->limbs.count, layout,
                          &placed->paper);
    }
}

/// State of the flesh stage.
static void tgPlaceFleshState(const tgRig* rig, tgLayout* layout, tgFleshTask* flesh)
{
    size_t elements = (size_t)rig->flesh.elementCount;
    flesh->elements = tgLayout_Take(layout, elements, sizeof(tgElementState));
    flesh->springs = tgLayout_Take(layout, (size_t)rig->flesh.springCount, sizeof(tgSpringState));
    flesh->moves = tgLayout_Take(layout, elements, sizeof(tgFleshMove));
}

/// Scratch memory of the bones stage.
static void tgPlaceBoneScratch(const tgRig* rig, tgLayout* layout, tgInstance* placed)
{
    size_t count = (size_t)rig->bones.skin.count, blocks = (size_t)tgCountBlocks((int)count);
    tgBoneTask* bones = &placed->bones;
    bones->poses = tgLayout_Take(layout, (size_t)rig->bones.count, sizeof(tgBonePose));
    bones->normals = tgLayout_Take(layout, count, sizeof(tgVec3));
    bones->required = tgLayout_Take(layout, count, sizeof(float));
    bones->holds = tgLayout_Take(layout, count, sizeof(float));
    bones->heights = tgLayout_Take(layout, 2 * count, sizeof(float));
    bones->boxes = tgLayout_Take(layout, (size_t)rig->bones.count, sizeof(tgBoneBox));
    bones->isBeyond = tgLayout_Take(layout, count, sizeof(bool));
    bones->counts = tgLayout_Take(layout, 4 * blocks, sizeof(int));
}

/// The pose whose volume is to be kept.
static void tgPlaceTarget(const tgRig* rig, tgLayout* layout, tgTarget* target)
{
    size_t joints = (size_t)rig->skeleton.jointCount, elements = (size_t)rig->skin.elementCount;
    target->skins = tgLayout_Take(layout, joints, sizeof(tgMat34d));
    target->motions = tgLayout_Take(layout, joints, sizeof(tgMat34d));
    target->palette = tgLayout_Take(layout, joints * tg_matrixFloats, sizeof(float));
    target->known = tgLayout_Take(layout, joints * tg_matrixFloats, sizeof(float));
    target->positions = tgLayout_Take(layout, 4 * elements, sizeof(float));
}

/// What skinning needs besides the matrices.
static void tgPlacePairs(const tgRig* rig, tgLayout* layout, tgInstance* placed)
{
    size_t joints = (size_t)rig->skeleton.jointCount, elements = (size_t)rig->skin.elementCount;
    size_t pairs = (size_t)rig->skin.pairCount;
    if (rig->skinning == tg_linear) {
        return;
    }
    placed->stretches = tgLayout_Take(layout, joints * tg_matrixFloats, sizeof(float));
    placed->rigid = tgLayout_Take(layout, joints * tg_dualQuaternionFloats, sizeof(float));
    placed->pairPalette = tgLayout_Take(layout, pairs * tg_dualQuaternionFloats, sizeof(float));
    placed->pairShares = tgLayout_Take(layout, pairs, sizeof(tgPairShare));
    placed->shares = tgLayout_Take(layout, elements, sizeof(float));
    placed->other = tgLayout_Take(layout, 8 * elements, sizeof(float));
}

/// Lays out what frames need; with a block in `layout`, also fills in the pointers.
static void tgPlaceRoom(const tgRig* rig, tgLayout* layout, tgInstance* placed)
{
    size_t joints = (size_t)rig->skeleton.jointCount;
    size_t elements = (size_t)rig->skin.elementCount;
    placed->joints = tgLayout_Take(layout, joints, sizeof(tgMat34));
    placed->skinMatrices = tgLayout_Take(layout, joints, sizeof(tgMat34d));
    placed->palette = tgLayout_Take(layout, joints * tg_matrixFloats, sizeof(float));
    tgPlacePairs(rig, layout, placed);
    placed->shape = tgLayout_Take(layout, 4 * elements, sizeof(float));
    placed->positions = tgLayout_Take(layout, 4 * elements, sizeof(float));
    placed->normals = tgLayout_Take(layout, 4 * elements, sizeof(float));
    placed->slots = tgLayout_Take(layout, 4 * (size_t)tgMesh_SlotCount(&rig->mesh), sizeof(float));
    tgPlaceFleshState(rig, layout, &placed->flesh);
    tgPlaceBoneScratch(rig, layout, placed);
    tgPlaceTarget(rig, layout, &placed->target);
    if (rig->volume.method == tg_volumeExact) {
        tgPlaceVolume(rig, layout, placed);
    } else if (rig->volume.method == tg_volumeLocal) {
        tgPlaceLocal(rig, layout, placed);
    }
    tgContactTask_Place(&rig->planes, layout, &placed->contact);
    if (rig->anatomy.count > 0 || rig->wrinkles.count > 0) {
        placed->shapedRest = tgLayout_Take(layout, 4 * elements, sizeof(float));
    }
    placed->wrinkles.turns =
        tgLayout_Take(layout, (size_t)rig->wrinkles.count, sizeof(tgWrinkleTurn));
    tgAnatomyTask_Place(&rig->anatomy, layout, &placed->anatomy);
    // The exact method is held at planes by direction alone.
    bool isHeld = rig->planes.count > 0 && rig->volume.method == tg_volumeLocal;
    if (rig->bones.count > 0 && isHeld) {
        placed->onBone = tgLayout_Take(layout, elements, sizeof(float));
    }
    if (rig->bones.count > 0 || isHeld) {
        placed->freedom = tgLayout_Take(layout, elements, sizeof(float));
    }
}

/// Lays out the instance; with a block in `layout`, also fills in the pointers. That of a live rig
/// has its room elsewhere, because changes give it another.
static tgInstance* tgPlaceInstance(const tgInstance* built, tgLayout* layout)
{
    tgInstance placed = *built;
    tgInstance* instance = tgLayout_Take(layout, 1, sizeof(tgInstance));
    if (!built->base->isLive) {
        tgPlaceRoom(built->rig, layout, &placed);
    }
    if (instance != NULL) {
        placed.size = layout->size;
        *instance = placed;
    }
    return instance;
}

static void tgConnectLocal(tgInstance* instance)
{
    const tgRig* rig = instance->rig;
    tgLocalTask* local = &instance->local;
    local->mesh = &rig->mesh;
    local->skeleton = &rig->skeleton;
    local->regions = &rig->regions;
    local->breathing = &rig->breathing;
    local->kernels = instance->kernels;
    local->parallel = &instance->parallel;
    local->parts = rig->volume.local.parts;
    local->repeats = rig->volume.local.repeats;
    local->exact = rig->volume.local.exact;
    local->cap = tg_localCap;
    local->skinThickness = 0.01f * rig->info.restDiagonal;
    local->positions = instance->positions;
    local->freedom = instance->freedom;
}

static void tgConnectBones(tgInstance* instance)
{
    const tgRig* rig = instance->rig;
    tgBoneTask* bones = &instance->bones;
    bones->bones = &rig->bones;
    bones->mesh = &rig->mesh;
    bones->parallel = &instance->parallel;
    bones->joints = instance->joints;
    bones->slots = instance->slots;
    bones->positions = instance->positions;
    bones->freedom = instance->freedom;
}

/// What the volume stage reads, once it lies in place.
static void tgConnectVolume(tgInstance* instance)
{
    const tgRig* rig = instance->rig;
    tgVolumeTask* task = &instance->volume;
    task->mesh = &rig->mesh;
    task->skeleton = &rig->skeleton;
    task->limbs = &rig->limbs;
    task->volume = &rig->stage;
    task->kernels = instance->kernels;
    task->parallel = &instance->parallel;
    task->skinMatrices = instance->skinMatrices;
    task->positions = instance->positions;
    task->freedom = instance->freedom;
    task->turnDirections = tgTurnDirections;
    task->turnVectors = tgTurnShift;
    task->holdVectors = tgHoldAtPlanes;
    task->turnContext = instance;
    if (task->values != NULL) { // chosen profiles are filled in frame by frame
        const tgSupports* near = &rig->stage.near;
        size_t entries = (size_t)near->entryStart[near->partStart[rig->stage.chunkCount]];
        memcpy(task->values, rig->stage.near.values, tg_lane * entries * sizeof(uint16_t));
    }
}

/// What mode paper reads, once it lies in place.
static void tgConnectPaper(tgInstance* instance)
{
    const tgRig* rig = instance->rig;
    tgPaperTask* paper = &instance->paper;
    paper->mesh = &rig->mesh;
    paper->skeleton = &rig->skeleton;
    paper->limbs = &rig->limbs;
    paper->skin = &rig->skin;
    paper->kernels = instance->kernels;
    paper->parallel = &instance->parallel;
    paper->isLinear = rig->skinning == tg_linear;
    paper->paint = &rig->paint;
    paper->target = &instance->target;
    paper->positions = instance->positions;
    paper->slots = instance->slots;
}

/// What the contact stage reads, once it lies in place.
static void tgConnectContact(tgInstance* instance)
{
    const tgRig* rig = instance->rig;
    tgContactTask* contact = &instance->contact;
    contact->planes = &rig->planes;
    contact->mesh = &rig->mesh;
    contact->skin = &rig->skin;
    contact->skinMatrices = instance->skinMatrices;
    contact->parallel = &instance->parallel;
    contact->kernels = instance->kernels;
    contact->isLinear = rig->skinning == tg_linear;
    contact->positions = instance->positions;
    bool isLocal = rig->volume.method == tg_volumeLocal;
    contact->freedom = isLocal ? instance->freedom : NULL;
    contact->movable = isLocal ? instance->onBone : instance->freedom;
    tgWrinkleTask* wrinkles = &instance->wrinkles;
    wrinkles->wrinkles = &rig->wrinkles;
    wrinkles->skinMatrices = instance->skinMatrices;
    wrinkles->parallel = &instance->parallel;
    wrinkles->shaped = instance->shapedRest;
    wrinkles->elementCount = rig->skin.elementCount;
    tgAnatomyTask* anatomy = &instance->anatomy;
    anatomy->anatomy = &rig->anatomy;
    anatomy->skinMatrices = instance->skinMatrices;
    anatomy->drift = rig->drifts;
    anatomy->parallel = &instance->parallel;
    anatomy->kernels = instance->kernels;
    anatomy->shaped = instance->shapedRest;
    anatomy->positions = instance->positions;
    anatomy->elementCount = rig->skin.elementCount;
}

bool tgMakeRoom(tgInstance* instance)
{
    tgLayout measure = {0};
    tgPlaceRoom(instance->rig, &measure, instance);
    tgLayout layout = {0};
    layout.base = measure.overflow ? NULL : tgAllocate(&instance->allocator, measure.size);
    if (layout.base == NULL) {
        return false;
    }
    instance->room = (tgOwned){layout.base, measure.size};
    tgPlaceRoom(instance->rig, &layout, instance);
    return true;
}

void tgConnectInstance(tgInstance* instance)
{
    instance->flesh.flesh = &instance->rig->flesh;
    tgConnectBones(instance);
    tgConnectVolume(instance);
    tgConnectPaper(instance);
    tgConnectLocal(instance);
    tgConnectContact(instance);
}

tgInstance* tgCreateInstance(const tgRig* rig, const tgInstanceDef* def, tgError* error)
{
    tgInstanceDef defaults = tgDefaultInstanceDef();
    def = def != NULL ? def : &defaults;
    if (rig == NULL || def->cookie != tg_instanceCookie) {
        tgFail(error, tg_invalidArgument, -1, "%s",
               rig == NULL ? "there is no rig"
                           : "the instance definition is not from tgDefaultInstanceDef");
        return NULL;
    }
    if (!tgCheckAllocator(&def->allocator, error)) {
        return NULL;
    }
    tgInstance built = {
        .rig = rig,
        .base = rig,
        .allocator = def->allocator,
        .parallel = {def->parallelFor, def->parallelUser},
        .kernels = tgSelectKernels(def->simd),
        .normalsFrom = def->normals,
        .breath = 1.0,
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
    tgInstance* instance = layout.base != NULL ? tgPlaceInstance(&built, &layout) : NULL;
    if (instance == NULL || (rig->isLive && !tgMakeRoom(instance))) {
        tgFail(error, tg_outOfMemory, -1, "no memory for an instance of %zu bytes", measure.size);
        tgDestroyInstance(instance);
        return NULL;
    }
    tgConnectInstance(instance);
    // Before the first frame the character stands in its bind pose.
    memcpy(instance->positions, rig->skin.rest, 4 * (size_t)rig->skin.elementCount * sizeof(float));
    return instance;
}

void tgDestroyInstance(tgInstance* instance)
{
    if (instance == NULL) {
        return;
    }
    tgAllocator allocator = instance->allocator;
    for (int layer = 0; layer < tg_layerCount; ++layer) {
        tgFree(&allocator, instance->layers[layer].memory, instance->layers[layer].size);
    }
    tgFree(&allocator, instance->room.memory, instance->room.size);
    tgFree(&allocator, instance, instance->size);
}

tgVolumeReport tgInstance_MeasureVolume(tgInstance* instance)
{
    const tgRig* rig = instance->rig;
    tgVolumeReport report = {rig->info.restVolume, rig->info.restVolume, rig->info.restVolume};
    if (instance->deformed) {
        report.target = tgGetTarget(instance);
        report.result = instance->target.sign * tgVolume(&rig->mesh, instance->positions);
    }
    return report;
}

tgReport tgInstance_GetReport(const tgInstance* instance)
{
    bool isLocal = instance->rig->volume.method == tg_volumeLocal;
    return (tgReport){instance->lossCount, instance->jointLosses,
                      isLocal ? instance->local.residual : instance->volume.residual,
                      isLocal ? 0.0 : instance->volume.spilled};
}

void tgInstance_Reset(tgInstance* instance)
{
    instance->flesh.started = false;
}

tgFleshMotion tgInstance_GetFleshMotion(const tgInstance* instance, int element)
{
    bool isThere = element >= 0 && element < instance->rig->flesh.elementCount;
    return isThere ? tgGetFleshMotion(&instance->flesh, element) : (tgFleshMotion){.twist = 0.0f};
}

void tgInstance_GetFreedom(const tgInstance* instance, float* freedom)
{
    const tgMesh* mesh = &instance->rig->mesh;
    for (int r = 0; r < mesh->renderCount; ++r) {
        bool isKnown = instance->deformed && instance->freedom != NULL;
        freedom[r] = isKnown ? instance->freedom[mesh->renderToVertex[r]] : 1.0f;
    }
}

tgBoneReport tgInstance_GetBoneReport(const tgInstance* instance)
{
    return instance->bones.report;
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
