// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What the built-in solver's two halves share: which entries the factor has, and their values.
#ifndef TURGOR_BIND_CHOLESKY_H
#define TURGOR_BIND_CHOLESKY_H

#include "bind/sparse.h"

struct tgFactor {
    tgScratch scratch;
    tgAllocator allocator;
    int count;
    int* order;   ///< of each place the row of the matrix
    int* place;   ///< of each row its place
    int* parents; ///< the elimination tree
    int panelCount;
    int* panelStart;    ///< panelCount + 1: the first column of each panel
    int* panelOf;       ///< of each column
    size_t* rowStart;   ///< panelCount + 1, into rows
    int* rows;          ///< of each panel, ascending; its own columns first
    size_t* valueStart; ///< panelCount + 1
    double* values;     ///< of each panel column by column, as long as its rows
};

/// The upper half of the permuted matrix by rows: for each place the earlier places it touches.
typedef struct tgPermuted {
    int* start;
    int* columns;
    double* values;
} tgPermuted;

/// Order, tree and panels; the values stay zero. The permuted matrix comes back.
bool tgAnalyzeFactor(tgFactor* factor, const tgSparse* matrix, tgScratch* scratch,
                     tgPermuted* permuted);

/// The matrix by columns: for each place the later places it touches.
bool tgTransposeRows(const tgPermuted* permuted, int count, tgScratch* scratch, int** start,
                     int** rows);

#endif
