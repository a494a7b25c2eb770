// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// How far joints bend and about which axis, against arms whose animation is known in closed form.

#include "check.h"

#include "play/bends.h"

enum { tg_keys = 33 };

/// An arm of three joints, root, elbow and hand, whose elbow turns by a function of time.
typedef struct tgArm {
    tgScene scene;
    tgSceneNode nodes[3];
    tgSceneJoint joints[3];
    float times[tg_keys], values[4 * tg_keys];
    tgChannel channel;
    tgAnimation animation;
} tgArm;

/// @param hand where it is from the elbow; the upper arm is one unit along x
/// @param stand how the whole stands: a turn that is no bend
static void tgMakeArm(tgArm* arm, tgVec3 hand, tgQuat stand)
{
    const tgVec3 places[3] = {
        {0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, tgAdd(tgMakeVec3(1, 0, 0), hand)};
    static const char* const names[3] = {"root", "elbow", "hand"};
    *arm = (tgArm){.scene = {.jointCount = 3, .nodeCount = 3}};
    arm->scene.joints = arm->joints;
    arm->scene.nodes = arm->nodes;
    for (int j = 0; j < 3; ++j) {
        arm->joints[j] = (tgSceneJoint){
            .name = names[j], .parent = j - 1, .node = j, .restJoint = tgIdentityMat34()};
        arm->joints[j].restJoint.origin = places[j];
        arm->nodes[j] =
            (tgSceneNode){.name = names[j], .parent = j - 1, .local = tgIdentityTransform()};
        arm->nodes[j].local.position = j > 0 ? tgSub(places[j], places[j - 1]) : places[0];
    }
    arm->nodes[0].local.rotation = stand;
}

/// @param turn of the elbow at key k
static void tgAnimate(tgArm* arm, tgQuat (*turn)(int k))
{
    for (int k = 0; k < tg_keys; ++k) {
        tgQuat q = turn(k);
        arm->times[k] = (float)k / 30.0f;
        memcpy(arm->values + 4 * (size_t)k, &q, sizeof(q));
    }
    arm->channel = (tgChannel){.node = 1,
                               .path = tg_pathRotation,
                               .interpolation = tg_interpolateLinear,
                               .keyCount = tg_keys,
                               .width = 4,
                               .times = arm->times,
                               .values = arm->values};
    arm->animation = (tgAnimation){.name = "bend",
                                   .end = (double)arm->times[tg_keys - 1],
                                   .channelCount = 1,
                                   .channels = &arm->channel};
    arm->scene.animationCount = 1;
    arm->scene.animations = &arm->animation;
}

static const tgVec3 tg_slanted = {0.0f, 0.6f, 0.8f}; // across x
static const float tg_pi = 3.14159265f;

/// From -20 to 100 degrees about the slanted axis: mostly to its positive side.
static tgQuat tgSwingMostlyUp(int k)
{
    return tgMakeQuat(tg_slanted, tg_pi / 180.0f * (-20.0f + 120.0f * (float)k / (tg_keys - 1)));
}

/// The same the other way round.
static tgQuat tgSwingMostlyDown(int k)
{
    return tgMakeQuat(tg_slanted, -tg_pi / 180.0f * (-20.0f + 120.0f * (float)k / (tg_keys - 1)));
}

/// Only about the bone, by up to 80 degrees.
static tgQuat tgTwist(int k)
{
    return tgMakeQuat(tgMakeVec3(1.0f, 0.0f, 0.0f),
                      tg_pi / 180.0f * 80.0f * (float)k / (tg_keys - 1));
}

/// First a twist by 40 degrees, then a swing by 50: both are found again.
static tgQuat tgSwingAndTwist(int k)
{
    float part = (float)k / (tg_keys - 1);
    return tgMulQuat(tgMakeQuat(tg_slanted, tg_pi / 180.0f * 50.0f * part),
                     tgMakeQuat(tgMakeVec3(1.0f, 0.0f, 0.0f), tg_pi / 180.0f * 40.0f * part));
}

static void tgCheckAxis(const tgBend* bend, tgVec3 axis, tgAxisSource source)
{
    assert_int_equal(bend->source, source);
    CHECK_NEAR(bend->axis.x, axis.x, 1e-5);
    CHECK_NEAR(bend->axis.y, axis.y, 1e-5);
    CHECK_NEAR(bend->axis.z, axis.z, 1e-5);
}

static void TestClips(void** state)
{
    (void)state;
    static const struct {
        tgQuat (*turn)(int k);
        float swing, twist; ///< degrees
        float side;         ///< of the slanted axis; 0: the clips tell none
    } cases[] = {
        {tgSwingMostlyUp, 100.0f, 0.0f, 1.0f},
        {tgSwingMostlyDown, 100.0f, 0.0f, -1.0f},
        {tgTwist, 0.0f, 80.0f, 0.0f},
        {tgSwingAndTwist, 50.0f, 40.0f, 1.0f},
    };
    const tgQuat stands[2] = {tgIdentityQuat(), tgMakeQuat(tgMakeVec3(0.6f, 0.0f, 0.8f), 2.1f)};
    for (int c = 0; c < 8; ++c) {
        tgArm arm;
        tgBend bends[3];
        tgMakeArm(&arm, tgMakeVec3(2.0f, 0.0f, 0.0f), stands[c % 2]);
        tgAnimate(&arm, cases[c / 2].turn);
        assert_true(tgFindBends(&arm.scene, bends));
        CHECK_NEAR(bends[1].swing * 180.0f / tg_pi, cases[c / 2].swing, 0.05);
        CHECK_NEAR(bends[1].twist * 180.0f / tg_pi, cases[c / 2].twist, 0.05);
        CHECK_NEAR(bends[0].swing, 0.0, 1e-6); // how the whole stands is no bend
        CHECK_NEAR(bends[2].swing, 0.0, 1e-3); // nor does the hand
        if (cases[c / 2].side != 0.0f) {
            tgCheckAxis(&bends[1], tgMulSV(cases[c / 2].side, tg_slanted), tg_axisOfClips);
        }
    }
}

/// A limb that is not quite straight goes on as it is bent: the cross product of its bones.
static void TestRest(void** state)
{
    (void)state;
    tgArm arm;
    tgBend bends[3];
    tgMakeArm(&arm, tgMakeVec3(cosf(0.1f), 0.6f * sinf(0.1f), -0.8f * sinf(0.1f)),
              tgIdentityQuat());
    assert_true(tgFindBends(&arm.scene, bends));
    tgCheckAxis(&bends[1], tgMakeVec3(0.0f, 0.8f, 0.6f), tg_axisOfRest);
    tgVec3 bone = tgGetRestBone(&arm.scene, 1);
    tgVec3 further = tgRotate(tgMakeQuat(bends[1].axis, 0.5f), bone);
    CHECK_NEAR(acosf(further.x), 0.6, 1e-4); // 0.1 radians from straight, and 0.5 more
    // Clips that bend it less than shows leave that to the rest pose.
    tgAnimate(&arm, tgTwist);
    assert_true(tgFindBends(&arm.scene, bends));
    tgMakeArm(&arm, tgMakeVec3(2.0f, 0.0f, 0.0f), tgIdentityQuat());
    assert_true(tgFindBends(&arm.scene, bends));
    // Straight: the bone goes to the front.
    assert_int_equal(bends[1].source, tg_axisAcross);
    tgVec3 front = tgRotate(tgMakeQuat(bends[1].axis, 0.5f * tg_pi), tgMakeVec3(1.0f, 0.0f, 0.0f));
    CHECK_NEAR(front.z, 1.0, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestClips),
        cmocka_unit_test(TestRest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
