// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// All meshes of one drawing as a single list of checked vertices and triangles. Polygons become
// fans that remember which sides were edges; missing normals are made from the faces.

#include "draw/surface.h"

#include "core/core.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static int tgGetFaceSize(const tgDrawMesh* mesh, int f)
{
    return mesh->faceSizes != NULL ? mesh->faceSizes[f] : 3;
}

static tgResult tgCheckMesh(const tgDrawMesh* mesh, int index, tgError* error)
{
    if (mesh->positions.count < 0 || mesh->faceCount < 0) {
        return tgFail(error, tg_invalidArgument, -1, "mesh %d has %d vertices and %d faces", index,
                      mesh->positions.count, mesh->faceCount);
    }
    if (mesh->faceCount == 0) {
        return tg_success;
    }
    if (mesh->positions.data == NULL || mesh->faceVertices == NULL) {
        return tgFail(error, tg_invalidArgument, -1, "mesh %d has faces but no %s", index,
                      mesh->positions.data == NULL ? "positions" : "faceVertices");
    }
    if (mesh->normals.data != NULL && mesh->normals.count != mesh->positions.count) {
        return tgFail(error, tg_invalidArgument, -1, "mesh %d has %d positions and %d normals",
                      index, mesh->positions.count, mesh->normals.count);
    }
    const int* corners = mesh->faceVertices;
    for (int f = 0; f < mesh->faceCount; ++f) {
        int size = tgGetFaceSize(mesh, f);
        if (size < 3) {
            return tgFail(error, tg_invalidMesh, f, "face %d has %d corners, expected 3 or more", f,
                          size);
        }
        for (int k = 0; k < size; ++k) {
            int v = corners[k];
            if (v < 0 || v >= mesh->positions.count) {
                return tgFail(error, tg_invalidMesh, f, "face %d uses vertex %d, the mesh has %d",
                              f, v, mesh->positions.count);
            }
            tgVec3 p = tgVec3View_Get(mesh->positions, v);
            if (!tgIsDrawable(p)) {
                return tgFail(error, tg_invalidMesh, v, "vertex %d is at (%g, %g, %g)", v,
                              (double)p.x, (double)p.y, (double)p.z);
            }
        }
        corners += size;
    }
    return tg_success;
}

/// Copy the vertices that faces use, and cut the faces into triangles.
static void tgAddMesh(tgSurface* surface, const tgDrawMesh* mesh, int firstVertex)
{
    const int* corners = mesh->faceVertices;
    for (int f = 0; f < mesh->faceCount; ++f) {
        int size = tgGetFaceSize(mesh, f);
        for (int k = 0; k < size; ++k) {
            int v = corners[k];
            const tgColor* color =
                mesh->vertexColors != NULL ? &mesh->vertexColors[v] : &mesh->color;
            tgSurfaceVertex* vertex = &surface->vertices[firstVertex + v];
            vertex->position = tgVec3View_Get(mesh->positions, v);
            if (mesh->normals.data != NULL) {
                vertex->normal = tgVec3View_Get(mesh->normals, v);
            }
            vertex->r = color->r;
            vertex->g = color->g;
            vertex->b = color->b;
            vertex->sky = 1.0f;
            vertex->key = 1.0f;
            vertex->used = true;
        }
        for (int k = 1; k + 1 < size; ++k) {
            tgSurfaceTriangle* triangle = &surface->triangles[surface->triangleCount++];
            triangle->corners[0] = firstVertex + corners[0];
            triangle->corners[1] = firstVertex + corners[k];
            triangle->corners[2] = firstVertex + corners[k + 1];
            triangle->edges = 0;
            triangle->ghost = mesh->ghost;
            triangle->twoSided = mesh->twoSided;
            if (mesh->wireframe) {
                triangle->edges = 1u | (k + 2 == size ? 2u : 0u) | (k == 1 ? 4u : 0u);
            }
        }
        corners += size;
    }
}

/// Area-weighted normals for the vertices of one mesh.
static void tgMakeNormals(tgSurface* surface, int firstTriangle)
{
    for (int f = firstTriangle; f < surface->triangleCount; ++f) {
        tgSurfaceVertex* corner[3];
        for (int k = 0; k < 3; ++k) {
            corner[k] = &surface->vertices[surface->triangles[f].corners[k]];
        }
        tgVec3 normal = tgCross(tgSub(corner[1]->position, corner[0]->position),
                                tgSub(corner[2]->position, corner[0]->position));
        for (int k = 0; k < 3; ++k) {
            corner[k]->normal = tgAdd(corner[k]->normal, normal);
        }
    }
}

static void tgFinishVertices(tgSurface* surface)
{
    surface->bounds = tgEmptyBounds();
    for (int v = 0; v < surface->vertexCount; ++v) {
        tgSurfaceVertex* vertex = &surface->vertices[v];
        if (vertex->used) {
            tgVec3View point = {&vertex->position.x, 1, (int)sizeof(tgVec3)};
            tgBounds_Add(&surface->bounds, point);
            tgVec3 up = tgMakeVec3(0.0f, 1.0f, 0.0f);
            bool finite = tgIsFiniteVec3(vertex->normal);
            vertex->normal = finite ? tgNormalize(vertex->normal, up) : up;
        }
    }
}

static tgResult tgMeasureMeshes(const tgDrawMesh* meshes, int meshCount, tgSurface* surface,
                                tgError* error)
{
    long long vertexCount = 0;
    long long triangleCount = 0;
    for (int i = 0; i < meshCount; ++i) {
        tgResult result = tgCheckMesh(&meshes[i], i, error);
        if (result != tg_success) {
            return result;
        }
        vertexCount += meshes[i].positions.count;
        for (int f = 0; f < meshes[i].faceCount; ++f) {
            triangleCount += tgGetFaceSize(&meshes[i], f) - 2;
        }
    }
    if (vertexCount > INT_MAX || triangleCount > INT_MAX) {
        return tgFail(error, tg_unsupported, -1, "more than %d vertices or triangles", INT_MAX);
    }
    surface->vertexCount = (int)vertexCount;
    surface->triangleCount = (int)triangleCount;
    return tg_success;
}

tgResult tgBuildSurface(const tgDrawMesh* meshes, int meshCount, tgSurface* surface, tgError* error)
{
    memset(surface, 0, sizeof(*surface));
    tgResult result = tgMeasureMeshes(meshes, meshCount, surface, error);
    if (result != tg_success) {
        return result;
    }
    // One more of each, because calloc(0) may return NULL.
    surface->vertices = calloc((size_t)surface->vertexCount + 1, sizeof(tgSurfaceVertex));
    surface->triangles = calloc((size_t)surface->triangleCount + 1, sizeof(tgSurfaceTriangle));
    if (surface->vertices == NULL || surface->triangles == NULL) {
        tgFreeSurface(surface);
        return tgFail(error, tg_outOfMemory, -1, "no memory to draw %d vertices",
                      surface->vertexCount);
    }
    surface->triangleCount = 0;
    int firstVertex = 0;
    for (int i = 0; i < meshCount; ++i) {
        int firstTriangle = surface->triangleCount;
        tgAddMesh(surface, &meshes[i], firstVertex);
        if (meshes[i].normals.data == NULL) {
            tgMakeNormals(surface, firstTriangle);
        }
        firstVertex += meshes[i].positions.count;
    }
    tgFinishVertices(surface);
    return tg_success;
}

void tgFreeSurface(tgSurface* surface)
{
    free(surface->vertices);
    free(surface->triangles);
    free(surface->wholes);
    surface->vertices = NULL;
    surface->triangles = NULL;
    surface->wholes = NULL;
}
