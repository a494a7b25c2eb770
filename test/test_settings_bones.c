// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// "bones" of the settings file: which objects of which mesh files come to which joints, and every
// way in which they can be wrong.

#include "gltf_maker.h"
#include "settings_scene.h"

static void tgWriteFile(const char* path, const char* text)
{
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/// Tetrahedra, one object each, side by side.
static void tgWriteBones(const char* path, const char* const* names, int count)
{
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    for (int i = 0; i < count; ++i) {
        int v = 4 * i + 1;
        fprintf(file, "o %s\nv %d 0 0\nv %d 1 0\nv %d 0 1\nv %d.5 0 0\n", names[i], i, i, i, i);
        fprintf(file, "f %d %d %d\nf %d %d %d\nf %d %d %d\nf %d %d %d\n", v, v + 1, v + 2, v, v + 3,
                v + 1, v, v + 2, v + 3, v + 1, v + 3, v + 2);
    }
    fclose(file);
}

/// One mesh under one skin, which three nodes show.
static void tgWriteShared(const char* path)
{
    static tgGltfMaker maker;
    static char json[3 * tg_makerRoom];
    maker = (tgGltfMaker){0};
    tgMakeArm(&maker);
    tgMakeJson(
        &maker, NULL,
        "\"nodes\":[{},{},{\"name\":\"neck\",\"mesh\":0,\"skin\":0},{\"name\":\"elbow.L_bone\","
        "\"mesh\":0,\"skin\":0},{\"name\":\"neck\",\"mesh\":0,\"skin\":0}]," TG_ARM_SKINS
        "," TG_ARM_MESHES,
        json, sizeof(json));
    size_t size = 0;
    uint8_t* bytes = tgPackGlb(json, maker.binary, (size_t)maker.binarySize, &size);
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
    free(bytes);
}

static tgSettings* tgLoadText(const char* text, tgError* error)
{
    tgWriteFile("bones_folder_test.json", text);
    return tgLoadSettings("bones_folder_test.json", &tg_scene, error);
}

static tgSettings* tgMustLoad(const char* text)
{
    tgError error = {0};
    tgSettings* settings = tgLoadText(text, &error);
    if (settings == NULL) {
        print_error("%s\n%s\n", text, error.message);
    }
    assert_non_null(settings);
    return settings;
}

static int tgSetUp(void** state)
{
    (void)state;
    const char* const many[] = {"bone_elbow.L", "neck", "hips_bone", "somebody"};
    const char* const one[] = {"anything"};
    tgWriteBones("bones_test_many.obj", many, 4);
    tgWriteBones("bones_test_one.obj", one, 1);
    tgWriteFile("bones_test_empty.obj", "# nothing\n");
    tgWriteShared("bones_test_shared.glb");
    return 0;
}

static int tgTearDown(void** state)
{
    (void)state;
    remove("bones_test_many.obj");
    remove("bones_test_one.obj");
    remove("bones_test_empty.obj");
    remove("bones_test_shared.glb");
    remove("bones_folder_test.json");
    return 0;
}

static void TestAutomatic(void** state)
{
    (void)state;
    tgSettings* settings = tgMustParse("{}");
    assert_false(settings->bones.automatic);
    assert_int_equal(settings->bones.boneCount, 0);
    CHECK_NEAR(settings->bones.softness, tgDefaultRigDef().bones.softness, 0.0);
    tgDestroySettings(settings);
    settings = tgMustParse("{\"bones\": \"auto\"}");
    assert_true(settings->bones.automatic);
    tgDestroySettings(settings);
    settings = tgMustParse("{\"bones\": []}");
    assert_int_equal(settings->bones.boneCount, 0);
    tgDestroySettings(settings);
}

static void TestByName(void** state)
{
    (void)state;
    tgSettings* settings = tgMustLoad("{\"bones\": [{\"mesh\": \"bones_test_many.obj\"}]}");
    assert_int_equal(settings->bones.boneCount, 3); // somebody is nobody's bone
    const char* const joints[] = {"elbow.L", "neck", "hips"};
    for (int b = 0; b < 3; ++b) {
        const tgBoneDef* bone = &settings->bones.bones[b];
        assert_string_equal(tg_joints[bone->joint].name, joints[b]);
        assert_int_equal(bone->faceCount, 4);
        assert_int_equal(bone->positions.count, 4);
        CHECK_NEAR(tgVec3View_Get(bone->positions, 0).x, b, 0.0);
        for (int k = 0; k < 12; ++k) {
            assert_in_range(bone->faceVertices[k], 0, 3);
        }
        assert_true(bone->thickness < 0.0f);
    }
    tgDestroySettings(settings);
}

static void TestBySetting(void** state)
{
    (void)state;
    tgSettings* settings =
        tgMustLoad("{\"bones\": [{\"joint\": \"elbow.R\", \"mesh\": \"bones_test_many.obj\", "
                   "\"object\": \"somebody\", \"thickness\": 0.25},"
                   "{\"joint\": \"neck\", \"mesh\": \"bones_test_many.obj\"},"
                   "{\"joint\": \"spine_01\", \"mesh\": \"bones_test_one.obj\"}]}");
    assert_int_equal(settings->bones.boneCount, 3);
    const tgBoneDef* bones = settings->bones.bones;
    assert_string_equal(tg_joints[bones[0].joint].name, "elbow.R");
    CHECK_NEAR(tgVec3View_Get(bones[0].positions, 0).x, 3.0, 0.0);
    CHECK_NEAR(bones[0].thickness, 0.25, 0.0);
    assert_string_equal(tg_joints[bones[1].joint].name, "neck");
    CHECK_NEAR(tgVec3View_Get(bones[1].positions, 0).x, 1.0, 0.0);
    assert_string_equal(tg_joints[bones[2].joint].name, "spine_01");
    tgDestroySettings(settings);
}

/// Nodes that show one mesh are objects by their own names.
static void TestShared(void** state)
{
    (void)state;
    tgSettings* settings =
        tgMustLoad("{\"bones\": [{\"joint\": \"hips\", \"mesh\": \"bones_test_shared.glb\", "
                   "\"object\": \"elbow.L_bone\"},"
                   "{\"joint\": \"elbow.L\", \"mesh\": \"bones_test_shared.glb\"},"
                   "{\"mesh\": \"bones_test_shared.glb\"}]}");
    assert_int_equal(settings->bones.boneCount, 4);
    const char* const joints[] = {"hips", "elbow.L", "neck", "elbow.L"};
    for (int b = 0; b < 4; ++b) {
        assert_string_equal(tg_joints[settings->bones.bones[b].joint].name, joints[b]);
        assert_int_equal(settings->bones.bones[b].faceCount, 2);
    }
    tgDestroySettings(settings);
}

static void TestMistakes(void** state)
{
    (void)state;
    const struct {
        const char *bones, *message;
    } cases[] = {
        {"true", "line 1, column 11: \"bones\" is true, expected \"auto\" or a list of bones"},
        {"\"all\"", "line 1, column 11: \"bones\" is \"all\", expected \"auto\""},
        {"[3]", "line 1, column 12: \"a bone\" is 3, expected an object"},
        {"[{}]", "line 1, column 12: a bone without \"mesh\""},
        {"[{\"mesh\": 1}]", "line 1, column 21: \"mesh\" is 1, expected the name of a mesh file"},
        {"[{\"mesh\": \"\"}]", "\"mesh\" is \"\""},
        {"[{\"mush\": \"a.obj\"}]", "line 1, column 13: \"mush\" is no key of a bone"},
        {"[{\"mesh\": \"not_there.obj\"}]", "line 1, column 21: \"not_there.obj\": cannot open"},
        {"[{\"mesh\": \"bones_test.txt\"}]", "\"bones_test.txt\": unknown ending"},
        {"[{\"mesh\": \"bones_test_empty.obj\"}]", "\"bones_test_empty.obj\": "},
        {"[{\"mesh\": \"bones_test_one.obj\"}]",
         "line 1, column 21: \"bones_test_one.obj\" has no object called like a joint, expected "
         "some, or \"joint\" and \"object\" here"},
        {"[{\"mesh\": \"bones_test_many.obj\", \"joint\": \"elbow.R\"}]",
         "\"bones_test_many.obj\" has no object called like the joint, expected its "
         "name as \"object\""},
        {"[{\"mesh\": \"bones_test_many.obj\", \"joint\": \"elbo.R\"}]",
         "the character has no joint \"elbo.R\", perhaps \"elbow.R\""},
        {"[{\"mesh\": \"bones_test_many.obj\", \"joint\": 3}]", "\"joint\" is 3"},
        {"[{\"mesh\": \"bones_test_many.obj\", \"object\": \"neck\"}]",
         "an object without \"joint\""},
        {"[{\"mesh\": \"bones_test_many.obj\", \"joint\": \"neck\", \"object\": \"nek\"}]",
         "\"bones_test_many.obj\" has no object \"nek\", perhaps \"neck\""},
        {"[{\"mesh\": \"bones_test_many.obj\", \"joint\": \"neck\", \"object\": 5}]",
         "\"object\" is 5"},
        {"[{\"mesh\": \"bones_test_shared.glb\", \"joint\": \"neck\", \"object\": "
         "\"elbow.L_bon\"}]",
         "\"bones_test_shared.glb\" has no object \"elbow.L_bon\", perhaps \"elbow.L_bone\""},
        {"[{\"mesh\": \"bones_test_many.obj\", \"thickness\": -1}]", "\"thickness\" is -1"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        char text[256];
        snprintf(text, sizeof(text), "{\"bones\": %s}", cases[i].bones);
        tgError error = {0};
        assert_null(tgLoadText(text, &error));
        CHECK_CONTAINS(error.message, cases[i].message);
    }
    // Text that is no file has no folder in which a mesh could be.
    const char* text = "{\"bones\": [{\"mesh\": \"bones_test_many.obj\"}]}";
    tgError error = {0};
    assert_null(tgParseSettings(text, strlen(text), &tg_scene, &error));
    CHECK_CONTAINS(error.message, "line 1, column 21: mesh is \"bones_test_many.obj\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestAutomatic), cmocka_unit_test(TestByName),
        cmocka_unit_test(TestBySetting), cmocka_unit_test(TestShared),
        cmocka_unit_test(TestMistakes),
    };
    return cmocka_run_group_tests(tests, tgSetUp, tgTearDown);
}
