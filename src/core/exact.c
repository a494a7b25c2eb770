// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The exact correction of one joint (2009 eq. 4). The volume is linear in the coordinates along any
// one axis, so u = share gamma g / sum(gamma g^2) along it adds the share and nothing else. As
// published the next axis follows with the gradient taken anew; here all axes go at once, and an
// exact cubic tells how far. With the rules that make it fit for any character: weak axes take
// less, displacements are capped.

#include "core/exact_field.h"

#include "core/volume.h"

#include <math.h>
#include <string.h>

/// An axis is given at most so many times the root of its part of the gradient.
static const double tg_weakAxis = 3.0;

/// Where all of a profile is pinned, flesh round the joint takes part with so much gamma, where the
/// profile's own peak is 1. In a slow bend folds move in steps of up to 5.3 times the neighbours'
/// median at 0, 3.8 at 1, 2.6 at 3.
static const float tg_evenPart = 3.0f;
/// The organic profile shows no lumps: it stays below this part of the cap,
static const float tg_organicPart = 0.6f;
/// and from this part of that on what more there is goes all round the joint.
static const float tg_softHeight = 0.4f;
/// The cap of a joint whose skin is all on one side of it, as a part of that of a tube.
static const float tg_leastBalance = 0.4f;

// ---- shares -------------------------------------------------------------------------------------

/// Parts of the correction that the axes are given, summing to 1.
/// @param worth sum of gamma g^2 of each axis, over that of all
static void tgGetShares(const float mu[3], const double worth[3], double shares[3])
{
    double excess = 0.0;
    for (int a = 0; a < 3; ++a) {
        double most = tg_weakAxis * sqrt(worth[a]);
        shares[a] = fmin((double)mu[a], most);
        excess += (double)mu[a] - shares[a];
    }
    // What weak axes cannot take goes to the others that are wanted, then to those that are not.
    for (int wanted = 1; wanted >= 0 && excess > 0.0; --wanted) {
        for (int round = 0; round < 3 && excess > 1e-12; ++round) {
            double total = 0.0, given = 0.0;
            for (int a = 0; a < 3; ++a) {
                bool open = (mu[a] > 0.0f) == wanted && shares[a] < tg_weakAxis * sqrt(worth[a]);
                total += open ? (wanted ? (double)mu[a] : worth[a]) : 0.0;
            }
            for (int a = 0; a < 3 && total > 0.0; ++a) {
                double room = tg_weakAxis * sqrt(worth[a]) - shares[a];
                bool open = (mu[a] > 0.0f) == wanted && room > 0.0;
                double part = open ? (wanted ? (double)mu[a] : worth[a]) / total : 0.0;
                double more = fmin(part * excess, fmax(room, 0.0));
                shares[a] += more;
                given += more;
            }
            excess -= given;
        }
    }
}

/// The limb's shares in this frame: its own, turned to their mean where a twist has no inner side,
/// the organic ones to the axes' worth where nothing turned; or that.
static void tgGetMu(const tgExactTask* task, const tgLimb* limb, const tgJointFrame* frame,
                    const double worth[3], float mu[3])
{
    const float* own = limb->profiles[0].mu;
    if (own[0] + own[1] + own[2] > 0.0f) {
        float mean = 0.5f * (own[1] + own[2]);
        float turn = limb->profiles[0].kind == tg_profileOrganic ? frame->turnPart : 1.0f;
        for (int a = 0; a < 3; ++a) {
            float side = a == 0 ? own[0] : mean + turn * frame->bendPart * (own[a] - mean);
            mu[a] = side + (1.0f - turn) * ((float)worth[a] - side);
        }
        return;
    }
    for (int a = 0; a < 3; ++a) {
        mu[a] = task->equalShares ? (float)1 / 3 : (float)worth[a];
    }
}

/// Axes by falling mu of the settings, ties in their own order; never by anything the pose changes.
static void tgGetOrder(const float mu[3], int order[3])
{
    for (int a = 0; a < 3; ++a) {
        int at = a;
        while (at > 0 && mu[order[at - 1]] < mu[a]) {
            order[at] = order[at - 1];
            at -= 1;
        }
        order[at] = a;
    }
}

// ---- one axis -----------------------------------------------------------------------------------

/// Moves listed vertices (all in order, without a list) along one of the axes that were measured;
/// returns the volume added.
static double tgMoveAlong(const tgExactTask* task, const int* vertices, int count, tgVec3 axis,
                          const tgAxisWorth* measured, int number, double share, float cap)
{
    double worth = measured->worth[number];
    if (!(worth > 0.0) || share == 0.0) {
        return 0.0;
    }
    // At the cap the whole field is scaled back: clipped tops would show as edges.
    double most = (double)cap / (double)measured->largest[number];
    double t = share / worth;
    t = t > most ? most : t < -most ? -most : t;
    tgPushTask push = {.gradient = task->gradient,
                       .gamma = task->gamma,
                       .vertices = vertices,
                       .positions = task->positions,
                       .axis = axis,
                       .step = (float)t};
    task->kernels->push(&push, tgRoundToLane(count));
    return t * worth;
}

// ---- a joint ------------------------------------------------------------------------------------

static void tgPlaceLimbCaps(const tgExactTask* task, const tgLimb* limb)
{
    for (int i = 0; i < limb->loopCount; ++i) {
        tgPlaceCapCenter(task->mesh, limb->loops[i], task->positions);
    }
}

/// dV/dp of the takers; those on a boundary loop move the middle of its cap along.
static void tgRefreshGradient(const tgExactTask* task, const tgLimb* limb)
{
    tgFaceTask faces = {
        .triangles = limb->around.triangles,
        .quads = limb->around.quads,
        .positions = task->positions,
        .slots = task->slots,
        .triangleCount = limb->around.triangleCount,
    };
    task->kernels->triangleSlots(&faces, 0, limb->around.triangleCount);
    task->kernels->quadSlots(&faces, 0, limb->around.quadCount);
    tgGatherTask gather = {.start = limb->slotStart,
                           .slotList = limb->slotList,
                           .slots = task->slots,
                           .out = task->gradient};
    task->kernels->gatherList(&gather, 0, tgRoundToLane(limb->takerCount));
    int last = -1;
    tgVec3 share = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < limb->loopTakerCount; ++i) {
        int loop = limb->loopTakerLoop[i];
        if (loop != last) {
            share = tgGetCapGradient(task->mesh, limb->loops[loop], task->positions);
            last = loop;
        }
        float* g = task->gradient + 4 * (size_t)limb->loopTakers[i];
        g[0] += share.x;
        g[1] += share.y;
        g[2] += share.z;
    }
}

/// No farther than a part of the bone, or of the flesh round it where that is thin. Published
/// profiles are shapes that were asked for; the organic one stays lower, and the more so, the more
/// of the joint's skin is on one side of it: what a shoulder took is not missing in one place.
static float tgGetCap(const tgExactTask* task, const tgLimb* limb, const tgJointFrame* frame)
{
    bool isOrganic = limb->profiles[0].kind == tg_profileOrganic;
    float part = isOrganic ? tg_organicPart * fmaxf(limb->balance, tg_leastBalance) : 1.0f;
    return part * task->cap * frame->scale * fminf(limb->boneLength, limb->girth);
}

/// Gamma, gradient and shares of a joint in the current pose; false where the profile misses the
/// mesh.
typedef struct tgJointPlan {
    const tgVec3* axes;
    tgAxisWorth measured;
    double shares[3];
    int order[3];
} tgJointPlan;

/// Pinned vertices take less, or nothing. Bells have flesh left all round the joint. The more is
/// pinned of a muscle, a fold or a belly, the more of the correction goes there as well: the few
/// vertices that are left would be pushed too far, and fast as others close.
static void tgPinTakers(const tgExactTask* task, const tgLimb* limb, bool shared)
{
    double free = 0.0, total = 0.0;
    for (int i = 0; i < limb->takerCount; ++i) {
        const float* g = task->gradient + 4 * (size_t)(shared ? limb->takers[i] : i);
        float worth = task->gamma[i] * (g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
        total += (double)worth;
        free += (double)(task->freedom[limb->takers[i]] * worth);
    }
    float pinned = total > 0.0 ? (float)(1.0 - free / total) : 0.0f;
    float even = tg_evenPart * pinned * pinned;
    for (int i = 0; i < limb->takerCount; ++i) {
        float own = task->freedom[limb->takers[i]];
        task->gamma[i] = own * (task->gamma[i] + even * limb->takerScale[i]);
        task->profile[i] *= own; // the mask, see tgFillGamma
    }
}

/// Measures what the axes are worth and shares the correction out among them; false when no taker
/// faces any of them.
static bool tgShareOut(const tgExactTask* task, const tgLimb* limb, const tgJointFrame* frame,
                       bool shared, tgJointPlan* plan)
{
    tgMeasureWorth(task, task->gamma, shared ? limb->takers : NULL, limb->takerCount, plan->axes,
                   &plan->measured);
    const double* worth = plan->measured.worth;
    double total = worth[0] + worth[1] + worth[2], parts[3];
    if (!(total > 0.0)) {
        return false;
    }
    for (int a = 0; a < 3; ++a) {
        parts[a] = worth[a] / total;
    }
    float mu[3];
    tgGetMu(task, limb, frame, parts, mu);
    tgGetShares(mu, parts, plan->shares);
    return true;
}

/// The largest displacement along any one axis that the plan would bring.
static double tgGetLargest(const tgJointPlan* plan, double amount)
{
    double largest = 0.0;
    for (int a = 0; a < 3; ++a) {
        double worth = plan->measured.worth[a], share = fabs(plan->shares[a] * amount);
        double most = worth > 0.0 ? share * (double)plan->measured.largest[a] / worth : 0.0;
        largest = fmax(largest, most);
    }
    return largest;
}

/// Adds a part of the limb's whole mask to gamma, so that what would pass the height goes all round
/// the joint: with D the worth of gamma and r D that of the mask, a peak of rho heights needs
/// (rho - 1) / r of it and comes down to 1 + (rho - 1) / r.
static void tgSpreadBulge(const tgExactTask* task, const tgLimb* limb, bool shared, double rho,
                          const tgJointPlan* plan)
{
    const double* worth = plan->measured.worth;
    const float* mask = task->profile;
    tgAxisWorth all;
    tgMeasureWorth(task, mask, shared ? limb->takers : NULL, limb->takerCount, plan->axes, &all);
    double own = worth[0] + worth[1] + worth[2], most = all.worth[0] + all.worth[1] + all.worth[2];
    float part = most > 0.0 ? (float)((rho - 1.0) * own / most) : 0.0f;
    for (int i = 0; i < tgRoundToLane(limb->takerCount); ++i) {
        task->gamma[i] += part * mask[i];
    }
}

/// @param shared task->gradient is that of the whole mesh already
static bool tgPlanJoint(const tgExactTask* task, const tgLimb* limb, const tgJointFrame* frame,
                        double amount, bool shared, tgJointPlan* plan)
{
    if (limb->profileCount == 0 || limb->takerCount == 0) {
        return false;
    }
    bool isBell = tgIsBellAllRound(limb);
    plan->axes = tgGetShareFrame(limb, frame);
    tgGetOrder(limb->profiles[0].mu, plan->order);
    tgFillGamma(limb, frame, amount < 0.0, task->kernels, task->positions,
                isBell ? task->freedom : NULL, task->gamma, task->profile);
    if (!shared) {
        tgRefreshGradient(task, limb);
    }
    if (task->freedom != NULL && !isBell) {
        tgPinTakers(task, limb, shared);
    }
    if (!tgShareOut(task, limb, frame, shared, plan)) {
        return false;
    }
    double height = (double)(tg_softHeight * tgGetCap(task, limb, frame));
    double rho = tgGetLargest(plan, amount) / height;
    if (limb->profiles[0].kind != tg_profileOrganic || !(rho > 1.0)) {
        return true;
    }
    tgSpreadBulge(task, limb, shared, rho, plan);
    return tgShareOut(task, limb, frame, shared, plan);
}

double tgCorrectByAxes(const tgExactTask* task, const tgLimb* limb, const tgJointFrame* frame,
                       double amount)
{
    tgJointPlan plan;
    if (amount == 0.0 || !tgPlanJoint(task, limb, frame, amount, false, &plan)) {
        return amount;
    }
    double left = amount;
    bool fresh = true;
    int last = 2;
    while (last > 0 && !(plan.shares[plan.order[last]] > 0.0)) {
        last -= 1;
    }
    for (int i = 0; i <= last; ++i) {
        // The last axis is given what is really left, so that rounding ends there; but not what
        // caps turned away before it.
        int a = plan.order[i];
        double share = plan.shares[a] * amount;
        share = i == last && fabs(left - share) < 1e-3 * fabs(amount) ? left : share;
        if (share == 0.0) {
            continue;
        }
        if (!fresh) {
            tgRefreshGradient(task, limb);
            tgMeasureWorth(task, task->gamma, NULL, limb->takerCount, plan.axes, &plan.measured);
        }
        left -= tgMoveAlong(task, limb->takers, limb->takerCount, plan.axes[a], &plan.measured, a,
                            share, tgGetCap(task, limb, frame));
        tgPlaceLimbCaps(task, limb);
        fresh = false;
    }
    return left;
}

/// Steps along the axes: displacements are step gamma (g . axis).
typedef struct tgJointSteps {
    double along[3];
    double volume; ///< that they add to first order
    double most;   ///< so many times these steps the cap is reached
    int count;     ///< that are not 0
} tgJointSteps;

static tgJointSteps tgTakeSteps(const tgJointPlan* plan, double amount, float cap)
{
    tgJointSteps steps = {.most = tg_farthestField};
    for (int a = 0; a < 3; ++a) {
        double worth = plan->measured.worth[a], share = plan->shares[a] * amount;
        if (!(worth > 0.0) || share == 0.0) {
            continue;
        }
        // At the cap the whole field is scaled back: clipped tops would show as edges.
        double farthest = (double)cap / (double)plan->measured.largest[a];
        double step = fmin(fabs(share) / worth, farthest);
        steps.most = fmin(steps.most, farthest / step);
        steps.along[a] = copysign(step, share);
        steps.volume += steps.along[a] * worth;
        steps.count += 1;
    }
    return steps;
}

/// Moves the takers along the only axis that has a step: what that adds is linear.
static double tgMoveAlongAxis(const tgExactTask* task, const tgLimb* limb, const tgVec3 axes[3],
                              const tgJointSteps* steps)
{
    int a = steps->along[0] != 0.0 ? 0 : steps->along[1] != 0.0 ? 1 : 2;
    tgPushTask push = {.gradient = task->gradient,
                       .gamma = task->gamma,
                       .vertices = limb->takers,
                       .positions = task->positions,
                       .axis = axes[a],
                       .step = (float)steps->along[a]};
    task->kernels->push(&push, tgRoundToLane(limb->takerCount));
    tgPlaceLimbCaps(task, limb);
    return steps->volume;
}

double tgCorrectJoint(const tgExactTask* task, const tgLimb* limb, const tgJointFrame* frame,
                      double amount)
{
    // Folds are narrow: the next axis has to see what the first one did to them. All at once, 212
    // faces of the sitting elephant turn over; one after the other, 202.
    if (!tgIsBellAllRound(limb)) {
        return tgCorrectByAxes(task, limb, frame, amount);
    }
    tgJointPlan plan;
    if (amount == 0.0 || !tgPlanJoint(task, limb, frame, amount, false, &plan)) {
        return amount;
    }
    tgJointSteps steps = tgTakeSteps(&plan, amount, tgGetCap(task, limb, frame));
    if (steps.volume == 0.0) {
        return amount;
    }
    tgFieldPart part = {.vertices = limb->takers,
                        .count = limb->takerCount,
                        .faces = limb->around,
                        .loops = limb->loops,
                        .loopCount = limb->loopCount,
                        .apex = frame->origin};
    tgVec3 rows[3];
    tgGetRows(plan.axes, steps.along, rows);
    double left =
        amount - (steps.count == 1 ? tgMoveAlongAxis(task, limb, plan.axes, &steps)
                                   : tgFollowField(task, &part, rows, steps.volume, steps.most));
    return fabs(left) > tg_doneFraction * fabs(amount) ? left : 0.0;
}

double tgAddJointField(const tgExactTask* task, const tgLimb* limb, const tgJointFrame* frame,
                       double amount, float* field, float* room)
{
    tgJointPlan plan;
    if (amount == 0.0 || !tgPlanJoint(task, limb, frame, amount, true, &plan)) {
        return amount;
    }
    double steps[3] = {0.0, 0.0, 0.0};
    for (int a = 0; a < 3; ++a) {
        if (!(plan.shares[a] > 0.0) || !(plan.measured.worth[a] > 0.0)) {
            continue;
        }
        steps[a] = plan.shares[a] / plan.measured.worth[a];
    }
    tgVec3 rows[3];
    tgGetRows(plan.axes, steps, rows);
    double largest = tgGetLargest(&plan, amount);
    return tgSpreadField(task, limb->takers, limb->takerCount, rows, amount, largest,
                         (double)tgGetCap(task, limb, frame), field, room);
}

void tgMoveBand(const tgExactTask* task, const tgLimb* limb, const tgJointFrame* frame)
{
    tgDriftTask drift = {.positions = task->positions,
                         .vertices = limb->bandVertices,
                         .drifts = limb->bandDrift,
                         .freedom = task->freedom,
                         .swing = frame->swing,
                         .scale = frame->scale};
    task->kernels->drift(&drift, limb->blendedCount);
}

double tgGetFirstOrderDrift(const tgExactTask* task, const tgLimb* limb, const tgJointFrame* frame)
{
    // Drifts add to a vector for each axis, and the swing is the same for all.
    double sums[4] = {0.0, 0.0, 0.0, 0.0};
    for (int i = 0; i < limb->blendedCount; ++i) {
        const float* g = task->gradient + 4 * (size_t)limb->bandVertices[i];
        float drift = frame->scale * limb->bandDrift[i];
        for (int k = 0; k < 4; ++k) {
            sums[k] += (double)(drift * g[k]);
        }
    }
    return sums[0] * (double)frame->swing.x + sums[1] * (double)frame->swing.y +
           sums[2] * (double)frame->swing.z;
}

double tgDriftBand(const tgExactTask* task, const tgLimb* limb, const tgJointFrame* frame)
{
    if (!limb->drifts) {
        return 0.0;
    }
    const tgPatch* band = &limb->band;
    double before = task->kernels->coneVolume(band->triangles, band->triangleCount, band->quads,
                                              band->quadCount, task->positions, frame->origin);
    tgMoveBand(task, limb, frame);
    tgPlaceCapCenters(task->mesh, task->positions);
    double after = task->kernels->coneVolume(band->triangles, band->triangleCount, band->quads,
                                             band->quadCount, task->positions, frame->origin);
    return (after - before) / 6.0;
}
