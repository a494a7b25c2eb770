// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The kernels on the avx2 backend.

#define TG_KERNELS_AVX2
#include "core/kernels.inl"
