// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A rig of a scene and its settings: what the fields add up to by hand, a mesh that is refined
// once, and scenes that no rig can be made of. test_examples.py compares whole files with turgor
// bake.

#include "check.h"
#include "turgor/io.h"
#include "turgor/models.h"

static tgSettings* tgParse(const char* text, const tgScene* scene)
{
    tgError error = {0};
    tgSettings* settings = tgParseSettings(text, strlen(text), scene, &error);
    if (settings == NULL) {
        print_error("%s\n", error.message);
    }
    assert_non_null(settings);
    return settings;
}

static tgScene* tgMakeScene(const char* name)
{
    tgScene* scene = tgCreateModel(name, 0, NULL);
    assert_non_null(scene);
    return scene;
}

/// The state in the middle of the first animation; the rig is freed.
static uint64_t tgHash(const tgScene* scene, tgRig* rig)
{
    assert_non_null(rig);
    tgInstance* instance = tgCreateInstance(rig, NULL, NULL);
    tgMat34* nodes = calloc((size_t)scene->nodeCount, sizeof(tgMat34));
    tgMat34* joints = calloc((size_t)scene->jointCount, sizeof(tgMat34));
    tgVec3* out = calloc((size_t)scene->vertexCount, sizeof(tgVec3));
    tgScene_SamplePose(scene, 0, 0.5 * scene->animations[0].end, nodes, joints, NULL);
    tgPose pose = tgDefaultPose();
    pose.joints = joints;
    pose.jointCount = scene->jointCount;
    tgVec3Span span = {&out->x, scene->vertexCount, sizeof(tgVec3)};
    assert_int_equal(tgInstance_Deform(instance, &pose, span, (tgVec3Span){0}, NULL), tg_success);
    uint64_t hash = tgInstance_GetStateHash(instance);
    free(nodes);
    free(joints);
    free(out);
    tgDestroyInstance(instance);
    tgDestroyRig(rig);
    return hash;
}

static void test_defaults(void** state)
{
    (void)state;
    tgScene* scene = tgMakeScene("arm");
    tgRigDef def = tgScene_GetRigDef(scene);
    uint64_t plain = tgHash(scene, tgCreateRig(&def, NULL));
    def.volume.method = tg_volumeExact; // the one default that is not the core's own
    uint64_t exact = tgHash(scene, tgCreateRig(&def, NULL));
    assert_true(tgHash(scene, tgScene_CreateRig(scene, NULL, NULL)) == exact);
    assert_true(plain != exact);
    scene->skinning = tg_dualQuaternion; // what the file asks for
    def.skinning = tg_dualQuaternion;
    uint64_t dual = tgHash(scene, tgCreateRig(&def, NULL));
    assert_true(tgHash(scene, tgScene_CreateRig(scene, NULL, NULL)) == dual);
    assert_true(dual != exact);
    tgDestroyScene(scene);
}

/// Every layer of the settings, one at a time; and what a caller changes in them.
static void test_layers(void** state)
{
    (void)state;
    static const char* const texts[] = {
        "{\"skinning\": \"blend\"}",
        "{\"volume\": {\"method\": \"none\"}}",
        "{\"volume\": {\"default\": {\"profile\": \"rubber\"}}}",
        "{\"volume\": {\"contact\": false}}",
        "{\"bones\": \"auto\"}",
    };
    tgScene* scene = tgMakeScene("arm");
    uint64_t usual = tgHash(scene, tgScene_CreateRig(scene, NULL, NULL));
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); ++i) {
        tgSettings* settings = tgParse(texts[i], scene);
        tgRigDef def = tgScene_GetRigDef(scene);
        def.skinning = settings->skinning;
        def.volume = settings->volume;
        def.bones = settings->bones;
        uint64_t hash = tgHash(scene, tgScene_CreateRig(scene, settings, NULL));
        assert_true(hash == tgHash(scene, tgCreateRig(&def, NULL)));
        assert_true(hash != usual);
        tgDestroySettings(settings);
    }
    tgSettings* settings = tgParse("{}", scene);
    tgProfile rubber = tgDefaultProfile(tg_profileRubber);
    settings->volume.profiles = &rubber;
    settings->volume.profileCount = 1;
    tgSettings* written = tgParse(texts[2], scene);
    assert_true(tgHash(scene, tgScene_CreateRig(scene, settings, NULL)) ==
                tgHash(scene, tgScene_CreateRig(scene, written, NULL)));
    tgDestroySettings(written);
    tgDestroySettings(settings);
    tgDestroyScene(scene);
}

static void test_flesh(void** state)
{
    (void)state;
    tgScene* scene = tgMakeScene("arm");
    tgSettings* settings =
        tgParse("{\"flesh\": [{\"driver\": \"upper_arm\", \"driven\": \"forearm\"}]}", scene);
    tgRig* rig = tgScene_CreateRig(scene, settings, NULL);
    assert_non_null(rig);
    assert_int_equal(tgRig_GetFleshCount(rig), 1);
    tgDestroyRig(rig);
    tgDestroySettings(settings);
    tgDestroyScene(scene);
}

/// A second rig of the same settings finds the mesh as it is by then, and so do other settings.
static void test_refined_once(void** state)
{
    (void)state;
    static const char text[] = "{\"refine\": {}, \"flesh\": [{\"driver\": \"upper_arm\", "
                               "\"driven\": \"forearm\", \"vertices\": [1, 2, 3]}]}";
    tgScene* scene = tgMakeScene("arm");
    int coarse = scene->vertexCount;
    tgSettings* settings = tgParse(text, scene);
    uint64_t first = tgHash(scene, tgScene_CreateRig(scene, settings, NULL));
    int fine = scene->vertexCount, fleshy = settings->flesh.elements[0].vertexCount;
    assert_true(fine > coarse);
    assert_true(fleshy >= 3);
    assert_true(tgHash(scene, tgScene_CreateRig(scene, settings, NULL)) == first);
    assert_int_equal(scene->vertexCount, fine);
    assert_int_equal(settings->flesh.elements[0].vertexCount, fleshy);
    tgDestroySettings(settings);
    tgDestroyScene(scene);
}

static void test_refusals(void** state)
{
    (void)state;
    tgError error = {0};
    assert_null(tgScene_CreateRig(NULL, NULL, &error));
    CHECK_CONTAINS(error.message, "there is no scene");
    tgScene* empty = tgCreateScene();
    assert_null(tgScene_CreateRig(empty, NULL, &error));
    CHECK_CONTAINS(error.message, "there is no mesh");
    tgDestroyScene(empty);
    tgScene* bare = tgMakeScene("cylinder");
    bare->jointCount = 0;
    assert_null(tgScene_CreateRig(bare, NULL, &error));
    CHECK_CONTAINS(error.message, "there is no skin");
    assert_null(tgScene_CreateRig(bare, NULL, NULL));
    tgDestroyScene(bare);
    tgScene* scene = tgMakeScene("cylinder");
    tgRig* rig = tgScene_CreateRig(scene, NULL, &error);
    tgInstanceDef def = {0};
    assert_null(tgCreateInstance(rig, &def, &error));
    CHECK_CONTAINS(error.message, "tgDefaultInstanceDef");
    tgDestroyRig(rig);
    tgDestroyScene(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults), cmocka_unit_test(test_layers),
        cmocka_unit_test(test_flesh),    cmocka_unit_test(test_refined_once),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
