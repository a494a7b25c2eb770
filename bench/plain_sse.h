// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The yardstick: linear skinning as an engine programmer writes it in an afternoon, four-wide, one
// vertex after the other, render vertices in and out. Bars are ratios to it on the same machine.
#ifndef TURGOR_BENCH_PLAIN_SSE_H
#define TURGOR_BENCH_PLAIN_SSE_H

#ifdef __SSE2__
#include <emmintrin.h>

/// @param palette 16 floats for each joint: columns
static inline void tgPlainSse(const float* rest, const int* joints, const float* weights,
                              const float* palette, float* out, int count)
{
    for (int v = 0; v < count; ++v) {
        __m128 columns[4];
        for (int c = 0; c < 4; ++c) {
            columns[c] = _mm_setzero_ps();
        }
        for (int k = 0; k < 4; ++k) {
            const float* m = palette + 16 * joints[4 * v + k];
            __m128 w = _mm_set1_ps(weights[4 * v + k]);
            for (int c = 0; c < 4; ++c) {
                columns[c] = _mm_add_ps(columns[c], _mm_mul_ps(w, _mm_loadu_ps(m + 4 * c)));
            }
        }
        __m128 p = _mm_mul_ps(columns[0], _mm_set1_ps(rest[3 * v]));
        p = _mm_add_ps(p, _mm_mul_ps(columns[1], _mm_set1_ps(rest[3 * v + 1])));
        p = _mm_add_ps(p, _mm_mul_ps(columns[2], _mm_set1_ps(rest[3 * v + 2])));
        p = _mm_add_ps(p, columns[3]);
        float result[4];
        _mm_storeu_ps(result, p);
        out[3 * v] = result[0];
        out[3 * v + 1] = result[1];
        out[3 * v + 2] = result[2];
    }
}
#define TG_HAVE_PLAIN_SSE 1
#endif

#endif
