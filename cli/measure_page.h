// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A measure as one page to look at and to send around.
#ifndef TURGOR_CLI_MEASURE_PAGE_H
#define TURGOR_CLI_MEASURE_PAGE_H

#include "measure.h"

/// Numbers, volume over time, pictures of the worst frames, joints by loss, settings and warnings,
/// in one HTML file that needs nothing from elsewhere; returns the status.
int tgWriteMeasurePage(const tgShot* shot, const tgShotOptions* options, const tgMeasure* measure,
                       const char* path);

#endif
