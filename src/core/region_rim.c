// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Where regions meet: edges that a region's faces walk one way more often than the other. Along
// them a region is open, and something has to close it before it has a volume that changes.
//
// Prisms (2008 s.5.2): between the region as posed and as carried by its joint stands a prism over
// every face, with bilinear side walls. Walls between two faces of the region cancel; those left
// stand on its rim, from the posed rim to the carried one.
//
// Closed: a fan from the rim to the joint that it bends about, in both poses. Neighbours close with
// the same fan, so what they lost sums to what the piece lost. Prisms miss the wedge that opens
// between two regions when the bone does not run through their middle.
//
// Either way a wall is a quad over the rim's vertices and some more points; a fan's has its last
// two corners in one.

#include "core/region_maker.h"

#include <stdlib.h>
#include <string.h>

/// A side of a face of a region; then an edge of a region's rim, walked `turns` times from low to
/// high, and the region across.
typedef struct tgSide {
    int region, low, high, turns, across;
} tgSide;

static int tgCompareInts(int a, int b)
{
    return (a > b) - (a < b);
}

static int tgCompareByEdge(const void* a, const void* b)
{
    const tgSide *left = a, *right = b;
    int order = tgCompareInts(left->low, right->low);
    order = order != 0 ? order : tgCompareInts(left->high, right->high);
    return order != 0 ? order : tgCompareInts(left->region, right->region);
}

static int tgCompareByRegion(const void* a, const void* b)
{
    const tgSide *left = a, *right = b;
    int order = tgCompareInts(left->region, right->region);
    return order != 0 ? order : tgCompareByEdge(a, b);
}

/// Vertices that faces of several regions touch: a rim runs between such.
static bool* tgMarkShared(const tgRegionMaker* maker)
{
    size_t count = (size_t)(maker->source->mesh->vertexCount + maker->source->mesh->loopCount);
    int* regions = tgScratch_Take(maker->scratch, count, sizeof(int));
    bool* shared = tgScratch_Take(maker->scratch, count, sizeof(bool));
    for (int f = 0; !maker->scratch->failed && f < tgRegionMaker_FaceCount(maker); ++f) {
        int size = 0, r = maker->faceRegion[f];
        const int* corners = tgRegionMaker_Corners(maker, f, &size);
        for (int k = 0; k < size; ++k) {
            int v = corners[k];
            shared[v] |= regions[v] != 0 && regions[v] != r + 1;
            regions[v] = r + 1;
        }
    }
    return maker->scratch->failed ? NULL : shared;
}

/// Sides of faces between shared vertices. NULL without memory.
static tgSide* tgCollectSides(const tgRegionMaker* maker, const bool* shared, int* count)
{
    tgSide* sides = NULL;
    for (int pass = 0; pass < 2; ++pass) { // count, fill
        *count = 0;
        for (int f = 0; f < tgRegionMaker_FaceCount(maker); ++f) {
            int size = 0;
            const int* corners = tgRegionMaker_Corners(maker, f, &size);
            for (int k = 0; k < size; ++k) {
                int a = corners[k], b = corners[(k + 1) % size];
                if (!shared[a] || !shared[b]) {
                    continue;
                }
                if (pass == 1) {
                    sides[*count] = (tgSide){.region = maker->faceRegion[f],
                                             .low = a < b ? a : b,
                                             .high = a < b ? b : a,
                                             .turns = a < b ? 1 : -1};
                }
                *count += 1;
            }
        }
        if (pass == 0) {
            sides = tgScratch_Take(maker->scratch, (size_t)*count + 1, sizeof(tgSide));
        }
        if (sides == NULL) {
            return NULL;
        }
    }
    return sides;
}

/// One entry for each edge of each region's rim, in place of the sides; returns how many.
static int tgKeepRims(tgSide* sides, int count)
{
    int kept = 0;
    qsort(sides, (size_t)count, sizeof(tgSide), tgCompareByEdge);
    for (int i = 0; i < count;) {
        // The sides of one edge, region by region; where they cancel there is no rim.
        int first = kept, low = sides[i].low, high = sides[i].high;
        while (i < count && sides[i].low == low && sides[i].high == high) {
            tgSide side = sides[i++];
            for (; i < count && sides[i].low == low && sides[i].high == high &&
                   sides[i].region == side.region;
                 ++i) {
                side.turns += sides[i].turns;
            }
            if (side.turns != 0) {
                sides[kept++] = side;
            }
        }
        for (int k = first; k < kept; ++k) {
            sides[k].across = sides[k].region;
            for (int other = kept - 1; other >= first; --other) {
                bool isAgainst = (sides[other].turns > 0) != (sides[k].turns > 0);
                sides[k].across = isAgainst ? sides[other].region : sides[k].across;
            }
        }
    }
    qsort(sides, (size_t)kept, sizeof(tgSide), tgCompareByRegion);
    return kept;
}

/// A vertex's place on the rim of a region; new ones are added.
/// @param place where it was last found, for any region
static int tgFindOnRim(tgRegions* out, tgRegion* region, int v, int* place)
{
    int at = place[v];
    if (at >= region->rimCount || out->rim[region->firstRim + at] != v) {
        at = region->rimCount++;
        out->rim[region->firstRim + at] = v;
        place[v] = at;
    }
    return at;
}

/// A point that regions close to: half way between two joints, or at one joint given twice.
typedef struct tgHinge {
    int first, second;
} tgHinge;

/// Of two regions: where the one that hangs on the other has its joint; half way between the joints
/// where none does.
static tgHinge tgGetHinge(const tgRegionMaker* maker, const tgSide* side)
{
    const int* parents = maker->source->skeleton->parents;
    int a = maker->out->regions[side->region].joint, b = maker->out->regions[side->across].joint;
    int child = parents[b] == a ? b : parents[a] == b ? a : -1;
    return child >= 0 ? (tgHinge){child, child} : a < b ? (tgHinge){a, b} : (tgHinge){b, a};
}

/// Of the hinges of a vertex's edges the first: those at one joint before those between two.
static void tgChooseHinge(tgHinge hinge, tgHinge* chosen)
{
    int order = tgCompareInts(hinge.first != hinge.second, chosen->first != chosen->second);
    order = order != 0 ? order : tgCompareInts(hinge.first, chosen->first);
    order = order != 0 ? order : tgCompareInts(hinge.second, chosen->second);
    *chosen = order < 0 || chosen->second < 0 ? hinge : *chosen;
}

/// The hinge of every vertex on a rim.
static tgHinge* tgFindHinges(const tgRegionMaker* maker, const tgSide* sides, int count)
{
    size_t all = (size_t)(maker->source->mesh->vertexCount + maker->source->mesh->loopCount);
    tgHinge* hinges = tgScratch_Take(maker->scratch, all, sizeof(tgHinge));
    for (size_t v = 0; hinges != NULL && v < all; ++v) {
        hinges[v] = (tgHinge){-1, -1};
    }
    for (int i = 0; hinges != NULL && i < count; ++i) {
        tgHinge hinge = tgGetHinge(maker, &sides[i]);
        tgChooseHinge(hinge, &hinges[sides[i].low]);
        tgChooseHinge(hinge, &hinges[sides[i].high]);
    }
    return hinges;
}

/// A hinge's place among a region's; new ones are added.
static int tgPlaceHinge(tgRegions* out, tgRegion* region, tgHinge hinge)
{
    int* own = out->hinges + 2 * (size_t)region->firstHinge;
    for (int i = 0; i < region->hingeCount; ++i) {
        if (own[2 * (size_t)i] == hinge.first && own[2 * (size_t)i + 1] == hinge.second) {
            return i;
        }
    }
    own[2 * (size_t)region->hingeCount] = hinge.first;
    own[2 * (size_t)region->hingeCount + 1] = hinge.second;
    return region->hingeCount++;
}

/// The rim of one region, from entries of its own. Points beyond the rim are numbered from -1
/// downwards until it is known how long the rim is.
static void tgBuildRim(tgRegionMaker* maker, tgRegion* region, const tgSide* sides, int count,
                       const tgHinge* hinges, int* place)
{
    tgRegions* out = maker->out;
    for (int i = 0; i < count; ++i) {
        int a = sides[i].turns > 0 ? sides[i].low : sides[i].high;
        int b = sides[i].turns > 0 ? sides[i].high : sides[i].low;
        int from = tgFindOnRim(out, region, a, place), to = tgFindOnRim(out, region, b, place);
        int fromBeyond = out->prisms ? from : tgPlaceHinge(out, region, hinges[a]);
        int toBeyond = out->prisms ? to : tgPlaceHinge(out, region, hinges[b]);
        // Back along the posed edge, on beyond it.
        const int wall[4] = {to, from, -1 - fromBeyond, -1 - toBeyond};
        for (int turn = abs(sides[i].turns); turn > 0; --turn) {
            memcpy(out->walls + 4 * (size_t)(region->firstWall + region->wallCount++), wall,
                   sizeof(wall));
        }
    }
    int* corners = out->walls + 4 * (size_t)region->firstWall;
    for (int i = 0; i < 4 * region->wallCount; ++i) {
        corners[i] = corners[i] < 0 ? region->rimCount - 1 - corners[i] : corners[i];
    }
}

bool tgFindRims(tgRegionMaker* maker)
{
    const tgMesh* mesh = maker->source->mesh;
    tgRegions* out = maker->out;
    int sideCount = 0, i = 0;
    bool* shared = tgMarkShared(maker);
    tgSide* sides = shared != NULL ? tgCollectSides(maker, shared, &sideCount) : NULL;
    size_t all = (size_t)(mesh->vertexCount + mesh->loopCount), room = (size_t)sideCount;
    out->rim = tgScratch_Take(maker->scratch, 2 * room, sizeof(int));
    out->walls = tgScratch_Take(maker->scratch, 4 * room, sizeof(int));
    out->hinges = tgScratch_Take(maker->scratch, 4 * room, sizeof(int));
    int* place = tgScratch_Take(maker->scratch, all, sizeof(int));
    if (maker->scratch->failed) {
        return false;
    }
    sideCount = tgKeepRims(sides, sideCount);
    tgHinge* hinges = tgFindHinges(maker, sides, sideCount);
    if (hinges == NULL) {
        return false;
    }
    for (int r = 0; r < out->count; ++r) {
        tgRegion* region = &out->regions[r];
        int begin = i;
        while (i < sideCount && sides[i].region == r) {
            i += 1;
        }
        region->firstRim = out->rimCount;
        region->firstWall = out->wallCount;
        region->firstHinge = out->hingeCount;
        region->firstPoint = out->pointCount;
        tgBuildRim(maker, region, sides + begin, i - begin, hinges, place);
        out->rimCount += region->rimCount;
        out->wallCount += region->wallCount;
        out->hingeCount += region->hingeCount;
        out->pointCount += region->rimCount + (out->prisms ? region->rimCount : region->hingeCount);
    }
    return true;
}

// ---- in a frame ---------------------------------------------------------------------------------

/// The rim as it is, before the region's other points.
static float* tgCopyRim(const tgRegions* regions, const tgRegion* region, const float* positions,
                        float* points)
{
    float* out = points + 4 * (size_t)region->firstPoint;
    for (int i = 0; i < region->rimCount; ++i) {
        const float* from = positions + 4 * (size_t)regions->rim[region->firstRim + i];
        memcpy(out + 4 * (size_t)i, from, 4 * sizeof(float));
    }
    return out;
}

static double tgMeasureRim(const tgKernels* kernels, const tgRegions* regions,
                           const tgRegion* region, const float* points, tgVec3 apex)
{
    return kernels->coneVolume(NULL, 0, regions->walls + 4 * (size_t)region->firstWall,
                               region->wallCount, points, apex);
}

double tgMeasureFans(const tgKernels* kernels, const tgRegions* regions, const tgRegion* region,
                     const float* positions, const tgVec3* origins, float* points)
{
    if (regions->prisms || region->wallCount == 0) {
        return 0.0;
    }
    float* own = tgCopyRim(regions, region, positions, points);
    for (int i = 0; i < region->hingeCount; ++i) {
        const int* joints = regions->hinges + 2 * (size_t)(region->firstHinge + i);
        tgVec3 middle = tgMulSV(0.5f, tgAdd(origins[joints[0]], origins[joints[1]]));
        memcpy(own + 4 * (size_t)(region->rimCount + i), &middle, sizeof(middle));
    }
    return tgMeasureRim(kernels, regions, region, own, origins[region->joint]);
}

double tgMeasureWalls(const tgKernels* kernels, const tgRegions* regions, const tgRegion* region,
                      const float* rest, const float* posed, const tgMat34d* motion,
                      const tgVec3* origins, float* points)
{
    float columns[4][4] = {{0.0f}};
    for (int k = 0; k < 4; ++k) {
        for (int i = 0; i < 3; ++i) {
            columns[k][i] = (float)motion->c[k][i];
        }
    }
    float* own = tgCopyRim(regions, region, posed, points);
    for (int n = 0; n < region->rimCount; ++n) {
        float p[4];
        memcpy(p, rest + 4 * (size_t)regions->rim[region->firstRim + n], sizeof(p));
        float* carried = own + 4 * (size_t)(region->rimCount + n);
        for (int i = 0; i < 4; ++i) {
            carried[i] = (columns[0][i] * p[0] + columns[1][i] * p[1]) +
                         (columns[2][i] * p[2] + columns[3][i]);
        }
    }
    return tgMeasureRim(kernels, regions, region, own, origins[region->joint]);
}
