// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The wide operations on 64-bit ARM. Plain multiplies and adds, never vfmaq: see simd_avx2.h.
#ifndef TURGOR_CORE_SIMD_NEON_H
#define TURGOR_CORE_SIMD_NEON_H

#include <arm_neon.h>

#define TG_KERNELS_NAME neon

typedef float32x4_t tgF4;

typedef struct tgD4 {
    float64x2_t low, high;
} tgD4;

static inline tgF4 tgF4_LoadU16(const uint16_t* from)
{
    return vcvtq_f32_u32(vmovl_u16(vld1_u16(from)));
}

static inline tgF4 tgF4_Load(const float* from)
{
    return vld1q_f32(from);
}

static inline tgF4 tgF4_LoadAny(const float* from)
{
    return tgF4_Load(from);
}

static inline void tgF4_Store(float* to, tgF4 a)
{
    vst1q_f32(to, a);
}

static inline tgF4 tgF4_Splat(float s)
{
    return vdupq_n_f32(s);
}

static inline tgF4 tgF4_Add(tgF4 a, tgF4 b)
{
    return vaddq_f32(a, b);
}

static inline tgF4 tgF4_Sub(tgF4 a, tgF4 b)
{
    return vsubq_f32(a, b);
}

static inline tgF4 tgF4_Mul(tgF4 a, tgF4 b)
{
    return vmulq_f32(a, b);
}

static inline tgF4 tgF4_Div(tgF4 a, tgF4 b)
{
    return vdivq_f32(a, b);
}

static inline tgF4 tgF4_Max(tgF4 a, tgF4 b)
{
    return vbslq_f32(vcgtq_f32(a, b), a, b);
}

static inline tgF4 tgF4_Min(tgF4 a, tgF4 b)
{
    return vbslq_f32(vcltq_f32(a, b), a, b);
}

static inline bool tgF4_AnyLess(tgF4 a, tgF4 b)
{
    return vmaxvq_u32(vcltq_f32(a, b)) != 0;
}

static inline tgF4 tgF4_Sqrt(tgF4 a)
{
    return vsqrtq_f32(a);
}

static inline tgF4 tgF4_SpreadX(tgF4 a)
{
    return vdupq_laneq_f32(a, 0);
}

static inline tgF4 tgF4_SpreadY(tgF4 a)
{
    return vdupq_laneq_f32(a, 1);
}

static inline tgF4 tgF4_SpreadZ(tgF4 a)
{
    return vdupq_laneq_f32(a, 2);
}

static inline tgF4 tgF4_SpreadW(tgF4 a)
{
    return vdupq_laneq_f32(a, 3);
}

static inline tgF4 tgF4_Yzx(tgF4 a)
{
    // y z w x, then the last two change places.
    tgF4 turned = vextq_f32(a, a, 1);
    return vcombine_f32(vget_low_f32(turned), vrev64_f32(vget_high_f32(turned)));
}

static inline void tgF4_Transpose(tgF4* a, tgF4* b, tgF4* c, tgF4* d)
{
    float32x4x2_t ab = vtrnq_f32(*a, *b);
    float32x4x2_t cd = vtrnq_f32(*c, *d);
    *a = vcombine_f32(vget_low_f32(ab.val[0]), vget_low_f32(cd.val[0]));
    *b = vcombine_f32(vget_low_f32(ab.val[1]), vget_low_f32(cd.val[1]));
    *c = vcombine_f32(vget_high_f32(ab.val[0]), vget_high_f32(cd.val[0]));
    *d = vcombine_f32(vget_high_f32(ab.val[1]), vget_high_f32(cd.val[1]));
}

static inline tgD4 tgD4_Zero(void)
{
    tgD4 r = {vdupq_n_f64(0.0), vdupq_n_f64(0.0)};
    return r;
}

static inline tgD4 tgD4_AddF4(tgD4 sum, tgF4 a)
{
    sum.low = vaddq_f64(sum.low, vcvt_f64_f32(vget_low_f32(a)));
    sum.high = vaddq_f64(sum.high, vcvt_f64_f32(vget_high_f32(a)));
    return sum;
}

static inline void tgD4_Store(double* to, tgD4 a)
{
    vst1q_f64(to, a.low);
    vst1q_f64(to + 2, a.high);
}

#include "core/simd_pair.h"

#endif
