// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A character's skeleton from a table, posing it by joint names, and writing both into a scene.
#ifndef TURGOR_MODELS_RIGGING_H
#define TURGOR_MODELS_RIGGING_H

#include "turgor/scene.h"

enum { tg_maxModelJoints = 64 };

/// A line of a character's table. Rest frames are not turned: a rotation about x nods whatever
/// hangs below the joint. A name that ends in ".L" stands at x > 0 and gets a twin in ".R" at -x.
typedef struct tgJointDef {
    const char* name;
    const char* parent; ///< NULL for the root; parent before child
    tgVec3 position;    ///< in the bind pose
} tgJointDef;

typedef struct tgModelSkeleton {
    int jointCount;
    char names[tg_maxModelJoints][24];
    int parents[tg_maxModelJoints];
    int twins[tg_maxModelJoints]; ///< the joint at -x; the joint itself on the middle line
    tgVec3 positions[tg_maxModelJoints];
} tgModelSkeleton;

void tgModelSkeleton_Create(tgModelSkeleton* skeleton, const tgJointDef* joints, int jointCount);
int tgModelSkeleton_Find(const tgModelSkeleton* skeleton, const char* name); ///< -1: there is none

/// A pose in the making: each joint's own rotation, and its offset from where it rests.
typedef struct tgPoser {
    const tgModelSkeleton* skeleton;
    tgQuat rotations[tg_maxModelJoints];
    tgVec3 offsets[tg_maxModelJoints];
} tgPoser;

/// The bind pose.
tgPoser tgMakePoser(const tgModelSkeleton* skeleton);
/// Where a joint stands and how it is turned, in the model.
tgTransform tgPoser_GetJoint(const tgPoser* poser, int joint);
/// Turn a joint further, by degrees about x, then y, then z.
void tgPoser_Turn(tgPoser* poser, const char* joint, float x, float y, float z);
/// The same for a joint in ".L" and its twin, which turns as in a mirror.
void tgPoser_TurnBoth(tgPoser* poser, const char* joint, float x, float y, float z);
/// Turn a joint further, about a unit axis of the bind pose.
void tgPoser_TurnAbout(tgPoser* poser, const char* joint, tgVec3 axis, float degrees);
void tgPoser_Move(tgPoser* poser, const char* joint, tgVec3 offset);
/// Bend hip and knee so that the ankle stands at its rest place plus `offset`, and keep the foot
/// level. All above the hip may turn about x only. The knee stays on the side it is on at rest.
void tgPoser_PlaceFoot(tgPoser* poser, const char* hip, const char* knee, const char* ankle,
                       tgVec3 offset);

/// The path of a foot that walks or runs in place.
typedef struct tgStride {
    float stance;      ///< the part of the cycle that it is on the ground
    float front, back; ///< where it comes down and leaves, from where it rests
    float lift;
    float foldDown, foldUp, foldSwing; ///< degrees when it comes down, leaves, and swings
} tgStride;

/// Where the foot is, from where it rests, and how far it is turned.
/// @param phase of the cycle, from when it comes down; whole numbers are the same
void tgGetStride(const tgStride* stride, float phase, tgVec3* offset, float* fold);

/// Pose the character at a time in seconds.
typedef void tgAnimateFcn(tgPoser* poser, float time);

/// A value with easing between its keys, (time, value) in order of time.
float tgEase(const float (*keys)[2], int keyCount, float time);

/// One animation of a character; its last key equals its first.
typedef struct tgModelAnimation {
    const char* name;
    float duration; ///< seconds
    tgAnimateFcn* animate;
} tgModelAnimation;

/// Fill joints and nodes: one node for each joint, then one for each object.
/// @return false when there is no memory
bool tgWriteModelSkeleton(tgScene* scene, const tgModelSkeleton* skeleton,
                          const char* const* objectNames, int objectCount);

/// @return false when there is no memory
bool tgWriteModelAnimations(tgScene* scene, const tgModelSkeleton* skeleton,
                            const tgModelAnimation* animations, int animationCount);

#endif
