// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A character's own glTF with morph targets and their tracks added: skin, materials, textures,
// extras, its own targets and animations stay as they are.
#ifndef TURGOR_IO_CORRECTIVES_H
#define TURGOR_IO_CORRECTIVES_H

#include "turgor/io.h"

/// A mesh of the file and the skinned nodes that show it. Each shows vertices of its own in the
/// scene, in the same order. Places (tgScene.places) are written with their source.
typedef struct tgShownMesh {
    int mesh; ///< of the document
    int vertexCount;
    int nodeCount;
    int* nodes;         ///< of the scene
    int* firstVertices; ///< of each node, in the scene
} tgShownMesh;

typedef struct tgShownMeshes {
    int count;
    tgShownMesh* meshes;
    int* memory;
} tgShownMeshes;

/// Of a scene with a document (tgCanAddTargets). Free it also on failure.
tgResult tgListShownMeshes(const tgScene* scene, tgShownMeshes* list, tgError* error);
void tgFreeShownMeshes(tgShownMeshes* list);

/// Has the scene still the vertices, faces and nodes of a glTF document?
/// Fails only without memory.
tgResult tgCanAddTargets(const tgScene* scene, bool* can, tgError* error);
/// The same character as a scene with a document: written as glTF and read again. Its vertices are
/// the given scene's, one by one.
tgScene* tgMakeDocumentScene(const tgScene* scene, tgError* error);

/// What is added to one mesh. Names begin with the prefix.
typedef struct tgMeshTargets {
    int targetCount; ///< 0: the mesh stays as it is
    const tgVec3* offsets;
    const tgVec3* normals;    ///< of the same shape; NULL: none are written
    const float* weights;     ///< targetCount for each node: when no animation plays
    const char* const* names; ///< targetCount
} tgMeshTargets;

/// Weights of the added targets over time, linear in between.
typedef struct tgTargetTrack {
    int animation;
    int mesh; ///< of the list
    int node; ///< of that mesh's
    int keyCount;
    const float* times;   ///< seconds, increasing
    const float* weights; ///< the mesh's targetCount for each key
} tgTargetTrack;

typedef struct tgCorrectivesFile {
    const tgScene* scene;
    const tgShownMeshes* meshes;
    const tgMeshTargets* targets; ///< one for each mesh
    int trackCount;
    const tgTargetTrack* tracks;
    bool compress;      ///< by EXT_meshopt_compression
    int offsetExponent; ///< offsets are whole multiples of 2 to the power of it, below 2^23
    int normalExponent; ///< so are normals
    const char* extras; ///< JSON to put into asset.extras.turgor; NULL: none
    tgBytes* memory;    ///< NULL: a file. Else the bytes of it, and the path tells the format
} tgCorrectivesFile;

/// @param path .glb or .gltf
tgResult tgSaveCorrectives(const tgCorrectivesFile* file, const char* path, tgError* error);

#endif
