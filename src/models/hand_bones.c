// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The bones under the hand's skin: 5 metacarpals and 14 phalanges, each with a slender shaft and
// two wider heads, closed, apart from each other, and somewhat nearer to the back of the hand.

#include "models/hand.h"

#include "core/core.h"

#include <stdio.h>

enum { tg_boneCount = 19, tg_chainsPerBone = 3 };

// Of the grid: a shaft has a dozen vertices around it.
static const float tg_boneCellSize = 0.0014f;

/// Sizes in radii of the digit. A head is two balls side by side, as a hinge has.
typedef struct tgBoneShape {
    float base, baseWidth; ///< radius of the balls, and half of the distance between them
    float shaft;
    float head, headWidth;
    float headDorsal; ///< how far the head's middle is towards the back of the hand
} tgBoneShape;

// Over the heads there is little but skin, which makes the knuckles; the last bone keeps clear of
// the nail.
static const tgBoneShape tg_metacarpal = {0.38f, 0.08f, 0.36f, 0.52f, 0.14f, 0.20f};
static const tgBoneShape tg_proximal = {0.46f, 0.20f, 0.37f, 0.46f, 0.20f, 0.26f};
static const tgBoneShape tg_middle = {0.40f, 0.20f, 0.31f, 0.42f, 0.18f, 0.24f};
static const tgBoneShape tg_distal = {0.35f, 0.16f, 0.19f, 0.20f, 0.08f, -0.06f};

// In radii of the digit: heads end at the joint and the next base starts behind it.
static const float tg_headInset = 0.12f;
static const float tg_gap = 0.25f;
static const float tg_dorsalShift = 0.10f;

static const tgBoneShape* tgGetBoneShape(const tgDigit* digit, int segment)
{
    static const tgBoneShape* const tg_shapes[] = {&tg_metacarpal, &tg_proximal, &tg_middle};
    bool isLast = segment + 1 == tgDigit_GetSegmentCount(digit);
    return isLast ? &tg_distal : tg_shapes[segment];
}

/// How far behind a joint the middle of the bone's base stands, so that it clears the head before.
static float tgGetBaseInset(const tgDigit* digit, int segment)
{
    const tgBoneShape* shape = tgGetBoneShape(digit, segment);
    float before = segment > 0 ? tgGetBoneShape(digit, segment - 1)->head : 0.0f;
    return (segment > 0 ? before - tg_headInset + tg_gap : 0.0f) + shape->base;
}

/// Two balls side by side.
static tgChainDef tgMakeHead(const tgDigit* digit, int segment, float t, float dorsal, float radius,
                             float width)
{
    float r = digit->radius;
    tgVec3 middle = tgDigit_Place(digit, segment, t, dorsal * r);
    tgVec3 side = tgMulSV(width * r, tgDigit_GetHinge(digit));
    return (tgChainDef){
        .keys = {{tgSub(middle, side), radius * r}, {tgAdd(middle, side), radius * r}},
        .blend = 0.70f * r,
        .joints = {digit->joints[segment]},
        .ramp = r,
        .reach = r};
}

static void tgMakeBone(const tgDigit* digit, int segment, tgChainDef chains[tg_chainsPerBone])
{
    const tgBoneShape* shape = tgGetBoneShape(digit, segment);
    float r = digit->radius;
    float length =
        tgDistance(tgDigit_GetJoint(digit, segment), tgDigit_GetJoint(digit, segment + 1));
    bool isLast = segment + 1 == tgDigit_GetSegmentCount(digit);
    // The last bone ends well before the skin of the tip.
    float end = isLast ? 0.78f : 1.0f - tg_headInset * r / length;
    float start = tgGetBaseInset(digit, segment) * r / length;
    chains[0] = tgMakeHead(digit, segment, start, tg_dorsalShift, shape->base, shape->baseWidth);
    chains[1] = tgMakeHead(digit, segment, end, shape->headDorsal, shape->head, shape->headWidth);
    chains[2] =
        (tgChainDef){.blend = 0.70f * r, .joints = {digit->joints[segment]}, .ramp = r, .reach = r};
    for (int k = 0; k < 3; ++k) {
        float t = start + (end - start) * 0.5f * (float)k;
        float dorsal = k == 0   ? tg_dorsalShift
                       : k == 1 ? 0.5f * (tg_dorsalShift + shape->headDorsal)
                                : shape->headDorsal;
        chains[2].keys[k].position = tgDigit_Place(digit, segment, t, dorsal * r);
        chains[2].keys[k].radius = shape->shaft * r * (k == 1 ? 0.9f : 1.0f);
    }
}

tgScene* tgCreateHandBones(tgError* error)
{
    tgJointDef joints[tg_handJointCount];
    tgChainDef chains[tg_boneCount][tg_chainsPerBone];
    tgCharacterPart parts[tg_boneCount];
    char objectNames[tg_boneCount][32];
    const char* objects[tg_boneCount];
    tgFillHandJoints(joints);
    int count = 0;
    for (int i = 0; i < tg_digitCount; ++i) {
        for (int s = 0; s < tgDigit_GetSegmentCount(&tg_digits[i]); ++s) {
            tgMakeBone(&tg_digits[i], s, chains[count]);
            // The node cannot have its joint's name too.
            snprintf(objectNames[count], sizeof(objectNames[count]), "bone_%s",
                     tg_digits[i].joints[s]);
            objects[count] = objectNames[count];
            parts[count] = (tgCharacterPart){.name = tg_digits[i].joints[s],
                                             .baseColor = {0.83f, 0.78f, 0.66f, 1.0f},
                                             .roughness = 0.6f,
                                             .chains = chains[count],
                                             .chainCount = tg_chainsPerBone,
                                             .cellSize = tg_boneCellSize};
            count += 1;
        }
    }
    TG_ASSERT(count == tg_boneCount);
    const tgCharacterDef def = {.name = "hand_bones",
                                .objectNames = objects,
                                .joints = joints,
                                .jointCount = tg_handJointCount,
                                .parts = parts,
                                .partCount = tg_boneCount,
                                .animations = tg_handAnimations,
                                .animationCount = 1};
    return tgCreateCharacter(&def, 0, error);
}
