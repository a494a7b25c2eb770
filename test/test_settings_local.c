// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The object "local" of the settings file: every key lands in the definition, single regions start
// from what all have, and each mistake is told with its place.

#include "settings_scene.h"

static const tgLocalRegion* tgFindRegion(const tgSettings* settings, int joint)
{
    const tgLocalDef* local = &settings->volume.local;
    for (int i = 0; i < local->regionCount; ++i) {
        if (local->regions[i].joint == joint) {
            return &local->regions[i];
        }
    }
    print_error("no region of joint %d\n", joint);
    fail();
    return NULL;
}

static void TestDefaults(void** state)
{
    (void)state;
    static const char* const texts[] = {"{}", "{\"volume\": {\"local\": {}}}",
                                        "{\"volume\": {\"local\": {\"regions\": {}}}}"};
    for (int i = 0; i < 3; ++i) {
        tgSettings* settings = tgMustParse(texts[i]);
        const tgLocalDef* local = &settings->volume.local;
        assert_int_equal(settings->volume.method, tg_volumeExact);
        assert_int_equal(local->scope, tg_scopeRegions);
        assert_int_equal(local->loss, tg_lossClosed);
        assert_int_equal(local->edges, tg_edgesBlended);
        assert_int_equal(local->map, tg_mapOrganic);
        CHECK_NEAR(local->alpha, 1.0, 0.0);
        CHECK_NEAR(local->beta, 1.0, 0.0);
        assert_int_equal(local->parts, 1);
        assert_int_equal(local->repeats, 0);
        assert_false(local->exact);
        assert_int_equal(local->regionCount, 0);
        tgDestroySettings(settings);
    }
}

static void TestKeys(void** state)
{
    (void)state;
    tgSettings* settings = tgMustParse(
        "{\"volume\": {\"method\": \"local\", \"local\": {\"scope\": \"global\", \"loss\": "
        "\"prisms\","
        " \"edges\": \"still\", \"map\": \"rubber\", \"alpha\": 2.5, \"beta\": 0, \"parts\": 1000, "
        "\"repeats\": 1e2,"
        " \"exact\": true, \"bones\": {\"hips\": [\"spine_01\", \"twin\"], \"neck\": [\"neck\"]},"
        " \"regions\": {\"hips\": {\"map\": \"uniform\", \"beta\": 64}, \"twin\": {}}}}}");
    const tgLocalDef* local = &settings->volume.local;
    assert_int_equal(settings->volume.method, tg_volumeLocal);
    assert_true(settings->hasMethod);
    assert_int_equal(local->scope, tg_scopeGlobal);
    assert_int_equal(local->loss, tg_lossPrisms);
    assert_int_equal(local->edges, tg_edgesStill);
    assert_int_equal(local->map, tg_mapRubber);
    CHECK_NEAR(local->alpha, 2.5, 0.0);
    CHECK_NEAR(local->beta, 0.0, 0.0);
    assert_int_equal(local->parts, 1000);
    assert_int_equal(local->repeats, 100);
    assert_true(local->exact);
    // hips, neck, and both joints that are called twin.
    assert_int_equal(local->regionCount, 4);
    const tgLocalRegion* hips = tgFindRegion(settings, 0);
    assert_int_equal(hips->map, tg_mapUniform);
    CHECK_NEAR(hips->alpha, 2.5, 0.0);
    CHECK_NEAR(hips->beta, 64.0, 0.0);
    assert_int_equal(hips->boneCount, 3);
    assert_int_equal(hips->bones[0], 1);
    assert_int_equal(hips->bones[1], 4);
    assert_int_equal(hips->bones[2], 7);
    const tgLocalRegion* neck = tgFindRegion(settings, 3);
    assert_int_equal(neck->map, tg_mapRubber);
    assert_int_equal(neck->boneCount, 1);
    assert_int_equal(tgFindRegion(settings, 4)->boneCount, 0);
    assert_int_equal(tgFindRegion(settings, 7)->map, tg_mapRubber);
    tgDestroySettings(settings);
}

static void TestMistakes(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        const char* message;
    } mistakes[] = {
        {"\"scope\": \"all\"", "2, column 10: \"scope\" is \"all\", expected \"regions\" or "
                               "\"global\""},
        {"\"scope\": \"region\"", "2, column 10: \"scope\" is \"region\", perhaps \"regions\""},
        {"\"loss\": 1", "2, column 9: \"loss\" is 1, expected \"closed\" or \"prisms\""},
        {"\"map\": \"muscle\"", "2, column 8: \"map\" is \"muscle\", expected \"organic\", "
                                "\"rubber\" or \"uniform\""},
        {"\"alpha\": -1", "2, column 10: \"alpha\" is -1, expected 0 or more"},
        {"\"alpha\": 65", "2, column 10: \"alpha\" is 65, expected 0 to 64"},
        {"\"beta\": \"1\"", "2, column 9: \"beta\" is \"1\", expected a number"},
        {"\"parts\": 0", "2, column 10: \"parts\" is 0, expected a whole number from 1 to 1000"},
        {"\"parts\": 1.5", "2, column 10: \"parts\" is 1.5, expected a whole number from 1 to "
                           "1000"},
        {"\"repeats\": 101", "2, column 12: \"repeats\" is 101, expected a whole number from 0 to "
                             "100"},
        {"\"repeats\": null", "2, column 12: \"repeats\" is null, expected a whole number from 0 "
                              "to 100"},
        {"\"exact\": 1", "2, column 10: \"exact\" is 1, expected true or false"},
        {"\"mode\": \"paper\"", "2, column 1: \"mode\" is no key of \"local\", expected it in "
                                "\"volume\""},
        {"\"part\": 1", "2, column 1: \"part\" is no key of \"local\", perhaps \"parts\""},
        {"\"zzz\": 1",
         "2, column 1: \"zzz\" is no key of \"local\", expected scope, loss, edges, map, "
         "alpha, beta, regions, bones, parts, repeats, exact"},
        {"\"regions\": []",
         "2, column 12: \"regions\" is an empty list, expected an object of regions by "
         "joint name"},
        {"\"regions\": {\"nick\": {}}", "2, column 13: the character has no joint \"nick\", "
                                        "perhaps \"neck\""},
        {"\"regions\": {\"neck\": 1}", "2, column 21: \"neck\" is 1, expected an object with map, "
                                       "alpha or beta"},
        {"\"regions\": {\"neck\": {\"gamma\": 1}}",
         "2, column 22: \"gamma\" is no key of a region, expected map, alpha, beta"},
        {"\"regions\": {\"neck\":\n {\"alpha\": 99}}", "3, column 12: \"alpha\" is 99, expected 0 "
                                                       "to 64"},
        {"\"bones\": {\"neck\": \"hips\"}", "2, column 19: \"neck\" is \"hips\", expected a list "
                                            "of joint names"},
        {"\"bones\": {\"neck\": []}",
         "2, column 19: \"neck\" is an empty list, expected a list of joint "
         "names"},
        {"\"bones\": {\"neck\": [\"hips\",\n7]}", "3, column 1: \"neck\" is 7, expected a list of "
                                                  "joint names"},
        {"\"bones\": {\"neck\": [\"hops\"]}", "2, column 20: the character has no joint \"hops\", "
                                              "perhaps \"hips\""},
        {"\"bones\": {\"tail\": [\"hips\"]}",
         "2, column 11: the character has no joint \"tail\", "
         "expected the name of one of its 11, such as \"hips\""},
    };
    for (size_t i = 0; i < sizeof(mistakes) / sizeof(mistakes[0]); ++i) {
        char text[256], message[256];
        snprintf(text, sizeof(text), "{\"volume\": {\"local\": {\n%s}}}", mistakes[i].text);
        snprintf(message, sizeof(message), "line %s", mistakes[i].message);
        tgError error = {0};
        assert_null(tgParseSettings(text, strlen(text), &tg_scene, &error));
        assert_int_equal(error.code, tg_invalidArgument);
        assert_string_equal(error.message, message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestDefaults),
        cmocka_unit_test(TestKeys),
        cmocka_unit_test(TestMistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
