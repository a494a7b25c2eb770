// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What turgor.js calls. Numbers and pointers only: text and arrays lie in the module's memory,
// where the page puts them by turgorTake and finds them by what a function returns. A function that
// fails returns 0 or NULL, and the error is told by turgorErrorText and its fellows.

#include "core/core.h"
#include "files.h"
#include "hero.h"
#include "io/gltf_write.h"
#include "job.h"
#include "tell.h"
#include "turgor/models.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define TG_EXPORT(name) __attribute__((export_name(#name)))

static tgError tg_error;
static double tg_numbers[8]; ///< what a function returns besides

// ---- memory, errors, files ----------------------------------------------------------------------

TG_EXPORT(turgorTake) void* tgModuleTake(size_t size)
{
    return malloc(size > 0 ? size : 1);
}

TG_EXPORT(turgorFree) void tgModuleFree(void* memory)
{
    free(memory);
}

TG_EXPORT(turgorErrorText) const char* tgModuleErrorText(void)
{
    return tg_error.message;
}

TG_EXPORT(turgorErrorName) const char* tgModuleErrorName(void)
{
    return tgResult_GetName(tg_error.code);
}

TG_EXPORT(turgorErrorIndex) int tgModuleErrorIndex(void)
{
    return tg_error.index;
}

TG_EXPORT(turgorNumbers) const double* tgModuleNumbers(void)
{
    return tg_numbers;
}

TG_EXPORT(turgorVersion) int tgModuleVersion(void)
{
    return TURGOR_VERSION_MAJOR * 10000 + TURGOR_VERSION_MINOR * 100 + TURGOR_VERSION_PATCH;
}

TG_EXPORT(turgorGiveFile)
int tgModuleGiveFile(const char* name, const void* data, size_t size)
{
    bool isGiven = tgGiveFile(name, data, size);
    if (!isGiven) {
        tgFail(&tg_error, tg_outOfMemory, -1, "out of memory for a file of %zu bytes", size);
    }
    return isGiven;
}

TG_EXPORT(turgorForgetFiles) void tgModuleForgetFiles(void)
{
    tgForgetFiles();
}

/// Text that is NULL only for want of memory.
static char* tgMustTell(char* text)
{
    if (text == NULL) {
        tgFail(&tg_error, tg_outOfMemory, -1, "out of memory");
    }
    return text;
}

// ---- scenes -------------------------------------------------------------------------------------

TG_EXPORT(turgorLoadScene) tgScene* tgModuleLoadScene(const void* data, size_t size)
{
    return tgLoadGltfMemory(data, size, ".", &tg_error);
}

/// An embedded character as a .glb, the same as `turgor model NAME -o NAME.glb` writes.
TG_EXPORT(turgorMakeModel) uint8_t* tgModuleMakeModel(const char* name, int vertexCount)
{
    tgBytes file = {NULL, 0};
    tgScene* scene = tgCreateModel(name, vertexCount, &tg_error);
    bool isMade = scene != NULL && tgSaveSceneToMemory(scene, &file, &tg_error) == tg_success;
    tgDestroyScene(scene);
    tg_numbers[0] = (double)file.size;
    return isMade ? file.data : NULL;
}

/// Arrays of a character that came from no file.
typedef struct tgOwnCharacter {
    int vertexCount, triangleCount, jointCount, influencesPerVertex;
    const float* positions;
    const float* normals; ///< or NULL
    const int* triangles;
    const int* parents;
    const float* restJoints; ///< 12 for each: three axes and the origin
    const int* influenceJoints;
    const float* influenceWeights;
    const char* names; ///< one after the other, each with a closing zero
} tgOwnCharacter;

static void* tgCopyArray(tgScene* scene, const void* from, size_t count, size_t size)
{
    void* to = tgScene_Alloc(scene, count > 0 ? count : 1, size);
    if (to != NULL && count > 0) {
        memcpy(to, from, count * size);
    }
    return to;
}

static tgResult tgCheckOwn(const tgOwnCharacter* own)
{
    for (int i = 0; i < 3 * own->triangleCount; ++i) {
        if (own->triangles[i] < 0 || own->triangles[i] >= own->vertexCount) {
            return tgFail(&tg_error, tg_invalidMesh, i / 3,
                          "triangle %d uses vertex %d, the mesh has %d", i / 3, own->triangles[i],
                          own->vertexCount);
        }
    }
    for (int j = 0; j < own->jointCount; ++j) {
        if (own->parents[j] < -1 || own->parents[j] >= j) {
            return tgFail(&tg_error, tg_invalidArgument, j,
                          "joint %d has parent %d, wanted one before it, or -1", j,
                          own->parents[j]);
        }
    }
    return tg_success;
}

/// Joints, and a node for each.
static bool tgFillJoints(tgScene* scene, const tgOwnCharacter* own)
{
    scene->jointCount = scene->nodeCount = own->jointCount;
    scene->joints = tgScene_Alloc(scene, (size_t)own->jointCount + 1, sizeof(tgSceneJoint));
    scene->nodes = tgScene_Alloc(scene, (size_t)own->jointCount + 1, sizeof(tgSceneNode));
    const char* name = own->names;
    for (int j = 0; j < own->jointCount && scene->joints != NULL && scene->nodes != NULL; ++j) {
        tgSceneJoint* joint = &scene->joints[j];
        tgSceneNode* node = &scene->nodes[j];
        joint->name = node->name = tgScene_CopyText(scene, name);
        joint->parent = node->parent = own->parents[j];
        joint->node = j;
        memcpy(&joint->restJoint, own->restJoints + 12 * (size_t)j, sizeof(tgMat34));
        tgMat34 inverse;
        node->hasMatrix = true;
        node->matrix = joint->restJoint;
        if (joint->parent >= 0 &&
            tgInvertMat34(&scene->joints[joint->parent].restJoint, &inverse)) {
            node->matrix = tgMulMat34(&inverse, &joint->restJoint);
        }
        name += strlen(name) + 1;
    }
    return scene->joints != NULL && scene->nodes != NULL;
}

TG_EXPORT(turgorMakeScene) tgScene* tgModuleMakeScene(const tgOwnCharacter* own)
{
    if (tgCheckOwn(own) != tg_success) {
        return NULL;
    }
    tgScene* scene = tgCreateScene();
    if (scene == NULL) {
        tgFail(&tg_error, tg_outOfMemory, -1, "out of memory");
        return NULL;
    }
    size_t vertices = (size_t)own->vertexCount, faces = (size_t)own->triangleCount;
    size_t influences = vertices * (size_t)own->influencesPerVertex;
    scene->vertexCount = own->vertexCount;
    scene->positions = tgCopyArray(scene, own->positions, vertices, sizeof(tgVec3));
    scene->normals =
        own->normals != NULL ? tgCopyArray(scene, own->normals, vertices, sizeof(tgVec3)) : NULL;
    scene->faceCount = own->triangleCount;
    scene->faceVertices = tgCopyArray(scene, own->triangles, 3 * faces, sizeof(int));
    scene->faceSizes = tgScene_Alloc(scene, faces + 1, sizeof(int));
    for (size_t f = 0; f < faces && scene->faceSizes != NULL; ++f) {
        scene->faceSizes[f] = 3;
    }
    scene->influencesPerVertex = own->influencesPerVertex;
    scene->influenceJoints = tgCopyArray(scene, own->influenceJoints, influences, sizeof(int));
    scene->influenceWeights = tgCopyArray(scene, own->influenceWeights, influences, sizeof(float));
    scene->partCount = 1;
    scene->parts = tgScene_Alloc(scene, 1, sizeof(tgScenePart));
    if (!tgFillJoints(scene, own) || scene->parts == NULL || scene->hasRunOut) {
        tgDestroyScene(scene);
        tgFail(&tg_error, tg_outOfMemory, -1, "out of memory");
        return NULL;
    }
    scene->parts[0] = (tgScenePart){.name = "mesh",
                                    .material = -1,
                                    .vertexCount = own->vertexCount,
                                    .faceCount = own->triangleCount};
    return scene;
}

// ---- heroes -------------------------------------------------------------------------------------

TG_EXPORT(turgorCreateHero)
tgHero* tgModuleCreateHero(tgScene* scene, const char* settings, size_t size)
{
    return tgCreateHero(scene, settings, size, &tg_error);
}

TG_EXPORT(turgorDestroyHero) void tgModuleDestroyHero(tgHero* hero)
{
    tgDestroyHero(hero);
}

TG_EXPORT(turgorApply)
int tgModuleApply(tgHero* hero, const char* text, size_t size, int changed, int isTrial)
{
    return (int)tgHero_Apply(hero, text, size, changed, isTrial != 0, &tg_error);
}

/// What there is of a hero, by number.
TG_EXPORT(turgorArray) const void* tgModuleArray(tgHero* hero, int which)
{
    const tgScene* scene = hero->scene;
    const void* const arrays[] = {scene->positions,   scene->faceVertices, scene->uvs,
                                  hero->positions,    hero->normals,       hero->plainPositions,
                                  hero->plainNormals, hero->values,        hero->marks,
                                  hero->joints,       hero->shape,         hero->losses,
                                  hero->rotations,    hero->nodes,         scene->normals};
    return arrays[which];
}

TG_EXPORT(turgorTellHero) char* tgModuleTellHero(const tgHero* hero)
{
    return tgMustTell(tgTellHero(hero));
}

TG_EXPORT(turgorTellJoints) char* tgModuleTellJoints(const tgHero* hero)
{
    return tgMustTell(tgTellJoints(hero));
}

TG_EXPORT(turgorTellSettings) char* tgModuleTellSettings(const tgHero* hero)
{
    return tgMustTell(tgTellSettings(hero->settings));
}

TG_EXPORT(turgorTellProfiles) char* tgModuleTellProfiles(const tgHero* hero, int joint)
{
    return tgMustTell(tgTellProfiles(hero, joint));
}

TG_EXPORT(turgorTellFlesh) char* tgModuleTellFlesh(const tgHero* hero)
{
    return tgMustTell(tgTellFlesh(hero));
}

TG_EXPORT(turgorTellFleshMotion) char* tgModuleTellFleshMotion(const tgHero* hero)
{
    return tgMustTell(tgTellFleshMotion(hero));
}

TG_EXPORT(turgorTellLosses) char* tgModuleTellLosses(const tgHero* hero)
{
    return tgMustTell(tgTellLosses(hero));
}

TG_EXPORT(turgorTellAxes) char* tgModuleTellAxes(const tgHero* hero, int joint)
{
    return tgMustTell(tgTellAxes(hero, joint));
}

TG_EXPORT(turgorTellPreset) char* tgModuleTellPreset(const tgHero* hero, const char* preset)
{
    return tgTellPreset(hero, preset, &tg_error);
}

TG_EXPORT(turgorTellDefaultProfile) char* tgModuleTellDefaultProfile(const char* kind)
{
    return tgTellDefaultProfile(kind);
}

TG_EXPORT(turgorTellPresetNames) char* tgModuleTellPresetNames(void)
{
    return tgMustTell(tgTellPresetNames());
}

TG_EXPORT(turgorTellModels) char* tgModuleTellModels(void)
{
    return tgMustTell(tgTellModels());
}

/// Which joints a preset suits, as marks of 0 and 1 that the caller frees.
TG_EXPORT(turgorSuits) uint8_t* tgModuleSuits(const tgHero* hero, const char* preset)
{
    bool* suits = calloc((size_t)hero->scene->jointCount + 1, sizeof(bool));
    tgProfile profile;
    if (!tgMakePreset(preset, &profile)) {
        tgFail(&tg_error, tg_invalidArgument, -1, "there is no preset %.40s", preset);
        free(suits);
        return NULL;
    }
    if (suits == NULL || !tgFindPresetJoints(preset, hero->scene, suits)) {
        tgFail(&tg_error, tg_outOfMemory, -1, "out of memory");
        free(suits);
        return NULL;
    }
    return (uint8_t*)suits;
}

// ---- pose and frame -----------------------------------------------------------------------------

TG_EXPORT(turgorPose) void tgModulePose(tgHero* hero, int animation, double time)
{
    tgHero_Pose(hero, animation, time);
}

TG_EXPORT(turgorPoseBind) void tgModulePoseBind(tgHero* hero)
{
    tgHero_PoseBind(hero);
}

TG_EXPORT(turgorPoseOwn) void tgModulePoseOwn(tgHero* hero, double time, int isShaped)
{
    tgHero_PoseOwn(hero, time, isShaped != 0);
}

TG_EXPORT(turgorWait) void tgModuleWait(tgHero* hero, double seconds)
{
    tgHero_Wait(hero, seconds);
}

/// The node above a joint's, to model; into 12 floats. The identity where there is none.
TG_EXPORT(turgorGetParentMatrix)
void tgModuleGetParentMatrix(const tgHero* hero, int joint, float* out)
{
    int node = hero->scene->joints[joint].node, above = hero->scene->nodes[node].parent;
    tgMat34 matrix = above >= 0 ? hero->nodes[above] : tgIdentityMat34();
    memcpy(out, &matrix, sizeof(matrix));
}

TG_EXPORT(turgorReset) void tgModuleReset(tgHero* hero)
{
    tgInstance_Reset(hero->instance);
}

TG_EXPORT(turgorDeform) int tgModuleDeform(tgHero* hero)
{
    return tgHero_Deform(hero, &tg_error);
}

TG_EXPORT(turgorDeformPlain) int tgModuleDeformPlain(tgHero* hero, int skinning)
{
    return tgHero_DeformPlain(hero, (tgSkinning)skinning, &tg_error);
}

/// Into the numbers: rest, plain, target, corrected, residual.
TG_EXPORT(turgorMeasure) int tgModuleMeasure(tgHero* hero)
{
    return tgHero_Measure(hero, tg_numbers, &tg_error);
}

TG_EXPORT(turgorHash) uint64_t tgModuleHash(const tgHero* hero)
{
    return tgInstance_GetStateHash(hero->instance);
}

// ---- values of the vertices ---------------------------------------------------------------------

TG_EXPORT(turgorGamma) int tgModuleGamma(tgHero* hero, int joint)
{
    tgResult result = tgInstance_SampleGamma(hero->instance, joint, hero->values, &tg_error);
    if (result == tg_unsupported) { // another method: nobody takes part
        memset(hero->values, 0, (size_t)hero->scene->vertexCount * sizeof(float));
    }
    return result == tg_success || result == tg_unsupported;
}

TG_EXPORT(turgorWeights) void tgModuleWeights(tgHero* hero, int joint)
{
    const tgScene* scene = hero->scene;
    for (int v = 0; v < scene->vertexCount; ++v) {
        size_t first = (size_t)v * (size_t)scene->influencesPerVertex;
        hero->values[v] = 0.0f;
        for (int k = 0; k < scene->influencesPerVertex; ++k) {
            bool isOwn = scene->influenceJoints[first + (size_t)k] == joint;
            hero->values[v] += isOwn ? scene->influenceWeights[first + (size_t)k] : 0.0f;
        }
    }
}

TG_EXPORT(turgorDisplacement) int tgModuleDisplacement(tgHero* hero)
{
    if (!tgHero_DeformPlain(hero, hero->settings->skinning, &tg_error)) {
        return 0;
    }
    for (int v = 0; v < hero->scene->vertexCount; ++v) {
        hero->values[v] = tgDistance(hero->positions[v], hero->plainPositions[v]);
    }
    return 1;
}

TG_EXPORT(turgorTurnedFaces) int tgModuleTurnedFaces(tgHero* hero)
{
    tgFlipCounter_SetPose(&hero->flips, hero->joints);
    return tgFlipCounter_Mark(&hero->flips, hero->positions, hero->marks);
}

TG_EXPORT(turgorGetBoneCount) int tgModuleGetBoneCount(const tgHero* hero)
{
    return tgRig_GetBoneCount(tgInstance_GetRig(hero->instance));
}

/// Into the numbers: joint, positions, their count, triangles, their count.
TG_EXPORT(turgorGetBone) void tgModuleGetBone(const tgHero* hero, int bone)
{
    const tgRig* rig = tgInstance_GetRig(hero->instance);
    tgBoneMesh mesh = tgRig_GetBoneMesh(rig, bone);
    tg_numbers[0] = tgRig_GetBoneInfo(rig, bone).joint;
    tg_numbers[1] = (double)(uintptr_t)mesh.positions;
    tg_numbers[2] = mesh.vertexCount;
    tg_numbers[3] = (double)(uintptr_t)mesh.triangles;
    tg_numbers[4] = mesh.triangleCount;
}

// ---- over a clip --------------------------------------------------------------------------------

TG_EXPORT(turgorCountFrames) int tgModuleCountFrames(const tgHero* hero, int animation, double fps)
{
    return tgScene_GetFrameCount(hero->scene, animation, fps);
}

TG_EXPORT(turgorOpenGauge) int tgModuleOpenGauge(tgHero* hero)
{
    return tgHero_OpenGauge(hero, &tg_error);
}

/// Into the numbers: plain, corrected, target, time.
TG_EXPORT(turgorGauge) int tgModuleGauge(tgHero* hero, int animation, double fps, int frame)
{
    tg_numbers[3] = tgScene_GetFrameTime(hero->scene, animation, fps, frame);
    return tgHero_Gauge(hero, animation, tg_numbers[3], tg_numbers, &tg_error);
}

// ---- files --------------------------------------------------------------------------------------

TG_EXPORT(turgorOpenBake)
tgJob* tgModuleOpenBake(tgScene* scene, const char* settings, size_t size, int animation,
                        double fps, int firstFrame, int lastFrame, int loop)
{
    tgJobDef def = {.animation = animation,
                    .fps = fps,
                    .firstFrame = firstFrame,
                    .lastFrame = lastFrame,
                    .loop = loop != 0};
    return tgOpenJob(scene, settings, size, &def, &tg_error);
}

TG_EXPORT(turgorOpenCorrectives)
tgJob* tgModuleOpenCorrectives(tgScene* scene, const char* settings, size_t size, int animation,
                               double fps, int loop, double maxError, int targetCount,
                               int hasNormals)
{
    tgJobDef def = {.animation = animation,
                    .fps = fps,
                    .lastFrame = INT_MAX,
                    .loop = loop != 0,
                    .isCorrectives = true,
                    .fit = {.maxError = (float)maxError, .targetCount = targetCount},
                    .noNormals = hasNormals == 0};
    if (!(maxError >= 1e-6 && maxError <= 0.1) || targetCount < 0) {
        tgFail(&tg_error, tg_invalidArgument, -1,
               "maxError is %g and targets %d, wanted 1e-6 to 0.1 and 0 or more", maxError,
               targetCount);
        tgDestroyScene(scene);
        return NULL;
    }
    return tgOpenJob(scene, settings, size, &def, &tg_error);
}

TG_EXPORT(turgorStepJob) int tgModuleStepJob(tgJob* job)
{
    return (int)tgJob_Step(job, &tg_error);
}

TG_EXPORT(turgorGetJobProgress) double tgModuleGetJobProgress(const tgJob* job)
{
    return tgJob_GetProgress(job);
}

/// Their number is in the numbers.
TG_EXPORT(turgorGetJobBytes) const uint8_t* tgModuleGetJobBytes(const tgJob* job)
{
    const tgBytes* bytes = tgJob_GetBytes(job);
    tg_numbers[0] = (double)bytes->size;
    return bytes->data;
}

TG_EXPORT(turgorCloseJob) void tgModuleCloseJob(tgJob* job)
{
    tgCloseJob(job);
}
