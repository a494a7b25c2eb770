// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Triangles to pixels: clipping, coverage of 16 samples in each pixel, a depth for each sample.
#ifndef TURGOR_DRAW_RASTER_H
#define TURGOR_DRAW_RASTER_H

#include "draw/light.h"
#include "draw/surface.h"

#include <stdint.h>

enum {
    tg_sampleCount = 16, ///< in each pixel
    tg_valueCount = 8,   ///< interpolated over a triangle: normal, colour, sky, key
    tg_subpixelBits = 8, ///< vertices are placed on a grid of 1/256 pixel
    tg_clippedMax = 9,   ///< corners of a triangle cut by five planes, and one to spare
};

/// A triangle on the screen. Edge k lies opposite corner k; a x + b y + c is positive inside, in
/// subpixels squared, and corner k's weight is that over their sum.
typedef struct tgScreenTriangle {
    int64_t a[3], b[3], c[3];
    int64_t least[3];  ///< smallest edge value that is inside
    double perArea;    ///< 1 / (sum of the three edge values)
    float nearness[3]; ///< linear on the screen, larger is nearer
    float perDepth[3]; ///< 1 / distance; all 1 when orthographic
    float pixelsPerEdgeValue[3];
    float values[3][tg_valueCount];
    int firstX, lastX, firstY, lastY; ///< pixels, the last included
    unsigned int edges;               ///< bit k: edge k is drawn as a line
    bool inside;                      ///< its back is seen
    bool ghost;                       ///< seen through
    bool twoSided;
} tgScreenTriangle;

typedef struct tgScreenTriangles {
    tgScreenTriangle* items; ///< from malloc
    int count, capacity;
} tgScreenTriangles;

/// Project, clip and append.
/// @param visible the part of the viewport that is inside the picture
tgResult tgProjectSurface(const tgSurface* surface, const tgCamera* camera, tgRect viewport,
                          tgRect visible, tgScreenTriangles* triangles, tgError* error);

typedef struct tgSample {
    float nearness;
    tgColor color; ///< premultiplied
} tgSample;

/// A strip of samples: the pixels of a rectangle of the picture.
typedef struct tgBand {
    tgRect rect;
    tgSample* samples; ///< tg_sampleCount for each pixel
    tgCamera camera;
    tgRect viewport;
    tgStudio studio;
} tgBand;

void tgBand_Clear(tgBand* band);
void tgBand_Draw(tgBand* band, const tgScreenTriangle* triangle);
/// The mean of a pixel's samples, premultiplied; opacity is the part that is covered.
tgColor tgBand_Resolve(const tgBand* band, int x, int y);

/// Unit, from what is seen at a point of the picture to the camera.
tgVec3 tgGetViewRay(const tgCamera* camera, tgRect viewport, float x, float y);

#endif
