// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What the colours of a picture mean.
#ifndef TURGOR_DRAW_LEGEND_H
#define TURGOR_DRAW_LEGEND_H

#include "draw/picture.h"

typedef struct tgLegendEntry {
    const char* text;
    tgColor color;
    bool isLine; ///< a piece of line instead of a box
} tgLegendEntry;

/// Start from tgDefaultLegendDef(). A bar of values when `high` is above `low`; else a list.
typedef struct tgLegendDef {
    const char* title; ///< with its unit; words go on several lines where they must; NULL for none
    double low, high;  ///< values at the ends of the scale
    const tgLegendEntry* entries;
    int entryCount;
    tgRect rect; ///< where it stands. A list takes columns and smaller letters to fit; one that is
                 ///< too long even so ends in "and N more"
    float textSize; ///< pixels, the most; 16
    tgColor ink;    ///< of the text; a dark grey
    int cookie;     ///< set by tgDefaultLegendDef, not by you
} tgLegendDef;

tgLegendDef tgDefaultLegendDef(void);
/// Whether its rectangle has room for letters that can be read.
bool tgIsLegendReadable(const tgLegendDef* def);
/// How much of its rectangle's width it takes up.
int tgMeasureLegend(const tgLegendDef* def);
tgResult tgPicture_DrawLegend(tgPicture* picture, const tgLegendDef* def, tgError* error);

#endif
