// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A scene's character on stage: its rig, its pose, and the skin of the last frame.
#ifndef TURGOR_CLI_ACTOR_H
#define TURGOR_CLI_ACTOR_H

#include "threads.h"
#include "turgor/scene.h"

typedef struct tgActor {
    const tgScene* scene;
    tgRig* rig;
    tgInstance* instance;
    tgMat34* nodes;      ///< scratch
    tgMat34* joints;     ///< of the last frame
    float* morphWeights; ///< of the last frame
    tgVec3* shape;       ///< the bind shape under those weights
    tgVec3* positions;   ///< of the last frame
    tgVec3* normals;     ///< of the last frame
} tgActor;

/// @param pool threads for the frames; NULL: none
tgResult tgOpenActor(const tgScene* scene, tgSkinning skinning, tgThreadPool* pool, tgActor* actor,
                     tgError* error);
void tgCloseActor(tgActor* actor);

/// Deform at a time of an animation (-1: as the file stands).
tgResult tgActor_Play(tgActor* actor, int animation, double time, tgError* error);
/// Deform with given joints, in the bind shape.
tgResult tgActor_Pose(tgActor* actor, const tgMat34* joints, tgError* error);

#endif
