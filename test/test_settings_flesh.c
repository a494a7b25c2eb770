// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The list "flesh" of the settings file: every key arrives, every mistake is told with its place,
// and elements are found by the names that riggers give.

#include "assets.h"
#include "settings_scene.h"

static void TestKeys(void** state)
{
    (void)state;
    tgSettings* settings = tgMustParse(
        "{\"flesh\": [{\"name\": \"belly\", \"driver\": \"hips\", \"driven\": [\"spine_01\","
        " \"spine_02\"], \"joints\": \"elbow.L\", \"attenuation\": \"parabola\", \"thickness\": "
        "0.1, \"flow\": 1,"
        " \"frequency\": 2.5, \"dampingRatio\": 0.3, \"mass\": 4, \"density\": 900,"
        " \"gravity\": [0, -9.81, 1], \"airFriction\": 0.25, \"wind\": [1, 2, 3],"
        " \"elongation\": 0.5, \"stopAtLimit\": true, \"resetDistance\": 0,"
        " \"twist\": {\"frequency\": 4, \"dampingRatio\": 0.4, \"limit\": 30}},\n"
        " {\"driver\": \"spine_01\", \"driven\": \"neck\","
        " \"attenuation\": [[-1, 0, 0.5], [0.25, 0.75, 0], [1, 0, -2]],"
        " \"springs\": [{\"share\": 3, \"stiffness\": 40}, {\"damping\": 0},"
        " {\"share\": 2, \"frequency\": 7}]},\n"
        " {\"driver\": \"hips\", \"twist\": {}}]}");
    assert_int_equal(settings->warningCount, 0);
    assert_int_equal(settings->flesh.elementCount, 3);
    const tgFleshElement* belly = &settings->flesh.elements[0];
    assert_string_equal(belly->name, "belly");
    assert_int_equal(belly->driver, 0);
    assert_int_equal(belly->drivenCount, 2);
    assert_int_equal(belly->driven[0], 1);
    assert_int_equal(belly->driven[1], 2);
    assert_int_equal(belly->jointCount, 1);
    assert_int_equal(belly->joints[0], 5);
    assert_int_equal(belly->attenuation, tg_attenuationParabola);
    CHECK_NEAR(belly->thickness, 0.1, 1e-7);
    CHECK_NEAR(belly->flow, 1.0, 0.0);
    CHECK_NEAR(belly->springs[0].frequency, 2.5, 0.0);
    CHECK_NEAR(belly->springs[0].dampingRatio, 0.3, 1e-7);
    CHECK_NEAR(belly->mass, 4.0, 0.0);
    CHECK_NEAR(belly->density, 900.0, 0.0);
    CHECK_NEAR(belly->gravity.y, -9.81, 1e-6);
    CHECK_NEAR(belly->gravity.z, 1.0, 0.0);
    CHECK_NEAR(belly->airFriction, 0.25, 0.0);
    CHECK_NEAR(belly->wind.z, 3.0, 0.0);
    CHECK_NEAR(belly->elongation, 0.5, 0.0);
    assert_true(belly->stopAtLimit);
    CHECK_NEAR(belly->resetDistance, 0.0, 0.0);
    CHECK_NEAR(belly->twistFrequency, 4.0, 0.0);
    CHECK_NEAR(belly->twistDampingRatio, 0.4, 1e-7);
    CHECK_NEAR(belly->twistLimit, 30.0 / 57.29577951308232, 1e-6);
    const tgFleshElement* chest = &settings->flesh.elements[1];
    assert_int_equal(chest->driver, 1);
    assert_int_equal(chest->driven[0], 3);
    assert_int_equal(chest->attenuation, tg_attenuationCurve);
    assert_int_equal(chest->keyCount, 3);
    CHECK_NEAR(chest->keys[1].coordinate, 0.25, 0.0);
    CHECK_NEAR(chest->keys[1].value, 0.75, 0.0);
    CHECK_NEAR(chest->keys[2].tangent, -2.0, 0.0);
    assert_int_equal(chest->springCount, 3);
    double sum = 3.0 + 1.0 / 3.0 + 2.0;
    CHECK_NEAR(chest->springs[0].share, 3.0 / sum, 1e-6);
    CHECK_NEAR(chest->springs[0].stiffness, 40.0, 0.0);
    CHECK_NEAR(chest->springs[1].share, 1.0 / 3.0 / sum, 1e-6);
    CHECK_NEAR(chest->springs[1].damping, 0.0, 0.0);
    CHECK_NEAR(chest->springs[2].frequency, 7.0, 0.0);
    // Left open: as tgDefaultFleshElement has it, and twist as fast as the spring.
    const tgFleshElement* plain = &settings->flesh.elements[2];
    assert_null(plain->name);
    assert_int_equal(plain->drivenCount, 0);
    CHECK_NEAR(plain->twistFrequency, plain->springs[0].frequency, 0.0);
    tgDestroySettings(settings);
}

static void TestMistakes(void** state)
{
    (void)state;
    static const struct {
        const char* text; ///< what stands in the list, on line 2
        const char* message;
    } mistakes[] = {
        {"5", "line 2, column 1: \"flesh\" is 5, expected elements such as"},
        {"{}", "line 2, column 1: an element of \"flesh\" without \"driver\""},
        {"{\"driver\": 1}", "line 2, column 12: \"driver\" is 1, expected the name of a joint"},
        {"{\"driver\": \"hisp\"}", "no joint \"hisp\", perhaps \"hips\""},
        {"{\"driver\": \"twin\"}", "line 2, column 12: the character has 2 joints \"twin\""},
        {"{\"driver\": \"neck\", \"driven\": \"hips\"}",
         "line 2, column 30: the joint \"hips\" is no descendant of \"neck\""},
        {"{\"driver\": \"neck\", \"driven\": [\"neck\"]}", "\"neck\" is no descendant of \"neck\""},
        {"{\"driver\": \"hips\", \"driven\": []}",
         "\"driven\" is an empty list, expected the name"},
        {"{\"driver\": \"hips\", \"joints\": [\"elbow\"]}", "no joint \"elbow\""},
        {"{\"driver\": \"neck\"}", "line 2, column 12: the joint \"neck\" has no children"},
        {"{\"driver\": \"hips\", \"gravity\": [0, 1e10, 0]}",
         "line 2, column 35: \"gravity\" is 1e10, expected between -1e9 and 1e9"},
        {"{\"driver\": \"hips\", \"wind\": [-1e38, 0, 0]}", "\"wind\" is -1e38, expected"},
        {"{\"driver\": \"hips\", \"vertices\": []}",
         "expected a name, or a list of vertex numbers and names, not empty"},
        {"{\"driver\": \"hips\", \"vertices\": [1.5]}", "\"vertices\" is 1.5, expected whole"},
        {"{\"driver\": \"hips\", \"frequency\": 0}",
         "line 2, column 33: \"frequency\" is 0, expected more than 0"},
        {"{\"driver\": \"hips\", \"frequency\": 1e6}", "expected at most 100000"},
        {"{\"driver\": \"hips\", \"mass\": -1}", "\"mass\" is -1, expected more than 0"},
        {"{\"driver\": \"hips\", \"flow\": 2}", "\"flow\" is 2, expected at most 1"},
        {"{\"driver\": \"hips\", \"elongation\": 1.5}", "expected at most 1"},
        {"{\"driver\": \"hips\", \"gravity\": -9.8}", "expected a list of 3 numbers"},
        {"{\"driver\": \"hips\", \"attenuation\": \"wywill\"}", ", perhaps \"wyvill\""},
        {"{\"driver\": \"hips\", \"attenuation\": [[0, 0, 0]]}", "has 1 keys, expected 2 to 16"},
        {"{\"driver\": \"hips\", \"attenuation\": [[0, 0, 0], [0, 0, 0]]}", "expected rising ones"},
        {"{\"driver\": \"hips\", \"attenuation\": [[-1, 0, 0], [1, 0.5, 0]]}",
         "ends with 0.5, expected 0 at both ends"},
        {"{\"driver\": \"hips\", \"frequency\": 3, \"stiffness\": 9}",
         "line 2, column 36: \"stiffness\" beside \"frequency\", expected one of the two"},
        {"{\"driver\": \"hips\", \"damping\": 3, \"springs\": [{}]}",
         "\"damping\" beside \"springs\", expected it in each"},
        {"{\"driver\": \"hips\", \"springs\": []}", "expected a list of 1 to 8 springs"},
        {"{\"driver\": \"hips\", \"springs\": [{\"share\": 0}]}", "sum to 0, expected more"},
        {"{\"driver\": \"hips\", \"springs\": [{\"mass\": 3}]}",
         "\"mass\" is no key of a spring, expected it in an element of \"flesh\""},
        {"{\"driver\": \"hips\", \"twist\": true}", "\"twist\" is true, expected an object"},
        {"{\"driver\": \"hips\", \"twist\": {\"limit\": 120}}",
         "\"limit\" is 120, expected at most"},
        {"{\"driver\": \"hips\", \"dampingRatios\": 1}", ", perhaps \"dampingRatio\""},
    };
    for (size_t i = 0; i < sizeof(mistakes) / sizeof(mistakes[0]); ++i) {
        char text[256];
        snprintf(text, sizeof(text), "{\"flesh\": [\n%s]}", mistakes[i].text);
        tgError error = {0};
        assert_null(tgParseSettings(text, strlen(text), &tg_scene, &error));
        CHECK_CONTAINS(error.message, mistakes[i].message);
        CHECK_CONTAINS(error.message, "line 2, column ");
    }
    tgError error = {0};
    const char* wrong = "{\"flesh\": \"all\"}";
    assert_null(tgParseSettings(wrong, strlen(wrong), &tg_scene, &error));
    CHECK_CONTAINS(error.message,
                   "column 11: \"flesh\" is \"all\", expected a list of elements, or");
}

/// Characters by other people: which joints carry the elements found by names, and where they end.
static void TestAuto(void** state)
{
    (void)state;
    static const struct {
        const char* file;
        const char* bones[8][2];
    } characters[] = {
        {"human_makehuman.glb",
         {{"spine05", "spine02"},
          {"upperarm01.L", "lowerarm01.L"},
          {"upperarm01.R", "lowerarm01.R"},
          {"upperleg01.L", "lowerleg01.L"},
          {"upperleg01.R", "lowerleg01.R"}}},
        {"Fox.glb",
         {{"b_Spine01_02", "b_Spine02_03"},
          {"b_RightUpperArm_06", "b_RightForeArm_07"},
          {"b_LeftUpperArm_09", "b_LeftForeArm_010"},
          {"b_LeftLeg01_015", "b_LeftLeg02_016"},
          {"b_RightLeg01_019", "b_RightLeg02_020"}}},
        // No vertex follows its right upper arm between the ends.
        {"RiggedFigure.glb",
         {{"torso_joint_1", "torso_joint_3"},
          {"arm_joint_L_1", "arm_joint_L_2"},
          {"leg_joint_L_1", "leg_joint_L_2"},
          {"leg_joint_R_1", "leg_joint_R_2"}}},
        {"elephant_african_bush.glb",
         {{"Elephantidae_Vertebrae_Lumbar", "Elephantidae_Pelvis"},
          {"Elephantidae_Thigh_R", "Elephantidae_Leg_R"},
          {"Elephantidae_Thigh_L", "Elephantidae_Leg_L"},
          {"Elephantidae_Arm_R", "Elephantidae_Forearm_R"},
          {"Elephantidae_Arm_L", "Elephantidae_Forearm_L"}}},
    };
    for (size_t i = 0; i < sizeof(characters) / sizeof(characters[0]); ++i) {
        tgScene* scene = tgLoadAsset(characters[i].file);
        if (scene == NULL) {
            continue;
        }
        tgError error = {0};
        tgSettings* settings = tgParseSettings("{\"flesh\": \"auto\"}", 17, scene, &error);
        assert_non_null(settings);
        int count = 0;
        while (characters[i].bones[count][0] != NULL) {
            count += 1;
        }
        for (int e = 0; e < settings->flesh.elementCount; ++e) {
            const tgFleshElement* element = &settings->flesh.elements[e];
            assert_true(e < count);
            assert_string_equal(scene->joints[element->driver].name, characters[i].bones[e][0]);
            assert_int_equal(element->drivenCount, 1);
            assert_string_equal(scene->joints[element->driven[0]].name, characters[i].bones[e][1]);
            assert_true(element->springs[0].frequency >= 1.5f &&
                        element->springs[0].frequency <= 8.0f);
        }
        assert_int_equal(settings->flesh.elementCount, count);
        tgRigDef def = tgScene_GetRigDef(scene);
        def.flesh = settings->flesh;
        tgRig* rig = tgCreateRig(&def, &error);
        assert_non_null(rig);
        tgDestroyRig(rig);
        tgDestroySettings(settings);
        tgDestroyScene(scene);
    }
}

static void TestPreset(void** state)
{
    (void)state;
    assert_true(tgPresetHasFlesh("flesh"));
    assert_false(tgPresetHasFlesh("organic"));
    assert_false(tgPresetHasFlesh(NULL));
    tgProfile profile;
    assert_true(tgMakePreset("flesh", &profile));
    assert_int_equal(profile.kind, tg_profileOrganic);
    // Joints without a mesh have no flesh to shake.
    tgSettings* settings = tgMustParse("{\"flesh\": \"auto\"}");
    assert_int_equal(settings->flesh.elementCount, 0);
    tgDestroySettings(settings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestKeys),
        cmocka_unit_test(TestMistakes),
        cmocka_unit_test(TestAuto),
        cmocka_unit_test(TestPreset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
