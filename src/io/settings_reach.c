// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Profiles that lie outside the skin: "center": -40 is forty bones away, and a curve that is 0 over
// the whole limb moves nothing. In the bind pose the way along the parent bone is known, x, and the
// distance from it, r; which way the joint bends is not. So a bulge or a curve across the bone
// counts as reaching a vertex when it does for some bend.

#include "io/settings_private.h"

#include <math.h>

/// Beyond so many widths of a bulge nothing moves.
static const float tg_bulgeReach = 3.05f;

/// Whether a curve is above 0 anywhere between the two.
static bool tgCurveReaches(const tgCurvePoint* points, int count, float low, float high)
{
    if (count == 0) {
        return true; // 1 everywhere
    }
    bool reaches = (points[0].value > 0.0f && low <= points[0].coordinate) ||
                   (points[count - 1].value > 0.0f && high >= points[count - 1].coordinate);
    for (int i = 0; i + 1 < count; ++i) {
        bool isAbove = points[i].value > 0.0f || points[i + 1].value > 0.0f;
        reaches |= isAbove && low < points[i + 1].coordinate && high > points[i].coordinate;
    }
    return reaches;
}

/// @param x along the parent bone from the joint, @param r from the bone; in lengths of the bone
static bool tgProfileReaches(const tgProfile* profile, float x, float r)
{
    if (profile->kind == tg_profileOrganic) {
        return true;
    }
    if (profile->kind == tg_profileCurves) {
        return tgCurveReaches(profile->curves[0], profile->curveCounts[0], x, x) &&
               tgCurveReaches(profile->curves[1], profile->curveCounts[1], -r, r) &&
               tgCurveReaches(profile->curves[2], profile->curveCounts[2], -r, r);
    }
    float aside = hypotf(profile->center[1], profile->center[2]);
    float width = fmaxf(profile->sigma[1], profile->sigma[2]);
    return fabsf(x - profile->center[0]) <= tg_bulgeReach * profile->sigma[0] &&
           fabsf(r - aside) <= tg_bulgeReach * width;
}

static bool tgFollows(const tgScene* scene, int v, int joint)
{
    bool follows = false;
    for (int k = v * scene->influencesPerVertex; k < (v + 1) * scene->influencesPerVertex; ++k) {
        follows |= scene->influenceJoints[k] == joint && scene->influenceWeights[k] > 0.0f;
    }
    return follows;
}

bool tgProfilesReach(const tgScene* scene, int joint, const tgProfile* profiles, int count)
{
    int parent = scene->joints[joint].parent;
    if (parent < 0 || scene->vertexCount == 0 || scene->influencesPerVertex == 0) {
        return true; // nothing to tell it by
    }
    tgVec3 origin = scene->joints[joint].restJoint.origin;
    tgVec3 bone = tgSub(origin, scene->joints[parent].restJoint.origin);
    float length = tgLength(bone);
    bool hasSkin = false;
    for (int v = 0; v < scene->vertexCount && length > 0.0f; ++v) {
        if (!tgFollows(scene, v, joint) && !tgFollows(scene, v, parent)) {
            continue;
        }
        tgVec3 offset = tgMulSV(1.0f / length, tgSub(scene->positions[v], origin));
        float x = tgDot(offset, bone) / length;
        float r = tgDistance(offset, tgMulSV(x / length, bone));
        hasSkin = true;
        for (int i = 0; i < count; ++i) {
            // One that is multiplied takes away only.
            bool isAdded = i == 0 || profiles[i].combine == tg_combineAdd;
            if (isAdded && tgProfileReaches(&profiles[i], x, r)) {
                return true;
            }
        }
    }
    return !hasSkin;
}
