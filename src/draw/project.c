// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The surface to triangles on the screen: projection, clipping (Sutherland and Hodgman 1974), and
// edge equations on a whole-number grid, so that neighbours share every sample exactly once.

#include "core/core.h"
#include "draw/raster.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/// Triangles are cut so many pixels from the centre of the viewport; products of two subpixel
/// coordinates then stay below 2^50.
static const float tg_guardPixels = 32768.0f;
/// Nearest distance that is drawn, as a fraction of how far the eye is from the bounds' centre.
static const float tg_nearFraction = 1e-3f;

/// A corner before division: the pixel is (x / w, y / w) from the viewport's centre, y up.
typedef struct tgClipVertex {
    float x, y, w;
    float distance;
    float values[tg_valueCount];
} tgClipVertex;

typedef struct tgProjection {
    tgCamera camera;
    float scale; ///< pixels for one unit at distance 1
    float nearest;
    float centerX, centerY;
    tgRect visible;
} tgProjection;

static tgClipVertex tgProjectVertex(const tgProjection* projection, const tgSurfaceVertex* vertex)
{
    tgVec3 offset = tgSub(vertex->position, projection->camera.eye);
    tgClipVertex clip;
    clip.x = projection->scale * tgDot(offset, projection->camera.right);
    clip.y = projection->scale * tgDot(offset, projection->camera.up);
    clip.distance = -tgDot(offset, projection->camera.back);
    clip.w = projection->camera.perspective ? clip.distance : 1.0f;
    const float values[tg_valueCount] = {
        vertex->normal.x, vertex->normal.y, vertex->normal.z, vertex->r,
        vertex->g,        vertex->b,        vertex->sky,      vertex->key,
    };
    memcpy(clip.values, values, sizeof(values));
    return clip;
}

/// Positive inside plane `plane` of five: near, and the four sides of the guard band.
static float tgPlaneDistance(const tgProjection* projection, const tgClipVertex* vertex, int plane)
{
    switch (plane) {
    case 0:
        return vertex->w - projection->nearest;
    case 1:
        return tg_guardPixels * vertex->w - vertex->x;
    case 2:
        return tg_guardPixels * vertex->w + vertex->x;
    case 3:
        return tg_guardPixels * vertex->w - vertex->y;
    default:
        return tg_guardPixels * vertex->w + vertex->y;
    }
}

static tgClipVertex tgMixClipVertices(const tgClipVertex* a, const tgClipVertex* b, float t)
{
    tgClipVertex mix;
    mix.x = a->x + t * (b->x - a->x);
    mix.y = a->y + t * (b->y - a->y);
    mix.w = a->w + t * (b->w - a->w);
    mix.distance = a->distance + t * (b->distance - a->distance);
    for (int i = 0; i < tg_valueCount; ++i) {
        mix.values[i] = a->values[i] + t * (b->values[i] - a->values[i]);
    }
    return mix;
}

/// Cut the polygon by one plane; the number of corners left.
static int tgClipByPlane(const tgProjection* projection, const tgClipVertex* in, int count,
                         int plane, tgClipVertex* out)
{
    int outCount = 0;
    for (int k = 0; k < count; ++k) {
        const tgClipVertex* a = &in[k];
        const tgClipVertex* b = &in[(k + 1) % count];
        float insideA = tgPlaneDistance(projection, a, plane);
        float insideB = tgPlaneDistance(projection, b, plane);
        if (insideA >= 0.0f) {
            out[outCount++] = *a;
        }
        if ((insideA >= 0.0f) != (insideB >= 0.0f)) {
            out[outCount++] = tgMixClipVertices(a, b, insideA / (insideA - insideB));
        }
    }
    return outCount;
}

/// Cut a triangle by all planes that it crosses; the number of corners left in `polygon`.
static int tgClipTriangle(const tgProjection* projection, tgClipVertex polygon[tg_clippedMax])
{
    int count = 3;
    for (int plane = 0; plane < 5 && count > 0; ++plane) {
        bool crosses = false;
        for (int k = 0; k < count; ++k) {
            crosses = crosses || tgPlaneDistance(projection, &polygon[k], plane) < 0.0f;
        }
        if (crosses) {
            tgClipVertex cut[tg_clippedMax];
            count = tgClipByPlane(projection, polygon, count, plane, cut);
            memcpy(polygon, cut, (size_t)count * sizeof(cut[0]));
        }
    }
    return count;
}

/// Corners in subpixels, in the order that makes the area positive.
typedef struct tgCorners {
    int64_t x[3], y[3];
    int64_t area; ///< twice the triangle's
    int order[3];
} tgCorners;

static tgCorners tgPlaceCorners(const tgProjection* projection, const tgClipVertex* const vertex[3])
{
    const float one = 1 << tg_subpixelBits;
    int64_t x[3];
    int64_t y[3];
    for (int k = 0; k < 3; ++k) {
        float perW = 1.0f / vertex[k]->w;
        x[k] = (int64_t)floorf((projection->centerX + vertex[k]->x * perW) * one + 0.5f);
        y[k] = (int64_t)floorf((projection->centerY - vertex[k]->y * perW) * one + 0.5f);
    }
    tgCorners corners;
    corners.area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
    bool turn = corners.area < 0;
    corners.area = turn ? -corners.area : corners.area;
    for (int k = 0; k < 3; ++k) {
        corners.order[k] = turn && k > 0 ? 3 - k : k;
        corners.x[k] = x[corners.order[k]];
        corners.y[k] = y[corners.order[k]];
    }
    return corners;
}

static void tgSetEdge(tgScreenTriangle* triangle, int k, const tgCorners* corners)
{
    int from = (k + 1) % 3;
    int to = (k + 2) % 3;
    int64_t a = corners->y[from] - corners->y[to];
    int64_t b = corners->x[to] - corners->x[from];
    triangle->a[k] = a;
    triangle->b[k] = b;
    triangle->c[k] = -(a * corners->x[from] + b * corners->y[from]);
    // A sample exactly on an edge belongs to the triangle on one side of it only.
    triangle->least[k] = a > 0 || (a == 0 && b > 0) ? 0 : 1;
    double length = sqrt((double)(a * a + b * b));
    triangle->pixelsPerEdgeValue[k] = (float)(1.0 / (length * (1 << tg_subpixelBits)));
}

/// First and last pixel of three subpixel coordinates, kept inside [begin, end).
static void tgSetPixelRange(const int64_t corner[3], int begin, int end, int* first, int* last)
{
    int64_t low = corner[0];
    int64_t high = corner[0];
    for (int k = 1; k < 3; ++k) {
        low = corner[k] < low ? corner[k] : low;
        high = corner[k] > high ? corner[k] : high;
    }
    low >>= tg_subpixelBits;
    high >>= tg_subpixelBits;
    *first = low > begin ? (int)low : begin;
    *last = high < end ? (int)high : end - 1;
}

/// False when the triangle covers no pixel of the viewport.
static bool tgSetTriangle(tgScreenTriangle* triangle, const tgProjection* projection,
                          const tgClipVertex* const vertex[3], unsigned int edges)
{
    tgCorners corners = tgPlaceCorners(projection, vertex);
    if (corners.area == 0) {
        return false;
    }
    const tgRect* visible = &projection->visible;
    tgSetPixelRange(corners.x, visible->x, visible->x + visible->width, &triangle->firstX,
                    &triangle->lastX);
    tgSetPixelRange(corners.y, visible->y, visible->y + visible->height, &triangle->firstY,
                    &triangle->lastY);
    if (triangle->firstX > triangle->lastX || triangle->firstY > triangle->lastY) {
        return false;
    }
    // Rows go down, so a face that turns counter-clockwise before the camera had negative area.
    triangle->inside = corners.order[1] == 1;
    triangle->perArea = 1.0 / (double)corners.area;
    triangle->edges = 0;
    for (int k = 0; k < 3; ++k) {
        const tgClipVertex* corner = vertex[corners.order[k]];
        bool perspective = projection->camera.perspective;
        triangle->perDepth[k] = 1.0f / corner->w;
        triangle->nearness[k] = perspective ? triangle->perDepth[k] : -corner->distance;
        triangle->edges |= ((edges >> corners.order[k]) & 1u) << k;
        memcpy(triangle->values[k], corner->values, sizeof(corner->values));
        tgSetEdge(triangle, k, &corners);
    }
    return true;
}

static bool tgReserveTriangle(tgScreenTriangles* triangles)
{
    if (triangles->count < triangles->capacity) {
        return true;
    }
    int capacity = triangles->capacity < 512 ? 1024 : triangles->capacity + triangles->capacity / 2;
    tgScreenTriangle* grown =
        realloc(triangles->items, (size_t)capacity * sizeof(tgScreenTriangle));
    if (grown == NULL) {
        return false;
    }
    triangles->items = grown;
    triangles->capacity = capacity;
    return true;
}

/// Clip, cut into triangles and append; false when memory runs out.
static bool tgAppendTriangle(const tgProjection* projection, const tgSurface* surface, int f,
                             tgScreenTriangles* triangles)
{
    const tgSurfaceTriangle* face = &surface->triangles[f];
    tgClipVertex polygon[tg_clippedMax];
    for (int k = 0; k < 3; ++k) {
        polygon[k] = tgProjectVertex(projection, &surface->vertices[face->corners[k]]);
    }
    int count = tgClipTriangle(projection, polygon);
    // A cut face has lost its edges' numbering; it lies far outside the picture, so do its lines.
    unsigned int edges = count == 3 ? face->edges : 0u;
    for (int k = 1; k + 1 < count; ++k) {
        const tgClipVertex* const corners[3] = {&polygon[0], &polygon[k], &polygon[k + 1]};
        if (!tgReserveTriangle(triangles)) {
            return false;
        }
        tgScreenTriangle* triangle = &triangles->items[triangles->count];
        if (tgSetTriangle(triangle, projection, corners, edges)) {
            triangle->ghost = face->ghost;
            triangle->twoSided = face->twoSided;
            triangles->count += 1;
        }
    }
    return true;
}

tgResult tgProjectSurface(const tgSurface* surface, const tgCamera* camera, tgRect viewport,
                          tgRect visible, tgScreenTriangles* triangles, tgError* error)
{
    tgVec3 center = tgLerp(surface->bounds.lower, surface->bounds.upper, 0.5f);
    tgProjection projection = {
        .camera = *camera,
        .scale = 0.5f * (float)viewport.height / camera->halfHeight,
        .centerX = (float)viewport.x + 0.5f * (float)viewport.width,
        .centerY = (float)viewport.y + 0.5f * (float)viewport.height,
        .visible = visible,
    };
    if (camera->perspective) {
        projection.nearest = tg_nearFraction * tgDistance(center, camera->eye) + FLT_MIN;
    }
    for (int f = 0; f < surface->triangleCount; ++f) {
        if (!tgAppendTriangle(&projection, surface, f, triangles)) {
            return tgFail(error, tg_outOfMemory, -1, "no memory to draw %d triangles",
                          surface->triangleCount);
        }
    }
    return tg_success;
}
