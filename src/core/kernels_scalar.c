// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The kernels on the scalar backend.

#define TG_KERNELS_SCALAR
#include "core/kernels.inl"
