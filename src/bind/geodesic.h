// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Distances from bones to vertices through the inside of the body.
#ifndef TURGOR_BIND_GEODESIC_H
#define TURGOR_BIND_GEODESIC_H

#include "bind/bone.h"
#include "bind/claim.h"

/// A claim this much further than the nearest, as a fraction of it, has no share in a vertex.
extern const float tg_claimBand;

typedef struct tgProgress {
    tgBindProgressFcn* tell; ///< NULL: nobody is told
    void* user;
} tgProgress;

void tgTellProgress(const tgProgress* progress, const char* stage, int done, int total);

/// Fills the claims of every vertex.
/// @param isReached of each vertex: some bone reached it through the inside; the others are claimed
///        by the bones nearest as the crow flies
tgResult tgMeasureGeodesics(const tgVoxels* voxels, const tgBones* bones,
                            const tgProgress* progress, tgScratch* scratch, tgClaims* claims,
                            bool* isReached, tgError* error);

#endif
