// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Eigenvalues of small symmetric matrices by cyclic Jacobi rotations (Golub and Van Loan, Matrix
// Computations, 8.5): slow for large ones, but it never fails and loses no digits of small ones.

#include "bind/symmetric.h"

#include <math.h>
#include <string.h>

enum { tg_mostSweeps = 60 };
/// Eigenvalues below this fraction of the largest are rounding.
static const double tg_zeroFraction = 1e-13;

typedef double tgSmallMatrix[tg_mostSymmetric][tg_mostSymmetric];

static double tgSumOffDiagonal(int size, tgSmallMatrix a)
{
    double sum = 0.0;
    for (int i = 0; i < size; ++i) {
        for (int k = i + 1; k < size; ++k) {
            sum += fabs(a[i][k]);
        }
    }
    return sum;
}

/// Turn rows and columns p and q so that a[p][q] becomes zero; the rows of v turn along.
static void tgTurnPair(int size, tgSmallMatrix a, tgSmallMatrix v, int p, int q)
{
    double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    double t = 1.0 / (fabs(theta) + sqrt(theta * theta + 1.0));
    t = theta < 0.0 ? -t : t;
    double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    for (int k = 0; k < size; ++k) {
        double kp = a[k][p], kq = a[k][q];
        a[k][p] = c * kp - s * kq;
        a[k][q] = s * kp + c * kq;
    }
    for (int k = 0; k < size; ++k) {
        double pk = a[p][k], qk = a[q][k];
        a[p][k] = c * pk - s * qk;
        a[q][k] = s * pk + c * qk;
        double vp = v[p][k], vq = v[q][k];
        v[p][k] = c * vp - s * vq;
        v[q][k] = s * vp + c * vq;
    }
}

static void tgSortEigen(tgEigen* eigen)
{
    for (int i = 0; i < eigen->size; ++i) {
        int largest = i;
        for (int k = i + 1; k < eigen->size; ++k) {
            largest = eigen->values[k] > eigen->values[largest] ? k : largest;
        }
        double value = eigen->values[i];
        eigen->values[i] = eigen->values[largest];
        eigen->values[largest] = value;
        double vector[tg_mostSymmetric];
        memcpy(vector, eigen->vectors[i], sizeof(vector));
        memcpy(eigen->vectors[i], eigen->vectors[largest], sizeof(vector));
        memcpy(eigen->vectors[largest], vector, sizeof(vector));
    }
}

tgEigen tgFindEigen(int size, const double* matrix)
{
    tgEigen eigen = {.size = size};
    tgSmallMatrix a = {{0.0}};
    double sum = 0.0;
    for (int i = 0; i < size; ++i) {
        for (int k = 0; k < size; ++k) {
            a[i][k] = matrix[i * size + k];
            sum += fabs(a[i][k]);
        }
        eigen.vectors[i][i] = 1.0;
    }
    for (int sweep = 0; sweep < tg_mostSweeps && tgSumOffDiagonal(size, a) > 1e-18 * sum; ++sweep) {
        for (int p = 0; p < size; ++p) {
            for (int q = p + 1; q < size; ++q) {
                if (fabs(a[p][q]) > 1e-30 * sum) {
                    tgTurnPair(size, a, eigen.vectors, p, q);
                }
            }
        }
    }
    for (int i = 0; i < size; ++i) {
        eigen.values[i] = a[i][i];
    }
    tgSortEigen(&eigen);
    return eigen;
}

void tgEigen_Solve(const tgEigen* eigen, int rank, const double* b, double* x)
{
    double sum[tg_mostSymmetric] = {0.0};
    for (int i = 0; i < rank && eigen->values[i] > tg_zeroFraction * eigen->values[0]; ++i) {
        double along = 0.0;
        for (int k = 0; k < eigen->size; ++k) {
            along += eigen->vectors[i][k] * b[k];
        }
        for (int k = 0; k < eigen->size; ++k) {
            sum[k] += along / eigen->values[i] * eigen->vectors[i][k];
        }
    }
    memcpy(x, sum, (size_t)eigen->size * sizeof(double));
}
