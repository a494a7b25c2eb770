// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A scene's faces as triangles. A quad counts as a bilinear patch, whose volume is the mean of its
// two triangulations; a file that holds one of the two misses it (a dinosaur of quads by 6e-4). So
// what leaves as triangles is cut before a rig is made of it, and its volume is kept as written.

#include "core/core.h"
#include "core/triangulate.h"
#include "io/mesh_layout.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/// The number of the first triangle of a face: each before it became its corners less two.
static int tgGetFirstTriangle(const tgMeshLayout* layout, int face)
{
    return layout->faceStarts[face] - 2 * face;
}

static tgResult tgCutFaces(tgScene* scene, const tgMeshLayout* layout, tgError* error)
{
    int count = tgGetFirstTriangle(layout, scene->faceCount);
    int* sizes = tgScene_Alloc(scene, (size_t)count, sizeof(int));
    int* triangles = tgScene_Alloc(scene, 3 * (size_t)count, sizeof(int));
    int* corners = malloc(((size_t)layout->largestFace + 1) * sizeof(int));
    if (sizes == NULL || triangles == NULL || corners == NULL) {
        free(corners);
        return tgFail(error, tg_outOfMemory, -1, "no memory for %d triangles", count);
    }
    const tgVec3View positions = {&scene->positions->x, scene->vertexCount, sizeof(tgVec3)};
    for (int f = 0; f < scene->faceCount; ++f) {
        int start = layout->faceStarts[f], size = scene->faceSizes[f];
        memcpy(corners, scene->faceVertices + start, (size_t)size * sizeof(int));
        tgTriangulateFace(positions, corners, size,
                          triangles + 3 * (size_t)tgGetFirstTriangle(layout, f));
    }
    free(corners);
    for (int t = 0; t < count; ++t) {
        sizes[t] = 3;
    }
    for (int p = 0; p < scene->partCount; ++p) {
        tgScenePart* part = &scene->parts[p];
        int first = tgGetFirstTriangle(layout, part->firstFace);
        part->faceCount = tgGetFirstTriangle(layout, part->firstFace + part->faceCount) - first;
        part->firstFace = first;
    }
    scene->faceSizes = sizes;
    scene->faceVertices = triangles;
    scene->faceCount = count;
    return tg_success;
}

tgResult tgScene_Triangulate(tgScene* scene, tgError* error)
{
    bool isCut = true;
    for (int f = 0; f < scene->faceCount; ++f) {
        isCut &= scene->faceSizes[f] == 3;
    }
    if (isCut) {
        return tg_success;
    }
    tgMeshLayout layout = {0};
    tgResult result = tgMeshLayout_Make(&layout, scene, error);
    result = result == tg_success ? tgCutFaces(scene, &layout, error) : result;
    tgMeshLayout_Free(&layout);
    return result;
}
