// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Corrections all over the mesh: for what joints could not place, for breathing and for flesh.

#include "core/exact_field.h"
#include "core/volume.h"

#include <math.h>

void tgRefreshWhole(const tgExactTask* task)
{
    tgFillGradient(task->parallel, task->kernels, task->mesh, task->positions, task->slots,
                   task->gradient);
}

static const tgVec3 tg_worldAxes[3] = {{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}};

/// By what squared gradients shrink that skin of this scale is to be compared with at rest.
static float tgGetShrink(float scale)
{
    float area = scale * scale;
    return area > 0.0f ? 1.0f / (area * area) : 0.0f;
}

/// Large faces move no farther than small ones, and pinned vertices not at all. Skin that a bend
/// stretches would bulge as many times as far as its area grew; it goes no farther than the rest.
/// @param spares skin that a bend crushed to a part of its area lies in a crease and has no room:
/// it moves by the cube of that part
static void tgWeighWhole(const tgExactTask* task, bool spares)
{
    float shrink = tgGetShrink(task->scale);
    for (int v = 0; v < task->mesh->vertexCount; ++v) {
        const float* g = task->gradient + 4 * (size_t)v;
        shrink = task->scales != NULL ? tgGetShrink(task->scales[v]) : shrink;
        float unit = task->inverseSquares != NULL ? shrink * task->inverseSquares[v] : 0.0f;
        float squared = unit > 0.0f ? unit * ((g[0] * g[0] + g[1] * g[1]) + g[2] * g[2]) : 1.0f;
        float ease = squared > 1.0f ? 1.0f / sqrtf(squared) : spares ? squared : 1.0f;
        float free = task->freedom != NULL ? task->freedom[v] : 1.0f;
        task->gamma[v] *= free * ease * task->evenness[v];
    }
}

double tgAddWholeField(const tgExactTask* task, float cap, double amount, float* field, float* room)
{
    int count = task->mesh->vertexCount;
    tgAxisWorth measured;
    tgWeighWhole(task, true);
    tgMeasureWorth(task, task->gamma, NULL, count, tg_worldAxes, &measured);
    double total = measured.worth[0] + measured.worth[1] + measured.worth[2], largest = 0.0;
    if (!(total > 0.0)) {
        return amount;
    }
    // Axes by their worth: the same step along each.
    tgVec3 rows[3];
    for (int a = 0; a < 3; ++a) {
        rows[a] = tgMulSV((float)(1.0 / total), tg_worldAxes[a]);
        largest = fmax(largest, fabs(amount) / total * (double)measured.largest[a]);
    }
    return tgSpreadField(task, NULL, count, rows, amount, largest, (double)cap, field, room);
}

double tgCorrectWhole(const tgExactTask* task, float cap, double amount, bool spares)
{
    const tgMesh* mesh = task->mesh;
    tgFieldPart part = {
        .count = mesh->vertexCount,
        .faces = {mesh->triangleCount + mesh->capTriangleCount, mesh->quadCount, mesh->triangles,
                  mesh->quads},
        .loopCount = mesh->loopCount,
        .apex = {task->positions[0], task->positions[1], task->positions[2]},
    };
    double left = amount;
    // Where the cap takes hold, once more from there.
    for (int round = 0; round < 2 && fabs(left) > tg_doneFraction * fabs(amount); ++round) {
        tgAxisWorth measured;
        tgRefreshWhole(task);
        if (round == 0) {
            tgWeighWhole(task, spares);
        }
        tgMeasureWorth(task, task->gamma, NULL, part.count, tg_worldAxes, &measured);
        double total = measured.worth[0] + measured.worth[1] + measured.worth[2];
        if (!(total > 0.0)) {
            break;
        }
        // Axes by their worth: the same step along each.
        float largest = fmaxf(fmaxf(measured.largest[0], measured.largest[1]), measured.largest[2]);
        double farthest = (double)cap / (double)largest;
        double step = fmin(fabs(left) / total, farthest),
               most = fmin(farthest / step, tg_farthestField);
        const double steps[3] = {copysign(step, left), copysign(step, left), copysign(step, left)};
        tgVec3 rows[3];
        tgGetRows(tg_worldAxes, steps, rows);
        left -= tgFollowField(task, &part, rows, steps[0] * total, most);
    }
    return left;
}
