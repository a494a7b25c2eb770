// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A skeleton's joints while they are placed: what the plans (a body, a hand, anything) share.
#ifndef TURGOR_BIND_PLACER_H
#define TURGOR_BIND_PLACER_H

#include "bind/sketch.h"

enum { tg_mostKindJoints = 4, tg_mostLimbJoints = 32 };

/// Joints of necks and of what has no name stand so many radii apart.
static const double tg_neckStep = 3.0;

/// Where the joints of a limb are and what they are called.
typedef struct tgLimbKind {
    const char* base;
    const char* names[tg_mostKindJoints]; ///< NULL: numbered
    double at[tg_mostKindJoints];         ///< in lengths of the limb
    int count;
    bool isAlone;                   ///< there is one of it: "tail3", not "tail1_3"
    bool hasFingers;                ///< far along it fingers branch off
    const struct tgLimbKind* sides; ///< what else branches off it; NULL: more of its kind
} tgLimbKind;

extern const tgLimbKind tg_armKind, tg_legKind, tg_forelegKind, tg_hindlegKind, tg_fingerKind,
    tg_limbKind, tg_earKind, tg_tailKind;

typedef struct tgPlacer {
    const tgSketchDef* def;
    const tgBranches* branches;
    tgSketch* sketch;
    tgLimbPath path;
    tgLimbPath axis;
    double hubAt[tg_mostBranches]; ///< of branches on the axis: where their hubs are on it
    bool isOnAxis[tg_mostBranches];
    bool isPlaced[tg_mostBranches]; ///< a limb starts there already
} tgPlacer;

static inline int tgClampCount(double wanted, int least, int most)
{
    return (int)fmin(fmax(floor(wanted + 0.5), (double)least), (double)most);
}

// ---- limbs: place_limb.c ----

/// What is added next belongs to a new limb.
tgSketchLimb* tgOpenLimb(tgPlacer* placer, const char* base, const char* const* names, int branch);
int tgAddJoint(tgPlacer* placer, int parent, tgVec3d p, double radius);
/// On the placer's path.
int tgAddJointAt(tgPlacer* placer, int parent, double at);
tgVec3d tgGetTip(const tgPlacer* placer, int tip);
/// The joint's bone goes on to a tip.
void tgEndAtTip(tgPlacer* placer, int joint, int tip);
/// Opens a limb whose curve is the placer's path: joints at the places of a kind, a bone to a tip.
/// @param count joints; 0: as the kind has it
/// @return its last joint
int tgLayLimb(tgPlacer* placer, const tgLimbKind* kind, int count, int branch, int tip, int parent);
/// A limb from the start of a branch to a tip, and what branches off it.
int tgPlaceLimb(tgPlacer* placer, const tgLimbKind* kind, int count, int branch, int tip,
                int parent);
/// Ears, horns, spikes: one joint, or three.
void tgPlaceAppendage(tgPlacer* placer, const tgLimbKind* kind, int branch, int parent);

// ---- bodies with legs: find_limbs.c, place_body.c ----

/// Two tips, one on each side, whose limbs part at a hub.
typedef struct tgTipPair {
    int tips[2];
    int hub;
    int limbs[2];  ///< the branches they start with
    double height; ///< above the floor
    double length;
} tgTipPair;

typedef struct tgBodyParts {
    bool isQuadruped;
    const tgLimbKind *hindKind, *foreKind;
    tgTipPair hind; ///< the legs, or the hind legs
    tgTipPair fore; ///< arms or forelegs
    bool hasFore;
    int tail; ///< a tip, -1 for none
} tgBodyParts;

/// Legs by the floor, arms by the axis, which is laid too; false when there are not as many as the
/// plan wants.
bool tgFindLimbs(tgPlacer* placer, tgBodyParts* parts);
void tgPlaceBody(tgPlacer* placer, const tgBodyParts* parts);

// ---- hands: place_hand.c ----

bool tgLooksLikeHand(const tgSketchDef* def);
void tgPlaceHand(tgPlacer* placer);

#endif
