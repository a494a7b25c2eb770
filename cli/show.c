// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What a picture shows on the skin.

#include "show.h"

#include "core/core.h"
#include "draw/blend.h"
#include "draw/scale.h"
#include "joint_colors.h"
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
    bool needsExact;  ///< told only by the exact volume method
    bool needsLayers; ///< told only where something moves the skin besides skinning
    bool needsFlesh;
    bool ofJoint; ///< may be of one joint alone
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
        values[v] = tgGetWeight(actor->scene, v, show->joint);
    }
    return tg_success;
}

static tgResult tgSampleGamma(const tgShow* show, tgActor* actor, const tgActor* plain,
                              float* values, tgError* error)
{
    (void)plain;
    return tgInstance_SampleGamma(actor->instance, show->joint, values, error);
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
        if (show->joint >= 0 && show->joint != flesh->elements[e].driver) {
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
     .needsExact = true,
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
    {.name = "regions", .title = "regions", .paint = tgPaintRegions},
    {.name = "bones", .glass = true},
};
enum { tg_showCount = sizeof(tg_showKinds) / sizeof(tg_showKinds[0]) };

static int tgFindShowJoint(const char* joint, tgShow* show)
{
    const tgShot* shot = show->shot;
    show->joint = tgScene_FindJoint(shot->scene, joint);
    if (show->joint < 0) {
        return tgSayNoJoint(shot->file, shot->scene, joint);
    }
    return tg_statusDone;
}

/// Of the joint, where one is named, or of all.
static bool tgHasFlesh(const tgShow* show)
{
    const tgFleshDef* flesh = &show->shot->settings->flesh;
    bool found = false;
    for (int e = 0; e < flesh->elementCount; ++e) {
        found |= show->joint < 0 || show->joint == flesh->elements[e].driver;
    }
    return found;
}

/// Whether there is anything to show; returns the status.
static int tgCheckShow(const tgShow* show)
{
    const tgShot* shot = show->shot;
    const tgShowKind* kind = show->kind;
    if (kind->needsExact && shot->method != tg_volumeExact) {
        return tgSayUsage("--show %s wants --volume exact", kind->name);
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
                            show->joint >= 0 ? "joint " : "the character",
                            show->joint >= 0 ? shot->scene->joints[show->joint].name : "");
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
    *show = (tgShow){.kind = &tg_showKinds[choice], .shot = shot, .joint = -1};
    if (joint != NULL && !show->kind->ofJoint) {
        return tgSayUsage("--joint goes with --show weights, gamma or flesh");
    }
    if (joint != NULL && tgFindShowJoint(joint, show) != tg_statusDone) {
        return tg_statusFailed;
    }
    int status = tgCheckShow(show);
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
    *show = (tgShow){0};
}

/// Colours that need no value are for all joints together, values for one of them.
static bool tgIsPainted(const tgShow* show)
{
    return show->kind->paint != NULL && (show->kind->sample == NULL || show->joint < 0);
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

/// Joints that move any vertex; how many there are.
static int tgListJoints(const tgShow* show, tgLegendEntry* entries)
{
    const tgScene* scene = show->shot->scene;
    int count = 0;
    for (int j = 0; j < scene->jointCount; ++j) {
        if (show->jointColors[j] >= 0) {
            entries[count++] = (tgLegendEntry){scene->joints[j].name,
                                               tgGetCategoryColor(show->jointColors[j]), false};
        }
    }
    return count;
}

void tgShow_FillLegend(const tgShow* show, float range, tgLegendDef* legend, tgLegendEntry* entries)
{
    bool isEmpty = tgShow_HasValues(show) && !(range > 0.0f);
    legend->title = isEmpty ? show->emptyTitle : show->title;
    if (tgShow_HasValues(show)) {
        legend->high = (double)range;
    } else {
        legend->entries = entries;
        legend->entryCount = tgListJoints(show, entries);
    }
}
