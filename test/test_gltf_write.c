// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Characters written as glTF: read back, they move as before; taken apart, they are laid out as
// promised and hold nothing that glTF forbids.

#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE

#include "glb_file.h"

#include "core/triangulate.h"
#include "io/vertex_normals.h"

static void tgSave(const tgScene* scene, const char* path)
{
    tgError error = {0};
    tgResult result = tgSaveScene(scene, path, &error);
    assert_string_equal(error.message, "");
    assert_int_equal(result, tg_success);
}

/// Both scenes deform alike at several times, to a millionth of the size.
static void tgCheckSameMotion(const tgScene* a, const tgScene* b, int animation)
{
    assert_int_equal(a->vertexCount, b->vertexCount);
    tgVec3* left = calloc((size_t)a->vertexCount, sizeof(*left));
    tgVec3* right = calloc((size_t)a->vertexCount, sizeof(*right));
    for (int i = 0; i <= 8; ++i) {
        tgSkinScene(a, animation, 0.125 * i, left);
        tgSkinScene(b, animation, 0.125 * i, right);
        tgCheckSamePositions(left, right, a->vertexCount, 1e-6 * tg_armDiagonal);
    }
    free(left);
    free(right);
}

static void TestSaveAndLoad(void** state)
{
    (void)state;
    static const char* const names[2] = {"arm.glb", "arm.gltf"};
    tgFolder folder = tgMakeFolder();
    tgScene* scene = tgMakeArmScene();
    for (int i = 0; i < 2; ++i) {
        tgSave(scene, tgInFolder(&folder, names[i]));
        assert_int_equal(tgCountFiles(&folder, false), 1);
        tgScene* back = tgLoadBack(tgInFolder(&folder, names[i]));
        assert_memory_equal(back->positions, scene->positions, tg_armVertexCount * sizeof(tgVec3));
        assert_memory_equal(back->uvs, scene->uvs, tg_armVertexCount * 2 * sizeof(float));
        assert_int_equal(back->faceCount, 8 * 2 + 2 * 2 + 3);
        assert_int_equal(back->jointCount, 2);
        assert_string_equal(back->joints[1].name, "upper");
        assert_int_equal(back->joints[1].parent, 0);
        assert_int_equal(back->partCount, 3);
        assert_string_equal(back->parts[2].name, "hat");
        assert_int_equal(back->parts[0].firstVertex, back->parts[1].firstVertex);
        assert_string_equal(back->animations[0].name, "bend");
        assert_string_equal(back->morphs[0].name, "bulge");
        assert_int_equal(back->warningCount, 0);
        tgCheckSameMotion(scene, back, 0);
        tgCheckSameMotion(scene, back, -1);
        tgDestroyScene(back);
        remove(folder.file);
    }
    tgDestroyScene(scene);
    tgRemoveFolder(&folder);
}

static void TestSavedDocument(void** state)
{
    (void)state;
    tgFolder folder = tgMakeFolder();
    tgScene* scene = tgMakeArmScene();
    tgSave(scene, tgInFolder(&folder, "arm.glb"));
    tgGlbFile file = tgOpenGlb(folder.file);
    const tgJsonValue* document = file.document;
    assert_string_equal(tgFindText(document, "asset.generator"), "turgor");
    assert_int_equal(tgCountJson(document, "meshes"), 2);
    assert_int_equal(tgCountJson(document, "skins.0.joints"), 2);
    // Meshes hang on their own nodes, which stand still.
    assert_int_equal(tgFindInt(document, "nodes.0.mesh"), 0);
    assert_int_equal(tgFindInt(document, "nodes.1.mesh"), 1);
    assert_int_equal(tgCountJson(document, "nodes"), 4);
    // Parts of one object share their vertices; the hat has no material and gets a plain one.
    assert_true(tgJson_IsSame(tgFindJson(document, "meshes.0.primitives.0.attributes"),
                              tgFindJson(document, "meshes.0.primitives.1.attributes")));
    assert_int_equal(tgCountJson(document, "materials"), 3);
    assert_int_equal(tgFindInt(document, "meshes.1.primitives.0.material"), 2);
    assert_string_equal(tgFindText(document, "materials.1.alphaMode"), "BLEND");
    // The bounds are the floats themselves.
    int positions = tgFindInt(document, "meshes.0.primitives.0.attributes.POSITION");
    char path[64];
    snprintf(path, sizeof(path), "accessors.%d.max.0", positions);
    assert_true((float)tgJson_GetNumber(tgFindJson(document, path)) == scene->positions[1].x);
    // Bytes are enough for two joints.
    int joints = tgFindInt(document, "meshes.0.primitives.0.attributes.JOINTS_0");
    snprintf(path, sizeof(path), "accessors.%d.componentType", joints);
    assert_int_equal(tgFindInt(document, path), 5121);
    // The inverse bind matrix of the upper joint moves it down by 1.
    int inverse = tgFindInt(document, "skins.0.inverseBindMatrices");
    const float* matrices = tgGetArray(&file, inverse);
    CHECK_NEAR(matrices[16 + 13], -1.0, 0.0);
    CHECK_NEAR(matrices[16 + 15], 1.0, 0.0);
    tgCloseGlb(&file);
    tgDestroyScene(scene);
    tgRemoveFolder(&folder);
}

/// What glTF forbids and scenes allow: several roots, a node bound twice, weights that do not sum
/// to 1 or name a joint twice, more than eight influences, times before 0, names that are not
/// UTF-8.
static void TestSaveMendsForGltf(void** state)
{
    (void)state;
    enum { jointCount = 10, width = 12 };
    tgFolder folder = tgMakeFolder();
    tgScene* scene = tgMakeArmScene();
    scene->nodes[3].parent = -1;
    scene->joints[1].parent = -1;
    scene->parts[2].name = "h\xe9t";
    scene->parts[2].node = 3; // a joint, which moves
    tgSceneJoint joints[jointCount];
    for (int j = 0; j < jointCount; ++j) {
        joints[j] = scene->joints[j % 2];
        joints[j].restJoint.origin.x = 0.1f * (float)(j / 2);
    }
    scene->joints = tgKeep(scene, joints, jointCount, sizeof(tgSceneJoint));
    scene->jointCount = jointCount;
    scene->influencesPerVertex = width;
    scene->influenceJoints = tgScene_Alloc(scene, tg_armVertexCount * width, sizeof(int));
    scene->influenceWeights = tgScene_Alloc(scene, tg_armVertexCount * width, sizeof(float));
    for (int i = 0; i < tg_armVertexCount * width; ++i) {
        scene->influenceJoints[i] = i % width == 11 ? 0 : i % jointCount;
        scene->influenceWeights[i] = i % width == 3 ? 0.0f : 0.125f;
    }
    tgSave(scene, tgInFolder(&folder, "mended.glb"));
    tgScene* back = tgLoadBack(folder.file);
    assert_int_equal(back->warningCount, 0);
    assert_int_equal(back->jointCount, jointCount);
    for (int i = 0; i < tg_armVertexCount * width; ++i) {
        scene->influenceWeights[i] /= 1.375f; // what the eleven weights of a vertex add up to
    }
    tgCheckSameMotion(scene, back, 0);
    tgDestroyScene(back);
    tgGlbFile file = tgOpenGlb(folder.file);
    const tgJsonValue* skinJoints = tgFindJson(file.document, "skins.0.joints");
    assert_int_equal(tgJson_CountItems(skinJoints), jointCount);
    for (size_t i = 0; i < jointCount; ++i) {
        for (size_t k = 0; k < i; ++k) {
            assert_false(
                tgJson_IsSame(tgJson_GetItem(skinJoints, i), tgJson_GetItem(skinJoints, k)));
        }
    }
    // One node above both roots of the skeleton.
    char path[32];
    snprintf(path, sizeof(path), "nodes.%d", tgFindInt(file.document, "scenes.0.nodes.0"));
    assert_string_equal(tgFindText(tgFindJson(file.document, path), "name"), "skeleton");
    assert_int_equal(tgCountJson(tgFindJson(file.document, path), "children"), 2);
    assert_non_null(tgFindJson(file.document, "meshes.0.primitives.0.attributes.JOINTS_2"));
    assert_string_equal(tgFindText(file.document, "meshes.1.name"), "h_t");
    tgCloseGlb(&file);
    tgDestroyScene(scene);
    tgRemoveFolder(&folder);
}

/// Keys before 0 and rotations that are not unit have no place in glTF.
static void TestSavedKeys(void** state)
{
    (void)state;
    static const float times[2] = {-2.0f, -0.5f};
    static const float turns[8] = {0, 0, 0, 2, 0, 0, 0, 0.25f};
    static const float sizes[6] = {1, 1, 1, 2, 2, 2};
    tgFolder folder = tgMakeFolder();
    tgScene* scene = tgMakeArmScene();
    tgChannel channels[3] = {{3, tg_pathRotation, tg_interpolateLinear, 2, 4, times, turns},
                             {3, tg_pathScale, tg_interpolateStep, 2, 3, times, sizes},
                             {3, tg_pathScale, tg_interpolateStep, 2, 3, times, sizes}};
    scene->animations[0] = (tgAnimation){"early", -2.0, -0.5, 3, channels};
    tgSave(scene, tgInFolder(&folder, "keys.glb"));
    tgGlbFile file = tgOpenGlb(folder.file);
    assert_int_equal(tgCountJson(file.document, "animations.0.channels"), 2); // the third repeats
    int input = tgFindInt(file.document, "animations.0.samplers.0.input");
    assert_int_equal(tgFindInt(file.document, "animations.0.samplers.1.input"), input);
    const float* written = tgGetArray(&file, input);
    CHECK_NEAR(written[0], 0.0, 0.0);
    CHECK_NEAR(written[1], 1.5, 0.0);
    int output = tgFindInt(file.document, "animations.0.samplers.0.output");
    const float* keys = tgGetArray(&file, output);
    CHECK_NEAR(keys[3], 1.0, 1e-6);
    CHECK_NEAR(keys[7], 1.0, 1e-6);
    tgCloseGlb(&file);
    tgDestroyScene(scene);
    tgRemoveFolder(&folder);
}

static void TestSaveRefuses(void** state)
{
    (void)state;
    tgFolder folder = tgMakeFolder();
    tgScene* scene = tgMakeArmScene();
    tgError error = {0};
    assert_int_equal(tgSaveScene(scene, tgInFolder(&folder, "arm.fbx"), &error), tg_unsupported);
    assert_int_equal(tgSaveScene(NULL, "a.glb", &error), tg_invalidArgument);
    const char* path = tgInFolder(&folder, "arm.glb");
    scene->influenceWeights[6] = scene->influenceWeights[7] = 0.0f;
    assert_int_equal(tgSaveScene(scene, path, &error), tg_invalidMesh);
    CHECK_CONTAINS(error.message, "vertex 3 has no weight");
    scene->influenceWeights[6] = 1.0f;
    scene->faceVertices[0] = 12; // of the hat
    assert_int_equal(tgSaveScene(scene, path, &error), tg_invalidMesh);
    CHECK_CONTAINS(error.message, "face 0 uses vertex 12, its part has vertices 0 to 11");
    scene->faceVertices[0] = 0;
    scene->joints[1].restJoint.z = tgMakeVec3(0.0f, 0.0f, 0.0f);
    assert_int_equal(tgSaveScene(scene, path, &error), tg_invalidMesh);
    scene->joints[1].restJoint.z = tgMakeVec3(0.0f, 0.0f, 1.0f);
    scene->positions[2].z = (float)INFINITY;
    assert_int_equal(tgSaveScene(scene, path, &error), tg_invalidMesh);
    CHECK_CONTAINS(error.message, "vertex 2 ");
    assert_int_equal(tgCountFiles(&folder, false), 0);
    tgDestroyScene(scene);
    tgRemoveFolder(&folder);
}

/// Two squares at right angles that only touch: a seam shades as one edge.
static void TestNormalsAcrossSeams(void** state)
{
    (void)state;
    tgVec3 positions[8] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0},  {0, 1, 0},
                           {0, 0, 0}, {0, 1, 0}, {0, 1, -1}, {0, 0, -1}};
    int sizes[2] = {4, 4}, corners[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    tgVec3 given[8] = {{0, 0, 0}}, normals[8];
    given[2] = tgMakeVec3(0.0f, 3.0f, 0.0f);
    tgScene scene = {.vertexCount = 8,
                     .positions = positions,
                     .faceCount = 2,
                     .faceSizes = sizes,
                     .faceVertices = corners};
    tgMeshLayout layout;
    assert_int_equal(tgMeshLayout_Make(&layout, &scene, NULL), tg_success);
    assert_int_equal(tgMakeUnitNormals(&scene, &layout, positions, given, normals, NULL),
                     tg_success);
    const float half = 0.70710678f;
    CHECK_NEAR(tgDistance(normals[1], tgMakeVec3(0.0f, 0.0f, 1.0f)), 0.0, 1e-6);
    CHECK_NEAR(tgDistance(normals[6], tgMakeVec3(-1.0f, 0.0f, 0.0f)), 0.0, 1e-6);
    CHECK_NEAR(tgDistance(normals[0], tgMakeVec3(-half, 0.0f, half)), 0.0, 1e-6);
    CHECK_NEAR(tgDistance(normals[4], tgMakeVec3(-half, 0.0f, half)), 0.0, 1e-6);
    CHECK_NEAR(tgDistance(normals[2], tgMakeVec3(0.0f, 1.0f, 0.0f)), 0.0, 1e-6); // as given
    tgMeshLayout_Free(&layout);
}

/// The area of the triangles is that of the polygon, and none of them looks the other way.
static void tgCheckTriangles(const tgVec3* positions, int size, double area)
{
    int corners[16], triangles[48];
    for (int k = 0; k < size; ++k) {
        corners[k] = k;
    }
    tgTriangulateFace((tgVec3View){&positions->x, size, sizeof(tgVec3)}, corners, size, triangles);
    double sum = 0.0;
    for (int t = 0; t < size - 2; ++t) {
        tgVec3 a = positions[triangles[3 * t]];
        tgVec3 n = tgCross(tgSub(positions[triangles[3 * t + 1]], a),
                           tgSub(positions[triangles[3 * t + 2]], a));
        assert_true(n.z >= 0.0f);
        sum += 0.5 * (double)n.z;
    }
    CHECK_NEAR(sum, area, 1e-6);
}

static void TestTriangulate(void** state)
{
    (void)state;
    tgVec3 square[4] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    tgCheckTriangles(square, 4, 1.0);
    tgVec3 dart[4] = {{0, 0, 0}, {2, 0, 0}, {0.5f, 0.5f, 0}, {0, 2, 0}};
    tgCheckTriangles(dart, 4, 1.0);
    tgVec3 turnedDart[4] = {{0, 2, 0}, {0, 0, 0}, {2, 0, 0}, {0.5f, 0.5f, 0}};
    tgCheckTriangles(turnedDart, 4, 1.0);
    // The shorter diagonal of this one runs outside.
    tgVec3 arrow[4] = {{0, 0, 0}, {3, -0.5f, 0}, {2, 0, 0}, {3, 0.5f, 0}};
    tgCheckTriangles(arrow, 4, 1.0);
    // A comb, with three teeth that a fan would cross.
    tgVec3 comb[8] = {{0, 0, 0}, {4, 0, 0},    {4, 2, 0},       {3, 0.5f, 0},
                      {2, 2, 0}, {1, 0.5f, 0}, {0.5f, 0.5f, 0}, {0, 2, 0}};
    tgCheckTriangles(comb, 8, 4.625);
    tgVec3 line[5] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0}};
    tgCheckTriangles(line, 5, 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestSaveAndLoad),      cmocka_unit_test(TestSavedDocument),
        cmocka_unit_test(TestSaveMendsForGltf), cmocka_unit_test(TestSavedKeys),
        cmocka_unit_test(TestSaveRefuses),      cmocka_unit_test(TestNormalsAcrossSeams),
        cmocka_unit_test(TestTriangulate),
    };
    return cmocka_run_group_tests_name("gltf_write", tests, NULL, NULL);
}
