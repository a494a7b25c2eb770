// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Products of matrices whose rows are long: a row has three floats for every vertex of a mesh.
#ifndef TURGOR_BIND_ROWS_H
#define TURGOR_BIND_ROWS_H

#include "core/parallel.h"

#include <stddef.h>

/// Floats of all rows that are worked on at once, so that they stay near: of 256 vertices.
enum { tg_rowChunk = 3 * 256 };

/// out[i] += sum over r of factors[r] rows[r][first + i]; four rows at a time, in this order.
void tgAddRows(float* restrict out, int width, const float* factors, const float* const* rows,
               int rowCount, size_t first);

/// The product of two rows, in eight sums of floats.
double tgMultiplyRow(const float* a, const float* b, size_t count);

/// Row j of the product M R: sum over r of mix[j * rowCount + r] times row r.
typedef struct tgCombineTask {
    const float* const* rows;
    int rowCount;
    size_t width;
    const double* mix;
    int outCount;
    float* out; ///< outCount rows
} tgCombineTask;

/// False without memory.
bool tgCombineRows(const tgParallel* parallel, const tgCombineTask* task);

/// Products R W R' of rows with each other, W the weights of the vertices.
typedef struct tgGramTask {
    const float* const* rows;
    int rowCount;
    int vertexCount;
    const float* weights; ///< of each vertex; those of 0 or less are left out
    double* gram;         ///< out: rowCount * rowCount
} tgGramTask;

/// False without memory.
bool tgMultiplyRows(const tgParallel* parallel, const tgGramTask* task);

#endif
