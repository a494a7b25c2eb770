// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Flat drawing. A stroke's cover of a pixel comes from its distance to the nearest piece, gathered
// first and blended once. An area is filled row by row: each pixel row is cut into thin ones, and
// on those the cover is exact from crossing to crossing.

#include "draw/lines.h"

#include "core/core.h"
#include "draw/blend.h"

#include <stdlib.h>

enum { tg_thinRows = 16 };
/// Farther out nothing is drawn; the picture's sides are smaller.
static const float tg_farPixels = 1e6f;

static bool tgIsNear(const tgSegment* s)
{
    return fabsf(s->x0) < tg_farPixels && fabsf(s->y0) < tg_farPixels &&
           fabsf(s->x1) < tg_farPixels && fabsf(s->y1) < tg_farPixels;
}

static tgResult tgCheckSegments(const tgPicture* picture, const tgSegment* segments, int count,
                                tgError* error)
{
    if (picture == NULL || count < 0 || (count > 0 && segments == NULL)) {
        return tgFail(error, tg_invalidArgument, -1, "there is no %s",
                      picture == NULL ? "picture to draw into" : "line to draw");
    }
    for (int i = 0; i < count; ++i) {
        if (!tgIsNear(&segments[i])) {
            return tgFail(error, tg_invalidArgument, i, "line %d goes out of range", i);
        }
    }
    return tg_success;
}

/// From a point to a segment.
static float tgGetSegmentDistance(const tgSegment* s, float x, float y)
{
    float alongX = s->x1 - s->x0, alongY = s->y1 - s->y0;
    float offsetX = x - s->x0, offsetY = y - s->y0;
    float lengthSquared = alongX * alongX + alongY * alongY;
    float t = lengthSquared > 0.0f
                  ? tgClampUnit((offsetX * alongX + offsetY * alongY) / lengthSquared)
                  : 0.0f;
    float dx = offsetX - t * alongX, dy = offsetY - t * alongY;
    return sqrtf(dx * dx + dy * dy);
}

/// Raise the cover of the pixels near one segment.
static void tgCoverSegment(const tgPicture* picture, const tgSegment* s, float radius, float* cover)
{
    float reach = radius + 1.0f;
    int firstX = (int)fmaxf(fminf(s->x0, s->x1) - reach, 0.0f);
    int firstY = (int)fmaxf(fminf(s->y0, s->y1) - reach, 0.0f);
    int lastX = (int)fminf(fmaxf(s->x0, s->x1) + reach, (float)(picture->width - 1));
    int lastY = (int)fminf(fmaxf(s->y0, s->y1) + reach, (float)(picture->height - 1));
    for (int y = firstY; y <= lastY; ++y) {
        float* row = cover + (size_t)y * (size_t)picture->width;
        for (int x = firstX; x <= lastX; ++x) {
            float distance = tgGetSegmentDistance(s, (float)x + 0.5f, (float)y + 0.5f);
            row[x] = fmaxf(row[x], tgClampUnit(radius + 0.5f - distance));
        }
    }
}

/// Lay a colour over the picture, thinned by its cover.
static void tgBlendCover(tgPicture* picture, const float* cover, tgColor color)
{
    tgColor over = tgPremultiply(color);
    size_t count = (size_t)picture->width * (size_t)picture->height;
    for (size_t i = 0; i < count; ++i) {
        if (cover[i] > 0.0f) {
            picture->pixels[i] =
                tgBlendOver(tgScaleColor(fminf(cover[i], 1.0f), over), picture->pixels[i]);
        }
    }
}

static float* tgMakeCover(const tgPicture* picture, tgError* error)
{
    float* cover = calloc((size_t)picture->width * (size_t)picture->height, sizeof(float));
    if (cover == NULL) {
        tgFail(error, tg_outOfMemory, -1, "no memory for %d x %d pixels", picture->width,
               picture->height);
    }
    return cover;
}

tgResult tgPicture_DrawSegments(tgPicture* picture, const tgSegment* segments, int count,
                                float width, tgColor color, tgError* error)
{
    tgResult result = tgCheckSegments(picture, segments, count, error);
    if (result != tg_success) {
        return result;
    }
    if (!(width > 0.0f && width <= 1000.0f)) {
        return tgFail(error, tg_invalidArgument, -1, "a line %g pixels wide, expected up to 1000",
                      (double)width);
    }
    float* cover = tgMakeCover(picture, error);
    if (cover == NULL) {
        return tg_outOfMemory;
    }
    for (int i = 0; i < count; ++i) {
        tgCoverSegment(picture, &segments[i], 0.5f * width, cover);
    }
    tgBlendCover(picture, cover, color);
    free(cover);
    return tg_success;
}

/// Where a thin row meets a segment, and which way that goes.
typedef struct tgCrossing {
    float x;
    int turn; ///< +1 down, -1 up
} tgCrossing;

static int tgCompareCrossings(const void* a, const void* b)
{
    const tgCrossing *left = a, *right = b;
    return left->x != right->x ? (left->x > right->x) - (left->x < right->x)
                               : left->turn - right->turn;
}

/// Add `share` times the part of each pixel between two places of a row.
static void tgCoverSpan(float* row, int width, float from, float to, float share)
{
    from = fmaxf(from, 0.0f);
    to = fminf(to, (float)width);
    for (int x = (int)from; x < width && (float)x < to; ++x) {
        row[x] += share * (fminf(to, (float)(x + 1)) - fmaxf(from, (float)x));
    }
}

static void tgCoverThinRow(const tgSegment* segments, int count, float y, tgCrossing* crossings,
                           float* row, int width)
{
    int crossingCount = 0;
    for (int i = 0; i < count; ++i) {
        const tgSegment* s = &segments[i];
        if ((s->y0 <= y) == (s->y1 <= y)) {
            continue;
        }
        float t = (y - s->y0) / (s->y1 - s->y0);
        crossings[crossingCount++] = (tgCrossing){s->x0 + t * (s->x1 - s->x0), s->y0 <= y ? 1 : -1};
    }
    qsort(crossings, (size_t)crossingCount, sizeof(tgCrossing), tgCompareCrossings);
    int winding = 0;
    for (int i = 0; i + 1 < crossingCount; ++i) {
        winding += crossings[i].turn;
        if (winding != 0) {
            tgCoverSpan(row, width, crossings[i].x, crossings[i + 1].x, 1.0f / tg_thinRows);
        }
    }
}

tgResult tgPicture_FillSegments(tgPicture* picture, const tgSegment* segments, int count,
                                tgColor color, tgError* error)
{
    tgResult result = tgCheckSegments(picture, segments, count, error);
    if (result != tg_success) {
        return result;
    }
    tgCrossing* crossings = malloc(((size_t)count + 1) * sizeof(tgCrossing));
    float* cover = tgMakeCover(picture, error);
    if (cover != NULL && crossings == NULL) {
        tgFail(error, tg_outOfMemory, -1, "no memory for %d lines", count);
    }
    bool memory = cover != NULL && crossings != NULL;
    for (int y = 0; memory && y < picture->height; ++y) {
        for (int i = 0; i < tg_thinRows; ++i) {
            float thin = (float)y + ((float)i + 0.5f) / tg_thinRows;
            tgCoverThinRow(segments, count, thin, crossings,
                           cover + (size_t)y * (size_t)picture->width, picture->width);
        }
    }
    if (memory) {
        tgBlendCover(picture, cover, color);
    }
    free(crossings);
    free(cover);
    return memory ? tg_success : tg_outOfMemory;
}

void tgPicture_DrawFrame(tgPicture* picture, tgRect rect, int width, tgColor color)
{
    tgPicture_FillRect(picture, (tgRect){rect.x, rect.y, rect.width, width}, color);
    tgPicture_FillRect(picture, (tgRect){rect.x, rect.y + rect.height - width, rect.width, width},
                       color);
    int inner = rect.height - 2 * width;
    tgPicture_FillRect(picture, (tgRect){rect.x, rect.y + width, width, inner}, color);
    tgPicture_FillRect(picture, (tgRect){rect.x + rect.width - width, rect.y + width, width, inner},
                       color);
}
