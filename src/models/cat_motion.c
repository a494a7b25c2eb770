// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The cat's motions. Paws follow paths and legs reach for them; the back bends so that hind and
// fore paws come together under the belly, then stretches.

#include "models/cat.h"

#include "core/core.h"
#include "models/angles.h"

static const float tg_pi = 3.14159265f;

/// The joints of a leg, and where it rests.
typedef struct tgLeg {
    const char* joints[4]; ///< hip, knee, ankle, paw
} tgLeg;

static const tgLeg tg_foreLegs[2] = {{{"shoulder.L", "elbow.L", "wrist.L", "forepaw.L"}},
                                     {{"shoulder.R", "elbow.R", "wrist.R", "forepaw.R"}}};
static const tgLeg tg_hindLegs[2] = {{{"hip.L", "knee.L", "hock.L", "hindpaw.L"}},
                                     {{"hip.R", "knee.R", "hock.R", "hindpaw.R"}}};

/// Put a paw at its rest place plus `offset`, with the foot above it turned back by `fold` degrees;
/// the paw itself stays level as far as it can.
static void tgPlacePaw(tgPoser* poser, const tgLeg* leg, tgVec3 offset, float fold)
{
    const tgModelSkeleton* skeleton = poser->skeleton;
    tgVec3 ankle = skeleton->positions[tgModelSkeleton_Find(skeleton, leg->joints[2])];
    tgVec3 paw = skeleton->positions[tgModelSkeleton_Find(skeleton, leg->joints[3])];
    tgVec3 foot = tgSub(paw, ankle);
    tgQuat turn = tgMakeTurn(tgMakeVec3(1.0f, 0.0f, 0.0f), fold * tg_pi / 180.0f);
    tgVec3 ankleOffset = tgAdd(offset, tgSub(foot, tgRotate(turn, foot)));
    tgPoser_PlaceFoot(poser, leg->joints[0], leg->joints[1], leg->joints[2], ankleOffset);
    tgPoser_Turn(poser, leg->joints[2], fold, 0.0f, 0.0f);
    tgPoser_Turn(poser, leg->joints[3], -fminf(fold, 40.0f), 0.0f, 0.0f);
}

/// Bend the back: positive arches it, hind and fore come together. Neck and head look ahead.
static void tgBendBack(tgPoser* poser, float degrees, float pitch)
{
    static const char* const tg_spine[] = {"spine1", "spine2", "spine3", "chest"};
    tgPoser_Turn(poser, "pelvis", pitch - 2.0f * degrees, 0.0f, 0.0f);
    for (int i = 0; i < 4; ++i) {
        tgPoser_Turn(poser, tg_spine[i], degrees, 0.0f, 0.0f);
    }
    // Now the chest is turned by pitch + 2 degrees; two thirds of that are taken back.
    float back = -(pitch + 2.0f * degrees);
    tgPoser_Turn(poser, "neck", 0.5f * back, 0.0f, 0.0f);
    tgPoser_Turn(poser, "head", 0.3f * back, 0.0f, 0.0f);
}

/// A wave runs down the tail; `lift` raises all of it.
static void tgSwingTail(tgPoser* poser, float phase, float degrees, float lift)
{
    static const char* const tg_tail[] = {"tail1", "tail2", "tail3", "tail4", "tail5"};
    for (int i = 0; i < 5; ++i) {
        float wave = tgSin(2.0f * tg_pi * (phase - 0.13f * (float)i));
        tgPoser_Turn(poser, tg_tail[i], lift + degrees * wave, 0.0f, 0.0f);
    }
}

static const tgStride tg_foreStride = {0.28f, 0.095f, -0.105f, 0.060f, -18.0f, 38.0f, 95.0f};
static const tgStride tg_hindStride = {0.28f, 0.115f, -0.085f, 0.016f, -12.0f, 48.0f, 34.0f};

/// @param phase from when the paw comes down
static void tgStepPaw(tgPoser* poser, const tgLeg* leg, const tgStride* stride, float phase)
{
    tgVec3 offset;
    float fold;
    tgGetStride(stride, phase, &offset, &fold);
    tgPlacePaw(poser, leg, offset, fold);
}

void tgRunCat(tgPoser* poser, float time)
{
    float phase = time / 0.6f, angle = 2.0f * tg_pi * phase;
    // Gathered at phase 0, stretched at a half, in the air at both.
    float gather = tgCos(angle), air = tgCos(2.0f * angle);
    tgPoser_Move(poser, "pelvis", tgMakeVec3(0.0f, -0.022f + 0.012f * air, 0.0f));
    tgBendBack(poser, 3.0f + 11.0f * gather, -7.0f * tgSin(angle));
    tgSwingTail(poser, phase, 9.0f, -4.0f);
    tgPoser_TurnBoth(poser, "ear.L", -12.0f, 0.0f, 0.0f);
    // The right paws lead.
    tgStepPaw(poser, &tg_hindLegs[0], &tg_hindStride, phase - 0.14f);
    tgStepPaw(poser, &tg_hindLegs[1], &tg_hindStride, phase - 0.08f);
    tgStepPaw(poser, &tg_foreLegs[0], &tg_foreStride, phase - 0.62f);
    tgStepPaw(poser, &tg_foreLegs[1], &tg_foreStride, phase - 0.54f);
}

void tgJumpCat(tgPoser* poser, float time)
{
    static const float tg_height[][2] = {
        {0.10f, 0.0f}, {0.48f, -0.075f}, {0.90f, 0.30f}, {1.26f, -0.060f}, {1.65f, 0.0f}};
    static const float tg_pitch[][2] = {{0.10f, 0.0f},  {0.48f, 3.0f},  {0.70f, -30.0f},
                                        {0.92f, -4.0f}, {1.14f, 20.0f}, {1.34f, 0.0f}};
    static const float tg_bend[][2] = {{0.10f, 0.0f},  {0.48f, 8.0f}, {0.72f, -7.0f},
                                       {0.95f, -4.0f}, {1.24f, 8.0f}, {1.65f, 0.0f}};
    static const float tg_foreRise[][2] = {{0.50f, 0.0f}, {0.84f, 0.39f}, {1.16f, 0.0f}};
    static const float tg_foreReach[][2] = {
        {0.46f, 0.0f}, {0.82f, 0.16f}, {1.14f, 0.06f}, {1.30f, 0.06f}, {1.65f, 0.0f}};
    static const float tg_foreFold[][2] = {
        {0.50f, 0.0f}, {0.72f, 60.0f}, {1.02f, -10.0f}, {1.20f, 0.0f}};
    static const float tg_hindRise[][2] = {{0.58f, 0.0f}, {0.95f, 0.28f}, {1.22f, 0.0f}};
    static const float tg_hindReach[][2] = {
        {0.58f, 0.0f}, {0.86f, -0.15f}, {1.10f, 0.03f}, {1.24f, 0.05f}, {1.65f, 0.0f}};
    static const float tg_hindFold[][2] = {
        {0.48f, 0.0f}, {0.72f, 60.0f}, {1.06f, 20.0f}, {1.22f, 0.0f}};
    float height = tgEase(tg_height, 5, time);
    tgPoser_Move(poser, "pelvis", tgMakeVec3(0.0f, height, 0.0f));
    tgBendBack(poser, tgEase(tg_bend, 6, time), tgEase(tg_pitch, 6, time));
    static const float tg_tail[][2] = {{0.2f, 0.0f}, {0.6f, 1.0f}, {1.3f, 1.0f}, {1.7f, 0.0f}};
    float tail = tgEase(tg_tail, 4, time);
    tgSwingTail(poser, 0.9f * time, 8.0f * tail, 5.0f * tail);
    tgVec3 fore = {0.0f, tgEase(tg_foreRise, 3, time), tgEase(tg_foreReach, 5, time)};
    tgVec3 hind = {0.0f, tgEase(tg_hindRise, 3, time), tgEase(tg_hindReach, 5, time)};
    for (int side = 0; side < 2; ++side) {
        tgPlacePaw(poser, &tg_foreLegs[side], fore, tgEase(tg_foreFold, 4, time));
        tgPlacePaw(poser, &tg_hindLegs[side], hind, tgEase(tg_hindFold, 4, time));
    }
}
