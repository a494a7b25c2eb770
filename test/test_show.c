// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What the volume stage thinks of each vertex: gamma of a bent tube against the formula of its
// profile, the plain support, and refusals.

#include "check.h"
#include "shapes.h"

static const double tg_pi = 3.14159265358979323846;
static const float tg_length = 8.0f;

typedef struct tgTube {
    tgShape shape;
    tgRig* rig;
    tgInstance* instance;
    tgVec3* out;
    float* gamma;
} tgTube;

static tgTube tgOpenTube(const tgVolumeDef* volume)
{
    tgTube tube = {.shape = tgMakeTube(24, 49, tg_length, 3.0f, 5.0f, true)};
    tgRigDef def = tgShape_GetRigDef(&tube.shape);
    def.volume = *volume;
    tube.rig = tgCreateRig(&def, NULL);
    assert_non_null(tube.rig);
    tgInstanceDef instanceDef = tgDefaultInstanceDef();
    tube.instance = tgCreateInstance(tube.rig, &instanceDef, NULL);
    tube.out = calloc((size_t)tube.shape.vertexCount, sizeof(tgVec3));
    tube.gamma = calloc((size_t)tube.shape.vertexCount, sizeof(float));
    return tube;
}

static void tgCloseTube(tgTube* tube)
{
    free(tube->out);
    free(tube->gamma);
    tgDestroyInstance(tube->instance);
    tgDestroyRig(tube->rig);
    tgFreeShape(&tube->shape);
}

static void tgBend(tgTube* tube, double degrees)
{
    tgMat34 joints[2];
    tgBendTube(&tube->shape, tg_length, 0.0f, degrees * tg_pi / 180.0, joints);
    tgPose pose = {.joints = joints, .jointCount = 2};
    tgVec3Span out = {&tube->out->x, tube->shape.vertexCount, sizeof(tgVec3)};
    assert_int_equal(tgInstance_Deform(tube->instance, &pose, out, (tgVec3Span){0}, NULL),
                     tg_success);
}

static tgVolumeDef tgMakeVolume(const tgProfile* profile)
{
    tgVolumeDef volume = tgDefaultRigDef().volume;
    volume.method = tg_volumeExact;
    volume.profiles = profile;
    volume.profileCount = 1;
    return volume;
}

/// exp(-|x - joint|^2 / sigma^2) at rest, less the cut that gives it an end. Along the skin it ends
/// where the joint's wide support does, which here is farther out.
static void test_gamma_is_the_profile(void** state)
{
    (void)state;
    tgProfile profile = tgDefaultProfile(tg_profileIsotropic);
    tgVolumeDef volume = tgMakeVolume(&profile);
    tgTube tube = tgOpenTube(&volume);
    tgBend(&tube, 70.0);
    assert_int_equal(tgInstance_SampleGamma(tube.instance, 1, tube.gamma, NULL), tg_success);
    const double sigma = 0.25 * 0.5 * (double)tg_length;
    for (int v = 0; v < tube.shape.vertexCount; ++v) {
        tgVec3 offset = tgSub(tube.shape.positions[v], tgMakeVec3(0.5f * tg_length, 0.0f, 0.0f));
        double value = exp(-(double)tgDot(offset, offset) / (sigma * sigma)) - 1e-4;
        CHECK_NEAR(tube.gamma[v], fmax(value, 0.0), 2e-5);
    }
    tgCloseTube(&tube);
}

/// The plain support: peak 1 where the tube bends, falling along it, alike all round.
static void test_gamma_is_the_support(void** state)
{
    (void)state;
    tgVolumeDef volume = tgMakeVolume(NULL);
    volume.profileCount = 0;
    tgTube tube = tgOpenTube(&volume);
    tgBend(&tube, 70.0);
    assert_int_equal(tgInstance_SampleGamma(tube.instance, 1, tube.gamma, NULL), tg_success);
    CHECK_NEAR(tube.gamma[24 * 24], 1.0, 0.02);
    for (int ring = 0; ring < 49; ++ring) {
        for (int k = 1; k < 24; ++k) {
            CHECK_NEAR(tube.gamma[24 * ring + k], tube.gamma[24 * ring], 0.05);
        }
        if (ring > 0 && ring <= 24) {
            CHECK_AT_MOST(tube.gamma[24 * (ring - 1)], (double)tube.gamma[24 * ring] + 0.02);
        }
    }
    CHECK_AT_MOST(tube.gamma[0], 0.3); // four radii away, at an end that nothing passes
    tgCloseTube(&tube);
}

/// All joints together are the largest of each; those that do not bend have no say.
static void test_gamma_of_all_joints(void** state)
{
    (void)state;
    tgProfile profile = tgDefaultProfile(tg_profileRubber);
    tgVolumeDef volume = tgMakeVolume(&profile);
    tgTube tube = tgOpenTube(&volume);
    tgBend(&tube, 60.0);
    uint64_t before = tgInstance_GetStateHash(tube.instance);
    assert_int_equal(tgInstance_SampleGamma(tube.instance, 1, tube.gamma, NULL), tg_success);
    float* all = calloc((size_t)tube.shape.vertexCount, sizeof(float));
    assert_int_equal(tgInstance_SampleGamma(tube.instance, -1, all, NULL), tg_success);
    assert_memory_equal(all, tube.gamma, (size_t)tube.shape.vertexCount * sizeof(float));
    assert_true(tgInstance_GetStateHash(tube.instance) == before);
    tgBend(&tube, 0.0);
    assert_int_equal(tgInstance_SampleGamma(tube.instance, -1, all, NULL), tg_success);
    for (int v = 0; v < tube.shape.vertexCount; ++v) {
        assert_true(all[v] == 0.0f);
    }
    // A frame after it is what it would have been without.
    tgBend(&tube, 60.0);
    assert_true(tgInstance_GetStateHash(tube.instance) == before);
    free(all);
    tgCloseTube(&tube);
}

/// The local method's maps: (1 - w)^alpha of the largest weight as one piece, alike all over region
/// by region, and nothing at rest; of one joint only what follows its region, to the part it does.
static void test_gamma_is_the_map(void** state)
{
    (void)state;
    for (int way = 0; way < 2; ++way) {
        tgVolumeDef volume = tgDefaultRigDef().volume;
        volume.method = tg_volumeLocal;
        volume.local.scope = way == 0 ? tg_scopeGlobal : tg_scopeRegions;
        volume.local.map = way == 0 ? tg_mapRubber : tg_mapUniform;
        volume.local.alpha = 2.0f;
        tgTube tube = tgOpenTube(&volume);
        tgBend(&tube, 70.0);
        assert_int_equal(tgInstance_SampleGamma(tube.instance, -1, tube.gamma, NULL), tg_success);
        const tgShape* shape = &tube.shape;
        for (int v = 0; v < shape->vertexCount; ++v) {
            double most = 0.0;
            for (int k = 0; k < shape->influencesPerVertex; ++k) {
                most = fmax(most, (double)shape->weights[v * shape->influencesPerVertex + k]);
            }
            CHECK_NEAR(tube.gamma[v], way == 0 ? pow(2.0 * (1.0 - most), 2.0) : 1.0, 1e-5);
        }
        if (way == 1) { // the second bone's region ends where the first's rigid part begins
            assert_int_equal(tgInstance_SampleGamma(tube.instance, 1, tube.gamma, NULL),
                             tg_success);
            for (int v = 0; v < shape->vertexCount; ++v) {
                float x = shape->positions[v].x;
                bool isRigid = x < 2.9f || x > 5.1f;
                assert_true(!isRigid || tube.gamma[v] == (x > 5.1f ? 1.0f : 0.0f));
            }
        }
        tgBend(&tube, 0.0);
        assert_int_equal(tgInstance_SampleGamma(tube.instance, -1, tube.gamma, NULL), tg_success);
        for (int v = 0; way == 1 && v < shape->vertexCount; ++v) {
            assert_true(tube.gamma[v] == 0.0f);
        }
        tgCloseTube(&tube);
    }
}

static void test_refusals(void** state)
{
    (void)state;
    tgError error = {0};
    tgVolumeDef none = tgDefaultRigDef().volume;
    tgTube plain = tgOpenTube(&none);
    tgBend(&plain, 30.0);
    assert_int_equal(tgInstance_SampleGamma(plain.instance, 1, plain.gamma, &error),
                     tg_unsupported);
    CHECK_CONTAINS(error.message, "exact");
    tgCloseTube(&plain);
    tgProfile profile = tgDefaultProfile(tg_profileIsotropic);
    tgVolumeDef volume = tgMakeVolume(&profile);
    tgTube tube = tgOpenTube(&volume);
    assert_int_equal(tgInstance_SampleGamma(tube.instance, 1, tube.gamma, &error), tg_unsupported);
    CHECK_CONTAINS(error.message, "first frame");
    tgBend(&tube, 30.0);
    assert_int_equal(tgInstance_SampleGamma(tube.instance, 2, tube.gamma, &error),
                     tg_invalidArgument);
    assert_int_equal(tgInstance_SampleGamma(tube.instance, -2, tube.gamma, &error),
                     tg_invalidArgument);
    assert_int_equal(tgInstance_SampleGamma(tube.instance, 1, NULL, &error), tg_invalidArgument);
    assert_int_equal(tgInstance_SampleGamma(NULL, 1, tube.gamma, &error), tg_invalidArgument);
    tgCloseTube(&tube);
}

/// A tube along x that bends about +z: e0 along it, e2 up, where its end goes, whatever the angle.
static void test_axes_of_a_joint(void** state)
{
    (void)state;
    tgProfile rubber = tgDefaultProfile(tg_profileRubber);
    tgVolumeDef volume = tgMakeVolume(&rubber);
    tgTube tube = tgOpenTube(&volume);
    tgJointAxes axes;
    assert_false(tgInstance_GetJointAxes(tube.instance, 1, &axes)); // no frame yet
    for (int degrees = -120; degrees <= 120; degrees += 60) {
        double side = degrees < 0 ? -1.0 : 1.0;
        tgBend(&tube, degrees);
        assert_false(tgInstance_GetJointAxes(tube.instance, 7, &axes));
        assert_true(tgInstance_GetJointAxes(tube.instance, 1, &axes));
        CHECK_NEAR(axes.origin.x, 0.5 * (double)tg_length, 1e-5);
        CHECK_NEAR(axes.length, 0.5 * (double)tg_length, 1e-5);
        CHECK_NEAR(axes.bend, fabs(degrees * tg_pi / 180.0), 1e-4);
        CHECK_NEAR(axes.axes[0].x, 1.0, 1e-5);
        if (degrees != 0) {
            CHECK_NEAR(axes.axes[2].y, side, 1e-5);
            CHECK_NEAR(axes.axes[1].z, -side, 1e-5); // e1 = e2 x e0
        }
        CHECK_NEAR(tgDistance(axes.axes[2], axes.restAxes[2]), 0.0, 1e-5); // its carrier rests
    }
    tgCloseTube(&tube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gamma_is_the_profile), cmocka_unit_test(test_gamma_is_the_support),
        cmocka_unit_test(test_gamma_of_all_joints),  cmocka_unit_test(test_gamma_is_the_map),
        cmocka_unit_test(test_axes_of_a_joint),      cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
