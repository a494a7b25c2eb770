// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Which joints a preset suits. A muscle needs a long bone to lie on and something to move: the bone
// that leads to the joint is twice as long as the flesh round the joint is thick (half of it), no
// trifle beside the longest such bone, and not much longer than what hangs on the joint. Names that
// tell of no muscle, such as a tail's, are left out. A belly needs the trunk: joints that are
// called so, or without any such name those with the thickest flesh. All other presets suit every
// joint.

#include "core/core.h"
#include "io/settings_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Length of a muscle's bone, in radii of the flesh, and in lengths of the longest of them.
static const double tg_slender = 2.0, tg_longPart = 0.4;
/// What hangs on the joint goes as far as this part of the bone.
static const double tg_movedPart = 0.5;
/// A trunk without a name: as thick as this part of the thickest, and of its own bone's length.
static const double tg_thickPart = 0.7, tg_stoutPart = 0.5;

static const char* const tg_otherWords[] = {"tail", "ear", "neck", "head",  "jaw",    "trunk",
                                            "hair", "toe", "eye",  "thumb", "finger", NULL};

static tgVec3 tgGetOrigin(const tgScene* scene, int joint)
{
    return scene->joints[joint].restJoint.origin;
}

/// Distance of a vertex from the line along the bone that leads to a joint.
static double tgMeasureAway(const tgScene* scene, int joint, int v)
{
    tgVec3 to = tgGetOrigin(scene, joint), from = tgGetOrigin(scene, scene->joints[joint].parent);
    tgVec3 none = {0.0f, 0.0f, 0.0f}, along = tgNormalize(tgSub(to, from), none);
    tgVec3 way = tgSub(scene->positions[v], to);
    return (double)tgLength(tgMulAdd(way, -tgDot(way, along), along));
}

/// Mean distance from the bone of the skin that a joint shares with its parent; 0 where there is
/// none.
/// @param totals scratch, one for each joint
static void tgMeasureRadii(const tgScene* scene, double* radii, double* totals)
{
    int perVertex = scene->influencesPerVertex;
    int vertexCount = perVertex > 0 ? scene->vertexCount : 0; // else a mesh without a skin
    for (int v = 0; v < vertexCount; ++v) {
        const int* joints = scene->influenceJoints + (size_t)v * (size_t)perVertex;
        const float* weights = scene->influenceWeights + (size_t)v * (size_t)perVertex;
        for (int k = 0; k < perVertex; ++k) {
            int parent = weights[k] > 0.0f ? scene->joints[joints[k]].parent : -1;
            for (int i = 0; i < perVertex && parent >= 0; ++i) {
                double both = joints[i] == parent ? (double)weights[k] * (double)weights[i] : 0.0;
                if (both > 0.0) {
                    radii[joints[k]] += both * tgMeasureAway(scene, joints[k], v);
                    totals[joints[k]] += both;
                }
            }
        }
    }
    for (int j = 0; j < scene->jointCount; ++j) {
        radii[j] = totals[j] > 0.0 ? radii[j] / totals[j] : 0.0;
    }
}

static double tgGetBoneLength(const tgScene* scene, int joint)
{
    int parent = scene->joints[joint].parent;
    return parent >= 0 ? (double)tgDistance(tgGetOrigin(scene, joint), tgGetOrigin(scene, parent))
                       : 0.0;
}

/// How far the skin goes from each joint that it follows, and from those above.
/// @param reaches one for each joint, 0
static void tgMeasureReaches(const tgScene* scene, double* reaches)
{
    int perVertex = scene->influencesPerVertex;
    for (int v = 0; v < scene->vertexCount; ++v) {
        int most = -1;
        for (int k = v * perVertex; k < (v + 1) * perVertex; ++k) {
            bool isMore = most < 0 || scene->influenceWeights[k] > scene->influenceWeights[most];
            most = isMore ? k : most;
        }
        int up = most >= 0 ? scene->influenceJoints[most] : -1;
        for (; up >= 0; up = scene->joints[up].parent) {
            double away = (double)tgDistance(scene->positions[v], tgGetOrigin(scene, up));
            reaches[up] = fmax(reaches[up], away);
        }
    }
}

static void tgFindLimbs(const tgScene* scene, const double* radii, const double* reaches,
                        bool* suits)
{
    double longest = 0.0;
    for (int pass = 0; pass < 2; ++pass) {
        for (int j = 0; j < scene->jointCount; ++j) {
            double length = tgGetBoneLength(scene, j);
            bool isLimb = radii[j] > 0.0 && length > tg_slender * radii[j] &&
                          reaches[j] > tg_movedPart * length &&
                          !tgHasJointWord(scene->joints[j].name, tg_otherWords) &&
                          !tgHasJointWord(scene->joints[j].name, tg_trunkWords);
            longest = pass == 0 && isLimb ? fmax(longest, length) : longest;
            suits[j] = isLimb && length > tg_longPart * longest;
        }
    }
}

static void tgFindTrunk(const tgScene* scene, const double* radii, bool* suits)
{
    double thickest = 0.0;
    bool any = false;
    for (int j = 0; j < scene->jointCount; ++j) {
        suits[j] = radii[j] > 0.0 && tgHasJointWord(scene->joints[j].name, tg_trunkWords);
        any |= suits[j];
        thickest = fmax(thickest, radii[j]);
    }
    for (int j = 0; j < scene->jointCount && !any; ++j) {
        suits[j] = radii[j] > 0.0 && radii[j] >= tg_thickPart * thickest &&
                   radii[j] >= tg_stoutPart * tgGetBoneLength(scene, j);
    }
}

bool tgFindPresetJoints(const char* preset, const tgScene* scene, bool* suits)
{
    bool isMuscle = strcmp(preset, "muscle") == 0, isBelly = strcmp(preset, "belly") == 0;
    size_t count = (size_t)scene->jointCount;
    double* radii = calloc(3 * count + 1, sizeof(double));
    for (size_t j = 0; j < count; ++j) {
        suits[j] = true;
    }
    if (radii == NULL || (!isMuscle && !isBelly)) {
        bool isDone = radii != NULL;
        free(radii);
        return isDone;
    }
    if (scene->positions != NULL) {
        tgMeasureRadii(scene, radii, radii + count);
        tgMeasureReaches(scene, radii + 2 * count);
    }
    if (isMuscle) {
        tgFindLimbs(scene, radii, radii + 2 * count, suits);
    } else {
        tgFindTrunk(scene, radii, suits);
    }
    free(radii);
    return true;
}

/// The joints that a preset suits, without those that the file has said something of, after those.
static bool tgAddChosenJoints(tgSettings* settings, const tgScene* scene, const bool* suits,
                              const tgProfile* profile)
{
    tgVolumeDef* volume = &settings->volume;
    size_t room = (size_t)(volume->jointCount + scene->jointCount);
    tgJointProfiles* entries =
        tgArena_Take(&settings->memory->arena, room + 1, sizeof(tgJointProfiles));
    if (entries == NULL) {
        return false;
    }
    int count = volume->jointCount;
    if (count > 0) {
        memcpy(entries, volume->joints, (size_t)count * sizeof(tgJointProfiles));
    }
    for (int j = 0; j < scene->jointCount; ++j) {
        bool isNamed = false;
        for (int i = 0; i < volume->jointCount; ++i) {
            isNamed |= volume->joints[i].joint == j;
        }
        if (suits[j] && !isNamed) {
            entries[count++] = (tgJointProfiles){j, profile, 1};
        }
    }
    volume->joints = entries;
    volume->jointCount = count;
    return true;
}

tgResult tgSettings_ApplyPreset(tgSettings* settings, const tgScene* scene, const char* preset,
                                tgError* error)
{
    tgProfile* profiles = tgArena_Take(&settings->memory->arena, 2, sizeof(tgProfile));
    size_t jointCount = scene != NULL ? (size_t)scene->jointCount : 0;
    bool* suits = calloc(jointCount + 1, sizeof(bool));
    tgResult result = tg_success;
    if (profiles == NULL || suits == NULL ||
        (scene != NULL && preset != NULL && !tgFindPresetJoints(preset, scene, suits))) {
        result = tgFail(error, tg_outOfMemory, -1, "not enough memory for the preset");
    } else if (preset == NULL || !tgMakePreset(preset, &profiles[0])) {
        result = tgFail(error, tg_invalidArgument, -1, "there is no preset \"%.40s\"",
                        preset != NULL ? preset : "");
    }
    bool isForAll = true;
    for (size_t j = 0; j < jointCount && result == tg_success; ++j) {
        isForAll &= suits[j];
    }
    if (result == tg_success) {
        profiles[1] = isForAll ? profiles[0] : tgDefaultProfile(tg_profileOrganic);
        settings->volume.profiles = &profiles[1];
        settings->volume.profileCount = 1;
        bool isDone = isForAll || tgAddChosenJoints(settings, scene, suits, &profiles[0]);
        if (isDone && tgPresetHasFlesh(preset) && settings->flesh.elementCount == 0) {
            isDone = tgSettings_AddFlesh(settings, scene);
        }
        if (!isDone) {
            result = tgFail(error, tg_outOfMemory, -1, "not enough memory for the preset");
        }
    }
    free(suits);
    return result;
}
