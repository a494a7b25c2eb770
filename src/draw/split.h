// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Large triangles cut into small ones, so that light measured at vertices is fine enough.
#ifndef TURGOR_DRAW_SPLIT_H
#define TURGOR_DRAW_SPLIT_H

#include "draw/surface.h"

/// Cut every edge longer than `longest` in half, again and again, as long as the triangles stay
/// fewer than a limit. Nothing changes its shape.
tgResult tgSplitSurface(tgSurface* surface, float longest, tgError* error);

#endif
