// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The kernels on the sse2 backend.

#define TG_KERNELS_SSE2
#include "core/kernels.inl"
