// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Vertex normals of the result: the faces' vector areas summed round each vertex, a hard edge
// keeping its two sides apart, then brought to length 1.
//
// Two triangles (v, a, b) and (v, b, c) that meet in an edge at v are one wedge: (a - v) x (b - v)
// + (b - v) x (c - v) = (b - v) x (c - a), one product for two. A triangle alone (v, b, c) is the
// wedge (b - v) x (c - v). A quad is the mean of its two triangulations (see kernels_faces.inl):
// twice its share at corner a is (b - a) x (d - a) + (c - a) x (d - b), two wedges; where there are
// quads triangles count twice.

#include "core/normals.h"

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

/// Corners of faces by the element that they belong to: 3 t + k of triangles, then 4 q + k of
/// quads; caps do not count.
typedef struct tgCornerList {
    int* start;
    int* corners;
} tgCornerList;

static bool tgListCorners(const tgMesh* mesh, const int* renderToElement, int elementCount,
                          tgScratch* scratch, tgCornerList* list)
{
    int triangleCorners = 3 * mesh->triangleCount, quadCorners = 4 * mesh->quadCount;
    int* start = tgScratch_Take(scratch, (size_t)elementCount + 2, sizeof(int));
    list->corners = tgScratch_Take(scratch, (size_t)(triangleCorners + quadCorners), sizeof(int));
    if (scratch->failed) {
        return false;
    }
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
        list->corners[start[renderToElement[mesh->triangleRender[i]] + 1]++] = i;
    }
    for (int i = 0; i < quadCorners; ++i) {
        list->corners[start[renderToElement[mesh->quadRender[i]] + 1]++] = triangleCorners + i;
    }
    list->start = start;
    return true;
}

/// A corner as its vertex sees it: the vertices after and before it, and across in a quad.
typedef struct tgCorner {
    int next, across, last;
    bool isQuad;
} tgCorner;

static tgCorner tgGetCorner(const tgMesh* mesh, int corner)
{
    int triangleCorners = 3 * mesh->triangleCount;
    if (corner < triangleCorners) {
        const int* f = mesh->triangles + corner / 3 * 3;
        int k = corner % 3;
        return (tgCorner){f[(k + 1) % 3], -1, f[(k + 2) % 3], false};
    }
    const int* f = mesh->quads + (corner - triangleCorners) / 4 * 4;
    int k = (corner - triangleCorners) % 4;
    return (tgCorner){f[(k + 1) % 4], f[(k + 2) % 4], f[(k + 3) % 4], true};
}

static bool tgFollows(tgCorner before, tgCorner after)
{
    return before.last == after.next && before.isQuad == after.isQuad;
}

/// Which of fan[i] to fan[count - 1] comes next: the one that begins where fan[i - 1] ends; where
/// there is none, one that begins a fan of its own; else any.
static int tgFindNext(const tgCorner* fan, int i, int count)
{
    for (int k = i; i > 0 && k < count; ++k) {
        if (tgFollows(fan[i - 1], fan[k])) {
            return k;
        }
    }
    for (int k = i; k < count; ++k) {
        bool begins = true;
        for (int m = i; m < count && begins; ++m) {
            begins = !tgFollows(fan[m], fan[k]);
        }
        if (begins) {
            return k;
        }
    }
    return i;
}

/// Puts the corners in order round the vertex. Faces round a vertex are few; where there are more
/// than a hundred they stay as they are, and only neighbours in the list are joined.
static void tgSortFan(const tgMesh* mesh, int* corners, int count)
{
    enum { tg_mostSorted = 100 };
    tgCorner fan[tg_mostSorted];
    for (int i = 0; i < count && count <= tg_mostSorted; ++i) {
        fan[i] = tgGetCorner(mesh, corners[i]);
    }
    for (int i = 0; i < count && count <= tg_mostSorted; ++i) {
        int k = tgFindNext(fan, i, count), corner = corners[k];
        tgCorner chosen = fan[k];
        corners[k] = corners[i];
        fan[k] = fan[i];
        corners[i] = corner;
        fan[i] = chosen;
    }
}

/// Where the wedges of one element go: every second place of its pair.
typedef struct tgWedgeWriter {
    int* out; ///< NULL: they are only counted
    int count;
} tgWedgeWriter;

static void tgAddWedge(tgWedgeWriter* writer, int middle, int first, int last)
{
    if (writer->out != NULL) {
        int* wedge = writer->out + 6 * (size_t)writer->count;
        wedge[0] = 4 * middle;
        wedge[1] = 4 * first;
        wedge[2] = 4 * last;
    }
    writer->count += 1;
}

/// @return how many there are
static int tgListWedges(const tgMesh* mesh, int center, const int* corners, int count, int* out)
{
    tgWedgeWriter writer = {out, 0};
    for (int i = 0; i < count;) {
        tgCorner own = tgGetCorner(mesh, corners[i]);
        tgCorner next = i + 1 < count ? tgGetCorner(mesh, corners[i + 1]) : own;
        bool two = i + 1 < count && tgFollows(own, next);
        int times = mesh->quadCount > 0 && !own.isQuad ? 2 : 1;
        for (int k = 0; k < times; ++k) {
            if (two) {
                tgAddWedge(&writer, own.last, own.next, next.last);
            } else {
                tgAddWedge(&writer, own.next, center, own.last);
            }
        }
        i += two ? 2 : 1;
    }
    for (int i = 0; i < count; ++i) {
        tgCorner own = tgGetCorner(mesh, corners[i]);
        if (own.isQuad) {
            tgAddWedge(&writer, own.across, own.next, own.last);
        }
    }
    return writer.count;
}

/// The wedges of every two elements, as many for the one as for the other: those too many are
/// nothing, from the centre to itself.
static bool tgBuildWedges(const tgMesh* mesh, int extraStart, int elementCount, tgScratch* scratch,
                          tgNormalMap* map)
{
    tgCornerList list;
    map->centers = tgScratch_Take(scratch, (size_t)elementCount, sizeof(int));
    map->wedgeStart = tgScratch_Take(scratch, (size_t)elementCount / 2 + 1, sizeof(int));
    if (!tgListCorners(mesh, map->renderToElement, elementCount, scratch, &list)) {
        return false;
    }
    for (int e = 0; e < elementCount; ++e) {
        bool isExtra = e >= extraStart && e < extraStart + map->extraCount;
        map->centers[e] = isExtra                 ? map->extraVertices[e - extraStart]
                          : e < mesh->vertexCount ? e
                                                  : 0;
        int* corners = list.corners + list.start[e];
        int count = list.start[e + 1] - list.start[e];
        tgSortFan(mesh, corners, count);
        int wedges = tgListWedges(mesh, map->centers[e], corners, count, NULL);
        int* end = &map->wedgeStart[e / 2 + 1];
        *end = e % 2 == 0 || wedges > *end ? wedges : *end;
    }
    for (int pair = 0; pair < elementCount / 2; ++pair) {
        map->wedgeStart[pair + 1] += map->wedgeStart[pair];
    }
    map->wedges =
        tgScratch_Take(scratch, 6 * (size_t)map->wedgeStart[elementCount / 2], sizeof(int));
    if (scratch->failed) {
        return false;
    }
    for (int e = 0; e < elementCount; ++e) {
        int* out = map->wedges + 6 * (size_t)map->wedgeStart[e / 2] + 3 * (e % 2);
        int most = map->wedgeStart[e / 2 + 1] - map->wedgeStart[e / 2];
        tgWedgeWriter writer = {out,
                                tgListWedges(mesh, map->centers[e], list.corners + list.start[e],
                                             list.start[e + 1] - list.start[e], out)};
        while (writer.count < most) {
            tgAddWedge(&writer, map->centers[e], map->centers[e], map->centers[e]);
        }
        map->centers[e] *= 4;
    }
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
    map->rest = tgScratch_Take(scratch, 4 * (size_t)elementCount, sizeof(float));
    if (!tgBuildWedges(mesh, extraStart, elementCount, scratch, map)) {
        return false;
    }
    const tgParallel here = {0};
    tgRunNormals(&here, tgSelectKernels(tg_simdScalar), map, rest, map->rest, elementCount);
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
    size_t pairs = elements / 2, wedges = 6 * (size_t)built->wedgeStart[pairs];
    *placed = *built;
    placed->extraVertices = NULL;
    placed->renderToElement = tgLayout_Take(layout, renders, sizeof(int));
    placed->centers = tgLayout_Take(layout, elements, sizeof(int));
    placed->wedgeStart = tgLayout_Take(layout, pairs + 1, sizeof(int));
    placed->wedges = tgLayout_Take(layout, wedges, sizeof(int));
    placed->rest = tgLayout_Take(layout, 4 * elements, sizeof(float));
    placed->reversed = tgLayout_Take(layout, (size_t)built->reversedCount, sizeof(int));
    if (layout->base == NULL) {
        return;
    }
    memcpy(placed->renderToElement, built->renderToElement, renders * sizeof(int));
    memcpy(placed->centers, built->centers, elements * sizeof(int));
    memcpy(placed->wedgeStart, built->wedgeStart, (pairs + 1) * sizeof(int));
    memcpy(placed->wedges, built->wedges, wedges * sizeof(int));
    memcpy(placed->rest, built->rest, 4 * elements * sizeof(float));
    memcpy(placed->reversed, built->reversed, (size_t)built->reversedCount * sizeof(int));
}

typedef struct tgNormalLoop {
    const tgNormalTask* task;
    const tgKernels* kernels;
} tgNormalLoop;

static void tgNormalBlock(int block, int begin, int end, void* context)
{
    (void)block;
    const tgNormalLoop* loop = context;
    loop->kernels->gatherNormals(loop->task, begin, end);
}

void tgRunNormals(const tgParallel* parallel, const tgKernels* kernels, const tgNormalMap* map,
                  const float* positions, float* normals, int elementCount)
{
    tgNormalTask task = {.positions = positions,
                         .centers = map->centers,
                         .wedgeStart = map->wedgeStart,
                         .wedges = map->wedges,
                         .out = normals};
    tgNormalLoop loop = {&task, kernels};
    tgParallelBlocks(parallel, elementCount, tgNormalBlock, &loop);
    tgTurnReversed(map, normals);
}
