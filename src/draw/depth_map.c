// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Depth of a surface seen from one direction. A picture fills hundreds of these maps, so triangles
// are drawn four texels at a time, with no branch for the texels outside.

#include "draw/depth_map.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Four texels beside each other, anywhere in a row.
typedef float tgTexels __attribute__((vector_size(16), aligned(4)));
typedef int tgTexelMask __attribute__((vector_size(16), aligned(4)));
enum { tg_texelsAtOnce = sizeof(tgTexels) / sizeof(float) };

bool tgMakeDepthMap(tgDepthMap* map, tgVec3 center, float radius, int pointCount)
{
    *map = (tgDepthMap){.center = center};
    // Two texels stay free at each side, for the bilinear look-up.
    map->texelsPerUnit = (0.5f * tg_mapSide - 2.0f) / radius;
    map->points = malloc(((size_t)pointCount + 1) * sizeof(tgVec3));
    map->heights = calloc((size_t)tg_mapSide * tg_mapSide, sizeof(float));
    return map->points != NULL && map->heights != NULL;
}

void tgFreeDepthMap(tgDepthMap* map)
{
    free(map->points);
    free(map->heights);
    *map = (tgDepthMap){0};
}

void tgDepthMap_Aim(tgDepthMap* map, tgVec3 towards)
{
    tgVec3 helper =
        fabsf(towards.y) < 0.9f ? tgMakeVec3(0.0f, 1.0f, 0.0f) : tgMakeVec3(1.0f, 0.0f, 0.0f);
    map->towards = towards;
    map->across = tgNormalize(tgCross(helper, towards), tgMakeVec3(0.0f, 0.0f, 1.0f));
    map->along = tgCross(towards, map->across);
}

// Compared by hand: this is the innermost loop of a picture, and fminf is a call.
static inline float tgLeast(float a, float b)
{
    return a < b ? a : b;
}

static inline float tgMost(float a, float b)
{
    return a > b ? a : b;
}

/// Texels whose centres lie in the triangle take its height where that is larger.
/// @param area twice its area, more than 0 when it looks to the light; not 0
static void tgDrawDepth(float* heights, tgVec3 a, tgVec3 b, tgVec3 c, float area)
{
    // Pixel centres at whole numbers plus one half; all points lie inside the map.
    int firstX = (int)(tgLeast(tgLeast(a.x, b.x), c.x) + 0.5f);
    int lastX = (int)(tgMost(tgMost(a.x, b.x), c.x) - 0.5f);
    int firstY = (int)(tgLeast(tgLeast(a.y, b.y), c.y) + 0.5f);
    int lastY = (int)(tgMost(tgMost(a.y, b.y), c.y) - 0.5f);
    if (firstX > lastX || firstY > lastY) {
        return; // between the centres, as most are
    }
    float perArea = 1.0f / area;
    float ux = (c.y - a.y) * perArea, uy = -(c.x - a.x) * perArea;
    float vx = -(b.y - a.y) * perArea, vy = (b.x - a.x) * perArea;
    float zu = b.z - a.z, zv = c.z - a.z;
    for (int y = firstY; y <= lastY; ++y) {
        float dy = (float)y + 0.5f - a.y;
        for (int x = firstX; x <= lastX; x += tg_texelsAtOnce) {
            float first = (float)x + 0.5f - a.x;
            tgTexels dx = first + (tgTexels){0.0f, 1.0f, 2.0f, 3.0f};
            tgTexels u = ux * dx + uy * dy;
            tgTexels v = vx * dx + vy * dy;
            tgTexels height = a.z + u * zu + v * zv;
            tgTexels* texels = (tgTexels*)(heights + (size_t)y * tg_mapSide + x);
            tgTexelMask takes = (u >= 0.0f) & (v >= 0.0f) & (u + v <= 1.0f) & (height > *texels);
            *texels = (tgTexels)((takes & (tgTexelMask)height) | (~takes & (tgTexelMask)*texels));
        }
    }
}

/// Where the points are, and nothing there yet.
static void tgClearMap(tgDepthMap* map, int pointCount)
{
    float left = tg_mapSide, right = 0.0f, front = tg_mapSide, back = 0.0f;
    for (int i = 0; i < pointCount; ++i) {
        left = tgLeast(left, map->points[i].x), right = tgMost(right, map->points[i].x);
        front = tgLeast(front, map->points[i].y), back = tgMost(back, map->points[i].y);
    }
    // One more on each side, which the look-up reads.
    int firstX = (int)left - 1, lastX = (int)right + 1;
    int firstY = (int)front - 1, lastY = (int)back + 1;
    for (int y = firstY; y <= lastY; ++y) {
        float* row = map->heights + (size_t)y * tg_mapSide;
        for (int x = firstX; x <= lastX; ++x) {
            row[x] = -FLT_MAX;
        }
    }
    map->left = (float)firstX, map->right = (float)lastX;
    map->front = (float)firstY, map->back = (float)lastY;
}

void tgDepthMap_Fill(tgDepthMap* map, int pointCount, const tgCasters* casters)
{
    tgClearMap(map, pointCount);
    for (int f = 0; f < casters->count; ++f) {
        const int* corners = casters->corners[f];
        tgVec3 a = map->points[corners[0]], b = map->points[corners[1]],
               c = map->points[corners[2]];
        float area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
        if (area > 0.0f || (area < 0.0f && f >= casters->closedCount)) {
            tgDrawDepth(map->heights, a, b, c, area);
        }
    }
}
