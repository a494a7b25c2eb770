// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A character with flesh beside the same one without.

#include "flesh.h"

#include "cli/report.h"
#include "core/core.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double tg_step = 1.0 / 60.0;

tgFleshElement tgMakeElement(const tgScene* scene, const char* driver, const char* driven,
                             int* drivenPlace)
{
    tgFleshElement element = tgDefaultFleshElement();
    *drivenPlace = tgScene_FindJoint(scene, driven);
    element.name = driver;
    element.driver = tgScene_FindJoint(scene, driver);
    element.driven = drivenPlace;
    element.drivenCount = 1;
    return element;
}

int tgOpenFleshPair(const tgScene* scene, const tgFleshElement* elements, int count,
                    tgFleshPair* pair)
{
    tgFleshDef flesh = {elements, count};
    tgActorDef def = {.scene = scene, .flesh = &flesh};
    return tgOpenLayerPair(&def, pair);
}

int tgOpenLayerPair(const tgActorDef* layers, tgFleshPair* pair)
{
    *pair = (tgFleshPair){0};
    tgError error = {0};
    int status = tgOpenSkin(layers->scene, NULL, &pair->plain);
    if (status == tg_statusDone && tgOpenActor(layers, &pair->moved, &error) != tg_success) {
        status = tgSayFailed("paper", &error);
    }
    return status;
}

void tgCloseFleshPair(tgFleshPair* pair)
{
    tgCloseActor(&pair->plain);
    tgCloseActor(&pair->moved);
}

static tgResult tgDeformAt(tgActor* actor, int animation, double time, bool isLast, tgError* error)
{
    const tgScene* scene = actor->scene;
    double end = animation >= 0 ? scene->animations[animation].end : 1.0;
    tgScene_SamplePose(scene, animation, fmod(time, end), actor->nodes, actor->joints, NULL);
    tgPose pose = {.joints = actor->joints,
                   .jointCount = scene->jointCount,
                   .time = (float)time,
                   .timeStep = (float)tg_step};
    if (!isLast) {
        return tgInstance_Advance(actor->instance, &pose, error);
    }
    tgVec3Span positions = {&actor->positions->x, scene->vertexCount, sizeof(tgVec3)};
    tgVec3Span normals = {&actor->normals->x, scene->vertexCount, sizeof(tgVec3)};
    return tgInstance_Deform(actor->instance, &pose, positions, normals, error);
}

int tgFleshPair_Run(tgFleshPair* pair, int animation, double from, double to)
{
    tgError error = {0};
    int count = (int)lround((to - from) / tg_step);
    tgResult result = tg_success;
    for (int i = 0; i <= count && result == tg_success; ++i) {
        result = tgDeformAt(&pair->moved, animation, from + i * tg_step, i == count, &error);
    }
    if (result == tg_success) {
        result = tgDeformAt(&pair->plain, animation, from + count * tg_step, true, &error);
    }
    return result == tg_success ? tg_statusDone : tgSayFailed("paper", &error);
}

int tgAddFleshPanel(tgSheet* sheet, tgFleshPair* pair, float arrowScale, const char* label)
{
    tgPanel* panel = tgSheet_Add(sheet, &pair->moved, "%s", label);
    tgPanelDef def = {.show = &sheet->show,
                      .actor = &pair->moved,
                      .plain = &pair->plain,
                      .arrowScale = arrowScale};
    tgError error = {0};
    if (panel == NULL) {
        return tgSayFailure("paper", "out of memory for a panel");
    }
    return tgPanel_Capture(panel, &def, &error) == tg_success ? tg_statusDone
                                                              : tgSayFailed("paper", &error);
}

int tgSaveFleshWeights(tgPaper* paper, tgPaperEntry* entry, tgFleshPair* pair, const char* view,
                       const char* words)
{
    const tgScene* scene = pair->moved.scene;
    tgSheetDef def = {
        .actor = &pair->moved, .show = "displacement", .title = "dynamic weight", .view = view};
    tgSheet sheet;
    int status = tgOpenSheet(paper, &def, &sheet);
    tgPanel* panel = status == tg_statusDone ? tgSheet_Add(&sheet, &pair->plain, "weights") : NULL;
    float* weights = calloc((size_t)scene->vertexCount, sizeof(float));
    for (int e = 0; panel != NULL && panel->values != NULL && weights != NULL &&
                    e < tgRig_GetFleshCount(pair->moved.rig);
         ++e) {
        tgRig_GetFleshWeights(pair->moved.rig, e, weights);
        for (int v = 0; v < scene->vertexCount; ++v) {
            panel->values[v] = fmaxf(panel->values[v], weights[v]);
        }
    }
    free(weights);
    status = status == tg_statusDone ? tgSheet_Save(&sheet, entry, words) : status;
    tgCloseSheet(&sheet);
    return status;
}

int tgAddSpringPanel(tgSheet* sheet, tgFleshPair* pair, const char* label)
{
    int status = tgAddFleshPanel(sheet, pair, 0.0f, label);
    float size = 0.008f * tgRig_GetInfo(pair->moved.rig).restDiagonal;
    for (int e = 0; status == tg_statusDone && e < tgRig_GetFleshCount(pair->moved.rig); ++e) {
        tgSolids* marks = &sheet->panels[sheet->count - 1].marks;
        tgFleshMotion motion = tgInstance_GetFleshMotion(pair->moved.instance, e);
        tgVec3 mass = tgAdd(motion.anchor, motion.displacement);
        tgSolids_AddBall(marks, motion.anchor, 1.5f * size);
        tgSolids_AddBall(marks, mass, 1.5f * size);
        tgSolids_AddTube(marks, motion.anchor, mass, 0.4f * size);
    }
    return status;
}

double tgFleshPair_GetCost(tgFleshPair* pair, int animation)
{
    tgActor* const actors[2] = {&pair->plain, &pair->moved};
    double least[2] = {(double)INFINITY, (double)INFINITY};
    for (int i = 0; i < 2 * 240; ++i) { // in turns, so that a busy moment meets both
        double start = tgNow();
        tgDeformAt(actors[i % 2], animation, i / 2 * tg_step, true, NULL);
        least[i % 2] = fmin(least[i % 2], tgNow() - start);
    }
    return least[1] / least[0];
}

double tgGetLargestMove(const tgFleshPair* pair)
{
    return 100.0 * tgGetLargestDistance(&pair->plain, &pair->moved) /
           (double)tgRig_GetInfo(pair->plain.rig).restDiagonal;
}
