// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT

#include "core/roundness.h"

#include <math.h>

/// Beside a ridge skin gets rounder by this part of the way from it: where a bulge ends at once
/// faces would turn over as well.
static const float tg_rise = 0.5f;

static tgVec3 tgGetVector(const float* vectors, int v)
{
    const float* p = vectors + 4 * (size_t)v;
    return tgMakeVec3(p[0], p[1], p[2]);
}

/// Along an edge of length l normals turn by l / r. On a circle, chord over difference is r itself.
static float tgGetEdgeRadius(const float* rest, const float* normals, int a, int b, float most)
{
    tgVec3 none = {0.0f, 0.0f, 0.0f};
    tgVec3 from = tgNormalize(tgGetVector(normals, a), none);
    tgVec3 to = tgNormalize(tgGetVector(normals, b), none);
    float turn = tgDistance(from, to);
    float length = tgDistance(tgGetVector(rest, a), tgGetVector(rest, b));
    return length < most * turn ? length / turn : most;
}

static void tgTakeEdges(const tgReach* reach, const float* normals, const int* corners, int size,
                        float most, float* radii)
{
    for (int k = 0; k < size; ++k) {
        int a = corners[k], b = corners[(k + 1) % size];
        float radius = tgGetEdgeRadius(reach->rest, normals, a, b, most);
        radii[a] = fminf(radii[a], radius);
        radii[b] = fminf(radii[b], radius);
    }
}

float* tgMeasureRoundness(const tgMesh* mesh, const float* normals, float most, tgReach* reach,
                          tgScratch* scratch)
{
    float* radii = tgScratch_Take(scratch, (size_t)mesh->vertexCount, sizeof(float));
    if (scratch->failed) {
        return NULL;
    }
    for (int v = 0; v < mesh->vertexCount; ++v) {
        radii[v] = most;
    }
    for (int t = 0; t < mesh->triangleCount; ++t) {
        tgTakeEdges(reach, normals, mesh->triangles + 3 * (size_t)t, 3, most, radii);
    }
    for (int q = 0; q < mesh->quadCount; ++q) {
        tgTakeEdges(reach, normals, mesh->quads + 4 * (size_t)q, 4, most, radii);
    }
    for (int v = 0; v < mesh->vertexCount; ++v) {
        reach->distances[v] = radii[v] / tg_rise;
    }
    tgSpreadReach(reach, most / tg_rise);
    for (int v = 0; v < mesh->vertexCount; ++v) {
        radii[v] = tg_rise * reach->distances[v];
    }
    return radii;
}
