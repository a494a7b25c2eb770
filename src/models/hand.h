// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The hand's five digits as anatomy: where their bones stand and how thick they are. Skin, bone
// meshes, motion and markers all follow from this one table.
#ifndef TURGOR_MODELS_HAND_H
#define TURGOR_MODELS_HAND_H

#include "models/character.h"

enum { tg_digitCount = 5, tg_maxSegments = 4 };
enum { tg_minHandVertexCount = 2000, tg_maxHandVertexCount = 500000 };

/// A digit, from its metacarpal to its tip. Segment 0 is the metacarpal, 1 to 3 the phalanges; the
/// thumb has two of those.
typedef struct tgDigit {
    const char* joints[tg_maxSegments + 1]; ///< where each segment starts; NULL ends the list
    tgVec3 base;                            ///< of the metacarpal
    tgVec3 knuckle;                         ///< where the phalanges start
    tgVec3 along;                           ///< unit: from the knuckle, if the digit were straight
    tgVec3 palmar;                          ///< unit, across it: the side of its pad
    float lengths[tg_maxSegments]; ///< of the phalanges, the last to the skin of the tip; [0] is 0
    float curls[tg_maxSegments];   ///< degrees that each is bent towards the pad at rest; [0] is 0
    float radius;                  ///< of the skin at the first joint between phalanges
} tgDigit;

/// Thumb to little finger.
extern const tgDigit tg_digits[tg_digitCount];

int tgDigit_GetSegmentCount(const tgDigit* digit);
/// The axis about which its phalanges bend towards the pad.
tgVec3 tgDigit_GetHinge(const tgDigit* digit);
/// Where a segment starts; the tip of the last for the count of them.
tgVec3 tgDigit_GetJoint(const tgDigit* digit, int segment);
/// A point beside a segment.
/// @param t along it, 0 at its start and 1 at its end
/// @param dorsal metres away from the axis, towards the back of the hand
tgVec3 tgDigit_Place(const tgDigit* digit, int segment, float t, float dorsal);
/// The direction to the back of the hand at a segment.
tgVec3 tgDigit_GetDorsal(const tgDigit* digit, int segment);

/// @param vertexCount within the hand's range
tgScene* tgCreateHand(int vertexCount, tgError* error);
/// Metacarpals and phalanges as closed meshes: the parts of a scene over the hand's skeleton, each
/// named like its joint and moving with it alone.
tgScene* tgCreateHandBones(tgError* error);
tgResult tgSaveHandMarkers(const tgModelMarkersDef* def, const char* path, tgError* error);

/// Room for the hand's joints, two of the wrist and those of the digits; filled by
/// tgFillHandJoints.
enum { tg_handJointCount = 21 };
void tgFillHandJoints(tgJointDef joints[tg_handJointCount]);
extern const tgModelAnimation tg_handAnimations[1];

#endif
