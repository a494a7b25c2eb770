// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A bake on its way to glTF. The document is laid out when it is opened, so that whatever cannot be
// carried over is told before the work; frames fill its morph targets as they come.
#ifndef TURGOR_IO_GLTF_BAKE_H
#define TURGOR_IO_GLTF_BAKE_H

#include "io/bake.h"
#include "io/gltf_builder.h"
#include "io/mesh_layout.h"

typedef struct tgGltfBake {
    const tgBakeDef* def;
    tgMeshLayout layout;
    tgGltfBuilder builder;
    tgJsonValue** attributes; ///< of each vertex range: empty until the bake is closed
    tgJsonValue** targets; ///< of each vertex range: one for each frame so far; empty for a still
    tgJsonValue**
        partAttributes;    ///< of each part that has some of its own beside its range's; borrowed
    bool hasNormals;       ///< frames come with normals; the first one decides
    tgVec3* basePositions; ///< of the first frame, which frames are told against
    tgVec3* baseNormals;   ///< unit; of the first frame; before it, and without normals, at rest
    tgVec3* frameNormals;  ///< unit; of the frame at hand
    tgVec3* offsets;       ///< scratch: one range
    float* tangents;       ///< xyzw of the bind pose, 0 where there is none; NULL: nowhere
    tgVec3* baseTangents;  ///< the same without w
    tgVec3* firstTangents; ///< of the first frame
    tgVec3* frameTangents; ///< of the frame at hand
    bool* rangeHasTangents;
} tgGltfBake;

/// The document for a scene that did not come from glTF: one node and mesh for each object.
void tgLayOutObjects(tgGltfBake* bake);

/// Did the scene come from glTF, and has it still the vertices, faces and nodes of that document?
bool tgMatchesSource(const tgGltfBake* bake);

/// The document for a scene from glTF: everything of it but skins, other animations and the meshes
/// that were baked, which come back under nodes of their own.
void tgLayOutSource(tgGltfBake* bake);
/// Read TANGENT of the baked primitives; bake->tangents stays NULL when there is none.
void tgReadSourceTangents(tgGltfBake* bake);

/// Number and name of the targets of a baked mesh; nothing for a still.
void tgSetFrameNames(tgGltfBake* bake, tgJsonValue* mesh);
/// Animate the weights of these nodes, one frame after the other.
/// @param animation an object with "channels" and "samplers"
/// @param nodes one for each object
void tgAnimateFrames(tgGltfBake* bake, int clip, tgJsonValue* animation, const int* nodes);
/// An animation without channels, named after the one that was baked.
tgJsonValue* tgMakeFrameAnimation(tgGltfBake* bake, int clip);

#endif
