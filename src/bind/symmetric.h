// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Small symmetric matrices: eigenvalues, eigenvectors, and solving with what they tell.
#ifndef TURGOR_BIND_SYMMETRIC_H
#define TURGOR_BIND_SYMMETRIC_H

enum { tg_mostSymmetric = 6 };

/// Eigenvalues from the largest to the smallest.
typedef struct tgEigen {
    int size;
    double values[tg_mostSymmetric];
    double vectors[tg_mostSymmetric][tg_mostSymmetric]; ///< vectors[i] belongs to values[i]
} tgEigen;

/// @param matrix size * size numbers, row after row; only finite ones
tgEigen tgFindEigen(int size, const double* matrix);

/// The shortest x that solves A x = b where only the first `rank` eigenvalues count. Those that are
/// zero to rounding never do.
void tgEigen_Solve(const tgEigen* eigen, int rank, const double* b, double* x);

#endif
