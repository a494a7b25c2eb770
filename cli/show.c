// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What a picture shows on the skin.

#include "show.h"

#include "core/core.h"
#include "draw/blend.h"
#include "draw/scale.h"
#include "io/joint_names.h"
#include "joint_colors.h"
#include "joint_table.h"
#include "report.h"
#include "take.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// One line of the table below.
struct tgShowKind {
    const char* name;
    const char* title; ///< of the legend, with the unit; NULL: no legend
    float range;       ///< largest value; 0: the largest that is seen
    bool glass;
    bool needsVolume; ///< told only by a volume method
    bool needsLayers; ///< told only where something moves the skin besides skinning
    bool needsFlesh;
    bool needsAptness;
    bool ofJoint; ///< may be of some joints alone
    tgResult (*sample)(const tgShow* show, tgActor* actor, const tgActor* plain, float* values,
                       tgError* error);
    void (*paint)(const tgShow* show, const tgRig* rig, tgColor* colors);
};

static float tgGetWeight(const tgScene* scene, int v, int joint)
{
    float weight = 0.0f;
    for (int k = 0; k < scene->influencesPerVertex; ++k) {
        size_t at = (size_t)v * (size_t)scene->influencesPerVertex + (size_t)k;
        weight += scene->influenceJoints[at] == joint ? scene->influenceWeights[at] : 0.0f;
    }
    return weight;
}

static tgResult tgSampleWeights(const tgShow* show, tgActor* actor, const tgActor* plain,
                                float* values, tgError* error)
{
    (void)plain;
    (void)error;
    for (int v = 0; v < actor->scene->vertexCount; ++v) {
        values[v] = 0.0f;
        for (int i = 0; i < show->jointCount; ++i) {
            values[v] += tgGetWeight(actor->scene, v, show->joints[i]);
        }
    }
    return tg_success;
}

static tgResult tgSampleGamma(const tgShow* show, tgActor* actor, const tgActor* plain,
                              float* values, tgError* error)
{
    (void)plain;
    int count = actor->scene->vertexCount;
    if (show->jointCount < 2) {
        int joint = show->jointCount > 0 ? show->joints[0] : -1;
        return tgInstance_SampleGamma(actor->instance, joint, values, error);
    }
    float* own = calloc((size_t)count + 1, sizeof(float));
    tgResult result =
        own != NULL ? tg_success : tgFail(error, tg_outOfMemory, -1, "out of memory for gamma");
    memset(values, 0, (size_t)count * sizeof(float));
    for (int i = 0; i < show->jointCount && result == tg_success; ++i) {
        result = tgInstance_SampleGamma(actor->instance, show->joints[i], own, error);
        for (int v = 0; v < count && result == tg_success; ++v) {
            values[v] = fmaxf(values[v], own[v]);
        }
    }
    free(own);
    return result;
}

/// It does not depend on the pose.
static tgResult tgSampleAptness(const tgShow* show, tgActor* actor, const tgActor* plain,
                                float* values, tgError* error)
{
    (void)plain;
    (void)error;
    memcpy(values, show->aptness, (size_t)actor->scene->vertexCount * sizeof(float));
    return tg_success;
}

static tgResult tgSampleDisplacement(const tgShow* show, tgActor* actor, const tgActor* plain,
                                     float* values, tgError* error)
{
    (void)show;
    (void)error;
    tgVolumeReport volume = tgInstance_MeasureVolume(actor->instance);
    // Of the diagonal at the size that the character has in this frame.
    double size =
        volume.rest > 0.0 && volume.target > 0.0 ? cbrt(volume.target / volume.rest) : 1.0;
    float percent = 100.0f / ((float)size * tgRig_GetInfo(actor->rig).restDiagonal);
    for (int v = 0; v < actor->scene->vertexCount; ++v) {
        values[v] = percent * tgDistance(actor->positions[v], plain->positions[v]);
    }
    return tg_success;
}

/// Whether a joint is one of those that something is shown of.
static bool tgIsShown(const tgShow* show, int joint)
{
    bool isShown = show->jointCount == 0;
    for (int i = 0; i < show->jointCount; ++i) {
        isShown |= show->joints[i] == joint;
    }
    return isShown;
}

/// How far each vertex follows flesh; with a joint, only the flesh that it drives.
static tgResult tgSampleFlesh(const tgShow* show, tgActor* actor, const tgActor* plain,
                              float* values, tgError* error)
{
    (void)plain;
    const tgFleshDef* flesh = &show->shot->settings->flesh;
    int count = actor->scene->vertexCount;
    float* weights = calloc((size_t)count, sizeof(float));
    if (weights == NULL) {
        return tgFail(error, tg_outOfMemory, -1, "out of memory for %d weights", count);
    }
    memset(values, 0, (size_t)count * sizeof(float));
    for (int e = 0; e < tgRig_GetFleshCount(actor->rig); ++e) {
        if (!tgIsShown(show, flesh->elements[e].driver)) {
            continue;
        }
        tgRig_GetFleshWeights(actor->rig, e, weights);
        for (int v = 0; v < count; ++v) {
            values[v] = weights[v] > values[v] ? weights[v] : values[v];
        }
    }
    free(weights);
    return tg_success;
}

/// Colours of the joints, mixed by weight.
static void tgPaintWeights(const tgShow* show, const tgRig* rig, tgColor* colors)
{
    (void)rig;
    const tgScene* scene = show->shot->scene;
    for (int v = 0; v < scene->vertexCount; ++v) {
        tgColor sum = {0.0f, 0.0f, 0.0f, 0.0f};
        for (int k = 0; k < scene->influencesPerVertex; ++k) {
            size_t at = (size_t)v * (size_t)scene->influencesPerVertex + (size_t)k;
            tgColor color = tgGetCategoryColor(show->jointColors[scene->influenceJoints[at]]);
            color = tgScaleColor(scene->influenceWeights[at], color);
            sum = (tgColor){sum.r + color.r, sum.g + color.g, sum.b + color.b, sum.a + color.a};
        }
        colors[v] = sum;
    }
}

/// Each vertex by the joint that it follows most.
static void tgPaintRegions(const tgShow* show, const tgRig* rig, tgColor* colors)
{
    for (int v = 0; v < show->shot->scene->vertexCount; ++v) {
        colors[v] = tgGetCategoryColor(show->jointColors[tgRig_GetRegion(rig, v)]);
    }
}

static const tgShowKind tg_showKinds[] = {
    {.name = "skin"},
    {.name = "weights",
     .title = "weight",
     .range = 1.0f,
     .ofJoint = true,
     .sample = tgSampleWeights,
     .paint = tgPaintWeights},
    {.name = "gamma",
     .title = "gamma",
     .range = 1.0f,
     .needsVolume = true,
     .ofJoint = true,
     .sample = tgSampleGamma},
    {.name = "displacement",
     .title = "displacement, % of the diagonal",
     .needsLayers = true,
     .sample = tgSampleDisplacement},
    {.name = "flesh",
     .title = "follows flesh",
     .range = 1.0f,
     .needsFlesh = true,
     .ofJoint = true,
     .sample = tgSampleFlesh},
    {.name = "aptness",
     .title = "aptness",
     .range = 1.0f,
     .ofJoint = true,
     .needsAptness = true,
     .sample = tgSampleAptness},
    {.name = "regions", .title = "regions", .paint = tgPaintRegions},
    {.name = "bones", .glass = true},
};
enum { tg_showCount = sizeof(tg_showKinds) / sizeof(tg_showKinds[0]) };

static int tgFindShowJoints(const char* joint, tgShow* show)
{
    const tgShot* shot = show->shot;
    show->joints = calloc((size_t)shot->scene->jointCount + 1, sizeof(int));
    if (show->joints == NULL) {
        return tgSayFailure(shot->file, "out of memory for %d joints", shot->scene->jointCount);
    }
    show->jointCount = tgMatchJoints(shot->scene, joint, show->joints);
    return show->jointCount > 0 ? tg_statusDone : tgSayNoJoint(shot->file, shot->scene, joint);
}

/// Of a rig made for it: most settings do without the anatomical shape.
static int tgFindAptness(tgShow* show)
{
    const tgScene* scene = show->shot->scene;
    size_t count = (size_t)scene->vertexCount + 1;
    tgError error = {0};
    tgRig* rig = tgCreateAptRig(scene, &error);
    float* own = calloc(count, sizeof(float));
    show->aptness = calloc(count, sizeof(float));
    int status = tg_statusDone;
    if (rig == NULL) {
        status = tgSayFailed(show->shot->file, &error);
    } else if (own == NULL || show->aptness == NULL) {
        status =
            tgSayFailure(show->shot->file, "out of memory for %d vertices", scene->vertexCount);
    }
    for (int i = 0; i < (show->jointCount > 0 ? show->jointCount : 1) && status == 0; ++i) {
        tgRig_GetAptness(rig, show->jointCount > 0 ? show->joints[i] : -1, own);
        for (int v = 0; v < scene->vertexCount; ++v) {
            show->aptness[v] = fmaxf(show->aptness[v], own[v]);
        }
    }
    tgDestroyRig(rig);
    free(own);
    return status;
}

/// Of the joint, where one is named, or of all.
static bool tgHasFlesh(const tgShow* show)
{
    const tgFleshDef* flesh = &show->shot->settings->flesh;
    bool found = false;
    for (int e = 0; e < flesh->elementCount; ++e) {
        found |= tgIsShown(show, flesh->elements[e].driver);
    }
    return found;
}

/// Whether there is anything to show; returns the status.
/// @param joint as given
static int tgCheckShow(const tgShow* show, const char* joint)
{
    const tgShot* shot = show->shot;
    const tgShowKind* kind = show->kind;
    if (kind->needsVolume && shot->settings->volume.method == tg_volumeNone) {
        return tgSayUsage("--show %s wants --volume exact or local", kind->name);
    }
    if (kind->needsLayers && tgShot_GetTake(shot) != tg_takeCorrected) {
        return tgSayUsage("--show %s of plain skinning is nothing, wanted --volume exact or local, "
                          "flesh or bones",
                          kind->name);
    }
    if (kind->needsFlesh && !tgHasFlesh(show)) {
        return tgSayFailure(shot->file,
                            "%s%s has no flesh to show, wanted --preset flesh, or flesh in "
                            "--settings",
                            show->jointCount > 0 ? "joint " : "the character",
                            show->jointCount > 0 ? joint : "");
    }
    return tg_statusDone;
}

static int tgParseShow(const char* name)
{
    const char* names[tg_showCount + 1] = {NULL};
    for (int i = 0; i < tg_showCount; ++i) {
        names[i] = tg_showKinds[i].name;
    }
    return name != NULL ? tgParseChoice("--show", name, names) : 0;
}

int tgOpenShow(const char* name, const char* joint, const tgShot* shot, tgShow* show)
{
    int choice = tgParseShow(name);
    if (choice < 0) {
        return tg_statusUsage;
    }
    *show = (tgShow){.kind = &tg_showKinds[choice], .shot = shot};
    if (joint != NULL && !show->kind->ofJoint) {
        return tgSayUsage("--joint goes with --show weights, gamma, flesh or aptness");
    }
    if (joint != NULL && tgFindShowJoints(joint, show) != tg_statusDone) {
        return tg_statusFailed;
    }
    int status = tgCheckShow(show, joint);
    if (status == tg_statusDone && show->kind->needsAptness) {
        status = tgFindAptness(show);
    }
    if (status != tg_statusDone) {
        return status;
    }
    if (show->kind->title != NULL) {
        snprintf(show->title, sizeof(show->title), "%s%s%.100s", show->kind->title,
                 joint != NULL ? " of " : "", joint != NULL ? joint : "");
    }
    snprintf(show->emptyTitle, sizeof(show->emptyTitle), "no %s", show->kind->name);
    show->jointColors = calloc((size_t)shot->scene->jointCount, sizeof(int));
    return show->jointColors != NULL && tgColorJoints(shot->scene, show->jointColors)
               ? tg_statusDone
               : tgSayFailure(shot->file, "out of memory for %d joints", shot->scene->jointCount);
}

void tgCloseShow(tgShow* show)
{
    free(show->jointColors);
    free(show->joints);
    free(show->aptness);
    *show = (tgShow){0};
}

/// Colours that need no value are for all joints together, values for one of them.
static bool tgIsPainted(const tgShow* show)
{
    return show->kind->paint != NULL && (show->kind->sample == NULL || show->jointCount == 0);
}

int tgShow_GetFirstJoint(const tgShow* show)
{
    int last = show->shot->scene->jointCount - 1, j = 0;
    while (j < last && show->jointColors[j] < 0) {
        j += 1;
    }
    return j;
}

bool tgShow_HasValues(const tgShow* show)
{
    return show->kind->sample != NULL && !tgIsPainted(show);
}

bool tgShow_HasLegend(const tgShow* show)
{
    return show->title[0] != '\0';
}

bool tgShow_IsGlass(const tgShow* show)
{
    return show->kind->glass;
}

float tgShow_GetFixedRange(const tgShow* show)
{
    return show->kind->range;
}

tgResult tgShow_SampleValues(const tgShow* show, tgActor* actor, const tgActor* plain,
                             float* values, tgError* error)
{
    return show->kind->sample(show, actor, plain, values, error);
}

bool tgShow_Paint(const tgShow* show, const tgRig* rig, tgColor* colors)
{
    if (tgIsPainted(show)) {
        show->kind->paint(show, rig, colors);
    }
    return tgIsPainted(show);
}

/// Joints that move any vertex that is seen; how many there are.
static int tgListJoints(const tgShow* show, const bool* isSeen, tgLegendEntry* entries)
{
    const tgScene* scene = show->shot->scene;
    int count = 0;
    for (int j = 0; j < scene->jointCount; ++j) {
        if (show->jointColors[j] >= 0 && (isSeen == NULL || isSeen[j])) {
            entries[count++] = (tgLegendEntry){scene->joints[j].name,
                                               tgGetCategoryColor(show->jointColors[j]), false};
        }
    }
    return count;
}

void tgShow_FillLegend(const tgShow* show, float range, const bool* isSeen, tgLegendDef* legend,
                       tgLegendEntry* entries)
{
    bool isEmpty = tgShow_HasValues(show) && !(range > 0.0f);
    legend->title = isEmpty ? show->emptyTitle : show->title;
    if (tgShow_HasValues(show)) {
        legend->high = (double)range;
    } else {
        legend->entries = entries;
        legend->entryCount = tgListJoints(show, isSeen, entries);
    }
}
