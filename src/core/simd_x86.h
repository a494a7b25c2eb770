// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The four-wide operations that SSE2 and AVX2 share.
#ifndef TURGOR_CORE_SIMD_X86_H
#define TURGOR_CORE_SIMD_X86_H

#include <immintrin.h>

typedef __m128 tgF4;

typedef struct tgD4 {
    __m128d low, high;
} tgD4;

static inline tgF4 tgF4_LoadAny(const float* from)
{
    return _mm_loadu_ps(from);
}

static inline tgF4 tgF4_Load(const float* from)
{
    return _mm_load_ps(from);
}

static inline void tgF4_Store(float* to, tgF4 a)
{
    _mm_store_ps(to, a);
}

static inline tgF4 tgF4_Splat(float s)
{
    return _mm_set1_ps(s);
}

static inline tgF4 tgF4_Add(tgF4 a, tgF4 b)
{
    return _mm_add_ps(a, b);
}

static inline tgF4 tgF4_Sub(tgF4 a, tgF4 b)
{
    return _mm_sub_ps(a, b);
}

static inline tgF4 tgF4_Mul(tgF4 a, tgF4 b)
{
    return _mm_mul_ps(a, b);
}

static inline tgD4 tgD4_Zero(void)
{
    tgD4 r = {_mm_setzero_pd(), _mm_setzero_pd()};
    return r;
}

static inline tgD4 tgD4_AddF4(tgD4 sum, tgF4 a)
{
    sum.low = _mm_add_pd(sum.low, _mm_cvtps_pd(a));
    sum.high = _mm_add_pd(sum.high, _mm_cvtps_pd(_mm_movehl_ps(a, a)));
    return sum;
}

static inline void tgD4_Store(double* to, tgD4 a)
{
    _mm_storeu_pd(to, a.low);
    _mm_storeu_pd(to + 2, a.high);
}

#endif
