// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Smooth shading with sharp creases. Round a vertex, faces that meet in an edge without a crease
// share a normal; so do faces joined by a chain of such edges. Corners are joined in pairs, over
// the edges sorted by their ends.

#include "draw/crease.h"

#include "core/core.h"

#include <limits.h>
#include <stdlib.h>

enum { tg_creaseCookie = 0x63726561 };

tgCreaseDef tgDefaultCreaseDef(void)
{
    tgCreaseDef def = {.cosine = 0.25f, .cookie = tg_creaseCookie};
    return def;
}

/// One side of a face, from the lower welded end to the upper.
typedef struct tgSide {
    int low, high;
    int face;
    int corners[2]; ///< at the two ends
} tgSide;

static int tgCompareSides(const void* a, const void* b)
{
    const tgSide *left = a, *right = b;
    if (left->low != right->low) {
        return left->low < right->low ? -1 : 1;
    }
    if (left->high != right->high) {
        return left->high < right->high ? -1 : 1;
    }
    return left->corners[0] - right->corners[0];
}

static int tgGetWelded(const tgCreaseDef* def, int v)
{
    return def->welded != NULL ? def->welded[v] : v;
}

static int tgGetSize(const int* faceSizes, int f)
{
    return faceSizes != NULL ? faceSizes[f] : 3;
}

/// Twice the vector area of a polygon.
static tgVec3 tgGetFaceNormal(tgVec3View positions, const int* corners, int size)
{
    tgVec3 first = tgVec3View_Get(positions, corners[0]), normal = {0.0f, 0.0f, 0.0f};
    for (int k = 1; k + 1 < size; ++k) {
        normal = tgAdd(normal, tgCross(tgSub(tgVec3View_Get(positions, corners[k]), first),
                                       tgSub(tgVec3View_Get(positions, corners[k + 1]), first)));
    }
    return normal;
}

static int tgFindRoot(int* parents, int i)
{
    while (parents[i] != i) {
        parents[i] = parents[parents[i]];
        i = parents[i];
    }
    return i;
}

/// The lower number is the root, so that the order of joining never shows.
static void tgJoinCorners(int* parents, int a, int b)
{
    a = tgFindRoot(parents, a);
    b = tgFindRoot(parents, b);
    parents[a > b ? a : b] = a > b ? b : a;
}

static void tgListSides(const tgCreaseDef* def, tgSide* sides, tgVec3* faceNormals)
{
    int corner = 0;
    for (int f = 0; f < def->faceCount; ++f) {
        int size = tgGetSize(def->faceSizes, f);
        const int* corners = def->faceVertices + corner;
        tgVec3 normal = tgGetFaceNormal(def->positions, corners, size);
        faceNormals[f] = tgNormalize(normal, tgMakeVec3(0.0f, 0.0f, 0.0f));
        for (int k = 0; k < size; ++k) {
            int next = (k + 1) % size;
            int a = tgGetWelded(def, corners[k]), b = tgGetWelded(def, corners[next]);
            bool turned = a > b;
            sides[corner + k] =
                (tgSide){turned ? b : a,
                         turned ? a : b,
                         f,
                         {corner + (turned ? next : k), corner + (turned ? k : next)}};
        }
        corner += size;
    }
}

/// Join the corners of faces that meet smoothly.
static void tgJoinSmooth(const tgCreaseDef* def, const tgSide* sides, const tgVec3* faceNormals,
                         int count, int* parents)
{
    for (int i = 0; i + 1 < count; ++i) {
        const tgSide *a = &sides[i], *b = &sides[i + 1];
        if (a->low != b->low || a->high != b->high || a->low == a->high) {
            continue;
        }
        if (tgDot(faceNormals[a->face], faceNormals[b->face]) >= def->cosine) {
            tgJoinCorners(parents, a->corners[0], b->corners[0]);
            tgJoinCorners(parents, a->corners[1], b->corners[1]);
        }
    }
}

/// Number the points in the order of their first corners.
static void tgNumberPoints(const tgCreaseDef* def, int* parents, tgCreases* creases)
{
    for (int i = 0; i < creases->cornerCount; ++i) {
        int root = tgFindRoot(parents, i);
        creases->sources[i] = def->faceVertices[i];
        if (root == i) {
            creases->vertices[creases->pointCount] = def->faceVertices[i];
            creases->corners[i] = creases->pointCount++;
        } else {
            creases->corners[i] = creases->corners[root]; // the root comes first
        }
    }
}

static tgResult tgCountCorners(const tgCreaseDef* def, int* count, tgError* error)
{
    if (def == NULL || def->cookie != tg_creaseCookie) {
        return tgFail(error, tg_invalidArgument, -1,
                      "the crease definition must start from tgDefaultCreaseDef()");
    }
    long long corners = 0;
    for (int f = 0; f < def->faceCount; ++f) {
        corners += tgGetSize(def->faceSizes, f);
    }
    if (corners > INT_MAX - 1) {
        return tgFail(error, tg_unsupported, -1, "more than %d corners", INT_MAX);
    }
    *count = (int)corners;
    return tg_success;
}

tgResult tgFindCreases(const tgCreaseDef* def, tgCreases* creases, tgError* error)
{
    *creases = (tgCreases){0};
    int count = 0;
    tgResult result = tgCountCorners(def, &count, error);
    if (result != tg_success) {
        return result;
    }
    size_t room = (size_t)count + 1;
    tgSide* sides = malloc(room * sizeof(tgSide));
    tgVec3* faceNormals = malloc(((size_t)def->faceCount + 1) * sizeof(tgVec3));
    int* parents = malloc(room * sizeof(int));
    creases->vertices = malloc(room * sizeof(int));
    creases->corners = malloc(room * sizeof(int));
    creases->sources = malloc(room * sizeof(int));
    bool memory = sides != NULL && faceNormals != NULL && parents != NULL &&
                  creases->vertices != NULL && creases->corners != NULL && creases->sources != NULL;
    if (memory) {
        creases->cornerCount = count;
        creases->faceSizes = def->faceSizes;
        creases->faceCount = def->faceCount;
        for (int i = 0; i < count; ++i) {
            parents[i] = i;
        }
        tgListSides(def, sides, faceNormals);
        qsort(sides, (size_t)count, sizeof(tgSide), tgCompareSides);
        tgJoinSmooth(def, sides, faceNormals, count, parents);
        tgNumberPoints(def, parents, creases);
    } else {
        tgFreeCreases(creases);
    }
    free(sides);
    free(faceNormals);
    free(parents);
    return memory ? tg_success
                  : tgFail(error, tg_outOfMemory, -1, "no memory for %d corners", count);
}

void tgFreeCreases(tgCreases* creases)
{
    free(creases->vertices);
    free(creases->corners);
    free(creases->sources);
    *creases = (tgCreases){0};
}

/// How wide a face is at its corner k: the chord of its angle there. Weighted so, a normal does not
/// lean towards large faces where a mesh becomes finer.
static float tgGetWidth(tgVec3View positions, const int* corners, int size, int k)
{
    const tgVec3 zero = {0.0f, 0.0f, 0.0f};
    tgVec3 here = tgVec3View_Get(positions, corners[k]);
    tgVec3 next = tgVec3View_Get(positions, corners[(k + 1) % size]);
    tgVec3 last = tgVec3View_Get(positions, corners[(k + size - 1) % size]);
    return tgDistance(tgNormalize(tgSub(next, here), zero), tgNormalize(tgSub(last, here), zero));
}

void tgCreases_Shape(const tgCreases* creases, tgVec3View positions, tgVec3* places,
                     tgVec3* normals)
{
    const tgVec3 zero = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < creases->pointCount; ++i) {
        places[i] = tgVec3View_Get(positions, creases->vertices[i]);
        normals[i] = tgMakeVec3(0.0f, 0.0f, 0.0f);
    }
    int corner = 0;
    for (int f = 0; f < creases->faceCount; ++f) {
        int size = tgGetSize(creases->faceSizes, f);
        const int* corners = creases->sources + corner;
        tgVec3 normal = tgNormalize(tgGetFaceNormal(positions, corners, size), zero);
        for (int k = 0; k < size; ++k) {
            tgVec3* sum = &normals[creases->corners[corner + k]];
            *sum = tgMulAdd(*sum, tgGetWidth(positions, corners, size, k), normal);
        }
        corner += size;
    }
    for (int i = 0; i < creases->pointCount; ++i) {
        normals[i] = tgNormalize(normals[i], tgMakeVec3(0.0f, 1.0f, 0.0f));
    }
}
