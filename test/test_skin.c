// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The frame on plain skinning: laws of the bent tube, references in double, many influences, scale,
// antipodal quaternions, the volume to keep.

#include "core/rig.h"
#include "many_joints.h"

static const double tg_pi = 3.14159265358979323846;

// ---- the laws of the bent tube (method: local correction, "known") ------------------------------

/// Relative volume change of the tube bent by an angle, bones `offset` above the axis.
static double tgBendLoss(tgSkinning skinning, float offset, double angle, bool smooth)
{
    const float length = 8.0f;
    tgShape tube = tgMakeTube(64, 1025, length, 2.0f, 6.0f, smooth);
    tgMat34 joints[2];
    tgBendTube(&tube, length, offset, 0.0, tube.restJoints);
    tgRigDef def = tgShape_GetRigDef(&tube);
    def.skinning = skinning;
    tgRig* rig = tgMustCreateRig(&def);
    tgInstance* instance = tgMakeInstance(rig, tg_simdBest);
    tgBendTube(&tube, length, offset, angle, joints);
    tgDeform(instance, joints, 2, NULL, 0);
    tgVolumeReport volume = tgInstance_MeasureVolume(instance);
    CHECK_NEAR(volume.target / volume.rest, 1.0, 1e-12); // nothing scales or slides
    tgDestroyInstance(instance);
    tgDestroyRig(rig);
    tgFreeShape(&tube);
    return volume.result / volume.rest - 1.0;
}

/// Mean of w (1 - w) over the length: half of it is in transition, where a ramp has 1/6 and the
/// cubic step 9/70.
static void tgTestBendLaws(void** state)
{
    (void)state;
    const double degrees[3] = {10.0, 50.0, 90.0};
    for (int i = 0; i < 3; ++i) {
        double angle = degrees[i] * tg_pi / 180.0, half = sin(0.5 * angle);
        for (int smooth = 0; smooth < 2; ++smooth) {
            double blend = 0.5 * (smooth ? 9.0 / 70.0 : 1.0 / 6.0);
            for (int k = -1; k <= 1; ++k) {
                double offset = 0.4 * k; // the mesh's centre stands -offset from the bones
                double linear = -2.0 * half * half * blend + offset / 8.0 * sin(angle);
                double dual = offset / 8.0 * angle;
                CHECK_NEAR(tgBendLoss(tg_linear, (float)offset, angle, smooth), linear, 1e-5);
                CHECK_NEAR(tgBendLoss(tg_dualQuaternion, (float)offset, angle, smooth), dual, 1e-5);
            }
        }
    }
}

/// 0.2, 4 and 11 % lost at 10, 50 and 90 degrees: the published table, with the ramp it implies.
static void tgTestPublishedLoss(void** state)
{
    (void)state;
    const double degrees[3] = {10.0, 50.0, 90.0}, published[3] = {-0.002, -0.04, -0.11};
    tgShape tube = tgMakeTube(64, 513, 8.0f, 4.0f - 2.64f, 4.0f + 2.64f, false);
    tgRigDef def = tgShape_GetRigDef(&tube);
    tgRig* rig = tgMustCreateRig(&def);
    tgInstance* instance = tgMakeInstance(rig, tg_simdBest);
    for (int i = 0; i < 3; ++i) {
        tgMat34 joints[2];
        tgBendTube(&tube, 8.0f, 0.0f, degrees[i] * tg_pi / 180.0, joints);
        tgDeform(instance, joints, 2, NULL, 0);
        tgVolumeReport volume = tgInstance_MeasureVolume(instance);
        CHECK_NEAR(volume.result / volume.rest - 1.0, published[i], 0.001);
    }
    tgDestroyInstance(instance);
    tgDestroyRig(rig);
    tgFreeShape(&tube);
}

// ---- against a plain reference in double --------------------------------------------------------

/// p = sum of w M p, in double, as the definition reads.
static void tgReferenceLinear(const tgShape* shape, const tgMat34* joints, int v, double out[3])
{
    out[0] = out[1] = out[2] = 0.0;
    for (int k = 0; k < shape->influencesPerVertex; ++k) {
        int j = shape->joints[v * shape->influencesPerVertex + k];
        double w = (double)shape->weights[v * shape->influencesPerVertex + k];
        tgMat34 inverse = tgIdentityMat34();
        assert_true(tgInvertMat34(&shape->restJoints[j], &inverse));
        tgVec3 local = tgMulMatPoint(&inverse, shape->positions[v]);
        tgVec3 p = tgMulMatPoint(&joints[j], local);
        out[0] += w * (double)p.x;
        out[1] += w * (double)p.y;
        out[2] += w * (double)p.z;
    }
}

static void tgTestManyInfluences(void** state)
{
    (void)state;
    tgShape shape = tgMakeManyJoints();
    tgRigDef def = tgShape_GetRigDef(&shape);
    tgRig* rig = tgMustCreateRig(&def);
    assert_int_equal(tgRig_GetInfo(rig).influencesPerVertex, tg_manyInfluences);
    tgInstance* instance = tgMakeInstance(rig, tg_simdBest);
    tgVec3* out = calloc((size_t)shape.vertexCount, sizeof(tgVec3));
    tgMat34 joints[tg_manyJoints];
    tgPoseManyJoints(&shape, 3.0f, true, joints);
    tgDeform(instance, joints, tg_manyJoints, out, shape.vertexCount);
    for (int v = 0; v < shape.vertexCount; ++v) {
        double expected[3];
        tgReferenceLinear(&shape, joints, v, expected);
        CHECK_NEAR(out[v].x, expected[0], 2e-6);
        CHECK_NEAR(out[v].y, expected[1], 2e-6);
        CHECK_NEAR(out[v].z, expected[2], 2e-6);
    }
    free(out);
    tgDestroyInstance(instance);
    tgDestroyRig(rig);
    tgFreeShape(&shape);
}

/// Rigid motions blended as dual quaternions, straight from the definition, in double: q from axis
/// and angle, dual part t q / 2, signs by the heaviest joint. Within 30 degrees of a half turn the
/// blend fades to the linear one.
static void tgCheckDualQuaternions(tgSkinning skinning)
{
    tgShape tube = tgMakeTube(12, 40, 8.0f, 2.0f, 6.0f, true);
    tgRigDef def = tgShape_GetRigDef(&tube);
    def.skinning = skinning;
    tgRig* rig = tgMustCreateRig(&def);
    tgInstance* instance = tgMakeInstance(rig, tg_simdBest);
    tgVec3* out = calloc((size_t)tube.vertexCount, sizeof(tgVec3));
    for (int degrees = -350; degrees <= 350; degrees += 25) {
        double angle = degrees * tg_pi / 180.0, c = cos(angle), s = sin(angle);
        double half = 0.5 * atan2(s, c); // the shorter way
        double near = fmin(fabs(cos(half)) / 0.45, 1.0), share = near * near * (3.0 - 2.0 * near);
        share *= skinning == tg_blend ? 0.35 : 1.0; // a bend without a twist
        tgMat34 joints[2];
        tgBendTube(&tube, 8.0f, 0.0f, angle, joints);
        tgDeform(instance, joints, 2, out, tube.vertexCount);
        for (int v = 0; v < tube.vertexCount; ++v) {
            // The screw from bone 0 to bone 1 is a turn about (4, 0): its blend by w turns about
            // the same point by the angle of the normalised sum of 1 and w-weighted (cos, sin) of
            // half.
            double w = (double)tube.weights[2 * v + 1];
            double blended = 2.0 * atan2(w * sin(half), 1.0 - w + w * cos(half));
            double x = (double)tube.positions[v].x - 4.0, y = (double)tube.positions[v].y;
            double dual[2] = {x * cos(blended) - y * sin(blended),
                              x * sin(blended) + y * cos(blended)};
            double linear[2] = {(1.0 - w) * x + w * (x * c - y * s),
                                (1.0 - w) * y + w * (x * s + y * c)};
            CHECK_NEAR(out[v].x, 4.0 + share * dual[0] + (1.0 - share) * linear[0], 5e-6);
            CHECK_NEAR(out[v].y, share * dual[1] + (1.0 - share) * linear[1], 5e-6);
            CHECK_NEAR(out[v].z, tube.positions[v].z, 1e-6);
        }
    }
    free(out);
    tgDestroyInstance(instance);
    tgDestroyRig(rig);
    tgFreeShape(&tube);
}

/// One joint: both blends are the joint's own motion, scale and shear included.
static void tgTestRigid(void** state)
{
    (void)state;
    tgShape cube = tgMakeCube(true);
    tgTransform t = {tgMakeVec3(3.0f, -2.0f, 1.0f), tgMakeQuat(tgMakeVec3(0.6f, 0.0f, 0.8f), 2.5f),
                     tgMakeVec3(1.5f, 0.5f, 2.0f)};
    tgMat34 joint = tgMakeMat34(t);
    cube.restJoints[0].origin = tgMakeVec3(0.2f, 0.3f, 0.4f);
    for (int skinning = 0; skinning < 2; ++skinning) {
        tgRigDef def = tgShape_GetRigDef(&cube);
        def.skinning = (tgSkinning)skinning;
        tgRig* rig = tgMustCreateRig(&def);
        tgInstance* instance = tgMakeInstance(rig, tg_simdBest);
        tgVec3 out[8];
        tgDeform(instance, &joint, 1, out, 8);
        for (int v = 0; v < 8; ++v) {
            tgVec3 local = tgSub(cube.positions[v], cube.restJoints[0].origin);
            tgVec3 expected = tgMulMatPoint(&joint, local);
            CHECK_NEAR(tgDistance(out[v], expected), 0.0, 3e-6);
        }
        // The animator's scale is part of the target: the cube is 1.5 x 0.5 x 2.
        tgVolumeReport volume = tgInstance_MeasureVolume(instance);
        CHECK_NEAR(volume.target, 1.5, 1e-5);
        CHECK_NEAR(volume.result, 1.5, 1e-5);
        tgDestroyInstance(instance);
        tgDestroyRig(rig);
    }
    tgFreeShape(&cube);
}

/// Scale and slide without a turn: dual quaternions must agree with the linear blend.
static void tgTestScaleAgrees(void** state)
{
    (void)state;
    tgShape shape = tgMakeManyJoints();
    tgMat34 joints[tg_manyJoints];
    tgPoseManyJoints(&shape, 0.0f, true, joints);
    tgVec3* out[2];
    double target[2];
    for (int skinning = 0; skinning < 2; ++skinning) {
        tgRigDef def = tgShape_GetRigDef(&shape);
        def.skinning = (tgSkinning)skinning;
        tgRig* rig = tgMustCreateRig(&def);
        tgInstance* instance = tgMakeInstance(rig, tg_simdBest);
        out[skinning] = calloc((size_t)shape.vertexCount, sizeof(tgVec3));
        tgDeform(instance, joints, tg_manyJoints, out[skinning], shape.vertexCount);
        target[skinning] = tgInstance_MeasureVolume(instance).target;
        tgDestroyInstance(instance);
        tgDestroyRig(rig);
    }
    for (int v = 0; v < shape.vertexCount; ++v) {
        CHECK_NEAR(tgDistance(out[0][v], out[1][v]), 0.0, 3e-6);
    }
    CHECK_NEAR(target[0], target[1], 0.0);
    free(out[0]);
    free(out[1]);
    tgFreeShape(&shape);
}

/// A character that is scaled as a whole, above its roots, is the same character larger or smaller.
static void tgTestSizes(void** state)
{
    (void)state;
    const float sizes[3] = {1.0f, 20.0f, 0.05f};
    tgShape shape = tgMakeManyJoints();
    tgMat34 posed[tg_manyJoints], joints[tg_manyJoints];
    tgPoseManyJoints(&shape, 0.7f, false, posed);
    tgVec3* out[3];
    for (int i = 0; i < 3; ++i) {
        tgMat34 size = tgIdentityMat34();
        size.x.x = size.y.y = size.z.z = sizes[i];
        for (int j = 0; j < tg_manyJoints; ++j) {
            joints[j] = tgMulMat34(&size, &posed[j]);
        }
        tgRigDef def = tgShape_GetRigDef(&shape);
        def.skinning = tg_dualQuaternion;
        tgRig* rig = tgMustCreateRig(&def);
        tgInstance* instance = tgMakeInstance(rig, tg_simdBest);
        out[i] = calloc((size_t)shape.vertexCount, sizeof(tgVec3));
        tgDeform(instance, joints, tg_manyJoints, out[i], shape.vertexCount);
        tgDestroyInstance(instance);
        tgDestroyRig(rig);
        for (int v = 0; v < shape.vertexCount; ++v) {
            tgVec3 back = tgMulSV(1.0f / sizes[i], out[i][v]);
            CHECK_NEAR(tgDistance(out[0][v], back), 0.0, 1e-5);
        }
    }
    for (int i = 0; i < 3; ++i) {
        free(out[i]);
    }
    tgFreeShape(&shape);
}

static void tgTestDualQuaternionReference(void** state)
{
    (void)state;
    tgCheckDualQuaternions(tg_dualQuaternion);
    tgCheckDualQuaternions(tg_blend);
}

// ---- the volume to keep -------------------------------------------------------------------------

static tgVolumeReport tgMeasureTube(const tgShape* tube, const tgMat34* joints)
{
    tgRigDef def = tgShape_GetRigDef(tube);
    tgRig* rig = tgMustCreateRig(&def);
    tgInstance* instance = tgMakeInstance(rig, tg_simdBest);
    tgVolumeReport before = tgInstance_MeasureVolume(instance);
    assert_true(before.target == before.rest && before.result == before.rest);
    tgDeform(instance, joints, 2, NULL, 0);
    tgVolumeReport volume = tgInstance_MeasureVolume(instance);
    tgDestroyInstance(instance);
    tgDestroyRig(rig);
    return volume;
}

/// The target over the rest volume when the second bone is longer by a part of it.
static double tgGetLonger(const tgShape* tube, double part)
{
    tgMat34 joints[2] = {tube->restJoints[0], tube->restJoints[1]};
    joints[1].origin.x += (float)(4.0 * part);
    tgVolumeReport report = tgMeasureTube(tube, joints);
    return report.target / report.rest - 1.0;
}

/// Lengths that files round to a thousandth do not count, and from two thousandths on they do in
/// full; they go in steps of 1e-5.
static void tgTestRoundedLengths(void** state)
{
    (void)state;
    tgShape tube = tgMakeTube(32, 65, 8.0f, 3.0f, 5.0f, true);
    double slope = tgGetLonger(&tube, 0.01) / 0.01;
    CHECK_NEAR(tgGetLonger(&tube, 0.97e-3), 0.0, 0.0);
    CHECK_NEAR(tgGetLonger(&tube, 1.5e-3) / slope, 0.5 * 1.5e-3, 1e-5);
    CHECK_NEAR(tgGetLonger(&tube, 2.1e-3) / slope, 2.1e-3, 1e-5);
    double at = tgGetLonger(&tube, 4e-3);
    CHECK_NEAR(tgGetLonger(&tube, 4e-3 - 4e-6), at, 0.0);
    CHECK_NEAR(tgGetLonger(&tube, 4e-3 + 4e-6), at, 0.0);
    assert_true(tgGetLonger(&tube, 4e-3 - 6e-6) < at && tgGetLonger(&tube, 4e-3 + 6e-6) > at);
    tgFreeShape(&tube);
}

static void tgTestTarget(void** state)
{
    (void)state;
    tgShape tube = tgMakeTube(32, 65, 8.0f, 3.0f, 5.0f, true);
    tgMat34 joints[2], straight[2];
    // Bent, and the whole character carried away and turned: the target is the rest volume.
    tgTransform away = {tgMakeVec3(100.0f, 5.0f, -30.0f),
                        tgMakeQuat(tgMakeVec3(0.0f, 0.6f, 0.8f), 1.9f),
                        {1.0f, 1.0f, 1.0f}};
    tgMat34 root = tgMakeMat34(away);
    tgBendTube(&tube, 8.0f, 0.0f, 1.2, joints);
    joints[0] = tgMulMat34(&root, &joints[0]);
    joints[1] = tgMulMat34(&root, &joints[1]);
    tgVolumeReport volume = tgMeasureTube(&tube, joints);
    CHECK_NEAR(volume.target / volume.rest, 1.0, 1e-12);
    assert_true(volume.result < 0.99 * volume.rest);

    // The second bone slides out by 1 and doubles in size, bent or not: the same target, which is
    // what plain skinning gives the straight tube.
    tgMat34 scale = tgIdentityMat34();
    scale.x.x = scale.y.y = scale.z.z = 2.0f;
    for (int bent = 0; bent < 2; ++bent) {
        tgBendTube(&tube, 8.0f, 0.0f, bent ? 1.2 : 0.0, straight);
        joints[0] = straight[0];
        joints[1] = tgMulMat34(&straight[1], &scale);
        joints[1].origin.x += 1.0f;
        tgVolumeReport report = tgMeasureTube(&tube, joints);
        if (!bent) {
            volume = report;
            CHECK_NEAR(report.target / report.result, 1.0, 4e-6);
            assert_true(report.target > 2.0 * report.rest);
        }
        CHECK_NEAR(report.target / volume.target, 1.0, 1e-6);
    }
    // A joint scaled to nothing, and its child with it: numbers all the same.
    memset(&joints[0].x, 0, 9 * sizeof(float));
    memset(&joints[1].x, 0, 9 * sizeof(float));
    volume = tgMeasureTube(&tube, joints);
    assert_true(isfinite(volume.target) && isfinite(volume.result));
    tgFreeShape(&tube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestBendLaws),       cmocka_unit_test(tgTestPublishedLoss),
        cmocka_unit_test(tgTestManyInfluences), cmocka_unit_test(tgTestDualQuaternionReference),
        cmocka_unit_test(tgTestRigid),          cmocka_unit_test(tgTestScaleAgrees),
        cmocka_unit_test(tgTestSizes),          cmocka_unit_test(tgTestTarget),
        cmocka_unit_test(tgTestRoundedLengths),
    };
    return cmocka_run_group_tests_name("skin", tests, NULL, NULL);
}
