// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Full symmetric positive matrices. Column by column
// L_jj = sqrt(A_jj - sum_k L_jk^2), L_ij = (A_ij - sum_k L_ik L_jk) / L_jj, k < j < i,
// then forward and backward substitution.

#include "bind/dense.h"

#include <math.h>
#include <stddef.h>

bool tgFactorDense(int size, double* a)
{
    for (int j = 0; j < size; ++j) {
        double* upper = a + (ptrdiff_t)j * size;
        for (int i = j; i < size; ++i) {
            double* row = a + (ptrdiff_t)i * size;
            double sum = row[j];
            for (int k = 0; k < j; ++k) {
                sum -= row[k] * upper[k];
            }
            if (i == j && !(sum > 0.0)) {
                return false;
            }
            row[j] = i == j ? sqrt(sum) : sum / upper[j];
        }
    }
    return true;
}

/// Row i of x, less `factor` times row k.
static void tgSubtract(int sides, double* x, int i, int k, double factor)
{
    double* to = x + (ptrdiff_t)i * sides;
    const double* from = x + (ptrdiff_t)k * sides;
    for (int c = 0; c < sides; ++c) {
        to[c] -= factor * from[c];
    }
}

static void tgDivide(int sides, double* x, int i, double by)
{
    for (int c = 0; c < sides; ++c) {
        x[(ptrdiff_t)i * sides + c] /= by;
    }
}

void tgSolveLower(int size, const double* l, int sides, double* x)
{
    for (int i = 0; i < size; ++i) {
        for (int k = 0; k < i; ++k) {
            tgSubtract(sides, x, i, k, l[(ptrdiff_t)i * size + k]);
        }
        tgDivide(sides, x, i, l[(ptrdiff_t)i * size + i]);
    }
}

void tgSolveUpper(int size, const double* l, int sides, double* x)
{
    for (int i = size - 1; i >= 0; --i) {
        for (int k = i + 1; k < size; ++k) {
            tgSubtract(sides, x, i, k, l[(ptrdiff_t)k * size + i]);
        }
        tgDivide(sides, x, i, l[(ptrdiff_t)i * size + i]);
    }
}
