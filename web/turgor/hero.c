// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A character in a browser.

#include "hero.h"

#include "core/core.h"
#include "io/scene_rig.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void* tgTake(int count, size_t size)
{
    return calloc(count > 0 ? (size_t)count : 1, size);
}

static void tgDestroyPlain(tgPlain* plain)
{
    tgDestroyInstance(plain->instance);
    tgDestroyRig(plain->rig);
    *plain = (tgPlain){NULL, NULL};
}

void tgDestroyHero(tgHero* hero)
{
    if (hero == NULL) {
        return;
    }
    for (int i = 0; i < 3; ++i) {
        tgDestroyPlain(&hero->plains[i]);
    }
    tgDestroyInstance(hero->gauge);
    tgDestroyInstance(hero->instance);
    tgDestroyRig(hero->rig);
    tgDestroySettings(hero->settings);
    if (hero->flips.scene != NULL) {
        tgCloseFlipCounter(&hero->flips);
    }
    tgDestroyScene(hero->scene);
    free(hero->nodes);
    free(hero->joints);
    free(hero->rotations);
    free(hero->morphWeights);
    free(hero->shape);
    free(hero->positions);
    free(hero->normals);
    free(hero->plainPositions);
    free(hero->plainNormals);
    free(hero->values);
    free(hero->marks);
    free(hero->losses);
    free(hero);
}

/// A live rig by the hero's settings, and an instance of it.
static bool tgMakeRig(const tgScene* scene, const tgSettings* settings, tgRig** rig,
                      tgInstance** instance, tgError* error)
{
    tgRigDef def = tgScene_GetRigDef(scene);
    def.skinning = settings->skinning;
    def.volume = settings->volume;
    def.flesh = settings->flesh;
    def.bones = settings->bones;
    def.wrinkles = settings->wrinkles;
    def.live = true;
    *rig = tgCreateRig(&def, error);
    *instance = *rig != NULL ? tgCreateInstance(*rig, NULL, error) : NULL;
    if (*instance == NULL) {
        tgDestroyRig(*rig);
        *rig = NULL;
    }
    return *instance != NULL;
}

static bool tgTakeRoom(tgHero* hero)
{
    const tgScene* scene = hero->scene;
    int vertices = scene->vertexCount, joints = scene->jointCount;
    hero->nodes = tgTake(scene->nodeCount, sizeof(tgMat34));
    hero->joints = tgTake(joints, sizeof(tgMat34));
    hero->rotations = tgTake(joints, sizeof(tgQuat));
    hero->morphWeights = tgTake(scene->morphCount, sizeof(float));
    hero->shape = tgTake(vertices, sizeof(tgVec3));
    hero->positions = tgTake(vertices, sizeof(tgVec3));
    hero->normals = tgTake(vertices, sizeof(tgVec3));
    hero->plainPositions = tgTake(vertices, sizeof(tgVec3));
    hero->plainNormals = tgTake(vertices, sizeof(tgVec3));
    hero->values = tgTake(vertices, sizeof(float));
    hero->marks = tgTake(scene->faceCount, 1);
    hero->losses = tgTake(joints, sizeof(double));
    return hero->nodes != NULL && hero->joints != NULL && hero->rotations != NULL &&
           hero->morphWeights != NULL && hero->shape != NULL && hero->positions != NULL &&
           hero->normals != NULL && hero->plainPositions != NULL && hero->plainNormals != NULL &&
           hero->values != NULL && hero->marks != NULL && hero->losses != NULL;
}

tgHero* tgCreateHero(tgScene* scene, const char* settings, size_t size, tgError* error)
{
    tgHero* hero = calloc(1, sizeof(*hero));
    if (hero == NULL) {
        tgDestroyScene(scene);
        tgFail(error, tg_outOfMemory, -1, "out of memory");
        return NULL;
    }
    hero->scene = scene;
    int animation = scene->animationCount > 0 ? 0 : -1;
    bool isMade = tgCheckCharacter(scene, error) == tg_success;
    hero->settings = isMade ? tgParseSettings(settings, size, scene, error) : NULL;
    // As the command line does for a file that holds triangles only.
    isMade = hero->settings != NULL &&
             tgSettings_Refine(hero->settings, scene, animation, error) == tg_success &&
             tgScene_Triangulate(scene, error) == tg_success;
    if (isMade && !tgTakeRoom(hero)) {
        tgFail(error, tg_outOfMemory, -1, "out of memory for %d vertices", scene->vertexCount);
        isMade = false;
    }
    isMade = isMade && tgMakeRig(scene, hero->settings, &hero->rig, &hero->instance, error) &&
             tgOpenFlipCounter(scene, &hero->flips, error) == tg_success;
    if (!isMade) {
        tgDestroyHero(hero);
        return NULL;
    }
    tgHero_Pose(hero, animation, 0.0);
    return hero;
}

// ---- settings -----------------------------------------------------------------------------------

static tgLayers tgGetLayers(const tgSettings* settings, int changed)
{
    return (tgLayers){
        .volume = changed & tg_volumeChanged ? &settings->volume : NULL,
        .flesh = changed & tg_fleshChanged ? &settings->flesh : NULL,
        .bones = changed & tg_bonesChanged ? &settings->bones : NULL,
        .wrinkles = changed & tg_wrinklesChanged ? &settings->wrinkles : NULL,
    };
}

static void tgTakeSettings(tgHero* hero, tgSettings* settings)
{
    tgDestroySettings(hero->settings);
    hero->settings = settings;
}

/// Another rig on the same mesh; the old one goes when it is there.
static bool tgMakeAnew(tgHero* hero, const tgSettings* settings, tgError* error)
{
    tgRig* rig;
    tgInstance* instance;
    if (!tgMakeRig(hero->scene, settings, &rig, &instance, error)) {
        return false;
    }
    tgDestroyInstance(hero->gauge);
    tgDestroyInstance(hero->instance);
    tgDestroyRig(hero->rig);
    hero->rig = rig;
    hero->instance = instance;
    hero->gauge = NULL;
    hero->isPlayed = false;
    return true;
}

tgApplied tgHero_Apply(tgHero* hero, const char* text, size_t size, int changed, bool isTrial,
                       tgError* error)
{
    tgSettings* settings = tgParseSettings(text, size, hero->scene, error);
    if (settings == NULL) {
        return tg_applyFailed;
    }
    // Which faces are split depends on the profiles: a refined mesh is another one.
    bool isSameMesh = settings->refine.levels == 0 && hero->settings->refine.levels == 0;
    tgApplied applied = !isSameMesh                                      ? tg_applyReloads
                        : settings->skinning == hero->settings->skinning ? tg_appliedLive
                                                                         : tg_appliedAnew;
    bool isDone = !isTrial && (applied == tg_appliedLive || applied == tg_appliedAnew);
    if (isDone && applied == tg_appliedLive && changed != 0) {
        tgLayers layers = tgGetLayers(settings, changed);
        isDone = tgInstance_SetLayers(hero->instance, &layers, error) == tg_success;
    } else if (isDone && applied == tg_appliedAnew) {
        isDone = tgMakeAnew(hero, settings, error);
    }
    if (isDone) {
        tgTakeSettings(hero, settings);
    } else {
        tgDestroySettings(settings);
    }
    bool failed = !isTrial && applied != tg_applyReloads && !isDone;
    return failed ? tg_applyFailed : applied;
}

// ---- the pose -----------------------------------------------------------------------------------

static void tgFillShape(tgHero* hero)
{
    hero->isShaped = hero->scene->morphCount > 0;
    if (hero->isShaped) {
        tgScene_SampleShape(hero->scene, hero->morphWeights, hero->shape);
    }
}

void tgHero_Pose(tgHero* hero, int animation, double time)
{
    tgScene_SampleTurnedPose(hero->scene, animation, time, hero->rotations, hero->nodes,
                             hero->joints, hero->morphWeights);
    tgFillShape(hero);
    hero->animation = animation;
    hero->time = time;
    hero->isPosed = true;
    hero->isBind = hero->isOwn = false;
}

/// In the bind pose, with turned joints turned about where they are.
void tgHero_PoseBind(tgHero* hero)
{
    const tgScene* scene = hero->scene;
    for (int j = 0; j < scene->jointCount; ++j) {
        const tgSceneJoint* joint = &scene->joints[j]; // parents come first
        tgMat34 local = joint->restJoint, inverse;
        bool hasParent = joint->parent >= 0;
        if (hasParent && tgInvertMat34(&scene->joints[joint->parent].restJoint, &inverse)) {
            local = tgMulMat34(&inverse, &joint->restJoint);
        }
        tgQuat q = hero->rotations[j];
        if (q.x != 0.0f || q.y != 0.0f || q.z != 0.0f || q.w != 0.0f) {
            tgTransform turn = tgIdentityTransform();
            turn.position = local.origin;
            turn.rotation = tgNormalizeQuat(q);
            turn.scale = tgMakeVec3(tgLength(local.x), tgLength(local.y), tgLength(local.z));
            local = tgMakeMat34(turn);
        }
        hero->joints[j] = hasParent ? tgMulMat34(&hero->joints[joint->parent], &local) : local;
    }
    bool isTurned = false;
    for (int j = 0; j < scene->jointCount; ++j) {
        isTurned |= hero->rotations[j].w != 0.0f || hero->rotations[j].x != 0.0f ||
                    hero->rotations[j].y != 0.0f || hero->rotations[j].z != 0.0f;
    }
    for (int j = 0; j < scene->jointCount && !isTurned; ++j) {
        hero->joints[j] = scene->joints[j].restJoint; // to the bit
    }
    hero->isShaped = false;
    hero->isPosed = hero->isBind = true;
    hero->isOwn = false;
}

void tgHero_Wait(tgHero* hero, double seconds)
{
    hero->waited += seconds > 0.0 ? seconds : 0.0;
    if (hero->isBind) {
        tgHero_PoseBind(hero);
    } else if (!hero->isOwn) {
        tgHero_Pose(hero, hero->animation, hero->time);
    }
}

void tgHero_PoseOwn(tgHero* hero, double time, bool isShaped)
{
    hero->isShaped = isShaped;
    hero->time = time;
    hero->isPosed = hero->isOwn = true;
    hero->isBind = false;
}

static tgPose tgGetPose(const tgHero* hero)
{
    tgPose pose = tgDefaultPose();
    pose.joints = hero->joints;
    pose.jointCount = hero->scene->jointCount;
    pose.time = (float)hero->time;
    if (hero->isShaped) {
        pose.shapePositions =
            (tgVec3View){&hero->shape->x, hero->scene->vertexCount, sizeof(tgVec3)};
    }
    return pose;
}

static tgVec3Span tgGetSpan(const tgHero* hero, tgVec3* vectors)
{
    return (tgVec3Span){&vectors->x, hero->scene->vertexCount, sizeof(tgVec3)};
}

bool tgHero_Deform(tgHero* hero, tgError* error)
{
    tgPose pose = tgGetPose(hero);
    // The difference of two floats would tell a step less and less well as time goes on.
    double step = hero->time - hero->lastTime;
    pose.timeStep = hero->isPlayed && step >= 0.0 ? (float)(step + hero->waited) : 0.0f;
    if (tgInstance_Deform(hero->instance, &pose, tgGetSpan(hero, hero->positions),
                          tgGetSpan(hero, hero->normals), error) != tg_success) {
        return false;
    }
    hero->isPlayed = true;
    hero->lastTime = hero->time;
    hero->waited = 0.0;
    return true;
}

/// Plain skinning, made once.
static tgInstance* tgGetPlain(tgHero* hero, tgSkinning skinning, tgError* error)
{
    tgPlain* plain = &hero->plains[skinning];
    if (plain->instance == NULL) {
        tgRigDef def = tgScene_GetRigDef(hero->scene);
        def.skinning = skinning;
        def.volume.method = tg_volumeNone;
        plain->rig = tgCreateRig(&def, error);
        plain->instance = plain->rig != NULL ? tgCreateInstance(plain->rig, NULL, error) : NULL;
        if (plain->instance == NULL) {
            tgDestroyPlain(plain);
        }
    }
    return plain->instance;
}

bool tgHero_DeformPlain(tgHero* hero, tgSkinning skinning, tgError* error)
{
    tgInstance* plain = tgGetPlain(hero, skinning, error);
    tgPose pose = tgGetPose(hero);
    return plain != NULL &&
           tgInstance_Deform(plain, &pose, tgGetSpan(hero, hero->plainPositions),
                             tgGetSpan(hero, hero->plainNormals), error) == tg_success;
}

// ---- measures -----------------------------------------------------------------------------------

bool tgHero_Measure(tgHero* hero, double volumes[5], tgError* error)
{
    if (!tgHero_DeformPlain(hero, hero->settings->skinning, error)) {
        return false;
    }
    tgVolumeReport plain =
        tgInstance_MeasureVolume(hero->plains[hero->settings->skinning].instance);
    tgVolumeReport own = tgInstance_MeasureVolume(hero->instance);
    volumes[0] = own.rest;
    volumes[1] = plain.result;
    volumes[2] = own.target;
    volumes[3] = own.result;
    volumes[4] = tgInstance_GetReport(hero->instance).residual;
    return true;
}

bool tgHero_OpenGauge(tgHero* hero, tgError* error)
{
    if (hero->gauge == NULL) {
        hero->gauge = tgCreateInstance(hero->rig, NULL, error);
    }
    const tgFleshDef still = {NULL, 0};
    tgLayers layers = tgGetLayers(hero->settings, ~0);
    layers.flesh = &still;
    memset(hero->losses, 0, (size_t)hero->scene->jointCount * sizeof(double));
    return hero->gauge != NULL && tgInstance_SetLayers(hero->gauge, &layers, error) == tg_success;
}

/// What each joint's bend took away, as a part of the target.
static void tgAddLosses(tgHero* hero, double target)
{
    tgReport report = tgInstance_GetReport(hero->gauge);
    for (int i = 0; i < report.lossCount && target > 0.0; ++i) {
        hero->losses[report.losses[i].joint] += fabs(report.losses[i].loss) / target;
    }
}

bool tgHero_Gauge(tgHero* hero, int animation, double time, double volumes[3], tgError* error)
{
    // The pose on screen is sampled again afterwards, which gives the same bits.
    double wasTime = hero->time;
    int wasAnimation = hero->animation;
    bool wasBind = hero->isBind;
    if (hero->isOwn) {
        tgFail(error, tg_unsupported, -1, "joints that a page sets have no animation to measure");
        return false;
    }
    tgScene_SamplePose(hero->scene, animation, time, hero->nodes, hero->joints, hero->morphWeights);
    tgFillShape(hero);
    tgPose pose = tgGetPose(hero);
    pose.time = (float)time;
    tgInstance* plain = tgGetPlain(hero, hero->settings->skinning, error);
    tgVec3Span none = {NULL, 0, 0};
    bool isDone = plain != NULL &&
                  tgInstance_Deform(plain, &pose, none, none, error) == tg_success &&
                  tgInstance_Deform(hero->gauge, &pose, none, none, error) == tg_success;
    if (isDone) {
        tgVolumeReport report = tgInstance_MeasureVolume(hero->gauge);
        volumes[0] = tgInstance_MeasureVolume(plain).result;
        volumes[1] = report.result;
        volumes[2] = report.target;
        tgAddLosses(hero, report.target);
    }
    tgHero_Pose(hero, wasAnimation, wasTime);
    if (wasBind) {
        tgHero_PoseBind(hero);
    }
    return isDone;
}
