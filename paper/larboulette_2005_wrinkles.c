// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// 2005, figure 13: wrinkles on top of flesh on top of skinning.

#include "cli/report.h"
#include "core/core.h"
#include "flesh.h"
#include "larboulette_2005.h"
#include "turgor/wrinkles.h"

#include <math.h>
#include <stdlib.h>

enum { tg_layerCount = 3, tg_fineVertices = 8000 };

/// The cat runs: skin, and flesh, and wrinkles.
static int tgSaveLayers(tgPaper* paper, tgPaperEntry* entry, const tgScene* cat)
{
    static const char* const tg_labels[tg_layerCount] = {"skinning", "and flesh", "and wrinkles"};
    int driven = 0, status = tg_statusDone;
    tgFleshElement belly = tgMakeElement(cat, "pelvis", "chest", &driven);
    belly.springs[0].dampingRatio = 0.15f;
    tgFleshDef flesh = {&belly, 1};
    tgWrinklesDef wrinkles = tgDefaultRigDef().wrinkles;
    wrinkles.automatic = true;
    const tgActorDef layers[tg_layerCount] = {
        {.scene = cat},
        {.scene = cat, .flesh = &flesh},
        {.scene = cat, .flesh = &flesh, .wrinkles = &wrinkles}};
    tgFleshPair pairs[tg_layerCount] = {{{0}}};
    tgSheet sheet = {0};
    for (int i = 0; i < tg_layerCount && status == tg_statusDone; ++i) {
        status = tgOpenLayerPair(&layers[i], &pairs[i]);
        status = status == tg_statusDone ? tgFleshPair_Run(&pairs[i], 0, 0.0, 1.5) : status;
    }
    tgSheetDef def = {.actor = &pairs[0].moved, .view = "1,0.35,0.5"};
    status = status == tg_statusDone ? tgOpenSheet(paper, &def, &sheet) : status;
    for (int i = 0; i < tg_layerCount && status == tg_statusDone; ++i) {
        tgSheet_Add(&sheet, &pairs[i].moved, "%s", tg_labels[i]);
        if (i > 0) {
            double way = tgGetLargestDistance(&pairs[i].moved, &pairs[i - 1].moved);
            tgAddNumber(entry, (double)NAN, 1000.0 * way, "mm", tg_betterNeither,
                        "the farthest that skin moved: %s", tg_labels[i]);
        }
    }
    status = status == tg_statusDone
                 ? tgSheet_Save(&sheet, entry,
                                "The cat in its run, layer by layer: waves on its neck and back.")
                 : status;
    tgCloseSheet(&sheet);
    for (int i = 0; i < tg_layerCount; ++i) {
        tgCloseFleshPair(&pairs[i]);
    }
    return status;
}

/// How long the line of vertices on the inner side of a tube is.
static double tgMeasureInnerLine(const tgScene* tube, const tgVec3* positions, int around)
{
    double length = 0.0;
    int best = 0;
    for (int k = 1; k < around; ++k) {
        best = tube->positions[k].y > tube->positions[best].y ? k : best;
    }
    for (int v = best + around; v < tube->vertexCount; v += around) {
        length += (double)tgDistance(positions[v], positions[v - around]);
    }
    return length;
}

/// The inner line of a tube that bends, as skinned and as wrinkled, over its rest length.
static int tgAddLengths(tgPaper* paper, tgPaperEntry* entry)
{
    tgCylinderDef def = tgDefaultCylinderDef();
    def.aroundCount = 32;
    def.ringCount = 241;
    def.bendDegrees = 40.0f;
    tgScene* tube = tgMakeCylinder(&def);
    tgWrinkle wrinkle = tgDefaultWrinkle(1);
    wrinkle.side = tg_wrinkleInner;
    wrinkle.count = 5;
    tgWrinklesDef wrinkles = {.wrinkles = &wrinkle, .wrinkleCount = 1};
    tgActorDef layers = {.scene = tube, .wrinkles = &wrinkles};
    tgFleshPair pair = {0};
    int status = tube != NULL ? tgOpenLayerPair(&layers, &pair) : tg_statusFailed;
    status = status == tg_statusDone ? tgPlay(&pair.plain, tgGetBendTime(tube)) : status;
    status = status == tg_statusDone ? tgPlay(&pair.moved, tgGetBendTime(tube)) : status;
    if (status == tg_statusDone) {
        double rest = tgMeasureInnerLine(tube, tube->positions, def.aroundCount);
        const tgActor* actors[2] = {&pair.plain, &pair.moved};
        for (int i = 0; i < 2; ++i) {
            double length = tgMeasureInnerLine(tube, actors[i]->positions, def.aroundCount);
            tgAddNumber(entry, (double)NAN, 100.0 * (length / rest - 1.0), "%", tg_betterNeither,
                        "change of the inner line's length on a tube bent by 40 degrees, %s",
                        i == 0 ? "skinned" : "wrinkled");
        }
        tgOutlines outlines = {
            .plane = tgMakePlane(tube->joints[1].restJoint.origin, tgMakeVec3(0.0f, 0.0f, 1.0f)),
            .focus = 1.6f * def.radius,
            .count = 2,
            .actors = {&pair.moved, &pair.plain},
            .labels = {"wrinkled", "skinned"}};
        status = tgSaveOutlines(paper, entry, &outlines,
                                "The tube at its joint, cut in the plane of its bend.");
    }
    tgCloseFleshPair(&pair);
    tgDestroyScene(tube);
    return status;
}

int tgMakeWrinkleFigure(tgPaper* paper, tgPaperEntry* entry)
{
    const tgScene* cat = tgPaper_GetModel(paper, "cat", tg_fineVertices);
    int status = cat != NULL ? tgSaveLayers(paper, entry, cat) : tg_statusFailed;
    return status == tg_statusDone ? tgAddLengths(paper, entry) : status;
}
