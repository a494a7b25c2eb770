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
    placed->motions = tgLayout_Take(layout, joints, sizeof(tgMat34d));
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
static void tgPlaceExact(const tgRig* rig, tgLayout* layout, tgInstance* placed)
{
    const tgLimbs* limbs = &rig->limbs;
    size_t joints = (size_t)rig->skeleton.jointCount, elements = (size_t)rig->skin.elementCount;
    size_t limbCount = (size_t)limbs->count;
    tgLossTask* loss = &placed->correct.loss;
    tgExactTask* exact = &placed->correct.exact;
    placed->motions = tgLayout_Take(layout, joints, sizeof(tgMat34d));
    placed->jointLosses = tgLayout_Take(layout, limbCount, sizeof(tgJointLoss));
    loss->statePalette = tgLayout_Take(layout, joints * tg_matrixFloats, sizeof(float));
    loss->stateRigid = tgLayout_Take(layout, joints * tg_dualQuaternionFloats, sizeof(float));
    loss->statePairs =
        tgLayout_Take(layout, (size_t)rig->skin.pairCount * tg_dualQuaternionFloats, sizeof(float));
    loss->whole = tgLayout_Take(layout, 4 * elements, sizeof(float));
    loss->targetRigid = tgLayout_Take(layout, joints * tg_dualQuaternionFloats, sizeof(float));
    loss->bends = tgLayout_Take(layout, limbCount, sizeof(bool));
    loss->losses = tgLayout_Take(layout, limbCount, sizeof(double));
    exact->gradient = tgLayout_Take(layout, 4 * elements, sizeof(float));
    exact->gamma = tgLayout_Take(layout, elements, sizeof(float));
    exact->profile = tgLayout_Take(layout, 4 * (size_t)limbs->mostTakers, sizeof(float));
    placed->correct.jointShares = tgLayout_Take(layout, joints, sizeof(float));
    placed->correct.jointScales = tgLayout_Take(layout, joints, sizeof(float));
    placed->correct.scales = tgLayout_Take(layout, elements, sizeof(float));
    placed->correct.metGains = tgLayout_Take(layout, limbCount, sizeof(double));
    placed->correct.metLosses = tgLayout_Take(layout, limbCount, sizeof(double));
    placed->correct.frames = tgLayout_Take(layout, limbCount, sizeof(tgJointFrame));
    placed->correct.drifted = tgLayout_Take(layout, limbCount, sizeof(double));
    placed->correct.driftsFirst = tgLayout_Take(layout, limbCount, sizeof(bool));
    placed->correct.unsettled = tgLayout_Take(layout, limbCount, sizeof(bool));
    placed->correct.withheld = tgLayout_Take(layout, limbCount, sizeof(double));
    placed->correct.plain = tgLayout_Take(layout, 4 * elements, sizeof(float));
    placed->correct.normals = tgLayout_Take(layout, 4 * elements, sizeof(float));
    placed->correct.danger = tgLayout_Take(layout, elements, sizeof(float));
    placed->correct.held = tgLayout_Take(layout, elements, sizeof(float));
    placed->correct.carried = tgLayout_Take(layout, 4 * elements, sizeof(float));
    loss->stretched = placed->correct.carried; // which is not needed before
    exact->field = tgLayout_Take(layout, 4 * elements, sizeof(float));
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

/// Scratch memory of the contact stage; none without it.
static void tgPlaceContact(const tgRig* rig, tgLayout* layout, tgInstance* placed)
{
    tgContactTask* contact = &placed->contact;
    size_t elements = (size_t)rig->skin.elementCount;
    if (!tgRig_HasContact(rig)) {
        return;
    }
    contact->added = tgLayout_Take(layout, (size_t)rig->limbs.count, sizeof(double));
    contact->closing = tgLayout_Take(layout, (size_t)rig->creases.most, sizeof(float));
    if (rig->bones.count > 0) {
        contact->onBone = tgLayout_Take(layout, elements, sizeof(float));
    }
    if (rig->volume.method == tg_volumeLocal) { // which needs no limbs of its own
        tgLossTask* loss = &placed->correct.loss;
        loss->bends = tgLayout_Take(layout, (size_t)rig->limbs.count, sizeof(bool));
        loss->losses = tgLayout_Take(layout, (size_t)rig->limbs.count, sizeof(double));
    }
    if (rig->surfaceCount > 0) {
        contact->tree.nodes = tgLayout_Take(layout, 1, tgBvh_GetSize(rig->surfaceCount));
        contact->base = tgLayout_Take(layout, 4 * elements, sizeof(float));
        contact->kept = tgLayout_Take(layout, elements, sizeof(float));
        contact->isMeeting = tgLayout_Take(layout, elements, sizeof(bool));
    }
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
    placed.targetSkins = tgLayout_Take(layout, joints, sizeof(tgMat34d));
    placed.palette = tgLayout_Take(layout, joints * tg_matrixFloats, sizeof(float));
    placed.rigid = tgLayout_Take(layout, joints * tg_dualQuaternionFloats, sizeof(float));
    placed.pairPalette =
        tgLayout_Take(layout, (size_t)rig->skin.pairCount * tg_dualQuaternionFloats, sizeof(float));
    placed.shape = tgLayout_Take(layout, 4 * elements, sizeof(float));
    placed.positions = tgLayout_Take(layout, 4 * elements, sizeof(float));
    placed.normals = tgLayout_Take(layout, 4 * elements, sizeof(float));
    placed.slots = tgLayout_Take(layout, 4 * (size_t)tgMesh_SlotCount(&rig->mesh), sizeof(float));
    tgPlaceFleshState(rig, layout, &placed.flesh);
    tgPlaceBoneScratch(rig, layout, &placed);
    placed.targetPositions = tgLayout_Take(layout, 4 * elements, sizeof(float));
    if (rig->volume.method == tg_volumeExact) {
        tgPlaceExact(rig, layout, &placed);
    } else if (rig->volume.method == tg_volumeLocal) {
        tgPlaceLocal(rig, layout, &placed);
    }
    tgPlaceContact(rig, layout, &placed);
    if (rig->bones.count > 0 || tgRig_HasContact(rig)) {
        placed.freedom = tgLayout_Take(layout, elements, sizeof(float));
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
    local->cap = rig->volume.cap;
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
static void tgConnectCorrection(tgInstance* instance)
{
    const tgRig* rig = instance->rig;
    tgLossTask* loss = &instance->correct.loss;
    loss->skeleton = &rig->skeleton;
    loss->mesh = &rig->mesh;
    loss->skin = &rig->skin;
    loss->limbs = &rig->limbs;
    loss->kernels = instance->kernels;
    loss->parallel = &instance->parallel;
    loss->dualQuaternion = rig->skinning == tg_dualQuaternion;
    loss->skinned = instance->positions;
    loss->palette = instance->palette;
    loss->rigid = instance->rigid;
    loss->pairs = instance->pairPalette;
    tgExactTask* exact = &instance->correct.exact;
    exact->mesh = &rig->mesh;
    exact->kernels = instance->kernels;
    exact->parallel = &instance->parallel;
    exact->cap = rig->volume.cap;
    exact->equalShares = rig->volume.equalShares;
    exact->evenness = rig->limbs.evenness;
    exact->inverseSquares = rig->volume.evenOut ? rig->limbs.inverseSquares : NULL;
    exact->positions = instance->positions;
    exact->slots = instance->slots;
    instance->correct.freedom = instance->freedom;
    instance->correct.hasBones = rig->bones.count > 0;
    instance->correct.mode = rig->volume.mode;
    instance->correct.holdFaces = rig->volume.holdFaces;
    instance->correct.restDiagonal = rig->info.restDiagonal;
    instance->correct.flesh = &instance->flesh;
    bool anywhere =
        rig->bones.count > 0 || rig->surfaceCount > 0 || rig->volume.mode == tg_modeTogether;
    for (int i = 0; instance->correct.driftsFirst != NULL && i < rig->limbs.count; ++i) {
        bool folds = rig->creases.count > 0 && rig->creases.creases[i].count > 0;
        instance->correct.driftsFirst[i] = anywhere || folds;
    }
}

/// What the contact stage reads, once it lies in place.
static void tgConnectContact(tgInstance* instance)
{
    const tgRig* rig = instance->rig;
    tgContactTask* contact = &instance->contact;
    contact->mesh = &rig->mesh;
    contact->limbs = &rig->limbs;
    contact->creases = &rig->creases;
    contact->skin = &rig->skin;
    contact->kernels = instance->kernels;
    contact->joints = instance->joints;
    contact->skinMatrices = instance->skinMatrices;
    contact->bends = instance->correct.loss.bends;
    contact->dualQuaternion = rig->skinning == tg_dualQuaternion;
    contact->gap = rig->volume.contact.gap;
    contact->positions = instance->positions;
    contact->freedom = instance->freedom;
    contact->drifts = rig->volume.method == tg_volumeExact;
    instance->correct.added = contact->added;
    if (rig->surfaceCount > 0) {
        tgSurface surface = {{rig->skin.rest, rig->mesh.vertexCount, 4 * sizeof(float)},
                             rig->surface,
                             rig->surfaceCount};
        contact->triangles = rig->surface;
        contact->triangleCount = rig->surfaceCount;
        tgBvh_Build(&contact->tree, &surface, contact->tree.nodes);
    }
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
    instance->breath = 1.0;
    instance->flesh.flesh = &rig->flesh;
    tgConnectBones(instance);
    tgConnectCorrection(instance);
    tgConnectLocal(instance);
    tgConnectContact(instance);
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

/// The target pose in targetSkins: its vertices go to targetPositions. Skinned linearly for either
/// blend: with rotations at rest the two are the same. Uses the palette as scratch.
static void tgSkinTarget(tgInstance* instance)
{
    const tgRig* rig = instance->rig;
    const tgMat34d* skins = instance->targetSkins;
    tgFillMatrixPalette(skins, rig->skeleton.jointCount, instance->palette);
    tgSkinTask task = {
        .rest = instance->shaped ? instance->shape : rig->skin.rest,
        .groupStart = rig->skin.groupStart,
        .weights = rig->skin.weights,
        .entries = rig->skin.joints,
        .palette = instance->palette,
        .positions = instance->targetPositions,
    };
    tgRunSkin(&instance->parallel, instance->kernels->skinLinear, &task, 0, rig->skin.extraStart);
    tgPlaceCapCenters(&rig->mesh, instance->targetPositions);
}

void tgSetTarget(tgInstance* instance)
{
    const tgRig* rig = instance->rig;
    const tgSkeleton* skeleton = &rig->skeleton;
    tgCorrectTask* correct = &instance->correct;
    correct->loss.targetSkins = NULL;
    correct->loss.motions = instance->skinMatrices;
    correct->target = rig->info.restVolume;
    if (!instance->shaped && tgIsRestTarget(skeleton, instance->skinMatrices)) {
        return;
    }
    tgPoseToTargetMatrices(skeleton, instance->joints, instance->targetJoints,
                           instance->targetSkins);
    for (int i = 0; i < skeleton->jointCount; ++i) {
        int j = skeleton->flesh.order[i];
        tgMat34d jointToModel = tgMat34d_FromFloat(&instance->joints[j]), inverse;
        // A joint that is scaled to nothing moves like the one that carries it.
        int carrier = skeleton->flesh.carriers[j];
        instance->motions[j] = tgMat34d_Invert(&instance->targetJoints[j], &inverse)
                                   ? tgMat34d_Mul(&jointToModel, &inverse)
                               : carrier >= 0 ? instance->motions[carrier]
                                              : jointToModel;
    }
    correct->loss.targetSkins = instance->targetSkins;
    correct->loss.motions = instance->motions;
    tgSkinTarget(instance);
    const float* p = instance->targetPositions;
    correct->target = tgQuickVolume(instance->kernels, &rig->mesh, p, tgMakeVec3(p[0], p[1], p[2]));
}

static double tgMeasureTarget(tgInstance* instance)
{
    const tgSkeleton* skeleton = &instance->rig->skeleton;
    tgMat34d* skins = instance->targetSkins;
    tgPoseToSkinMatrices(skeleton, instance->joints, skins);
    if (!instance->shaped && tgIsRestTarget(skeleton, skins)) {
        return instance->rig->info.restVolume;
    }
    tgPoseToTargetMatrices(skeleton, instance->joints, instance->targetJoints, skins);
    tgSkinTarget(instance);
    return tgVolume(&instance->rig->mesh, instance->targetPositions);
}

tgVolumeReport tgInstance_MeasureVolume(tgInstance* instance)
{
    const tgRig* rig = instance->rig;
    tgVolumeReport report = {rig->info.restVolume, rig->info.restVolume, rig->info.restVolume};
    if (instance->deformed) {
        report.result = tgVolume(&rig->mesh, instance->positions);
        report.target = tgMeasureTarget(instance) * instance->breath;
    }
    return report;
}

tgReport tgInstance_GetReport(const tgInstance* instance)
{
    bool isLocal = instance->rig->volume.method == tg_volumeLocal;
    return (tgReport){instance->lossCount, instance->jointLosses,
                      isLocal ? instance->local.residual : instance->correct.residual};
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
