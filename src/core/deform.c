// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// START HERE. The frame, one line per stage: joints in, vertices out, nothing allocated.

#include "core/instance.h"
#include "core/volume.h"

#include <string.h>

static tgResult tgCheckFrame(const tgInstance* instance, const tgPose* pose, tgVec3Span positions,
                             tgVec3Span normals, tgError* error);
static bool tgPosesAnew(const tgRig* rig);
static void tgPoseStage(tgInstance* instance, const tgPose* pose);
static void tgShapeStage(tgInstance* instance, const tgPose* pose);
static void tgSkinStage(tgInstance* instance, bool wantNormals, float* positions);
static void tgAdvanceStage(tgInstance* instance, const tgPose* pose, bool carried);
static void tgFleshStage(tgInstance* instance, float* positions);
static void tgFreeAll(tgInstance* instance);
static void tgLossStage(tgInstance* instance);
static void tgDriftStage(tgInstance* instance);
static void tgBonesStage(tgInstance* instance);
static void tgContactStage(tgInstance* instance);
static void tgVolumeStage(tgInstance* instance, const tgPose* pose);
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

    tgPoseStage(instance, pose);  // joints to skinning matrices or dual quaternions
    tgShapeStage(instance, pose); // the bind shape, where morph targets move it
    tgSkinStage(instance, blendNormals, instance->positions); // blend of every vertex
    if (instance->rig->volume.method != tg_volumeNone) {
        tgSetTarget(instance); // the volume to keep
        tgLossStage(instance); // what each joint took away
    }
    if (instance->rig->flesh.elementCount > 0) {
        tgAdvanceStage(instance, pose, false);       // springs
        tgFleshStage(instance, instance->positions); // the skin that follows them
    }
    tgFreeAll(instance); // until bones and contact pin vertices
    if (instance->rig->volume.method != tg_volumeNone) {
        tgDriftStage(instance); // flesh goes to the inner side of bends
    }
    if (instance->rig->bones.count > 0 && !tgPosesAnew(instance->rig)) {
        tgBonesStage(instance); // skin over the bones that come through it
    }
    if (instance->rig->volume.method != tg_volumeNone) {
        if (tgRig_HasContact(instance->rig)) {
            tgContactStage(instance); // bring crossed skin back
        }
        tgVolumeStage(instance, pose); // restore what the joints took away
    }
    if (normals.data != NULL && !blendNormals) {
        tgNormalsStage(instance); // vertex normals of the result
    }
    tgCopyOut(instance, positions, normals); // welded vertices to render vertices
    instance->deformed = true;
    return tg_success;
}

static tgResult tgMoveSprings(tgInstance* instance, const tgPose* pose, bool carried,
                              tgError* error)
{
    tgVec3Span none = {NULL, 0, 0};
    tgResult result = tgCheckFrame(instance, pose, none, none, error);
    if (result == tg_success && instance->rig->flesh.elementCount > 0) {
        tgPoseToSkinMatrices(&instance->rig->skeleton, pose->joints, instance->skinMatrices);
        tgAdvanceStage(instance, pose, carried);
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

/// As published the volume stage poses joint after joint from the skin alone, so the bones have
/// their say after it.
static bool tgPosesAnew(const tgRig* rig)
{
    return rig->volume.method == tg_volumeExact && rig->volume.mode == tg_modePaper;
}

/// Skin that the volume stage puts into a bone comes out again so often.
static const int tg_boneRounds = 4;
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

/// What skin blends, from the skin matrices.
static void tgFillPalettes(tgInstance* instance)
{
    const tgRig* rig = instance->rig;
    const tgSkeleton* skeleton = &rig->skeleton;
    if (rig->skinning == tg_linear) {
        tgFillMatrixPalette(instance->skinMatrices, skeleton->jointCount, instance->palette);
        return;
    }
    instance->stretched =
        tgSplitSkinMatrices(skeleton, instance->skinMatrices, instance->rigid, instance->palette);
    tgFillPairPalette(instance->rigid, rig->skin.pairList, rig->skin.pairCount,
                      instance->pairPalette);
}

static void tgPoseStage(tgInstance* instance, const tgPose* pose)
{
    memcpy(instance->joints, pose->joints, (size_t)pose->jointCount * sizeof(tgMat34));
    tgPoseToSkinMatrices(&instance->rig->skeleton, pose->joints, instance->skinMatrices);
    tgFillPalettes(instance);
}

static void tgShapeStage(tgInstance* instance, const tgPose* pose)
{
    instance->shaped = pose->shapePositions.data != NULL;
    if (!instance->shaped) {
        return;
    }
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

static void tgSkinStage(tgInstance* instance, bool wantNormals, float* positions)
{
    const tgRig* rig = instance->rig;
    const tgSkin* skin = &rig->skin;
    const tgKernels* kernels = instance->kernels;
    tgSkinTask task = {
        .rest = instance->shaped ? instance->shape : skin->rest,
        .restNormals = wantNormals ? rig->normals.rest : NULL,
        .groupStart = skin->groupStart,
        .weights = skin->weights,
        .entries = skin->joints,
        .palette = instance->palette,
        .positions = positions,
        .normals = instance->normals,
    };
    // Elements from extraStart on only serve further normals of the same vertices.
    int end = wantNormals ? skin->elementCount : skin->extraStart;
    if (rig->skinning == tg_linear) {
        tgRunSkin(&instance->parallel, kernels->skinLinear, &task, 0, end);
    } else {
        if (instance->stretched) {
            tgRunSkin(&instance->parallel, kernels->skinLinear, &task, 0, end);
            task.rest = task.positions;
            task.restNormals = wantNormals ? task.normals : NULL;
        }
        task.entries = skin->pairs;
        task.palette = instance->pairPalette;
        tgRunSkin(&instance->parallel, kernels->skinDualQuaternion, &task, 0, end);
    }
    tgPlaceCapCenters(&rig->mesh, positions);
}

static void tgAdvanceStage(tgInstance* instance, const tgPose* pose, bool carried)
{
    tgFleshDrive drive = {.skinMatrices = instance->skinMatrices,
                          .joints = pose->joints,
                          .modelToWorld = pose->modelToWorld,
                          .time = pose->time,
                          .timeStep = pose->timeStep,
                          .carried = carried};
    tgAdvanceFlesh(&instance->flesh, &drive);
}

static void tgFleshStage(tgInstance* instance, float* positions)
{
    if (instance->flesh.moved) {
        tgMoveFlesh(&instance->flesh, &instance->parallel, instance->kernels, positions);
        tgPlaceCapCenters(&instance->rig->mesh, positions);
    }
}

static void tgFreeAll(tgInstance* instance)
{
    for (int v = 0; instance->freedom != NULL && v < instance->rig->skin.elementCount; ++v) {
        instance->freedom[v] = 1.0f;
    }
}

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

/// From the skin alone, before anything else moves it. The local method only asks which joints
/// bend, and that for contact's sake.
static void tgLossStage(tgInstance* instance)
{
    const tgRig* rig = instance->rig;
    tgLossTask* loss = &instance->correct.loss;
    bool isExact = rig->volume.method == tg_volumeExact;
    bool asks = isExact || tgRig_HasContact(rig) || rig->bones.count > 0;
    if (asks && tgFindBends(loss) && isExact) {
        loss->rest = instance->shaped ? instance->shape : rig->skin.rest;
        tgMeasureLosses(loss);
    }
}

/// Flesh drifts before bones and contact look at it, so that nothing moves what they placed. Away
/// from them each joint's flesh drifts when its turn comes in the volume stage.
static void tgDriftStage(tgInstance* instance)
{
    const tgRig* rig = instance->rig;
    if (tgPosesAnew(rig) || (rig->bones.count == 0 && !tgRig_HasContact(rig))) {
        return;
    }
    if (rig->volume.method == tg_volumeExact) {
        tgDriftFirst(&instance->correct);
    }
}

static void tgBonesStage(tgInstance* instance)
{
    const tgRig* rig = instance->rig;
    tgRunFaceSlots(&instance->parallel, instance->kernels, &rig->mesh, instance->positions,
                   instance->slots);
    tgRunBones(&instance->bones);
    tgPlaceCapCenters(&rig->mesh, instance->positions);
}

static void tgContactStage(tgInstance* instance)
{
    tgContactTask* contact = &instance->contact;
    contact->rest = instance->shaped ? instance->shape : instance->rig->skin.rest;
    tgMeet(contact);
    if (contact->triangleCount > 0) {
        tgKeepBase(contact);
    }
}

/// How often skin is looked at once the volume came back, the first time included.
static int tgGetRounds(const tgRig* rig)
{
    int rounds = tgRig_HasContact(rig) ? rig->volume.contact.rounds : 1;
    return rig->bones.count > 0 && rounds < tg_boneRounds ? tg_boneRounds : rounds;
}

/// Where the volume came back, skin may have met bone or skin once more.
static bool tgLookAgain(tgInstance* instance)
{
    tgContactTask* contact = &instance->contact;
    bool left = instance->rig->bones.count > 0 && tgLookAtBones(&instance->bones);
    if (left) {
        tgPlaceCapCenters(&instance->rig->mesh, instance->positions);
    }
    if (!tgRig_HasContact(instance->rig)) {
        return left;
    }
    bool met = tgMeetAgain(contact);
    return (contact->triangleCount > 0 && tgStepBack(contact)) || met || left;
}

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
            instance->jointLosses[instance->lossCount++] = (tgJointLoss){joint, 0.0};
        }
        instance->jointLosses[i].loss += instance->local.states[r].loss;
    }
}

static void tgLocalStage(tgInstance* instance)
{
    const tgRig* rig = instance->rig;
    const tgLossTask* loss = &instance->correct.loss;
    tgLocalTask* local = &instance->local;
    local->isRestPose = loss->targetSkins == NULL;
    local->rest = local->isRestPose ? rig->skin.rest : instance->targetPositions;
    local->kept = local->isRestPose ? rig->skeleton.rest : instance->targetJoints;
    local->motions = loss->motions;
    local->displaced = tgRig_HasContact(rig) ||
                       (rig->flesh.elementCount > 0 && instance->flesh.moved) ||
                       instance->bones.report.movedCount > 0;
    local->target = instance->correct.target;
    local->breath = instance->breath;
    tgCorrectLocally(local);
    tgReportRegions(instance);
    for (int round = 1; round < tgGetRounds(rig) && tgLookAgain(instance); ++round) {
        tgCorrectLocally(local);
    }
}

static void tgVolumeStage(tgInstance* instance, const tgPose* pose)
{
    const tgRig* rig = instance->rig;
    tgCorrectTask* correct = &instance->correct;
    instance->breath = correct->breath = tgGetBreath(rig, pose->time);
    if (rig->volume.method == tg_volumeLocal) {
        tgLocalStage(instance);
        return;
    }
    tgCorrectVolume(correct);
    if (rig->bones.count > 0 && tgPosesAnew(rig)) {
        tgBonesStage(instance);
        tgCorrectAgain(correct); // what the bones took
    }
    for (int round = 1; round < tgGetRounds(rig) && tgLookAgain(instance); ++round) {
        tgCorrectAgain(correct);
    }
    instance->lossCount = 0;
    for (int i = 0; i < rig->limbs.count; ++i) {
        if (correct->loss.bends[i]) {
            instance->jointLosses[instance->lossCount++] =
                (tgJointLoss){rig->limbs.limbs[i].joint, correct->loss.losses[i]};
        }
    }
}

static void tgNormalsStage(tgInstance* instance)
{
    const tgRig* rig = instance->rig;
    tgRunFaceSlots(&instance->parallel, instance->kernels, &rig->mesh, instance->positions,
                   instance->slots);
    tgRunNormals(&instance->parallel, instance->kernels, &rig->normals, instance->slots,
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
    const tgCopyLoop* loop = context;
    for (int r = begin; r < end; ++r) {
        const float* f = loop->from + 4 * (size_t)loop->index[r];
        if (loop->fallback != NULL && f[0] == 0.0f && f[1] == 0.0f && f[2] == 0.0f) {
            f = loop->fallback + 4 * (size_t)loop->index[r];
        }
        tgVec3Span_Set(loop->to, r, tgMakeVec3(f[0], f[1], f[2]));
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
    tgSkinStage(instance, false, skin);
    tgCopyLoop before = {skin, mesh->renderToVertex, NULL, displacements};
    tgCopyBlock(0, 0, mesh->renderCount, &before);
    tgFleshStage(instance, skin);
    for (int r = 0; r < mesh->renderCount; ++r) {
        const float* p = skin + 4 * (size_t)mesh->renderToVertex[r];
        tgVec3View old = {displacements.data, displacements.count, displacements.stride};
        tgVec3Span_Set(displacements, r,
                       tgSub(tgMakeVec3(p[0], p[1], p[2]), tgVec3View_Get(old, r)));
    }
    return true;
}
