// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Polar decomposition by Newton's iteration, R <- (R + R^-T) / 2, which converges quadratically
// from any regular matrix. Only sums, products, quotients and square roots: the same bits anywhere.

#include "core/polar.h"

#include <math.h>
#include <string.h>

/// Columns further from orthonormal than this are a stretch; float matrices composed over a long
/// chain of joints stay below.
static const double tg_rigidSlop = 4e-6;

bool tgIsSimilarity(const tgMat34d* m, double scale)
{
    double square = scale * scale;
    for (int i = 0; i < 3; ++i) {
        for (int k = i; k < 3; ++k) {
            double wanted = i == k ? square : 0.0;
            if (!(fabs(tgDot3(m->c[i], m->c[k]) - wanted) <= tg_rigidSlop * square)) {
                return false;
            }
        }
    }
    double cofactors[3][3];
    return tgMat34d_Cofactors(m, cofactors) > 0.0;
}

bool tgIsRotation(const tgMat34d* m)
{
    return tgIsSimilarity(m, 1.0);
}

/// An orthonormal frame that follows the columns of a flattened matrix as far as they go.
static void tgCompleteFrame(const tgMat34d* m, double rotation[3][3])
{
    double x[3] = {1.0, 0.0, 0.0}, y[3] = {0.0, 1.0, 0.0};
    double length = sqrt(tgDot3(m->c[0], m->c[0]));
    if (length > 1e-20) {
        for (int i = 0; i < 3; ++i) {
            x[i] = m->c[0][i] / length;
        }
    }
    double along = tgDot3(m->c[1], x);
    for (int i = 0; i < 3; ++i) {
        y[i] = m->c[1][i] - along * x[i];
    }
    length = sqrt(tgDot3(y, y));
    if (!(length > 1e-20)) {
        // Any direction across x: take away from the axis that x is furthest from.
        int axis = fabs(x[0]) < fabs(x[1]) ? 0 : 1;
        axis = fabs(x[2]) < fabs(x[axis]) ? 2 : axis;
        for (int i = 0; i < 3; ++i) {
            y[i] = (i == axis ? 1.0 : 0.0) - x[axis] * x[i];
        }
        length = sqrt(tgDot3(y, y));
    }
    for (int i = 0; i < 3; ++i) {
        rotation[0][i] = x[i];
        rotation[1][i] = y[i] / length;
    }
    for (int i = 0; i < 3; ++i) {
        rotation[2][i] = rotation[0][(i + 1) % 3] * rotation[1][(i + 2) % 3] -
                         rotation[0][(i + 2) % 3] * rotation[1][(i + 1) % 3];
    }
}

/// The rotation nearest to m. A mirror is turned by -1 first, which is no rotation, so it stays in
/// the stretch.
static void tgNearestRotation(const tgMat34d* m, double rotation[3][3])
{
    double cofactors[3][3];
    double determinant = tgMat34d_Cofactors(m, cofactors);
    double size = sqrt(
        (tgDot3(m->c[0], m->c[0]) + tgDot3(m->c[1], m->c[1]) + tgDot3(m->c[2], m->c[2])) / 3.0);
    if (!(fabs(determinant) > 1e-12 * size * size * size)) {
        tgCompleteFrame(m, rotation);
        return;
    }
    tgMat34d r = *m;
    double scale = (determinant < 0.0 ? -1.0 : 1.0) / size;
    for (int k = 0; k < 3; ++k) {
        for (int i = 0; i < 3; ++i) {
            r.c[k][i] *= scale;
        }
    }
    for (int round = 0; round < 40; ++round) {
        determinant = tgMat34d_Cofactors(&r, cofactors);
        double change = 0.0;
        for (int k = 0; k < 3; ++k) {
            for (int i = 0; i < 3; ++i) {
                double next = 0.5 * (r.c[k][i] + cofactors[k][i] / determinant);
                change = fmax(change, fabs(next - r.c[k][i]));
                r.c[k][i] = next;
            }
        }
        if (change < 1e-14) {
            break;
        }
    }
    memcpy(rotation, r.c, 9 * sizeof(double));
}

bool tgPolarDecompose(const tgMat34d* m, double rotation[3][3], double stretch[3][3])
{
    if (tgIsRotation(m)) {
        memcpy(rotation, m->c, 9 * sizeof(double));
        memset(stretch, 0, 9 * sizeof(double));
        stretch[0][0] = stretch[1][1] = stretch[2][2] = 1.0;
        return false;
    }
    tgNearestRotation(m, rotation);
    for (int k = 0; k < 3; ++k) {
        for (int i = 0; i < 3; ++i) {
            stretch[k][i] = tgDot3(rotation[i], m->c[k]);
        }
    }
    return true;
}

void tgRotationToQuat(const double rotation[3][3], double quat[4])
{
    // The largest of the four squared components is taken from the diagonal, the others by
    // division.
    double xx = rotation[0][0], yy = rotation[1][1], zz = rotation[2][2];
    double squares[4] = {1.0 + xx - yy - zz, 1.0 - xx + yy - zz, 1.0 - xx - yy + zz,
                         1.0 + xx + yy + zz};
    int largest = 3;
    for (int i = 0; i < 3; ++i) {
        largest = squares[i] > squares[largest] ? i : largest;
    }
    if (largest == 3) {
        for (int i = 0; i < 3; ++i) {
            int a = (i + 1) % 3, b = (i + 2) % 3;
            quat[i] = rotation[a][b] - rotation[b][a];
        }
    } else {
        for (int i = 0; i < 3; ++i) {
            quat[i] = rotation[i][largest] + rotation[largest][i];
        }
        int a = (largest + 1) % 3, b = (largest + 2) % 3;
        quat[3] = rotation[a][b] - rotation[b][a];
    }
    quat[largest] = squares[largest];
    double length = sqrt(tgDot3(quat, quat) + quat[3] * quat[3]);
    for (int i = 0; i < 4; ++i) {
        quat[i] /= length;
    }
}
