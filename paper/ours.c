// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A page of our own: where flesh goes round a joint that bends. A tube whose weights pass over two
// radii, skinned in six ways, and how deep its inner and outer skin lie at the joint.

#include "cli/report.h"
#include "paper.h"

#include <math.h>
#include <stdlib.h>

enum { tg_wayCount = 6, tg_angleCount = 4 };

static const char* const tg_wayNames[tg_wayCount] = {
    "linear", "dual quaternion", "2008, local", "2009, as published", "ours", "ours, anatomic"};

/// What finite elements of fleshy limbs say, by the closed form that was fitted to them
/// (src/core/anatomy.c) at its full amplitude, before the volume is closed: skin on the inner and
/// on the outer side, in limb radii from the bone.
static const struct {
    int degrees;
    double inner, outer;
} tg_flesh[tg_angleCount] = {
    {30, 1.152, -0.837}, {60, 1.220, -0.702}, {90, 1.144, -0.585}, {120, 0.891, -0.442}};

/// The tube, and it in six ways.
typedef struct tgTube {
    tgScene* scene;
    tgActor actors[tg_wayCount];
} tgTube;

static tgScene* tgMakeTube(void)
{
    tgCylinderDef def = tgDefaultCylinderDef();
    def.length = 10.0f;
    def.aroundCount = 48;
    def.ringCount = 81; // one of them at the joint
    return tgMakeCylinder(&def);
}

/// Of the ways in their order.
static int tgOpenWay(const tgScene* scene, int way, tgActor* actor)
{
    tgProfile profile = tgDefaultProfile(way == 3 ? tg_profileIsotropic : tg_profileOrganic);
    tgVolumeMethod method = way < 2 ? tg_volumeNone : way == 2 ? tg_volumeLocal : tg_volumeExact;
    profile.drift = way == 5 ? 0.8f : 0.0f;
    tgVolumeDef volume = tgMakeVolume(method, way >= 3 ? &profile : NULL);
    volume.mode = way == 3 ? tg_modePaper : tg_modeExact;
    tgActorDef def = {
        .scene = scene, .volume = &volume, .skinning = way == 1 ? tg_dualQuaternion : tg_linear};
    tgError error = {0};
    return tgOpenActor(&def, actor, &error) == tg_success ? tg_statusDone
                                                          : tgSayFailed("paper", &error);
}

static void tgCloseTube(tgTube* tube)
{
    for (int way = 0; way < tg_wayCount; ++way) {
        tgCloseActor(&tube->actors[way]);
    }
    tgDestroyScene(tube->scene);
}

/// Bent in every way; returns the status.
static int tgOpenTube(int degrees, tgTube* tube)
{
    *tube = (tgTube){.scene = tgMakeTube()};
    int status = tube->scene != NULL ? tg_statusDone : tg_statusFailed;
    char turn[64];
    snprintf(turn, sizeof(turn), "bone1=0,0,1,%d", degrees);
    for (int way = 0; way < tg_wayCount && status == tg_statusDone; ++way) {
        status = tgOpenWay(tube->scene, way, &tube->actors[way]);
        status = status == tg_statusDone
                     ? tgTurnActor(&tube->actors[way], (const char* const[]){turn, NULL})
                     : status;
    }
    return status;
}

/// How far from the bone the skin of one side lies in the bisecting plane, to the inner side.
static double tgGetDepth(const tgActor* actor, bool isInner, int degrees)
{
    const tgScene* scene = actor->scene;
    tgVec3 origin = scene->joints[1].restJoint.origin;
    tgVec3 wanted = tgAdd(origin, tgMakeVec3(0.0f, isInner ? 1.0f : -1.0f, 0.0f));
    int nearest = 0;
    for (int v = 1; v < scene->vertexCount; ++v) {
        bool isNearer =
            tgDistance(scene->positions[v], wanted) < tgDistance(scene->positions[nearest], wanted);
        nearest = isNearer ? v : nearest;
    }
    double half = degrees * 3.14159265358979323846 / 360.0;
    tgVec3 way = tgSub(actor->positions[nearest], origin);
    return cos(half) * (double)way.y - sin(half) * (double)way.x;
}

static int tgSaveTubes(tgPaper* paper, tgPaperEntry* entry, const tgTube* tube)
{
    const tgScene* scene = tube->scene;
    bool* focus = calloc((size_t)scene->vertexCount, sizeof(bool)); // the bend alone
    for (int v = 0; focus != NULL && v < scene->vertexCount; ++v) {
        focus[v] = fabsf(scene->positions[v].x - scene->joints[1].restJoint.origin.x) < 2.5f;
    }
    tgSheetDef def = {
        .actor = &tube->actors[0], .view = "0.1,0.25,1", .shape = 1.15f, .focus = focus};
    tgSheet sheet = {0};
    int status = focus != NULL ? tgOpenSheet(paper, &def, &sheet)
                               : tgSayFailure("cylinder", "out of memory for a picture");
    for (int way = 0; way < tg_wayCount && status == tg_statusDone; ++way) {
        tgSheet_Add(&sheet, &tube->actors[way], "%s", tg_wayNames[way]);
    }
    status =
        status == tg_statusDone ? tgSheet_Save(&sheet, entry, "The tube in six ways.") : status;
    tgCloseSheet(&sheet);
    free(focus);
    return status;
}

static int tgCutTubes(tgPaper* paper, tgPaperEntry* entry, const tgTube* tube)
{
    static const int tg_shown[] = {5, 4, 3, 0}; // what is compared lies on top
    tgOutlines outlines = {
        .plane = tgMakePlane(tube->scene->joints[1].restJoint.origin, tgMakeVec3(0.0f, 0.0f, 1.0f)),
        .focus = 2.4f,
        .count = 4};
    for (int i = 0; i < 4; ++i) {
        outlines.actors[i] = &tube->actors[tg_shown[i]];
        outlines.labels[i] = tg_wayNames[tg_shown[i]];
    }
    return tgSaveOutlines(paper, entry, &outlines, "Cut in the plane of the bend.");
}

static int tgMakeBend(tgPaper* paper, tgPaperEntry* entry, int angle)
{
    int degrees = tg_flesh[angle].degrees;
    tgTube tube;
    int status = tgOpenTube(degrees, &tube);
    for (int way = 0; way < tg_wayCount && status == tg_statusDone; ++way) {
        tgActor* actor = &tube.actors[way];
        tgAddNumber(entry, tg_flesh[angle].inner, tgGetDepth(actor, true, degrees), "radii",
                    tg_betterNeither, "%s: inner skin", tg_wayNames[way]);
        tgAddNumber(entry, tg_flesh[angle].outer, tgGetDepth(actor, false, degrees), "radii",
                    tg_betterNeither, "%s: outer skin", tg_wayNames[way]);
        tgAddNumber(entry, 0.0, tgGetLoss(actor), "% of the volume", tg_betterNeither, "%s: error",
                    tg_wayNames[way]);
    }
    status = status == tg_statusDone ? tgSaveTubes(paper, entry, &tube) : status;
    status = status == tg_statusDone ? tgCutTubes(paper, entry, &tube) : status;
    tgCloseTube(&tube);
    return status;
}

static int tgMakeBend30(tgPaper* paper, tgPaperEntry* entry)
{
    return tgMakeBend(paper, entry, 0);
}

static int tgMakeBend60(tgPaper* paper, tgPaperEntry* entry)
{
    return tgMakeBend(paper, entry, 1);
}

static int tgMakeBend90(tgPaper* paper, tgPaperEntry* entry)
{
    return tgMakeBend(paper, entry, 2);
}

static int tgMakeBend120(tgPaper* paper, tgPaperEntry* entry)
{
    return tgMakeBend(paper, entry, 3);
}

static const char tg_words[] =
    "How deep inner and outer skin lie at the joint of a tube, in radii from the bone in the "
    "bisecting plane. In the place of published numbers stand those of real flesh: the closed "
    "form that was fitted to finite elements, nearly incompressible and with contact.";

static const tgPaperItem tg_items[] = {
    {"flesh-30", "30 degrees", "Where flesh goes", tg_words, tgMakeBend30},
    {"flesh-60", "60 degrees", "Where flesh goes", tg_words, tgMakeBend60},
    {"flesh-90", "90 degrees", "Where flesh goes", tg_words, tgMakeBend90},
    {"flesh-120", "120 degrees", "Where flesh goes", tg_words, tgMakeBend120},
};

const tgPaperList tg_paperOurs = {"Ours: where flesh goes", tg_items, tg_angleCount};
