// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Branches end to end. A path goes on before its start, straight into the trunk: the joint at the
// root of a limb lies deeper than the first loop that goes round the limb alone.

#include "bind/limb_path.h"

#include <stdlib.h>
#include <string.h>

/// The direction at the start is taken over so many radii, and the radius is the median over this
/// part of the path.
static const double tg_startRadii = 2.0, tg_startPart = 0.25;

static bool tgLeadsTo(const tgBranch* branch, int tip)
{
    return (branch->tips >> tip & 1) != 0;
}

int tgFindChild(const tgBranches* branches, int hub, int tip)
{
    for (int b = 0; b < branches->count; ++b) {
        if (branches->branches[b].parent == hub && tgLeadsTo(&branches->branches[b], tip)) {
            return b;
        }
    }
    return -1;
}

int tgFindCommon(const tgBranches* branches, int a, int b)
{
    int found = -1;
    for (int i = 0; i < branches->count; ++i) { // parents come first: the last one is the nearest
        if (tgLeadsTo(&branches->branches[i], a) && tgLeadsTo(&branches->branches[i], b)) {
            found = i;
        }
    }
    return found;
}

bool tgIsAbove(const tgBranches* branches, int above, int b)
{
    while (b >= 0 && b != above) {
        b = branches->branches[b].parent;
    }
    return b == above;
}

double tgMeasureToTip(const tgBranches* branches, int branch, int tip)
{
    double length = 0.0;
    for (int b = branch; b >= 0; b = tgFindChild(branches, b, tip)) {
        length += branches->branches[b].length;
        if (branches->branches[b].tip == tip) {
            break;
        }
    }
    return length;
}

int tgFindFarthest(const tgBranches* branches, int branch)
{
    int best = -1;
    double furthest = -1.0;
    for (int tip = 0; tip < tg_mostTips; ++tip) {
        if (tgLeadsTo(&branches->branches[branch], tip)) {
            double length = tgMeasureToTip(branches, branch, tip);
            if (length > furthest) {
                furthest = length;
                best = tip;
            }
        }
    }
    return best;
}

bool tgOpenPath(const tgBranches* branches, tgScratch* scratch, tgLimbPath* path)
{
    size_t room = (size_t)(branches->count + 1) * (tg_branchPoints + 1);
    *path = (tgLimbPath){
        .points = tgScratch_Take(scratch, room, sizeof(tgVec3d)),
        .radii = tgScratch_Take(scratch, room, sizeof(double)),
        .lengths = tgScratch_Take(scratch, room, sizeof(double)),
    };
    return !scratch->failed;
}

void tgPath_Add(tgLimbPath* path, tgVec3d p, double radius)
{
    path->radii[path->count] = radius;
    path->points[path->count++] = p;
}

void tgPath_AddBranch(tgLimbPath* path, const tgBranch* branch, bool isReversed)
{
    for (int k = 0; k < tg_branchPoints; ++k) {
        int at = isReversed ? tg_branchPoints - 1 - k : k;
        tgPath_Add(path, branch->points[at], branch->radii[at]);
    }
}

static int tgCompareRadii(const void* left, const void* right)
{
    double a = *(const double*)left, b = *(const double*)right;
    return a < b ? -1 : a > b;
}

void tgPath_Finish(tgLimbPath* path)
{
    enum { tg_samples = 17 };
    path->lengths[0] = 0.0;
    for (int i = 1; i < path->count; ++i) {
        path->lengths[i] =
            path->lengths[i - 1] + tgLengthD(tgSubD(path->points[i], path->points[i - 1]));
    }
    path->length = path->lengths[path->count - 1];
    double radii[tg_samples];
    for (int k = 0; k < tg_samples; ++k) {
        radii[k] = tgPath_RadiusAt(path, tg_startPart * path->length * k / (tg_samples - 1));
    }
    qsort(radii, tg_samples, sizeof(double), tgCompareRadii);
    double reach = fmin(tg_startRadii * radii[tg_samples / 2], path->length);
    tgVec3d along = tgSubD(tgPath_At(path, reach), path->points[0]);
    double length = tgLengthD(along);
    path->direction = length > 0.0 ? tgMulSVD(1.0 / length, along) : (tgVec3d){0};
}

void tgPath_Along(tgLimbPath* path, const tgBranch* branch, bool isReversed)
{
    path->count = 0;
    tgPath_AddBranch(path, branch, isReversed);
    tgPath_Finish(path);
}

void tgPath_Follow(tgLimbPath* path, const tgBranches* branches, int branch, int tip)
{
    path->count = 0;
    for (int b = branch; b >= 0; b = tgFindChild(branches, b, tip)) {
        tgPath_AddBranch(path, &branches->branches[b], false);
        if (branches->branches[b].tip == tip) {
            break;
        }
    }
    tgPath_Finish(path);
}

/// The segment at a length, and how far along it.
static int tgLocate(const tgLimbPath* path, double at, double* t)
{
    int low = 0, high = path->count - 1;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (path->lengths[middle] <= at) {
            low = middle;
        } else {
            high = middle;
        }
    }
    double step = path->lengths[high] - path->lengths[low];
    *t = step > 0.0 ? fmin(fmax((at - path->lengths[low]) / step, 0.0), 1.0) : 0.0;
    return low;
}

tgVec3d tgPath_At(const tgLimbPath* path, double at)
{
    if (at < 0.0) {
        return tgMulAddD(path->points[0], at, path->direction);
    }
    double t;
    int i = tgLocate(path, at, &t);
    int next = i + 1 < path->count ? i + 1 : i;
    return tgMixD(path->points[i], path->points[next], t);
}

double tgPath_RadiusAt(const tgLimbPath* path, double at)
{
    double t;
    int i = tgLocate(path, fmax(at, 0.0), &t);
    int next = i + 1 < path->count ? i + 1 : i;
    return (1.0 - t) * path->radii[i] + t * path->radii[next];
}
