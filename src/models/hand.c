// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A right hand that stands on its wrist and closes to a fist: the fingers curl, little finger
// first, then the thumb lies down over them; when it opens the thumb is the first to move. The skin
// is made from the digits' table: metacarpals make the palm, then come its pads, then the fingers.

#include "models/hand.h"

#include "core/core.h"

enum { tg_maxHandChains = 64 };

#define TG_COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/// The tables of the character, filled from the digits.
typedef struct tgHandTables {
    tgJointDef joints[tg_handJointCount];
    tgChainDef chains[tg_maxHandChains];
    int chainCount;
    tgChainDef nails[tg_digitCount];
} tgHandTables;

static const tgJointDef tg_wristJoints[] = {
    {"forearm", NULL, {0.0f, 0.0100f, 0.0f}},
    {"wrist", "forearm", {0.0f, 0.0560f, -0.0020f}},
};

void tgFillHandJoints(tgJointDef joints[tg_handJointCount])
{
    int count = 0;
    for (int i = 0; i < 2; ++i) {
        joints[count++] = tg_wristJoints[i];
    }
    for (int i = 0; i < tg_digitCount; ++i) {
        const tgDigit* digit = &tg_digits[i];
        for (int s = 0; s < tgDigit_GetSegmentCount(digit); ++s) {
            joints[count++] = (tgJointDef){.name = digit->joints[s],
                                           .parent = s > 0 ? digit->joints[s - 1] : "wrist",
                                           .position = tgDigit_GetJoint(digit, s)};
        }
    }
    TG_ASSERT(count == tg_handJointCount);
}

static tgChainDef* tgAddHandChain(tgHandTables* tables, const tgChainDef* chain)
{
    TG_ASSERT(tables->chainCount < tg_maxHandChains);
    tables->chains[tables->chainCount] = *chain;
    return &tables->chains[tables->chainCount++];
}

/// An empty chain that moves with a digit.
static tgChainDef tgMakeDigitChain(const tgDigit* digit, float blend)
{
    tgChainDef chain = {
        .blend = blend, .ramp = 1.9f * digit->radius, .reach = 0.9f * digit->radius};
    int count = tgDigit_GetSegmentCount(digit);
    chain.joints[0] = "wrist";
    for (int s = 0; s < count; ++s) {
        chain.joints[s + 1] = digit->joints[s];
    }
    chain.tail = tgDigit_GetJoint(digit, count);
    return chain;
}

/// A sphere of a chain beside a segment of a digit; dorsal and radius in radii of the digit.
typedef struct tgDigitKey {
    int segment;
    float t, dorsal, radius;
} tgDigitKey;

static void tgAddDigitChain(tgHandTables* tables, const tgDigit* digit, const tgDigitKey* keys,
                            int keyCount, float blend)
{
    tgChainDef chain = tgMakeDigitChain(digit, blend);
    for (int k = 0; k < keyCount; ++k) {
        float r = digit->radius;
        chain.keys[k].position =
            tgDigit_Place(digit, keys[k].segment, keys[k].t, keys[k].dorsal * r);
        chain.keys[k].radius = keys[k].radius * r;
    }
    tgAddHandChain(tables, &chain);
}

/// From the knuckle to the tip, with its joints a little thicker than what is between them.
static void tgAddFinger(tgHandTables* tables, const tgDigit* digit)
{
    static const tgDigitKey tg_shaft[] = {
        {1, -0.06f, -0.05f, 1.06f}, {1, 0.30f, -0.06f, 1.00f}, {1, 0.64f, -0.04f, 0.94f},
        {2, 0.00f, 0.00f, 1.00f},   {2, 0.50f, -0.04f, 0.87f}, {3, 0.00f, 0.00f, 0.87f},
        {3, 0.40f, -0.06f, 0.80f},  {3, 0.74f, -0.10f, 0.64f},
    };
    static const tgDigitKey tg_proximalPad[] = {{1, 0.34f, -0.36f, 0.76f},
                                                {1, 0.74f, -0.34f, 0.72f}};
    static const tgDigitKey tg_middlePad[] = {{2, 0.30f, -0.32f, 0.68f}, {2, 0.72f, -0.30f, 0.66f}};
    static const tgDigitKey tg_pulp[] = {{3, 0.30f, -0.30f, 0.66f}, {3, 0.64f, -0.28f, 0.62f}};
    static const tgDigitKey tg_joint[] = {{2, -0.06f, 0.42f, 0.60f}, {2, 0.06f, 0.40f, 0.58f}};
    tgAddDigitChain(tables, digit, tg_shaft, TG_COUNT(tg_shaft), 0.0045f);
    tgAddDigitChain(tables, digit, tg_proximalPad, TG_COUNT(tg_proximalPad), 0.0075f);
    tgAddDigitChain(tables, digit, tg_middlePad, TG_COUNT(tg_middlePad), 0.0065f);
    tgAddDigitChain(tables, digit, tg_pulp, TG_COUNT(tg_pulp), 0.0060f);
    tgAddDigitChain(tables, digit, tg_joint, TG_COUNT(tg_joint), 0.0040f);
}

static void tgAddThumb(tgHandTables* tables, const tgDigit* digit)
{
    static const tgDigitKey tg_shaft[] = {
        {0, 0.80f, 0.00f, 1.10f}, {1, 0.00f, 0.04f, 1.08f},  {1, 0.50f, -0.04f, 0.95f},
        {2, 0.00f, 0.00f, 1.02f}, {2, 0.40f, -0.06f, 0.94f}, {2, 0.74f, -0.10f, 0.72f},
    };
    static const tgDigitKey tg_pulp[] = {{2, 0.34f, -0.34f, 0.74f}, {2, 0.64f, -0.32f, 0.66f}};
    static const tgDigitKey tg_pad[] = {{1, 0.30f, -0.36f, 0.80f}, {1, 0.66f, -0.34f, 0.74f}};
    tgAddDigitChain(tables, digit, tg_shaft, TG_COUNT(tg_shaft), 0.0060f);
    tgAddDigitChain(tables, digit, tg_pad, TG_COUNT(tg_pad), 0.0050f);
    tgAddDigitChain(tables, digit, tg_pulp, TG_COUNT(tg_pulp), 0.0060f);
}

/// Forearm and wrist, the metacarpals side by side, and the pads of the palm.
static void tgAddPalm(tgHandTables* tables)
{
    static const tgChainDef tg_wrist = {.keys = {{{0.0f, -0.0150f, 0.0f}, 0.0310f},
                                                 {{0.0f, 0.0250f, -0.0005f}, 0.0285f},
                                                 {{0.0f, 0.0500f, -0.0010f}, 0.0275f},
                                                 {{0.0010f, 0.0720f, -0.0010f}, 0.0280f}},
                                        .flatten = 0.70f,
                                        .flattenAxis = {0.0f, 0.0f, 1.0f},
                                        .joints = {"forearm", "wrist"},
                                        .tail = {0.0f, 0.1000f, -0.0020f},
                                        .ramp = 0.030f,
                                        .reach = 0.014f};
    // The head of the ulna, at the back of the wrist.
    static const tgChainDef tg_ulna = {.keys = {{{-0.0175f, 0.0380f, -0.0085f}, 0.0090f},
                                                {{-0.0180f, 0.0200f, -0.0060f}, 0.0080f}},
                                       .blend = 0.016f,
                                       .joints = {"forearm", "wrist"},
                                       .tail = {0.0f, 0.1000f, -0.0020f},
                                       .ramp = 0.030f,
                                       .reach = 0.010f};
    tgAddHandChain(tables, &tg_wrist);
    tgAddHandChain(tables, &tg_ulna);
    static const tgDigitKey tg_metacarpal[] = {
        {0, 0.00f, -0.10f, 1.35f}, {0, 0.50f, -0.15f, 1.22f}, {0, 1.00f, -0.10f, 1.20f}};
    static const tgDigitKey tg_head[] = {{0, 0.96f, 0.62f, 0.58f}, {1, 0.06f, 0.62f, 0.54f}};
    static const tgDigitKey tg_pad[] = {{0, 0.88f, -0.62f, 0.86f}, {1, 0.16f, -0.58f, 0.88f}};
    for (int i = 1; i < tg_digitCount; ++i) {
        tgAddDigitChain(tables, &tg_digits[i], tg_metacarpal, TG_COUNT(tg_metacarpal), 0.012f);
    }
    for (int i = 1; i < tg_digitCount; ++i) {
        tgAddDigitChain(tables, &tg_digits[i], tg_head, TG_COUNT(tg_head), 0.006f);
        tgAddDigitChain(tables, &tg_digits[i], tg_pad, TG_COUNT(tg_pad), 0.008f);
    }
}

/// The ball of the thumb, that of the little finger, and the web between thumb and forefinger.
static void tgAddMuscles(tgHandTables* tables)
{
    static const tgDigitKey tg_ball[] = {
        {0, -0.05f, -0.10f, 1.25f}, {0, 0.35f, -0.35f, 1.50f}, {0, 0.75f, -0.15f, 1.22f}};
    tgAddDigitChain(tables, &tg_digits[0], tg_ball, TG_COUNT(tg_ball), 0.014f);
    static const tgDigitKey tg_edge[] = {
        {0, 0.02f, -0.70f, 1.30f}, {0, 0.45f, -0.85f, 1.35f}, {0, 0.85f, -0.65f, 1.10f}};
    tgAddDigitChain(tables, &tg_digits[4], tg_edge, TG_COUNT(tg_edge), 0.012f);
    static const tgChainDef tg_web = {.keys = {{{0.0270f, 0.1080f, 0.0010f}, 0.0080f},
                                               {{0.0360f, 0.1010f, 0.0090f}, 0.0075f},
                                               {{0.0430f, 0.0950f, 0.0180f}, 0.0080f}},
                                      .blend = 0.014f,
                                      .joints = {"wrist", "index_metacarpal"},
                                      .tail = {0.0305f, 0.1440f, -0.0020f},
                                      .ramp = 0.016f,
                                      .reach = 0.010f};
    tgAddHandChain(tables, &tg_web);
}

static tgChainDef tgMakeNail(const tgDigit* digit)
{
    int last = tgDigit_GetSegmentCount(digit) - 1;
    float r = digit->radius;
    tgChainDef nail = {.keys = {{tgDigit_Place(digit, last, 0.48f, 0.34f * r), 0.54f * r},
                                {tgDigit_Place(digit, last, 0.71f, 0.21f * r), 0.57f * r}},
                       .flatten = 0.80f,
                       .flattenAxis = tgDigit_GetDorsal(digit, last),
                       .joints = {digit->joints[last]},
                       .ramp = 0.016f,
                       .reach = 0.006f};
    return nail;
}

static void tgFillHandTables(tgHandTables* tables)
{
    *tables = (tgHandTables){0};
    tgFillHandJoints(tables->joints);
    tgAddPalm(tables);
    tgAddMuscles(tables);
    tgAddThumb(tables, &tg_digits[0]);
    for (int i = 1; i < tg_digitCount; ++i) {
        tgAddFinger(tables, &tg_digits[i]);
    }
    for (int i = 0; i < tg_digitCount; ++i) {
        tables->nails[i] = tgMakeNail(&tg_digits[i]);
    }
}

/// Fingers fold over the palm, side by side; the ring's and the little finger's metacarpals follow.
static void tgCurlFingers(tgPoser* poser, float time)
{
    static const float tg_close[][2] = {{0.1f, 0.0f}, {1.3f, 1.0f}, {2.6f, 1.0f}, {3.7f, 0.0f}};
    static const float tg_degrees[tg_digitCount][tg_maxSegments] = {{0.0f},
                                                                    {0.0f, 83.0f, 99.0f, 59.0f},
                                                                    {0.0f, 83.0f, 98.0f, 59.0f},
                                                                    {5.0f, 79.0f, 96.0f, 58.0f},
                                                                    {9.0f, 68.0f, 87.0f, 50.0f}};
    static const float tg_upright[tg_digitCount] = {0.0f, 4.4f, 1.2f, -3.2f, -7.8f};
    for (int i = 1; i < tg_digitCount; ++i) {
        const tgDigit* digit = &tg_digits[i];
        // The little finger leads.
        float close = tgEase(tg_close, 4, time - 0.05f * (float)(tg_digitCount - 1 - i));
        tgPoser_Turn(poser, digit->joints[1], 0.0f, 0.0f, tg_upright[i] * close);
        for (int s = 0; s < tg_maxSegments; ++s) {
            tgPoser_TurnAbout(poser, digit->joints[s], tgDigit_GetHinge(digit),
                              tg_degrees[i][s] * close);
        }
    }
}

static void tgFoldThumb(tgPoser* poser, float time)
{
    static const float tg_swing[][2] = {{1.0f, 0.0f}, {1.9f, 1.0f}, {2.3f, 1.0f}, {3.2f, 0.0f}};
    static const float tg_flex[][2] = {{1.3f, 0.0f}, {2.0f, 1.0f}, {2.2f, 1.0f}, {2.9f, 0.0f}};
    // The saddle joint at its base carries it out of the palm and across.
    const tgVec3 across = {-0.1408f, -0.9655f, -0.2191f};
    const tgDigit* thumb = &tg_digits[0];
    float swing = tgEase(tg_swing, 4, time), flex = tgEase(tg_flex, 4, time);
    tgPoser_TurnAbout(poser, thumb->joints[0], across, 25.0f * swing);
    tgPoser_TurnAbout(poser, thumb->joints[1], tgDigit_GetHinge(thumb), 30.0f * flex);
    tgPoser_TurnAbout(poser, thumb->joints[2], tgDigit_GetHinge(thumb), 56.0f * flex);
}

static void tgAnimateHand(tgPoser* poser, float time)
{
    tgCurlFingers(poser, time);
    tgFoldThumb(poser, time);
}

const tgModelAnimation tg_handAnimations[1] = {{"fist", 4.0f, tgAnimateHand}};

tgScene* tgCreateHand(int vertexCount, tgError* error)
{
    tgHandTables tables;
    tgFillHandTables(&tables);
    const tgCharacterPart parts[] = {
        {.name = "hand",
         .baseColor = {0.80f, 0.50f, 0.37f, 1.0f},
         .roughness = 0.55f,
         .chains = tables.chains,
         .chainCount = tables.chainCount,
         .groundBlend = 0.055f},
        {.name = "nails",
         .baseColor = {0.84f, 0.56f, 0.46f, 1.0f},
         .roughness = 0.25f,
         .chains = tables.nails,
         .chainCount = tg_digitCount,
         .cellSize = 0.0022f},
    };
    const tgCharacterDef def = {.name = "hand",
                                .defaultVertexCount = 8600,
                                .minVertexCount = tg_minHandVertexCount,
                                .maxVertexCount = tg_maxHandVertexCount,
                                .joints = tables.joints,
                                .jointCount = tg_handJointCount,
                                .parts = parts,
                                .partCount = 2,
                                .animations = tg_handAnimations,
                                .animationCount = 1};
    return tgCreateCharacter(&def, vertexCount, error);
}
