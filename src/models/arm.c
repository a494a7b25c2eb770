// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A right arm along +x, palm up, thumb towards the viewer at +z, with a mitten for a hand. The
// elbow bends upwards about +z to 130 degrees. Metres.

#include "models/character.h"

static const tgJointDef tg_armJoints[] = {
    {"upper_arm", NULL, {0.00f, 0.0f, 0.0f}},    {"forearm", "upper_arm", {0.30f, 0.0f, 0.0f}},
    {"hand", "forearm", {0.555f, 0.0f, 0.0f}},   {"fingers", "hand", {0.645f, 0.002f, 0.0f}},
    {"thumb", "hand", {0.590f, 0.004f, 0.034f}}, {"thumb_tip", "thumb", {0.632f, 0.008f, 0.066f}},
};

static const tgChainDef tg_armChains[] = {
    {.keys = {{{0.012f, 0.004f, 0.0f}, 0.060f},
              {{0.070f, 0.003f, 0.0f}, 0.057f},
              {{0.160f, 0.000f, 0.0f}, 0.050f},
              {{0.240f, -0.001f, 0.0f}, 0.045f},
              {{0.300f, -0.002f, 0.0f}, 0.0435f},
              {{0.365f, 0.001f, 0.0f}, 0.0495f},
              {{0.430f, 0.002f, 0.0f}, 0.045f},
              {{0.500f, 0.001f, 0.0f}, 0.036f},
              {{0.560f, 0.000f, 0.0f}, 0.032f}},
     .joints = {"upper_arm", "forearm", "hand"},
     .ramp = 0.10f,
     .reach = 0.03f},
    // Biceps above, triceps below.
    {.keys = {{{0.105f, 0.020f, 0.0f}, 0.034f},
              {{0.165f, 0.025f, 0.0f}, 0.039f},
              {{0.220f, 0.016f, 0.0f}, 0.031f}},
     .blend = 0.05f,
     .joints = {"upper_arm", "forearm"},
     .tail = {0.555f, 0.0f, 0.0f},
     .ramp = 0.10f,
     .reach = 0.03f},
    {.keys = {{{0.090f, -0.018f, 0.0f}, 0.038f}, {{0.160f, -0.017f, 0.0f}, 0.036f}},
     .blend = 0.05f,
     .joints = {"upper_arm", "forearm"},
     .tail = {0.555f, 0.0f, 0.0f},
     .ramp = 0.10f,
     .reach = 0.03f},
    // Palm and mitten, a little cupped.
    {.keys = {{{0.568f, 0.000f, 0.0f}, 0.036f},
              {{0.615f, 0.000f, -0.002f}, 0.050f},
              {{0.665f, 0.003f, -0.004f}, 0.052f},
              {{0.712f, 0.009f, -0.004f}, 0.046f},
              {{0.750f, 0.017f, -0.004f}, 0.036f}},
     .blend = 0.035f,
     .flatten = 0.50f,
     .flattenAxis = {0.0f, 1.0f, 0.0f},
     .joints = {"forearm", "hand", "fingers"},
     .tail = {0.78f, 0.018f, 0.0f},
     .ramp = 0.06f,
     .reach = 0.02f},
    {.keys = {{{0.590f, 0.004f, 0.026f}, 0.024f},
              {{0.622f, 0.008f, 0.058f}, 0.021f},
              {{0.655f, 0.012f, 0.080f}, 0.0185f},
              {{0.682f, 0.015f, 0.092f}, 0.016f}},
     .blend = 0.025f,
     .joints = {"hand", "thumb", "thumb_tip"},
     .ramp = 0.03f,
     .reach = 0.015f},
};

static void tgAnimateArm(tgPoser* poser, float time)
{
    static const float tg_elbow[][2] = {{0.0f, 0.0f}, {1.3f, 130.0f}, {1.7f, 130.0f}, {3.0f, 0.0f}};
    static const float tg_wrist[][2] = {{0.3f, 0.0f}, {1.4f, 25.0f}, {1.8f, 25.0f}, {2.8f, 0.0f}};
    float elbow = tgEase(tg_elbow, 4, time), wrist = tgEase(tg_wrist, 4, time);
    tgPoser_Turn(poser, "forearm", 0.0f, 0.0f, elbow);
    tgPoser_Turn(poser, "hand", 0.0f, 0.0f, wrist);
    tgPoser_Turn(poser, "fingers", 0.0f, 0.0f, 1.6f * wrist);
    tgPoser_Turn(poser, "thumb", 0.4f * wrist, 0.8f * wrist, 0.0f);
}

static const tgCharacterPart tg_armParts[] = {
    {.name = "arm",
     .baseColor = {0.80f, 0.50f, 0.37f, 1.0f},
     .roughness = 0.55f,
     .chains = tg_armChains,
     .chainCount = sizeof(tg_armChains) / sizeof(tg_armChains[0])},
};

static const tgModelAnimation tg_armAnimations[] = {{"bend", 3.0f, tgAnimateArm}};

const tgCharacterDef tg_arm = {
    .name = "arm",
    .defaultVertexCount = 2500,
    .minVertexCount = 300,
    .maxVertexCount = 500000,
    .joints = tg_armJoints,
    .jointCount = sizeof(tg_armJoints) / sizeof(tg_armJoints[0]),
    .parts = tg_armParts,
    .partCount = 1,
    .animations = tg_armAnimations,
    .animationCount = 1,
};
