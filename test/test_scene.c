// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Scenes: look-ups, frame counts, and poses sampled from animations made by hand, against closed
// forms.

#include "check.h"
#include "turgor/scene.h"

#include <limits.h>

/// One root, a child one unit above it that carries the only joint and a morph target, and one
/// animation with one channel.
typedef struct tgTestScene {
    tgSceneNode nodes[2];
    tgSceneJoint joint;
    tgSceneMorph morphs[2];
    tgChannel channel;
    tgAnimation animation;
    tgScene scene;
    tgMat34 nodeMatrices[2];
    tgMat34 joints[1];
    float morphWeights[2];
} tgTestScene;

/// The pointers inside make it unfit for copying.
static void tgMakeTestScene(tgTestScene* test, int node, tgPath path, tgInterpolation interpolation)
{
    *test = (tgTestScene){0};
    test->nodes[0] = (tgSceneNode){.name = "root", .parent = -1, .local = tgIdentityTransform()};
    test->nodes[1] = (tgSceneNode){.name = "tip", .parent = 0, .local = tgIdentityTransform()};
    test->nodes[1].local.position.y = 1.0f;
    test->joint = (tgSceneJoint){.name = "tip", .parent = -1, .node = 1};
    test->morphs[0] = (tgSceneMorph){.name = "a", .node = 1, .indexInNode = 0, .weight = 0.25f};
    test->morphs[1] = (tgSceneMorph){.name = "b", .node = 1, .indexInNode = 1, .weight = 0.5f};
    test->channel.node = node;
    test->channel.path = path;
    test->channel.interpolation = interpolation;
    test->channel.width = path == tg_pathRotation ? 4 : path == tg_pathWeights ? 2 : 3;
    test->animation = (tgAnimation){.name = "move", .channelCount = 1, .channels = &test->channel};
    test->scene = (tgScene){
        .nodeCount = 2,
        .nodes = test->nodes,
        .jointCount = 1,
        .joints = &test->joint,
        .morphCount = 2,
        .morphs = test->morphs,
        .animationCount = 1,
        .animations = &test->animation,
    };
}

static void tgSetKeys(tgTestScene* test, int keyCount, const float* times, const float* values)
{
    test->channel.keyCount = keyCount;
    test->channel.times = times;
    test->channel.values = values;
    test->animation.start = (double)times[0];
    test->animation.end = (double)times[keyCount - 1];
}

static void tgSample(tgTestScene* test, int animation, double time)
{
    tgScene_SamplePose(&test->scene, animation, time, test->nodeMatrices, test->joints,
                       test->morphWeights);
}

static void tgCheckVec3(tgVec3 actual, double x, double y, double z, double tolerance)
{
    CHECK_NEAR(actual.x, x, tolerance);
    CHECK_NEAR(actual.y, y, tolerance);
    CHECK_NEAR(actual.z, z, tolerance);
}

static void TestFrameCount(void** state)
{
    (void)state;
    tgTestScene test;
    tgMakeTestScene(&test, 0, tg_pathTranslation, tg_interpolateLinear);
    static const struct {
        double start, end, fps;
        int count;
    } cases[] = {
        {0, 2, 30, 61},         {0, 0, 30, 1},
        {0, 1.9999, 30, 61},    {0, 1.25, 30, 39},        // the last key falls between two frames
        {0.5, 1.0, 10, 11},                               // frame 0 is at time 0
        {-0.5, 1.0, 10, 16},    {0, (double)0.7f, 10, 8}, // a little less than 7 frames in float
        {0.0416666, 2, 30, 61}, {0, 1, 0, 1},
        {0, 1, -5, 1},          {0, 1e12, 30, INT_MAX},
        {0, 1, 0.5, 2},         {0, 1, (double)NAN, 1},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        test.animation.start = cases[i].start;
        test.animation.end = cases[i].end;
        assert_int_equal(tgScene_GetFrameCount(&test.scene, 0, cases[i].fps), cases[i].count);
    }
    assert_int_equal(tgScene_GetFrameCount(&test.scene, -1, 30), 1);
    assert_int_equal(tgScene_GetFrameCount(&test.scene, 1, 30), 1);
}

static void TestOwnPose(void** state)
{
    (void)state;
    tgTestScene test;
    tgMakeTestScene(&test, 0, tg_pathTranslation, tg_interpolateLinear);
    float times[1] = {0};
    float values[3] = {9, 9, 9};
    tgSetKeys(&test, 1, times, values);
    // The root is a matrix: twice as large, a quarter turn about z, moved along x.
    test.nodes[0].hasMatrix = true;
    test.nodes[0].matrix = (tgMat34){{0, 2, 0}, {-2, 0, 0}, {0, 0, 2}, {5, 0, 0}};
    tgSample(&test, -1, 0.0);
    tgCheckVec3(test.joints[0].origin, 3, 0, 0, 1e-6);
    tgCheckVec3(test.joints[0].x, 0, 2, 0, 1e-6);
    CHECK_NEAR(test.morphWeights[0], 0.25, 0);
    CHECK_NEAR(test.morphWeights[1], 0.5, 0);
    // Nothing animates a matrix, and an animation that does not exist is the file's own pose.
    tgSample(&test, 0, 0.0);
    tgCheckVec3(test.joints[0].origin, 3, 0, 0, 1e-6);
    tgSample(&test, 7, 0.0);
    tgCheckVec3(test.joints[0].origin, 3, 0, 0, 1e-6);
    // Without morph weights wanted.
    tgScene_SamplePose(&test.scene, -1, 0.0, test.nodeMatrices, test.joints, NULL);
}

/// A joint that is turned by hand keeps its place and its scale, also where it is a matrix.
static void TestTurnedPose(void** state)
{
    (void)state;
    tgTestScene test;
    tgMakeTestScene(&test, 0, tg_pathTranslation, tg_interpolateLinear);
    float times[1] = {0}, values[3] = {9, 9, 9};
    tgSetKeys(&test, 1, times, values);
    int node = test.scene.joints[0].node;
    for (int isMatrix = 0; isMatrix < 2; ++isMatrix) {
        test.nodes[node].hasMatrix = isMatrix == 1;
        test.nodes[node].matrix = (tgMat34){{0, 2, 0}, {-2, 0, 0}, {0, 0, 2}, {5, 0, 0}};
        tgSample(&test, -1, 0.0);
        tgMat34 before = test.joints[0];
        tgQuat turns[8] = {{0, 0, 0, 0}};
        tgScene_SampleTurnedPose(&test.scene, -1, 0.0, turns, test.nodeMatrices, test.joints, NULL);
        assert_memory_equal(&before, &test.joints[0], sizeof(before)); // none: to the bit
        turns[0] = (tgQuat){0, 2, 0, 2}; // a quarter turn about y, of any length
        tgScene_SampleTurnedPose(&test.scene, -1, 0.0, turns, test.nodeMatrices, test.joints, NULL);
        CHECK_NEAR(tgDistance(test.joints[0].origin, before.origin), 0.0, 1e-6);
        CHECK_NEAR(tgLength(test.joints[0].x), tgLength(before.x), 1e-5);
        tgVec3 y = tgNormalize(test.joints[0].y, tgMakeVec3(0, 0, 0));
        int parent = test.nodes[node].parent;
        tgVec3 up = parent >= 0 ? test.nodeMatrices[parent].y : tgMakeVec3(0, 1, 0);
        CHECK_NEAR(tgDistance(y, tgNormalize(up, up)), 0.0, 1e-5);
    }
}

static void TestLinearAndStep(void** state)
{
    (void)state;
    tgTestScene test;
    float times[4] = {1, 2, 4, 5};
    float values[12] = {0, 0, 0, 1, 2, 3, 5, 2, 3, 5, 0, 0};
    static const struct {
        double time, linear, step;
    } cases[] = {
        {-5, 0, 0},        {1, 0, 0}, {1.25, 0.25, 0}, {2, 1, 1}, {2.5, 2, 1},
        {3.999, 4.998, 1}, {4, 5, 5}, {4.5, 5, 5},     {5, 5, 5}, {99, 5, 5},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        tgMakeTestScene(&test, 0, tg_pathTranslation, tg_interpolateLinear);
        tgSetKeys(&test, 4, times, values);
        tgSample(&test, 0, cases[i].time);
        // The tip is one above the root.
        CHECK_NEAR(test.joints[0].origin.x, cases[i].linear, 1e-6);
        tgMakeTestScene(&test, 0, tg_pathTranslation, tg_interpolateStep);
        tgSetKeys(&test, 4, times, values);
        tgSample(&test, 0, cases[i].time);
        CHECK_NEAR(test.joints[0].origin.x, cases[i].step, 0);
    }
    tgSample(&test, 0, 2.0);
    tgCheckVec3(test.joints[0].origin, 1, 3, 3, 1e-6);
}

/// A cubic through cubic keys is itself: p(t) = t^3 - 2 t has the slope 3 t^2 - 2.
static void TestCubicReproducesCubic(void** state)
{
    (void)state;
    tgTestScene test;
    tgMakeTestScene(&test, 0, tg_pathTranslation, tg_interpolateCubic);
    float times[3] = {0.5f, 1, 3};
    float values[27] = {0};
    for (int k = 0; k < 3; ++k) {
        float t = times[k];
        values[9 * k] = 3 * t * t - 2;         // in-tangent of x
        values[9 * k + 3] = t * t * t - 2 * t; // value of x
        values[9 * k + 6] = 3 * t * t - 2;     // out-tangent of x
        values[9 * k + 5] = 7;                 // value of z stays
    }
    tgSetKeys(&test, 3, times, values);
    for (double t = 0.5; t <= 3.0; t += 0.125) {
        tgSample(&test, 0, t);
        tgCheckVec3(test.joints[0].origin, t * t * t - 2 * t, 1, 7, 1e-5);
    }
    // A key may be left at another slope than it is reached: only the segment after it changes. At
    // 1.5, a quarter of 2 seconds on, the Hermite weight of that slope is 9 / 64.
    values[9 + 6] += 8.0f;
    tgSample(&test, 0, 0.75);
    CHECK_NEAR(test.joints[0].origin.x, 0.421875 - 1.5, 1e-5);
    tgSample(&test, 0, 1.5);
    CHECK_NEAR(test.joints[0].origin.x, 3.375 - 3.0 + 2.0 * 8.0 * 9.0 / 64.0, 1e-5);
    tgSample(&test, 0, 9.0);
    CHECK_NEAR(test.joints[0].origin.x, 21, 1e-5);
    tgSample(&test, 0, 0.0);
    CHECK_NEAR(test.joints[0].origin.x, -0.875, 1e-6);
}

static void tgSetTurn(float* value, double degrees, float sign)
{
    double half = 0.5 * degrees * 3.14159265358979323846 / 180.0;
    value[0] = 0;
    value[1] = 0;
    value[2] = sign * (float)sin(half);
    value[3] = sign * (float)cos(half);
}

/// Turns about one axis: the angle must grow evenly, whatever the sign of the quaternions.
static void TestSlerp(void** state)
{
    (void)state;
    static const double angles[] = {170, 90, 50, 1.5, 1e-3, -120};
    for (int i = 0; i < 12; ++i) {
        double angle = angles[i / 2];
        tgTestScene test;
        tgMakeTestScene(&test, 0, tg_pathRotation, tg_interpolateLinear);
        float times[2] = {0, 1};
        float values[8];
        tgSetTurn(values, 10, 1.0f);
        tgSetTurn(values + 4, 10 + angle, i % 2 == 0 ? 1.0f : -1.0f);
        tgSetKeys(&test, 2, times, values);
        for (double t = 0.0; t <= 1.0; t += 0.125) {
            tgSample(&test, 0, t);
            double expected = (10 + t * angle) * 3.14159265358979323846 / 180.0;
            tgCheckVec3(test.joints[0].x, cos(expected), sin(expected), 0, 1e-6);
            tgCheckVec3(test.joints[0].origin, -sin(expected), cos(expected), 0, 1e-6);
        }
    }
}

static void TestRotationsAreMadeUnit(void** state)
{
    (void)state;
    tgTestScene test;
    float times[2] = {0, 1};
    // Twice too long, then too short to be a rotation.
    float values[8] = {0, 0, 1.41421356f, 1.41421356f, 0, 0, 0, 0};
    tgMakeTestScene(&test, 0, tg_pathRotation, tg_interpolateStep);
    tgSetKeys(&test, 2, times, values);
    tgSample(&test, 0, 0.5);
    tgCheckVec3(test.joints[0].x, 0, 1, 0, 1e-6);
    tgSample(&test, 0, 1.0);
    tgCheckVec3(test.joints[0].x, 1, 0, 0, 0);
    // A cubic between equal turns with tangents that pull its length apart.
    float cubic[24] = {0};
    float cubicTimes[2] = {0, 2};
    for (int k = 0; k < 2; ++k) {
        tgSetTurn(cubic + 12 * k, 60, 1.0f);
        tgSetTurn(cubic + 12 * k + 4, 60, 1.0f);
        tgSetTurn(cubic + 12 * k + 8, 60, 1.0f);
    }
    tgMakeTestScene(&test, 0, tg_pathRotation, tg_interpolateCubic);
    tgSetKeys(&test, 2, cubicTimes, cubic);
    for (double t = 0.0; t <= 2.0; t += 0.25) {
        tgSample(&test, 0, t);
        tgCheckVec3(test.joints[0].x, 0.5, sqrt(0.75), 0, 1e-6);
    }
}

static void TestScaleAndWeights(void** state)
{
    (void)state;
    tgTestScene test;
    float times[2] = {0, 2};
    float scales[6] = {1, 1, 1, 3, 5, 7};
    tgMakeTestScene(&test, 0, tg_pathScale, tg_interpolateLinear);
    tgSetKeys(&test, 2, times, scales);
    tgSample(&test, 0, 1.0);
    tgCheckVec3(test.joints[0].origin, 0, 3, 0, 1e-6);
    tgCheckVec3(test.joints[0].z, 0, 0, 4, 1e-6);
    float weights[4] = {0, 1, 1, 3};
    tgMakeTestScene(&test, 1, tg_pathWeights, tg_interpolateLinear);
    tgSetKeys(&test, 2, times, weights);
    tgSample(&test, 0, 0.5);
    CHECK_NEAR(test.morphWeights[0], 0.25, 1e-7);
    CHECK_NEAR(test.morphWeights[1], 1.5, 1e-7);
    // Of another node: the weights stay what the file says.
    tgMakeTestScene(&test, 0, tg_pathWeights, tg_interpolateLinear);
    tgSetKeys(&test, 2, times, weights);
    tgSample(&test, 0, 2.0);
    CHECK_NEAR(test.morphWeights[1], 0.5, 0);
    // In, value, out for each key; two wide.
    float cubic[12] = {0, 0, 1, 10, 0, 0, 0, 0, 3, 30, 0, 0};
    tgMakeTestScene(&test, 1, tg_pathWeights, tg_interpolateCubic);
    tgSetKeys(&test, 2, times, cubic);
    tgSample(&test, 0, 1.0);
    CHECK_NEAR(test.morphWeights[0], 2, 1e-6);
    CHECK_NEAR(test.morphWeights[1], 20, 1e-5);
}

/// The key found by halving is the one found by walking.
static void TestManyKeys(void** state)
{
    (void)state;
    enum { keyCount = 37 };
    float times[keyCount];
    float values[3 * keyCount] = {0};
    for (int k = 0; k < keyCount; ++k) {
        times[k] = 0.1f * (float)k + (k % 3 == 0 ? 0.03f : 0.0f);
        values[3 * k] = (float)k;
    }
    tgTestScene test;
    for (int count = 1; count <= keyCount; ++count) {
        tgMakeTestScene(&test, 0, tg_pathTranslation, tg_interpolateStep);
        tgSetKeys(&test, count, times, values);
        for (double t = -0.1; t < 4.0; t += 0.0137) {
            int expected = 0;
            while (expected + 1 < count && (double)times[expected + 1] <= t) {
                expected += 1;
            }
            tgSample(&test, 0, t);
            CHECK_NEAR(test.joints[0].origin.x, expected, 0);
        }
    }
}

static void TestShape(void** state)
{
    (void)state;
    tgVec3 positions[3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    tgVec3 first[2] = {{0, 1, 0}, {0, 2, 0}};
    tgVec3 second[2] = {{0, 0, 4}, {0, 0, 8}};
    tgSceneMorph morphs[2] = {
        {.name = "", .firstVertex = 0, .vertexCount = 2, .offsets = first},
        {.name = "", .firstVertex = 1, .vertexCount = 2, .offsets = second},
    };
    tgScene scene = {.vertexCount = 3, .positions = positions, .morphCount = 2, .morphs = morphs};
    float weights[2] = {0.5f, -0.25f};
    tgVec3 shape[3];
    tgScene_SampleShape(&scene, weights, shape);
    tgCheckVec3(shape[0], 0, 0.5, 0, 0);
    tgCheckVec3(shape[1], 1, 1, -1, 0);
    tgCheckVec3(shape[2], 2, 0, -2, 0);
    float none[2] = {0, 0};
    tgScene_SampleShape(&scene, none, shape);
    assert_memory_equal(shape, positions, sizeof(positions));
}

static void TestLookups(void** state)
{
    (void)state;
    tgTestScene test;
    tgMakeTestScene(&test, 0, tg_pathTranslation, tg_interpolateLinear);
    assert_int_equal(tgScene_FindAnimation(&test.scene, "move"), 0);
    assert_int_equal(tgScene_FindAnimation(&test.scene, "0"), 0);
    assert_int_equal(tgScene_FindAnimation(&test.scene, "1"), -1);
    assert_int_equal(tgScene_FindAnimation(&test.scene, "-1"), -1);
    assert_int_equal(tgScene_FindAnimation(&test.scene, "0x"), -1);
    assert_int_equal(tgScene_FindAnimation(&test.scene, ""), -1);
    assert_int_equal(tgScene_FindJoint(&test.scene, "tip"), 0);
    assert_int_equal(tgScene_FindJoint(&test.scene, "root"), -1);
    tgScene* scene = tgCreateScene();
    assert_non_null(scene);
    tgScene_Warn(scene, "%d of %s", 3, "these");
    tgScene_Warn(scene, "and more");
    assert_int_equal(scene->warningCount, 2);
    assert_string_equal(scene->warnings[0], "3 of these");
    assert_string_equal(scene->warnings[1], "and more");
    assert_null(tgScene_Alloc(scene, SIZE_MAX / 2, 4));
    tgDestroyScene(scene);
    tgDestroyScene(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestFrameCount),
        cmocka_unit_test(TestOwnPose),
        cmocka_unit_test(TestTurnedPose),
        cmocka_unit_test(TestLinearAndStep),
        cmocka_unit_test(TestCubicReproducesCubic),
        cmocka_unit_test(TestSlerp),
        cmocka_unit_test(TestRotationsAreMadeUnit),
        cmocka_unit_test(TestScaleAndWeights),
        cmocka_unit_test(TestManyKeys),
        cmocka_unit_test(TestShape),
        cmocka_unit_test(TestLookups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
