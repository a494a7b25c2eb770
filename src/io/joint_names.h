// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Joints by name: one, all that a pattern fits, and the one on the other side of the body.
#ifndef TURGOR_IO_JOINT_NAMES_H
#define TURGOR_IO_JOINT_NAMES_H

#include "turgor/scene.h"

/// A joint by its name, for searching.
typedef struct tgNamedJoint {
    const char* name;
    int joint;
} tgNamedJoint;

typedef struct tgNamedJoints {
    tgNamedJoint* sorted; ///< by name, joints of one name in their order
    int count;
} tgNamedJoints;

/// All joints of the scene, NULL: none; false without memory. Free them with tgFreeJoints.
bool tgSortJoints(const tgScene* scene, tgNamedJoints* joints);
void tgFreeJoints(tgNamedJoints* joints);
/// The first of the sorted joints with this name, and how many have it.
int tgFindJoints(const tgNamedJoints* joints, const char* name, int* count);

/// Whether a name fits a pattern: * stands for any letters or none, ? for one.
bool tgFitsPattern(const char* pattern, const char* name);
/// The joints with this name; where none has it, those that fit it as a pattern. In their order.
/// @param list room for as many as the scene has joints; NULL: they are only counted
int tgMatchJoints(const tgScene* scene, const char* text, int* list);

/// The plane that the skeleton's two sides are mirrored by, in the bind pose: points x with
/// dot(normal, x) = offset.
typedef struct tgMirrorPlane {
    bool isKnown;
    tgVec3 normal; ///< a unit vector; to the left where names tell
    float offset;
    float slop; ///< joints so near to each other are at one place
} tgMirrorPlane;

/// Half way between joints whose names say that they are a pair, or across x, y or z: the one that
/// brings most joints onto others, if that is more than half of them.
tgMirrorPlane tgFindMirrorPlane(const tgScene* scene, const tgNamedJoints* joints);

typedef enum tgTwinKind {
    tg_twinByName = 0,  ///< .L and .R, _l and _r, Left and Right
    tg_twinByPlace,     ///< names do not tell, and it stands where the other one is mirrored to
    tg_twinAgainstName, ///< so, too, though `other` has the name for it
    tg_twinInMiddle,    ///< it stands on the plane itself
    tg_twinMissing,
    tg_twinUnclear, ///< `joint` and `other` might both be
} tgTwinKind;

typedef struct tgTwin {
    tgTwinKind kind;
    int joint; ///< -1 for none
    int other;
} tgTwin;

/// The joint on the other side.
tgTwin tgFindTwin(const tgScene* scene, const tgNamedJoints* joints, const tgMirrorPlane* plane,
                  int joint);

#endif
