// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Joints as they come, in any order, to joints sorted parent before child with their bind matrices
// inverted. Runs once, at creation.

#include "core/skeleton.h"

#include <string.h>

static int tgGetParent(const tgRigDef* def, int j)
{
    return *(const int*)((const char*)def->jointParents + (ptrdiff_t)j * def->jointParentStride);
}

static const tgMat34* tgGetRest(const tgRigDef* def, int j)
{
    return (const tgMat34*)((const char*)def->restJoints + (ptrdiff_t)j * def->restJointStride);
}

tgResult tgCheckSkeleton(const tgRigDef* def, tgScratch* scratch, tgError* error)
{
    // Walking up from each joint, a mark tells which walk has been there.
    int* walks = tgScratch_Take(scratch, (size_t)def->jointCount, sizeof(int));
    if (walks == NULL) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for %d joints", def->jointCount);
    }
    for (int j = 0; j < def->jointCount; ++j) {
        int parent = tgGetParent(def, j);
        if (parent < -1 || parent >= def->jointCount) {
            return tgFail(error, tg_invalidArgument, j, "joint %d has parent %d, wanted -1 to %d",
                          j, parent, def->jointCount - 1);
        }
        const tgMat34* rest = tgGetRest(def, j);
        tgMat34d matrix = tgMat34d_FromFloat(rest), inverse;
        if (!tgIsFiniteMat34(rest) || !tgMat34d_Invert(&matrix, &inverse)) {
            return tgFail(error, tg_invalidArgument, j,
                          "joint %d has a bind matrix that cannot be inverted", j);
        }
    }
    for (int j = 0; j < def->jointCount; ++j) {
        int up = j;
        for (; up >= 0 && walks[up] == 0; up = tgGetParent(def, up)) {
            walks[up] = j + 1;
        }
        if (up >= 0 && walks[up] == j + 1) {
            return tgFail(error, tg_invalidArgument, up, "joint %d is its own ancestor", up);
        }
    }
    return tg_success;
}

void tgSkeleton_Place(const tgRigDef* def, tgLayout* layout, tgSkeleton* skeleton)
{
    size_t count = (size_t)def->jointCount;
    skeleton->jointCount = def->jointCount;
    skeleton->parents = tgLayout_Take(layout, count, sizeof(int));
    tgTree_Place(def->jointCount, layout, &skeleton->tree);
    tgTree_Place(def->jointCount, layout, &skeleton->bodies);
    skeleton->pivots = tgLayout_Take(layout, count, sizeof(int));
    skeleton->partners = tgLayout_Take(layout, count, sizeof(int));
    skeleton->rest = tgLayout_Take(layout, count, sizeof(tgMat34d));
    skeleton->restInverse = tgLayout_Take(layout, count, sizeof(tgMat34d));
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
    int firstRoot = -1;
    for (int j = def->jointCount - 1; j >= 0; --j) {
        firstRoot = skeleton->parents[j] < 0 ? j : firstRoot;
    }
    for (int j = 0; j < def->jointCount; ++j) {
        bool isOtherRoot = skeleton->parents[j] < 0 && j != firstRoot;
        skeleton->tree.carriers[j] = isOtherRoot ? firstRoot : skeleton->parents[j];
    }
    tgTree_Fill(&skeleton->tree);
    memcpy(skeleton->bodies.carriers, skeleton->tree.carriers, count * sizeof(int));
    tgTree_Fill(&skeleton->bodies);
}
