// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Powers with the same bits on every machine; libm's differ in the last one.
#ifndef TURGOR_CORE_POWER_H
#define TURGOR_CORE_POWER_H

#include <math.h>

/// x^b for 0 <= x <= 1 and 0 <= b <= 64, by repeated square roots.
static inline float tgRaise(float x, float b)
{
    double result = 1.0, power = (double)x, rest = (double)b;
    for (; rest >= 1.0; rest -= 1.0) {
        result *= power;
    }
    for (int bit = 0; bit < 24 && rest > 0.0; ++bit) {
        power = sqrt(power);
        rest *= 2.0;
        if (rest >= 1.0) {
            result *= power;
            rest -= 1.0;
        }
    }
    return (float)result;
}

#endif
