// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Counts triangles that pass through each other, with a tree of boxes that is fitted to each pose,
// and built anew where that fits no more.

#include "crossings.h"

#include "core/core.h"

#include <stdlib.h>

/// A tree whose boxes overlap so many times as much as when it was built is built anew.
static const double tg_looseEnough = 2.0;

static tgSurface tgGetSurface(const tgCrossingCounter* counter, const tgVec3* positions)
{
    return (tgSurface){{&positions->x, counter->scene->vertexCount, sizeof(tgVec3)},
                       counter->triangles,
                       counter->triangleCount};
}

/// Every corner becomes the first of the vertices that are welded into one.
static bool tgFillTriangles(const tgScene* scene, const int* welded, tgCrossingCounter* counter)
{
    int* first = calloc((size_t)scene->vertexCount + 1, sizeof(int));
    if (first == NULL) {
        return false;
    }
    for (int v = scene->vertexCount - 1; v >= 0; --v) {
        first[welded[v]] = v;
    }
    const int* corners = scene->faceVertices;
    int* to = counter->triangles;
    for (int f = 0; f < scene->faceCount; corners += scene->faceSizes[f], ++f) {
        for (int k = 1; k + 1 < scene->faceSizes[f]; ++k) {
            *to++ = first[welded[corners[0]]];
            *to++ = first[welded[corners[k]]];
            *to++ = first[welded[corners[k + 1]]];
        }
    }
    free(first);
    return true;
}

/// How much the boxes of a tree overlap: the sum of their areas over the root's. A pair of nodes is
/// looked at about so often.
static double tgGetLooseness(const tgBvh* tree)
{
    double sum = 0.0, root = 0.0;
    for (int n = tree->nodeCount - 1; n >= 0; --n) {
        const tgBvhNode* node = &tree->nodes[n];
        double x = (double)node->high[0] - (double)node->low[0];
        double y = (double)node->high[1] - (double)node->low[1];
        double z = (double)node->high[2] - (double)node->low[2];
        root = x * y + y * z + z * x; // the root comes last
        sum += root;
    }
    return root > 0.0 ? sum / root : 0.0;
}

static void tgBuildTree(tgCrossingCounter* counter, const tgSurface* surface)
{
    tgBvh_Build(&counter->tree, surface, counter->memory);
    counter->looseness = tgGetLooseness(&counter->tree);
}

tgResult tgOpenCrossingCounter(const tgScene* scene, const tgRig* rig, tgCrossingCounter* counter,
                               tgError* error)
{
    *counter = (tgCrossingCounter){.scene = scene};
    for (int f = 0; f < scene->faceCount; ++f) {
        counter->triangleCount += scene->faceSizes[f] - 2;
    }
    counter->triangles = calloc(3 * (size_t)counter->triangleCount + 1, sizeof(int));
    counter->memory = malloc(tgBvh_GetSize(counter->triangleCount) + 1);
    if (counter->triangles == NULL || counter->memory == NULL ||
        !tgFillTriangles(scene, tgRig_GetWeldedVertices(rig), counter)) {
        tgCloseCrossingCounter(counter);
        return tgFail(error, tg_outOfMemory, -1, "out of memory for %d faces", scene->faceCount);
    }
    tgSurface surface = tgGetSurface(counter, scene->positions);
    tgBuildTree(counter, &surface);
    return tg_success;
}

void tgCloseCrossingCounter(tgCrossingCounter* counter)
{
    free(counter->triangles);
    free(counter->memory);
    *counter = (tgCrossingCounter){.scene = NULL};
}

int tgCrossingCounter_Count(tgCrossingCounter* counter, const tgVec3* positions)
{
    tgSurface surface = tgGetSurface(counter, positions);
    tgBvh_Refit(&counter->tree, &surface);
    // Pieces that lie in each other in the bind pose and then part share boxes that span the scene.
    if (tgGetLooseness(&counter->tree) > tg_looseEnough * counter->looseness) {
        tgBuildTree(counter, &surface);
    }
    return tgBvh_CountCrossings(&counter->tree, &surface, &counter->parallel);
}
