// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Sparse matrices from triplets.

#include "bind/sparse.h"

#include <stdlib.h>
#include <string.h>

static int tgCompareTriplets(const void* left, const void* right)
{
    const tgTriplet* a = left;
    const tgTriplet* b = right;
    return (a->row > b->row) - (a->row < b->row);
}

/// Triplets of each column together: a counting sort, then each short column by itself.
static void tgSortTriplets(int count, const tgTriplet* triplets, size_t tripletCount, int* start,
                           tgTriplet* sorted)
{
    // start[c + 2] counts, then start[c + 1] walks from the begin of c to its end.
    for (size_t i = 0; i < tripletCount; ++i) {
        start[triplets[i].column + 2] += 1;
    }
    for (int c = 0; c < count; ++c) {
        start[c + 2] += start[c + 1];
    }
    for (size_t i = 0; i < tripletCount; ++i) {
        sorted[start[triplets[i].column + 1]++] = triplets[i];
    }
    for (int c = 0; c < count; ++c) {
        qsort(sorted + start[c], (size_t)(start[c + 1] - start[c]), sizeof(tgTriplet),
              tgCompareTriplets);
    }
}

bool tgMakeSparse(int count, tgTriplet* triplets, size_t tripletCount, tgScratch* scratch,
                  tgSparse* matrix)
{
    int* start = tgScratch_Take(scratch, (size_t)count + 2, sizeof(int));
    tgTriplet* sorted = tgScratch_Take(scratch, tripletCount, sizeof(tgTriplet));
    matrix->count = count;
    matrix->start = tgScratch_Take(scratch, (size_t)count + 1, sizeof(int));
    matrix->rows = tgScratch_Take(scratch, tripletCount, sizeof(int));
    matrix->values = tgScratch_Take(scratch, tripletCount, sizeof(double));
    if (scratch->failed) {
        return false;
    }
    for (size_t i = 0; i < tripletCount; ++i) {
        if (triplets[i].row < triplets[i].column) {
            int row = triplets[i].row;
            triplets[i].row = triplets[i].column;
            triplets[i].column = row;
        }
    }
    tgSortTriplets(count, triplets, tripletCount, start, sorted);
    int used = 0;
    for (int c = 0; c < count; ++c) {
        for (int i = start[c]; i < start[c + 1]; ++i) {
            bool isNew = used == matrix->start[c] || matrix->rows[used - 1] != sorted[i].row;
            if (isNew) {
                matrix->rows[used] = sorted[i].row;
                matrix->values[used] = 0.0;
                used += 1;
            }
            matrix->values[used - 1] += sorted[i].value;
        }
        matrix->start[c + 1] = used;
    }
    return true;
}
