// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The wide operations on AVX2. No fused multiply-add: it would round once where others round twice.
#ifndef TURGOR_CORE_SIMD_AVX2_H
#define TURGOR_CORE_SIMD_AVX2_H

#include "core/simd_x86.h"

#define TG_KERNELS_NAME avx2

typedef __m256 tgF8;

static inline tgF8 tgF8_Load(const float* from)
{
    return _mm256_loadu_ps(from);
}

static inline tgF8 tgF8_LoadAny(const float* from)
{
    return _mm256_loadu_ps(from);
}

static inline tgF8 tgF8_LoadU16(const uint16_t* from)
{
    return _mm256_cvtepi32_ps(_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i*)from)));
}

static inline void tgF8_Store(float* to, tgF8 a)
{
    _mm256_storeu_ps(to, a);
}

static inline tgF8 tgF8_LoadPair(const float* low, const float* high)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(low)), _mm_load_ps(high), 1);
}

static inline void tgF8_StorePair(float* low, float* high, tgF8 a)
{
    _mm_store_ps(low, _mm256_castps256_ps128(a));
    _mm_store_ps(high, _mm256_extractf128_ps(a, 1));
}

static inline tgF8 tgF8_Splat(float s)
{
    return _mm256_set1_ps(s);
}

static inline tgF8 tgF8_Add(tgF8 a, tgF8 b)
{
    return _mm256_add_ps(a, b);
}

static inline tgF8 tgF8_Sub(tgF8 a, tgF8 b)
{
    return _mm256_sub_ps(a, b);
}

static inline tgF8 tgF8_Mul(tgF8 a, tgF8 b)
{
    return _mm256_mul_ps(a, b);
}

static inline tgF8 tgF8_Div(tgF8 a, tgF8 b)
{
    return _mm256_div_ps(a, b);
}

static inline tgF8 tgF8_Max(tgF8 a, tgF8 b)
{
    return _mm256_max_ps(a, b);
}

static inline tgF8 tgF8_Min(tgF8 a, tgF8 b)
{
    return _mm256_min_ps(a, b);
}

static inline bool tgF8_AnyLess(tgF8 a, tgF8 b)
{
    return _mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_LT_OQ)) != 0;
}

static inline tgF8 tgF8_Sqrt(tgF8 a)
{
    return _mm256_sqrt_ps(a);
}

static inline tgF8 tgF8_LoadXY(const float* from)
{
    const __m256i order = _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1);
    return _mm256_permutevar_ps(_mm256_broadcast_ps((const __m128*)from), order);
}

static inline tgF8 tgF8_LoadZW(const float* from)
{
    const __m256i order = _mm256_setr_epi32(2, 2, 2, 2, 3, 3, 3, 3);
    return _mm256_permutevar_ps(_mm256_broadcast_ps((const __m128*)from), order);
}

static inline tgF4 tgF8_AddHalves(tgF8 a)
{
    return _mm_add_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
}

static inline tgF8 tgF8_Yzx(tgF8 a)
{
    return _mm256_permute_ps(a, _MM_SHUFFLE(3, 0, 2, 1));
}

static inline void tgF8_TransposeHalves(tgF8* a, tgF8* b, tgF8* c, tgF8* d)
{
    tgF8 ab0 = _mm256_unpacklo_ps(*a, *b), ab1 = _mm256_unpackhi_ps(*a, *b);
    tgF8 cd0 = _mm256_unpacklo_ps(*c, *d), cd1 = _mm256_unpackhi_ps(*c, *d);
    *a = _mm256_shuffle_ps(ab0, cd0, _MM_SHUFFLE(1, 0, 1, 0));
    *b = _mm256_shuffle_ps(ab0, cd0, _MM_SHUFFLE(3, 2, 3, 2));
    *c = _mm256_shuffle_ps(ab1, cd1, _MM_SHUFFLE(1, 0, 1, 0));
    *d = _mm256_shuffle_ps(ab1, cd1, _MM_SHUFFLE(3, 2, 3, 2));
}

static inline tgF8 tgF8_JoinLow(tgF8 a, tgF8 b)
{
    return _mm256_permute2f128_ps(a, b, 0x20);
}

static inline tgF8 tgF8_JoinHigh(tgF8 a, tgF8 b)
{
    return _mm256_permute2f128_ps(a, b, 0x31);
}

typedef tgF8 tgPart;
enum { tg_partCount = 1 };
#define TG_PART(operation) tgF8_##operation

static inline tgPart tgPart_Gather(const float* from, const int* at)
{
    return tgF8_LoadPair(from + at[0], from + at[4]);
}

static inline tgF4 tgPart_AddHalves(tgPart first, tgPart last)
{
    (void)last;
    return tgF8_AddHalves(first);
}

#endif
