// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Faces cut into triangles in the bind pose: a quad along its shorter diagonal that folds nothing
// over, a larger polygon by clipping ears (Meisters 1975), which concave ones need too.

#include "core/triangulate.h"

#include <string.h>

/// Looking for ears takes the square of the corners for each; larger polygons are fanned.
enum { tg_mostClippedCorners = 256 };

/// The other diagonal must be this much shorter (squared), so that rounding does not choose.
static const float tg_diagonalBias = 0.999f;

static tgVec3 tgAreaVector(tgVec3 a, tgVec3 b, tgVec3 c)
{
    return tgCross(tgSub(b, a), tgSub(c, a));
}

/// Twice the area vector of a polygon (Newell's sum about its first corner).
static tgVec3 tgPolygonNormal(tgVec3View positions, const int* corners, int size)
{
    tgVec3 sum = {0.0f, 0.0f, 0.0f};
    for (int k = 1; k + 1 < size; ++k) {
        sum = tgAdd(sum, tgAreaVector(tgVec3View_Get(positions, corners[0]),
                                      tgVec3View_Get(positions, corners[k]),
                                      tgVec3View_Get(positions, corners[k + 1])));
    }
    return sum;
}

static void tgPutTriangle(int* triangles, int a, int b, int c)
{
    triangles[0] = a;
    triangles[1] = b;
    triangles[2] = c;
}

static void tgTriangulateQuad(tgVec3View positions, const int* corners, int* triangles)
{
    tgVec3 p0 = tgVec3View_Get(positions, corners[0]), p1 = tgVec3View_Get(positions, corners[1]);
    tgVec3 p2 = tgVec3View_Get(positions, corners[2]), p3 = tgVec3View_Get(positions, corners[3]);
    tgVec3 normal = tgPolygonNormal(positions, corners, 4);
    bool folds02 = tgDot(tgAreaVector(p0, p1, p2), normal) < 0.0f ||
                   tgDot(tgAreaVector(p0, p2, p3), normal) < 0.0f;
    bool folds13 = tgDot(tgAreaVector(p0, p1, p3), normal) < 0.0f ||
                   tgDot(tgAreaVector(p1, p2, p3), normal) < 0.0f;
    tgVec3 diagonal02 = tgSub(p2, p0), diagonal13 = tgSub(p3, p1);
    bool isShorter13 =
        tgDot(diagonal13, diagonal13) < tg_diagonalBias * tgDot(diagonal02, diagonal02);
    if (folds13 ? false : folds02 || isShorter13) {
        tgPutTriangle(triangles, corners[0], corners[1], corners[3]);
        tgPutTriangle(triangles + 3, corners[1], corners[2], corners[3]);
    } else {
        tgPutTriangle(triangles, corners[0], corners[1], corners[2]);
        tgPutTriangle(triangles + 3, corners[0], corners[2], corners[3]);
    }
}

/// May corner k be cut off? It turns the polygon's way and no other corner lies in its triangle.
static bool tgIsEar(tgVec3View positions, const int* corners, int size, int k, tgVec3 normal)
{
    int before = (k + size - 1) % size, after = (k + 1) % size;
    tgVec3 a = tgVec3View_Get(positions, corners[before]),
           b = tgVec3View_Get(positions, corners[k]), c = tgVec3View_Get(positions, corners[after]);
    if (!(tgDot(tgAreaVector(a, b, c), normal) > 0.0f)) {
        return false;
    }
    for (int i = 0; i < size; ++i) {
        if (i == before || i == k || i == after) {
            continue;
        }
        tgVec3 p = tgVec3View_Get(positions, corners[i]);
        if (tgDot(tgAreaVector(a, b, p), normal) >= 0.0f &&
            tgDot(tgAreaVector(b, c, p), normal) >= 0.0f &&
            tgDot(tgAreaVector(c, a, p), normal) >= 0.0f) {
            return false;
        }
    }
    return true;
}

void tgTriangulateFace(tgVec3View positions, int* corners, int size, int* triangles)
{
    if (size == 4) {
        tgTriangulateQuad(positions, corners, triangles);
        return;
    }
    if (size > tg_mostClippedCorners) {
        for (int k = 1; k + 1 < size; ++k, triangles += 3) {
            tgPutTriangle(triangles, corners[0], corners[k], corners[k + 1]);
        }
        return;
    }
    tgVec3 normal = tgPolygonNormal(positions, corners, size);
    int from = 0;
    for (; size > 3; --size, triangles += 3) {
        // Going on from the last cut spreads the triangles instead of fanning them from one corner.
        int k = from % size;
        for (int tries = 0; tries < size && !tgIsEar(positions, corners, size, k, normal);
             ++tries) {
            k = (k + 1) % size;
        }
        tgPutTriangle(triangles, corners[(k + size - 1) % size], corners[k],
                      corners[(k + 1) % size]);
        memmove(corners + k, corners + k + 1, (size_t)(size - k - 1) * sizeof(int));
        from = k + 1;
    }
    tgPutTriangle(triangles, corners[0], corners[1], corners[2]);
}
