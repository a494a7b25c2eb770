// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What corrections cost, as ratios of two frames: those that the papers tell, and ours.

#include "cli/report.h"
#include "rohmer_2008.h"
#include "rohmer_2009.h"

#include <math.h>

/// A corrected frame over a plain one, in the pose that loses most.
static int tgAddCost(tgPaperEntry* entry, const tgScene* scene, const tgVolumeDef* volume,
                     double published, const char* words)
{
    tgPair pair = {0};
    double time = 0.0;
    int status = scene != NULL ? tgFindWorstTime(scene, &time) : tg_statusFailed;
    status = status == tg_statusDone ? tgOpenPair(scene, volume, time, &pair) : status;
    if (status == tg_statusDone) {
        tgAddNumber(entry, published, tgTimeRatio(&pair.kept, &pair.plain), "times", tg_betterLess,
                    "%s, %d vertices", words, scene->vertexCount)
            ->isTiming = true;
    }
    tgClosePair(&pair);
    return status;
}

/// Local along the normals, then the default: exact, skin stopping at skin.
static int tgAddCorrections(tgPaper* paper, tgPaperEntry* entry)
{
    tgCylinderDef def = tgGetPaperTube(90.0f);
    tgScene* tube = tgMakeCylinder(&def);
    const tgScene* giraffe = tgPaper_GetGiraffe(paper, 1677);
    const tgScene* elephant = tgPaper_GetModel(paper, "elephant", 5720);
    tgVolumeDef local = tgMakeVolume(tg_volumeLocal, NULL);
    tgVolumeDef exact = tgMakeVolume(tg_volumeExact, NULL);
    const struct {
        const tgScene* scene;
        const tgVolumeDef* volume;
        double published;
        const char* words;
    } rows[] = {{tube, &local, 35.0 / 30.0, "2008: corrected over plain, cylinder"},
                {giraffe, &local, 27.0 / 19.0, "2008: corrected over plain, giraffe"},
                {elephant, &local, 23.0 / 16.0, "2008: corrected over plain, elephant"},
                {tube, &exact, (double)NAN, "turgor's default over plain, cylinder"},
                {giraffe, &exact, (double)NAN, "turgor's default over plain, giraffe"},
                {elephant, &exact, (double)NAN, "turgor's default over plain, elephant"}};
    int status = tg_statusDone;
    for (int i = 0; i < 6 && status == tg_statusDone; ++i) {
        status = tgAddCost(entry, rows[i].scene, rows[i].volume, rows[i].published, rows[i].words);
    }
    tgDestroyScene(tube);
    return status;
}

/// The shortest measurement of the volume, in seconds.
static double tgTimeVolume(tgActor* actor)
{
    double least = (double)INFINITY, sum = 0.0;
    for (int i = 0; i < 200; ++i) {
        double start = tgNow();
        sum += tgInstance_MeasureVolume(actor->instance).result;
        least = fmin(least, tgNow() - start);
    }
    return sum > 0.0 ? least : (double)NAN;
}

/// The elephant's belly alone in volumes, "roughly the same as three evaluations", and its whole
/// body over that.
static int tgAddBones(tgPaper* paper, tgPaperEntry* entry)
{
    const tgScene* elephant = tgPaper_GetModel(paper, "elephant", 6646);
    static const char* const tg_turns[] = {"spine2=1,0,0,25", NULL};
    tgActor plain = {0}, one = {0}, all = {0};
    tgSettings* settings[2] = {NULL, NULL};
    double time = 0.0;
    int status = tgOpenSkin(elephant, NULL, &plain);
    status = status == tg_statusDone ? tgOpenElephant(elephant, &one, &settings[0]) : status;
    status = status == tg_statusDone ? tgOpenElephant(elephant, &all, &settings[1]) : status;
    status = status == tg_statusDone ? tgTurnActor(&plain, tg_turns) : status;
    status = status == tg_statusDone ? tgTurnActor(&one, tg_turns) : status;
    status = status == tg_statusDone ? tgFindWorstTime(elephant, &time) : status;
    status = status == tg_statusDone ? tgPlay(&all, time) : status;
    if (status == tg_statusDone) {
        double added = tgTimeFrame(&one) - tgTimeFrame(&plain);
        tgAddNumber(entry, 3.0, added / tgTimeVolume(&one), "volumes", tg_betterLess,
                    "2009: the correction of one bone, in evaluations of the volume")
            ->isTiming = true;
        tgAddNumber(entry, 0.407 / 0.053, tgTimeRatio(&all, &one), "times", tg_betterLess,
                    "2009: elephant, %d bones in rotation (published: 17) over one",
                    tgInstance_GetReport(all.instance).lossCount)
            ->isTiming = true;
    }
    tgCloseActor(&plain);
    tgCloseActor(&one);
    tgCloseActor(&all);
    tgDestroySettings(settings[0]);
    tgDestroySettings(settings[1]);
    return status;
}

static int tgMakeOverheads(tgPaper* paper, tgPaperEntry* entry)
{
    int status = tgAddCorrections(paper, entry);
    status = status == tg_statusDone ? tgAddFoldOverCost(paper, entry) : status;
    status = status == tg_statusDone ? tgAddSubdivisionCost(entry) : status;
    return status == tg_statusDone ? tgAddBones(paper, entry) : status;
}

static const tgPaperItem tg_items[] = {
    {"overheads", "Ratios", "A frame with it over a frame without",
     "Frames of both kinds are timed in turns, on one thread. 2008's are made of frames that "
     "include drawing, in which a correction is lost; ours are of the skin alone. A plain "
     "frame of ours is hundreds of times shorter than the published one (table 1 of 2008), so that "
     "what is added to it counts for more.",
     tgMakeOverheads},
};

const tgPaperList tg_paperOverheads = {"Overheads", tg_items, 1, NULL};
