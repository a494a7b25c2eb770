// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Automatic weights on a half closed hand. Its own weights, made at rest with the fingers apart,
// are the truth: a vertex of a finger should follow that finger.

#include "weights.h"

#include "cli/report.h"
#include "turgor/io.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { tg_handVertices = 4000 };
/// Of the animation: tips come near the palm, nothing crosses.
static const double tg_halfClosed = 0.3;

/// The name of a joint's digit is what stands before the underscore; "wrist" has none.
static bool tgIsSameDigit(const tgScene* scene, int a, int b)
{
    const char *left = scene->joints[a].name, *right = scene->joints[b].name;
    size_t length = strcspn(left, "_");
    return length == strcspn(right, "_") && strncmp(left, right, length) == 0;
}

/// Whether a joint carries a finger beyond its knuckle.
static bool tgIsPhalanx(const tgScene* scene, int joint)
{
    const char* name = scene->joints[joint].name;
    return strstr(name, "_middle") != NULL || strstr(name, "_distal") != NULL;
}

static int tgGetMainJoint(const tgScene* scene, int v)
{
    int count = scene->influencesPerVertex, best = v * count;
    for (int at = best; at < (v + 1) * count; ++at) {
        best = scene->influenceWeights[at] > scene->influenceWeights[best] ? at : best;
    }
    return scene->influenceJoints[best];
}

/// The weights of all joints, jointCount for each vertex.
typedef struct tgHandWeights {
    const tgActor* hand; ///< half closed
    float* weights;
} tgHandWeights;

static double tgGetSegmentDistance(tgVec3 p, tgVec3 from, tgVec3 to)
{
    tgVec3 along = tgSub(to, from);
    float squared = tgDot(along, along);
    float t = squared > 0.0f ? tgDot(tgSub(p, from), along) / squared : 0.0f;
    return (double)tgDistance(p, tgMulAdd(from, fminf(fmaxf(t, 0.0f), 1.0f), along));
}

/// Where a joint's bone ends: at its child, or a little further along its parent's bone.
static tgVec3 tgGetTail(const tgActor* hand, int joint)
{
    const tgScene* scene = hand->scene;
    tgVec3 here = hand->joints[joint].origin, sum = {0.0f, 0.0f, 0.0f};
    int children = 0, parent = scene->joints[joint].parent;
    for (int j = 0; j < scene->jointCount; ++j) {
        if (scene->joints[j].parent == joint) {
            sum = tgAdd(sum, hand->joints[j].origin);
            children += 1;
        }
    }
    if (children > 0) {
        return tgMulSV(1.0f / (float)children, sum);
    }
    return parent >= 0 ? tgMulAdd(here, 0.7f, tgSub(here, hand->joints[parent].origin)) : here;
}

/// A power of the distance to every bone: w = d^-4, normalised.
static void tgWeighByDistance(const tgActor* hand, const tgVec3* tails, float* weights)
{
    const tgScene* scene = hand->scene;
    for (int v = 0; v < scene->vertexCount; ++v) {
        float* own = weights + (size_t)v * (size_t)scene->jointCount;
        double sum = 0.0;
        for (int j = 0; j < scene->jointCount; ++j) {
            double d = tgGetSegmentDistance(hand->positions[v], hand->joints[j].origin, tails[j]);
            own[j] = (float)pow(fmax(d, 1e-6), -4.0);
            sum += (double)own[j];
        }
        for (int j = 0; j < scene->jointCount; ++j) {
            own[j] = (float)((double)own[j] / sum);
        }
    }
}

static int tgWeighByBinding(const tgActor* hand, const tgVec3* joints, const tgVec3* tails,
                            const tgWeighing* weighing, float* weights)
{
    const tgScene* scene = hand->scene;
    tgBindDef def = tgScene_GetBindDef(scene, scene);
    def.positions = (tgVec3View){&hand->positions->x, scene->vertexCount, sizeof(tgVec3)};
    def.jointPositions = (tgVec3View){&joints->x, scene->jointCount, sizeof(tgVec3)};
    def.jointTails = tails;
    def.method = weighing->method;
    def.insideTest = weighing->test;
    tgError error = {0};
    tgBinding* binding = tgCreateBinding(&def, &error);
    if (binding == NULL) {
        return tgSayFailed("hand", &error);
    }
    for (int i = 0; i < binding->vertexCount * binding->influencesPerVertex; ++i) {
        size_t v = (size_t)(i / binding->influencesPerVertex);
        weights[v * (size_t)scene->jointCount + (size_t)binding->influenceJoints[i]] +=
            binding->influenceWeights[i];
    }
    tgDestroyBinding(binding);
    return tg_statusDone;
}

static int tgWeigh(const tgActor* hand, const tgWeighing* weighing, float* weights)
{
    const tgScene* scene = hand->scene;
    size_t count = (size_t)scene->jointCount;
    memset(weights, 0, (size_t)scene->vertexCount * count * sizeof(float));
    tgVec3* joints = calloc(2 * count, sizeof(tgVec3));
    if (joints == NULL) {
        return tgSayFailure("hand", "out of memory for %d joints", scene->jointCount);
    }
    tgVec3* tails = joints + count;
    for (int j = 0; j < scene->jointCount; ++j) {
        joints[j] = hand->joints[j].origin;
        tails[j] = tgGetTail(hand, j);
    }
    int status = tg_statusDone;
    if (weighing->isPlain) {
        tgWeighByDistance(hand, tails, weights);
    } else {
        status = tgWeighByBinding(hand, joints, tails, weighing, weights);
    }
    free(joints);
    return status;
}

/// Vertices of fingers that follow another digit than their own more than any joint of their own.
static int tgCountWrong(const tgScene* scene, const float* weights)
{
    int wrong = 0;
    for (int v = 0; v < scene->vertexCount; ++v) {
        int truth = tgGetMainJoint(scene, v), best = 0;
        const float* own = weights + (size_t)v * (size_t)scene->jointCount;
        for (int j = 0; j < scene->jointCount; ++j) {
            best = own[j] > own[best] ? j : best;
        }
        wrong += tgIsPhalanx(scene, truth) && !tgIsSameDigit(scene, truth, best);
    }
    return wrong;
}

static void tgFillIndexWeights(const tgScene* scene, const float* weights, float* values)
{
    int index = tgScene_FindJoint(scene, "index_proximal");
    for (int v = 0; v < scene->vertexCount; ++v) {
        values[v] = 0.0f;
        for (int j = 0; j < scene->jointCount; ++j) {
            bool counts = tgIsSameDigit(scene, index, j);
            values[v] += counts ? weights[(size_t)v * (size_t)scene->jointCount + (size_t)j] : 0.0f;
        }
    }
}

int tgCompareWeights(tgPaper* paper, tgPaperEntry* entry, const tgWeighing* weighings, int count,
                     const char* words)
{
    const tgScene* scene = tgPaper_GetModel(paper, "hand", tg_handVertices);
    tgActor hand;
    tgSheet sheet = {0};
    int status = tgOpenSkin(scene, NULL, &hand);
    status =
        status == tg_statusDone ? tgPlay(&hand, tg_halfClosed * scene->animations[0].end) : status;
    float* weights =
        status == tg_statusDone
            ? malloc((size_t)scene->vertexCount * (size_t)scene->jointCount * sizeof(float))
            : NULL;
    if (status == tg_statusDone && weights == NULL) {
        status = tgSayFailure("hand", "out of memory for the weights");
    }
    tgSheetDef def = {.actor = &hand,
                      .show = "displacement",
                      .title = "weight of the index finger",
                      .view = "0.9,0.3,1"};
    status = status == tg_statusDone ? tgOpenSheet(paper, &def, &sheet) : status;
    for (int i = 0; i < count && status == tg_statusDone; ++i) {
        status = tgWeigh(&hand, &weighings[i], weights);
        tgPanel* panel = tgSheet_Add(&sheet, &hand, "%s", weighings[i].label);
        if (panel != NULL && panel->values != NULL) {
            tgFillIndexWeights(scene, weights, panel->values);
        }
        tgAddNumber(entry, (double)NAN, tgCountWrong(scene, weights), "vertices", tg_betterNeither,
                    "fingers' vertices that follow another digit: %s", weighings[i].label);
    }
    status = status == tg_statusDone ? tgSheet_Save(&sheet, entry, words) : status;
    tgCloseSheet(&sheet);
    free(weights);
    tgCloseActor(&hand);
    return status;
}
