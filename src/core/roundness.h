// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// How round the skin is. A bulge moves skin along its normals; where it goes farther than the skin
// is round, as on a tooth, a tuft of hair or the edge of a nail, neighbours pass each other and
// faces turn over.
#ifndef TURGOR_CORE_ROUNDNESS_H
#define TURGOR_CORE_ROUNDNESS_H

#include "core/reach.h"
#include "core/scratch.h"

/// The radius of the skin's curvature at each vertex, and less beside skin that is sharper.
/// @param normals 4 floats for each vertex, of any length
/// @param most rounder than this makes no difference
/// @return one for each vertex, in scratch memory; NULL when that is exhausted
float* tgMeasureRoundness(const tgMesh* mesh, const float* normals, float most, tgReach* reach,
                          tgScratch* scratch);

#endif
