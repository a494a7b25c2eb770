// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// From the faces of a definition to a body with an inside. The core welds, turns faces outwards and
// caps holes, so that crossings along any line add up to whole winding numbers, on any mesh.

#include "bind/body.h"

#include "core/core.h"
#include "core/volume.h"

#include <string.h>

/// Vertices closer than this fraction of the diagonal are one.
static const float tg_weldTolerance = 1e-6f;

static tgResult tgCheckPositions(tgVec3View positions, const char* what, tgError* error)
{
    for (int i = 0; i < positions.count; ++i) {
        tgVec3 p = tgVec3View_Get(positions, i);
        if (!tgIsFiniteVec3(p)) {
            return tgFail(error, tg_invalidMesh, i,
                          "%s %d is at (%g, %g, %g), expected finite numbers", what, i, (double)p.x,
                          (double)p.y, (double)p.z);
        }
    }
    return tg_success;
}

/// One joint for all: only places tell vertices apart.
static bool tgMakeOneInfluence(int vertexCount, tgScratch* scratch, tgInfluences* influences)
{
    size_t count = (size_t)vertexCount;
    influences->vertexCount = vertexCount;
    influences->most = 1;
    influences->start = tgScratch_Take(scratch, count + 1, sizeof(int));
    influences->joints = tgScratch_Take(scratch, count, sizeof(int));
    influences->weights = tgScratch_Take(scratch, count, sizeof(float));
    for (int v = 0; !scratch->failed && v < vertexCount; ++v) {
        influences->start[v + 1] = v + 1;
        influences->weights[v] = 1.0f;
    }
    return !scratch->failed;
}

static void tgMeasureBox(const tgVec3* positions, const int* vertices, int count, tgVec3* low,
                         tgVec3* high)
{
    *low = tgMakeVec3(HUGE_VALF, HUGE_VALF, HUGE_VALF);
    *high = tgMakeVec3(-HUGE_VALF, -HUGE_VALF, -HUGE_VALF);
    for (int i = 0; i < count; ++i) {
        tgVec3 p = positions[vertices != NULL ? vertices[i] : i];
        *low = tgMakeVec3(fminf(low->x, p.x), fminf(low->y, p.y), fminf(low->z, p.z));
        *high = tgMakeVec3(fmaxf(high->x, p.x), fmaxf(high->y, p.y), fmaxf(high->z, p.z));
    }
}

/// Quads become two triangles along the shorter diagonal, so that mirrored quads are cut alike.
static void tgListTriangles(tgBody* body)
{
    const tgMesh* mesh = &body->mesh;
    int* out = body->triangles;
    memcpy(out, mesh->triangles, 3 * (size_t)mesh->triangleCount * sizeof(int));
    out += 3 * (size_t)mesh->triangleCount;
    for (int q = 0; q < mesh->quadCount; ++q, out += 6) {
        const int* c = mesh->quads + 4 * (size_t)q;
        const tgVec3* p = body->positions;
        bool first = tgDistance(p[c[0]], p[c[2]]) <= tgDistance(p[c[1]], p[c[3]]);
        const int cut[6] = {c[0], c[1], first ? c[2] : c[3], first ? c[0] : c[1], c[2], c[3]};
        memcpy(out, cut, sizeof(cut));
    }
    memcpy(out, mesh->triangles + 3 * (size_t)mesh->triangleCount,
           3 * (size_t)mesh->capTriangleCount * sizeof(int));
}

/// aroundStart[v + 1] counts, then walks.
static void tgListAround(tgBody* body, int* walk)
{
    for (int i = 0; i < 3 * body->realCount; ++i) {
        body->aroundStart[body->triangles[i] + 1] += 1;
    }
    for (int v = 0; v < body->vertexCount; ++v) {
        body->aroundStart[v + 1] += body->aroundStart[v];
        walk[v] = body->aroundStart[v];
    }
    for (int i = 0; i < 3 * body->realCount; ++i) {
        body->around[walk[body->triangles[i]]++] = i / 3;
    }
}

static void tgMakeNormals(tgBody* body)
{
    for (int t = 0; t < body->realCount; ++t) {
        tgVec3 a = tgBody_Corner(body, t, 0);
        tgVec3 area =
            tgCross(tgSub(tgBody_Corner(body, t, 1), a), tgSub(tgBody_Corner(body, t, 2), a));
        for (int k = 0; k < 3; ++k) {
            tgVec3* normal = &body->normals[body->triangles[3 * (size_t)t + (size_t)k]];
            *normal = tgAdd(*normal, area);
        }
    }
    for (int v = 0; v < body->vertexCount; ++v) {
        body->normals[v] = tgNormalize(body->normals[v], tgMakeVec3(0.0f, 0.0f, 0.0f));
    }
}

/// The welded places, and the middle of each cap.
static bool tgPlaceVertices(const tgBindDef* def, tgScratch* scratch, tgBody* body)
{
    const tgMesh* mesh = &body->mesh;
    size_t count = (size_t)mesh->vertexCount + (size_t)mesh->loopCount;
    float* places = tgScratch_Take(scratch, 4 * count, sizeof(float));
    body->positions = tgScratch_Take(scratch, count, sizeof(tgVec3));
    if (scratch->failed) {
        return false;
    }
    for (int v = 0; v < mesh->vertexCount; ++v) {
        tgVec3 p = tgVec3View_Get(def->positions, mesh->vertexToRender[v]);
        memcpy(places + 4 * (size_t)v, &p, sizeof(p));
    }
    tgPlaceCapCenters(mesh, places);
    for (size_t v = 0; v < count; ++v) {
        memcpy(&body->positions[v], places + 4 * v, sizeof(tgVec3));
    }
    return true;
}

static bool tgFillBody(const tgBindDef* def, tgScratch* scratch, tgBody* body)
{
    const tgMesh* mesh = &body->mesh;
    body->vertexCount = mesh->vertexCount;
    body->realCount = mesh->triangleCount + 2 * mesh->quadCount;
    body->triangleCount = body->realCount + mesh->capTriangleCount;
    size_t vertexCount = (size_t)body->vertexCount;
    body->normals = tgScratch_Take(scratch, vertexCount, sizeof(tgVec3));
    body->triangles = tgScratch_Take(scratch, 3 * (size_t)body->triangleCount, sizeof(int));
    body->aroundStart = tgScratch_Take(scratch, vertexCount + 1, sizeof(int));
    body->around = tgScratch_Take(scratch, 3 * (size_t)body->realCount, sizeof(int));
    int* walk = tgScratch_Take(scratch, vertexCount, sizeof(int));
    if (!tgPlaceVertices(def, scratch, body)) {
        return false;
    }
    tgListTriangles(body);
    tgListAround(body, walk);
    tgMakeNormals(body);
    tgMeasureBox(body->positions, body->triangles, 3 * body->realCount, &body->low, &body->high);
    body->diagonal = tgDistance(body->low, body->high);
    return true;
}

tgResult tgBuildBody(const tgBindDef* def, tgScratch* scratch, tgBody* body, tgError* error)
{
    tgResult result = tgCheckPositions(def->positions, "vertex", error);
    if (result == tg_success) {
        result = tgCheckPositions(def->jointPositions, "joint", error);
    }
    tgInfluences influences;
    if (result == tg_success && !tgMakeOneInfluence(def->positions.count, scratch, &influences)) {
        result =
            tgFail(error, tg_outOfMemory, -1, "no memory for %d vertices", def->positions.count);
    }
    if (result != tg_success) {
        return result;
    }
    tgRigDef rigDef = tgDefaultRigDef();
    rigDef.restPositions = def->positions;
    rigDef.faceVertices = def->faceVertices;
    rigDef.faceSizes = def->faceSizes;
    rigDef.faceCount = def->faceCount;
    tgVec3 low = tgVec3View_Get(def->positions, 0), high = low;
    for (int i = 1; i < def->positions.count; ++i) {
        tgVec3 p = tgVec3View_Get(def->positions, i);
        low = tgMakeVec3(fminf(low.x, p.x), fminf(low.y, p.y), fminf(low.z, p.z));
        high = tgMakeVec3(fmaxf(high.x, p.x), fmaxf(high.y, p.y), fmaxf(high.z, p.z));
    }
    float tolerance = tg_weldTolerance * tgDistance(low, high);
    if (!(isfinite(tolerance) && tolerance > 0.0f)) {
        return tgFail(error, tg_invalidMesh, -1,
                      "the mesh is %g across, expected a size above 0 that a float can hold",
                      (double)tgDistance(low, high));
    }
    result = tgBuildMesh(&rigDef, &influences, tolerance, scratch, &body->mesh, error);
    if (result == tg_success && !tgFillBody(def, scratch, body)) {
        result = tgFail(error, tg_outOfMemory, -1, "no memory for the mesh");
    }
    if (result == tg_success && !(body->diagonal > 0.0f)) {
        result = tgFail(error, tg_invalidMesh, -1, "all faces are in one point");
    }
    return result;
}
