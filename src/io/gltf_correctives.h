// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What the files share that add morph targets to a copy of a document.
#ifndef TURGOR_IO_GLTF_CORRECTIVES_H
#define TURGOR_IO_GLTF_CORRECTIVES_H

#include "io/correctives.h"
#include "io/gltf_builder.h"
#include "io/gltf_carry.h"

typedef struct tgCorrectivesWork {
    const tgCorrectivesFile* file;
    const tgGltfSource* source;
    tgGltfBuilder builder; ///< its document is a copy of the source's; accessors and views, too
    tgGltfCarry carry;
    int* oldCounts;           ///< of each mesh of the list: targets of its own
    bool* isExtended;         ///< of each node of the scene: its mesh has got some
    tgJsonValue* offsetViews; ///< buffer views that hold multiples of the offsets' step
    tgJsonValue* normalViews; ///< and of the normals'
} tgCorrectivesWork;

/// JOINTS_n and WEIGHTS_n anew where the file's do not sum to one or lead nowhere, so that every
/// viewer computes the same.
void tgMendInfluences(tgCorrectivesWork* work, int part, tgJsonValue* primitive);

/// Skins without "skeleton" where that is not above all joints; it is a hint and no more.
void tgMendSkeletons(tgCorrectivesWork* work);

/// "animations": a channel of weights for each track, with those of the mesh's own targets.
void tgWriteTargetTracks(tgCorrectivesWork* work);

/// Views of vertices, indices and keys by EXT_meshopt_compression.
void tgCompressViews(tgCorrectivesWork* work);

#endif
