// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Eigenvalues and eigenvectors of a symmetric matrix: Householder reflections make it tridiagonal,
// then QL steps with implicit shifts make it diagonal (Golub and Van Loan, Matrix Computations,
// section 8.3). Vectors are kept as rows, so that every inner loop runs along memory.

#include "bind/eigen.h"

#include <float.h>
#include <math.h>
#include <string.h>

/// QL steps for one eigenvalue; a few are the rule.
enum { tg_mostSteps = 64 };

static double tgDotRows(int size, const double* a, const double* b)
{
    double sum = 0.0;
    for (int i = 0; i < size; ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}

/// Reflect so that the part of row `at` left of its neighbour vanishes. The reflection's vector u
/// stays in that row, u.u / 2 in values[at].
static void tgReflect(int size, double* matrix, int at, double* values, double* off)
{
    double* u = matrix + (size_t)at * (size_t)size;
    double norm = sqrt(tgDotRows(at, u, u));
    double last = u[at - 1];
    double alpha = last > 0.0 ? -norm : norm;
    off[at] = alpha;
    values[at] = norm * norm - last * alpha; // u.u / 2 once alpha is taken off
    if (!(values[at] > 0.0)) {
        off[at] = last;
        values[at] = 0.0;
        return;
    }
    u[at - 1] = last - alpha;
    // A' = A - u q' - q u' with p = A u / h, q = p - (u.p / 2h) u; q is put into off[0 .. at - 1].
    double h = values[at];
    for (int i = 0; i < at; ++i) {
        off[i] = 0.0;
    }
    for (int i = 0; i < at; ++i) {
        const double* row = matrix + (size_t)i * (size_t)size;
        double sum = row[i] * u[i];
        for (int k = 0; k < i; ++k) {
            sum += row[k] * u[k];
            off[k] += row[k] * u[i];
        }
        off[i] += sum;
    }
    double half = 0.0;
    for (int i = 0; i < at; ++i) {
        off[i] /= h;
        half += off[i] * u[i];
    }
    half /= 2.0 * h;
    for (int i = 0; i < at; ++i) {
        off[i] -= half * u[i];
    }
    for (int i = 0; i < at; ++i) {
        double* row = matrix + (size_t)i * (size_t)size;
        for (int k = 0; k <= i; ++k) {
            row[k] -= u[i] * off[k] + off[i] * u[k];
        }
    }
}

/// Tridiagonal: `values` is the diagonal, off[i] couples i - 1 and i, and rows of `matrix` are the
/// basis.
static void tgMakeTridiagonal(int size, double* matrix, double* values, double* off, double* keep)
{
    for (int at = size - 1; at >= 1; --at) {
        tgReflect(size, matrix, at, values, off);
        keep[at] = off[at];
    }
    keep[0] = 0.0;
    // Gather the reflections from the smallest on, each in the rows that are done.
    for (int at = 0; at < size; ++at) {
        double* u = matrix + (size_t)at * (size_t)size;
        double diagonal = u[at];
        double h = values[at];
        for (int i = 0; i < at && at > 0 && h > 0.0; ++i) {
            double* row = matrix + (size_t)i * (size_t)size;
            double g = tgDotRows(at, row, u) / h;
            for (int k = 0; k < at; ++k) {
                row[k] -= g * u[k];
            }
        }
        values[at] = diagonal;
        for (int i = 0; i < at; ++i) {
            u[i] = 0.0;
            matrix[(size_t)i * (size_t)size + (size_t)at] = 0.0;
        }
        u[at] = 1.0;
    }
    memcpy(off, keep, (size_t)size * sizeof(double));
}

/// One QL step with Wilkinson's shift on rows first .. last.
static void tgStepQl(int size, double* matrix, double* values, double* off, int first, int last)
{
    double gap = (values[first + 1] - values[first]) / (2.0 * off[first]);
    double root = sqrt(gap * gap + 1.0);
    double g = values[last] - values[first] + off[first] / (gap + (gap >= 0.0 ? root : -root));
    double s = 1.0, c = 1.0, p = 0.0;
    for (int i = last - 1; i >= first; --i) {
        double f = s * off[i];
        double b = c * off[i];
        double length = sqrt(f * f + g * g);
        off[i + 1] = length;
        if (length == 0.0) { // split in between: start again
            values[i + 1] -= p;
            off[last] = 0.0;
            return;
        }
        s = f / length;
        c = g / length;
        g = values[i + 1] - p;
        double turn = (values[i] - g) * s + 2.0 * c * b;
        p = s * turn;
        values[i + 1] = g + p;
        g = c * turn - b;
        double* low = matrix + (size_t)i * (size_t)size;
        double* high = low + size;
        for (int k = 0; k < size; ++k) {
            double was = high[k];
            high[k] = s * low[k] + c * was;
            low[k] = c * low[k] - s * was;
        }
    }
    values[first] -= p;
    off[first] = g;
    off[last] = 0.0;
}

/// The first row from `first` on that is not coupled to the next.
static int tgFindEnd(int size, const double* values, const double* off, int first)
{
    int last = first;
    while (last < size - 1 &&
           fabs(off[last]) > DBL_EPSILON * (fabs(values[last]) + fabs(values[last + 1]))) {
        last += 1;
    }
    return last;
}

static void tgSwapRows(int size, double* a, double* b)
{
    for (int i = 0; i < size; ++i) {
        double was = a[i];
        a[i] = b[i];
        b[i] = was;
    }
}

void tgFindEigenvectors(int size, double* matrix, double* values, double* scratch)
{
    double* off = scratch;
    double* keep = scratch + size;
    tgMakeTridiagonal(size, matrix, values, off, keep);
    // From here on off[i] couples i and i + 1.
    memmove(off, off + 1, (size_t)(size - 1) * sizeof(double));
    off[size - 1] = 0.0;
    for (int first = 0; first < size; ++first) {
        for (int step = 0; step < tg_mostSteps; ++step) {
            int last = tgFindEnd(size, values, off, first);
            if (last == first) {
                break;
            }
            tgStepQl(size, matrix, values, off, first, last);
        }
    }
    for (int i = 0; i < size; ++i) {
        int largest = i;
        for (int k = i + 1; k < size; ++k) {
            largest = values[k] > values[largest] ? k : largest;
        }
        double was = values[i];
        values[i] = values[largest];
        values[largest] = was;
        if (largest != i) {
            tgSwapRows(size, matrix + (size_t)i * (size_t)size,
                       matrix + (size_t)largest * (size_t)size);
        }
    }
}
