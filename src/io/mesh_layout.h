// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A scene's mesh as writers want it: parts gathered into objects, the vertex ranges that parts
// share told apart, and where each face's corners start.
#ifndef TURGOR_IO_MESH_LAYOUT_H
#define TURGOR_IO_MESH_LAYOUT_H

#include "turgor/scene.h"

/// All parts of one node, or a place where they are shown again.
typedef struct tgMeshObject {
    const char* name;
    int node; ///< of the scene, -1 for none
    int mesh; ///< the object whose parts it shows: itself, or of a place the one before it
} tgMeshObject;

typedef struct tgVertexRange {
    int firstVertex, vertexCount;
} tgVertexRange;

typedef struct tgMeshLayout {
    int partCount;
    tgScenePart* parts; ///< those of the scene that have faces; one for all when it lists none
    int* partSources;   ///< which part of the scene each is
    int* partObjects;
    int* partRanges;
    int objectCount; ///< places too
    int meshCount;   ///< objects with parts of their own: the first ones
    tgMeshObject* objects;
    int rangeCount;
    tgVertexRange* ranges;
    int* faceStarts;  ///< faceCount + 1 entries into faceVertices
    int largestFace;  ///< corners
    int largestRange; ///< vertices
} tgMeshLayout;

/// Checks every index of the faces and parts. Free it with tgMeshLayout_Free, also on failure.
tgResult tgMeshLayout_Make(tgMeshLayout* layout, const tgScene* scene, tgError* error);
void tgMeshLayout_Free(tgMeshLayout* layout);

#endif
