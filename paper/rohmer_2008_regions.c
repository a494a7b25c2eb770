// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// 2008, figures 1, 6 and 7: what the method starts from, its regions with the prisms that tell what
// each of them lost, and skin that stops where it meets its neighbour.

#include "rohmer_2008.h"

#include "cli/crossings.h"
#include "cli/report.h"

#include <math.h>
#include <stdlib.h>

/// The character as it stands, shown in one way.
static int tgSaveOne(tgPaper* paper, tgPaperEntry* entry, tgActor* actor, const char* show,
                     const char* view, const char* label, const char* words)
{
    tgSheetDef def = {.actor = actor, .show = show, .view = view};
    tgSheet sheet;
    int status = tgOpenSheet(paper, &def, &sheet);
    tgPanel* panel = status == tg_statusDone ? tgSheet_Add(&sheet, actor, "%s", label) : NULL;
    tgPanelDef panelDef = {.show = &sheet.show, .actor = actor};
    tgError error = {0};
    if (panel != NULL && tgPanel_Capture(panel, &panelDef, &error) != tg_success) {
        status = tgSayFailed("paper", &error);
    }
    status = status == tg_statusDone ? tgSheet_Save(&sheet, entry, words) : status;
    tgCloseSheet(&sheet);
    return status;
}

/// How many joints have skin that follows them most.
static int tgCountRegions(const tgActor* actor)
{
    int count = 0;
    for (int j = 0; j < actor->scene->jointCount; ++j) {
        bool any = false;
        for (int v = 0; v < actor->scene->vertexCount && !any; ++v) {
            any = tgRig_GetRegion(actor->rig, v) == j;
        }
        count += any;
    }
    return count;
}

// ---- figure 1 -----------------------------------------------------------------------------------

int tgMakeInputFigure(tgPaper* paper, tgPaperEntry* entry)
{
    static const char tg_view[] = "1,0.1,0.4";
    const tgScene* elephant = tgPaper_GetModel(paper, "elephant", 5720);
    tgVolumeDef volume = tgMakeVolume(tg_volumeLocal, NULL);
    tgActor rest = {0};
    tgPair pair = {0};
    tgSheet sheet = {0};
    double time = 0.0;
    int status = tgOpenSkin(elephant, NULL, &rest);
    status = status == tg_statusDone ? tgPlay(&rest, 0.0) : status;
    status = status == tg_statusDone ? tgFindWorstTime(elephant, &time) : status;
    status = status == tg_statusDone ? tgOpenPair(elephant, &volume, time, &pair) : status;
    if (status == tg_statusDone) {
        tgAddNumber(entry, (double)NAN, tgCountRegions(&rest), "regions", tg_betterNeither,
                    "found by the skin weights");
        tgAddPairErrors(entry, &pair, "volume preserved by regions");
        status =
            tgSaveOne(paper, entry, &rest, "bones", tg_view, "a) input", "a) Mesh and skeleton.");
    }
    status = status == tg_statusDone
                 ? tgSaveOne(paper, entry, &rest, "regions", tg_view, "b) regions",
                             "b) Each vertex by the joint that it follows most.")
                 : status;
    tgSheetDef def = {.actor = &pair.kept, .view = tg_view};
    status = status == tg_statusDone ? tgOpenSheet(paper, &def, &sheet) : status;
    if (status == tg_statusDone) {
        tgSheet_Add(&sheet, &pair.plain, "c) classical skinning");
        tgSheet_Add(&sheet, &pair.kept, "d) volume preserved by regions");
        status = tgSheet_Save(&sheet, entry,
                              "c, d) The pose that loses most: belly and flanks are fuller in d.");
    }
    tgCloseSheet(&sheet);
    tgClosePair(&pair);
    tgCloseActor(&rest);
    return status;
}

// ---- figure 6 -----------------------------------------------------------------------------------

/// A face at rest, and as posed and then carried back by the bone that it follows most.
typedef struct tgPrism {
    tgVec3 rest[3], carried[3];
    double depth; ///< six times its volume, about
} tgPrism;

/// Where the second bone, were it all that moves, has a vertex from.
static tgVec3 tgCarryBack(const tgActor* actor, int vertex)
{
    tgMat34 back = tgIdentityMat34();
    tgInvertMat34(&actor->joints[1], &back); // a turn: it can be
    return tgMulMatPoint(&actor->scene->joints[1].restJoint,
                         tgMulMatPoint(&back, actor->positions[vertex]));
}

/// The largest one over the triangles of the second bone's region on the near side.
static tgPrism tgFindLargestPrism(const tgActor* actor)
{
    const tgScene* scene = actor->scene;
    tgPrism best = {.depth = -1.0};
    for (int f = 0; f < scene->faceCount; ++f) {
        const int* corners = scene->faceVertices + (ptrdiff_t)3 * f;
        tgPrism prism = {.depth = 0.0};
        tgVec3 ways = {0.0f, 0.0f, 0.0f};
        bool isOurs = true;
        for (int k = 0; k < 3; ++k) {
            prism.rest[k] = scene->positions[corners[k]];
            prism.carried[k] = tgCarryBack(actor, corners[k]);
            ways = tgAdd(ways, tgSub(prism.rest[k], prism.carried[k]));
            isOurs &= tgRig_GetRegion(actor->rig, corners[k]) == 1 && prism.rest[k].z > 0.0f;
        }
        tgVec3 area =
            tgCross(tgSub(prism.rest[1], prism.rest[0]), tgSub(prism.rest[2], prism.rest[0]));
        prism.depth = (double)tgDot(area, ways);
        best = isOurs && prism.depth > best.depth ? prism : best;
    }
    return best;
}

static void tgAddPrism(const tgPrism* prism, float radius, tgSolids* marks)
{
    for (int k = 0; k < 3; ++k) {
        int next = (k + 1) % 3;
        tgSolids_AddTube(marks, prism->rest[k], prism->rest[next], radius);
        tgSolids_AddTube(marks, prism->carried[k], prism->carried[next], radius);
        tgSolids_AddTube(marks, prism->rest[k], prism->carried[k], radius);
    }
}

/// What the prisms of both regions sum to, over what the tube lost.
static int tgAddPrismLoss(tgPaperEntry* entry, const tgScene* tube)
{
    tgVolumeDef volume = tgMakeVolume(tg_volumeLocal, NULL);
    volume.local.loss = tg_lossPrisms;
    tgPair pair;
    int status = tgOpenPair(tube, &volume, tgGetBendTime(tube), &pair);
    if (status == tg_statusDone) {
        tgReport report = tgInstance_GetReport(pair.kept.instance);
        double sum = 0.0, rest = tgRig_GetInfo(pair.plain.rig).restVolume;
        for (int i = 0; i < report.lossCount; ++i) {
            sum += report.losses[i].loss;
        }
        tgAddNumber(entry, (double)NAN, 100.0 * sum / rest, "% of the volume", tg_betterNeither,
                    "change of the tube, by the prisms of its two regions");
        tgAddNumber(entry, (double)NAN, tgGetLoss(&pair.plain), "% of the volume", tg_betterNeither,
                    "change of the tube, by its enclosed volume");
    }
    tgClosePair(&pair);
    return status;
}

/// The tube at rest, of glass, and the prism of one of its faces.
static int tgSavePrism(tgPaper* paper, tgPaperEntry* entry, const tgScene* tube)
{
    tgActor rest = {0}, bent = {0};
    int status = tgOpenSkin(tube, NULL, &rest);
    status = status == tg_statusDone ? tgPlay(&rest, 0.0) : status;
    status = status == tg_statusDone ? tgOpenSkin(tube, NULL, &bent) : status;
    status = status == tg_statusDone ? tgPlay(&bent, tgGetBendTime(tube)) : status;
    bool* focus = calloc((size_t)tube->vertexCount, sizeof(bool)); // where the prism is
    for (int v = 0; focus != NULL && v < tube->vertexCount; ++v) {
        focus[v] = fabsf(tube->positions[v].x - tube->joints[1].restJoint.origin.x - 0.8f) < 1.2f;
    }
    tgSheetDef def = {.actor = &rest, .show = "bones", .view = "0.3,0.35,1", .focus = focus};
    tgSheet sheet = {0};
    status = status == tg_statusDone ? tgOpenSheet(paper, &def, &sheet) : status;
    tgPanel* panel = status == tg_statusDone ? tgSheet_Add(&sheet, &rest, "b) a prism") : NULL;
    if (panel != NULL) {
        tgPrism prism = tgFindLargestPrism(&bent);
        tgAddPrism(&prism, 0.02f, &panel->marks);
        status = tgSheet_Save(&sheet, entry,
                              "b) A triangle of the tube at rest and, inside, the same one bent to "
                              "90 degrees and carried back by its bone: the prism between the two "
                              "is its part of the loss.");
    }
    tgCloseSheet(&sheet);
    free(focus);
    tgCloseActor(&rest);
    tgCloseActor(&bent);
    return status;
}

int tgMakeSegmentationFigure(tgPaper* paper, tgPaperEntry* entry)
{
    const tgScene* giraffe = tgPaper_GetGiraffe(paper, 1677);
    tgActor rest = {0};
    int status = tgOpenSkin(giraffe, NULL, &rest);
    status = status == tg_statusDone ? tgPlay(&rest, 0.0) : status;
    status = status == tg_statusDone
                 ? tgSaveOne(paper, entry, &rest, "regions", "1,0.15,0.5", "a) regions",
                             "a) The giraffe's regions, each in a colour.")
                 : status;
    tgCloseActor(&rest);
    tgCylinderDef def = tgGetPaperTube(90.0f);
    tgScene* tube = status == tg_statusDone ? tgMakeCylinder(&def) : NULL;
    status = tube != NULL ? tgSavePrism(paper, entry, tube) : tg_statusFailed;
    status = status == tg_statusDone ? tgAddPrismLoss(entry, tube) : status;
    tgDestroyScene(tube);
    return status;
}

// ---- figure 7 -----------------------------------------------------------------------------------

/// A tube bent so far that plain skin passes through itself, and one whose skin stops.
static int tgSaveFoldOver(tgPaper* paper, tgPaperEntry* entry, const tgCylinderDef* def,
                          tgActor* actors)
{
    tgOutlines outlines = {
        .plane = tgMakePlane(actors[0].joints[1].origin, tgMakeVec3(0.0f, 0.0f, 1.0f)),
        .moved = 0.15f * def->radius,
        .count = 2,
        .actors = {&actors[1], &actors[0]},
        .labels = {"fold-over prevented", "volume alone"}};
    tgCrossingCounter counter = {0};
    tgError error = {0};
    if (tgOpenCrossingCounter(actors[0].scene, actors[0].rig, &counter, &error) != tg_success) {
        return tgSayFailed("cylinder", &error);
    }
    for (int i = 0; i < 2; ++i) {
        tgAddNumber(entry, (double)NAN, tgCrossingCounter_Count(&counter, actors[i].positions),
                    "pairs", tg_betterNeither, "crossing triangles: %s", outlines.labels[1 - i]);
    }
    tgCloseCrossingCounter(&counter);
    return tgSaveOutlines(paper, entry, &outlines,
                          "Cut in the plane of the bend: thin lines lead from skin that has passed "
                          "through its neighbour to where it stops.");
}

int tgMakeFoldOverFigure(tgPaper* paper, tgPaperEntry* entry)
{
    tgCylinderDef def = tgDefaultCylinderDef();
    def.length = 6.0f;
    def.aroundCount = 32;
    def.ringCount = 49;
    tgScene* tube = tgMakeCylinder(&def);
    tgActor actors[2] = {{0}, {0}};
    int status = tube != NULL ? tg_statusDone : tg_statusFailed;
    for (int i = 0; i < 2 && status == tg_statusDone; ++i) {
        tgVolumeDef volume = tgMakeVolume(tg_volumeLocal, NULL);
        volume.contact = i == 0 ? tg_contactOff : tg_contactOn;
        status = tgOpenSkin(tube, &volume, &actors[i]);
        status = status == tg_statusDone
                     ? tgTurnActor(&actors[i], (const char* const[]){"bone1=0,0,1,120", NULL})
                     : status;
    }
    status = status == tg_statusDone ? tgSaveFoldOver(paper, entry, &def, actors) : status;
    tgCloseActor(&actors[0]);
    tgCloseActor(&actors[1]);
    tgDestroyScene(tube);
    return status;
}
