// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Text in a picture: glyph paths to short straight strokes, and each pixel's cover from its
// distance to the nearest one. The pen is round.

#include "core/core.h"
#include "draw/blend.h"
#include "draw/font.h"
#include "draw/picture.h"

#include <float.h>
#include <stdlib.h>

enum {
    tg_textCookie = 0x74657874,
    tg_strokeMax = 256,  ///< in one glyph; the fullest, @, has 93
    tg_curveStrokes = 8, ///< straight pieces of one bend
};

/// Weight of a bend's middle point: the square root of a half makes a quarter of an ellipse, more
/// is squarer.
static const float tg_bendWeight = 0.78f;
/// A dot is larger than the end of a stroke.
static const float tg_dotScale = 1.3f;

typedef struct tgStroke {
    float x0, y0, x1, y1;
    float radiusScale;
} tgStroke;

typedef struct tgStrokes {
    tgStroke items[tg_strokeMax];
    int count;
} tgStrokes;

typedef struct tgPoint {
    float x, y;
} tgPoint;

static void tgAddStroke(tgStrokes* strokes, tgPoint from, tgPoint to, float radiusScale)
{
    if (strokes->count < tg_strokeMax) {
        tgStroke stroke = {from.x, from.y, to.x, to.y, radiusScale};
        strokes->items[strokes->count++] = stroke;
    }
}

static void tgAddBend(tgStrokes* strokes, tgPoint from, tgPoint past, tgPoint to)
{
    tgPoint previous = from;
    for (int i = 1; i <= tg_curveStrokes; ++i) {
        float t = (float)i / tg_curveStrokes;
        float a = (1.0f - t) * (1.0f - t);
        float b = 2.0f * tg_bendWeight * t * (1.0f - t);
        float c = t * t;
        float sum = a + b + c;
        tgPoint next = {
            (a * from.x + b * past.x + c * to.x) / sum,
            (a * from.y + b * past.y + c * to.y) / sum,
        };
        tgAddStroke(strokes, previous, next, 1.0f);
        previous = next;
    }
}

/// Reads "x,y" in font units and returns it in pixels.
static tgPoint tgReadPoint(const char** path, tgPoint origin, float scale)
{
    char* end = NULL;
    long x = strtol(*path, &end, 10);
    long y = strtol(end + 1, &end, 10);
    *path = end;
    tgPoint point = {origin.x + scale * (float)x, origin.y - scale * (float)y};
    return point;
}

static void tgReadPath(tgStrokes* strokes, const char* path, tgPoint origin, float scale)
{
    tgPoint pen = origin;
    strokes->count = 0;
    while (*path != '\0') {
        char command = *path++;
        tgPoint point = tgReadPoint(&path, origin, scale);
        if (command == 'L') {
            tgAddStroke(strokes, pen, point, 1.0f);
        } else if (command == 'D') {
            tgAddStroke(strokes, point, point, tg_dotScale);
        } else if (command == 'Q') {
            tgPoint past = point;
            point = tgReadPoint(&path, origin, scale);
            tgAddBend(strokes, pen, past, point);
        }
        pen = point;
    }
}

/// From a point to a stroke's outline; negative inside.
static float tgGetStrokeDistance(const tgStroke* stroke, float x, float y, float radius)
{
    float alongX = stroke->x1 - stroke->x0;
    float alongY = stroke->y1 - stroke->y0;
    float offsetX = x - stroke->x0;
    float offsetY = y - stroke->y0;
    float lengthSquared = alongX * alongX + alongY * alongY;
    float t = 0.0f;
    if (lengthSquared > 0.0f) {
        t = tgClampUnit((offsetX * alongX + offsetY * alongY) / lengthSquared);
    }
    float dx = offsetX - t * alongX;
    float dy = offsetY - t * alongY;
    return sqrtf(dx * dx + dy * dy) - radius * stroke->radiusScale;
}

static void tgDrawStrokes(tgPicture* picture, const tgStrokes* strokes, float radius, tgColor color)
{
    float left = FLT_MAX, right = -FLT_MAX, above = FLT_MAX, below = -FLT_MAX;
    for (int i = 0; i < strokes->count; ++i) {
        const tgStroke* stroke = &strokes->items[i];
        left = fminf(left, fminf(stroke->x0, stroke->x1));
        right = fmaxf(right, fmaxf(stroke->x0, stroke->x1));
        above = fminf(above, fminf(stroke->y0, stroke->y1));
        below = fmaxf(below, fmaxf(stroke->y0, stroke->y1));
    }
    float reach = tg_dotScale * radius + 1.0f;
    int firstX = (int)fmaxf(left - reach, 0.0f);
    int firstY = (int)fmaxf(above - reach, 0.0f);
    int lastX = (int)fminf(right + reach, (float)(picture->width - 1));
    int lastY = (int)fminf(below + reach, (float)(picture->height - 1));
    for (int y = firstY; y <= lastY; ++y) {
        tgColor* row = picture->pixels + (size_t)y * (size_t)picture->width;
        for (int x = firstX; x <= lastX; ++x) {
            float distance = FLT_MAX;
            for (int i = 0; i < strokes->count; ++i) {
                distance = fminf(distance, tgGetStrokeDistance(&strokes->items[i], (float)x + 0.5f,
                                                               (float)y + 0.5f, radius));
            }
            float cover = tgClampUnit(0.5f - distance);
            row[x] = tgBlendOver(tgScaleColor(cover, color), row[x]);
        }
    }
}

tgTextDef tgDefaultTextDef(void)
{
    tgTextDef def = {
        .size = 18.0f,
        .weight = 0.09f,
        .align = tg_alignLeft,
        .color = tgMakeColor(0x2b2b2b),
        .cookie = tg_textCookie,
    };
    return def;
}

float tgMeasureText(const char* text, float size)
{
    int width = 0;
    int byteCount = 0;
    for (const char* next = text; *next != '\0'; next += byteCount) {
        width += tgGetGlyph(next, &byteCount).width + tg_fontGap;
    }
    return width > 0 ? (float)(width - tg_fontGap) * size / tg_fontLine : 0.0f;
}

tgResult tgPicture_DrawText(tgPicture* picture, const tgTextDef* def, tgError* error)
{
    if (def == NULL || def->cookie != tg_textCookie) {
        return tgFail(error, tg_invalidArgument, -1,
                      "the text definition must start from tgDefaultTextDef()");
    }
    if (picture == NULL || def->text == NULL) {
        return tgFail(error, tg_invalidArgument, -1, "there is no %s",
                      picture == NULL ? "picture to draw into" : "text to draw");
    }
    if (!(def->size > 0.0f && def->size <= 1000.0f) ||
        !(def->weight > 0.0f && def->weight < 1.0f)) {
        return tgFail(error, tg_invalidArgument, -1,
                      "text of size %g and weight %g, expected up to 1000 pixels and up to 1",
                      (double)def->size, (double)def->weight);
    }
    if (!(fabsf(def->x) < 1e6f && fabsf(def->y) < 1e6f)) {
        return tgFail(error, tg_invalidArgument, -1, "text at (%g, %g)", (double)def->x,
                      (double)def->y);
    }
    float scale = def->size / tg_fontLine;
    float width = tgMeasureText(def->text, def->size);
    float before = def->align == tg_alignLeft ? 0.0f : (def->align == tg_alignCenter ? 0.5f : 1.0f);
    tgPoint origin = {def->x - before * width, def->y};
    tgColor color = tgPremultiply(def->color);
    int byteCount = 0;
    for (const char* next = def->text; *next != '\0'; next += byteCount) {
        tgGlyph glyph = tgGetGlyph(next, &byteCount);
        tgStrokes strokes;
        tgReadPath(&strokes, glyph.path, origin, scale);
        if (strokes.count > 0) {
            tgDrawStrokes(picture, &strokes, 0.5f * def->weight * def->size, color);
        }
        origin.x += scale * (float)(glyph.width + tg_fontGap);
    }
    return tg_success;
}
