// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What the glTF reader says about broken files: one message that names the thing, for every kind of
// damage in the document, and never a crash or a leak.

#include "gltf_maker.h"

/// The file must be refused with this code and a message that holds this text.
static void tgCheckRefused(const tgGltfMaker* maker, const char* body, tgResult code,
                           const char* fragment)
{
    tgError error = {0};
    tgScene* scene = tgLoadMade(maker, body, &error);
    if (scene != NULL) {
        print_error("%s\nwas read, expected \"%s\"\n", body, fragment);
    }
    assert_null(scene);
    CHECK_CONTAINS(error.message, fragment);
    assert_int_equal(error.code, code);
    assert_null(tgLoadMade(maker, body, NULL)); // nobody listens
}

typedef struct tgBrokenCase {
    const char* body;
    tgResult code;
    const char* fragment;
} tgBrokenCase;

static void tgCheckAllRefused(const tgGltfMaker* maker, const tgBrokenCase* cases, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        tgCheckRefused(maker, cases[i].body, cases[i].code, cases[i].fragment);
    }
}

#define TG_COUNT(array) (sizeof(array) / sizeof((array)[0]))
/// A skinned mesh with other attributes than the arm's.
#define TG_MESH(primitive)                                                                         \
    TG_ARM_NODES "," TG_ARM_SKINS ",\"meshes\":[{\"primitives\":[" primitive "]}]"

static void TestWrongTypes(void** state)
{
    (void)state;
    static const tgBrokenCase cases[] = {
        {"\"nodes\":7", tg_invalidMesh, "nodes is a number, expected an array"},
        {"\"nodes\":[7]", tg_invalidMesh, "nodes[0] is a number, expected an object"},
        {"\"meshes\":{}", tg_invalidMesh, "meshes is an object, expected an array"},
        {"\"nodes\":[{\"mesh\":\"x\"}]", tg_invalidMesh,
         "nodes[0].mesh is a text, expected an index"},
        {"\"nodes\":[{\"mesh\":0.5}]", tg_invalidMesh,
         "nodes[0].mesh is a number, expected an index"},
        {"\"nodes\":[{\"mesh\":0}]", tg_invalidMesh, "nodes[0].mesh is 0"},
        {"\"nodes\":[{\"mesh\":-1}],\"meshes\":[{}]", tg_invalidMesh, "nodes[0].mesh is -1"},
        {"\"nodes\":[{\"children\":{}}]", tg_invalidMesh, "nodes[0].children is an object"},
        {"\"nodes\":[{\"children\":[true]}]", tg_invalidMesh,
         "nodes[0].children[0] is true or false, expected an index"},
        {"\"nodes\":[{\"name\":null}]", tg_invalidMesh, "nodes[0].name is null, expected a text"},
        {"\"nodes\":[{\"matrix\":[1,2]}]", tg_invalidMesh, "expected an array of 16 numbers"},
        {"\"nodes\":[{\"scale\":[1,2,\"3\"]}]", tg_invalidMesh,
         "nodes[0].scale[2] is a text, expected a number"},
        {"\"nodes\":[{\"translation\":[1e300,0,0]}]", tg_invalidMesh, "too large for a float"},
        {"\"scene\":\"main\"", tg_invalidMesh, "scene is a text"},
        {"\"scene\":3,\"scenes\":[{}]", tg_invalidMesh, "scene is 3, expected 0 to 0"},
        {"\"scenes\":[{\"nodes\":[5]}]", tg_invalidMesh, "scenes[0].nodes[0] is 5"},
        {"\"extensionsRequired\":[3]", tg_invalidMesh, "extensionsRequired[0] is a number"},
        {"\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[null]}]", tg_invalidMesh,
         "meshes[0].primitives[0] is null"},
        {TG_MESH("{\"attributes\":[]}"), tg_invalidMesh, "attributes is an array"},
        {TG_MESH("{}"), tg_invalidMesh, "meshes[0].primitives[0] has no POSITION"},
        {TG_MESH("{\"mode\":7," TG_ARM_ATTRIBUTES "}"), tg_invalidMesh, "mode is 7"},
        {TG_MESH("{\"material\":0," TG_ARM_ATTRIBUTES "}"), tg_invalidMesh, "material is 0"},
        {TG_MESH("{\"indices\":\"a\"," TG_ARM_ATTRIBUTES "}"), tg_invalidMesh, "indices is a text"},
        {TG_MESH("{\"targets\":[4]," TG_ARM_ATTRIBUTES "}"), tg_invalidMesh,
         "targets[0] is a number"},
        {"\"nodes\":[{}]", tg_invalidMesh, "shows no mesh"},
        {"\"nodes\":[]", tg_invalidMesh, "shows no mesh"},
    };
    tgGltfMaker maker = {0};
    tgMakeArm(&maker);
    tgCheckAllRefused(&maker, cases, TG_COUNT(cases));
}

static void TestWrongTrees(void** state)
{
    (void)state;
    static const tgBrokenCase cases[] = {
        {"\"nodes\":[{\"children\":[1]},{\"children\":[0]}]", tg_invalidMesh, "its own ancestor"},
        {"\"nodes\":[{\"children\":[0]}]", tg_invalidMesh, "its own ancestor"},
        {"\"nodes\":[{\"children\":[2]},{\"children\":[2]},{}]", tg_invalidMesh,
         "nodes[2] is a child of both nodes[0] and nodes[1]"},
    };
    tgGltfMaker maker = {0};
    tgMakeArm(&maker);
    tgCheckAllRefused(&maker, cases, TG_COUNT(cases));
}

static void TestWrongSkins(void** state)
{
    (void)state;
    static const tgBrokenCase cases[] = {
        {TG_ARM_NODES "," TG_ARM_MESHES ",\"skins\":[{}]", tg_invalidMesh,
         "skins[0] has no joints"},
        {TG_ARM_NODES "," TG_ARM_MESHES ",\"skins\":[{\"joints\":[0,7]}]", tg_invalidMesh,
         "skins[0].joints[1] is 7"},
        {TG_ARM_NODES "," TG_ARM_MESHES
                      ",\"skins\":[{\"joints\":[0,1,2],\"inverseBindMatrices\":3}]",
         tg_invalidMesh, "has 2 matrices for 3 joints"},
        {TG_ARM_NODES "," TG_ARM_MESHES ",\"skins\":[{\"joints\":[0,1],\"inverseBindMatrices\":2}]",
         tg_invalidMesh, "accessors[2] has 4 components to an element, expected 16"},
        {TG_ARM_NODES "," TG_ARM_MESHES ",\"skins\":[{\"joints\":[0,1],\"inverseBindMatrices\":5}]",
         tg_invalidMesh, "joint \"elbow\" (nodes[1]) has an inverse bind matrix that flattens"},
        {TG_ARM_NODES "," TG_ARM_MESHES ",\"skins\":[{\"joints\":[0,1],\"inverseBindMatrices\":6}]",
         tg_invalidMesh, "joint \"shoulder\""},
        {TG_ARM_NODES "," TG_ARM_MESHES ",\"skins\":[{\"joints\":[0]}]", tg_invalidMesh,
         "vertex 1 of \"skin\" has weight 0.75 on joint 1, its skin has 1"},
    };
    tgGltfMaker maker = {0};
    tgMakeArm(&maker);
    float flat[32];
    memcpy(flat, tg_armInverseBinds, sizeof(flat));
    flat[16] = 0;
    tgAddFloats(&maker, flat, 2, "MAT4", 16); // 5
    flat[0] = NAN;
    tgAddFloats(&maker, flat, 2, "MAT4", 16); // 6
    tgCheckAllRefused(&maker, cases, TG_COUNT(cases));
}

static void TestWrongVertices(void** state)
{
    (void)state;
    tgGltfMaker maker = {0};
    tgMakeArm(&maker);
    float positions[12];
    float weights[16];
    uint16_t indices[6] = {0, 1, 2, 2, 1, 4};
    memcpy(positions, tg_armPositions, sizeof(positions));
    memcpy(weights, tg_armWeights, sizeof(weights));
    positions[7] = INFINITY;
    tgAddFloats(&maker, positions, 4, "VEC3", 3); // 5
    weights[9] = -0.5f;
    tgAddFloats(&maker, weights, 4, "VEC4", 4); // 6
    weights[4] = NAN;
    tgAddFloats(&maker, weights, 4, "VEC4", 4);                             // 7
    tgAddAccessor(&maker, indices, sizeof(indices), 6, 5123, "SCALAR", ""); // 8
    tgAddFloats(&maker, tg_armPositions, 3, "VEC3", 3);                     // 9
    static const tgBrokenCase cases[] = {
        {TG_MESH("{\"attributes\":{\"POSITION\":5,\"JOINTS_0\":1,\"WEIGHTS_0\":2}}"),
         tg_invalidMesh, "vertex 2 of \"skin\" is at (0, inf, 0)"},
        {TG_MESH("{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":1,\"WEIGHTS_0\":6}}"),
         tg_invalidMesh, "vertex 2 of \"skin\" has the weight -0.5"},
        {TG_MESH("{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":1,\"WEIGHTS_0\":7}}"),
         tg_invalidMesh, "vertex 1 of \"skin\" has the weight nan"},
        {TG_MESH("{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":1,\"WEIGHTS_0\":0}}"),
         tg_invalidMesh, "accessors[0] has 3 components to an element, expected 4"},
        {TG_MESH("{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":2,\"WEIGHTS_0\":2}}"),
         tg_invalidMesh, "JOINTS_0 of component type 5126"},
        {TG_MESH("{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":1}}"), tg_invalidMesh,
         "has JOINTS_0 without WEIGHTS_0"},
        {TG_MESH("{\"attributes\":{\"POSITION\":9,\"JOINTS_0\":1,\"WEIGHTS_0\":2}}"),
         tg_invalidMesh, "JOINTS_0 has 4 elements and WEIGHTS_0 has 4, expected 3"},
        {TG_MESH("{\"attributes\":{\"POSITION\":0,\"NORMAL\":9,\"JOINTS_0\":1,\"WEIGHTS_0\":2}}"),
         tg_invalidMesh, "has 3 elements for 4 vertices"},
        {TG_MESH("{\"indices\":8," TG_ARM_ATTRIBUTES "}"), tg_invalidMesh,
         "face 1 of \"skin\" uses vertex 4, the mesh has 4"},
        {TG_MESH("{\"indices\":2," TG_ARM_ATTRIBUTES "}"), tg_invalidMesh, "accessors[2] has 4"},
        {TG_MESH("{\"mode\":0," TG_ARM_ATTRIBUTES "}"), tg_invalidMesh, "no triangles"},
        {TG_MESH("{\"targets\":[{\"POSITION\":9}]," TG_ARM_ATTRIBUTES "}"), tg_invalidMesh,
         "targets[0] has 3 offsets for 4 vertices"},
        {TG_MESH("{\"targets\":[{\"POSITION\":5}]," TG_ARM_ATTRIBUTES "}"), tg_invalidMesh,
         "targets[0] moves vertex 2 by (0, inf, 0)"},
    };
    tgCheckAllRefused(&maker, cases, TG_COUNT(cases));
}

/// The arm with another accessor for its positions, by its JSON.
static void tgCheckAccessorRefused(const char* accessor, tgResult code, const char* fragment)
{
    tgGltfMaker maker = {0};
    tgMakeArm(&maker);
    tgAddRawAccessor(&maker, accessor); // 5
    tgCheckRefused(&maker,
                   TG_MESH("{\"attributes\":{\"POSITION\":5,\"JOINTS_0\":1,\"WEIGHTS_0\":2}}"),
                   code, fragment);
}

#define TG_VEC3 "\"componentType\":5126,\"type\":\"VEC3\""

static void TestWrongAccessors(void** state)
{
    (void)state;
    static const struct {
        const char* json;
        const char* fragment;
    } cases[] = {
        {TG_VEC3 ",\"bufferView\":0", "accessors[5].count is 0"},
        {TG_VEC3 ",\"count\":-4", "accessors[5].count is -4"},
        {TG_VEC3 ",\"count\":4294967300", "accessors[5].count is 4294967300"},
        {TG_VEC3 ",\"count\":2147483647,\"bufferView\":0", "bufferViews[0] has 48"},
        {TG_VEC3 ",\"count\":2147483647", "too many for a file of this size"},
        {TG_VEC3 ",\"count\":5,\"bufferView\":0", "accessors[5] needs 60 bytes"},
        {TG_VEC3 ",\"count\":4,\"bufferView\":0,\"byteOffset\":4", "needs 48 bytes from byte 4"},
        {TG_VEC3 ",\"count\":4,\"bufferView\":0,\"byteOffset\":9223372036854775807",
         "needs 48 bytes"},
        {TG_VEC3 ",\"count\":4,\"bufferView\":99", "bufferView is 99"},
        {"\"count\":4,\"type\":\"VEC3\",\"componentType\":5124", "componentType is 5124"},
        {"\"count\":4,\"type\":\"VEC5\",\"componentType\":5126", "type is \"VEC5\""},
        {"\"count\":4,\"type\":3,\"componentType\":5126", "accessors[5].type is a number"},
        {TG_VEC3 ",\"count\":4,\"sparse\":[]", "accessors[5].sparse is an array"},
        {TG_VEC3 ",\"count\":4,\"sparse\":{\"count\":9}", "sparse.count is 9"},
        {TG_VEC3 ",\"count\":4,\"sparse\":{\"count\":2,\"indices\":{\"componentType\":5126}}",
         "expected 5121, 5123 or 5125"},
        {TG_VEC3 ",\"count\":4,\"sparse\":{\"count\":2,\"indices\":{\"componentType\":5121}}",
         "needs buffer views"},
        // The view of the weights' first bytes holds large numbers.
        {TG_VEC3 ",\"count\":4,\"sparse\":{\"count\":4,\"indices\":{\"componentType\":5125,"
                 "\"bufferView\":2},\"values\":{\"bufferView\":0}}",
         "sparse.indices[0] is 1065353216, the accessor has 4"},
    };
    for (size_t i = 0; i < TG_COUNT(cases); ++i) {
        tgCheckAccessorRefused(cases[i].json, tg_invalidMesh, cases[i].fragment);
    }
    tgGltfMaker maker = {0};
    tgMakeArm(&maker);
    tgAddView(&maker, tg_armPositions, sizeof(tg_armPositions), ",\"byteStride\":8");
    tgAddRawAccessor(&maker, TG_VEC3 ",\"count\":4,\"bufferView\":5");
    const char* body = TG_MESH("{\"attributes\":{\"POSITION\":5,\"JOINTS_0\":1,\"WEIGHTS_0\":2}}");
    tgCheckRefused(&maker, body, tg_invalidMesh,
                   "byteStride is 8, an element of accessors[5] takes 12");
    tgAppend(maker.views, ",{\"buffer\":0,\"byteOffset\":8,\"byteLength\":9223372036854775807}");
    tgAddRawAccessor(&maker, TG_VEC3 ",\"count\":4,\"bufferView\":6");
    body = TG_MESH("{\"attributes\":{\"POSITION\":6,\"JOINTS_0\":1,\"WEIGHTS_0\":2}}");
    tgCheckRefused(&maker, body, tg_invalidMesh, "bufferViews[6] spans bytes 8");
}

static void TestManyNodesWithOneMeshAreLimited(void** state)
{
    (void)state;
    // 200 nodes show a mesh of 30 000 vertices that take no bytes at all.
    tgGltfMaker maker = {0};
    tgMakeArm(&maker);
    tgAddRawAccessor(&maker, TG_VEC3 ",\"count\":30000");
    static char body[tg_makerRoom];
    body[0] = '\0';
    tgAppend(body, "\"nodes\":[{\"mesh\":0}");
    for (int i = 0; i < 200; ++i) {
        tgAppend(body, ",{\"mesh\":0}");
    }
    tgAppend(body, "],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":5}}]}]");
    tgCheckRefused(&maker, body, tg_invalidMesh, "too many for a file of this size");
}

static void TestExtensions(void** state)
{
    (void)state;
    static const tgBrokenCase cases[] = {
        {"\"extensionsRequired\":[\"KHR_draco_mesh_compression\"]," TG_ARM, tg_unsupported,
         "KHR_draco_mesh_compression"},
        {"\"extensionsRequired\":[\"KHR_texture_transform\",\"EXT_meshopt_compression\"]," TG_ARM,
         tg_unsupported, "EXT_meshopt_compression"},
        {"\"extensionsRequired\":[\"KHR_texture_basisu\"]," TG_ARM, tg_unsupported,
         "KHR_texture_basisu"},
        {"\"extensionsRequired\":[\"ACME_fancy\"]," TG_ARM, tg_unsupported, "ACME_fancy"},
        {TG_MESH("{\"extensions\":{\"KHR_draco_mesh_compression\":{}}," TG_ARM_ATTRIBUTES "}"),
         tg_unsupported, "KHR_draco_mesh_compression"},
        {TG_MESH("{\"attributes\":{\"POSITION\":5}}"), tg_unsupported, "EXT_meshopt_compression"},
    };
    tgGltfMaker maker = {0};
    tgMakeArm(&maker);
    tgAddView(&maker, tg_armPositions, 48, ",\"extensions\":{\"EXT_meshopt_compression\":{}}");
    tgAddRawAccessor(&maker, TG_VEC3 ",\"count\":4,\"bufferView\":5");
    tgCheckAllRefused(&maker, cases, TG_COUNT(cases));
    const char* fine = "\"extensionsRequired\":[\"KHR_materials_unlit\",\"KHR_texture_transform\","
                       "\"KHR_lights_punctual\",\"EXT_texture_webp\"]," TG_ARM;
    tgDestroyScene(tgLoadGood(&maker, fine));
}

#define TG_ANIMATION(sampler, channel)                                                             \
    TG_ARM ",\"animations\":[{\"samplers\":[" sampler "],\"channels\":[" channel "]}]"
#define TG_CHANNEL "{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}}"

static void TestWrongAnimations(void** state)
{
    (void)state;
    tgGltfMaker maker = {0};
    tgMakeArm(&maker);
    float times[4] = {0, 1, 0.5f, 2};
    float nans[4] = {0, NAN, 1, 2};
    float moves[12] = {0, 0, 0, 0, NAN};
    float good[4] = {0, 1, 2, 3};
    tgAddFloats(&maker, times, 4, "SCALAR", 1);            // 5
    tgAddFloats(&maker, nans, 4, "SCALAR", 1);             // 6
    tgAddFloats(&maker, moves, 4, "VEC3", 3);              // 7
    tgAddFloats(&maker, good, 4, "SCALAR", 1);             // 8
    tgAddAccessor(&maker, good, 4, 4, 5121, "SCALAR", ""); // 9
    static const tgBrokenCase cases[] = {
        {TG_ANIMATION("{\"input\":5,\"output\":0}", TG_CHANNEL), tg_invalidMesh,
         "animations[0].samplers[0]: key 2 is at 0.5 seconds after one at 1"},
        {TG_ANIMATION("{\"input\":6,\"output\":0}", TG_CHANNEL), tg_invalidMesh, "key 1 is at nan"},
        {TG_ANIMATION("{\"input\":8,\"output\":7}", TG_CHANNEL), tg_invalidMesh, "key 1 holds nan"},
        {TG_ANIMATION("{\"input\":9,\"output\":0}", TG_CHANNEL), tg_invalidMesh,
         "key times of component type 5121"},
        {TG_ANIMATION("{\"input\":8,\"output\":2}", TG_CHANNEL), tg_invalidMesh, "expected 3"},
        {TG_ANIMATION("{\"input\":8,\"output\":0,\"interpolation\":\"CUBICSPLINE\"}", TG_CHANNEL),
         tg_invalidMesh, "12 values for 4 keys, expected 36"},
        {TG_ANIMATION("{\"input\":8,\"output\":0,\"interpolation\":\"BEZIER\"}", TG_CHANNEL),
         tg_invalidMesh, "interpolation is \"BEZIER\""},
        {TG_ANIMATION("{\"output\":0}", TG_CHANNEL), tg_invalidMesh, "no input or no output"},
        {TG_ANIMATION("", TG_CHANNEL), tg_invalidMesh, "channels[0].sampler is 0"},
        {TG_ANIMATION("[]", TG_CHANNEL), tg_invalidMesh, "samplers[0] is an array"},
        {TG_ANIMATION("{}", "{}"), tg_invalidMesh, "channels[0] has no sampler"},
        {TG_ANIMATION("{}", "3"), tg_invalidMesh, "channels[0] is a number"},
        {TG_ARM ",\"animations\":[{\"channels\":3}]", tg_invalidMesh, "channels is a number"},
    };
    tgCheckAllRefused(&maker, cases, TG_COUNT(cases));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestWrongTypes),     cmocka_unit_test(TestWrongTrees),
        cmocka_unit_test(TestWrongSkins),     cmocka_unit_test(TestWrongVertices),
        cmocka_unit_test(TestWrongAccessors), cmocka_unit_test(TestManyNodesWithOneMeshAreLimited),
        cmocka_unit_test(TestExtensions),     cmocka_unit_test(TestWrongAnimations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
