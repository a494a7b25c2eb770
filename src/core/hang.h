// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Which joint carries which, as far as the flesh is concerned.
#ifndef TURGOR_CORE_HANG_H
#define TURGOR_CORE_HANG_H

#include "core/influence.h"
#include "core/skeleton.h"

/// The skeleton's tree, but for joints that share their flesh with another joint than the one they
/// hang on. In scratch memory; false when there is none.
bool tgHangByFlesh(const tgSkeleton* skeleton, const tgInfluences* influences, tgScratch* scratch,
                   tgTree* tree);

#endif
