// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The poster "Constant volume skinning for character animation": both methods side by side.

#include "cli/report.h"
#include "paper.h"

#include <math.h>

enum { tg_skinCount = 3 };

/// Classical, along the normals, by profiles; at one time of the animation.
static int tgSaveMethods(tgPaper* paper, tgPaperEntry* entry, const tgScene* scene, double time,
                         const tgProfile* profile, const char* view, const char* name)
{
    static const char* const tg_labels[] = {"classical skinning", "along the normals",
                                            "by shape profiles"};
    tgVolumeDef volumes[] = {tgMakeVolume(tg_volumeNone, NULL), tgMakeVolume(tg_volumeLocal, NULL),
                             tgMakeVolume(tg_volumeExact, profile)};
    tgActor actors[tg_skinCount] = {{0}};
    tgSheet sheet = {0};
    int status = tg_statusDone;
    for (int i = 0; i < tg_skinCount && status == tg_statusDone; ++i) {
        status = tgOpenSkin(scene, &volumes[i], &actors[i]);
        status = status == tg_statusDone ? tgPlay(&actors[i], time) : status;
    }
    tgSheetDef def = {.actor = &actors[0], .view = view};
    status = status == tg_statusDone ? tgOpenSheet(paper, &def, &sheet) : status;
    for (int i = 0; i < tg_skinCount && status == tg_statusDone; ++i) {
        double loss = tgGetLoss(&actors[i]);
        tgSheet_Add(&sheet, &actors[i], "%s", tg_labels[i]);
        tgAddNumber(entry, (double)NAN, loss, "% of the volume", tg_betterNeither, "%s: error, %s",
                    name, tg_labels[i]);
        tgAddNumber(entry, (double)NAN, 1e3 * tgTimeFrame(&actors[i]), "ms", tg_betterNeither,
                    "%s: a frame, %s", name, tg_labels[i])
            ->isTiming = true;
    }
    char words[128];
    snprintf(words, sizeof(words), "The %s under both methods.", name);
    status = status == tg_statusDone ? tgSheet_Save(&sheet, entry, words) : status;
    tgCloseSheet(&sheet);
    for (int i = 0; i < tg_skinCount; ++i) {
        tgCloseActor(&actors[i]);
    }
    return status;
}

static int tgMakeMethods(tgPaper* paper, tgPaperEntry* entry)
{
    tgCylinderDef def = tgDefaultCylinderDef();
    def.aroundCount = 40;
    def.ringCount = 81;
    tgProfile muscle = tgDefaultProfile(tg_profileMuscle);
    tgProfile rubber = tgDefaultProfile(tg_profileRubber);
    rubber.sigma[0] = rubber.sigma[1] = rubber.sigma[2] = 0.5f;
    const tgScene* giraffe = tgPaper_GetGiraffe(paper, 1673);
    tgScene* tube = tgMakeCylinder(&def);
    double time = 0.0;
    int status =
        giraffe != NULL && tube != NULL ? tgFindWorstTime(giraffe, &time) : tg_statusFailed;
    status = status == tg_statusDone
                 ? tgSaveMethods(paper, entry, giraffe, time, &rubber, "0.5,0.25,1", "giraffe")
                 : status;
    status = status == tg_statusDone ? tgSaveMethods(paper, entry, tube, tgGetBendTime(tube),
                                                     &muscle, "-0.2,0.5,1", "cylinder")
                                     : status;
    tgDestroyScene(tube);
    return status;
}

static const tgPaperItem tg_items[] = {
    {"poster-methods", "Poster", "Two methods to restore the original volume",
     "Along the normals in one step, approximate; or along the joints' axes in three steps by "
     "shape profiles, exact.",
     tgMakeMethods},
};

const tgPaperList tg_paperPoster = {
    "Poster: Constant volume skinning for character animation (Rohmer, Hahmann, Cani)", tg_items,
    1};
