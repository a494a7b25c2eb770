// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The yardstick: linear skinning as an engine programmer writes it in an afternoon, four-wide, one
// vertex after the other, render vertices in and out. Bars are ratios to it on the same machine.
#ifndef TURGOR_BENCH_PLAIN_SSE_H
#define TURGOR_BENCH_PLAIN_SSE_H

#ifdef __SSE2__
#include <emmintrin.h>
#include <stdbool.h>

/// The four columns of a vertex's blended matrix.
/// @param palette 16 floats for each joint: columns
static inline void tgPlainBlend(const int* joints, const float* weights, const float* palette,
                                __m128 columns[4])
{
    for (int c = 0; c < 4; ++c) {
        columns[c] = _mm_setzero_ps();
    }
    for (int k = 0; k < 4; ++k) {
        const float* m = palette + 16 * joints[k];
        __m128 w = _mm_set1_ps(weights[k]);
        for (int c = 0; c < 4; ++c) {
            columns[c] = _mm_add_ps(columns[c], _mm_mul_ps(w, _mm_loadu_ps(m + 4 * c)));
        }
    }
}

/// The vector by the first three columns.
static inline __m128 tgPlainTurn(const __m128 columns[4], const float* v)
{
    __m128 p = _mm_mul_ps(columns[0], _mm_set1_ps(v[0]));
    p = _mm_add_ps(p, _mm_mul_ps(columns[1], _mm_set1_ps(v[1])));
    return _mm_add_ps(p, _mm_mul_ps(columns[2], _mm_set1_ps(v[2])));
}

static inline void tgPlainStore(__m128 p, float* out)
{
    float result[4];
    _mm_storeu_ps(result, p);
    out[0] = result[0];
    out[1] = result[1];
    out[2] = result[2];
}

static inline void tgPlainSse(const float* rest, const int* joints, const float* weights,
                              const float* palette, float* out, int count)
{
    for (int v = 0; v < count; ++v) {
        __m128 columns[4];
        tgPlainBlend(joints + 4 * v, weights + 4 * v, palette, columns);
        tgPlainStore(_mm_add_ps(tgPlainTurn(columns, rest + 3 * v), columns[3]), out + 3 * v);
    }
}

/// With normals: turned by the same blended matrix, as ozz-animation's SkinningJob does.
/// @param unit bring them to length 1; ozz leaves that to the shader
static inline void tgPlainSseNormals(const float* rest, const float* restNormals, const int* joints,
                                     const float* weights, const float* palette, float* out,
                                     float* outNormals, int count, bool unit)
{
    for (int v = 0; v < count; ++v) {
        __m128 columns[4];
        tgPlainBlend(joints + 4 * v, weights + 4 * v, palette, columns);
        tgPlainStore(_mm_add_ps(tgPlainTurn(columns, rest + 3 * v), columns[3]), out + 3 * v);
        __m128 n = tgPlainTurn(columns, restNormals + 3 * v);
        if (unit) {
            __m128 squares = _mm_mul_ps(n, n); // the fourth is 0
            __m128 pairs = _mm_add_ps(squares, _mm_movehl_ps(squares, squares));
            __m128 sum = _mm_add_ss(pairs, _mm_shuffle_ps(pairs, pairs, 1));
            n = _mm_div_ps(n, _mm_shuffle_ps(_mm_sqrt_ss(sum), _mm_sqrt_ss(sum), 0));
        }
        tgPlainStore(n, outNormals + 3 * v);
    }
}
#define TG_HAVE_PLAIN_SSE 1
#endif

#endif
