// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The studio light. Shading is diffuse, as clay: sky, key and fill, each dimmed by what the vertex
// sees of them, then a weak broad highlight and a rim. Whole powers only, so no libm.

#include "draw/light.h"

#include "draw/blend.h"

/// Above the knee, light is compressed towards 1, so that highlights keep their hue and shape.
static const float tg_knee = 0.7f;

static const tgColor tg_skyColor = {0.37f, 0.40f, 0.445f, 1.0f};
static const tgColor tg_bounceColor = {0.22f, 0.195f, 0.17f, 1.0f};
static const tgColor tg_keyColor = {1.36f, 1.28f, 1.15f, 1.0f};
static const tgColor tg_fillColor = {0.10f, 0.125f, 0.16f, 1.0f};
static const tgColor tg_insideColor = {0.30f, 0.08f, 0.06f, 1.0f};
static const float tg_keyWrap = 0.12f; ///< sine of how far the key light reaches past the horizon
static const float tg_rimStrength = 0.22f;
static const float tg_highlightStrength = 0.07f;
static const float tg_ghostOpacity = 0.28f;

static tgVec3 tgFromCamera(const tgCamera* camera, float right, float up, float back)
{
    tgVec3 direction = tgMulSV(right, camera->right);
    direction = tgMulAdd(direction, up, camera->up);
    direction = tgMulAdd(direction, back, camera->back);
    return tgNormalize(direction, tgMakeVec3(0.0f, 1.0f, 0.0f));
}

tgStudio tgMakeStudio(const tgDrawDef* def)
{
    tgStudio studio = {
        .key = tgFromCamera(&def->camera, -0.50f, 0.80f, 0.55f),
        .fill = tgFromCamera(&def->camera, 0.85f, 0.15f, 0.50f),
        .rim = tgFromCamera(&def->camera, 0.45f, 0.55f, -0.70f),
        .lit = def->lit,
        .clarity = def->clarity,
        .wireframeColor = tgPremultiply(def->wireframeColor),
        .wireframeWidth = def->wireframeWidth,
    };
    return studio;
}

static float tgCompress(float light)
{
    if (light <= tg_knee) {
        return tgClampUnit(light);
    }
    float over = (light - tg_knee) / (1.0f - tg_knee);
    return tgClampUnit(tg_knee + (1.0f - tg_knee) * over / (1.0f + over));
}

static tgColor tgLight(const tgStudio* studio, const tgFragment* fragment, tgColor albedo)
{
    tgVec3 n = tgNormalize(fragment->normal, fragment->view);
    // Light that bounces within a crease is tinted and faint: creases are drawn a little deeper.
    float open = fragment->sky * (0.35f + 0.65f * fragment->sky);
    float upward = 0.5f + 0.5f * n.y;
    // A light as wide as this one reaches a little past the horizon, and is gone softly.
    float key = fmaxf(0.0f, tgDot(n, studio->key) + tg_keyWrap) / (1.0f + tg_keyWrap);
    key *= fminf(1.0f, 0.35f + 2.5f * key) * fragment->key;
    float fill = 0.5f + 0.5f * tgDot(n, studio->fill);
    fill *= fill * open;

    float facing = fmaxf(0.0f, tgDot(n, fragment->view));
    float grazing = (1.0f - facing) * (1.0f - facing);
    float behind = fmaxf(0.0f, 0.4f + 0.6f * tgDot(n, studio->rim));
    float rim = tg_rimStrength * grazing * (1.0f - facing) * behind * fragment->sky;

    tgVec3 middle = tgNormalize(tgAdd(studio->key, fragment->view), n);
    float highlight = fmaxf(0.0f, tgDot(n, middle));
    for (int i = 0; i < 4; ++i) {
        highlight *= highlight; // to the 16th
    }
    float shine = rim + tg_highlightStrength * highlight * fragment->key;

    float sky = upward * open;
    float bounce = (1.0f - upward) * open;
    tgColor color = {
        albedo.r * (sky * tg_skyColor.r + bounce * tg_bounceColor.r + key * tg_keyColor.r +
                    fill * tg_fillColor.r),
        albedo.g * (sky * tg_skyColor.g + bounce * tg_bounceColor.g + key * tg_keyColor.g +
                    fill * tg_fillColor.g),
        albedo.b * (sky * tg_skyColor.b + bounce * tg_bounceColor.b + key * tg_keyColor.b +
                    fill * tg_fillColor.b),
        1.0f,
    };
    color.r = tgCompress(color.r + shine);
    color.g = tgCompress(color.g + shine);
    color.b = tgCompress(color.b + shine);
    return color;
}

/// A colour that stands for a value keeps its hue and most of its brightness: only a grey share of
/// the light falls on it.
static tgColor tgLightMap(const tgStudio* studio, const tgFragment* fragment, tgColor color)
{
    const tgColor grey = {0.5f, 0.5f, 0.5f, 1.0f};
    tgColor light = tgLight(studio, fragment, grey);
    float brightness = 2.0f * (0.3f * light.r + 0.6f * light.g + 0.1f * light.b);
    brightness = studio->clarity + (1.0f - studio->clarity) * brightness;
    return (tgColor){tgClampUnit(brightness * color.r), tgClampUnit(brightness * color.g),
                     tgClampUnit(brightness * color.b), 1.0f};
}

/// As glass: faint where it is looked through straight, denser towards the outline.
static float tgGetGhostOpacity(const tgFragment* fragment)
{
    tgVec3 n = tgNormalize(fragment->normal, fragment->view);
    float grazing = 1.0f - fmaxf(0.0f, tgDot(n, fragment->view));
    return tg_ghostOpacity + (0.85f - tg_ghostOpacity) * grazing * grazing;
}

tgColor tgStudio_Shade(const tgStudio* studio, const tgFragment* fragment)
{
    tgColor color = {fragment->r, fragment->g, fragment->b, 1.0f};
    color = tgPremultiply(color);
    if (studio->lit) {
        tgFragment seen = *fragment;
        if (fragment->inside) {
            // The light that was measured is that of the other side, so take what a hollow gets.
            seen.sky = 0.6f;
            seen.key = 0.3f;
        }
        if (fragment->inside && !fragment->twoSided) {
            // Towards a dull red: a surface turned inside out is seen at once.
            color = tgBlendOver(tgScaleColor(0.7f, tg_insideColor), color);
        }
        color = studio->clarity > 0.0f ? tgLightMap(studio, &seen, color)
                                       : tgLight(studio, &seen, color);
    }
    // A line of the given width has one half of it on each side of the edge.
    float line = tgClampUnit(0.5f * studio->wireframeWidth + 0.5f - fragment->edgeDistance);
    if (line > 0.0f) {
        color = tgBlendOver(tgScaleColor(line, studio->wireframeColor), color);
    }
    return fragment->ghost ? tgScaleColor(tgGetGhostOpacity(fragment), color) : color;
}

float tgShadeGround(float sky, float key)
{
    // The toe takes faint shadows away: far off they are only a few directions of the sky, and
    // show.
    float hidden = 1.0f - tgClampUnit(sky);
    float contact = hidden * (1.15f * hidden) / (hidden + 0.15f);
    return 0.45f * tgClampUnit(contact) + 0.33f * (1.0f - tgClampUnit(key));
}
