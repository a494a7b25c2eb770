// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Rohmer, Hahmann, Cani 2009: exact volume preserving skinning with shape control. The correction
// goes along the axes of each joint's frame, shaped by profiles.

#include "rohmer_2009.h"
#include "cli/demo_settings.h"
#include "cli/report.h"
#include "core/core.h"
#include "core/profile.h"
#include "paper.h"
#include "weights.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char tg_sideView[] = "1,0.1,0.35";
static const char tg_giraffeView[] = "0.5,0.25,1"; // from where its neck's width is seen

/// The giraffe's rubber; its bones are shorter than its neck is thick.
static tgProfile tgGetGiraffeProfile(void)
{
    tgProfile profile = tgDefaultProfile(tg_profileRubber);
    profile.sigma[0] = profile.sigma[1] = profile.sigma[2] = 0.5f;
    return profile;
}

int tgOpenElephant(const tgScene* scene, tgActor* actor, tgSettings** settings)
{
    tgError error = {0};
    *actor = (tgActor){0};
    *settings = scene != NULL ? tgParseSettings(tg_elephantSettings, strlen(tg_elephantSettings),
                                                scene, &error)
                              : NULL;
    if (*settings == NULL) {
        return scene != NULL ? tgSayFailed("elephant", &error) : tg_statusFailed;
    }
    return tgOpenSkin(scene, &(*settings)->volume, actor);
}

static void tgAddErrorsOf(tgPaperEntry* entry, const char* name, tgActor* plain, tgActor* kept)
{
    tgAddNumber(entry, (double)NAN, tgGetLoss(plain), "% of the volume", tg_betterNeither,
                "%s: error, classical skinning", name);
    tgAddNumber(entry, (double)NAN, tgGetLoss(kept), "% of the volume", tg_betterNeither,
                "%s: error, corrected", name);
}

/// The joint that loses most in the pose an actor stands in; -1 without any.
static int tgFindWorstJoint(const tgActor* actor)
{
    tgReport report = tgInstance_GetReport(actor->instance);
    int joint = -1;
    double most = 0.0;
    for (int i = 0; i < report.lossCount; ++i) {
        if (fabs(report.losses[i].loss) > most) {
            most = fabs(report.losses[i].loss);
            joint = report.losses[i].joint;
        }
    }
    return joint;
}

/// Seconds for a frame in which `actor`'s worst joint alone is turned.
static int tgAddOneBone(tgPaperEntry* entry, tgActor* actor, const char* name, double published)
{
    int joint = tgFindWorstJoint(actor);
    char turn[160];
    snprintf(turn, sizeof(turn), "%.100s=1,0,0,25",
             joint >= 0 ? actor->scene->joints[joint].name : "");
    int status = tgTurnActor(actor, (const char* const[]){turn, NULL});
    if (status == tg_statusDone) {
        tgAddNumber(entry, published, tgTimeFrame(actor), "s", tg_betterLess,
                    "%s, %d vertices, 1 bone in rotation", name, actor->scene->vertexCount)
            ->isTiming = true;
    }
    return status;
}

static int tgMakeTable1(tgPaper* paper, tgPaperEntry* entry)
{
    const tgScene* giraffe = tgPaper_GetGiraffe(paper, 1673);
    const tgScene* elephant = tgPaper_GetModel(paper, "elephant", 6646);
    tgProfile rubber = tgGetGiraffeProfile();
    tgVolumeDef volume = tgMakeVolume(tg_volumeExact, &rubber);
    tgActor toy = {0}, beast = {0};
    tgSettings* settings = NULL;
    double time = 0.0;
    int status = tgOpenSkin(giraffe, &volume, &toy);
    status = status == tg_statusDone ? tgFindWorstTime(giraffe, &time) : status;
    status = status == tg_statusDone ? tgPlay(&toy, time) : status;
    status = status == tg_statusDone ? tgAddOneBone(entry, &toy, "giraffe", 0.011) : status;
    status = status == tg_statusDone ? tgOpenElephant(elephant, &beast, &settings) : status;
    status = status == tg_statusDone ? tgFindWorstTime(elephant, &time) : status;
    status = status == tg_statusDone
                 ? tgTurnActor(&beast, (const char* const[]){"spine2=1,0,0,20", NULL})
                 : status;
    status = status == tg_statusDone ? tgAddOneBone(entry, &beast, "elephant (1)", 0.053) : status;
    status = status == tg_statusDone ? tgAddSubdivided(entry) : status;
    status = status == tg_statusDone ? tgPlay(&beast, time) : status;
    if (status == tg_statusDone) {
        int bending = tgInstance_GetReport(beast.instance).lossCount;
        tgAddNumber(entry, 0.407, tgTimeFrame(&beast), "s", tg_betterLess,
                    "elephant (2), %d vertices, %d bones in rotation (published: 17)",
                    elephant->vertexCount, bending)
            ->isTiming = true;
    }
    tgCloseActor(&toy);
    tgCloseActor(&beast);
    tgDestroySettings(settings);
    return status;
}

/// Two or three skins of one scene side by side; returns the status.
static int tgSaveSkins(tgPaper* paper, tgPaperEntry* entry, const tgActor* const* actors,
                       const char* const* labels, const char* view, const char* words)
{
    tgSheetDef def = {.actor = actors[0], .view = view};
    tgSheet sheet;
    int status = tgOpenSheet(paper, &def, &sheet);
    for (int i = 0; actors[i] != NULL && status == tg_statusDone; ++i) {
        tgSheet_Add(&sheet, actors[i], "%s", labels[i]);
    }
    status = status == tg_statusDone ? tgSheet_Save(&sheet, entry, words) : status;
    tgCloseSheet(&sheet);
    return status;
}

static int tgMakeFigure1Giraffe(tgPaper* paper, tgPaperEntry* entry)
{
    const tgScene* scene = tgPaper_GetGiraffe(paper, 1673);
    tgProfile rubber = tgGetGiraffeProfile();
    tgVolumeDef volume = tgMakeVolume(tg_volumeExact, &rubber);
    tgActor rest = {0}, plain = {0}, kept = {0};
    double time = 0.0;
    int status = tgOpenSkin(scene, NULL, &rest);
    status = status == tg_statusDone ? tgOpenSkin(scene, NULL, &plain) : status;
    status = status == tg_statusDone ? tgOpenSkin(scene, &volume, &kept) : status;
    status = status == tg_statusDone ? tgFindWorstTime(scene, &time) : status;
    status = status == tg_statusDone ? tgPlay(&rest, 0.0) : status;
    status = status == tg_statusDone ? tgPlay(&plain, time) : status;
    status = status == tg_statusDone ? tgPlay(&kept, time) : status;
    if (status == tg_statusDone) {
        tgAddErrorsOf(entry, "giraffe", &plain, &kept);
        status = tgSaveSkins(paper, entry, (const tgActor*[]){&rest, NULL},
                             (const char*[]){"original"}, tg_giraffeView, "The giraffe at rest.");
    }
    status = status == tg_statusDone
                 ? tgSaveSkins(paper, entry, (const tgActor*[]){&plain, &kept, NULL},
                               (const char*[]){"classical skinning", "rubber"}, tg_giraffeView,
                               "It bends its neck, which as rubber grows wide.")
                 : status;
    tgCloseActor(&rest);
    tgCloseActor(&plain);
    tgCloseActor(&kept);
    return status;
}

/// Plain and folded elephant at the time that loses most.
typedef struct tgSitting {
    const tgScene* scene;
    double time;
    tgActor plain, kept;
    tgSettings* settings;
} tgSitting;

static int tgOpenSitting(tgPaper* paper, tgSitting* sitting)
{
    *sitting = (tgSitting){.scene = tgPaper_GetModel(paper, "elephant", 6646)};
    int status = tgOpenSkin(sitting->scene, NULL, &sitting->plain);
    status = status == tg_statusDone
                 ? tgOpenElephant(sitting->scene, &sitting->kept, &sitting->settings)
                 : status;
    status = status == tg_statusDone ? tgFindWorstTime(sitting->scene, &sitting->time) : status;
    status = status == tg_statusDone ? tgPlay(&sitting->plain, sitting->time) : status;
    return status == tg_statusDone ? tgPlay(&sitting->kept, sitting->time) : status;
}

static void tgCloseSitting(tgSitting* sitting)
{
    tgCloseActor(&sitting->plain);
    tgCloseActor(&sitting->kept);
    tgDestroySettings(sitting->settings);
}

static int tgMakeFigure1(tgPaper* paper, tgPaperEntry* entry)
{
    int status = tgMakeFigure1Giraffe(paper, entry);
    tgSitting sitting = {0};
    status = status == tg_statusDone ? tgOpenSitting(paper, &sitting) : status;
    if (status == tg_statusDone) {
        tgAddErrorsOf(entry, "elephant", &sitting.plain, &sitting.kept);
        status = tgSaveSkins(paper, entry, (const tgActor*[]){&sitting.plain, &sitting.kept, NULL},
                             (const char*[]){"classical skinning", "belly profile"}, tg_sideView,
                             "The elephant sits down; its belly keeps its volume in folds.");
    }
    tgCloseSitting(&sitting);
    return status;
}

// ---- figures 4 and 5: frames and profiles on a cylinder
// ------------------------------------------

/// e0 along the parent bone, e2 to the side the bone bends towards, e1 the bending axis, at each
/// joint of a tube that is straight at rest.
static void tgAddFrames(const tgActor* actor, float length, tgSolids* arrows)
{
    const tgScene* scene = actor->scene;
    tgVec3 along = {1.0f, 0.0f, 0.0f};
    for (int j = 1; j < scene->jointCount; ++j) {
        tgVec3 origin = actor->joints[j].origin;
        tgVec3 e0 = tgNormalize(tgMulMatDirection(&actor->joints[j - 1], along), along);
        tgVec3 d = tgNormalize(tgMulMatDirection(&actor->joints[j], along), along);
        tgVec3 e2 = tgNormalize(tgMulAdd(d, -tgDot(d, e0), e0), along);
        tgVec3 axes[3] = {e0, tgCross(e2, e0), e2};
        for (int a = 0; a < 3; ++a) {
            tgSolids_AddArrow(arrows, origin, tgMulAdd(origin, length, axes[a]), 0.03f * length);
        }
    }
}

static int tgMakeFigure4(tgPaper* paper, tgPaperEntry* entry)
{
    tgCylinderDef def = tgDefaultCylinderDef();
    def.boneCount = 3;
    def.ringCount = 40;
    def.aroundCount = 32;
    def.length = 10.0f;
    def.bendDegrees = 50.0f;
    tgScene* tube = tgMakeCylinder(&def);
    tgActor actor;
    tgSheet sheet = {0};
    int status = tgOpenSkin(tube, NULL, &actor);
    status = status == tg_statusDone ? tgPlay(&actor, tgGetBendTime(tube)) : status;
    tgSheetDef sheetDef = {.actor = &actor, .show = "bones", .view = "0.35,0.5,1"};
    status = status == tg_statusDone ? tgOpenSheet(paper, &sheetDef, &sheet) : status;
    if (status == tg_statusDone) {
        tgPanel* panel = tgSheet_Add(&sheet, &actor, "frames of the joints");
        tgPanelDef panelDef = {.show = &sheet.show, .actor = &actor};
        tgError error = {0};
        if (panel == NULL || tgPanel_Capture(panel, &panelDef, &error) != tg_success) {
            status = tgSayFailed("cylinder", &error);
        } else {
            tgAddFrames(&actor, 1.7f, &panel->marks);
            status =
                tgSheet_Save(&sheet, entry,
                             "At each joint: e0 along the parent bone, e1 the bending axis, e2 "
                             "to the side the bone bends towards.");
        }
    }
    tgCloseSheet(&sheet);
    tgCloseActor(&actor);
    tgDestroyScene(tube);
    return status;
}

static const struct {
    const char* label;
    tgProfileKind kind;
} tg_profiles[] = {{"b) isotropic", tg_profileIsotropic},
                   {"c) rubber", tg_profileRubber},
                   {"d) biceps", tg_profileMuscle},
                   {"e) folds", tg_profileFolds}};

static tgProfile tgGetPublishedProfile(int i)
{
    tgProfile profile = tgDefaultProfile(tg_profiles[i].kind);
    if (profile.kind == tg_profileIsotropic) {
        profile.mu[0] = profile.mu[1] = profile.mu[2] = (float)1 / 3;
    }
    return profile;
}

enum { tg_curveCount = 161 };

/// Gamma along each axis of the joint, with the axis' share: the paper's insets.
static int tgSaveCurves(tgPaper* paper, tgPaperEntry* entry, int i)
{
    tgProfile profile = tgGetPublishedProfile(i);
    tgLimb limb = {.boneLength = 1.0f, .profileCount = 1, .profiles = &profile};
    tgJointFrame frame = {.unit = 1.0f, .swingSquared = 2.0f, .bendPart = 1.0f};
    double x[tg_curveCount], curves[3][tg_curveCount];
    tgPlotSeries series[3];
    char names[3][32];
    for (int a = 0; a < 3; ++a) {
        (&frame.axes[a].x)[a] = 1.0f;
    }
    for (int a = 0; a < 3; ++a) {
        for (int k = 0; k < tg_curveCount; ++k) {
            float p[4] = {0.0f, 0.0f, 0.0f, 0.0f}, gamma = 0.0f;
            // Off the middle, where waves and half spaces have their zeros.
            p[0] =
                profile.center[0] + (profile.kind == tg_profileFolds ? 0.5f / profile.folds : 0.0f);
            p[2] = profile.kind == tg_profileMuscle ? profile.sigma[2] : 0.0f;
            x[k] = 2.0 * k / (tg_curveCount - 1) - 1.0;
            p[a] = (float)x[k];
            tgFillGamma(&limb, &frame, p, NULL, 1, &gamma);
            curves[a][k] = (double)gamma;
        }
        snprintf(names[a], sizeof(names[a]), "along e%d, mu = %.2g", a, (double)profile.mu[a]);
        series[a] = (tgPlotSeries){.name = names[a], .values = curves[a], .color = -1};
    }
    tgPlotDef plot = tgDefaultPlotDef();
    char title[64];
    snprintf(title, sizeof(title), "%s: gamma", tg_profiles[i].label);
    plot.title = title;
    plot.xLabel = "from the joint (parent bone lengths)";
    plot.xValues = x;
    plot.valueCount = tg_curveCount;
    plot.series = series;
    plot.seriesCount = 3;
    plot.width = 520;
    plot.height = 260;
    char words[64];
    snprintf(words, sizeof(words), "Gamma of %s along the axes.", tg_profiles[i].label);
    return tgSavePaperPlot(paper, entry, &plot, words);
}

static int tgMakeFigure5(tgPaper* paper, tgPaperEntry* entry)
{
    tgCylinderDef def = tgDefaultCylinderDef();
    def.aroundCount = 40;
    def.ringCount = 81;
    tgScene* tube = tgMakeCylinder(&def);
    tgActor plain;
    tgSheet sheet = {0};
    int status = tgOpenSkin(tube, NULL, &plain);
    status = status == tg_statusDone ? tgPlay(&plain, tgGetBendTime(tube)) : status;
    tgSheetDef sheetDef = {.actor = &plain, .view = "-0.2,0.5,1"};
    status = status == tg_statusDone ? tgOpenSheet(paper, &sheetDef, &sheet) : status;
    if (status == tg_statusDone) {
        tgSheet_Add(&sheet, &plain, "a) classical skinning");
        tgAddNumber(entry, (double)NAN, tgGetLoss(&plain), "% of the volume", tg_betterNeither,
                    "error, a) classical skinning");
    }
    for (int i = 0; i < 4 && status == tg_statusDone; ++i) {
        tgProfile profile = tgGetPublishedProfile(i);
        tgVolumeDef volume = tgMakeVolume(tg_volumeExact, &profile);
        tgActor kept;
        status = tgOpenSkin(tube, &volume, &kept);
        status = status == tg_statusDone ? tgPlay(&kept, tgGetBendTime(tube)) : status;
        if (status == tg_statusDone) {
            tgSheet_Add(&sheet, &kept, "%s", tg_profiles[i].label);
            tgAddNumber(entry, (double)NAN, tgGetLoss(&kept), "% of the volume", tg_betterNeither,
                        "error, %s", tg_profiles[i].label);
        }
        tgCloseActor(&kept);
    }
    status = status == tg_statusDone
                 ? tgSheet_Save(&sheet, entry, "One bend to 90 degrees, five ways.")
                 : status;
    for (int i = 0; i < 4 && status == tg_statusDone; ++i) {
        status = tgSaveCurves(paper, entry, i);
    }
    tgCloseSheet(&sheet);
    tgCloseActor(&plain);
    tgDestroyScene(tube);
    return status;
}

static int tgMakeFigure7(tgPaper* paper, tgPaperEntry* entry)
{
    static const tgWeighing tg_weighings[] = {
        {.label = "Cartesian distance", .isPlain = true},
        {.label = "distance through the inside", .method = tg_bindGeodesic},
    };
    return tgCompareWeights(paper, entry, tg_weighings, 2,
                            "Weight of the index finger on a hand that is half closed.");
}

// ---- figures 8 and 9: the elephant
// ---------------------------------------------------------------

static int tgMakeFigure8(tgPaper* paper, tgPaperEntry* entry)
{
    tgSitting sitting;
    tgSheet sheet = {0};
    int status = tgOpenSitting(paper, &sitting);
    tgSheetDef def = {.actor = &sitting.kept, .view = tg_sideView};
    status = status == tg_statusDone ? tgOpenSheet(paper, &def, &sheet) : status;
    for (int i = 0; i < 4 && status == tg_statusDone; ++i) {
        double time = sitting.time * i / 3.0;
        status = tgPlay(&sitting.kept, time);
        tgSheet_Add(&sheet, &sitting.kept, "%.1f s", time);
    }
    status = status == tg_statusDone
                 ? tgSheet_Save(&sheet, entry, "The elephant sits down; its belly folds.")
                 : status;
    tgCloseSheet(&sheet);
    if (status == tg_statusDone) {
        tgOutlines outlines = {
            .plane = tgMakePlane(tgMakeVec3(0.36f, 1.0f, 0.0f), tgMakeVec3(1.0f, 0.0f, 0.0f)),
            .count = 2,
            .actors = {&sitting.kept, &sitting.plain},
            .labels = {"belly profile", "classical skinning"}};
        tgAddErrorsOf(entry, "last pose", &sitting.plain, &sitting.kept);
        status = tgSaveOutlines(paper, entry, &outlines,
                                "The last pose cut along the left legs, seen from the left.");
    }
    tgCloseSitting(&sitting);
    return status;
}

static int tgMakeFigure9(tgPaper* paper, tgPaperEntry* entry)
{
    static const char* const tg_turns[] = {"spine1=1,0,0,14",  "spine2=1,0,0,14",
                                           "spine3=1,0,0,14",  "shoulder.R=1,0,0,-55",
                                           "elbow.R=1,0,0,35", NULL};
    const tgScene* scene = tgPaper_GetModel(paper, "elephant", 6646);
    tgProfile muscle = tgDefaultProfile(tg_profileMuscle);
    muscle.center[0] = 0.0f;
    muscle.sigma[0] = muscle.sigma[1] = muscle.sigma[2] = 1.5f; // the shoulder reaches the belly
    tgVolumeDef volume = tgMakeVolume(tg_volumeExact, &muscle);
    tgActor plain = {0}, kept = {0};
    int status = tgOpenSkin(scene, NULL, &plain);
    status = status == tg_statusDone ? tgOpenSkin(scene, &volume, &kept) : status;
    status = status == tg_statusDone ? tgTurnActor(&plain, tg_turns) : status;
    status = status == tg_statusDone ? tgTurnActor(&kept, tg_turns) : status;
    status = status == tg_statusDone
                 ? tgSaveSkins(paper, entry, (const tgActor*[]){&plain, &kept, NULL},
                               (const char*[]){"classical skinning", "volume preserved"},
                               "-1,0.05,0.35", "Belly and right shoulder bulge into each other.")
                 : status;
    if (status == tg_statusDone) {
        tgOutlines outlines = {
            .plane = tgMakePlane(tgMakeVec3(-0.36f, 1.0f, 0.0f), tgMakeVec3(-1.0f, 0.0f, 0.0f)),
            .count = 2,
            .actors = {&kept, &plain},
            .labels = {"volume preserved", "classical skinning"}};
        tgAddErrorsOf(entry, "elephant", &plain, &kept);
        status = tgSaveOutlines(paper, entry, &outlines, "Cut along the right legs.");
    }
    tgCloseActor(&plain);
    tgCloseActor(&kept);
    return status;
}

static const tgPaperItem tg_items[] = {
    {"2009-table-1", "Table 1", "Seconds for a frame",
     "The exact correction: the giraffe's rubber along one axis, the elephant's belly, and its "
     "whole body.",
     tgMakeTable1},
    {"2009-figure-1", "Figure 1", "A rubber giraffe, and an elephant that sits",
     "Classical skinning loses volume; the exact correction gives it back by profiles.",
     tgMakeFigure1},
    {"2009-figure-2", "Figure 2", "The volume, and its gradient on triangles and bilinear patches",
     "Prisms sum to the volume whatever the height of the plane. Quads cut along alternating "
     "diagonals show a pattern in the gradient, bilinear patches none.",
     tgMakeVolumeFigure},
    {"2009-figure-3", "Figure 3", "The correction in three steps",
     "Mode paper, a third of the loss along each axis: e0 along the bone, e1 the bending axis, e2 "
     "to the inner side. Each step leaves the others what is theirs.",
     tgMakeStepsFigure},
    {"2009-figure-4", "Figure 4", "Local frames", "A tube with three segments.", tgMakeFigure4},
    {"2009-figure-5", "Figure 5", "Profiles on a cylinder",
     "Shares along the axes as published: thirds; (0, 1, 0); (.1, .1, .8); (0, .5, .5).",
     tgMakeFigure5},
    {"2009-figure-6", "Figure 6", "From mesh and skeleton to weights",
     "The elephant's weights made by turgor bind's way; its own are not used.", tgMakeVoxelFigure},
    {"2009-figure-7", "Figure 7", "Weights by Cartesian distance, and through the inside",
     "Where finger tips come near the palm, plain distance takes the wrong bone. Wrong are "
     "vertices of a finger that follow another digit more than their own.",
     tgMakeFigure7},
    {"2009-figure-8", "Figure 8", "A belly that folds", "The bulge turns into folds as it bends.",
     tgMakeFigure8},
    {"2009-figure-9", "Figure 9", "Corrections that overlap",
     "Shares (.1, .1, .8) at every joint, wide enough to meet.", tgMakeFigure9},
    {"2009-figure-10", "Figure 10", "Local subdivision where bulges occur",
     "Faces near a vertex that takes more than a threshold of some spine joint's correction are "
     "split in four.",
     tgMakeRefineFigure},
    {"2009-figure-11", "Figure 11", "How much the order matters",
     "a) Correcting along e1 and then e2, or the other way round, on a tube bent to 90 degrees. b) "
     "Correcting the left joint before the right one, or after it, on a tube of three segments "
     "whose middle one is the root. Mode paper is the published way; mode exact, the default, has "
     "no order of either. The tube of a) loses 11 %, as 2008's does; which one the paper bent it "
     "does not tell.",
     tgMakeOrderFigure},
};

const tgPaperList tg_paper2009 = {
    "2009: Exact volume preserving skinning with shape control (Rohmer, Hahmann, Cani)", tg_items,
    sizeof(tg_items) / sizeof(tg_items[0])};
