// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A skeleton while it is drawn: joints on the curves of a body, limb by limb.
#ifndef TURGOR_BIND_SKETCH_H
#define TURGOR_BIND_SKETCH_H

#include "bind/limb_path.h"

enum { tg_mostSketchJoints = 1024, tg_mostSketchLimbs = 4 * tg_mostTips };

/// A chain of joints: a leg, a finger, the neck.
typedef struct tgSketchLimb {
    const char* base;         ///< "finger", numbered when there are several
    const char* const* names; ///< of its joints, when each has one of its own
    int first, count;         ///< its joints
    int branch;               ///< where it starts; mirrored limbs start from mirrored branches
    bool isNumbered;          ///< "finger2_1", not "finger_1"
    bool isSymmetric;         ///< its curve is the mirror image of its partner's
    int mirror;               ///< the limb on the other side, itself on the plane, -1 for none
    int side;                 ///< -1, 0, 1: on which side of the mirror plane
} tgSketchLimb;

typedef struct tgSketchJoint {
    char name[32];
    int limb, parent, mirror;
    int tip; ///< the last joint before a tip knows it; -1
    tgVec3d position, tail;
    bool hasTail, isMoved;
    double radius;
} tgSketchJoint;

typedef struct tgSketch {
    tgBodyPlan plan;
    int jointCount;
    tgSketchJoint joints[tg_mostSketchJoints]; ///< parent before child
    int limbCount;
    tgSketchLimb limbs[tg_mostSketchLimbs];
    tgVec3d forward; ///< where the body looks; zero when nothing tells
} tgSketch;

/// All that joints are placed by.
typedef struct tgSketchDef {
    const tgSkinNet* net;
    const tgMirror* mirror;
    const tgTips* tips;
    const tgBranches* branches;
    tgVec3d up;
    double floor, height;
    tgBodyPlan plan;   ///< that is asked for
    int jointsPerLimb; ///< 0: as the plan has it
} tgSketchDef;

bool tgPlaceJoints(const tgSketchDef* def, tgScratch* scratch, tgSketch* sketch);
/// Partners exactly across the plane, joints of limbs on the plane exactly in it.
void tgMirrorJoints(const tgMirror* mirror, const tgBranches* branches, tgSketch* sketch);
/// Names: the side by up x forward.
void tgNameJoints(const tgMirror* mirror, tgVec3d up, tgSketch* sketch);
/// Joints outside the skin are moved in, or dropped where there is no place inside.
bool tgMoveJointsInside(const tgBody* body, const tgSkinNet* net, const tgMirror* mirror,
                        tgScratch* scratch, tgSketch* sketch, int* movedCount, int* droppedCount);

#endif
