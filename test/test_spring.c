// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Exponential, sine and arc tangent against libm in long double; the spring's step against the
// exponential of its matrix.

#include "check.h"
#include "core/elementary.h"
#include "core/spring.h"

#include <stdbool.h>

static void TestElementary(void** state)
{
    (void)state;
    double exponential = 0.0, minusOne = 0.0, circle = 0.0, angle = 0.0;
    for (int i = 0; i < 200000; ++i) {
        double x = -700.0 + 1400.0 * i / 200000.0, small = -2.0 + 4.0 * (i + 0.3) / 200000.0;
        double turns = (i - 100000) * 3.7, s, c;
        exponential =
            fmax(exponential, fabs((double)((long double)tgExp(x) / expl((long double)x) - 1.0L)));
        minusOne = fmax(
            minusOne,
            fabs((double)((long double)tgExpMinusOne(small) / expm1l((long double)small) - 1.0L)));
        tgSineCosine(turns, &s, &c);
        circle = fmax(circle, (double)fmaxl(fabsl((long double)s - sinl((long double)turns)),
                                            fabsl((long double)c - cosl((long double)turns))));
        double py = sin(1.1 * i) * exp(i % 50 - 25), px = cos(1.7 * i);
        angle = fmax(angle, fabs((double)((long double)tgArcTangent(py, px) -
                                          atan2l((long double)py, (long double)px))));
    }
    CHECK_AT_MOST(exponential, 5e-16);
    CHECK_AT_MOST(minusOne, 5e-16);
    CHECK_AT_MOST(circle, 5e-16);
    CHECK_AT_MOST(angle, 9e-16);
    assert_true(tgExp(-1e9) == 0.0 && tgExp(0.0) == 1.0 && isfinite(tgExp(1e9)));
    assert_true(tgArcTangent(0.0, 0.0) == 0.0);
    double s, c;
    tgSineCosine(1e300, &s, &c); // no phase left, but still on the circle
    CHECK_NEAR(s * s + c * c, 1.0, 1e-15);
}

/// exp(M h) for M = (0, 1; -omega^2, -2 beta), by scaling and squaring in long double.
static void tgExponential(const tgSpring* spring, double h, long double e[2][2])
{
    long double o = (long double)spring->omega, b = (long double)spring->beta;
    int halvings = 0;
    long double size = (1.0L + o * o + 2.0L * b) * (long double)h;
    while (size > 0.01L) {
        size *= 0.5L;
        halvings += 1;
    }
    long double step = ldexpl((long double)h, -halvings);
    long double m[2][2] = {{0.0L, step}, {-o * o * step, -2.0L * b * step}};
    long double term[2][2] = {{1.0L, 0.0L}, {0.0L, 1.0L}};
    e[0][0] = e[1][1] = 1.0L;
    e[0][1] = e[1][0] = 0.0L;
    for (int n = 1; n <= 20 + halvings; ++n) {
        bool isSeries = n <= 20;
        long double(*left)[2] = isSeries ? term : e;
        long double(*right)[2] = isSeries ? m : e;
        long double product[2][2];
        for (int i = 0; i < 2; ++i) {
            for (int k = 0; k < 2; ++k) {
                product[i][k] = left[i][0] * right[0][k] + left[i][1] * right[1][k];
                product[i][k] /= isSeries ? (long double)n : 1.0L;
            }
        }
        for (int i = 0; i < 4; ++i) {
            (isSeries ? &term[0][0] : &e[0][0])[i] = (&product[0][0])[i];
            e[i / 2][i % 2] += isSeries ? product[i / 2][i % 2] : 0.0L;
        }
    }
}

static void TestStep(void** state)
{
    (void)state;
    static const double ratios[] = {0.0, 0.05, 0.3, 0.999, 0.9999999, 1.0, 1.0000001, 1.001, 2, 5};
    static const double frequencies[] = {0.5, 3.0, 20.0};
    static const double steps[] = {1.0 / 480.0, 1.0 / 240.0, 1.0 / 24.0, 0.5};
    double worst = 0.0;
    for (int i = 0; i < 10 * 3 * 4; ++i) {
        double omega = 6.283185307179586 * frequencies[i / 10 % 3], h = steps[i / 30];
        tgSpring spring = {omega, ratios[i % 10] * omega};
        tgSpringStep step = tgMakeSpringStep(&spring, h);
        long double e[2][2];
        tgExponential(&spring, h, e);
        worst = fmax(worst, fabs(step.yy - (double)e[0][0]));
        worst = fmax(worst, fabs(step.yv - (double)e[0][1]) * omega);
        worst = fmax(worst, fabs(step.vy - (double)e[1][0]) / omega);
        worst = fmax(worst, fabs(step.vv - (double)e[1][1]));
    }
    CHECK_AT_MOST(worst, 1e-13);
}

static void TestStable(void** state)
{
    (void)state;
    static const double ratios[] = {0.0, 0.2, 1.0, 5.0, 1000.0};
    for (int i = 0; i < 5; ++i) {
        double omega = 6283.185307179586;
        tgSpring spring = {omega, ratios[i] * omega};
        tgSpringStep step = tgMakeSpringStep(&spring, 1.0);
        double y = 1.0, v = 3.0 * omega, energy = y * y + v * v / (omega * omega);
        for (int n = 0; n < 1000; ++n) {
            double nextY = step.yy * y + step.yv * v;
            v = step.vy * y + step.vv * v;
            y = nextY;
            double now = y * y + v * v / (omega * omega);
            assert_true(now <= energy * (1.0 + 1e-12));
            energy = now;
        }
        CHECK_AT_MOST(sqrt(y * y), tgGetSpringReach(&spring, 1.0, 9.0 * omega * omega));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestElementary),
        cmocka_unit_test(TestStep),
        cmocka_unit_test(TestStable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
