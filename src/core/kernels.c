// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Which backends this build has, and which of them this machine can run.

#include "core/kernels.h"

extern const tgKernels tg_kernels_scalar, tg_kernels_sse2, tg_kernels_avx2, tg_kernels_neon,
    tg_kernels_wasm;

static const tgKernels* tgSelectBest(void)
{
    static const tgSimd widestFirst[] = {tg_simdAvx2, tg_simdSse2, tg_simdNeon, tg_simdWasm};
    for (size_t i = 0; i < sizeof(widestFirst) / sizeof(widestFirst[0]); ++i) {
        const tgKernels* kernels = tgSelectKernels(widestFirst[i]);
        if (kernels != NULL) {
            return kernels;
        }
    }
    return &tg_kernels_scalar;
}

const tgKernels* tgSelectKernels(tgSimd simd)
{
    switch (simd) {
    case tg_simdBest:
        return tgSelectBest();
    case tg_simdScalar:
        return &tg_kernels_scalar;
    case tg_simdSse2:
#ifdef TG_HAVE_SSE2
        return &tg_kernels_sse2;
#else
        return NULL;
#endif
    case tg_simdAvx2:
#ifdef TG_HAVE_AVX2
        return __builtin_cpu_supports("avx2") ? &tg_kernels_avx2 : NULL;
#else
        return NULL;
#endif
    case tg_simdNeon:
#ifdef TG_HAVE_NEON
        return &tg_kernels_neon;
#else
        return NULL;
#endif
    case tg_simdWasm:
#ifdef TG_HAVE_WASM
        return &tg_kernels_wasm;
#else
        return NULL;
#endif
    }
    return NULL;
}
