// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A mushroom: a wide, hollow cap on a stem, so that flesh about one bone is now thick, now thin. It
// jerks sideways, stops, and jerks back. The cap hangs on one bone, from "cap" to "top". Metres.

#include "models/character.h"

static const tgJointDef tg_mushroomJoints[] = {
    {"base", NULL, {0.0f, 0.0f, 0.0f}},
    {"stem", "base", {0.0f, 0.060f, 0.0f}},
    {"cap", "stem", {0.0f, 0.115f, 0.0f}},
    {"top", "cap", {0.0f, 0.275f, 0.0f}},
};

static const tgChainDef tg_mushroomChains[] = {
    {.keys = {{{0.0f, 0.010f, 0.0f}, 0.056f},
              {{0.0f, 0.050f, 0.0f}, 0.047f},
              {{0.0f, 0.110f, 0.0f}, 0.038f},
              {{0.0f, 0.190f, 0.0f}, 0.040f}},
     .joints = {"base", "stem", "cap", "top"},
     .ramp = 0.040f,
     .reach = 0.020f},
    // The cap, from its apex to its rim.
    {.keys = {{{0.000f, 0.222f, 0.0f}, 0.052f},
              {{0.045f, 0.215f, 0.0f}, 0.048f},
              {{0.086f, 0.190f, 0.0f}, 0.038f},
              {{0.120f, 0.152f, 0.0f}, 0.027f}},
     .blend = 0.030f,
     .revolved = true,
     .joints = {"cap", "top"},
     .tail = {0.0f, 0.300f, 0.0f},
     .ramp = 0.040f,
     .reach = 0.020f},
};

static void tgAnimateMushroom(tgPoser* poser, float time)
{
    static const float tg_side[][2] = {{0.2f, 0.0f}, {0.5f, 0.20f}, {2.0f, 0.20f}, {2.3f, 0.0f}};
    tgPoser_Move(poser, "base", tgMakeVec3(tgEase(tg_side, 4, time), 0.0f, 0.0f));
}

static const tgCharacterPart tg_mushroomParts[] = {
    {.name = "mushroom",
     .baseColor = {0.46f, 0.20f, 0.10f, 1.0f},
     .roughness = 0.5f,
     .chains = tg_mushroomChains,
     .chainCount = sizeof(tg_mushroomChains) / sizeof(tg_mushroomChains[0]),
     .groundBlend = 0.12f},
};

static const tgModelAnimation tg_mushroomAnimations[] = {{"shake", 4.0f, tgAnimateMushroom}};

const tgCharacterDef tg_mushroom = {
    .name = "mushroom",
    .defaultVertexCount = 1500,
    .minVertexCount = 400,
    .maxVertexCount = 500000,
    .joints = tg_mushroomJoints,
    .jointCount = sizeof(tg_mushroomJoints) / sizeof(tg_mushroomJoints[0]),
    .parts = tg_mushroomParts,
    .partCount = 1,
    .animations = tg_mushroomAnimations,
    .animationCount = 1,
};
