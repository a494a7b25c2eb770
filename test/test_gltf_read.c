// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What the glTF reader makes of numbers: every type of accessor, strides, sparse accessors, joints
// and weights, against values worked out by hand.

#include "gltf_maker.h"

#include "io/gltf_source.h"

static void TestArm(void** state)
{
    (void)state;
    tgGltfMaker maker = {0};
    tgMakeArm(&maker);
    tgScene* scene = tgLoadGood(&maker, TG_ARM);
    assert_int_equal(scene->vertexCount, 4);
    assert_int_equal(scene->faceCount, 2);
    assert_int_equal(scene->jointCount, 2);
    assert_int_equal(scene->influencesPerVertex, 2);
    assert_int_equal(scene->warningCount, 0);
    assert_memory_equal(scene->positions, tg_armPositions, sizeof(tg_armPositions));
    int faces[6] = {0, 1, 2, 2, 1, 3};
    assert_memory_equal(scene->faceVertices, faces, sizeof(faces));
    assert_int_equal(scene->faceSizes[1], 3);
    // Vertex 1 has 0.25 and 0.75: the larger comes first.
    int joints[8] = {0, 0, 1, 0, 1, 0, 1, 0};
    float weights[8] = {1, 0, 0.75f, 0.25f, 1, 0, 1, 0};
    assert_memory_equal(scene->influenceJoints, joints, sizeof(joints));
    assert_memory_equal(scene->influenceWeights, weights, sizeof(weights));
    assert_string_equal(scene->joints[1].name, "elbow");
    assert_int_equal(scene->joints[0].parent, -1);
    assert_int_equal(scene->joints[1].parent, 0);
    tgCheckVec3(scene->joints[1].restJoint.origin, 0, 1, 0, 0);
    assert_int_equal(scene->partCount, 1);
    assert_string_equal(scene->parts[0].name, "skin");
    assert_null(scene->normals);
    assert_null(scene->uvs);
    tgDestroyScene(scene);
}

static void TestSourceKnowsWhereThingsCameFrom(void** state)
{
    (void)state;
    tgGltfMaker maker = {0};
    tgMakeArm(&maker);
    tgScene* scene = tgLoadGood(&maker, TG_ARM);
    const tgGltfSource* source = scene->source;
    assert_true(source->isBinary);
    assert_int_equal(source->nodeCount, 3);
    assert_int_equal(source->partCount, 1);
    assert_int_equal(source->parts[0].node, 2);
    assert_int_equal(source->parts[0].mesh, 0);
    assert_int_equal(source->parts[0].skin, 0);
    assert_true(source->parts[0].ownsVertices);
    assert_int_equal(source->gltfNodes[scene->joints[1].node], 1);
    tgGltfAccessor accessor;
    assert_int_equal(tgGltfSource_GetAccessor(source, 4, &accessor, NULL), tg_success);
    uint16_t indices[6];
    assert_int_equal(accessor.count * accessor.elementSize, sizeof(indices));
    tgGltfAccessor_CopyPacked(&accessor, (uint8_t*)indices);
    assert_memory_equal(indices, tg_armIndices, sizeof(indices));
    assert_int_equal(tgGltfSource_GetAccessor(source, 5, &accessor, NULL), tg_invalidMesh);
    assert_int_equal(tgGltfSource_GetAccessor(source, -1, &accessor, NULL), tg_invalidMesh);
    tgDestroyScene(scene);
}

/// The same arm with positions of another type; `extra` is JSON of the accessor.
static tgScene* tgLoadQuantized(const void* positions, size_t size, int componentType,
                                const char* extra)
{
    tgGltfMaker maker = {0};
    tgAddAccessor(&maker, positions, size, 4, componentType, "VEC3", extra);
    tgAddAccessor(&maker, tg_armJoints, sizeof(tg_armJoints), 4, 5121, "VEC4", "");
    tgAddFloats(&maker, tg_armWeights, 4, "VEC4", 4);
    tgAddFloats(&maker, tg_armInverseBinds, 2, "MAT4", 16);
    tgAddAccessor(&maker, tg_armIndices, sizeof(tg_armIndices), 6, 5123, "SCALAR", "");
    return tgLoadGood(&maker, "\"extensionsRequired\":[\"KHR_mesh_quantization\"]," TG_ARM);
}

static void TestPositionTypes(void** state)
{
    (void)state;
    int8_t i8[12] = {0, 127, -128, 64, -127, 1, 0, 0, 0, 5, 6, 7};
    tgScene* scene = tgLoadQuantized(i8, sizeof(i8), 5120, ",\"normalized\":true");
    tgCheckVec3(scene->positions[0], 0, 1, -1, 0); // -128 / 127 is held at -1
    tgCheckVec3(scene->positions[1], 64 / 127.0, -1, 1 / 127.0, 1e-7);
    tgDestroyScene(scene);
    scene = tgLoadQuantized(i8, sizeof(i8), 5120, "");
    tgCheckVec3(scene->positions[0], 0, 127, -128, 0);
    tgDestroyScene(scene);
    uint8_t u8[12] = {0, 255, 51};
    scene = tgLoadQuantized(u8, sizeof(u8), 5121, ",\"normalized\":true");
    tgCheckVec3(scene->positions[0], 0, 1, 0.2, 1e-7);
    tgDestroyScene(scene);
    int16_t i16[12] = {-32768, 32767, -16384};
    scene = tgLoadQuantized(i16, sizeof(i16), 5122, ",\"normalized\":true");
    tgCheckVec3(scene->positions[0], -1, 1, -16384 / 32767.0, 1e-7);
    tgDestroyScene(scene);
    uint16_t u16[12] = {0, 65535, 13107};
    scene = tgLoadQuantized(u16, sizeof(u16), 5123, ",\"normalized\":true");
    tgCheckVec3(scene->positions[0], 0, 1, 0.2, 1e-7);
    tgDestroyScene(scene);
    scene = tgLoadQuantized(u16, sizeof(u16), 5123, "");
    tgCheckVec3(scene->positions[0], 0, 65535, 13107, 0);
    tgDestroyScene(scene);
}

/// The arm with its joints and weights given by the test, as accessors 1 and 2.
static tgScene* tgLoadWeights(const void* joints, size_t jointSize, int jointType,
                              const void* weights, size_t weightSize, int weightType,
                              const char* extra)
{
    tgGltfMaker maker = {0};
    tgAddFloats(&maker, tg_armPositions, 4, "VEC3", 3);
    tgAddAccessor(&maker, joints, jointSize, 4, jointType, "VEC4", "");
    tgAddAccessor(&maker, weights, weightSize, 4, weightType, "VEC4", extra);
    tgAddFloats(&maker, tg_armInverseBinds, 2, "MAT4", 16);
    tgAddAccessor(&maker, tg_armIndices, sizeof(tg_armIndices), 6, 5123, "SCALAR", "");
    return tgLoadGood(&maker, TG_ARM);
}

static void TestWeightTypes(void** state)
{
    (void)state;
    uint16_t joints[16] = {0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0};
    uint8_t bytes[16] = {51, 204, 0, 0, 51, 204, 0, 0, 51, 204, 0, 0, 51, 204, 0, 0};
    tgScene* scene = tgLoadWeights(joints, sizeof(joints), 5123, bytes, sizeof(bytes), 5121,
                                   ",\"normalized\":true");
    assert_int_equal(scene->warningCount, 0);
    assert_int_equal(scene->influenceJoints[0], 1);
    CHECK_NEAR(scene->influenceWeights[0], 0.8, 1e-7);
    CHECK_NEAR(scene->influenceWeights[1], 0.2, 1e-7);
    tgDestroyScene(scene);
    uint16_t shorts[16] = {13107, 52428, 0, 0, 65535, 0, 0, 0, 65535, 0, 0, 0, 65535};
    scene = tgLoadWeights(joints, sizeof(joints), 5123, shorts, sizeof(shorts), 5123,
                          ",\"normalized\":true");
    CHECK_NEAR(scene->influenceWeights[0], 0.8, 1e-7);
    assert_int_equal(scene->influenceJoints[2], 0);
    tgDestroyScene(scene);
}

static void TestWeightsAreMended(void** state)
{
    (void)state;
    // Vertex 0 sums to 0.5 with joint 1 named twice, vertex 1 to 1.5, vertex 2 has none, vertex 3
    // is right and names joint 9 with weight 0.
    uint8_t joints[16] = {1, 0, 1, 0, 0, 1, 0, 0, 1, 1, 1, 1, 1, 9, 0, 0};
    float weights[16] = {0.1f, 0.2f, 0.2f, 0, 0.5f, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0};
    tgScene* scene =
        tgLoadWeights(joints, sizeof(joints), 5121, weights, sizeof(weights), 5126, "");
    assert_int_equal(scene->influencesPerVertex, 2);
    int expectedJoints[8] = {1, 0, 1, 0, 0, 0, 1, 0};
    double expectedWeights[8] = {0.6, 0.4, 2.0 / 3.0, 1.0 / 3.0, 1, 0, 1, 0};
    for (int k = 0; k < 8; ++k) {
        assert_int_equal(scene->influenceJoints[k], expectedJoints[k]);
        CHECK_NEAR(scene->influenceWeights[k], expectedWeights[k], 1e-7);
    }
    assert_int_equal(scene->warningCount, 3);
    assert_string_equal(scene->warnings[0],
                        "2 vertices had weights that sum to 0.50 to 1.50; normalised");
    CHECK_CONTAINS(scene->warnings[1], "1 vertex had no weights");
    CHECK_CONTAINS(scene->warnings[2], "1 joint index was out of range");
    tgDestroyScene(scene);
}

/// A skinned mesh without any joints and weights of its own hangs on the first joint.
static void TestNoWeightsAtAll(void** state)
{
    (void)state;
    tgGltfMaker maker = {0};
    tgMakeArm(&maker);
    tgScene* scene = tgLoadGood(&maker, TG_ARM_NODES
                                ",\"skins\":[{\"joints\":[1,0]}],\"meshes\":[{\"primitives\":[{"
                                "\"attributes\":{\"POSITION\":0},\"indices\":4}]}]");
    assert_int_equal(scene->influencesPerVertex, 1);
    for (int v = 0; v < 4; ++v) {
        assert_int_equal(scene->influenceJoints[v], 1); // "elbow", which the skin names first
        CHECK_NEAR(scene->influenceWeights[v], 1, 0);
    }
    assert_string_equal(scene->warnings[0],
                        "4 vertices had no weights; bound to the first joint of the skin");
    tgDestroyScene(scene);
}

/// Texture coordinates of the parts that have them, normals only when all parts do.
static void TestOptionalAttributes(void** state)
{
    (void)state;
    tgGltfMaker maker = {0};
    tgMakeArm(&maker);
    uint16_t uvs[8] = {0, 0, 65535, 0, 0, 13107, 65535, 13107};
    float normals[12] = {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, NAN, 1};
    tgAddAccessor(&maker, uvs, sizeof(uvs), 4, 5123, "VEC2", ",\"normalized\":true"); // 5
    tgAddFloats(&maker, normals, 4, "VEC3", 3);                                       // 6
    const char* full = "{\"attributes\":{\"POSITION\":0,\"NORMAL\":6,\"TEXCOORD_0\":5,"
                       "\"JOINTS_0\":1,\"WEIGHTS_0\":2},\"indices\":4}";
    char body[2048];
    snprintf(body, sizeof(body),
             TG_ARM_NODES "," TG_ARM_SKINS ",\"meshes\":[{\"primitives\":[{" TG_ARM_ATTRIBUTES
                          ",\"indices\":4},%s]}]",
             full);
    tgScene* scene = tgLoadGood(&maker, body);
    assert_int_equal(scene->vertexCount, 8);
    assert_null(scene->normals);
    CHECK_NEAR(scene->uvs[2 * 1], 0, 0);
    CHECK_NEAR(scene->uvs[2 * 7], 1, 0);
    CHECK_NEAR(scene->uvs[2 * 7 + 1], 0.2, 1e-7);
    tgDestroyScene(scene);
    snprintf(body, sizeof(body),
             TG_ARM_NODES "," TG_ARM_SKINS ",\"meshes\":[{\"primitives\":[%s]}]", full);
    scene = tgLoadGood(&maker, body);
    tgCheckVec3(scene->normals[2], 0, 0, 1, 0);
    tgCheckVec3(scene->normals[3], 0, 0, 0, 0);
    assert_string_equal(scene->warnings[0], "1 normal has no finite numbers; set to zero");
    tgDestroyScene(scene);
}

static void TestThreeSetsOfWeights(void** state)
{
    (void)state;
    tgGltfMaker maker = {0};
    tgMakeArm(&maker);
    uint8_t joints[16] = {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3};
    uint8_t more[16] = {4, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0};
    float weights[16] = {0.1f, 0.1f, 0.1f, 0.2f, 0.1f, 0.1f, 0.1f, 0.2f,
                         0.1f, 0.1f, 0.1f, 0.2f, 0.1f, 0.1f, 0.1f, 0.2f};
    float moreWeights[16] = {0.25f, 0, 0, 0, 0.25f, 0, 0, 0, 0.25f, 0, 0, 0, 0.25f, 0, 0, 0};
    tgAddAccessor(&maker, joints, sizeof(joints), 4, 5121, "VEC4", ""); // 5
    tgAddFloats(&maker, weights, 4, "VEC4", 4);                         // 6
    tgAddAccessor(&maker, more, sizeof(more), 4, 5121, "VEC4", "");     // 7
    tgAddFloats(&maker, moreWeights, 4, "VEC4", 4);                     // 8
    const char* body =
        "\"nodes\":[{},{},{},{},{},{\"mesh\":0,\"skin\":0}],\"skins\":[{\"joints\":[0,1,2,3,4]}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":5,"
        "\"WEIGHTS_0\":6,\"JOINTS_1\":7,\"WEIGHTS_1\":8,\"JOINTS_2\":7,\"WEIGHTS_2\":8}}]}]";
    tgScene* scene = tgLoadGood(&maker, body);
    // 0.5 on joint 4 from two sets, then 0.2 on joint 3 and 0.1 on each other.
    assert_int_equal(scene->influencesPerVertex, 5);
    assert_int_equal(scene->influenceJoints[0], 4);
    CHECK_NEAR(scene->influenceWeights[0], 0.5, 1e-7);
    assert_int_equal(scene->influenceJoints[1], 3);
    CHECK_NEAR(scene->influenceWeights[4], 0.1, 1e-7);
    // No inverse bind matrices: the joints rest at the origin.
    tgCheckVec3(scene->joints[4].restJoint.x, 1, 0, 0, 0);
    tgDestroyScene(scene);
}

static void TestStridesAndOffsets(void** state)
{
    (void)state;
    // Position and normal interleaved, with 4 bytes in front and 4 after each vertex.
    float rows[1 + 4 * 7];
    rows[0] = 99;
    for (int v = 0; v < 4; ++v) {
        float* row = rows + 1 + 7 * v;
        memcpy(row, tg_armPositions + 3 * v, 3 * sizeof(float));
        row[3] = 0;
        row[4] = 0;
        row[5] = (float)(v + 1);
        row[6] = 77;
    }
    tgGltfMaker maker = {0};
    tgMakeArm(&maker);
    int view = tgAddView(&maker, rows, sizeof(rows), ",\"byteStride\":28");
    char accessor[256];
    for (int offset = 4; offset <= 16; offset += 12) {
        snprintf(accessor, sizeof(accessor),
                 "\"bufferView\":%d,\"byteOffset\":%d,\"count\":4,\"componentType\":5126,"
                 "\"type\":\"VEC3\"",
                 view, offset);
        tgAddRawAccessor(&maker, accessor);
    }
    tgScene* scene =
        tgLoadGood(&maker, TG_ARM_NODES
                   "," TG_ARM_SKINS ",\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":5,"
                   "\"NORMAL\":6,\"JOINTS_0\":1,\"WEIGHTS_0\":2},\"indices\":4}]}]");
    assert_memory_equal(scene->positions, tg_armPositions, sizeof(tg_armPositions));
    tgCheckVec3(scene->normals[3], 0, 0, 4, 0);
    tgDestroyScene(scene);
}

static void TestSparse(void** state)
{
    (void)state;
    tgGltfMaker maker = {0};
    tgMakeArm(&maker);
    uint8_t indices[2] = {1, 3};
    float values[6] = {5, 6, 7, 8, 9, 10};
    int indexView = tgAddView(&maker, indices, sizeof(indices), "");
    int valueView = tgAddView(&maker, values, sizeof(values), "");
    char accessor[400];
    for (int withBase = 0; withBase < 2; ++withBase) {
        snprintf(accessor, sizeof(accessor),
                 "%s\"count\":4,\"componentType\":5126,\"type\":\"VEC3\",\"sparse\":{\"count\":2,"
                 "\"indices\":{\"bufferView\":%d,\"componentType\":5121},"
                 "\"values\":{\"bufferView\":%d}}",
                 withBase ? "\"bufferView\":0," : "", indexView, valueView);
        tgAddRawAccessor(&maker, accessor); // 5 without a base, 6 over the arm's positions
    }
    for (int withBase = 0; withBase < 2; ++withBase) {
        char body[1024];
        snprintf(body, sizeof(body),
                 TG_ARM_NODES "," TG_ARM_SKINS
                              ",\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":%d,"
                              "\"JOINTS_0\":1,\"WEIGHTS_0\":2},\"indices\":4}]}]",
                 5 + withBase);
        tgScene* scene = tgLoadGood(&maker, body);
        tgCheckVec3(scene->positions[1], 5, 6, 7, 0);
        tgCheckVec3(scene->positions[3], 8, 9, 10, 0);
        tgCheckVec3(scene->positions[2], 0, withBase ? 2 : 0, 0, 0);
        tgGltfAccessor found;
        float packed[12];
        assert_int_equal(tgGltfSource_GetAccessor(scene->source, 6, &found, NULL), tg_success);
        tgGltfAccessor_CopyPacked(&found, (uint8_t*)packed);
        CHECK_NEAR(packed[9], 8, 0);
        CHECK_NEAR(packed[7], 2, 0);
        tgDestroyScene(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestArm),
        cmocka_unit_test(TestSourceKnowsWhereThingsCameFrom),
        cmocka_unit_test(TestPositionTypes),
        cmocka_unit_test(TestWeightTypes),
        cmocka_unit_test(TestWeightsAreMended),
        cmocka_unit_test(TestNoWeightsAtAll),
        cmocka_unit_test(TestOptionalAttributes),
        cmocka_unit_test(TestThreeSetsOfWeights),
        cmocka_unit_test(TestStridesAndOffsets),
        cmocka_unit_test(TestSparse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
