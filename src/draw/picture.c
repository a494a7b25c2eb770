// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The picture itself: memory, rectangles, and the way between linear light and sRGB bytes
// (IEC 61966-2-1). Powers come from Newton's method, not from libm, so that bytes are the same
// everywhere.

#include "draw/picture.h"

#include "core/core.h"
#include "draw/blend.h"

#include <stdlib.h>

/// x^2.4 = x^2 (x^(1/5))^2, for x in (0, 1].
static double tgPower24(double x)
{
    // From above, Newton on y^5 = x falls monotonically to the root.
    double y = 1.0;
    for (int i = 0; i < 60; ++i) {
        double y2 = y * y;
        y -= (y2 * y2 * y - x) / (5.0 * y2 * y2);
    }
    return x * x * y * y;
}

/// Linear light of an sRGB value, both 0 to 1.
static double tgDecodeSrgb(double value)
{
    return value <= 0.04045 ? value / 12.92 : tgPower24((value + 0.055) / 1.055);
}

tgColor tgMakeColor(unsigned int rgb)
{
    tgColor color = {
        (float)tgDecodeSrgb(((rgb >> 16) & 255u) / 255.0),
        (float)tgDecodeSrgb(((rgb >> 8) & 255u) / 255.0),
        (float)tgDecodeSrgb((rgb & 255u) / 255.0),
        1.0f,
    };
    return color;
}

tgPicture* tgCreatePicture(int width, int height, tgColor background, tgError* error)
{
    if (width < 1 || height < 1 || width > tg_maxPictureSide || height > tg_maxPictureSide) {
        tgFail(error, tg_invalidArgument, -1,
               "a picture of %d x %d pixels, expected 1 to %d a side", width, height,
               tg_maxPictureSide);
        return NULL;
    }
    size_t count = (size_t)width * (size_t)height;
    tgPicture* picture = calloc(1, sizeof(tgPicture));
    tgColor* pixels = malloc(count * sizeof(tgColor));
    if (picture == NULL || pixels == NULL) {
        free(picture);
        free(pixels);
        tgFail(error, tg_outOfMemory, -1, "no memory for a picture of %d x %d pixels", width,
               height);
        return NULL;
    }
    picture->width = width;
    picture->height = height;
    picture->pixels = pixels;
    tgColor pixel = tgPremultiply(background);
    for (size_t i = 0; i < count; ++i) {
        pixels[i] = pixel;
    }
    return picture;
}

void tgDestroyPicture(tgPicture* picture)
{
    if (picture != NULL) {
        free(picture->pixels);
        free(picture);
    }
}

void tgPicture_Paste(tgPicture* picture, const tgPicture* from, int x, int y)
{
    for (int row = 0; row < from->height; ++row) {
        for (int column = 0; column < from->width; ++column) {
            int toX = x + column, toY = y + row;
            if (toX >= 0 && toX < picture->width && toY >= 0 && toY < picture->height) {
                picture->pixels[(size_t)toY * (size_t)picture->width + (size_t)toX] =
                    from->pixels[(size_t)row * (size_t)from->width + (size_t)column];
            }
        }
    }
}

void tgPicture_FillRect(tgPicture* picture, tgRect rect, tgColor color)
{
    tgRect inside = tgClipRect(rect, picture->width, picture->height);
    tgColor over = tgPremultiply(color);
    for (int y = inside.y; y < inside.y + inside.height; ++y) {
        tgColor* row = picture->pixels + (size_t)y * (size_t)picture->width;
        for (int x = inside.x; x < inside.x + inside.width; ++x) {
            row[x] = tgBlendOver(over, row[x]);
        }
    }
}

/// Steps of linear light for which the byte to begin with is known.
enum { tg_lightSteps = 1024 };

/// From linear light to the nearest byte.
typedef struct tgByteTable {
    float limits[256];                      ///< halfway between i and i + 1; the last has no end
    unsigned char first[tg_lightSteps + 1]; ///< byte of light step / tg_lightSteps
} tgByteTable;

static unsigned char tgEncodeByte(float light, const tgByteTable* table)
{
    float clamped = tgClampUnit(light);
    int byte = table->first[(int)(clamped * (float)tg_lightSteps)];
    while (clamped > table->limits[byte]) {
        byte += 1;
    }
    return (unsigned char)byte;
}

static void tgFillByteTable(tgByteTable* table)
{
    for (int i = 0; i < 255; ++i) {
        table->limits[i] = (float)tgDecodeSrgb((i + 0.5) / 255.0);
    }
    table->limits[255] = INFINITY;
    int byte = 0;
    for (int step = 0; step <= tg_lightSteps; ++step) {
        while ((float)step / (float)tg_lightSteps > table->limits[byte]) {
            byte += 1;
        }
        table->first[step] = (unsigned char)byte;
    }
}

void tgPicture_GetBytes(const tgPicture* picture, unsigned char* bytes)
{
    tgByteTable table;
    tgFillByteTable(&table);
    size_t count = (size_t)picture->width * (size_t)picture->height;
    for (size_t i = 0; i < count; ++i) {
        tgColor pixel = picture->pixels[i];
        float scale = pixel.a > 0.0f ? 1.0f / pixel.a : 0.0f;
        bytes[4 * i + 0] = tgEncodeByte(scale * pixel.r, &table);
        bytes[4 * i + 1] = tgEncodeByte(scale * pixel.g, &table);
        bytes[4 * i + 2] = tgEncodeByte(scale * pixel.b, &table);
        bytes[4 * i + 3] = (unsigned char)(255.0f * pixel.a + 0.5f);
    }
}
