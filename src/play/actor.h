// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A scene's character on stage: its rig, its pose, and the skin of the last frame.
#ifndef TURGOR_PLAY_ACTOR_H
#define TURGOR_PLAY_ACTOR_H

#include "core/parallel.h"
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
    bool played;         ///< there has been a frame, at `time`
    double time;
    int animation; ///< of the last frame; -1: as the file stands
} tgActor;

/// All zero but the scene: plain linear skinning on this thread.
typedef struct tgActorDef {
    const tgScene* scene;
    tgSkinning skinning;
    const tgVolumeDef* volume;     ///< NULL: plain skinning
    const tgFleshDef* flesh;       ///< NULL: none
    const tgBonesDef* bones;       ///< NULL: none
    const tgWrinklesDef* wrinkles; ///< NULL: none
    tgRig* rig;                    ///< one of the scene that has it all, taken over; NULL: is made
    tgNormals normals;
    tgParallel parallel; ///< for the frames; all zero: the calling thread
} tgActorDef;

tgResult tgOpenActor(const tgActorDef* def, tgActor* actor, tgError* error);
void tgCloseActor(tgActor* actor);
/// Deform at a time of an animation (-1: as the file stands).
tgResult tgActor_Play(tgActor* actor, int animation, double time, tgError* error);
/// Move the flesh on to a time without deforming.
tgResult tgActor_Advance(tgActor* actor, int animation, double time, tgError* error);
/// Start the animation over at a time, with the flesh as it is.
tgResult tgActor_StartOver(tgActor* actor, int animation, double time, tgError* error);
/// How the last frame kept its volume.
typedef struct tgKept {
    double volume;
    double target;
    double error;    ///< volume over target minus one
    double residual; ///< of the target, what found no place
    bool any;        ///< the target is a volume at all
} tgKept;

/// Is a target of the last frame a volume, or what rounding left of none?
bool tgActor_IsVolume(const tgActor* actor, double target);

/// Less than this of the target is what rounding leaves, and not worth a word.
#define TG_TOLD_RESIDUAL 1e-7

/// Of a target of nothing (everything scaled away, a sheet of paper) there is no fraction: both are
/// 0.
tgKept tgActor_MeasureKept(tgActor* actor);

/// Deform with given joints, in the bind shape, at time 0.
tgResult tgActor_Pose(tgActor* actor, const tgMat34* joints, tgError* error);

#endif
