// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Bytes carried from the document a scene was read from into the one being written: accessors,
// buffer views and images that something still refers to, each once, tightly packed.
#ifndef TURGOR_IO_GLTF_CARRY_H
#define TURGOR_IO_GLTF_CARRY_H

#include "io/gltf_builder.h"
#include "io/gltf_source.h"

/// What an accessor is for decides how its view is laid out.
typedef enum tgCarryUse {
    tg_carryVertices,
    tg_carryIndices,
    tg_carryOther, ///< animation keys, instances
    tg_carryUseCount,
} tgCarryUse;

/// An accessor of the source with the values of vertices that a refinement added.
typedef struct tgRefinedAccessor {
    long long source;
    int firstVertex; ///< of the part that it is for
    int accessor;
    struct tgRefinedAccessor* next;
} tgRefinedAccessor;

typedef struct tgGltfCarry {
    const tgGltfSource* source;
    tgGltfBuilder* builder; ///< its document is a copy of the source's, still being changed
    int accessorCount;
    int* accessors; ///< for each use and accessor of the source its new index, -1 for none yet
    int viewCount;
    int* bufferViews; ///< the same for views that are carried whole
    tgRefinedAccessor* refined;
} tgGltfCarry;

/// Free it also when there was no memory, which the builder notes.
void tgGltfCarry_Open(tgGltfCarry* carry, const tgGltfSource* source, tgGltfBuilder* builder);
void tgGltfCarry_Free(tgGltfCarry* carry);

/// A view of its own for packed elements; its index.
int tgGltfCarry_AddElements(tgGltfCarry* carry, const uint8_t* bytes, int count, size_t elementSize,
                            tgCarryUse use);

/// Replace the accessor index `key` of an object by the one of the carried accessor.
void tgGltfCarry_Remap(tgGltfCarry* carry, tgJsonValue* object, const char* key, tgCarryUse use);
/// The same for every member: attributes of a primitive, a morph target or instances.
void tgGltfCarry_RemapAll(tgGltfCarry* carry, tgJsonValue* attributes, tgCarryUse use);

/// One entry of "images" into the binary chunk.
void tgGltfCarry_MoveImage(tgGltfCarry* carry, tgJsonValue* image, int index);
/// All images into the binary chunk. One whose file is missing keeps its URI.
void tgGltfCarry_MoveImages(tgGltfCarry* carry);
/// Follow every "bufferView" that extensions of any object use.
void tgGltfCarry_MoveExtensionViews(tgGltfCarry* carry);
/// Cut extensionsUsed and extensionsRequired down to what the document still has.
void tgGltfCarry_TrimExtensions(tgGltfCarry* carry);

#endif
