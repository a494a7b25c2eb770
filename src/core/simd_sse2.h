// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The wide operations on SSE2, which every x86-64 has.
#ifndef TURGOR_CORE_SIMD_SSE2_H
#define TURGOR_CORE_SIMD_SSE2_H

#include "core/simd_x86.h"

#define TG_KERNELS_NAME sse2

static inline tgF4 tgF4_LoadU16(const uint16_t* from)
{
    __m128i packed = _mm_loadl_epi64((const __m128i*)from);
    return _mm_cvtepi32_ps(_mm_unpacklo_epi16(packed, _mm_setzero_si128()));
}

static inline tgF4 tgF4_Div(tgF4 a, tgF4 b)
{
    return _mm_div_ps(a, b);
}

static inline tgF4 tgF4_Max(tgF4 a, tgF4 b)
{
    return _mm_max_ps(a, b);
}

static inline tgF4 tgF4_Min(tgF4 a, tgF4 b)
{
    return _mm_min_ps(a, b);
}

static inline bool tgF4_AnyLess(tgF4 a, tgF4 b)
{
    return _mm_movemask_ps(_mm_cmplt_ps(a, b)) != 0;
}

static inline tgF4 tgF4_Sqrt(tgF4 a)
{
    return _mm_sqrt_ps(a);
}

static inline tgF4 tgF4_SpreadX(tgF4 a)
{
    return _mm_shuffle_ps(a, a, _MM_SHUFFLE(0, 0, 0, 0));
}

static inline tgF4 tgF4_SpreadY(tgF4 a)
{
    return _mm_shuffle_ps(a, a, _MM_SHUFFLE(1, 1, 1, 1));
}

static inline tgF4 tgF4_SpreadZ(tgF4 a)
{
    return _mm_shuffle_ps(a, a, _MM_SHUFFLE(2, 2, 2, 2));
}

static inline tgF4 tgF4_SpreadW(tgF4 a)
{
    return _mm_shuffle_ps(a, a, _MM_SHUFFLE(3, 3, 3, 3));
}

static inline tgF4 tgF4_Yzx(tgF4 a)
{
    return _mm_shuffle_ps(a, a, _MM_SHUFFLE(3, 0, 2, 1));
}

static inline void tgF4_Transpose(tgF4* a, tgF4* b, tgF4* c, tgF4* d)
{
    _MM_TRANSPOSE4_PS(*a, *b, *c, *d);
}

#include "core/simd_pair.h"

#endif
