// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The settings file: every key lands in the definition, what is left out has its default, and the
// presets are what they say.

#include "settings_scene.h"

#include "core/profile.h"

/// The profiles of one joint; fails when it has no entry.
static const tgJointProfiles* tgFindEntry(const tgSettings* settings, const char* name)
{
    for (int i = 0; i < settings->volume.jointCount; ++i) {
        if (strcmp(tg_joints[settings->volume.joints[i].joint].name, name) == 0) {
            return &settings->volume.joints[i];
        }
    }
    print_error("no entry for %s\n", name);
    fail();
    return NULL;
}

static void tgCheckProfilesEqual(const tgProfile* a, const tgProfile* b)
{
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->combine, b->combine);
    assert_memory_equal(a->mu, b->mu, sizeof(a->mu));
    assert_memory_equal(a->sigma, b->sigma, sizeof(a->sigma));
    assert_memory_equal(a->center, b->center, sizeof(a->center));
    CHECK_NEAR(a->folds, b->folds, 0.0);
    CHECK_NEAR(a->foldAngle, b->foldAngle, 0.0);
    CHECK_NEAR(a->drift, b->drift, 0.0);
    CHECK_NEAR(a->gain, b->gain, 0.0);
    assert_memory_equal(a->curveCounts, b->curveCounts, sizeof(a->curveCounts));
    assert_memory_equal(a->curves, b->curves, sizeof(a->curves));
    assert_int_equal(a->cookie, b->cookie);
}

static void TestDefaults(void** state)
{
    (void)state;
    static const char* const texts[] = {"{}",
                                        "\xef\xbb\xbf{}",
                                        " \r\n{ }\t\n",
                                        "{\"volume\": {}}",
                                        "{\"turgor\": 1, \"volume\": {\"target\": []}}",
                                        "{\"turgor\": 1.0, \"volume\": {\"joints\": {}}}",
                                        "{\"$schema\": \"docs/settings.schema.json\"}"};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); ++i) {
        tgSettings* settings = tgMustParse(texts[i]);
        assert_false(settings->hasSkinning);
        assert_int_equal(settings->skinning, tg_linear);
        assert_false(settings->hasMethod);
        assert_int_equal(settings->volume.method, tg_volumeExact);
        assert_int_equal(settings->volume.mode, tg_modeExact);
        assert_int_equal(settings->volume.profileCount, 0);
        assert_int_equal(settings->volume.jointCount, 0);
        assert_int_equal(settings->volume.targetKeyCount, 0);
        assert_int_equal(settings->warningCount, 0);
        tgDestroySettings(settings);
    }
    tgDestroySettings(NULL);
}

static void TestVolumeKeys(void** state)
{
    (void)state;
    tgSettings* settings = tgMustParse(
        "{\"turgor\": 1, \"skinning\": \"linear\",\n"
        " \"volume\": {\"method\": \"none\", \"mode\": \"exact\", \"contact\": true,\n"
        "  \"target\": [{\"time\": -1, \"scale\": 1}, {\"scale\": 1.04, \"time\": 1.5}]}}");
    assert_true(settings->hasSkinning);
    assert_int_equal(settings->skinning, tg_linear);
    assert_true(settings->hasMethod);
    assert_int_equal(settings->volume.method, tg_volumeNone);
    assert_int_equal(settings->volume.mode, tg_modeExact);
    assert_int_equal(settings->volume.contact, tg_contactOn);
    assert_int_equal(settings->volume.targetKeyCount, 2);
    CHECK_NEAR(settings->volume.targetKeys[0].time, -1.0, 0.0);
    CHECK_NEAR(settings->volume.targetKeys[0].scale, 1.0, 0.0);
    CHECK_NEAR(settings->volume.targetKeys[1].time, 1.5, 0.0);
    CHECK_NEAR(settings->volume.targetKeys[1].scale, 1.04, 1e-7);
    tgDestroySettings(settings);
    settings = tgMustParse("{\"skinning\": \"dual-quaternion\", \"volume\": {\"mode\": \"paper\", "
                           "\"method\": \"exact\"}}");
    assert_true(settings->hasSkinning && settings->hasMethod);
    assert_int_equal(settings->skinning, tg_dualQuaternion);
    assert_int_equal(settings->volume.mode, tg_modePaper);
    assert_int_equal(settings->volume.method, tg_volumeExact);
    tgDestroySettings(settings);
}

/// true and false, or an object, which is on.
static void TestContact(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        tgContactChoice contact;
        float gap;
    } cases[] = {
        {"{}", tg_contactAuto, 0.02f},
        {"{\"volume\": {\"contact\": true}}", tg_contactOn, 0.02f},
        {"{\"volume\": {\"contact\": false}}", tg_contactOff, 0.02f},
        {"{\"volume\": {\"contact\": {}}}", tg_contactOn, 0.02f},
        {"{\"volume\": {\"mode\": \"paper\", \"contact\": false}}", tg_contactOff, 0.02f},
        {"{\"volume\": {\"contact\": {\"gap\": 0}}}", tg_contactOn, 0.0f},
        {"{\"volume\": {\"contact\": {\"gap\": 0.5}}}", tg_contactOn, 0.5f},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        tgSettings* settings = tgMustParse(cases[i].text);
        assert_int_equal(settings->volume.contact, cases[i].contact);
        CHECK_NEAR(settings->volume.contactGap, cases[i].gap, 0.0);
        assert_int_equal(settings->warningCount, 0);
        tgDestroySettings(settings);
    }
}

/// Settings of earlier versions: each is told once, at its place, and changes nothing.
static void TestGoneKeys(void** state)
{
    (void)state;
    tgSettings* settings = tgMustParse(
        "{\"volume\": {\n"
        "\"cap\": 0.75,\n\"evenOut\": false,\n\"limbOnly\": \"any\",\n\"holdFaces\": true,\n"
        "\"equalShares\": true,\n\"mode\": \"together\",\n"
        "\"contact\": {\"neighbours\": false, \"general\": true, \"rounds\": 99},\n"
        "\"default\": {\"driftFocus\": 2},\n\"joints\": {\"neck\": {\"driftFocus\": 3}}}}");
    static const char* const expected[] = {
        "line 2, column 1: \"cap\" is no longer there: the room of each vertex takes its place; "
        "remove it",
        "line 3, column 1: \"evenOut\" is no longer there: corrections follow the surface, however "
        "its vertices lie; remove it",
        "line 4, column 1: \"limbOnly\" is no longer there: a joint's correction spreads along its "
        "own skin only; remove it",
        "line 5, column 1: \"holdFaces\" is no longer there: corrections no longer go along the "
        "normals of crushed skin; remove it",
        "line 6, column 1: \"equalShares\" is no longer there: \"mu\": [0.33, 0.33, 0.34] says the "
        "same; remove it",
        "line 7, column 9: mode \"together\" is no longer there: there is one exact method now, "
        "without an order of joints; remove it",
        "line 9, column 13: \"driftFocus\" is no longer there: \"drift\" alone tells how much of "
        "the shape there is; remove it",
        "line 8, column 13: \"neighbours\" is no longer there: \"contact\": true or false says it; "
        "remove it",
        "line 8, column 34: \"general\" is no longer there: contact is looked for between "
        "neighbouring bones only; remove it",
        "line 8, column 51: \"rounds\" is no longer there: contact goes before the correction, "
        "once; remove it",
    };
    assert_int_equal(settings->warningCount, 10);
    for (int i = 0; i < 10; ++i) {
        assert_string_equal(settings->warnings[i], expected[i]);
    }
    assert_int_equal(settings->volume.mode, tg_modeExact);
    assert_int_equal(settings->volume.contact, tg_contactOn);
    tgProfile organic = tgDefaultProfile(tg_profileOrganic);
    tgCheckProfilesEqual(&settings->volume.profiles[0], &organic);
    tgDestroySettings(settings);
    settings = tgMustParse("{\"volume\": {\"mode\": \"sequence\"}}");
    assert_int_equal(settings->warningCount, 1);
    CHECK_CONTAINS(settings->warnings[0],
                   "line 1, column 21: mode \"sequence\" is no longer there");
    tgDestroySettings(settings);
}

static void TestProfileKeys(void** state)
{
    (void)state;
    tgSettings* settings =
        tgMustParse("{\"volume\": {\"default\": {\"profile\": \"belly\", \"mu\": [0.25, 0.25, 0.5],"
                    " \"sigma\": [0.4, 0.5, 0.6], \"center\": [-0.1, 0.2, -3e-1], \"folds\": 3,"
                    " \"foldAngle\": 60, \"gain\": 1.5,"
                    " \"combine\": \"multiply\"}}}");
    assert_int_equal(settings->warningCount, 0);
    assert_int_equal(settings->skinning, tg_linear);
    assert_int_equal(settings->volume.profileCount, 1);
    tgProfile expected = tgDefaultProfile(tg_profileBelly);
    expected.combine = tg_combineMultiply;
    memcpy(expected.mu, (float[3]){0.25f, 0.25f, 0.5f}, sizeof(expected.mu));
    memcpy(expected.sigma, (float[3]){0.4f, 0.5f, 0.6f}, sizeof(expected.sigma));
    memcpy(expected.center, (float[3]){-0.1f, 0.2f, -0.3f}, sizeof(expected.center));
    expected.folds = 3.0f;
    expected.foldAngle = settings->volume.profiles[0].foldAngle;
    CHECK_NEAR(expected.foldAngle, 3.14159265358979 / 3.0, 1e-6);
    expected.gain = 1.5f;
    tgCheckProfilesEqual(&settings->volume.profiles[0], &expected);
    tgDestroySettings(settings);

    // One number: all widths; along the bone.
    settings = tgMustParse(
        "{\"volume\": {\"default\": {\"profile\": \"rubber\", \"sigma\": 2, \"center\": 1.5},"
        " \"joints\": {\"hips\": {\"profile\": \"muscle\", \"center\": -0.5}}}}");
    expected = tgDefaultProfile(tg_profileRubber);
    expected.sigma[0] = expected.sigma[1] = expected.sigma[2] = 2.0f;
    expected.center[0] = 1.5f;
    tgCheckProfilesEqual(&settings->volume.profiles[0], &expected);
    expected = tgDefaultProfile(tg_profileMuscle);
    expected.center[0] = -0.5f;
    tgCheckProfilesEqual(&tgFindEntry(settings, "hips")->profiles[0], &expected);
    tgDestroySettings(settings);
}

static void TestCurves(void** state)
{
    (void)state;
    tgSettings* settings = tgMustParse("{\"volume\": {\"default\": {\"profile\": \"curves\","
                                       " \"mu\": [0, 1, 0], \"curves\": [[[-1, 0], [0, 1], [1, 0]],"
                                       " [], [[-0.5, 0.25], [1, 1]]]}}}");
    assert_int_equal(settings->warningCount, 0);
    const tgProfile* profile = &settings->volume.profiles[0];
    assert_int_equal(profile->kind, tg_profileCurves);
    const int counts[3] = {3, 0, 2};
    assert_memory_equal(profile->curveCounts, counts, sizeof(counts));
    const tgCurvePoint first[3] = {{-1, 0}, {0, 1}, {1, 0}};
    assert_memory_equal(profile->curves[0], first, sizeof(first));
    const tgCurvePoint last[2] = {{-0.5f, 0.25f}, {1, 1}};
    assert_memory_equal(profile->curves[2], last, sizeof(last));
    tgDestroySettings(settings);

    // As many points as there is room for.
    char text[2048] = "{\"volume\": {\"default\": {\"profile\": \"curves\", \"curves\": [[";
    for (int i = 0; i < tg_mostCurvePoints; ++i) {
        size_t size = strlen(text);
        snprintf(text + size, sizeof(text) - size, "%s[%d, %d]", i > 0 ? ", " : "", i, 2 * i);
    }
    strncat(text, "], [], []]}}}", sizeof(text) - strlen(text) - 1);
    settings = tgMustParse(text);
    assert_int_equal(settings->volume.profiles[0].curveCounts[0], tg_mostCurvePoints);
    CHECK_NEAR(settings->volume.profiles[0].curves[0][31].value, 62.0, 0.0);
    tgDestroySettings(settings);
}

static void TestJoints(void** state)
{
    (void)state;
    tgSettings* settings = tgMustParse(
        "{\"volume\": {\"joints\": {\"elbow.L\": {\"profile\": \"muscle\"}, \"neck\": null,\n"
        "\"twin\": [{\"profile\": \"rubber\"}, {\"profile\": \"folds\", \"combine\": "
        "\"multiply\"}],"
        "\"\": {}, \"\\u00c4rmel\": {\"profile\": \"isotropic\"}}}}");
    assert_int_equal(settings->volume.jointCount, 6);
    assert_int_equal(tgFindEntry(settings, "elbow.L")->profiles[0].kind, tg_profileMuscle);
    assert_int_equal(tgFindEntry(settings, "neck")->profileCount, 0);
    assert_int_equal(tgFindEntry(settings, "")->profiles[0].kind, tg_profileOrganic);
    assert_int_equal(tgFindEntry(settings, "Ärmel")->profiles[0].kind, tg_profileIsotropic);
    // A name of two joints goes to both.
    const tgJointProfiles* twin = tgFindEntry(settings, "twin");
    assert_int_equal(twin[0].joint, 4);
    assert_int_equal(twin[1].joint, 7);
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(twin[i].profileCount, 2);
        assert_int_equal(twin[i].profiles[0].kind, tg_profileRubber);
        assert_int_equal(twin[i].profiles[1].kind, tg_profileFolds);
        assert_int_equal(twin[i].profiles[1].combine, tg_combineMultiply);
    }
    assert_int_equal(settings->warningCount, 0);
    tgDestroySettings(settings);
    // Without a character there is nothing to name, but all else works.
    tgError error = {0};
    settings = tgParseSettings("{\"volume\": {\"joints\": {}}}", 26, NULL, &error);
    assert_non_null(settings);
    tgDestroySettings(settings);
}

/// A profile that does not name its kind is the file's default, changed; wherever that stands.
static void TestInheritance(void** state)
{
    (void)state;
    tgSettings* settings = tgMustParse(
        "{\"volume\": {\"joints\": {\"neck\": {\"mu\": [0, 0, 1]}, \"hips\": {\"profile\": "
        "\"rubber\"}},\n\"default\": [{\"profile\": \"rubber\", \"sigma\": 0.4}, {\"sigma\": "
        "3}]}}");
    tgProfile expected = tgDefaultProfile(tg_profileRubber);
    tgCheckProfilesEqual(&tgFindEntry(settings, "hips")->profiles[0], &expected);
    expected.sigma[0] = expected.sigma[1] = expected.sigma[2] = 0.4f;
    tgCheckProfilesEqual(&settings->volume.profiles[0], &expected);
    memcpy(expected.mu, (float[3]){0.0f, 0.0f, 1.0f}, sizeof(expected.mu));
    tgCheckProfilesEqual(&tgFindEntry(settings, "neck")->profiles[0], &expected);
    assert_int_equal(settings->volume.profiles[1].kind, tg_profileOrganic);
    assert_int_equal(settings->skinning, tg_linear);
    tgDestroySettings(settings);
}

/// "auto" is what the character's own file says, and so is nothing at all.
static void TestSkinning(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        int skinning; ///< -1: the scene's
    } cases[] = {{"{}", -1},
                 {"{\"skinning\": \"auto\"}", -1},
                 {"{\"volume\": {\"default\": {\"profile\": \"rubber\"}}}", -1},
                 {"{\"skinning\": \"linear\"}", tg_linear},
                 {"{\"skinning\": \"dual-quaternion\"}", tg_dualQuaternion},
                 {"{\"skinning\": \"blend\"}", tg_blend}};
    for (int own = tg_linear; own <= tg_blend; ++own) {
        tgScene scene = tg_scene;
        scene.skinning = (tgSkinning)own;
        assert_int_equal(tgScene_GetRigDef(&scene).skinning, own);
        for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
            tgSettings* settings =
                tgParseSettings(cases[i].text, strlen(cases[i].text), &scene, NULL);
            assert_non_null(settings);
            bool isOwn = cases[i].skinning < 0;
            assert_int_equal(settings->hasSkinning, !isOwn);
            assert_int_equal(settings->skinning, isOwn ? own : cases[i].skinning);
            tgDestroySettings(settings);
        }
    }
    // Without a scene there is no file to ask.
    tgSettings* settings = tgParseSettings("{}", 2, NULL, NULL);
    assert_int_equal(settings->skinning, tg_linear);
    assert_int_equal(tgDefaultRigDef().skinning, tg_linear);
    tgDestroySettings(settings);
}

static void TestPresets(void** state)
{
    (void)state;
    static const struct {
        const char* name;
        tgProfileKind kind;
    } presets[] = {
        {"organic", tg_profileOrganic},     {"rubber", tg_profileRubber},
        {"muscle", tg_profileMuscle},       {"folds", tg_profileFolds},
        {"isotropic", tg_profileIsotropic}, {"belly", tg_profileBelly},
    };
    for (int i = 0; i < 6; ++i) {
        assert_string_equal(tgGetPresetName(i), presets[i].name);
        tgProfile profile, expected = tgDefaultProfile(presets[i].kind);
        assert_true(tgMakePreset(presets[i].name, &profile));
        tgCheckProfilesEqual(&profile, &expected);
        // A file that names the kind alone says the same.
        char text[128];
        snprintf(text, sizeof(text), "{\"volume\": {\"default\": {\"profile\": \"%s\"}}}",
                 presets[i].name);
        tgSettings* settings = tgMustParse(text);
        tgCheckProfilesEqual(&settings->volume.profiles[0], &expected);
        tgDestroySettings(settings);
    }
    tgProfile anatomic, organic = tgDefaultProfile(tg_profileOrganic);
    organic.drift = 0.8f;
    assert_string_equal(tgGetPresetName(6), "anatomic");
    assert_true(tgMakePreset("anatomic", &anatomic));
    tgCheckProfilesEqual(&anatomic, &organic);
    assert_string_equal(tgGetPresetName(7), "flesh"); // organic; test_settings_flesh.c
    assert_null(tgGetPresetName(8));
    assert_null(tgGetPresetName(-1));
    static const char* const wrong[] = {"curves", "Organic", "", NULL};
    for (int i = 0; i < 4; ++i) {
        tgProfile profile = {.cookie = 77};
        assert_false(tgMakePreset(wrong[i], &profile));
        assert_int_equal(profile.cookie, 77);
    }
}

/// Organic is the joint's own support: numbers of a bulge are told, and change nothing.
static void TestOrganic(void** state)
{
    (void)state;
    tgSettings* settings = tgMustParse(
        "{\"volume\": {\"default\": {\"profile\": \"organic\", \"drift\": 0.5, \"gain\": 2,\n"
        "\"mu\": [0, 0, 1], \"sigma\": 3,\n\"center\": 2}}}");
    static const char* const expected[] = {
        "line 2, column 1: \"mu\" is not used by a profile \"organic\"",
        "line 2, column 18: \"sigma\" is not used by a profile \"organic\"",
        "line 3, column 1: \"center\" is not used by a profile \"organic\"",
    };
    assert_int_equal(settings->warningCount, 3);
    for (int i = 0; i < 3; ++i) {
        assert_string_equal(settings->warnings[i], expected[i]);
    }
    tgProfile organic = tgDefaultProfile(tg_profileOrganic);
    organic.drift = 0.5f;
    organic.gain = 2.0f;
    tgCheckProfilesEqual(&settings->volume.profiles[0], &organic);
    tgDestroySettings(settings);
    settings = tgMustParse("{\"volume\": {\"default\": {\"profile\": \"rubber\", \"drift\": 1}}}");
    assert_int_equal(settings->warningCount, 1);
    CHECK_CONTAINS(settings->warnings[0], "\"drift\" is not used by a profile \"rubber\"");
    CHECK_NEAR(settings->volume.profiles[0].drift, 0.0, 0.0);
    tgDestroySettings(settings);
}

static void TestWarnings(void** state)
{
    (void)state;
    tgSettings* settings = tgMustParse(
        "{\"volume\": {\"default\": [{\"profile\": \"rubber\",\n"
        "    \"mu\": [1, 1, 2], \"folds\": 1},\n"
        "    {\"profile\": \"folds\", \"foldAngle\": 9, \"drift\": 1, \"mu\": [0, 1, 0]},\n"
        "    {\"profile\": \"muscle\", \"curves\": [[], [], []], \"gain\": 1},\n"
        "    {\"profile\": \"curves\", \"curves\": [[], [], []], \"sigma\": 1}]}}");
    static const char* const expected[] = {
        "line 2, column 11: \"mu\" sums to 4, expected 1; each is divided by the sum",
        "line 2, column 22: \"folds\" is not used by a profile \"rubber\"",
        "line 3, column 26: \"foldAngle\" is not used by a profile \"folds\"",
        "line 3, column 42: \"drift\" of profile 2 is not used, expected it in the first of the "
        "list",
        "line 3, column 54: \"mu\" of profile 2 is not used, expected it in the first of the list",
        "line 4, column 27: \"curves\" is not used by a profile \"muscle\"",
        "line 4, column 51: \"gain\" of profile 3 is not used, expected it in the first of the "
        "list",
        "line 5, column 51: \"sigma\" is not used by a profile \"curves\"",
    };
    assert_int_equal(settings->warningCount, 8);
    for (int i = 0; i < 8; ++i) {
        assert_string_equal(settings->warnings[i], expected[i]);
    }
    const float mu[3] = {0.25f, 0.25f, 0.5f};
    assert_memory_equal(settings->volume.profiles[0].mu, mu, sizeof(mu));
    tgDestroySettings(settings);

    // Thirds written with four digits are meant as thirds.
    settings = tgMustParse(
        "{\"volume\": {\"default\": {\"profile\": \"rubber\", \"mu\": [0.3333, 0.3333, 0.3333]}}}");
    assert_int_equal(settings->warningCount, 0);
    CHECK_NEAR(settings->volume.profiles[0].mu[1], 1.0 / 3.0, 1e-7);
    tgDestroySettings(settings);
    settings = tgMustParse(
        "{\"volume\": {\"default\": {\"profile\": \"rubber\", \"mu\": [0.3, 0.3, 0.3]}}}");
    assert_int_equal(settings->warningCount, 1);
    CHECK_NEAR(settings->volume.profiles[0].mu[1], 1.0 / 3.0, 1e-7);
    tgDestroySettings(settings);
    settings = tgMustParse(
        "{\"volume\": {\"default\": {\"profile\": \"rubber\", \"mu\": [1e38, 1e38, 2e38]}}}");
    assert_memory_equal(settings->volume.profiles[0].mu, mu, sizeof(mu));
    tgDestroySettings(settings);
    settings = tgMustParse("{\"volume\":{\"default\":{\"profile\":\"isotropic\",\"mu\":[0,0,0]}}}");
    assert_int_equal(settings->warningCount, 0);
    CHECK_NEAR(settings->volume.profiles[0].mu[0], 0.0, 0.0);
    tgDestroySettings(settings);
}

/// A bar of radius 0.2 along x from -1 to 1, its joint in the middle, its parent at -1.
static void TestReach(void** state)
{
    (void)state;
    enum { tg_ringCount = 21, tg_around = 8, tg_count = tg_ringCount * tg_around };
    tgVec3 positions[tg_count];
    int influenceJoints[tg_count];
    float influenceWeights[tg_count];
    for (int v = 0; v < tg_count; ++v) {
        float angle = 0.785398f * (float)(v % tg_around), x = 0.1f * (float)(v / tg_around) - 1.0f;
        positions[v] = tgMakeVec3(x, 0.2f * cosf(angle), 0.2f * sinf(angle));
        influenceJoints[v] = x < 0.0f ? 0 : 1;
        influenceWeights[v] = 1.0f;
    }
    tgSceneJoint joints[2] = {
        {.name = "root", .parent = -1, .restJoint = tgIdentityMat34()},
        {.name = "elbow", .parent = 0, .restJoint = tgIdentityMat34()},
    };
    joints[0].restJoint.origin.x = -1.0f;
    const tgScene scene = {.vertexCount = tg_count,
                           .positions = positions,
                           .influencesPerVertex = 1,
                           .influenceJoints = influenceJoints,
                           .influenceWeights = influenceWeights,
                           .jointCount = 2,
                           .joints = joints};
    static const struct {
        const char* profile;
        bool reaches;
    } cases[] = {
        {"{\"profile\": \"organic\"}", true},
        {"{\"profile\": \"muscle\"}", true},
        {"{\"profile\": \"muscle\", \"center\": -40}", false},
        {"{\"profile\": \"muscle\", \"center\": -1.5}", true},
        {"{\"profile\": \"rubber\", \"sigma\": 0.01}", false}, // inside the flesh
        {"{\"profile\": \"rubber\", \"center\": [0, 0, 3]}", false},
        {"{\"profile\": \"rubber\", \"center\": [0, 0, 0.5]}", true},
        {"[{\"profile\": \"muscle\", \"center\": 9}, {\"profile\": \"rubber\"}]", true},
        {"[{\"profile\": \"muscle\", \"center\": 9},"
         " {\"profile\": \"rubber\", \"combine\": \"multiply\"}]",
         false},
        {"{\"profile\": \"curves\", \"curves\": [[[2, 0], [3, 1], [4, 0]], [], []]}", false},
        {"{\"profile\": \"curves\", \"curves\": [[[2, 0.1], [3, 1], [4, 0]], [], []]}", true},
        {"{\"profile\": \"curves\", \"curves\": [[[-1, 0], [0, 1]], [], [[0.5, 0], [1, 1]]]}",
         false},
        {"{\"profile\": \"curves\", \"curves\": [[[-1, 0], [0, 1]], [], [[-1, 0], [1, 1]]]}", true},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        for (int isDefault = 0; isDefault < 2; ++isDefault) {
            char text[512];
            snprintf(text, sizeof(text),
                     isDefault ? "{\"volume\": {\"default\":\n%s}}"
                               : "{\"volume\": {\"joints\": {\"elbow\":\n%s}}}",
                     cases[i].profile);
            tgSettings* settings = tgParseSettings(text, strlen(text), &scene, NULL);
            assert_non_null(settings);
            if (settings->warningCount != !cases[i].reaches) {
                print_error("%s\n", text);
            }
            assert_int_equal(settings->warningCount, !cases[i].reaches);
            if (!cases[i].reaches) {
                assert_string_equal(
                    settings->warnings[0],
                    isDefault ? "line 2, column 1: this profile reaches no joint's skin; center, "
                                "sigma and curves count in lengths of the parent bone"
                              : "line 2, column 1: this profile reaches no skin of \"elbow\"; "
                                "center, sigma and curves count in lengths of the parent bone");
            }
            tgDestroySettings(settings);
        }
    }
}

static void TestFiles(void** state)
{
    (void)state;
    const char* path = "test_settings.json";
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    fputs("{\"skinning\": \"linear\"}\n", file);
    fclose(file);
    tgError error = {0};
    tgSettings* settings = tgLoadSettings(path, &tg_scene, &error);
    assert_non_null(settings);
    assert_int_equal(settings->skinning, tg_linear);
    tgDestroySettings(settings);
    remove(path);
    assert_null(tgLoadSettings(path, &tg_scene, &error));
    assert_int_equal(error.code, tg_ioError);
    CHECK_CONTAINS(error.message, "cannot open");
    assert_null(tgLoadSettings(".", &tg_scene, &error));
    assert_int_equal(error.code, tg_ioError);
}

/// The loader takes what the rig takes: the limits of both are the same.
static void test_limits_are_the_rigs(void** state)
{
    (void)state;
    static const struct {
        const char* key;
        const char* inside[2];
        const char* outside[2];
    } cases[] = {{"sigma", {"1.01e-6", "3e38"}, {"0.99e-6", "1e-9"}},
                 {"center", {"-0.99e6", "0.99e6"}, {"-1.01e6", "1.01e6"}},
                 {"folds", {"0", "0.99e6"}, {"1.01e6", "3e38"}},
                 {"gain", {"0", "4"}, {"-0.001", "4.001"}}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        for (int k = 0; k < 2; ++k) {
            char text[128];
            snprintf(text, sizeof(text),
                     "{\"volume\": {\"default\": {\"profile\": \"folds\", "
                     "\"%s\": %s}}}",
                     cases[i].key, cases[i].inside[k]);
            tgSettings* settings = tgMustParse(text);
            tgProfile profile = settings->volume.profiles[0];
            assert_int_equal(tgCheckProfile(&profile, "", 0, NULL), tg_success);
            tgDestroySettings(settings);
            snprintf(text, sizeof(text),
                     "{\"volume\": {\"default\": {\"profile\": \"folds\", "
                     "\"%s\": %s}}}",
                     cases[i].key, cases[i].outside[k]);
            assert_null(tgParseSettings(text, strlen(text), &tg_scene, NULL));
            float number = (float)atof(cases[i].outside[k]);
            float* place = i == 0   ? &profile.sigma[0]
                           : i == 1 ? &profile.center[0]
                           : i == 2 ? &profile.folds
                                    : &profile.gain;
            *place = number;
            assert_int_equal(tgCheckProfile(&profile, "", 0, NULL), tg_invalidArgument);
        }
    }
}

static void test_curves_without_points(void** state)
{
    (void)state;
    tgSettings* settings = tgMustParse("{\"volume\": {\"default\":\n {\"profile\": \"curves\"}}}");
    assert_int_equal(settings->warningCount, 1);
    assert_string_equal(
        settings->warnings[0],
        "line 2, column 2: a profile \"curves\" without \"curves\", expected 3 lists "
        "of points; it is 1 everywhere");
    tgDestroySettings(settings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestDefaults),
        cmocka_unit_test(TestVolumeKeys),
        cmocka_unit_test(TestContact),
        cmocka_unit_test(TestGoneKeys),
        cmocka_unit_test(TestProfileKeys),
        cmocka_unit_test(TestCurves),
        cmocka_unit_test(TestJoints),
        cmocka_unit_test(TestInheritance),
        cmocka_unit_test(TestSkinning),
        cmocka_unit_test(TestPresets),
        cmocka_unit_test(TestOrganic),
        cmocka_unit_test(TestWarnings),
        cmocka_unit_test(TestReach),
        cmocka_unit_test(TestFiles),

        cmocka_unit_test(test_limits_are_the_rigs),
        cmocka_unit_test(test_curves_without_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
