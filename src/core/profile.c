// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Profiles (2009 s.3.3 and the organic one): bell curves about a centre, times what makes a muscle,
// a fold or an artist's curve of them. Exponentials and sines are our own polynomials: the same
// bits everywhere.

#include "core/profile.h"

#include "core/core.h"

#include <math.h>
#include <string.h>

static const int tg_profileCookie = 0x7418;
/// Subtracted from a profile whose peak is 1: beyond 3.03 widths nothing moves.
static const float tg_supportCut = 1e-4f;
static const float tg_bellReach = 3.05f;
static const float tg_halfPi = 1.57079632679f;

tgProfile tgDefaultProfile(tgProfileKind kind, bool dualQuaternion)
{
    tgProfile profile = {.kind = kind,
                         .sigma = {0.25f, 0.25f, 0.25f},
                         .folds = 4.0f,
                         .foldAngle = tg_halfPi,
                         .driftFocus = 0.75f,
                         .gain = 1.0f,
                         .cookie = tg_profileCookie};
    switch (kind) {
    case tg_profileOrganic: {
        // Fitted to finite elements of flesh round two bones; lengths in limb radii.
        const float mu[2][3] = {{0.0f, 0.5f, 0.5f}, {0.0f, 0.65f, 0.35f}};
        const float sigma[2][3] = {{1.05f, 1.2f, 1.2f}, {1.0f, 1.0f, 1.0f}};
        memcpy(profile.mu, mu[dualQuaternion], sizeof(profile.mu));
        memcpy(profile.sigma, sigma[dualQuaternion], sizeof(profile.sigma));
        profile.center[2] = dualQuaternion ? 1.25f : 0.8f;
        profile.drift = dualQuaternion ? 0.21f : 0.25f;
        profile.driftFocus = dualQuaternion ? 0.75f : 0.9f;
        break;
    }
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
        !isfinite(profile->foldAngle) || !(fabsf(profile->drift) < 1e3f) ||
        !(profile->driftFocus > 0.0f) || !isfinite(profile->driftFocus)) {
        return tgFail(error, tg_invalidArgument, joint,
                      "%s: folds, foldAngle, drift or driftFocus is out of range", where);
    }
    return tgCheckCurves(profile, where, joint, error);
}

// ---- reach --------------------------------------------------------------------------------------

static float tgGetUnit(const tgLimb* limb, const tgProfile* profile)
{
    return profile->kind == tg_profileOrganic ? limb->radius : limb->boneLength;
}

/// How far from the joint a bell may be more than nothing.
static float tgGetBellReach(const tgProfile* profile)
{
    const float *c = profile->center, *sigma = profile->sigma;
    float away = sqrtf((c[0] * c[0] + c[1] * c[1]) + c[2] * c[2]);
    return away + tg_bellReach * fmaxf(fmaxf(sigma[0], sigma[1]), sigma[2]);
}

/// The far corner of three curves. One that does not end at 0 goes on; four bone lengths are far
/// enough.
static float tgGetCurvesReach(const tgProfile* profile)
{
    float squared = 0.0f;
    for (int axis = 0; axis < 3; ++axis) {
        int last = profile->curveCounts[axis] - 1;
        bool ends = last > 0 && profile->curves[axis][0].value == 0.0f &&
                    profile->curves[axis][last].value == 0.0f;
        float far = ends ? fmaxf(fabsf(profile->curves[axis][0].coordinate),
                                 fabsf(profile->curves[axis][last].coordinate))
                         : 4.0f;
        squared += far * far;
    }
    return sqrtf(squared);
}

float tgGetProfileReach(const tgLimb* limb)
{
    float reach = 0.0f;
    for (int i = 0; i < limb->profileCount; ++i) {
        const tgProfile* profile = &limb->profiles[i];
        float own =
            profile->kind == tg_profileCurves ? tgGetCurvesReach(profile) : tgGetBellReach(profile);
        reach = fmaxf(reach, own * tgGetUnit(limb, profile));
    }
    return reach;
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

static bool tgIsBell(const tgProfile* profile)
{
    return profile->kind == tg_profileOrganic || profile->kind == tg_profileIsotropic ||
           profile->kind == tg_profileRubber;
}

bool tgIsBellAllRound(const tgLimb* limb)
{
    bool isBell = true;
    for (int i = 0; i < limb->profileCount; ++i) {
        isBell &= tgIsBell(&limb->profiles[i]);
    }
    return isBell;
}

/// One profile at all takers; its peak is 1.
static void tgFillProfile(const tgLimb* limb, const tgProfile* profile, const tgJointFrame* frame,
                          bool takes, const tgKernels* kernels, const float* positions, float* out,
                          float* local)
{
    int count = tgRoundToLane(limb->takerCount);
    float unit = frame->scale * tgGetUnit(limb, profile);
    bool organic = profile->kind == tg_profileOrganic, bare = tgIsBell(profile);
    tgBellTask task = {.positions = positions,
                       .vertices = limb->takers,
                       .origin = frame->origin,
                       .local = bare ? NULL : local,
                       .out = out,
                       .stride = count};
    for (int axis = 0; axis < 3; ++axis) {
        task.axes[axis] = tgMulSV(1.0f / unit, (organic ? frame->bisector : frame->axes)[axis]);
        // What is too much is taken all round: on the inner side it would dig into the crease. So
        // is what a twist lost, which has no inner side.
        float inwards = !organic ? 1.0f : takes ? 0.0f : frame->turnPart * frame->bendPart;
        task.center[axis] = inwards * profile->center[axis];
        task.inverseSigma[axis] =
            profile->kind == tg_profileCurves ? 0.0f : 1.0f / profile->sigma[axis];
    }
    kernels->bell(&task, 0, count);
    if (bare) {
        return;
    }
    // A bend loses volume by the square of its swing.
    float squeeze = fminf(frame->swingSquared / limb->foldSwingSquared, 1.0f);
    float peak = tgGetPeak(profile);
    float scale = peak > 1e-30f && peak < 1e30f ? 1.0f / peak : 0.0f;
    for (int i = 0; i < limb->takerCount; ++i) {
        const float p[3] = {local[i], local[count + i], local[2 * count + i]};
        out[i] *= scale * tgShapeFactor(profile, frame->bendPart, squeeze, p);
    }
}

void tgFillGamma(const tgLimb* limb, const tgJointFrame* frame, bool takes,
                 const tgKernels* kernels, const float* positions, const float* freedom,
                 float* gamma, float* scratch)
{
    int count = tgRoundToLane(limb->takerCount);
    float* other = scratch + 3 * (size_t)count;
    for (int i = 0; i < limb->profileCount; ++i) {
        const tgProfile* profile = &limb->profiles[i];
        tgFillProfile(limb, profile, frame, takes, kernels, positions, i == 0 ? gamma : other,
                      scratch);
        for (int k = 0; i > 0 && k < count; ++k) {
            gamma[k] =
                profile->combine == tg_combineMultiply ? gamma[k] * other[k] : gamma[k] + other[k];
        }
    }
    float* mask = scratch;
    memcpy(mask, limb->takerScale, (size_t)count * sizeof(float));
    for (int k = 0; freedom != NULL && k < count; ++k) {
        mask[k] *= freedom[limb->takers[k]];
    }
    for (int k = 0; k < count; ++k) {
        float cut = gamma[k] - tg_supportCut;
        gamma[k] = (cut > 0.0f ? cut : 0.0f) * mask[k];
    }
}
