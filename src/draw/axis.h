// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The axis of a plot: a range that ends on round numbers, and the ticks within it.
#ifndef TURGOR_DRAW_AXIS_H
#define TURGOR_DRAW_AXIS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct tgAxis {
    double low, high; ///< of the axis
    double step;      ///< between ticks
    double firstTick;
    int tickCount;
    int exponent; ///< labels are in units of ten to this power; 0 for ordinary numbers
    int decimals; ///< of the labels
} tgAxis;

/// @param tight end at the data instead of at the next tick
/// @param tickCount about how many ticks are wanted, 2 or more
tgAxis tgMakeAxis(double low, double high, bool tight, int tickCount);

double tgAxis_GetTick(const tgAxis* axis, int i);
/// A tick's label, with a true minus sign in UTF-8.
void tgAxis_FormatTick(const tgAxis* axis, int i, char* text, size_t size);

/// `value` with so many decimals and a full stop, whatever the locale; minus as an ASCII hyphen.
void tgFormatNumber(double value, int decimals, char* text, size_t size);

#endif
