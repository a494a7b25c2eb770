// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Joint frames (2009 s.3.1, with the swing in place of the cross product, which is undefined for
// limbs that are bent at rest). Stateless: the same pose gives the same frame.

#include "core/frame.h"

/// Below this swing a joint counts as straight; 0.06 degrees.
static const float tg_straightSwing = 1e-3f;
/// As a joint passes through its rest pose its frame turns over at once, and what it lost by
/// sliding would move along. Below this swing, 9 degrees, the frame counts for less and less.
static const float tg_softSwing = 0.15f;

static tgVec3 tgTurnUnit(const tgMat34d* m, tgVec3 v)
{
    return tgNormalize(tgMat34d_MulVector(m, v), v);
}

/// How much of the turn between two motions is bend and how much twist about the bone: the part of
/// the swing in the squared movement of the bone and of two vectors across it.
static void tgSetParts(const tgLimb* limb, const tgMat34d* carried, const tgMat34d* own,
                       tgJointFrame* frame)
{
    tgVec3 out = limb->boneOut;
    tgVec3 side = tgNormalize(tgMulAdd(limb->reference, -tgDot(limb->reference, out), out), out);
    tgVec3 moved = tgSub(tgTurnUnit(own, side), tgTurnUnit(carried, side));
    tgVec3 other = tgCross(out, side);
    tgVec3 otherMoved = tgSub(tgTurnUnit(own, other), tgTurnUnit(carried, other));
    // A bend moves the bone by |s|^2 and one of the two across it by as much; a twist moves both.
    float across = tgDot(moved, moved) + tgDot(otherMoved, otherMoved);
    float twist = fmaxf(across - frame->swingSquared, 0.0f);
    float total = frame->swingSquared + twist;
    float little = fmaxf(1.0f - total / (tg_softSwing * tg_softSwing), 0.0f);
    frame->turnPart = 1.0f - little * little;
    frame->bendPart = frame->swingSquared / (total + tg_straightSwing * tg_straightSwing);
}

void tgMakeJointFrame(const tgLimb* limb, tgVec3 origin, const tgMat34d* carried,
                      const tgMat34d* own, tgJointFrame* frame)
{
    frame->scale = 1.0f;
    tgVec3 moved =
        tgMakeVec3((float)carried->c[3][0], (float)carried->c[3][1], (float)carried->c[3][2]);
    frame->origin = tgAdd(tgMat34d_MulVector(carried, origin), moved);
    frame->swing = tgSub(tgTurnUnit(own, limb->boneOut), tgTurnUnit(carried, limb->boneOut));
    frame->swingSquared = tgDot(frame->swing, frame->swing);
    tgSetParts(limb, carried, own, frame);

    tgVec3 e0 = tgTurnUnit(carried, limb->boneIn);
    tgVec3 side = tgTurnUnit(carried, limb->reference);
    bool straight = frame->swingSquared < tg_straightSwing * tg_straightSwing;
    tgVec3 towards = straight ? side : frame->swing;
    tgVec3 e2 = tgNormalize(tgMulAdd(towards, -tgDot(towards, e0), e0), side);
    tgVec3 e1 = tgCross(e2, e0);
    frame->axes[0] = e0;
    frame->axes[1] = e1;
    frame->axes[2] = e2;
    tgVec3 inner = straight ? e2 : tgNormalize(frame->swing, e2);
    // e1 lies across the swing already, but for rounding.
    tgVec3 axis = tgNormalize(tgMulAdd(e1, -tgDot(e1, inner), inner), e1);
    frame->bisector[0] = tgCross(axis, inner);
    frame->bisector[1] = axis;
    frame->bisector[2] = inner;
}
