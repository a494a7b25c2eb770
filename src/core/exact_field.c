// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Fields that corrections move vertices along, u = gamma M g. The volume along a field is a cubic
// in how far: the gradient tells its first term, one look at the faces the others.

#include "core/exact_field.h"

#include "core/volume.h"

#include <math.h>

/// A correction goes up to this part of the way to where the volume would fall again.
static const double tg_beforePeak = 0.75;
/// Fields that are added up stop short of the cap by this factor, to leave room for the last step.
static const double tg_roomAtCap = 1.1;

void tgMeasureWorth(const tgExactTask* task, const float* gamma, const int* vertices, int count,
                    const tgVec3 axes[3], tgAxisWorth* out)
{
    tgWorthTask worth = {.gradient = task->gradient,
                         .gamma = gamma,
                         .vertices = vertices,
                         .axes = {axes[0], axes[1], axes[2]}};
    task->kernels->worth(&worth, tgRoundToLane(count), out);
}

void tgGetRows(const tgVec3 axes[3], const double steps[3], tgVec3 rows[3])
{
    for (int i = 0; i < 3; ++i) {
        rows[i] = (tgVec3){0.0f, 0.0f, 0.0f};
    }
    for (int a = 0; a < 3; ++a) {
        rows[0] = tgMulAdd(rows[0], (float)steps[a] * axes[a].x, axes[a]);
        rows[1] = tgMulAdd(rows[1], (float)steps[a] * axes[a].y, axes[a]);
        rows[2] = tgMulAdd(rows[2], (float)steps[a] * axes[a].z, axes[a]);
    }
}

/// The first s with s + b s^2 + c s^3 = 1; or as far as that rises well, and no farther than
/// `most`.
static double tgFindStep(double b, double c, double most)
{
    // The slope 1 + 2 b s + 3 c s^2 is 0 at 1 / (-b +- sqrt(b^2 - 3 c)).
    double root = b * b >= 3.0 * c ? sqrt(b * b - 3.0 * c) - b : 0.0;
    double high = root > 0.0 ? fmin(most, tg_beforePeak / root) : most, low = 0.0;
    if (high + (b + c * high) * high * high <= 1.0) {
        return high;
    }
    double s = fmin(high, 1.0);
    for (int round = 0; round < 60; ++round) {
        double value = s + (b + c * s) * s * s - 1.0, slope = 1.0 + (2.0 * b + 3.0 * c * s) * s;
        double step = value / slope;
        if (fabs(step) <= 1e-15) {
            break;
        }
        low = value < 0.0 ? s : low;
        high = value < 0.0 ? high : s;
        s = s - step > low && s - step < high ? s - step : 0.5 * (low + high);
    }
    return s;
}

static void tgPlaceCaps(const tgExactTask* task, const tgFieldPart* part, float* vectors)
{
    for (int i = 0; i < part->loopCount; ++i) {
        tgPlaceCapCenter(task->mesh, part->loops != NULL ? part->loops[i] : i, vectors);
    }
}

double tgFollowField(const tgExactTask* task, const tgFieldPart* part, const tgVec3 rows[3],
                     double volume, double most)
{
    tgSpreadTask spread = {.gradient = task->gradient,
                           .gamma = task->gamma,
                           .vertices = part->vertices,
                           .rows = {rows[0], rows[1], rows[2]},
                           .field = task->field,
                           .fieldStep = 1.0f};
    task->kernels->spread(&spread, tgRoundToLane(part->count));
    tgPlaceCaps(task, part, task->field);
    tgConeTask cones = {.triangles = part->faces.triangles,
                        .quads = part->faces.quads,
                        .triangleCount = part->faces.triangleCount,
                        .quadCount = part->faces.quadCount,
                        .positions = task->positions,
                        .field = task->field,
                        .apex = part->apex};
    double curve[2];
    task->kernels->coneCurve(&cones, curve);
    double b = curve[0] / 6.0 / volume, c = curve[1] / 6.0 / volume;
    float step = (float)tgFindStep(b, c, most);
    task->kernels->moveField(task->positions, task->field, step, part->vertices, part->count);
    tgPlaceCaps(task, part, task->field); // 0 again
    tgPlaceCaps(task, part, task->positions);
    double s = (double)step;
    return volume * (s + (b + c * s) * s * s);
}

double tgSpreadField(const tgExactTask* task, const int* vertices, int count, const tgVec3 rows[3],
                     double amount, double largest, double cap, float* field, float* room)
{
    double limit = cap / tg_roomAtCap, part = largest > limit ? limit / largest : 1.0;
    // Up to half of that limit there is room for half as much again, at it for a tenth.
    double free = fmin(fmax(2.0 * (1.0 - part * largest / limit), 2.0 * (tg_roomAtCap - 1.0)), 1.0);
    tgSpreadTask spread = {.gradient = task->gradient,
                           .sources = vertices,
                           .gamma = task->gamma,
                           .vertices = vertices,
                           .rows = {rows[0], rows[1], rows[2]},
                           .field = field,
                           .room = room,
                           .fieldStep = (float)(part * amount),
                           .roomStep = (float)(part * free * fabs(amount))};
    task->kernels->spread(&spread, tgRoundToLane(count));
    return (1.0 - part) * amount;
}
