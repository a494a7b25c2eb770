// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// From the raw surface net to an even mesh on the surface, and the neighbours that needs.
#ifndef TURGOR_MODELS_RELAX_H
#define TURGOR_MODELS_RELAX_H

#include "models/surface_nets.h"

/// The vertices that share an edge with each vertex, once for each face at that edge: twice each.
typedef struct tgNeighbors {
    int* start; ///< vertexCount + 1 entries into `list`
    int* list;
} tgNeighbors;

bool tgNeighbors_Create(tgNeighbors* neighbors, const tgQuadMesh* mesh); ///< false: no memory
void tgNeighbors_Destroy(tgNeighbors* neighbors);

/// Slide the vertices along the surface until the quads are even, and put them on it.
/// @param coarse the field that the mesh was extracted from, thin places thickened
/// @param fine the field whose surface is wanted; the same outlines, thin places thinner
/// @return false when there is no memory
bool tgQuadMesh_Relax(tgQuadMesh* mesh, const tgField* coarse, const tgField* fine,
                      const tgNeighbors* neighbors);

/// Unit vertex normals, weighted by area.
void tgQuadMesh_ComputeNormals(const tgQuadMesh* mesh, tgVec3* normals);

#endif
