// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Small glTF files in memory, for the tests of their reader: accessors are added one by one, the
// rest of the document is written out by the test.
#ifndef TURGOR_TEST_GLTF_MAKER_H
#define TURGOR_TEST_GLTF_MAKER_H

#include "check.h"
#include "turgor/io.h"

enum { tg_makerRoom = 1 << 14 };

/// A file under construction. Start from zero.
typedef struct tgGltfMaker {
    uint8_t binary[tg_makerRoom];
    int binarySize;
    char views[tg_makerRoom]; ///< JSON of the buffer views, comma separated
    int viewCount;
    char accessors[tg_makerRoom];
    int accessorCount;
} tgGltfMaker;

static inline void tgAppend(char* list, const char* format, ...) TG_PRINTF(2, 3);

static inline void tgAppend(char* list, const char* format, ...)
{
    size_t used = strlen(list);
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(list + used, tg_makerRoom - used, format, arguments);
    va_end(arguments);
    assert_true(length >= 0 && (size_t)length < tg_makerRoom - used);
}

/// Bytes into the binary chunk, and a view of them. `extra` goes into the view:
/// ",\"byteStride\":16".
static inline int tgAddView(tgGltfMaker* maker, const void* bytes, size_t size, const char* extra)
{
    maker->binarySize = (maker->binarySize + 3) / 4 * 4;
    assert_true((size_t)maker->binarySize + size <= tg_makerRoom);
    memcpy(maker->binary + maker->binarySize, bytes, size);
    tgAppend(maker->views, "%s{\"buffer\":0,\"byteOffset\":%d,\"byteLength\":%zu%s}",
             maker->viewCount > 0 ? "," : "", maker->binarySize, size, extra);
    maker->binarySize += (int)size;
    return maker->viewCount++;
}

/// An accessor by the rest of its JSON.
static inline int tgAddRawAccessor(tgGltfMaker* maker, const char* json)
{
    tgAppend(maker->accessors, "%s{%s}", maker->accessorCount > 0 ? "," : "", json);
    return maker->accessorCount++;
}

/// An accessor over its own packed view. `extra` goes into the accessor: ",\"normalized\":true".
static inline int tgAddAccessor(tgGltfMaker* maker, const void* bytes, size_t size, int count,
                                int componentType, const char* type, const char* extra)
{
    char json[256];
    int view = tgAddView(maker, bytes, size, "");
    snprintf(json, sizeof(json),
             "\"bufferView\":%d,\"count\":%d,\"componentType\":%d,\"type\":\"%s\"%s", view, count,
             componentType, type, extra);
    return tgAddRawAccessor(maker, json);
}

static inline int tgAddFloats(tgGltfMaker* maker, const float* values, int count, const char* type,
                              int width)
{
    return tgAddAccessor(maker, values, (size_t)(count * width) * sizeof(float), count, 5126, type,
                         "");
}

/// The whole JSON. `body` holds the members that the test writes itself; without a URI the buffer
/// is the chunk of a GLB.
static inline void tgMakeJson(const tgGltfMaker* maker, const char* bufferUri, const char* body,
                              char* json, size_t room)
{
    int length =
        snprintf(json, room,
                 "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":%d%s%s%s}],"
                 "\"bufferViews\":[%s],\"accessors\":[%s],%s}",
                 maker->binarySize, bufferUri != NULL ? ",\"uri\":\"" : "",
                 bufferUri != NULL ? bufferUri : "", bufferUri != NULL ? "\"" : "", maker->views,
                 maker->accessors, body);
    assert_true(length > 0 && (size_t)length < room);
}

/// A GLB out of JSON text and bytes; the caller frees it.
static inline uint8_t* tgPackGlb(const char* json, const uint8_t* binary, size_t binarySize,
                                 size_t* size)
{
    size_t jsonSize = strlen(json);
    size_t jsonPadded = (jsonSize + 3) / 4 * 4;
    size_t binaryPadded = (binarySize + 3) / 4 * 4;
    *size = 12 + 8 + jsonPadded + 8 + binaryPadded;
    uint8_t* file = calloc(1, *size);
    assert_non_null(file);
    uint32_t header[] = {0x46546c67, 2, (uint32_t)*size, (uint32_t)jsonPadded, 0x4e4f534a};
    uint32_t chunk[] = {(uint32_t)binaryPadded, 0x004e4942};
    memcpy(file, header, sizeof(header));
    memset(file + 20, ' ', jsonPadded);
    memcpy(file + 20, json, jsonSize);
    memcpy(file + 20 + jsonPadded, chunk, sizeof(chunk));
    memcpy(file + 28 + jsonPadded, binary, binarySize);
    return file;
}

/// Read the file back as a GLB.
static inline tgScene* tgLoadMade(const tgGltfMaker* maker, const char* body, tgError* error)
{
    static char json[3 * tg_makerRoom];
    size_t size = 0;
    tgMakeJson(maker, NULL, body, json, sizeof(json));
    uint8_t* file = tgPackGlb(json, maker->binary, (size_t)maker->binarySize, &size);
    tgScene* scene = tgLoadGltfMemory(file, size, NULL, error);
    free(file); // the scene must not need it any more
    return scene;
}

/// Load, and print the message when that fails.
static inline tgScene* tgLoadGood(const tgGltfMaker* maker, const char* body)
{
    tgError error = {0};
    tgScene* scene = tgLoadMade(maker, body, &error);
    if (scene == NULL) {
        print_error("%s\n", error.message);
    }
    assert_non_null(scene);
    return scene;
}

static inline void tgCheckVec3(tgVec3 actual, double x, double y, double z, double tolerance)
{
    CHECK_NEAR(actual.x, x, tolerance);
    CHECK_NEAR(actual.y, y, tolerance);
    CHECK_NEAR(actual.z, z, tolerance);
}

/// A strip of two triangles on two joints, the second one above the first: what most tests start
/// from and change.
typedef struct tgMadeArm {
    int positions, joints, weights, inverseBinds, indices; ///< accessors
} tgMadeArm;

static const float tg_armPositions[12] = {0, 0, 0, 1, 0, 0, 0, 2, 0, 1, 2, 0};
static const uint8_t tg_armJoints[16] = {0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
static const float tg_armWeights[16] = {1, 0, 0, 0, 0.25f, 0.75f, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
static const uint16_t tg_armIndices[6] = {0, 1, 2, 2, 1, 3};
/// Of joints at the origin and at (0, 1, 0).
static const float tg_armInverseBinds[32] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0,  0, 1,
                                             1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1};

static inline tgMadeArm tgMakeArm(tgGltfMaker* maker)
{
    tgMadeArm arm;
    arm.positions = tgAddFloats(maker, tg_armPositions, 4, "VEC3", 3);
    arm.joints = tgAddAccessor(maker, tg_armJoints, sizeof(tg_armJoints), 4, 5121, "VEC4", "");
    arm.weights = tgAddFloats(maker, tg_armWeights, 4, "VEC4", 4);
    arm.inverseBinds = tgAddFloats(maker, tg_armInverseBinds, 2, "MAT4", 16);
    arm.indices = tgAddAccessor(maker, tg_armIndices, sizeof(tg_armIndices), 6, 5123, "SCALAR", "");
    return arm;
}

/// Nodes: 0 shoulder, 1 elbow, 2 the mesh. Accessors as tgMakeArm numbers them in an empty maker.
#define TG_ARM_NODES                                                                               \
    "\"scene\":0,\"scenes\":[{\"nodes\":[0,2]}],"                                                  \
    "\"nodes\":[{\"name\":\"shoulder\",\"children\":[1]},"                                         \
    "{\"name\":\"elbow\",\"translation\":[0,1,0]},{\"name\":\"skin\",\"mesh\":0,\"skin\":0}]"
#define TG_ARM_SKINS      "\"skins\":[{\"joints\":[0,1],\"inverseBindMatrices\":3}]"
#define TG_ARM_ATTRIBUTES "\"attributes\":{\"POSITION\":0,\"JOINTS_0\":1,\"WEIGHTS_0\":2}"
#define TG_ARM_MESHES     "\"meshes\":[{\"primitives\":[{" TG_ARM_ATTRIBUTES ",\"indices\":4}]}]"
#define TG_ARM            TG_ARM_NODES "," TG_ARM_SKINS "," TG_ARM_MESHES

#endif
