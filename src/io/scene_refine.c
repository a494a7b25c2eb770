// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A scene with more vertices where its volume settings make bulges and folds: where the animation
// has gamma above the threshold, once for all its frames.

#include "io/scene_refine.h"

#include "core/core.h"
#include "io/scene_select.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    tg_sceneRefineCookie = 0x73726566,
    tg_mostTrials = 64, ///< poses of the animation that are looked at
    tg_trialRate = 30,  ///< in a second, where that is less
};

tgSceneRefineDef tgDefaultSceneRefineDef(void)
{
    return (tgSceneRefineDef){
        .threshold = 0.3f, .levels = 1, .animation = -1, .cookie = tg_sceneRefineCookie};
}

/// Poses over the whole animation, evenly; none for the bind pose.
typedef struct tgTrialPoses {
    int count;
    tgPose poses[tg_mostTrials];
    tgMat34* joints; ///< of all of them
} tgTrialPoses;

static tgResult tgSampleTrials(const tgScene* scene, int animation, tgTrialPoses* trials,
                               tgError* error)
{
    *trials = (tgTrialPoses){0};
    if (animation < 0) {
        return tg_success;
    }
    const tgAnimation* played = &scene->animations[animation];
    double length = played->end - played->start;
    double wanted = fmin(ceil(length * tg_trialRate) + 1.0, tg_mostTrials);
    size_t jointCount = (size_t)scene->jointCount;
    trials->count = wanted >= 1.0 ? (int)wanted : 1;
    trials->joints = calloc((size_t)trials->count * jointCount, sizeof(tgMat34));
    tgMat34* nodes = calloc((size_t)scene->nodeCount + 1, sizeof(tgMat34));
    if (trials->joints == NULL || nodes == NULL) {
        free(nodes);
        return tgFail(error, tg_outOfMemory, -1, "no memory for %d poses", trials->count);
    }
    for (int i = 0; i < trials->count; ++i) {
        double part = trials->count > 1 ? (double)i / (trials->count - 1) : 0.0;
        tgMat34* joints = trials->joints + (size_t)i * jointCount;
        tgScene_SamplePose(scene, animation, played->start + part * length, nodes, joints, NULL);
        trials->poses[i] = (tgPose){.joints = joints, .jointCount = scene->jointCount};
    }
    free(nodes);
    return tg_success;
}

static tgResult tgRefineOnce(tgScene* scene, const tgSceneRefineDef* def,
                             const tgTrialPoses* trials, tgError* error)
{
    tgRigDef rigDef = tgScene_GetRigDef(scene);
    rigDef.skinning = def->skinning;
    rigDef.volume = def->volume != NULL ? *def->volume : rigDef.volume;
    float* gamma = calloc((size_t)scene->vertexCount, sizeof(float));
    int* welded = calloc((size_t)scene->vertexCount, sizeof(int));
    if (gamma == NULL || welded == NULL) {
        free(gamma);
        free(welded);
        return tgFail(error, tg_outOfMemory, -1, "no memory for %d vertices", scene->vertexCount);
    }
    tgResult result =
        tgSampleLargestGamma(&rigDef, trials->poses, trials->count, gamma, welded, error);
    if (result == tg_success) {
        tgRefineDef refineDef = tgDefaultRefineDef();
        refineDef.positions = rigDef.restPositions;
        refineDef.weldedVertices = welded;
        refineDef.faceVertices = scene->faceVertices;
        refineDef.faceSizes = scene->faceSizes;
        refineDef.faceCount = scene->faceCount;
        refineDef.values = gamma;
        refineDef.threshold = def->threshold;
        refineDef.smooth = def->smooth;
        tgError reason = {0};
        tgRefinement* refinement = tgCreateRefinement(&refineDef, &reason);
        if (refinement == NULL) {
            result = tgFail(error, reason.code, reason.index, "%s", reason.message);
        } else if (refinement->splitFaceCount > 0) {
            result = tgScene_Apply(scene, refinement, error);
        }
        tgDestroyRefinement(refinement);
    }
    free(gamma);
    free(welded);
    return result;
}

/// Paints of the volume settings travel with the scene as attributes without a name, the last ones.
static tgResult tgLendPaints(tgScene* scene, const tgVolumeDef* volume, tgError* error)
{
    int count = volume->jointPaintCount;
    for (int i = -1; i < count; ++i) {
        const float* paint = i < 0 ? volume->paint : volume->jointPaints[i].paint;
        int added = paint != NULL ? tgScene_AddAttribute(scene, "", 1) : 0;
        if (added < 0) {
            return tgFail(error, tg_outOfMemory, -1, "no memory for the paint");
        }
        if (paint != NULL) {
            memcpy(scene->attributes[added].values, paint,
                   (size_t)scene->vertexCount * sizeof(float));
        }
    }
    return tg_success;
}

/// The same as they are by now.
static void tgTakePaints(const tgScene* scene, int next, tgVolumeDef* volume, tgJointPaint* entries)
{
    if (volume->paint != NULL) {
        volume->paint = scene->attributes[next++].values;
    }
    for (int i = 0; i < volume->jointPaintCount; ++i) {
        entries[i] = (tgJointPaint){volume->jointPaints[i].joint, scene->attributes[next++].values};
    }
    volume->jointPaints = entries;
}

static tgResult tgCheckSceneRefine(const tgScene* scene, const tgSceneRefineDef* def,
                                   tgError* error)
{
    if (scene == NULL || def == NULL || def->cookie != tg_sceneRefineCookie) {
        return tgFail(error, tg_invalidArgument, -1,
                      scene == NULL ? "there is no scene"
                                    : "start the def from tgDefaultSceneRefineDef()");
    }
    if (!(def->threshold >= 0.0f && def->threshold <= 1.0f)) {
        return tgFail(error, tg_invalidArgument, -1, "the threshold is %g, wanted 0 to 1",
                      (double)def->threshold);
    }
    if (def->levels < 0 || def->levels > tg_mostRefineLevels) {
        return tgFail(error, tg_invalidArgument, -1, "%d levels, wanted 0 to %d", def->levels,
                      tg_mostRefineLevels);
    }
    if (def->animation < -1 || def->animation >= scene->animationCount) {
        return tgFail(error, tg_invalidArgument, -1, "animation %d, the scene has %d",
                      def->animation, scene->animationCount);
    }
    return tg_success;
}

tgResult tgScene_Refine(tgScene* scene, const tgSceneRefineDef* def, tgError* error)
{
    tgResult result = tgCheckSceneRefine(scene, def, error);
    if (result != tg_success || def->levels == 0) {
        return result;
    }
    tgTrialPoses trials;
    tgSceneRefineDef own = *def;
    tgVolumeDef volume = def->volume != NULL ? *def->volume : tgScene_GetRigDef(scene).volume;
    tgJointPaint* entries = calloc((size_t)volume.jointPaintCount + 1, sizeof(tgJointPaint));
    int attributeCount = scene->attributeCount;
    own.volume = &volume;
    result = tgSampleTrials(scene, def->animation, &trials, error);
    if (result == tg_success) {
        result = entries != NULL ? tgLendPaints(scene, &volume, error)
                                 : tgFail(error, tg_outOfMemory, -1, "no memory for the paint");
    }
    for (int level = 0; level < def->levels && result == tg_success; ++level) {
        tgTakePaints(scene, attributeCount, &volume, entries);
        result = tgRefineOnce(scene, &own, &trials, error);
    }
    scene->attributeCount = attributeCount;
    free(entries);
    free(trials.joints);
    return result;
}

void tgScene_AveragePart(const tgScene* scene, int part, int width, float* values)
{
    const tgScenePart* whole = &scene->parts[part];
    int fileCount = tgScene_GetFilePart(scene, part).vertexCount;
    for (int i = fileCount; i < whole->vertexCount; ++i) {
        const tgVertexMean* mean = &scene->refined->means[whole->firstVertex + i];
        for (int k = 0; k < width; ++k) {
            double sum = 0.0;
            for (int n = 0; n < 4; ++n) {
                size_t from = (size_t)(mean->vertices[n] - whole->firstVertex) * (size_t)width;
                sum += (double)mean->weights[n] * (double)values[from + (size_t)k];
            }
            values[(size_t)i * (size_t)width + (size_t)k] = (float)sum;
        }
    }
}

void tgScene_FollowValues(const tgScene* scene, const float* fileValues, float* values)
{
    int fileVertex = 0;
    for (int v = 0; v < scene->vertexCount; ++v) {
        const tgVertexMean* mean = &scene->refined->means[v];
        double sum = 0.0;
        if (mean->vertices[0] == v) { // the file's own keep their order
            values[v] = fileValues[fileVertex++];
            continue;
        }
        for (int n = 0; n < 4; ++n) {
            sum += (double)mean->weights[n] * (double)values[mean->vertices[n]];
        }
        values[v] = fminf(fmaxf((float)sum, 0.0f), 1.0f); // rounding
    }
}

void tgScene_FollowVertices(const tgScene* scene, const bool* isFile, bool* isIn)
{
    int fileVertex = 0;
    for (int v = 0; v < scene->vertexCount; ++v) {
        const tgVertexMean* mean = &scene->refined->means[v];
        if (mean->vertices[0] == v) { // the file's own keep their order
            isIn[v] = isFile[fileVertex++];
            continue;
        }
        isIn[v] = true;
        for (int n = 0; n < 4; ++n) {
            isIn[v] &= mean->weights[n] == 0.0f || isIn[mean->vertices[n]];
        }
    }
}
