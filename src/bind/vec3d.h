// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Vectors and rotations in double, for fits over thousands of frames.
#ifndef TURGOR_BIND_VEC3D_H
#define TURGOR_BIND_VEC3D_H

#include "turgor/math.h"

typedef struct tgVec3d {
    double x, y, z;
} tgVec3d;

static inline tgVec3d tgMakeVec3d(double x, double y, double z)
{
    return (tgVec3d){x, y, z};
}

static inline tgVec3d tgVec3d_FromFloat(tgVec3 v)
{
    return (tgVec3d){(double)v.x, (double)v.y, (double)v.z};
}

static inline tgVec3 tgVec3d_ToFloat(tgVec3d v)
{
    return tgMakeVec3((float)v.x, (float)v.y, (float)v.z);
}

static inline tgVec3d tgAddD(tgVec3d a, tgVec3d b)
{
    return (tgVec3d){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline tgVec3d tgSubD(tgVec3d a, tgVec3d b)
{
    return (tgVec3d){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline tgVec3d tgMulSVD(double s, tgVec3d v)
{
    return (tgVec3d){s * v.x, s * v.y, s * v.z};
}

static inline tgVec3d tgMulAddD(tgVec3d a, double s, tgVec3d b)
{
    return (tgVec3d){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

/// From a to b: a at 0, b at 1.
static inline tgVec3d tgMixD(tgVec3d a, tgVec3d b, double t)
{
    return tgAddD(tgMulSVD(1.0 - t, a), tgMulSVD(t, b));
}

static inline double tgDotD(tgVec3d a, tgVec3d b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline tgVec3d tgCrossD(tgVec3d a, tgVec3d b)
{
    return (tgVec3d){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// Without its part along a unit vector.
static inline tgVec3d tgFlattenD(tgVec3d v, tgVec3d unit)
{
    return tgMulAddD(v, -tgDotD(v, unit), unit);
}

static inline double tgLengthD(tgVec3d v)
{
    return sqrt(tgDotD(v, v));
}

/// A rigid motion: p goes to R p + t. Rotation by rows.
typedef struct tgMotion {
    tgVec3d row[3];
    tgVec3d translation;
} tgMotion;

static inline tgVec3d tgMotion_Turn(const tgMotion* m, tgVec3d v)
{
    return (tgVec3d){tgDotD(m->row[0], v), tgDotD(m->row[1], v), tgDotD(m->row[2], v)};
}

static inline tgVec3d tgMotion_TurnBack(const tgMotion* m, tgVec3d v)
{
    return tgMulAddD(tgMulAddD(tgMulSVD(v.x, m->row[0]), v.y, m->row[1]), v.z, m->row[2]);
}

static inline tgVec3d tgMotion_Apply(const tgMotion* m, tgVec3d p)
{
    return tgAddD(tgMotion_Turn(m, p), m->translation);
}

static inline tgVec3d tgMotion_Undo(const tgMotion* m, tgVec3d p)
{
    return tgMotion_TurnBack(m, tgSubD(p, m->translation));
}

#endif
