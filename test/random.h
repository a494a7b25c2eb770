// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Numbers of a fixed sequence (Numerical Recipes' linear congruence): every run has the same.
#ifndef TURGOR_TEST_RANDOM_H
#define TURGOR_TEST_RANDOM_H

/// In [0, 1), of 24 bits: a float holds it exactly.
static inline double tgNextUnit(unsigned* seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 16777216.0;
}

/// In [-1, 1), as exact.
static inline double tgNextSigned(unsigned* seed)
{
    return 2.0 * tgNextUnit(seed) - 1.0;
}

#endif
