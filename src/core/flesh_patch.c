// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The volume that a patch of skin encloses: the cones over its faces, and over a fan from each
// connected border to the mean of its vertices. What faces walk one way, the fan walks back, so the
// surface is closed and the apex of the cones does not matter.

#include "core/flesh_patch.h"

#include "core/volume.h"

bool tgMakePatchMeter(const tgMesh* mesh, const float* rest, tgScratch* scratch,
                      tgPatchMeter* meter)
{
    size_t count = (size_t)mesh->vertexCount;
    *meter = (tgPatchMeter){.mesh = mesh, .rest = rest};
    meter->leader = tgScratch_Take(scratch, count, sizeof(int));
    meter->sum = tgScratch_Take(scratch, count, sizeof(meter->sum[0]));
    meter->count = tgScratch_Take(scratch, count, sizeof(int));
    return !scratch->failed && tgBuildEdges(mesh, scratch, &meter->edges);
}

static bool tgIsInside(const tgMesh* mesh, int f, const bool* inside)
{
    const int* corners = tgMesh_Corners(mesh, f);
    bool all = true;
    for (int k = 0; k < tgMesh_SideCount(mesh, f); ++k) {
        all &= inside[corners[k]];
    }
    return all;
}

static int tgFindLeader(int* leader, int v)
{
    while (leader[v] != v) {
        leader[v] = leader[leader[v]];
        v = leader[v];
    }
    return v;
}

/// How much more often the patch walks an edge from low to high than back.
static int tgGetSurplus(const tgPatchMeter* meter, int edge, const bool* inside)
{
    int surplus = 0;
    for (int u = meter->edges.edgeStart[edge]; u < meter->edges.edgeStart[edge + 1]; ++u) {
        const tgEdgeUse* use = &meter->edges.uses[u];
        if (tgIsInside(meter->mesh, use->face, inside)) {
            surplus += use->forward ? 1 : -1;
        }
    }
    return surplus;
}

/// Borders of the patch: which vertices lie on the same one, and its mean.
static void tgFindBorders(tgPatchMeter* meter, const bool* inside)
{
    int* leader = meter->leader;
    for (int v = 0; v < meter->mesh->vertexCount; ++v) {
        leader[v] = -1;
        meter->count[v] = 0;
        meter->sum[v][0] = meter->sum[v][1] = meter->sum[v][2] = 0.0;
    }
    for (int e = 0; e < meter->edges.edgeCount; ++e) {
        if (tgGetSurplus(meter, e, inside) != 0) {
            const tgEdgeUse* use = &meter->edges.uses[meter->edges.edgeStart[e]];
            leader[use->low] = leader[use->low] < 0 ? use->low : leader[use->low];
            leader[use->high] = leader[use->high] < 0 ? use->high : leader[use->high];
            leader[tgFindLeader(leader, use->high)] = tgFindLeader(leader, use->low);
        }
    }
    for (int v = 0; v < meter->mesh->vertexCount; ++v) {
        if (leader[v] >= 0) {
            int first = tgFindLeader(leader, v);
            meter->count[first] += 1;
            for (int i = 0; i < 3; ++i) {
                meter->sum[first][i] += (double)meter->rest[4 * (size_t)v + (size_t)i];
            }
        }
    }
}

/// Six times the cone over (high, low, mean of their border).
static double tgGetFanCone(const tgPatchMeter* meter, const tgEdgeUse* use, const double apex[3])
{
    int first = tgFindLeader(meter->leader, use->low);
    double a[3], b[3], c[3];
    for (int i = 0; i < 3; ++i) {
        a[i] = (double)meter->rest[4 * (size_t)use->high + (size_t)i] - apex[i];
        b[i] = (double)meter->rest[4 * (size_t)use->low + (size_t)i] - apex[i];
        c[i] = meter->sum[first][i] / meter->count[first] - apex[i];
    }
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
}

double tgMeasurePatch(tgPatchMeter* meter, const bool* inside)
{
    const tgMesh* mesh = meter->mesh;
    const double apex[3] = {(double)meter->rest[0], (double)meter->rest[1], (double)meter->rest[2]};
    tgFindBorders(meter, inside);
    double sum = 0.0;
    for (int f = 0; f < mesh->triangleCount + mesh->quadCount; ++f) {
        if (tgIsInside(mesh, f, inside)) {
            const int* corners = tgMesh_Corners(mesh, f);
            sum += f < mesh->triangleCount ? tgTriangleCone(corners, meter->rest, apex)
                                           : tgQuadCone(corners, meter->rest, apex);
        }
    }
    for (int e = 0; e < meter->edges.edgeCount; ++e) {
        int surplus = tgGetSurplus(meter, e, inside);
        if (surplus != 0) {
            sum +=
                surplus * tgGetFanCone(meter, &meter->edges.uses[meter->edges.edgeStart[e]], apex);
        }
    }
    return sum / 6.0;
}
