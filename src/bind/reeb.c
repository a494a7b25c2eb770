// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Levels at even steps of the field cut the skin into strips. The elements are the pieces of
// triangles in strips; those that touch in a strip form parts of it. All crossings of one level
// between the same two parts are a loop. From the source every part is reached through loops, the
// thick ones first, which breaks handles and leaves the ways to the tips a tree.

#include "bind/reeb.h"

#include <stdlib.h>
#include <string.h>

enum { tg_mostLevels = 300, tg_leastLevels = 30, tg_mostElements = 16 << 20, tg_bridgeStrips = 3 };

typedef struct tgStrips {
    const tgSkinNet* net;
    const double* field;
    int levelCount;
    double top;
    int* strips;   ///< of each vertex: how many levels lie below it
    size_t* start; ///< triangleCount + 1: the first element of each triangle
    int* lowest;   ///< of each triangle its first strip
    int* parents;  ///< union-find over elements
    size_t elementCount;
} tgStrips;

static double tgGetLevel(const tgStrips* strips, int k)
{
    return strips->top * ((double)k + 0.5) / (double)strips->levelCount;
}

static void tgCountLevelsBelow(tgStrips* strips)
{
    for (int v = 0; v < strips->net->vertexCount; ++v) {
        double at = strips->field[v] / strips->top * (double)strips->levelCount - 0.5;
        int k = (int)fmin(fmax(ceil(at), 0.0), (double)strips->levelCount);
        // The same comparison as the crossings use, whatever the division rounds to.
        while (k > 0 && !(strips->field[v] > tgGetLevel(strips, k - 1))) {
            k -= 1;
        }
        while (k < strips->levelCount && strips->field[v] > tgGetLevel(strips, k)) {
            k += 1;
        }
        strips->strips[v] = k;
    }
}

static void tgCountElements(tgStrips* strips)
{
    const tgSkinNet* net = strips->net;
    strips->elementCount = 0;
    for (int t = 0; t < net->triangleCount; ++t) {
        const int* c = net->triangles + 3 * (size_t)t;
        int low = strips->strips[c[0]], high = low;
        for (int k = 1; k < 3; ++k) {
            int strip = strips->strips[c[k]];
            low = strip < low ? strip : low;
            high = strip > high ? strip : high;
        }
        strips->lowest[t] = low;
        strips->start[t] = strips->elementCount;
        strips->elementCount += (size_t)(high - low) + 1;
    }
    strips->start[net->triangleCount] = strips->elementCount;
}

static int tgFindElement(tgStrips* strips, int e)
{
    while (strips->parents[e] != e) {
        strips->parents[e] = strips->parents[strips->parents[e]];
        e = strips->parents[e];
    }
    return e;
}

static void tgJoinElements(tgStrips* strips, int a, int b)
{
    a = tgFindElement(strips, a);
    b = tgFindElement(strips, b);
    if (a != b) {
        strips->parents[a > b ? a : b] = a > b ? b : a;
    }
}

static int tgGetElement(const tgStrips* strips, int triangle, int strip)
{
    return (int)strips->start[triangle] + strip - strips->lowest[triangle];
}

static int tgGetVertexElement(const tgStrips* strips, int v)
{
    int triangle = strips->net->around[strips->net->aroundStart[v]];
    return tgGetElement(strips, triangle, strips->strips[v]);
}

static void tgJoinStrips(tgStrips* strips)
{
    const tgSkinNet* net = strips->net;
    for (size_t e = 0; e < strips->elementCount; ++e) {
        strips->parents[e] = (int)e;
    }
    for (int i = 1; i < net->edgeCount; ++i) {
        const tgNetEdge *edge = &net->edges[i], *last = edge - 1;
        if (edge->low != last->low || edge->high != last->high) {
            continue;
        }
        int a = strips->strips[edge->low], b = strips->strips[edge->high];
        for (int strip = a < b ? a : b; strip <= (a < b ? b : a); ++strip) {
            tgJoinElements(strips, tgGetElement(strips, edge->triangle, strip),
                           tgGetElement(strips, last->triangle, strip));
        }
    }
    for (int v = 0; v < net->vertexCount; ++v) {
        for (int k = net->aroundStart[v]; k < net->aroundStart[v + 1]; ++k) {
            tgJoinElements(strips, tgGetVertexElement(strips, v),
                           tgGetElement(strips, net->around[k], strips->strips[v]));
        }
    }
    for (int i = 0; i < net->bridgeCount; ++i) {
        int a = net->bridges[i].from, b = net->bridges[i].to;
        if (abs(strips->strips[a] - strips->strips[b]) <= tg_bridgeStrips) {
            tgJoinElements(strips, tgGetVertexElement(strips, a), tgGetVertexElement(strips, b));
        }
    }
}

static bool tgCutStrips(const tgSkinNet* net, const double* field, tgScratch* scratch,
                        tgStrips* strips)
{
    *strips = (tgStrips){
        .net = net,
        .field = field,
        .levelCount = tg_mostLevels,
        .strips = tgScratch_Take(scratch, (size_t)net->vertexCount, sizeof(int)),
        .start = tgScratch_Take(scratch, (size_t)net->triangleCount + 1, sizeof(size_t)),
        .lowest = tgScratch_Take(scratch, (size_t)net->triangleCount, sizeof(int)),
    };
    if (scratch->failed) {
        return false;
    }
    for (int v = 0; v < net->vertexCount; ++v) {
        strips->top = fmax(strips->top, field[v]);
    }
    do { // fewer levels where triangles are many and long
        tgCountLevelsBelow(strips);
        tgCountElements(strips);
        if (strips->elementCount <= tg_mostElements || strips->levelCount <= tg_leastLevels) {
            break;
        }
        strips->levelCount /= 2;
    } while (true);
    strips->parents = tgScratch_Take(scratch, strips->elementCount, sizeof(int));
    if (scratch->failed) {
        return false;
    }
    tgJoinStrips(strips);
    return true;
}

// ---- loops ----

/// Where a level crosses a triangle.
typedef struct tgCrossing {
    int low, high, level, triangle;
} tgCrossing;

static int tgCompareCrossings(const void* left, const void* right)
{
    const tgCrossing *a = left, *b = right;
    const int differences[4] = {(a->level > b->level) - (a->level < b->level),
                                (a->low > b->low) - (a->low < b->low),
                                (a->high > b->high) - (a->high < b->high),
                                (a->triangle > b->triangle) - (a->triangle < b->triangle)};
    for (int k = 0; k < 4; ++k) {
        if (differences[k] != 0) {
            return differences[k];
        }
    }
    return 0;
}

/// The two ends of a crossing.
static void tgGetSegment(const tgStrips* strips, const tgCrossing* crossing, tgVec3d ends[2])
{
    const tgSkinNet* net = strips->net;
    const int* c = net->triangles + 3 * (size_t)crossing->triangle;
    double level = tgGetLevel(strips, crossing->level);
    int count = 0;
    for (int k = 0; k < 3 && count < 2; ++k) {
        int a = c[k], b = c[(k + 1) % 3];
        double fa = strips->field[a], fb = strips->field[b];
        if ((fa > level) != (fb > level)) {
            double t = (level - fa) / (fb - fa);
            ends[count++] = tgMixD(tgSkinNet_Place(net, a), tgSkinNet_Place(net, b), t);
        }
    }
}

static tgLoop tgMakeLoop(const tgStrips* strips, const tgCrossing* crossings, int count)
{
    tgLoop loop = {.low = crossings[0].low, .high = crossings[0].high, .level = crossings[0].level};
    tgVec3d ends[2] = {{0}}, middle = {0}, center = {0};
    double length = 0.0, area = 0.0;
    for (int i = 0; i < count; ++i) {
        tgGetSegment(strips, &crossings[i], ends);
        double side = tgLengthD(tgSubD(ends[1], ends[0])) + 1e-12 * strips->net->diagonal;
        middle = tgMulAddD(middle, 0.5 * side, tgAddD(ends[0], ends[1]));
        length += side;
    }
    middle = tgMulSVD(1.0 / length, middle);
    for (int i = 0; i < count; ++i) { // the fan about the middle
        tgGetSegment(strips, &crossings[i], ends);
        double part = tgLengthD(tgCrossD(tgSubD(ends[0], middle), tgSubD(ends[1], middle)));
        center = tgMulAddD(center, part / 3.0, tgAddD(middle, tgAddD(ends[0], ends[1])));
        area += part;
    }
    loop.center = area > 1e-12 * length * length ? tgMulSVD(1.0 / area, center) : middle;
    for (int i = 0; i < count; ++i) {
        tgGetSegment(strips, &crossings[i], ends);
        double side = tgLengthD(tgSubD(ends[1], ends[0])) + 1e-12 * strips->net->diagonal;
        tgVec3d at = tgMulSVD(0.5, tgAddD(ends[0], ends[1]));
        loop.radius += side / length * tgLengthD(tgSubD(at, loop.center));
    }
    return loop;
}

static bool tgListLoops(tgStrips* strips, tgScratch* scratch, tgReeb* reeb)
{
    const tgSkinNet* net = strips->net;
    size_t room = strips->elementCount - (size_t)net->triangleCount;
    tgCrossing* crossings = tgScratch_Take(scratch, room + 1, sizeof(tgCrossing));
    if (scratch->failed) {
        return false;
    }
    size_t count = 0;
    for (int t = 0; t < net->triangleCount; ++t) {
        int pieces = (int)(strips->start[t + 1] - strips->start[t]);
        for (int i = 0; i + 1 < pieces; ++i) {
            int element = (int)strips->start[t] + i;
            crossings[count++] =
                (tgCrossing){tgFindElement(strips, element), tgFindElement(strips, element + 1),
                             strips->lowest[t] + i, t};
        }
    }
    qsort(crossings, count, sizeof(tgCrossing), tgCompareCrossings);
    size_t loopCount = 0;
    for (size_t i = 0; i < count; ++i) {
        loopCount += i == 0 || crossings[i].level != crossings[i - 1].level ||
                     crossings[i].low != crossings[i - 1].low ||
                     crossings[i].high != crossings[i - 1].high;
    }
    reeb->loops = tgScratch_Take(scratch, loopCount + 1, sizeof(tgLoop));
    if (scratch->failed) {
        return false;
    }
    for (size_t i = 0; i < count;) {
        size_t end = i + 1;
        while (end < count && crossings[end].level == crossings[i].level &&
               crossings[end].low == crossings[i].low && crossings[end].high == crossings[i].high) {
            end += 1;
        }
        reeb->loops[reeb->loopCount++] = tgMakeLoop(strips, crossings + i, (int)(end - i));
        i = end;
    }
    return true;
}

// ---- the ways to the source ----

/// Numbers the parts from 0, in loops and in `partOf`, which has an entry for each element.
static void tgNumberParts(tgStrips* strips, tgReeb* reeb, int* partOf)
{
    for (size_t e = 0; e < strips->elementCount; ++e) {
        partOf[e] = -1;
    }
    for (size_t e = 0; e < strips->elementCount; ++e) {
        int root = tgFindElement(strips, (int)e);
        if (partOf[root] < 0) {
            partOf[root] = reeb->partCount++;
        }
    }
    for (int i = 0; i < reeb->loopCount; ++i) {
        reeb->loops[i].low = partOf[reeb->loops[i].low];
        reeb->loops[i].high = partOf[reeb->loops[i].high];
    }
}

/// Dijkstra's algorithm over the parts. Thin loops cost more, so that where there is a hole in the
/// skin the way goes through the body and not along the hole's rim.
/// @param unit a length: the cost of a loop is unit over its radius
static bool tgWalkParts(tgReeb* reeb, int source, double unit, tgScratch* scratch)
{
    size_t partCount = (size_t)reeb->partCount;
    int* start = tgScratch_Take(scratch, partCount + 1, sizeof(int));
    int* walk = tgScratch_Take(scratch, partCount, sizeof(int));
    int* list = tgScratch_Take(scratch, 2 * (size_t)reeb->loopCount + 1, sizeof(int));
    tgWayHeap heap = {.nodes = tgScratch_Take(scratch, partCount, sizeof(int)),
                      .places = tgScratch_Take(scratch, partCount, sizeof(int)),
                      .distances = tgScratch_Take(scratch, partCount, sizeof(float))};
    reeb->towards = tgScratch_Take(scratch, partCount, sizeof(int));
    if (scratch->failed) {
        return false;
    }
    for (int i = 0; i < reeb->loopCount; ++i) {
        start[reeb->loops[i].low + 1] += 1;
        start[reeb->loops[i].high + 1] += 1;
    }
    for (size_t p = 0; p < partCount; ++p) {
        start[p + 1] += start[p];
        walk[p] = start[p];
        reeb->towards[p] = heap.places[p] = -1;
        heap.distances[p] = HUGE_VALF;
    }
    for (int i = 0; i < reeb->loopCount; ++i) {
        list[walk[reeb->loops[i].low]++] = i;
        list[walk[reeb->loops[i].high]++] = i;
    }
    tgWayHeap_Offer(&heap, source, 0.0f);
    while (heap.count > 0) {
        int part = tgWayHeap_Take(&heap);
        for (int k = start[part]; k < start[part + 1]; ++k) {
            const tgLoop* loop = &reeb->loops[list[k]];
            int other = loop->low == part ? loop->high : loop->low;
            float cost = (float)(unit / fmax(loop->radius, 1e-6 * unit));
            if (tgWayHeap_Offer(&heap, other, heap.distances[part] + cost)) {
                reeb->towards[other] = list[k];
            }
        }
    }
    return true;
}

bool tgBuildReeb(const tgSkinNet* net, const tgTips* tips, const double* field, tgScratch* scratch,
                 tgReeb* reeb)
{
    *reeb = (tgReeb){0};
    tgStrips strips;
    if (!tgCutStrips(net, field, scratch, &strips) || !tgListLoops(&strips, scratch, reeb)) {
        return false;
    }
    int* partOf = tgScratch_Take(scratch, strips.elementCount, sizeof(int));
    if (scratch->failed) {
        return false;
    }
    tgNumberParts(&strips, reeb, partOf);
    for (int i = 0; i < tips->count; ++i) {
        int element = tgGetVertexElement(&strips, tips->tips[i].vertex);
        reeb->tipParts[i] = partOf[tgFindElement(&strips, element)];
    }
    int source = reeb->tipParts[tips->source];
    if (!tgWalkParts(reeb, source, net->diagonal, scratch)) {
        return false;
    }
    for (int i = 0; i < tips->count; ++i) {
        int part = reeb->tipParts[i];
        if (part != source && reeb->towards[part] < 0) {
            reeb->tipParts[i] = -1;
        }
    }
    return true;
}
