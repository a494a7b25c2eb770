// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What the animator made bigger stays bigger, what turning crushed comes back. A skinning matrix is
// a turn after a stretch, S = R U. In the target pose joint j has U_j alone, and stands where its
// parent's stretch takes it, farther out when the bone between them is longer:
//
//   T_j(x) = U_j (x - o_j) + q_j,    q_j = q_p + r_j U_p (o_j - o_p)
//
// A bone counts as longer only when it is longer both against the parent in the file and against
// the joint that it shares most skin with: of the two ratios r_j is the one nearer to 1. Some rigs
// hang joints side by side under one root and let them follow each other; measured against the root
// alone their limbs would grow. A turn of any joint leaves both lengths as they are.

#include "core/target.h"

#include "core/polar.h"
#include "core/pose.h"
#include "core/volume.h"

#include <math.h>
#include <string.h>

/// Bones that are longer or shorter by less than this part of them are as long as at rest: files
/// round. From twice as much on it counts in full.
static const double tg_restSlop = 1e-3;
/// Scales go in steps of this size, lengths in larger ones, above what float joints are off by:
/// what stands still gives the same pose in every frame, and its volume need not be measured again.
/// A character nearer to its bind size than the latter is of that size.
static const double tg_scaleStep = 1e-6, tg_lengthStep = 1e-5;
/// A bone this many times as long as at rest is none: the joint above it is all but scaled to
/// nothing, and its child is not.
static const double tg_mostLengthening = 1e4;

// ---- lengths ------------------------------------------------------------------------------------

static void tgGetPosed(const tgMat34d* m, const double p[3], double out[3])
{
    for (int i = 0; i < 3; ++i) {
        out[i] = m->c[0][i] * p[0] + m->c[1][i] * p[1] + m->c[2][i] * p[2] + m->c[3][i];
    }
}

static double tgGetDistance(const double a[3], const double b[3])
{
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return sqrt(x * x + y * y + z * z);
}

/// How far joint j is from another one now against at rest, as that one's own scale counts.
static double tgGetRatio(const tgTargetTask* task, const tgTarget* target, int j, int from)
{
    const double* origin = task->skeleton->rest[j].c[3];
    const double* other = task->skeleton->rest[from].c[3];
    double rest = tgGetDistance(origin, other), now[3], at[3], back[3];
    tgMat34d inverse;
    tgGetPosed(&task->skinMatrices[j], origin, now);
    if (target->isRigid) {
        tgGetPosed(&task->skinMatrices[from], other, at);
        return rest > 0.0 ? tgGetDistance(now, at) / (target->size * rest) : 1.0;
    }
    if (!(rest > 0.0) || !tgMat34d_Invert(&task->skinMatrices[from], &inverse)) {
        return 1.0;
    }
    tgGetPosed(&inverse, now, back);
    double ratio = tgGetDistance(back, other) / rest;
    return ratio < tg_mostLengthening ? ratio : 1.0; // or all but scaled to nothing
}

static double tgRoundStep(double x, double step)
{
    return step * floor(x / step + 0.5);
}

static double tgGetChange(double ratio)
{
    return ratio > 1.0 ? ratio : ratio > 0.0 ? 1.0 / ratio : HUGE_VAL;
}

/// r of a joint.
static double tgGetLengthening(const tgTargetTask* task, const tgTarget* target, int j)
{
    int parent = task->skeleton->parents[j], partner = task->skeleton->partners[j];
    if (parent < 0 || partner < 0) {
        return 1.0; // where a root stands is travel, and so is what no skin follows
    }
    double ratio = tgGetRatio(task, target, j, parent);
    if (fabs(ratio - 1.0) > tg_restSlop && partner != parent) {
        double other = tgGetRatio(task, target, j, partner);
        ratio = tgGetChange(other) < tgGetChange(ratio) ? other : ratio;
    }
    double part = fmin(fmax(fabs(ratio - 1.0) / tg_restSlop - 1.0, 0.0), 1.0);
    double counted = part * part * (3.0 - 2.0 * part);
    return counted > 0.0 ? tgRoundStep(1.0 + counted * (ratio - 1.0), tg_lengthStep) : 1.0;
}

// ---- the target pose ----------------------------------------------------------------------------

/// T of a joint whose parent has one.
static void tgSetTargetSkin(const tgTargetTask* task, const tgTarget* target, int j)
{
    tgMat34d* skins = target->skins;
    const tgSkeleton* skeleton = task->skeleton;
    const double* origin = skeleton->rest[j].c[3];
    int carrier = skeleton->tree.carriers[j];
    double rotation[3][3], at[3] = {origin[0], origin[1], origin[2]};
    tgMat34d* skin = &skins[j];
    bool isSimilar = target->isRigid;
    tgPolarDecompose(&task->skinMatrices[j], rotation, skin->c);
    double unit = fmax(fmax(fabs(skin->c[0][0]), fabs(skin->c[1][1])), fabs(skin->c[2][2]));
    unit = unit > 0.0 ? unit : 1.0;
    for (int k = 0; k < 3; ++k) {
        for (int i = 0; i < 3; ++i) {
            double same = i == k ? target->size : 0.0;
            skin->c[k][i] = isSimilar ? same : tgRoundStep(skin->c[k][i], tg_scaleStep * unit);
        }
    }
    double ratio = tgGetLengthening(task, target, j);
    for (int i = 0; carrier >= 0 && i < 3; ++i) {
        const double* start = skeleton->rest[carrier].c[3];
        const tgMat34d* m = &skins[carrier];
        at[i] = m->c[3][i];
        for (int k = 0; k < 3; ++k) {
            at[i] += m->c[k][i] * (start[k] + ratio * (origin[k] - start[k]));
        }
    }
    for (int i = 0; i < 3; ++i) {
        skin->c[3][i] = at[i] - (skin->c[0][i] * origin[0] + skin->c[1][i] * origin[1] +
                                 skin->c[2][i] * origin[2]);
    }
}

/// Cube root by Newton's steps: the same bits everywhere.
static double tgCubeRoot(double x)
{
    if (!(x > 0.0)) {
        return 1.0;
    }
    double root = x > 1.0 ? x : 1.0;
    for (int i = 0; i < 400; ++i) {
        double next = root - (root - x / (root * root)) / 3.0;
        if (fabs(next - root) <= 1e-15 * root) {
            break;
        }
        root = next;
    }
    return root;
}

static void tgMeasureTarget(const tgTargetTask* task, tgTarget* target)
{
    size_t size = tg_matrixFloats * (size_t)task->skeleton->jointCount * sizeof(float);
    tgFillMatrixPalette(target->skins, task->skeleton->jointCount, target->palette);
    bool isSame =
        target->isKnown && task->shape == NULL && memcmp(target->palette, target->known, size) == 0;
    if (isSame) {
        return; // the same matrices give the same volume, to the bit
    }
    tgSkinTask skin = {.rest = task->shape != NULL ? task->shape : task->skin->rest,
                       .groupStart = task->skin->groupStart,
                       .weights = task->skin->weights,
                       .entries = task->skin->joints,
                       .palette = target->palette,
                       .positions = target->positions};
    tgRunSkin(task->parallel, task->kernels->skinLinear, &skin, 0, task->skin->extraStart);
    tgPlaceCapCenters(task->mesh, target->positions);
    const float* p = target->positions;
    double volume = task->volume != NULL
                        ? tgMeasureFaces(task->volume, p)
                        : tgQuickVolume(task->kernels, task->mesh, p, tgMakeVec3(p[0], p[1], p[2]));
    target->volume = target->sign * volume;
    memcpy(target->known, target->palette, size);
    target->isKnown = task->shape == NULL;
}

/// Whether all joints have one size, and no bone another length.
static bool tgHasOneSize(const tgTargetTask* task, tgTarget* target)
{
    double cofactors[3][3];
    int count = task->skeleton->jointCount;
    double volume =
        tgMat34d_Cofactors(&task->skinMatrices[task->skeleton->tree.order[0]], cofactors);
    double size = tgCubeRoot(fabs(volume));
    target->size = fabs(size - 1.0) > tg_lengthStep ? size : 1.0;
    target->isRigid = true;
    for (int j = 0; target->isRigid && j < count; ++j) {
        target->isRigid = tgIsSimilarity(&task->skinMatrices[j], target->size);
    }
    bool isOne = target->isRigid;
    for (int j = 0; isOne && j < count; ++j) {
        isOne = tgGetLengthening(task, target, j) == 1.0;
    }
    return isOne;
}

/// Scaled in one way, or two together, to what rounding leaves: a billionth.
static bool tgIsFlat(const tgMat34d* skin)
{
    double cofactors[3][3], most = 0.0;
    for (int k = 0; k < 3; ++k) {
        most = fmax(most, sqrt(tgMat34d_ColumnSquared(skin, k)));
    }
    double least = tg_scaleStep * tg_restSlop * most * most * most;
    return !(fabs(tgMat34d_Cofactors(skin, cofactors)) > least);
}

/// The first joint that has a size.
/// @return -1 where the character as a whole is as flat as a shadow: there is no volume to keep
static int tgFindSolid(const tgTargetTask* task)
{
    const int* order = task->skeleton->tree.order;
    int i = 0, count = task->skeleton->jointCount;
    while (i < count && tgIsFlat(&task->skinMatrices[order[i]])) {
        i += 1;
    }
    return i < count ? order[i] : -1;
}

void tgSetTarget(const tgTargetTask* task, tgTarget* target)
{
    const tgSkeleton* skeleton = task->skeleton;
    double cofactors[3][3];
    int solid = tgFindSolid(task);
    bool isMirrored = solid >= 0 && tgMat34d_Cofactors(&task->skinMatrices[solid], cofactors) < 0.0;
    target->sign = isMirrored ? -1.0 : 1.0;
    if (solid < 0 && !task->wantsPose) {
        target->isRest = target->isRigid = target->isKnown = false;
        target->isKnownSize = true;
        target->size = target->scale = 1.0;
        target->volume = 0.0;
        return;
    }
    bool isPlain = tgHasOneSize(task, target) && task->shape == NULL;
    target->isRest = isPlain && target->size == 1.0;
    target->isKnownSize = isPlain && !target->isRest && !task->wantsPose;
    if (target->isRest || target->isKnownSize) {
        target->scale = target->size;
        target->volume = task->restVolume * target->size * target->size * target->size;
        target->isKnown = false;
    }
    if (target->isRest) {
        memcpy(target->motions, task->skinMatrices,
               (size_t)skeleton->jointCount * sizeof(tgMat34d));
    }
    if (target->isRest || target->isKnownSize) {
        return;
    }
    for (int i = 0; i < skeleton->jointCount; ++i) {
        int j = skeleton->tree.order[i];
        tgSetTargetSkin(task, target, j);
        tgMat34d inverse;
        // A joint that is scaled to nothing moves like the one that carries it.
        int carrier = skeleton->tree.carriers[j];
        target->motions[j] = tgMat34d_Invert(&target->skins[j], &inverse)
                                 ? tgMat34d_Mul(&task->skinMatrices[j], &inverse)
                             : carrier >= 0 ? target->motions[carrier]
                                            : task->skinMatrices[j];
    }
    tgMeasureTarget(task, target);
    target->scale = tgCubeRoot(target->volume / task->restVolume);
}
