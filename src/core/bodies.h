// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Which joints share skin: who bends against whom.
#ifndef TURGOR_CORE_BODIES_H
#define TURGOR_CORE_BODIES_H

#include "core/influence.h"
#include "core/mesh.h"
#include "core/skeleton.h"

/// Fills in the partners and the tree of bodies of a skeleton.
/// @param influences of the render vertices
/// @param rest 4 floats for each vertex
/// @return false without memory
bool tgFindBodies(const tgMesh* mesh, const tgInfluences* influences, const float* rest,
                  tgScratch* scratch, tgSkeleton* skeleton);

#endif
