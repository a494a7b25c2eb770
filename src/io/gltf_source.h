// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The document a scene was read from, kept so that the writer can carry over what a scene does not
// hold: materials, textures, texture coordinates, cameras, other nodes. All of it is read only; the
// writer changes a copy.
#ifndef TURGOR_IO_GLTF_SOURCE_H
#define TURGOR_IO_GLTF_SOURCE_H

#include "io/file_beside.h"
#include "io/json.h"
#include "turgor/base.h"

#include <stdint.h>

/// Bytes of one entry of "buffers", whether they came from the GLB, a data URI or a file.
typedef struct tgGltfBuffer {
    const uint8_t* data; ///< NULL when the document gives it no bytes (a fallback of an extension)
    size_t size;         ///< byteLength; what follows it in the file is not counted
    void* memory;        ///< to free with the source; NULL when `data` points into the file
} tgGltfBuffer;

/// Where part i of the scene came from; indices into the document's arrays.
typedef struct tgGltfPart {
    int node;
    int mesh;
    int primitive;     ///< of that mesh
    int skin;          ///< of that node, -1 when the scene has no skin at all
    bool ownsVertices; ///< false when an earlier part of the same node has the same vertex range
} tgGltfPart;

typedef struct tgGltfSource {
    tgArena arena;         ///< of the document
    tgJsonValue* document; ///< the whole JSON; the root is an object, its known arrays are arrays
    tgFileRoot root;       ///< where external files are; no folder when they are refused
    char* folder;          ///< the root's, owned
    bool isBinary;         ///< it was a .glb
    uint64_t jsonMemory;   ///< bytes that the document takes, about
    uint8_t* file;         ///< the GLB's bytes, which buffers[0] may point into
    int bufferCount;
    tgGltfBuffer* buffers;
    int nodeCount;   ///< of the document, and of the scene: all nodes are in both
    int* sceneNodes; ///< for each node of the document its index in scene->nodes
    int* gltfNodes;  ///< for each node of the scene its index in the document
    int partCount;   ///< the same as scene->partCount
    tgGltfPart* parts;
    bool hasOtherNodes; ///< the scene was given nodes that are not the document's
} tgGltfSource;

/// What a scene of it was made of; the document stays, to be read again.
void tgGltfSource_Forget(tgGltfSource* source);
/// NULL is fine.
void tgDestroyGltfSource(tgGltfSource* source);

/// An accessor with everything looked up and checked against its buffers: reading element i < count
/// stays inside them.
typedef struct tgGltfAccessor {
    int count;
    int componentType;  ///< 5120 i8, 5121 u8, 5122 i16, 5123 u16, 5125 u32, 5126 float
    int componentCount; ///< 1 for SCALAR to 16 for MAT4
    int componentSize;  ///< bytes
    int elementSize;    ///< bytes of one element when packed; columns of MAT2 and MAT3 of small
                        ///< integers keep the padding that glTF gives them
    bool isMatrix;
    bool normalized;              ///< integers stand for 0 to 1 or -1 to 1
    const uint8_t* data;          ///< first element, not aligned to anything; NULL: all zero
    size_t stride;                ///< bytes from one element to the next
    int sparseCount;              ///< elements that are replaced
    int sparseIndexSize;          ///< bytes: 1, 2 or 4
    const uint8_t* sparseIndices; ///< each is < count
    const uint8_t* sparseValues;  ///< packed elements
} tgGltfAccessor;

/// Look up and check one accessor. Fails with tg_invalidMesh, or tg_unsupported when its bytes are
/// compressed by an extension.
tgResult tgGltfSource_GetAccessor(const tgGltfSource* source, int index, tgGltfAccessor* accessor,
                                  tgError* error);

/// The elements packed without gaps, sparse replacements done, in their own component type.
/// @param bytes accessor->count * accessor->elementSize bytes
void tgGltfAccessor_CopyPacked(const tgGltfAccessor* accessor, uint8_t* bytes);

/// The components as floats, sparse replacements done, normalised integers mapped as glTF says. For
/// every accessor but integer matrices.
/// @param values accessor->count * accessor->componentCount floats
void tgGltfAccessor_CopyFloats(const tgGltfAccessor* accessor, float* values);

/// Bytes of a buffer view, inside its buffer.
/// @param stride byteStride, 0 when the view gives none; may be NULL
tgResult tgGltfSource_GetBufferView(const tgGltfSource* source, int index, const uint8_t** data,
                                    size_t* size, int* stride, tgError* error);

/// The encoded bytes (PNG, JPEG, ...) of one entry of "images", from its buffer view, its data URI
/// or its file.
/// @param bytes the caller frees it; never NULL on success
tgResult tgGltfSource_ReadImage(const tgGltfSource* source, int index, uint8_t** bytes,
                                size_t* size, tgError* error);

#endif
