// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// 2008, figure 10: a finger bent until its skin passes through itself; the volume restored, and
// restored with skin that stops where it meets skin.

#include "cli/crossings.h"
#include "cli/report.h"
#include "rohmer_2008.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { tg_wayCount = 3 };
static const char* const tg_bentFinger[] = {"index_middle=1,0,0,120", NULL};

/// Only pairs that the bend made: nails cross the skin at rest.
static int tgCountCrossings(tgCrossingCounter* counter, const tgActor* actor)
{
    return tgCrossingCounter_Count(counter, actor->positions) -
           tgCrossingCounter_Count(counter, actor->scene->positions);
}

/// Vertices of the forefinger beyond its knuckle; NULL without memory.
static bool* tgMarkForefinger(const tgActor* actor)
{
    bool* focus = calloc((size_t)actor->scene->vertexCount, sizeof(bool));
    for (int v = 0; focus != NULL && v < actor->scene->vertexCount; ++v) {
        const char* name = actor->scene->joints[tgRig_GetRegion(actor->rig, v)].name;
        focus[v] = strcmp(name, "index_middle") == 0 || strcmp(name, "index_distal") == 0 ||
                   strcmp(name, "index_proximal") == 0;
    }
    return focus;
}

static int tgSaveFinger(tgPaper* paper, tgPaperEntry* entry, const tgActor* rest,
                        const tgActor* actors, const char* const* labels)
{
    bool* focus = tgMarkForefinger(rest);
    tgSheetDef def = {.actor = rest, .view = "1,0.3,0.35", .focus = focus};
    tgSheet sheet = {0};
    int status = focus != NULL ? tgOpenSheet(paper, &def, &sheet)
                               : tgSayFailure("hand", "out of memory for a picture");
    if (status == tg_statusDone) {
        tgSheet_Add(&sheet, rest, "a) original");
        for (int i = 0; i < tg_wayCount; ++i) {
            tgSheet_Add(&sheet, &actors[i], "%s", labels[i]);
        }
        status = tgSheet_Save(&sheet, entry, "The forefinger, seen from the thumb's side.");
    }
    tgCloseSheet(&sheet);
    free(focus);
    return status;
}

static int tgCutFinger(tgPaper* paper, tgPaperEntry* entry, const tgActor* actors,
                       const char* const* labels)
{
    const tgScene* scene = actors[0].scene;
    int middle = tgScene_FindJoint(scene, "index_middle");
    int distal = tgScene_FindJoint(scene, "index_distal");
    tgVec3 origin = actors[0].joints[middle].origin;
    tgVec3 before = actors[0].joints[scene->joints[middle].parent].origin;
    tgVec3 across = tgCross(tgSub(origin, before), tgSub(actors[0].joints[distal].origin, origin));
    tgOutlines outlines = {
        .plane = tgMakePlane(origin, tgNormalize(across, tgMakeVec3(1.0f, 0.0f, 0.0f))),
        .focus = 0.021f,
        .count = tg_wayCount};
    for (int i = 0; i < tg_wayCount; ++i) { // what is compared lies on top
        outlines.actors[i] = &actors[tg_wayCount - 1 - i];
        outlines.labels[i] = labels[tg_wayCount - 1 - i];
    }
    return tgSaveOutlines(paper, entry, &outlines, "Cut in the plane of the bend.");
}

static void tgAddContactNumbers(tgPaperEntry* entry, tgCrossingCounter* counter, tgActor* actors,
                                const char* const* labels)
{
    tgAddNumber(entry, 8636.0, actors[0].scene->vertexCount, "vertices", tg_betterNeither,
                "the hand");
    for (int i = 0; i < tg_wayCount; ++i) {
        tgAddNumber(entry, (double)NAN, tgCountCrossings(counter, &actors[i]), "pairs",
                    tg_betterNeither, "crossing triangles that the bend made: %s", labels[i]);
        tgAddNumber(entry, (double)NAN, tgGetLoss(&actors[i]), "% of the volume", tg_betterNeither,
                    "error: %s", labels[i]);
    }
    tgAddNumber(entry, 9.0, 1.0 / tgTimeFrame(&actors[2]), "frames/s", tg_betterMore,
                "with fold-over prevented")
        ->isTiming = true;
}

int tgAddFoldOverCost(tgPaper* paper, tgPaperEntry* entry)
{
    const tgScene* hand = tgPaper_GetModel(paper, "hand", 8636);
    tgActor actors[2] = {{0}, {0}};
    int status = tg_statusDone;
    for (int i = 0; i < 2 && status == tg_statusDone; ++i) {
        tgVolumeDef volume = tgMakeVolume(tg_volumeLocal, NULL);
        volume.contact = i == 0 ? tg_contactOff : tg_contactOn;
        status = tgOpenSkin(hand, &volume, &actors[i]);
        status = status == tg_statusDone ? tgTurnActor(&actors[i], tg_bentFinger) : status;
    }
    if (status == tg_statusDone) {
        tgAddNumber(entry, 1.25, tgTimeRatio(&actors[1], &actors[0]), "times", tg_betterLess,
                    "2008: the hand, fold-over prevented over volume alone")
            ->isTiming = true;
    }
    tgCloseActor(&actors[0]);
    tgCloseActor(&actors[1]);
    return status;
}

int tgMakeContactFigure(tgPaper* paper, tgPaperEntry* entry)
{
    static const char* const tg_labels[] = {"b) classical", "c) volume", "d) no fold-over"};
    const tgScene* hand = tgPaper_GetModel(paper, "hand", 8636);
    tgVolumeDef volumes[tg_wayCount] = {tgMakeVolume(tg_volumeNone, NULL),
                                        tgMakeVolume(tg_volumeLocal, NULL),
                                        tgMakeVolume(tg_volumeLocal, NULL)};
    volumes[2].contact = tg_contactOn;
    tgActor rest = {0}, actors[tg_wayCount] = {{0}};
    tgCrossingCounter counter = {0};
    tgError error = {0};
    int status = tgOpenSkin(hand, NULL, &rest);
    status = status == tg_statusDone ? tgPlay(&rest, 0.0) : status;
    for (int i = 0; i < tg_wayCount && status == tg_statusDone; ++i) {
        status = tgOpenSkin(hand, &volumes[i], &actors[i]);
        status = status == tg_statusDone ? tgTurnActor(&actors[i], tg_bentFinger) : status;
    }
    if (status == tg_statusDone &&
        tgOpenCrossingCounter(hand, rest.rig, &counter, &error) != tg_success) {
        status = tgSayFailed("hand", &error);
    }
    if (status == tg_statusDone) {
        tgAddContactNumbers(entry, &counter, actors, tg_labels);
        status = tgSaveFinger(paper, entry, &rest, actors, tg_labels);
    }
    status = status == tg_statusDone ? tgCutFinger(paper, entry, actors, tg_labels) : status;
    tgCloseCrossingCounter(&counter);
    tgCloseActor(&rest);
    for (int i = 0; i < tg_wayCount; ++i) {
        tgCloseActor(&actors[i]);
    }
    return status;
}
