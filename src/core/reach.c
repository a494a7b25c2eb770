// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Dijkstra's shortest paths over the edges and diagonals of the faces, up to a limit. Runs at
// creation.

#include "core/reach.h"

#include "turgor/math.h"

#include <math.h>

bool tgMakeReach(const tgMesh* mesh, const float* rest, tgScratch* scratch, tgReach* reach)
{
    size_t count = (size_t)mesh->vertexCount;
    *reach = (tgReach){.mesh = mesh, .rest = rest};
    reach->distances = tgScratch_Take(scratch, count, sizeof(float));
    reach->heap = tgScratch_Take(scratch, count, sizeof(int));
    reach->heapPlace = tgScratch_Take(scratch, count, sizeof(int));
    return !scratch->failed;
}

static void tgPutInHeap(tgReach* reach, int at, int v)
{
    reach->heap[at] = v;
    reach->heapPlace[v] = at + 1;
}

/// Moves vertex v up from place `at` to where it belongs.
static void tgSiftUp(tgReach* reach, int at, int v)
{
    while (at > 0) {
        int above = (at - 1) / 2;
        if (reach->distances[reach->heap[above]] <= reach->distances[v]) {
            break;
        }
        tgPutInHeap(reach, at, reach->heap[above]);
        at = above;
    }
    tgPutInHeap(reach, at, v);
}

static int tgPopNearest(tgReach* reach)
{
    int nearest = reach->heap[0];
    int v = reach->heap[--reach->heapCount];
    int at = 0;
    reach->heapPlace[nearest] = 0;
    while (2 * at + 1 < reach->heapCount) {
        int below = 2 * at + 1;
        bool right = below + 1 < reach->heapCount && reach->distances[reach->heap[below + 1]] <
                                                         reach->distances[reach->heap[below]];
        below += right;
        if (reach->distances[v] <= reach->distances[reach->heap[below]]) {
            break;
        }
        tgPutInHeap(reach, at, reach->heap[below]);
        at = below;
    }
    if (reach->heapCount > 0) {
        tgPutInHeap(reach, at, v);
    }
    return nearest;
}

static void tgRelax(tgReach* reach, int from, int to, float limit)
{
    if (to >= reach->mesh->vertexCount) {
        return; // the middle of a cap is no skin
    }
    const float* a = reach->rest + 4 * (size_t)from;
    const float* b = reach->rest + 4 * (size_t)to;
    float step = tgDistance(tgMakeVec3(a[0], a[1], a[2]), tgMakeVec3(b[0], b[1], b[2]));
    float distance = reach->distances[from] + step;
    if (distance < reach->distances[to] && distance <= limit) {
        reach->distances[to] = distance;
        int at = reach->heapPlace[to] > 0 ? reach->heapPlace[to] - 1 : reach->heapCount++;
        tgSiftUp(reach, at, to);
    }
}

/// Puts the corners of a face into the heap; of one that is as far everywhere, none can bring
/// another nearer.
static void tgStartFrom(tgReach* reach, const int* corners, int size, float limit)
{
    bool isEven = true;
    for (int i = 1; i < size; ++i) {
        isEven &= reach->distances[corners[i]] == reach->distances[corners[0]];
    }
    for (int i = 0; i < size && !isEven; ++i) {
        int v = corners[i];
        if (reach->distances[v] < limit && reach->heapPlace[v] == 0) {
            tgSiftUp(reach, reach->heapCount++, v);
        }
    }
}

void tgSpreadReach(tgReach* reach, float limit)
{
    const tgMesh* mesh = reach->mesh;
    int triangleCount = mesh->triangleCount + mesh->capTriangleCount;
    reach->heapCount = 0;
    for (int t = 0; t < mesh->triangleCount; ++t) {
        tgStartFrom(reach, mesh->triangles + 3 * (size_t)t, 3, limit);
    }
    for (int q = 0; q < mesh->quadCount; ++q) {
        tgStartFrom(reach, mesh->quads + 4 * (size_t)q, 4, limit);
    }
    while (reach->heapCount > 0) {
        int v = tgPopNearest(reach);
        for (int k = mesh->cornerStart[v]; k < mesh->cornerStart[v + 1]; ++k) {
            int slot = mesh->cornerSlots[k];
            bool isQuad = slot >= triangleCount;
            const int* corners = isQuad ? mesh->quads + (slot - triangleCount) / 4 * 4
                                        : mesh->triangles + 3 * (size_t)slot;
            for (int i = 0; i < (isQuad ? 4 : 3); ++i) {
                tgRelax(reach, v, corners[i], limit);
            }
        }
    }
}
