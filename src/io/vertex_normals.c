// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Unit normals from faces: the area vectors of all faces that meet at one place, summed. Vertices
// at equal positions count as one place, so that texture seams do not show in the shading.

#include "io/vertex_normals.h"

#include "core/core.h"

#include <stdlib.h>
#include <string.h>

/// A squared length this close to 1 is left as it is.
static const float tg_unitSlop = 1e-5f;

typedef struct tgPlacedVertex {
    tgVec3 position;
    int vertex;
} tgPlacedVertex;

static int tgCompareFloats(float a, float b)
{
    return (a > b) - (a < b);
}

static int tgComparePlaces(const void* left, const void* right)
{
    const tgPlacedVertex* a = left;
    const tgPlacedVertex* b = right;
    int order = tgCompareFloats(a->position.x, b->position.x);
    order = order != 0 ? order : tgCompareFloats(a->position.y, b->position.y);
    order = order != 0 ? order : tgCompareFloats(a->position.z, b->position.z);
    return order != 0 ? order : (a->vertex > b->vertex) - (a->vertex < b->vertex);
}

static void tgSumFaces(const tgScene* scene, const tgMeshLayout* layout, const tgVec3* positions,
                       tgVec3* normals)
{
    memset(normals, 0, (size_t)scene->vertexCount * sizeof(*normals));
    for (int part = 0; part < layout->partCount; ++part) {
        int firstFace = layout->parts[part].firstFace;
        for (int f = firstFace; f < firstFace + layout->parts[part].faceCount; ++f) {
            const int* corners = scene->faceVertices + layout->faceStarts[f];
            int size = layout->faceStarts[f + 1] - layout->faceStarts[f];
            tgVec3 area = {0.0f, 0.0f, 0.0f};
            for (int k = 1; k + 1 < size; ++k) {
                tgVec3 origin = positions[corners[0]];
                area = tgAdd(area, tgCross(tgSub(positions[corners[k]], origin),
                                           tgSub(positions[corners[k + 1]], origin)));
            }
            for (int k = 0; k < size; ++k) {
                normals[corners[k]] = tgAdd(normals[corners[k]], area);
            }
        }
    }
}

static void tgSumPlaces(const tgPlacedVertex* places, int count, tgVec3* normals)
{
    for (int begin = 0, end = 0; begin < count; begin = end) {
        tgVec3 sum = {0.0f, 0.0f, 0.0f};
        tgVec3 p = places[begin].position;
        for (; end < count && places[end].position.x == p.x && places[end].position.y == p.y &&
               places[end].position.z == p.z;
             ++end) {
            sum = tgAdd(sum, normals[places[end].vertex]);
        }
        for (int i = begin; i < end; ++i) {
            normals[places[i].vertex] = sum;
        }
    }
}

/// `v` made unit; `fallback` when it has no direction.
static tgVec3 tgMakeUnit(tgVec3 v, tgVec3 fallback)
{
    float squared = tgDot(v, v);
    if (fabsf(squared - 1.0f) <= tg_unitSlop) {
        return v;
    }
    float largest = fmaxf(fabsf(v.x), fmaxf(fabsf(v.y), fabsf(v.z)));
    if (!tgIsFiniteVec3(v) || !(largest > 0.0f)) {
        return fallback;
    }
    // Tiny and huge meshes have areas whose squares leave the range of float.
    tgVec3 scaled = tgMakeVec3(v.x / largest, v.y / largest, v.z / largest);
    return tgNormalize(scaled, fallback);
}

tgResult tgMakeUnitNormals(const tgScene* scene, const tgMeshLayout* layout,
                           const tgVec3* positions, const tgVec3* given, tgVec3* normals,
                           tgError* error)
{
    int count = scene->vertexCount;
    tgPlacedVertex* places = malloc((size_t)count * sizeof(*places));
    if (places == NULL) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for the normals of %d vertices", count);
    }
    for (int v = 0; v < count; ++v) {
        places[v] = (tgPlacedVertex){positions[v], v};
    }
    qsort(places, (size_t)count, sizeof(*places), tgComparePlaces);
    tgSumFaces(scene, layout, positions, normals);
    tgSumPlaces(places, count, normals);
    free(places);
    tgVec3 up = tgMakeVec3(0.0f, 1.0f, 0.0f);
    for (int v = 0; v < count; ++v) {
        tgVec3 fromFaces = tgMakeUnit(normals[v], up);
        normals[v] = given != NULL ? tgMakeUnit(given[v], fromFaces) : fromFaces;
    }
    return tg_success;
}
