// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// "wrinkles" of the settings file: every key lands in the definition, and each mistake is told with
// its place.

#include "settings_scene.h"

static void TestKeys(void** state)
{
    (void)state;
    tgSettings* settings = tgMustParse("{}");
    assert_int_equal(settings->wrinkles.wrinkleCount, 0);
    assert_false(settings->wrinkles.automatic);
    tgDestroySettings(settings);
    settings = tgMustParse("{\"wrinkles\": \"auto\"}");
    assert_true(settings->wrinkles.automatic);
    tgDestroySettings(settings);
    settings =
        tgMustParse("{\"wrinkles\": [{\"joint\": \"neck\", \"side\": \"outer\", \"count\": 64,"
                    " \"depth\": 0.5, \"length\": 2}, {\"joint\": \"twin\"}]}");
    const tgWrinklesDef* def = &settings->wrinkles;
    assert_int_equal(def->wrinkleCount, 3); // both joints that are called twin
    assert_int_equal(def->wrinkles[0].joint, 3);
    assert_int_equal(def->wrinkles[0].side, tg_wrinkleOuter);
    assert_int_equal(def->wrinkles[0].count, 64);
    CHECK_NEAR(def->wrinkles[0].depth, 0.5, 0.0);
    CHECK_NEAR(def->wrinkles[0].length, 2.0, 0.0);
    tgWrinkle plain = tgDefaultWrinkle(7);
    assert_memory_equal(&def->wrinkles[2], &plain, sizeof(plain));
    tgDestroySettings(settings);
}

static void TestMistakes(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        const char* message;
    } cases[] = {
        {"7", "line 1, column 14: \"wrinkles\" is 7, expected a list of joints, or \"auto\""},
        {"\"all\"", "expected a list of joints, or \"auto\""},
        {"[7]", "expected objects such as {\"joint\": \"elbow.L\"}"},
        {"[{}]", "without \"joint\""},
        {"[{\"joint\": 3}]", "\"joint\" is 3, expected the name of a joint"},
        {"[{\"joint\": \"nek\"}]", "line 1, column 25: the character has no joint \"nek\", perhaps "
                                   "\"neck\""},
        {"[{\"joint\": \"hips\"}]", "the joint \"hips\" has no parent"},
        {"[{\"joint\": \"neck\"}, {\"joint\": \"neck\"}]", "has wrinkles already"},
        {"[{\"joint\": \"neck\", \"count\": 0}]", "\"count\" is 0, expected"},
        {"[{\"joint\": \"neck\", \"count\": 65}]", "\"count\" is 65, expected"},
        {"[{\"joint\": \"neck\", \"side\": \"left\"}]", "\"side\" is \"left\", expected"},
        {"[{\"joint\": \"neck\", \"depth\": 0}]", "\"depth\" is 0, expected more than 0"},
        {"[{\"joint\": \"neck\", \"length\": 101}]", "\"length\" is 101, expected"},
        {"[{\"joint\": \"neck\", \"width\": 1}]",
         "\"width\" is no key of an entry of \"wrinkles\""},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        char text[160];
        tgError error = {0};
        snprintf(text, sizeof(text), "{\"wrinkles\": %s}", cases[i].text);
        assert_null(tgParseSettings(text, strlen(text), &tg_scene, &error));
        assert_int_equal(error.code, tg_invalidArgument);
        CHECK_CONTAINS(error.message, cases[i].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(TestKeys), cmocka_unit_test(TestMistakes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
