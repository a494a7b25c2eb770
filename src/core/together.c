// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Mode together: every joint's correction from the same skinned pose, U = sum of -dV(b) f_b, no
// order at all; then a step along W = sum of |dV(b)| f_b by the root nearest 0 of V(p + U + s W) =
// target, which is an exact cubic in s.

#include "core/correct.h"

#include "core/volume.h"

#include <math.h>
#include <string.h>

static void tgMove(const tgCorrectTask* task, const float* field, double scale)
{
    int count = task->exact.mesh->vertexCount;
    for (int v = 0; v < count; ++v) {
        for (int k = 0; k < 3; ++k) {
            size_t at = 4 * (size_t)v + (size_t)k;
            task->exact.positions[at] += (float)(scale * (double)field[at]);
        }
    }
    tgPlaceCapCenters(task->exact.mesh, task->exact.positions);
}

/// The root nearest 0 of the cubic through (-1, 0, 1, 2), by Newton from 0; NaN when it runs away.
static double tgSolveCubic(const double values[4])
{
    double c0 = values[1];
    double c2 = 0.5 * (values[2] + values[0]) - c0;
    double odd = 0.5 * (values[2] - values[0]);
    double c3 = (values[3] - c0 - 2.0 * odd - 4.0 * c2) / 6.0;
    double c1 = odd - c3;
    double s = 0.0;
    for (int round = 0; round < 60; ++round) {
        double value = ((c3 * s + c2) * s + c1) * s + c0;
        double slope = (3.0 * c3 * s + 2.0 * c2) * s + c1;
        double step = value / slope;
        s -= step;
        if (!(fabs(s) < 2.0)) {
            return (double)NAN;
        }
        if (fabs(step) < 1e-14) {
            break;
        }
    }
    return s;
}

bool tgCorrectTogether(tgCorrectTask* task)
{
    const tgLimbs* limbs = task->loss.limbs;
    size_t bytes = 4 * (size_t)task->exact.mesh->vertexCount * sizeof(float);
    float* field = task->carried;
    float* weighted = task->loss.whole;
    memset(field, 0, bytes);
    memset(weighted, 0, bytes);
    double amounts = 0.0;
    bool placed = true;
    // Drift first, all of it, so that every joint starts from the same pose.
    if (!task->hasDrifted) {
        tgDriftAll(task);
    }
    for (int i = 0; i < limbs->count && placed; ++i) {
        double loss = task->loss.losses[i] + tgGetAdded(task, i) +
                      (task->loss.bends[i] ? task->drifted[i] : 0.0);
        if (task->loss.bends[i] && loss != 0.0) {
            tgJointFrame frame;
            tgGetLimbFrame(task, &limbs->limbs[i], &frame);
            placed = tgAddJointField(&task->exact, &limbs->limbs[i], &frame, -loss, fabs(loss),
                                     field, weighted);
            amounts += fabs(loss);
        }
    }
    if (!placed) {
        return false; // one by one, where what is left over finds another place
    }
    if (amounts == 0.0) {
        return true;
    }
    tgMove(task, field, 1.0);
    double values[4];
    const double at[4] = {-1.0, 0.0, 1.0, 2.0};
    double now = 0.0;
    for (int k = 0; k < 4; ++k) {
        tgMove(task, weighted, at[k] - now);
        now = at[k];
        values[k] = tgMeasureNow(task) - task->target;
    }
    double s = tgSolveCubic(values);
    bool solved = isfinite(s);
    tgMove(task, weighted, (solved ? s : 0.0) - now);
    if (!solved) {
        tgMove(task, field, -1.0);
    }
    return solved;
}
