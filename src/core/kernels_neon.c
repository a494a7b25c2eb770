// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The kernels on the neon backend.

#define TG_KERNELS_NEON
#include "core/kernels.inl"
