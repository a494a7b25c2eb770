// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What the files that write a whole scene as glTF share: nodes first, then skin, meshes,
// animations.
#ifndef TURGOR_IO_GLTF_WRITE_H
#define TURGOR_IO_GLTF_WRITE_H

#include "io/gltf_builder.h"
#include "io/gltf_carry.h"
#include "io/mesh_layout.h"

typedef struct tgSceneWriter {
    const tgScene* scene;
    tgMeshLayout layout;
    tgGltfBuilder builder;
    int* objectNodes;  ///< the written node that carries each object's mesh
    int* jointNodes;   ///< the written node of each joint
    int* targetCounts; ///< morph targets of each object
    int skin;          ///< -1 when the scene has none
    bool carries;      ///< materials and attributes of the glTF it came from
    tgGltfCarry carry;
} tgSceneWriter;

/// Nodes of the scene under their own indices; then nodes for objects that cannot use theirs, for
/// joints that share one, and one above a skeleton of several roots.
void tgWriteNodes(tgSceneWriter* writer);

/// "skins", with the inverse bind matrices.
void tgWriteSkin(tgSceneWriter* writer);
/// JOINTS_n and WEIGHTS_n of a vertex range, as many as its vertices need.
void tgWriteInfluences(tgSceneWriter* writer, tgVertexRange range, tgJsonValue* attributes);

/// Copies materials and textures of the glTF that the scene came from, when there is one that still
/// fits; then its primitives, and in the end the bytes they need.
bool tgOpenSceneCarry(tgSceneWriter* writer);
/// Materials and further attributes of the primitives of an object's mesh.
void tgCarryPrimitives(tgSceneWriter* writer, int object, tgJsonValue* mesh);
void tgCloseSceneCarry(tgSceneWriter* writer);

/// "animations", each channel on the node that carries its object or joint.
void tgWriteAnimations(tgSceneWriter* writer);

/// What tgSaveScene writes to a .glb, without that file.
tgResult tgSaveSceneToMemory(const tgScene* scene, tgBytes* memory, tgError* error);

#endif
