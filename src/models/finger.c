// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A finger along +x with its knuckle, palm side down, that curls downwards about -z. Three
// phalanges, each shorter than the one before, and a nail. Metres.

#include "models/character.h"

static const tgJointDef tg_fingerJoints[] = {
    {"knuckle", NULL, {0.000f, 0.000f, 0.0f}},
    {"proximal", "knuckle", {0.034f, 0.000f, 0.0f}},
    {"middle", "proximal", {0.080f, -0.001f, 0.0f}},
    {"distal", "middle", {0.108f, -0.002f, 0.0f}},
};

static const tgChainDef tg_fingerChains[] = {
    {.keys = {{{0.002f, -0.001f, 0.0f}, 0.0120f},
              {{0.034f, -0.0005f, 0.0f}, 0.0120f},
              {{0.056f, -0.001f, 0.0f}, 0.0100f},
              {{0.080f, -0.001f, 0.0f}, 0.0099f},
              {{0.094f, -0.002f, 0.0f}, 0.0086f},
              {{0.108f, -0.002f, 0.0f}, 0.0085f},
              {{0.118f, -0.0025f, 0.0f}, 0.0080f},
              {{0.126f, -0.003f, 0.0f}, 0.0066f}},
     .joints = {"knuckle", "proximal", "middle", "distal"},
     .ramp = 0.016f,
     .reach = 0.006f},
    // The knuckle, and the pads between the creases.
    {.keys = {{{0.031f, 0.0040f, 0.0f}, 0.0095f}, {{0.037f, 0.0035f, 0.0f}, 0.0092f}},
     .blend = 0.010f,
     .joints = {"knuckle", "proximal"},
     .tail = {0.080f, 0.0f, 0.0f},
     .ramp = 0.016f,
     .reach = 0.006f},
    {.keys = {{{0.050f, -0.0045f, 0.0f}, 0.0078f}, {{0.066f, -0.0045f, 0.0f}, 0.0076f}},
     .blend = 0.006f,
     .joints = {"knuckle", "proximal", "middle"},
     .tail = {0.108f, 0.0f, 0.0f},
     .ramp = 0.016f,
     .reach = 0.006f},
    {.keys = {{{0.091f, -0.0045f, 0.0f}, 0.0068f}, {{0.098f, -0.0045f, 0.0f}, 0.0068f}},
     .blend = 0.005f,
     .joints = {"proximal", "middle", "distal"},
     .tail = {0.130f, 0.0f, 0.0f},
     .ramp = 0.016f,
     .reach = 0.006f},
    {.keys = {{{0.116f, -0.0045f, 0.0f}, 0.0070f}, {{0.123f, -0.0048f, 0.0f}, 0.0064f}},
     .blend = 0.005f,
     .joints = {"middle", "distal"},
     .tail = {0.130f, 0.0f, 0.0f},
     .ramp = 0.016f,
     .reach = 0.006f},
};

static const tgChainDef tg_nailChains[] = {
    {.keys = {{{0.1185f, 0.0048f, 0.0f}, 0.0048f}, {{0.1264f, 0.0033f, 0.0f}, 0.0050f}},
     .flatten = 0.24f,
     .flattenAxis = {0.1865f, 0.9825f, 0.0f},
     .joints = {"distal"},
     .ramp = 0.016f,
     .reach = 0.006f},
};

static void tgAnimateFinger(tgPoser* poser, float time)
{
    static const float tg_first[][2] = {{0.0f, 0.0f}, {1.2f, -70.0f}, {1.6f, -70.0f}, {2.8f, 0.0f}};
    static const float tg_second[][2] = {
        {0.1f, 0.0f}, {1.3f, -95.0f}, {1.7f, -95.0f}, {2.9f, 0.0f}};
    static const float tg_third[][2] = {{0.2f, 0.0f}, {1.4f, -60.0f}, {1.8f, -60.0f}, {3.0f, 0.0f}};
    tgPoser_Turn(poser, "proximal", 0.0f, 0.0f, tgEase(tg_first, 4, time));
    tgPoser_Turn(poser, "middle", 0.0f, 0.0f, tgEase(tg_second, 4, time));
    tgPoser_Turn(poser, "distal", 0.0f, 0.0f, tgEase(tg_third, 4, time));
}

static const tgCharacterPart tg_fingerParts[] = {
    {.name = "finger",
     .baseColor = {0.80f, 0.50f, 0.37f, 1.0f},
     .roughness = 0.55f,
     .chains = tg_fingerChains,
     .chainCount = sizeof(tg_fingerChains) / sizeof(tg_fingerChains[0])},
    {.name = "nail",
     .baseColor = {0.86f, 0.62f, 0.55f, 1.0f},
     .roughness = 0.25f,
     .chains = tg_nailChains,
     .chainCount = 1,
     .cellSize = 0.0018f},
};

static const tgModelAnimation tg_fingerAnimations[] = {{"curl", 3.0f, tgAnimateFinger}};

const tgCharacterDef tg_finger = {
    .name = "finger",
    .defaultVertexCount = 1200,
    .minVertexCount = 300,
    .maxVertexCount = 500000,
    .joints = tg_fingerJoints,
    .jointCount = sizeof(tg_fingerJoints) / sizeof(tg_fingerJoints[0]),
    .parts = tg_fingerParts,
    .partCount = sizeof(tg_fingerParts) / sizeof(tg_fingerParts[0]),
    .animations = tg_fingerAnimations,
    .animationCount = 1,
};
