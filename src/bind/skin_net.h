// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The skin as a net of vertices: what a skeleton is found on. Vertices and triangles stand in an
// order that only their places decide, so that the order of the file changes nothing. Pieces that
// nearly touch are bridged; small ones are left out.
#ifndef TURGOR_BIND_SKIN_NET_H
#define TURGOR_BIND_SKIN_NET_H

#include "bind/body.h"
#include "bind/vec3d.h"
#include "bind/way_heap.h"
#include "core/bvh.h"

/// From a vertex to another.
typedef struct tgWay {
    int to;
    float length;
} tgWay;

/// From a vertex of one piece to one of another.
typedef struct tgBridge {
    int from, to;
    float length;
} tgBridge;

/// An edge and one of the triangles at it; edges with the same ends are neighbours in the list.
typedef struct tgNetEdge {
    int low, high; ///< low < high
    int triangle;
} tgNetEdge;

typedef struct tgSkinNet {
    int vertexCount;
    tgVec3* positions;
    double* areas; ///< a third of the triangles at each vertex
    double area;
    int triangleCount;
    int* triangles;
    int* aroundStart; ///< vertexCount + 1
    int* around;      ///< triangles at each vertex
    int edgeCount;
    tgNetEdge* edges; ///< three for each triangle, sorted
    int bridgeCount;
    tgBridge* bridges;
    int* wayStart; ///< vertexCount + 1, into ways
    int* linkEnd;  ///< of each vertex: its ways before this are edges and bridges; after it come
                   ///< straight ways across two triangles
    tgWay* ways;
    tgVec3 low, high;
    double diagonal;
    tgSurface surface; ///< all of it, for the tree
    tgBvh tree;
    int pieceCount, bridgedCount, leftCount;
} tgSkinNet;

tgResult tgBuildSkinNet(const tgBody* body, tgScratch* scratch, tgSkinNet* net, tgError* error);

/// Dijkstra's algorithm over the ways.
typedef struct tgWalker {
    tgWayHeap heap;
    int* reached; ///< those that have a distance, in the order in which they were met
    int reachedCount;
} tgWalker;

bool tgOpenWalker(int vertexCount, tgScratch* scratch, tgWalker* walker);
/// Distances from a vertex in walker->heap.distances: right for all `reached`, which are those
/// within the radius.
void tgWalkFrom(const tgSkinNet* net, tgWalker* walker, int vertex, float radius);

static inline tgVec3d tgSkinNet_Place(const tgSkinNet* net, int v)
{
    return tgVec3d_FromFloat(net->positions[v]);
}

#endif
