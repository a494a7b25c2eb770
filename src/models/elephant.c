// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// An African elephant, standing. It sits down on its hind legs, which squeezes its belly between
// the thighs, curls its trunk up and stands again. Metres; the feet stay where they are.

#include "models/character.h"

static const tgJointDef tg_elephantJoints[] = {
    {"pelvis", NULL, {0.0f, 1.72f, -0.86f}},
    {"spine1", "pelvis", {0.0f, 1.76f, -0.46f}},
    {"spine2", "spine1", {0.0f, 1.79f, -0.06f}},
    {"spine3", "spine2", {0.0f, 1.83f, 0.34f}},
    {"chest", "spine3", {0.0f, 1.88f, 0.70f}},
    {"neck", "chest", {0.0f, 2.00f, 1.02f}},
    {"head", "neck", {0.0f, 2.12f, 1.30f}},
    {"jaw", "head", {0.0f, 1.86f, 1.52f}},
    {"trunk1", "head", {0.0f, 1.98f, 1.76f}},
    {"trunk2", "trunk1", {0.0f, 1.76f, 1.96f}},
    {"trunk3", "trunk2", {0.0f, 1.51f, 2.06f}},
    {"trunk4", "trunk3", {0.0f, 1.25f, 2.10f}},
    {"trunk5", "trunk4", {0.0f, 0.99f, 2.09f}},
    {"trunk6", "trunk5", {0.0f, 0.74f, 2.07f}},
    {"trunk7", "trunk6", {0.0f, 0.51f, 2.08f}},
    {"trunk8", "trunk7", {0.0f, 0.32f, 2.16f}},
    {"ear.L", "head", {0.40f, 2.22f, 1.22f}},
    {"ear_tip.L", "ear.L", {0.78f, 2.08f, 1.02f}},
    {"shoulder.L", "chest", {0.34f, 1.66f, 0.66f}},
    {"elbow.L", "shoulder.L", {0.40f, 1.05f, 0.58f}},
    {"wrist.L", "elbow.L", {0.41f, 0.52f, 0.66f}},
    {"forefoot.L", "wrist.L", {0.41f, 0.17f, 0.66f}},
    {"hip.L", "pelvis", {0.30f, 1.56f, -0.86f}},
    {"knee.L", "hip.L", {0.40f, 0.98f, -0.70f}},
    {"hock.L", "knee.L", {0.40f, 0.46f, -0.90f}},
    {"hindfoot.L", "hock.L", {0.40f, 0.16f, -0.88f}},
    {"tail1", "pelvis", {0.0f, 1.84f, -1.42f}},
    {"tail2", "tail1", {0.0f, 1.50f, -1.60f}},
    {"tail3", "tail2", {0.0f, 1.16f, -1.66f}},
};

static const tgChainDef tg_elephantChains[] = {
    // Torso: sloping rump, low belly, high shoulders.
    {.keys = {{{0.0f, 1.58f, -1.18f}, 0.44f},
              {{0.0f, 1.66f, -0.82f}, 0.66f},
              {{0.0f, 1.58f, -0.25f}, 0.75f},
              {{0.0f, 1.63f, 0.28f}, 0.74f},
              {{0.0f, 1.76f, 0.70f}, 0.64f}},
     .flatten = 0.92f,
     .flattenAxis = {1.0f, 0.0f, 0.0f},
     .joints = {"pelvis", "spine1", "spine2", "spine3", "chest"},
     .ramp = 0.42f,
     .reach = 0.30f},
    {.keys = {{{0.34f, 1.58f, 0.66f}, 0.37f},
              {{0.40f, 1.10f, 0.60f}, 0.285f},
              {{0.42f, 0.62f, 0.64f}, 0.225f},
              {{0.42f, 0.30f, 0.66f}, 0.220f},
              {{0.42f, 0.12f, 0.69f}, 0.255f}},
     .blend = 0.22f,
     .mirrored = true,
     .joints = {"chest", "shoulder.L", "elbow.L", "wrist.L", "forefoot.L"},
     .tail = {0.42f, 0.0f, 0.68f},
     .ramp = 0.34f,
     .reach = 0.22f},
    {.keys = {{{0.30f, 1.52f, -0.88f}, 0.45f},
              {{0.39f, 1.10f, -0.74f}, 0.345f},
              {{0.42f, 0.72f, -0.78f}, 0.245f},
              {{0.42f, 0.40f, -0.90f}, 0.205f},
              {{0.42f, 0.12f, -0.86f}, 0.245f}},
     .blend = 0.22f,
     .mirrored = true,
     .joints = {"pelvis", "hip.L", "knee.L", "hock.L", "hindfoot.L"},
     .tail = {0.42f, 0.0f, -0.86f},
     .ramp = 0.40f,
     .reach = 0.26f},
    {.keys = {{{0.0f, 1.90f, 0.80f}, 0.54f},
              {{0.0f, 2.06f, 1.10f}, 0.48f},
              {{0.0f, 2.20f, 1.34f}, 0.46f},
              {{0.0f, 2.10f, 1.60f}, 0.35f}},
     .blend = 0.25f,
     .flatten = 0.92f,
     .flattenAxis = {1.0f, 0.0f, 0.0f},
     .joints = {"chest", "neck", "head"},
     .ramp = 0.36f,
     .reach = 0.25f},
    // Dome of the forehead.
    {.keys = {{{0.13f, 2.46f, 1.28f}, 0.26f}, {{0.11f, 2.38f, 1.46f}, 0.26f}},
     .blend = 0.22f,
     .mirrored = true,
     .joints = {"head"},
     .ramp = 0.3f,
     .reach = 0.2f},
    // Cheeks and lower jaw.
    {.keys = {{{0.0f, 1.90f, 1.38f}, 0.28f},
              {{0.0f, 1.72f, 1.64f}, 0.17f},
              {{0.0f, 1.60f, 1.80f}, 0.085f}},
     .blend = 0.10f,
     .joints = {"head", "jaw"},
     .ramp = 0.2f,
     .reach = 0.1f},
    {.keys = {{{0.0f, 2.10f, 1.60f}, 0.31f},
              {{0.0f, 1.90f, 1.88f}, 0.250f},
              {{0.0f, 1.62f, 2.03f}, 0.205f},
              {{0.0f, 1.25f, 2.10f}, 0.170f},
              {{0.0f, 0.87f, 2.08f}, 0.140f},
              {{0.0f, 0.52f, 2.08f}, 0.115f},
              {{0.0f, 0.29f, 2.18f}, 0.100f},
              {{0.0f, 0.22f, 2.33f}, 0.090f}},
     .blend = 0.12f,
     .joints = {"head", "trunk1", "trunk2", "trunk3", "trunk4", "trunk5", "trunk6", "trunk7",
                "trunk8"},
     .ramp = 0.26f,
     .reach = 0.10f},
    // Ears: the shape of Africa.
    {.keys = {{{0.34f, 2.16f, 1.25f}, 0.30f},
              {{0.62f, 2.22f, 1.12f}, 0.42f},
              {{0.92f, 2.14f, 0.98f}, 0.47f},
              {{0.93f, 1.78f, 1.00f}, 0.32f},
              {{0.84f, 1.54f, 1.06f}, 0.17f}},
     .blend = 0.11f,
     .flattenAxis = {0.45f, 0.0f, 0.893f},
     .thickness = 0.03f,
     .mirrored = true,
     .joints = {"head", "ear.L", "ear_tip.L"},
     .tail = {1.25f, 1.95f, 0.85f},
     .ramp = 0.30f,
     .reach = 0.09f},
    {.keys = {{{0.0f, 1.86f, -1.42f}, 0.12f},
              {{0.0f, 1.60f, -1.62f}, 0.075f},
              {{0.0f, 1.22f, -1.70f}, 0.060f},
              {{0.0f, 0.98f, -1.71f}, 0.085f},
              {{0.0f, 0.84f, -1.71f}, 0.060f}},
     .blend = 0.10f,
     .joints = {"pelvis", "tail1", "tail2", "tail3"},
     .ramp = 0.22f,
     .reach = 0.08f},
};

static const tgChainDef tg_tuskChains[] = {
    {.keys = {{{0.20f, 1.86f, 1.66f}, 0.070f},
              {{0.25f, 1.64f, 1.82f}, 0.066f},
              {{0.29f, 1.48f, 2.02f}, 0.058f},
              {{0.30f, 1.42f, 2.23f}, 0.046f},
              {{0.29f, 1.45f, 2.42f}, 0.028f}},
     .mirrored = true,
     .joints = {"head"},
     .ramp = 0.2f,
     .reach = 0.1f},
};

static const tgChainDef tg_eyeChains[] = {
    {.keys = {{{0.325f, 2.14f, 1.66f}, 0.050f}},
     .mirrored = true,
     .joints = {"head"},
     .ramp = 0.2f,
     .reach = 0.1f},
};

/// The trunk rises from its root and curls at its tip, one joint after the other.
static void tgCurlTrunk(tgPoser* poser, float time)
{
    static const float tg_curl[][2] = {{0.5f, 0.0f}, {1.8f, 1.0f}, {2.3f, 1.0f}, {3.4f, 0.0f}};
    static const char* const tg_trunk[] = {"trunk1", "trunk2", "trunk3", "trunk4",
                                           "trunk5", "trunk6", "trunk7", "trunk8"};
    static const float tg_degrees[] = {-30.0f, -30.0f, -26.0f, -16.0f,
                                       -8.0f,  -12.0f, -28.0f, -38.0f};
    for (int i = 0; i < 8; ++i) {
        float curl = tgEase(tg_curl, 4, time - 0.05f * (float)i);
        tgPoser_Turn(poser, tg_trunk[i], tg_degrees[i] * curl, 0.0f, 0.0f);
    }
    float curl = tgEase(tg_curl, 4, time);
    tgPoser_Turn(poser, "head", -16.0f * curl, 0.0f, 0.0f);
    tgPoser_Turn(poser, "jaw", 14.0f * curl, 0.0f, 0.0f);
    tgPoser_TurnBoth(poser, "ear.L", 0.0f, -16.0f * curl, 0.0f);
}

static void tgAnimateElephant(tgPoser* poser, float time)
{
    static const float tg_sit[][2] = {{0.2f, 0.0f}, {1.5f, 1.0f}, {2.5f, 1.0f}, {3.8f, 0.0f}};
    float sit = tgEase(tg_sit, 4, time);
    tgPoser_Move(poser, "pelvis", tgMakeVec3(0.0f, -0.75f * sit, -0.04f * sit));
    tgPoser_Turn(poser, "pelvis", -43.0f * sit, 0.0f, 0.0f);
    tgPoser_Turn(poser, "spine1", 9.0f * sit, 0.0f, 0.0f);
    tgPoser_Turn(poser, "spine2", 9.0f * sit, 0.0f, 0.0f);
    tgPoser_Turn(poser, "spine3", 7.0f * sit, 0.0f, 0.0f);
    tgPoser_Turn(poser, "neck", 6.0f * sit, 0.0f, 0.0f);
    tgPoser_Turn(poser, "head", 6.0f * sit, 0.0f, 0.0f);
    tgPoser_Turn(poser, "tail1", 66.0f * sit, 0.0f, 0.0f);
    tgPoser_Turn(poser, "tail2", 24.0f * sit, 0.0f, 0.0f);
    tgPoser_Turn(poser, "tail3", 10.0f * sit, 0.0f, 0.0f);
    tgCurlTrunk(poser, time);
    const tgVec3 still = {0.0f, 0.0f, 0.0f};
    const tgVec3 forward = {0.0f, 0.0f, 0.66f * sit};
    tgPoser_PlaceFoot(poser, "shoulder.L", "elbow.L", "wrist.L", still);
    tgPoser_PlaceFoot(poser, "shoulder.R", "elbow.R", "wrist.R", still);
    tgPoser_PlaceFoot(poser, "hip.L", "knee.L", "hock.L", forward);
    tgPoser_PlaceFoot(poser, "hip.R", "knee.R", "hock.R", forward);
}

static const tgCharacterPart tg_elephantParts[] = {
    {.name = "elephant",
     .baseColor = {0.36f, 0.36f, 0.40f, 1.0f},
     .roughness = 0.75f,
     .chains = tg_elephantChains,
     .chainCount = sizeof(tg_elephantChains) / sizeof(tg_elephantChains[0]),
     .groundBlend = 0.025f},
    {.name = "tusks",
     .baseColor = {0.88f, 0.82f, 0.68f, 1.0f},
     .roughness = 0.35f,
     .chains = tg_tuskChains,
     .chainCount = 1,
     .cellSize = 0.050f},
    {.name = "eyes",
     .baseColor = {0.02f, 0.015f, 0.01f, 1.0f},
     .roughness = 0.15f,
     .chains = tg_eyeChains,
     .chainCount = 1,
     .cellSize = 0.030f},
};

static const tgModelAnimation tg_elephantAnimations[] = {{"sit", 4.0f, tgAnimateElephant}};

const tgCharacterDef tg_elephant = {
    .name = "elephant",
    .defaultVertexCount = 6600,
    .minVertexCount = 1500,
    .maxVertexCount = 500000,
    .joints = tg_elephantJoints,
    .jointCount = sizeof(tg_elephantJoints) / sizeof(tg_elephantJoints[0]),
    .parts = tg_elephantParts,
    .partCount = sizeof(tg_elephantParts) / sizeof(tg_elephantParts[0]),
    .animations = tg_elephantAnimations,
    .animationCount = 1,
};
