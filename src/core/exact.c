// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The exact correction of one joint (2009 eq. 4). The volume is linear in the coordinates along any
// one axis, so u = share gamma g / sum(gamma g^2) along it adds the share and nothing else; then
// the next axis, with the gradient taken anew. With the rules that make it fit for any character:
// weak axes take less, displacements are capped, what one axis turns away the others take.

#include "core/exact.h"

#include "core/volume.h"

#include <math.h>
#include <string.h>

/// An axis is given at most so many times the root of its part of the gradient.
static const double tg_weakAxis = 3.0;
/// What is left of a correction is let go below this part of it.
static const double tg_doneFraction = 1e-7;

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

/// The limb's shares in this frame: its own, turned to their mean where a twist has no inner side;
/// or the axes' worth.
static void tgGetMu(const tgExactTask* task, const tgLimb* limb, const tgJointFrame* frame,
                    const double worth[3], float mu[3])
{
    const float* own = limb->profiles[0].mu;
    if (own[0] + own[1] + own[2] > 0.0f) {
        float mean = 0.5f * (own[1] + own[2]);
        mu[0] = own[0];
        mu[1] = mean + frame->bendPart * (own[1] - mean);
        mu[2] = mean + frame->bendPart * (own[2] - mean);
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

static void tgMeasureWorth(const tgExactTask* task, int count, const tgVec3 axes[3],
                           tgAxisWorth* out)
{
    task->kernels->worth(task->gradient, task->gamma, axes, tgRoundToLane(count), out);
}

/// No farther than a part of the bone, or of the flesh round it where that is thin.
static float tgGetCap(const tgExactTask* task, const tgLimb* limb, const tgJointFrame* frame)
{
    return task->cap * frame->scale * fminf(limb->boneLength, limb->radius);
}

/// Gamma, gradient and shares of a joint in the current pose; false where the profile misses the
/// mesh.
typedef struct tgJointPlan {
    const tgVec3* axes;
    tgAxisWorth measured;
    double shares[3];
    int order[3];
} tgJointPlan;

static bool tgPlanJoint(const tgExactTask* task, const tgLimb* limb, const tgJointFrame* frame,
                        tgJointPlan* plan)
{
    if (limb->profileCount == 0 || limb->takerCount == 0) {
        return false;
    }
    plan->axes = tgGetShareFrame(limb, frame);
    tgFillGamma(limb, frame, task->kernels, task->positions, task->gamma, task->profile);
    for (int i = 0; task->freedom != NULL && i < limb->takerCount; ++i) {
        task->gamma[i] *= task->freedom[limb->takers[i]];
    }
    tgRefreshGradient(task, limb);
    tgMeasureWorth(task, limb->takerCount, plan->axes, &plan->measured);
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
    tgGetOrder(limb->profiles[0].mu, plan->order);
    return true;
}

double tgCorrectJoint(const tgExactTask* task, const tgLimb* limb, const tgJointFrame* frame,
                      double amount)
{
    tgJointPlan plan;
    if (amount == 0.0 || !tgPlanJoint(task, limb, frame, &plan)) {
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
            tgMeasureWorth(task, limb->takerCount, plan.axes, &plan.measured);
        }
        left -= tgMoveAlong(task, limb->takers, limb->takerCount, plan.axes[a], &plan.measured, a,
                            share, tgGetCap(task, limb, frame));
        tgPlaceLimbCaps(task, limb);
        fresh = false;
    }
    return left;
}

bool tgAddJointField(const tgExactTask* task, const tgLimb* limb, const tgJointFrame* frame,
                     double scale, double weight, float* field, float* weighted)
{
    tgJointPlan plan;
    if (!tgPlanJoint(task, limb, frame, &plan)) {
        return false;
    }
    double largest = 0.0;
    for (int a = 0; a < 3; ++a) {
        if (!(plan.shares[a] > 0.0) || !(plan.measured.worth[a] > 0.0)) {
            continue;
        }
        double step = plan.shares[a] / plan.measured.worth[a];
        largest = fmax(largest, fabs(scale) * step * (double)plan.measured.largest[a]);
        tgPushTask push = {.gradient = task->gradient,
                           .gamma = task->gamma,
                           .vertices = limb->takers,
                           .positions = field,
                           .axis = plan.axes[a],
                           .step = (float)(scale * step)};
        task->kernels->push(&push, tgRoundToLane(limb->takerCount));
        push.positions = weighted;
        push.step = (float)(weight * step);
        task->kernels->push(&push, tgRoundToLane(limb->takerCount));
    }
    return largest <= (double)tgGetCap(task, limb, frame);
}

double tgDriftBand(const tgExactTask* task, const tgLimb* limb, const tgJointFrame* frame)
{
    if (!limb->drifts) {
        return 0.0;
    }
    const tgPatch* band = &limb->bandInMesh;
    double before = task->kernels->coneVolume(band->triangles, band->triangleCount, band->quads,
                                              band->quadCount, task->positions, frame->origin);
    tgVec3 swing = tgMulSV(frame->scale, frame->swing);
    for (int i = 0; i < limb->bandCount; ++i) {
        int v = limb->bandVertices[i];
        float* p = task->positions + 4 * (size_t)v;
        float drift = limb->bandDrift[i] * (task->freedom != NULL ? task->freedom[v] : 1.0f);
        p[0] += drift * swing.x;
        p[1] += drift * swing.y;
        p[2] += drift * swing.z;
    }
    tgPlaceCapCenters(task->mesh, task->positions);
    double after = task->kernels->coneVolume(band->triangles, band->triangleCount, band->quads,
                                             band->quadCount, task->positions, frame->origin);
    return (after - before) / 6.0;
}

// ---- the whole mesh -----------------------------------------------------------------------------

static void tgRefreshWhole(const tgExactTask* task)
{
    const tgMesh* mesh = task->mesh;
    tgRunFaceSlots(task->parallel, task->kernels, mesh, task->positions, task->slots);
    tgGatherTask gather = {.start = mesh->cornerStart,
                           .slotList = mesh->cornerSlots,
                           .slots = task->slots,
                           .out = task->gradient};
    task->kernels->gatherList(&gather, 0, mesh->vertexCount + mesh->loopCount);
    tgSpreadCapGradient(mesh, task->gradient);
}

double tgCorrectWhole(const tgExactTask* task, float cap, double amount)
{
    static const tgVec3 axes[3] = {{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}};
    int count = task->mesh->vertexCount;
    for (int v = 0; task->freedom != NULL && v < count; ++v) {
        task->gamma[v] *= task->freedom[v];
    }
    double parts[3], left = amount;
    // Each axis by its worth; the third is given what is left, and so are all when caps took hold.
    for (int step = 0; step < 6 && fabs(left) > tg_doneFraction * fabs(amount); ++step) {
        tgAxisWorth measured;
        tgRefreshWhole(task);
        tgMeasureWorth(task, count, axes, &measured);
        double total = measured.worth[0] + measured.worth[1] + measured.worth[2];
        if (!(total > 0.0)) {
            break;
        }
        for (int a = 0; step == 0 && a < 3; ++a) {
            parts[a] = measured.worth[a] / total;
        }
        double share = step < 2 ? amount * parts[step] : left;
        left -= tgMoveAlong(task, NULL, count, axes[step % 3], &measured, step % 3, share, cap);
        tgPlaceCapCenters(task->mesh, task->positions);
    }
    return left;
}
