// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The volume of the skin as a correction finds it, and how far rounding lets that be known.

#include "core/correct.h"

#include "core/volume.h"

#include <math.h>

/// Less than this is what rounding of float positions leaves, not volume without a place.
static const double tg_residualFloor = 5e-7;
/// Half a unit in the last place of a coordinate of 1.
static const double tg_grain = sizeof(float) == sizeof(double) ? 1.2e-16 : 6e-8;
/// Steps of more grains than this are rounded each on its own, shorter ones alike: a step of less
/// than one is lost everywhere.
static const double tg_longGrains = 4.0;

/// Any apex will do for a closed surface; the first joint's is near.
static tgVec3 tgGetConeApex(const tgCorrectTask* task)
{
    const tgMat34d* root = &task->loss.motions[task->loss.limbs->tree.order[0]];
    const double* rest = task->loss.skeleton->rest[task->loss.limbs->tree.order[0]].c[3];
    double apex[3];
    for (int i = 0; i < 3; ++i) {
        apex[i] = root->c[3][i] + root->c[0][i] * rest[0] + root->c[1][i] * rest[1] +
                  root->c[2][i] * rest[2];
    }
    return tgMakeVec3((float)apex[0], (float)apex[1], (float)apex[2]);
}

double tgGetResidualFloor(const tgCorrectTask* task)
{
    return tg_residualFloor * fabs(task->target);
}

/// What rounding of positions makes of the volume: much on skin that is thin or far away.
typedef struct tgGrain {
    double alike; ///< when all are rounded the same way
    double apart; ///< when each is rounded its own way
} tgGrain;

static tgGrain tgGetGrain(const tgCorrectTask* task)
{
    double scale = (double)task->exact.scale, area = task->loss.limbs->skinArea;
    double far = (double)tgLength(tgGetConeApex(task)) + scale * (double)task->restDiagonal;
    double most = tg_grain * far * scale * scale * area;
    return (tgGrain){.alike = most, .apart = most / sqrt((double)task->exact.mesh->vertexCount)};
}

bool tgIsStepSure(const tgCorrectTask* task, double amount, int vertexCount)
{
    tgGrain grain = tgGetGrain(task);
    double alike = grain.alike * vertexCount / task->exact.mesh->vertexCount;
    bool isLong = fabs(amount) > tg_longGrains * alike;
    double lost = isLong ? 0.0 : fmin(fabs(amount), alike);
    return lost + grain.apart <= tgGetResidualFloor(task);
}

double tgMeasureNow(const tgCorrectTask* task)
{
    const tgMesh* mesh = task->exact.mesh;
    if (tgGetGrain(task).apart > tgGetResidualFloor(task)) {
        return tgVolume(mesh, task->exact.positions); // cones in float are as grained themselves
    }
    return tgQuickVolume(task->exact.kernels, mesh, task->exact.positions, tgGetConeApex(task));
}

void tgMeasureAlong(const tgCorrectTask* task, const float* field, double cubic[4])
{
    const tgMesh* mesh = task->exact.mesh;
    tgConeTask cones = {.triangles = mesh->triangles,
                        .quads = mesh->quads,
                        .triangleCount = mesh->triangleCount + mesh->capTriangleCount,
                        .quadCount = mesh->quadCount,
                        .positions = task->exact.positions,
                        .field = field,
                        .apex = tgGetConeApex(task)};
    task->exact.kernels->coneCubic(&cones, cubic);
    for (int k = 0; k < 4; ++k) {
        cubic[k] /= 6.0;
    }
}
