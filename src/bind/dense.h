// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Full symmetric positive matrices, row after row: Cholesky's A = L L'.
#ifndef TURGOR_BIND_DENSE_H
#define TURGOR_BIND_DENSE_H

#include <stdbool.h>

/// L in place of the lower half of A; what is above the diagonal stays.
/// @return false when A is not positive
bool tgFactorDense(int size, double* a);

/// x = L^-1 b in place, for several right sides.
/// @param x size * sides numbers, a row of `sides` for each unknown
void tgSolveLower(int size, const double* l, int sides, double* x);

/// x = L'^-1 b in place.
void tgSolveUpper(int size, const double* l, int sides, double* x);

#endif
