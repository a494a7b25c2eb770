// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Profiles (2009 s.3.3): bell curves about a centre, times what makes a muscle, a fold or an
// artist's curve of them. Exponentials and sines are our own polynomials: the same bits everywhere.

#include "core/profile.h"

#include "core/core.h"

#include <math.h>
#include <string.h>

static const int tg_profileCookie = 0x7418;
/// Subtracted from a profile whose peak is 1: beyond 3.03 widths nothing moves.
static const float tg_supportCut = 1e-4f;
static const float tg_bellReach = 3.05f;
/// Below this swing a joint counts as straight; 0.06 degrees.
static const float tg_straightSwing = 1e-3f;
static const float tg_halfPi = 1.57079632679f;
static const float tg_mostGain = 4.0f;

tgProfile tgDefaultProfile(tgProfileKind kind)
{
    tgProfile profile = {.kind = kind,
                         .sigma = {0.25f, 0.25f, 0.25f},
                         .folds = 4.0f,
                         .foldAngle = tg_halfPi,
                         .gain = 1.0f,
                         .cookie = tg_profileCookie};
    switch (kind) {
    case tg_profileOrganic:
        break; // the skin's own support: no lengths, no shares
    case tg_profileIsotropic:
        break; // shares by the axes' worth
    case tg_profileRubber:
        profile.mu[1] = 1.0f;
        break;
    case tg_profileMuscle:
        profile.mu[0] = profile.mu[1] = 0.1f;
        profile.mu[2] = 0.8f;
        profile.center[0] = -0.4f;
        break;
    case tg_profileFolds:
        profile.mu[1] = profile.mu[2] = 0.5f;
        break;
    case tg_profileBelly:
        profile.mu[0] = 0.1f;
        profile.mu[1] = 0.1f;
        profile.mu[2] = 0.8f;
        profile.folds = 2.0f;
        profile.sigma[0] = 0.4f;
        profile.sigma[1] = profile.sigma[2] = 0.5f;
        break;
    case tg_profileCurves:
        profile.mu[1] = 1.0f;
        break;
    }
    return profile;
}

// ---- checks -------------------------------------------------------------------------------------

static tgResult tgCheckCurves(const tgProfile* profile, const char* where, int joint,
                              tgError* error)
{
    for (int axis = 0; axis < 3; ++axis) {
        int count = profile->curveCounts[axis];
        if (count < 0 || count > tg_mostCurvePoints) {
            return tgFail(error, tg_invalidArgument, joint,
                          "%s: curve %d has %d points, wanted 0 to %d", where, axis, count,
                          tg_mostCurvePoints);
        }
        for (int i = 0; i < count; ++i) {
            tgCurvePoint p = profile->curves[axis][i];
            bool rising = i == 0 || p.coordinate > profile->curves[axis][i - 1].coordinate;
            if (!isfinite(p.coordinate) || !(p.value >= 0.0f) || !isfinite(p.value) || !rising) {
                return tgFail(error, tg_invalidArgument, joint,
                              "%s: point %d of curve %d is (%g, %g), wanted rising coordinates and "
                              "values of 0 or more",
                              where, i, axis, (double)p.coordinate, (double)p.value);
            }
        }
    }
    return tg_success;
}

tgResult tgCheckProfile(const tgProfile* profile, const char* where, int joint, tgError* error)
{
    if (profile->cookie != tg_profileCookie) {
        return tgFail(error, tg_invalidArgument, joint,
                      "%s: the profile is not from tgDefaultProfile", where);
    }
    if (profile->kind < tg_profileOrganic || profile->kind > tg_profileCurves) {
        return tgFail(error, tg_invalidArgument, joint, "%s: %d is not one of tgProfileKind", where,
                      (int)profile->kind);
    }
    float sum = 0.0f;
    for (int axis = 0; axis < 3; ++axis) {
        if (!(profile->sigma[axis] > 1e-6f) || !isfinite(profile->sigma[axis])) {
            return tgFail(error, tg_invalidArgument, joint, "%s: sigma is %g, wanted more than 0",
                          where, (double)profile->sigma[axis]);
        }
        if (!(profile->mu[axis] >= 0.0f)) {
            return tgFail(error, tg_invalidArgument, joint, "%s: mu is %g, wanted 0 to 1", where,
                          (double)profile->mu[axis]);
        }
        if (!(fabsf(profile->center[axis]) < 1e6f)) {
            return tgFail(error, tg_invalidArgument, joint, "%s: center is %g, wanted a number",
                          where, (double)profile->center[axis]);
        }
        sum += profile->mu[axis];
    }
    if (sum != 0.0f && !(fabsf(sum - 1.0f) < 1e-3f)) {
        return tgFail(error, tg_invalidArgument, joint, "%s: mu sums to %g, wanted 1", where,
                      (double)sum);
    }
    if (!(fabsf(profile->folds) < 1e6f) || !(profile->foldAngle > 0.0f) ||
        !isfinite(profile->foldAngle)) {
        return tgFail(error, tg_invalidArgument, joint, "%s: folds or foldAngle is out of range",
                      where);
    }
    if (!(profile->drift >= 0.0f && profile->drift <= 1.0f)) {
        return tgFail(error, tg_invalidArgument, joint, "%s: drift is %g, wanted 0 to 1", where,
                      (double)profile->drift);
    }
    if (!(profile->gain >= 0.0f && profile->gain <= tg_mostGain)) {
        return tgFail(error, tg_invalidArgument, joint, "%s: gain is %g, wanted 0 to %g", where,
                      (double)profile->gain, (double)tg_mostGain);
    }
    return tgCheckCurves(profile, where, joint, error);
}

// ---- reach --------------------------------------------------------------------------------------

/// How far from the joint a bell may be more than nothing, in bone lengths.
static float tgGetBellReach(const tgProfile* profile)
{
    const float *c = profile->center, *sigma = profile->sigma;
    float away = sqrtf((c[0] * c[0] + c[1] * c[1]) + c[2] * c[2]);
    return away + tg_bellReach * fmaxf(fmaxf(sigma[0], sigma[1]), sigma[2]);
}

/// The far corner of three curves. One that does not end at 0 goes on.
static float tgGetCurvesReach(const tgProfile* profile)
{
    float squared = 0.0f;
    for (int axis = 0; axis < 3; ++axis) {
        int last = profile->curveCounts[axis] - 1;
        bool ends = last > 0 && profile->curves[axis][0].value == 0.0f &&
                    profile->curves[axis][last].value == 0.0f;
        float far = fmaxf(fabsf(profile->curves[axis][0].coordinate),
                          fabsf(profile->curves[axis][last < 0 ? 0 : last].coordinate));
        squared += ends ? far * far : INFINITY;
    }
    return sqrtf(squared);
}

float tgGetProfileReach(const tgLimb* limb)
{
    float reach = 0.0f;
    for (int i = 0; i < limb->profileCount; ++i) {
        const tgProfile* profile = &limb->profiles[i];
        float own = profile->kind == tg_profileOrganic  ? INFINITY
                    : profile->kind == tg_profileCurves ? tgGetCurvesReach(profile)
                                                        : tgGetBellReach(profile);
        reach = fmaxf(reach, own * limb->boneLength);
    }
    return reach;
}

// ---- the frame of a joint -----------------------------------------------------------------------

static tgVec3 tgTurn(const double turn[3][3], tgVec3 v)
{
    double x = (double)v.x, y = (double)v.y, z = (double)v.z;
    return tgMakeVec3((float)(turn[0][0] * x + turn[1][0] * y + turn[2][0] * z),
                      (float)(turn[0][1] * x + turn[1][1] * y + turn[2][1] * z),
                      (float)(turn[0][2] * x + turn[1][2] * y + turn[2][2] * z));
}

/// The part of the swing in the squared movement of the bone and of two vectors across it: a bend
/// moves the bone by |s|^2 and one of the two as much, a twist moves both of those.
static float tgGetBendPart(const tgLimb* limb, const double turn[3][3], float swingSquared)
{
    tgVec3 out = limb->boneOut;
    tgVec3 side = tgNormalize(tgMulAdd(limb->reference, -tgDot(limb->reference, out), out), out);
    tgVec3 other = tgCross(out, side);
    tgVec3 moved = tgSub(tgTurn(turn, side), side), otherMoved = tgSub(tgTurn(turn, other), other);
    float across = tgDot(moved, moved) + tgDot(otherMoved, otherMoved);
    float twist = fmaxf(across - swingSquared, 0.0f);
    return swingSquared / (swingSquared + twist + tg_straightSwing * tg_straightSwing);
}

tgJointFrame tgMakeRestFrame(const tgLimb* limb, const double turn[3][3])
{
    tgJointFrame frame = {.origin = limb->origin, .unit = 1.0f};
    tgVec3 e0 = limb->boneIn, side = limb->reference;
    tgVec3 swing = tgSub(tgTurn(turn, limb->boneOut), limb->boneOut);
    frame.swingSquared = tgDot(swing, swing);
    frame.bendPart = tgGetBendPart(limb, turn, frame.swingSquared);
    bool straight = frame.swingSquared < tg_straightSwing * tg_straightSwing;
    tgVec3 towards = straight ? side : swing;
    frame.axes[0] = e0;
    frame.axes[2] = tgNormalize(tgMulAdd(towards, -tgDot(towards, e0), e0), side);
    frame.axes[1] = tgCross(frame.axes[2], e0);
    return frame;
}

tgJointFrame tgMakeHingeFrame(const tgLimb* limb, const double turn[3][3])
{
    double own[3][3];
    for (int k = 0; k < 3; ++k) { // back, where the hinge is the carrier
        for (int i = 0; i < 3; ++i) {
            own[k][i] = limb->hinge == limb->joint ? turn[k][i] : turn[i][k];
        }
    }
    return tgMakeRestFrame(limb, (const double(*)[3])own);
}

void tgGetShares(const tgLimb* limb, const tgJointFrame* frame, float shares[3])
{
    const float* mu = limb->profiles[0].mu;
    float mean = 0.5f * (mu[1] + mu[2]);
    shares[0] = mu[0];
    shares[1] = mean + frame->bendPart * (mu[1] - mean);
    shares[2] = mean + frame->bendPart * (mu[2] - mean);
    if (!(mu[0] + mu[1] + mu[2] > 0.0f)) {
        shares[0] = shares[1] = shares[2] = (float)1 / 3;
    }
}

// ---- shapes -------------------------------------------------------------------------------------

/// sin^2(pi t): reduced to [-1/2, 1/2], then the odd series of the sine.
static float tgSineSquared(float t)
{
    float r = t - floorf(t + 0.5f);
    float x = 3.14159265f * r, x2 = x * x;
    float s =
        x * (1.0f + x2 * (-1.66666667e-1f +
                          x2 * (8.33333333e-3f + x2 * (-1.98412698e-4f + x2 * 2.75573192e-6f))));
    return s * s;
}

float tgGetSwingSquared(float angle)
{
    return 4.0f * tgSineSquared(0.159154943f * fminf(angle, 3.14159265f));
}

/// Monotone cubic (Fritsch and Carlson) through a curve's points.
static float tgCurveAt(const tgCurvePoint* points, int count, float x)
{
    if (count == 0) {
        return 1.0f;
    }
    if (count == 1 || x <= points[0].coordinate) {
        return points[0].value;
    }
    if (x >= points[count - 1].coordinate) {
        return points[count - 1].value;
    }
    int i = 0;
    while (x > points[i + 1].coordinate) {
        i += 1;
    }
    float slopes[3], tangents[2]; // of the pieces before, here and after; at both ends of this one
    for (int k = -1; k <= 1; ++k) {
        int a = i + k < 0 ? 0 : i + k > count - 2 ? count - 2 : i + k;
        slopes[k + 1] = (points[a + 1].value - points[a].value) /
                        (points[a + 1].coordinate - points[a].coordinate);
    }
    for (int end = 0; end < 2; ++end) {
        float left = slopes[end], right = slopes[end + 1];
        // The harmonic mean never overshoots, and is 0 where the curve turns.
        tangents[end] = left * right > 0.0f ? 2.0f * left * right / (left + right) : 0.0f;
    }
    float h = points[i + 1].coordinate - points[i].coordinate;
    float t = (x - points[i].coordinate) / h, u = 1.0f - t;
    return points[i].value * (1.0f + 2.0f * t) * u * u +
           points[i + 1].value * t * t * (3.0f - 2.0f * t) +
           h * t * u * (tangents[0] * u - tangents[1] * t);
}

/// How far to the inner side; a twist has none, and what counts is how far from the bone.
static float tgGetInwards(float bendPart, const float p[3])
{
    float inwards = fmaxf(p[2], 0.0f), away = sqrtf(p[1] * p[1] + p[2] * p[2]);
    return away + bendPart * (inwards - away);
}

/// What a profile adds to the bell, at local coordinates in its own unit.
static float tgShapeFactor(const tgProfile* profile, float bendPart, float squeeze,
                           const float p[3])
{
    switch (profile->kind) {
    case tg_profileMuscle:
        return tgGetInwards(bendPart, p);
    case tg_profileFolds:
        return tgSineSquared(profile->folds * p[0]);
    case tg_profileBelly:
        return ((1.0f - squeeze) + squeeze * tgSineSquared(profile->folds * p[0])) *
               tgGetInwards(bendPart, p);
    case tg_profileCurves:
        return tgCurveAt(profile->curves[0], profile->curveCounts[0], p[0]) *
               tgCurveAt(profile->curves[1], profile->curveCounts[1], p[1]) *
               tgCurveAt(profile->curves[2], profile->curveCounts[2], p[2]);
    default:
        return 1.0f;
    }
}

/// The largest value that bell and factor reach together.
static float tgGetPeak(const tgProfile* profile)
{
    if (profile->kind == tg_profileMuscle || profile->kind == tg_profileBelly) {
        return 0.42888194f * profile->sigma[2]; // z exp(-z^2 / sigma^2) at z = sigma / sqrt 2
    }
    float peak = 1.0f;
    for (int axis = 0; axis < 3 && profile->kind == tg_profileCurves; ++axis) {
        float highest = profile->curveCounts[axis] > 0 ? 0.0f : 1.0f;
        for (int i = 0; i < profile->curveCounts[axis]; ++i) {
            highest = fmaxf(highest, profile->curves[axis][i].value);
        }
        peak *= highest;
    }
    return peak;
}

/// exp(-q) for q >= 0 as (1 - y + y^2/2 - y^3/6 + y^4/24)^256, y = q / 256: 2e-5 relative up to q =
/// 16, where it stays from there on. Sums and products only.
static float tgExpMinus(float q)
{
    float y = (q < 16.0f ? -q : -16.0f) * (1.0f / 256.0f);
    float e = 1.0f + y * (1.0f + y * (0.5f + y * ((float)1 / 6 + y * ((float)1 / 24))));
    for (int k = 0; k < 8; ++k) {
        e *= e;
    }
    return e;
}

/// One profile at local coordinates; its peak is 1.
static float tgGetProfileAt(const tgLimb* limb, const tgProfile* profile, const tgJointFrame* frame,
                            const float p[3])
{
    float q = 0.0f;
    for (int axis = 0; axis < 3 && profile->kind != tg_profileCurves; ++axis) {
        float away = (p[axis] - profile->center[axis]) / profile->sigma[axis];
        q += away * away;
    }
    // A bend loses volume by the square of its swing.
    float squeeze = fminf(frame->swingSquared / limb->foldSwingSquared, 1.0f);
    float peak = tgGetPeak(profile);
    float scale = peak > 1e-30f && peak < 1e30f ? 1.0f / peak : 0.0f;
    return scale * tgExpMinus(q) * tgShapeFactor(profile, frame->bendPart, squeeze, p);
}

void tgFillGamma(const tgLimb* limb, const tgJointFrame* frame, const float* positions,
                 const float* supports, int count, float* gamma)
{
    tgVec3 axes[3];
    for (int axis = 0; axis < 3; ++axis) {
        axes[axis] = tgMulSV(1.0f / (frame->unit * limb->boneLength), frame->axes[axis]);
    }
    for (int k = 0; k < count; ++k) {
        const float* at = positions + 4 * (size_t)k;
        tgVec3 away = tgSub(tgMakeVec3(at[0], at[1], at[2]), frame->origin);
        const float p[3] = {tgDot(axes[0], away), tgDot(axes[1], away), tgDot(axes[2], away)};
        float sum = 0.0f, terms = 0.0f;
        for (int i = 0; i < limb->profileCount; ++i) {
            const tgProfile* profile = &limb->profiles[i];
            bool isPlain = profile->kind == tg_profileOrganic && supports != NULL;
            float own = isPlain ? supports[k] : tgGetProfileAt(limb, profile, frame, p);
            bool multiplies = i > 0 && profile->combine == tg_combineMultiply;
            sum = multiplies ? sum * own : sum + own;
            terms += multiplies ? 0.0f : 1.0f;
        }
        gamma[k] = fmaxf(sum / terms - tg_supportCut, 0.0f); // at most 1
    }
}
