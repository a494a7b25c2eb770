// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Colours that stand for values and for categories, readable to colour-blind people.
#ifndef TURGOR_DRAW_SCALE_H
#define TURGOR_DRAW_SCALE_H

#include "draw/picture.h"

/// From pale (0) over green to dark blue (1): lightness falls evenly, and the hue goes along the
/// axis of blue and yellow, which nearly everyone sees.
tgColor tgGetScaleColor(float value);

enum { tg_categoryCount = 20 };
/// The colours of Okabe and Ito, then those farthest from all before them, as people see them with
/// three, and with any two, kinds of cones. They repeat after tg_categoryCount.
tgColor tgGetCategoryColor(int index);

#endif
