// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Small solids: rings of points about an axis, joined by bands of triangles. A ring of radius 0 is
// a tip. Rings that meet at a sharp edge are there twice, so that the edge stays sharp.

#include "draw/solids.h"

#include <stdlib.h>

enum { tg_sideCount = 12, tg_ballRings = 7 };

/// Points of a circle, a twelfth of a turn apart.
static const float tg_circle[tg_sideCount][2] = {
    {1.0f, 0.0f},         {0.8660254f, 0.5f},  {0.5f, 0.8660254f},  {0.0f, 1.0f},
    {-0.5f, 0.8660254f},  {-0.8660254f, 0.5f}, {-1.0f, 0.0f},       {-0.8660254f, -0.5f},
    {-0.5f, -0.8660254f}, {0.0f, -1.0f},       {0.5f, -0.8660254f}, {0.8660254f, -0.5f},
};

void tgFreeSolids(tgSolids* solids)
{
    free(solids->positions);
    free(solids->triangles);
    *solids = (tgSolids){0};
}

/// An axis and two directions across it.
typedef struct tgSpindle {
    tgVec3 start, along, across, other;
    float length;
} tgSpindle;

static tgSpindle tgMakeSpindle(tgVec3 from, tgVec3 to)
{
    tgSpindle spindle = {.start = from, .length = tgDistance(from, to)};
    spindle.along = tgNormalize(tgSub(to, from), tgMakeVec3(0.0f, 1.0f, 0.0f));
    tgVec3 helper =
        fabsf(spindle.along.y) < 0.9f ? tgMakeVec3(0.0f, 1.0f, 0.0f) : tgMakeVec3(1.0f, 0.0f, 0.0f);
    spindle.across = tgNormalize(tgCross(helper, spindle.along), tgMakeVec3(0.0f, 0.0f, 1.0f));
    spindle.other = tgCross(spindle.along, spindle.across);
    return spindle;
}

static bool tgReserveSolids(tgSolids* solids, int vertices, int triangles)
{
    if (solids->vertexCount + vertices > solids->vertexRoom) {
        int room = 2 * solids->vertexRoom + vertices + 256;
        tgVec3* grown = realloc(solids->positions, (size_t)room * sizeof(tgVec3));
        solids->failed |= grown == NULL;
        solids->positions = grown != NULL ? grown : solids->positions;
        solids->vertexRoom = grown != NULL ? room : solids->vertexRoom;
    }
    if (solids->triangleCount + triangles > solids->triangleRoom) {
        int room = 2 * solids->triangleRoom + triangles + 256;
        int* grown = realloc(solids->triangles, (size_t)room * sizeof(int[3]));
        solids->failed |= grown == NULL;
        solids->triangles = grown != NULL ? grown : solids->triangles;
        solids->triangleRoom = grown != NULL ? room : solids->triangleRoom;
    }
    return !solids->failed;
}

/// A ring at a height of the axis; `step` 1 for a round one, 3 for four corners.
static void tgAddRing(tgSolids* solids, const tgSpindle* spindle, float height, float radius,
                      int step)
{
    if (!tgReserveSolids(solids, tg_sideCount, 0)) {
        return;
    }
    tgVec3 center = tgMulAdd(spindle->start, height, spindle->along);
    for (int i = 0; i < tg_sideCount; i += step) {
        tgVec3 p = tgMulAdd(center, radius * tg_circle[i][0], spindle->across);
        solids->positions[solids->vertexCount++] =
            tgMulAdd(p, radius * tg_circle[i][1], spindle->other);
    }
}

/// Join the last two rings.
static void tgJoinRings(tgSolids* solids, int sides)
{
    if (!tgReserveSolids(solids, 0, 2 * sides)) {
        return;
    }
    int upper = solids->vertexCount - sides, lower = upper - sides;
    for (int i = 0; i < sides; ++i) {
        int next = (i + 1) % sides;
        const int corners[6] = {lower + i,    lower + next, upper + next,
                                upper + next, upper + i,    lower + i};
        for (int k = 0; k < 6; ++k) {
            solids->triangles[3 * (size_t)solids->triangleCount + (size_t)k] = corners[k];
        }
        solids->triangleCount += 2;
    }
}

/// A band between two rings of its own, so that its edges are sharp.
static void tgAddBand(tgSolids* solids, const tgSpindle* spindle, const float heights[2],
                      const float radii[2], int step)
{
    tgAddRing(solids, spindle, heights[0], radii[0], step);
    tgAddRing(solids, spindle, heights[1], radii[1], step);
    tgJoinRings(solids, tg_sideCount / step);
}

void tgSolids_AddArrow(tgSolids* solids, tgVec3 from, tgVec3 to, float radius)
{
    tgSpindle spindle = tgMakeSpindle(from, to);
    float head = fminf(6.0f * radius, 0.6f * spindle.length), wide = 0.42f * head;
    float neck = spindle.length - head, thin = fminf(radius, 0.6f * wide);
    tgAddBand(solids, &spindle, (float[2]){0.0f, 0.0f}, (float[2]){0.0f, thin}, 1);
    tgAddBand(solids, &spindle, (float[2]){0.0f, neck}, (float[2]){thin, thin}, 1);
    tgAddBand(solids, &spindle, (float[2]){neck, neck}, (float[2]){thin, wide}, 1);
    tgAddBand(solids, &spindle, (float[2]){neck, spindle.length}, (float[2]){wide, 0.0f}, 1);
}

void tgSolids_AddBone(tgSolids* solids, tgVec3 from, tgVec3 to, float radius)
{
    tgSpindle spindle = tgMakeSpindle(from, to);
    float thick = 0.16f * spindle.length;
    tgAddBand(solids, &spindle, (float[2]){0.0f, thick}, (float[2]){0.0f, radius}, 3);
    tgAddBand(solids, &spindle, (float[2]){thick, spindle.length}, (float[2]){radius, 0.0f}, 3);
}

void tgSolids_AddTube(tgSolids* solids, tgVec3 from, tgVec3 to, float radius)
{
    tgSpindle spindle = tgMakeSpindle(from, to);
    for (int i = 0; i <= tg_ballRings; ++i) {
        // From pole to pole by twelfths of a turn, the equator twice: once at each end.
        int ring = i <= tg_ballRings / 2 ? i : i - 1;
        float end = i <= tg_ballRings / 2 ? 0.0f : spindle.length;
        tgAddRing(solids, &spindle, end - radius * tg_circle[ring][0], radius * tg_circle[ring][1],
                  1);
        if (i > 0) {
            tgJoinRings(solids, tg_sideCount);
        }
    }
}

void tgSolids_AddBall(tgSolids* solids, tgVec3 center, float radius)
{
    tgSolids_AddTube(solids, center, center, radius);
}

void tgSolids_AddMesh(tgSolids* solids, tgVec3View positions, const int* triangles,
                      int triangleCount, const tgMat34* place)
{
    if (!tgReserveSolids(solids, positions.count, triangleCount)) {
        return;
    }
    int* corners = solids->triangles + 3 * (size_t)solids->triangleCount;
    for (size_t k = 0; k < 3 * (size_t)triangleCount; ++k) {
        corners[k] = solids->vertexCount + triangles[k];
    }
    solids->triangleCount += triangleCount;
    for (int v = 0; v < positions.count; ++v) {
        solids->positions[solids->vertexCount++] =
            tgMulMatPoint(place, tgVec3View_Get(positions, v));
    }
}

tgDrawMesh tgSolids_GetMesh(const tgSolids* solids, tgColor color)
{
    tgDrawMesh mesh = {
        .positions = {solids->vertexCount > 0 ? &solids->positions->x : NULL, solids->vertexCount,
                      (int)sizeof(tgVec3)},
        .color = color,
        .faceVertices = solids->triangles,
        .faceCount = solids->failed ? 0 : solids->triangleCount,
    };
    return mesh;
}
