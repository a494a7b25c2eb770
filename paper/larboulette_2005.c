// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Larboulette, Cani, Arnaldi 2005: dynamic skinning. Flesh elements shake on springs.

#include "larboulette_2005.h"
#include "cli/demo_settings.h"
#include "cli/report.h"
#include "core/core.h"
#include "flesh.h"
#include "network.h"
#include "paper.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char tg_sideView[] = "1,0.15,0.25", tg_frontView[] = "0.1,0.15,1";
enum { tg_catVertices = 1296, tg_mushroomVertices = 1500 };

/// The cat's belly: soft, as fat is. The elongation limit keeps it on its side of the spine.
static tgFleshElement tgGetBelly(const tgScene* cat, int* driven)
{
    tgFleshElement belly = tgMakeElement(cat, "pelvis", "chest", driven);
    belly.springs[0].frequency = 3.0f;
    belly.springs[0].dampingRatio = 0.15f;
    return belly;
}

static tgFleshElement tgGetCap(const tgScene* mushroom, int* driven)
{
    tgFleshElement cap = tgMakeElement(mushroom, "cap", "top", driven);
    cap.attenuation = tg_attenuationParabola;
    return cap;
}

/// A character with one element; returns the status. Close it in either case.
static int tgOpenOne(tgPaper* paper, const char* name, int vertexCount,
                     tgFleshElement (*make)(const tgScene*, int*), tgFleshPair* pair)
{
    const tgScene* scene = tgPaper_GetModel(paper, name, vertexCount);
    *pair = (tgFleshPair){0};
    if (scene == NULL) {
        return tg_statusFailed;
    }
    int driven = 0;
    tgFleshElement element = make(scene, &driven);
    return tgOpenFleshPair(scene, &element, 1, pair);
}

/// Several times of an animation side by side, with arrows.
static int tgSaveMotion(tgPaper* paper, tgPaperEntry* entry, tgFleshPair* pair, int animation,
                        const double* times, int count, const tgSheetDef* def, const char* words)
{
    tgSheet sheet;
    int status = tgOpenSheet(paper, def, &sheet);
    double last = 0.0, most = 0.0;
    for (int i = 0; i < count && status == tg_statusDone; ++i) {
        status = tgFleshPair_Run(pair, animation, last, times[i]);
        last = times[i] + 1.0 / 60.0; // the next frame
        most = fmax(most, tgGetLargestMove(pair));
        char label[32];
        snprintf(label, sizeof(label), "%.2f s", times[i]);
        status = status == tg_statusDone ? tgAddFleshPanel(&sheet, pair, 1.0f, label) : status;
    }
    status = status == tg_statusDone ? tgSheet_Save(&sheet, entry, words) : status;
    tgCloseSheet(&sheet);
    tgAddNumber(entry, (double)NAN, most, "% of the diagonal", tg_betterNeither,
                "largest displacement shown");
    return status;
}

static int tgMakeCat(tgPaper* paper, tgPaperEntry* entry, int animation, const double* times,
                     int count, const char* words)
{
    tgFleshPair pair;
    int status = tgOpenOne(paper, "cat", tg_catVertices, tgGetBelly, &pair);
    status =
        status == tg_statusDone
            ? tgSaveMotion(paper, entry, &pair, animation, times, count,
                           &(tgSheetDef){.actor = &pair.moved, .view = tg_sideView, .shape = 0.8f},
                           words)
            : status;
    if (status == tg_statusDone) {
        double cost = tgFleshPair_GetCost(&pair, animation);
        tgAddNumber(entry, (double)NAN, cost, "times", tg_betterNeither,
                    "a frame with flesh over one without (published: almost no cost)")
            ->isTiming = true;
    }
    tgCloseFleshPair(&pair);
    return status;
}

static int tgMakeFigure1(tgPaper* paper, tgPaperEntry* entry)
{
    static const double tg_times[] = {1.85, 1.95, 2.1, 2.25};
    return tgMakeCat(paper, entry, 0, tg_times, 4,
                     "The cat runs; arrows tell how far its belly is from plain skinning.");
}

static int tgMakeFigure11(tgPaper* paper, tgPaperEntry* entry)
{
    static const double tg_times[] = {0.55, 0.8, 1.05, 1.25};
    return tgMakeCat(paper, entry, 1, tg_times, 4,
                     "The same belly in another motion: the cat jumps.");
}

// ---- figure 6: shape, attenuation, weights
// -------------------------------------------------------

enum { tg_sampleCount = 81 };

/// How far the skin is from the bone at y, the farthest vertex of a narrow band.
static double tgGetShape(const tgScene* scene, tgVec3 from, tgVec3 to, double y)
{
    double most = 0.0, length = (double)tgDistance(from, to);
    tgVec3 along = tgMulSV((float)(1.0 / length), tgSub(to, from));
    for (int v = 0; v < scene->vertexCount; ++v) {
        tgVec3 p = tgSub(scene->positions[v], from);
        double t = (double)tgDot(p, along);
        double away = (double)tgLength(tgMulAdd(p, (float)-t, along));
        bool isNear = fabs(2.0 * t / length - 1.0 - y) < 0.08;
        most = isNear ? fmax(most, away) : most;
    }
    return most;
}

double tgAttenuate(bool isWyvill, double y)
{
    double s = y * y;
    return isWyvill ? 1.0 + (-4.0 * s * s * s + 17.0 * s * s - 22.0 * s) / 9.0 : 1.0 - s;
}

static int tgMakeFigure6(tgPaper* paper, tgPaperEntry* entry)
{
    const tgScene* scene = tgPaper_GetModel(paper, "mushroom", tg_mushroomVertices);
    if (scene == NULL) {
        return tg_statusFailed;
    }
    static double y[tg_sampleCount], shape[tg_sampleCount], fade[2][tg_sampleCount],
        weights[2][tg_sampleCount];
    tgVec3 from = scene->joints[tgScene_FindJoint(scene, "cap")].restJoint.origin;
    tgVec3 to = scene->joints[tgScene_FindJoint(scene, "top")].restJoint.origin;
    double most[2] = {0.0, 0.0};
    for (int i = 0; i < tg_sampleCount; ++i) {
        y[i] = 2.0 * i / (tg_sampleCount - 1) - 1.0;
        shape[i] = tgGetShape(scene, from, to, y[i]);
        for (int k = 0; k < 2; ++k) {
            fade[k][i] = tgAttenuate(k == 1, y[i]);
            weights[k][i] = fade[k][i] * shape[i];
            most[k] = fmax(most[k], weights[k][i]);
        }
    }
    const tgPlotSeries series[3][2] = {
        {{.name = "shape", .values = shape, .color = -1}},
        {{.name = "parabola", .values = fade[0], .color = -1},
         {.name = "Wyvill", .values = fade[1], .color = -1, .dash = "6 4"}},
        {{.name = "parabola", .values = weights[0], .color = -1},
         {.name = "Wyvill", .values = weights[1], .color = -1, .dash = "6 4"}}};
    static const char* const tg_labels[] = {"distance from the bone (m)", "attenuation",
                                            "weight before normalisation (m)"};
    static const char* const tg_words[] = {"(a) The shape of the mushroom's cap along its bone.",
                                           "(b) Both attenuations.", "(c) The weights."};
    int status = tg_statusDone;
    for (int i = 0; i < 3 && status == tg_statusDone; ++i) {
        tgPlotDef plot = tgDefaultPlotDef();
        plot.xLabel = "y along the bone";
        plot.yLabel = tg_labels[i];
        plot.xValues = y;
        plot.valueCount = tg_sampleCount;
        plot.series = series[i];
        plot.seriesCount = i == 0 ? 1 : 2;
        plot.height = 320;
        status = tgSavePaperPlot(paper, entry, &plot, tg_words[i]);
    }
    for (int k = 0; k < 2; ++k) {
        tgAddNumber(entry, (double)NAN, most[k], "m", tg_betterNeither,
                    "longest elongation of the spring, %s", k == 0 ? "parabola" : "Wyvill");
    }
    return status;
}

// ---- figures 7 to 9: the mushroom
// ----------------------------------------------------------------

static int tgMakeFigure7(tgPaper* paper, tgPaperEntry* entry)
{
    static const double tg_times[] = {0.3, 0.42, 0.53, 0.67};
    tgFleshPair pair;
    int status = tgOpenOne(paper, "mushroom", tg_mushroomVertices, tgGetCap, &pair);
    status =
        status == tg_statusDone
            ? tgSaveMotion(paper, entry, &pair, 0, tg_times, 4,
                           &(tgSheetDef){.actor = &pair.moved, .view = tg_frontView, .shape = 0.8f},
                           "The mushroom jerks sideways; one spring moves its cap.")
            : status;
    tgCloseFleshPair(&pair);
    return status;
}

static int tgMakeFigure9(tgPaper* paper, tgPaperEntry* entry)
{
    static const float tg_gravities[] = {0.0f, 5.0f, 10.0f, 20.0f};
    const tgScene* scene = tgPaper_GetModel(paper, "mushroom", tg_mushroomVertices);
    tgFleshPair pairs[4] = {{{0}}};
    tgSheet sheet = {0};
    int driven = 0, status = scene != NULL ? tg_statusDone : tg_statusFailed;
    for (int i = 0; i < 4 && status == tg_statusDone; ++i) {
        tgFleshElement cap = tgGetCap(scene, &driven);
        cap.gravity = tgMakeVec3(0.0f, -tg_gravities[i], 0.0f);
        status = tgOpenFleshPair(scene, &cap, 1, &pairs[i]);
        status = status == tg_statusDone ? tgFleshPair_Run(&pairs[i], -1, 0.0, 4.0) : status;
        double omega = 2.0 * 3.14159265358979 * (double)cap.springs[0].frequency;
        if (status == tg_statusDone && i > 0) {
            tgFleshMotion motion = tgInstance_GetFleshMotion(pairs[i].moved.instance, 0);
            double sag = 1000.0 * (double)tg_gravities[i] / (omega * omega);
            tgAddNumber(entry, (double)NAN, sag + 1000.0 * (double)motion.displacement.y, "mm",
                        tg_betterNeither, "sag at %.0f m/s2: g / omega^2 = %.1f mm less ours",
                        (double)tg_gravities[i], sag);
        }
    }
    tgSheetDef def = {.actor = &pairs[0].moved, .view = tg_sideView};
    status = status == tg_statusDone ? tgOpenSheet(paper, &def, &sheet) : status;
    for (int i = 0; i < 4 && status == tg_statusDone; ++i) {
        char label[32];
        snprintf(label, sizeof(label), "%.0f m/s2", (double)tg_gravities[i]);
        status = tgAddFleshPanel(&sheet, &pairs[i], 0.0f, label);
    }
    status = status == tg_statusDone
                 ? tgSheet_Save(&sheet, entry, "At rest under more and more gravity.")
                 : status;
    tgCloseSheet(&sheet);
    for (int i = 0; i < 4; ++i) {
        tgCloseFleshPair(&pairs[i]);
    }
    return status;
}

// ---- figures 10 and 12: weights and springs
// ------------------------------------------------------

/// Skeleton below glass, and each element's spring from its anchor to its mass.
static int tgSaveSprings(tgPaper* paper, tgPaperEntry* entry, tgFleshPair* pair, const char* view,
                         const char* words)
{
    tgSheetDef def = {.actor = &pair->moved, .show = "bones", .view = view};
    tgSheet sheet;
    int status = tgOpenSheet(paper, &def, &sheet);
    status = status == tg_statusDone ? tgAddSpringPanel(&sheet, pair, "springs") : status;
    status = status == tg_statusDone ? tgSheet_Save(&sheet, entry, words) : status;
    tgCloseSheet(&sheet);
    return status;
}

static int tgMakeFigure10(tgPaper* paper, tgPaperEntry* entry)
{
    tgFleshPair pair;
    int status = tgOpenOne(paper, "cat", tg_catVertices, tgGetBelly, &pair);
    status = status == tg_statusDone ? tgFleshPair_Run(&pair, 0, 0.0, 1.95) : status;
    if (status == tg_statusDone) {
        tgFleshInfo info = tgRig_GetFleshInfo(pair.moved.rig, 0);
        tgAddNumber(entry, 1296.0, pair.moved.scene->vertexCount, "vertices", tg_betterNeither,
                    "the cat");
        tgAddNumber(entry, 500.0, info.vertexCount, "vertices", tg_betterNeither,
                    "its flesh element (published: about)");
        status = tgSaveFleshWeights(paper, entry, &pair, tg_sideView,
                                    "The weights of the belly, 0 to 1.");
    }
    status = status == tg_statusDone
                 ? tgSaveSprings(paper, entry, &pair, tg_sideView,
                                 "The damped spring, from the bone's middle to its mass.")
                 : status;
    tgCloseFleshPair(&pair);
    return status;
}

static int tgMakeFigure12(tgPaper* paper, tgPaperEntry* entry)
{
    static const char tg_view[] = "-1,0.1,-0.45"; // buttocks and thighs are seen from behind
    static const double tg_times[] = {1.3, 1.5, 1.7, 1.9};
    const tgScene* human = tgPaper_GetModel(paper, "human", 5554);
    tgError error = {0};
    tgSettings* settings =
        human != NULL ? tgParseSettings(tg_humanSettings, strlen(tg_humanSettings), human, &error)
                      : NULL;
    if (settings == NULL) {
        return human != NULL ? tgSayFailed("human", &error) : tg_statusFailed;
    }
    tgFleshPair pair = {0};
    int walk = 1;
    tgActorDef layers = {.scene = human, .flesh = &settings->flesh};
    int status = tgOpenLayerPair(&layers, &pair);
    status = status == tg_statusDone ? tgFleshPair_Run(&pair, walk, 0.0, tg_times[0]) : status;
    if (status == tg_statusDone) {
        tgAddNumber(entry, 5554.0, human->vertexCount, "vertices", tg_betterNeither, "the model");
        tgAddNumber(entry, 4.0, tgRig_GetFleshCount(pair.moved.rig), "elements", tg_betterNeither,
                    "flesh elements");
        status =
            tgSaveFleshWeights(paper, entry, &pair, tg_view, "The weights of all four elements.");
    }
    status = status == tg_statusDone
                 ? tgSaveSprings(paper, entry, &pair, tg_view, "Where the four springs are.")
                 : status;
    if (status == tg_statusDone) {
        tgInstance_Reset(pair.moved.instance);
        bool* focus = tgMarkHeights(human, 0.5f, 1.1f); // from the knees to the waist
        tgSheetDef def = {.actor = &pair.moved,
                          .show = "displacement",
                          .title = "moved, % of the diagonal",
                          .view = tg_view,
                          .shape = 1.1f,
                          .focus = focus};
        status = focus != NULL
                     ? tgSaveMotion(paper, entry, &pair, walk, tg_times, 4, &def,
                                    "The human walks, coloured by how far flesh is from plain "
                                    "skinning.")
                     : tgSayFailure("human", "out of memory for a picture");
        free(focus);
    }
    tgCloseFleshPair(&pair);
    tgDestroySettings(settings);
    return status;
}

static const tgPaperItem tg_items[] = {
    {"2005-figure-1", "Figure 1", "A running cat with one flesh element",
     "Arrows from plain skinning to dynamic skinning.", tgMakeFigure1},
    {"2005-figure-2", "Figure 2", "A regular limb under two accelerations",
     "A tube of flesh round a bone that speeds up upwards, as it is when it has come to rest in "
     "that: its ends and its bone are rigid.",
     tgMakeLimbFigure},
    {"2005-figure-3", "Figure 3", "A character in flesh elements",
     "The elements that turgor finds on its human by the names of joints.", tgMakeElementsFigure},
    {"2005-figure-4", "Figure 4", "A dynamic frame on a spring",
     "The local frame is in the middle of a virtual bone, the dynamic one hangs on it by a damped "
     "spring.",
     tgMakeFramesFigure},
    {"2005-figure-5", "Figure 5", "What a weight is made of",
     "The distance to the bone, and the attenuation along it, on the mushroom's skin; 1 is the "
     "largest.",
     tgMakeShapeFigure},
    {"2005-figure-6", "Figure 6", "Shape, attenuation and weights",
     "Weights are the distance from the bone, faded out towards its ends.", tgMakeFigure6},
    {"2005-figure-7", "Figure 7", "The mushroom", "One damped spring.", tgMakeFigure7},
    {"2005-figure-8", "Figure 8", "Against a network of springs",
     "The mushroom filled with masses and damped springs round a rigid core as thick as its stem, "
     "3 Hz and a damping ratio of 0.2, then one flesh element of the same frequency and damping "
     "with the published attenuation. Both are shaken for four seconds and swing out for two.",
     tgMakeNetworkFigure},
    {"2005-figure-9", "Figure 9", "Under gravity", "The spring's sag is g / omega^2.",
     tgMakeFigure9},
    {"2005-figure-10", "Figure 10", "The cat's weights and its spring", "In the run, at 1.95 s.",
     tgMakeFigure10},
    {"2005-figure-11", "Figure 11", "A jumping cat",
     "The same element as in figure 1; only the animation is another.", tgMakeFigure11},
    {"2005-figure-12", "Figure 12", "Four flesh elements",
     "The paper's Eva is not to be had, and her elements are breast, arms, and belly with bottom. "
     "Turgor's own human has buttocks and thighs.",
     tgMakeFigure12},
    {"2005-figure-13", "Figure 13", "Wrinkles as a third layer",
     "Skinning, then flesh, then waves where the run compresses the skin of back and neck. The "
     "paper cites its wrinkles and does not describe them: Turgor's keep the skin's own length, "
     "here on a tube whose inner line a bend shortens.",
     tgMakeWrinkleFigure},
};

const tgPaperList tg_paper2005 = {"2005: Dynamic skinning (Larboulette, Cani, Arnaldi)", tg_items,
                                  sizeof(tg_items) / sizeof(tg_items[0])};
