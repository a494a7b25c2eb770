// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// How much light reaches a surface and the ground below it.
#ifndef TURGOR_DRAW_OCCLUSION_H
#define TURGOR_DRAW_OCCLUSION_H

#include "draw/parallel.h"
#include "draw/surface.h"

/// What each place of a square of the ground sees of the sky and of the key light.
typedef struct tgGround {
    float height;      ///< y
    float left, front; ///< smallest x and z of the square
    float size;        ///< of its sides
    int side;          ///< places along each of them, 2 or more
    float (*light)[2]; ///< side squared pairs of sky and key, rows along x; from malloc
} tgGround;

typedef struct tgOccludeDef {
    tgVec3 key;     ///< unit, towards the key light
    int lightCount; ///< directions tried, 1 or more
    tgParallel parallel;
} tgOccludeDef;

/// Fill sky and key of all vertices and, unless NULL, of the ground, whose height is set.
tgResult tgOcclude(tgSurface* surface, const tgOccludeDef* def, tgGround* ground, tgError* error);

/// Opacity of the shadow at a point of the ground.
float tgGround_GetShadow(const tgGround* ground, float x, float z);

#endif
