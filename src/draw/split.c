// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Large triangles cut into small ones. Whether an edge is cut depends on its two ends only, so
// that the triangles on both sides of it cut it alike and no gap opens. New corners are not shared
// between triangles: the same sums give the same bits on both sides.

#include "draw/split.h"

#include "core/core.h"

#include <stdlib.h>
#include <string.h>

enum { tg_passesMax = 6, tg_trianglesMax = 1 << 18 };

static bool tgIsLong(const tgSurface* surface, int a, int b, float longestSquared)
{
    tgVec3 edge = tgSub(surface->vertices[b].position, surface->vertices[a].position);
    return tgDot(edge, edge) > longestSquared;
}

/// Bit k: the edge opposite corner k is cut.
static unsigned int tgGetCuts(const tgSurface* surface, int f, float longestSquared)
{
    const int* corner = surface->triangles[f].corners;
    unsigned int cuts = 0;
    for (int k = 0; k < 3; ++k) {
        if (tgIsLong(surface, corner[(k + 1) % 3], corner[(k + 2) % 3], longestSquared)) {
            cuts |= 1u << k;
        }
    }
    return cuts;
}

static int tgCountBits(unsigned int bits)
{
    return (int)(bits & 1u) + (int)((bits >> 1) & 1u) + (int)((bits >> 2) & 1u);
}

static int tgAddMiddle(tgSurface* surface, int a, int b)
{
    const tgSurfaceVertex *p = &surface->vertices[a], *q = &surface->vertices[b];
    tgSurfaceVertex* middle = &surface->vertices[surface->vertexCount];
    *middle = *p;
    middle->position = tgMulSV(0.5f, tgAdd(p->position, q->position));
    middle->normal = tgNormalize(tgAdd(p->normal, q->normal), p->normal);
    middle->r = 0.5f * (p->r + q->r);
    middle->g = 0.5f * (p->g + q->g);
    middle->b = 0.5f * (p->b + q->b);
    return surface->vertexCount++;
}

/// A piece of a triangle.
/// @param edges bit k: the side opposite corner k is drawn as a line
static void tgAddTriangle(tgSurface* surface, const tgSurfaceTriangle* whole, int a, int b, int c,
                          unsigned int edges)
{
    tgSurfaceTriangle* piece = &surface->triangles[surface->triangleCount++];
    *piece = *whole;
    piece->corners[0] = a;
    piece->corners[1] = b;
    piece->corners[2] = c;
    piece->edges = edges;
}

/// One triangle into as many as its cut edges ask for: 1, 2, 3 or 4.
static void tgCutTriangle(tgSurface* surface, const tgSurfaceTriangle* whole, unsigned int cuts)
{
    int count = tgCountBits(cuts);
    // Turned so that a lone cut edge, or a lone whole one, lies opposite the first corner.
    int turn = 0;
    unsigned int lone = count == 2 ? ~cuts & 7u : cuts;
    while ((count == 1 || count == 2) && !((lone >> turn) & 1u)) {
        turn += 1;
    }
    int corner[3], middle[3] = {-1, -1, -1};
    unsigned int line[3];
    for (int k = 0; k < 3; ++k) {
        corner[k] = whole->corners[(turn + k) % 3];
        line[k] = (whole->edges >> ((turn + k) % 3)) & 1u;
    }
    for (int k = 0; k < 3; ++k) {
        if ((cuts >> ((turn + k) % 3)) & 1u) {
            middle[k] = tgAddMiddle(surface, corner[(k + 1) % 3], corner[(k + 2) % 3]);
        }
    }
    const int *c = corner, *m = middle;
    if (count == 0) {
        tgAddTriangle(surface, whole, c[0], c[1], c[2], line[0] | line[1] << 1 | line[2] << 2);
    } else if (count == 1) {
        tgAddTriangle(surface, whole, c[0], c[1], m[0], line[0] | line[2] << 2);
        tgAddTriangle(surface, whole, c[0], m[0], c[2], line[0] | line[1] << 1);
    } else if (count == 2) {
        tgAddTriangle(surface, whole, c[0], m[2], m[1], line[1] << 1 | line[2] << 2);
        tgAddTriangle(surface, whole, m[2], c[1], c[2], line[0] | line[2] << 2);
        tgAddTriangle(surface, whole, m[2], c[2], m[1], line[1]);
    } else {
        tgAddTriangle(surface, whole, c[0], m[2], m[1], line[1] << 1 | line[2] << 2);
        tgAddTriangle(surface, whole, c[1], m[0], m[2], line[2] << 1 | line[0] << 2);
        tgAddTriangle(surface, whole, c[2], m[1], m[0], line[0] << 1 | line[1] << 2);
        tgAddTriangle(surface, whole, m[0], m[1], m[2], 0u);
    }
}

/// One pass; `isDone` when no edge was cut, or there would be too many triangles.
static bool tgSplitOnce(tgSurface* surface, float longestSquared, bool* isDone)
{
    long long cutCount = 0;
    for (int f = 0; f < surface->triangleCount; ++f) {
        cutCount += tgCountBits(tgGetCuts(surface, f, longestSquared));
    }
    *isDone = cutCount == 0 || surface->triangleCount + cutCount > tg_trianglesMax;
    if (*isDone) {
        return true;
    }
    tgSurface split = *surface;
    size_t vertexCount = (size_t)surface->vertexCount + (size_t)cutCount;
    size_t triangleCount = (size_t)surface->triangleCount + (size_t)cutCount;
    split.vertices = malloc(vertexCount * sizeof(tgSurfaceVertex));
    split.triangles = malloc(triangleCount * sizeof(tgSurfaceTriangle));
    if (split.vertices == NULL || split.triangles == NULL) {
        free(split.vertices);
        free(split.triangles);
        return false;
    }
    memcpy(split.vertices, surface->vertices,
           (size_t)surface->vertexCount * sizeof(tgSurfaceVertex));
    split.triangleCount = 0;
    for (int f = 0; f < surface->triangleCount; ++f) {
        tgCutTriangle(&split, &surface->triangles[f], tgGetCuts(surface, f, longestSquared));
    }
    free(surface->vertices);
    if (surface->wholes == NULL) { // old vertices keep their numbers
        split.wholes = surface->triangles;
        split.wholeCount = surface->triangleCount;
    } else {
        free(surface->triangles);
    }
    *surface = split;
    return true;
}

tgResult tgSplitSurface(tgSurface* surface, float longest, tgError* error)
{
    bool isDone = !(longest > 0.0f);
    for (int pass = 0; pass < tg_passesMax && !isDone; ++pass) {
        if (!tgSplitOnce(surface, longest * longest, &isDone)) {
            return tgFail(error, tg_outOfMemory, -1, "no memory to draw %d triangles",
                          surface->triangleCount);
        }
    }
    return tg_success;
}
