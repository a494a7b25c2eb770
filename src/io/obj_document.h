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
    int groups; ///< the "g" line it is under, into groupLines; -1 for none
} tgObjFace;

/// Faces of one object and one material.
typedef struct tgObjPart {
    int object;   ///< name, into objects
    int material; ///< into materials, -1 for none
    int faceCount;
} tgObjPart;

enum { tg_mostGroupWords = 8 }; ///< groups that one face is in

typedef struct tgObjDocument {
    tgObjArray positions; ///< tgVec3
    tgObjArray colors;    ///< tgVec3, as far as the last vertex that has one
    tgObjArray normals;   ///< tgVec3
    tgObjArray uvs;       ///< tgVec3, the third is 0
    tgObjArray corners;   ///< tgObjCorner
    tgObjArray faces;     ///< tgObjFace
    tgObjArray parts;     ///< tgObjPart
    tgObjNames objects;
    tgObjNames materials;
    tgObjNames partKeys;   ///< object and material of each part
    tgObjNames groups;     ///< words of "g" lines
    tgObjNames groupLines; ///< tg_mostGroupWords groups for each line, -1 where it has fewer
} tgObjDocument;

/// Fill an empty scene from what was read.
tgResult tgBuildObjScene(const tgObjDocument* document, tgScene* scene, tgError* error);

#endif
