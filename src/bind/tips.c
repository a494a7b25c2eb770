// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The average geodesic distance g of the skin from a vertex is large where the body sticks out.
// Each of its maxima is a tip. Sinking from above, the parts that are higher than the level grow,
// and where two meet the one with the lower maximum ends: how far it sank is the length of the tip
// (persistence). Long tips are kept, and shorter ones that are slender: a tube of length l and
// radius r has 2 pi l^2 / A = l / r.

#include "bind/tips.h"

#include "bind/tip_pairs.h"

#include <stdlib.h>
#include <string.h>

enum { tg_averageSamples = 32 };

/// Of the diagonal: kept whatever its shape.
static const double tg_longTip = 0.06;
/// Shorter ones must be at least so slender.
static const double tg_leastSlenderness = 1.4;
/// A pocket is looked for within this part of the length.
static const double tg_pocketReach = 0.8;
/// How far the faces of a pocket look inwards, of their spread.
static const double tg_pocketDepth = 0.3;
/// Of the height: what stands on the floor, how far up a toe may begin.
static const double tg_floorReach = 0.08, tg_toeReach = 0.15;

// ---- average distances ----

/// The vertex furthest from the middle: one place of the body, whatever the order of its vertices.
static int tgFindOutermost(const tgSkinNet* net)
{
    tgVec3d middle = {0};
    for (int v = 0; v < net->vertexCount; ++v) {
        middle = tgMulAddD(middle, net->areas[v] / net->area, tgSkinNet_Place(net, v));
    }
    int best = 0;
    double furthest = -1.0;
    for (int v = 0; v < net->vertexCount; ++v) {
        double distance = tgLengthD(tgSubD(tgSkinNet_Place(net, v), middle));
        if (distance > furthest * (1.0 + 1e-6)) {
            furthest = distance;
            best = v;
        }
    }
    return best;
}

bool tgMeasureAverages(const tgSkinNet* net, tgWalker* walker, tgScratch* scratch, tgTips* tips)
{
    size_t count = (size_t)net->vertexCount;
    float* nearest = tgScratch_Take(scratch, count, sizeof(float));
    int* owner = tgScratch_Take(scratch, count, sizeof(int));
    float* all = tgScratch_Take(scratch, count * tg_averageSamples, sizeof(float));
    tips->values = tgScratch_Take(scratch, count, sizeof(double));
    if (scratch->failed) {
        return false;
    }
    for (size_t v = 0; v < count; ++v) {
        nearest[v] = HUGE_VALF;
    }
    int sample = tgFindOutermost(net), sampleCount = 0;
    while (sampleCount < tg_averageSamples) {
        float* distances = all + (size_t)sampleCount * count;
        tgWalkFrom(net, walker, sample, HUGE_VALF);
        memcpy(distances, walker->heap.distances, count * sizeof(float));
        int next = 0;
        for (size_t v = 0; v < count; ++v) {
            if (distances[v] < nearest[v]) {
                nearest[v] = distances[v];
                owner[v] = sampleCount;
            }
            next = nearest[v] > nearest[next] * (1.0f + 1e-6f) ? (int)v : next;
        }
        sampleCount += 1;
        if (!(nearest[next] > 0.0f)) {
            break; // a mesh with fewer vertices than samples
        }
        sample = next;
    }
    double shares[tg_averageSamples] = {0};
    for (size_t v = 0; v < count; ++v) {
        shares[owner[v]] += net->areas[v] / net->area;
    }
    for (int k = 0; k < sampleCount; ++k) {
        for (size_t v = 0; v < count; ++v) {
            tips->values[v] += shares[k] * (double)all[(size_t)k * count + v];
        }
    }
    return true;
}

// ---- persistence ----

typedef struct tgSortedVertex {
    double value;
    int vertex;
} tgSortedVertex;

static int tgCompareVertices(const void* left, const void* right)
{
    const tgSortedVertex *a = left, *b = right;
    if (a->value != b->value) {
        return a->value > b->value ? -1 : 1;
    }
    return a->vertex < b->vertex ? -1 : a->vertex > b->vertex;
}

/// Parts of the skin above a level.
typedef struct tgParts {
    int* parents; ///< of each vertex, -1 below the level
    int* tops;    ///< of each part's root its highest vertex
    double* areas;
} tgParts;

static int tgFindPart(tgParts* parts, int v)
{
    while (parts->parents[v] != v) {
        parts->parents[v] = parts->parents[parts->parents[v]];
        v = parts->parents[v];
    }
    return v;
}

static bool tgIsLonger(const tgTip* a, const tgTip* b)
{
    return a->length > b->length || (a->length == b->length && a->vertex < b->vertex);
}

/// Into a list that is sorted by length; the shortest goes when it is full.
static void tgInsertTip(tgTip* list, int* count, int room, const tgTip* tip)
{
    int at = *count;
    if (at == room) {
        if (!tgIsLonger(tip, &list[at - 1])) {
            return;
        }
        at -= 1;
    } else {
        *count += 1;
    }
    for (; at > 0 && tgIsLonger(tip, &list[at - 1]); --at) {
        list[at] = list[at - 1];
    }
    list[at] = *tip;
}

static void tgJudgeTip(const tgSkinNet* net, const tgTipRules* rules, bool isLast, tgTip tip,
                       tgTips* tips)
{
    double part = tip.length / net->diagonal;
    double slenderness = 2.0 * 3.14159265358979 * tip.length * tip.length / fmax(tip.area, 1e-300);
    bool isSlender = part >= rules->leastLength && slenderness >= tg_leastSlenderness;
    if (isLast || part >= fmax(tg_longTip, rules->leastLength) || isSlender) {
        tgInsertTip(tips->tips, &tips->count, tg_mostTips, &tip);
    } else if (part >= rules->leastLength) {
        tip.fate = tg_tipBlunt;
        tgInsertTip(tips->dropped, &tips->droppedCount, tg_mostDropped, &tip);
    }
}

/// A vertex comes above the level: the parts about it become one.
static void tgRaiseVertex(const tgSkinNet* net, const tgTipRules* rules, int v, tgParts* parts,
                          tgTips* tips)
{
    parts->parents[v] = v;
    parts->tops[v] = v;
    parts->areas[v] = net->areas[v];
    for (int i = net->wayStart[v]; i < net->linkEnd[v]; ++i) {
        int other = net->ways[i].to;
        if (parts->parents[other] < 0) {
            continue;
        }
        int a = tgFindPart(parts, v), b = tgFindPart(parts, other);
        if (a == b) {
            continue;
        }
        double topA = tips->values[parts->tops[a]], topB = tips->values[parts->tops[b]];
        bool isALower = topA < topB || (topA == topB && parts->tops[a] > parts->tops[b]);
        int low = isALower ? a : b, high = isALower ? b : a;
        int top = parts->tops[low];
        if (top != v) {
            tgTip tip = {.vertex = top,
                         .saddle = v,
                         .value = tips->values[top],
                         .length = tips->values[top] - tips->values[v],
                         .area = parts->areas[low],
                         .partner = -1};
            tgJudgeTip(net, rules, false, tip, tips);
        }
        parts->parents[low] = high;
        parts->areas[high] += parts->areas[low];
    }
}

static bool tgListTips(const tgSkinNet* net, const tgTipRules* rules, tgScratch* scratch,
                       tgTips* tips)
{
    size_t count = (size_t)net->vertexCount;
    tgSortedVertex* sorted = tgScratch_Take(scratch, count, sizeof(tgSortedVertex));
    tgParts parts = {
        .parents = tgScratch_Take(scratch, count, sizeof(int)),
        .tops = tgScratch_Take(scratch, count, sizeof(int)),
        .areas = tgScratch_Take(scratch, count, sizeof(double)),
    };
    if (scratch->failed) {
        return false;
    }
    for (size_t v = 0; v < count; ++v) {
        sorted[v] = (tgSortedVertex){tips->values[v], (int)v};
        parts.parents[v] = -1;
    }
    qsort(sorted, count, sizeof(tgSortedVertex), tgCompareVertices);
    for (size_t i = 0; i < count; ++i) {
        tgRaiseVertex(net, rules, sorted[i].vertex, &parts, tips);
    }
    int lowest = sorted[count - 1].vertex;
    tgTip last = {.vertex = sorted[0].vertex,
                  .saddle = lowest,
                  .value = sorted[0].value,
                  .length = sorted[0].value - tips->values[lowest],
                  .area = net->area,
                  .partner = -1};
    tgJudgeTip(net, rules, true, last, tips);
    return true;
}

// ---- what is no limb ----

static double tgGetHeight(const tgSkinNet* net, const tgTipRules* rules, int v)
{
    return tgDotD(tgSkinNet_Place(net, v), rules->up) - rules->floor;
}

/// Sums over faces, each times its area.
typedef struct tgFaceSums {
    double area, spread, outwards; ///< |middle - center|, normal . (middle - center)
    tgVec3d middle;
} tgFaceSums;

/// Over the faces whose corners are all within reach.
static tgFaceSums tgSumFaces(const tgSkinNet* net, const tgWalker* walker, float reach,
                             tgVec3d center)
{
    tgFaceSums sums = {0};
    const float* distances = walker->heap.distances;
    for (int i = 0; i < walker->reachedCount; ++i) {
        int v = walker->reached[i];
        for (int k = net->aroundStart[v]; k < net->aroundStart[v + 1]; ++k) {
            const int* c = net->triangles + 3 * (size_t)net->around[k];
            if (c[0] != v || distances[c[1]] > reach || distances[c[2]] > reach) {
                continue; // a triangle starts at its lowest corner, so it is met once
            }
            tgVec3d a = tgSkinNet_Place(net, c[0]), b = tgSkinNet_Place(net, c[1]),
                    d = tgSkinNet_Place(net, c[2]);
            tgVec3d normal = tgCrossD(tgSubD(b, a), tgSubD(d, a));
            tgVec3d middle = tgMulSVD(1.0 / 3.0, tgAddD(a, tgAddD(b, d)));
            double area = tgLengthD(normal);
            sums.area += area;
            sums.middle = tgMulAddD(sums.middle, area, middle);
            sums.spread += area * tgLengthD(tgSubD(middle, center));
            sums.outwards += tgDotD(normal, tgSubD(middle, center));
        }
    }
    return sums;
}

/// The faces near a tip look towards each other, as those of a mouth do (-0.7 of their spread); a
/// flat ear comes to nearly 0, other tips to 0.1 and more.
static bool tgIsPocket(const tgSkinNet* net, tgWalker* walker, const tgTip* tip)
{
    float reach = (float)(tg_pocketReach * tip->length);
    tgWalkFrom(net, walker, tip->vertex, reach);
    tgFaceSums sums = tgSumFaces(net, walker, reach, tgSkinNet_Place(net, tip->vertex));
    if (!(sums.area > 0.0)) {
        return false;
    }
    sums = tgSumFaces(net, walker, reach, tgMulSVD(1.0 / sums.area, sums.middle));
    return sums.outwards < -tg_pocketDepth * sums.spread;
}

static void tgDropTips(const tgSkinNet* net, const tgTipRules* rules, tgWalker* walker,
                       tgTips* tips)
{
    double longest = tips->count > 0 ? tips->tips[0].length : 0.0;
    int kept = 0;
    for (int i = 0; i < tips->count; ++i) {
        tgTip* tip = &tips->tips[i];
        tip->isOnFloor = tgGetHeight(net, rules, tip->vertex) <= tg_floorReach * rules->height;
        bool isToe = tip->isOnFloor && !rules->keepsToes && tip->length < 0.5 * longest &&
                     tgGetHeight(net, rules, tip->saddle) < tg_toeReach * rules->height;
        if (i > 0 && isToe) {
            tip->fate = tg_tipToe;
        } else if (i > 0 && tgIsPocket(net, walker, tip)) {
            tip->fate = tg_tipPocket;
        }
        if (tip->fate == tg_tipKept) {
            tips->tips[kept++] = *tip;
        } else {
            tgInsertTip(tips->dropped, &tips->droppedCount, tg_mostDropped, tip);
        }
    }
    tips->count = kept;
}

bool tgFindTips(const tgSkinNet* net, const tgTipRules* rules, tgWalker* walker, tgScratch* scratch,
                tgTips* tips)
{
    tips->count = tips->droppedCount = 0;
    if (!tgListTips(net, rules, scratch, tips)) {
        return false;
    }
    tgDropTips(net, rules, walker, tips);
    return tgPairTips(net, rules, walker, scratch, tips);
}
