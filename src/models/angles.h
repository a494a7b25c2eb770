// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Angles of the embedded characters, by functions of our own: libm's differ in the last place, and
// a character has the same bits everywhere.
#ifndef TURGOR_MODELS_ANGLES_H
#define TURGOR_MODELS_ANGLES_H

#include "core/elementary.h"
#include "turgor/math.h"

static inline float tgSin(float angle)
{
    double sine, cosine;
    tgSineCosine((double)angle, &sine, &cosine);
    return (float)sine;
}

static inline float tgCos(float angle)
{
    double sine, cosine;
    tgSineCosine((double)angle, &sine, &cosine);
    return (float)cosine;
}

/// The angle of (x, y) from the x axis.
static inline float tgAngleOf(float y, float x)
{
    return (float)tgArcTangent((double)y, (double)x);
}

/// As tgMakeQuat.
static inline tgQuat tgMakeTurn(tgVec3 axis, float angle)
{
    float s = tgSin(0.5f * angle);
    return (tgQuat){s * axis.x, s * axis.y, s * axis.z, tgCos(0.5f * angle)};
}

#endif
