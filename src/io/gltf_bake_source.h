// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What the files share that lay out a bake in a copy of the document it came from.
#ifndef TURGOR_IO_GLTF_BAKE_SOURCE_H
#define TURGOR_IO_GLTF_BAKE_SOURCE_H

#include "io/gltf_bake.h"
#include "io/gltf_carry.h"

typedef struct tgSourceBake {
    tgGltfBake* bake;
    const tgGltfSource* source;
    tgGltfBuilder* builder;
    tgGltfCarry carry;
    bool* isBaked;    ///< of each node of the document: its mesh goes
    int* newMeshes;   ///< of each mesh of the document: its index, -1 when no node uses it any more
    int* objectNodes; ///< the new node of each object
    int* roots;       ///< of each node of the document the root above it
} tgSourceBake;

/// "animations": the one that was baked, without the channels of baked meshes and with those of the
/// frames. A still gets none; its nodes are put where the animation has them.
void tgWriteSourceAnimation(tgSourceBake* work);

#endif
