// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Full matrices: eigenvectors, factors, products of long rows; and corrective targets. All of them
// against what defines them.

#include "bind/correctives.h"
#include "bind/dense.h"
#include "bind/eigen.h"
#include "bind/rows.h"
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

/// L L' = A, and L L' x = b for two right sides at once; a matrix that is not positive has no L.
static void TestCholesky(void** state)
{
    (void)state;
    enum { size = 23, sides = 2 };
    unsigned random = 3;
    double rows[size][size], a[size * size] = {0}, l[size * size], x[size * sides], b[size * sides];
    for (int i = 0; i < size * size; ++i) {
        rows[i / size][i % size] = 0.5 * tgNextSigned(&random);
    }
    for (int i = 0; i < size * size; ++i) {
        a[i] = i % (size + 1) == 0 ? 0.1 : 0.0;
        for (int k = 0; k < size; ++k) {
            a[i] += rows[i / size][k] * rows[i % size][k];
        }
    }
    for (int i = 0; i < size * sides; ++i) {
        x[i] = b[i] = 0.5 * tgNextSigned(&random);
    }
    memcpy(l, a, sizeof(a));
    assert_true(tgFactorDense(size, l));
    tgSolveLower(size, l, sides, x);
    tgSolveUpper(size, l, sides, x);
    for (int i = 0; i < size; ++i) {
        for (int j = 0; j <= i; ++j) {
            double sum = 0.0;
            for (int k = 0; k <= j; ++k) {
                sum += l[i * size + k] * l[j * size + k];
            }
            CHECK_NEAR(sum, a[i * size + j], 1e-14);
        }
        for (int c = 0; c < sides; ++c) {
            double sum = 0.0;
            for (int k = 0; k < size; ++k) {
                sum += a[i * size + k] * x[k * sides + c];
            }
            CHECK_NEAR(sum, b[i * sides + c], 1e-12);
        }
    }
    a[5 * size + 5] = -1.0;
    assert_false(tgFactorDense(size, a));
}

/// Sums and products of rows, each number by itself. Widths and counts are no multiples of what is
/// worked on at once, and a third of the vertices has no weight.
static void TestRows(void** state)
{
    (void)state;
    enum { count = 11, vertices = 401, width = 3 * vertices, sums = 5 };
    unsigned random = 5;
    float* numbers = malloc(count * width * sizeof(float));
    float* out = malloc(sums * width * sizeof(float));
    float weights[vertices];
    double mix[sums * count], gram[count * count];
    const float* rows[count];
    for (int i = 0; i < count * width; ++i) {
        numbers[i] = (float)(0.5 * tgNextSigned(&random));
        rows[i / width] = numbers + i / width * width;
    }
    for (int v = 0; v < vertices; ++v) {
        weights[v] = v % 3 == 1 ? 0.0f : (float)(0.5 * tgNextSigned(&random) + 0.6);
    }
    for (int i = 0; i < sums * count; ++i) {
        mix[i] = 0.5 * tgNextSigned(&random);
    }
    const tgParallel alone = {0};
    tgCombineTask combine = {rows, count, width, mix, sums, out};
    tgGramTask multiply = {rows, count, vertices, weights, gram};
    assert_true(tgCombineRows(&alone, &combine));
    assert_true(tgMultiplyRows(&alone, &multiply));
    for (int i = 0; i < sums * width; ++i) {
        double sum = 0.0;
        for (int r = 0; r < count; ++r) {
            sum += mix[i / width * count + r] * (double)rows[r][i % width];
        }
        CHECK_NEAR((double)out[i], sum, 1e-6);
    }
    for (int a = 0; a < count; ++a) {
        for (int b = 0; b < count; ++b) {
            double sum = 0.0, plain = 0.0;
            for (int i = 0; i < width; ++i) {
                plain += (double)rows[a][i] * (double)rows[b][i];
                sum += (double)weights[i / 3] * (double)rows[a][i] * (double)rows[b][i];
            }
            CHECK_NEAR(gram[a * count + b], sum, 1e-4);
            CHECK_NEAR(tgMultiplyRow(rows[a], rows[b], width), plain, 1e-4);
        }
    }
    free(numbers);
    free(out);
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
        tgCorrectiveDef def = {.frames = {counts[i], rows, tg_vertices, areas},
                               .goal = 1e-3f,
                               .measure = tgMeasureLength};
        tgFrameBasis basis = {0};
        tgCorrectives fit;
        assert_int_equal(tgFitCorrectives(&def, &basis, &fit, NULL), tg_success);
        assert_int_equal(basis.rank, 3);
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
        tgFreeFrameBasis(&basis);
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
    tgCorrectiveDef def = {
        .frames = {2, rows, tg_vertices, areas}, .goal = 1e-3f, .measure = tgMeasureLength};
    tgFrameBasis basis = {0};
    tgCorrectives fit;
    assert_int_equal(tgFitCorrectives(&def, &basis, &fit, NULL), tg_success);
    assert_int_equal(fit.targetCount, 0);
    tgFreeFrameBasis(&basis);
    tgFreeCorrectives(&fit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestEigenvectors), cmocka_unit_test(TestCholesky),
        cmocka_unit_test(TestRows),         cmocka_unit_test(TestThreeShapesAreThreeTargets),
        cmocka_unit_test(TestNothingMoves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
