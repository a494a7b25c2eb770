// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The Gaussian of two turns, which a driver's weights are sums of.
#ifndef TURGOR_CORE_GAUSSIAN_H
#define TURGOR_CORE_GAUSSIAN_H

#include "core/elementary.h"

#include <stddef.h>

/// exp(-|(a - b) / widths|^2 / 2), of so many numbers each.
/// @param b NULL: all 0
static inline double tgGetGaussian(int count, const float* a, const float* b, const float* widths)
{
    double square = 0.0;
    for (int i = 0; i < count; ++i) {
        double gap = (double)(a[i] - (b != NULL ? b[i] : 0.0f)) / (double)widths[i];
        square += gap * gap;
    }
    return tgExp(-0.5 * square);
}

#endif
