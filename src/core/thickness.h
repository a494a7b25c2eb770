// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// How thick the flesh is under each vertex.
#ifndef TURGOR_CORE_THICKNESS_H
#define TURGOR_CORE_THICKNESS_H

#include "core/mesh.h"
#include "core/scratch.h"

/// From the skin straight in to the skin on the other side, at rest; of a vertex and its neighbours
/// the least, since from the rim of an ear the way in goes along it.
/// @param normals 4 for each vertex, of any length
/// @param most what is thicker counts as this; also where there is no other side
/// @return one for each vertex; NULL without memory
float* tgMeasureThickness(const tgMesh* mesh, const float* rest, const float* normals, float most,
                          tgScratch* scratch);

#endif
