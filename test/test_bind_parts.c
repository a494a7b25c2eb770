// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The parts of automatic weights by themselves: the solver against dense elimination, voxels
// against known volumes, pruning.

#include "check.h"

#include "bind/prune.h"
#include "bind/sparse.h"
#include "bind/voxel.h"
#include "bind_shapes.h"
#include "random.h"

static unsigned tg_state;

/// x = A^-1 b by Gauss with the largest pivot.
static void tgSolveDense(int n, double* a, double* b)
{
    for (int k = 0; k < n; ++k) {
        int pivot = k;
        for (int r = k + 1; r < n; ++r) {
            pivot = fabs(a[r * n + k]) > fabs(a[pivot * n + k]) ? r : pivot;
        }
        for (int c = 0; c < n; ++c) {
            double kept = a[k * n + c];
            a[k * n + c] = a[pivot * n + c];
            a[pivot * n + c] = kept;
        }
        double kept = b[k];
        b[k] = b[pivot];
        b[pivot] = kept;
        for (int r = k + 1; r < n; ++r) {
            double factor = a[r * n + k] / a[k * n + k];
            for (int c = k; c < n; ++c) {
                a[r * n + c] -= factor * a[k * n + c];
            }
            b[r] -= factor * b[k];
        }
    }
    for (int k = n - 1; k >= 0; --k) {
        for (int c = k + 1; c < n; ++c) {
            b[k] -= a[k * n + c] * b[c];
        }
        b[k] /= a[k * n + k];
    }
}

/// Random graphs with diagonal dominance; some rows stand alone, some graphs fall apart.
static void tgCheckSolver(int n, double density)
{
    tgAllocator allocator = {0};
    tgScratch scratch = {.allocator = &allocator};
    double* dense = calloc((size_t)n * (size_t)n, sizeof(double));
    tgTriplet* triplets = calloc((size_t)n * (size_t)n + (size_t)n, sizeof(tgTriplet));
    size_t count = 0;
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < i; ++j) {
            if (tgNextUnit(&tg_state) < density) {
                double value = tgNextUnit(&tg_state) - 0.5;
                dense[i * n + j] += value;
                dense[j * n + i] += value;
                // In two pieces, either way round.
                triplets[count++] = (tgTriplet){i, j, 0.25 * value};
                triplets[count++] = (tgTriplet){j, i, 0.75 * value};
            }
        }
    }
    for (int i = 0; i < n; ++i) {
        double sum = 0.1;
        for (int j = 0; j < n; ++j) {
            sum += i != j ? fabs(dense[i * n + j]) : 0.0;
        }
        dense[i * n + i] = sum;
        triplets[count++] = (tgTriplet){i, i, sum};
    }
    tgSparse matrix;
    assert_true(tgMakeSparse(n, triplets, count, &scratch, &matrix));
    tgError error = {0};
    tgFactor* factor = tgCreateFactor(&matrix, &error);
    assert_non_null(factor);
    enum { tg_width = 3 };
    double* values = calloc((size_t)n * tg_width, sizeof(double));
    double* right = calloc((size_t)n, sizeof(double));
    double* copy = calloc((size_t)n * (size_t)n, sizeof(double));
    double* wanted = calloc((size_t)n * tg_width, sizeof(double));
    for (int s = 0; s < tg_width; ++s) {
        for (int i = 0; i < n; ++i) {
            right[i] = tgNextUnit(&tg_state);
            values[i * tg_width + s] = right[i];
        }
        memcpy(copy, dense, (size_t)n * (size_t)n * sizeof(double));
        tgSolveDense(n, copy, right);
        for (int i = 0; i < n; ++i) {
            wanted[i * tg_width + s] = right[i];
        }
    }
    assert_true(tgFactor_Solve(factor, tg_width, values));
    for (int i = 0; i < n * tg_width; ++i) {
        CHECK_NEAR(values[i], wanted[i], 1e-9 * (1.0 + fabs(wanted[i])));
    }
    tgDestroyFactor(factor);
    tgScratch_FreeAll(&scratch);
    free(dense);
    free(triplets);
    free(values);
    free(right);
    free(copy);
    free(wanted);
}

static void tgTestSolver(void** state)
{
    (void)state;
    tg_state = 3;
    tgCheckSolver(1, 0.5);
    tgCheckSolver(7, 0.0);
    tgCheckSolver(40, 1.0);
    tgCheckSolver(150, 0.01);
    tgCheckSolver(150, 0.03);
    tgCheckSolver(300, 0.01);
}

static void tgTestNotPositive(void** state)
{
    (void)state;
    int start[3] = {0, 2, 3}, rows[3] = {0, 1, 1};
    double values[3] = {1.0, 2.0, 1.0}; // eigenvalues 3 and -1
    tgSparse matrix = {2, start, rows, values};
    tgError error = {0};
    assert_null(tgCreateFactor(&matrix, &error));
    assert_int_equal(error.code, tg_notConverged);
    CHECK_CONTAINS(error.message, "not positive definite");
}

/// An order is a permutation, and of a grid it leaves a small factor: the solver proves the first,
/// the size of the factor of a 60 x 60 grid the second.
static void tgTestOrdering(void** state)
{
    (void)state;
    enum { tg_side = 60, tg_count = tg_side * tg_side };
    tgAllocator allocator = {0};
    tgScratch scratch = {.allocator = &allocator};
    tgTriplet* triplets = calloc(3 * (size_t)tg_count, sizeof(tgTriplet));
    size_t count = 0;
    for (int i = 0; i < tg_count; ++i) {
        triplets[count++] = (tgTriplet){i, i, 5.0};
        if (i % tg_side > 0) {
            triplets[count++] = (tgTriplet){i, i - 1, -1.0};
        }
        if (i >= tg_side) {
            triplets[count++] = (tgTriplet){i, i - tg_side, -1.0};
        }
    }
    tgSparse matrix;
    assert_true(tgMakeSparse(tg_count, triplets, count, &scratch, &matrix));
    int* order = calloc(tg_count, sizeof(int));
    bool* isSeen = calloc(tg_count, sizeof(bool));
    assert_true(tgOrderSparse(&matrix, &scratch, order));
    for (int i = 0; i < tg_count; ++i) {
        assert_true(order[i] >= 0 && order[i] < tg_count && !isSeen[order[i]]);
        isSeen[order[i]] = true;
    }
    // The last to go is a line across the middle.
    int across = 0;
    for (int i = tg_count - tg_side; i < tg_count; ++i) {
        int distance = abs(order[i] / tg_side - tg_side / 2) < abs(order[i] % tg_side - tg_side / 2)
                           ? abs(order[i] / tg_side - tg_side / 2)
                           : abs(order[i] % tg_side - tg_side / 2);
        across += distance < tg_side / 4 ||
                  abs(order[i] / tg_side + order[i] % tg_side - tg_side) < tg_side / 4 ||
                  abs(order[i] / tg_side - order[i] % tg_side) < tg_side / 4;
    }
    assert_true(across > tg_side / 2);
    free(order);
    free(isSeen);
    free(triplets);
    tgScratch_FreeAll(&scratch);
}

/// The cells inside a capsule fill its volume, pi (length + 4 / 3).
static void tgTestVoxels(void** state)
{
    (void)state;
    tgBindShape shape = tgMakeCapsule(6.0f, 48, 96);
    tgBindDef def = tgBindShape_GetDef(&shape);
    tgAllocator allocator = {0};
    tgScratch scratch = {.allocator = &allocator};
    tgBody body = {0};
    tgVoxels voxels;
    tgError error = {0};
    assert_int_equal(tgBuildBody(&def, &scratch, &body, &error), tg_success);
    for (int count = 16; count <= 64; count *= 2) {
        assert_int_equal(tgBuildVoxels(&body, count, &scratch, &voxels, &error), tg_success);
        double volume = voxels.insideCount * voxels.size * voxels.size * voxels.size;
        double wanted = 3.14159265358979 * (6.0 + 4.0 / 3.0);
        print_message("%d voxels: volume %.3f of %.3f\n", count, volume, wanted);
        CHECK_NEAR(volume / wanted, 1.0, 2.0 / count);
    }
    assert_true(tgVoxels_IsInside(&voxels, tgMakeVec3(0.0f, 0.97f, 0.0f)));
    assert_true(tgVoxels_IsInside(&voxels, tgMakeVec3(-3.9f, 0.0f, 0.0f)));
    assert_false(tgVoxels_IsInside(&voxels, tgMakeVec3(0.0f, 1.01f, 0.0f)));
    assert_false(tgVoxels_IsInside(&voxels, tgMakeVec3(50.0f, 0.0f, 0.0f)));
    tgScratch_FreeAll(&scratch);
    tgFreeBindShape(&shape);
}

/// What is cut off is 0 where it is cut off: a small step in a weight is a small step in the
/// result.
static void tgTestPrune(void** state)
{
    (void)state;
    tgAllocator allocator = {0};
    tgScratch scratch = {.allocator = &allocator};
    tgWeights weights;
    enum { tg_steps = 200 };
    assert_true(tgOpenWeights(&weights, tg_steps, 2, &scratch));
    for (int v = 0; v < tg_steps; ++v) {
        float t = (float)v / (float)(tg_steps - 1);
        tgWeights_Add(&weights, v, 0, 0.5f);
        tgWeights_Add(&weights, v, 1, 0.4f * t + 0.05f);
        tgWeights_Add(&weights, v, 2, 0.4f * (1.0f - t) + 0.05f);
    }
    tgPruneWeights(&weights, tg_steps);
    double before[3] = {0};
    for (int v = 0; v < tg_steps; ++v) {
        double now[3] = {0}, sum = 0.0;
        assert_true(weights.counts[v] <= 2);
        for (int k = 0; k < weights.counts[v]; ++k) {
            now[weights.joints[3 * v + k]] = (double)weights.weights[3 * v + k];
            sum += (double)weights.weights[3 * v + k];
        }
        CHECK_NEAR(sum, 1.0, 1e-6);
        for (int j = 0; j < 3 && v > 0; ++j) {
            CHECK_NEAR(now[j], before[j], 0.03);
        }
        memcpy(before, now, sizeof(now));
    }
    tgScratch_FreeAll(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestSolver),   cmocka_unit_test(tgTestNotPositive),
        cmocka_unit_test(tgTestOrdering), cmocka_unit_test(tgTestVoxels),
        cmocka_unit_test(tgTestPrune),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
