// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The built-in solver: P A P' = L L' by a left-looking supernodal method. Columns of L with the
// same rows below them are one panel, stored dense, so that the inner loops run over memory in
// order. Many right-hand sides are solved side by side.

#include "bind/cholesky.h"

#include "core/core.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void tgDestroyFactor(tgFactor* factor)
{
    if (factor != NULL) {
        tgScratch_FreeAll(&factor->scratch);
        free(factor);
    }
}

// ---- the entries ----

typedef struct tgPanel {
    int first, width, height;
    const int* rows;
    double* values;
} tgPanel;

static tgPanel tgGetPanel(const tgFactor* factor, int p)
{
    return (tgPanel){
        .first = factor->panelStart[p],
        .width = factor->panelStart[p + 1] - factor->panelStart[p],
        .height = (int)(factor->rowStart[p + 1] - factor->rowStart[p]),
        .rows = factor->rows + factor->rowStart[p],
        .values = factor->values + factor->valueStart[p],
    };
}

/// target[i] -= scale * source[i]
static void tgSubtractScaled(double* restrict target, const double* restrict source, double scale,
                             int count)
{
    for (int i = 0; i < count; ++i) {
        target[i] -= scale * source[i];
    }
}

/// Takes what panel `from`, its rows from `begin` on, contributes to panel `to`.
/// @param places of each row of `to` its place there
/// @param update scratch as long as `from` is high
/// @return the first row of `from` past the columns of `to`
static int tgUpdatePanel(const tgPanel* from, int begin, tgPanel* to, const int* places,
                         double* update)
{
    int end = begin;
    int lastColumn = to->first + to->width;
    while (end < from->height && from->rows[end] < lastColumn) {
        end += 1;
    }
    for (int c = begin; c < end; ++c) {
        int length = from->height - c;
        memset(update, 0, (size_t)length * sizeof(double));
        for (int k = 0; k < from->width; ++k) {
            const double* column = from->values + (size_t)k * (size_t)from->height;
            tgSubtractScaled(update, column + c, column[c], length);
        }
        double* target = to->values + (size_t)(from->rows[c] - to->first) * (size_t)to->height;
        for (int i = 0; i < length; ++i) {
            target[places[from->rows[c + i]]] += update[i];
        }
    }
    return end;
}

/// The dense factor of a panel whose updates are all in. False when a pivot is not positive.
static bool tgFactorPanel(tgPanel* panel)
{
    for (int k = 0; k < panel->width; ++k) {
        double* column = panel->values + (size_t)k * (size_t)panel->height;
        if (!(column[k] > 0.0) || !isfinite(column[k])) {
            return false;
        }
        double scale = 1.0 / sqrt(column[k]);
        for (int i = k; i < panel->height; ++i) {
            column[i] *= scale;
        }
        for (int c = k + 1; c < panel->width; ++c) {
            double* later = panel->values + (size_t)c * (size_t)panel->height;
            tgSubtractScaled(later + c, column + c, column[c], panel->height - c);
        }
    }
    return true;
}

/// Which panels still have to contribute to which: each waits in the list of its next target.
typedef struct tgWaiting {
    int* first; ///< of each panel: the first that waits for it, -1 for none
    int* next;
    int* row; ///< of each panel: its first row that was not used
} tgWaiting;

static void tgWait(const tgFactor* factor, tgWaiting* waiting, int p, int row)
{
    tgPanel panel = tgGetPanel(factor, p);
    waiting->row[p] = row;
    if (row < panel.height) {
        int target = factor->panelOf[panel.rows[row]];
        waiting->next[p] = waiting->first[target];
        waiting->first[target] = p;
    }
}

static void tgFillPanel(const int* start, const int* rows, const double* values, tgPanel* panel,
                        int* places)
{
    for (int i = 0; i < panel->height; ++i) {
        places[panel->rows[i]] = i;
    }
    for (int k = 0; k < panel->width; ++k) {
        double* column = panel->values + (size_t)k * (size_t)panel->height;
        for (int i = start[panel->first + k]; i < start[panel->first + k + 1]; ++i) {
            column[places[rows[i]]] += values[i];
        }
    }
}

/// The values by columns, in the order of tgTransposeRows.
static bool tgTransposeValues(const tgPermuted* permuted, int count, tgScratch* scratch,
                              int** start, int** rows, double** values)
{
    int* walk = tgScratch_Take(scratch, (size_t)count, sizeof(int));
    *values = tgScratch_Take(scratch, (size_t)permuted->start[count], sizeof(double));
    if (scratch->failed || !tgTransposeRows(permuted, count, scratch, start, rows)) {
        return false;
    }
    memcpy(walk, *start, (size_t)count * sizeof(int));
    for (int r = 0; r < count; ++r) {
        for (int i = permuted->start[r]; i < permuted->start[r + 1]; ++i) {
            (*values)[walk[permuted->columns[i]]++] = permuted->values[i];
        }
    }
    return true;
}

static tgResult tgFillFactor(tgFactor* factor, const tgPermuted* permuted, tgScratch* scratch,
                             tgError* error)
{
    size_t n = (size_t)factor->count, panelCount = (size_t)factor->panelCount;
    int *start = NULL, *rows = NULL;
    double* values = NULL;
    int* places = tgScratch_Take(scratch, n, sizeof(int));
    double* update = tgScratch_Take(scratch, n, sizeof(double));
    tgWaiting waiting = {
        .first = tgScratch_Take(scratch, panelCount, sizeof(int)),
        .next = tgScratch_Take(scratch, panelCount, sizeof(int)),
        .row = tgScratch_Take(scratch, panelCount, sizeof(int)),
    };
    if (scratch->failed ||
        !tgTransposeValues(permuted, factor->count, scratch, &start, &rows, &values)) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for a matrix of %d rows",
                      factor->count);
    }
    memset(waiting.first, -1, panelCount * sizeof(int));
    for (int p = 0; p < factor->panelCount; ++p) {
        tgPanel panel = tgGetPanel(factor, p);
        tgFillPanel(start, rows, values, &panel, places);
        for (int other = waiting.first[p]; other >= 0;) {
            int next = waiting.next[other];
            tgPanel from = tgGetPanel(factor, other);
            tgWait(factor, &waiting, other,
                   tgUpdatePanel(&from, waiting.row[other], &panel, places, update));
            other = next;
        }
        if (!tgFactorPanel(&panel)) {
            return tgFail(error, tg_notConverged, factor->order[panel.first],
                          "the matrix is not positive definite near row %d",
                          factor->order[panel.first]);
        }
        tgWait(factor, &waiting, p, panel.width);
    }
    return tg_success;
}

tgFactor* tgCreateFactor(const tgSparse* matrix, tgError* error)
{
    tgFactor* factor = calloc(1, sizeof(tgFactor));
    if (factor == NULL) {
        tgFail(error, tg_outOfMemory, -1, "no memory for the solver");
        return NULL;
    }
    factor->scratch.allocator = &factor->allocator;
    tgScratch scratch = {.allocator = &factor->allocator};
    tgPermuted permuted;
    tgResult result;
    if (!tgAnalyzeFactor(factor, matrix, &scratch, &permuted)) {
        result =
            tgFail(error, tg_outOfMemory, -1, "no memory for a matrix of %d rows", matrix->count);
    } else {
        result = tgFillFactor(factor, &permuted, &scratch, error);
    }
    tgScratch_FreeAll(&scratch);
    if (result != tg_success) {
        tgDestroyFactor(factor);
        return NULL;
    }
    return factor;
}

// ---- solving ----

/// L y = b, then L' x = y, on rows of `width` values in the order of elimination.
static void tgSolveForward(const tgFactor* factor, int width, double* x)
{
    for (int p = 0; p < factor->panelCount; ++p) {
        tgPanel panel = tgGetPanel(factor, p);
        for (int k = 0; k < panel.width; ++k) {
            const double* column = panel.values + (size_t)k * (size_t)panel.height;
            double* own = x + (size_t)(panel.first + k) * (size_t)width;
            for (int s = 0; s < width; ++s) {
                own[s] /= column[k];
            }
            for (int i = k + 1; i < panel.height; ++i) {
                tgSubtractScaled(x + (size_t)panel.rows[i] * (size_t)width, own, column[i], width);
            }
        }
    }
}

static void tgSolveBackward(const tgFactor* factor, int width, double* x)
{
    for (int p = factor->panelCount - 1; p >= 0; --p) {
        tgPanel panel = tgGetPanel(factor, p);
        for (int k = panel.width - 1; k >= 0; --k) {
            const double* column = panel.values + (size_t)k * (size_t)panel.height;
            double* own = x + (size_t)(panel.first + k) * (size_t)width;
            for (int i = k + 1; i < panel.height; ++i) {
                tgSubtractScaled(own, x + (size_t)panel.rows[i] * (size_t)width, column[i], width);
            }
            for (int s = 0; s < width; ++s) {
                own[s] /= column[k];
            }
        }
    }
}

bool tgFactor_Solve(const tgFactor* factor, int width, double* values)
{
    size_t rowSize = (size_t)width * sizeof(double);
    double* x = malloc((size_t)factor->count * rowSize + 1);
    if (x == NULL) {
        return false;
    }
    for (int r = 0; r < factor->count; ++r) {
        memcpy(x + (size_t)factor->place[r] * (size_t)width, values + (size_t)r * (size_t)width,
               rowSize);
    }
    tgSolveForward(factor, width, x);
    tgSolveBackward(factor, width, x);
    for (int r = 0; r < factor->count; ++r) {
        memcpy(values + (size_t)r * (size_t)width, x + (size_t)factor->place[r] * (size_t)width,
               rowSize);
    }
    free(x);
    return true;
}
