// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Exponential, sine and arc tangent from sums and products: the argument is brought near 0, where a
// few terms of the series reach the last place.

#include "core/elementary.h"

#include <math.h>

static const double tg_pi = 3.14159265358979323846;

// Constants in parts: the product of a high part and a small whole number is exact.
static const double tg_log2High = 0x1.62e42feep-1, tg_log2Low = 0x1.a39ef35793c76p-33;
static const double tg_halfPiHigh = 0x1.921fb544p+0, tg_halfPiMiddle = 0x1.0b4611a6p-34,
                    tg_halfPiLow = 0x1.3198a2e037073p-69;
/// Beyond this the parts above no longer tell the phase; whole turns are taken off first.
static const double tg_farAngle = 1e6;

/// 1 / n!, and (e^r - 1) / r by its series, |r| <= 1/2: the last term is below 1e-17.
static const double tg_inverseFactorials[] = {1.0,
                                              1.0 / 2.0,
                                              1.0 / 6.0,
                                              1.0 / 24.0,
                                              1.0 / 120.0,
                                              1.0 / 720.0,
                                              1.0 / 5040.0,
                                              1.0 / 40320.0,
                                              1.0 / 362880.0,
                                              1.0 / 3628800.0,
                                              1.0 / 39916800.0,
                                              1.0 / 479001600.0,
                                              1.0 / 6227020800.0,
                                              1.0 / 87178291200.0};

enum { tg_termCount = sizeof(tg_inverseFactorials) / sizeof(tg_inverseFactorials[0]) };

static double tgExpSeries(double r)
{
    double sum = 0.0;
    for (int n = tg_termCount - 1; n >= 0; --n) {
        sum = tg_inverseFactorials[n] + r * sum;
    }
    return sum;
}

double tgExp(double x)
{
    if (x < -745.0) {
        return 0.0;
    }
    x = x > 709.0 ? 709.0 : x;
    double k = floor(x / (tg_log2High + tg_log2Low) + 0.5);
    double r = (x - k * tg_log2High) - k * tg_log2Low;
    return ldexp(1.0 + r * tgExpSeries(r), (int)k);
}

double tgExpMinusOne(double x)
{
    return fabs(x) <= 0.5 ? x * tgExpSeries(x) : tgExp(x) - 1.0;
}

/// 1 / (2 i (2 i + 1)) and 1 / ((2 i - 1) 2 i) for i from 9 down to 1.
static const double tg_sinePairs[] = {1.0 / 342.0, 1.0 / 272.0, 1.0 / 210.0,
                                      1.0 / 156.0, 1.0 / 110.0, 1.0 / 72.0,
                                      1.0 / 42.0,  1.0 / 20.0,  1.0 / 6.0};
static const double tg_cosinePairs[] = {1.0 / 306.0, 1.0 / 240.0, 1.0 / 182.0,
                                        1.0 / 132.0, 1.0 / 90.0,  1.0 / 56.0,
                                        1.0 / 30.0,  1.0 / 12.0,  1.0 / 2.0};

enum { tg_pairCount = sizeof(tg_sinePairs) / sizeof(tg_sinePairs[0]) };

void tgSineCosine(double x, double* sine, double* cosine)
{
    x = fabs(x) < tg_farAngle ? x : fmod(x, 2.0 * tg_pi);
    double k = floor(x / (0.5 * tg_pi) + 0.5);
    double r = ((x - k * tg_halfPiHigh) - k * tg_halfPiMiddle) - k * tg_halfPiLow;
    double squared = r * r, s = 0.0, c = 0.0;
    // sin r = r (1 - r^2 / (2 3) (1 - r^2 / (4 5) (...))), and cos likewise; |r| <= pi / 4.
    for (int i = 0; i < tg_pairCount; ++i) {
        s = squared * tg_sinePairs[i] * (1.0 - s);
        c = squared * tg_cosinePairs[i] * (1.0 - c);
    }
    s = r - r * s;
    c = 1.0 - c;
    int quarter = (int)(k - 4.0 * floor(0.25 * k));
    *sine = quarter == 0 ? s : quarter == 1 ? c : quarter == 2 ? -s : -c;
    *cosine = quarter == 0 ? c : quarter == 1 ? -s : quarter == 2 ? -c : s;
}

double tgArcTangent(double y, double x)
{
    double least = fmin(fabs(x), fabs(y)), most = fmax(fabs(x), fabs(y));
    if (!(most > 0.0)) {
        return 0.0;
    }
    // Halving the angle twice brings its tangent below 1/5: tan(a / 2) = t / (1 + sqrt(1 + t^2)).
    double t = least / most;
    t = t / (1.0 + sqrt(1.0 + t * t));
    t = t / (1.0 + sqrt(1.0 + t * t));
    double squared = t * t, sum = 0.0;
    for (int i = 12; i >= 1; --i) {
        sum = squared * (1.0 / (double)(2 * i + 1) - sum);
    }
    double angle = 4.0 * (t - t * sum);
    angle = fabs(y) > fabs(x) ? 0.5 * tg_pi - angle : angle;
    angle = x < 0.0 ? tg_pi - angle : angle;
    return y < 0.0 ? -angle : angle;
}
