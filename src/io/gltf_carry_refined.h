// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Vertex attributes that only the document has, carried over for a mesh that may be finer than the
// document's.
#ifndef TURGOR_IO_GLTF_CARRY_REFINED_H
#define TURGOR_IO_GLTF_CARRY_REFINED_H

#include "io/gltf_carry.h"
#include "turgor/scene.h"

/// Replace every accessor index of a primitive's attributes by the one of the carried accessor, as
/// it is, or with the values of the vertices that a refinement added.
/// @param part of the scene that the primitive is
void tgGltfCarry_RemapPart(tgGltfCarry* carry, const tgScene* scene, int part,
                           tgJsonValue* attributes);

/// Carry tangents to the vertices that a refinement added: unit, each with the hand of a neighbour.
/// @param tangents xyzw of the part's vertices; those of the file are given
void tgAverageTangents(const tgScene* scene, int part, float* tangents);

#endif
