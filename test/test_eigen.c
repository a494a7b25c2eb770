// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Eigenvectors of symmetric matrices, and corrective targets, against what defines them.

#include "bind/correctives.h"
#include "bind/eigen.h"
#include "check.h"
#include "random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// A v = value v, and vectors are orthonormal; also of a matrix of half the rank.
static void TestEigenvectors(void** state)
{
    (void)state;
    static const int sizes[] = {1, 2, 3, 5, 17, 64, 150};
    unsigned random = 7;
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); ++i) {
        int n = sizes[i], rank = n > 10 ? n / 2 : n;
        size_t count = (size_t)n * (size_t)n;
        double* rows = malloc((size_t)n * (size_t)rank * sizeof(double));
        double* a = calloc(count, sizeof(double));
        double* vectors = malloc(count * sizeof(double));
        double* values = malloc(3 * (size_t)n * sizeof(double));
        for (int k = 0; k < n * rank; ++k) {
            rows[k] = (tgNextUnit(&random) - 0.5) * pow(10.0, -(k % rank) / 8.0);
        }
        for (int r = 0; r < n; ++r) {
            for (int c = 0; c < n; ++c) {
                for (int k = 0; k < rank; ++k) {
                    a[r * n + c] += rows[r * rank + k] * rows[c * rank + k];
                }
            }
        }
        memcpy(vectors, a, count * sizeof(double));
        tgFindEigenvectors(n, vectors, values, values + n);
        for (int v = 0; v < n; ++v) {
            assert_true(v == 0 || values[v] <= values[v - 1]);
            for (int r = 0; r < n; ++r) {
                double product = 0.0, dot = 0.0;
                for (int c = 0; c < n; ++c) {
                    product += a[r * n + c] * vectors[v * n + c];
                    dot += vectors[r * n + c] * vectors[v * n + c];
                }
                CHECK_NEAR(product, values[v] * vectors[v * n + r], 1e-13 * values[0]);
                CHECK_NEAR(dot, r == v ? 1.0 : 0.0, 1e-12);
            }
        }
        free(rows);
        free(a);
        free(vectors);
        free(values);
    }
}

enum { tg_vertices = 40, tg_mostFrames = 700 };

static void tgMeasureLength(int frame, int first, int count, const tgVec3* residuals, float* errors,
                            void* user)
{
    (void)frame;
    (void)first;
    (void)user;
    for (int v = 0; v < count; ++v) {
        errors[v] = fmaxf(errors[v], tgLength(residuals[v]));
    }
}

/// Frames that are sums of three shapes: three targets are found, whatever the number of frames,
/// beyond that which is looked at at once too, and they give the frames back.
static void TestThreeShapesAreThreeTargets(void** state)
{
    (void)state;
    static const int counts[] = {3, 50, tg_mostFrames};
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); ++i) {
        unsigned random = 11;
        tgVec3 shapes[3][tg_vertices];
        float areas[tg_vertices];
        for (int v = 0; v < tg_vertices; ++v) {
            areas[v] = (float)((tgNextUnit(&random) - 0.5) + 0.6);
            for (int k = 0; k < 3; ++k) {
                shapes[k][v] = tgMakeVec3((float)(tgNextUnit(&random) - 0.5),
                                          (float)(tgNextUnit(&random) - 0.5),
                                          (float)(tgNextUnit(&random) - 0.5));
            }
        }
        tgVec3* frames = calloc((size_t)counts[i] * tg_vertices, sizeof(tgVec3));
        const tgVec3** rows = malloc((size_t)counts[i] * sizeof(*rows));
        for (int f = 0; f < counts[i]; ++f) {
            rows[f] = frames + (size_t)f * tg_vertices;
            for (int k = 0; k < 3; ++k) {
                float w = (float)(tgNextUnit(&random) - 0.5);
                for (int v = 0; v < tg_vertices; ++v) {
                    frames[f * tg_vertices + v] =
                        tgMulAdd(frames[f * tg_vertices + v], w, shapes[k][v]);
                }
            }
        }
        tgCorrectiveDef def = {.frameCount = counts[i],
                               .frames = rows,
                               .vertexCount = tg_vertices,
                               .areas = areas,
                               .goal = 1e-3f,
                               .measure = tgMeasureLength};
        tgCorrectives fit;
        assert_int_equal(tgFitCorrectives(&def, &fit, NULL), tg_success);
        assert_int_equal(fit.targetCount, 3);
        assert_true(fit.error <= 1e-3f);
        for (int f = 0; f < counts[i]; ++f) {
            for (int v = 0; v < tg_vertices; ++v) {
                tgVec3 sum = {0};
                for (int t = 0; t < 3; ++t) {
                    sum = tgMulAdd(sum, (float)fit.weights[3 * f + t],
                                   fit.offsets[t * tg_vertices + v]);
                }
                assert_true(tgDistance(sum, rows[f][v]) <= 1e-3f);
            }
        }
        tgFreeCorrectives(&fit);
        free(frames);
        free(rows);
    }
}

static void TestNothingMoves(void** state)
{
    (void)state;
    tgVec3 zeros[tg_vertices] = {0};
    float areas[tg_vertices] = {0};
    const tgVec3* rows[2] = {zeros, zeros};
    tgCorrectiveDef def = {.frameCount = 2,
                           .frames = rows,
                           .vertexCount = tg_vertices,
                           .areas = areas,
                           .goal = 1e-3f,
                           .measure = tgMeasureLength};
    tgCorrectives fit;
    assert_int_equal(tgFitCorrectives(&def, &fit, NULL), tg_success);
    assert_int_equal(fit.targetCount, 0);
    tgFreeCorrectives(&fit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestEigenvectors),
        cmocka_unit_test(TestThreeShapesAreThreeTargets),
        cmocka_unit_test(TestNothingMoves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
