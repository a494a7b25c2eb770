// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Joints as they come, in any order, to joints sorted parent before child with their bind matrices
// inverted. Runs once, at creation.

#include "core/skeleton.h"

static int tgGetParent(const tgRigDef* def, int j)
{
    return *(const int*)((const char*)def->jointParents + (ptrdiff_t)j * def->jointParentStride);
}

static const tgMat34* tgGetRest(const tgRigDef* def, int j)
{
    return (const tgMat34*)((const char*)def->restJoints + (ptrdiff_t)j * def->restJointStride);
}

tgResult tgCheckSkeleton(const tgRigDef* def, tgError* error)
{
    for (int j = 0; j < def->jointCount; ++j) {
        int parent = tgGetParent(def, j);
        if (parent < -1 || parent >= def->jointCount) {
            return tgFail(error, tg_invalidArgument, j, "joint %d has parent %d, wanted -1 to %d",
                          j, parent, def->jointCount - 1);
        }
        int steps = 0;
        for (int up = parent; up >= 0; up = tgGetParent(def, up)) {
            if (up == j || ++steps > def->jointCount) {
                return tgFail(error, tg_invalidArgument, j, "joint %d is its own ancestor", j);
            }
        }
        const tgMat34* rest = tgGetRest(def, j);
        tgMat34 inverse;
        if (!tgIsFiniteMat34(rest) || !tgInvertMat34(rest, &inverse)) {
            return tgFail(error, tg_invalidArgument, j,
                          "joint %d has a bind matrix that cannot be inverted", j);
        }
    }
    return tg_success;
}

static void tgFillOrder(tgSkeleton* skeleton)
{
    // Level by level; the skeleton was checked, so every round places at least one joint.
    int count = 0;
    for (int j = 0; j < skeleton->jointCount; ++j) {
        if (skeleton->parents[j] < 0) {
            skeleton->order[count++] = j;
        }
    }
    for (int at = 0; at < count; ++at) {
        for (int j = 0; j < skeleton->jointCount; ++j) {
            if (skeleton->parents[j] == skeleton->order[at]) {
                skeleton->order[count++] = j;
            }
        }
    }
    TG_ASSERT(count == skeleton->jointCount);
}

void tgSkeleton_Place(const tgRigDef* def, tgLayout* layout, tgSkeleton* skeleton)
{
    size_t count = (size_t)def->jointCount;
    skeleton->jointCount = def->jointCount;
    skeleton->parents = tgLayout_Take(layout, count, sizeof(int));
    skeleton->order = tgLayout_Take(layout, count, sizeof(int));
    skeleton->rest = tgLayout_Take(layout, count, sizeof(tgMat34d));
    skeleton->restInverse = tgLayout_Take(layout, count, sizeof(tgMat34d));
    skeleton->restLocal = tgLayout_Take(layout, count, sizeof(tgMat34d));
    if (layout->base == NULL) {
        return;
    }
    for (int j = 0; j < def->jointCount; ++j) {
        skeleton->parents[j] = tgGetParent(def, j);
        skeleton->rest[j] = tgMat34d_FromFloat(tgGetRest(def, j));
        bool inverted = tgMat34d_Invert(&skeleton->rest[j], &skeleton->restInverse[j]);
        TG_ASSERT(inverted);
        (void)inverted;
    }
    tgFillOrder(skeleton);
    for (int j = 0; j < def->jointCount; ++j) {
        int parent = skeleton->parents[j];
        skeleton->restLocal[j] =
            parent < 0 ? skeleton->rest[j]
                       : tgMat34d_Mul(&skeleton->restInverse[parent], &skeleton->rest[j]);
    }
}
