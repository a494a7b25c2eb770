// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Thickness of the flesh behind each vertex: rays inwards, against the tree of boxes.

#include "core/thickness.h"

#include "core/bvh.h"

#include <math.h>

/// More faces in a ray's way than so many is no character.
enum { tg_mostHits = 32 };
/// From one to the next a ray goes at least this part of its length: past the vertex's own faces.
static const double tg_rayStep = 1e-6;

static tgVec3 tgGetVector(const float* vectors, int v)
{
    const float* p = vectors + 4 * (size_t)v;
    return tgMakeVec3(p[0], p[1], p[2]);
}

/// Where a ray next comes out of the flesh, or into it again, but by the vertex's own faces.
static float tgLook(const tgBvh* bvh, const tgSurface* surface, int v, tgRay ray, bool entering)
{
    double step = tg_rayStep * ray.to;
    tgRayHit hit;
    ray.from = step;
    for (int i = 0; i < tg_mostHits && tgBvh_FindNearestHit(bvh, surface, &ray, &hit); ++i) {
        const int* corners = surface->triangles + 3 * (size_t)hit.triangle;
        bool own = corners[0] == v || corners[1] == v || corners[2] == v;
        if (!own && hit.entering == entering) {
            return fminf((float)hit.t, (float)ray.to);
        }
        ray.from = hit.t + step;
    }
    return (float)ray.to;
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

/// The least of a vertex and those it shares a face with.
static void tgSpreadLeast(const tgMesh* mesh, const float* own, float* least)
{
    for (int v = 0; v < mesh->vertexCount; ++v) {
        least[v] = own[v];
    }
    for (int f = 0; f < mesh->triangleCount; ++f) {
        tgTakeLeast(mesh->triangles + 3 * (size_t)f, 3, own, least);
    }
    for (int f = 0; f < mesh->quadCount; ++f) {
        tgTakeLeast(mesh->quads + 4 * (size_t)f, 4, own, least);
    }
}

bool tgMeasureThickness(const tgMesh* mesh, const float* rest, const float* normals, float most,
                        tgScratch* scratch, tgThickness* thickness)
{
    int triangleCount = mesh->triangleCount + 2 * mesh->quadCount;
    size_t count = (size_t)mesh->vertexCount;
    thickness->flesh = tgScratch_Take(scratch, count, sizeof(float));
    thickness->air = tgScratch_Take(scratch, count, sizeof(float));
    tgScratch step = tgScratch_BeginStep(scratch);
    float* own[2] = {tgScratch_Take(&step, count, sizeof(float)),
                     tgScratch_Take(&step, count, sizeof(float))};
    int* triangles = tgScratch_Take(&step, 3 * (size_t)triangleCount, sizeof(int));
    void* memory = tgScratch_Take(&step, tgBvh_GetSize(triangleCount), 1);
    if (step.failed) {
        return tgScratch_EndStep(&step, scratch);
    }
    tgSplitFaces(mesh->triangles, mesh->triangleCount, mesh->quads, mesh->quadCount, triangles);
    tgSurface surface = {{rest, mesh->vertexCount, 4 * sizeof(float)}, triangles, triangleCount};
    tgBvh bvh;
    tgBvh_Build(&bvh, &surface, memory);
    for (int v = 0; v < mesh->vertexCount; ++v) {
        tgVec3 out = tgNormalize(tgGetVector(normals, v), tgMakeVec3(0, 0, 0));
        bool hasNormal = tgDot(out, out) > 0.5f;
        for (int way = 0; way < 2; ++way) {
            tgRay ray = {tgGetVector(rest, v), way == 0 ? tgMulSV(-1.0f, out) : out, 0.0,
                         (double)most};
            own[way][v] = hasNormal ? tgLook(&bvh, &surface, v, ray, way == 1) : most;
        }
    }
    tgSpreadLeast(mesh, own[0], thickness->flesh);
    tgSpreadLeast(mesh, own[1], thickness->air);
    return tgScratch_EndStep(&step, scratch);
}
