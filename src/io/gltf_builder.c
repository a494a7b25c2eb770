// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A glTF file being put together: arrays become accessors and views, sparse ones where they are
// smaller. gltf_container.c makes the file of them.

#include "io/gltf_builder.h"

#include "core/core.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "glTF arrays are written as they lie in memory, which must be little endian"
#endif

/// About what a sparse accessor adds to the JSON, in bytes.
enum { tg_sparseTextSize = 160 };

tgResult tgGltfBuilder_Open(tgGltfBuilder* builder, const char* path, tgBytes* memory,
                            tgError* error)
{
    memset(builder, 0, sizeof(*builder));
    builder->isBinary = tgHasEnding(path, ".glb");
    builder->sizeLimit = UINT32_MAX;
    builder->document = tgPackJson(&builder->arena, "{s:{s:s, s:s}}", "asset", "version", "2.0",
                                   "generator", "turgor");
    builder->accessors = tgMakeJsonList(&builder->arena);
    builder->bufferViews = tgMakeJsonList(&builder->arena);
    if (builder->document == NULL || builder->accessors == NULL || builder->bufferViews == NULL) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for a document");
    }
    tgResult result = tgOutputFile_OpenFor(&builder->output, path, memory, error);
    return result == tg_success ? tgOutputFile_OpenBeside(&builder->spool, &builder->output, error)
                                : result;
}

void tgGltfBuilder_Discard(tgGltfBuilder* builder)
{
    tgOutputFile_Discard(&builder->output);
    tgOutputFile_Discard(&builder->spool);
    tgArena_Free(&builder->arena);
    memset(builder, 0, sizeof(*builder));
}

void tgGltfBuilder_Fail(tgGltfBuilder* builder, tgResult code, int index, const char* format, ...)
{
    if (!tgGltfBuilder_HasFailed(builder)) {
        char message[sizeof(builder->failure.message)];
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(message, sizeof(message), format, arguments);
        va_end(arguments);
        tgFail(&builder->failure, code, index, "%s", message);
    }
}

bool tgGltfBuilder_HasFailed(const tgGltfBuilder* builder)
{
    return builder->failure.code != tg_success;
}

void tgGltfBuilder_Set(tgGltfBuilder* builder, tgJsonValue* object, const char* key,
                       tgJsonValue* value)
{
    if (!tgJson_Set(object, key, value)) {
        tgGltfBuilder_Fail(builder, tg_outOfMemory, -1, "no memory for the document");
    }
}

void tgGltfBuilder_SetWhole(tgGltfBuilder* builder, tgJsonValue* object, const char* key,
                            long long whole)
{
    tgGltfBuilder_Set(builder, object, key, tgMakeJsonWhole(&builder->arena, whole));
}

void tgGltfBuilder_SetText(tgGltfBuilder* builder, tgJsonValue* object, const char* key,
                           const char* text)
{
    tgGltfBuilder_Set(builder, object, key, tgMakeJsonText(&builder->arena, text));
}

void tgGltfBuilder_CopyDocument(tgGltfBuilder* builder, const tgJsonValue* document)
{
    static const char* const gone[] = {"accessors", "bufferViews", "buffers"};
    tgJsonValue* copy = tgCopyJson(&builder->arena, document);
    if (copy == NULL) {
        tgGltfBuilder_Fail(builder, tg_outOfMemory, -1, "no memory to copy the document");
        return;
    }
    builder->document = copy;
    for (size_t i = 0; i < sizeof(gone) / sizeof(gone[0]); ++i) {
        tgJson_Remove(copy, gone[i]);
    }
    if (!tgJson_IsObject(tgJson_Find(copy, "asset"))) {
        tgGltfBuilder_Set(builder, copy, "asset", tgMakeJsonObject(&builder->arena));
    }
    tgJsonValue* asset = tgJson_Find(copy, "asset");
    tgGltfBuilder_SetText(builder, asset, "version", "2.0");
    tgGltfBuilder_SetText(builder, asset, "generator", "turgor");
}

void tgGltfBuilder_Append(tgGltfBuilder* builder, tgJsonValue* array, tgJsonValue* value)
{
    if (!tgJson_Append(array, value)) {
        tgGltfBuilder_Fail(builder, tg_outOfMemory, -1, "no memory for the document");
    }
}

tgJsonValue* tgGltfBuilder_GetArray(tgGltfBuilder* builder, const char* key)
{
    tgJsonValue* array = tgJson_Find(builder->document, key);
    if (array == NULL) {
        array = tgMakeJsonList(&builder->arena);
        tgGltfBuilder_Set(builder, builder->document, key, array);
        array = tgJson_Find(builder->document, key);
    }
    return array;
}

void tgGltfBuilder_BeginView(tgGltfBuilder* builder)
{
    builder->viewStart = builder->spool.size;
}

void tgGltfBuilder_Write(tgGltfBuilder* builder, const void* data, size_t size)
{
    if (tgGltfBuilder_HasFailed(builder)) {
        return;
    }
    if (builder->spool.size + size > builder->sizeLimit) {
        tgGltfBuilder_Fail(builder, tg_unsupported, -1,
                           "the file would pass 4 GiB, the most that glTF readers take; bake fewer "
                           "frames, or to .pc2");
        return;
    }
    tgOutputFile_Write(&builder->spool, data, size, &builder->failure);
}

int tgGltfBuilder_EndView(tgGltfBuilder* builder, int target, int stride)
{
    static const char padding[4];
    uint64_t size = builder->spool.size - builder->viewStart;
    tgJsonValue* view = tgPackJson(&builder->arena, "{s:i, s:I, s:I}", "buffer", 0, "byteOffset",
                                   (long long)builder->viewStart, "byteLength", (long long)size);
    if (stride != 0) {
        tgGltfBuilder_SetWhole(builder, view, "byteStride", stride);
    }
    if (target != tg_gltfNoTarget) {
        tgGltfBuilder_SetWhole(builder, view, "target", target);
    }
    tgGltfBuilder_Append(builder, builder->bufferViews, view);
    // Every view starts on a multiple of 4, which is enough for each component type.
    tgGltfBuilder_Write(builder, padding, (size_t)(-size & 3));
    return tgGltfBuilder_HasFailed(builder) ? -1 : (int)tgJson_CountItems(builder->bufferViews) - 1;
}

int tgGltfBuilder_AddAccessor(tgGltfBuilder* builder, tgJsonValue* accessor)
{
    tgGltfBuilder_Append(builder, builder->accessors, accessor);
    return tgGltfBuilder_HasFailed(builder) ? -1 : (int)tgJson_CountItems(builder->accessors) - 1;
}

static const char* tgGetTypeName(int componentCount)
{
    switch (componentCount) {
    case 1:
        return "SCALAR";
    case 2:
        return "VEC2";
    case 3:
        return "VEC3";
    case 4:
        return "VEC4";
    default:
        return "MAT4";
    }
}

static int tgGetTypeSize(int componentType)
{
    switch (componentType) {
    case tg_gltfByte:
    case tg_gltfUnsignedByte:
        return 1;
    case tg_gltfShort:
    case tg_gltfUnsignedShort:
        return 2;
    default:
        return 4;
    }
}

static void tgSetBounds(tgGltfBuilder* builder, tgJsonValue* accessor, const float* values,
                        int count, int width)
{
    float low[16], high[16];
    TG_ASSERT(width <= 16);
    memcpy(low, values, (size_t)width * sizeof(float));
    memcpy(high, values, (size_t)width * sizeof(float));
    for (int i = 1; i < count; ++i) {
        const float* element = values + (ptrdiff_t)i * width;
        for (int k = 0; k < width; ++k) {
            low[k] = element[k] < low[k] ? element[k] : low[k];
            high[k] = element[k] > high[k] ? element[k] : high[k];
        }
    }
    tgGltfBuilder_Set(builder, accessor, "min", tgMakeJsonFloats(&builder->arena, low, width));
    tgGltfBuilder_Set(builder, accessor, "max", tgMakeJsonFloats(&builder->arena, high, width));
}

int tgGltfBuilder_AddArray(tgGltfBuilder* builder, const tgGltfArray* array)
{
    size_t elementSize =
        (size_t)array->componentCount * (size_t)tgGetTypeSize(array->componentType);
    tgGltfBuilder_BeginView(builder);
    tgGltfBuilder_Write(builder, array->data, (size_t)array->count * elementSize);
    int view = tgGltfBuilder_EndView(builder, array->target, 0);
    tgJsonValue* accessor = tgPackJson(&builder->arena, "{s:i, s:i, s:i, s:s}", "bufferView", view,
                                       "componentType", array->componentType, "count", array->count,
                                       "type", tgGetTypeName(array->componentCount));
    if (array->hasBounds) {
        tgSetBounds(builder, accessor, array->data, array->count, array->componentCount);
    }
    return tgGltfBuilder_AddAccessor(builder, accessor);
}

int tgGltfBuilder_AddPositions(tgGltfBuilder* builder, const tgVec3* positions, int count)
{
    tgGltfArray array = {positions, count, tg_gltfFloat, 3, tg_gltfVertices, true};
    return tgGltfBuilder_AddArray(builder, &array);
}

static bool tgIsZero(tgVec3 v)
{
    return v.x == 0.0f && v.y == 0.0f && v.z == 0.0f;
}

/// Indices of the offsets that are not zero; the first one when all are, for glTF wants one at
/// least.
static int tgWriteSparseIndices(tgGltfBuilder* builder, const tgVec3* offsets, int count,
                                int indexSize)
{
    tgGltfBuilder_BeginView(builder);
    int written = 0;
    for (uint32_t v = 0; v < (uint32_t)count; ++v) {
        if (!tgIsZero(offsets[v]) || (v == (uint32_t)count - 1 && written == 0)) {
            uint32_t index = tgIsZero(offsets[v]) ? 0 : v;
            tgGltfBuilder_Write(builder, &index, (size_t)indexSize); // little endian: the low bytes
            written += 1;
        }
    }
    return tgGltfBuilder_EndView(builder, tg_gltfNoTarget, 0);
}

static int tgWriteSparseValues(tgGltfBuilder* builder, const tgVec3* offsets, int count)
{
    tgGltfBuilder_BeginView(builder);
    int written = 0;
    for (int v = 0; v < count; ++v) {
        if (!tgIsZero(offsets[v]) || (v == count - 1 && written == 0)) {
            tgGltfBuilder_Write(builder, &offsets[v], sizeof(tgVec3));
            written += 1;
        }
    }
    return tgGltfBuilder_EndView(builder, tg_gltfNoTarget, 0);
}

int tgGltfBuilder_AddOffsets(tgGltfBuilder* builder, const tgVec3* offsets, int count,
                             bool hasBounds)
{
    int moved = 0;
    for (int v = 0; v < count; ++v) {
        moved += tgIsZero(offsets[v]) ? 0 : 1;
    }
    moved = moved > 0 ? moved : 1;
    int indexType = count <= 256     ? tg_gltfUnsignedByte
                    : count <= 65536 ? tg_gltfUnsignedShort
                                     : tg_gltfUnsignedInt;
    int indexSize = tgGetTypeSize(indexType);
    size_t sparseSize = (size_t)moved * (sizeof(tgVec3) + (size_t)indexSize) + tg_sparseTextSize;
    if (sparseSize >= (size_t)count * sizeof(tgVec3)) {
        tgGltfArray array = {offsets, count, tg_gltfFloat, 3, tg_gltfVertices, hasBounds};
        return tgGltfBuilder_AddArray(builder, &array);
    }
    int indices = tgWriteSparseIndices(builder, offsets, count, indexSize);
    int values = tgWriteSparseValues(builder, offsets, count);
    tgJsonValue* accessor = tgPackJson(
        &builder->arena, "{s:i, s:i, s:s, s:{s:i, s:{s:i, s:i}, s:{s:i}}}", "componentType",
        tg_gltfFloat, "count", count, "type", "VEC3", "sparse", "count", moved, "indices",
        "bufferView", indices, "componentType", indexType, "values", "bufferView", values);
    if (hasBounds) {
        tgSetBounds(builder, accessor, &offsets->x, count, 3);
    }
    return tgGltfBuilder_AddAccessor(builder, accessor);
}

int tgGltfBuilder_AddSlice(tgGltfBuilder* builder, const tgVec3* vectors, int count, bool hasBounds,
                           int view, size_t offset)
{
    tgJsonValue* accessor = tgPackJson(&builder->arena, "{s:i, s:I, s:i, s:i, s:s}", "bufferView",
                                       view, "byteOffset", (long long)offset, "componentType",
                                       tg_gltfFloat, "count", count, "type", "VEC3");
    if (hasBounds) {
        tgSetBounds(builder, accessor, &vectors->x, count, 3);
    }
    return tgGltfBuilder_AddAccessor(builder, accessor);
}
