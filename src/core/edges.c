// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// All sides of all faces, sorted into edges by two passes of a stable counting sort.

#include "core/topology.h"

/// Stable sort of `from` into `to` by one of its two vertices.
static void tgSortUses(const tgEdgeUse* from, tgEdgeUse* to, int count, bool byLow, int* histogram,
                       int vertexCount)
{
    for (int v = 0; v <= vertexCount; ++v) {
        histogram[v] = 0;
    }
    for (int i = 0; i < count; ++i) {
        histogram[(byLow ? from[i].low : from[i].high) + 1] += 1;
    }
    for (int v = 0; v < vertexCount; ++v) {
        histogram[v + 1] += histogram[v];
    }
    for (int i = 0; i < count; ++i) {
        to[histogram[byLow ? from[i].low : from[i].high]++] = from[i];
    }
}

static void tgCollectUses(const tgMesh* mesh, tgEdgeUse* uses)
{
    int count = 0;
    for (int f = 0; f < mesh->triangleCount + mesh->quadCount; ++f) {
        const int* corners = tgMesh_Corners(mesh, f);
        int sides = tgMesh_SideCount(mesh, f);
        for (int k = 0; k < sides; ++k) {
            int a = corners[k], b = corners[(k + 1) % sides];
            uses[count++] = (tgEdgeUse){a < b ? a : b, a < b ? b : a, f, a < b};
        }
    }
}

/// A face has at most one side between two given vertices, so a side is found by its vertices.
static void tgLinkFaceToEdge(const tgMesh* mesh, const tgEdgeUse* use, int edge, int* faceEdges)
{
    const int* corners = tgMesh_Corners(mesh, use->face);
    int sides = tgMesh_SideCount(mesh, use->face);
    int a = use->forward ? use->low : use->high;
    int b = use->forward ? use->high : use->low;
    for (int k = 0; k < sides; ++k) {
        if (corners[k] == a && corners[(k + 1) % sides] == b) {
            faceEdges[tgMesh_FirstSide(mesh, use->face) + k] = edge;
        }
    }
}

bool tgBuildEdges(const tgMesh* mesh, tgScratch* scratch, tgEdges* edges)
{
    int useCount = 3 * mesh->triangleCount + 4 * mesh->quadCount;
    tgEdgeUse* unsorted = tgScratch_Take(scratch, (size_t)useCount, sizeof(tgEdgeUse));
    edges->useCount = useCount;
    edges->uses = tgScratch_Take(scratch, (size_t)useCount, sizeof(tgEdgeUse));
    edges->edgeStart = tgScratch_Take(scratch, (size_t)useCount + 1, sizeof(int));
    edges->faceEdges = tgScratch_Take(scratch, (size_t)useCount, sizeof(int));
    int* histogram = tgScratch_Take(scratch, (size_t)mesh->vertexCount + 1, sizeof(int));
    if (scratch->failed) {
        return false;
    }
    tgCollectUses(mesh, edges->uses);
    tgSortUses(edges->uses, unsorted, useCount, false, histogram, mesh->vertexCount);
    tgSortUses(unsorted, edges->uses, useCount, true, histogram, mesh->vertexCount);

    edges->edgeCount = 0;
    for (int i = 0; i < useCount; ++i) {
        const tgEdgeUse* use = &edges->uses[i];
        if (i == 0 || use->low != use[-1].low || use->high != use[-1].high) {
            edges->edgeStart[edges->edgeCount++] = i;
        }
        tgLinkFaceToEdge(mesh, use, edges->edgeCount - 1, edges->faceEdges);
    }
    edges->edgeStart[edges->edgeCount] = useCount;
    return true;
}
