// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Holes. Count how often the faces walk each edge one way and the other: on a closed surface the
// two are equal. The surplus, walked backwards, always falls apart into closed loops (the boundary
// of a boundary is nothing), whatever non-manifold edges or vertices the mesh has. A fan over each
// loop then makes the volume independent of the origin for any mesh at all. Whether that number is
// a volume is asked elsewhere (inside.c).

#include "core/topology.h"

/// Missing edges, each to be walked once: from `from[i]` to `to[i]`.
typedef struct tgGapEdges {
    int count;
    int* from;
    int* to;
    int* start; ///< by `from` vertex, vertexCount + 1
    int* order; ///< edges sorted by `from`
} tgGapEdges;

static void tgAddGap(tgGapEdges* gaps, const tgEdgeUse* use, int surplus)
{
    for (int i = 0; i < (surplus < 0 ? -surplus : surplus); ++i) {
        // Faces walk low to high `surplus` times too often, so caps must walk high to low.
        gaps->from[gaps->count] = surplus > 0 ? use->high : use->low;
        gaps->to[gaps->count] = surplus > 0 ? use->low : use->high;
        gaps->count += 1;
    }
}

static void tgCollectGaps(tgMesh* mesh, const tgEdges* edges, tgGapEdges* gaps)
{
    mesh->boundaryEdgeCount = mesh->nonManifoldEdgeCount = 0;
    for (int e = 0; e < edges->edgeCount; ++e) {
        int begin = edges->edgeStart[e], end = edges->edgeStart[e + 1];
        mesh->nonManifoldEdgeCount += end - begin > 2;
        if (!tgMesh_HasInside(mesh, edges->uses[begin].low)) {
            mesh->boundaryEdgeCount += (end - begin) % 2; // whichever way the faces walk it
            continue;
        }
        int surplus = 0;
        for (int i = begin; i < end; ++i) {
            // Faces may have been turned since the edges were sorted, so ask the face.
            const tgEdgeUse* use = &edges->uses[i];
            const int* corners = tgMesh_Corners(mesh, use->face);
            int sides = tgMesh_SideCount(mesh, use->face);
            for (int k = 0; k < sides; ++k) {
                int a = corners[k], b = corners[(k + 1) % sides];
                surplus += (a == use->low && b == use->high) - (a == use->high && b == use->low);
            }
        }
        tgAddGap(gaps, &edges->uses[begin], surplus);
    }
    mesh->boundaryEdgeCount += gaps->count;
}

static void tgSortGaps(tgGapEdges* gaps, int vertexCount)
{
    for (int i = 0; i < gaps->count; ++i) {
        gaps->start[gaps->from[i] + 1] += 1;
    }
    for (int v = 0; v < vertexCount; ++v) {
        gaps->start[v + 1] += gaps->start[v];
    }
    // Filling from the back leaves `start` right and edges of one vertex in rising order.
    for (int i = gaps->count - 1; i >= 0; --i) {
        gaps->order[--gaps->start[gaps->from[i] + 1]] = i;
    }
    for (int v = 0; v < vertexCount; ++v) {
        gaps->start[v] = gaps->start[v + 1];
    }
    gaps->start[vertexCount] = gaps->count;
}

/// Walks from `seed` until nothing is left to walk there. Whenever the path meets itself, the part
/// in between is a simple loop and is cut off.
static void tgTraceFrom(tgMesh* mesh, const tgGapEdges* gaps, int seed, int* nextEdge, int* path,
                        int* placeInPath)
{
    int length = 0;
    path[length++] = seed;
    placeInPath[seed] = 1;
    while (length > 0) {
        int v = path[length - 1];
        if (nextEdge[v] == gaps->start[v + 1]) {
            placeInPath[v] = 0;
            length -= 1;
            continue;
        }
        int w = gaps->to[gaps->order[nextEdge[v]++]];
        if (placeInPath[w] == 0) {
            path[length++] = w;
            placeInPath[w] = length;
            continue;
        }
        int begin = mesh->loopStart[mesh->loopCount];
        int first = placeInPath[w] - 1;
        for (int i = first; i < length; ++i) {
            mesh->loopVertices[begin + i - first] = path[i];
            placeInPath[path[i]] = 0;
        }
        mesh->loopStart[++mesh->loopCount] = begin + length - first;
        length = first + 1;
        placeInPath[w] = length;
    }
}

bool tgFindLoops(tgMesh* mesh, const tgEdges* edges, tgScratch* step, tgScratch* scratch)
{
    size_t most = (size_t)edges->useCount;
    size_t vertices = (size_t)mesh->vertexCount;
    tgGapEdges gaps = {
        .from = tgScratch_Take(step, most, sizeof(int)),
        .to = tgScratch_Take(step, most, sizeof(int)),
        .start = tgScratch_Take(step, vertices + 2, sizeof(int)),
    };
    if (step->failed) {
        return false;
    }
    mesh->loopCount = 0;
    tgCollectGaps(mesh, edges, &gaps);
    most = (size_t)gaps.count;
    gaps.order = tgScratch_Take(step, most, sizeof(int));
    int* nextEdge = tgScratch_Take(step, vertices, sizeof(int));
    int* path = tgScratch_Take(step, most + 1, sizeof(int));
    int* placeInPath = tgScratch_Take(step, vertices, sizeof(int));
    mesh->loopStart = tgScratch_Take(scratch, most + 1, sizeof(int));
    mesh->loopVertices = tgScratch_Take(scratch, most, sizeof(int));
    if (step->failed || scratch->failed) {
        return false;
    }
    tgSortGaps(&gaps, mesh->vertexCount);
    for (int v = 0; v < mesh->vertexCount; ++v) {
        nextEdge[v] = gaps.start[v];
    }
    for (int v = 0; v < mesh->vertexCount; ++v) {
        if (nextEdge[v] < gaps.start[v + 1]) {
            tgTraceFrom(mesh, &gaps, v, nextEdge, path, placeInPath);
        }
    }
    return true;
}
