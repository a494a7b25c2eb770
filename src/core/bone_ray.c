// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The line from a skin vertex along its normal, S + t n, against bones: entries and exits make
// inside intervals (Suda, Yamanaka and Morishima 2010, eq. 2, with the printed N - n as N.n). The
// interval that counts holds the skin, or ends within the thickness below it, or starts within the
// gap above it: so a bone on the far side of a limb is nobody's knuckle. Within the gap bones come
// and go bit by bit: a thigh that folds onto the belly would push its skin to the far side at once.

#include "core/bone_skin.h"

enum { tg_mostHits = 32, tg_mostIntervals = 16 };
/// Hits closer than this fraction of the line are one.
static const double tg_touchFraction = 1e-9;

typedef struct tgInterval {
    double start, end;
    float reach; ///< of the bone that ends it
} tgInterval;

typedef struct tgIntervals {
    tgInterval list[tg_mostIntervals];
    int count;
} tgIntervals;

/// Kept by their starts. When there is no room the one added last is dropped.
static void tgIntervals_Add(tgIntervals* intervals, tgInterval added)
{
    if (intervals->count == tg_mostIntervals) {
        return;
    }
    int at = intervals->count++;
    for (; at > 0 && intervals->list[at - 1].start > added.start; --at) {
        intervals->list[at] = intervals->list[at - 1];
    }
    intervals->list[at] = added;
}

/// Hits from `first` on that are one place on the line, and whether the line goes in or out there:
/// through an edge it meets two faces, and where it only touches one it does neither.
static int tgFindCrossing(const tgRayHit* hits, int first, int count, double slop, bool* goesIn,
                          bool* goesOut)
{
    int entries = 0, next = first;
    for (; next < count && hits[next].t - hits[first].t <= slop; ++next) {
        entries += hits[next].entering;
    }
    *goesIn = entries == next - first;
    *goesOut = entries == 0;
    return next;
}

/// The inside intervals of one bone. An exit without an entry ends what came before it: the bone
/// began below the line, or is open, or has shells that overlap.
static void tgAddBoneIntervals(const tgRayHit* hits, int count, const tgRay* ray, float reach,
                               tgIntervals* intervals)
{
    tgInterval current = {ray->from, ray->to, reach};
    bool isInside = false, hasEnd = false, goesIn, goesOut;
    double slop = tg_touchFraction * (ray->to - ray->from);
    for (int i = 0; i < count;) {
        double t = hits[i].t;
        i = tgFindCrossing(hits, i, count, slop, &goesIn, &goesOut);
        if (goesIn && !isInside) {
            if (hasEnd) {
                tgIntervals_Add(intervals, current);
            }
            current.start = t;
            isInside = true;
            hasEnd = false;
        } else if (goesOut) {
            current.end = t;
            isInside = false;
            hasEnd = true;
        }
    }
    if (isInside) { // it comes out beyond the line's end
        current.end = ray->to;
    }
    if (isInside || hasEnd) {
        tgIntervals_Add(intervals, current);
    }
}

/// Whether a line meets a box at all: for most vertices it does not, and no ray is cast.
static bool tgMeetsBox(const tgBvhNode* box, const double origin[3], const double direction[3],
                       double from, double to)
{
    for (int a = 0; a < 3; ++a) {
        double low = (double)box->low[a] - origin[a], high = (double)box->high[a] - origin[a];
        if (direction[a] == 0.0) {
            if (low > 0.0 || high < 0.0) {
                return false;
            }
            continue;
        }
        double first = low / direction[a], second = high / direction[a];
        from = fmax(from, fmin(first, second));
        to = fmin(to, fmax(first, second));
    }
    return from <= to;
}

/// One bone's part in the intervals. The map to the joint's space keeps t.
/// @return whether a ray was cast
static bool tgCastRay(const tgBone* bone, const tgMat34d* modelToJoint, const tgBoneProbe* probe,
                      tgIntervals* intervals)
{
    const double s[3] = {(double)probe->origin.x, (double)probe->origin.y, (double)probe->origin.z};
    const double n[3] = {(double)probe->normal.x, (double)probe->normal.y, (double)probe->normal.z};
    double origin[3], direction[3];
    for (int i = 0; i < 3; ++i) {
        direction[i] = modelToJoint->c[0][i] * n[0] + modelToJoint->c[1][i] * n[1] +
                       modelToJoint->c[2][i] * n[2];
        origin[i] = modelToJoint->c[0][i] * s[0] + modelToJoint->c[1][i] * s[1] +
                    modelToJoint->c[2][i] * s[2] + modelToJoint->c[3][i];
    }
    // What ends deeper than this moves nothing.
    double from = -fmax((double)probe->offset + (double)probe->softness, 0.0);
    double to = 2.0 * (double)bone->reach; // what is beyond the reach is at least counted
    if (!tgMeetsBox(&bone->tree.nodes[0], origin, direction, from, to)) {
        return false;
    }
    tgRay ray = {
        .origin = tgMakeVec3((float)origin[0], (float)origin[1], (float)origin[2]),
        .direction = tgMakeVec3((float)direction[0], (float)direction[1], (float)direction[2]),
        .from = from,
        .to = to,
    };
    tgSurface surface = tgBone_GetSurface(bone);
    tgRayHit hits[tg_mostHits];
    int count = tgBvh_FindAllHits(&bone->tree, &surface, &ray, hits, tg_mostHits);
    count = count < tg_mostHits ? count : tg_mostHits;
    tgAddBoneIntervals(hits, count, &ray, bone->reach, intervals);
    return true;
}

/// How much a hole on the line is closed: all of it where there is none, nothing from the gap on.
static double tgCloseHole(double hole, double gap)
{
    if (hole <= 0.0 || hole >= gap) {
        return hole <= 0.0 ? 1.0 : 0.0;
    }
    double t = hole / gap;
    return 1.0 - t * t * (3.0 - 2.0 * t);
}

bool tgFindBoneExit(const tgBones* bones, const tgBonePose* poses, const int* list, int listCount,
                    const tgBoneProbe* probe, tgBoneExit* exit)
{
    tgIntervals intervals;
    intervals.count = 0;
    for (int i = 0; i < listCount; ++i) {
        if (poses[list[i]].isThere) {
            exit->rayCount +=
                tgCastRay(&bones->bones[list[i]], &poses[list[i]].modelToJoint, probe, &intervals);
        }
    }
    bool isFound = false;
    for (int i = 0; i < intervals.count; ++i) {
        const tgInterval* interval = &intervals.list[i];
        // One that starts near the end of those that count belongs to them.
        double hole = interval->start - (isFound ? fmax(exit->t, 0.0) : 0.0);
        double closed = tgCloseHole(hole, (double)probe->gap);
        if (closed == 0.0 || (isFound && interval->end <= exit->t)) {
            continue;
        }
        if (!isFound) {
            *exit = (tgBoneExit){interval->end, interval->reach, (float)closed, exit->rayCount};
            isFound = true;
            continue;
        }
        exit->t += closed * (interval->end - exit->t);
        exit->reach += (float)closed * (interval->reach - exit->reach);
    }
    return isFound;
}
