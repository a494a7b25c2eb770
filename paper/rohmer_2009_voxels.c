// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// 2009, figure 6: from a mesh and a skeleton to weights: the inside in voxels, the nearest bone
// through them, and the weights after the diffusion over the skin.

#include "bind/voxel.h"
#include "cli/report.h"
#include "rohmer_2009.h"
#include "turgor/bind.h"
#include "turgor/io.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { tg_elephantVertices = 6646, tg_shownVoxels = 64 };
static const char tg_view[] = "1,0.1,0.35";
/// So much heat that nothing is left to the diffusion: each vertex follows the bone that is nearest
/// through the inside.
static const float tg_sharpest = 1e6f;

// ---- the voxels ---------------------------------------------------------------------------------

/// The sides of cells that have no neighbour inside.
typedef struct tgHull {
    tgVec3* positions;
    int* triangles;
    int sideCount;
} tgHull;

static bool tgIsCellInside(const tgVoxels* voxels, const int at[3])
{
    for (int a = 0; a < 3; ++a) {
        if (at[a] < 0 || at[a] >= voxels->count[a]) {
            return false;
        }
    }
    return voxels->insideIndex[tgVoxels_Cell(voxels, at[0], at[1], at[2])] >= 0;
}

/// The side of a cell towards +axis or -axis, seen from outside counter-clockwise.
static void tgAddSide(const tgVoxels* voxels, const int at[3], int axis, int step, tgHull* hull)
{
    int across = (axis + 1) % 3, up = (axis + 2) % 3, first = 4 * hull->sideCount;
    for (int k = 0; k < 4; ++k) {
        double corner[3];
        int turn = step > 0 ? k : 3 - k;
        corner[axis] = at[axis] + (step > 0 ? 1.0 : 0.0);
        corner[across] = at[across] + (turn == 1 || turn == 2 ? 1.0 : 0.0);
        corner[up] = at[up] + (turn >= 2 ? 1.0 : 0.0);
        float* p = &hull->positions[first + k].x;
        for (int a = 0; a < 3; ++a) {
            p[a] = (float)(voxels->origin[a] + corner[a] * voxels->size);
        }
    }
    const int corners[6] = {first, first + 1, first + 2, first, first + 2, first + 3};
    memcpy(hull->triangles + (ptrdiff_t)6 * hull->sideCount, corners, sizeof(corners));
    hull->sideCount += 1;
}

/// False without memory; free it in either case.
static bool tgMakeHull(const tgVoxels* voxels, tgHull* hull)
{
    size_t room = 6 * (size_t)voxels->insideCount + 1; // sides
    hull->positions = malloc(4 * room * sizeof(tgVec3));
    hull->triangles = malloc(6 * room * sizeof(int));
    if (hull->positions == NULL || hull->triangles == NULL) {
        return false;
    }
    for (int i = 0; i < voxels->insideCount; ++i) {
        int at[3];
        tgVoxels_Unpack(voxels, voxels->insideCells[i], at);
        for (int side = 0; side < 6; ++side) {
            int beside[3] = {at[0], at[1], at[2]}, step = side < 3 ? 1 : -1;
            beside[side % 3] += step;
            if (!tgIsCellInside(voxels, beside)) {
                tgAddSide(voxels, at, side % 3, step, hull);
            }
        }
    }
    return true;
}

/// Fills the hull of the mesh's inside; free it in either case.
static int tgVoxelize(const tgBindDef* def, tgPaperEntry* entry, tgHull* hull)
{
    tgAllocator allocator = {0};
    tgScratch scratch = {.allocator = &allocator};
    tgBody body;
    tgVoxels voxels;
    tgError error = {0};
    tgResult result = tgBuildBody(def, &scratch, &body, &error);
    result = result == tg_success ? tgBuildVoxels(&body, tg_shownVoxels, &scratch, &voxels, &error)
                                  : result;
    if (result == tg_success && !tgMakeHull(&voxels, hull)) {
        result =
            tgFail(&error, tg_outOfMemory, -1, "out of memory for %d voxels", voxels.insideCount);
    }
    if (result == tg_success) {
        tgAddNumber(entry, (double)NAN, voxels.insideCount, "voxels", tg_betterNeither,
                    "inside, of a grid of %d along the elephant (the weights use %d)",
                    tg_shownVoxels, def->voxels);
    }
    tgScratch_FreeAll(&scratch);
    return result == tg_success ? tg_statusDone : tgSayFailed("elephant", &error);
}

/// Mesh and skeleton, then the voxels in the place of the skeleton, below a skin of glass.
static int tgSaveInside(tgPaper* paper, tgPaperEntry* entry, const tgBindDef* bind, tgActor* rest)
{
    tgSheetDef def = {.actor = rest, .show = "bones", .view = tg_view};
    tgSheet sheet;
    tgHull hull = {0};
    tgError error = {0};
    int status = tgOpenSheet(paper, &def, &sheet);
    status = status == tg_statusDone ? tgVoxelize(bind, entry, &hull) : status;
    tgPanel* input = status == tg_statusDone ? tgSheet_Add(&sheet, rest, "mesh, skeleton") : NULL;
    tgPanel* cells = status == tg_statusDone ? tgSheet_Add(&sheet, rest, "voxels") : NULL;
    if (input != NULL && cells != NULL) {
        tgPanelDef panelDef = {.show = &sheet.show, .actor = rest};
        tgMat34 place = tgIdentityMat34();
        tgVec3View positions = {&hull.positions->x, 4 * hull.sideCount, sizeof(tgVec3)};
        tgSolids_AddMesh(&cells->bones, positions, hull.triangles, 2 * hull.sideCount, &place);
        status = tgPanel_Capture(input, &panelDef, &error) == tg_success
                     ? tgSheet_Save(&sheet, entry, "What is given, and its inside in voxels.")
                     : tgSayFailed("elephant", &error);
    }
    free(hull.positions);
    free(hull.triangles);
    tgCloseSheet(&sheet);
    return status;
}

// ---- the weights --------------------------------------------------------------------------------

/// A model of its own whose weights are made anew; destroy it. NULL after one line.
static tgScene* tgBindAgain(const tgScene* model, float falloff)
{
    tgError error = {0};
    tgBindDef def = tgScene_GetBindDef(model, model);
    def.falloff = falloff;
    tgScene* scene = tgCreateModel("elephant", tg_elephantVertices, &error);
    tgBinding* binding = scene != NULL ? tgCreateBinding(&def, &error) : NULL;
    if (binding == NULL ||
        tgScene_SetSkin(scene, model, binding->influencesPerVertex, binding->influenceJoints,
                        binding->influenceWeights, &error) != tg_success) {
        tgSayFailed("elephant", &error);
        tgDestroyScene(scene);
        scene = NULL;
    }
    tgDestroyBinding(binding);
    return scene;
}

static int tgSaveWeighted(tgPaper* paper, tgPaperEntry* entry, const tgScene* model, float falloff,
                          const char* show, const char* label, const char* words)
{
    tgScene* scene = tgBindAgain(model, falloff);
    tgActor actor;
    tgSheet sheet = {0};
    int status = tgOpenSkin(scene, NULL, &actor);
    status = status == tg_statusDone ? tgPlay(&actor, 0.0) : status;
    tgSheetDef def = {.actor = &actor, .show = show, .view = tg_view};
    status = status == tg_statusDone ? tgOpenSheet(paper, &def, &sheet) : status;
    if (status == tg_statusDone) {
        tgSheet_Add(&sheet, &actor, "%s", label);
        status = tgSheet_Save(&sheet, entry, words);
    }
    tgCloseSheet(&sheet);
    tgCloseActor(&actor);
    tgDestroyScene(scene);
    return status;
}

int tgMakeVoxelFigure(tgPaper* paper, tgPaperEntry* entry)
{
    const tgScene* model = tgPaper_GetModel(paper, "elephant", tg_elephantVertices);
    tgActor rest;
    int status = tgOpenSkin(model, NULL, &rest);
    status = status == tg_statusDone ? tgPlay(&rest, 0.0) : status;
    if (status == tg_statusDone) {
        tgBindDef bind = tgScene_GetBindDef(model, model);
        status = tgSaveInside(paper, entry, &bind, &rest);
    }
    tgCloseActor(&rest);
    status = status == tg_statusDone
                 ? tgSaveWeighted(paper, entry, model, tg_sharpest, "regions", "nearest bone",
                                  "After the distances through the inside: the nearest bone.")
                 : status;
    return status == tg_statusDone
               ? tgSaveWeighted(paper, entry, model, 0.0f, "weights", "weights",
                                "After the diffusion over the skin: colours mixed by weight.")
               : status;
}
