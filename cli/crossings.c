// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Counts triangles that pass through each other, with a tree of boxes that is fitted to each pose.

#include "crossings.h"

#include "core/core.h"

#include <stdlib.h>

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
        return tgFail(error, tg_outOfMemory, -1, "no memory for %d faces", scene->faceCount);
    }
    tgSurface surface = tgGetSurface(counter, scene->positions);
    tgBvh_Build(&counter->tree, &surface, counter->memory);
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
    return tgBvh_FindCrossings(&counter->tree, &surface, NULL, NULL);
}
