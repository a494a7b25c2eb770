// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What an OBJ file says, before it becomes a scene: the reader fills it line by line, the builder
// turns it into arrays.
#ifndef TURGOR_IO_OBJ_DOCUMENT_H
#define TURGOR_IO_OBJ_DOCUMENT_H

#include "turgor/scene.h"

#include "io/obj_names.h"

/// One array that grows.
typedef struct tgObjArray {
    void* items;
    int count, capacity;
} tgObjArray;

/// Indices from 0; -1 where the face does not give one.
typedef struct tgObjCorner {
    int position, uv, normal;
} tgObjCorner;

typedef struct tgObjFace {
    int firstCorner, size;
    int line;
    int part;
} tgObjFace;

/// Faces of one object and one material.
typedef struct tgObjPart {
    int object;   ///< name, into objects
    int material; ///< into materials, -1 for none
    int faceCount;
} tgObjPart;

typedef struct tgObjDocument {
    tgObjArray positions; ///< tgVec3
    tgObjArray normals;   ///< tgVec3
    tgObjArray uvs;       ///< tgVec3, the third is 0
    tgObjArray corners;   ///< tgObjCorner
    tgObjArray faces;     ///< tgObjFace
    tgObjArray parts;     ///< tgObjPart
    tgObjNames objects;
    tgObjNames materials;
    tgObjNames partKeys; ///< object and material of each part
} tgObjDocument;

/// Fill an empty scene from what was read.
tgResult tgBuildObjScene(const tgObjDocument* document, tgScene* scene, tgError* error);

#endif
