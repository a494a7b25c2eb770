// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The wide operations in plain C: the reference that the other backends must equal to the bit.
#ifndef TURGOR_CORE_SIMD_SCALAR_H
#define TURGOR_CORE_SIMD_SCALAR_H

#include <math.h>

#define TG_KERNELS_NAME scalar

typedef struct tgF4 {
    float f[4];
} tgF4;

typedef struct tgD4 {
    double d[4];
} tgD4;

static inline tgF4 tgF4_Load(const float* from)
{
    tgF4 r = {{from[0], from[1], from[2], from[3]}};
    return r;
}

static inline tgF4 tgF4_LoadAny(const float* from)
{
    return tgF4_Load(from);
}

static inline tgF4 tgF4_LoadU16(const uint16_t* from)
{
    tgF4 r = {{(float)from[0], (float)from[1], (float)from[2], (float)from[3]}};
    return r;
}

static inline void tgF4_Store(float* to, tgF4 a)
{
    for (int i = 0; i < 4; ++i) {
        to[i] = a.f[i];
    }
}

static inline tgF4 tgF4_Splat(float s)
{
    tgF4 r = {{s, s, s, s}};
    return r;
}

#define TG_EACH(operation, expression)                                                             \
    static inline tgF4 tgF4_##operation(tgF4 a, tgF4 b)                                            \
    {                                                                                              \
        tgF4 r;                                                                                    \
        for (int i = 0; i < 4; ++i) {                                                              \
            r.f[i] = (expression);                                                                 \
        }                                                                                          \
        return r;                                                                                  \
    }
TG_EACH(Add, a.f[i] + b.f[i])
TG_EACH(Sub, a.f[i] - b.f[i])
TG_EACH(Mul, a.f[i] * b.f[i])
TG_EACH(Div, a.f[i] / b.f[i])
TG_EACH(Max, a.f[i] > b.f[i] ? a.f[i] : b.f[i])
TG_EACH(Min, a.f[i] < b.f[i] ? a.f[i] : b.f[i])
#undef TG_EACH

static inline bool tgF4_AnyLess(tgF4 a, tgF4 b)
{
    return a.f[0] < b.f[0] || a.f[1] < b.f[1] || a.f[2] < b.f[2] || a.f[3] < b.f[3];
}

static inline tgF4 tgF4_Sqrt(tgF4 a)
{
    tgF4 r = {{sqrtf(a.f[0]), sqrtf(a.f[1]), sqrtf(a.f[2]), sqrtf(a.f[3])}};
    return r;
}

static inline tgF4 tgF4_SpreadX(tgF4 a)
{
    return tgF4_Splat(a.f[0]);
}

static inline tgF4 tgF4_SpreadY(tgF4 a)
{
    return tgF4_Splat(a.f[1]);
}

static inline tgF4 tgF4_SpreadZ(tgF4 a)
{
    return tgF4_Splat(a.f[2]);
}

static inline tgF4 tgF4_SpreadW(tgF4 a)
{
    return tgF4_Splat(a.f[3]);
}

static inline tgF4 tgF4_Yzx(tgF4 a)
{
    tgF4 r = {{a.f[1], a.f[2], a.f[0], a.f[3]}};
    return r;
}

static inline void tgF4_Transpose(tgF4* a, tgF4* b, tgF4* c, tgF4* d)
{
    tgF4 rows[4] = {*a, *b, *c, *d};
    for (int i = 0; i < 4; ++i) {
        a->f[i] = rows[i].f[0];
        b->f[i] = rows[i].f[1];
        c->f[i] = rows[i].f[2];
        d->f[i] = rows[i].f[3];
    }
}

static inline tgD4 tgD4_Zero(void)
{
    tgD4 r = {{0.0, 0.0, 0.0, 0.0}};
    return r;
}

static inline tgD4 tgD4_AddF4(tgD4 sum, tgF4 a)
{
    for (int i = 0; i < 4; ++i) {
        sum.d[i] += (double)a.f[i];
    }
    return sum;
}

static inline void tgD4_Store(double* to, tgD4 a)
{
    for (int i = 0; i < 4; ++i) {
        to[i] = a.d[i];
    }
}

#include "core/simd_pair.h"

#endif
