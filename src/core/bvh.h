// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A tree of boxes over triangles: rays, closest points, triangles that cross each other. The tree
// does not keep the surface; every call is given it, so that one tree serves a mesh in all its
// poses: build once, refit after each move. No call allocates. Answers do not depend on the tree:
// refitted or built anew, the same surface gives the same hits in the same order.
#ifndef TURGOR_CORE_BVH_H
#define TURGOR_CORE_BVH_H

#include "core/parallel.h"
#include "turgor/math.h"

/// Triangles over vertices. Quads count as two: see tgSplitFaces.
typedef struct tgSurface {
    tgVec3View positions;
    const int* triangles; ///< 3 vertices for each
    int triangleCount;
} tgSurface;

typedef struct tgBvhNode {
    float low[3];
    int first; ///< of a leaf: its first triangle in `order`; else the second child, the first is
               ///< next
    float high[3];
    int count; ///< triangles of a leaf; 0 for a node with children
} tgBvhNode;

typedef struct tgBvh {
    int triangleCount;
    int nodeCount;
    tgBvhNode* nodes; ///< depth first, the root first
    int* order;       ///< triangles, leaf after leaf
} tgBvh;

/// Bytes for a tree over so many triangles.
size_t tgBvh_GetSize(int triangleCount);
/// Builds in the caller's memory, aligned for any type: from malloc, a scratch, or an object's
/// block. No triangles make an empty tree.
/// @param memory tgBvh_GetSize(surface->triangleCount) bytes, which the tree uses from here on
void tgBvh_Build(tgBvh* bvh, const tgSurface* surface, void* memory);
/// Fits the boxes to new positions of the same triangles.
void tgBvh_Refit(tgBvh* bvh, const tgSurface* surface);

/// origin + t direction for t in [from, to]. The direction may have any length but 0.
typedef struct tgRay {
    tgVec3 origin, direction;
    double from, to;
} tgRay;

/// All t of 0 or more.
static inline tgRay tgMakeRay(tgVec3 origin, tgVec3 direction)
{
    tgRay ray = {origin, direction, 0.0, HUGE_VAL};
    return ray;
}

typedef struct tgRayHit {
    int triangle;
    bool entering;     ///< the ray comes from the side that the triangle looks to
    double t;          ///< in lengths of the direction
    double weights[3]; ///< of the corners, summing to 1
} tgRayHit;

/// The hit with the least t, and of several the one with the lowest triangle. Neighbouring
/// triangles leave no gap: a ray through an edge or a vertex hits all faces there. A ray in a
/// triangle's plane misses it.
bool tgBvh_FindNearestHit(const tgBvh* bvh, const tgSurface* surface, const tgRay* ray,
                          tgRayHit* hit);
/// All hits, by t and then by triangle.
/// @param hits the first `room` of them
/// @return how many there are, which may be more than `room`
int tgBvh_FindAllHits(const tgBvh* bvh, const tgSurface* surface, const tgRay* ray, tgRayHit* hits,
                      int room);

typedef struct tgClosestPoint {
    int triangle;
    tgVec3 point;
    double distanceSquared;
    double weights[3]; ///< of the corners, summing to 1
} tgClosestPoint;

/// The point of the surface that is closest to p.
/// @param within only what is nearer counts; HUGE_VAL for everywhere
/// @return false when there is none
bool tgBvh_FindClosest(const tgBvh* bvh, const tgSurface* surface, tgVec3 p, double within,
                       tgClosestPoint* closest);

/// Called for each pair, first < second.
typedef void tgPairFcn(int first, int second, void* context);

/// Pairs of triangles that pass through each other: an edge of one pierces the other. Triangles
/// that share a vertex are neighbours, not pairs; those that only touch, or lie in one plane, are
/// not pairs either. The order of the calls may differ from tree to tree.
/// @param pair may be NULL, to count only
/// @return how many
int tgBvh_FindCrossings(const tgBvh* bvh, const tgSurface* surface, tgPairFcn* pair, void* context);

/// The same number, counted on several threads.
int tgBvh_CountCrossings(const tgBvh* bvh, const tgSurface* surface, const tgParallel* parallel);

/// Does an edge of one triangle pierce the other, or the other way round?
bool tgDoTrianglesCross(const tgVec3 a[3], const tgVec3 b[3]);

/// Triangles and quads as triangles alone, each quad cut in two from its first corner.
/// @param out 3 for each triangle, then 6 for each quad
void tgSplitFaces(const int* triangles, int triangleCount, const int* quads, int quadCount,
                  int* out);

#endif
