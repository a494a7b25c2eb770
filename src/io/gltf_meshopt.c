// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// EXT_meshopt_compression for a glTF that is all put together: each buffer view that accessors use
// is encoded for itself. Offsets of morph targets are whole multiples of one power of two, so the
// exponential filter keeps them as integers. Positions, normals, texture coordinates and weights
// are rounded to such grids, too, far finer than anyone sees; all else is kept to the bit. Whoever
// reads the file needs the extension; the second buffer, which views refer to, has no bytes.

#include "core/core.h"
#include "io/gltf_correctives.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifndef TURGOR_HAS_MESHOPT

void tgCompressViews(tgCorrectivesWork* work)
{
    tgGltfBuilder_Fail(&work->builder, tg_unsupported, -1,
                       "this build cannot compress: it was made without meshoptimizer");
}

#else

#include <meshoptimizer.h>

#define TG_MESHOPT "EXT_meshopt_compression"

/// What accessors say about a view.
typedef struct tgViewUse {
    int accessorCount;
    int elementSize; ///< bytes; 0 when accessors differ
    bool isIndices;
    bool isTriangles; ///< the indices of triangles, in one accessor
} tgViewUse;

enum {
    tg_noExponent = 127, ///< of a float that is kept as it is
    tg_positionBits = 17,
    tg_normalBits = 9,
    tg_textureBits = 13,
    tg_weightBits = 14,
};

typedef struct tgPacker {
    tgCorrectivesWork* work;
    tgViewUse* uses;
    int8_t** exponents; ///< of each view: one for each of its floats; NULL: all as they are
    size_t viewCount;
    uint8_t* bytes;     ///< of the file so far
    tgOutputFile spool; ///< of the compressed one
    uint64_t unpackedSize;
} tgPacker;

static int tgGetElementSize(const tgJsonValue* accessor)
{
    static const char* const names[] = {"SCALAR", "VEC2", "VEC3", "VEC4", "MAT4"};
    static const int widths[] = {1, 2, 3, 4, 16};
    const char* type = tgJson_GetString(tgJson_Find(accessor, "type"));
    long long component = tgJson_GetWhole(tgJson_Find(accessor, "componentType"));
    int size = component == tg_gltfByte || component == tg_gltfUnsignedByte     ? 1
               : component == tg_gltfShort || component == tg_gltfUnsignedShort ? 2
                                                                                : 4;
    for (size_t i = 0; type != NULL && i < sizeof(names) / sizeof(names[0]); ++i) {
        if (strcmp(type, names[i]) == 0) {
            return size * widths[i];
        }
    }
    return 0;
}

static void tgListUses(tgPacker* packer)
{
    tgJsonValue* accessor = NULL;
    for (size_t index = 0;
         (accessor = tgJson_GetItem(packer->work->builder.accessors, index)) != NULL; ++index) {
        const tgJsonValue* view = tgJson_Find(accessor, "bufferView");
        if (!tgJson_IsWhole(view) || (size_t)tgJson_GetWhole(view) >= packer->viewCount) {
            continue;
        }
        tgViewUse* use = &packer->uses[tgJson_GetWhole(view)];
        int size = tgGetElementSize(accessor);
        use->elementSize = use->accessorCount == 0 || use->elementSize == size ? size : 0;
        use->accessorCount += 1;
    }
}

/// Views of indices, which have a codec of their own.
static void tgListIndices(tgPacker* packer)
{
    const tgGltfBuilder* builder = &packer->work->builder;
    tgJsonValue *mesh = NULL, *primitive = NULL;
    for (size_t m = 0; (mesh = tgJson_GetItem(tgJson_Find(builder->document, "meshes"), m)) != NULL;
         ++m) {
        for (size_t p = 0; (primitive = tgJson_GetItem(tgJson_Find(mesh, "primitives"), p)) != NULL;
             ++p) {
            const tgJsonValue* indices = tgJson_Find(primitive, "indices");
            const tgJsonValue* mode = tgJson_Find(primitive, "mode");
            const tgJsonValue* accessor =
                indices == NULL
                    ? NULL
                    : tgJson_GetItem(builder->accessors, (size_t)tgJson_GetWhole(indices));
            const tgJsonValue* view = tgJson_Find(accessor, "bufferView");
            if (view != NULL && (size_t)tgJson_GetWhole(view) < packer->viewCount) {
                tgViewUse* use = &packer->uses[tgJson_GetWhole(view)];
                bool isList = mode == NULL || tgJson_GetWhole(mode) == 4;
                use->isIndices = true;
                use->isTriangles = isList && use->accessorCount == 1;
            }
        }
    }
}

/// Multiples of powers of two as the filter has them: 8 bits of exponent, 24 of the integer.
static void tgEncodeSteps(const uint8_t* bytes, size_t count, const int8_t* exponents,
                          uint32_t* out)
{
    for (size_t i = 0; i < count; ++i) {
        float value;
        memcpy(&value, bytes + 4 * i, sizeof(value));
        int32_t steps = (int32_t)lrintf(ldexpf(value, -exponents[i]));
        out[i] = ((uint32_t)exponents[i] << 24) | ((uint32_t)steps & 0xffffff);
    }
}

/// Exponents of a view, all of them the same to begin with.
static int8_t* tgGetExponents(tgPacker* packer, size_t view, int exponent)
{
    const tgJsonValue* json = tgJson_GetItem(packer->work->builder.bufferViews, view);
    size_t count = (size_t)tgJson_GetWhole(tgJson_Find(json, "byteLength")) / 4;
    if (packer->exponents[view] == NULL) {
        packer->exponents[view] = malloc(count + 1);
        if (packer->exponents[view] != NULL) {
            memset(packer->exponents[view], exponent, count);
        } else {
            tgGltfBuilder_Fail(&packer->work->builder, tg_outOfMemory, -1,
                               "no memory to compress the file");
        }
    }
    return packer->exponents[view];
}

/// The floats of an attribute: where they lie, and on which grid they go.
typedef struct tgFloats {
    uint8_t* bytes;    ///< of the first one's view
    int8_t* exponents; ///< of that view
    size_t first;      ///< in floats
    size_t stride;     ///< in floats
    size_t count;
    int width;
} tgFloats;

static bool tgFindFloats(tgPacker* packer, const tgJsonValue* accessor, tgFloats* floats)
{
    const tgGltfBuilder* builder = &packer->work->builder;
    const tgJsonValue* viewIndex = tgJson_Find(accessor, "bufferView");
    if (tgJson_GetWhole(tgJson_Find(accessor, "componentType")) != tg_gltfFloat ||
        viewIndex == NULL || tgJson_Find(accessor, "sparse") != NULL ||
        (size_t)tgJson_GetWhole(viewIndex) >= packer->viewCount) {
        return false;
    }
    size_t at = (size_t)tgJson_GetWhole(viewIndex);
    const tgJsonValue* view = tgJson_GetItem(builder->bufferViews, at);
    size_t offset = (size_t)tgJson_GetWhole(tgJson_Find(accessor, "byteOffset"));
    size_t start = (size_t)tgJson_GetWhole(tgJson_Find(view, "byteOffset"));
    size_t length = (size_t)tgJson_GetWhole(tgJson_Find(view, "byteLength"));
    size_t stride = (size_t)tgJson_GetWhole(tgJson_Find(view, "byteStride"));
    size_t size = (size_t)tgGetElementSize(accessor);
    stride = stride != 0 ? stride : size;
    floats->count = (size_t)tgJson_GetWhole(tgJson_Find(accessor, "count"));
    if (size == 0 || offset % 4 != 0 || stride % 4 != 0 || floats->count == 0 ||
        offset + stride * (floats->count - 1) + size > length ||
        start + length > builder->spool.size) {
        return false;
    }
    floats->bytes = packer->bytes + start;
    floats->first = offset / 4;
    floats->stride = stride / 4;
    floats->width = (int)(size / 4);
    floats->exponents = tgGetExponents(packer, at, tg_noExponent);
    return floats->exponents != NULL;
}

static size_t tgFloats_Find(const tgFloats* floats, size_t element, int k)
{
    return floats->first + element * floats->stride + (size_t)k;
}

static float tgFloats_Get(const tgFloats* floats, size_t element, int k)
{
    float value;
    memcpy(&value, floats->bytes + 4 * tgFloats_Find(floats, element, k), sizeof(value));
    return value;
}

static void tgFloats_Round(const tgFloats* floats, size_t element, int k, float value, int exponent)
{
    size_t at = tgFloats_Find(floats, element, k);
    value = ldexpf(rintf(ldexpf(value, -exponent)), exponent);
    memcpy(floats->bytes + 4 * at, &value, sizeof(value));
    floats->exponents[at] = (int8_t)exponent;
}

static float tgFloats_FindLargest(const tgFloats* floats)
{
    float most = 0.0f;
    for (size_t i = 0; i < floats->count; ++i) {
        for (int k = 0; k < floats->width; ++k) {
            most = fmaxf(most, fabsf(tgFloats_Get(floats, i, k)));
        }
    }
    return most;
}

static void tgRoundAll(const tgFloats* floats, int exponent)
{
    for (size_t i = 0; i < floats->count; ++i) {
        for (int k = 0; k < floats->width; ++k) {
            tgFloats_Round(floats, i, k, tgFloats_Get(floats, i, k), exponent);
        }
    }
}

/// Four weights of a vertex so that they still sum to one: the largest takes what the others leave.
static void tgRoundWeights(const tgFloats* floats)
{
    for (size_t i = 0; i < floats->count && floats->width == 4; ++i) {
        int largest = 0;
        float rest = 1.0f;
        for (int k = 1; k < 4; ++k) {
            largest = tgFloats_Get(floats, i, k) > tgFloats_Get(floats, i, largest) ? k : largest;
        }
        for (int k = 0; k < 4; ++k) {
            if (k != largest) {
                tgFloats_Round(floats, i, k, tgFloats_Get(floats, i, k), -tg_weightBits);
                rest -= tgFloats_Get(floats, i, k);
            }
        }
        tgFloats_Round(floats, i, largest, rest, -tg_weightBits);
    }
}

/// min and max of a rounded accessor are rounded alike.
static void tgRoundBounds(tgPacker* packer, tgJsonValue* accessor, int exponent)
{
    static const char* const keys[] = {"min", "max"};
    for (size_t i = 0; i < 2; ++i) {
        tgJsonValue* bounds = tgJson_Find(accessor, keys[i]);
        float values[16];
        size_t count = tgJson_CountItems(bounds);
        for (size_t k = 0; k < count && k < 16; ++k) {
            float value = (float)tgJson_GetNumber(tgJson_GetItem(bounds, k));
            values[k] = ldexpf(rintf(ldexpf(value, -exponent)), exponent);
        }
        if (count > 0 && count <= 16) {
            tgGltfBuilder_Set(&packer->work->builder, accessor, keys[i],
                              tgMakeJsonFloats(&packer->work->builder.arena, values, (int)count));
        }
    }
}

static void tgRoundAttribute(tgPacker* packer, const char* key, tgJsonValue* accessor,
                             bool hasOneSet)
{
    tgFloats floats;
    bool isWeights = strcmp(key, "WEIGHTS_0") == 0 && hasOneSet;
    bool isPosition = strcmp(key, "POSITION") == 0, isNormal = strcmp(key, "NORMAL") == 0;
    bool isTexture = strncmp(key, "TEXCOORD_", 9) == 0;
    if (!(isWeights || isPosition || isNormal || isTexture) ||
        !tgFindFloats(packer, accessor, &floats)) {
        return;
    }
    if (floats.exponents[floats.first] != tg_noExponent) {
        return; // done for another primitive
    }
    if (isWeights) {
        tgRoundWeights(&floats);
        return;
    }
    float largest = tgFloats_FindLargest(&floats);
    int size = largest > 0.0f ? (int)ceilf(log2f(largest)) : 0;
    int exponent = isPosition ? size - tg_positionBits
                   : isNormal ? -tg_normalBits
                              : -tg_textureBits;
    if (size - exponent < 23 && exponent > -100) {
        tgRoundAll(&floats, exponent);
        tgRoundBounds(packer, accessor, exponent);
    }
}

/// Attributes of all meshes on their grids.
static void tgRoundAttributes(tgPacker* packer)
{
    const tgGltfBuilder* builder = &packer->work->builder;
    tgJsonValue *mesh = NULL, *primitive = NULL, *value = NULL;
    for (size_t m = 0; (mesh = tgJson_GetItem(tgJson_Find(builder->document, "meshes"), m)) != NULL;
         ++m) {
        for (size_t p = 0; (primitive = tgJson_GetItem(tgJson_Find(mesh, "primitives"), p)) != NULL;
             ++p) {
            tgJsonValue* attributes = tgJson_Find(primitive, "attributes");
            bool hasOneSet = tgJson_Find(attributes, "WEIGHTS_1") == NULL;
            for (size_t member = 0; (value = tgJson_GetMember(attributes, member)) != NULL;
                 ++member) {
                tgJsonValue* accessor =
                    tgJson_GetItem(builder->accessors, (size_t)tgJson_GetWhole(value));
                tgRoundAttribute(packer, value->key, accessor, hasOneSet);
            }
        }
    }
}

/// Have all floats of a view a grid?
static bool tgIsOnGrid(const int8_t* exponents, size_t count)
{
    bool isOn = exponents != NULL;
    for (size_t i = 0; i < count && isOn; ++i) {
        isOn = exponents[i] != tg_noExponent;
    }
    return isOn;
}

static bool tgHolds(const tgJsonValue* list, size_t view)
{
    tgJsonValue* value = NULL;
    for (size_t index = 0; (value = tgJson_GetItem(list, index)) != NULL; ++index) {
        if ((size_t)tgJson_GetWhole(value) == view) {
            return true;
        }
    }
    return false;
}

/// Memory for meshoptimizer, which ends the program where it gets none. Its callbacks have no place
/// for a pointer of ours, so this is the one thing that all threads share; one file is compressed
/// at a time.
static struct {
    uint8_t* bytes;
    size_t used, size;
} tg_arena;

static void* tgTakeArena(size_t size)
{
    size_t rounded = (size + 15) / 16 * 16;
    void* taken = tg_arena.bytes + tg_arena.used;
    TG_ASSERT(tg_arena.used + rounded <= tg_arena.size);
    tg_arena.used += rounded;
    return taken;
}

static void tgGiveArena(void* taken)
{
    (void)taken; // all at once
}

/// Triangles with neighbours next to each other: what the codec wants. They stay as they are
/// without memory.
/// @return false then
static bool tgSortTriangles(uint32_t* indices, size_t count, size_t vertexCount)
{
    // It takes 16 bytes for each vertex and 29 for each triangle, and its blocks are rounded up.
    tg_arena.size = 16 * vertexCount + 32 * count + 4096;
    tg_arena.used = 0;
    tg_arena.bytes = malloc(tg_arena.size);
    if (tg_arena.bytes != NULL) {
        meshopt_setAllocator(tgTakeArena, tgGiveArena);
        meshopt_optimizeVertexCache(indices, indices, count, vertexCount);
        free(tg_arena.bytes);
    }
    bool good = tg_arena.bytes != NULL;
    tg_arena.bytes = NULL;
    return good;
}

/// One view, encoded.
typedef struct tgPackedView {
    const char* mode;
    const char* filter; ///< NULL: none
    size_t count, stride;
    uint8_t* bytes;
    size_t size; ///< 0: it does not get smaller
    bool hasRunOut;
} tgPackedView;

static void tgPackIndices(tgPackedView* packed, const uint8_t* bytes, bool isTriangles)
{
    uint32_t* indices = malloc(packed->count * sizeof(uint32_t));
    uint32_t most = 0;
    for (size_t i = 0; i < packed->count && indices != NULL; ++i) {
        indices[i] = 0;
        memcpy(&indices[i], bytes + i * packed->stride, packed->stride);
        most = indices[i] > most ? indices[i] : most;
    }
    isTriangles = isTriangles && packed->count % 3 == 0;
    packed->mode = isTriangles ? "TRIANGLES" : "INDICES";
    size_t vertexCount = (size_t)most + 1;
    if (isTriangles && indices != NULL && !tgSortTriangles(indices, packed->count, vertexCount)) {
        packed->hasRunOut = true;
    }
    size_t room = isTriangles ? meshopt_encodeIndexBufferBound(packed->count, vertexCount)
                              : meshopt_encodeIndexSequenceBound(packed->count, vertexCount);
    packed->bytes = malloc(room);
    if (indices != NULL && packed->bytes != NULL) {
        packed->size =
            isTriangles ? meshopt_encodeIndexBuffer(packed->bytes, room, indices, packed->count)
                        : meshopt_encodeIndexSequence(packed->bytes, room, indices, packed->count);
    }
    packed->hasRunOut |= indices == NULL || packed->bytes == NULL;
    free(indices);
}

static void tgPackElements(tgPackedView* packed, const uint8_t* bytes)
{
    size_t room = meshopt_encodeVertexBufferBound(packed->count, packed->stride);
    packed->mode = "ATTRIBUTES";
    packed->bytes = malloc(room);
    if (packed->bytes != NULL) {
        packed->size =
            meshopt_encodeVertexBuffer(packed->bytes, room, bytes, packed->count, packed->stride);
    }
    packed->hasRunOut |= packed->bytes == NULL;
}

static tgPackedView tgPackView(tgPacker* packer, size_t index, const tgJsonValue* view, size_t size)
{
    const tgCorrectivesFile* file = packer->work->file;
    const tgViewUse* use = &packer->uses[index];
    const uint8_t* bytes = packer->bytes + (size_t)tgJson_GetWhole(tgJson_Find(view, "byteOffset"));
    size_t given = (size_t)tgJson_GetWhole(tgJson_Find(view, "byteStride"));
    tgPackedView packed = {0};
    if (use->isIndices && (use->elementSize == 2 || use->elementSize == 4)) {
        packed.stride = (size_t)use->elementSize;
        packed.count = size / packed.stride;
        if (packed.count > 0) {
            tgPackIndices(&packed, bytes, use->isTriangles);
        }
        return packed;
    }
    bool isWhole = use->elementSize > 0 && use->elementSize % 4 == 0 && use->elementSize <= 256;
    packed.stride = given > 0 ? given : isWhole ? (size_t)use->elementSize : 4;
    packed.count = size / packed.stride;
    if (packed.stride % 4 != 0 || packed.stride > 256 || packed.count == 0 ||
        packed.count * packed.stride != size || use->isIndices) {
        return packed;
    }
    if (tgHolds(packer->work->offsetViews, index)) {
        tgGetExponents(packer, index, file->offsetExponent);
    } else if (tgHolds(packer->work->normalViews, index)) {
        tgGetExponents(packer, index, file->normalExponent);
    }
    if (tgIsOnGrid(packer->exponents[index], size / 4)) {
        uint32_t* steps = malloc(size);
        if (steps != NULL) {
            tgEncodeSteps(bytes, size / 4, packer->exponents[index], steps);
            packed.filter = "EXPONENTIAL";
            tgPackElements(&packed, (const uint8_t*)steps);
        }
        packed.hasRunOut |= steps == NULL;
        free(steps);
    } else {
        tgPackElements(&packed, bytes);
    }
    return packed;
}

static void tgWritePadded(tgPacker* packer, const void* bytes, size_t size)
{
    static const char padding[4];
    tgGltfBuilder* builder = &packer->work->builder;
    if (!tgGltfBuilder_HasFailed(builder) &&
        tgOutputFile_Write(&packer->spool, bytes, size, &builder->failure) == tg_success) {
        tgOutputFile_Write(&packer->spool, padding, (size_t)(-size & 3), &builder->failure);
    }
}

static void tgMoveView(tgPacker* packer, size_t index, tgJsonValue* view)
{
    tgGltfBuilder* builder = &packer->work->builder;
    size_t size = (size_t)tgJson_GetWhole(tgJson_Find(view, "byteLength"));
    size_t offset = (size_t)tgJson_GetWhole(tgJson_Find(view, "byteOffset"));
    tgPackedView packed = {0};
    if (packer->uses[index].accessorCount > 0 && offset + size <= builder->spool.size) {
        packed = tgPackView(packer, index, view, size);
    }
    if (packed.hasRunOut) {
        tgGltfBuilder_Fail(builder, tg_outOfMemory, -1, "no memory to compress the file");
    }
    long long start = (long long)packer->spool.size;
    if (offset + size > builder->spool.size) {
        tgGltfBuilder_Fail(builder, tg_invalidMesh, -1, "bufferViews[%zu] leaves its buffer",
                           index);
    } else if (packed.size > 0 && packed.size < size) {
        tgJsonValue* extension = tgPackJson(
            &builder->arena, "{s:i, s:I, s:I, s:I, s:I, s:s}", "buffer", 0, "byteOffset", start,
            "byteLength", (long long)packed.size, "byteStride", (long long)packed.stride, "count",
            (long long)packed.count, "mode", packed.mode);
        if (packed.filter != NULL) {
            tgGltfBuilder_SetText(builder, extension, "filter", packed.filter);
        }
        if (!tgJson_IsObject(tgJson_Find(view, "extensions"))) {
            tgGltfBuilder_Set(builder, view, "extensions", tgMakeJsonObject(&builder->arena));
        }
        tgGltfBuilder_Set(builder, tgJson_Find(view, "extensions"), TG_MESHOPT, extension);
        tgGltfBuilder_SetWhole(builder, view, "buffer", 1);
        tgGltfBuilder_SetWhole(builder, view, "byteOffset", (long long)packer->unpackedSize);
        packer->unpackedSize += (size + 3) / 4 * 4;
        tgWritePadded(packer, packed.bytes, packed.size);
    } else {
        tgGltfBuilder_SetWhole(builder, view, "byteOffset", start);
        tgWritePadded(packer, packer->bytes + offset, size);
    }
    free(packed.bytes);
}

static void tgNameExtension(tgGltfBuilder* builder, const char* key)
{
    tgJsonValue* names = tgGltfBuilder_GetArray(builder, key);
    tgGltfBuilder_Append(builder, names, tgMakeJsonText(&builder->arena, TG_MESHOPT));
}

void tgCompressViews(tgCorrectivesWork* work)
{
    tgGltfBuilder* builder = &work->builder;
    tgPacker packer = {.work = work, .viewCount = tgJson_CountItems(builder->bufferViews)};
    packer.uses = calloc(packer.viewCount + 1, sizeof(*packer.uses));
    packer.exponents = calloc(packer.viewCount + 1, sizeof(*packer.exponents));
    packer.bytes = tgOutputFile_ReadBack(&builder->spool, &builder->failure);
    if (packer.uses == NULL || packer.exponents == NULL || packer.bytes == NULL) {
        tgGltfBuilder_Fail(builder, tg_outOfMemory, -1, "no memory to compress the file");
    } else if (tgOutputFile_OpenBeside(&packer.spool, &builder->output, &builder->failure) ==
               tg_success) {
        meshopt_encodeVertexVersion(0); // what the extension is defined for
        meshopt_encodeIndexVersion(1);
        tgListUses(&packer);
        tgListIndices(&packer);
        tgRoundAttributes(&packer);
        tgJsonValue* view = NULL;
        for (size_t index = 0; (view = tgJson_GetItem(builder->bufferViews, index)) != NULL;
             ++index) {
            tgMoveView(&packer, index, view);
        }
        tgOutputFile was = builder->spool;
        builder->spool = packer.spool;
        packer.spool = was;
        builder->unpackedSize = packer.unpackedSize;
        if (packer.unpackedSize > 0) {
            tgNameExtension(builder, "extensionsUsed");
            tgNameExtension(builder, "extensionsRequired");
        }
    }
    tgOutputFile_Discard(&packer.spool);
    for (size_t i = 0; i < packer.viewCount && packer.exponents != NULL; ++i) {
        free(packer.exponents[i]);
    }
    free(packer.exponents);
    free(packer.bytes);
    free(packer.uses);
}

#endif
