// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Symmetric matrices of any size: all eigenvalues and eigenvectors.
#ifndef TURGOR_BIND_EIGEN_H
#define TURGOR_BIND_EIGEN_H

/// Eigenvalues from the largest to the smallest, and orthonormal eigenvectors.
/// @param matrix size * size finite numbers, row after row; afterwards row i is the vector of
/// values[i]
/// @param values size entries
/// @param scratch 2 * size entries
void tgFindEigenvectors(int size, double* matrix, double* values, double* scratch);

#endif
