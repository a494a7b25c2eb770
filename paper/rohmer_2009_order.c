// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// 2009, figure 11: how far the result depends on the order of axes and of joints.

#include "cli/report.h"
#include "rohmer_2009.h"

#include <math.h>

/// So little more than half makes an axis the first one.
static const float tg_leastLead = 1e-4f;

static tgCylinderDef tgGetTube(int boneCount, float degrees)
{
    tgCylinderDef def = tgDefaultCylinderDef();
    def.aroundCount = 32;
    def.ringCount = 65;
    def.boneCount = boneCount;
    def.bendDegrees = degrees;
    return def;
}

/// The published way goes axis by axis and joint by joint; ours knows no order.
static const struct {
    tgVolumeMode mode;
    const char* name;
} tg_modes[] = {{tg_modePaper, "mode paper"}, {tg_modeExact, "mode exact"}};

/// Half of the correction along e1, half along e2, `first` of them first.
static int tgOpenOrdered(const tgScene* tube, tgVolumeMode mode, int first, tgActor* actor)
{
    tgProfile profile = tgDefaultProfile(tg_profileRubber);
    profile.mu[0] = 0.0f;
    profile.mu[first] = 0.5f + tg_leastLead;
    profile.mu[3 - first] = 0.5f - tg_leastLead;
    tgVolumeDef volume = tgMakeVolume(tg_volumeExact, &profile);
    volume.mode = mode;
    int status = tgOpenSkin(tube, &volume, actor);
    return status == tg_statusDone ? tgPlay(actor, tgGetBendTime(tube)) : status;
}

/// Both orders of the axes under one mode.
static int tgCompareAxes(tgPaper* paper, tgPaperEntry* entry, const tgScene* tube, float radius,
                         int way)
{
    tgActor actors[2] = {{0}, {0}};
    int status = tgOpenOrdered(tube, tg_modes[way].mode, 1, &actors[0]);
    status =
        status == tg_statusDone ? tgOpenOrdered(tube, tg_modes[way].mode, 2, &actors[1]) : status;
    if (status == tg_statusDone) {
        double apart = tgGetLargestDistance(&actors[0], &actors[1]) / (double)radius;
        tgAddNumber(entry, 20.0, 100.0 * apart, "% of the radius", tg_betterLess,
                    "a) largest distance between the two orders of axes, %s", tg_modes[way].name);
    }
    if (status == tg_statusDone && tg_modes[way].mode == tg_modePaper) {
        // The tube bends in the plane z = 0.
        tgOutlines outlines = {
            .plane = tgMakePlane(tgMakeVec3(0.0f, 0.0f, 0.0f), tgMakeVec3(0.0f, 0.0f, 1.0f)),
            .count = 2,
            .actors = {&actors[0], &actors[1]},
            .labels = {"e1, then e2", "e2, then e1"}};
        status = tgSaveOutlines(paper, entry, &outlines,
                                "a) As published, cut in the plane of the bend.");
    }
    tgCloseActor(&actors[0]);
    tgCloseActor(&actors[1]);
    return status;
}

static int tgMakeAxes(tgPaper* paper, tgPaperEntry* entry)
{
    tgCylinderDef def = tgGetTube(2, 90.0f);
    def.blendLength = 0.66f * def.length; // as 2008's: it loses 11 %
    def.smooth = false;
    tgScene* tube = tgMakeCylinder(&def);
    int status = tube != NULL ? tg_statusDone : tg_statusFailed;
    for (int way = 0; way < 2 && status == tg_statusDone; ++way) {
        status = tgCompareAxes(paper, entry, tube, def.radius, way);
    }
    tgDestroyScene(tube);
    return status;
}

/// A tube of three segments with its root in the middle; NULL after one line.
/// @param leftFirst which of the two children comes first
static tgScene* tgMakeMiddleRoot(const tgCylinderDef* def, bool leftFirst)
{
    tgScene* tube = tgMakeCylinder(def);
    if (tube == NULL) {
        return NULL;
    }
    int left = leftFirst ? 1 : 2, right = 3 - left;
    const int places[3] = {left, 0, right}; // of the segments from left to right
    float third = def->length / 3.0f;
    for (int i = 0; i < tube->vertexCount * tube->influencesPerVertex; ++i) {
        tube->influenceJoints[i] = places[tube->influenceJoints[i]];
    }
    tgVec3 origin = tube->joints[0].restJoint.origin;
    for (int j = 0; j < 3; ++j) {
        tube->joints[j].parent = j == 0 ? -1 : 0;
        tube->joints[j].restJoint.origin = origin;
    }
    tube->joints[0].name = "middle";
    tube->joints[left].name = "left";
    tube->joints[right].name = "right";
    tube->joints[0].restJoint.origin.x += 1.5f * third;
    tube->joints[left].restJoint.origin.x += third;
    tube->joints[right].restJoint.origin.x += 2.0f * third;
    return tube;
}

/// Both orders of the joints under one mode.
typedef struct tgOrders {
    tgScene* tubes[2];
    tgActor actors[2];
} tgOrders;

static void tgCloseOrders(tgOrders* orders)
{
    for (int i = 0; i < 2; ++i) {
        tgCloseActor(&orders->actors[i]);
        tgDestroyScene(orders->tubes[i]);
    }
}

static int tgOpenOrders(const tgCylinderDef* def, tgVolumeMode mode, tgOrders* orders)
{
    static const char* const tg_turns[] = {"left=0,0,1,-60", "right=0,0,1,60", NULL};
    tgProfile profile = tgDefaultProfile(tg_profileRubber);
    profile.mu[1] = 0.0f;
    profile.mu[2] = 1.0f;
    profile.sigma[0] = profile.sigma[1] = profile.sigma[2] = 1.5f; // the two overlap
    tgVolumeDef volume = tgMakeVolume(tg_volumeExact, &profile);
    volume.mode = mode;
    *orders = (tgOrders){0};
    int status = tg_statusDone;
    for (int i = 0; i < 2 && status == tg_statusDone; ++i) {
        orders->tubes[i] = tgMakeMiddleRoot(def, i == 0);
        status = tgOpenSkin(orders->tubes[i], &volume, &orders->actors[i]);
        status = status == tg_statusDone ? tgTurnActor(&orders->actors[i], tg_turns) : status;
    }
    return status;
}

static int tgMakeJoints(tgPaper* paper, tgPaperEntry* entry)
{
    tgCylinderDef def = tgGetTube(3, 60.0f);
    int status = tg_statusDone;
    for (int i = 0; i < 2 && status == tg_statusDone; ++i) {
        tgOrders orders;
        status = tgOpenOrders(&def, tg_modes[i].mode, &orders);
        if (status == tg_statusDone) {
            double apart =
                tgGetLargestDistance(&orders.actors[0], &orders.actors[1]) / (double)def.radius;
            tgAddNumber(entry, 3.0, 100.0 * apart, "% of the radius", tg_betterLess,
                        "b) largest distance between the two orders of joints, %s",
                        tg_modes[i].name);
        }
        if (status == tg_statusDone && tg_modes[i].mode == tg_modePaper) {
            tgOutlines outlines = {
                .plane = tgMakePlane(tgMakeVec3(0.0f, 0.0f, 0.0f), tgMakeVec3(0.0f, 0.0f, 1.0f)),
                .count = 2,
                .actors = {&orders.actors[0], &orders.actors[1]},
                .labels = {"left joint first", "right joint first"}};
            status = tgSaveOutlines(paper, entry, &outlines,
                                    "b) As published, cut in the plane of the bends: the two "
                                    "lie on each other.");
        }
        tgCloseOrders(&orders);
    }
    return status;
}

int tgMakeOrderFigure(tgPaper* paper, tgPaperEntry* entry)
{
    int status = tgMakeAxes(paper, entry);
    return status == tg_statusDone ? tgMakeJoints(paper, entry) : status;
}
