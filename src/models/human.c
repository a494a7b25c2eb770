// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A woman of 1.74 m with hands as mittens, arms half lowered. She walks in place, and sits down as
// on a stool of 0.47 m and stands up again. Buttocks and thighs are vertex groups, for flesh as in
// 2005's figures; the joints seat.L and seat.R move no skin and only end a bone for the former.

#include "models/character.h"

#include "models/angles.h"

#include <math.h>

static const float tg_pi = 3.14159265f;

static const tgJointDef tg_humanJoints[] = {
    {"pelvis", NULL, {0.0f, 1.000f, -0.010f}},
    {"spine1", "pelvis", {0.0f, 1.085f, -0.012f}},
    {"spine2", "spine1", {0.0f, 1.185f, -0.018f}},
    {"chest", "spine2", {0.0f, 1.285f, -0.025f}},
    {"neck", "chest", {0.0f, 1.455f, -0.030f}},
    {"head", "neck", {0.0f, 1.545f, -0.008f}},
    {"clavicle.L", "chest", {0.030f, 1.400f, -0.012f}},
    {"shoulder.L", "clavicle.L", {0.155f, 1.395f, -0.022f}},
    {"elbow.L", "shoulder.L", {0.350f, 1.200f, -0.026f}},
    {"wrist.L", "elbow.L", {0.520f, 1.030f, -0.002f}},
    {"fingers.L", "wrist.L", {0.582f, 0.966f, 0.006f}},
    {"thumb.L", "wrist.L", {0.546f, 0.998f, 0.030f}},
    {"hip.L", "pelvis", {0.088f, 0.915f, -0.006f}},
    {"knee.L", "hip.L", {0.118f, 0.500f, 0.012f}},
    {"ankle.L", "knee.L", {0.127f, 0.085f, -0.024f}},
    {"toe.L", "ankle.L", {0.140f, 0.024f, 0.098f}},
    {"seat.L", "pelvis", {0.090f, 0.790f, -0.060f}},
};

static const tgChainDef tg_humanChains[] = {
    // Trunk: hips, waist, ribs.
    {.keys = {{{0.0f, 0.880f, -0.006f}, 0.152f},
              {{0.0f, 0.950f, -0.008f}, 0.158f},
              {{0.0f, 1.040f, 0.000f}, 0.140f},
              {{0.0f, 1.110f, 0.002f}, 0.122f},
              {{0.0f, 1.190f, -0.004f}, 0.128f},
              {{0.0f, 1.290f, -0.014f}, 0.143f},
              {{0.0f, 1.370f, -0.024f}, 0.125f}},
     .flatten = 0.72f,
     .flattenAxis = {0.0f, 0.0f, 1.0f},
     .joints = {"pelvis", "spine1", "spine2", "chest"},
     .tail = {0.0f, 1.455f, -0.030f},
     .ramp = 0.110f,
     .reach = 0.060f},
    // Buttocks.
    {.keys = {{{0.072f, 0.925f, -0.062f}, 0.086f}, {{0.078f, 0.872f, -0.062f}, 0.084f}},
     .blend = 0.045f,
     .mirrored = true,
     .joints = {"pelvis", "hip.L"},
     .tail = {0.118f, 0.500f, 0.012f},
     .ramp = 0.140f,
     .reach = 0.060f},
    // Chest.
    {.keys = {{{0.070f, 1.278f, 0.056f}, 0.056f}},
     .blend = 0.055f,
     .mirrored = true,
     .joints = {"spine2", "chest"},
     .tail = {0.0f, 1.455f, -0.030f},
     .ramp = 0.110f,
     .reach = 0.050f},
    // Legs.
    {.keys = {{{0.086f, 0.890f, -0.002f}, 0.094f},
              {{0.103f, 0.780f, -0.010f}, 0.084f},
              {{0.112f, 0.660f, 0.004f}, 0.071f},
              {{0.117f, 0.545f, 0.010f}, 0.056f},
              {{0.119f, 0.480f, 0.008f}, 0.052f},
              {{0.122f, 0.390f, -0.010f}, 0.057f},
              {{0.124f, 0.280f, -0.018f}, 0.045f},
              {{0.126f, 0.160f, -0.024f}, 0.033f},
              {{0.127f, 0.085f, -0.026f}, 0.036f}},
     .blend = 0.050f,
     .mirrored = true,
     .joints = {"pelvis", "hip.L", "knee.L", "ankle.L"},
     .tail = {0.128f, 0.0f, -0.024f},
     .ramp = 0.150f,
     .reach = 0.060f},
    {.keys = {{{0.128f, 0.042f, -0.046f}, 0.038f},
              {{0.132f, 0.046f, 0.010f}, 0.037f},
              {{0.138f, 0.032f, 0.075f}, 0.036f},
              {{0.143f, 0.022f, 0.122f}, 0.030f}},
     .blend = 0.026f,
     .mirrored = true,
     .joints = {"ankle.L", "toe.L"},
     .tail = {0.145f, 0.020f, 0.160f},
     .ramp = 0.050f,
     .reach = 0.024f},
    // Shoulders and arms.
    {.keys = {{{0.040f, 1.385f, -0.022f}, 0.062f},
              {{0.118f, 1.392f, -0.024f}, 0.056f},
              {{0.160f, 1.385f, -0.024f}, 0.056f}},
     .blend = 0.050f,
     .mirrored = true,
     .joints = {"chest", "clavicle.L", "shoulder.L"},
     .tail = {0.350f, 1.200f, -0.026f},
     .ramp = 0.080f,
     .reach = 0.050f},
    {.keys = {{{0.165f, 1.385f, -0.024f}, 0.055f},
              {{0.215f, 1.332f, -0.024f}, 0.049f},
              {{0.285f, 1.264f, -0.026f}, 0.044f},
              {{0.350f, 1.200f, -0.026f}, 0.037f},
              {{0.396f, 1.154f, -0.020f}, 0.041f},
              {{0.460f, 1.090f, -0.010f}, 0.034f},
              {{0.520f, 1.030f, -0.002f}, 0.026f}},
     .blend = 0.035f,
     .mirrored = true,
     .joints = {"clavicle.L", "shoulder.L", "elbow.L", "wrist.L"},
     .tail = {0.582f, 0.966f, 0.006f},
     .ramp = 0.090f,
     .reach = 0.045f},
    {.keys = {{{0.532f, 1.018f, 0.000f}, 0.029f},
              {{0.566f, 0.984f, 0.004f}, 0.043f},
              {{0.602f, 0.946f, 0.006f}, 0.042f},
              {{0.636f, 0.908f, 0.008f}, 0.034f},
              {{0.660f, 0.880f, 0.008f}, 0.024f}},
     .blend = 0.022f,
     .flatten = 0.50f,
     .flattenAxis = {0.7071068f, 0.7071068f, 0.0f},
     .mirrored = true,
     .joints = {"elbow.L", "wrist.L", "fingers.L"},
     .tail = {0.672f, 0.866f, 0.008f},
     .ramp = 0.050f,
     .reach = 0.022f},
    {.keys = {{{0.548f, 0.998f, 0.024f}, 0.020f},
              {{0.566f, 0.966f, 0.046f}, 0.0175f},
              {{0.584f, 0.934f, 0.056f}, 0.0145f}},
     .blend = 0.018f,
     .mirrored = true,
     .joints = {"wrist.L", "thumb.L"},
     .ramp = 0.026f,
     .reach = 0.014f},
    // Neck and head.
    {.keys = {{{0.0f, 1.400f, -0.034f}, 0.062f},
              {{0.0f, 1.470f, -0.026f}, 0.050f},
              {{0.0f, 1.535f, -0.010f}, 0.050f}},
     .blend = 0.045f,
     .joints = {"chest", "neck", "head"},
     .ramp = 0.080f,
     .reach = 0.045f},
    {.keys = {{{0.0f, 1.612f, 0.004f}, 0.088f}, {{0.0f, 1.652f, -0.008f}, 0.092f}},
     .blend = 0.030f,
     .flatten = 0.86f,
     .flattenAxis = {1.0f, 0.0f, 0.0f},
     .joints = {"neck", "head"},
     .ramp = 0.070f,
     .reach = 0.030f},
    {.keys = {{{0.0f, 1.566f, 0.044f}, 0.044f}, {{0.0f, 1.592f, 0.050f}, 0.050f}},
     .blend = 0.030f,
     .joints = {"head"},
     .ramp = 0.07f,
     .reach = 0.02f},
    {.keys = {{{0.0f, 1.622f, 0.092f}, 0.010f}, {{0.0f, 1.602f, 0.104f}, 0.014f}},
     .blend = 0.012f,
     .joints = {"head"},
     .ramp = 0.07f,
     .reach = 0.02f},
    {.keys = {{{0.078f, 1.606f, -0.006f}, 0.019f}},
     .blend = 0.010f,
     .flatten = 0.6f,
     .flattenAxis = {1.0f, 0.0f, 0.0f},
     .mirrored = true,
     .joints = {"head"},
     .ramp = 0.07f,
     .reach = 0.02f},
};

static const tgChainDef tg_humanEyeChains[] = {
    {.keys = {{{0.032f, 1.626f, 0.077f}, 0.0125f}},
     .mirrored = true,
     .joints = {"head"},
     .ramp = 0.05f,
     .reach = 0.02f},
};

static const tgChainDef tg_humanHairChains[] = {
    {.keys = {{{0.0f, 1.575f, -0.046f}, 0.062f},
              {{0.0f, 1.640f, -0.036f}, 0.094f},
              {{0.0f, 1.684f, -0.014f}, 0.083f}},
     .flatten = 0.90f,
     .flattenAxis = {1.0f, 0.0f, 0.0f},
     .joints = {"head"},
     .ramp = 0.05f,
     .reach = 0.02f},
    {.keys = {{{0.0f, 1.680f, -0.120f}, 0.046f}},
     .blend = 0.012f,
     .joints = {"head"},
     .ramp = 0.05f,
     .reach = 0.02f},
};

/// From the bind pose to arms that hang, with elbows a little bent.
static void tgHangArms(tgPoser* poser, float part)
{
    tgPoser_TurnBoth(poser, "shoulder.L", 0.0f, 0.0f, -30.0f * part);
    tgPoser_TurnBoth(poser, "elbow.L", 0.0f, -14.0f * part, 0.0f);
}

/// A step: on the ground the foot goes back evenly, in the air it rises and comes forward.
static const tgStride tg_humanStride = {.stance = 0.60f,
                                        .front = 0.27f,
                                        .back = -0.27f,
                                        .lift = 0.075f,
                                        .foldDown = -14.0f,
                                        .foldUp = 34.0f,
                                        .foldSwing = 12.0f};

static void tgStepFoot(tgPoser* poser, const char* const joints[4], float phase)
{
    tgVec3 offset;
    float fold;
    tgGetStride(&tg_humanStride, phase, &offset, &fold);
    // A foot that rolls over its ball lifts the ankle.
    float rise = 0.12f * (1.0f - tgCos(fold * tg_pi / 180.0f)) + 0.10f * fmaxf(fold, 0.0f) / 90.0f;
    offset.y += rise;
    tgPoser_PlaceFoot(poser, joints[0], joints[1], joints[2], offset);
    tgPoser_Turn(poser, joints[2], fold, 0.0f, 0.0f);
    tgPoser_Turn(poser, joints[3], -0.8f * fmaxf(fold, 0.0f), 0.0f, 0.0f);
}

/// One cycle of 1.1 s: two steps, arms against legs.
static void tgWalkHuman(tgPoser* poser, float time)
{
    static const char* const tg_legs[2][4] = {{"hip.L", "knee.L", "ankle.L", "toe.L"},
                                              {"hip.R", "knee.R", "ankle.R", "toe.R"}};
    float phase = time / 1.1f, angle = 2.0f * tg_pi * phase;
    float swing = tgCos(angle), bob = tgCos(2.0f * angle);
    tgPoser_Move(poser, "pelvis", tgMakeVec3(0.0f, -0.034f - 0.016f * bob, 0.0f));
    tgPoser_Turn(poser, "pelvis", 3.0f, 0.0f, 0.0f);
    tgPoser_Turn(poser, "spine1", 0.0f, 4.0f * swing, 0.0f);
    tgPoser_Turn(poser, "spine2", -1.0f, 5.0f * swing, 0.0f);
    tgPoser_Turn(poser, "neck", -2.0f, -7.0f * swing, 0.0f);
    tgHangArms(poser, 1.0f);
    tgPoser_Turn(poser, "shoulder.L", 20.0f * swing, 0.0f, 0.0f);
    tgPoser_Turn(poser, "shoulder.R", -20.0f * swing, 0.0f, 0.0f);
    tgStepFoot(poser, tg_legs[0], phase);
    tgStepFoot(poser, tg_legs[1], phase + 0.5f);
}

/// Down by 1.5 s, up again by 3.8: the trunk leans forward on the way.
static void tgSitHuman(tgPoser* poser, float time)
{
    static const float tg_sit[][2] = {{0.2f, 0.0f}, {1.5f, 1.0f}, {2.5f, 1.0f}, {3.8f, 0.0f}};
    static const float tg_lean[][2] = {{0.1f, 0.0f},  {0.9f, 1.0f}, {1.7f, 0.15f},
                                       {2.3f, 0.15f}, {3.1f, 1.0f}, {3.9f, 0.0f}};
    float sit = tgEase(tg_sit, 4, time), lean = tgEase(tg_lean, 6, time);
    const tgVec3 still = {0.0f, 0.0f, 0.0f};
    tgPoser_Move(poser, "pelvis", tgMakeVec3(0.0f, -0.425f * sit, -0.375f * sit));
    tgPoser_Turn(poser, "pelvis", 18.0f * lean - 8.0f * sit, 0.0f, 0.0f);
    tgPoser_Turn(poser, "spine1", 9.0f * lean + 4.0f * sit, 0.0f, 0.0f);
    tgPoser_Turn(poser, "spine2", 9.0f * lean + 4.0f * sit, 0.0f, 0.0f);
    tgPoser_Turn(poser, "neck", -14.0f * lean, 0.0f, 0.0f);
    tgPoser_Turn(poser, "head", -8.0f * lean, 0.0f, 0.0f);
    tgHangArms(poser, sit);
    tgPoser_TurnBoth(poser, "shoulder.L", -34.0f * sit, 0.0f, 0.0f);
    tgPoser_TurnBoth(poser, "elbow.L", -26.0f * sit, 0.0f, 0.0f);
    tgPoser_PlaceFoot(poser, "hip.L", "knee.L", "ankle.L", still);
    tgPoser_PlaceFoot(poser, "hip.R", "knee.R", "ankle.R", still);
}

static const tgCharacterPart tg_humanParts[] = {
    {.name = "human",
     .baseColor = {0.58f, 0.40f, 0.31f, 1.0f},
     .roughness = 0.6f,
     .chains = tg_humanChains,
     .chainCount = sizeof(tg_humanChains) / sizeof(tg_humanChains[0]),
     .groundBlend = 0.008f},
    {.name = "eyes",
     .baseColor = {0.03f, 0.025f, 0.02f, 1.0f},
     .roughness = 0.15f,
     .chains = tg_humanEyeChains,
     .chainCount = 1,
     .cellSize = 0.0075f},
    {.name = "hair",
     .baseColor = {0.07f, 0.035f, 0.02f, 1.0f},
     .roughness = 0.8f,
     .chains = tg_humanHairChains,
     .chainCount = 2,
     .cellSize = 0.022f},
};

static const tgModelGroup tg_humanGroups[] = {
    {"buttock.L", {0.080f, 0.890f, -0.100f}, 0.115f},
    {"thigh.L", {0.110f, 0.700f, 0.000f}, 0.260f},
};

static const tgModelAnimation tg_humanAnimations[] = {{"sit", 4.0f, tgSitHuman},
                                                      {"walk", 1.1f, tgWalkHuman}};

const tgCharacterDef tg_human = {
    .name = "human",
    .defaultVertexCount = 8000,
    .minVertexCount = 3000,
    .maxVertexCount = 500000,
    .joints = tg_humanJoints,
    .jointCount = sizeof(tg_humanJoints) / sizeof(tg_humanJoints[0]),
    .parts = tg_humanParts,
    .partCount = sizeof(tg_humanParts) / sizeof(tg_humanParts[0]),
    .animations = tg_humanAnimations,
    .animationCount = 2,
    .groups = tg_humanGroups,
    .groupCount = sizeof(tg_humanGroups) / sizeof(tg_humanGroups[0]),
};
