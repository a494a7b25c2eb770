// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Which joint carries which, as far as the flesh is concerned.
#ifndef TURGOR_CORE_HANG_H
#define TURGOR_CORE_HANG_H

#include "core/influence.h"
#include "core/mesh.h"
#include "core/skeleton.h"

/// The skin at rest and who moves it.
typedef struct tgSkinAtRest {
    const tgMesh* mesh;
    const tgInfluences* influences; ///< of the render vertices
    const float* rest;              ///< 4 for each vertex
} tgSkinAtRest;

/// Hangs the joints of a skeleton that bend against another joint than their parent on that one.
/// False without memory.
bool tgHangByFlesh(const tgSkinAtRest* skin, tgScratch* scratch, tgSkeleton* skeleton);

#endif
