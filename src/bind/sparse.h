// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Symmetric positive definite matrices with few entries, and their Cholesky factors.
#ifndef TURGOR_BIND_SPARSE_H
#define TURGOR_BIND_SPARSE_H

#include "core/scratch.h"
#include "turgor/bind.h"

/// The lower triangle, column by column; rows ascend, so the diagonal comes first.
typedef struct tgSparse {
    int count;
    int* start; ///< count + 1
    int* rows;
    double* values;
} tgSparse;

/// One entry to be added in; both halves of a pair are one entry.
typedef struct tgTriplet {
    int row, column;
    double value;
} tgTriplet;

/// Adds up triplets. Every row must have an entry on the diagonal. False without memory.
/// @param triplets put in order
bool tgMakeSparse(int count, tgTriplet* triplets, size_t tripletCount, tgScratch* scratch,
                  tgSparse* matrix);

/// An order of elimination that keeps the factor small, by nested dissection.
/// @param order of each place the row that stands there
bool tgOrderSparse(const tgSparse* matrix, tgScratch* scratch, int* order);

/// L of P A P' = L L', in memory of its own.
typedef struct tgFactor tgFactor;
/// NULL, with the error told, when the matrix is not positive definite or memory is short.
tgFactor* tgCreateFactor(const tgSparse* matrix, tgError* error);
/// In place, `width` right-hand sides side by side in each row. False without memory.
bool tgFactor_Solve(const tgFactor* factor, int width, double* values);
void tgDestroyFactor(tgFactor* factor); ///< NULL is fine

#endif
