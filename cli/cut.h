// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A cut through a character at a joint: where it lies, and the outline of every take in it.
#ifndef TURGOR_CLI_CUT_H
#define TURGOR_CLI_CUT_H

#include "render.h"

typedef struct tgCutDef {
    const char* joint; ///< the plane goes through its origin
    const char* plane; ///< bend, across, or its normal as X,Y,Z; NULL: bend
} tgCutDef;

/// One picture: the corrected skin with the cut's outline on it, and the cut itself with the
/// outlines of the takes; returns the status.
int tgRenderCut(const tgRenderDef* def, const tgCutDef* cut, const tgMoment* moment,
                tgPicture** picture);

#endif
