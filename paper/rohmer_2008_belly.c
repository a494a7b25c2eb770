// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// 2008, figure 11: a belly that bulges by its distance to the spine alone.

#include "cli/report.h"
#include "rohmer_2008.h"

#include <math.h>

enum { tg_spineCount = 5 };
static const char* const tg_spine[tg_spineCount] = {"pelvis", "spine1", "spine2", "spine3",
                                                    "chest"};
static const float tg_raise = 0.3f; ///< metres: to a hand's breadth under the back
static const char tg_view[] = "1,-0.25,0.1";

/// The elephant with its spine raised, and the spine's bones.
typedef struct tgRaised {
    tgScene* scene;
    int bones[tg_spineCount];
    tgLocalRegion regions[tg_spineCount];
    tgPair all, spine; ///< by the distance to all bones, and to those of the spine
} tgRaised;

static void tgCloseRaised(tgRaised* raised)
{
    tgClosePair(&raised->all);
    tgClosePair(&raised->spine);
    tgDestroyScene(raised->scene);
}

static int tgOpenBent(const tgScene* scene, const tgVolumeDef* volume, tgPair* pair)
{
    static const char* const tg_turns[] = {"spine1=1,0,0,6", "spine2=1,0,0,6", "spine3=1,0,0,6",
                                           NULL};
    int status = tgOpenSkin(scene, NULL, &pair->plain);
    status = status == tg_statusDone ? tgOpenSkin(scene, volume, &pair->kept) : status;
    status = status == tg_statusDone ? tgTurnActor(&pair->plain, tg_turns) : status;
    return status == tg_statusDone ? tgTurnActor(&pair->kept, tg_turns) : status;
}

static int tgOpenRaised(tgRaised* raised)
{
    tgError error = {0};
    *raised = (tgRaised){.scene = tgCreateModel("elephant", 5720, &error)};
    if (raised->scene == NULL) {
        return tgSayFailed("elephant", &error);
    }
    tgVolumeDef all = tgMakeLocal(tg_scopeRegions, tg_mapOrganic), spine = all;
    for (int i = 0; i < tg_spineCount; ++i) {
        int joint = tgScene_FindJoint(raised->scene, tg_spine[i]);
        raised->scene->joints[joint].restJoint.origin.y += tg_raise;
        raised->bones[i] = joint;
        raised->regions[i] = (tgLocalRegion){.joint = joint,
                                             .map = tg_mapOrganic,
                                             .alpha = all.local.alpha,
                                             .beta = all.local.beta,
                                             .bones = raised->bones,
                                             .boneCount = tg_spineCount};
    }
    spine.local.regions = raised->regions;
    spine.local.regionCount = tg_spineCount;
    int status = tgOpenBent(raised->scene, &all, &raised->all);
    return status == tg_statusDone ? tgOpenBent(raised->scene, &spine, &raised->spine) : status;
}

/// How far the skin of the spine's regions goes at most below the middle of the body, over how far
/// above it.
static double tgGetDownwardShare(const tgRaised* raised, const tgPair* pair)
{
    double most[2] = {0.0, 0.0};
    const tgScene* scene = raised->scene;
    float middle = scene->joints[raised->bones[2]].restJoint.origin.y - 2.0f * tg_raise;
    for (int v = 0; v < scene->vertexCount; ++v) {
        int region = tgRig_GetRegion(pair->kept.rig, v);
        bool isOfSpine = false;
        for (int i = 0; i < tg_spineCount; ++i) {
            isOfSpine |= region == raised->bones[i];
        }
        int side = scene->positions[v].y < middle ? 0 : 1;
        double way = (double)tgDistance(pair->kept.positions[v], pair->plain.positions[v]);
        most[side] = isOfSpine ? fmax(most[side], way) : most[side];
    }
    return most[0] / most[1];
}

int tgMakeBellyFigure(tgPaper* paper, tgPaperEntry* entry)
{
    static const char* const tg_labels[] = {"distance to all bones", "distance to the spine"};
    tgRaised raised;
    tgSheet sheet = {0};
    int status = tgOpenRaised(&raised);
    if (status == tg_statusDone) {
        tgAddPairErrors(entry, &raised.spine, tg_labels[1]);
        tgAddNumber(entry, (double)NAN, tgGetDownwardShare(&raised, &raised.all), "times",
                    tg_betterNeither, "largest swelling of the belly over that of the back, %s",
                    tg_labels[0]);
        tgAddNumber(entry, (double)NAN, tgGetDownwardShare(&raised, &raised.spine), "times",
                    tg_betterNeither, "largest swelling of the belly over that of the back, %s",
                    tg_labels[1]);
        status = tgSaveMaps(paper, entry, (tgActor*[]){&raised.all.kept, &raised.spine.kept, NULL},
                            tg_labels, tg_view,
                            "The maps of what bends: on the right they grow down to the belly.");
    }
    tgSheetDef def = {.actor = &raised.spine.kept,
                      .show = "displacement",
                      .title = "moved, % of the diagonal",
                      .view = tg_view};
    status = status == tg_statusDone ? tgOpenSheet(paper, &def, &sheet) : status;
    if (status == tg_statusDone) {
        tgSheet_AddMoved(&sheet, &raised.all.kept, &raised.all.plain, tg_labels[0]);
        tgSheet_AddMoved(&sheet, &raised.spine.kept, &raised.spine.plain, tg_labels[1]);
        status = tgSheet_Save(&sheet, entry,
                              "How far the correction moves the skin: on the right the belly "
                              "swells most below.");
    }
    tgCloseSheet(&sheet);
    tgCloseRaised(&raised);
    return status;
}
