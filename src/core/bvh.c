// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Building and refitting the tree of boxes. Nodes are split where the surface area heuristic,
// measured at a few planes across the longest side, costs least.

#include "core/bvh_private.h"

enum { tg_bins = 16, tg_leafSize = 4, tg_halvingDepth = 48 };

typedef struct tgBox {
    float low[3], high[3];
} tgBox;

static tgBox tgEmptyBox(void)
{
    return (tgBox){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static void tgGrowByPoint(tgBox* box, tgVec3 p)
{
    const float point[3] = {p.x, p.y, p.z};
    for (int a = 0; a < 3; ++a) {
        box->low[a] = point[a] < box->low[a] ? point[a] : box->low[a];
        box->high[a] = point[a] > box->high[a] ? point[a] : box->high[a];
    }
}

static void tgGrowByBox(tgBox* box, const float low[3], const float high[3])
{
    for (int a = 0; a < 3; ++a) {
        box->low[a] = low[a] < box->low[a] ? low[a] : box->low[a];
        box->high[a] = high[a] > box->high[a] ? high[a] : box->high[a];
    }
}

static void tgGrowByTriangle(tgBox* box, const tgSurface* surface, int triangle)
{
    tgVec3 corners[3];
    tgGetTriangle(surface, triangle, corners);
    for (int k = 0; k < 3; ++k) {
        tgGrowByPoint(box, corners[k]);
    }
}

/// Half of it; 0 for an empty box.
static double tgGetBoxArea(const tgBox* box)
{
    double x = (double)box->high[0] - (double)box->low[0],
           y = (double)box->high[1] - (double)box->low[1],
           z = (double)box->high[2] - (double)box->low[2];
    return x >= 0.0 ? x * y + y * z + z * x : 0.0;
}

/// Three times the middle of a triangle, along an axis.
static double tgGetCenter(const tgSurface* surface, int triangle, int axis)
{
    tgVec3 corners[3];
    tgGetTriangle(surface, triangle, corners);
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) {
        sum += (double)(axis == 0 ? corners[k].x : axis == 1 ? corners[k].y : corners[k].z);
    }
    return sum;
}

/// Middles of a node's triangles sorted into bins along the axis where they spread most.
typedef struct tgBinning {
    int axis;
    double low, scale; ///< bin = (center - low) * scale
} tgBinning;

static int tgGetBin(const tgBinning* binning, const tgSurface* surface, int triangle)
{
    double place = (tgGetCenter(surface, triangle, binning->axis) - binning->low) * binning->scale;
    return place >= tg_bins - 1 ? tg_bins - 1 : place > 0.0 ? (int)place : 0; // NaN is 0
}

/// False where all middles are one point.
static bool tgMakeBinning(const tgSurface* surface, const int* order, int count, tgBinning* binning)
{
    double widest = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int i = 0; i < count; ++i) {
            double center = tgGetCenter(surface, order[i], axis);
            low = center < low ? center : low;
            high = center > high ? center : high;
        }
        if (high - low > widest && high - low < HUGE_VAL) {
            widest = high - low;
            *binning = (tgBinning){axis, low, tg_bins / widest};
        }
    }
    return widest > 0.0;
}

/// The bin to begin the second child with: least sum of area times count.
static int tgFindBestBin(const tgSurface* surface, const int* order, int count,
                         const tgBinning* binning)
{
    tgBox boxes[tg_bins];
    int counts[tg_bins] = {0};
    for (int b = 0; b < tg_bins; ++b) {
        boxes[b] = tgEmptyBox();
    }
    for (int i = 0; i < count; ++i) {
        int bin = tgGetBin(binning, surface, order[i]);
        tgGrowByTriangle(&boxes[bin], surface, order[i]);
        counts[bin] += 1;
    }
    double above[tg_bins];
    tgBox box = tgEmptyBox();
    for (int b = tg_bins - 1, sum = 0; b > 0; --b) {
        tgGrowByBox(&box, boxes[b].low, boxes[b].high);
        sum += counts[b];
        above[b] = sum > 0 ? sum * tgGetBoxArea(&box) : HUGE_VAL;
    }
    double least = HUGE_VAL;
    int best = tg_bins / 2;
    box = tgEmptyBox();
    for (int b = 1, sum = 0; b < tg_bins; ++b) {
        tgGrowByBox(&box, boxes[b - 1].low, boxes[b - 1].high);
        sum += counts[b - 1];
        double cost = sum > 0 ? sum * tgGetBoxArea(&box) + above[b] : HUGE_VAL;
        if (cost < least) {
            least = cost;
            best = b;
        }
    }
    return best;
}

/// Sorts a node's triangles into two parts; returns how many are in the first.
static int tgSplitNode(const tgSurface* surface, int* order, int count, int depth)
{
    tgBinning binning = {0};
    // Past that depth nodes are cut in halves, whatever the boxes: 31 cuts more end any of them.
    if (depth >= tg_halvingDepth || !tgMakeBinning(surface, order, count, &binning)) {
        return count / 2;
    }
    int best = tgFindBestBin(surface, order, count, &binning);
    int first = 0;
    for (int i = 0; i < count; ++i) {
        if (tgGetBin(&binning, surface, order[i]) < best) {
            int swap = order[first];
            order[first++] = order[i];
            order[i] = swap;
        }
    }
    return first > 0 && first < count ? first : count / 2;
}

static size_t tgGetNodeRoom(int triangleCount)
{
    return triangleCount > 0 ? 2 * (size_t)triangleCount - 1 : 0;
}

size_t tgBvh_GetSize(int triangleCount)
{
    return tgGetNodeRoom(triangleCount) * sizeof(tgBvhNode) + (size_t)triangleCount * sizeof(int);
}

void tgBvh_Build(tgBvh* bvh, const tgSurface* surface, void* memory)
{
    bvh->triangleCount = surface->triangleCount;
    bvh->nodeCount = 0;
    bvh->nodes = memory;
    bvh->order = NULL;
    if (surface->triangleCount == 0) {
        return;
    }
    bvh->order = (int*)(bvh->nodes + tgGetNodeRoom(surface->triangleCount));
    for (int i = 0; i < surface->triangleCount; ++i) {
        bvh->order[i] = i;
    }
    // Second children wait here, each with the node to tell where it went.
    struct {
        int first, count, depth, parent;
    } waiting[tg_bvhDepth];
    int waitingCount = 0, first = 0, count = surface->triangleCount, depth = 0, parent = -1;
    while (count > 0) {
        int n = bvh->nodeCount++;
        tgBvhNode* node = &bvh->nodes[n];
        if (parent >= 0) {
            bvh->nodes[parent].first = n;
        }
        parent = -1;
        if (count > tg_leafSize) {
            int half = tgSplitNode(surface, bvh->order + first, count, depth++);
            *node = (tgBvhNode){.count = 0};
            waiting[waitingCount].first = first + half;
            waiting[waitingCount].count = count - half;
            waiting[waitingCount].depth = depth;
            waiting[waitingCount++].parent = n;
            count = half;
            continue;
        }
        *node = (tgBvhNode){.first = first, .count = count};
        count = 0;
        if (waitingCount > 0) {
            waitingCount -= 1;
            first = waiting[waitingCount].first;
            count = waiting[waitingCount].count;
            depth = waiting[waitingCount].depth;
            parent = waiting[waitingCount].parent;
        }
    }
    tgBvh_Refit(bvh, surface);
}

void tgBvh_Refit(tgBvh* bvh, const tgSurface* surface)
{
    for (int n = bvh->nodeCount - 1; n >= 0; --n) { // children come after their parent
        tgBvhNode* node = &bvh->nodes[n];
        tgBox box = tgEmptyBox();
        for (int i = 0; i < node->count; ++i) {
            tgGrowByTriangle(&box, surface, bvh->order[node->first + i]);
        }
        if (node->count == 0) {
            tgGrowByBox(&box, bvh->nodes[n + 1].low, bvh->nodes[n + 1].high);
            tgGrowByBox(&box, bvh->nodes[node->first].low, bvh->nodes[node->first].high);
        }
        for (int a = 0; a < 3; ++a) {
            node->low[a] = box.low[a];
            node->high[a] = box.high[a];
        }
    }
}

void tgSplitFaces(const int* triangles, int triangleCount, const int* quads, int quadCount,
                  int* out)
{
    for (int i = 0; i < 3 * triangleCount; ++i) {
        *out++ = triangles[i];
    }
    for (int q = 0; q < quadCount; ++q) {
        const int* c = quads + 4 * (size_t)q;
        const int halves[6] = {c[0], c[1], c[2], c[0], c[2], c[3]};
        for (int k = 0; k < 6; ++k) {
            *out++ = halves[k];
        }
    }
}
