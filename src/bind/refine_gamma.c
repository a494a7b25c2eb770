// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Where bulges occur: gamma_max = max over joints of gamma (2009 s.4.3), over the poses of an
// animation or at rest. The region changes little from frame to frame, so one mesh serves them all.

#include "core/core.h"
#include "turgor/refine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// A character on trial.
typedef struct tgTrial {
    tgRig* rig;
    tgInstance* instance;
    tgMat34* restJoints;
    float* gamma; ///< of one pose
} tgTrial;

static void tgCloseTrial(tgTrial* trial)
{
    tgDestroyInstance(trial->instance);
    tgDestroyRig(trial->rig);
    free(trial->restJoints);
    free(trial->gamma);
}

static tgResult tgOpenTrial(const tgRigDef* def, tgTrial* trial, tgError* error)
{
    tgRigDef exact = *def;
    exact.volume.method = tg_volumeExact;
    exact.flesh = tgDefaultRigDef().flesh; // springs would need the frames before
    tgInstanceDef instanceDef = tgDefaultInstanceDef();
    trial->rig = tgCreateRig(&exact, error);
    if (trial->rig == NULL) {
        return tg_invalidMesh;
    }
    trial->instance = tgCreateInstance(trial->rig, &instanceDef, error);
    trial->restJoints = calloc((size_t)def->jointCount, sizeof(tgMat34));
    trial->gamma = calloc((size_t)def->restPositions.count, sizeof(float));
    if (trial->instance == NULL || trial->restJoints == NULL || trial->gamma == NULL) {
        return tgFail(error, tg_outOfMemory, -1, "no memory to try %d vertices",
                      def->restPositions.count);
    }
    for (int j = 0; j < def->jointCount; ++j) {
        const char* joint = (const char*)def->restJoints + (size_t)j * (size_t)def->restJointStride;
        memcpy(&trial->restJoints[j], joint, sizeof(tgMat34));
    }
    return tg_success;
}

/// Raise `most` to the gamma of the pose that stands.
/// @param joint -1: of all that bend
static tgResult tgRaise(tgTrial* trial, int joint, float* most, tgError* error)
{
    tgResult result = tgInstance_SampleGamma(trial->instance, joint, trial->gamma, error);
    int count = tgRig_GetVertexCount(trial->rig);
    for (int v = 0; v < count && result == tg_success; ++v) {
        most[v] = fmaxf(most[v], trial->gamma[v]);
    }
    return result;
}

static tgResult tgTryPoses(tgTrial* trial, const tgPose* poses, int poseCount, float* most,
                           tgError* error)
{
    tgResult result = tg_success;
    for (int i = 0; i < poseCount && result == tg_success; ++i) {
        const tgPose pose = {.joints = poses[i].joints, .jointCount = poses[i].jointCount};
        result = tgInstance_Deform(trial->instance, &pose, (tgVec3Span){0}, (tgVec3Span){0}, error);
        result = result == tg_success ? tgRaise(trial, -1, most, error) : result;
    }
    return result;
}

static tgResult tgTryRest(tgTrial* trial, int jointCount, float* most, tgError* error)
{
    const tgPose pose = {.joints = trial->restJoints, .jointCount = jointCount};
    tgResult result =
        tgInstance_Deform(trial->instance, &pose, (tgVec3Span){0}, (tgVec3Span){0}, error);
    for (int j = 0; j < jointCount && result == tg_success; ++j) {
        result = tgRaise(trial, j, most, error);
    }
    return result;
}

tgResult tgSampleLargestGamma(const tgRigDef* def, const tgPose* poses, int poseCount, float* gamma,
                              int* weldedVertices, tgError* error)
{
    if (def == NULL || gamma == NULL || poseCount < 0 || (poseCount > 0 && poses == NULL)) {
        return tgFail(error, tg_invalidArgument, -1, "wanted a rig definition, poses and room");
    }
    tgTrial trial = {0};
    tgResult result = tgOpenTrial(def, &trial, error);
    if (result == tg_success) {
        size_t count = (size_t)def->restPositions.count;
        memset(gamma, 0, count * sizeof(float));
        result = poseCount > 0 ? tgTryPoses(&trial, poses, poseCount, gamma, error)
                               : tgTryRest(&trial, def->jointCount, gamma, error);
        if (weldedVertices != NULL) {
            memcpy(weldedVertices, tgRig_GetWeldedVertices(trial.rig), count * sizeof(int));
        }
    }
    tgCloseTrial(&trial);
    return result;
}
