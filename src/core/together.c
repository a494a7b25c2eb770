// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Mode together: every joint's correction from the same skinned pose and the same gradient, U = sum
// of -dV(b) f_b, no order at all; then a step along W = sum of |dV(b)| f_b by the root nearest 0 of
// V(p + U + s W) = target, which is an exact cubic in s. Joints near their cap take little part in
// W, so for |s| up to 1/2 no cap is passed, and what one joint could not place the others take.

#include "core/correct.h"

#include "core/volume.h"

#include <math.h>
#include <string.h>

static const double tg_longestStep = 0.5;
/// The last step takes up to this part of what joints placed with ease for what others could not;
static const double tg_smallRest = 0.05;
/// those that could not place a tenth of their own placed nothing with ease.
static const double tg_hard = 10.0;

/// All flesh that drifts, first, so that every joint starts from the same pose.
static void tgDriftTogether(tgCorrectTask* task)
{
    const tgLimbs* limbs = task->loss.limbs;
    for (int i = 0; i < limbs->count; ++i) {
        if (task->loss.bends[i] && limbs->limbs[i].drifts) {
            tgMoveBand(&task->exact, &limbs->limbs[i], &task->frames[i]);
        }
    }
    tgPlaceCapCenters(task->exact.mesh, task->exact.positions);
}

/// What joint i lost, with what drift and other stages added: to first order, the cubic does the
/// rest.
static double tgGetLoss(tgCorrectTask* task, int i)
{
    const tgLimb* limb = &task->loss.limbs->limbs[i];
    if (!task->knowsDrift) {
        task->drifted[i] =
            limb->drifts ? tgGetFirstOrderDrift(&task->exact, limb, &task->frames[i]) : 0.0;
    }
    return tgGetUnmet(task, i) + tgGetAdded(task, i) + task->drifted[i];
}

static void tgMove(const tgCorrectTask* task, const float* field, float scale)
{
    for (int i = 0; i < 4 * task->exact.mesh->vertexCount; ++i) {
        task->exact.positions[i] += scale * field[i];
    }
    tgPlaceCapCenters(task->exact.mesh, task->exact.positions);
}

static double tgGetCubic(const double c[4], double s)
{
    return ((c[3] * s + c[2]) * s + c[1]) * s + c[0];
}

/// The root of the cubic nearest 0, by Newton from there; the longest step towards it where it lies
/// beyond; NaN when there is none.
static double tgSolveCubic(const double c[4])
{
    double s = 0.0;
    for (int round = 0; round < 60; ++round) {
        double slope = (3.0 * c[3] * s + 2.0 * c[2]) * s + c[1];
        double step = tgGetCubic(c, s) / slope;
        s -= step;
        if (!(fabs(s) <= tg_longestStep)) {
            break;
        }
        if (fabs(step) < 1e-12) {
            return s;
        }
    }
    double end = copysign(tg_longestStep, s), over = tgGetCubic(c, end);
    return over * c[0] > 0.0 && fabs(over) < fabs(c[0]) ? end : (double)NAN;
}

/// U and W of all joints; what one could not place goes to the flesh that follows it.
static void tgAddFields(tgCorrectTask* task, float* field, float* room)
{
    double left = 0.0, easy = 0.0;
    for (int i = 0; i < task->loss.limbs->count; ++i) {
        const tgLimb* limb = &task->loss.limbs->limbs[i];
        if (task->loss.bends[i]) {
            double loss = tgGetLoss(task, i);
            double own = tgAddJointField(&task->exact, limb, &task->frames[i], -loss, field, room);
            easy += fmax(fabs(loss) - tg_hard * fabs(own), 0.0);
            left += own;
            if (own != 0.0) {
                tgShareLeft(task, limb, own);
            }
        }
    }
    left = copysign(fmax(fabs(left) - tg_smallRest * easy, 0.0), left);
    if (left != 0.0) {
        tgFillLimbGamma(task, left);
        tgAddWholeField(&task->exact, tgGetWholeCap(task), left, field, room);
    }
    task->hasDrifted = task->knowsDrift = true;
}

bool tgCorrectTogether(tgCorrectTask* task, bool* isSure)
{
    const tgLimbs* limbs = task->loss.limbs;
    const tgMesh* mesh = task->exact.mesh;
    size_t bytes = 4 * (size_t)tgRoundToLane(mesh->vertexCount + mesh->loopCount) * sizeof(float);
    float* field = task->carried;
    float* room = task->loss.whole;
    memset(field, 0, bytes);
    memset(room, 0, bytes);
    for (int i = 0; i < limbs->count; ++i) {
        if (task->loss.bends[i]) {
            tgGetLimbFrame(task, &limbs->limbs[i], &task->frames[i]);
        }
    }
    if (!task->hasDrifted) {
        tgDriftTogether(task);
    }
    tgRefreshWhole(&task->exact);
    tgAddFields(task, field, room);
    tgMove(task, field, 1.0f);
    tgPlaceCapCenters(mesh, room); // a mean of positions moves by the mean of the field
    double cubic[4];
    tgMeasureAlong(task, room, cubic);
    cubic[0] -= task->target;
    double s = tgSolveCubic(cubic);
    if (isfinite(s)) {
        tgMove(task, room, (float)s);
        double left = tgGetCubic(cubic, s);
        *isSure = fabs(left) <= tgGetResidualFloor(task) &&
                  tgIsStepSure(task, cubic[0], mesh->vertexCount);
        return true;
    }
    tgMove(task, field, -1.0f); // one by one, where what is left over finds another place
    tgForgetShares(task);
    return false;
}
