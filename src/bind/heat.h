// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Weights by diffusion over the skin.
#ifndef TURGOR_BIND_HEAT_H
#define TURGOR_BIND_HEAT_H

#include "bind/geodesic.h"
#include "bind/prune.h"
#include "bind/sparse.h"

/// @param strength the heat c that a bone gives: H = c / d^2
tgResult tgDiffuse(const tgBody* body, const tgClaims* claims, int jointCount, float strength,
                   const tgProgress* progress, tgScratch* scratch, tgWeights* weights,
                   tgError* error);

#endif
