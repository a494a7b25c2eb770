// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// START HERE: one drawing, from meshes to pixels. Check, triangulate, light the vertices and the
// ground, project, then fill the viewport strip by strip and lay each strip over the picture.

#include "core/core.h"
#include "draw/blend.h"
#include "draw/occlusion.h"
#include "draw/picture.h"
#include "draw/raster.h"
#include "draw/split.h"

#include <stdlib.h>

enum {
    tg_drawCookie = 0x64726177,
    tg_bandHeight = 16, ///< rows of pixels in a strip; 16 x 1600 pixels of samples are 6.6 MB
    tg_lightCountMax = 4096,
};

/// The shadow of the ground reaches so far past the bounds, in bounding diagonals.
static const float tg_groundMargin = 0.75f;

/// Light is measured at points so many pixels apart on the surface and on the ground, which reaches
/// farther than the picture; but at no more than so many along the diagonal and the ground's side.
static const float tg_lightPixels = 6.0f, tg_groundPixels = 2.5f;
enum { tg_lightPlacesMax = 80, tg_groundSideMax = 256 };

/// Width of the border in which the ground's shadow fades, over the shorter side of the viewport.
static const float tg_borderFade = 0.16f;

tgDrawDef tgDefaultDrawDef(void)
{
    tgDrawDef def = {
        .camera = {.right = {1.0f, 0.0f, 0.0f},
                   .up = {0.0f, 1.0f, 0.0f},
                   .back = {0.0f, 0.0f, 1.0f},
                   .halfHeight = 1.0f},
        .lit = true,
        .ground = true,
        .groundHeight = NAN,
        .lightCount = 320,
        .wireframeWidth = 1.0f,
        .wireframeColor = {0.0f, 0.0f, 0.0f, 0.45f},
        .cookie = tg_drawCookie,
    };
    return def;
}

static bool tgIsUnit(tgVec3 axis)
{
    return fabsf(tgDot(axis, axis) - 1.0f) < 1e-3f;
}

static bool tgIsCamera(const tgCamera* camera)
{
    return tgIsDrawable(camera->eye) && tgIsUnit(camera->right) && tgIsUnit(camera->up) &&
           tgIsUnit(camera->back) && camera->halfHeight > 1.0f / TG_DRAW_LIMIT &&
           camera->halfHeight < TG_DRAW_LIMIT;
}

static tgResult tgCheckDrawDef(const tgPicture* picture, const tgDrawDef* def, tgError* error)
{
    if (def == NULL || def->cookie != tg_drawCookie) {
        return tgFail(error, tg_invalidArgument, -1,
                      "the drawing definition must start from tgDefaultDrawDef()");
    }
    if (picture == NULL) {
        return tgFail(error, tg_invalidArgument, -1, "there is no picture to draw into");
    }
    if (def->meshCount < 0 || (def->meshCount > 0 && def->meshes == NULL)) {
        return tgFail(error, tg_invalidArgument, -1, "there are no meshes, expected %d",
                      def->meshCount);
    }
    if (!tgIsCamera(&def->camera)) {
        return tgFail(error, tg_invalidArgument, -1, "the camera was not made by tgFrameCamera()");
    }
    if (def->lightCount < 0 || def->lightCount > tg_lightCountMax) {
        return tgFail(error, tg_invalidArgument, -1, "%d lights, expected 0 to %d", def->lightCount,
                      tg_lightCountMax);
    }
    if (!(def->clarity >= 0.0f && def->clarity <= 1.0f)) {
        return tgFail(error, tg_invalidArgument, -1, "a clarity of %g, expected 0 to 1",
                      (double)def->clarity);
    }
    if (!(def->wireframeWidth >= 0.0f && def->wireframeWidth <= 16.0f)) {
        return tgFail(error, tg_invalidArgument, -1, "a wireframe %g pixels wide, expected 0 to 16",
                      (double)def->wireframeWidth);
    }
    if (def->viewport.width < 0 || def->viewport.height < 0 ||
        (def->viewport.width == 0) != (def->viewport.height == 0) ||
        def->viewport.width > tg_maxPictureSide || def->viewport.height > tg_maxPictureSide) {
        return tgFail(error, tg_invalidArgument, -1, "the viewport is %d x %d pixels",
                      def->viewport.width, def->viewport.height);
    }
    return tg_success;
}

/// So many places that one falls on about `spacing` pixels, within reason.
static int tgFitToPixels(float spacing, int pixels, int most)
{
    int count = (int)((float)pixels / spacing);
    return count < 16 ? 16 : (count > most ? most : count);
}

/// Place the square of ground below the surface; no memory leaves light NULL.
static tgGround tgMakeGround(const tgSurface* surface, float height, int pixels)
{
    tgVec3 lower = surface->bounds.lower;
    tgVec3 upper = surface->bounds.upper;
    float margin = tg_groundMargin * tgDistance(lower, upper);
    tgGround ground = {
        .height = isfinite(height) ? height : lower.y,
        .size = fmaxf(upper.x - lower.x, upper.z - lower.z) + 2.0f * margin,
        .side = tgFitToPixels(tg_groundPixels, pixels, tg_groundSideMax),
    };
    ground.light = calloc((size_t)ground.side * (size_t)ground.side, sizeof(float[2]));
    ground.left = 0.5f * (lower.x + upper.x - ground.size);
    ground.front = 0.5f * (lower.z + upper.z - ground.size);
    return ground;
}

/// From 0 at the border of the viewport to 1 inside: no shadow is cut off by its neighbour's.
static float tgFadeAtBorder(tgRect viewport, float x, float y)
{
    float left = x - (float)viewport.x;
    float top = y - (float)viewport.y;
    float nearestX = fminf(left, (float)viewport.width - left);
    float nearestY = fminf(top, (float)viewport.height - top);
    float reach = tg_borderFade *
                  (float)(viewport.width < viewport.height ? viewport.width : viewport.height);
    float t = tgClampUnit(nearestX / reach);
    float u = tgClampUnit(nearestY / reach);
    return t * t * (3.0f - 2.0f * t) * u * u * (3.0f - 2.0f * u);
}

/// Shadow of the ground seen through a pixel.
static tgColor tgSeeGround(const tgGround* ground, const tgBand* band, int x, int y)
{
    tgColor shadow = {0.0f, 0.0f, 0.0f, 0.0f};
    float centerX = (float)x + 0.5f;
    float centerY = (float)y + 0.5f;
    const tgCamera* camera = &band->camera;
    tgVec3 back = tgGetViewRay(camera, band->viewport, centerX, centerY);
    tgVec3 origin = camera->eye;
    if (!camera->perspective) {
        float scale = 2.0f * camera->halfHeight / (float)band->viewport.height;
        float right = centerX - ((float)band->viewport.x + 0.5f * (float)band->viewport.width);
        float down = centerY - ((float)band->viewport.y + 0.5f * (float)band->viewport.height);
        origin = tgMulAdd(origin, scale * right, camera->right);
        origin = tgMulAdd(origin, -scale * down, camera->up);
    }
    // Only from above, and not so flat that the shadow would be a line.
    if (back.y > 0.01f && (origin.y > ground->height || !camera->perspective)) {
        tgVec3 p = tgMulAdd(origin, (ground->height - origin.y) / back.y, back);
        shadow.a =
            tgFadeAtBorder(band->viewport, centerX, centerY) * tgGround_GetShadow(ground, p.x, p.z);
    }
    return shadow;
}

/// What all strips of one drawing share.
typedef struct tgStrips {
    tgPicture* picture;
    tgBand band; ///< samples are each strip's own
    tgRect visible;
    tgScreenTriangles triangles;
    const tgGround* ground; ///< NULL for none
    bool hasGhosts;
    bool* failed; ///< of each strip
} tgStrips;

static void tgDrawTriangles(tgBand* band, const tgScreenTriangles* triangles, bool ghost)
{
    tgBand_Clear(band);
    for (int f = 0; f < triangles->count; ++f) {
        if (triangles->items[f].ghost == ghost) {
            tgBand_Draw(band, &triangles->items[f]);
        }
    }
}

/// Lay what is in the samples over the picture, and the ground's shadow below it.
static void tgLayBand(tgPicture* picture, const tgBand* band, const tgGround* ground)
{
    for (int y = band->rect.y; y < band->rect.y + band->rect.height; ++y) {
        tgColor* row = picture->pixels + (size_t)y * (size_t)picture->width;
        for (int x = band->rect.x; x < band->rect.x + band->rect.width; ++x) {
            tgColor surface = tgBand_Resolve(band, x, y);
            if (ground != NULL && surface.a < 1.0f) {
                row[x] = tgBlendOver(tgSeeGround(ground, band, x, y), row[x]);
            }
            row[x] = tgBlendOver(surface, row[x]);
        }
    }
}

/// Strips [begin, end), from the top.
static void tgDrawStrips(int begin, int end, void* context)
{
    const tgStrips* strips = context;
    tgBand band = strips->band;
    size_t sampleCount = (size_t)strips->visible.width * tg_bandHeight * tg_sampleCount;
    band.samples = malloc(sampleCount * sizeof(tgSample));
    int bottom = strips->visible.y + strips->visible.height;
    for (int i = begin; i < end; ++i) {
        strips->failed[i] = band.samples == NULL;
        if (strips->failed[i]) {
            continue;
        }
        band.rect.y = strips->visible.y + i * tg_bandHeight;
        band.rect.height =
            bottom - band.rect.y < tg_bandHeight ? bottom - band.rect.y : tg_bandHeight;
        tgDrawTriangles(&band, &strips->triangles, false);
        tgLayBand(strips->picture, &band, strips->ground);
        if (strips->hasGhosts) {
            tgDrawTriangles(&band, &strips->triangles, true);
            tgLayBand(strips->picture, &band, NULL);
        }
    }
    free(band.samples);
}

/// Fill the visible part of the viewport.
static tgResult tgDrawSurface(tgPicture* picture, const tgDrawDef* def, tgRect viewport,
                              const tgSurface* surface, const tgGround* ground, tgError* error)
{
    tgRect visible = tgClipRect(viewport, picture->width, picture->height);
    if (visible.width == 0) {
        return tg_success;
    }
    tgStrips strips = {
        .picture = picture,
        .band = {.rect = visible,
                 .camera = def->camera,
                 .viewport = viewport,
                 .studio = tgMakeStudio(def)},
        .visible = visible,
        .ground = ground,
    };
    for (int i = 0; i < def->meshCount; ++i) {
        strips.hasGhosts |= def->meshes[i].ghost;
    }
    int count = (visible.height + tg_bandHeight - 1) / tg_bandHeight;
    strips.failed = calloc((size_t)count, sizeof(bool));
    tgResult result =
        strips.failed != NULL
            ? tgProjectSurface(surface, &def->camera, viewport, visible, &strips.triangles, error)
            : tgFail(error, tg_outOfMemory, -1, "no memory for %d pixels", visible.width);
    if (result == tg_success) {
        tgParallel parallel = {def->parallelFor, def->parallelUser};
        tgRunRange(&parallel, tgDrawStrips, count, 1, &strips);
    }
    for (int i = 0; i < count && result == tg_success; ++i) {
        if (strips.failed[i]) {
            result = tgFail(error, tg_outOfMemory, -1, "no memory for %d pixels", visible.width);
        }
    }
    free(strips.failed);
    free(strips.triangles.items);
    return result;
}

/// Sky, key and the ground's light; returns what went wrong.
static tgResult tgLightSurface(const tgDrawDef* def, tgSurface* surface, int pixels,
                               tgGround* ground, tgError* error)
{
    float diagonal = tgDistance(surface->bounds.lower, surface->bounds.upper);
    int places = tgFitToPixels(tg_lightPixels, pixels, tg_lightPlacesMax);
    tgResult result = tgSplitSurface(surface, diagonal / (float)places, error);
    tgOccludeDef occlude = {.key = tgMakeStudio(def).key,
                            .lightCount = def->lightCount,
                            .parallel = {def->parallelFor, def->parallelUser}};
    return result == tg_success ? tgOcclude(surface, &occlude, ground, error) : result;
}

tgResult tgPicture_DrawMeshes(tgPicture* picture, const tgDrawDef* def, tgError* error)
{
    tgSurface surface;
    tgResult result = tgCheckDrawDef(picture, def, error);
    if (result == tg_success) {
        result = tgBuildSurface(def->meshes, def->meshCount, &surface, error);
    }
    if (result != tg_success) {
        return result;
    }
    tgRect whole = {0, 0, picture->width, picture->height};
    tgRect viewport = def->viewport.width > 0 ? def->viewport : whole;
    int pixels = viewport.width > viewport.height ? viewport.width : viewport.height;
    tgGround ground = {0};
    bool lights = def->lit && def->lightCount > 0 && surface.triangleCount > 0;
    bool hasGround = lights && def->ground;
    if (hasGround) {
        ground = tgMakeGround(&surface, def->groundHeight, pixels);
        if (ground.light == NULL) {
            result = tgFail(error, tg_outOfMemory, -1, "no memory for the ground");
        }
    }
    if (lights && result == tg_success) {
        result = tgLightSurface(def, &surface, pixels, hasGround ? &ground : NULL, error);
    }
    if (result == tg_success) {
        result = tgDrawSurface(picture, def, viewport, &surface, hasGround ? &ground : NULL, error);
    }
    free(ground.light);
    tgFreeSurface(&surface);
    return result;
}
