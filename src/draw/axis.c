// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The axis of a plot: steps of 1, 2, 2.5 or 5 times a power of ten, labels with as many decimals as
// the step needs, and a common power of ten when the numbers are very large or small.

#include "draw/axis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/// The largest power of ten not above a positive value, as its exponent.
static int tgGetExponent(double value)
{
    int exponent = 0;
    double power = 1.0;
    while (power * 10.0 <= value) {
        power *= 10.0;
        exponent += 1;
    }
    while (power > value && exponent > -300) {
        power /= 10.0;
        exponent -= 1;
    }
    return exponent;
}

static double tgScaleByTen(double value, int exponent)
{
    double power = 1.0;
    for (int i = 0; i < (exponent < 0 ? -exponent : exponent); ++i) {
        power *= 10.0;
    }
    return exponent < 0 ? value / power : value * power;
}

/// The smallest round step that is not below `smallest`; `decimals` is what 10^-exponent of it
/// needs.
static double tgGetStep(double smallest, int* exponent, int* decimals)
{
    static const double mantissas[] = {1.0, 2.0, 2.5, 5.0, 10.0};
    *exponent = tgGetExponent(smallest);
    double scaled = tgScaleByTen(smallest, -*exponent);
    int i = 0;
    // The allowance keeps a step that is round already, up to its rounding.
    while (i < 4 && mantissas[i] < scaled * (1.0 - 1e-9)) {
        i += 1;
    }
    *decimals = i == 2 ? 1 : 0;
    return tgScaleByTen(mantissas[i], *exponent);
}

tgAxis tgMakeAxis(double low, double high, bool tight, int tickCount)
{
    double magnitude = fmax(fabs(low), fabs(high));
    // A range too narrow for its own size is noise, not a curve: give it some air.
    if (!(high - low > 1e-9 * magnitude)) {
        double half = magnitude > 0.0 ? 0.01 * magnitude : 0.5;
        low -= half;
        high += half;
        magnitude = fmax(fabs(low), fabs(high));
    }
    tgAxis axis = {.low = low, .high = high};
    int stepExponent = 0;
    int stepDecimals = 0;
    axis.step = tgGetStep((high - low) / tickCount, &stepExponent, &stepDecimals);
    if (tight) {
        axis.firstTick = axis.step * ceil(low / axis.step - 1e-9);
        axis.tickCount = (int)floor((high - axis.firstTick) / axis.step + 1e-9) + 1;
    } else {
        axis.low = axis.step * floor(low / axis.step + 1e-9);
        axis.high = axis.step * ceil(high / axis.step - 1e-9);
        axis.firstTick = axis.low;
        axis.tickCount = (int)((axis.high - axis.low) / axis.step + 0.5) + 1;
    }
    magnitude = fmax(fabs(axis.low), fabs(axis.high));
    if (magnitude >= 1e6 || magnitude < 1e-3) {
        axis.exponent = tgGetExponent(magnitude * (1.0 + 1e-9));
    }
    int decimals = stepDecimals - (stepExponent - axis.exponent);
    axis.decimals = decimals > 0 ? (decimals < 12 ? decimals : 12) : 0;
    return axis;
}

double tgAxis_GetTick(const tgAxis* axis, int i)
{
    return axis->firstTick + i * axis->step;
}

void tgFormatNumber(double value, int decimals, char* text, size_t size)
{
    double scaled = tgScaleByTen(fabs(value), decimals) + 0.5;
    if (!(scaled < 9e18)) {
        snprintf(text, size, "0");
        return;
    }
    long long whole = (long long)scaled;
    long long one = (long long)tgScaleByTen(1.0, decimals);
    bool negative = value < 0.0 && whole != 0;
    int length = snprintf(text, size, "%s%lld", negative ? "-" : "", whole / one);
    if (decimals > 0 && length > 0 && (size_t)length + (size_t)decimals + 1 < size) {
        text[length] = '.';
        long long rest = whole % one;
        for (int i = decimals; i > 0; --i) {
            text[length + i] = (char)('0' + rest % 10);
            rest /= 10;
        }
        text[length + decimals + 1] = '\0';
    }
}

void tgAxis_FormatTick(const tgAxis* axis, int i, char* text, size_t size)
{
    char number[64];
    double value = tgScaleByTen(tgAxis_GetTick(axis, i), -axis->exponent);
    tgFormatNumber(value, axis->decimals, number, sizeof(number));
    bool negative = number[0] == '-';
    snprintf(text, size, "%s%s", negative ? "\xE2\x88\x92" : "", number + (negative ? 1 : 0));
}
