// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A skin as it stood in one moment: positions, normals, values, and the solids that go with it.

#include "panel.h"

#include "core/core.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Displacements below this part of the largest get no arrow.
static const float tg_leastArrow = 0.06f;
/// Arrows are this far apart and this thin, in rest diagonals.
static const float tg_arrowSpacing = 0.022f, tg_arrowRadius = 0.0016f;
/// Thickness of a bone over its length, and of a joint's ball over the rest diagonal.
static const float tg_boneThickness = 0.07f, tg_jointRadius = 0.008f;

bool tgAllocPanel(const tgShow* show, tgPanel* panel)
{
    size_t count = (size_t)show->shot->scene->vertexCount + 1;
    *panel = (tgPanel){0};
    panel->positions = malloc(count * sizeof(tgVec3));
    panel->values = tgShow_HasValues(show) ? malloc(count * sizeof(float)) : NULL;
    return panel->positions != NULL && (panel->values != NULL || !tgShow_HasValues(show));
}

void tgFreePanel(tgPanel* panel)
{
    free(panel->positions);
    free(panel->values);
    free(panel->propPositions);
    free(panel->propNormals);
    tgFreeSolids(&panel->marks);
    tgFreeSolids(&panel->bones);
    *panel = (tgPanel){0};
}

/// A vertex and how far it is displaced.
typedef struct tgMoved {
    int vertex;
    float length;
} tgMoved;

/// Longest first; the vertex's number keeps the order the same everywhere.
static int tgCompareMoved(const void* a, const void* b)
{
    const tgMoved *left = a, *right = b;
    return left->length != right->length
               ? (left->length < right->length) - (left->length > right->length)
               : left->vertex - right->vertex;
}

/// The arrow stands on the outside of the skin: outwards from it, or inwards onto it.
static void tgAddDisplacement(const tgPanelDef* def, int v, float radius, tgSolids* arrows)
{
    tgVec3 p = def->actor->positions[v];
    tgVec3 moved = tgSub(p, def->plain->positions[v]);
    tgVec3 shown = tgMulSV(def->arrowScale, moved);
    bool outwards = tgDot(moved, def->actor->normals[v]) >= 0.0f;
    tgSolids_AddArrow(arrows, outwards ? p : tgSub(p, shown), outwards ? tgAdd(p, shown) : p,
                      radius);
}

/// Arrows at the largest displacements first, no two closer than the spacing.
static bool tgAddArrows(const tgPanelDef* def, tgSolids* arrows)
{
    int count = def->actor->scene->vertexCount;
    float diagonal = tgRig_GetInfo(def->actor->rig).restDiagonal;
    float spacing = tg_arrowSpacing * diagonal;
    tgMoved* moved = malloc(((size_t)count + 1) * sizeof(tgMoved));
    int* chosen = malloc(((size_t)count + 1) * sizeof(int));
    bool memory = moved != NULL && chosen != NULL;
    for (int v = 0; memory && v < count; ++v) {
        moved[v] = (tgMoved){v, tgDistance(def->actor->positions[v], def->plain->positions[v])};
    }
    if (memory) {
        qsort(moved, (size_t)count, sizeof(tgMoved), tgCompareMoved);
    }
    int chosenCount = 0;
    for (int i = 0; memory && i < count; ++i) {
        if (!(moved[i].length > tg_leastArrow * moved[0].length)) {
            break;
        }
        tgVec3 p = def->actor->positions[moved[i].vertex];
        bool isFree = true;
        for (int k = 0; k < chosenCount && isFree; ++k) {
            isFree = tgDistance(p, def->actor->positions[chosen[k]]) > spacing;
        }
        if (isFree) {
            chosen[chosenCount++] = moved[i].vertex;
            tgAddDisplacement(def, moved[i].vertex, tg_arrowRadius * diagonal, arrows);
        }
    }
    free(moved);
    free(chosen);
    return memory && !arrows->failed;
}

/// The surfaces of the bones; which joints have one.
static void tgAddBoneMeshes(const tgPanelDef* def, tgSolids* bones, bool* hasMesh)
{
    int count = def->boneRig != NULL ? tgRig_GetBoneCount(def->boneRig) : 0;
    for (int b = 0; b < count; ++b) {
        int joint = tgRig_GetBoneInfo(def->boneRig, b).joint;
        tgBoneMesh mesh = tgRig_GetBoneMesh(def->boneRig, b);
        tgVec3View positions = {&mesh.positions->x, mesh.vertexCount, sizeof(tgVec3)};
        tgSolids_AddMesh(bones, positions, mesh.triangles, mesh.triangleCount,
                         &def->actor->joints[joint]);
        hasMesh[joint] = true;
    }
}

/// The skeleton where no bone has a surface: a ball at each joint, a bone to each child.
static void tgAddSkeleton(const tgActor* actor, tgSolids* bones, const bool* hasMesh)
{
    const tgScene* scene = actor->scene;
    float ball = tg_jointRadius * tgRig_GetInfo(actor->rig).restDiagonal;
    for (int j = 0; j < scene->jointCount; ++j) {
        int parent = scene->joints[j].parent;
        if (parent >= 0 && hasMesh[parent]) {
            continue;
        }
        tgVec3 here = actor->joints[j].origin;
        if (!hasMesh[j]) {
            tgSolids_AddBall(bones, here, ball);
        }
        tgVec3 from = parent >= 0 ? actor->joints[parent].origin : here;
        float length = tgDistance(from, here);
        if (length > ball) {
            tgSolids_AddBone(bones, from, here, fmaxf(tg_boneThickness * length, 0.5f * ball));
        }
    }
}

/// What is seen through a skin of glass.
static bool tgAddBones(const tgPanelDef* def, tgSolids* bones)
{
    bool* hasMesh = calloc((size_t)def->actor->scene->jointCount, sizeof(bool));
    if (hasMesh == NULL) {
        return false;
    }
    tgAddBoneMeshes(def, bones, hasMesh);
    tgAddSkeleton(def->actor, bones, hasMesh);
    free(hasMesh);
    return !bones->failed;
}

/// What has no skin goes where the actor carries it; false without memory.
static bool tgPlaceProps(const tgPanelDef* def, tgPanel* panel)
{
    size_t count = (size_t)def->props->shownCount + 1;
    if (panel->propPositions == NULL) {
        panel->propPositions = malloc(count * sizeof(tgVec3));
        panel->propNormals = malloc(count * sizeof(tgVec3));
    }
    if (panel->propPositions == NULL || panel->propNormals == NULL) {
        return false;
    }
    panel->props = def->props;
    tgProps_Place(def->props, def->actor, panel->propPositions, panel->propNormals);
    return true;
}

tgResult tgPanel_Capture(tgPanel* panel, const tgPanelDef* def, tgError* error)
{
    const tgActor* actor = def->actor;
    size_t bytes = (size_t)actor->scene->vertexCount * sizeof(tgVec3);
    memcpy(panel->positions, actor->positions, bytes);
    panel->place = actor->joints[tgShow_GetFirstJoint(def->show)].origin;
    panel->reach = 0.0f;
    if (def->focus != NULL) {
        tgFocus_Place(def->focus, def->boneRig, actor, &panel->place, &panel->reach);
        panel->outlook = tgFocus_ChooseView(def->focus, actor);
    }
    panel->marks.vertexCount = panel->marks.triangleCount = 0;
    panel->bones.vertexCount = panel->bones.triangleCount = 0;
    bool memory = (def->arrowScale == 0.0f || tgAddArrows(def, &panel->marks)) &&
                  (!tgShow_IsGlass(def->show) || tgAddBones(def, &panel->bones)) &&
                  (def->props == NULL || tgPlaceProps(def, panel));
    if (!memory) {
        return tgFail(error, tg_outOfMemory, -1, "out of memory for what is drawn beside the skin");
    }
    return panel->values != NULL
               ? tgShow_SampleValues(def->show, def->actor, def->plain, panel->values, error)
               : tg_success;
}
