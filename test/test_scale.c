// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Poses with scales, lengths and shapes of their own: a character scaled as a whole gives its
// unscaled result at that size, whatever is measured; the target of joints that scale, lengthen and
// slide against whole meshes in that pose.

#include "spine.h"

static const double tg_pi = 3.14159265358979323846;
static const float tg_length = 8.0f;

static tgVolumeDef tgExactDef(void)
{
    tgVolumeDef volume = tgDefaultRigDef().volume;
    volume.method = tg_volumeExact;
    volume.contact = tg_contactOff; // its volume is told as a loss, too
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
        CHECK_NEAR(after.losses[i].loss / cube / rest, before.losses[i].loss / rest,
                   isOne ? 7e-6 : 1e-6);
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
    for (int which = 0; which < 6; ++which) {
        tgVolumeDef volume = tgExactDef();
        tgSkinning skinning = (tgSkinning)(which % 3);
        tgStage own = tgMakeStage(tgMakeLimb(which > 2), skinning, &volume);
        tgStage scaled = tgMakeStage(tgMakeLimb(which > 2), skinning, &volume);
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
    for (int skinning = tg_linear; skinning <= tg_blend; ++skinning) {
        tgVolumeDef volume = tgExactDef();
        tgStage own = tgMakeStage(tgMakeSpine(0.2f), (tgSkinning)skinning, &volume);
        tgStage scaled = tgMakeStage(tgMakeSpine(0.2f), (tgSkinning)skinning, &volume);
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
            // A joint that slides across its bone makes that longer.
            float along = 2.5f * maker->longer, across = maker->sideways;
            float counts = hypotf(along, across);
            local.position =
                isPosed ? tgMakeVec3(along, across, 0.0f) : tgMakeVec3(counts, 0.0f, 0.0f);
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

/// The target is the volume of the whole mesh in the target pose; the result has it; the losses of
/// the joints sum to what skinning took away.
static void tgCheckTarget(const tgPoseMaker* maker, tgSkinning skinning, bool shaped)
{
    tgVolumeDef exact = tgExactDef(), none = tgDefaultRigDef().volume;
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
    tgPlayShape(&plain, joints, shaped ? shape : NULL);
    tgReport report = tgInstance_GetReport(stage.instance);
    tgVolumeReport volume = tgInstance_MeasureVolume(stage.instance);
    CHECK_NEAR(volume.result / volume.target, 1.0, 1e-6);
    assert_int_equal(report.lossCount, tg_spineJoints - 1);
    double lost = volume.target - tgInstance_MeasureVolume(plain.instance).result;
    for (int i = 0; i < report.lossCount; ++i) {
        lost += report.losses[i].loss;
    }
    CHECK_NEAR(lost / volume.target, 0.0, 1e-6);
    tgPoseUpTo(&stage.shape, maker, 0, joints);
    tgPlayShape(&plain, joints, shaped ? shape : NULL);
    double wanted = tgInstance_MeasureVolume(plain.instance).result;
    // Joints that turn on a squashed one are sheared, and a shear has its own stretch.
    // Lengths count in steps of 1e-5.
    CHECK_NEAR(wanted / volume.target, 1.0, maker->unequal == 1 ? 3e-4 : 5e-6);
    free(shape);
    tgFreeStage(&stage);
    tgFreeStage(&plain);
}

static void tgTestTarget(void** state)
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
        for (int which = 0; which < 6; ++which) {
            tgCheckTarget(&makers[i], (tgSkinning)(which % 3), which > 2);
        }
    }
}

// ---- longer bones -------------------------------------------------------------------------------

/// The last bone hangs on the first in the file and follows the third, as the goal of a leg does.
static tgShape tgMakeGoal(void)
{
    tgShape spine = tgMakeSpine(0.0f);
    spine.parents[3] = 0;
    return spine;
}

/// It comes nearer to its parent whenever the leg bends: no bone is shorter for that. It is longer
/// only when it is farther from both, and by the change that is nearer to none.
static void tgTestGoal(void** state)
{
    (void)state;
    tgVolumeDef exact = tgExactDef(), none = tgDefaultRigDef().volume;
    for (int skinning = tg_linear; skinning <= tg_blend; ++skinning) {
        tgStage stage = tgMakeStage(tgMakeGoal(), (tgSkinning)skinning, &exact);
        tgStage plain = tgMakeStage(tgMakeGoal(), (tgSkinning)skinning, &none);
        tgMat34 joints[tg_spineJoints];
        for (int i = 0; i < 6; ++i) {
            const double angles[tg_spineJoints] = {0.3 * i, 0.3 * i, -0.25 * i, 0.2 * i};
            tgBendSpine(&stage.shape, angles, joints);
            tgPlay(&stage, joints, 0.0f);
            tgVolumeReport report = tgInstance_MeasureVolume(stage.instance);
            CHECK_NEAR(report.target / report.rest, 1.0, 1e-12);
            CHECK_NEAR(report.result / report.target, 1.0, 1e-6);
        }
        memcpy(joints, stage.shape.restJoints, sizeof(joints));
        joints[3].origin.x += 0.5f; // by a fifth of the third bone, a fifteenth of the leg
        tgPlay(&stage, joints, 0.0f);
        tgPlay(&plain, joints, 0.0f);
        double longer = tgInstance_MeasureVolume(stage.instance).target;
        CHECK_NEAR(longer / tgInstance_MeasureVolume(plain.instance).result, 1.0, 5e-6);
        // Away from the third bone alone: about the first joint, at the same distance.
        tgTransform turn = tgIdentityTransform();
        turn.rotation = tgMakeQuat(tgMakeVec3(0, 0, 1), 0.2f);
        turn.position = tgRotate(turn.rotation, stage.shape.restJoints[3].origin);
        joints[3] = tgMakeMat34(turn);
        tgPlay(&stage, joints, 0.0f);
        tgVolumeReport report = tgInstance_MeasureVolume(stage.instance);
        CHECK_NEAR(report.target / report.rest, 1.0, 1e-12);
        tgFreeStage(&stage);
        tgFreeStage(&plain);
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

/// A bone at half its size moves by an eighth: half its radius, and a quarter of the room because
/// its directions are half as long. The whole character's scale is taken out of that.
static void tgTestBreath(void** state)
{
    (void)state;
    const tgVolumeKey key = {0.0f, 1.05f};
    tgVolumeDef breath = tgExactDef(), none = tgDefaultRigDef().volume;
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
    tgVolumeReport report = tgInstance_MeasureVolume(breathing.instance);
    double scale = cbrt(report.target / 1.05 / report.rest);
    CHECK_NEAR(small / tgGetBreath(&breathing, &plain, last - 4.0f), 0.125 / (scale * scale), 0.01);
    tgFreeStage(&breathing);
    tgFreeStage(&plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestLimb),   cmocka_unit_test(tgTestSpine),
        cmocka_unit_test(tgTestTarget), cmocka_unit_test(tgTestGoal),
        cmocka_unit_test(tgTestBreath),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
