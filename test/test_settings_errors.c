// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The settings file refused: every mistake is told with its exact line and column; limits, damage,
// and memory that runs out.

#include "failing_memory.h"
#include "settings_scene.h"

#include <limits.h>

typedef struct tgMistake {
    const char* text;
    const char* message;
} tgMistake;

static void tgCheckMistake(const char* text, size_t size, tgResult code, const char* message)
{
    tgError error = {0};
    assert_null(tgParseSettings(text, size, &tg_scene, &error));
    if (strcmp(error.message, message) != 0) {
        print_error("for %.*s\n", (int)size, text);
    }
    assert_string_equal(error.message, message);
    assert_int_equal(error.code, code);
    assert_int_equal(error.index, -1);
    assert_null(tgParseSettings(text, size, &tg_scene, NULL));
}

static void TestSyntaxMessages(void** state)
{
    (void)state;
    static const tgMistake mistakes[] = {
        {"", "line 1, column 1: the file is empty, expected an object; {} takes every default"},
        {" \n\t",
         "line 2, column 2: the file is empty, expected an object; {} takes every default"},
        {"\xef\xbb\xbf",
         "line 1, column 1: the file is empty, expected an object; {} takes every default"},
        {"[]", "line 1, column 1: the file is an empty list, expected an object {...}"},
        {"\xef\xbb\xbf 5", "line 1, column 2: the file is 5, expected an object {...}"},
        {"null", "line 1, column 1: the file is null, expected an object {...}"},
        {"{", "line 1, column 2: found the end of the file, expected a key in double quotes"},
        {"{\"turgor\"",
         "line 1, column 10: found the end of the file, expected a : between key and "
         "value"},
        {"{\"turgor\":", "line 1, column 11: found the end of the file, expected a value"},
        {"{\"turgor\": 1", "line 1, column 13: found the end of the file, expected a comma or }"},
        {"{\"turgor\": [1", "line 1, column 14: found the end of the file, expected a comma or ]"},
        {"{\"turgor\": 1]", "line 1, column 13: found ], expected a comma or }"},
        {"{\"turgor\" 1}", "line 1, column 11: found 1, expected a : between key and value"},
        {"{\"turgor\": 1\n \"volume\": {}}", "line 2, column 2: found \", expected a comma or }"},
        {"{\"turgor\": 1,}",
         "line 1, column 13: found a comma before }, expected none after the last member"},
        {"{\"volume\": {\"target\": [\n1,\n]}}",
         "line 2, column 2: found a comma before ], expected none after the last element"},
        {"{,}", "line 1, column 2: found ,, expected a key in double quotes"},
        {"{turgor: 1}", "line 1, column 2: found t, expected a key in double quotes"},
        {"{'turgor': 1}", "line 1, column 2: found ', expected a key in double quotes"},
        {"{\"turgor\": 'x'}", "line 1, column 12: found ', expected a value"},
        {"{} x", "line 1, column 4: found x, expected nothing more after the end of the settings"},
        {"{}\r\n\r\n{}",
         "line 3, column 1: found {, expected nothing more after the end of the settings"},
        {"{\r\"turgor\"\r 1}", "line 3, column 2: found 1, expected a : between key and value"},
        {"// mine\n{}", "line 1, column 1: found /, expected a value; JSON has no comments"},
        {"{ # mine\n}",
         "line 1, column 3: found #, expected a key in double quotes; JSON has no comments"},
        {"{\"turgor\": True}", "line 1, column 12: found \"True\", expected true, false, null, a "
                               "number or a text in double quotes"},
        {"{\"turgor\": NaN}", "line 1, column 12: NaN is not allowed, expected a finite number"},
        {"{\"turgor\": -Infinity}",
         "line 1, column 12: -Infinity is not allowed, expected a finite number"},
        {"{\"turgor\": +inf}", "line 1, column 12: +inf is not allowed, expected a finite number"},
        {"{\"turgor\": 1e999}", "line 1, column 12: 1e999 is too large, expected a number between "
                                "-3.4e38 and 3.4e38"},
        {"{\"turgor\": -3.5e38}", "line 1, column 12: -3.5e38 is too large, expected a number "
                                  "between -3.4e38 and 3.4e38"},
        {"{\"turgor\": 01}", "line 1, column 12: 01 is not a number of JSON, expected one such as "
                             "0.5, -2 or 1e-3"},
        {"{\"turgor\": .5}", "line 1, column 12: .5 is not a number of JSON, expected one such as "
                             "0.5, -2 or 1e-3"},
        {"{\"turgor\": 1.}", "line 1, column 12: 1. is not a number of JSON, expected one such as "
                             "0.5, -2 or 1e-3"},
        {"{\"turgor\": +1}", "line 1, column 12: +1 is not a number of JSON, expected one such as "
                             "0.5, -2 or 1e-3"},
        {"{\"turgor\": 1e}", "line 1, column 12: 1e is not a number of JSON, expected one such as "
                             "0.5, -2 or 1e-3"},
        {"{\"turgor\": 0x1}",
         "line 1, column 12: 0x1 is not a number of JSON, expected one such as "
         "0.5, -2 or 1e-3"},
        {"{\"turgor\": -}", "line 1, column 12: - is not a number of JSON, expected one such as "
                            "0.5, -2 or 1e-3"},
        {"{\"turgor\": 1.5.5}", "line 1, column 12: 1.5.5 is not a number of JSON, expected one "
                                "such as 0.5, -2 or 1e-3"},
        {"{\"turgor: 1}\n", "line 1, column 2: a text without an end, expected a closing \" on the "
                            "same line"},
        {"{\"turgor\\",
         "line 1, column 2: a text without an end, expected a closing \" on the same "
         "line"},
        {"{\"a\tb\": 1}",
         "line 1, column 4: found byte 0x09, expected an escape such as \\t in its "
         "place"},
        {"{\"a\\x\": 1}",
         "line 1, column 4: this \\ in a text starts no known escape, expected \\\" \\\\ \\/ \\b "
         "\\f \\n \\r \\t or \\u with 4 hexadecimal digits, pairs whole"},
        {"{\"a\\u00g0\": 1}",
         "line 1, column 4: this \\ in a text starts no known escape, expected \\\" \\\\ \\/ \\b "
         "\\f \\n \\r \\t or \\u with 4 hexadecimal digits, pairs whole"},
        {"{\"\\ud83d!\": 1}",
         "line 1, column 3: this \\ in a text starts no known escape, expected \\\" \\\\ \\/ \\b "
         "\\f \\n \\r \\t or \\u with 4 hexadecimal digits, pairs whole"},
        {"{\"\\u0000\": 1}", "line 1, column 3: this \\ in a text starts no known escape, expected "
                             "any character but 0"},
        {"{\"\xc3\xa4\xff\": 1}",
         "line 1, column 4: found byte 0xff, not UTF-8, expected a file saved as UTF-8"},
        {"{\"\xc0\xaf\": 1}",
         "line 1, column 3: found byte 0xc0, not UTF-8, expected a file saved as UTF-8"},
        {"{\"\xed\xa0\x80\": 1}",
         "line 1, column 3: found byte 0xed, not UTF-8, expected a file saved as UTF-8"},
        {"\xff\xfe{",
         "line 1, column 1: found byte 0xff, not UTF-8, expected a file saved as UTF-8"},
        {"{\"turgor\": \xc3\xa9}", "line 1, column 12: found \xc3\xa9, expected a value"},
        {"{\"turgor\": \x7f}", "line 1, column 12: found byte 0x7f, expected a value"},
        {"{\"turgor\": 1,\n \"skinning\": \"linear\",\n  \"turgor\": 1}",
         "line 3, column 3: \"turgor\" is there twice, expected once; the first is on line 1"},
        {"{\"volume\": {\"joints\": {\"hips\": {}, \"\\u0068ips\": {}}}}",
         "line 1, column 36: \"hips\" is there twice, expected once; the first is on line 1"},
    };
    for (size_t i = 0; i < sizeof(mistakes) / sizeof(mistakes[0]); ++i) {
        tgCheckMistake(mistakes[i].text, strlen(mistakes[i].text), tg_invalidArgument,
                       mistakes[i].message);
    }
    tgCheckMistake("{\0}", 3, tg_invalidArgument,
                   "line 1, column 2: found byte 0x00, expected a key in double quotes");
}

/// In "volume", on the second line from column 1 on.
static const tgMistake tg_volumeMistakes[] = {
    {"\"metod\": \"exact\"", "2, column 1: \"metod\" is no key of \"volume\", perhaps \"method\""},
    {"\"taget\": []", "2, column 1: \"taget\" is no key of \"volume\", perhaps \"target\""},
    {"\"sigma\": 1", "2, column 1: \"sigma\" is no key of \"volume\", expected it in a profile"},
    {"\"banana\": 1", "2, column 1: \"banana\" is no key of \"volume\", expected method, mode, "
                      "target, default, joints, local, contact, paint"},
    {"\"\\n\": 1", "2, column 1: \"?\" is no key of \"volume\", expected method, mode, target, "
                   "default, joints, local, contact, paint"},
    {"\"an \xc3\xa4ngstlich long key that goes on and on and on\": 1",
     "2, column 1: \"an \xc3\xa4ngstlich long key that goes on a...\" is no key of \"volume\", "
     "expected method, mode, target, default, joints, local, contact, paint"},
    {"\"method\": \"exakt\"", "2, column 11: \"method\" is \"exakt\", perhaps \"exact\""},
    {"\"method\": true", "2, column 11: \"method\" is true, expected \"none\", \"exact\" or "
                         "\"local\""},
    {"\"mode\": \"serial\"", "2, column 9: \"mode\" is \"serial\", expected \"exact\" or "
                             "\"paper\""},
    {"\"contact\": 1", "2, column 12: \"contact\" is 1, expected true, false or an object such as "
                       "{\"gap\": 0.02}"},
    {"\"contact\": {\"gap\": -1}", "2, column 20: \"gap\" is -1, expected 0 or more"},
    {"\"contact\": true,\n \"mode\": \"paper\"",
     "2, column 12: \"contact\" does not go with \"mode\": \"paper\", expected the mode "
     "\"exact\""},
    {"\"mode\": \"paper\",\n \"contact\": {\"gap\": 1}",
     "3, column 13: \"contact\" does not go with \"mode\": \"paper\", expected the mode "
     "\"exact\""},
    {"\"contact\": {\"gaps\": 1}",
     "2, column 13: \"gaps\" is no key of \"contact\", perhaps \"gap\""},
    {"\"gap\": 1", "2, column 1: \"gap\" is no key of \"volume\", expected it in \"contact\""},
    {"\"target\": 1", "2, column 11: \"target\" is 1, expected a list of keys"},
    {"\"target\": [1]",
     "2, column 12: \"target\" is 1, expected keys such as {\"time\": 0, \"scale\": 1}"},
    {"\"target\": [{\"time\": 1}]", "2, column 12: a key of \"target\" without \"scale\", expected "
                                    "both \"time\" and \"scale\""},
    {"\"target\": [{\"scale\": 1}]", "2, column 12: a key of \"target\" without \"time\", expected "
                                     "both \"time\" and \"scale\""},
    {"\"target\": [{\"tme\": 1}]",
     "2, column 13: \"tme\" is no key of a key of \"target\", perhaps \"time\""},
    {"\"target\": [{\"time\": 1, \"scale\": 0}]",
     "2, column 33: \"scale\" is 0, expected more than 0"},
    {"\"target\": [{\"time\": 1, \"scale\": -2}]",
     "2, column 33: \"scale\" is -2, expected more than 0"},
    {"\"target\": [{\"time\": 1, \"scale\": 1},\n{\"scale\": 1, \"time\": 1}]",
     "3, column 22: time 1 follows time 1, expected increasing times"},
    {"\"joints\": []",
     "2, column 11: \"joints\" is an empty list, expected an object of joint names and profiles"},
    {"\"joints\": {\"elbow_L\": {}}",
     "2, column 12: the character has no joint \"elbow_L\", perhaps \"elbow.L\""},
    {"\"joints\": {\"HIPS\": {}}",
     "2, column 12: the character has no joint \"HIPS\", perhaps \"hips\""},
    {"\"joints\": {\"psine_02\": {}}",
     "2, column 12: the character has no joint \"psine_02\", perhaps \"spine_02\""},
    {"\"joints\": {\"LeftArm\": {}}", "2, column 12: the character has no joint \"LeftArm\", "
                                      "perhaps \"mixamorig:LeftArm\""},
    {"\"joints\": {\"tentacle\": null}", "2, column 12: the character has no joint \"tentacle\", "
                                         "expected the name of one of its 11, such "
                                         "as \"hips\""},
    {"\"joints\": {\"hips\": 1}", "2, column 20: \"hips\" is 1, expected a profile such as "
                                  "{\"profile\": \"rubber\"} or a list of them"},
    {"\"joints\": {\"hips\": []}", "2, column 20: \"hips\" is an empty list, expected a profile "
                                   "such as {\"profile\": \"rubber\"} or a list of them"},
    {"\"joints\": {\"hips\": [null]}",
     "2, column 21: \"hips\" is null, expected profiles {...} in its list"},
    {"\"default\": \"rubber\"", "2, column 12: \"default\" is \"rubber\", expected a profile such "
                                "as {\"profile\": \"rubber\"} or a list of them"},
    {"\"default\": null", "2, column 12: \"default\" is null, expected a profile such as "
                          "{\"profile\": \"rubber\"} or a list of them"},
    {"\"default\": [{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}]",
     "2, column 12: \"default\" has 17 profiles, expected at most 16"},
};

/// In a profile, on the second line from column 1 on.
static const tgMistake tg_profileMistakes[] = {
    {"\"profile\": \"ruber\"", "2, column 12: \"profile\" is \"ruber\", perhaps \"rubber\""},
    {"\"profile\": \"jelly\"", "2, column 12: \"profile\" is \"jelly\", perhaps \"belly\""},
    {"\"profile\": \"cloth\"",
     "2, column 12: \"profile\" is \"cloth\", expected \"organic\", \"isotropic\", \"rubber\", "
     "\"muscle\", \"folds\", \"belly\" or \"curves\""},
    {"\"profile\": 3", "2, column 12: \"profile\" is 3, expected \"organic\", \"isotropic\", "
                       "\"rubber\", \"muscle\", \"folds\", \"belly\" or \"curves\""},
    {"\"centre\": 1", "2, column 1: \"centre\" is no key of a profile, perhaps \"center\""},
    {"\"fold_angle\": 1",
     "2, column 1: \"fold_angle\" is no key of a profile, perhaps \"foldAngle\""},
    {"\"mode\": 1", "2, column 1: \"mode\" is no key of a profile, expected it in \"volume\""},
    {"\"skinning\": 1",
     "2, column 1: \"skinning\" is no key of a profile, expected it in the file"},
    {"\"x\": 1", "2, column 1: \"x\" is no key of a profile, expected profile, combine, mu, sigma, "
                 "center, folds, foldAngle, drift, gain, paint, curves, mirror"},
    {"\"combine\": \"sum\"", "2, column 12: \"combine\" is \"sum\", expected \"add\" or "
                             "\"multiply\""},
    {"\"mu\": 1", "2, column 7: \"mu\" is 1, expected a list of 3 numbers"},
    {"\"mu\": [1, 0]", "2, column 7: \"mu\" has 2 numbers, expected 3"},
    {"\"mu\": [1, 0, 0, 0]", "2, column 7: \"mu\" has 4 numbers, expected 3"},
    {"\"mu\": [0.5, -0.5, 1]", "2, column 13: \"mu\" is -0.5, expected 0 or more"},
    {"\"mu\": [0, 0, \"1\"]", "2, column 14: \"mu\" is \"1\", expected a number"},
    {"\"mu\": [0, 0, 0]", "2, column 7: \"mu\" is 0 along all axes, expected shares that sum to 1; "
                          "only isotropic may leave them to the surface"},
    {"\"sigma\": -0.25", "2, column 10: \"sigma\" is -0.25, expected more than 0"},
    {"\"sigma\": 0", "2, column 10: \"sigma\" is 0, expected more than 0"},
    {"\"sigma\": [1, 1,\n -1]", "3, column 2: \"sigma\" is -1, expected more than 0"},
    {"\"sigma\": 1e-9", "2, column 10: \"sigma\" is 1e-9, expected more than 1e-6"},
    {"\"sigma\": [1, 1e-30, 1]", "2, column 14: \"sigma\" is 1e-30, expected more than 1e-6"},
    {"\"center\": 1e38", "2, column 11: \"center\" is 1e38, expected between -1e6 and 1e6"},
    {"\"center\": [0, 0, -2e6]", "2, column 18: \"center\" is -2e6, expected between -1e6 and 1e6"},
    {"\"folds\": 2e9", "2, column 10: \"folds\" is 2e9, expected less than 1e6"},
    {"\"drift\": -0.1", "2, column 10: \"drift\" is -0.1, expected 0 to 1"},
    {"\"drift\": 1.1", "2, column 10: \"drift\" is 1.1, expected 0 to 1"},
    {"\"gain\": -1", "2, column 9: \"gain\" is -1, expected 0 to 4"},
    {"\"gain\": 5", "2, column 9: \"gain\" is 5, expected 0 to 4"},
    {"\"gain\": \"1\"", "2, column 9: \"gain\" is \"1\", expected 0 to 4"},
    {"\"sigma\": [1, 1]", "2, column 10: \"sigma\" has 2 numbers, expected 3"},
    {"\"sigma\": {}", "2, column 10: \"sigma\" is an object, expected a number or a list of 3"},
    {"\"center\": \"joint\"", "2, column 11: \"center\" is \"joint\", expected a number or a list "
                              "of 3"},
    {"\"center\": [0, null, 0]", "2, column 15: \"center\" is null, expected a number"},
    {"\"folds\": -1", "2, column 10: \"folds\" is -1, expected 0 or more"},
    {"\"foldAngle\": 0", "2, column 14: \"foldAngle\" is 0, expected degrees, more than 0 and at "
                         "most 180"},
    {"\"foldAngle\": 181", "2, column 14: \"foldAngle\" is 181, expected degrees, more than 0 and "
                           "at most 180"},
    {"\"foldAngle\": \"90\"",
     "2, column 14: \"foldAngle\" is \"90\", expected degrees, more than 0 "
     "and at most 180"},
    {"\"drift\": false", "2, column 10: \"drift\" is false, expected 0 to 1"},
    {"\"curves\": 1", "2, column 11: \"curves\" is 1, expected 3 lists of points, one along each "
                      "axis"},
    {"\"curves\": [[], []]", "2, column 11: \"curves\" is a list, expected 3 lists of points, one "
                             "along each axis"},
    {"\"curves\": [[], 1, []]", "2, column 16: \"curves\" is 1, expected 3 lists of points, one "
                                "along each axis"},
    {"\"curves\": [[], [[0]], []]", "2, column 17: \"curves\" is a list, expected points of 2 "
                                    "numbers, [coordinate, value]"},
    {"\"curves\": [[0, 1], [], []]", "2, column 13: \"curves\" is 0, expected points of 2 numbers, "
                                     "[coordinate, value]"},
    {"\"curves\": [[[0, -1]], [], []]", "2, column 17: \"curves\" is -1, expected 0 or more"},
    {"\"curves\": [[[0, 1], [1, 1],\n[0.5, 1]], [], []]",
     "3, column 2: a curve's point at 0.5 follows one at 1, expected increasing coordinates"},
    {"\"curves\": [[[0, 1], [0, 1]], [], []]",
     "2, column 22: a curve's point at 0 follows one at 0, expected increasing coordinates"},
};

static void tgCheckMistakes(const tgMistake* mistakes, size_t count, const char* before,
                            const char* after)
{
    for (size_t i = 0; i < count; ++i) {
        char text[512];
        char message[256];
        snprintf(text, sizeof(text), "%s\n%s%s", before, mistakes[i].text, after);
        snprintf(message, sizeof(message), "line %s", mistakes[i].message);
        tgCheckMistake(text, strlen(text), tg_invalidArgument, message);
    }
}

static void TestValueMessages(void** state)
{
    (void)state;
    tgCheckMistakes(tg_volumeMistakes, sizeof(tg_volumeMistakes) / sizeof(tg_volumeMistakes[0]),
                    "{\"volume\": {", "}}");
    tgCheckMistakes(tg_profileMistakes, sizeof(tg_profileMistakes) / sizeof(tg_profileMistakes[0]),
                    "{\"volume\": {\"default\": {", "}}}");
    // A profile of a joint is read by the same function, also inside a list.
    tgCheckMistakes(tg_profileMistakes, sizeof(tg_profileMistakes) / sizeof(tg_profileMistakes[0]),
                    "{\"volume\": {\"joints\": {\"hips\": [{},{", "}]}}}");
    static const tgMistake top[] = {
        {"\"turgor\": 2", "2, column 11: \"turgor\" is 2, expected 1, the version of the settings"},
        {"\"turgor\": \"1\"",
         "2, column 11: \"turgor\" is \"1\", expected 1, the version of the settings"},
        {"\"$schema\": 1", "2, column 12: \"$schema\" is 1, expected a text"},
        {"\"skinning\": \"dualquaternion\"",
         "2, column 13: \"skinning\" is \"dualquaternion\", perhaps \"dual-quaternion\""},
        {"\"skinning\": \"dqs\"", "2, column 13: \"skinning\" is \"dqs\", expected \"auto\", "
                                  "\"linear\", \"dual-quaternion\" or \"blend\""},
        {"\"volume\": true", "2, column 11: \"volume\" is true, expected an object {...}"},
        {"\"skining\": \"linear\"",
         "2, column 1: \"skining\" is no key of the file, perhaps \"skinning\""},
        {"\"method\": \"exact\"",
         "2, column 1: \"method\" is no key of the file, expected it in \"volume\""},
        {"\"zzz\": 0", "2, column 1: \"zzz\" is no key of the file, expected turgor, skinning, "
                       "volume, flesh, bones, refine, wrinkles"},
        {"\"refine\": true", "2, column 11: \"refine\" is true, expected an object {...}"},
        {"\"refine\": {\"levels\": 1.5}",
         "2, column 22: \"levels\" is 1.5, expected a whole number, 0 to 4"},
        {"\"refine\": {\"levels\": 5}",
         "2, column 22: \"levels\" is 5, expected a whole number, 0 to 4"},
        {"\"refine\": {\"levels\": \"1\"}",
         "2, column 22: \"levels\" is \"1\", expected a whole number, 0 to 4"},
        {"\"refine\": {\"threshold\": 1.01}",
         "2, column 25: \"threshold\" is 1.01, expected 0 to 1"},
        {"\"refine\": {\"threshold\": -0.1}",
         "2, column 25: \"threshold\" is -0.1, expected 0 or more"},
        {"\"refine\": {\"treshold\": 0.1}",
         "2, column 12: \"treshold\" is no key of \"refine\", perhaps \"threshold\""},
        {"\"levels\": 1",
         "2, column 1: \"levels\" is no key of the file, expected it in \"refine\""},
    };
    tgCheckMistakes(top, sizeof(top) / sizeof(top[0]), "{", "}");
}

static void TestLimits(void** state)
{
    (void)state;
    char deep[256];
    memset(deep, '[', sizeof(deep));
    tgCheckMistake(deep, sizeof(deep), tg_invalidArgument,
                   "line 1, column 33: nested too deep, expected at most 32 levels");
    char text[4096] = "{\"volume\": {\"default\": {\"profile\": \"curves\", \"curves\": [[\n";
    for (int i = 0; i <= tg_mostCurvePoints; ++i) {
        size_t size = strlen(text);
        snprintf(text + size, sizeof(text) - size, "%s[%d, 1]", i > 0 ? ",\n" : "", i);
    }
    strncat(text, "], [], []]}}}", sizeof(text) - strlen(text) - 1);
    tgCheckMistake(
        text, strlen(text), tg_invalidArgument,
        "line 34, column 1: \"curves\" has 33 points along one axis, expected at most 32");
    tgError error = {0};
    assert_null(tgParseSettings("{}", (size_t)17 << 20, &tg_scene, &error));
    assert_string_equal(error.message,
                        "a settings file of 17825792 bytes, expected at most 16777216");
    assert_null(tgParseSettings(NULL, 0, &tg_scene, &error));
}

/// However large, a file takes no longer than its length asks for.
static void TestManyJoints(void** state)
{
    (void)state;
    enum { jointCount = 20000, nameSize = 16 };
    tgSceneJoint* joints = calloc(jointCount, sizeof(tgSceneJoint));
    char* names = malloc((size_t)jointCount * nameSize);
    char* text = malloc((size_t)jointCount * 64);
    size_t size =
        (size_t)sprintf(text, "{\"volume\": {\"default\": {\"profile\": \"folds\"}, \"joints\": {");
    for (int j = 0; j < jointCount; ++j) {
        snprintf(names + j * nameSize, nameSize, "joint %d", (j * 7919) % jointCount);
        joints[j].name = names + j * nameSize;
        size += (size_t)sprintf(text + size, "%s\"joint %d\": {\"folds\": %d}", j > 0 ? ",\n" : "",
                                j, j + 1);
    }
    size += (size_t)sprintf(text + size, "}}}");
    const tgScene scene = {.joints = joints, .jointCount = jointCount};
    tgError error = {0};
    tgSettings* settings = tgParseSettings(text, size, &scene, &error);
    assert_non_null(settings);
    assert_int_equal(settings->volume.jointCount, jointCount);
    for (int i = 0; i < jointCount; ++i) {
        const tgJointProfiles* entry = &settings->volume.joints[i];
        CHECK_NEAR(entry->profiles[0].folds, (entry->joint * 7919) % jointCount + 1, 0.0);
    }
    tgDestroySettings(settings);
    size = size - 3 + (size_t)sprintf(text + size - 3, ",\n\"joint x\": {}}}}");
    assert_null(tgParseSettings(text, size, &scene, &error));
    CHECK_CONTAINS(error.message, "line 20001, column 1: the character has no joint \"joint x\"");
    free(text);
    free(names);
    free(joints);
}

static const char tg_sample[] =
    "{\"turgor\": 1, \"skinning\": \"linear\", \"volume\": {\"method\": \"exact\",\n"
    "\"target\": [{\"time\": 0, \"scale\": 1}], \"default\": [{\"profile\": \"organic\"}, {}],\n"
    "\"joints\": {\"elbow.L\": {\"mu\": [1, 1, 1]}, \"neck\": null, \"twin\": {\"profile\":\n"
    "\"curves\", \"curves\": [[[-1, 0], [0, 1]], [], [[0, 1.5e0]]]}},\n"
    "\"local\": {\"parts\": 2, \"regions\": {\"hips\": {\"alpha\": 2}}, \"bones\": {\"hips\":\n"
    "[\"spine_01\"]}}}}";

/// Whatever one byte is changed to and wherever the text is cut, the reader answers.
static void TestDamage(void** state)
{
    (void)state;
    for (size_t length = 0; length + 1 < sizeof(tg_sample); ++length) {
        // A copy of that size, so that the sanitizers see a step too far.
        char* text = malloc(length + 1);
        memcpy(text, tg_sample, length);
        tgError error = {0};
        if (length + 2 < sizeof(tg_sample)) {
            assert_null(tgParseSettings(text, length, &tg_scene, &error));
            assert_memory_equal(error.message, "line ", 5);
        }
        free(text);
    }
    static const unsigned char bytes[] = {0,   '"', '\\', '{', '}',  '[',
                                          ']', ',', '9',  'e', 0xff, '\n'};
    for (size_t i = 0; i + 1 < sizeof(tg_sample); ++i) {
        for (size_t k = 0; k < sizeof(bytes); ++k) {
            char text[sizeof(tg_sample)];
            memcpy(text, tg_sample, sizeof(tg_sample));
            text[i] = (char)bytes[k];
            tgError error = {0};
            tgSettings* settings = tgParseSettings(text, sizeof(text) - 1, &tg_scene, &error);
            assert_true(settings != NULL || error.code != tg_success);
            tgDestroySettings(settings);
        }
    }
}

static void TestOutOfMemory(void** state)
{
    (void)state;
    tgSettings* settings = NULL;
    int failures = 0;
    while (settings == NULL) {
        tgError error = {0};
        tg_allocationsLeft = failures;
        settings = tgParseSettings(tg_sample, sizeof(tg_sample) - 1, &tg_scene, &error);
        tg_allocationsLeft = INT_MAX;
        if (settings == NULL) {
            assert_int_equal(error.code, tg_outOfMemory);
            failures += 1;
        }
        assert_true(failures < 1000);
    }
    assert_true(failures > 5);
    tgDestroySettings(settings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestSyntaxMessages), cmocka_unit_test(TestValueMessages),
        cmocka_unit_test(TestLimits),         cmocka_unit_test(TestManyJoints),
        cmocka_unit_test(TestDamage),         cmocka_unit_test(TestOutOfMemory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
