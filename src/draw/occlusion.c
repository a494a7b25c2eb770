// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// How much light reaches a surface and the ground below it. From each of many directions the
// surface is drawn into a small depth map, and every point of it asks the map whether something
// stands before it. The mean over all directions is the occlusion of the sky; the mean over a
// narrow cone is a soft shadow of the key light.

#include "draw/occlusion.h"

#include "core/core.h"
#include "draw/blend.h"
#include "draw/light.h"
#include "draw/light_points.h"

#include <float.h>
#include <stdlib.h>

enum { tg_mapSide = 256, tg_smoothPasses = 2, tg_batchSize = 16 };

/// Half of the width of the key light over its distance: about 11 degrees to each side.
static const float tg_keySpread = 0.19f;
/// Of the directions, so many are spent on the key light.
static const float tg_keyShare = 0.2f;
/// A point is lifted off its surface by so many texels, and only what stands as far again before it
/// counts: a map cannot tell a surface from itself any closer.
static const float tg_liftTexels = 1.5f;
/// Light that comes from below a vertex's horizon by no more than this sine is still tried: faces
/// near the edge of a shadow reach past it.
static const float tg_pastHorizon = -0.3f;
/// Light lower than this sine over the ground is left out: its shadows have no end.
static const float tg_leastRise = 0.02f;
/// Cosine and sine of the golden angle: turning by it never repeats a direction.
static const double tg_goldenCosine = -0.73736887807831990;
static const double tg_goldenSine = 0.67549029426152363;

/// Depth of the surface seen from one direction, over the sphere around it.
typedef struct tgDepthMap {
    tgVec3 center, across, along, towards; ///< unit axes; `towards` points to the light
    float texelsPerUnit;
    float* heights; ///< tg_mapSide squared: largest height towards the light
    tgVec3* points; ///< light points in texels and height
} tgDepthMap;

static void tgAimMap(tgDepthMap* map, tgVec3 towards)
{
    tgVec3 helper =
        fabsf(towards.y) < 0.9f ? tgMakeVec3(0.0f, 1.0f, 0.0f) : tgMakeVec3(1.0f, 0.0f, 0.0f);
    map->towards = towards;
    map->across = tgNormalize(tgCross(helper, towards), tgMakeVec3(0.0f, 0.0f, 1.0f));
    map->along = tgCross(towards, map->across);
}

static tgVec3 tgMapPoint(const tgDepthMap* map, tgVec3 p)
{
    tgVec3 offset = tgMulSV(map->texelsPerUnit, tgSub(p, map->center));
    return tgMakeVec3(tgDot(offset, map->across) + 0.5f * tg_mapSide,
                      tgDot(offset, map->along) + 0.5f * tg_mapSide, tgDot(offset, map->towards));
}

// Compared by hand: this is the innermost loop of a picture, and fminf is a call.
static inline float tgLeast(float a, float b, float c)
{
    float least = a < b ? a : b;
    return least < c ? least : c;
}

static inline float tgMost(float a, float b, float c)
{
    float most = a > b ? a : b;
    return most > c ? most : c;
}

/// Texels whose centres lie in the triangle take its height where that is larger.
static void tgDrawDepth(tgDepthMap* map, tgVec3 a, tgVec3 b, tgVec3 c)
{
    float area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
    if (area == 0.0f) {
        return;
    }
    // Pixel centres at whole numbers plus one half; all points lie inside the map.
    int firstX = (int)(tgLeast(a.x, b.x, c.x) + 0.5f);
    int lastX = (int)(tgMost(a.x, b.x, c.x) - 0.5f);
    int firstY = (int)(tgLeast(a.y, b.y, c.y) + 0.5f);
    int lastY = (int)(tgMost(a.y, b.y, c.y) - 0.5f);
    if (firstX > lastX || firstY > lastY) {
        return; // between the centres, as most are
    }
    float perArea = 1.0f / area;
    float ux = (c.y - a.y) * perArea, uy = -(c.x - a.x) * perArea;
    float vx = -(b.y - a.y) * perArea, vy = (b.x - a.x) * perArea;
    for (int y = firstY; y <= lastY; ++y) {
        float* row = map->heights + (size_t)y * tg_mapSide;
        for (int x = firstX; x <= lastX; ++x) {
            float dx = (float)x + 0.5f - a.x;
            float dy = (float)y + 0.5f - a.y;
            float u = ux * dx + uy * dy;
            float v = vx * dx + vy * dy;
            float height = a.z + u * (b.z - a.z) + v * (c.z - a.z);
            if (u >= 0.0f && v >= 0.0f && u + v <= 1.0f && height > row[x]) {
                row[x] = height;
            }
        }
    }
}

static void tgFillMap(tgDepthMap* map, const tgSurface* surface, const tgLightPoints* light)
{
    for (int i = 0; i < tg_mapSide * tg_mapSide; ++i) {
        map->heights[i] = -FLT_MAX;
    }
    for (int i = 0; i < light->count; ++i) {
        map->points[i] = tgMapPoint(map, light->points[i].position);
    }
    // Shadows are cast by whole triangles: there are fewer.
    bool isCut = surface->wholes != NULL;
    const tgSurfaceTriangle* casters = isCut ? surface->wholes : surface->triangles;
    int casterCount = isCut ? surface->wholeCount : surface->triangleCount;
    for (int f = 0; f < casterCount; ++f) {
        const int* corners = casters[f].corners;
        if (casters[f].ghost) {
            continue; // glass casts no shadow
        }
        tgDrawDepth(map, map->points[light->ofVertex[corners[0]]],
                    map->points[light->ofVertex[corners[1]]],
                    map->points[light->ofVertex[corners[2]]]);
    }
}

/// How far the point (in texels) is free towards the light: 0 hidden, 1 free, bilinear between.
static float tgIsFree(const tgDepthMap* map, tgVec3 point)
{
    float x = point.x - 0.5f;
    float y = point.y - 0.5f;
    if (!(x >= 0.0f && y >= 0.0f && x < tg_mapSide - 1 && y < tg_mapSide - 1)) {
        return 1.0f;
    }
    int column = (int)x;
    int row = (int)y;
    const float* texel = map->heights + (size_t)row * tg_mapSide + column;
    float limit = point.z + tg_liftTexels;
    float fx = x - (float)column;
    float fy = y - (float)row;
    float upper = (texel[0] > limit ? 0.0f : 1.0f - fx) + (texel[1] > limit ? 0.0f : fx);
    texel += tg_mapSide;
    float lower = (texel[0] > limit ? 0.0f : 1.0f - fx) + (texel[1] > limit ? 0.0f : fx);
    return upper + fy * (lower - upper);
}

/// One direction, and how much light comes from there.
typedef struct tgLightDirection {
    tgVec3 towards;
    float sky, key;
} tgLightDirection;

/// What is summed over the directions, a batch of them at a time: maps are filled side by side, and
/// then every point adds the batch in order, so the number of threads never shows.
typedef struct tgOcclusion {
    const tgSurface* surface;
    tgLightPoints light;
    tgGround* ground; ///< NULL for none
    tgLightDirection directions[tg_batchSize];
    tgDepthMap maps[tg_batchSize];
    int batchCount;
    float groundSkyWeight; ///< the light the ground would see with nothing in its way
} tgOcclusion;

/// The sky is brightest above; from below comes only what the floor sends back.
static float tgGetSkyLight(tgVec3 direction)
{
    return direction.y > 0.0f ? 0.7f + 0.3f * direction.y : 0.7f + 0.4f * direction.y;
}

static void tgFillMaps(int begin, int end, void* context)
{
    tgOcclusion* occlusion = context;
    for (int i = begin; i < end; ++i) {
        tgAimMap(&occlusion->maps[i], occlusion->directions[i].towards);
        tgFillMap(&occlusion->maps[i], occlusion->surface, &occlusion->light);
    }
}

static void tgLightPoint_Add(tgLightPoint* point, const tgDepthMap* map, int i,
                             const tgLightDirection* direction)
{
    float cosine = tgDot(point->normal, map->towards);
    if (cosine <= tg_pastHorizon) {
        return;
    }
    tgVec3 lift =
        tgMakeVec3(tgDot(point->normal, map->across), tgDot(point->normal, map->along), cosine);
    float open = tgIsFree(map, tgMulAdd(map->points[i], tg_liftTexels, lift));
    float light = direction->sky * fmaxf(0.0f, cosine);
    point->sky += light * open;
    point->key += direction->key * open;
    point->skyWeight += light;
}

static void tgLightThePoints(int begin, int end, void* context)
{
    tgOcclusion* occlusion = context;
    for (int b = 0; b < occlusion->batchCount; ++b) {
        for (int i = begin; i < end; ++i) {
            tgLightPoint_Add(&occlusion->light.points[i], &occlusion->maps[b], i,
                             &occlusion->directions[b]);
        }
    }
}

/// Rows [begin, end) of the ground.
static void tgLightGround(int begin, int end, void* context)
{
    tgOcclusion* occlusion = context;
    tgGround* ground = occlusion->ground;
    float step = ground->size / (float)(ground->side - 1);
    for (int b = 0; b < occlusion->batchCount; ++b) {
        const tgDepthMap* map = &occlusion->maps[b];
        const tgLightDirection* direction = &occlusion->directions[b];
        float cosine = map->towards.y;
        for (int row = begin; row < end && cosine > tg_leastRise; ++row) {
            tgVec3 p = {ground->left, ground->height, ground->front + (float)row * step};
            tgVec3 point = tgMapPoint(map, p);
            tgVec3 next = tgMapPoint(map, tgMakeVec3(p.x + step, p.y, p.z));
            tgVec3 along = tgSub(next, point);
            float(*light)[2] = ground->light + (size_t)row * (size_t)ground->side;
            for (int column = 0; column < ground->side; ++column) {
                float open = tgIsFree(map, tgMulAdd(point, (float)column, along));
                light[column][0] += direction->sky * cosine * open;
                light[column][1] += direction->key * open;
            }
        }
    }
}

/// Everything sees the directions gathered so far.
static void tgLightFromBatch(tgOcclusion* occlusion, const tgParallel* parallel)
{
    tgRunRange(parallel, tgFillMaps, occlusion->batchCount, 1, occlusion);
    tgRunRange(parallel, tgLightThePoints, occlusion->light.count, 512, occlusion);
    if (occlusion->ground != NULL) {
        tgRunRange(parallel, tgLightGround, occlusion->ground->side, 8, occlusion);
        for (int b = 0; b < occlusion->batchCount; ++b) {
            float cosine = occlusion->directions[b].towards.y;
            occlusion->groundSkyWeight +=
                cosine > tg_leastRise ? occlusion->directions[b].sky * cosine : 0.0f;
        }
    }
    occlusion->batchCount = 0;
}

/// Directions spread evenly over the sphere, then over the disc of the key light: Fibonacci
/// spirals, turned by multiplication so that no trigonometry is needed.
static void tgLightFromAll(tgOcclusion* occlusion, tgVec3 key, int lightCount,
                           const tgParallel* parallel)
{
    int keyCount = (int)(tg_keyShare * (float)lightCount) + 1;
    int skyCount = lightCount - keyCount > 0 ? lightCount - keyCount : 1;
    double x = 1.0;
    double z = 0.0;
    tgDepthMap axes;
    tgAimMap(&axes, key);
    for (int i = 0; i < skyCount + keyCount; ++i) {
        tgLightDirection* direction = &occlusion->directions[occlusion->batchCount++];
        if (i < skyCount) {
            double y = 1.0 - (2.0 * i + 1.0) / skyCount;
            double radius = sqrt(1.0 - y * y);
            tgVec3 towards = tgMakeVec3((float)(radius * x), (float)y, (float)(radius * z));
            *direction = (tgLightDirection){towards, tgGetSkyLight(towards), 0.0f};
        } else {
            float radius = tg_keySpread * sqrtf(((float)(i - skyCount) + 0.5f) / (float)keyCount);
            tgVec3 towards = tgMulAdd(key, radius * (float)x, axes.across);
            towards = tgMulAdd(towards, radius * (float)z, axes.along);
            *direction =
                (tgLightDirection){tgNormalize(towards, key), 0.0f, 1.0f / (float)keyCount};
        }
        double turned = x * tg_goldenCosine - z * tg_goldenSine;
        z = x * tg_goldenSine + z * tg_goldenCosine;
        x = turned;
        if (occlusion->batchCount == tg_batchSize || i + 1 == skyCount + keyCount) {
            tgLightFromBatch(occlusion, parallel);
        }
    }
}

static bool tgFinishLight(tgOcclusion* occlusion, tgSurface* surface)
{
    tgLightPoints* light = &occlusion->light;
    for (int i = 0; i < light->count; ++i) {
        float weight = light->points[i].skyWeight;
        light->points[i].sky = weight > 0.0f ? light->points[i].sky / weight : 1.0f;
    }
    bool memory = tgLightPoints_Smooth(light, surface, tg_smoothPasses);
    tgLightPoints_Store(light, surface);
    if (occlusion->ground != NULL) {
        float weight = occlusion->groundSkyWeight;
        for (int i = 0; i < occlusion->ground->side * occlusion->ground->side; ++i) {
            float* ground = occlusion->ground->light[i];
            ground[0] = weight > 0.0f ? ground[0] / weight : 1.0f;
        }
    }
    return memory;
}

/// Memory of the maps; false when there is none.
static bool tgMakeMaps(tgOcclusion* occlusion, const tgSurface* surface, float radius)
{
    bool memory = true;
    for (int b = 0; b < tg_batchSize; ++b) {
        tgDepthMap* map = &occlusion->maps[b];
        map->center = tgLerp(surface->bounds.lower, surface->bounds.upper, 0.5f);
        // Two texels stay free at each side, for the bilinear look-up.
        map->texelsPerUnit = (0.5f * tg_mapSide - 2.0f) / radius;
        map->points = malloc(((size_t)occlusion->light.count + 1) * sizeof(tgVec3));
        map->heights = malloc(sizeof(float) * tg_mapSide * tg_mapSide);
        memory = memory && map->points != NULL && map->heights != NULL;
    }
    return memory;
}

tgResult tgOcclude(tgSurface* surface, const tgOccludeDef* def, tgGround* ground, tgError* error)
{
    float radius = 0.5f * tgDistance(surface->bounds.upper, surface->bounds.lower);
    if (surface->triangleCount == 0 || !(radius > 0.0f)) {
        return tg_success;
    }
    tgOcclusion occlusion = {.surface = surface, .ground = ground};
    bool memory =
        tgGatherLightPoints(surface, &occlusion.light) && tgMakeMaps(&occlusion, surface, radius);
    if (memory) {
        tgLightFromAll(&occlusion, def->key, def->lightCount, &def->parallel);
        memory = tgFinishLight(&occlusion, surface);
    }
    for (int b = 0; b < tg_batchSize; ++b) {
        free(occlusion.maps[b].points);
        free(occlusion.maps[b].heights);
    }
    tgFreeLightPoints(&occlusion.light);
    return memory ? tg_success
                  : tgFail(error, tg_outOfMemory, -1, "no memory to light %d vertices",
                           surface->vertexCount);
}

float tgGround_GetShadow(const tgGround* ground, float x, float z)
{
    float last = (float)(ground->side - 1), scale = last / ground->size;
    float u = scale * (x - ground->left);
    float v = scale * (z - ground->front);
    if (!(u >= 0.0f && v >= 0.0f && u < last && v < last)) {
        return 0.0f;
    }
    int column = (int)u;
    int row = (int)v;
    float fu = u - (float)column;
    float fv = v - (float)row;
    float mean[2];
    for (int i = 0; i < 2; ++i) {
        const float(*light)[2] =
            (const float(*)[2])ground->light + (size_t)row * (size_t)ground->side + column;
        float upper = light[0][i] + fu * (light[1][i] - light[0][i]);
        light += ground->side;
        float lower = light[0][i] + fu * (light[1][i] - light[0][i]);
        mean[i] = upper + fv * (lower - upper);
    }
    // The square ends where the shadow is faint; a parabola takes the rest to nothing.
    float side = 2.0f / last;
    float fromCenterU = u * side - 1.0f;
    float fromCenterV = v * side - 1.0f;
    float fade = tgClampUnit(2.0f * (1.0f - fromCenterU * fromCenterU)) *
                 tgClampUnit(2.0f * (1.0f - fromCenterV * fromCenterV));
    return fade * tgShadeGround(mean[0], mean[1]);
}
