// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The centre by simulated annealing, as Suda, Yamanaka and Morishima (2010) found it. Steps and
// temperature shrink together: the measure grows with the square of the distance from its minimum,
// so a temperature that goes with the square of the step lets about the same share of steps uphill
// all the way. Confined to twice the cloud's radius; unconfined it can run away along the normal of
// a small motion, where every marker is on a sphere that is almost a plane.

#include "bind/rotation_center.h"

static const double tg_confinement = 2.0;
/// The last step as a fraction of the first.
static const double tg_lastStep = 1e-5;
/// Of the measure's rise over a step that is as long as the cloud's radius.
static const double tg_heat = 0.1;

/// A point of the cube of this half size, in the free directions.
static tgVec3d tgDrawStep(uint64_t* state, const tgFreedom* freedom, double size)
{
    double x = size * (2.0 * tgDrawNumber(state) - 1.0);
    double y = size * (2.0 * tgDrawNumber(state) - 1.0);
    double z = size * (2.0 * tgDrawNumber(state) - 1.0);
    return tgFreedom_Project(freedom, tgMakeVec3d(x, y, z));
}

typedef struct tgAnnealing {
    tgVec3d center;
    double value;
} tgAnnealing;

static tgAnnealing tgAnnealOnce(const tgCloud* cloud, const tgFreedom* freedom, int steps,
                                uint64_t* state)
{
    double limit = tg_confinement * cloud->radius;
    double size = cloud->radius;
    double shrink = pow(tg_lastStep, 1.0 / steps);
    // Start in the free plane: the prior itself lies in it.
    tgVec3d at = tgAddD(freedom->prior, tgDrawStep(state, freedom, size));
    double value = tgMeasureSpheres(cloud, at);
    tgAnnealing best = {at, value};
    double scale = value; // how much the measure changes over the cloud's radius
    for (int i = 0; i < steps; ++i, size *= shrink) {
        tgVec3d next = tgAddD(at, tgDrawStep(state, freedom, size));
        double luck = tgDrawNumber(state);
        if (tgLengthD(tgSubD(next, cloud->middle)) > limit) {
            continue;
        }
        double nextValue = tgMeasureSpheres(cloud, next);
        double relative = size / cloud->radius;
        double temperature = tg_heat * scale * relative * relative;
        if (nextValue <= value || luck < exp((value - nextValue) / temperature)) {
            at = next;
            value = nextValue;
            best = value < best.value ? (tgAnnealing){at, value} : best;
        }
    }
    return best;
}

tgVec3d tgAnnealCenter(const tgCloud* cloud, const tgFreedom* freedom, const tgCenterDef* def)
{
    uint64_t state = def->seed;
    tgAnnealing best = {freedom->prior, (double)INFINITY};
    for (int i = 0; i < def->restarts; ++i) {
        tgAnnealing found = tgAnnealOnce(cloud, freedom, def->steps, &state);
        best = found.value < best.value ? found : best;
    }
    return best.center;
}
