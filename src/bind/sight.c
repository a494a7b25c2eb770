// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Straight ways through the grid, cell by cell (Amanatides and Woo 1987), against the faces listed
// there. In double: a way may run along a face.

#include "bind/sight.h"

#include <math.h>

/// How far outside its border, in barycentric coordinates, a triangle is still met.
static const double tg_borderSlop = 1e-9;

typedef struct tgPoint {
    double x, y, z;
} tgPoint;

static tgPoint tgToPoint(tgVec3 p)
{
    return (tgPoint){(double)p.x, (double)p.y, (double)p.z};
}

static tgPoint tgSubPoint(tgPoint a, tgPoint b)
{
    return (tgPoint){a.x - b.x, a.y - b.y, a.z - b.z};
}

static tgPoint tgCrossPoint(tgPoint a, tgPoint b)
{
    return (tgPoint){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double tgDotPoint(tgPoint a, tgPoint b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/// The fraction of the way at which it meets a triangle; -1 when it does not (Moller and Trumbore
/// 1997).
static double tgMeetTriangle(const tgBody* body, int triangle, tgPoint from, tgPoint direction)
{
    tgPoint a = tgToPoint(tgBody_Corner(body, triangle, 0));
    tgPoint u = tgSubPoint(tgToPoint(tgBody_Corner(body, triangle, 1)), a);
    tgPoint v = tgSubPoint(tgToPoint(tgBody_Corner(body, triangle, 2)), a);
    tgPoint across = tgCrossPoint(direction, v);
    double determinant = tgDotPoint(u, across);
    if (determinant == 0.0) {
        return -1.0;
    }
    tgPoint s = tgSubPoint(from, a);
    double b1 = tgDotPoint(s, across) / determinant;
    if (b1 < -tg_borderSlop || b1 > 1.0 + tg_borderSlop) {
        return -1.0;
    }
    tgPoint q = tgCrossPoint(s, u);
    double b2 = tgDotPoint(direction, q) / determinant;
    if (b2 < -tg_borderSlop || b1 + b2 > 1.0 + tg_borderSlop) {
        return -1.0;
    }
    double t = tgDotPoint(v, q) / determinant;
    return t <= 1.0 ? t : -1.0;
}

bool tgSegmentHits(const tgBody* body, int triangle, tgVec3 from, tgVec3 to)
{
    tgPoint start = tgToPoint(from);
    return tgMeetTriangle(body, triangle, start, tgSubPoint(tgToPoint(to), start)) >= 0.0;
}

/// A walk along a line from cell to cell.
typedef struct tgWalk {
    int at[3], step[3], left; ///< cells still to come after this one
    double next[3], delta[3]; ///< fractions of the way to the next wall, and between walls
} tgWalk;

/// The part of the way that lies in the grid, as fractions of it.
static void tgClipToGrid(const tgVoxels* voxels, const double start[3], const double length[3],
                         double* enter, double* leave)
{
    *enter = 0.0;
    *leave = 1.0;
    for (int axis = 0; axis < 3; ++axis) {
        double low = voxels->origin[axis] - start[axis];
        double high = low + voxels->size * voxels->count[axis];
        if (length[axis] != 0.0) {
            double t0 = low / length[axis], t1 = high / length[axis];
            *enter = fmax(*enter, fmin(t0, t1));
            *leave = fmin(*leave, fmax(t0, t1));
        }
    }
    *leave = fmax(*leave, *enter);
}

static tgWalk tgBeginWalk(const tgVoxels* voxels, tgVec3 from, tgVec3 to)
{
    const double start[3] = {(double)from.x, (double)from.y, (double)from.z};
    const double length[3] = {(double)to.x - start[0], (double)to.y - start[1],
                              (double)to.z - start[2]};
    double enter, leave;
    tgClipToGrid(voxels, start, length, &enter, &leave);
    tgVec3 way = tgSub(to, from);
    tgWalk walk = {.left = 0};
    int last[3];
    tgVoxels_Locate(voxels, enter > 0.0 ? tgMulAdd(from, (float)enter, way) : from, walk.at);
    tgVoxels_Locate(voxels, leave < 1.0 ? tgMulAdd(from, (float)leave, way) : to, last);
    for (int axis = 0; axis < 3; ++axis) {
        int away = last[axis] - walk.at[axis];
        walk.left += away > 0 ? away : -away;
        walk.step[axis] = away > 0 ? 1 : away < 0 ? -1 : 0;
        walk.next[axis] = HUGE_VAL;
        if (away != 0) {
            double wall = voxels->origin[axis] + voxels->size * (walk.at[axis] + (away > 0));
            walk.next[axis] = (wall - start[axis]) / length[axis];
            walk.delta[axis] = voxels->size / fabs(length[axis]);
        }
    }
    return walk;
}

/// False at the end of the way.
static bool tgWalk_Step(tgWalk* walk, const int count[3])
{
    if (walk->left == 0) {
        return false;
    }
    int axis = walk->next[0] <= walk->next[1] ? (walk->next[0] <= walk->next[2] ? 0 : 2)
                                              : (walk->next[1] <= walk->next[2] ? 1 : 2);
    walk->at[axis] += walk->step[axis];
    walk->next[axis] += walk->delta[axis];
    walk->left -= 1;
    return walk->at[axis] >= 0 && walk->at[axis] < count[axis];
}

bool tgIsClear(const tgVoxels* voxels, tgVec3 from, tgVec3 to, int vertex)
{
    tgPoint start = tgToPoint(from);
    tgPoint direction = tgSubPoint(tgToPoint(to), start);
    tgWalk walk = tgBeginWalk(voxels, from, to);
    do {
        int cell = tgVoxels_Cell(voxels, walk.at[0], walk.at[1], walk.at[2]);
        for (int i = voxels->triangleStart[cell]; i < voxels->triangleStart[cell + 1]; ++i) {
            int triangle = voxels->triangles[i];
            if (!tgBody_Touches(voxels->body, triangle, vertex) &&
                tgMeetTriangle(voxels->body, triangle, start, direction) >= 0.0) {
                return false;
            }
        }
    } while (tgWalk_Step(&walk, voxels->count));
    return true;
}

int tgListCrossings(const tgVoxels* voxels, tgVec3 from, tgVec3 to, double* crossings, int room)
{
    tgPoint start = tgToPoint(from);
    tgPoint direction = tgSubPoint(tgToPoint(to), start);
    tgWalk walk = tgBeginWalk(voxels, from, to);
    int count = 0;
    do {
        int cell = tgVoxels_Cell(voxels, walk.at[0], walk.at[1], walk.at[2]);
        for (int i = voxels->triangleStart[cell]; i < voxels->triangleStart[cell + 1]; ++i) {
            double t = tgMeetTriangle(voxels->body, voxels->triangles[i], start, direction);
            int at = count;
            while (at > 0 && crossings[at - 1] > t) {
                at -= 1;
            }
            // A triangle stands in several cells, and neighbours share their border.
            if (t < 0.0 || count == room || (at > 0 && crossings[at - 1] == t)) {
                continue;
            }
            for (int k = count; k > at; --k) {
                crossings[k] = crossings[k - 1];
            }
            crossings[at] = t;
            count += 1;
        }
    } while (tgWalk_Step(&walk, voxels->count));
    return count;
}
