// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Triangles of one surface that pass through each other: the tree against itself.

#include "core/bvh_private.h"

#include <string.h>

/// Six times the volume of the tetrahedron; positive when d lies where abc looks to.
static double tgGetSide(tgVec3 a, tgVec3 b, tgVec3 c, tgVec3 d)
{
    double bx = (double)b.x - (double)a.x, by = (double)b.y - (double)a.y,
           bz = (double)b.z - (double)a.z;
    double cx = (double)c.x - (double)a.x, cy = (double)c.y - (double)a.y,
           cz = (double)c.z - (double)a.z;
    double dx = (double)d.x - (double)a.x, dy = (double)d.y - (double)a.y,
           dz = (double)d.z - (double)a.z;
    return (by * cz - bz * cy) * dx + (bz * cx - bx * cz) * dy + (bx * cy - by * cx) * dz;
}

/// The ends lie on different sides of the triangle's plane; does the segment pass inside?
static bool tgPierces(tgVec3 from, tgVec3 to, const tgVec3 t[3])
{
    double s0 = tgGetSide(from, to, t[0], t[1]);
    double s1 = tgGetSide(from, to, t[1], t[2]);
    double s2 = tgGetSide(from, to, t[2], t[0]);
    return (s0 >= 0.0 && s1 >= 0.0 && s2 >= 0.0) || (s0 <= 0.0 && s1 <= 0.0 && s2 <= 0.0);
}

/// Sides of a's corners against the plane of b; false when they are all on one.
static bool tgIsCut(const tgVec3 a[3], const tgVec3 b[3], double sides[3])
{
    for (int k = 0; k < 3; ++k) {
        sides[k] = tgGetSide(b[0], b[1], b[2], a[k]);
    }
    bool below = sides[0] < 0.0 || sides[1] < 0.0 || sides[2] < 0.0;
    bool above = sides[0] > 0.0 || sides[1] > 0.0 || sides[2] > 0.0;
    return below && above;
}

static bool tgAnyEdgePierces(const tgVec3 a[3], const double sides[3], const tgVec3 b[3])
{
    for (int k = 0; k < 3; ++k) {
        int next = (k + 1) % 3;
        if (sides[k] * sides[next] < 0.0 && tgPierces(a[k], a[next], b)) {
            return true;
        }
    }
    return false;
}

bool tgDoTrianglesCross(const tgVec3 a[3], const tgVec3 b[3])
{
    double sidesA[3], sidesB[3];
    return tgIsCut(a, b, sidesA) && tgIsCut(b, a, sidesB) &&
           (tgAnyEdgePierces(a, sidesA, b) || tgAnyEdgePierces(b, sidesB, a));
}

static bool tgShareVertex(const int* a, const int* b)
{
    for (int i = 0; i < 3; ++i) {
        if (a[i] == b[0] || a[i] == b[1] || a[i] == b[2]) {
            return true;
        }
    }
    return false;
}

static bool tgDoBoxesMeet(const tgBvhNode* a, const tgBvhNode* b)
{
    for (int k = 0; k < 3; ++k) {
        if (a->low[k] > b->high[k] || b->low[k] > a->high[k]) {
            return false;
        }
    }
    return true;
}

typedef struct tgPairSearch {
    const tgBvh* bvh;
    const tgSurface* surface;
    tgPairFcn* pair;
    void* context;
    int count;
} tgPairSearch;

static void tgCompareLeaves(tgPairSearch* search, const tgBvhNode* a, const tgBvhNode* b)
{
    for (int i = 0; i < a->count; ++i) {
        int first = search->bvh->order[a->first + i];
        tgVec3 cornersA[3];
        tgGetTriangle(search->surface, first, cornersA);
        for (int j = a == b ? i + 1 : 0; j < b->count; ++j) {
            int second = search->bvh->order[b->first + j];
            const int* triangles = search->surface->triangles;
            if (tgShareVertex(triangles + 3 * (size_t)first, triangles + 3 * (size_t)second)) {
                continue;
            }
            tgVec3 cornersB[3];
            tgGetTriangle(search->surface, second, cornersB);
            if (tgDoTrianglesCross(cornersA, cornersB)) {
                search->count += 1;
                if (search->pair != NULL) {
                    bool rising = first < second;
                    search->pair(rising ? first : second, rising ? second : first, search->context);
                }
            }
        }
    }
}

/// Two nodes of the tree that may hold triangles which cross.
typedef struct tgNodePair {
    int first, second;
} tgNodePair;

/// What a pair comes to: those of their children, or their triangles compared. A node with itself
/// leaves three pairs, others leave two.
/// @return how many, at `opened`
static int tgOpenPair(tgPairSearch* search, tgNodePair pair, tgNodePair opened[3])
{
    int m = pair.first, n = pair.second;
    const tgBvhNode *a = &search->bvh->nodes[m], *b = &search->bvh->nodes[n];
    if (m != n && !tgDoBoxesMeet(a, b)) {
        return 0;
    }
    if (a->count > 0 && b->count > 0) {
        tgCompareLeaves(search, a, b);
        return 0;
    }
    if (m == n) {
        opened[0] = (tgNodePair){m + 1, m + 1};
        opened[1] = (tgNodePair){a->first, a->first};
        opened[2] = (tgNodePair){m + 1, a->first};
        return 3;
    }
    bool openFirst = a->count == 0 && (b->count > 0 || m > n);
    opened[0] = openFirst ? (tgNodePair){m + 1, n} : (tgNodePair){m, n + 1};
    opened[1] = openFirst ? (tgNodePair){a->first, n} : (tgNodePair){m, b->first};
    return 2;
}

/// All that lies below a pair.
static void tgSearchPair(tgPairSearch* search, tgNodePair pair)
{
    tgNodePair waiting[4 * tg_bvhDepth];
    int count = 1;
    waiting[0] = pair;
    while (count > 0) {
        count -= 1;
        count += tgOpenPair(search, waiting[count], waiting + count);
    }
}

int tgBvh_FindCrossings(const tgBvh* bvh, const tgSurface* surface, tgPairFcn* pair, void* context)
{
    tgPairSearch search = {bvh, surface, pair, context, 0};
    if (bvh->nodeCount > 0) {
        tgSearchPair(&search, (tgNodePair){0, 0});
    }
    return search.count;
}

enum { tg_sharedPairs = 512 }; ///< pairs for threads to share; a few for each that there may be

typedef struct tgCountTask {
    tgPairSearch search;
    tgNodePair pairs[tg_sharedPairs];
    int counts[tg_sharedPairs];
} tgCountTask;

static void tgCountRange(int begin, int end, void* context)
{
    tgCountTask* task = context;
    for (int i = begin; i < end; ++i) {
        tgPairSearch search = task->search;
        search.count = 0;
        tgSearchPair(&search, task->pairs[i]);
        task->counts[i] = search.count;
    }
}

int tgBvh_CountCrossings(const tgBvh* bvh, const tgSurface* surface, const tgParallel* parallel)
{
    tgCountTask task = {.search = {bvh, surface, NULL, NULL, 0}};
    int count = bvh->nodeCount > 0 ? 1 : 0;
    // Level by level, as long as the next one surely has room.
    for (bool grows = true; grows && 3 * count <= tg_sharedPairs;) {
        tgNodePair next[tg_sharedPairs];
        int nextCount = 0;
        for (int i = 0; i < count; ++i) {
            nextCount += tgOpenPair(&task.search, task.pairs[i], next + nextCount);
        }
        grows = nextCount > count;
        count = nextCount;
        memcpy(task.pairs, next, (size_t)count * sizeof(tgNodePair));
    }
    tgRun(parallel, tgCountRange, count, &task);
    int sum = task.search.count; // of leaves that were opened on the way
    for (int i = 0; i < count; ++i) {
        sum += task.counts[i];
    }
    return sum;
}
