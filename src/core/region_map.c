// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// How much each vertex may take of a local correction (2008 s.4.2, 4.3 and 5.3). With w its largest
// skin weight and d its distance to the bones at rest:
//
//                 uniform   rubber             organic
//   global        1         (1 - w)^alpha      (1 - w)^alpha d^beta
//   blended edges 1         (1 - w)^alpha      d^beta
//   still edges   1 *       (2 w - 1)^alpha    (2 w - 1)^alpha d^beta      * but for the edge
//
// Regions blend into each other: a vertex follows the step of its own region and of the one across,
// by the skin weights. As published they have still edges: nothing moves where regions meet, which
// makes a ring of every bone of a spine. 2 w - 1 is w less what stands against it; where more than
// two joints share a vertex that would be 0 far inside, and w less the second largest weight is the
// same idea. What is painted multiplies each of them. Runs once, at creation.

#include "core/power.h"
#include "core/region_maker.h"

#include <math.h>
#include <string.h>

/// Vertices with less than this part of the mean area count as having that much: slivers do not
/// explode.
static const float tg_leastArea = 0.02f;
/// Bones shorter than this fraction of the bounding diagonal have no direction.
static const float tg_shortest = 1e-5f;
/// Radius of a region without flesh round its bones, as a fraction of the bounding diagonal.
static const float tg_guessedRadius = 0.05f;
/// Rings of vertices over which steps of two regions go over at least.
enum { tg_softRings = 3 };
/// A vertex beside another region that follows its own no more than this is smooth enough.
static const float tg_softShare = 0.8f;

// ---- bones --------------------------------------------------------------------------------------

/// From a joint to one of its children; of a joint without any, on in its parent's direction.
typedef struct tgBone {
    int joint;
    tgVec3 from, along;
} tgBone;

static tgVec3 tgGetOrigin(const tgRegionMaker* maker, int j)
{
    const double* o = maker->source->skeleton->rest[j].c[3];
    return tgMakeVec3((float)o[0], (float)o[1], (float)o[2]);
}

static tgVec3 tgGetPoint(const tgRegionMaker* maker, int v)
{
    const float* p = maker->source->rest + 4 * (size_t)v;
    return tgMakeVec3(p[0], p[1], p[2]);
}

/// A leaf's bone reaches as far as the vertices that follow it most.
static tgVec3 tgGetLeafBone(const tgRegionMaker* maker, int j)
{
    const int* parents = maker->source->skeleton->parents;
    tgVec3 origin = tgGetOrigin(maker, j), in = {0.0f, 0.0f, 0.0f};
    float shortest = tg_shortest * maker->source->restDiagonal;
    for (int up = parents[j]; up >= 0 && !(tgLength(in) > shortest); up = parents[up]) {
        in = tgSub(origin, tgGetOrigin(maker, up));
    }
    if (!(tgLength(in) > shortest)) {
        return tgMakeVec3(0.0f, 0.0f, 0.0f);
    }
    tgVec3 direction = tgNormalize(in, in);
    float length = 0.0f;
    for (int v = 0; v < maker->source->mesh->vertexCount; ++v) {
        if (maker->vertexJoint[v] == j) {
            float reach = tgDot(direction, tgSub(tgGetPoint(maker, v), origin));
            length = reach > length ? reach : length;
        }
    }
    return tgMulSV(length, direction);
}

/// Bones of the joints that move some skin.
static tgBone* tgListBones(const tgRegionMaker* maker, int* count)
{
    const tgSkeleton* skeleton = maker->source->skeleton;
    const tgInfluences* influences = maker->source->influences;
    int jointCount = skeleton->jointCount;
    bool* moves = tgScratch_Take(maker->scratch, (size_t)jointCount, sizeof(bool));
    bool* hasChild = tgScratch_Take(maker->scratch, (size_t)jointCount, sizeof(bool));
    tgBone* bones = tgScratch_Take(maker->scratch, 2 * (size_t)jointCount, sizeof(tgBone));
    *count = 0;
    if (maker->scratch->failed) {
        return NULL;
    }
    for (int i = 0; i < influences->start[influences->vertexCount]; ++i) {
        moves[influences->joints[i]] = true;
    }
    for (int j = 0; j < jointCount; ++j) {
        int parent = skeleton->parents[j];
        if (parent >= 0 && moves[parent]) {
            tgVec3 from = tgGetOrigin(maker, parent);
            bones[(*count)++] = (tgBone){parent, from, tgSub(tgGetOrigin(maker, j), from)};
        }
        if (parent >= 0) {
            hasChild[parent] = true;
        }
    }
    for (int j = 0; j < jointCount; ++j) {
        if (moves[j] && !hasChild[j]) {
            bones[(*count)++] = (tgBone){j, tgGetOrigin(maker, j), tgGetLeafBone(maker, j)};
        }
    }
    return bones;
}

static float tgDistanceToBone(tgVec3 p, const tgBone* bone)
{
    tgVec3 to = tgSub(p, bone->from);
    float squared = tgDot(bone->along, bone->along);
    float t = squared > 0.0f ? tgDot(to, bone->along) / squared : 0.0f;
    t = t < 0.0f ? 0.0f : t > 1.0f ? 1.0f : t;
    return tgLength(tgMulAdd(to, -t, bone->along));
}

static bool tgCounts(const tgLocalRegion* entry, int joint)
{
    bool counts = entry == NULL || entry->boneCount == 0;
    for (int i = 0; !counts && i < entry->boneCount; ++i) {
        counts = entry->bones[i] == joint;
    }
    return counts;
}

static const tgLocalRegion* tgGetEntry(const tgRegionMaker* maker, int joint)
{
    int entry = maker->byJoint[joint];
    return entry > 0 ? &maker->def->regions[entry - 1] : NULL;
}

/// Of every vertex to the bones that count for its region; 0 where none does.
static float* tgMeasureDistances(const tgRegionMaker* maker)
{
    int vertexCount = maker->source->mesh->vertexCount, boneCount = 0;
    tgBone* bones = tgListBones(maker, &boneCount);
    float* distances = tgScratch_Take(maker->scratch, (size_t)vertexCount, sizeof(float));
    for (int v = 0; !maker->scratch->failed && v < vertexCount; ++v) {
        const tgLocalRegion* entry = tgGetEntry(maker, maker->vertexJoint[v]);
        float least = -1.0f;
        for (int i = 0; i < boneCount; ++i) {
            if (tgCounts(entry, bones[i].joint)) {
                float d = tgDistanceToBone(tgGetPoint(maker, v), &bones[i]);
                least = least < 0.0f || d < least ? d : least;
            }
        }
        distances[v] = least > 0.0f ? least : 0.0f;
    }
    return distances;
}

// ---- areas --------------------------------------------------------------------------------------

/// The rest area round each vertex, relative to the mean.
static float* tgMeasureAreas(const tgRegionMaker* maker)
{
    const tgMesh* mesh = maker->source->mesh;
    float* areas = tgScratch_Take(maker->scratch, (size_t)mesh->vertexCount, sizeof(float));
    double sum = 0.0;
    for (int f = 0; areas != NULL && f < tgRegionMaker_FaceCount(maker); ++f) {
        if (f >= mesh->triangleCount && f < tgRegionMaker_TriangleCount(maker)) {
            continue; // a cap is no skin
        }
        int count = 0;
        const int* c = tgRegionMaker_Corners(maker, f, &count);
        tgVec3 a = tgGetPoint(maker, c[0]), b = tgGetPoint(maker, c[1]);
        tgVec3 d = tgGetPoint(maker, c[count - 1]), e = count == 3 ? a : b;
        tgVec3 cross = tgCross(tgSub(tgGetPoint(maker, c[count == 3 ? 1 : 2]), a), tgSub(d, e));
        float share = 0.5f * tgLength(cross) / (float)count;
        for (int k = 0; k < count; ++k) {
            areas[c[k]] += share;
            sum += (double)share;
        }
    }
    float mean = (float)(sum / mesh->vertexCount);
    for (int v = 0; areas != NULL && v < mesh->vertexCount; ++v) {
        float area = mean > 0.0f ? areas[v] / mean : 0.0f;
        areas[v] = area > tg_leastArea ? area : tg_leastArea;
    }
    return areas;
}

// ---- the map ------------------------------------------------------------------------------------

/// The part of the map that the weights make.
static float tgMapWeights(const tgRegionMaker* maker, int v, tgLocalMap map, float alpha)
{
    const tgInfluences* influences = maker->source->influences;
    int render = maker->source->mesh->vertexToRender[v];
    int begin = influences->start[render], end = influences->start[render + 1];
    float most = influences->weights[begin]; // heaviest first
    float second = end > begin + 1 ? influences->weights[begin + 1] : 0.0f;
    bool isBlended = !maker->out->whole && maker->def->edges == tg_edgesBlended;
    if (maker->out->whole || isBlended) {
        bool isAlike = map == tg_mapUniform || (map == tg_mapOrganic && isBlended);
        return isAlike ? 1.0f : tgRaise(fmaxf(1.0f - most, 0.0f), alpha);
    }
    float inside = fminf(fmaxf(most - second, 0.0f), 1.0f);
    if (map == tg_mapUniform) {
        float t = fminf(2.0f * inside, 1.0f);
        return t * t * (3.0f - 2.0f * t);
    }
    return tgRaise(inside, alpha);
}

/// How a vertex follows its own region and the one across: w1 - w3 to w2 - w3, with the weights of
/// the largest three. Where the second changes places with the third it counts for nothing, so
/// nothing jumps.
static void tgShareVertex(tgRegionMaker* maker, int v)
{
    const tgInfluences* influences = maker->source->influences;
    int render = maker->source->mesh->vertexToRender[v], own = maker->vertexRegion[v];
    maker->across[v] = own;
    maker->shares[v] = 1.0f;
    if (own < 0 || maker->out->whole || maker->def->edges == tg_edgesStill) {
        return;
    }
    float weights[3] = {0.0f, 0.0f, 0.0f};
    int found = 0;
    for (int k = influences->start[render]; k < influences->start[render + 1] && found < 3; ++k) {
        int region = tgFindRegion(maker, v, influences->joints[k]);
        bool isOwn = influences->joints[k] == maker->vertexJoint[v];
        if (region >= 0 && (isOwn || found > 0)) {
            maker->across[v] = found == 1 ? region : maker->across[v];
            weights[found++] = influences->weights[k];
        }
    }
    float first = weights[0] - weights[2], second = weights[1] - weights[2];
    maker->shares[v] = second > 0.0f ? first / (first + second) : 1.0f;
    maker->across[v] = second > 0.0f ? maker->across[v] : own;
}

/// Lowers shares next to other regions where the skin weights jump, so that steps go over within a
/// few rings there too: 1/2 at the edge, then by rings.
static bool tgSoftenShares(tgRegionMaker* maker)
{
    size_t count = (size_t)maker->source->mesh->vertexCount;
    float* limits = tgScratch_Take(maker->scratch, count, sizeof(float));
    float* next = tgScratch_Take(maker->scratch, count, sizeof(float));
    int* towards = tgScratch_Take(maker->scratch, count, sizeof(int));
    if (maker->scratch->failed) {
        return false;
    }
    for (size_t v = 0; v < count; ++v) {
        limits[v] = next[v] = 1.0f;
        towards[v] = -1;
    }
    for (int ring = 0; ring < tg_softRings; ++ring) {
        for (int f = 0; f < tgRegionMaker_FaceCount(maker); ++f) {
            int size = 0;
            const int* corners = tgRegionMaker_Corners(maker, f, &size);
            for (int k = 0; k < 2 * size; ++k) { // every side, both ways
                int a = corners[k % size], b = corners[(k + (k < size ? 1 : size - 1)) % size];
                if ((size_t)a >= count || (size_t)b >= count) {
                    continue; // the middle of a cap
                }
                int region = maker->vertexRegion[b];
                bool isEdge = region != maker->vertexRegion[a];
                if (isEdge && maker->shares[a] <= tg_softShare) {
                    continue; // smooth enough
                }
                float limit = isEdge ? 0.5f : limits[b] + 0.5f / tg_softRings;
                int to = isEdge ? region : towards[b];
                if (limit < next[a] || (limit == next[a] && to >= 0 && to < towards[a])) {
                    next[a] = limit;
                    towards[a] = to;
                }
            }
        }
        memcpy(limits, next, count * sizeof(float));
    }
    for (size_t v = 0; v < count; ++v) {
        bool isFree = maker->across[v] == maker->vertexRegion[v] || maker->across[v] == towards[v];
        if (isFree && limits[v] < maker->shares[v]) {
            maker->shares[v] = limits[v];
            maker->across[v] = towards[v];
        }
    }
    return true;
}

/// How far the farthest vertex of each region is from the bones.
static void tgMeasureRadii(tgRegionMaker* maker, const float* distances)
{
    tgRegion* regions = maker->out->regions;
    for (int v = 0; v < maker->source->mesh->vertexCount; ++v) {
        int r = maker->vertexRegion[v];
        if (r >= 0) {
            regions[r].radius = fmaxf(regions[r].radius, distances[v]);
        }
    }
    for (int r = 0; r < maker->out->count; ++r) {
        bool isFlat = !(regions[r].radius > tg_shortest * maker->source->restDiagonal);
        regions[r].radius =
            isFlat ? tg_guessedRadius * maker->source->restDiagonal : regions[r].radius;
    }
}

/// Gamma of the vertices of regions without takers.
/// @param byWeights with the part of the map that the weights make
static void tgFillGamma(tgRegionMaker* maker, const float* distances, const float* areas,
                        const bool* hasTakers, bool byWeights)
{
    const tgLocalDef* def = maker->def;
    for (int v = 0; v < maker->source->mesh->vertexCount; ++v) {
        int r = maker->vertexRegion[v];
        if (r < 0 || hasTakers[r]) {
            continue;
        }
        const tgLocalRegion* entry = tgGetEntry(maker, maker->vertexJoint[v]);
        tgLocalMap map = entry != NULL ? entry->map : def->map;
        float alpha = entry != NULL ? entry->alpha : def->alpha;
        float gamma = byWeights ? tgMapWeights(maker, v, map, alpha) : 1.0f;
        if (map == tg_mapOrganic) {
            float far = fminf(distances[v] / maker->out->regions[r].radius, 1.0f);
            gamma *= tgRaise(far, entry != NULL ? entry->beta : def->beta);
        }
        if (maker->source->paint != NULL) {
            gamma *= tgPaint_Get(maker->source->paint, maker->vertexJoint[v], v);
        }
        maker->map[v] = gamma;
        maker->gamma[v] = maker->source->evenOut ? gamma / areas[v] : gamma;
    }
}

bool tgFillRegionMap(tgRegionMaker* maker)
{
    const tgMesh* mesh = maker->source->mesh;
    size_t count = (size_t)maker->out->count;
    float* distances = tgMeasureDistances(maker);
    float* areas = tgMeasureAreas(maker);
    bool* hasTakers = tgScratch_Take(maker->scratch, count, sizeof(bool));
    if (maker->scratch->failed) {
        return false;
    }
    tgMeasureRadii(maker, distances);
    tgFillGamma(maker, distances, areas, hasTakers, true);
    for (int v = 0; v < mesh->vertexCount; ++v) {
        tgShareVertex(maker, v);
    }
    bool isBlended = !maker->out->whole && maker->def->edges == tg_edgesBlended;
    if (isBlended && !tgSoftenShares(maker)) {
        return false;
    }
    for (int v = 0; v < mesh->vertexCount; ++v) {
        if (maker->vertexRegion[v] >= 0 && maker->gamma[v] > 0.0f) {
            hasTakers[maker->vertexRegion[v]] = true;
            hasTakers[maker->across[v]] = true;
        }
    }
    // Skin that follows one joint at a time everywhere has no weights to go by.
    tgFillGamma(maker, distances, areas, hasTakers, false);
    return true;
}
