// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Triangles to pixels. Each pixel has 16 samples with a depth and a colour of their own; a triangle
// is shaded once for each pixel that it reaches, at the pixel's centre or the nearest point of the
// triangle to it. Depth and coverage are exact at every sample.

#include "draw/raster.h"

#include "draw/blend.h"

#include <float.h>

/// Sample s stands in column s and in row reverse(s) of a 16 x 16 grid, so that an edge at any
/// slope meets all 16 one after the other (a Hammersley set).
static int tgReverseBits(int s)
{
    return ((s & 1) << 3) | ((s & 2) << 1) | ((s & 4) >> 1) | ((s & 8) >> 3);
}

static const int64_t tg_one = 1 << tg_subpixelBits;
enum { tg_sampleStep = (1 << tg_subpixelBits) / tg_sampleCount };

/// What is the same for all pixels of one triangle.
typedef struct tgCoverage {
    int64_t offset[3][tg_sampleCount]; ///< of each edge value, from the pixel's corner to a sample
    int64_t largest[3];
    float nearnessOffset[tg_sampleCount];
    double nearnessX, nearnessY, nearnessOrigin; ///< the plane of nearness, in subpixels
} tgCoverage;

static void tgPrepareCoverage(tgCoverage* coverage, const tgScreenTriangle* triangle)
{
    coverage->nearnessX = 0.0;
    coverage->nearnessY = 0.0;
    coverage->nearnessOrigin = 0.0;
    for (int k = 0; k < 3; ++k) {
        double nearness = triangle->perArea * (double)triangle->nearness[k];
        coverage->nearnessX += nearness * (double)triangle->a[k];
        coverage->nearnessY += nearness * (double)triangle->b[k];
        coverage->nearnessOrigin += nearness * (double)triangle->c[k];
        coverage->largest[k] = INT64_MIN;
    }
    for (int s = 0; s < tg_sampleCount; ++s) {
        int64_t x = s * tg_sampleStep + tg_sampleStep / 2;
        int64_t y = tgReverseBits(s) * tg_sampleStep + tg_sampleStep / 2;
        for (int k = 0; k < 3; ++k) {
            int64_t offset = triangle->a[k] * x + triangle->b[k] * y;
            coverage->offset[k][s] = offset;
            if (offset > coverage->largest[k]) {
                coverage->largest[k] = offset;
            }
        }
        coverage->nearnessOffset[s] =
            (float)(coverage->nearnessX * (double)x + coverage->nearnessY * (double)y);
    }
}

/// Edge values at the top left corner of a pixel.
static void tgGetEdgeValues(const tgScreenTriangle* triangle, int x, int y, int64_t values[3])
{
    for (int k = 0; k < 3; ++k) {
        values[k] = triangle->a[k] * (x * tg_one) + triangle->b[k] * (y * tg_one) + triangle->c[k];
    }
}

/// Which samples the triangle covers and is nearest at; the depths of those are stored.
static unsigned int tgCoverPixel(const tgScreenTriangle* triangle, const tgCoverage* coverage,
                                 const int64_t values[3], float nearness, tgSample* samples)
{
    unsigned int mask = 0;
    for (int s = 0; s < tg_sampleCount; ++s) {
        bool covers = values[0] + coverage->offset[0][s] >= triangle->least[0] &&
                      values[1] + coverage->offset[1][s] >= triangle->least[1] &&
                      values[2] + coverage->offset[2][s] >= triangle->least[2];
        float near = nearness + coverage->nearnessOffset[s];
        if (covers && near > samples[s].nearness) {
            samples[s].nearness = near;
            mask |= 1u << s;
        }
    }
    return mask;
}

tgVec3 tgGetViewRay(const tgCamera* camera, tgRect viewport, float x, float y)
{
    if (!camera->perspective) {
        return camera->back;
    }
    float scale = 2.0f * camera->halfHeight / (float)viewport.height;
    float right = scale * (x - ((float)viewport.x + 0.5f * (float)viewport.width));
    float down = scale * (y - ((float)viewport.y + 0.5f * (float)viewport.height));
    tgVec3 ray = tgMulAdd(tgMulAdd(camera->back, -right, camera->right), down, camera->up);
    return tgNormalize(ray, camera->back);
}

static tgColor tgShadePixel(const tgBand* band, const tgScreenTriangle* triangle,
                            const int64_t corner[3], int x, int y)
{
    // Weights at the pixel's centre, moved into the triangle, then corrected for perspective.
    float weight[3];
    float sum = 0.0f;
    tgFragment fragment = {.edgeDistance = FLT_MAX,
                           .inside = triangle->inside,
                           .ghost = triangle->ghost,
                           .twoSided = triangle->twoSided};
    for (int k = 0; k < 3; ++k) {
        int64_t value = corner[k] + (triangle->a[k] + triangle->b[k]) * (tg_one / 2);
        float inside = value > 0 ? (float)value : 0.0f;
        weight[k] = (float)triangle->perArea * inside * triangle->perDepth[k];
        sum += weight[k];
        if ((triangle->edges >> k) & 1u) {
            float distance = inside * triangle->pixelsPerEdgeValue[k];
            fragment.edgeDistance = fminf(fragment.edgeDistance, distance);
        }
    }
    float value[tg_valueCount];
    for (int i = 0; i < tg_valueCount; ++i) {
        value[i] = (weight[0] * triangle->values[0][i] + weight[1] * triangle->values[1][i] +
                    weight[2] * triangle->values[2][i]) /
                   sum;
    }
    float side = triangle->inside ? -1.0f : 1.0f;
    fragment.normal = tgMulSV(side, tgMakeVec3(value[0], value[1], value[2]));
    fragment.r = value[3];
    fragment.g = value[4];
    fragment.b = value[5];
    fragment.sky = value[6];
    fragment.key = value[7];
    fragment.view = tgGetViewRay(&band->camera, band->viewport, (float)x + 0.5f, (float)y + 0.5f);
    return tgStudio_Shade(&band->studio, &fragment);
}

static tgSample* tgGetSamples(const tgBand* band, int x, int y)
{
    size_t pixel =
        (size_t)(y - band->rect.y) * (size_t)band->rect.width + (size_t)(x - band->rect.x);
    return band->samples + tg_sampleCount * pixel;
}

void tgBand_Clear(tgBand* band)
{
    const tgSample empty = {-FLT_MAX, {0.0f, 0.0f, 0.0f, 0.0f}};
    size_t count = (size_t)band->rect.width * (size_t)band->rect.height * tg_sampleCount;
    for (size_t i = 0; i < count; ++i) {
        band->samples[i] = empty;
    }
}

void tgBand_Draw(tgBand* band, const tgScreenTriangle* triangle)
{
    int bandEnd = band->rect.y + band->rect.height;
    int firstY = triangle->firstY > band->rect.y ? triangle->firstY : band->rect.y;
    int lastY = triangle->lastY < bandEnd ? triangle->lastY : bandEnd - 1;
    if (firstY > lastY) {
        return;
    }
    tgCoverage coverage;
    tgPrepareCoverage(&coverage, triangle);
    for (int y = firstY; y <= lastY; ++y) {
        for (int x = triangle->firstX; x <= triangle->lastX; ++x) {
            int64_t values[3];
            tgGetEdgeValues(triangle, x, y, values);
            if (values[0] + coverage.largest[0] < triangle->least[0] ||
                values[1] + coverage.largest[1] < triangle->least[1] ||
                values[2] + coverage.largest[2] < triangle->least[2]) {
                continue;
            }
            double nearness = coverage.nearnessOrigin + coverage.nearnessX * (double)(x * tg_one) +
                              coverage.nearnessY * (double)(y * tg_one);
            tgSample* samples = tgGetSamples(band, x, y);
            unsigned int mask = tgCoverPixel(triangle, &coverage, values, (float)nearness, samples);
            if (mask == 0) {
                continue;
            }
            tgColor color = tgShadePixel(band, triangle, values, x, y);
            for (int s = 0; s < tg_sampleCount; ++s) {
                if ((mask >> s) & 1u) {
                    samples[s].color = color;
                }
            }
        }
    }
}

tgColor tgBand_Resolve(const tgBand* band, int x, int y)
{
    const tgSample* samples = tgGetSamples(band, x, y);
    tgColor sum = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int s = 0; s < tg_sampleCount; ++s) {
        sum.r += samples[s].color.r;
        sum.g += samples[s].color.g;
        sum.b += samples[s].color.b;
        sum.a += samples[s].color.a;
    }
    return tgScaleColor(1.0f / tg_sampleCount, sum);
}
