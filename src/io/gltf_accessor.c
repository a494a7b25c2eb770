// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Accessors (section 3.6.2 of the glTF specification): looked up once and checked against their
// buffers, then decoded in loops that know their type. Values need not be aligned in the file, so
// they are loaded with memcpy, which compilers turn into plain loads.

#include "io/gltf_accessor.h"

#include "core/core.h"
#include "io/gltf_json.h"

#include <limits.h>
#include <string.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the glTF reader loads little-endian values as they are"
#endif

static int tgGetComponentSize(size_t componentType)
{
    switch (componentType) {
    case tg_componentInt8:
    case tg_componentUint8:
        return 1;
    case tg_componentInt16:
    case tg_componentUint16:
        return 2;
    case tg_componentUint32:
    case tg_componentFloat:
        return 4;
    default:
        return 0;
    }
}

/// Fills in what "type" says; false for a type that glTF does not have.
static bool tgSetElementType(tgGltfAccessor* accessor, const char* type)
{
    static const struct {
        const char* name;
        int rows, columns;
    } types[] = {
        {"SCALAR", 1, 1}, {"VEC2", 2, 1}, {"VEC3", 3, 1}, {"VEC4", 4, 1},
        {"MAT2", 2, 2},   {"MAT3", 3, 3}, {"MAT4", 4, 4},
    };
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); ++i) {
        if (strcmp(type, types[i].name) != 0) {
            continue;
        }
        int columnSize = types[i].rows * accessor->componentSize;
        accessor->isMatrix = types[i].columns > 1;
        if (accessor->isMatrix) {
            columnSize = (columnSize + 3) / 4 * 4; // columns of matrices start on 4 bytes
        }
        accessor->componentCount = types[i].rows * types[i].columns;
        accessor->elementSize = columnSize * types[i].columns;
        return true;
    }
    return false;
}

static tgResult tgReadHeader(const tgJsonValue* json, const char* place, tgGltfAccessor* accessor,
                             tgError* error)
{
    size_t count = 0;
    size_t componentType = 0;
    const char* type = "";
    tgResult result = tgJson_GetSize(json, "count", place, &count, error);
    if (result == tg_success) {
        result = tgJson_GetSize(json, "componentType", place, &componentType, error);
    }
    if (result == tg_success) {
        result = tgJson_GetText(json, "type", place, &type, error);
    }
    if (result != tg_success) {
        return result;
    }
    if (count < 1 || count > INT_MAX) {
        return tgFail(error, tg_invalidMesh, -1, "%s.count is %zu, expected 1 to %d", place, count,
                      INT_MAX);
    }
    accessor->count = (int)count;
    accessor->componentSize = tgGetComponentSize(componentType);
    if (accessor->componentSize == 0) {
        return tgFail(error, tg_invalidMesh, -1,
                      "%s.componentType is %zu, expected 5120 to 5123, 5125 or 5126", place,
                      componentType);
    }
    accessor->componentType = (int)componentType;
    if (!tgSetElementType(accessor, type)) {
        tgPlace found = tgShortenText(type);
        return tgFail(error, tg_invalidMesh, -1,
                      "%s.type is \"%s\", expected SCALAR, VEC2 to VEC4 or MAT2 to MAT4", place,
                      found.text);
    }
    accessor->normalized = tgJson_IsTrue(tgJson_Find(json, "normalized"));
    return tg_success;
}

/// A run of elements inside a buffer view.
typedef struct tgElements {
    const uint8_t* data;
    size_t stride;
} tgElements;

/// Finds `count` elements and makes sure the last one ends inside the view. Leaves `elements` alone
/// when the object has no bufferView.
static tgResult tgFindElements(const tgGltfSource* source, const tgJsonValue* json,
                               const char* place, int count, int elementSize, tgElements* elements,
                               tgError* error)
{
    size_t viewCount = tgJson_CountItems(tgJson_Find(source->document, "bufferViews"));
    int view = -1;
    size_t offset = 0;
    tgResult result = tgJson_GetIndex(json, "bufferView", place, viewCount, &view, error);
    if (result == tg_success) {
        result = tgJson_GetSize(json, "byteOffset", place, &offset, error);
    }
    if (result != tg_success || view < 0) {
        return result;
    }
    const uint8_t* data = NULL;
    size_t size = 0;
    int step = 0;
    result = tgGltfSource_GetBufferView(source, view, &data, &size, &step, error);
    if (result != tg_success) {
        return result;
    }
    uint64_t stride = step > 0 ? (uint64_t)step : (uint64_t)elementSize;
    if (stride < (uint64_t)elementSize) {
        return tgFail(error, tg_invalidMesh, -1,
                      "bufferViews[%d].byteStride is %d, an element of %s takes %d bytes", view,
                      step, place, elementSize);
    }
    // Below 2^31 * 2^20 + 2^6, so it cannot wrap.
    uint64_t needed = (uint64_t)(count - 1) * stride + (uint64_t)elementSize;
    if (offset > size || needed > size - offset) {
        return tgFail(error, tg_invalidMesh, -1,
                      "%s needs %llu bytes from byte %zu, bufferViews[%d] has %zu", place,
                      (unsigned long long)needed, offset, view, size);
    }
    elements->data = data + offset;
    elements->stride = (size_t)stride;
    return tg_success;
}

static uint32_t tgLoadUnsigned(const uint8_t* bytes, int size)
{
    uint32_t value = 0;
    memcpy(&value, bytes, (size_t)size);
    return value;
}

/// The replaced elements, once it is known that there are some and where their numbers are.
static tgResult tgFindReplacements(const tgGltfSource* source, const tgJsonValue* indices,
                                   const tgJsonValue* values, const char* place,
                                   tgGltfAccessor* accessor, tgError* error)
{
    tgPlace indicesPlace = tgMakePlace("%s.indices", place);
    tgPlace valuesPlace = tgMakePlace("%s.values", place);
    tgElements indexRun = {0};
    tgElements valueRun = {0};
    size_t indexSize = (size_t)accessor->sparseIndexSize;
    tgResult result = tgFindElements(source, indices, indicesPlace.text, accessor->sparseCount,
                                     accessor->sparseIndexSize, &indexRun, error);
    if (result == tg_success) {
        result = tgFindElements(source, values, valuesPlace.text, accessor->sparseCount,
                                accessor->elementSize, &valueRun, error);
    }
    if (result != tg_success) {
        return result;
    }
    if (indexRun.data == NULL || valueRun.data == NULL || indexRun.stride != indexSize ||
        valueRun.stride != (size_t)accessor->elementSize) {
        return tgFail(error, tg_invalidMesh, -1,
                      "%s needs buffer views without a byteStride for its indices and values",
                      place);
    }
    for (size_t i = 0; i < (size_t)accessor->sparseCount; ++i) {
        uint32_t index = tgLoadUnsigned(indexRun.data + i * indexSize, (int)indexSize);
        if (index >= (uint32_t)accessor->count) {
            return tgFail(error, tg_invalidMesh, -1, "%s[%zu] is %u, the accessor has %d elements",
                          indicesPlace.text, i, index, accessor->count);
        }
    }
    accessor->sparseIndices = indexRun.data;
    accessor->sparseValues = valueRun.data;
    return tg_success;
}

static tgResult tgReadSparse(const tgGltfSource* source, const tgJsonValue* sparse,
                             const char* place, tgGltfAccessor* accessor, tgError* error)
{
    size_t count = 0;
    size_t indexType = 0;
    const tgJsonValue* indices = NULL;
    const tgJsonValue* values = NULL;
    tgPlace indicesPlace = tgMakePlace("%s.sparse.indices", place);
    tgPlace sparsePlace = tgMakePlace("%s.sparse", place);
    tgResult result = tgJson_GetSize(sparse, "count", sparsePlace.text, &count, error);
    if (result == tg_success) {
        result = tgJson_GetObject(sparse, "indices", sparsePlace.text, &indices, error);
    }
    if (result == tg_success) {
        result = tgJson_GetObject(sparse, "values", sparsePlace.text, &values, error);
    }
    if (result == tg_success) {
        result = tgJson_GetSize(indices, "componentType", indicesPlace.text, &indexType, error);
    }
    if (result != tg_success) {
        return result;
    }
    if (count > (size_t)accessor->count) {
        return tgFail(error, tg_invalidMesh, -1, "%s.count is %zu, the accessor has %d elements",
                      sparsePlace.text, count, accessor->count);
    }
    if (count == 0) {
        return tg_success;
    }
    if (indexType != tg_componentUint8 && indexType != tg_componentUint16 &&
        indexType != tg_componentUint32) {
        return tgFail(error, tg_invalidMesh, -1,
                      "%s.componentType is %zu, expected 5121, 5123 or 5125", indicesPlace.text,
                      indexType);
    }
    accessor->sparseCount = (int)count;
    accessor->sparseIndexSize = tgGetComponentSize(indexType);
    return tgFindReplacements(source, indices, values, sparsePlace.text, accessor, error);
}

tgResult tgGltfSource_GetAccessor(const tgGltfSource* source, int index, tgGltfAccessor* accessor,
                                  tgError* error)
{
    *accessor = (tgGltfAccessor){0};
    tgPlace place = tgMakePlace("accessors[%d]", index);
    const tgJsonValue* accessors = tgJson_Find(source->document, "accessors");
    const tgJsonValue* json = index >= 0 ? tgJson_GetItem(accessors, (size_t)index) : NULL;
    if (json == NULL) {
        return tgFail(error, tg_invalidMesh, -1, "%s does not exist", place.text);
    }
    tgResult result = tgReadHeader(json, place.text, accessor, error);
    if (result != tg_success) {
        return result;
    }
    tgElements elements = {0};
    result = tgFindElements(source, json, place.text, accessor->count, accessor->elementSize,
                            &elements, error);
    if (result != tg_success) {
        return result;
    }
    accessor->data = elements.data;
    accessor->stride = elements.stride;
    const tgJsonValue* sparse = NULL;
    result = tgJson_GetObject(json, "sparse", place.text, &sparse, error);
    if (result == tg_success && sparse != NULL) {
        result = tgReadSparse(source, sparse, place.text, accessor, error);
    }
    return result;
}

void tgGltfAccessor_CopyPacked(const tgGltfAccessor* accessor, uint8_t* bytes)
{
    size_t count = (size_t)accessor->count;
    size_t size = (size_t)accessor->elementSize;
    if (accessor->data == NULL) {
        memset(bytes, 0, count * size);
    } else if (accessor->stride == size) {
        memcpy(bytes, accessor->data, count * size);
    } else {
        for (size_t i = 0; i < count; ++i) {
            memcpy(bytes + i * size, accessor->data + i * accessor->stride, size);
        }
    }
    for (size_t i = 0; i < (size_t)accessor->sparseCount; ++i) {
        size_t indexSize = (size_t)accessor->sparseIndexSize;
        size_t index = tgLoadUnsigned(accessor->sparseIndices + i * indexSize, (int)indexSize);
        memcpy(bytes + index * size, accessor->sparseValues + i * size, size);
    }
}

/// One decoder for each integer type, so that the inner loop has no branch on it. Signed types have
/// one value below -1, which the specification maps to -1.
#define TG_DEFINE_DECODER(name, type)                                                              \
    static void name(const tgGltfAccessor* accessor, const uint8_t* data, size_t count,            \
                     float divisor, float* values)                                                 \
    {                                                                                              \
        size_t width = (size_t)accessor->componentCount;                                           \
        float lowest = accessor->normalized ? -1.0f : -4294967296.0f;                              \
        for (size_t i = 0; i < count; ++i, data += accessor->stride, values += width) {            \
            for (size_t c = 0; c < width; ++c) {                                                   \
                type component;                                                                    \
                memcpy(&component, data + c * sizeof(type), sizeof(type));                         \
                float value = (float)component / divisor;                                          \
                values[c] = value > lowest ? value : lowest;                                       \
            }                                                                                      \
        }                                                                                          \
    }

TG_DEFINE_DECODER(tgDecodeInt8, int8_t)
TG_DEFINE_DECODER(tgDecodeUint8, uint8_t)
TG_DEFINE_DECODER(tgDecodeInt16, int16_t)
TG_DEFINE_DECODER(tgDecodeUint16, uint16_t)
TG_DEFINE_DECODER(tgDecodeUint32, uint32_t)

static void tgDecodeFloat(const tgGltfAccessor* accessor, const uint8_t* data, size_t count,
                          float* values)
{
    size_t size = (size_t)accessor->elementSize;
    if (accessor->stride == size) {
        memcpy(values, data, count * size);
        return;
    }
    size_t width = (size_t)accessor->componentCount;
    for (size_t i = 0; i < count; ++i) {
        memcpy(values + i * width, data + i * accessor->stride, size);
    }
}

/// `accessor` gives the type and the stride; the elements come from `data`.
static void tgDecode(const tgGltfAccessor* accessor, const uint8_t* data, size_t count,
                     float* values)
{
    bool normalized = accessor->normalized;
    switch (accessor->componentType) {
    case tg_componentInt8:
        tgDecodeInt8(accessor, data, count, normalized ? 127.0f : 1.0f, values);
        break;
    case tg_componentUint8:
        tgDecodeUint8(accessor, data, count, normalized ? 255.0f : 1.0f, values);
        break;
    case tg_componentInt16:
        tgDecodeInt16(accessor, data, count, normalized ? 32767.0f : 1.0f, values);
        break;
    case tg_componentUint16:
        tgDecodeUint16(accessor, data, count, normalized ? 65535.0f : 1.0f, values);
        break;
    case tg_componentUint32:
        tgDecodeUint32(accessor, data, count, normalized ? 4294967295.0f : 1.0f, values);
        break;
    default:
        tgDecodeFloat(accessor, data, count, values);
        break;
    }
}

void tgGltfAccessor_CopyFloats(const tgGltfAccessor* accessor, float* values)
{
    size_t width = (size_t)accessor->componentCount;
    if (accessor->data == NULL) {
        memset(values, 0, (size_t)accessor->count * width * sizeof(float));
    } else {
        tgDecode(accessor, accessor->data, (size_t)accessor->count, values);
    }
    for (size_t i = 0; i < (size_t)accessor->sparseCount; ++i) {
        size_t indexSize = (size_t)accessor->sparseIndexSize;
        size_t index = tgLoadUnsigned(accessor->sparseIndices + i * indexSize, (int)indexSize);
        const uint8_t* value = accessor->sparseValues + i * (size_t)accessor->elementSize;
        tgDecode(accessor, value, 1, values + index * width);
    }
}

bool tgGltfAccessor_IsUnsigned(const tgGltfAccessor* accessor)
{
    return accessor->componentType == tg_componentUint8 ||
           accessor->componentType == tg_componentUint16 ||
           accessor->componentType == tg_componentUint32;
}

#define TG_DEFINE_WIDENER(name, type)                                                              \
    static void name(const tgGltfAccessor* accessor, const uint8_t* data, size_t count,            \
                     uint32_t* values)                                                             \
    {                                                                                              \
        size_t width = (size_t)accessor->componentCount;                                           \
        for (size_t i = 0; i < count; ++i, data += accessor->stride, values += width) {            \
            for (size_t c = 0; c < width; ++c) {                                                   \
                type component;                                                                    \
                memcpy(&component, data + c * sizeof(type), sizeof(type));                         \
                values[c] = component;                                                             \
            }                                                                                      \
        }                                                                                          \
    }

TG_DEFINE_WIDENER(tgWidenUint8, uint8_t)
TG_DEFINE_WIDENER(tgWidenUint16, uint16_t)
TG_DEFINE_WIDENER(tgWidenUint32, uint32_t)

static void tgWiden(const tgGltfAccessor* accessor, const uint8_t* data, size_t count,
                    uint32_t* values)
{
    if (accessor->componentType == tg_componentUint8) {
        tgWidenUint8(accessor, data, count, values);
    } else if (accessor->componentType == tg_componentUint16) {
        tgWidenUint16(accessor, data, count, values);
    } else {
        tgWidenUint32(accessor, data, count, values);
    }
}

void tgGltfAccessor_CopyUnsigned(const tgGltfAccessor* accessor, uint32_t* values)
{
    size_t width = (size_t)accessor->componentCount;
    if (accessor->data == NULL) {
        memset(values, 0, (size_t)accessor->count * width * sizeof(uint32_t));
    } else {
        tgWiden(accessor, accessor->data, (size_t)accessor->count, values);
    }
    for (size_t i = 0; i < (size_t)accessor->sparseCount; ++i) {
        size_t indexSize = (size_t)accessor->sparseIndexSize;
        size_t index = tgLoadUnsigned(accessor->sparseIndices + i * indexSize, (int)indexSize);
        const uint8_t* value = accessor->sparseValues + i * (size_t)accessor->elementSize;
        tgWiden(accessor, value, 1, values + index * width);
    }
}
