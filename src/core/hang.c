// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A joint's loss is measured against the joint that carries it. Some rigs hang joints side by side
// under one root and let them follow each other by animation: a jaw under the root and not under
// the head, a foot that is the goal of its leg, every bone of a hand under the wrist of the scene.
// Measured against the root, the foot tears off and comes back: two huge losses that cancel. So a
// joint is hung on the joint that it bends against. The flesh that two joints share says which one
// that is, and the place of this flesh says which of the two bends: a joint turns about its own
// origin, so the flesh between shin and foot lies round the foot's origin, far from the shin's.

#include "core/hang.h"

/// A joint keeps its carriers when they lean on it at least this part of the most that anyone does.
static const double tg_enoughLean = 0.2;
/// Otherwise it is hung on the joint that it leans on most, if that is more than this part of all
/// the flesh that it shares at its own origin: where many meet as equals, as at a pelvis, nothing
/// changes.
static const double tg_clearLean = 0.33;
/// It is hung on a joint that it shares all but this part of its flesh with in any case.
static const double tg_otherFlesh = 0.1;
/// Beyond so many joints the table of what they share is too large; the skeleton's own tree will
/// do.
enum { tg_mostTabled = 2048 };

/// For all pairs of joints, at [j * count + other].
typedef struct tgFleshTable {
    int count;
    float* shared; ///< flesh that follows both: area times the product of their weights
    float* lean;   ///< the same times 1 where it lies at j's origin, -1 at the other's
    double* means; ///< of the face at hand: each joint's mean weight
    int* touched;  ///< the joints of the face at hand
} tgFleshTable;

static bool tgTakeTable(int count, tgScratch* scratch, tgFleshTable* table)
{
    size_t cells = (size_t)count * (size_t)count;
    table->count = count;
    table->shared = tgScratch_Take(scratch, cells, sizeof(float));
    table->lean = tgScratch_Take(scratch, cells, sizeof(float));
    table->means = tgScratch_Take(scratch, (size_t)count, sizeof(double));
    table->touched = tgScratch_Take(scratch, (size_t)count, sizeof(int));
    return !scratch->failed;
}

static tgVec3 tgGetCorner(const tgSkinAtRest* skin, int v)
{
    const float* p = skin->rest + 4 * (size_t)v;
    return tgMakeVec3(p[0], p[1], p[2]);
}

/// @return how many joints move the face
static int tgFillMeans(const tgSkinAtRest* skin, const int* corners, int size, tgFleshTable* table)
{
    const tgInfluences* influences = skin->influences;
    int count = 0;
    for (int k = 0; k < size; ++k) {
        int render = skin->mesh->vertexToRender[corners[k]];
        for (int i = influences->start[render]; i < influences->start[render + 1]; ++i) {
            int j = influences->joints[i];
            if (influences->weights[i] > 0.0f && table->means[j] == 0.0) {
                table->touched[count++] = j;
            }
            table->means[j] += (double)influences->weights[i] / size;
        }
    }
    return count;
}

static double tgSquaredDistance(const tgSkeleton* skeleton, int j, tgVec3 p)
{
    const double* o = skeleton->rest[j].c[3];
    double x = (double)p.x - o[0], y = (double)p.y - o[1], z = (double)p.z - o[2];
    return x * x + y * y + z * z;
}

static void tgAddFace(const tgSkeleton* skeleton, const tgSkinAtRest* skin, const int* corners,
                      int size, tgFleshTable* table)
{
    tgVec3 a = tgGetCorner(skin, corners[0]), b = tgGetCorner(skin, corners[1]);
    tgVec3 c = tgGetCorner(skin, corners[2]);
    tgVec3 d = size == 4 ? tgGetCorner(skin, corners[3]) : a;
    double area = 0.5 * (double)tgLength(tgCross(tgSub(c, a), tgSub(d, b)));
    tgVec3 sum = tgAdd(tgAdd(a, b), size == 4 ? tgAdd(c, d) : c);
    tgVec3 middle = tgMulSV(1.0f / (float)size, sum);
    int count = tgFillMeans(skin, corners, size, table);
    for (int m = 0; m < count; ++m) {
        int j = table->touched[m];
        double own = tgSquaredDistance(skeleton, j, middle);
        for (int n = 0; n < count; ++n) {
            int other = table->touched[n];
            double far = tgSquaredDistance(skeleton, other, middle), both = own + far;
            double part = area * table->means[j] * table->means[other];
            size_t at = (size_t)j * (size_t)table->count + (size_t)other;
            table->shared[at] += (float)part;
            table->lean[at] += both > 0.0 ? (float)(part * (far - own) / both) : 0.0f;
        }
    }
    for (int m = 0; m < count; ++m) {
        table->means[table->touched[m]] = 0.0;
    }
}

static void tgFillTable(const tgSkeleton* skeleton, const tgSkinAtRest* skin, tgFleshTable* table)
{
    const tgMesh* mesh = skin->mesh;
    for (int f = 0; f < mesh->triangleCount; ++f) {
        tgAddFace(skeleton, skin, mesh->triangles + 3 * (size_t)f, 3, table);
    }
    for (int f = 0; f < mesh->quadCount; ++f) {
        tgAddFace(skeleton, skin, mesh->quads + 4 * (size_t)f, 4, table);
    }
}

/// What a joint has in common with those it does not carry.
typedef struct tgTies {
    int best;                          ///< the joint, none of its carriers, that it leans on most
    double shared, near;               ///< flesh shared with all; that part at its own origin
    double withBest, most, onCarriers; ///< shared with the best; leaning on it and on its carriers
} tgTies;

static tgTies tgGetTies(const tgTree* tree, const tgFleshTable* table, int j)
{
    const float* shared = table->shared + (size_t)j * (size_t)table->count;
    const float* lean = table->lean + (size_t)j * (size_t)table->count;
    tgTies ties = {.best = -1};
    for (int other = 0; other < tree->count; ++other) {
        if (tgTree_Carries(tree, j, other)) {
            continue;
        }
        double own = (double)lean[other], both = (double)shared[other];
        ties.shared += both;
        ties.near += 0.5 * (both + own);
        if (tgTree_Carries(tree, other, j)) {
            ties.onCarriers += own > 0.0 ? own : 0.0;
        } else if (both > 0.0 && own >= 0.0 && (ties.best < 0 || own > ties.most)) {
            ties.best = other;
            ties.most = own;
            ties.withBest = both;
        }
    }
    return ties;
}

/// The joint to hang j on.
static int tgChooseCarrier(const tgSkeleton* skeleton, const tgFleshTable* table, int j)
{
    const tgTree* tree = &skeleton->flesh;
    if (tree->carriers[j] < 0) {
        return -1;
    }
    tgTies ties = tgGetTies(tree, table, j);
    bool isRoot = skeleton->parents[j] < 0; // on the first root for want of better
    double enough = isRoot ? 1.0 : tg_enoughLean, clear = isRoot ? 0.0 : tg_clearLean;
    bool bends = ties.most > clear * ties.near && ties.onCarriers < enough * ties.most;
    bool hasNoOther = ties.withBest > (1.0 - tg_otherFlesh) * ties.shared;
    return ties.best >= 0 && (bends || hasNoOther) ? ties.best : tree->carriers[j];
}

bool tgHangByFlesh(const tgSkinAtRest* skin, tgScratch* scratch, tgSkeleton* skeleton)
{
    int count = skeleton->jointCount;
    tgFleshTable table;
    if (count > tg_mostTabled) {
        return true;
    }
    if (!tgTakeTable(count, scratch, &table)) {
        return false;
    }
    tgFillTable(skeleton, skin, &table);
    for (int i = 0; i < count; ++i) {
        int j = skeleton->tree.order[i];
        int carrier = tgChooseCarrier(skeleton, &table, j);
        if (carrier != skeleton->flesh.carriers[j]) {
            skeleton->flesh.carriers[j] = carrier; // not below j, so it stays a tree
            tgTree_Fill(&skeleton->flesh);
        }
    }
    tgSkeleton_Hang(skeleton);
    return true;
}
