// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A field's surface as a closed mesh of quads.
#ifndef TURGOR_MODELS_SURFACE_NETS_H
#define TURGOR_MODELS_SURFACE_NETS_H

#include "models/field.h"

typedef struct tgQuadMesh {
    int vertexCount;
    tgVec3* positions;
    int quadCount;
    int* quads; ///< 4 corners each, counter-clockwise seen from outside
    float cellSize;
} tgQuadMesh;

/// One vertex for each sheet of surface in each cell of a grid, one quad for each grid edge that
/// crosses the surface. The grid's planes stand at odd multiples of half a cell, so a field that is
/// symmetric in x gives a symmetric mesh. Every edge has two faces, whatever the field.
/// @return false when there is no memory
bool tgQuadMesh_Extract(tgQuadMesh* mesh, const tgField* field, float cellSize);
void tgQuadMesh_Destroy(tgQuadMesh* mesh);

#endif
