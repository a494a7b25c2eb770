// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The kernels on the wasm backend.

#define TG_KERNELS_WASM
#include "core/kernels.inl"
