// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Depth of a surface seen from one direction, on a small grid over the sphere around it: tells
// whether something stands between a point and the light from there.
#ifndef TURGOR_DRAW_DEPTH_MAP_H
#define TURGOR_DRAW_DEPTH_MAP_H

#include "turgor/math.h"

#include <stdbool.h>
#include <stddef.h>

enum { tg_mapSide = 256 };

/// A point is lifted off its surface by so many texels, and only what stands as far again before it
/// counts: a map cannot tell a surface from itself any closer.
#define TG_LIFT_TEXELS 1.5f

typedef struct tgDepthMap {
    tgVec3 center, across, along, towards; ///< unit axes; `towards` points to the light
    float texelsPerUnit;
    float* heights; ///< tg_mapSide squared: largest height towards the light
    tgVec3* points; ///< those of the surface in texels and height
    // Only here the map is filled; all is free outside, which is most of it.
    float left, right, front, back;
} tgDepthMap;

/// Memory for `pointCount` points; free it also when it fails.
bool tgMakeDepthMap(tgDepthMap* map, tgVec3 center, float radius, int pointCount);
void tgFreeDepthMap(tgDepthMap* map);

void tgDepthMap_Aim(tgDepthMap* map, tgVec3 towards);
/// Triangles that cast shadows, each three points. Of the first ones, which are of closed surfaces,
/// those that look away from the light are left out: something always lies before them.
typedef struct tgCasters {
    int (*corners)[3];
    int closedCount, count;
} tgCasters;

/// After aiming and setting the points.
void tgDepthMap_Fill(tgDepthMap* map, int pointCount, const tgCasters* casters);

static inline tgVec3 tgDepthMap_Place(const tgDepthMap* map, tgVec3 p)
{
    tgVec3 offset = tgMulSV(map->texelsPerUnit, tgSub(p, map->center));
    return tgMakeVec3(tgDot(offset, map->across) + 0.5f * tg_mapSide,
                      tgDot(offset, map->along) + 0.5f * tg_mapSide, tgDot(offset, map->towards));
}

/// How far the point (in texels) is hidden from the light: 0 free, 1 hidden, bilinear between.
static inline float tgDepthMap_GetShadow(const tgDepthMap* map, tgVec3 point)
{
    float x = point.x - 0.5f;
    float y = point.y - 0.5f;
    if (!(x >= map->left && y >= map->front && x < map->right && y < map->back)) {
        return 0.0f;
    }
    int column = (int)x;
    int row = (int)y;
    const float* texel = map->heights + (size_t)row * tg_mapSide + column;
    float limit = point.z + TG_LIFT_TEXELS;
    float fx = x - (float)column;
    float fy = y - (float)row;
    float upper = (texel[0] > limit ? 1.0f - fx : 0.0f) + (texel[1] > limit ? fx : 0.0f);
    texel += tg_mapSide;
    float lower = (texel[0] > limit ? 1.0f - fx : 0.0f) + (texel[1] > limit ? fx : 0.0f);
    return upper + fy * (lower - upper);
}

#endif
