// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// How much light reaches a surface and the ground below it. From each of many directions the
// surface is drawn into a small depth map, and every vertex asks the map whether something stands
// before it. The mean over all directions is the occlusion of the sky; the mean over a narrow cone
// is a soft shadow of the key light.

#include "draw/occlusion.h"

#include "core/core.h"
#include "draw/blend.h"
#include "draw/light.h"

#include <float.h>
#include <stdlib.h>

enum { tg_mapSide = 256, tg_smoothPasses = 2 };

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
/// Cosine and sine of the golden angle: turning by it never repeats a direction.
static const double tg_goldenCosine = -0.73736887807831990;
static const double tg_goldenSine = 0.67549029426152363;

/// Depth of the surface seen from one direction, over the sphere around it.
typedef struct tgDepthMap {
    tgVec3 center, across, along, towards; ///< unit axes; `towards` points to the light
    float texelsPerUnit;
    float* heights; ///< tg_mapSide squared: largest height towards the light
    tgVec3* points; ///< vertices in texels and height
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

/// Texels whose centres lie in the triangle take its height where that is larger.
static void tgDrawDepth(tgDepthMap* map, tgVec3 a, tgVec3 b, tgVec3 c)
{
    float area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
    if (area == 0.0f) {
        return;
    }
    // Pixel centres at whole numbers plus one half; all points lie inside the map.
    int firstX = (int)(fminf(a.x, fminf(b.x, c.x)) + 0.5f);
    int lastX = (int)(fmaxf(a.x, fmaxf(b.x, c.x)) - 0.5f);
    int firstY = (int)(fminf(a.y, fminf(b.y, c.y)) + 0.5f);
    int lastY = (int)(fmaxf(a.y, fmaxf(b.y, c.y)) - 0.5f);
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

static void tgFillMap(tgDepthMap* map, const tgSurface* surface)
{
    for (int i = 0; i < tg_mapSide * tg_mapSide; ++i) {
        map->heights[i] = -FLT_MAX;
    }
    for (int v = 0; v < surface->vertexCount; ++v) {
        if (surface->vertices[v].used) {
            map->points[v] = tgMapPoint(map, surface->vertices[v].position);
        }
    }
    for (int f = 0; f < surface->triangleCount; ++f) {
        const int* corners = surface->triangles[f].corners;
        tgDrawDepth(map, map->points[corners[0]], map->points[corners[1]], map->points[corners[2]]);
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

/// What is summed over the directions.
typedef struct tgOcclusion {
    tgSurface* surface;
    tgGround* ground; ///< NULL for none
    tgDepthMap map;
    float* skyWeights;     ///< for each vertex, the light it would see with nothing in its way
    float groundSkyWeight; ///< the same for the ground
} tgOcclusion;

/// The sky is brightest above; from below comes only what the floor sends back.
static float tgGetSkyLight(tgVec3 direction)
{
    return direction.y > 0.0f ? 0.7f + 0.3f * direction.y : 0.7f + 0.4f * direction.y;
}

static void tgLightVertices(tgOcclusion* occlusion, float skyLight, float keyLight)
{
    const tgDepthMap* map = &occlusion->map;
    for (int v = 0; v < occlusion->surface->vertexCount; ++v) {
        tgSurfaceVertex* vertex = &occlusion->surface->vertices[v];
        float cosine = tgDot(vertex->normal, map->towards);
        if (!vertex->used || cosine <= tg_pastHorizon) {
            continue;
        }
        tgVec3 lift = tgMakeVec3(tgDot(vertex->normal, map->across),
                                 tgDot(vertex->normal, map->along), cosine);
        float open = tgIsFree(map, tgMulAdd(map->points[v], tg_liftTexels, lift));
        float light = skyLight * fmaxf(0.0f, cosine);
        vertex->sky += light * open;
        vertex->key += keyLight * open;
        occlusion->skyWeights[v] += light;
    }
}

static void tgLightGround(tgOcclusion* occlusion, float skyLight, float keyLight)
{
    const tgDepthMap* map = &occlusion->map;
    tgGround* ground = occlusion->ground;
    float cosine = map->towards.y;
    if (ground == NULL || cosine <= 0.02f) {
        return;
    }
    float step = ground->size / (tg_groundSide - 1);
    for (int row = 0; row < tg_groundSide; ++row) {
        tgVec3 p = {ground->left, ground->height, ground->front + (float)row * step};
        tgVec3 point = tgMapPoint(map, p);
        tgVec3 next = tgMapPoint(map, tgMakeVec3(p.x + step, p.y, p.z));
        tgVec3 along = tgSub(next, point);
        float(*light)[2] = ground->light + (size_t)row * tg_groundSide;
        for (int column = 0; column < tg_groundSide; ++column) {
            float open = tgIsFree(map, tgMulAdd(point, (float)column, along));
            light[column][0] += skyLight * cosine * open;
            light[column][1] += keyLight * open;
        }
    }
    occlusion->groundSkyWeight += skyLight * cosine;
}

static void tgLightFrom(tgOcclusion* occlusion, tgVec3 towards, float skyLight, float keyLight)
{
    tgAimMap(&occlusion->map, towards);
    tgFillMap(&occlusion->map, occlusion->surface);
    tgLightVertices(occlusion, skyLight, keyLight);
    tgLightGround(occlusion, skyLight, keyLight);
}

/// Directions spread evenly over the sphere, then over the disc of the key light: Fibonacci
/// spirals, turned by multiplication so that no trigonometry is needed.
static void tgLightFromAll(tgOcclusion* occlusion, tgVec3 key, int lightCount)
{
    int keyCount = (int)(tg_keyShare * (float)lightCount) + 1;
    int skyCount = lightCount - keyCount > 0 ? lightCount - keyCount : 1;
    double x = 1.0;
    double z = 0.0;
    for (int i = 0; i < skyCount + keyCount; ++i) {
        if (i < skyCount) {
            double y = 1.0 - (2.0 * i + 1.0) / skyCount;
            double radius = sqrt(1.0 - y * y);
            tgVec3 towards = tgMakeVec3((float)(radius * x), (float)y, (float)(radius * z));
            tgLightFrom(occlusion, towards, tgGetSkyLight(towards), 0.0f);
        } else {
            tgDepthMap axes;
            tgAimMap(&axes, key);
            float radius = tg_keySpread * sqrtf(((float)(i - skyCount) + 0.5f) / (float)keyCount);
            tgVec3 towards = tgMulAdd(key, radius * (float)x, axes.across);
            towards = tgMulAdd(towards, radius * (float)z, axes.along);
            tgLightFrom(occlusion, tgNormalize(towards, key), 0.0f, 1.0f / (float)keyCount);
        }
        double turned = x * tg_goldenCosine - z * tg_goldenSine;
        z = x * tg_goldenSine + z * tg_goldenCosine;
        x = turned;
    }
}

/// One pass of averaging with the neighbours: a map's texels and a shadow's edge are finer than the
/// vertices, and would show as teeth along the faces.
static void tgSmoothLight(const tgSurface* surface, tgVec3* sums)
{
    for (int v = 0; v < surface->vertexCount; ++v) {
        sums[v] = tgMakeVec3(0.0f, 0.0f, 0.0f);
    }
    for (int f = 0; f < surface->triangleCount; ++f) {
        const int* corners = surface->triangles[f].corners;
        for (int k = 0; k < 3; ++k) {
            const tgSurfaceVertex* a = &surface->vertices[corners[(k + 1) % 3]];
            const tgSurfaceVertex* b = &surface->vertices[corners[(k + 2) % 3]];
            tgVec3 pair = tgMakeVec3(a->sky + b->sky, a->key + b->key, 2.0f);
            sums[corners[k]] = tgAdd(sums[corners[k]], pair);
        }
    }
    for (int v = 0; v < surface->vertexCount; ++v) {
        tgSurfaceVertex* vertex = &surface->vertices[v];
        if (vertex->used) {
            vertex->sky = 0.5f * (vertex->sky + sums[v].x / sums[v].z);
            vertex->key = 0.5f * (vertex->key + sums[v].y / sums[v].z);
        }
    }
}

static void tgFinishLight(tgOcclusion* occlusion)
{
    for (int v = 0; v < occlusion->surface->vertexCount; ++v) {
        tgSurfaceVertex* vertex = &occlusion->surface->vertices[v];
        float weight = occlusion->skyWeights[v];
        vertex->sky = weight > 0.0f ? vertex->sky / weight : 1.0f;
    }
    for (int i = 0; i < tg_smoothPasses; ++i) {
        tgSmoothLight(occlusion->surface, occlusion->map.points);
    }
    if (occlusion->ground != NULL) {
        float weight = occlusion->groundSkyWeight;
        for (int i = 0; i < tg_groundSide * tg_groundSide; ++i) {
            float* light = occlusion->ground->light[i];
            light[0] = weight > 0.0f ? light[0] / weight : 1.0f;
        }
    }
}

tgResult tgOcclude(tgSurface* surface, tgVec3 key, int lightCount, tgGround* ground, tgError* error)
{
    tgVec3 diagonal = tgSub(surface->bounds.upper, surface->bounds.lower);
    float radius = 0.5f * tgLength(diagonal);
    if (surface->triangleCount == 0 || !(radius > 0.0f)) {
        return tg_success;
    }
    tgOcclusion occlusion = {.surface = surface, .ground = ground};
    size_t vertexCount = (size_t)surface->vertexCount;
    occlusion.skyWeights = calloc(vertexCount, sizeof(float));
    occlusion.map.points = calloc(vertexCount, sizeof(tgVec3));
    occlusion.map.heights = malloc(sizeof(float) * tg_mapSide * tg_mapSide);
    bool memory = occlusion.skyWeights != NULL && occlusion.map.points != NULL &&
                  occlusion.map.heights != NULL;
    if (memory) {
        occlusion.map.center = tgMulAdd(surface->bounds.lower, 0.5f, diagonal);
        // Two texels stay free at each side, for the bilinear look-up.
        occlusion.map.texelsPerUnit = (0.5f * tg_mapSide - 2.0f) / radius;
        for (int v = 0; v < surface->vertexCount; ++v) {
            surface->vertices[v].sky = 0.0f;
            surface->vertices[v].key = 0.0f;
        }
        tgLightFromAll(&occlusion, key, lightCount);
        tgFinishLight(&occlusion);
    }
    free(occlusion.skyWeights);
    free(occlusion.map.points);
    free(occlusion.map.heights);
    return memory ? tg_success
                  : tgFail(error, tg_outOfMemory, -1, "no memory to light %d vertices",
                           surface->vertexCount);
}

float tgGround_GetShadow(const tgGround* ground, float x, float z)
{
    float scale = (tg_groundSide - 1) / ground->size;
    float u = scale * (x - ground->left);
    float v = scale * (z - ground->front);
    if (!(u >= 0.0f && v >= 0.0f && u < tg_groundSide - 1 && v < tg_groundSide - 1)) {
        return 0.0f;
    }
    int column = (int)u;
    int row = (int)v;
    float fu = u - (float)column;
    float fv = v - (float)row;
    float mean[2];
    for (int i = 0; i < 2; ++i) {
        const float(*light)[2] =
            (const float(*)[2])ground->light + (size_t)row * tg_groundSide + column;
        float upper = light[0][i] + fu * (light[1][i] - light[0][i]);
        light += tg_groundSide;
        float lower = light[0][i] + fu * (light[1][i] - light[0][i]);
        mean[i] = upper + fv * (lower - upper);
    }
    // The square ends where the shadow is faint; a parabola takes the rest to nothing.
    float side = 2.0f / (tg_groundSide - 1);
    float fromCenterU = u * side - 1.0f;
    float fromCenterV = v * side - 1.0f;
    float fade = tgClampUnit(2.0f * (1.0f - fromCenterU * fromCenterU)) *
                 tgClampUnit(2.0f * (1.0f - fromCenterV * fromCenterV));
    return fade * tgShadeGround(mean[0], mean[1]);
}
