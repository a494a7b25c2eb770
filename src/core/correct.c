// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The volume stage: every joint that bends is given back exactly what it lost, root to leaf, each
// in its own frame (2009 s.3.2). Each step adds its share and nothing else, so after the last one
// the volume is the target; what rounding left is closed on the joint that did most. What a joint
// could not place passes on to the next, then to all the flesh of the joints that bend, then to the
// report.

#include "core/correct.h"

#include "core/hold.h"
#include "core/volume.h"

#include <math.h>
#include <string.h>

/// The closing step is taken when the volume misses its target by more than this: half a unit in
/// the last place of a position. (A test builds the library with double for float.)
static const double tg_closeEnough = sizeof(float) == sizeof(double) ? 2e-16 : 3e-8;
/// What whole characters round to in a sequence of corrections, matrices that are not quite
/// rotations included.
static const double tg_mostRounding = 1e-5;
/// Holding faces back is tried so often: what is given elsewhere may turn others.
static const int tg_holdRounds = 3;
/// What counts as a bone's length for the cap of the last resort, in bounding diagonals.
static const float tg_wholeLength = 0.15f;
/// Joints whose scales differ by less than this part are as large.
static const float tg_sameScale = 1e-4f;
/// A limb that is scaled to nothing still has lengths to divide by.
static const float tg_leastScale = 1e-6f;

void tgGetLimbFrame(const tgCorrectTask* task, const tgLimb* limb, tgJointFrame* frame)
{
    const tgLossTask* loss = &task->loss;
    int carrier = loss->limbs->tree.carriers[limb->joint];
    const double* o = loss->skeleton->rest[limb->joint].c[3];
    tgVec3 origin = tgMakeVec3((float)o[0], (float)o[1], (float)o[2]);
    const tgMat34d* skins = loss->targetSkins;
    if (skins != NULL) {
        origin = tgMat34d_MulPoint(&skins[limb->joint], o);
    }
    tgMakeJointFrame(limb, origin, &loss->motions[carrier], &loss->motions[limb->joint], frame);
    if (skins != NULL) {
        float sum = tgMat34d_GetScale(&skins[carrier]) + tgMat34d_GetScale(&skins[limb->joint]);
        frame->scale = fmaxf(0.5f * sum, tg_leastScale);
    }
}

static bool tgIsClose(const tgCorrectTask* task, double left)
{
    return fabs(left) <= tg_closeEnough * fabs(task->target);
}

/// Numbers of the joints, blended as a vertex follows them.
static inline float tgBlendJoints(const tgSkin* skin, int v, const float* numbers)
{
    int begin = skin->groupStart != NULL ? skin->groupStart[v] : v;
    int end = skin->groupStart != NULL ? skin->groupStart[v + 1] : v + 1;
    float sum = 0.0f;
    for (int group = begin; group < end; ++group) {
        const float* w = skin->weights + 4 * (size_t)group;
        const uint16_t* j = skin->joints + 4 * (size_t)group;
        sum += (w[0] * numbers[j[0]] + w[1] * numbers[j[1]]) +
               (w[2] * numbers[j[2]] + w[3] * numbers[j[3]]);
    }
    return sum;
}

/// Of the target against the bind pose: in the mean, and of each vertex where joints differ.
static void tgSetScales(tgCorrectTask* task)
{
    const tgMat34d* skins = task->loss.targetSkins;
    int count = task->loss.skeleton->jointCount;
    float sum = 0.0f, least = INFINITY, most = 0.0f;
    task->exact.scales = NULL;
    task->exact.scale = 1.0f;
    if (skins == NULL) {
        return;
    }
    for (int j = 0; j < count; ++j) {
        float scale = task->jointScales[j] = tgMat34d_GetScale(&skins[j]);
        least = fminf(least, scale);
        most = fmaxf(most, scale);
        sum += scale;
    }
    task->exact.scale = sum / (float)count;
    if (most - least > tg_sameScale * most) {
        for (int v = 0; v < task->exact.mesh->vertexCount; ++v) {
            task->scales[v] = tgBlendJoints(task->loss.skin, v, task->jointScales);
        }
        task->exact.scales = task->scales;
    }
}

float tgGetWholeCap(const tgCorrectTask* task)
{
    return task->exact.cap * tg_wholeLength * task->restDiagonal * task->exact.scale;
}

/// A joint that is to lose some is no place for what others lack, nor the other way round.
static void tgKeepShares(tgCorrectTask* task, double amount)
{
    for (int j = 0; j < task->loss.skeleton->jointCount; ++j) {
        float share = amount < 0.0 ? -task->jointShares[j] : task->jointShares[j];
        task->jointShares[j] = share > 0.0f ? share : 0.0f;
    }
}

void tgFillLimbGamma(tgCorrectTask* task, double amount)
{
    const tgExactTask* exact = &task->exact;
    int count = exact->mesh->vertexCount;
    tgKeepShares(task, amount);
    for (int v = 0; v < count; ++v) {
        exact->gamma[v] =
            tgBlendJoints(task->loss.skin, v, task->jointShares) * task->loss.limbs->sturdiness[v];
    }
    for (int v = count; v < tgRoundToLane(count); ++v) {
        exact->gamma[v] = 0.0f;
    }
}

/// What joints could not place near themselves goes to the flesh that follows them or their
/// carriers.
static double tgCorrectLimbs(tgCorrectTask* task, double amount)
{
    tgFillLimbGamma(task, amount);
    return tgCorrectWhole(&task->exact, tgGetWholeCap(task), amount, true);
}

void tgForgetShares(tgCorrectTask* task)
{
    memset(task->jointShares, 0, (size_t)task->loss.skeleton->jointCount * sizeof(float));
}

static void tgShareWith(tgCorrectTask* task, const tgLimb* limb, float share)
{
    task->jointShares[limb->joint] += share;
    task->jointShares[task->loss.limbs->tree.carriers[limb->joint]] += share;
}

void tgShareLeft(tgCorrectTask* task, const tgLimb* limb, double left)
{
    const tgLimbs* limbs = task->loss.limbs;
    float share = (float)(left / fabs(task->target));
    bool isShared = false;
    // What a joint without a profile lost goes to the others, if there are any.
    for (int i = 0; limb->profileCount == 0 && i < limbs->count; ++i) {
        if (task->loss.bends[i] && limbs->limbs[i].profileCount > 0) {
            tgShareWith(task, &limbs->limbs[i], share);
            isShared = true;
        }
    }
    if (!isShared) {
        tgShareWith(task, limb, share);
    }
}

double tgGetAdded(const tgCorrectTask* task, int limb)
{
    return task->added != NULL ? task->added[limb] : 0.0;
}

/// The volume that the joints alone leave, with drift and contact where those went before.
static double tgGetPosedVolume(const tgCorrectTask* task)
{
    double volume = task->target;
    for (int i = 0; i < task->loss.limbs->count; ++i) {
        double drifted = task->hasDrifted ? task->drifted[i] : 0.0;
        volume += task->loss.bends[i] ? task->loss.losses[i] + drifted + tgGetAdded(task, i) : 0.0;
    }
    return volume;
}

/// What bones pressed out, as a part of what all joints lost: each takes its part of it back. On
/// one joint alone it would be a dent.
static double tgFindPressed(const tgCorrectTask* task)
{
    double lost = 0.0;
    for (int i = 0; i < task->loss.limbs->count; ++i) {
        lost += task->loss.bends[i] ? fabs(task->loss.losses[i]) : 0.0;
    }
    bool measures = lost > 0.0 && task->hasBones;
    return measures ? (tgMeasureNow(task) - tgGetPosedVolume(task)) / lost : 0.0;
}

static bool tgCanTake(const tgLimb* limb)
{
    return limb->takerCount > 0 && limb->profileCount > 0;
}

/// The last joint that bends and can take something; -1 where there is none.
static int tgFindLast(const tgCorrectTask* task)
{
    int last = task->loss.limbs->count - 1;
    while (last >= 0 && !(task->loss.bends[last] && tgCanTake(&task->loss.limbs->limbs[last]))) {
        last -= 1;
    }
    return last;
}

/// How a sequence of corrections ended.
typedef struct tgSequence {
    double left;   ///< what could not be placed
    int strongest; ///< the joint that was given most; -1: none
    bool isClosed; ///< but for that the volume is the target
} tgSequence;

/// The last joint takes what is missing then: its own loss and what rounding left.
/// @return whether that is no more
static bool tgTakeRounding(const tgCorrectTask* task, double left, double* amount)
{
    double missing = task->target - left - tgMeasureNow(task);
    bool isRounding = fabs(missing - *amount) <= tg_mostRounding * fabs(task->target);
    *amount = isRounding ? missing : *amount;
    return isRounding;
}

static tgSequence tgCorrectInSequence(tgCorrectTask* task)
{
    double most = -1.0, pressed = tgFindPressed(task);
    int last = tgFindLast(task);
    tgSequence sequence = {.strongest = -1};
    for (int i = 0; i < task->loss.limbs->count; ++i) {
        if (!task->loss.bends[i]) {
            continue;
        }
        const tgLimb* limb = &task->loss.limbs->limbs[i];
        tgJointFrame frame;
        tgGetLimbFrame(task, limb, &frame);
        bool hasDrifted = task->hasDrifted && task->driftsFirst[i];
        double drifted = hasDrifted ? task->drifted[i] : tgDriftBand(&task->exact, limb, &frame);
        double amount = -tgGetUnmet(task, i) - tgGetAdded(task, i) - drifted;
        amount -= pressed * fabs(task->loss.losses[i]);
        if (i == last && !task->holdFaces) { // else the end is looked at once more anyway
            sequence.isClosed = tgTakeRounding(task, sequence.left, &amount) &&
                                tgIsStepSure(task, amount, limb->takerCount);
        }
        double left = tgCorrectJoint(&task->exact, limb, &frame, amount);
        if (left != 0.0) {
            tgShareLeft(task, limb, left);
            sequence.left += left;
        }
        if (fabs(amount) > most && tgCanTake(limb)) {
            most = fabs(amount);
            sequence.strongest = i;
        }
    }
    return sequence;
}

/// Where corrections all but turned faces over, vertices go back, and what they had taken goes to
/// the others round the same joints.
static void tgHoldBack(tgCorrectTask* task)
{
    const tgLimbs* limbs = task->loss.limbs;
    tgWatchFaces(task);
    for (int round = 0; round < tg_holdRounds && tgHoldFaces(task); ++round) {
        double turnedAway = 0.0;
        tgForgetShares(task);
        for (int i = 0; i < limbs->count; ++i) {
            task->unsettled[i] = task->withheld[i] != 0.0;
            if (task->unsettled[i]) {
                tgJointFrame frame;
                tgGetLimbFrame(task, &limbs->limbs[i], &frame);
                double left =
                    tgCorrectJoint(&task->exact, &limbs->limbs[i], &frame, task->withheld[i]);
                if (left != 0.0) {
                    tgShareLeft(task, &limbs->limbs[i], left);
                    turnedAway += left;
                }
            }
        }
        if (!tgIsClose(task, turnedAway)) {
            tgCorrectLimbs(task, turnedAway);
        }
    }
}

void tgDriftFirst(tgCorrectTask* task)
{
    task->exact.freedom = NULL; // nothing is pinned yet
    // Together finds out what drift changed from the gradient that it takes anyway.
    task->knowsDrift = task->mode != tg_modeTogether || task->flesh->moved;
    for (int i = 0; i < task->loss.limbs->count; ++i) {
        const tgLimb* limb = &task->loss.limbs->limbs[i];
        task->drifted[i] = 0.0;
        if (task->loss.bends[i] && task->driftsFirst[i] && limb->drifts) {
            tgJointFrame frame;
            tgGetLimbFrame(task, limb, &frame);
            if (task->knowsDrift) {
                task->drifted[i] = tgDriftBand(&task->exact, limb, &frame);
            } else {
                tgMoveBand(&task->exact, limb, &frame);
            }
        }
    }
    tgPlaceCapCenters(task->exact.mesh, task->exact.positions);
    task->hasDrifted = true;
}

/// What rounding left goes to the strongest joint, then to all that bend.
static double tgClose(tgCorrectTask* task, int strongest)
{
    double left = task->target - tgMeasureNow(task);
    for (int round = 0; round < 3 && !tgIsClose(task, left); ++round) {
        const tgLimb* limb = strongest >= 0 ? &task->loss.limbs->limbs[strongest] : NULL;
        tgJointFrame frame;
        if (round == 0 && limb != NULL) {
            tgGetLimbFrame(task, limb, &frame);
            tgCorrectJoint(&task->exact, limb, &frame, left);
        } else {
            tgForgetShares(task);
            for (int i = 0; i < task->loss.limbs->count; ++i) {
                if (task->loss.bends[i]) {
                    tgShareLeft(task, &task->loss.limbs->limbs[i], left);
                }
            }
            tgCorrectLimbs(task, left);
        }
        left = task->target - tgMeasureNow(task);
    }
    return fabs(left) > tgGetResidualFloor(task) ? left : 0.0;
}

/// What shaking flesh took or added goes back to the flesh that shook, by how far it moved.
static double tgSettleFlesh(tgCorrectTask* task, double goal, int rounds)
{
    double left = goal - tgMeasureNow(task);
    for (int i = 0; i < rounds && !tgIsClose(task, left); ++i) {
        tgFillFleshShares(task->flesh, task->exact.gamma,
                          tgRoundToLane(task->exact.mesh->vertexCount));
        tgCorrectWhole(&task->exact, tgGetWholeCap(task), left, false);
        left = rounds > 1 ? goal - tgMeasureNow(task) : 0.0; // once: others close
    }
    return fabs(left) > tgGetResidualFloor(task) ? left : 0.0;
}

/// Breathing: the volume over time, given to the whole skin alike.
static double tgBreathe(tgCorrectTask* task)
{
    double amount = task->target * task->breath - tgMeasureNow(task);
    for (int v = 0; v < tgRoundToLane(task->exact.mesh->vertexCount); ++v) {
        task->exact.gamma[v] = v < task->exact.mesh->vertexCount ? 1.0f : 0.0f;
    }
    double left = tgCorrectWhole(&task->exact, tgGetWholeCap(task), amount, false);
    if (!tgIsStepSure(task, amount, task->exact.mesh->vertexCount)) {
        left = task->target * task->breath - tgMeasureNow(task);
    }
    return fabs(left) > tgGetResidualFloor(task) ? left : 0.0;
}

/// As published, every joint starts from the skin alone: flesh is put on it afterwards.
static void tgCorrectPaper(tgCorrectTask* task)
{
    tgCorrectAsPublished(task);
    if (task->flesh->moved) {
        tgMoveFlesh(task->flesh, task->exact.parallel, task->exact.kernels, task->exact.positions);
        tgPlaceCapCenters(task->exact.mesh, task->exact.positions);
        tgSettleFlesh(task, task->target, 1);
    }
}

/// Bones may have pressed skin out although no joint bends.
static bool tgIsOffTarget(const tgCorrectTask* task)
{
    return fabs(task->target - tgMeasureNow(task)) > tgGetResidualFloor(task);
}

static bool tgAnyBends(const tgCorrectTask* task)
{
    bool any = false;
    for (int i = 0; i < task->loss.limbs->count; ++i) {
        any |= task->loss.bends[i];
    }
    return any;
}

void tgCorrectVolume(tgCorrectTask* task)
{
    task->residual = 0.0;
    task->exact.freedom = task->freedom;
    tgSetScales(task);
    bool any = tgAnyBends(task);
    if (any) {
        if (task->holdFaces) {
            tgRememberPlain(task);
        }
        tgForgetShares(task);
        tgMeetSweeps(task);
        if (task->flesh->moved && task->mode != tg_modePaper) {
            tgSettleFlesh(task, tgGetPosedVolume(task), 1);
        }
        tgSequence sequence = {.strongest = -1};
        bool together =
            task->mode == tg_modeTogether && tgCorrectTogether(task, &sequence.isClosed);
        if (task->mode == tg_modePaper) {
            tgCorrectPaper(task);
        } else if (!together) {
            sequence = tgCorrectInSequence(task);
            if (!tgIsClose(task, sequence.left)) {
                sequence.left = tgCorrectLimbs(task, sequence.left);
            }
        }
        if (task->holdFaces && task->mode != tg_modePaper) {
            tgHoldBack(task);
            sequence.isClosed = false;
        }
        bool isDone = sequence.isClosed && tgIsClose(task, sequence.left);
        task->residual = isDone ? 0.0 : tgClose(task, sequence.strongest);
    } else if (task->flesh->moved) {
        task->residual = tgSettleFlesh(task, task->target, 3);
    }
    bool pressed = !any && task->hasBones && tgIsOffTarget(task);
    if (task->breath != 1.0 || pressed) {
        task->residual = tgBreathe(task);
    }
    task->hasDrifted = task->knowsDrift = false;
}

void tgCorrectAgain(tgCorrectTask* task)
{
    double total = 0.0, most = 0.0;
    int strongest = -1;
    for (int v = 0; task->exact.freedom == task->held && v < task->exact.mesh->vertexCount; ++v) {
        task->held[v] = fminf(task->held[v], task->freedom[v]); // pinned since then
    }
    tgForgetShares(task);
    for (int i = 0; i < task->loss.limbs->count; ++i) {
        double amount = -tgGetAdded(task, i);
        const tgLimb* limb = &task->loss.limbs->limbs[i];
        tgJointFrame frame;
        if (amount == 0.0) {
            continue;
        }
        tgGetLimbFrame(task, limb, &frame);
        double left = tgCorrectJoint(&task->exact, limb, &frame, amount);
        if (left != 0.0) {
            tgShareLeft(task, limb, left);
            total += left;
        }
        strongest = fabs(amount) > most ? i : strongest;
        most = fmax(fabs(amount), most);
    }
    if (!tgIsClose(task, total)) {
        tgCorrectLimbs(task, total);
    }
    bool isLocal = task->breath == 1.0 && (tgAnyBends(task) || !tgIsOffTarget(task));
    task->residual = isLocal ? tgClose(task, strongest) : tgBreathe(task);
}
