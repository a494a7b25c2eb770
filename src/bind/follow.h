// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Islands that lie on the skin of others, such as nails and buttons, move with it.
#ifndef TURGOR_BIND_FOLLOW_H
#define TURGOR_BIND_FOLLOW_H

#include "bind/bone.h"
#include "bind/prune.h"

/// Gives such islands the weights of the skin under them.
/// @param isReached set for their vertices
/// @return how many islands follow; -1 without memory
int tgFollowSkin(const tgVoxels* voxels, const tgBones* bones, tgScratch* scratch, bool* isReached,
                 tgWeights* weights);

#endif
