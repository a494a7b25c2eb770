// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Where a plane cuts a mesh: each triangle with corners on both sides gives one piece of the
// contour. A corner on the plane counts as above it, and an edge is always cut from its lower end
// to its upper one, so that neighbouring triangles meet in the same point to the bit.

#include "draw/section.h"

#include "core/core.h"

#include <stdlib.h>

tgPlane tgMakePlane(tgVec3 origin, tgVec3 normal)
{
    tgPlane plane = {.origin = origin};
    plane.normal = tgNormalize(normal, tgMakeVec3(0.0f, 0.0f, 1.0f));
    tgVec3 helper = fabsf(plane.normal.y) < 0.999f ? tgMakeVec3(0.0f, 1.0f, 0.0f)
                                                   : tgMakeVec3(0.0f, 0.0f, -1.0f);
    plane.right = tgNormalize(tgCross(helper, plane.normal), tgMakeVec3(1.0f, 0.0f, 0.0f));
    plane.up = tgCross(plane.normal, plane.right);
    return plane;
}

/// Where the edge from below to above meets the plane, in the plane's coordinates.
static void tgCutEdge(const tgPlane* plane, tgVec3 below, tgVec3 above, float out[2])
{
    float low = tgDot(below, plane->normal), high = tgDot(above, plane->normal);
    tgVec3 p = tgMulAdd(below, low / (low - high), tgSub(above, below));
    out[0] = tgDot(p, plane->right);
    out[1] = tgDot(p, plane->up);
}

/// Corners relative to the plane's origin; false when all lie on one side.
static bool tgCutTriangleByPlane(const tgPlane* plane, const tgVec3 corner[3], tgSegment* segment)
{
    bool above[3];
    int aboveCount = 0;
    for (int k = 0; k < 3; ++k) {
        above[k] = tgDot(corner[k], plane->normal) >= 0.0f;
        aboveCount += above[k];
    }
    if (aboveCount == 0 || aboveCount == 3) {
        return false;
    }
    // The lone corner, and the two edges that leave it and come back to it.
    int lone = 0;
    while (above[lone] != (aboveCount == 1)) {
        lone += 1;
    }
    float leaving[2], coming[2];
    for (int side = 0; side < 2; ++side) {
        int other = (lone + 1 + side) % 3;
        tgCutEdge(plane, above[lone] ? corner[other] : corner[lone],
                  above[lone] ? corner[lone] : corner[other], side == 0 ? leaving : coming);
    }
    // Counter-clockwise faces seen from outside: with the lone corner above, the inside lies to the
    // left of the way from the edge that leaves it to the one that comes back.
    bool turn = !above[lone];
    *segment = turn ? (tgSegment){coming[0], coming[1], leaving[0], leaving[1]}
                    : (tgSegment){leaving[0], leaving[1], coming[0], coming[1]};
    return true;
}

static int tgCountTriangles(const tgDrawMesh* mesh)
{
    int count = mesh->faceSizes == NULL ? mesh->faceCount : 0;
    for (int f = 0; mesh->faceSizes != NULL && f < mesh->faceCount; ++f) {
        count += mesh->faceSizes[f] - 2;
    }
    return count;
}

tgResult tgCutMesh(const tgDrawMesh* mesh, const tgPlane* plane, tgSection* section, tgError* error)
{
    *section = (tgSection){0};
    section->segments = malloc(((size_t)tgCountTriangles(mesh) + 1) * sizeof(tgSegment));
    if (section->segments == NULL) {
        return tgFail(error, tg_outOfMemory, -1, "no memory to cut %d faces", mesh->faceCount);
    }
    const int* corners = mesh->faceVertices;
    for (int f = 0; f < mesh->faceCount; ++f) {
        int size = mesh->faceSizes != NULL ? mesh->faceSizes[f] : 3;
        for (int k = 1; k + 1 < size; ++k) {
            const int fan[3] = {corners[0], corners[k], corners[k + 1]};
            tgVec3 corner[3];
            for (int i = 0; i < 3; ++i) {
                corner[i] = tgSub(tgVec3View_Get(mesh->positions, fan[i]), plane->origin);
            }
            tgSegment segment;
            if (tgCutTriangleByPlane(plane, corner, &segment)) {
                section->segments[section->count++] = segment;
                section->area += 0.5 * ((double)segment.x0 * (double)segment.y1 -
                                        (double)segment.x1 * (double)segment.y0);
            }
        }
        corners += size;
    }
    return tg_success;
}

void tgFreeSection(tgSection* section)
{
    free(section->segments);
    *section = (tgSection){0};
}
