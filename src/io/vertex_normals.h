// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Unit normals for a file that must have them, whatever the scene says.
#ifndef TURGOR_IO_VERTEX_NORMALS_H
#define TURGOR_IO_VERTEX_NORMALS_H

#include "io/mesh_layout.h"

/// Unit normals for all vertices: `given` where it has a direction (may be NULL), otherwise from
/// the faces around the vertex's place, otherwise up. Given ones of unit length keep their bits.
/// @param positions vertexCount entries: where the faces are
/// @param normals vertexCount entries
tgResult tgMakeUnitNormals(const tgScene* scene, const tgMeshLayout* layout,
                           const tgVec3* positions, const tgVec3* given, tgVec3* normals,
                           tgError* error);

#endif
