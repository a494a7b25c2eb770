// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A giraffe of rubber, as the papers have it: sloping back, long legs, a thick neck on two joints
// that bends right over, and sideways. Metres.

#include "models/character.h"

static const tgJointDef tg_giraffeJoints[] = {
    {"pelvis", NULL, {0.0f, 2.10f, -0.62f}},
    {"spine", "pelvis", {0.0f, 2.22f, -0.20f}},
    {"chest", "spine", {0.0f, 2.36f, 0.22f}},
    {"neck1", "chest", {0.0f, 2.60f, 0.54f}},
    {"neck2", "neck1", {0.0f, 3.34f, 0.92f}},
    {"head", "neck2", {0.0f, 4.14f, 1.26f}},
    {"ear.L", "head", {0.16f, 4.20f, 1.20f}},
    {"shoulder.L", "chest", {0.22f, 2.08f, 0.40f}},
    {"foreknee.L", "shoulder.L", {0.24f, 1.08f, 0.44f}},
    {"forefoot.L", "foreknee.L", {0.24f, 0.20f, 0.42f}},
    {"hip.L", "pelvis", {0.20f, 1.92f, -0.62f}},
    {"knee.L", "hip.L", {0.24f, 1.42f, -0.50f}},
    {"hock.L", "knee.L", {0.24f, 0.98f, -0.70f}},
    {"hindfoot.L", "hock.L", {0.24f, 0.20f, -0.62f}},
    {"tail1", "pelvis", {0.0f, 2.12f, -0.96f}},
    {"tail2", "tail1", {0.0f, 1.72f, -1.10f}},
};

static const tgChainDef tg_giraffeChains[] = {
    {.keys = {{{0.0f, 2.06f, -0.60f}, 0.25f},
              {{0.0f, 2.12f, -0.36f}, 0.28f},
              {{0.0f, 2.20f, 0.03f}, 0.31f},
              {{0.0f, 2.30f, 0.34f}, 0.32f}},
     .flatten = 0.80f,
     .flattenAxis = {1.0f, 0.0f, 0.0f},
     .joints = {"pelvis", "spine", "chest"},
     .tail = {0.0f, 2.62f, 0.56f},
     .ramp = 0.40f,
     .reach = 0.22f},
    {.keys = {{{0.20f, 2.10f, 0.40f}, 0.21f},
              {{0.235f, 1.62f, 0.43f}, 0.130f},
              {{0.24f, 1.10f, 0.45f}, 0.115f},
              {{0.24f, 0.60f, 0.43f}, 0.090f},
              {{0.24f, 0.22f, 0.42f}, 0.092f},
              {{0.24f, 0.07f, 0.45f}, 0.125f}},
     .blend = 0.16f,
     .mirrored = true,
     .joints = {"chest", "shoulder.L", "foreknee.L", "forefoot.L"},
     .tail = {0.24f, 0.0f, 0.44f},
     .ramp = 0.26f,
     .reach = 0.16f},
    {.keys = {{{0.18f, 1.98f, -0.60f}, 0.22f},
              {{0.23f, 1.52f, -0.54f}, 0.150f},
              {{0.24f, 1.02f, -0.68f}, 0.118f},
              {{0.24f, 0.60f, -0.65f}, 0.090f},
              {{0.24f, 0.22f, -0.62f}, 0.092f},
              {{0.24f, 0.07f, -0.59f}, 0.125f}},
     .blend = 0.16f,
     .mirrored = true,
     .joints = {"pelvis", "hip.L", "knee.L", "hock.L", "hindfoot.L"},
     .tail = {0.24f, 0.0f, -0.60f},
     .ramp = 0.26f,
     .reach = 0.16f},
    {.keys = {{{0.0f, 2.38f, 0.38f}, 0.37f},
              {{0.0f, 2.70f, 0.60f}, 0.350f},
              {{0.0f, 3.10f, 0.82f}, 0.340f},
              {{0.0f, 3.50f, 1.00f}, 0.320f},
              {{0.0f, 3.86f, 1.15f}, 0.280f},
              {{0.0f, 4.12f, 1.24f}, 0.220f}},
     .blend = 0.16f,
     .flatten = 0.92f,
     .flattenAxis = {1.0f, 0.0f, 0.0f},
     .joints = {"chest", "neck1", "neck2", "head"},
     .ramp = 1.60f,
     .reach = 0.16f},
    {.keys = {{{0.0f, 4.22f, 1.24f}, 0.185f},
              {{0.0f, 4.20f, 1.40f}, 0.175f},
              {{0.0f, 4.08f, 1.64f}, 0.125f},
              {{0.0f, 4.00f, 1.84f}, 0.118f}},
     .blend = 0.10f,
     .joints = {"neck2", "head"},
     .ramp = 0.30f,
     .reach = 0.12f},
    // Horns, apart enough for a coarse grid to see two of them.
    {.keys = {{{0.10f, 4.32f, 1.26f}, 0.060f},
              {{0.155f, 4.50f, 1.21f}, 0.050f},
              {{0.185f, 4.60f, 1.18f}, 0.070f}},
     .blend = 0.04f,
     .mirrored = true,
     .joints = {"head"},
     .ramp = 0.2f,
     .reach = 0.08f},
    {.keys = {{{0.15f, 4.20f, 1.20f}, 0.055f},
              {{0.29f, 4.22f, 1.13f}, 0.095f},
              {{0.42f, 4.20f, 1.08f}, 0.050f}},
     .blend = 0.05f,
     .flatten = 0.5f,
     .flattenAxis = {0.30f, 0.30f, 0.906f},
     .mirrored = true,
     .joints = {"head", "ear.L"},
     .ramp = 0.10f,
     .reach = 0.06f},
    {.keys = {{{0.0f, 2.16f, -0.92f}, 0.10f},
              {{0.0f, 1.86f, -1.08f}, 0.060f},
              {{0.0f, 1.46f, -1.14f}, 0.060f},
              {{0.0f, 1.24f, -1.15f}, 0.095f},
              {{0.0f, 1.08f, -1.15f}, 0.06f}},
     .blend = 0.08f,
     .joints = {"pelvis", "tail1", "tail2"},
     .ramp = 0.22f,
     .reach = 0.08f},
};

static const tgChainDef tg_giraffeEyeChains[] = {
    {.keys = {{{0.150f, 4.22f, 1.44f}, 0.042f}},
     .mirrored = true,
     .joints = {"head"},
     .ramp = 0.2f,
     .reach = 0.1f},
};

static void tgAnimateGiraffe(tgPoser* poser, float time)
{
    static const float tg_down[][2] = {
        {0.2f, 0.0f}, {1.4f, 1.0f}, {2.0f, 0.75f}, {2.6f, 0.8f}, {3.8f, 0.0f}};
    static const float tg_side[][2] = {{1.2f, 0.0f}, {2.2f, 1.0f}, {2.6f, 1.0f}, {3.6f, 0.0f}};
    float down = tgEase(tg_down, 5, time), side = tgEase(tg_side, 4, time);
    static const char* const tg_neck[] = {"neck1", "neck2"};
    // Both joints alike: at one alone the neck folds flat, and what swells there has a hard edge.
    static const float tg_bend[] = {70.0f, 98.0f};
    for (int i = 0; i < 2; ++i) {
        tgPoser_Turn(poser, tg_neck[i], tg_bend[i] * down, 24.0f * side, 0.0f);
    }
    tgPoser_Turn(poser, "head", -24.0f * down, 10.0f * side, 0.0f);
    tgPoser_Turn(poser, "tail1", 0.0f, 0.0f, 18.0f * side);
    tgPoser_TurnBoth(poser, "ear.L", 0.0f, 20.0f * side, 0.0f);
}

static const tgCharacterPart tg_giraffeParts[] = {
    {.name = "giraffe",
     .baseColor = {0.72f, 0.46f, 0.17f, 1.0f},
     .roughness = 0.7f,
     .chains = tg_giraffeChains,
     .chainCount = sizeof(tg_giraffeChains) / sizeof(tg_giraffeChains[0]),
     .groundBlend = 0.025f},
    {.name = "eyes",
     .baseColor = {0.02f, 0.015f, 0.01f, 1.0f},
     .roughness = 0.15f,
     .chains = tg_giraffeEyeChains,
     .chainCount = 1,
     .cellSize = 0.030f},
};

static const tgModelAnimation tg_giraffeAnimations[] = {{"graze", 4.0f, tgAnimateGiraffe}};

const tgCharacterDef tg_giraffe = {
    .name = "giraffe",
    .defaultVertexCount = 3600,
    .minVertexCount = 800,
    .maxVertexCount = 500000,
    .joints = tg_giraffeJoints,
    .jointCount = sizeof(tg_giraffeJoints) / sizeof(tg_giraffeJoints[0]),
    .parts = tg_giraffeParts,
    .partCount = sizeof(tg_giraffeParts) / sizeof(tg_giraffeParts[0]),
    .animations = tg_giraffeAnimations,
    .animationCount = 1,
};
