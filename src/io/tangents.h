// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Tangents carried along by a deformation, so that normal maps stay right in a baked file.
#ifndef TURGOR_IO_TANGENTS_H
#define TURGOR_IO_TANGENTS_H

#include "io/mesh_layout.h"

/// Where the rest tangents go when the faces move from the rest positions to `positions`: along
/// with the faces around each vertex, then square to its normal and unit again. A vertex without a
/// usable face keeps its rest tangent. All arrays are those of the whole scene.
/// @param moved vertexCount entries
void tgMoveTangents(const tgScene* scene, const tgMeshLayout* layout, const tgVec3* restTangents,
                    const tgVec3* positions, const tgVec3* normals, tgVec3* moved);

#endif
