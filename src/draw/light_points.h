// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Where the light on a surface is measured: one point for all vertices that share a place and a
// normal, so that no seam of texture coordinates, parts or cuts ever shows.
#ifndef TURGOR_DRAW_LIGHT_POINTS_H
#define TURGOR_DRAW_LIGHT_POINTS_H

#include "draw/surface.h"

typedef struct tgLightPoint {
    tgVec3 position, normal;
    float sky, key;
    float skyWeight; ///< the light it would see with nothing in its way
} tgLightPoint;

typedef struct tgLightPoints {
    int count;
    tgLightPoint* points;
    int* ofVertex; ///< the point of each vertex of the surface; -1 for those no face uses
} tgLightPoints;

/// False without memory; free in either case.
bool tgGatherLightPoints(const tgSurface* surface, tgLightPoints* light);
void tgFreeLightPoints(tgLightPoints* light);

/// Average with the neighbours, a few times: a map's texels and a shadow's edge are finer than the
/// points, and would show as teeth along the faces.
bool tgLightPoints_Smooth(tgLightPoints* light, const tgSurface* surface, int passes);
/// Sky and key to the vertices.
void tgLightPoints_Store(const tgLightPoints* light, tgSurface* surface);

#endif
