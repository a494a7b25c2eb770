// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
/// @file autorig.h
/// A skeleton for a bare mesh. Takes up to seconds; for set-up, not for frames. Give what comes out
/// to tgCreateBinding, and the character is rigged.
#ifndef TURGOR_AUTORIG_H
#define TURGOR_AUTORIG_H

#include "turgor/base.h"
#include "turgor/math.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What kind of body it is: where joints go, and what they are called.
typedef enum tgBodyPlan {
    tg_planAuto = 0,  ///< by the pairs of feet on the floor
    tg_planBiped,     ///< two legs
    tg_planQuadruped, ///< four legs
    tg_planHand,      ///< a wrist and fingers
    tg_planNone,      ///< limbs about a hub
} tgBodyPlan;

/// Across which plane the body is its own mirror image.
typedef enum tgSymmetry {
    tg_symmetryAuto = 0, ///< what is found
    tg_symmetryX,        ///< left and right along this axis; where it stands is found
    tg_symmetryY,
    tg_symmetryZ,
    tg_symmetryNone,
} tgSymmetry;

/// Start from tgDefaultAutorigDef(). All is only read.
typedef struct tgAutorigDef {
    tgVec3View positions;    ///< render vertices; those at one place are one
    const int* faceVertices; ///< corners of all faces
    const int* faceSizes;    ///< corners of each face, 3 or more; NULL: all triangles
    int faceCount;
    tgVec3 up; ///< against gravity; default zero: y, or z when no legs stand on the floor by y
    tgBodyPlan plan;
    tgSymmetry symmetry;
    bool hasSource;    ///< `source` says where the skeleton is walked from
    tgVec3 source;     ///< the head, or the wrist of a hand; the nearest vertex counts
    int jointsPerLimb; ///< 1 to 32; default 0: as the plan has it
    bool keepToes;     ///< toes are extremities too; default false
    float leastLength; ///< of an extremity, as a fraction of the box's diagonal, 0.001 to 1; 0.013
    int cookie;        ///< set by tgDefaultAutorigDef, not by you
} tgAutorigDef;

typedef struct tgAutorigJoint {
    char name[32]; ///< "knee.L"
    int parent;    ///< -1 for the root; parent before child
    int mirror;    ///< the joint on the other side, itself on the plane, -1 for none
    tgVec3 position;
    tgVec3 tail;   ///< of a joint without children where its bone ends; else its position
    float radius;  ///< of the body about it
    bool wasMoved; ///< it came to lie outside the skin and was moved in
} tgAutorigJoint;

/// What became of a place that sticks out.
typedef enum tgTipFate {
    tg_tipKept = 0,
    tg_tipAdded,  ///< the mirror image of one that was kept, or a head between two ears
    tg_tipBlunt,  ///< too short for its width
    tg_tipPocket, ///< it goes inwards, as a mouth does
    tg_tipToe,    ///< on the floor and short beside the leg
} tgTipFate;

typedef struct tgAutorigTip {
    tgVec3 position;
    float length; ///< how far it sticks out, as a fraction of the diagonal
    tgTipFate fate;
    int joint; ///< the last joint before it, -1 for none
} tgAutorigTip;

/// A skeleton, and what was met on the way. Arrays live as long as it does.
typedef struct tgAutorig {
    int jointCount;
    const tgAutorigJoint* joints;
    int tipCount;
    const tgAutorigTip* tips; ///< kept ones first, longest first
    tgBodyPlan plan;
    int source; ///< of the tips the one it was walked from; -1 when nothing sticks out

    bool hasPlane;
    tgVec3 planePoint, planeNormal;
    float planeShare; ///< of the skin that has its mirror image

    tgVec3 up;
    bool isUpGuessed;        ///< z, because nothing stands on the floor by y
    int movedCount;          ///< joints that lay outside the skin and were moved in
    int droppedCount;        ///< joints for which there was no place inside
    int pieceCount;          ///< of the mesh
    int bridgedCount;        ///< pieces that were joined to others near them
    int leftCount;           ///< pieces that the skeleton does not see
    int curveCount;          ///< points of the curves that joints were placed on
    const tgVec3* curve;     ///< in pieces: see curveStart
    int branchCount;         ///< pieces of the curve
    const int* curveStart;   ///< branchCount + 1
    const float* curveRadii; ///< of the body about each point
    int warningCount;        ///< what a user should know
    const char* const* warnings;
    struct tgAutorigMemory* memory;
} tgAutorig;

TG_API tgAutorigDef tgDefaultAutorigDef(void);
/// NULL on failure.
TG_API tgAutorig* tgCreateAutorig(const tgAutorigDef* def, tgError* error);
TG_API void tgDestroyAutorig(tgAutorig* rig); ///< NULL is fine

#ifdef __cplusplus
}
#endif

#endif
