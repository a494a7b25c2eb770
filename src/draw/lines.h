// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Flat drawing in a picture: strokes and filled areas, anti-aliased.
#ifndef TURGOR_DRAW_LINES_H
#define TURGOR_DRAW_LINES_H

#include "draw/picture.h"

/// A straight piece, in pixels.
typedef struct tgSegment {
    float x0, y0, x1, y1;
} tgSegment;

/// Strokes with a round pen. Pieces that touch or cross are one stroke: nothing is drawn twice.
/// @param width pixels
tgResult tgPicture_DrawSegments(tgPicture* picture, const tgSegment* segments, int count,
                                float width, tgColor color, tgError* error);

/// What the segments go round, in either direction (non-zero winding). They need not be in order,
/// but each end must meet a start.
tgResult tgPicture_FillSegments(tgPicture* picture, const tgSegment* segments, int count,
                                tgColor color, tgError* error);

/// A frame of one pixel or more inside the rectangle's border.
void tgPicture_DrawFrame(tgPicture* picture, tgRect rect, int width, tgColor color);

#endif
