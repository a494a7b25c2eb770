// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The anatomical shape: tubes against a reference of their own in double, which joints have it,
// nothing at rest, the volume it tells, no jumps.

#include "anatomy_stage.h"

#include "core/volume.h"

static const tgVec3 tg_turnAxis = {0.0f, 0.0f, 1.0f};
static const double tg_pi = 3.14159265358979323846;

/// Fine enough for the reference.
static tgScene* tgMakeTube(float blendLength, float boneOffset)
{
    return tgMakeLongTube(48, 81, blendLength, boneOffset, true);
}

// ---- the reference ------------------------------------------------------------------------------

static double tgSmooth(double t)
{
    t = fmin(fmax(t, 0.0), 1.0);
    return t * t * (3.0 - 2.0 * t);
}

/// In limb radii: x to the inner side from the bone, y across, z along the limb from the joint; w
/// is the weight of the bone that turns, o the limb's middle less the bone. Positions of that
/// bone's parent, which stands still.
static void tgReference(const double rest[3], double o, double theta, double w, double out[3])
{
    double x = rest[0], y = rest[1], z = rest[2], s = 2.0 * sin(0.5 * theta), u = x - o;
    double h = 0.5 + 0.5 * u / fmax(sqrt(u * u + y * y), 1e-6);
    double near = (1.0 - 0.51 * z * z) * exp(-z * z / (0.68 * 0.68));
    double drift = s * (0.13 - 0.021 * s * s - 0.001 * o * s);
    double banana = s * (0.19 + 0.27 * o * s), oval = 0.11 * s * s + 0.23 * o * s;
    double crease = (0.007 - 0.26 * o) * tgSmooth((s - 1.0) / 0.7);
    double widen = 0.058 * s * s + 0.04 * o * s, wedge = s * (0.18 + 0.038 * s * s);
    double slide = 0.041 * s * s + 0.19 * o * s;
    double p[3] = {
        x + (drift + banana * u * u + oval * u) * near + crease * h * h * exp(-z * z / 0.1156),
        y + y * (widen + wedge * u) * exp(-z * z / (0.99 * 0.99)),
        z + z * (slide + 0.064 * s * u) * exp(-z * z / (2.11 * 2.11)),
    };
    double c = cos(0.5 * theta), t = sin(0.5 * theta);
    double q[3] = {(1.0 - w) * (c * p[0] - t * p[2]) + w * (c * p[0] + t * p[2]), p[1],
                   (1.0 - w) * (t * p[0] + c * p[2]) + w * (-t * p[0] + c * p[2])};
    double a = 0.26 * z / sqrt(1.0 + (2.6 * z) * (2.6 * z));
    if (fabs(z) < 1e-7) {
        q[2] = 0.0;
    } else if (q[2] / a < 1.0) {
        q[2] = a * exp(q[2] / a - 1.0);
    }
    out[0] = c * q[0] + t * q[2]; // from the frame of the bisecting plane to the parent's
    out[1] = q[1];
    out[2] = -t * q[0] + c * q[2];
}

/// Worst distance of a bent tube from the reference, in radii.
static double tgCompareTube(float blendLength, float offset, double degrees)
{
    tgVolumeDef none = tgMakeVolume(tg_volumeNone, false);
    tgVolumeDef exact = tgMakeVolume(tg_volumeExact, true);
    tgStage plain =
        tgStageScene(tgMakeTube(blendLength, fabsf(offset)), tg_linear, &none, tg_simdBest);
    tgStage met =
        tgStageScene(tgMakeTube(blendLength, fabsf(offset)), tg_linear, &exact, tg_simdBest);
    tgLimbStage limbs;
    tgOpenLimbs(&plain, &met, &limbs);
    assert_int_equal(limbs.anatomy.count, 1);
    const tgAnatomyJoint* joint = &limbs.anatomy.joints[0];
    CHECK_NEAR(joint->aptness, 1.0, 1e-6);
    CHECK_NEAR(joint->radius, 1.0, 0.003);
    double r = (double)joint->radius, side = offset < 0.0f ? -1.0 : 1.0;
    double o =
        sqrt((double)(joint->middle[0] * joint->middle[0] + joint->middle[1] * joint->middle[1]));
    CHECK_NEAR(o * r, fabsf(offset), 1e-5);
    tgBendJoint(&plain, 1, tg_turnAxis, side * degrees);
    tgPlayLimbs(&limbs);
    const tgScene* scene = met.scene;
    tgVec3 origin = scene->joints[1].restJoint.origin;
    double worst = 0.0;
    for (int v = 0; v < scene->vertexCount; ++v) {
        tgVec3 x = tgSub(scene->positions[v], origin), now = tgSub(met.out[v], origin);
        double rest[3] = {side * (double)x.y / r, (double)x.z / r, (double)x.x / r}, wanted[3];
        int per = scene->influencesPerVertex;
        double w = 0.0;
        for (int k = v * per; k < (v + 1) * per; ++k) {
            w += scene->influenceJoints[k] == 1 ? (double)scene->influenceWeights[k] : 0.0;
        }
        tgReference(rest, side * o, degrees * tg_pi / 180.0, w, wanted);
        double found[3] = {side * (double)now.y / r, (double)now.z / r, (double)now.x / r};
        for (int k = 0; k < 3; ++k) {
            worst = fmax(worst, fabs(found[k] - wanted[k]));
        }
    }
    tgCloseLimbs(&limbs);
    tgFreeStage(&plain);
    tgFreeStage(&met);
    return worst;
}

static void tgTestTubes(void** state)
{
    (void)state;
    static const float lengths[] = {0.5f, 1.0f, 2.0f, 3.0f};
    static const float offsets[] = {-0.39f, -0.2f, 0.0f, 0.2f, 0.39f};
    for (int i = 0; i < 20; ++i) {
        double worst = 0.0;
        for (int degrees = 15; degrees <= 120; degrees += 15) {
            worst = fmax(worst, tgCompareTube(lengths[i % 4], offsets[i / 4], degrees));
        }
        print_message("weights over %.1f radii, middle %+.1f from the bone: %.1e radii from the "
                      "reference\n",
                      (double)lengths[i % 4], (double)offsets[i / 4], worst);
        CHECK_AT_MOST(worst, 1e-5);
    }
}

// ---- which joints -------------------------------------------------------------------------------

static tgLimbStage tgStageLimbs(const char* model, tgStage* plain, tgStage* met, tgSimd simd)
{
    tgVolumeDef none = tgMakeVolume(tg_volumeNone, false);
    tgVolumeDef exact = tgMakeVolume(tg_volumeExact, true);
    *plain = tgMakeStage(model, 0, tg_linear, &none, simd);
    *met = tgMakeStage(model, 0, tg_linear, &exact, simd);
    tgLimbStage limbs;
    tgOpenLimbs(plain, met, &limbs);
    return limbs;
}

static void tgFreeLimbs(tgLimbStage* limbs, tgStage* plain, tgStage* met)
{
    tgCloseLimbs(limbs);
    tgFreeStage(plain);
    tgFreeStage(met);
}

static float tgGetAptness(const tgLimbStage* limbs, const char* name)
{
    int joint = tgScene_FindJoint(limbs->met->scene, name);
    float most = 0.0f;
    for (int i = 0; i < limbs->anatomy.count; ++i) {
        const tgAnatomyJoint* at = &limbs->anatomy.joints[i];
        most = at->joint == joint ? fmaxf(most, at->aptness) : most;
    }
    return most;
}

/// An elbow is apt, a knuckle in the palm and a shoulder are not, fingers' joints are a little.
static void tgTestAptness(void** state)
{
    (void)state;
    tgStage plain, met;
    tgLimbStage limbs = tgStageLimbs("arm", &plain, &met, tg_simdBest);
    CHECK_NEAR(tgGetAptness(&limbs, "forearm"), 1.0, 0.01);
    CHECK_NEAR(tgGetAptness(&limbs, "thumb"), 0.0, 0.01);
    tgFreeLimbs(&limbs, &plain, &met);
    limbs = tgStageLimbs("hand", &plain, &met, tg_simdBest);
    print_message("index finger %.2f, its knuckle %.2f\n",
                  (double)tgGetAptness(&limbs, "index_middle"),
                  (double)tgGetAptness(&limbs, "index_proximal"));
    CHECK_AT_MOST(tgGetAptness(&limbs, "index_proximal"), 0.05);
    CHECK_AT_MOST(tgGetAptness(&limbs, "index_middle"), 0.5);
    tgFreeLimbs(&limbs, &plain, &met);
    limbs = tgStageLimbs("elephant", &plain, &met, tg_simdBest);
    CHECK_NEAR(tgGetAptness(&limbs, "spine2"), 0.0, 0.01);
    CHECK_NEAR(tgGetAptness(&limbs, "shoulder.L"), 0.0, 0.01);
    tgFreeLimbs(&limbs, &plain, &met);
}

/// A tube of two bones, each five radii long, and nothing besides: all of it is one clean limb.
static void tgTestTold(void** state)
{
    (void)state;
    tgScene* tube = tgMakeTube(2.0f, 0.0f);
    tgProfile profile = tgDefaultProfile(tg_profileOrganic);
    for (int drifts = 0; drifts < 2; ++drifts) {
        tgRigDef def = tgScene_GetRigDef(tube);
        profile.drift = (float)drifts;
        def.volume.method = tg_volumeExact;
        def.volume.profiles = &profile;
        def.volume.profileCount = 1;
        tgRig* rig = tgCreateRig(&def, NULL);
        assert_non_null(rig);
        tgJointInfo root = tgRig_GetJointInfo(rig, 0), joint = tgRig_GetJointInfo(rig, 1);
        assert_false(root.bends || tgRig_GetJointInfo(rig, 2).bends ||
                     tgRig_GetJointInfo(rig, -1).bends);
        assert_true(joint.bends);
        CHECK_NEAR(joint.radius, 1.0, 0.05);
        CHECK_NEAR(joint.boneLength, 5.0, 1e-5);
        CHECK_NEAR(joint.aptness, drifts, 0.02);
        float* aptness = calloc((size_t)tube->vertexCount, sizeof(float));
        for (int j = -1; j < 2; ++j) {
            tgRig_GetAptness(rig, j, aptness);
            for (int v = 0; v < tube->vertexCount; ++v) {
                CHECK_NEAR(aptness[v], j == 0 ? 0.0f : joint.aptness, 1e-6);
            }
        }
        free(aptness);
        tgDestroyRig(rig);
    }
    tgDestroyScene(tube);
}

// ---- what it does -------------------------------------------------------------------------------

/// Without a bend, and without amplitude before the clamp has anything to do, nothing moves.
static void tgTestRest(void** state)
{
    (void)state;
    tgStage plain, met;
    tgLimbStage limbs = tgStageLimbs("arm", &plain, &met, tg_simdBest);
    int joint = tgScene_FindJoint(plain.scene, "forearm");
    size_t size = (size_t)plain.scene->vertexCount * sizeof(tgVec3);
    tgVec3* skin = calloc((size_t)plain.scene->vertexCount, sizeof(tgVec3));
    for (int i = 0; i < 3; ++i) {
        int root = tgScene_FindJoint(plain.scene, "upper_arm");
        tgBendJoint(&plain, i == 0 ? joint : root, tg_turnAxis, i == 0 ? 0.0 : 70.0);
        if (i == 2) {
            tgBendJoint(&plain, joint, tg_turnAxis, 30.0);
            memset(limbs.drift, 0, (size_t)plain.scene->jointCount * sizeof(float));
        }
        memcpy(skin, plain.out, size);
        tgPlayLimbs(&limbs);
        assert_memory_equal(skin, met.out, size);
    }
    free(skin);
    tgFreeLimbs(&limbs, &plain, &met);
}

/// A limb of three bones of which one joint drifts. The other one, bent so far that it folds, is as
/// if nothing drifted.
static void tgTestOneDrifts(void** state)
{
    (void)state;
    tgProfile profile = tgDefaultProfile(tg_profileOrganic);
    tgJointProfiles first = {1, &profile, 1};
    tgCylinderDef tube = tgDefaultCylinderDef();
    tube.boneCount = 3;
    tube.length = 24.0f;
    tube.ringCount = 97;
    tube.aroundCount = 24;
    tgStage stages[2];
    for (int drifts = 0; drifts < 2; ++drifts) {
        tgVolumeDef volume = tgMakeVolume(tg_volumeExact, true);
        profile.drift = 0.8f * (float)drifts;
        volume.joints = &first;
        volume.jointCount = 1;
        stages[drifts] =
            tgStageScene(tgCreateCylinder(&tube, NULL), tg_linear, &volume, tg_simdBest);
    }
    size_t size = (size_t)stages[0].scene->vertexCount * sizeof(tgVec3);
    for (int bent = 1; bent <= 2; ++bent) {
        for (int drifts = 0; drifts < 2; ++drifts) {
            tgBendJoint(&stages[drifts], bent, tg_turnAxis, 110.0);
        }
        assert_int_equal(memcmp(stages[0].out, stages[1].out, size) == 0, bent == 2);
    }
    tgFreeStage(&stages[0]);
    tgFreeStage(&stages[1]);
}

/// The volume that shape and clamp say to have added, against what they added.
static void tgTestChanged(void** state)
{
    (void)state;
    tgStage plain, met;
    tgLimbStage limbs = tgStageLimbs("arm", &plain, &met, tg_simdBest);
    int joint = tgScene_FindJoint(plain.scene, "forearm");
    for (int degrees = 30; degrees <= 120; degrees += 30) {
        tgBendJoint(&plain, joint, tg_turnAxis, degrees);
        double before = tgVolume(&met.rig->mesh, plain.instance->positions), told = 0.0;
        tgPlayLimbs(&limbs);
        double after = tgVolume(&met.rig->mesh, met.instance->positions);
        for (int i = 0; i < limbs.anatomy.count; ++i) {
            told += limbs.task.changed[i];
        }
        double unit = 0.0444 * 0.0444 * 0.0444;
        print_message("at %d degrees %.3f cubic radii are added, %.3f told\n", degrees,
                      (after - before) / unit, told / unit);
        CHECK_NEAR(told / unit, (after - before) / unit, 0.1 + 0.2 * fabs(after - before) / unit);
    }
    tgFreeLimbs(&limbs, &plain, &met);
}

/// With planes after it no limb crosses itself, as far as they let it swell too.
static void tgTestCrossings(void** state)
{
    (void)state;
    static const float lengths[] = {0.5f, 1.0f, 2.0f, 3.0f};
    for (int i = 0; i < 12; ++i) {
        float offset = 0.39f * (float)(i / 4 - 1);
        tgVolumeDef none = tgMakeVolume(tg_volumeNone, false);
        tgVolumeDef exact = tgMakeVolume(tg_volumeExact, true);
        tgScene* first = tgMakeTube(lengths[i % 4], fabsf(offset));
        tgScene* second = tgMakeTube(lengths[i % 4], fabsf(offset));
        for (int v = 0; v < first->vertexCount;
             ++v) { // faces that lie flat would cross by rounding
            float swell = 1.0f + 0.004f * sinf(17.0f * (float)v);
            first->positions[v].y = second->positions[v].y *= swell;
            first->positions[v].z = second->positions[v].z *= swell;
        }
        tgStage plain = tgStageScene(first, tg_linear, &none, tg_simdBest);
        tgStage met = tgStageScene(second, tg_linear, &exact, tg_simdBest);
        tgLimbStage limbs;
        tgOpenLimbs(&plain, &met, &limbs);
        int worst = 0, before = 0;
        for (int degrees = 15; degrees <= 150; degrees += 15) {
            tgBendJoint(&plain, 1, tg_turnAxis, offset < 0.0f ? -degrees : degrees);
            before += tgCountPairs(&plain);
            tgPlayLimbs(&limbs);
            tgContactTask task = met.instance->contact;
            float* freedom = calloc((size_t)met.rig->skin.elementCount, sizeof(float));
            task.freedom = freedom;
            task.rest = limbs.task.shaped;
            task.skinMatrices = plain.instance->skinMatrices;
            tgRunContact(&task);
            free(freedom);
            for (int r = 0; r < met.scene->vertexCount; ++r) {
                const float* p =
                    met.instance->positions + 4 * (size_t)met.rig->mesh.renderToVertex[r];
                met.out[r] = tgMakeVec3(p[0], p[1], p[2]);
            }
            int pairs = tgCountPairs(&met);
            tgPushOut(&met, &plain, 0.12f);
            int pushed = tgCountPairs(&met);
            worst = pairs + pushed > worst ? pairs + pushed : worst;
        }
        print_message("weights over %.1f radii, middle %+.1f: pairs %d -> at most %d\n",
                      (double)lengths[i % 4], (double)offset, before, worst);
        CHECK_AT_MOST(worst, 0.0);
        tgFreeLimbs(&limbs, &plain, &met);
    }
}

/// Slowly from one side to the other: no vertex steps more than three times as far as its
/// neighbours, and the slope of its way jumps by no more than a few per cent, at rest least of all.
static void tgTestSweep(void** state)
{
    (void)state;
    tgVolumeDef none = tgMakeVolume(tg_volumeNone, false);
    tgVolumeDef exact = tgMakeVolume(tg_volumeExact, true);
    tgStage plain = tgStageScene(tgMakeTube(2.0f, 0.2f), tg_linear, &none, tg_simdBest);
    tgStage met = tgStageScene(tgMakeTube(2.0f, 0.2f), tg_linear, &exact, tg_simdBest);
    tgLimbStage limbs;
    tgOpenLimbs(&plain, &met, &limbs);
    int n = met.scene->vertexCount;
    tgVec3* last = calloc(2 * (size_t)n, sizeof(tgVec3));
    double steepest = 0.0, jump = 0.0, atRest = 0.0;
    for (int step = -1500; step <= 1500; ++step) {
        tgBendJoint(&plain, 1, tg_turnAxis, 0.1 * step);
        tgPlayLimbs(&limbs);
        for (int v = 0; v < n; ++v) {
            tgVec3 slope = tgSub(met.out[v], last[v]);
            if (step > -1500) {
                steepest = fmax(steepest, (double)tgLength(slope));
            }
            if (step > -1499) {
                double change = (double)tgDistance(slope, last[n + v]);
                jump = fmax(jump, change);
                atRest = abs(step) <= 3 ? fmax(atRest, change) : atRest;
            }
            last[n + v] = slope;
            last[v] = met.out[v];
        }
    }
    print_message("slopes jump by %.4f of the largest, %.4f at rest\n", jump / steepest,
                  atRest / steepest);
    CHECK_AT_MOST(jump / steepest, 0.03);
    CHECK_AT_MOST(atRest / steepest, 0.01);
    free(last);
    tgFreeLimbs(&limbs, &plain, &met);
}

/// Backends, and joints in any order.
static void tgRunBackwards(tgRangeFcn* range, int count, int minRange, void* context, void* user)
{
    (void)minRange;
    (void)user;
    for (int i = count - 1; i >= 0; --i) {
        range(i, i + 1, context);
    }
}

static void tgTestBits(void** state)
{
    (void)state;
    tgStage plain[2], met[2];
    tgLimbStage first = tgStageLimbs("hand", &plain[0], &met[0], tg_simdBest);
    tgLimbStage second = tgStageLimbs("hand", &plain[1], &met[1], tg_simdScalar);
    met[1].instance->parallel.run = tgRunBackwards;
    for (int i = 0; i < 2; ++i) {
        tgPlayAnimation(&plain[i], 1.0);
        tgPlayLimbs(i == 0 ? &first : &second);
    }
    size_t size = (size_t)met[0].scene->vertexCount * sizeof(tgVec3);
    assert_true(memcmp(plain[0].out, met[0].out, size) != 0);
    assert_memory_equal(met[0].out, met[1].out, size);
    assert_memory_equal(first.task.changed, second.task.changed,
                        (size_t)first.anatomy.count * sizeof(double));
    tgFreeLimbs(&first, &plain[0], &met[0]);
    tgFreeLimbs(&second, &plain[1], &met[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestTubes),   cmocka_unit_test(tgTestAptness),
        cmocka_unit_test(tgTestRest),    cmocka_unit_test(tgTestOneDrifts),
        cmocka_unit_test(tgTestChanged), cmocka_unit_test(tgTestCrossings),
        cmocka_unit_test(tgTestSweep),   cmocka_unit_test(tgTestBits),
        cmocka_unit_test(tgTestTold),
    };
    return cmocka_run_group_tests_name("anatomy", tests, NULL, NULL);
}
