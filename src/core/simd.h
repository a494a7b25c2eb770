// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The handful of wide operations the kernels use. A backend header defines
//
//   tgF4   four floats: one vertex x, y, z, w
//   tgF8   eight floats as two halves: two vertices, two matrix columns, or one coordinate of
//          eight vertices
//   tgD4   four sums in double
//
// and the functions below on them. Each does what its scalar version in simd_scalar.h does, element
// by element and in the same order, so every backend returns the same bits. simd_pair.h builds tgF8
// from two tgF4 for backends that are four wide.
//
//   tgF4_Load, tgF4_Store            16-byte aligned
//   tgF4_Add, tgF4_Sub, tgF4_Mul
//   tgF4_Splat
//   tgD4_Zero, tgD4_AddF4, tgD4_Store
//   tgF8_Load, tgF8_Store            16-byte aligned
//   tgF8_LoadAny                     not aligned
//   tgF8_LoadPair, tgF8_StorePair    two halves from two places
//   tgF8_LoadU16                     eight whole numbers of 16 bits as floats
//   tgF8_Splat, tgF8_Add, tgF8_Sub, tgF8_Mul, tgF8_Div, tgF8_Sqrt, tgF8_Max,
//   tgF8_Min
//   tgF8_AnyLess(a, b)               whether any of the eight is less, else work can be left out
//   tgF8_LoadXY                      x x x x y y y y of four floats
//   tgF8_LoadZW                      z z z z w w w w
//   tgF8_AddHalves(a)                low half + high half, a tgF4
//   tgF8_Yzx(a)                      x y z w -> y z x w in each half
//   tgF8_TransposeHalves(a,b,c,d)    the 4 x 4 in the low halves, and the one in the high halves
//   tgF8_JoinLow(a, b)               low half of a, low half of b
//   tgF8_JoinHigh(a, b)              high half of a, high half of b
//
// A kernel with more sums than sixteen registers hold takes a tgF8 in parts, one after the other,
// of which each is one register:
//
//   tgPart, tg_partCount             a tgF8, 1; or one half of it, 2
//   TG_PART(Add)(a, b)               tgF8_Add or tgF4_Add
//   tgPart_Gather(from, at)          from + at[0], and in the high half from + at[4]
//   tgPart_AddHalves(first, last)    low half + high half, a tgF4
#ifndef TURGOR_CORE_SIMD_H
#define TURGOR_CORE_SIMD_H

#include <stdbool.h>
#include <stdint.h>

#if defined(TG_KERNELS_AVX2)
#include "core/simd_avx2.h"
#elif defined(TG_KERNELS_SSE2)
#include "core/simd_sse2.h"
#elif defined(TG_KERNELS_NEON)
#include "core/simd_neon.h"
#elif defined(TG_KERNELS_WASM)
#include "core/simd_wasm.h"
#else
#include "core/simd_scalar.h"
#endif

#endif
