// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Joints by pattern and the other side's: patterns against a recursive matcher, twins against
// skeletons whose sides are known, and the settings' rules of precedence.

#include "check.h"

#include "io/joint_names.h"
#include "io/settings_text.h"
#include "turgor/settings.h"

// ---- patterns -----------------------------------------------------------------------------------

/// As it is defined, however long that takes; ASCII.
static bool tgFitsSlowly(const char* pattern, const char* name)
{
    if (*pattern == '\0') {
        return *name == '\0';
    }
    if (*pattern == '*') {
        return tgFitsSlowly(pattern + 1, name) ||
               (*name != '\0' && tgFitsSlowly(pattern, name + 1));
    }
    bool isSame = *name != '\0' && (*pattern == '?' || *pattern == *name);
    return isSame && tgFitsSlowly(pattern + 1, name + 1);
}

static void TestPatterns(void** state)
{
    (void)state;
    assert_true(tgFitsPattern("*.L", "elbow.L"));
    assert_false(tgFitsPattern("*.L", "elbow.l"));
    assert_true(tgFitsPattern("finger*", "finger"));
    assert_true(tgFitsPattern("?rmel", "Ärmel")); // one letter of two bytes
    assert_false(tgFitsPattern("", "a"));
    assert_true(tgFitsPattern("", ""));
    // All patterns of five of "ab*?" over all names of six of "ab".
    static const char letters[] = "ab*?";
    for (int p = 0; p < 1024; ++p) {
        char pattern[6] = "";
        for (int i = 0, rest = p; i < 5; ++i, rest /= 4) {
            pattern[i] = letters[rest % 4];
        }
        for (int length = 0; length <= 6; ++length) {
            for (int n = 0; n < 1 << length; ++n) {
                char name[7] = "";
                for (int i = 0; i < length; ++i) {
                    name[i] = n >> i & 1 ? 'a' : 'b';
                }
                assert_int_equal(tgFitsPattern(pattern, name), tgFitsSlowly(pattern, name));
            }
        }
    }
}

static const char* tgGetNearest(const char* word, const char* const* names)
{
    tgNearest nearest = {.word = word};
    for (; *names != NULL; ++names) {
        tgNearest_Try(&nearest, *names);
    }
    return nearest.best;
}

static void TestNearPatterns(void** state)
{
    (void)state;
    static const char* const names[] = {"hips", "finger1.L", "finger1.R", "elbow.L", NULL};
    assert_string_equal(tgGetNearest("fnger*", names), "finger1.L");
    assert_string_equal(tgGetNearest("*nger1.r", names), "finger1.R");
    assert_string_equal(tgGetNearest("Elbow*", names), "elbow.L");
    assert_string_equal(tgGetNearest("elbwo?L", names), "elbow.L");
    assert_null(tgGetNearest("knee*", names));
    assert_null(tgGetNearest("*", names));
}

// ---- twins --------------------------------------------------------------------------------------

enum { tg_most = 16 };

/// A skeleton of names and places.
typedef struct tgSkeletonMaker {
    tgScene scene;
    tgSceneJoint joints[tg_most];
} tgSkeletonMaker;

static void tgAddJoint(tgSkeletonMaker* maker, const char* name, int parent, float x, float y,
                       float z)
{
    tgSceneJoint* joint = &maker->joints[maker->scene.jointCount++];
    maker->scene.joints = maker->joints;
    *joint = (tgSceneJoint){.name = name, .parent = parent, .restJoint = tgIdentityMat34()};
    joint->restJoint.origin = tgMakeVec3(x, y, z);
}

static tgTwin tgGetTwin(const tgSkeletonMaker* maker, int joint)
{
    tgNamedJoints names = {0};
    assert_true(tgSortJoints(&maker->scene, &names));
    tgMirrorPlane plane = tgFindMirrorPlane(&maker->scene, &names);
    tgTwin twin = tgFindTwin(&maker->scene, &names, &plane, joint);
    tgFreeJoints(&names);
    return twin;
}

static void TestTwinsByName(void** state)
{
    (void)state;
    static const char* const pairs[][2] = {
        {"elbow.L", "elbow.R"},
        {"hand_l", "hand_r"},
        {"L_arm", "R_arm"},
        {"LeftUpLeg", "RightUpLeg"},
        {"mixamorig:LeftArm", "mixamorig:RightArm"},
        {"b_LeftLeg01_015", "b_RightLeg01_019"},
        {"Bip01 L UpperArm", "Bip01 R UpperArm"},
        {"armL", "armR"},
        {"lArm", "rArm"},
        {"LEFT_HAND", "RIGHT_HAND"},
        {"thumb_left_01", "thumb_right_01"},
        {"Bone.L.001", "Bone.R.001"},
        {"LeftLeg_L", "RightLeg_R"},
        {"eye.lft", "eye.rgt"},
    };
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); ++i) {
        // At places that tell nothing: bound in a pose, so to say.
        tgSkeletonMaker maker = {.scene = {.jointCount = 0}};
        tgAddJoint(&maker, "root", -1, 0.0f, 0.0f, 0.0f);
        tgAddJoint(&maker, "spine_01", 0, 0.3f, 1.0f, 0.0f);
        tgAddJoint(&maker, pairs[i][0], 1, 1.0f, 0.2f, 0.4f);
        tgAddJoint(&maker, pairs[i][1], 1, -0.5f, 1.9f, -0.3f);
        tgAddJoint(&maker, "reel", 1, 0.1f, 0.7f, 0.9f);
        for (int side = 0; side < 2; ++side) {
            tgTwin twin = tgGetTwin(&maker, 2 + side);
            if (twin.joint != 3 - side) {
                print_error("%s: %d\n", pairs[i][side], twin.joint);
            }
            assert_int_equal(twin.kind, tg_twinByName);
            assert_int_equal(twin.joint, 3 - side);
        }
        assert_int_equal(tgGetTwin(&maker, 1).joint, -1);
        assert_int_equal(tgGetTwin(&maker, 4).joint, -1);
    }
}

/// Names that say nothing; the plane is across z, through the root.
static void TestTwinsByPlace(void** state)
{
    (void)state;
    tgSkeletonMaker maker = {.scene = {.jointCount = 0}};
    tgAddJoint(&maker, "a", -1, 0.0f, 0.0f, 2.0f);
    tgAddJoint(&maker, "b", 0, 0.1f, 1.0f, 2.0f);
    tgAddJoint(&maker, "c", 1, 0.1f, 1.0f, 2.5f);
    tgAddJoint(&maker, "d", 1, 0.1f, 1.0f, 1.5f);
    tgAddJoint(&maker, "e", 2, 0.2f, 1.3f, 3.1f);
    tgAddJoint(&maker, "f", 3, 0.2f, 1.3f, 0.9f);
    tgAddJoint(&maker, "alone", 1, 0.7f, 0.3f, 2.6f);
    static const int twins[] = {-1, -1, 3, 2, 5, 4, -1};
    static const tgTwinKind kinds[] = {tg_twinInMiddle, tg_twinInMiddle, tg_twinByPlace,
                                       tg_twinByPlace,  tg_twinByPlace,  tg_twinByPlace,
                                       tg_twinMissing};
    for (int j = 0; j < 7; ++j) {
        tgTwin twin = tgGetTwin(&maker, j);
        assert_int_equal(twin.joint, twins[j]);
        assert_int_equal(twin.kind, kinds[j]);
    }
    // Two joints at one place and as deep in the tree: nobody knows.
    tgAddJoint(&maker, "g", 3, 0.2f, 1.3f, 0.9f);
    tgTwin twin = tgGetTwin(&maker, 4);
    assert_int_equal(twin.kind, tg_twinUnclear);
    assert_int_equal(twin.joint, 5);
    assert_int_equal(twin.other, 7);
}

/// A side that is numbered from the other end: the place is right, and the name is told.
static void TestTwinsAgainstNames(void** state)
{
    (void)state;
    tgSkeletonMaker maker = {.scene = {.jointCount = 0}};
    tgAddJoint(&maker, "hips", -1, 0.0f, 0.0f, 0.0f);
    tgAddJoint(&maker, "leg_L", 0, 0.2f, -1.0f, 0.0f);
    tgAddJoint(&maker, "leg_R", 0, -0.2f, -1.0f, 0.0f);
    tgAddJoint(&maker, "arm_L_4", 0, 0.4f, 1.0f, 0.0f);
    tgAddJoint(&maker, "arm_L_3", 3, 0.8f, 0.7f, 0.0f);
    tgAddJoint(&maker, "arm_R_3", 0, -0.4f, 1.0f, 0.0f);
    tgAddJoint(&maker, "arm_R_4", 5, -0.8f, 0.7f, 0.0f);
    tgTwin twin = tgGetTwin(&maker, 4);
    assert_int_equal(twin.kind, tg_twinAgainstName);
    assert_int_equal(twin.joint, 6);
    assert_int_equal(twin.other, 5);
    assert_int_equal(tgGetTwin(&maker, 1).kind, tg_twinByName);
}

// ---- settings -----------------------------------------------------------------------------------

static const tgJointProfiles* tgFindEntry(const tgSettings* settings, int joint)
{
    for (int i = 0; i < settings->volume.jointCount; ++i) {
        if (settings->volume.joints[i].joint == joint) {
            return &settings->volume.joints[i];
        }
    }
    return NULL;
}

/// A joint has the profile of this kind; -1 for none of its own.
static void tgCheckKind(const tgSettings* settings, int joint, int kind)
{
    const tgJointProfiles* entry = tgFindEntry(settings, joint);
    assert_int_equal(entry != NULL, kind >= 0);
    assert_true(entry == NULL || (int)entry->profiles[0].kind == kind);
}

static void tgFillMan(tgSkeletonMaker* maker)
{
    tgAddJoint(maker, "hips", -1, 0.0f, 1.0f, 0.0f);
    tgAddJoint(maker, "arm.L", 0, 0.2f, 1.5f, 0.0f);
    tgAddJoint(maker, "arm.R", 0, -0.2f, 1.5f, 0.0f);
    tgAddJoint(maker, "elbow.L", 1, 0.5f, 1.5f, 0.0f);
    tgAddJoint(maker, "elbow.R", 2, -0.5f, 1.5f, 0.0f);
    tgAddJoint(maker, "hand.L", 3, 0.8f, 1.5f, 0.0f);
    tgAddJoint(maker, "hand.R", 4, -0.8f, 1.5f, 0.0f);
}

static tgSettings* tgParseMan(const tgSkeletonMaker* maker, const char* joints)
{
    char text[1024];
    tgError error = {0};
    snprintf(text, sizeof(text), "{\"volume\": {\"joints\": {%s}}}", joints);
    tgSettings* settings = tgParseSettings(text, strlen(text), &maker->scene, &error);
    if (settings == NULL) {
        print_error("%s\n", error.message);
    }
    assert_non_null(settings);
    return settings;
}

/// A name before a pattern, a joint's own entry before a mirrored one, the later before the
/// earlier.
static void TestPrecedence(void** state)
{
    (void)state;
    tgSkeletonMaker maker = {.scene = {.jointCount = 0}};
    tgFillMan(&maker);
    static const struct {
        const char* joints;
        int kinds[7]; ///< of each joint; -1: no entry
    } cases[] = {
        {"\"elbow.L\": {\"profile\": \"muscle\"}, \"*.L\": {\"profile\": \"rubber\"}",
         {-1, tg_profileRubber, -1, tg_profileMuscle, -1, tg_profileRubber, -1}},
        {"\"*.L\": {\"profile\": \"rubber\"}, \"?l*\": {\"profile\": \"folds\"}",
         {-1, tg_profileRubber, -1, tg_profileFolds, tg_profileFolds, tg_profileRubber, -1}},
        {"\"elbow.R\": {\"profile\": \"folds\"}, \"elbow.L\": {\"profile\": \"muscle\", "
         "\"mirror\": "
         "true}",
         {-1, -1, -1, tg_profileMuscle, tg_profileFolds, -1, -1}},
        {"\"elbow.L\": {\"profile\": \"muscle\", \"mirror\": true}, \"*.R\": {\"profile\": "
         "\"rubber\"}",
         {-1, -1, tg_profileRubber, tg_profileMuscle, tg_profileMuscle, -1, tg_profileRubber}},
        {"\"*.R\": {\"profile\": \"rubber\"}, \"*.L\": {\"profile\": \"folds\", \"mirror\": true}",
         {-1, tg_profileFolds, tg_profileRubber, tg_profileFolds, tg_profileRubber, tg_profileFolds,
          tg_profileRubber}},
        {"\"*\": {\"profile\": \"belly\"}, \"h*\": null",
         {-2, tg_profileBelly, tg_profileBelly, tg_profileBelly, tg_profileBelly, -2, -2}},
    };
    for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); ++c) {
        tgSettings* settings = tgParseMan(&maker, cases[c].joints);
        for (int j = 0; j < 7; ++j) {
            if (cases[c].kinds[j] == -2) { // null: an entry without profiles
                assert_int_equal(tgFindEntry(settings, j)->profileCount, 0);
            } else {
                tgCheckKind(settings, j, cases[c].kinds[j]);
            }
        }
        assert_int_equal(settings->warningCount, 0);
        tgDestroySettings(settings);
    }
}

/// What is mirrored is a mirror image: e1, the cross product of two mirrored axes, turns round.
static void TestMirroredProfile(void** state)
{
    (void)state;
    tgSkeletonMaker maker = {.scene = {.jointCount = 0}};
    tgFillMan(&maker);
    tgSettings* settings = tgParseMan(
        &maker, "\"elbow.L\": [{\"profile\": \"muscle\", \"center\": [-0.4, 0.1, 0.2], \"mirror\": "
                "true}, {\"profile\": \"curves\", \"curves\": [[], [[-1, 0], [0.5, 2], [3, 1]], "
                "[]]}]");
    const tgProfile* left = tgFindEntry(settings, 3)->profiles;
    const tgProfile* right = tgFindEntry(settings, 4)->profiles;
    for (int a = 0; a < 3; ++a) {
        CHECK_NEAR(right[0].center[a], a == 1 ? -left[0].center[a] : left[0].center[a], 0.0);
        CHECK_NEAR(right[0].mu[a], left[0].mu[a], 0.0);
        CHECK_NEAR(right[1].curves[1][a].coordinate, -left[1].curves[1][2 - a].coordinate, 0.0);
        CHECK_NEAR(right[1].curves[1][a].value, left[1].curves[1][2 - a].value, 0.0);
    }
    assert_int_equal(right[1].curveCounts[1], 3);
    assert_int_equal(settings->noteCount, 1);
    CHECK_CONTAINS(settings->notes[0], "\"elbow.L\" is mirrored to \"elbow.R\", by name");
    tgDestroySettings(settings);
}

/// Each is one line, and the rest of the file is as good as before.
static void TestMirrorWarnings(void** state)
{
    (void)state;
    tgSkeletonMaker maker = {.scene = {.jointCount = 0}};
    tgFillMan(&maker);
    tgAddJoint(&maker, "tail", 0, 0.3f, 0.8f, -1.0f);
    static const struct {
        const char *joints, *warning;
    } cases[] = {
        {"\"hips\": {\"mirror\": true}", "\"hips\" is not mirrored: it stands in the middle"},
        {"\"tail\": {\"mirror\": true}",
         "\"tail\" is not mirrored: no joint is its other side by name or place"},
        {"\"arm.L\": [{}, {\"mirror\": true}]", "expected it in the first of the list"},
    };
    for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); ++c) {
        tgSettings* settings = tgParseMan(&maker, cases[c].joints);
        assert_int_equal(settings->warningCount, 1);
        CHECK_CONTAINS(settings->warnings[0], cases[c].warning);
        tgDestroySettings(settings);
    }
    tgError error = {0};
    static const char text[] = "{\"volume\": {\"joints\": {\n  \"elbwo*\": {}}}}";
    assert_null(tgParseSettings(text, strlen(text), &maker.scene, &error));
    assert_string_equal(error.message, "line 2, column 3: the character has no joint like "
                                       "\"elbwo*\", perhaps \"elbow.L\"");
    static const char wrong[] = "{\"volume\": {\"joints\": {\"hips\": {\"mirror\": 1}}}}";
    assert_null(tgParseSettings(wrong, strlen(wrong), &maker.scene, &error));
    CHECK_CONTAINS(error.message, "\"mirror\" is 1, expected true or false");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestPatterns),          cmocka_unit_test(TestNearPatterns),
        cmocka_unit_test(TestTwinsByName),       cmocka_unit_test(TestTwinsByPlace),
        cmocka_unit_test(TestTwinsAgainstNames), cmocka_unit_test(TestPrecedence),
        cmocka_unit_test(TestMirroredProfile),   cmocka_unit_test(TestMirrorWarnings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
