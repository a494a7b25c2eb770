// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The primitives of a document that the parts of a scene came from.
#ifndef TURGOR_IO_GLTF_SOURCE_PART_H
#define TURGOR_IO_GLTF_SOURCE_PART_H

#include "io/gltf_source.h"
#include "io/mesh_layout.h"

/// The mesh and the primitive of a part of the scene; borrowed.
const tgJsonValue* tgGltfSource_GetMesh(const tgGltfSource* source, int part);
const tgJsonValue* tgGltfSource_GetPrimitive(const tgGltfSource* source, int part);

/// Did the scene come from glTF, and has it still the vertices and faces of that document, or finer
/// ones made from them?
bool tgFitsSource(const tgScene* scene, const tgMeshLayout* layout);

#endif
