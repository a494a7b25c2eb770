// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Solid voxels. With its holes capped a mesh is closed, so the signed crossings along a line count
// the winding number, which is whole; inside is where it is not 0. That survives holes and
// overlaps. Where faces look both ways and it says nothing, a flood from outside tells inside
// instead.
//
// The grid stands about the middle of the body's box, so that a symmetric body gets symmetric
// cells.

#include "bind/voxel.h"

#include "bind/sight.h"
#include "core/core.h"

#include <string.h>

const int tg_ways[tg_wayCount][3] = {
    {1, 0, 0}, {0, 1, 0},  {0, 0, 1}, {1, 1, 0},  {1, -1, 0}, {1, 0, 1},   {1, 0, -1},
    {0, 1, 1}, {0, 1, -1}, {1, 1, 1}, {1, 1, -1}, {1, -1, 1}, {1, -1, -1},
};

enum { tg_mostCells = 48 << 20 };

/// In cells; sqrt(3) and a little more.
static const double tg_longestWay = 1.8;

tgVec3 tgVoxels_Center(const tgVoxels* voxels, int cell)
{
    int at[3];
    tgVoxels_Unpack(voxels, cell, at);
    return tgMakeVec3((float)tgVoxels_Middle(voxels, 0, at[0]),
                      (float)tgVoxels_Middle(voxels, 1, at[1]),
                      (float)tgVoxels_Middle(voxels, 2, at[2]));
}

static int tgClampToGrid(const tgVoxels* voxels, int axis, double at)
{
    double most = voxels->count[axis] - 1;
    return (int)fmin(fmax(at, 0.0), most);
}

void tgVoxels_Locate(const tgVoxels* voxels, tgVec3 p, int at[3])
{
    const float place[3] = {p.x, p.y, p.z};
    for (int axis = 0; axis < 3; ++axis) {
        double from = (double)place[axis] - voxels->origin[axis];
        at[axis] = tgClampToGrid(voxels, axis, floor(from / voxels->size));
    }
}

// ---- lines along x ----

/// Which side of the line from a to b the point (y, z) lies on, in the plane across x. Both faces
/// at an edge ask with the same bits; a point on the line counts as moved by (e, e^2), e -> 0, so
/// that every line crosses each closed surface a whole number of times.
static double tgLineSide(const tgBody* body, int a, int b, double y, double z)
{
    double sign = a < b ? 1.0 : -1.0;
    tgVec3 low = body->positions[a < b ? a : b], high = body->positions[a < b ? b : a];
    double side =
        ((double)low.y - y) * ((double)high.z - z) - ((double)low.z - z) * ((double)high.y - y);
    if (side == 0.0) {
        side = low.z != high.z
                   ? copysign(1e-300, (double)low.z - (double)high.z)
                   : copysign(low.y != high.y ? 1e-300 : 0.0, (double)high.y - (double)low.y);
    }
    return sign * side;
}

/// Where the line along x through (y, z) crosses a triangle: +1 when it goes in there, -1 when it
/// comes out, 0 when it does not cross.
static int tgCrossLine(const tgBody* body, int triangle, double y, double z, double* x)
{
    const int* c = body->triangles + 3 * (size_t)triangle;
    double s0 = tgLineSide(body, c[1], c[2], y, z);
    double s1 = tgLineSide(body, c[2], c[0], y, z);
    double s2 = tgLineSide(body, c[0], c[1], y, z);
    bool isLeft = s0 > 0.0 && s1 > 0.0 && s2 > 0.0;
    bool isRight = s0 < 0.0 && s1 < 0.0 && s2 < 0.0;
    if (!isLeft && !isRight) {
        return 0;
    }
    double sum = s0 + s1 + s2;
    *x = (s0 * (double)body->positions[c[0]].x + s1 * (double)body->positions[c[1]].x +
          s2 * (double)body->positions[c[2]].x) /
         sum;
    return isLeft ? -1 : 1;
}

/// Winding number of one point; looks at every triangle.
static int tgCountWinding(const tgBody* body, tgVec3 p)
{
    int winding = 0;
    for (int t = 0; t < body->triangleCount; ++t) {
        double x = 0.0;
        int crossing = tgCrossLine(body, t, (double)p.y, (double)p.z, &x);
        winding += x < (double)p.x ? crossing : 0;
    }
    return winding;
}

void tgCountIslandWindings(const tgBody* body, tgVec3 p, int* windings)
{
    for (int t = 0; t < body->triangleCount; ++t) {
        double x = 0.0;
        int crossing = tgCrossLine(body, t, (double)p.y, (double)p.z, &x);
        if (crossing != 0 && x < (double)p.x) {
            // The first corner of a cap is on its loop, so every triangle has an island.
            windings[body->mesh.vertexComponent[body->triangles[3 * (size_t)t]]] += crossing;
        }
    }
}

bool tgVoxels_IsInside(const tgVoxels* voxels, tgVec3 p)
{
    if (!voxels->isByFlood) {
        return tgCountWinding(voxels->body, p) != 0;
    }
    int at[3];
    tgVoxels_Locate(voxels, p, at);
    return voxels->insideIndex[tgVoxels_Cell(voxels, at[0], at[1], at[2])] >= 0;
}

/// The cells whose middles lie between two coordinates.
static void tgMiddlesBetween(const tgVoxels* voxels, int axis, double low, double high, int* first,
                             int* last)
{
    *first = (int)fmax(ceil((low - voxels->origin[axis]) / voxels->size - 0.5), 0.0);
    *last = (int)fmin(floor((high - voxels->origin[axis]) / voxels->size - 0.5),
                      voxels->count[axis] - 1);
}

/// Adds each crossing of a triangle to the first cell after it, along every row it meets.
static void tgAddCrossings(const tgVoxels* voxels, int t, int16_t* windings)
{
    tgVec3 a = tgBody_Corner(voxels->body, t, 0), b = tgBody_Corner(voxels->body, t, 1),
           c = tgBody_Corner(voxels->body, t, 2);
    int y0, y1, z0, z1;
    tgMiddlesBetween(voxels, 1, (double)fminf(a.y, fminf(b.y, c.y)),
                     (double)fmaxf(a.y, fmaxf(b.y, c.y)), &y0, &y1);
    tgMiddlesBetween(voxels, 2, (double)fminf(a.z, fminf(b.z, c.z)),
                     (double)fmaxf(a.z, fmaxf(b.z, c.z)), &z0, &z1);
    for (int z = z0; z <= z1; ++z) {
        for (int y = y0; y <= y1; ++y) {
            double x = 0.0;
            int crossing = tgCrossLine(voxels->body, t, tgVoxels_Middle(voxels, 1, y),
                                       tgVoxels_Middle(voxels, 2, z), &x);
            int after =
                tgClampToGrid(voxels, 0, floor((x - voxels->origin[0]) / voxels->size - 0.5) + 1.0);
            windings[tgVoxels_Cell(voxels, after, y, z)] += (int16_t)crossing;
        }
    }
}

/// Crossings to winding numbers, and which cells are inside by them.
static int tgSumWindings(const tgVoxels* voxels, int16_t* windings)
{
    int insideCount = 0;
    int rowCount = voxels->count[1] * voxels->count[2];
    for (int row = 0; row < rowCount; ++row) {
        int16_t* cells = windings + (size_t)row * (size_t)voxels->count[0];
        int16_t winding = 0;
        for (int x = 0; x < voxels->count[0]; ++x) {
            winding = (int16_t)(winding + cells[x]);
            cells[x] = winding;
            insideCount += winding != 0;
        }
    }
    return insideCount;
}

// ---- faces in cells ----

typedef struct tgCellRange {
    int low[3], high[3];
    double normal[3]; ///< unit
    double offset;    ///< normal . p on the triangle
    bool isFlat;      ///< it has no area
} tgCellRange;

/// The cells round a triangle, `margin` more on each side.
static tgCellRange tgMakeRange(const tgVoxels* voxels, int t, int margin)
{
    tgVec3 a = tgBody_Corner(voxels->body, t, 0), b = tgBody_Corner(voxels->body, t, 1),
           c = tgBody_Corner(voxels->body, t, 2);
    tgVec3 low = tgMakeVec3(fminf(a.x, fminf(b.x, c.x)), fminf(a.y, fminf(b.y, c.y)),
                            fminf(a.z, fminf(b.z, c.z)));
    tgVec3 high = tgMakeVec3(fmaxf(a.x, fmaxf(b.x, c.x)), fmaxf(a.y, fmaxf(b.y, c.y)),
                             fmaxf(a.z, fmaxf(b.z, c.z)));
    tgCellRange range;
    tgVoxels_Locate(voxels, low, range.low);
    tgVoxels_Locate(voxels, high, range.high);
    for (int axis = 0; axis < 3; ++axis) {
        range.low[axis] = range.low[axis] > margin ? range.low[axis] - margin : 0;
        int last = voxels->count[axis] - 1;
        range.high[axis] = range.high[axis] + margin < last ? range.high[axis] + margin : last;
    }
    double u[3] = {(double)b.x - (double)a.x, (double)b.y - (double)a.y, (double)b.z - (double)a.z};
    double v[3] = {(double)c.x - (double)a.x, (double)c.y - (double)a.y, (double)c.z - (double)a.z};
    double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    range.isFlat = !(length > 0.0);
    for (int axis = 0; axis < 3; ++axis) {
        range.normal[axis] = range.isFlat ? 0.0 : n[axis] / length;
    }
    range.offset = range.normal[0] * (double)a.x + range.normal[1] * (double)a.y +
                   range.normal[2] * (double)a.z;
    return range;
}

static double tgPlaneDistance(const tgVoxels* voxels, const tgCellRange* range, int x, int y, int z)
{
    return range->normal[0] * tgVoxels_Middle(voxels, 0, x) +
           range->normal[1] * tgVoxels_Middle(voxels, 1, y) +
           range->normal[2] * tgVoxels_Middle(voxels, 2, z) - range->offset;
}

/// The cells of a row whose middles are within reach of the triangle's plane, and perhaps one more
/// at each end; none when low comes out above high.
static void tgClipRow(const tgVoxels* voxels, const tgCellRange* range, int y, int z, double reach,
                      int* low, int* high)
{
    *low = range->low[0];
    *high = range->high[0];
    double step = range->normal[0] * voxels->size;
    double first = tgPlaneDistance(voxels, range, *low, y, z);
    if (fabs(step) < 1e-9 * voxels->size) {
        *high = fabs(first) > reach + voxels->size ? *low - 1 : *high;
        return;
    }
    double a = (-reach - first) / step, b = (reach - first) / step;
    double last = (double)(*high - *low);
    double from = fmin(fmax(floor(fmin(a, b)) - 1.0, 0.0), last + 1.0);
    double to = fmin(fmax(ceil(fmax(a, b)) + 1.0, -1.0), last);
    *high = *low + (int)to;
    *low += (int)from;
}

/// Counts (`list` NULL) or lists a triangle in every cell that its plane passes through.
static void tgPutIntoCells(const tgVoxels* voxels, int t, int* start, int* list)
{
    tgCellRange range = tgMakeRange(voxels, t, 0);
    // Half the diagonal of a cell as the plane sees it; a little more against rounding.
    double reach = 0.5001 * voxels->size *
                   (fabs(range.normal[0]) + fabs(range.normal[1]) + fabs(range.normal[2]));
    for (int z = range.low[2]; z <= range.high[2]; ++z) {
        for (int y = range.low[1]; y <= range.high[1]; ++y) {
            int low = range.low[0], high = range.high[0];
            if (!range.isFlat) {
                tgClipRow(voxels, &range, y, z, reach, &low, &high);
            }
            for (int x = low; x <= high; ++x) {
                if (!range.isFlat && fabs(tgPlaneDistance(voxels, &range, x, y, z)) > reach) {
                    continue;
                }
                int cell = tgVoxels_Cell(voxels, x, y, z);
                if (list != NULL) {
                    list[start[cell]] = t;
                }
                start[cell] += 1;
            }
        }
    }
}

static bool tgListCellTriangles(tgVoxels* voxels, int cellCount, tgScratch* scratch)
{
    // start[c + 2] counts, then start[c + 1] walks from the begin of c to its end.
    int* start = tgScratch_Take(scratch, (size_t)cellCount + 2, sizeof(int));
    if (scratch->failed) {
        return false;
    }
    for (int t = 0; t < voxels->body->triangleCount; ++t) {
        tgPutIntoCells(voxels, t, start + 2, NULL);
    }
    for (int c = 0; c < cellCount; ++c) {
        start[c + 2] += start[c + 1];
    }
    voxels->triangles = tgScratch_Take(scratch, (size_t)start[cellCount + 1] + 1, sizeof(int));
    if (scratch->failed) {
        return false;
    }
    for (int t = 0; t < voxels->body->triangleCount; ++t) {
        tgPutIntoCells(voxels, t, start + 1, voxels->triangles);
    }
    voxels->triangleStart = start;
    return true;
}

/// Marks the ways from the middle of one cell that a triangle cuts.
static void tgCutWays(tgVoxels* voxels, int t, const tgCellRange* range, const int at[3])
{
    double here = tgPlaneDistance(voxels, range, at[0], at[1], at[2]);
    if (fabs(here) > tg_longestWay * voxels->size) {
        return;
    }
    int cell = tgVoxels_Cell(voxels, at[0], at[1], at[2]);
    tgVec3 from = tgVoxels_Center(voxels, cell);
    for (int w = 0; w < tg_wayCount; ++w) {
        int to[3];
        bool isInGrid = true;
        for (int axis = 0; axis < 3; ++axis) {
            to[axis] = at[axis] + tg_ways[w][axis];
            isInGrid = isInGrid && to[axis] >= 0 && to[axis] < voxels->count[axis];
        }
        if (!isInGrid || (voxels->cuts[cell] >> w & 1) != 0 ||
            here * tgPlaneDistance(voxels, range, to[0], to[1], to[2]) > 0.0) {
            continue;
        }
        tgVec3 there = tgVoxels_Center(voxels, tgVoxels_Cell(voxels, to[0], to[1], to[2]));
        if (tgSegmentHits(voxels->body, t, from, there)) {
            voxels->cuts[cell] |= (uint16_t)(1u << w);
        }
    }
}

static void tgCutAllWays(tgVoxels* voxels)
{
    for (int t = 0; t < voxels->body->triangleCount; ++t) {
        tgCellRange range = tgMakeRange(voxels, t, 1);
        if (range.isFlat) {
            continue;
        }
        for (int z = range.low[2]; z <= range.high[2]; ++z) {
            for (int y = range.low[1]; y <= range.high[1]; ++y) {
                int low, high;
                tgClipRow(voxels, &range, y, z, tg_longestWay * voxels->size, &low, &high);
                for (int x = low; x <= high; ++x) {
                    tgCutWays(voxels, t, &range, (const int[3]){x, y, z});
                }
            }
        }
    }
}

// ---- inside ----

/// Sets insideIndex to -1 in every cell that can be reached from the border without crossing a
/// face, and to 0 in the others; how many those are.
static int tgFloodOutside(tgVoxels* voxels, int cellCount, int* stack)
{
    memset(voxels->insideIndex, 0, (size_t)cellCount * sizeof(int));
    // The margin of the grid is empty, so one corner is as good as the whole border.
    int top = 0, outsideCount = 1;
    stack[top++] = 0;
    voxels->insideIndex[0] = -1;
    while (top > 0) {
        int cell = stack[--top];
        int at[3];
        tgVoxels_Unpack(voxels, cell, at);
        for (int side = 0; side < 6; ++side) {
            int axis = side / 2, step = side % 2 == 0 ? 1 : -1;
            int to[3] = {at[0], at[1], at[2]};
            to[axis] += step;
            if (to[axis] < 0 || to[axis] >= voxels->count[axis]) {
                continue;
            }
            int next = tgVoxels_Cell(voxels, to[0], to[1], to[2]);
            int owner = step > 0 ? cell : next; // the first three ways are those along the axes
            if (voxels->insideIndex[next] == 0 && (voxels->cuts[owner] >> axis & 1) == 0) {
                voxels->insideIndex[next] = -1;
                outsideCount += 1;
                stack[top++] = next;
            }
        }
    }
    return cellCount - outsideCount;
}

/// Numbers the cells inside.
static bool tgFindInside(tgVoxels* voxels, int cellCount, tgScratch* scratch)
{
    int16_t* windings = tgScratch_Take(scratch, (size_t)cellCount, sizeof(int16_t));
    int* stack = tgScratch_Take(scratch, (size_t)cellCount, sizeof(int));
    voxels->insideIndex = tgScratch_Take(scratch, (size_t)cellCount, sizeof(int));
    if (scratch->failed) {
        return false;
    }
    for (int t = 0; t < voxels->body->triangleCount; ++t) {
        tgAddCrossings(voxels, t, windings);
    }
    int woundCount = tgSumWindings(voxels, windings);
    int sparedCount = tgFloodOutside(voxels, cellCount, stack);
    voxels->isByFlood = sparedCount > 2 * woundCount;
    voxels->insideCells = tgScratch_Take(
        scratch, (size_t)(voxels->isByFlood ? sparedCount : woundCount) + 1, sizeof(int));
    if (scratch->failed) {
        return false;
    }
    for (int cell = 0; cell < cellCount; ++cell) {
        bool isInside = voxels->isByFlood ? voxels->insideIndex[cell] == 0 : windings[cell] != 0;
        voxels->insideIndex[cell] = isInside ? voxels->insideCount : -1;
        if (isInside) {
            voxels->insideCells[voxels->insideCount++] = cell;
        }
    }
    return true;
}

tgResult tgBuildVoxels(const tgBody* body, int voxels, tgScratch* scratch, tgVoxels* result,
                       tgError* error)
{
    const float low[3] = {body->low.x, body->low.y, body->low.z};
    const float high[3] = {body->high.x, body->high.y, body->high.z};
    double longest = 0.0, cells = 1.0;
    for (int axis = 0; axis < 3; ++axis) {
        longest = fmax(longest, (double)high[axis] - (double)low[axis]);
    }
    *result = (tgVoxels){.body = body, .size = longest / voxels};
    for (int axis = 0; axis < 3; ++axis) {
        double length = (double)high[axis] - (double)low[axis];
        // One empty cell at each end.
        result->count[axis] = (int)ceil(length / result->size * 0.999999) + 2;
        result->origin[axis] = 0.5 * ((double)low[axis] + (double)high[axis]) -
                               0.5 * result->size * result->count[axis];
        cells *= result->count[axis];
    }
    if (cells > tg_mostCells) {
        return tgFail(error, tg_unsupported, -1,
                      "%d voxels along the longest side make %.0f million cells, at most %d "
                      "million fit",
                      voxels, cells / 1e6, tg_mostCells / 1000000);
    }
    int cellCount = (int)cells;
    result->cuts = tgScratch_Take(scratch, (size_t)cellCount, sizeof(uint16_t));
    if (scratch->failed || !tgListCellTriangles(result, cellCount, scratch)) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for %d cells", cellCount);
    }
    tgCutAllWays(result);
    if (!tgFindInside(result, cellCount, scratch)) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for %d cells", cellCount);
    }
    return tg_success;
}
