// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// START HERE. The frame, one line per stage: joints in, vertices out, nothing allocated.

#include "core/instance.h"
#include "core/volume.h"

#include <string.h>

static tgResult tgCheckFrame(const tgInstance* instance, const tgPose* pose, tgVec3Span positions,
                             tgVec3Span normals, tgError* error);
static void tgPoseStage(tgInstance* instance, const tgPose* pose);
static void tgShapeStage(tgInstance* instance, const tgPose* pose);
static void tgWrinkleStage(tgInstance* instance);
static void tgSkinStage(tgInstance* instance, bool wantNormals);
static void tgTargetStage(tgInstance* instance, const tgPose* pose);
static void tgSpringStage(tgInstance* instance, const tgPose* pose);
static void tgBonesStage(tgInstance* instance);
static void tgContactStage(tgInstance* instance);
static void tgVolumeStage(tgInstance* instance);
static void tgNormalsStage(tgInstance* instance);
static void tgCopyOut(tgInstance* instance, tgVec3Span positions, tgVec3Span normals);

tgResult tgInstance_Deform(tgInstance* instance, const tgPose* pose, tgVec3Span positions,
                           tgVec3Span normals, tgError* error)
{
    tgResult result = tgCheckFrame(instance, pose, positions, normals, error);
    if (result != tg_success) {
        return result;
    }
    bool blendNormals = normals.data != NULL && instance->normalsFrom == tg_normalsBlended;

    tgPoseStage(instance, pose);         // joints to skinning matrices or dual quaternions
    tgShapeStage(instance, pose);        // the bind shape: morph targets, flesh round joints
    tgWrinkleStage(instance);            // waves where joints compress the skin
    tgTargetStage(instance, pose);       // the volume to keep, and what each joint takes away
    tgSkinStage(instance, blendNormals); // blend of every vertex and of its direction
    tgSpringStage(instance, pose);       // springs, and the skin that follows them
    tgBonesStage(instance);              // skin over the bones that come through it
    tgContactStage(instance);            // skin on its side of the plane between two bodies
    tgVolumeStage(instance);             // restore what the joints took away
    if (normals.data != NULL && !blendNormals) {
        tgNormalsStage(instance); // vertex normals of the result
    }
    tgCopyOut(instance, positions, normals); // welded vertices to render vertices
    instance->deformed = true;
    return tg_success;
}

// ---- checks -------------------------------------------------------------------------------------

/// Larger entries would take positions out of the range where areas can be squared.
static const float tg_largestEntry = 1e9f;

static bool tgIsWithinRange(const tgMat34* m)
{
    const float* entries = &m->x.x;
    float largest = 0.0f;
    for (int i = 0; i < 12; ++i) {
        if (!(fabsf(entries[i]) <= tg_largestEntry)) { // NaN is not either
            return false;
        }
        largest = i < 9 ? fmaxf(largest, fabsf(entries[i])) : largest;
    }
    return largest <= 1e-3f * tg_largestEntry; // scales
}

/// By cost: pointers, counts and joints, never vertices.
static tgResult tgCheckFrame(const tgInstance* instance, const tgPose* pose, tgVec3Span positions,
                             tgVec3Span normals, tgError* error)
{
    if (instance == NULL || pose == NULL || pose->joints == NULL) {
        return tgFail(error, tg_invalidArgument, -1, "there is no %s",
                      instance == NULL ? "instance" : "pose");
    }
    const tgRig* rig = instance->rig;
    int vertexCount = rig->mesh.renderCount;
    bool wrongPositions = positions.data != NULL && positions.count != vertexCount;
    if (wrongPositions || (normals.data != NULL && normals.count != vertexCount)) {
        return tgFail(error, tg_invalidArgument, -1, "room for %d %s, the mesh has %d vertices",
                      wrongPositions ? positions.count : normals.count,
                      wrongPositions ? "positions" : "normals", vertexCount);
    }
    if (pose->shapePositions.data != NULL && pose->shapePositions.count != vertexCount) {
        return tgFail(error, tg_invalidPose, -1, "the shape has %d vertices, the mesh has %d",
                      pose->shapePositions.count, vertexCount);
    }
    if (pose->jointCount != rig->skeleton.jointCount) {
        return tgFail(error, tg_invalidPose, -1, "the pose has %d joints, the skeleton has %d",
                      pose->jointCount, rig->skeleton.jointCount);
    }
    if (!isfinite(pose->time) || !isfinite(pose->timeStep) || pose->timeStep < 0.0f) {
        return tgFail(error, tg_invalidPose, -1,
                      "the pose is at time %g, %g after the last one, wanted numbers and a step of "
                      "0 or more",
                      (double)pose->time, (double)pose->timeStep);
    }
    if (pose->modelToWorld != NULL && !tgIsWithinRange(pose->modelToWorld)) {
        return tgFail(error, tg_invalidPose, -1,
                      "modelToWorld has a number that is not one, or beyond %g",
                      (double)tg_largestEntry);
    }
    for (int j = 0; j < pose->jointCount; ++j) {
        if (!tgIsWithinRange(&pose->joints[j])) {
            return tgFail(error, tg_invalidPose, j,
                          "joint %d has a transform with a number that is not one, or beyond %g", j,
                          (double)tg_largestEntry);
        }
    }
    return tg_success;
}

// ---- pose, shape, skin --------------------------------------------------------------------------

/// What skin blends, from the skin matrices.
static void tgFillPalettes(tgInstance* instance)
{
    const tgRig* rig = instance->rig;
    const tgSkeleton* skeleton = &rig->skeleton;
    const tgSkin* skin = &rig->skin;
    tgFillMatrixPalette(instance->skinMatrices, skeleton->jointCount, instance->palette);
    if (rig->skinning == tg_linear) {
        return;
    }
    instance->stretched =
        tgSplitSkinMatrices(skeleton, instance->skinMatrices, instance->rigid, instance->stretches);
    tgFillPairPalette(instance->rigid, skin->pairList, skin->pairCount, instance->pairPalette);
    instance->isMixed = tgFillPairShares(skeleton, instance->rigid, skin->pairList, skin->pairCount,
                                         rig->skinning == tg_blend, instance->pairShares);
}

static void tgPoseStage(tgInstance* instance, const tgPose* pose)
{
    memcpy(instance->joints, pose->joints, (size_t)pose->jointCount * sizeof(tgMat34));
    tgPoseToSkinMatrices(&instance->rig->skeleton, pose->joints, instance->skinMatrices);
    tgFillPalettes(instance);
}

/// The frame's bind shape.
static const float* tgGetRest(const tgInstance* instance)
{
    return instance->shaped ? instance->shape : instance->rig->skin.rest;
}

/// The same as flesh and wrinkles move it: what is skinned.
static const float* tgGetShaped(const tgInstance* instance)
{
    bool isMoved = instance->rig->anatomy.count > 0 || instance->isWrinkled;
    return isMoved ? instance->shapedRest : tgGetRest(instance);
}

/// Morph targets.
static void tgReadShape(tgInstance* instance, const tgPose* pose)
{
    const tgRig* rig = instance->rig;
    for (int v = 0; v < rig->mesh.vertexCount; ++v) {
        tgVec3 p = tgVec3View_Get(pose->shapePositions, rig->mesh.vertexToRender[v]);
        float* out = instance->shape + 4 * (size_t)v;
        out[0] = p.x;
        out[1] = p.y;
        out[2] = p.z;
        out[3] = 1.0f;
    }
}

static void tgShapeStage(tgInstance* instance, const tgPose* pose)
{
    instance->shaped = pose->shapePositions.data != NULL;
    if (instance->shaped) {
        tgReadShape(instance, pose);
    }
    if (instance->rig->anatomy.count > 0) {
        instance->anatomy.rest = tgGetRest(instance);
        tgShapeRest(&instance->anatomy);
    }
}

/// On top of what flesh did to the bind shape.
static void tgWrinkleStage(tgInstance* instance)
{
    instance->isWrinkled = false;
    if (instance->rig->wrinkles.count > 0) {
        instance->wrinkles.rest = tgGetShaped(instance);
        instance->isWrinkled = tgWrinkleRest(&instance->wrinkles);
    }
}

/// How much elements [begin, end) take of the dual quaternions: what their pairs want in the mean,
/// and no more than any of them may.
static void tgFillShares(tgInstance* instance, int begin, int end)
{
    const tgSkin* skin = &instance->rig->skin;
    for (int e = begin; e < end; ++e) {
        int first = skin->groupStart != NULL ? skin->groupStart[e] : e;
        int last = skin->groupStart != NULL ? skin->groupStart[e + 1] : e + 1;
        float wanted = 0.0f, sum = 0.0f, allowed = 1.0f;
        for (int k = 4 * first + 1; k < 4 * last; ++k) {
            const tgPairShare* pair = &instance->pairShares[skin->pairs[k]];
            float weight = skin->weights[k];
            wanted += weight * pair->wanted;
            sum += weight;
            allowed = weight > 0.0f && pair->allowed < allowed ? pair->allowed : allowed;
        }
        instance->shares[e] = sum > 0.0f ? allowed * wanted / sum : 0.0f;
    }
}

/// What is skinned: positions, vectors, or both.
typedef struct tgSkinWork {
    tgInstance* instance;
    tgSkinTask task;
} tgSkinWork;

/// Elements [begin, end), by the rig's own blend.
static void tgSkinRange(const tgSkinWork* work, int begin, int end)
{
    tgInstance* instance = work->instance;
    const tgRig* rig = instance->rig;
    const tgKernels* kernels = instance->kernels;
    tgSkinTask task = work->task;
    task.groupStart = rig->skin.groupStart;
    task.weights = rig->skin.weights;
    task.entries = rig->skin.joints;
    task.palette = instance->palette;
    if (rig->skinning == tg_linear) {
        kernels->skinLinear(&task, begin, end);
        return;
    }
    float* mixed = instance->other;
    float* mixedVectors = instance->other + 4 * (size_t)rig->skin.elementCount;
    tgSkinTask dual = task;
    if (instance->isMixed) { // both, and then so much of the second
        tgFillShares(instance, begin, end);
        dual.positions = task.positions != NULL ? mixed : NULL;
        dual.turned = mixedVectors;
    }
    if (instance->stretched) {
        dual.palette = instance->stretches;
        kernels->skinLinear(&dual, begin, end);
        dual.rest = dual.positions;
        dual.vectors = dual.vectors != NULL ? dual.turned : NULL;
    }
    dual.entries = rig->skin.pairs;
    dual.palette = instance->pairPalette;
    kernels->skinDualQuaternion(&dual, begin, end);
    if (instance->isMixed) { // after the other, because it may turn vectors in place
        kernels->skinLinear(&task, begin, end);
    }
    if (instance->isMixed && task.positions != NULL) {
        kernels->mix(task.positions, mixed, instance->shares, begin, end);
    }
    if (instance->isMixed && task.vectors != NULL) {
        kernels->mix(task.turned, mixedVectors, instance->shares, begin, end);
    }
}

static void tgSkinBlock(int block, int begin, int end, void* context)
{
    (void)block;
    tgSkinRange(context, begin, end);
}

static void tgSkinInto(tgInstance* instance, float* positions)
{
    tgSkinWork work = {instance, {.rest = tgGetShaped(instance), .positions = positions}};
    tgParallelBlocks(&instance->parallel, instance->rig->skin.extraStart, tgSkinBlock, &work);
    tgPlaceCapCenters(&instance->rig->mesh, positions);
}

static void tgNormalizeBlock(int block, int begin, int end, void* context)
{
    (void)block;
    const tgInstance* instance = context;
    instance->kernels->normalize(instance->normals, begin, end);
}

/// Normals that turn with the skin, in a pass of their own.
static void tgBlendNormals(tgInstance* instance)
{
    const tgRig* rig = instance->rig;
    tgSkinWork work = {instance, {.vectors = rig->normals.rest, .turned = instance->normals}};
    tgParallelBlocks(&instance->parallel, rig->skin.elementCount, tgSkinBlock, &work);
    tgParallelBlocks(&instance->parallel, rig->skin.elementCount, tgNormalizeBlock, instance);
}

/// Positions of chunk after chunk, and the directions that the volume stage will surely ask for.
static void tgSkinChunks(int begin, int end, void* context)
{
    tgInstance* instance = context;
    const tgRig* rig = instance->rig;
    for (int chunk = begin; chunk < end; ++chunk) {
        bool turns = chunk < rig->stage.chunkCount && tgIsChunkTurned(&instance->volume, chunk);
        tgSkinWork work = {instance,
                           {.rest = tgGetShaped(instance),
                            .positions = instance->positions,
                            .vectors = turns ? rig->stage.directions : NULL,
                            .turned = instance->volume.directions}};
        int first = chunk * tg_chunkSize, stop = first + tg_chunkSize;
        stop = stop < rig->skin.extraStart ? stop : rig->skin.extraStart;
        tgSkinRange(&work, first, stop);
        if (chunk < rig->stage.chunkCount) {
            instance->volume.hasTurned[chunk] = turns;
        }
    }
}

void tgTurnDirections(void* context, int begin, int end)
{
    tgInstance* instance = context;
    tgSkinWork work = {
        instance,
        {.vectors = instance->rig->stage.directions, .turned = instance->volume.directions}};
    tgSkinRange(&work, begin, end);
}

static void tgSkinStage(tgInstance* instance, bool wantNormals)
{
    const tgRig* rig = instance->rig;
    if (rig->volume.method == tg_volumeExact) {
        int count = (rig->skin.extraStart + tg_chunkSize - 1) / tg_chunkSize;
        tgRun(&instance->parallel, tgSkinChunks, count, instance);
        tgPlaceCapCenters(&rig->mesh, instance->positions);
        if (wantNormals) {
            tgBlendNormals(instance);
        }
        return;
    }
    // Elements from extraStart on are further normals of the same vertices.
    tgSkinWork work = {instance,
                       {.rest = tgGetShaped(instance),
                        .positions = instance->positions,
                        .vectors = wantNormals ? rig->normals.rest : NULL,
                        .turned = instance->normals}};
    int end = wantNormals ? rig->skin.elementCount : rig->skin.extraStart;
    tgParallelBlocks(&instance->parallel, end, tgSkinBlock, &work);
    tgPlaceCapCenters(&rig->mesh, instance->positions);
    if (wantNormals) {
        tgParallelBlocks(&instance->parallel, end, tgNormalizeBlock, instance);
    }
}

void tgTurnShift(void* context, int begin, int end)
{
    tgInstance* instance = context;
    tgVolumeTask* volume = &instance->volume;
    tgSkinWork shift = {instance, {.vectors = volume->shift, .turned = volume->shift}};
    tgSkinWork field = {instance, {.vectors = volume->field, .turned = volume->field}};
    tgSkinRange(&shift, begin, end);
    tgSkinRange(&field, begin, end);
}

void tgHoldAtPlanes(void* context, float* vectors)
{
    const tgInstance* instance = context;
    tgHoldVectors(&instance->contact, vectors);
}

// ---- the volume to keep -------------------------------------------------------------------------

/// The factor of the volume to keep at a time: linear between keys, level outside.
static double tgGetBreath(const tgRig* rig, float time)
{
    const tgVolumeKey* keys = rig->targetKeys;
    int count = rig->volume.targetKeyCount;
    if (count == 0) {
        return 1.0;
    }
    int i = 0;
    while (i < count - 1 && time > keys[i + 1].time) {
        i += 1;
    }
    if (time <= keys[0].time || i == count - 1) {
        return (double)(time <= keys[0].time ? keys[0] : keys[count - 1]).scale;
    }
    double t = (double)(time - keys[i].time) / (double)(keys[i + 1].time - keys[i].time);
    return (1.0 - t) * (double)keys[i].scale + t * (double)keys[i + 1].scale;
}

static void tgKeepVolume(tgInstance* instance)
{
    const tgRig* rig = instance->rig;
    tgTargetTask task = {.skeleton = &rig->skeleton,
                         .mesh = &rig->mesh,
                         .skin = &rig->skin,
                         .kernels = instance->kernels,
                         .parallel = &instance->parallel,
                         .skinMatrices = instance->skinMatrices,
                         .shape = instance->shaped ? instance->shape : NULL,
                         .wantsPose = rig->volume.method == tg_volumeLocal ||
                                      rig->volume.mode == tg_modePaper,
                         .volume = rig->volume.method == tg_volumeExact ? &instance->volume : NULL,
                         .restVolume = rig->info.restVolume};
    tgSetTarget(&task, &instance->target);
}

/// How much of the blend is of dual quaternions where each limb bends.
static void tgFindDuals(tgInstance* instance)
{
    const tgRig* rig = instance->rig;
    for (int i = 0; i < rig->limbs.count; ++i) {
        int joint = rig->limbs.limbs[i].joint;
        tgJointPair pair = {rig->skeleton.bodies.carriers[joint], joint};
        tgPairShare share = {0.0f, 0.0f};
        if (rig->skinning != tg_linear) {
            tgFillPairShares(&rig->skeleton, instance->rigid, &pair, 1, rig->skinning == tg_blend,
                             &share);
        }
        instance->volume.states[i].dual = (double)(share.wanted * share.allowed);
    }
}

static void tgTargetStage(tgInstance* instance, const tgPose* pose)
{
    const tgRig* rig = instance->rig;
    instance->breath = tgGetBreath(rig, pose->time);
    if (rig->volume.method == tg_volumeNone) {
        return;
    }
    tgKeepVolume(instance);
    if (rig->volume.method == tg_volumeExact) {
        instance->volume.isRigid = instance->target.isRigid;
        instance->volume.size = instance->target.size;
        instance->volume.scale = instance->target.scale;
        instance->volume.sign = instance->target.sign;
        tgFindDuals(instance);
        tgFindTurns(&instance->volume);
    }
}

double tgGetTarget(tgInstance* instance)
{
    const tgRig* rig = instance->rig;
    if (rig->volume.method == tg_volumeNone) {
        tgKeepVolume(instance); // only when it is asked for
    }
    const tgTarget* target = &instance->target;
    bool isKnown = target->isRest || target->isKnownSize;
    double kept = isKnown ? target->volume : target->sign * tgVolume(&rig->mesh, target->positions);
    return kept * instance->breath + instance->volume.gained;
}

// ---- springs, bones, contact --------------------------------------------------------------------

static void tgAdvanceSprings(tgInstance* instance, const tgPose* pose, bool carried)
{
    tgFleshDrive drive = {.skeleton = &instance->rig->skeleton,
                          .joints = pose->joints,
                          .modelToWorld = pose->modelToWorld,
                          .time = pose->time,
                          .timeStep = pose->timeStep,
                          .carried = carried};
    tgAdvanceFlesh(&instance->flesh, &drive);
}

static tgResult tgMoveSprings(tgInstance* instance, const tgPose* pose, bool carried,
                              tgError* error)
{
    tgVec3Span none = {NULL, 0, 0};
    tgResult result = tgCheckFrame(instance, pose, none, none, error);
    if (result == tg_success && instance->rig->flesh.elementCount > 0) {
        tgAdvanceSprings(instance, pose, carried);
    }
    return result;
}

tgResult tgInstance_Advance(tgInstance* instance, const tgPose* pose, tgError* error)
{
    return tgMoveSprings(instance, pose, false, error);
}

tgResult tgInstance_Carry(tgInstance* instance, const tgPose* pose, tgError* error)
{
    return tgMoveSprings(instance, pose, true, error);
}

static void tgFollowSprings(tgInstance* instance, float* positions)
{
    if (instance->flesh.moved) {
        tgMoveFlesh(&instance->flesh, &instance->parallel, instance->kernels, positions);
        tgPlaceCapCenters(&instance->rig->mesh, positions);
    }
}

/// As published the volume stage poses joint after joint from the skin alone, so springs and bones
/// have their say after it.
static bool tgPosesAnew(const tgRig* rig)
{
    return rig->volume.method == tg_volumeExact && rig->volume.mode == tg_modePaper;
}

/// What flesh takes or adds by shaking is no joint's: all the skin gives it back.
static void tgSpringStage(tgInstance* instance, const tgPose* pose)
{
    instance->shaken = 0.0;
    if (instance->rig->flesh.elementCount == 0) {
        return;
    }
    tgAdvanceSprings(instance, pose, false);
    bool isExact = instance->rig->volume.method == tg_volumeExact && instance->flesh.moved;
    double before = isExact ? tgMeasureFaces(&instance->volume, instance->positions) : 0.0;
    tgFollowSprings(instance, instance->positions);
    if (isExact) {
        double after = tgMeasureFaces(&instance->volume, instance->positions);
        instance->shaken = instance->target.sign * (after - before);
    }
}

static void tgPressBones(tgInstance* instance)
{
    const tgRig* rig = instance->rig;
    tgRunFaceSlots(&instance->parallel, instance->kernels, &rig->mesh, instance->positions,
                   instance->slots);
    tgRunBones(&instance->bones);
    tgPlaceCapCenters(&rig->mesh, instance->positions);
}

static void tgBonesStage(tgInstance* instance)
{
    float* freedom = instance->freedom;
    int count = freedom != NULL ? instance->rig->skin.elementCount : 0;
    for (int v = 0; v < count; ++v) {
        freedom[v] = 1.0f; // until bones and contact hold vertices
    }
    if (instance->rig->bones.count > 0 && !tgPosesAnew(instance->rig)) {
        tgPressBones(instance);
    }
}

/// What the shape of flesh and the planes changed belongs to the joints that bend there.
static void tgAddChanges(tgInstance* instance)
{
    const tgRig* rig = instance->rig;
    for (int i = 0; i < rig->limbs.count; ++i) {
        instance->added[i] = 0.0;
    }
    for (int i = 0; i < rig->planes.count; ++i) {
        int limb = rig->limbs.byJoint[rig->planes.planes[i].joint];
        instance->added[limb >= 0 ? limb : 0] += limb >= 0 ? instance->contact.changed[i] : 0.0;
    }
    for (int i = 0; i < rig->anatomy.count; ++i) {
        int limb = rig->limbs.byJoint[rig->anatomy.joints[i].joint];
        instance->added[limb >= 0 ? limb : 0] += limb >= 0 ? instance->anatomy.changed[i] : 0.0;
    }
}

/// Near a plane the volume stage may move skin along it, less and less across.
static void tgHoldDirections(int begin, int end, void* context)
{
    tgInstance* instance = context;
    tgVolumeTask* volume = &instance->volume;
    for (int chunk = begin; chunk < end; ++chunk) {
        int first = chunk * tg_chunkSize, stop = first + tg_chunkSize;
        stop = stop < instance->rig->skin.extraStart ? stop : instance->rig->skin.extraStart;
        if (!tgIsChunkReached(&instance->contact, chunk)) {
            continue;
        }
        if (!volume->hasTurned[chunk]) {
            tgTurnDirections(instance, first, stop);
            volume->hasTurned[chunk] = true;
        }
        tgHoldChunk(&instance->contact, chunk, volume->directions);
    }
}

static void tgContactStage(tgInstance* instance)
{
    const tgRig* rig = instance->rig;
    if (rig->planes.count == 0) {
        return;
    }
    if (instance->onBone != NULL) { // what rests on bone stays there
        memcpy(instance->onBone, instance->freedom, (size_t)rig->skin.elementCount * sizeof(float));
    }
    if (rig->anatomy.count > 0) {
        tgClampFolds(&instance->anatomy);
    }
    instance->contact.rest = tgGetShaped(instance);
    tgRunContact(&instance->contact);
    if (rig->volume.method == tg_volumeExact) {
        tgRun(&instance->parallel, tgHoldDirections, rig->planes.parts.chunkCount, instance);
        tgAddChanges(instance);
    }
}

// ---- the volume ---------------------------------------------------------------------------------

/// Losses of the regions that move, by joint; a joint's regions in several pieces are summed.
static void tgReportRegions(tgInstance* instance)
{
    const tgRegions* regions = &instance->rig->regions;
    instance->lossCount = 0;
    for (int r = 0; r < regions->count; ++r) {
        if (!instance->local.states[r].moves) {
            continue;
        }
        int joint = regions->regions[r].joint, i = 0;
        while (i < instance->lossCount && instance->jointLosses[i].joint != joint) {
            i += 1;
        }
        if (i == instance->lossCount) {
            instance->jointLosses[instance->lossCount++] = (tgJointLoss){.joint = joint};
        }
        instance->jointLosses[i].loss += instance->local.states[r].loss;
    }
}

/// Skin that the volume stage put into a bone comes out again, and the volume that took comes back
/// elsewhere, so often.
static const int tg_boneRounds = 4;

/// @return whether any skin was inside a bone
static bool tgLeaveBonesAgain(tgInstance* instance)
{
    bool any = instance->rig->bones.count > 0 && tgLookAtBones(&instance->bones);
    if (any) {
        tgPlaceCapCenters(&instance->rig->mesh, instance->positions);
    }
    return any;
}

static void tgLocalStage(tgInstance* instance)
{
    const tgRig* rig = instance->rig;
    const tgTarget* target = &instance->target;
    tgLocalTask* local = &instance->local;
    local->isRestPose = target->isRest;
    local->rest = target->isRest ? rig->skin.rest : target->positions;
    local->kept = target->isRest ? rig->skeleton.rest : instance->keptJoints;
    for (int j = 0; !target->isRest && j < rig->skeleton.jointCount; ++j) {
        instance->keptJoints[j] = tgMat34d_Mul(&target->skins[j], &rig->skeleton.rest[j]);
    }
    local->motions = target->motions;
    local->displaced = rig->planes.count > 0 || instance->isWrinkled ||
                       (rig->flesh.elementCount > 0 && instance->flesh.moved) ||
                       instance->bones.report.movedCount > 0;
    local->target = target->sign * target->volume;
    local->breath = instance->breath;
    tgCorrectLocally(local);
    tgReportRegions(instance);
    for (int round = 1; round < tg_boneRounds && tgLeaveBonesAgain(instance); ++round) {
        tgCorrectLocally(local);
    }
}

/// By hinge: where two limbs have the same one their losses are summed.
static void tgReportLosses(tgInstance* instance)
{
    const tgLimbs* limbs = &instance->rig->limbs;
    instance->lossCount = 0;
    for (int i = 0; i < limbs->count; ++i) {
        const tgLimb* limb = &limbs->limbs[i];
        int first = limbs->byJoint[limb->hinge];
        instance->lossPlaces[i] = -1;
        if (!instance->volume.states[i].turns) {
            continue;
        }
        int place = first < i ? instance->lossPlaces[first] : -1;
        if (place < 0) {
            place = instance->lossCount++;
            instance->jointLosses[place] = (tgJointLoss){.joint = limb->hinge};
        }
        const tgLimbState* state = &instance->volume.states[i];
        tgJointLoss* told = &instance->jointLosses[place];
        instance->lossPlaces[i] = place;
        told->loss += state->loss;
        if (!tgPosesAnew(instance->rig)) {
            told->inside += state->need - state->left;
            told->beside += state->left - state->spilled;
            told->spilled += state->spilled;
        }
    }
}

/// As published, from the skin alone; then springs, bones and breathing, whose volume goes to all
/// the skin.
static void tgPaperStage(tgInstance* instance)
{
    tgVolumeTask* volume = &instance->volume;
    tgReportLosses(instance);
    for (int i = 0; i < instance->rig->limbs.count; ++i) {
        instance->paper.turns[i] = volume->states[i].turns;
        volume->states[i].loss = volume->states[i].bend = 0.0;
    }
    instance->paper.rest = tgGetShaped(instance);
    tgRestoreAsPublished(&instance->paper);
    tgFollowSprings(instance, instance->positions);
    if (instance->rig->bones.count > 0) {
        tgPressBones(instance);
    }
    tgRestoreVolume(volume);
}

static void tgExactStage(tgInstance* instance)
{
    const tgRig* rig = instance->rig;
    tgVolumeTask* volume = &instance->volume;
    volume->rest = tgGetRest(instance);
    volume->added = instance->added;
    double breathed = instance->target.volume * (instance->breath - 1.0);
    volume->target = instance->target.volume + breathed + volume->gained;
    volume->unshared = breathed - instance->shaken;
    if (tgPosesAnew(rig)) {
        tgPaperStage(instance);
    } else {
        tgRestoreVolume(volume);
        tgReportLosses(instance);
    }
    for (int round = 1; round < tg_boneRounds && tgLeaveBonesAgain(instance); ++round) {
        tgCloseAgain(volume, instance->freedom);
    }
}

static void tgVolumeStage(tgInstance* instance)
{
    if (instance->rig->volume.method == tg_volumeExact) {
        tgExactStage(instance);
    } else if (instance->rig->volume.method == tg_volumeLocal) {
        tgLocalStage(instance);
    }
}

// ---- normals, and out ---------------------------------------------------------------------------

static void tgNormalsStage(tgInstance* instance)
{
    const tgRig* rig = instance->rig;
    tgRunNormals(&instance->parallel, instance->kernels, &rig->normals, instance->positions,
                 instance->normals, rig->skin.elementCount);
}

typedef struct tgCopyLoop {
    const float* from;
    const int* index;
    const float* fallback; ///< for vectors of length 0; NULL when there is no need
    tgVec3Span to;
} tgCopyLoop;

static void tgCopyBlock(int block, int begin, int end, void* context)
{
    (void)block;
    const tgCopyLoop loop = *(const tgCopyLoop*)context; // stores could change the original
    for (int r = begin; r < end; ++r) {
        const float* f = loop.from + 4 * (size_t)loop.index[r];
        if (loop.fallback != NULL && f[0] == 0.0f && f[1] == 0.0f && f[2] == 0.0f) {
            f = loop.fallback + 4 * (size_t)loop.index[r];
        }
        tgVec3Span_Set(loop.to, r, tgMakeVec3(f[0], f[1], f[2]));
    }
}

static void tgCopyOut(tgInstance* instance, tgVec3Span positions, tgVec3Span normals)
{
    const tgRig* rig = instance->rig;
    if (positions.data != NULL) {
        tgCopyLoop loop = {instance->positions, rig->mesh.renderToVertex, NULL, positions};
        tgParallelBlocks(&instance->parallel, rig->mesh.renderCount, tgCopyBlock, &loop);
    }
    if (normals.data != NULL) {
        bool mayBeZero = instance->normalsFrom == tg_normalsOfSurface;
        tgCopyLoop loop = {instance->normals, rig->normals.renderToElement,
                           mayBeZero ? rig->normals.rest : NULL, normals};
        tgParallelBlocks(&instance->parallel, rig->mesh.renderCount, tgCopyBlock, &loop);
    }
}

bool tgInstance_GetFleshDisplacements(tgInstance* instance, tgVec3Span displacements)
{
    const tgMesh* mesh = &instance->rig->mesh;
    if (!instance->deformed || displacements.count != mesh->renderCount) {
        return false;
    }
    // The normals' room serves as scratch: 4 floats for each element as well.
    float* skin = instance->normals;
    tgFillPalettes(instance);
    tgSkinInto(instance, skin);
    tgCopyLoop before = {skin, mesh->renderToVertex, NULL, displacements};
    tgCopyBlock(0, 0, mesh->renderCount, &before);
    tgFollowSprings(instance, skin);
    for (int r = 0; r < mesh->renderCount; ++r) {
        const float* p = skin + 4 * (size_t)mesh->renderToVertex[r];
        tgVec3View old = {displacements.data, displacements.count, displacements.stride};
        tgVec3Span_Set(displacements, r,
                       tgSub(tgMakeVec3(p[0], p[1], p[2]), tgVec3View_Get(old, r)));
    }
    return true;
}
