// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// 2009, figure 10 and its row of table 1: the elephant subdivided where its belly folds.

#include "cli/report.h"
#include "rohmer_2009.h"

#include <math.h>
#include <stdio.h>

static const float tg_threshold = 0.15f; // about as many vertices as published

/// The elephant, coarse and fine, each bent at one joint of its spine.
typedef struct tgFolded {
    tgScene* scene;
    tgSettings* settings;
    tgActor actor;
} tgFolded;

static void tgCloseFolded(tgFolded* folded)
{
    tgCloseActor(&folded->actor);
    tgDestroySettings(folded->settings);
    tgDestroyScene(folded->scene);
}

/// Only the spine's corrections count: elsewhere nothing folds.
static tgResult tgRefineBelly(tgScene* scene, tgError* error)
{
    static const char* const tg_spine[] = {"spine1", "spine2", "spine3"};
    tgProfile belly = tgDefaultProfile(tg_profileBelly);
    belly.sigma[0] = 1.2f;
    belly.sigma[1] = 1.5f;
    belly.sigma[2] = 2.0f;
    belly.folds = 1.25f;
    tgJointProfiles none[256];
    int count = 0;
    for (int j = 0; j < scene->jointCount && j < 256; ++j) {
        bool isSpine = false;
        for (int i = 0; i < 3; ++i) {
            isSpine |= tgScene_FindJoint(scene, tg_spine[i]) == j;
        }
        if (!isSpine) {
            none[count++] = (tgJointProfiles){.joint = j};
        }
    }
    tgVolumeDef volume = tgMakeVolume(tg_volumeExact, &belly);
    volume.joints = none;
    volume.jointCount = count;
    tgSceneRefineDef def = tgDefaultSceneRefineDef();
    def.threshold = tg_threshold;
    def.volume = &volume;
    return tgScene_Refine(scene, &def, error);
}

static int tgOpenFolded(bool isFine, tgFolded* folded)
{
    *folded = (tgFolded){0};
    tgError error = {0};
    folded->scene = tgCreateModel("elephant", 6646, &error);
    bool good =
        folded->scene != NULL && (!isFine || tgRefineBelly(folded->scene, &error) == tg_success);
    int status = good ? tgOpenElephant(folded->scene, &folded->actor, &folded->settings)
                      : tgSayFailed("elephant", &error);
    return status == tg_statusDone
               ? tgTurnActor(&folded->actor, (const char* const[]){"spine2=1,0,0,25", NULL})
               : status;
}

int tgAddSubdivided(tgPaperEntry* entry)
{
    tgFolded fine;
    int status = tgOpenFolded(true, &fine);
    if (status == tg_statusDone) {
        tgAddNumber(entry, 0.110, tgTimeFrame(&fine.actor), "s", tg_betterLess,
                    "subdivided elephant (1), %d vertices (published: 13439), 1 bone in rotation",
                    fine.scene->vertexCount)
            ->isTiming = true;
    }
    tgCloseFolded(&fine);
    return status;
}

int tgAddSubdivisionCost(tgPaperEntry* entry)
{
    tgFolded coarse, fine;
    int status = tgOpenFolded(false, &coarse);
    int fineStatus = tgOpenFolded(true, &fine);
    status = status == tg_statusDone ? fineStatus : status;
    if (status == tg_statusDone) {
        tgAddNumber(entry, 0.110 / 0.053, tgTimeRatio(&fine.actor, &coarse.actor), "times",
                    tg_betterLess,
                    "2009: subdivided elephant over elephant, %.2f times the "
                    "vertices (published: 2.02)",
                    (double)fine.scene->vertexCount / (double)coarse.scene->vertexCount)
            ->isTiming = true;
    }
    tgCloseFolded(&coarse);
    tgCloseFolded(&fine);
    return status;
}

static int tgSaveWireframe(tgPaper* paper, tgPaperEntry* entry, const tgFolded* folded,
                           const char* words)
{
    tgSheetDef def = {.actor = &folded->actor, .view = "1,0.1,0.35", .wireframe = true};
    tgSheet sheet;
    int status = tgOpenSheet(paper, &def, &sheet);
    if (status == tg_statusDone) {
        tgSheet_Add(&sheet, &folded->actor, "%d vertices", folded->scene->vertexCount);
        status = tgSheet_Save(&sheet, entry, words);
    }
    tgCloseSheet(&sheet);
    return status;
}

int tgMakeRefineFigure(tgPaper* paper, tgPaperEntry* entry)
{
    tgFolded coarse, fine;
    int status = tgOpenFolded(false, &coarse);
    int fineStatus = tgOpenFolded(true, &fine);
    status = status == tg_statusDone ? fineStatus : status;
    if (status == tg_statusDone) {
        double rests[2] = {tgRig_GetInfo(coarse.actor.rig).restVolume,
                           tgRig_GetInfo(fine.actor.rig).restVolume};
        tgAddNumber(entry, 6646.0, coarse.scene->vertexCount, "vertices", tg_betterNeither,
                    "the elephant");
        tgAddNumber(entry, 13439.0, fine.scene->vertexCount, "vertices", tg_betterNeither,
                    "subdivided where gamma is above %.2f", (double)tg_threshold);
        tgAddNumber(entry, (double)NAN, 100.0 * (rests[1] / rests[0] - 1.0), "% of the volume",
                    tg_betterNeither, "change of the rest volume by the subdivision");
        tgAddNumber(entry, (double)NAN, tgGetLoss(&fine.actor), "% of the volume", tg_betterNeither,
                    "error after the correction, subdivided");
        status = tgSaveWireframe(paper, entry, &coarse, "As it is, bent at one joint.");
    }
    status = status == tg_statusDone
                 ? tgSaveWireframe(paper, entry, &fine, "Subdivided where the belly folds.")
                 : status;
    tgCloseFolded(&coarse);
    tgCloseFolded(&fine);
    return status;
}
