// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What a joint takes away by turning is measured against the joint it bends against. In most files
// that is its parent. Some rigs hang joints side by side under one root and let them follow each
// other by animation: a foot that is the goal of its leg, all bones of a hand. So the tree that
// counts is the maximum spanning tree of the skin that joints share, sum of area w_a w_b, from the
// first of them in the file outwards. Two joints turn against each other about the one of them
// whose origin is nearer to that skin. Joints without skin in common stay with their parents.

#include "core/bodies.h"

#include <stdlib.h>
#include <string.h>

/// Skin that two joints share.
typedef struct tgSharedSkin {
    int low, high; ///< joints
    float amount;
    tgVec3 middle; ///< times the amount
} tgSharedSkin;

static uint32_t tgHashPair(int low, int high)
{
    uint32_t h = (uint32_t)low * 0x9e3779b1u ^ (uint32_t)high * 0x85ebca77u;
    return h ^ h >> 15;
}

/// Twice the area: only the order of the sums counts.
static float tgGetFaceArea(const float* rest, const int* c, int size)
{
    const float *p = rest + 4 * (size_t)c[0], *q = rest + 4 * (size_t)c[1];
    const float *r = rest + 4 * (size_t)c[2], *s = rest + 4 * (size_t)c[size - 1];
    tgVec3 u = tgMakeVec3(r[0] - p[0], r[1] - p[1], r[2] - p[2]);
    tgVec3 v = tgMakeVec3(s[0] - q[0], s[1] - q[1], s[2] - q[2]);
    return tgLength(tgCross(u, v));
}

static float* tgGetVertexAreas(const tgMesh* mesh, const float* rest, tgScratch* scratch)
{
    float* areas = tgScratch_Take(scratch, (size_t)mesh->vertexCount, sizeof(float));
    for (int f = 0; areas != NULL && f < mesh->triangleCount + mesh->quadCount; ++f) {
        bool isQuad = f >= mesh->triangleCount;
        const int* c = isQuad ? mesh->quads + 4 * (size_t)(f - mesh->triangleCount)
                              : mesh->triangles + 3 * (size_t)f;
        int size = isQuad ? 4 : 3;
        for (int k = 0; k < size; ++k) {
            areas[c[k]] += tgGetFaceArea(rest, c, size) / (float)size;
        }
    }
    return areas;
}

/// Pairs of joints with the skin they share, in a hash table with open addressing.
typedef struct tgSharedTable {
    tgSharedSkin* slots; ///< amount 0 when free
    size_t room;         ///< a power of two
} tgSharedTable;

static void tgAddShared(tgSharedTable* table, int a, int b, float amount, tgVec3 place)
{
    int low = a < b ? a : b, high = a < b ? b : a;
    size_t at = tgHashPair(low, high) & (table->room - 1);
    while (table->slots[at].amount > 0.0f &&
           (table->slots[at].low != low || table->slots[at].high != high)) {
        at = (at + 1) & (table->room - 1);
    }
    tgVec3 middle = tgMulAdd(table->slots[at].middle, amount, place);
    table->slots[at] = (tgSharedSkin){low, high, table->slots[at].amount + amount, middle};
}

static bool tgFillTable(const tgMesh* mesh, const tgInfluences* influences, const float* rest,
                        tgScratch* scratch, tgSharedTable* table)
{
    size_t pairs = 0;
    for (int v = 0; v < mesh->vertexCount; ++v) {
        int r = mesh->vertexToRender[v], count = influences->start[r + 1] - influences->start[r];
        pairs += (size_t)count * (size_t)(count - 1) / 2;
    }
    for (table->room = 16; table->room < 2 * pairs;) {
        table->room *= 2;
    }
    float* areas = tgGetVertexAreas(mesh, rest, scratch);
    table->slots = tgScratch_Take(scratch, table->room, sizeof(tgSharedSkin));
    for (int v = 0; !scratch->failed && v < mesh->vertexCount; ++v) {
        int r = mesh->vertexToRender[v], begin = influences->start[r];
        const float* p = rest + 4 * (size_t)v;
        for (int i = begin; i < influences->start[r + 1]; ++i) {
            float own = areas[v] * influences->weights[i];
            for (int k = begin; k < i; ++k) {
                tgAddShared(table, influences->joints[i], influences->joints[k],
                            own * influences->weights[k], tgMakeVec3(p[0], p[1], p[2]));
            }
        }
    }
    return !scratch->failed;
}

/// Most skin first; the joints settle ties.
static int tgCompareShared(const void* a, const void* b)
{
    const tgSharedSkin *x = a, *y = b;
    if (x->amount != y->amount) {
        return x->amount > y->amount ? -1 : 1;
    }
    return x->low != y->low ? (x->low < y->low ? -1 : 1)
                            : (x->high > y->high) - (x->high < y->high);
}

/// The group a joint is in, by its representative.
static int tgFindGroup(int* groups, int j)
{
    while (groups[j] != j) {
        groups[j] = groups[groups[j]];
        j = groups[j];
    }
    return j;
}

/// The edges of the spanning tree, at both of their joints.
typedef struct tgBodyEdges {
    int* first; ///< of each joint; -1 for none
    int* next;  ///< of each half edge
    int* ends;
    const tgSharedSkin** skins;
    int count;
} tgBodyEdges;

static void tgAddEdge(tgBodyEdges* edges, int from, int to, const tgSharedSkin* skin)
{
    edges->ends[edges->count] = to;
    edges->skins[edges->count] = skin;
    edges->next[edges->count] = edges->first[from];
    edges->first[from] = edges->count++;
}

static double tgSquaredDistance(const tgSkeleton* skeleton, int j, tgVec3 p)
{
    const double* o = skeleton->rest[j].c[3];
    double x = (double)p.x - o[0], y = (double)p.y - o[1], z = (double)p.z - o[2];
    return x * x + y * y + z * z;
}

/// Of two joints the one whose origin is nearer to the skin they share; a tie is for the first.
static int tgGetPivot(const tgSkeleton* skeleton, int j, int other, const tgSharedSkin* skin)
{
    tgVec3 middle = tgMulSV(1.0f / skin->amount, skin->middle);
    bool isOther =
        tgSquaredDistance(skeleton, other, middle) < tgSquaredDistance(skeleton, j, middle);
    return isOther ? other : j;
}

/// Walks a group from one of its joints.
static void tgWalkGroup(const tgBodyEdges* edges, int start, int* queue, tgSkeleton* skeleton)
{
    int begin = 0, end = 0;
    queue[end++] = start;
    while (begin < end) {
        int j = queue[begin++];
        for (int e = edges->first[j]; e >= 0; e = edges->next[e]) {
            int other = edges->ends[e];
            if (skeleton->bodies.carriers[other] == -2 && other != start) {
                skeleton->bodies.carriers[other] = j;
                skeleton->pivots[other] = tgGetPivot(skeleton, other, j, edges->skins[e]);
                queue[end++] = other;
            }
        }
    }
}

/// Each group from its first joint in the file's tree, which hangs where it does there: what bends
/// as the file says is named as the file does.
static void tgOrientBodies(const tgBodyEdges* edges, int* queue, tgSkeleton* skeleton)
{
    const tgTree* tree = &skeleton->tree;
    int* carriers = skeleton->bodies.carriers;
    for (int j = 0; j < tree->count; ++j) {
        carriers[j] = -2; // not seen yet
        skeleton->pivots[j] = j;
    }
    for (int i = 0; i < tree->count; ++i) {
        int start = tree->order[i];
        if (carriers[start] == -2) {
            tgWalkGroup(edges, start, queue, skeleton);
            carriers[start] = tree->carriers[start];
        }
    }
    tgTree_Fill(&skeleton->bodies);
}

bool tgFindBodies(const tgMesh* mesh, const tgInfluences* influences, const float* rest,
                  tgScratch* scratch, tgSkeleton* skeleton)
{
    size_t joints = (size_t)skeleton->jointCount;
    tgSharedTable table = {0};
    int* groups = tgScratch_Take(scratch, joints, sizeof(int));
    tgBodyEdges edges = {.first = tgScratch_Take(scratch, joints, sizeof(int)),
                         .next = tgScratch_Take(scratch, 2 * joints, sizeof(int)),
                         .ends = tgScratch_Take(scratch, 2 * joints, sizeof(int)),
                         .skins = tgScratch_Take(scratch, 2 * joints, sizeof(void*))};
    int* queue = tgScratch_Take(scratch, joints, sizeof(int));
    if (scratch->failed || !tgFillTable(mesh, influences, rest, scratch, &table)) {
        return false;
    }
    int count = 0;
    for (size_t at = 0; at < table.room; ++at) {
        if (table.slots[at].amount > 0.0f) {
            table.slots[count++] = table.slots[at];
        }
    }
    qsort(table.slots, (size_t)count, sizeof(tgSharedSkin), tgCompareShared);
    for (int j = 0; j < skeleton->jointCount; ++j) {
        groups[j] = j;
        edges.first[j] = skeleton->partners[j] = -1;
    }
    for (int i = 0; i < count; ++i) { // Kruskal
        int low = table.slots[i].low, high = table.slots[i].high;
        skeleton->partners[low] = skeleton->partners[low] < 0 ? high : skeleton->partners[low];
        skeleton->partners[high] = skeleton->partners[high] < 0 ? low : skeleton->partners[high];
        int a = tgFindGroup(groups, low), b = tgFindGroup(groups, high);
        if (a != b) {
            groups[a] = b;
            tgAddEdge(&edges, low, high, &table.slots[i]);
            tgAddEdge(&edges, high, low, &table.slots[i]);
        }
    }
    tgOrientBodies(&edges, queue, skeleton);
    return true;
}
