// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Contact in general (2009 s.5). Where a correction u made triangles cross that did not cross
// before, their vertices go back along -u step by step until they are free, and are pinned for the
// correction that follows. Which vertices those are changes from frame to frame in jumps, so this
// is for stills and for folds that the planes of neighbouring bones do not know.

#include "core/contact.h"

#include "core/volume.h"

#include <math.h>
#include <string.h>

/// A correction is taken back in so many steps.
enum { tg_backSteps = 4 };

void tgKeepBase(const tgContactTask* task)
{
    memcpy(task->base, task->positions, 4 * (size_t)task->mesh->vertexCount * sizeof(float));
}

static tgSurface tgGetSurface(const tgContactTask* task, const float* positions)
{
    return (tgSurface){{positions, task->mesh->vertexCount, 4 * sizeof(float)},
                       task->triangles,
                       task->triangleCount};
}

static void tgGetCorners(const tgContactTask* task, const float* positions, int triangle,
                         tgVec3 corners[3])
{
    for (int k = 0; k < 3; ++k) {
        const float* p = positions + 4 * (size_t)task->triangles[3 * (size_t)triangle + k];
        corners[k] = tgMakeVec3(p[0], p[1], p[2]);
    }
}

/// Marks the vertices of a pair, unless it crossed before the correction: going back is no cure.
static void tgMarkPair(int first, int second, void* context)
{
    const tgContactTask* task = context;
    tgVec3 a[3], b[3];
    tgGetCorners(task, task->base, first, a);
    tgGetCorners(task, task->base, second, b);
    if (tgDoTrianglesCross(a, b)) {
        return;
    }
    for (int k = 0; k < 6; ++k) {
        int triangle = k < 3 ? first : second;
        task->isMeeting[task->triangles[3 * (size_t)triangle + k % 3]] = true;
    }
}

/// One step back for all vertices that are marked; false when none of them can go on.
static bool tgTakeStep(const tgContactTask* task)
{
    bool any = false;
    for (int v = 0; v < task->mesh->vertexCount; ++v) {
        if (!task->isMeeting[v] || !(task->kept[v] > 0.0f)) {
            continue;
        }
        float left = fmaxf(task->kept[v] - 1.0f / tg_backSteps, 0.0f), part = left / task->kept[v];
        for (int k = 0; k < 3; ++k) {
            size_t at = 4 * (size_t)v + (size_t)k;
            float u = task->positions[at] - task->base[at];
            any |= u != 0.0f;
            task->positions[at] = task->base[at] + part * u;
        }
        task->kept[v] = left;
        task->freedom[v] = 0.0f;
    }
    return any;
}

static double tgMeasure(const tgContactTask* task)
{
    tgVec3 apex = tgMakeVec3(task->positions[0], task->positions[1], task->positions[2]);
    return tgQuickVolume(task->kernels, task->mesh, task->positions, apex);
}

/// Shares what the way back added among the limbs that bend: by how much of their flesh went back.
static void tgShareAdded(const tgContactTask* task, double added)
{
    double total = 0.0;
    for (int pass = 0; pass < 2; ++pass) {
        for (int i = 0; i < task->limbs->count; ++i) {
            const tgLimb* limb = &task->limbs->limbs[i];
            double weight = 0.0;
            for (int k = 0; task->bends[i] && k < limb->takerCount; ++k) {
                weight += 1.0 - (double)task->kept[limb->takers[k]];
            }
            total += pass == 0 ? weight : 0.0;
            task->added[i] += pass == 1 && total > 0.0 ? added * weight / total : 0.0;
        }
    }
}

bool tgStepBack(tgContactTask* task)
{
    tgSurface surface = tgGetSurface(task, task->positions);
    bool any = false;
    for (int v = 0; v < task->mesh->vertexCount; ++v) {
        task->kept[v] = 1.0f;
    }
    double before = tgMeasure(task);
    for (int step = 0; step < tg_backSteps; ++step) {
        memset(task->isMeeting, 0, (size_t)task->mesh->vertexCount * sizeof(bool));
        tgBvh_Refit(&task->tree, &surface);
        tgBvh_FindCrossings(&task->tree, &surface, tgMarkPair, task);
        if (!tgTakeStep(task)) {
            break;
        }
        any = true;
    }
    if (any) {
        tgPlaceCapCenters(task->mesh, task->positions);
        tgShareAdded(task, tgMeasure(task) - before);
    }
    return any;
}
