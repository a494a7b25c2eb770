// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The exact volume method on bent tubes: exactness for every profile, blend and mode; losses
// against whole-mesh differences; order; continuity; the organic limb; what must not move;
// refusals. Past 500 lines because its tubes, bends and measures serve all cases.

#include "core/volume.h"
#include "shape_stage.h"

static const double tg_pi = 3.14159265358979323846;
static const float tg_length = 8.0f;

static tgVolumeDef tgExactDef(void)
{
    tgVolumeDef volume = tgDefaultRigDef().volume;
    volume.method = tg_volumeExact;
    return volume;
}

/// A limb of radius 1 and length 8, weights over 2 radii, as the organic profile was fitted on.
static tgShape tgMakeLimb(void)
{
    return tgMakeTube(32, 65, tg_length, 3.0f, 5.0f, true);
}

static void tgBendLimb(tgStage* stage, double degrees)
{
    tgMat34 joints[2];
    tgBendTube(&stage->shape, tg_length, 0.0f, degrees * tg_pi / 180.0, joints);
    tgPlay(stage, joints, 0.0f);
}

// ---- exact --------------------------------------------------------------------------------------

static void tgTestExact(void** state)
{
    (void)state;
    for (int kind = tg_profileOrganic; kind <= tg_profileCurves; ++kind) {
        for (int skinning = 0; skinning < 2; ++skinning) {
            for (int mode = tg_modeSequence; mode <= tg_modePaper; ++mode) {
                tgProfile profile = tgDefaultProfile((tgProfileKind)kind, skinning);
                tgVolumeDef volume = tgExactDef();
                volume.mode = (tgVolumeMode)mode;
                volume.profiles = &profile;
                volume.profileCount = 1;
                tgStage stage = tgMakeStage(tgMakeLimb(), (tgSkinning)skinning, &volume);
                for (int degrees = 10; degrees <= 150; degrees += 20) {
                    tgBendLimb(&stage, degrees);
                    tgVolumeReport report = tgInstance_MeasureVolume(stage.instance);
                    CHECK_NEAR(report.result / report.target, 1.0, 1e-6);
                    CHECK_NEAR(report.target / report.rest, 1.0, 1e-9);
                    CHECK_NEAR(tgInstance_GetReport(stage.instance).residual, 0.0, 0.0);
                    for (int v = 0; v < stage.shape.vertexCount; ++v) {
                        assert_true(tgIsFiniteVec3(stage.out[v]));
                    }
                }
                tgFreeStage(&stage);
            }
        }
    }
}

/// A sheet so thin that floats have no room for its volume, or skin far from the origin: what is
/// missed is told, in every mode, or it is less than is worth telling.
static void tgTestGrain(void** state)
{
    (void)state;
    static const struct {
        float thickness, offset;
        double most; ///< that may be missed, told or not
    } cases[] = {
        {1.0f, 0.0f, 1e-6}, {1.0f, 1000.0f, 1e-6}, {1e-3f, 0.0f, 1e-4}, {8e-5f, 0.0f, 1e-3}};
    for (int i = 0; i < 4; ++i) {
        for (int mode = tg_modeSequence; mode <= tg_modePaper; ++mode) {
            tgVolumeDef volume = tgExactDef();
            volume.mode = (tgVolumeMode)mode;
            tgShape sheet = tgMakeLimb();
            for (int v = 0; v < sheet.vertexCount; ++v) { // slanted, so that no axis is its own
                tgVec3 p = sheet.positions[v];
                float z = cases[i].thickness * p.z;
                sheet.positions[v] = tgMakeVec3(p.x, 0.6f * p.y + 0.8f * z, 0.6f * z - 0.8f * p.y);
            }
            tgStage stage = tgMakeStage(sheet, tg_dualQuaternion, &volume);
            double untold = 0.0, missed = 0.0;
            for (int degrees = 1; degrees <= 120; degrees += 7) {
                tgMat34 joints[2];
                tgBendTube(&stage.shape, tg_length, cases[i].offset, degrees * tg_pi / 180.0,
                           joints);
                tgPlay(&stage, joints, 0.0f);
                tgVolumeReport report = tgInstance_MeasureVolume(stage.instance);
                double miss = report.target - report.result;
                double residual = tgInstance_GetReport(stage.instance).residual;
                untold = fmax(untold, fabs(miss - residual) / report.target);
                missed = fmax(missed, fabs(miss) / report.target);
            }
            CHECK_AT_MOST(untold, 6e-7);
            CHECK_AT_MOST(missed, cases[i].most);
            tgFreeStage(&stage);
        }
    }
}

/// Lists of profiles, some multiplied; and a joint without any, whose loss the others take.
static void tgTestLists(void** state)
{
    (void)state;
    tgProfile list[3] = {tgDefaultProfile(tg_profileRubber, false),
                         tgDefaultProfile(tg_profileMuscle, false),
                         tgDefaultProfile(tg_profileFolds, false)};
    list[2].combine = tg_combineMultiply;
    tgJointProfiles joint = {1, list, 3};
    tgVolumeDef volume = tgExactDef();
    volume.joints = &joint;
    volume.jointCount = 1;
    tgStage stage = tgMakeStage(tgMakeLimb(), tg_linear, &volume);
    tgBendLimb(&stage, 90.0);
    tgVolumeReport report = tgInstance_MeasureVolume(stage.instance);
    CHECK_NEAR(report.result / report.target, 1.0, 1e-6);
    tgFreeStage(&stage);
    joint.profileCount = 0;
    stage = tgMakeStage(tgMakeLimb(), tg_linear, &volume);
    tgBendLimb(&stage, 90.0);
    report = tgInstance_MeasureVolume(stage.instance);
    CHECK_NEAR(report.result / report.target, 1.0, 1e-6);
    tgFreeStage(&stage);
}

/// A profile too narrow to reach the skin: the flesh that follows the joint takes the loss, evenly,
/// and all joints together give what one after the other does.
static void tgTestMissed(void** state)
{
    (void)state;
    tgProfile narrow = tgDefaultProfile(tg_profileRubber, false);
    narrow.sigma[0] = narrow.sigma[1] = narrow.sigma[2] = 0.01f;
    tgVolumeDef volume = tgExactDef(), none = tgDefaultRigDef().volume;
    volume.profiles = &narrow;
    volume.profileCount = 1;
    tgStage plain = tgMakeStage(tgMakeLimb(), tg_linear, &none), stages[2];
    tgBendLimb(&plain, 90.0);
    double moved = 0.0, apart = 0.0;
    for (int mode = tg_modeSequence; mode <= tg_modeTogether; ++mode) {
        volume.mode = (tgVolumeMode)mode;
        stages[mode] = tgMakeStage(tgMakeLimb(), tg_linear, &volume);
        tgBendLimb(&stages[mode], 90.0);
        tgVolumeReport report = tgInstance_MeasureVolume(stages[mode].instance);
        CHECK_NEAR(report.result / report.target, 1.0, 1e-6);
        CHECK_NEAR(tgInstance_GetReport(stages[mode].instance).residual, 0.0, 0.0);
    }
    for (int v = 0; v < plain.shape.vertexCount; ++v) {
        moved = fmax(moved, (double)tgDistance(stages[0].out[v], plain.out[v]));
        apart = fmax(apart, (double)tgDistance(stages[0].out[v], stages[1].out[v]));
    }
    assert_true(moved > 0.0);
    CHECK_AT_MOST(moved, 0.5);
    CHECK_AT_MOST(apart, 0.1 * moved);
    tgFreeStage(&plain);
    tgFreeStage(&stages[0]);
    tgFreeStage(&stages[1]);
}

/// Breathing: 4 % more at its height, linear in between, and joints that scale on top of it.
static void tgTestBreathing(void** state)
{
    (void)state;
    const tgVolumeKey keys[2] = {{0.0f, 1.0f}, {1.0f, 1.04f}};
    tgVolumeDef volume = tgExactDef();
    volume.targetKeys = keys;
    volume.targetKeyCount = 2;
    tgStage stage = tgMakeStage(tgMakeLimb(), tg_dualQuaternion, &volume);
    const float times[4] = {-1.0f, 0.25f, 1.0f, 9.0f};
    const double factors[4] = {1.0, 1.01, 1.04, 1.04};
    for (int i = 0; i < 4; ++i) {
        tgMat34 joints[2];
        tgBendTube(&stage.shape, tg_length, 0.0f, 0.8, joints);
        tgPlay(&stage, joints, times[i]);
        tgVolumeReport report = tgInstance_MeasureVolume(stage.instance);
        CHECK_NEAR(report.target / report.rest, factors[i], 1e-7);
        CHECK_NEAR(report.result / report.target, 1.0, 1e-6);
        joints[1].y = tgMulSV(1.5f, joints[1].y); // the second bone swells
        tgPlay(&stage, joints, times[i]);
        tgVolumeReport swollen = tgInstance_MeasureVolume(stage.instance);
        assert_true(swollen.target > 1.15 * report.target);
        CHECK_NEAR(swollen.result / swollen.target, 1.0, 1e-6);
    }
    tgFreeStage(&stage);
}

// ---- losses -------------------------------------------------------------------------------------

enum { tg_chainJoints = 5 };

/// A tube of five bones in a row; reversed, the chain hangs on its other end.
static tgShape tgMakeChain(bool reversed)
{
    tgShape tube = tgMakeTube(24, 81, 10.0f, 0.0f, 1.0f, true);
    int n = tube.vertexCount;
    tube.jointCount = tg_chainJoints;
    tube.influencesPerVertex = tg_chainJoints;
    tube.parents = realloc(tube.parents, tg_chainJoints * sizeof(int));
    tube.restJoints = realloc(tube.restJoints, tg_chainJoints * sizeof(tgMat34));
    tube.joints = realloc(tube.joints, (size_t)(n * tg_chainJoints) * sizeof(int));
    tube.weights = realloc(tube.weights, (size_t)(n * tg_chainJoints) * sizeof(float));
    for (int j = 0; j < tg_chainJoints; ++j) {
        tube.parents[j] = reversed ? (j + 1 < tg_chainJoints ? j + 1 : -1) : j - 1;
        tube.restJoints[j] = tgIdentityMat34();
        // A reversed bone turns about its other end.
        tube.restJoints[j].origin.x = 2.0f * (float)(reversed ? j + 1 : j);
    }
    for (int v = 0; v < n; ++v) {
        float x = tube.positions[v].x;
        float below = 0.0f; // weight of the bones further on
        for (int j = tg_chainJoints - 1; j >= 0; --j) {
            float t = fminf(fmaxf((x - 2.0f * (float)j + 0.8f) / 1.6f, 0.0f), 1.0f);
            float w = j > 0 ? t * t * (3.0f - 2.0f * t) : 1.0f;
            tube.joints[v * tg_chainJoints + j] = j;
            tube.weights[v * tg_chainJoints + j] = w - below;
            below = w;
        }
    }
    return tube;
}

/// Every joint turned a little about its own axis; those from `count` on follow their parent.
static void tgBendChain(int count, tgMat34 joints[tg_chainJoints])
{
    tgMat34 parent = tgIdentityMat34();
    for (int j = 0; j < tg_chainJoints; ++j) {
        tgTransform local = tgIdentityTransform();
        local.position.x = j > 0 ? 2.0f : 0.0f;
        tgVec3 axis = tgNormalize(tgMakeVec3(0.1f * (float)j, 0.3f, 1.0f), tgMakeVec3(0, 0, 1));
        local.rotation =
            j > 0 && j < count ? tgMakeQuat(axis, 0.35f + 0.1f * (float)j) : tgIdentityQuat();
        tgMat34 m = tgMakeMat34(local);
        joints[j] = parent = tgMulMat34(&parent, &m);
    }
}

/// dV of each joint equals the difference of whole meshes with one joint more posed.
static void tgTestLosses(void** state)
{
    (void)state;
    for (int skinning = 0; skinning < 2; ++skinning) {
        tgVolumeDef exact = tgExactDef(), none = tgDefaultRigDef().volume;
        tgStage stage = tgMakeStage(tgMakeChain(false), (tgSkinning)skinning, &exact);
        tgStage plain = tgMakeStage(tgMakeChain(false), (tgSkinning)skinning, &none);
        tgMat34 joints[tg_chainJoints];
        tgBendChain(tg_chainJoints, joints);
        tgPlay(&stage, joints, 0.0f);
        tgReport report = tgInstance_GetReport(stage.instance);
        assert_int_equal(report.lossCount, tg_chainJoints - 1);
        double before = tgRig_GetInfo(plain.rig).restVolume, rest = before;
        for (int i = 0; i < report.lossCount; ++i) {
            tgBendChain(i + 2, joints);
            tgPlay(&plain, joints, 0.0f);
            double now = tgInstance_MeasureVolume(plain.instance).result;
            assert_int_equal(report.losses[i].joint, i + 1);
            assert_true(fabs(report.losses[i].loss) > 1e-5 * rest || skinning == 1);
            CHECK_NEAR(report.losses[i].loss / rest, (now - before) / rest, 1e-6);
            before = now;
        }
        tgFreeStage(&stage);
        tgFreeStage(&plain);
    }
}

/// The same pose from either end of the chain: at most 3 % of the radius apart, with contact too.
static void tgTestBoneOrder(void** state)
{
    (void)state;
    tgProfile rubber = tgDefaultProfile(tg_profileIsotropic, false);
    for (int way = 0; way < 4; ++way) {
        int mode = way & 1, contact = way >> 1;
        tgVolumeDef volume = tgExactDef();
        volume.mode = (tgVolumeMode)mode;
        volume.contact.neighbours = contact ? tg_contactOn : tg_contactOff;
        volume.profiles = &rubber;
        volume.profileCount = 1;
        tgStage forward = tgMakeStage(tgMakeChain(false), tg_linear, &volume);
        tgStage backward = tgMakeStage(tgMakeChain(true), tg_linear, &volume);
        tgMat34 joints[tg_chainJoints], reversed[tg_chainJoints];
        tgBendChain(tg_chainJoints, joints);
        for (int j = 0; j < tg_chainJoints; ++j) { // the same motion of every bone
            tgMat34 back = tgIdentityMat34();
            back.origin.x = 2.0f;
            reversed[j] = tgMulMat34(&joints[j], &back);
        }
        tgPlay(&forward, joints, 0.0f);
        tgPlay(&backward, reversed, 0.0f);
        double apart = 0.0;
        for (int v = 0; v < forward.shape.vertexCount; ++v) {
            apart = fmax(apart, (double)tgDistance(forward.out[v], backward.out[v]));
        }
        print_message(
            "mode %d, contact %d: %.2f %% of the radius between the two orders of bones\n", mode,
            contact, 100.0 * apart);
        CHECK_AT_MOST(apart, 0.03);
        tgFreeStage(&forward);
        tgFreeStage(&backward);
    }
}

/// Shares in another order, as good as equal: at most 20 % of the radius apart.
static void tgTestAxisOrder(void** state)
{
    (void)state;
    tgStage stages[3];
    tgVec3* first = NULL;
    for (int order = 0; order < 3; ++order) {
        tgProfile profile = tgDefaultProfile(tg_profileIsotropic, false);
        for (int axis = 0; axis < 3; ++axis) {
            profile.mu[axis] = axis == order ? 0.3334f : 0.3333f;
        }
        tgVolumeDef volume = tgExactDef();
        volume.profiles = &profile;
        volume.profileCount = 1;
        stages[order] = tgMakeStage(tgMakeLimb(), tg_linear, &volume);
        tgBendLimb(&stages[order], 90.0);
        first = order == 0 ? stages[0].out : first;
        double apart = 0.0;
        for (int v = 0; v < stages[order].shape.vertexCount; ++v) {
            apart = fmax(apart, (double)tgDistance(first[v], stages[order].out[v]));
        }
        CHECK_AT_MOST(apart, 0.2);
    }
    for (int order = 0; order < 3; ++order) {
        tgFreeStage(&stages[order]);
    }
}

// ---- continuity ---------------------------------------------------------------------------------

static int tgCompareFloats(const void* a, const void* b)
{
    float x = *(const float*)a, y = *(const float*)b;
    return (x > y) - (x < y);
}

/// No vertex jumps more than three times the median of its ring, through the straight pose too.
static void tgCheckContinuity(tgProfileKind kind, tgSkinning skinning, tgVolumeMode mode,
                              bool contact)
{
    tgProfile profile = tgDefaultProfile(kind, skinning == tg_dualQuaternion);
    tgVolumeDef volume = tgExactDef();
    volume.mode = mode;
    volume.contact.neighbours = contact ? tg_contactOn : tg_contactOff;
    volume.profiles = &profile;
    volume.profileCount = 1;
    tgStage stage = tgMakeStage(tgMakeTube(16, 33, tg_length, 3.0f, 5.0f, true), skinning, &volume);
    int n = stage.shape.vertexCount;
    tgVec3* before = calloc((size_t)n, sizeof(tgVec3));
    float* steps = calloc((size_t)n, sizeof(float));
    double worst = 0.0;
    for (int i = 0; i <= 600; ++i) {
        tgBendLimb(&stage, -150.0 + 0.5 * i);
        for (int v = 0; v < n && i > 0; ++v) {
            steps[v] = tgDistance(stage.out[v], before[v]);
        }
        for (int v = 16; v < n - 16 && i > 0; ++v) {
            int ring = v / 16 * 16, k = v % 16;
            float near[8];
            int count = 0;
            for (int dr = -1; dr <= 1; ++dr) {
                for (int dk = -1; dk <= 1; ++dk) {
                    if (dr != 0 || dk != 0) {
                        near[count++] = steps[ring + 16 * dr + (k + dk + 16) % 16];
                    }
                }
            }
            qsort(near, 8, sizeof(float), tgCompareFloats);
            float median = 0.5f * (near[3] + near[4]);
            // Steps below a ten-thousandth of the radius cannot be seen; do not divide by them.
            worst = fmax(worst, (double)(steps[v] / fmaxf(median, 1e-3f)));
        }
        memcpy(before, stage.out, (size_t)n * sizeof(tgVec3));
    }
    print_message("profile %d, skinning %d, mode %d, contact %d: largest step %.2f of its "
                  "neighbours' median\n",
                  kind, skinning, mode, contact, worst);
    CHECK_AT_MOST(worst, 3.0);
    free(before);
    free(steps);
    tgFreeStage(&stage);
}

static void tgTestContinuity(void** state)
{
    (void)state;
    for (int kind = tg_profileOrganic; kind <= tg_profileCurves; ++kind) {
        for (int way = 0; way < 8; ++way) {
            tgCheckContinuity((tgProfileKind)kind, way & 1 ? tg_dualQuaternion : tg_linear,
                              way & 2 ? tg_modeTogether : tg_modeSequence, way & 4);
        }
    }
}

// ---- the organic limb ---------------------------------------------------------------------------

/// Farthest hit of a ray from the joint with the posed faces.
static double tgCastRay(const tgStage* stage, tgVec3 origin, tgVec3 direction)
{
    const tgShape* shape = &stage->shape;
    const int* face = shape->faceVertices;
    double farthest = 0.0;
    for (int f = 0; f < shape->faceCount; ++f) {
        for (int k = 1; k + 1 < shape->faceSizes[f]; ++k) {
            tgVec3 a = stage->out[face[0]], b = stage->out[face[k]], c = stage->out[face[k + 1]];
            tgVec3 ab = tgSub(b, a), ac = tgSub(c, a), p = tgCross(direction, ac);
            float det = tgDot(ab, p);
            tgVec3 t = tgSub(origin, a), q = tgCross(t, ab);
            float u = tgDot(t, p) / det, w = tgDot(direction, q) / det;
            double hit = (double)(tgDot(ac, q) / det);
            if (fabsf(det) > 1e-9f && u >= 0.0f && w >= 0.0f && u + w <= 1.0f && hit > farthest) {
                farthest = hit;
            }
        }
        face += shape->faceSizes[f];
    }
    return farthest;
}

static int tgCountFlips(const tgStage* stage, const tgStage* reference)
{
    const int* face = stage->shape.faceVertices;
    int flips = 0;
    for (int f = 0; f < stage->shape.faceCount; ++f, face += 4) {
        tgVec3 n[2];
        for (int i = 0; i < 2; ++i) {
            const tgVec3* p = i == 0 ? stage->out : reference->out;
            n[i] = tgCross(tgSub(p[face[2]], p[face[0]]), tgSub(p[face[3]], p[face[1]]));
        }
        flips += tgDot(n[0], n[1]) < 0.0f;
    }
    return flips;
}

static void tgTestOrganicLimb(void** state)
{
    (void)state;
    tgVolumeDef exact = tgExactDef(), none = tgDefaultRigDef().volume;
    tgStage limb = tgMakeStage(tgMakeLimb(), tg_dualQuaternion, &exact);
    tgStage plain = tgMakeStage(tgMakeLimb(), tg_dualQuaternion, &none);
    tgBendLimb(&limb, 60.0);
    tgBendLimb(&plain, 60.0);
    // A little off the plane of symmetry, where rays would run along edges.
    tgVec3 joint = tgMakeVec3(0.5f * tg_length + 0.01f, 0.0f, 0.02f);
    // Bent towards +y: the swing is d - d0 = (cos 60 - 1, sin 60, 0).
    tgVec3 inner = tgNormalize(tgMakeVec3(-0.5f, 0.8660254f, 0.0f), joint);
    double outerPlain = tgCastRay(&plain, joint, tgMulSV(-1.0f, inner));
    double outer = tgCastRay(&limb, joint, tgMulSV(-1.0f, inner));
    double innerPlain = tgCastRay(&plain, joint, inner), innerNow = tgCastRay(&limb, joint, inner);
    print_message("outer side %.3f radii (plain %.3f), inner side %.3f (plain %.3f)\n", outer,
                  outerPlain, innerNow, innerPlain);
    CHECK_NEAR(outerPlain, 1.0, 0.02);
    assert_true(outer >= 0.70 && outer <= 0.90);
    assert_true(innerNow > innerPlain);
    assert_int_equal(tgCountFlips(&limb, &plain), 0);
    tgVolumeReport report = tgInstance_MeasureVolume(limb.instance);
    CHECK_NEAR(report.result / report.target, 1.0, 1e-6);
    tgFreeStage(&limb);
    tgFreeStage(&plain);
}

// ---- what must not move -------------------------------------------------------------------------

/// A robot: two separate pieces, each on one joint; and any character in its bind pose.
static void tgTestNothingToDo(void** state)
{
    (void)state;
    tgVolumeDef exact = tgExactDef(), none = tgDefaultRigDef().volume;
    tgStage stages[2];
    for (int s = 0; s < 2; ++s) {
        tgShape robot = tgMakeTube(12, 9, tg_length, 3.0f, 5.0f, true);
        for (int v = 0; v < robot.vertexCount; ++v) {
            int second = v >= 4 * 12;
            robot.weights[2 * v] = second ? 0.0f : 1.0f;
            robot.weights[2 * v + 1] = second ? 1.0f : 0.0f;
            robot.positions[v].x += second ? 1.0f : 0.0f;
        }
        for (int k = 0; k < 48; ++k) { // take out the faces between ring 3 and 4
            robot.faceVertices[4 * 36 + k] = robot.faceVertices[k];
        }
        stages[s] = tgMakeStage(robot, tg_linear, s == 0 ? &exact : &none);
        tgBendLimb(&stages[s], 70.0);
    }
    assert_memory_equal(stages[0].out, stages[1].out,
                        (size_t)stages[0].shape.vertexCount * sizeof(tgVec3));
    tgFreeStage(&stages[0]);
    tgFreeStage(&stages[1]);
    for (int skinning = 0; skinning < 2; ++skinning) {
        for (int s = 0; s < 2; ++s) {
            stages[s] = tgMakeStage(tgMakeLimb(), (tgSkinning)skinning, s == 0 ? &exact : &none);
            tgPlay(&stages[s], stages[s].shape.restJoints, 0.0f);
        }
        assert_memory_equal(stages[0].out, stages[1].out,
                            (size_t)stages[0].shape.vertexCount * sizeof(tgVec3));
        assert_int_equal(tgInstance_GetReport(stages[0].instance).lossCount, 0);
        tgFreeStage(&stages[0]);
        tgFreeStage(&stages[1]);
    }
}

/// Turned and carried away, the correction goes along.
static void tgTestRigidMotion(void** state)
{
    (void)state;
    tgVolumeDef exact = tgExactDef();
    tgStage here = tgMakeStage(tgMakeLimb(), tg_dualQuaternion, &exact);
    tgStage there = tgMakeStage(tgMakeLimb(), tg_dualQuaternion, &exact);
    tgTransform away = {tgMakeVec3(5.0f, -3.0f, 2.0f),
                        tgMakeQuat(tgMakeVec3(0.36f, 0.48f, 0.8f), 2.0f),
                        {1.0f, 1.0f, 1.0f}};
    tgMat34 motion = tgMakeMat34(away), joints[2];
    tgBendLimb(&here, 80.0);
    tgBendTube(&there.shape, tg_length, 0.0f, 80.0 * tg_pi / 180.0, joints);
    joints[0] = tgMulMat34(&motion, &joints[0]);
    joints[1] = tgMulMat34(&motion, &joints[1]);
    tgPlay(&there, joints, 0.0f);
    for (int v = 0; v < here.shape.vertexCount; ++v) {
        CHECK_NEAR(tgDistance(tgMulMatPoint(&motion, here.out[v]), there.out[v]), 0.0, 2e-5);
    }
    tgFreeStage(&here);
    tgFreeStage(&there);
}

// ---- refusals -----------------------------------------------------------------------------------

static void tgExpect(tgVolumeDef volume, const char* fragment)
{
    tgShape limb = tgMakeLimb();
    tgRigDef def = tgShape_GetRigDef(&limb);
    def.volume = volume;
    tgError error = {0};
    assert_null(tgCreateRig(&def, &error));
    CHECK_CONTAINS(error.message, fragment);
    tgFreeShape(&limb);
}

static void tgTestRefusals(void** state)
{
    (void)state;
    tgProfile profile = {0};
    tgJointProfiles joint = {7, &profile, 1};
    tgVolumeKey keys[2] = {{1.0f, 1.0f}, {0.5f, 1.0f}};
    tgVolumeDef volume = tgExactDef();
    volume.cap = -1.0f;
    tgExpect(volume, "cap is -1");
    volume = tgExactDef();
    volume.mode = (tgVolumeMode)9;
    tgExpect(volume, "mode 9");
    volume = tgExactDef();
    volume.profiles = &profile;
    volume.profileCount = 1;
    tgExpect(volume, "tgDefaultProfile");
    profile = tgDefaultProfile(tg_profileRubber, false);
    profile.sigma[1] = -0.5f;
    tgExpect(volume, "sigma is -0.5");
    profile = tgDefaultProfile(tg_profileRubber, false);
    profile.mu[0] = 0.5f;
    tgExpect(volume, "mu sums to 1.5");
    profile = tgDefaultProfile(tg_profileCurves, false);
    profile.curveCounts[0] = 2;
    profile.curves[0][0] = (tgCurvePoint){1.0f, 1.0f};
    tgExpect(volume, "point 1 of curve 0");
    profile = tgDefaultProfile(tg_profileRubber, false);
    volume.joints = &joint;
    volume.jointCount = 1;
    tgExpect(volume, "joint 7, the skeleton has 2");
    volume = tgExactDef();
    volume.targetKeys = keys;
    volume.targetKeyCount = 2;
    tgExpect(volume, "target key 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestExact),       cmocka_unit_test(tgTestGrain),
        cmocka_unit_test(tgTestLists),       cmocka_unit_test(tgTestMissed),
        cmocka_unit_test(tgTestBreathing),   cmocka_unit_test(tgTestLosses),
        cmocka_unit_test(tgTestBoneOrder),   cmocka_unit_test(tgTestAxisOrder),
        cmocka_unit_test(tgTestContinuity),  cmocka_unit_test(tgTestOrganicLimb),
        cmocka_unit_test(tgTestNothingToDo), cmocka_unit_test(tgTestRigidMotion),
        cmocka_unit_test(tgTestRefusals),
    };
    return cmocka_run_group_tests_name("exact", tests, NULL, NULL);
}
