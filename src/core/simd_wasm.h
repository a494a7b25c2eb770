// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The wide operations on WebAssembly's 128-bit vectors.
#ifndef TURGOR_CORE_SIMD_WASM_H
#define TURGOR_CORE_SIMD_WASM_H

#include <wasm_simd128.h>

#define TG_KERNELS_NAME wasm

typedef v128_t tgF4;

typedef struct tgD4 {
    v128_t low, high;
} tgD4;

static inline tgF4 tgF4_LoadU16(const uint16_t* from)
{
    // Clang would join the two and convert lane by lane. Signed, since x86 has no instruction for
    // unsigned numbers.
    v128_t whole = wasm_u32x4_load16x4(from);
    __asm__("" : "+r"(whole));
    return wasm_f32x4_convert_i32x4(whole);
}

static inline tgF4 tgF4_Load(const float* from)
{
    return wasm_v128_load(from);
}

static inline tgF4 tgF4_LoadAny(const float* from)
{
    return tgF4_Load(from);
}

static inline void tgF4_Store(float* to, tgF4 a)
{
    wasm_v128_store(to, a);
}

static inline tgF4 tgF4_Splat(float s)
{
    return wasm_f32x4_splat(s);
}

static inline tgF4 tgF4_Add(tgF4 a, tgF4 b)
{
    return wasm_f32x4_add(a, b);
}

static inline tgF4 tgF4_Sub(tgF4 a, tgF4 b)
{
    return wasm_f32x4_sub(a, b);
}

static inline tgF4 tgF4_Mul(tgF4 a, tgF4 b)
{
    return wasm_f32x4_mul(a, b);
}

static inline tgF4 tgF4_Div(tgF4 a, tgF4 b)
{
    return wasm_f32x4_div(a, b);
}

static inline tgF4 tgF4_Max(tgF4 a, tgF4 b)
{
    // pmax(b, a) is b < a ? a : b, which is the scalar a > b ? a : b.
    return wasm_f32x4_pmax(b, a);
}

static inline tgF4 tgF4_Min(tgF4 a, tgF4 b)
{
    return wasm_f32x4_pmin(b, a); // the second where the first is not less, as on x86
}

static inline bool tgF4_AnyLess(tgF4 a, tgF4 b)
{
    return wasm_v128_any_true(wasm_f32x4_lt(a, b));
}

static inline tgF4 tgF4_Sqrt(tgF4 a)
{
    return wasm_f32x4_sqrt(a);
}

static inline tgF4 tgF4_SpreadX(tgF4 a)
{
    return wasm_i32x4_shuffle(a, a, 0, 0, 0, 0);
}

static inline tgF4 tgF4_SpreadY(tgF4 a)
{
    return wasm_i32x4_shuffle(a, a, 1, 1, 1, 1);
}

static inline tgF4 tgF4_SpreadZ(tgF4 a)
{
    return wasm_i32x4_shuffle(a, a, 2, 2, 2, 2);
}

static inline tgF4 tgF4_SpreadW(tgF4 a)
{
    return wasm_i32x4_shuffle(a, a, 3, 3, 3, 3);
}

static inline tgF4 tgF4_Yzx(tgF4 a)
{
    return wasm_i32x4_shuffle(a, a, 1, 2, 0, 3);
}

static inline void tgF4_Transpose(tgF4* a, tgF4* b, tgF4* c, tgF4* d)
{
    v128_t ab0 = wasm_i32x4_shuffle(*a, *b, 0, 4, 1, 5),
           ab1 = wasm_i32x4_shuffle(*a, *b, 2, 6, 3, 7);
    v128_t cd0 = wasm_i32x4_shuffle(*c, *d, 0, 4, 1, 5),
           cd1 = wasm_i32x4_shuffle(*c, *d, 2, 6, 3, 7);
    *a = wasm_i32x4_shuffle(ab0, cd0, 0, 1, 4, 5);
    *b = wasm_i32x4_shuffle(ab0, cd0, 2, 3, 6, 7);
    *c = wasm_i32x4_shuffle(ab1, cd1, 0, 1, 4, 5);
    *d = wasm_i32x4_shuffle(ab1, cd1, 2, 3, 6, 7);
}

static inline tgD4 tgD4_Zero(void)
{
    tgD4 r = {wasm_f64x2_splat(0.0), wasm_f64x2_splat(0.0)};
    return r;
}

static inline tgD4 tgD4_AddF4(tgD4 sum, tgF4 a)
{
    sum.low = wasm_f64x2_add(sum.low, wasm_f64x2_promote_low_f32x4(a));
    v128_t high = wasm_i32x4_shuffle(a, a, 2, 3, 2, 3);
    sum.high = wasm_f64x2_add(sum.high, wasm_f64x2_promote_low_f32x4(high));
    return sum;
}

static inline void tgD4_Store(double* to, tgD4 a)
{
    wasm_v128_store(to, a.low);
    wasm_v128_store(to + 2, a.high);
}

#include "core/simd_pair.h"

#endif
