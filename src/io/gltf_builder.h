// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A glTF file being put together: its document, and its binary chunk, which waits in a file beside
// the target because the document has to come first. The first failure sticks: calls after it do
// nothing, and closing reports it.
#ifndef TURGOR_IO_GLTF_BUILDER_H
#define TURGOR_IO_GLTF_BUILDER_H

#include "io/json.h"
#include "io/output_file.h"
#include "turgor/math.h"

enum {
    tg_gltfByte = 5120,
    tg_gltfUnsignedByte = 5121,
    tg_gltfShort = 5122,
    tg_gltfUnsignedShort = 5123,
    tg_gltfUnsignedInt = 5125,
    tg_gltfFloat = 5126,
};

/// What a buffer view is for.
enum { tg_gltfNoTarget = 0, tg_gltfVertices = 34962, tg_gltfIndices = 34963 };

typedef struct tgGltfBuilder {
    tgArena arena;         ///< of the document; it stays where it is until discarded
    tgJsonValue* document; ///< an object; accessors, views and buffers join it at the end
    tgJsonValue* accessors;
    tgJsonValue* bufferViews;
    tgOutputFile output;
    tgOutputFile spool;    ///< the binary chunk
    uint64_t viewStart;    ///< of the view being written
    uint64_t sizeLimit;    ///< bytes of the whole file; what a GLB can count
    uint64_t unpackedSize; ///< of what EXT_meshopt_compression packed: a second buffer
    bool isBinary;         ///< .glb; otherwise .gltf with the chunk as a data URI
    tgError failure;       ///< the first one; tg_success while all is well
} tgGltfBuilder;

/// Plain numbers to store as one accessor with a view of its own.
typedef struct tgGltfArray {
    const void* data; ///< packed
    int count;        ///< elements, 1 or more
    int componentType;
    int componentCount; ///< 1, 2, 3, 4 or 16
    int target;
    bool hasBounds; ///< state min and max; floats only
} tgGltfArray;

/// An empty document, and the temporary files. Discard it afterwards, whatever happened.
/// @param memory NULL: a file. Else closing leaves its bytes here, and the path tells the format
tgResult tgGltfBuilder_Open(tgGltfBuilder* builder, const char* path, tgBytes* memory,
                            tgError* error);
/// Put the file together and rename it into place, or report the first failure.
tgResult tgGltfBuilder_Close(tgGltfBuilder* builder, tgError* error);
void tgGltfBuilder_Discard(tgGltfBuilder* builder); ///< all zero is fine

/// Note a failure as tgFail does, unless there is one already.
void tgGltfBuilder_Fail(tgGltfBuilder* builder, tgResult code, int index, const char* format, ...)
    TG_PRINTF(4, 5);
bool tgGltfBuilder_HasFailed(const tgGltfBuilder* builder);

/// Put `value` into an object or array. A NULL value is noted as lack of memory.
/// Go on from a copy of a document, without its accessors, views and buffers: the builder has its
/// own.
void tgGltfBuilder_CopyDocument(tgGltfBuilder* builder, const tgJsonValue* document);
void tgGltfBuilder_Set(tgGltfBuilder* builder, tgJsonValue* object, const char* key,
                       tgJsonValue* value);
void tgGltfBuilder_SetWhole(tgGltfBuilder* builder, tgJsonValue* object, const char* key,
                            long long whole);
void tgGltfBuilder_SetText(tgGltfBuilder* builder, tgJsonValue* object, const char* key,
                           const char* text);
void tgGltfBuilder_Append(tgGltfBuilder* builder, tgJsonValue* array, tgJsonValue* value);
/// The array `key` of the document, made when it is missing.
tgJsonValue* tgGltfBuilder_GetArray(tgGltfBuilder* builder, const char* key);

/// A view, piece by piece: begin, write, end. Ending returns its index, -1 after a failure.
void tgGltfBuilder_BeginView(tgGltfBuilder* builder);
void tgGltfBuilder_Write(tgGltfBuilder* builder, const void* data, size_t size);
/// @param stride bytes from one element to the next; 0 leaves it out
int tgGltfBuilder_EndView(tgGltfBuilder* builder, int target, int stride);

/// Add an accessor object; its index, -1 after a failure.
int tgGltfBuilder_AddAccessor(tgGltfBuilder* builder, tgJsonValue* accessor);
int tgGltfBuilder_AddArray(tgGltfBuilder* builder, const tgGltfArray* array);
int tgGltfBuilder_AddPositions(tgGltfBuilder* builder, const tgVec3* positions, int count);
/// Offsets of a morph target: sparse where that is smaller.
/// @param hasBounds state min and max, as glTF wants for positions
int tgGltfBuilder_AddOffsets(tgGltfBuilder* builder, const tgVec3* offsets, int count,
                             bool hasBounds);
/// The same numbers as part of a view that is written.
/// @param offset bytes from the view's start
int tgGltfBuilder_AddSlice(tgGltfBuilder* builder, const tgVec3* vectors, int count, bool hasBounds,
                           int view, size_t offset);

#endif
