// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT

#include "core/thickness.h"

#include "core/bvh.h"

#include <math.h>

/// Of the triangles a ray meets the first are its own vertex's; more than so many is no character.
enum { tg_mostHits = 32 };

static tgVec3 tgGetVector(const float* vectors, int v)
{
    const float* p = vectors + 4 * (size_t)v;
    return tgMakeVec3(p[0], p[1], p[2]);
}

/// The first way out of the flesh but by the vertex's own faces.
static float tgLookIn(const tgBvh* bvh, const tgSurface* surface, int v, const tgRay* ray,
                      float most)
{
    tgRayHit hits[tg_mostHits];
    int count = tgBvh_FindAllHits(bvh, surface, ray, hits, tg_mostHits);
    for (int i = 0; i < count && i < tg_mostHits; ++i) {
        const int* corners = surface->triangles + 3 * (size_t)hits[i].triangle;
        bool own = corners[0] == v || corners[1] == v || corners[2] == v;
        if (!own && !hits[i].entering) {
            return fminf((float)hits[i].t, most);
        }
    }
    return most;
}

static void tgTakeLeast(const int* corners, int size, const float* from, float* to)
{
    float least = from[corners[0]];
    for (int k = 1; k < size; ++k) {
        least = fminf(least, from[corners[k]]);
    }
    for (int k = 0; k < size; ++k) {
        to[corners[k]] = fminf(to[corners[k]], least);
    }
}

float* tgMeasureThickness(const tgMesh* mesh, const float* rest, const float* normals, float most,
                          tgScratch* scratch)
{
    int triangleCount = mesh->triangleCount + 2 * mesh->quadCount;
    float* own = tgScratch_Take(scratch, (size_t)mesh->vertexCount, sizeof(float));
    float* least = tgScratch_Take(scratch, (size_t)mesh->vertexCount, sizeof(float));
    int* triangles = tgScratch_Take(scratch, 3 * (size_t)triangleCount, sizeof(int));
    void* memory = tgScratch_Take(scratch, tgBvh_GetSize(triangleCount), 1);
    if (scratch->failed) {
        return NULL;
    }
    tgSplitFaces(mesh->triangles, mesh->triangleCount, mesh->quads, mesh->quadCount, triangles);
    tgSurface surface = {{rest, mesh->vertexCount, 4 * sizeof(float)}, triangles, triangleCount};
    tgBvh bvh;
    tgBvh_Build(&bvh, &surface, memory);
    for (int v = 0; v < mesh->vertexCount; ++v) {
        tgVec3 in = tgNormalize(tgMulSV(-1.0f, tgGetVector(normals, v)), tgMakeVec3(0, 0, 0));
        tgRay ray = {tgGetVector(rest, v), in, 0.0, (double)most};
        least[v] = own[v] = tgDot(in, in) > 0.5f ? tgLookIn(&bvh, &surface, v, &ray, most) : most;
    }
    for (int f = 0; f < mesh->triangleCount; ++f) {
        tgTakeLeast(mesh->triangles + 3 * (size_t)f, 3, own, least);
    }
    for (int f = 0; f < mesh->quadCount; ++f) {
        tgTakeLeast(mesh->quads + 4 * (size_t)f, 4, own, least);
    }
    return least;
}
