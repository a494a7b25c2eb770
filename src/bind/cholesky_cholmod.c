// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The same by CHOLMOD (Chen, Davis, Hager, Rajamanickam 2008); there only when the build found it.

#include "bind/sparse.h"

#include "core/core.h"

#include <cholmod.h>
#include <stdlib.h>
#include <string.h>

/// Ours beside the built-in one's of the same name: only the functions below look inside.
typedef struct tgCholmodFactor {
    cholmod_common common;
    cholmod_factor* factor;
    int count;
} tgCholmodFactor;

static void tgDestroyCholmod(tgFactor* factor)
{
    tgCholmodFactor* own = (tgCholmodFactor*)factor;
    if (own != NULL) {
        cholmod_free_factor(&own->factor, &own->common);
        cholmod_finish(&own->common);
        free(own);
    }
}

/// A view of our matrix; CHOLMOD only reads it.
static cholmod_sparse tgViewSparse(const tgSparse* matrix)
{
    return (cholmod_sparse){
        .nrow = (size_t)matrix->count,
        .ncol = (size_t)matrix->count,
        .nzmax = (size_t)matrix->start[matrix->count],
        .p = matrix->start,
        .i = matrix->rows,
        .x = matrix->values,
        .stype = -1,
        .itype = CHOLMOD_INT,
        .xtype = CHOLMOD_REAL,
        .dtype = CHOLMOD_DOUBLE,
        .sorted = 1,
        .packed = 1,
    };
}

static tgFactor* tgCreateCholmod(const tgSparse* matrix, tgError* error)
{
    tgCholmodFactor* own = calloc(1, sizeof(tgCholmodFactor));
    if (own == NULL || !cholmod_start(&own->common)) {
        free(own);
        tgFail(error, tg_outOfMemory, -1, "no memory for the solver");
        return NULL;
    }
    own->common.print = 0;
    // Always L L'; the other way, L D L', takes matrices that are not positive definite.
    own->common.supernodal = CHOLMOD_SUPERNODAL;
    own->count = matrix->count;
    cholmod_sparse view = tgViewSparse(matrix);
    own->factor = cholmod_analyze(&view, &own->common);
    if (own->factor != NULL) {
        cholmod_factorize(&view, own->factor, &own->common);
    }
    if (own->common.status != CHOLMOD_OK) {
        bool isMemory = own->common.status == CHOLMOD_OUT_OF_MEMORY;
        tgFail(error, isMemory ? tg_outOfMemory : tg_notConverged, -1,
               isMemory ? "no memory for a matrix of %d rows"
                        : "the matrix of %d rows is not positive definite",
               matrix->count);
        tgDestroyCholmod((tgFactor*)own);
        return NULL;
    }
    return (tgFactor*)own;
}

static bool tgSolveCholmod(const tgFactor* factor, int width, double* values)
{
    tgCholmodFactor* own = (tgCholmodFactor*)factor; // its workspace changes
    size_t count = (size_t)own->count;
    cholmod_dense* right =
        cholmod_allocate_dense(count, (size_t)width, count, CHOLMOD_REAL, &own->common);
    if (right == NULL) {
        return false;
    }
    double* columns = right->x;
    for (size_t r = 0; r < count; ++r) {
        for (int s = 0; s < width; ++s) {
            columns[(size_t)s * count + r] = values[r * (size_t)width + (size_t)s];
        }
    }
    cholmod_dense* solution = cholmod_solve(CHOLMOD_A, own->factor, right, &own->common);
    for (size_t r = 0; solution != NULL && r < count; ++r) {
        for (int s = 0; s < width; ++s) {
            values[r * (size_t)width + (size_t)s] = ((double*)solution->x)[(size_t)s * count + r];
        }
    }
    bool done = solution != NULL;
    cholmod_free_dense(&right, &own->common);
    cholmod_free_dense(&solution, &own->common);
    return done;
}

const tgSolverKind tg_cholmodSolver = {"CHOLMOD", tgCreateCholmod, tgSolveCholmod,
                                       tgDestroyCholmod};
