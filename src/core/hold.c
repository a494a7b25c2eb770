// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// No face turns over. In a deep crease plain skinning has crushed the faces already, and a bulge
// that grows from there turns them inside out. With n the rest normal turned by the joints, a face
// of vector area A0 in plain skinning and A now has room to fall from A0 . n to a part of it, and
// A0 . n - A . n over that room is its danger. The vertices of a face in danger of 1 and more go
// back along their displacement by as much and take no further part in the correction. A face that
// plain skinning is just turning has no room at all, so deep creases move less evenly as a joint
// bends: the price, and why this is a setting.

#include "core/hold.h"

#include "core/volume.h"

#include <math.h>
#include <string.h>

/// Pulling a vertex back changes the other faces round it, which are then looked at again.
static const int tg_lookRounds = 8;
/// A face turns over at 1.67; up to here it need not be looked at again.
static const float tg_tooFar = 1.2f;
/// From this danger on a vertex takes less of what is still to be placed.
static const float tg_wary = 0.5f;

void tgRememberPlain(tgCorrectTask* task)
{
    const tgMesh* mesh = task->exact.mesh;
    size_t count = (size_t)(mesh->vertexCount + mesh->loopCount);
    memcpy(task->plain, task->exact.positions, 4 * count * sizeof(float));
}

/// Where the faces that corrections move are to look.
static void tgTurnNormals(tgCorrectTask* task)
{
    const tgLimbs* limbs = task->loss.limbs;
    const tgSkin* skin = task->loss.skin;
    tgFillMatrixPalette(task->loss.motions, task->loss.skeleton->jointCount,
                        task->loss.statePalette);
    tgSkinTask turn = {.rest = limbs->restNormals,
                       .groupStart = skin->groupStart,
                       .weights = skin->weights,
                       .entries = skin->joints,
                       .palette = task->loss.statePalette,
                       .positions = task->normals};
    for (int i = 0; i < limbs->count; ++i) {
        if (task->unsettled[i]) {
            const tgLimb* limb = &limbs->limbs[i];
            task->exact.kernels->skinList(&turn, limb->watched, limb->watchedCount);
        }
    }
}

void tgWatchFaces(tgCorrectTask* task)
{
    memcpy(task->unsettled, task->loss.bends, (size_t)task->loss.limbs->count * sizeof(bool));
    tgTurnNormals(task);
}

static void tgFindPatchDanger(tgCorrectTask* task, const tgPatch* patch)
{
    tgTurnoverTask faces = {.triangles = patch->triangles,
                            .quads = patch->quads,
                            .triangleCount = patch->triangleCount,
                            .quadCount = patch->quadCount,
                            .normals = task->normals,
                            .plain = task->plain,
                            .positions = task->exact.positions,
                            .danger = task->danger};
    task->exact.kernels->turnover(&faces);
}

static void tgFindDanger(tgCorrectTask* task)
{
    const tgLimbs* limbs = task->loss.limbs;
    for (int i = 0; i < limbs->count; ++i) {
        const tgLimb* limb = &limbs->limbs[i];
        for (int k = 0; k < limb->watchedCount && task->unsettled[i]; ++k) {
            task->danger[limb->watched[k]] = 0.0f;
        }
    }
    for (int i = 0; i < limbs->count; ++i) {
        if (task->unsettled[i]) {
            tgFindPatchDanger(task, &limbs->limbs[i].around);
            tgFindPatchDanger(task, &limbs->limbs[i].beside);
        }
    }
}

/// From here on corrections go by a freedom of our own, which starts as the one that was given.
static void tgOwnFreedom(tgCorrectTask* task)
{
    if (task->exact.freedom == task->held) {
        return;
    }
    for (int v = 0; v < task->exact.mesh->vertexCount; ++v) {
        task->held[v] = task->freedom != NULL ? task->freedom[v] : 1.0f;
    }
    task->exact.freedom = task->held;
}

static void tgPullBack(tgCorrectTask* task, int v, float part)
{
    for (int k = 0; k < 3; ++k) {
        size_t at = 4 * (size_t)v + (size_t)k;
        float plain = task->plain[at];
        task->exact.positions[at] = plain + part * (task->exact.positions[at] - plain);
    }
}

static float tgGetMostDanger(const tgCorrectTask* task, const tgLimb* limb)
{
    float most = 0.0f;
    for (int k = 0; k < limb->watchedCount; ++k) {
        float danger = task->danger[limb->watched[k]];
        most = danger > most ? danger : most;
    }
    return most;
}

static void tgHoldLimb(tgCorrectTask* task, const tgLimb* limb)
{
    tgOwnFreedom(task);
    for (int k = 0; k < limb->watchedCount; ++k) {
        int v = limb->watched[k];
        float danger = task->danger[v];
        if (danger <= tg_wary || v >= task->exact.mesh->vertexCount) {
            continue;
        }
        float freedom = fmaxf((1.0f - danger) / (1.0f - tg_wary), 0.0f);
        task->held[v] = fminf(task->held[v], freedom);
        if (danger > 1.0f) {
            tgPullBack(task, v, 1.0f / danger);
        }
        task->danger[v] = 0.0f; // limbs overlap; once is enough
    }
    tgPlaceCapCenters(task->exact.mesh, task->exact.positions);
}

/// Six times the volume under the faces that a limb watches, seen from the plain place of one.
static double tgMeasureWatched(const tgCorrectTask* task, const tgLimb* limb)
{
    const float* apex = task->plain + 4 * (size_t)limb->watched[0];
    const tgPatch* patches[2] = {&limb->around, &limb->beside};
    double sum = 0.0;
    for (int i = 0; i < 2; ++i) {
        sum += task->exact.kernels->coneVolume(
            patches[i]->triangles, patches[i]->triangleCount, patches[i]->quads,
            patches[i]->quadCount, task->exact.positions, tgMakeVec3(apex[0], apex[1], apex[2]));
    }
    return sum;
}

/// Holds what is in danger now. @return whether a vertex was pulled back
static bool tgHoldOnce(tgCorrectTask* task)
{
    const tgLimbs* limbs = task->loss.limbs;
    bool any = false;
    tgFindDanger(task);
    for (int i = 0; i < limbs->count; ++i) {
        const tgLimb* limb = &limbs->limbs[i];
        float danger = task->unsettled[i] ? tgGetMostDanger(task, limb) : 0.0f;
        task->unsettled[i] = danger > tg_tooFar;
        any |= task->unsettled[i];
        if (danger > 1.0f) {
            double before = tgMeasureWatched(task, limb);
            tgHoldLimb(task, limb);
            task->withheld[i] += (before - tgMeasureWatched(task, limb)) / 6.0;
        } else if (danger > tg_wary) {
            tgHoldLimb(task, limb);
        }
    }
    return any;
}

bool tgHoldFaces(tgCorrectTask* task)
{
    memset(task->withheld, 0, (size_t)task->loss.limbs->count * sizeof(double));
    int round = 0;
    while (round < tg_lookRounds && tgHoldOnce(task)) {
        round += 1;
    }
    return round > 0;
}
