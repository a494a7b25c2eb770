// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Weights for a mesh and a skeleton, with a bar while they are made.
#ifndef TURGOR_CLI_WEIGHTS_H
#define TURGOR_CLI_WEIGHTS_H

#include "turgor/bind.h"
#include "turgor/scene.h"

/// As tgCreateBinding, with the ends of the skeleton's bones.
/// @param def of tgScene_GetBindDef for the same skeleton, and what was chosen
tgBinding* tgMakeWeights(const tgBindDef* def, const tgScene* skeleton, tgError* error);

#endif
