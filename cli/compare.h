// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A picture of one frame under every take of a measure, side by side.
#ifndef TURGOR_CLI_COMPARE_H
#define TURGOR_CLI_COMPARE_H

#include "measure.h"

/// @param frame which of the measure's
/// @param direction to look from
tgResult tgDrawComparison(const tgShot* shot, const tgMeasure* measure, int frame, tgVec3 direction,
                          const char* path, tgError* error);

#endif
