// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// 2009, figure 2: the volume as a sum of prisms, and its gradient on a tube of quads, cut into
// triangles and as bilinear patches.

#include "cli/report.h"
#include "rohmer_2009.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Adds a sixth of (b - a) x (c - a), times a share, to the three corners.
static void tgAddTriangle(const tgVec3* p, const int* corners, int a, int b, int c, float share,
                          tgVec3* gradient)
{
    tgVec3 area = tgCross(tgSub(p[corners[b]], p[corners[a]]), tgSub(p[corners[c]], p[corners[a]]));
    const int used[3] = {corners[a], corners[b], corners[c]};
    for (int k = 0; k < 3; ++k) {
        gradient[used[k]] = tgMulAdd(gradient[used[k]], share / 6.0f, area);
    }
}

/// |dV/dp| of an open tube of quads, cut along alternating diagonals or as bilinear patches, over
/// its mean; returns the spread over the vertices that are on no border.
static double tgFillGradient(const tgScene* tube, bool cut, tgVec3* gradient, float* values)
{
    memset(gradient, 0, (size_t)tube->vertexCount * sizeof(tgVec3));
    for (int f = 0; f < tube->faceCount; ++f) {
        const int* c = tube->faceVertices + (ptrdiff_t)4 * f;
        int ring = f / 16, place = f % 16;
        bool first = !cut || (ring + place) % 2 == 0, second = !cut || !first;
        float share = cut ? 1.0f : 0.5f; // a patch is the mean of both cuts
        if (first) {
            tgAddTriangle(tube->positions, c, 0, 1, 2, share, gradient);
            tgAddTriangle(tube->positions, c, 0, 2, 3, share, gradient);
        }
        if (second) {
            tgAddTriangle(tube->positions, c, 0, 1, 3, share, gradient);
            tgAddTriangle(tube->positions, c, 1, 2, 3, share, gradient);
        }
    }
    double sum = 0.0, squares = 0.0;
    int count = 0;
    tgVec3 least = tube->positions[0];
    float last = 0.0f;
    for (int v = 0; v < tube->vertexCount; ++v) {
        last = fmaxf(last, tube->positions[v].x);
    }
    for (int v = 0; v < tube->vertexCount; ++v) {
        values[v] = tgLength(gradient[v]);
        float x = tube->positions[v].x;
        if (x > least.x + 0.01f && x < last - 0.01f) {
            sum += (double)values[v];
            squares += (double)values[v] * (double)values[v];
            count += 1;
        }
    }
    double mean = sum / count;
    for (int v = 0; v < tube->vertexCount; ++v) {
        values[v] = (float)((double)values[v] / mean);
    }
    return 100.0 * sqrt(fmax(squares / count - mean * mean, 0.0)) / mean;
}

static int tgMakeGradients(tgPaper* paper, tgPaperEntry* entry)
{
    tgCylinderDef def = tgDefaultCylinderDef();
    def.capped = false;
    tgScene* tube = tgMakeCylinder(&def);
    tgActor actor;
    tgSheet sheet = {0};
    int status = tgOpenSkin(tube, NULL, &actor);
    status = status == tg_statusDone ? tgPlay(&actor, 0.0) : status;
    tgSheetDef sheetDef = {.actor = &actor,
                           .show = "displacement",
                           .title = "gradient over its mean",
                           .view = "0.2,0.35,1",
                           .wireframe = true};
    status = status == tg_statusDone ? tgOpenSheet(paper, &sheetDef, &sheet) : status;
    tgVec3* gradient =
        status == tg_statusDone ? malloc((size_t)tube->vertexCount * sizeof(tgVec3)) : NULL;
    for (int i = 0; i < 2 && gradient != NULL; ++i) {
        bool cut = i == 0;
        tgPanel* panel = tgSheet_Add(&sheet, &actor, cut ? "triangulated" : "bilinear patches");
        if (panel != NULL && panel->values != NULL) {
            double spread = tgFillGradient(tube, cut, gradient, panel->values);
            tgAddNumber(entry, (double)NAN, spread, "% of the mean", tg_betterNeither,
                        "spread of the gradient, %s", cut ? "triangulated" : "bilinear patches");
        }
    }
    status = status == tg_statusDone && gradient == NULL
                 ? tgSayFailure("cylinder", "out of memory for the gradient")
                 : status;
    status =
        status == tg_statusDone
            ? tgSheet_Save(&sheet, entry, "b) The size of the volume gradient on a tube of quads.")
            : status;
    free(gradient);
    tgCloseSheet(&sheet);
    tgCloseActor(&actor);
    tgDestroyScene(tube);
    return status;
}

// ---- a) prisms ----------------------------------------------------------------------------------

/// A triangle on the upper side, near the middle of a tube.
static const int* tgFindUpperTriangle(const tgScene* tube, float length)
{
    const int* best = tube->faceVertices;
    float most = -INFINITY;
    for (int f = 0; f < tube->faceCount; ++f) {
        const int* corners = tube->faceVertices + (ptrdiff_t)3 * f;
        tgVec3 sum = tgAdd(tgAdd(tube->positions[corners[0]], tube->positions[corners[1]]),
                           tube->positions[corners[2]]);
        float high = sum.z - fabsf(sum.x - 1.5f * length) + 0.5f * sum.y;
        best = high > most ? corners : best;
        most = fmaxf(high, most);
    }
    return best;
}

/// From a triangle straight down to a plane z = height.
static void tgAddProjection(const tgScene* tube, const int* corners, float height, float radius,
                            tgSolids* marks)
{
    for (int k = 0; k < 3; ++k) {
        tgVec3 here = tube->positions[corners[k]], next = tube->positions[corners[(k + 1) % 3]];
        tgVec3 below = {here.x, here.y, height}, nextBelow = {next.x, next.y, height};
        tgSolids_AddTube(marks, here, next, radius);
        tgSolids_AddTube(marks, below, nextBelow, radius);
        tgSolids_AddTube(marks, here, below, radius);
    }
}

static int tgMakePrism(tgPaper* paper, tgPaperEntry* entry)
{
    static const float tg_height = -2.0f; // of the plane, below the tube
    tgCylinderDef def = tgDefaultCylinderDef();
    def.quads = false;
    tgScene* tube = tgMakeCylinder(&def);
    tgActor actor;
    tgSheet sheet = {0};
    int status = tgOpenSkin(tube, NULL, &actor);
    status = status == tg_statusDone ? tgPlay(&actor, 0.0) : status;
    // z is up here, as in the formula.
    tgSheetDef sheetDef = {.actor = &actor, .show = "bones", .view = "0.3,1,0.45"};
    status = status == tg_statusDone ? tgOpenSheet(paper, &sheetDef, &sheet) : status;
    tgPanel* panel = status == tg_statusDone ? tgSheet_Add(&sheet, &actor, "a) a prism") : NULL;
    if (panel != NULL) {
        const int* corners = tgFindUpperTriangle(tube, def.length);
        double rest = tgRig_GetInfo(actor.rig).restVolume;
        tgAddProjection(tube, corners, tg_height, 0.03f, &panel->marks);
        for (int i = 0; i < 2; ++i) {
            double height = i == 0 ? 0.0 : (double)tg_height;
            tgAddNumber(entry, (double)NAN, fabs(tgSumPrisms(tube, height) / rest - 1.0), "times",
                        tg_betterNeither,
                        "volume by prisms down to the plane z = %.0f against ours, relative",
                        height);
        }
        status = tgSheet_Save(&sheet, entry,
                              "a) A triangle of the tube and its projection onto a plane: the "
                              "volume is the signed sum of such prisms.");
    }
    tgCloseSheet(&sheet);
    tgCloseActor(&actor);
    tgDestroyScene(tube);
    return status;
}

int tgMakeVolumeFigure(tgPaper* paper, tgPaperEntry* entry)
{
    int status = tgMakePrism(paper, entry);
    return status == tg_statusDone ? tgMakeGradients(paper, entry) : status;
}
