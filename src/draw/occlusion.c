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
#include "draw/depth_map.h"
#include "draw/light.h"
#include "draw/light_points.h"

#include <stdlib.h>

enum { tg_smoothPasses = 2, tg_batchSize = 16 };

/// Half of the width of the key light over its distance: about 11 degrees to each side.
static const float tg_keySpread = 0.19f;
/// Of the directions, so many are spent on the key light.
static const float tg_keyShare = 0.2f;
/// Key light that comes from below a vertex's horizon by no more than this sine is still tried:
/// faces near the edge of a shadow reach past it.
static const float tg_pastHorizon = -0.3f;
/// Light lower than this sine over the ground is left out: its shadows have no end.
static const float tg_leastRise = 0.02f;
/// Cosine and sine of the golden angle: turning by it never repeats a direction.
static const double tg_goldenCosine = -0.73736887807831990;
static const double tg_goldenSine = 0.67549029426152363;

/// One direction, and how much light comes from there.
typedef struct tgLightDirection {
    tgVec3 towards;
    float sky, key;
} tgLightDirection;

/// What is summed over the directions, a batch of them at a time: maps are filled side by side, and
/// then every point adds the batch in order, so the number of threads never shows.
typedef struct tgOcclusion {
    tgLightPoints light;
    tgCasters casters; ///< by light points
    tgGround* ground;  ///< NULL for none
    tgLightDirection directions[tg_batchSize];
    tgDepthMap maps[tg_batchSize];
    int batchCount, batchSize;
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
    const tgLightPoints* light = &occlusion->light;
    for (int b = begin; b < end; ++b) {
        tgDepthMap* map = &occlusion->maps[b];
        tgDepthMap_Aim(map, occlusion->directions[b].towards);
        for (int i = 0; i < light->count; ++i) {
            map->points[i] = tgDepthMap_Place(map, light->points[i].position);
        }
        tgDepthMap_Fill(map, light->count, &occlusion->casters);
    }
}

static void tgLightPoint_Add(tgLightPoint* point, const tgDepthMap* map, int i,
                             const tgLightDirection* direction)
{
    float cosine = tgDot(point->normal, map->towards);
    if (cosine <= (direction->key > 0.0f ? tg_pastHorizon : 0.0f)) {
        return;
    }
    tgVec3 lift =
        tgMakeVec3(tgDot(point->normal, map->across), tgDot(point->normal, map->along), cosine);
    float open = 1.0f - tgDepthMap_GetShadow(map, tgMulAdd(map->points[i], TG_LIFT_TEXELS, lift));
    float light = direction->sky * (cosine > 0.0f ? cosine : 0.0f);
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

/// The places of a row that start + step * place takes into [first, last): most see no shadow.
static void tgNarrowRow(float start, float step, float first, float last, int* begin, int* end)
{
    if (step == 0.0f) {
        *end = start >= first && start < last ? *end : *begin;
        return;
    }
    float from = (first - start) / step, to = (last - start) / step;
    float least = from < to ? from : to, most = from < to ? to : from;
    // One more at each end, for what rounding leaves out.
    if (least > (float)*begin + 1.0f) {
        *begin = least < (float)*end ? (int)least - 1 : *end;
    }
    if (most < (float)*end - 2.0f) {
        *end = most > (float)*begin ? (int)most + 2 : *begin;
    }
}

/// Shadow on rows [begin, end) of the ground; tgFinishLight makes light of it.
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
            tgVec3 point = tgDepthMap_Place(map, p);
            tgVec3 next = tgDepthMap_Place(map, tgMakeVec3(p.x + step, p.y, p.z));
            tgVec3 along = tgSub(next, point);
            int first = 0, last = ground->side;
            tgNarrowRow(point.x - 0.5f, along.x, map->left, map->right, &first, &last);
            tgNarrowRow(point.y - 0.5f, along.y, map->front, map->back, &first, &last);
            float(*light)[2] = ground->light + (size_t)row * (size_t)ground->side;
            for (int column = first; column < last; ++column) {
                float shadow = tgDepthMap_GetShadow(map, tgMulAdd(point, (float)column, along));
                light[column][0] += direction->sky * cosine * shadow;
                light[column][1] += direction->key * shadow;
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
    tgDepthMap axes = {0};
    tgDepthMap_Aim(&axes, key);
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
        if (occlusion->batchCount == occlusion->batchSize || i + 1 == skyCount + keyCount) {
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
            ground[0] = weight > 0.0f ? 1.0f - ground[0] / weight : 1.0f;
            ground[1] = 1.0f - ground[1];
        }
    }
    return memory;
}

/// Shadows are cast by whole triangles, because there are fewer; false without memory.
static bool tgGatherCasters(const tgSurface* surface, const tgLightPoints* light,
                            tgCasters* casters)
{
    bool isCut = surface->wholes != NULL;
    const tgSurfaceTriangle* triangles = isCut ? surface->wholes : surface->triangles;
    int count = isCut ? surface->wholeCount : surface->triangleCount;
    casters->corners = malloc(((size_t)count + 1) * sizeof(int[3]));
    if (casters->corners == NULL) {
        return false;
    }
    for (int pass = 0; pass < 2; ++pass) { // closed ones first
        for (int f = 0; f < count; ++f) {
            // Glass casts no shadow.
            if (!triangles[f].ghost && triangles[f].twoSided == (pass == 1)) {
                int* caster = casters->corners[casters->count++];
                for (int k = 0; k < 3; ++k) {
                    caster[k] = light->ofVertex[triangles[f].corners[k]];
                }
            }
        }
        casters->closedCount = pass == 0 ? casters->count : casters->closedCount;
    }
    return true;
}

/// Memory of the maps; false when there is none.
static bool tgMakeMaps(tgOcclusion* occlusion, const tgSurface* surface, float radius)
{
    bool memory = true;
    tgVec3 center = tgLerp(surface->bounds.lower, surface->bounds.upper, 0.5f);
    for (int b = 0; b < occlusion->batchSize && memory; ++b) {
        memory = tgMakeDepthMap(&occlusion->maps[b], center, radius, occlusion->light.count);
    }
    return memory;
}

tgResult tgOcclude(tgSurface* surface, const tgOccludeDef* def, tgGround* ground, tgError* error)
{
    float radius = 0.5f * tgDistance(surface->bounds.upper, surface->bounds.lower);
    if (surface->triangleCount == 0 || !(radius > 0.0f)) {
        return tg_success;
    }
    // On one thread a map that is used at once is still in the cache.
    int batchSize = def->parallel.run != NULL ? tg_batchSize : 1;
    tgOcclusion occlusion = {.ground = ground, .batchSize = batchSize};
    bool memory = tgGatherLightPoints(surface, &occlusion.light) &&
                  tgGatherCasters(surface, &occlusion.light, &occlusion.casters) &&
                  tgMakeMaps(&occlusion, surface, radius);
    if (memory) {
        tgLightFromAll(&occlusion, def->key, def->lightCount, &def->parallel);
        memory = tgFinishLight(&occlusion, surface);
    }
    for (int b = 0; b < batchSize; ++b) {
        tgFreeDepthMap(&occlusion.maps[b]);
    }
    free(occlusion.casters.corners);
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
