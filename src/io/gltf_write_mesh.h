// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Pieces of a glTF mesh made from a scene's arrays, for files that are written from nothing.
#ifndef TURGOR_IO_GLTF_WRITE_MESH_H
#define TURGOR_IO_GLTF_WRITE_MESH_H

#include "io/gltf_builder.h"
#include "io/mesh_layout.h"

/// "name", unless it is empty.
void tgGltfBuilder_SetName(tgGltfBuilder* builder, tgJsonValue* object, const char* name);

/// "materials": those of the scene, and a plain one when a part has none.
void tgGltfBuilder_AddMaterials(tgGltfBuilder* builder, const tgScene* scene,
                                const tgMeshLayout* layout);

/// The accessor of a range's texture coordinates; the scene must have them.
int tgGltfBuilder_AddUvs(tgGltfBuilder* builder, const tgScene* scene, tgVertexRange range);

/// Colours and what else the scene has painted at its vertices, for a range of them.
/// @param attributes of the primitives; grows
void tgGltfBuilder_AddPainted(tgGltfBuilder* builder, const tgScene* scene, tgVertexRange range,
                              tgJsonValue* attributes);

/// POSITION, NORMAL unless `normals` is NULL, TEXCOORD_0 when the scene has it, and what is
/// painted. All arrays are those of the whole scene.
tgJsonValue* tgGltfBuilder_MakeAttributes(tgGltfBuilder* builder, const tgScene* scene,
                                          tgVertexRange range, const tgVec3* positions,
                                          const tgVec3* normals);

/// The accessor of a part's indices, all faces cut into triangles.
int tgGltfBuilder_AddTriangles(tgGltfBuilder* builder, const tgScene* scene,
                               const tgMeshLayout* layout, const tgScenePart* part);

/// A mesh of all parts of an object.
/// @param attributes one object for each vertex range; shared, not taken
/// @param targets one array for each vertex range; shared, not taken; NULL for no morph targets
tgJsonValue* tgGltfBuilder_MakeMesh(tgGltfBuilder* builder, const tgScene* scene,
                                    const tgMeshLayout* layout, int object,
                                    tgJsonValue** attributes, tgJsonValue** targets);

#endif
