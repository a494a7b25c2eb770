// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Colours that stand for values: a path through Ottosson's Oklab space (2020), where equal steps
// look equal. Its way back to linear light is cubes and sums, so no libm is needed.

#include "draw/scale.h"

#include "draw/blend.h"

static float tgCube(float x)
{
    return x * x * x;
}

/// Lightness, green to red, blue to yellow; into linear light.
static tgColor tgFromOklab(float lightness, float a, float b)
{
    float l = tgCube(lightness + 0.3963377774f * a + 0.2158037573f * b);
    float m = tgCube(lightness - 0.1055613458f * a - 0.0638541728f * b);
    float s = tgCube(lightness - 0.0894841775f * a - 1.2914855480f * b);
    return (tgColor){
        tgClampUnit(4.0767416621f * l - 3.3077115913f * m + 0.2309699292f * s),
        tgClampUnit(-1.2684380046f * l + 2.6097574011f * m - 0.3413193965f * s),
        tgClampUnit(-0.0041960863f * l - 0.7034186147f * m + 1.7076147010f * s),
        1.0f,
    };
}

tgColor tgGetScaleColor(float value)
{
    float t = tgClampUnit(value);
    float lightness = 0.93f - 0.63f * t;
    // Nearly grey, then green, then blue.
    float a = t * (-0.330f + t * 0.360f);
    float b = 0.012f + t * (0.165f - t * 0.320f);
    return tgFromOklab(lightness, a, b);
}

tgColor tgGetCategoryColor(int index)
{
    static const unsigned int tg_colors[tg_categoryCount] = {
        0x0072B2, 0xE69F00, 0x009E73, 0xCC79A7, 0x56B4E9, 0xD55E00, 0xF0E442,
        0x603010, 0x402090, 0xA0F0F0, 0xA03060, 0x90D090, 0x9080F0, 0x805010,
        0x405090, 0x503060, 0xD0A0B0, 0xD0F0B0, 0x80B070, 0xD0C0F0,
    };
    unsigned int i = (unsigned int)index % tg_categoryCount;
    return tgMakeColor(tg_colors[i]);
}
