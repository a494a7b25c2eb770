// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Vectors and affine maps in double, for the few dozen joints of a frame: their products are
// rounded once.
#ifndef TURGOR_CORE_MAT34D_H
#define TURGOR_CORE_MAT34D_H

#include "turgor/math.h"

#include <math.h>

static inline double tgDot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void tgCross3(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/// Columns: c[0..2] where the axes go, c[3] where the origin goes.
typedef struct tgMat34d {
    double c[4][3];
} tgMat34d;

static inline tgMat34d tgMat34d_FromFloat(const tgMat34* m)
{
    tgMat34d r = {{{(double)m->x.x, (double)m->x.y, (double)m->x.z},
                   {(double)m->y.x, (double)m->y.y, (double)m->y.z},
                   {(double)m->z.x, (double)m->z.y, (double)m->z.z},
                   {(double)m->origin.x, (double)m->origin.y, (double)m->origin.z}}};
    return r;
}

/// First b, then a.
static inline tgMat34d tgMat34d_Mul(const tgMat34d* a, const tgMat34d* b)
{
    tgMat34d r;
    for (int k = 0; k < 4; ++k) {
        for (int i = 0; i < 3; ++i) {
            r.c[k][i] = a->c[0][i] * b->c[k][0] + a->c[1][i] * b->c[k][1] + a->c[2][i] * b->c[k][2];
        }
    }
    for (int i = 0; i < 3; ++i) {
        r.c[3][i] += a->c[3][i];
    }
    return r;
}

/// The inverse transpose of the linear part times its determinant: the cofactors, by columns.
/// @return the determinant
static inline double tgMat34d_Cofactors(const tgMat34d* m, double cofactors[3][3])
{
    for (int k = 0; k < 3; ++k) {
        tgCross3(m->c[(k + 1) % 3], m->c[(k + 2) % 3], cofactors[k]);
    }
    return tgDot3(m->c[0], cofactors[0]);
}

static inline double tgMat34d_ColumnSquared(const tgMat34d* m, int k)
{
    return tgDot3(m->c[k], m->c[k]);
}

static inline tgVec3 tgMat34d_MulPoint(const tgMat34d* m, const double p[3])
{
    double r[3];
    for (int i = 0; i < 3; ++i) {
        r[i] = m->c[0][i] * p[0] + m->c[1][i] * p[1] + m->c[2][i] * p[2] + m->c[3][i];
    }
    return tgMakeVec3((float)r[0], (float)r[1], (float)r[2]);
}

/// Without the translation.
static inline tgVec3 tgMat34d_MulVector(const tgMat34d* m, tgVec3 v)
{
    double x = (double)v.x, y = (double)v.y, z = (double)v.z;
    return tgMakeVec3((float)(m->c[0][0] * x + m->c[1][0] * y + m->c[2][0] * z),
                      (float)(m->c[0][1] * x + m->c[1][1] * y + m->c[2][1] * z),
                      (float)(m->c[0][2] * x + m->c[1][2] * y + m->c[2][2] * z));
}

/// The transpose of the linear part times v.
static inline tgVec3 tgMat34d_MulTransposed(const tgMat34d* m, tgVec3 v)
{
    double r[3];
    for (int k = 0; k < 3; ++k) {
        r[k] = m->c[k][0] * (double)v.x + m->c[k][1] * (double)v.y + m->c[k][2] * (double)v.z;
    }
    return tgMakeVec3((float)r[0], (float)r[1], (float)r[2]);
}

/// What m makes of lengths, on the average over all directions.
static inline float tgMat34d_GetScale(const tgMat34d* m)
{
    double sum =
        tgMat34d_ColumnSquared(m, 0) + tgMat34d_ColumnSquared(m, 1) + tgMat34d_ColumnSquared(m, 2);
    return (float)sqrt(sum / 3.0);
}

/// False, with `inverse` untouched, when m flattens space.
static inline bool tgMat34d_Invert(const tgMat34d* m, tgMat34d* inverse)
{
    double cofactors[3][3];
    double determinant = tgMat34d_Cofactors(m, cofactors);
    double size =
        tgMat34d_ColumnSquared(m, 0) * tgMat34d_ColumnSquared(m, 1) * tgMat34d_ColumnSquared(m, 2);
    if (!(determinant * determinant > 1e-14 * size)) {
        return false;
    }
    for (int k = 0; k < 3; ++k) {
        for (int i = 0; i < 3; ++i) {
            inverse->c[k][i] = cofactors[i][k] / determinant;
        }
    }
    for (int i = 0; i < 3; ++i) {
        inverse->c[3][i] = -(inverse->c[0][i] * m->c[3][0] + inverse->c[1][i] * m->c[3][1] +
                             inverse->c[2][i] * m->c[3][2]);
    }
    return true;
}

#endif
