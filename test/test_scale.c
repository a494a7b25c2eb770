// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Poses with scales, lengths and shapes of their own: a character scaled as a whole gives its
// unscaled result at that size, whatever is measured; losses of joints that scale, lengthen and
// slide against differences of whole meshes.

#include "spine.h"

static const double tg_pi = 3.14159265358979323846;
static const float tg_length = 8.0f;

static tgVolumeDef tgExactDef(tgVolumeMode mode)
{
    tgVolumeDef volume = tgDefaultRigDef().volume;
    volume.method = tg_volumeExact;
    volume.mode = mode;
    return volume;
}

// ---- one scale for all joints -------------------------------------------------------------------

static void tgScaleJoints(tgMat34* joints, int count, float scale)
{
    for (int j = 0; j < count; ++j) {
        joints[j].x = tgMulSV(scale, joints[j].x);
        joints[j].y = tgMulSV(scale, joints[j].y);
        joints[j].z = tgMulSV(scale, joints[j].z);
        joints[j].origin = tgMulSV(scale, joints[j].origin);
    }
}

/// p(s) = s p(1), loss(s) = s^3 loss(1).
static void tgCheckScaled(tgStage* own, tgStage* scaled, const tgMat34* joints, float scale)
{
    tgMat34 large[tg_spineJoints];
    int count = own->shape.jointCount;
    memcpy(large, joints, (size_t)count * sizeof(tgMat34));
    tgScaleJoints(large, count, scale);
    tgPlay(own, joints, 0.0f);
    tgPlay(scaled, large, 0.0f);
    // Scales as near to 1 as rounding comes are 1, for a limb of length 8.
    bool isOne = fabs((double)scale - 1.0) < 2e-6;
    for (int v = 0; v < own->shape.vertexCount; ++v) {
        tgVec3 wanted = tgMulSV(scale, own->out[v]);
        CHECK_NEAR(tgDistance(wanted, scaled->out[v]) / scale, 0.0, isOne ? 4e-5 : 4e-6);
    }
    double cube = (double)scale * (double)scale * (double)scale;
    tgReport before = tgInstance_GetReport(own->instance);
    tgReport after = tgInstance_GetReport(scaled->instance);
    double rest = tgRig_GetInfo(own->rig).restVolume;
    assert_int_equal(before.lossCount, after.lossCount);
    for (int i = 0; i < before.lossCount; ++i) {
        assert_int_equal(before.losses[i].joint, after.losses[i].joint);
        CHECK_NEAR(after.losses[i].loss / cube / rest, before.losses[i].loss / rest, 1e-6);
    }
    tgVolumeReport report = tgInstance_MeasureVolume(scaled->instance);
    CHECK_NEAR(report.target / (cube * rest), 1.0, isOne ? 7e-6 : 1e-6);
    CHECK_NEAR(report.result / report.target, 1.0, 1e-6);
}

static tgShape tgMakeLimb(bool twoRoots)
{
    tgShape limb = tgMakeTube(32, 65, tg_length, 3.0f, 5.0f, true);
    limb.parents[1] = twoRoots ? -1 : 0;
    return limb;
}

/// Twenty times as large and a twentieth as large, and through 1 in small steps; the joints in a
/// chain, or both of them roots.
static void tgTestLimb(void** state)
{
    (void)state;
    static const float scales[] = {20.0f,      0.05f,      0.9999f,   0.999994f, 0.999999f,
                                   1.0000005f, 1.0000015f, 1.000006f, 1.0001f};
    for (int which = 0; which < 8; ++which) {
        tgVolumeDef volume = tgExactDef(which & 1 ? tg_modeTogether : tg_modeSequence);
        tgSkinning skinning = which & 2 ? tg_dualQuaternion : tg_linear;
        tgStage own = tgMakeStage(tgMakeLimb(which & 4), skinning, &volume);
        tgStage scaled = tgMakeStage(tgMakeLimb(which & 4), skinning, &volume);
        tgMat34 joints[2];
        tgBendTube(&own.shape, tg_length, 0.0f, 80.0 * tg_pi / 180.0, joints);
        for (size_t i = 0; i < sizeof(scales) / sizeof(scales[0]); ++i) {
            tgCheckScaled(&own, &scaled, joints, scales[i]);
        }
        tgFreeStage(&own);
        tgFreeStage(&scaled);
    }
}

static const double tg_bend[tg_spineJoints] = {0.2, 0.5, -0.6, 0.7};

/// Four joints, off the middle of the tube.
static void tgTestSpine(void** state)
{
    (void)state;
    for (int which = 0; which < 4; ++which) {
        tgVolumeDef volume = tgExactDef(which & 1 ? tg_modeTogether : tg_modeSequence);
        tgSkinning skinning = which & 2 ? tg_dualQuaternion : tg_linear;
        tgStage own = tgMakeStage(tgMakeSpine(0.2f), skinning, &volume);
        tgStage scaled = tgMakeStage(tgMakeSpine(0.2f), skinning, &volume);
        tgMat34 joints[tg_spineJoints];
        tgBendSpine(&own.shape, tg_bend, joints);
        tgCheckScaled(&own, &scaled, joints, 20.0f);
        tgCheckScaled(&own, &scaled, joints, 0.05f);
        tgFreeStage(&own);
        tgFreeStage(&scaled);
    }
}

// ---- each joint its own -------------------------------------------------------------------------

typedef struct tgPoseMaker {
    float scales[tg_spineJoints];
    int unequal;    ///< this joint is squashed
    float longer;   ///< each bone, as a factor
    float sideways; ///< how far joints slide across their bones
} tgPoseMaker;

/// Joints up to `last` as the frame has them, those after it as the target pose has them.
static void tgPoseUpTo(const tgShape* spine, const tgPoseMaker* maker, int last,
                       tgMat34 joints[tg_spineJoints])
{
    tgMat34 parent = tgIdentityMat34();
    for (int j = 0; j < tg_spineJoints; ++j) {
        tgTransform local = tgIdentityTransform();
        bool isPosed = j <= last;
        local.position = spine->restJoints[0].origin;
        if (j > 0) {
            local.position = tgMakeVec3(2.5f * maker->longer, 0.0f, 0.0f);
            local.position.y = isPosed ? maker->sideways : 0.0f;
        }
        tgVec3 axis = tgNormalize(tgMakeVec3(0.1f * (float)j, 0.3f, 1.0f), tgMakeVec3(0, 0, 1));
        local.rotation = isPosed ? tgMakeQuat(axis, (float)tg_bend[j]) : tgIdentityQuat();
        float s = maker->scales[j];
        local.scale = j == maker->unequal ? tgMakeVec3(1.3f, 1.0f, 0.8f) : tgMakeVec3(s, s, s);
        tgMat34 m = tgMakeMat34(local);
        joints[j] = parent = tgMulMat34(&parent, &m);
    }
}

static void tgPlayShape(tgStage* stage, const tgMat34* joints, const tgVec3* shape)
{
    tgPose pose = {.joints = joints, .jointCount = tg_spineJoints};
    pose.shapePositions =
        (tgVec3View){shape != NULL ? &shape->x : NULL, stage->shape.vertexCount, sizeof(tgVec3)};
    tgVec3Span out = {&stage->out->x, stage->shape.vertexCount, sizeof(tgVec3)};
    assert_int_equal(tgInstance_Deform(stage->instance, &pose, out, (tgVec3Span){0}, NULL),
                     tg_success);
}

/// dV of each joint equals the difference of whole meshes with one joint more posed.
static void tgCheckLosses(const tgPoseMaker* maker, tgSkinning skinning, bool shaped)
{
    tgVolumeDef exact = tgExactDef(tg_modeSequence), none = tgDefaultRigDef().volume;
    tgStage stage = tgMakeStage(tgMakeSpine(0.2f), skinning, &exact);
    tgStage plain = tgMakeStage(tgMakeSpine(0.2f), skinning, &none);
    tgVec3* shape = calloc((size_t)stage.shape.vertexCount, sizeof(tgVec3));
    for (int v = 0; v < stage.shape.vertexCount; ++v) {
        tgVec3 p = stage.shape.positions[v];
        float thick = 1.0f + 0.03f * p.x; // a tube that gets thicker
        shape[v] = tgMakeVec3(p.x, thick * p.y, thick * p.z);
    }
    tgMat34 joints[tg_spineJoints];
    tgPoseUpTo(&stage.shape, maker, tg_spineJoints, joints);
    tgPlayShape(&stage, joints, shaped ? shape : NULL);
    tgReport report = tgInstance_GetReport(stage.instance);
    tgVolumeReport volume = tgInstance_MeasureVolume(stage.instance);
    CHECK_NEAR(volume.result / volume.target, 1.0, 1e-6);
    assert_int_equal(report.lossCount, tg_spineJoints - 1);
    tgPoseUpTo(&stage.shape, maker, 0, joints);
    tgPlayShape(&plain, joints, shaped ? shape : NULL);
    double before = tgInstance_MeasureVolume(plain.instance).result;
    CHECK_NEAR(before / volume.target, 1.0, 1e-6);
    for (int i = 0; i < report.lossCount; ++i) {
        tgPoseUpTo(&stage.shape, maker, i + 1, joints);
        tgPlayShape(&plain, joints, shaped ? shape : NULL);
        double now = tgInstance_MeasureVolume(plain.instance).result;
        assert_int_equal(report.losses[i].joint, i + 1);
        assert_true(fabs(report.losses[i].loss) > 1e-5 * volume.target);
        CHECK_NEAR(report.losses[i].loss / volume.target, (now - before) / volume.target, 1e-6);
        before = now;
    }
    free(shape);
    tgFreeStage(&stage);
    tgFreeStage(&plain);
}

static void tgTestLosses(void** state)
{
    (void)state;
    static const tgPoseMaker makers[] = {
        {{20.0f, 1.0f, 1.0f, 1.0f}, -1, 1.0f, 0.0f}, // the whole character
        {{1.0f, 1.0f, 1.3f, 1.0f}, -1, 1.0f, 0.0f},  // from the middle on
        {{0.7f, 1.2f, 0.9f, 1.4f}, -1, 1.0f, 0.0f},  // each its own
        {{1.0f, 1.0f, 1.0f, 1.0f}, -1, 1.1f, 0.0f},  // longer bones
        {{1.0f, 1.0f, 1.0f, 1.0f}, -1, 1.0f, 0.3f},  // joints that slide
        {{0.7f, 1.2f, 0.9f, 1.4f}, -1, 1.1f, 0.3f},  // all of it
        {{1.0f, 1.0f, 1.0f, 1.0f}, 3, 1.0f, 0.0f},   // the last bone
        {{1.0f, 1.0f, 1.0f, 1.0f}, 1, 1.0f, 0.0f}};  // one that others turn on
    for (size_t i = 0; i < sizeof(makers) / sizeof(makers[0]); ++i) {
        for (int which = 0; which < 4; ++which) {
            tgCheckLosses(&makers[i], which & 1 ? tg_dualQuaternion : tg_linear, which & 2);
        }
    }
}

/// How far breathing moves skin between x and x + 1 of the bind pose, in the mean.
static double tgGetBreath(const tgStage* breathing, const tgStage* plain, float x)
{
    double sum = 0.0;
    int count = 0;
    for (int v = 0; v < plain->shape.vertexCount; ++v) {
        float at = plain->shape.positions[v].x - x;
        if (at >= 0.0f && at <= 1.0f) {
            sum += (double)tgDistance(breathing->out[v], plain->out[v]);
            count += 1;
        }
    }
    assert_true(count > 0);
    return sum / count;
}

/// A bone at half its size has a quarter of the skin and moves by a quarter: it is small, not
/// crushed.
static void tgTestBreath(void** state)
{
    (void)state;
    const tgVolumeKey key = {0.0f, 1.05f};
    tgVolumeDef breath = tgExactDef(tg_modeSequence), none = tgDefaultRigDef().volume;
    breath.targetKeys = &key;
    breath.targetKeyCount = 1;
    tgStage breathing = tgMakeStage(tgMakeSpine(0.2f), tg_linear, &breath);
    tgStage plain = tgMakeStage(tgMakeSpine(0.2f), tg_linear, &none);
    const tgPoseMaker maker = {{1.0f, 1.0f, 1.0f, 0.5f}, -1, 1.0f, 0.0f};
    tgMat34 joints[tg_spineJoints];
    tgPoseUpTo(&plain.shape, &maker, -1, joints);
    tgPlayShape(&breathing, joints, NULL);
    tgPlayShape(&plain, joints, NULL);
    float last = plain.shape.restJoints[3].origin.x;
    double small = tgGetBreath(&breathing, &plain, last + 1.4f);
    CHECK_NEAR(small / tgGetBreath(&breathing, &plain, last - 4.0f), 0.25, 0.03);
    tgFreeStage(&breathing);
    tgFreeStage(&plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestLimb),
        cmocka_unit_test(tgTestSpine),
        cmocka_unit_test(tgTestLosses),
        cmocka_unit_test(tgTestBreath),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
