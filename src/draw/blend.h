// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What all that draws into a picture shares: premultiplied blending and clipping of rectangles.
#ifndef TURGOR_DRAW_BLEND_H
#define TURGOR_DRAW_BLEND_H

#include "draw/picture.h"

/// Into [0, 1]; a NaN becomes 0.
static inline float tgClampUnit(float value)
{
    return value > 0.0f ? (value < 1.0f ? value : 1.0f) : 0.0f;
}

static inline tgColor tgPremultiply(tgColor color)
{
    float a = tgClampUnit(color.a);
    tgColor pixel = {
        a * tgClampUnit(color.r),
        a * tgClampUnit(color.g),
        a * tgClampUnit(color.b),
        a,
    };
    return pixel;
}

/// Both premultiplied; a + (1 - a.opacity) b.
static inline tgColor tgBlendOver(tgColor a, tgColor b)
{
    float through = 1.0f - a.a;
    tgColor pixel = {
        a.r + through * b.r,
        a.g + through * b.g,
        a.b + through * b.b,
        a.a + through * b.a,
    };
    return pixel;
}

static inline tgColor tgScaleColor(float scale, tgColor color)
{
    tgColor pixel = {scale * color.r, scale * color.g, scale * color.b, scale * color.a};
    return pixel;
}

/// The part of a rectangle inside a picture; width and height 0 when there is none.
static inline tgRect tgClipRect(tgRect rect, int width, int height)
{
    // In long long: x + width may pass the range of int.
    long long right = (long long)rect.x + rect.width;
    long long bottom = (long long)rect.y + rect.height;
    long long x0 = rect.x > 0 ? rect.x : 0;
    long long y0 = rect.y > 0 ? rect.y : 0;
    long long x1 = right < width ? right : width;
    long long y1 = bottom < height ? bottom : height;
    tgRect inside = {0, 0, 0, 0};
    if (x1 > x0 && y1 > y0) {
        inside.x = (int)x0;
        inside.y = (int)y0;
        inside.width = (int)(x1 - x0);
        inside.height = (int)(y1 - y0);
    }
    return inside;
}

#endif
