// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Any bytes as a settings file: either settings of which every number is in range, or a message
// with a line and a column.

#include "io/settings_text.h"
#include "turgor/settings.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static tgSceneJoint tg_joints[] = {{.name = "a", .parent = -1},
                                   {.name = "elbow.L", .restJoint.origin = {1.0f, 0.0f, 0.0f}},
                                   {.name = "elbow.R"},
                                   {.name = "twin"},
                                   {.name = "twin"},
                                   {.name = ""},
                                   {.name = "spine_01"}};

enum { tg_fuzzJointCount = sizeof(tg_joints) / sizeof(tg_joints[0]) };

// Some skin, so that profiles are held against it.
static tgVec3 tg_positions[] = {{0.5f, 0.1f, 0.0f}, {1.0f, -0.1f, 0.1f}, {1.5f, 0.0f, -0.1f}};
static int tg_influenceJoints[] = {0, 1, 1};
static float tg_influenceWeights[] = {1.0f, 1.0f, 1.0f};

static const tgScene tg_scene = {.joints = tg_joints,
                                 .jointCount = tg_fuzzJointCount,
                                 .vertexCount = 3,
                                 .positions = tg_positions,
                                 .influencesPerVertex = 1,
                                 .influenceJoints = tg_influenceJoints,
                                 .influenceWeights = tg_influenceWeights};

static void tgRequire(bool condition)
{
    if (!condition) {
        abort();
    }
}

/// "line 12, column 7: something", all of it UTF-8.
static void tgCheckMessage(const char* message)
{
    tgRequire(strncmp(message, "line ", 5) == 0 && strstr(message, ", column ") != NULL);
    const char* end = message + strlen(message);
    while (message < end) {
        int length = tgMeasureUtf8(message, end);
        tgRequire(length > 0 && (unsigned char)*message >= 0x20);
        message += length;
    }
}

static void tgCheckProfile(const tgProfile* profile)
{
    float sum = profile->mu[0] + profile->mu[1] + profile->mu[2];
    bool hasShares = profile->kind != tg_profileOrganic;
    tgRequire(!hasShares || fabsf(sum - 1.0f) < 1e-5f ||
              (sum == 0.0f && profile->kind == tg_profileIsotropic));
    tgRequire(profile->kind >= tg_profileOrganic && profile->kind <= tg_profileCurves);
    tgRequire(profile->combine == tg_combineAdd || profile->combine == tg_combineMultiply);
    tgRequire(isfinite(profile->folds) && profile->folds >= 0.0f);
    tgRequire(profile->foldAngle > 0.0f && profile->foldAngle < 3.2f);
    tgRequire(profile->drift >= 0.0f && profile->drift <= 1.0f);
    tgRequire(profile->gain >= 0.0f && profile->gain <= 4.0f);
    for (int a = 0; a < 3; ++a) {
        tgRequire(profile->mu[a] >= 0.0f && isfinite(profile->center[a]));
        tgRequire(isfinite(profile->sigma[a]) && profile->sigma[a] > 0.0f);
        tgRequire(profile->curveCounts[a] >= 0 && profile->curveCounts[a] <= tg_mostCurvePoints);
        for (int i = 0; i < profile->curveCounts[a]; ++i) {
            const tgCurvePoint* point = &profile->curves[a][i];
            tgRequire(isfinite(point->coordinate) && isfinite(point->value));
            tgRequire(point->value >= 0.0f);
            tgRequire(i == 0 || point->coordinate > point[-1].coordinate);
        }
    }
}

static void tgCheckFlesh(const tgFleshElement* element)
{
    float sum = 0.0f;
    tgRequire(element->driver >= 0 && element->driver < tg_fuzzJointCount);
    tgRequire(element->springCount >= 1 && element->springCount <= tg_mostFleshSprings);
    for (int i = 0; i < element->springCount; ++i) {
        tgRequire(element->springs[i].frequency > 0.0f && element->springs[i].dampingRatio >= 0.0f);
        sum += element->springs[i].share;
    }
    tgRequire(fabsf(sum - 1.0f) < 1e-3f);
    tgRequire(element->flow >= 0.0f && element->flow <= 1.0f && isfinite(element->thickness));
    tgRequire(element->elongation > 0.0f && element->elongation <= 1.0f);
    tgRequire(tgIsFiniteVec3(element->gravity) && tgIsFiniteVec3(element->wind));
    tgRequire(element->vertices == NULL || element->vertexCount > 0);
    for (int i = 0; i < element->drivenCount; ++i) {
        tgRequire(element->driven[i] > element->driver && element->driven[i] < tg_fuzzJointCount);
    }
    for (int i = 1; i < element->keyCount; ++i) {
        tgRequire(element->keys[i].coordinate > element->keys[i - 1].coordinate);
    }
}

static void tgCheckSettings(const tgSettings* settings)
{
    for (int i = 0; i < settings->flesh.elementCount; ++i) {
        tgCheckFlesh(&settings->flesh.elements[i]);
    }
    const tgRefineSettings* refine = &settings->refine;
    tgRequire(refine->threshold >= 0.0f && refine->threshold <= 1.0f && refine->levels >= 0);
    const tgVolumeDef* volume = &settings->volume;
    const tgLocalDef* local = &volume->local;
    tgRequire(local->alpha >= 0.0f && local->alpha <= 64.0f && local->beta >= 0.0f);
    tgRequire(local->beta <= 64.0f && local->parts >= 1 && local->parts <= 1000);
    tgRequire(local->repeats >= 0 && local->repeats <= 100);
    for (int i = 0; i < local->regionCount; ++i) {
        int joint = local->regions[i].joint;
        tgRequire(joint >= 0 && joint < tg_fuzzJointCount);
    }
    tgRequire(isfinite(volume->contactGap) && volume->contactGap >= 0.0f);
    tgRequire(settings->skinning >= tg_linear && settings->skinning <= tg_blend);
    tgRequire(volume->mode >= tg_modeExact && volume->mode <= tg_modePaper);
    for (int i = 0; i < volume->targetKeyCount; ++i) {
        const tgVolumeKey* key = &volume->targetKeys[i];
        tgRequire(isfinite(key->time) && isfinite(key->scale) && key->scale > 0.0f);
        tgRequire(i == 0 || key->time > key[-1].time);
    }
    for (int i = 0; i < volume->profileCount; ++i) {
        tgCheckProfile(&volume->profiles[i]);
    }
    bool isSeen[tg_fuzzJointCount] = {false};
    for (int i = 0; i < volume->jointCount; ++i) {
        const tgJointProfiles* entry = &volume->joints[i];
        tgRequire(entry->joint >= 0 && entry->joint < tg_fuzzJointCount && !isSeen[entry->joint]);
        isSeen[entry->joint] = true;
        for (int k = 0; k < entry->profileCount; ++k) {
            tgCheckProfile(&entry->profiles[k]);
        }
    }
    for (int i = 0; i < settings->warningCount; ++i) {
        tgCheckMessage(settings->warnings[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    tgError error = {0};
    tgSettings* settings = tgParseSettings((const char*)data, size, &tg_scene, &error);
    if (settings != NULL) {
        tgCheckSettings(settings);
    } else {
        tgRequire(error.code != tg_success);
        tgCheckMessage(error.message);
    }
    tgDestroySettings(settings);
    return 0;
}
