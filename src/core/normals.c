// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Vertex normals of the result: the faces' vector areas summed round each vertex, a hard edge
// keeping its two sides apart, then brought to length 1.

#include "core/normals.h"

#include "core/volume.h"

#include <string.h>

/// Cosine above which two rest normals are one: 2 degrees, above the rounding of 8-bit normals.
static const float tg_sameNormalCosine = 0.9994f;

static bool tgSameNormal(const tgRigDef* def, int renderA, int renderB)
{
    tgVec3 none = {0.0f, 0.0f, 0.0f};
    tgVec3 a = tgNormalize(tgVec3View_Get(def->restNormals, renderA), none);
    tgVec3 b = tgNormalize(tgVec3View_Get(def->restNormals, renderB), none);
    return tgDot(a, b) >= tg_sameNormalCosine;
}

bool tgBuildNormalElements(const tgRigDef* def, const tgMesh* mesh, tgScratch* scratch,
                           tgNormalMap* map)
{
    size_t renderCount = (size_t)mesh->renderCount;
    // Elements of one vertex form a list. While building, extras are numbered from vertexCount on.
    int* next = tgScratch_Take(scratch, (size_t)mesh->vertexCount + renderCount, sizeof(int));
    int* firstRender =
        tgScratch_Take(scratch, (size_t)mesh->vertexCount + renderCount, sizeof(int));
    map->extraVertices = tgScratch_Take(scratch, renderCount, sizeof(int));
    map->renderToElement = tgScratch_Take(scratch, renderCount, sizeof(int));
    if (scratch->failed) {
        return false;
    }
    for (int r = 0; r < mesh->renderCount; ++r) {
        int v = mesh->renderToVertex[r];
        if (mesh->vertexToRender[v] == r || def->restNormals.data == NULL) {
            firstRender[v] = mesh->vertexToRender[v];
            map->renderToElement[r] = v;
            continue;
        }
        int element = v;
        bool same = tgSameNormal(def, r, firstRender[element]);
        while (!same && next[element] != 0) {
            element = next[element];
            same = tgSameNormal(def, r, firstRender[element]);
        }
        if (!same) {
            int extra = mesh->vertexCount + map->extraCount;
            map->extraVertices[map->extraCount++] = v;
            firstRender[extra] = r;
            next[element] = extra;
            element = extra;
        }
        map->renderToElement[r] = element;
    }
    return true;
}

/// Slots of the corners that belong to each element; caps do not count.
static bool tgListNormalSlots(const tgMesh* mesh, int elementCount, tgScratch* scratch,
                              tgNormalMap* map)
{
    int triangleCorners = 3 * mesh->triangleCount, quadCorners = 4 * mesh->quadCount;
    int firstQuadSlot = mesh->triangleCount + mesh->capTriangleCount;
    int* start = tgScratch_Take(scratch, (size_t)elementCount + 2, sizeof(int));
    map->slotList = tgScratch_Take(scratch, (size_t)(triangleCorners + quadCorners), sizeof(int));
    if (scratch->failed) {
        return false;
    }
    const int* renderToElement = map->renderToElement;
    for (int i = 0; i < triangleCorners; ++i) {
        start[renderToElement[mesh->triangleRender[i]] + 2] += 1;
    }
    for (int i = 0; i < quadCorners; ++i) {
        start[renderToElement[mesh->quadRender[i]] + 2] += 1;
    }
    for (int e = 0; e < elementCount; ++e) {
        start[e + 2] += start[e + 1];
    }
    for (int i = 0; i < triangleCorners; ++i) {
        map->slotList[start[renderToElement[mesh->triangleRender[i]] + 1]++] = i / 3;
    }
    for (int i = 0; i < quadCorners; ++i) {
        map->slotList[start[renderToElement[mesh->quadRender[i]] + 1]++] = firstQuadSlot + i;
    }
    map->start = start;
    return true;
}

static void tgTurnReversed(const tgNormalMap* map, float* normals)
{
    for (int i = 0; i < map->reversedCount; ++i) {
        float* n = normals + 4 * (size_t)map->reversed[i];
        n[0] = -n[0];
        n[1] = -n[1];
        n[2] = -n[2];
    }
}

/// Lists the elements whose normals are to look against the faces' outer side: where the rest
/// normal does, or without rest normals, where the faces came that way.
static bool tgFindReversed(const tgRigDef* def, const tgMesh* mesh, int elementCount,
                           tgScratch* scratch, tgNormalMap* map)
{
    map->reversed = tgScratch_Take(scratch, (size_t)elementCount, sizeof(int));
    bool* against = tgScratch_Take(scratch, (size_t)elementCount, sizeof(bool));
    if (scratch->failed) {
        return false;
    }
    for (int i = 0; i < 3 * mesh->triangleCount; ++i) {
        against[map->renderToElement[mesh->triangleRender[i]]] |= mesh->faceTurned[i / 3];
    }
    for (int i = 0; i < 4 * mesh->quadCount; ++i) {
        against[map->renderToElement[mesh->quadRender[i]]] |=
            mesh->faceTurned[mesh->triangleCount + i / 4];
    }
    for (int r = mesh->renderCount - 1; r >= 0 && def->restNormals.data != NULL; --r) {
        const float* n = map->rest + 4 * (size_t)map->renderToElement[r];
        tgVec3 surface = tgMakeVec3(n[0], n[1], n[2]);
        against[map->renderToElement[r]] =
            tgDot(tgVec3View_Get(def->restNormals, r), surface) < 0.0f;
    }
    for (int e = 0; e < elementCount; ++e) {
        if (against[e]) {
            map->reversed[map->reversedCount++] = e;
        }
    }
    return true;
}

bool tgBuildNormals(const tgRigDef* def, const tgMesh* mesh, const float* rest, int extraStart,
                    int elementCount, tgScratch* scratch, tgNormalMap* map)
{
    for (int r = 0; r < mesh->renderCount; ++r) {
        if (map->renderToElement[r] >= mesh->vertexCount) {
            map->renderToElement[r] += extraStart - mesh->vertexCount;
        }
    }
    float* slots = tgScratch_Take(scratch, 4 * (size_t)tgMesh_SlotCount(mesh), sizeof(float));
    map->rest = tgScratch_Take(scratch, 4 * (size_t)elementCount, sizeof(float));
    if (!tgListNormalSlots(mesh, elementCount, scratch, map)) {
        return false;
    }
    const tgParallel here = {0};
    const tgKernels* kernels = tgSelectKernels(tg_simdScalar);
    tgRunFaceSlots(&here, kernels, mesh, rest, slots);
    tgRunNormals(&here, kernels, map, slots, map->rest, elementCount);
    if (!tgFindReversed(def, mesh, elementCount, scratch, map)) {
        return false;
    }
    tgTurnReversed(map, map->rest);
    for (int r = mesh->renderCount - 1; r >= 0 && def->restNormals.data != NULL; --r) {
        // Backwards, so that the first render vertex of an element has the last word.
        float* out = map->rest + 4 * (size_t)map->renderToElement[r];
        tgVec3 surface = tgMakeVec3(out[0], out[1], out[2]);
        tgVec3 normal = tgNormalize(tgVec3View_Get(def->restNormals, r), surface);
        out[0] = normal.x;
        out[1] = normal.y;
        out[2] = normal.z;
    }
    return true;
}

void tgNormalMap_Place(const tgNormalMap* built, int renderCount, int elementCount,
                       tgLayout* layout, tgNormalMap* placed)
{
    size_t renders = (size_t)renderCount, elements = (size_t)elementCount;
    size_t slots = (size_t)built->start[elementCount];
    *placed = *built;
    placed->extraVertices = NULL;
    placed->renderToElement = tgLayout_Take(layout, renders, sizeof(int));
    placed->start = tgLayout_Take(layout, elements + 1, sizeof(int));
    placed->slotList = tgLayout_Take(layout, slots, sizeof(int));
    placed->rest = tgLayout_Take(layout, 4 * elements, sizeof(float));
    placed->reversed = tgLayout_Take(layout, (size_t)built->reversedCount, sizeof(int));
    if (layout->base == NULL) {
        return;
    }
    memcpy(placed->renderToElement, built->renderToElement, renders * sizeof(int));
    memcpy(placed->start, built->start, (elements + 1) * sizeof(int));
    memcpy(placed->slotList, built->slotList, slots * sizeof(int));
    memcpy(placed->rest, built->rest, 4 * elements * sizeof(float));
    memcpy(placed->reversed, built->reversed, (size_t)built->reversedCount * sizeof(int));
}

typedef struct tgNormalLoop {
    const tgGatherTask* task;
    const tgKernels* kernels;
} tgNormalLoop;

static void tgNormalBlock(int block, int begin, int end, void* context)
{
    (void)block;
    const tgNormalLoop* loop = context;
    loop->kernels->gatherNormals(loop->task, begin, end);
}

void tgRunNormals(const tgParallel* parallel, const tgKernels* kernels, const tgNormalMap* map,
                  const float* slots, float* normals, int elementCount)
{
    tgGatherTask task = {
        .start = map->start, .slotList = map->slotList, .slots = slots, .out = normals};
    tgNormalLoop loop = {&task, kernels};
    tgParallelBlocks(parallel, elementCount, tgNormalBlock, &loop);
    tgTurnReversed(map, normals);
}
