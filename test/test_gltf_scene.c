// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What the glTF reader makes of the structure of a file: primitives, shared vertices, skins, nodes,
// scenes, meshes without a skin, morph targets and animations.

#include "gltf_maker.h"

#include "io/gltf_source.h"

static void TestPrimitiveModes(void** state)
{
    (void)state;
    static const struct {
        int mode;
        int faceCount;
        int faces[6];
    } cases[] = {
        {5, 2, {0, 1, 2, 1, 3, 2}}, // strip: the second is turned
        {6, 2, {1, 2, 0, 2, 3, 0}}, // fan
        {4, 1, {0, 1, 2, 0, 0, 0}}, // a list of four corners loses the last
    };
    tgGltfMaker maker = {0};
    tgMakeArm(&maker);
    uint8_t order[4] = {0, 1, 2, 3};
    tgAddAccessor(&maker, order, sizeof(order), 4, 5121, "SCALAR", ""); // 5
    for (int i = 0; i < 6; ++i) {
        char body[1024];
        snprintf(body, sizeof(body),
                 TG_ARM_NODES "," TG_ARM_SKINS ",\"meshes\":[{\"primitives\":[{\"mode\":%d,"
                              "%s" TG_ARM_ATTRIBUTES "},{\"mode\":1," TG_ARM_ATTRIBUTES "}]}]",
                 cases[i / 2].mode, i % 2 == 0 ? "\"indices\":5," : "");
        tgScene* scene = tgLoadGood(&maker, body);
        assert_int_equal(scene->faceCount, cases[i / 2].faceCount);
        assert_memory_equal(scene->faceVertices, cases[i / 2].faces,
                            (size_t)scene->faceCount * 3 * sizeof(int));
        assert_int_equal(scene->partCount, 1);
        CHECK_CONTAINS(scene->warnings[0], "1 primitive of points or lines; left out");
        assert_int_equal(scene->warningCount, cases[i / 2].mode == 4 ? 2 : 1);
        tgDestroyScene(scene);
    }
}

static void TestPrimitivesShareVertices(void** state)
{
    (void)state;
    tgGltfMaker maker = {0};
    tgMakeArm(&maker);
    tgAddFloats(&maker, tg_armWeights, 4, "VEC4", 4);               // 5
    tgAddAccessor(&maker, tg_armIndices, 6, 3, 5123, "SCALAR", ""); // 6
    const char* other = "{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":1,\"WEIGHTS_0\":5}}";
    char body[2048];
    snprintf(body, sizeof(body),
             "\"nodes\":[{},{},{\"mesh\":0,\"skin\":0,\"name\":\"a\"},{\"mesh\":0,\"skin\":0}],"
             "\"materials\":[{\"name\":\"red\",\"pbrMetallicRoughness\":{\"baseColorFactor\":"
             "[1,0,0,1],\"roughnessFactor\":0.5}}]," TG_ARM_SKINS
             ",\"meshes\":[{\"name\":\"body\",\"primitives\":[{" TG_ARM_ATTRIBUTES
             ",\"indices\":4},{" TG_ARM_ATTRIBUTES ",\"indices\":6,\"material\":0},%s]}]",
             other);
    tgScene* scene = tgLoadGood(&maker, body);
    // Three primitives, the second with the vertices of the first; a second node shows them again.
    assert_int_equal(scene->partCount, 3);
    assert_int_equal(scene->vertexCount, 8);
    assert_int_equal(scene->parts[1].firstVertex, 0);
    assert_int_equal(scene->parts[1].firstFace, 2);
    assert_int_equal(scene->parts[1].faceCount, 1);
    assert_int_equal(scene->parts[2].firstVertex, 4);
    assert_int_equal(scene->faceVertices[3 * scene->parts[2].firstFace], 4);
    assert_false(scene->source->parts[1].ownsVertices);
    assert_int_equal(scene->parts[0].material, -1);
    assert_int_equal(scene->parts[1].material, 0);
    CHECK_NEAR(scene->materials[0].roughness, 0.5, 0);
    assert_string_equal(scene->parts[0].name, "a");
    assert_int_equal(scene->placeCount, 1);
    assert_int_equal(scene->places[0].node, 3);
    assert_int_equal(scene->places[0].source, 2);
    assert_string_equal(scene->places[0].name, "body");
    tgDestroyScene(scene);
}

static void TestSkinsShareJoints(void** state)
{
    (void)state;
    tgGltfMaker maker = {0};
    tgMakeArm(&maker);
    float nearly[32];
    memcpy(nearly, tg_armInverseBinds, sizeof(nearly));
    nearly[13] = 5e-6f;                         // the same joint
    nearly[29] = -1.5f;                         // another bind pose of the elbow
    tgAddFloats(&maker, nearly, 2, "MAT4", 16); // 5
    const char* body =
        "\"nodes\":[{\"mesh\":0,\"skin\":0},{\"mesh\":0,\"skin\":1},{\"children\":[3]},"
        "{\"children\":[4]},{}],\"skins\":[{\"joints\":[4,2],"
        "\"inverseBindMatrices\":3},{\"joints\":[4,2],\"inverseBindMatrices\":5},"
        "{\"joints\":[9999]}]," TG_ARM_MESHES;
    tgScene* scene = tgLoadGood(&maker, body);
    assert_int_equal(scene->jointCount, 3);
    // Parents first: node 2 comes before node 4, which the skins name first.
    assert_int_equal(scene->source->gltfNodes[scene->joints[0].node], 2);
    assert_int_equal(scene->joints[0].parent, -1);
    assert_int_equal(scene->joints[1].parent, 0);
    assert_int_equal(scene->source->gltfNodes[scene->joints[1].node], 4);
    // Joint 2 binds node 2 again, for the second skin: its children in that skin belong to it.
    assert_int_equal(scene->source->gltfNodes[scene->joints[2].node], 2);
    tgCheckVec3(scene->joints[0].restJoint.origin, 0, 1, 0, 1e-6);
    tgCheckVec3(scene->joints[2].restJoint.origin, 0, 1.5, 0, 1e-6);
    // Vertex 2 hangs on the skins' second joint.
    assert_int_equal(scene->influenceJoints[2 * 2], 0);
    assert_int_equal(scene->influenceJoints[(4 + 2) * 2], 2);
    tgDestroyScene(scene);
}

/// The same place and another size, or another turn, is another bind pose.
static void TestSkinsWithOtherAxes(void** state)
{
    (void)state;
    tgGltfMaker maker = {0};
    tgMakeArm(&maker);
    float larger[32];
    memcpy(larger, tg_armInverseBinds, sizeof(larger));
    larger[16] = 1.1f;
    tgAddFloats(&maker, larger, 2, "MAT4", 16); // 5
    tgScene* scene = tgLoadGood(&maker, "\"nodes\":[{},{},{\"mesh\":0,\"skin\":0},{\"mesh\":0,"
                                        "\"skin\":1}],\"skins\":[{\"joints\":[0,1],"
                                        "\"inverseBindMatrices\":3},{\"joints\":[0,1],"
                                        "\"inverseBindMatrices\":5}]," TG_ARM_MESHES);
    assert_int_equal(scene->jointCount, 3);
    CHECK_NEAR(scene->joints[2].restJoint.x.x, 1 / 1.1, 1e-6);
    tgDestroyScene(scene);
}

static void TestNodesParentsFirst(void** state)
{
    (void)state;
    tgGltfMaker maker = {0};
    tgMakeArm(&maker);
    const char* body =
        "\"nodes\":[{\"name\":\"hand\"},{\"name\":\"arm\",\"children\":[0]},"
        "{\"name\":\"body\",\"children\":[1],\"matrix\":[2,0,0,0,0,2,0,0,0,0,2,0,"
        "5,6,7,1]},{\"mesh\":0,\"skin\":0}],\"skins\":[{\"joints\":[0,2]}]," TG_ARM_MESHES;
    tgScene* scene = tgLoadGood(&maker, body);
    for (int n = 0; n < scene->nodeCount; ++n) {
        assert_true(scene->nodes[n].parent < n);
        assert_int_equal(scene->source->sceneNodes[scene->source->gltfNodes[n]], n);
    }
    // The arm is no joint, so the hand's parent is the body.
    assert_string_equal(scene->joints[0].name, "body");
    assert_string_equal(scene->joints[1].name, "hand");
    assert_int_equal(scene->joints[1].parent, 0);
    assert_true(scene->nodes[scene->joints[0].node].hasMatrix);
    tgCheckVec3(scene->nodes[scene->joints[0].node].matrix.origin, 5, 6, 7, 0);
    tgDestroyScene(scene);
}

static void TestOnlyWhatTheSceneShows(void** state)
{
    (void)state;
    tgGltfMaker maker = {0};
    tgMakeArm(&maker);
    const char* body = "\"scene\":1,\"scenes\":[{\"nodes\":[0,2]},{\"nodes\":[0,3]}],"
                       "\"nodes\":[{\"children\":[1]},{},{\"mesh\":0,\"skin\":0},"
                       "{\"children\":[4,5]},{\"mesh\":0,\"skin\":0,\"name\":\"shown\"},"
                       "{\"mesh\":0,\"name\":\"hat\"}]," TG_ARM_SKINS "," TG_ARM_MESHES;
    tgScene* scene = tgLoadGood(&maker, body);
    // The hat has no skin and stays with the writer.
    assert_int_equal(scene->partCount, 1);
    assert_string_equal(scene->parts[0].name, "shown");
    assert_int_equal(scene->warningCount, 0);
    tgDestroyScene(scene);
}

static void TestMeshWithoutSkin(void** state)
{
    (void)state;
    tgGltfMaker maker = {0};
    tgMakeArm(&maker);
    float normals[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0.6f, 0.8f, 0};
    float offsets[12] = {1, 0, 0};
    tgAddFloats(&maker, normals, 4, "VEC3", 3); // 5
    tgAddFloats(&maker, offsets, 4, "VEC3", 3); // 6
    const char* body = "\"nodes\":[{\"translation\":[1,2,3],\"children\":[1]},"
                       "{\"mesh\":0,\"scale\":[2,1,1],\"rotation\":[0,0,0.70710678,0.70710678]}],"
                       "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":5},"
                       "\"targets\":[{\"POSITION\":6}]}]}]";
    tgScene* scene = tgLoadGood(&maker, body);
    assert_int_equal(scene->jointCount, 0);
    assert_int_equal(scene->influencesPerVertex, 0);
    CHECK_CONTAINS(scene->warnings[0], "no skin");
    // Scaled by 2 along x, turned by 90 degrees from x to y, then moved.
    tgCheckVec3(scene->positions[1], 1, 4, 3, 1e-6);
    tgCheckVec3(scene->positions[2], -1, 2, 3, 1e-6);
    // A normal (0.6, 0.8, 0) squeezed to (0.3, 0.8, 0), turned, of length one.
    double length = sqrt(0.73);
    tgCheckVec3(scene->normals[3], -0.8 / length, 0.3 / length, 0, 1e-6);
    tgCheckVec3(scene->morphs[0].offsets[0], 0, 2, 0, 1e-6);
    tgDestroyScene(scene);
}

static void TestMorphTargets(void** state)
{
    (void)state;
    tgGltfMaker maker = {0};
    tgMakeArm(&maker);
    float offsets[12] = {0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4};
    int8_t small[16] = {127, 0, 0, 0, 0, 127, 0, 0, 0, 0, 127, 0, 0, 0, 0, 0};
    tgAddFloats(&maker, offsets, 4, "VEC3", 3); // 5
    int view = tgAddView(&maker, small, sizeof(small), ",\"byteStride\":4");
    char accessor[200];
    snprintf(accessor, sizeof(accessor),
             "\"bufferView\":%d,\"count\":4,\"componentType\":5120,\"type\":\"VEC3\","
             "\"normalized\":true",
             view);
    tgAddRawAccessor(&maker, accessor); // 6
    const char* targets = "\"targets\":[{\"POSITION\":5},{\"NORMAL\":6},{\"POSITION\":6}]";
    char body[2048];
    snprintf(body, sizeof(body),
             "\"nodes\":[{},{},{\"mesh\":0,\"skin\":0,\"weights\":[0.1,0.2,0.3]},"
             "{\"mesh\":0,\"skin\":0}]," TG_ARM_SKINS
             ",\"meshes\":[{\"weights\":[0.5,0,0.75],\"extras\":{\"targetNames\":[\"smile\",\"n\","
             "\"frown\"]},\"primitives\":[{" TG_ARM_ATTRIBUTES ",%s}]}]",
             targets);
    tgScene* scene = tgLoadGood(&maker, body);
    assert_int_equal(scene->morphCount, 4);
    assert_string_equal(scene->morphs[0].name, "smile");
    assert_string_equal(scene->morphs[1].name, "frown");
    assert_int_equal(scene->morphs[1].indexInNode, 2);
    CHECK_NEAR(scene->morphs[1].weight, 0.3, 1e-7);
    CHECK_NEAR(scene->morphs[3].weight, 0.75, 0);
    assert_int_equal(scene->morphs[3].firstVertex, 4);
    tgCheckVec3(scene->morphs[1].offsets[1], 0, 1, 0, 0);
    assert_int_equal(scene->parts[0].vertexCount, 4);
    tgVec3 shape[8];
    float weights[4] = {0.5f, 2.0f, 0.0f, 1.0f};
    tgScene_SampleShape(scene, weights, shape);
    tgCheckVec3(shape[1], 1, 2, 1, 1e-6);
    tgCheckVec3(shape[5], 1, 1, 0, 1e-6);
    tgDestroyScene(scene);
}

/// Primitives over the same positions that morph otherwise need vertices of their own.
static void TestPrimitivesMorphApart(void** state)
{
    (void)state;
    tgGltfMaker maker = {0};
    tgMakeArm(&maker);
    const char* body =
        TG_ARM_NODES "," TG_ARM_SKINS ",\"meshes\":[{\"primitives\":[{\"indices\":4,"
                     "\"targets\":[{\"POSITION\":0}]," TG_ARM_ATTRIBUTES "},{\"indices\":4,"
                     "\"targets\":[{}]," TG_ARM_ATTRIBUTES "}]}]";
    tgScene* scene = tgLoadGood(&maker, body);
    assert_int_equal(scene->vertexCount, 8);
    assert_int_equal(scene->morphCount, 1);
    tgDestroyScene(scene);
}

/// A mirrored node that is animated: the split matrix mirrors again.
static void TestMirroredMatrixIsSplit(void** state)
{
    (void)state;
    tgGltfMaker maker = {0};
    tgMakeArm(&maker);
    float times[1] = {0};
    tgAddFloats(&maker, times, 1, "SCALAR", 1);         // 5
    tgAddFloats(&maker, tg_armPositions, 1, "VEC3", 3); // 6
    const char* body =
        "\"nodes\":[{\"matrix\":[0,0,2,0,0,3,0,0,4,0,0,0,0,0,0,1]},{},{\"mesh\":0,\"skin\":0}]"
        "," TG_ARM_SKINS "," TG_ARM_MESHES
        ",\"animations\":[{\"samplers\":[{\"input\":5,\"output\":6}],\"channels\":[{\"sampler\":0,"
        "\"target\":{\"node\":0,\"path\":\"translation\"}}]}]";
    tgScene* scene = tgLoadGood(&maker, body);
    tgMat34 again = tgMakeMat34(scene->nodes[0].local);
    tgCheckVec3(again.x, 0, 0, 2, 1e-6);
    tgCheckVec3(again.y, 0, 3, 0, 1e-6);
    tgCheckVec3(again.z, 4, 0, 0, 1e-6);
    tgDestroyScene(scene);
}

static void TestAnimations(void** state)
{
    (void)state;
    tgGltfMaker maker = {0};
    tgMakeArm(&maker);
    float times[3] = {0.5f, 1, 2};
    float otherTimes[2] = {0.25f, 0.75f};
    float moves[9] = {0, 0, 0, 1, 2, 3, 4, 5, 6};
    int16_t turns[8] = {0, 0, 0, 32767, 0, 0, 32767, 0};
    float weights[18] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18};
    tgAddFloats(&maker, times, 3, "SCALAR", 1);                                           // 5
    tgAddFloats(&maker, otherTimes, 2, "SCALAR", 1);                                      // 6
    tgAddFloats(&maker, moves, 3, "VEC3", 3);                                             // 7
    tgAddAccessor(&maker, turns, sizeof(turns), 2, 5122, "VEC4", ",\"normalized\":true"); // 8
    tgAddFloats(&maker, weights, 18, "SCALAR", 1);                                        // 9
    const char* body =
        "\"nodes\":[{\"children\":[1]},{\"matrix\":[0,2,0,0,-3,0,0,0,0,0,4,0,5,6,7,1]},"
        "{\"mesh\":0,\"skin\":0}]," TG_ARM_SKINS ",\"meshes\":[{\"primitives\":[{" TG_ARM_ATTRIBUTES
        ",\"indices\":4,\"targets\":[{\"POSITION\":0},{\"POSITION\":0}]}]}],"
        "\"animations\":[{},{\"name\":\"wave\",\"samplers\":[{\"input\":5,\"output\":7},"
        "{\"input\":6,\"output\":8,\"interpolation\":\"STEP\"},"
        "{\"input\":5,\"output\":9,\"interpolation\":\"CUBICSPLINE\"}],"
        "\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}},"
        "{\"sampler\":0,\"target\":{\"path\":\"scale\"}},"
        "{\"sampler\":1,\"target\":{\"node\":1,\"path\":\"rotation\"}},"
        "{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"visibility\"}},"
        "{\"sampler\":2,\"target\":{\"node\":2,\"path\":\"weights\"}}]}]";
    tgScene* scene = tgLoadGood(&maker, body);
    assert_int_equal(scene->animationCount, 2);
    assert_int_equal(scene->animations[0].channelCount, 0);
    const tgAnimation* wave = &scene->animations[1];
    assert_string_equal(wave->name, "wave");
    assert_int_equal(wave->channelCount, 3);
    CHECK_NEAR(wave->start, 0.25, 0);
    CHECK_NEAR(wave->end, 2, 0);
    assert_int_equal(wave->channels[0].interpolation, tg_interpolateLinear);
    assert_int_equal(wave->channels[1].interpolation, tg_interpolateStep);
    assert_int_equal(wave->channels[1].width, 4);
    CHECK_NEAR(wave->channels[1].values[6], 1, 0);
    assert_int_equal(wave->channels[2].width, 2);
    assert_int_equal(wave->channels[2].keyCount, 3);
    assert_memory_equal(wave->channels[2].values, weights, sizeof(weights));
    assert_ptr_equal(wave->channels[0].times, wave->channels[2].times);
    CHECK_CONTAINS(scene->warnings[0], "1 animation channel moves something");
    CHECK_CONTAINS(scene->warnings[1], "times the size they were bound in");
    assert_int_equal(scene->warningCount, 2);
    // A matrix on an animated node is split: a quarter turn about z, scales 2, 3 and 4.
    const tgSceneNode* elbow = &scene->nodes[1];
    assert_false(elbow->hasMatrix);
    tgMat34 again = tgMakeMat34(elbow->local);
    tgCheckVec3(elbow->local.scale, 2, 3, 4, 1e-6);
    tgCheckVec3(again.x, 0, 2, 0, 1e-6);
    tgCheckVec3(again.y, -3, 0, 0, 1e-6);
    tgCheckVec3(again.origin, 5, 6, 7, 0);
    tgDestroyScene(scene);
}

static void TestRepeatedKeysAreJumps(void** state)
{
    (void)state;
    tgGltfMaker maker = {0};
    tgMakeArm(&maker);
    float times[4] = {0, 1, 1, 2};
    float moves[12] = {0, 0, 0, 1, 0, 0, 9, 9, 9, 2, 0, 0};
    tgAddFloats(&maker, times, 4, "SCALAR", 1); // 5
    tgAddFloats(&maker, moves, 4, "VEC3", 3);   // 6
    tgScene* scene = tgLoadGood(
        &maker, TG_ARM ",\"animations\":[{\"samplers\":[{\"input\":5,\"output\":6}],\"channels\":"
                       "[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"scale\"}}]}]");
    const tgChannel* channel = &scene->animations[0].channels[0];
    assert_int_equal(channel->keyCount, 4);
    assert_true(channel->times[1] == 1.0f && channel->times[2] > 1.0f);
    CHECK_NEAR(channel->times[2], 1, 1e-6);
    CHECK_NEAR(channel->values[3], 1, 0);
    CHECK_NEAR(channel->values[6], 9, 0);
    CHECK_CONTAINS(scene->warnings[0], "1 animation key has the time of the key before");
    tgDestroyScene(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestPrimitiveModes),       cmocka_unit_test(TestPrimitivesShareVertices),
        cmocka_unit_test(TestSkinsShareJoints),     cmocka_unit_test(TestSkinsWithOtherAxes),
        cmocka_unit_test(TestNodesParentsFirst),    cmocka_unit_test(TestOnlyWhatTheSceneShows),
        cmocka_unit_test(TestMeshWithoutSkin),      cmocka_unit_test(TestMorphTargets),
        cmocka_unit_test(TestPrimitivesMorphApart), cmocka_unit_test(TestMirroredMatrixIsSplit),
        cmocka_unit_test(TestAnimations),           cmocka_unit_test(TestRepeatedKeysAreJumps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
