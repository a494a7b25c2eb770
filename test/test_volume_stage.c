// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The volume stage on tubes: exact for every profile, blend and mode, with contact, flesh, bones,
// shapes and breathing; gains; what must not move; invariance to rigid motion, to the order of
// vertices and of bones; refusals. Meshes that are hardly any: test_volume_odd.c.

#include "spine.h"

static const double tg_pi = 3.14159265358979323846;
static const float tg_length = 8.0f;

static tgVolumeDef tgExactDef(const tgProfile* profile)
{
    tgVolumeDef volume = tgDefaultRigDef().volume;
    volume.method = tg_volumeExact;
    volume.profiles = profile;
    volume.profileCount = profile != NULL ? 1 : 0;
    return volume;
}

/// A limb of radius 1 and length 8, weights over 2 radii.
static tgShape tgMakeLimb(void)
{
    return tgMakeTube(24, 49, tg_length, 3.0f, 5.0f, true);
}

static void tgBendLimb(tgStage* stage, double degrees)
{
    tgMat34 joints[2];
    tgBendTube(&stage->shape, tg_length, 0.0f, degrees * tg_pi / 180.0, joints);
    tgPlay(stage, joints, 0.0f);
}

static void tgCheckExact(const tgStage* stage)
{
    tgVolumeReport report = tgInstance_MeasureVolume(stage->instance);
    CHECK_NEAR(report.result / report.target, 1.0, 1e-6);
    CHECK_NEAR(tgInstance_GetReport(stage->instance).residual / report.target, 0.0, 1e-7);
    for (int v = 0; v < stage->shape.vertexCount; ++v) {
        assert_true(tgIsFiniteVec3(stage->out[v]));
    }
}

// ---- exact --------------------------------------------------------------------------------------

/// A hat along the bone and across it.
static tgProfile tgMakeProfile(int kind)
{
    tgProfile profile = tgDefaultProfile((tgProfileKind)kind);
    static const tgCurvePoint hat[3] = {{-0.5f, 0.0f}, {0.0f, 1.0f}, {0.6f, 0.0f}};
    for (int axis = 0; kind == tg_profileCurves && axis < 3; ++axis) {
        profile.curveCounts[axis] = 3;
        memcpy(profile.curves[axis], hat, sizeof(hat));
    }
    return profile;
}

static void tgTestExact(void** state)
{
    (void)state;
    for (int kind = tg_profileOrganic; kind <= tg_profileCurves; ++kind) {
        for (int way = 0; way < 9; ++way) { // each skinning: with contact, without, as published
            tgProfile profile = tgMakeProfile(kind);
            tgVolumeDef volume = tgExactDef(&profile);
            volume.mode = way / 3 == 2 ? tg_modePaper : tg_modeExact;
            volume.contact = way / 3 == 0 ? tg_contactOn : tg_contactOff;
            tgStage stage = tgMakeStage(tgMakeLimb(), (tgSkinning)(way % 3), &volume);
            for (int degrees = -150; degrees <= 150; degrees += 30) {
                tgBendLimb(&stage, degrees);
                tgCheckExact(&stage);
                tgVolumeReport report = tgInstance_MeasureVolume(stage.instance);
                CHECK_NEAR(report.target / report.rest, 1.0, 1e-9);
            }
            tgFreeStage(&stage);
        }
    }
}

/// Far from the origin, and a sheet so thin that floats hardly have room for its volume.
static void tgTestGrain(void** state)
{
    (void)state;
    static const struct {
        float thickness, offset;
        double most; ///< that may be missed
    } cases[] = {
        {1.0f, 0.0f, 1e-6}, {1.0f, 1000.0f, 2e-5}, {1e-3f, 0.0f, 1e-4}, {8e-5f, 0.0f, 1e-3}};
    for (int i = 0; i < 4; ++i) {
        tgVolumeDef volume = tgExactDef(NULL);
        tgShape sheet = tgMakeLimb();
        for (int v = 0; v < sheet.vertexCount; ++v) { // slanted, so that no axis is its own
            tgVec3 p = sheet.positions[v];
            float z = cases[i].thickness * p.z;
            sheet.positions[v] = tgMakeVec3(p.x, 0.6f * p.y + 0.8f * z, 0.6f * z - 0.8f * p.y);
        }
        tgStage stage = tgMakeStage(sheet, tg_linear, &volume);
        double missed = 0.0;
        for (int degrees = 1; degrees <= 120; degrees += 7) {
            tgMat34 joints[2];
            tgBendTube(&stage.shape, tg_length, cases[i].offset, degrees * tg_pi / 180.0, joints);
            tgPlay(&stage, joints, 0.0f);
            tgVolumeReport report = tgInstance_MeasureVolume(stage.instance);
            missed = fmax(missed, fabs(report.target - report.result) / report.target);
        }
        print_message("thickness %g, %g from the origin: missed by %.1e\n",
                      (double)cases[i].thickness, (double)cases[i].offset, missed);
        CHECK_AT_MOST(missed, cases[i].most);
        tgFreeStage(&stage);
    }
}

/// Lists of profiles, some multiplied; a joint without any, whose loss goes to all the skin; one
/// whose profile is too narrow to reach the skin.
static void tgTestLists(void** state)
{
    (void)state;
    tgProfile list[3] = {tgMakeProfile(tg_profileRubber), tgMakeProfile(tg_profileMuscle),
                         tgMakeProfile(tg_profileFolds)};
    list[2].combine = tg_combineMultiply;
    tgProfile mixed[2] = {tgMakeProfile(tg_profileOrganic), tgMakeProfile(tg_profileMuscle)};
    tgProfile narrow = tgMakeProfile(tg_profileRubber);
    narrow.sigma[0] = narrow.sigma[1] = narrow.sigma[2] = 0.01f;
    const tgJointProfiles joints[4] = {{1, list, 3}, {1, mixed, 2}, {1, NULL, 0}, {1, &narrow, 1}};
    tgVolumeDef none = tgDefaultRigDef().volume;
    tgStage plain = tgMakeStage(tgMakeLimb(), tg_linear, &none);
    tgBendLimb(&plain, 90.0);
    for (int i = 0; i < 4; ++i) {
        tgVolumeDef volume = tgExactDef(NULL);
        volume.joints = &joints[i];
        volume.jointCount = 1;
        volume.contact = tg_contactOff;
        tgStage stage = tgMakeStage(tgMakeLimb(), tg_linear, &volume);
        tgBendLimb(&stage, 90.0);
        tgCheckExact(&stage);
        double most = 0.0, far = 0.0; // far: on the ends
        for (int v = 0; v < plain.shape.vertexCount; ++v) {
            double moved = (double)tgDistance(stage.out[v], plain.out[v]);
            most = fmax(most, moved);
            far = v < 24 ? fmax(far, moved) : far;
        }
        print_message("list %d: moved by at most %.3f radii, the end by %.4f\n", i, most, far);
        CHECK_AT_MOST(most, 0.4);
        CHECK_AT_MOST(i == 2 ? most / far : 1.0, 1.02); // evenly
        tgFreeStage(&stage);
    }
    tgFreeStage(&plain);
}

// ---- with other stages --------------------------------------------------------------------------

/// Which of the other stages take part.
enum {
    tg_withFlesh = 1,
    tg_withBones = 2,
    tg_withShape = 4,
    tg_withBreath = 8,
    tg_withContact = 16
};

/// A rod about the second bone, under the skin by less than a bend brings it.
static tgBonesDef tgMakeRod(tgBoneDef* rod, tgVec3 corners[8])
{
    static const int sizes[6] = {4, 4, 4, 4, 4, 4};
    static const int faces[24] = {0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4,
                                  2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5};
    for (int i = 0; i < 8; ++i) {
        corners[i] = tgMakeVec3(i & 4 ? 4.4f : 2.7f, i & 2 ? 0.55f : -0.55f, i & 1 ? 0.6f : -0.6f);
    }
    *rod = (tgBoneDef){.joint = 1,
                       .positions = {&corners[0].x, 8, sizeof(tgVec3)},
                       .faceVertices = faces,
                       .faceSizes = sizes,
                       .faceCount = 6,
                       .thickness = -1.0f};
    tgBonesDef bones = tgDefaultRigDef().bones;
    bones.bones = rod;
    bones.boneCount = 1;
    return bones;
}

static tgStage tgMakeRichStage(int parts, tgSkinning skinning, tgVolumeDef volume)
{
    static const tgVolumeKey keys[2] = {{0.0f, 1.0f}, {1.0f, 1.04f}};
    static const int driven[1] = {2};
    tgFleshElement element = tgDefaultFleshElement();
    element.driver = 1;
    element.driven = driven;
    element.drivenCount = 1;
    element.gravity = tgMakeVec3(0.0f, -9.0f, 3.0f);
    tgBoneDef rod;
    tgVec3 corners[8];
    volume.contact = parts & tg_withContact ? tg_contactOn : tg_contactOff;
    volume.targetKeys = keys;
    volume.targetKeyCount = parts & tg_withBreath ? 2 : 0;
    tgStage stage = {.shape = tgMakeSpine(0.2f)};
    tgRigDef def = tgShape_GetRigDef(&stage.shape);
    def.skinning = skinning;
    def.volume = volume;
    if (parts & tg_withFlesh) {
        def.flesh = (tgFleshDef){&element, 1};
    }
    if (parts & tg_withBones) {
        def.bones = tgMakeRod(&rod, corners);
    }
    stage.rig = tgCreateRig(&def, NULL);
    assert_non_null(stage.rig);
    tgInstanceDef instanceDef = tgDefaultInstanceDef();
    stage.instance = tgCreateInstance(stage.rig, &instanceDef, NULL);
    stage.out = calloc((size_t)stage.shape.vertexCount, sizeof(tgVec3));
    return stage;
}

/// All 32 ways to take part, for profiles and skinnings in turn, over a few frames.
static void tgTestOtherStages(void** state)
{
    (void)state;
    for (int parts = 0; parts < 32; ++parts) {
        for (int skinning = parts & 1; skinning <= tg_blend; skinning += 2) {
            tgProfile profile = tgMakeProfile((parts + skinning) % (tg_profileCurves + 1));
            tgStage stage = tgMakeRichStage(parts, (tgSkinning)skinning, tgExactDef(&profile));
            tgVec3* shape = calloc((size_t)stage.shape.vertexCount, sizeof(tgVec3));
            for (int v = 0; v < stage.shape.vertexCount; ++v) {
                tgVec3 p = stage.shape.positions[v];
                float thick = 1.0f + 0.03f * p.x; // a tube that gets thicker
                shape[v] = tgMakeVec3(p.x, thick * p.y, thick * p.z);
            }
            for (int frame = 0; frame < 5; ++frame) {
                const double angles[tg_spineJoints] = {0.3 * frame, 0.2 * frame, -0.25 * frame,
                                                       0.3 * frame};
                tgMat34 joints[tg_spineJoints];
                tgBendSpine(&stage.shape, angles, joints);
                tgPose pose = {
                    .joints = joints, .jointCount = tg_spineJoints, .time = 0.2f * (float)frame};
                if (parts & tg_withShape) {
                    pose.shapePositions =
                        (tgVec3View){&shape->x, stage.shape.vertexCount, sizeof(tgVec3)};
                }
                tgVec3Span out = {&stage.out->x, stage.shape.vertexCount, sizeof(tgVec3)};
                assert_int_equal(
                    tgInstance_Deform(stage.instance, &pose, out, (tgVec3Span){0}, NULL), 0);
                tgCheckExact(&stage);
            }
            free(shape);
            tgFreeStage(&stage);
        }
    }
}

/// 4 % more at its height, linear in between, and joints that scale on top of it.
static void tgTestBreathing(void** state)
{
    (void)state;
    const tgVolumeKey keys[2] = {{0.0f, 1.0f}, {1.0f, 1.04f}};
    tgVolumeDef volume = tgExactDef(NULL);
    volume.targetKeys = keys;
    volume.targetKeyCount = 2;
    tgStage stage = tgMakeStage(tgMakeLimb(), tg_dualQuaternion, &volume);
    const float times[4] = {-1.0f, 0.25f, 1.0f, 9.0f};
    const double factors[4] = {1.0, 1.01, 1.04, 1.04};
    for (int i = 0; i < 4; ++i) {
        tgMat34 joints[2];
        tgBendTube(&stage.shape, tg_length, 0.0f, 0.8, joints);
        tgPlay(&stage, joints, times[i]);
        tgCheckExact(&stage);
        tgVolumeReport report = tgInstance_MeasureVolume(stage.instance);
        CHECK_NEAR(report.target / report.rest, factors[i], 1e-7);
        joints[1].y = tgMulSV(1.5f, joints[1].y); // the second bone swells
        tgPlay(&stage, joints, times[i]);
        tgCheckExact(&stage);
        assert_true(tgInstance_MeasureVolume(stage.instance).target > 1.15 * report.target);
    }
    tgFreeStage(&stage);
}

/// A joint gives back gain times what it lost, and the target says so.
static void tgTestGains(void** state)
{
    (void)state;
    static const float gains[4] = {0.0f, 0.5f, 1.0f, 2.0f};
    tgVolumeDef none = tgDefaultRigDef().volume;
    tgStage plain = tgMakeStage(tgMakeLimb(), tg_linear, &none);
    tgBendLimb(&plain, 90.0);
    double rest = tgRig_GetInfo(plain.rig).restVolume;
    double lost = tgInstance_MeasureVolume(plain.instance).result - rest;
    assert_true(lost < -0.02 * rest);
    for (int i = 0; i < 8; ++i) {
        tgProfile profile = tgMakeProfile(i < 4 ? tg_profileOrganic : tg_profileMuscle);
        profile.gain = gains[i % 4];
        tgVolumeDef volume = tgExactDef(&profile);
        volume.contact = tg_contactOff;
        tgStage stage = tgMakeStage(tgMakeLimb(), tg_linear, &volume);
        tgBendLimb(&stage, 90.0);
        tgCheckExact(&stage);
        double target = tgInstance_MeasureVolume(stage.instance).target;
        CHECK_NEAR(target / rest, 1.0 + (1.0 - (double)profile.gain) * lost / rest, 1e-6);
        for (int v = 0; profile.gain == 0.0f && v < plain.shape.vertexCount; ++v) {
            CHECK_NEAR(tgDistance(stage.out[v], plain.out[v]), 0.0, 1e-5); // nothing to give
        }
        tgFreeStage(&stage);
    }
    tgFreeStage(&plain);
}

// ---- what must not move -------------------------------------------------------------------------

/// A robot: two separate pieces, each on one joint; and any character in its bind pose.
static void tgTestNothingToDo(void** state)
{
    (void)state;
    tgVolumeDef exact = tgExactDef(NULL), none = tgDefaultRigDef().volume;
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
    for (int v = 0; v < stages[0].shape.vertexCount; ++v) { // rounding of all the skin is met
        CHECK_NEAR(tgDistance(stages[0].out[v], stages[1].out[v]), 0.0, 1e-6);
    }
    tgFreeStage(&stages[0]);
    tgFreeStage(&stages[1]);
    for (int way = 0; way < 3 * (tg_profileCurves + 1); ++way) {
        tgProfile profile = tgMakeProfile(way / 3);
        exact = tgExactDef(&profile);
        for (int s = 0; s < 2; ++s) {
            stages[s] = tgMakeStage(tgMakeLimb(), (tgSkinning)(way % 3), s == 0 ? &exact : &none);
            tgBendLimb(&stages[s], 60.0); // comes back from a pose
            tgPlay(&stages[s], stages[s].shape.restJoints, 0.0f);
        }
        assert_memory_equal(stages[0].out, stages[1].out,
                            (size_t)stages[0].shape.vertexCount * sizeof(tgVec3));
        assert_int_equal(tgInstance_GetReport(stages[0].instance).lossCount, 0);
        tgFreeStage(&stages[0]);
        tgFreeStage(&stages[1]);
    }
}

// ---- invariance ---------------------------------------------------------------------------------

/// Turned and carried away, the correction goes along.
static void tgTestRigidMotion(void** state)
{
    (void)state;
    tgTransform away = {tgMakeVec3(5.0f, -3.0f, 2.0f),
                        tgMakeQuat(tgMakeVec3(0.36f, 0.48f, 0.8f), 2.0f),
                        {1.0f, 1.0f, 1.0f}};
    tgMat34 motion = tgMakeMat34(away);
    for (int way = 0; way < 3 * (tg_profileCurves + 1); ++way) {
        tgProfile profile = tgMakeProfile(way / 3);
        tgVolumeDef exact = tgExactDef(&profile);
        tgStage here = tgMakeStage(tgMakeLimb(), (tgSkinning)(way % 3), &exact);
        tgStage there = tgMakeStage(tgMakeLimb(), (tgSkinning)(way % 3), &exact);
        double diagonal = (double)tgRig_GetInfo(here.rig).restDiagonal;
        tgMat34 joints[2];
        tgBendLimb(&here, 80.0);
        tgBendTube(&there.shape, tg_length, 0.0f, 80.0 * tg_pi / 180.0, joints);
        joints[0] = tgMulMat34(&motion, &joints[0]);
        joints[1] = tgMulMat34(&motion, &joints[1]);
        tgPlay(&there, joints, 0.0f);
        double apart = 0.0;
        for (int v = 0; v < here.shape.vertexCount; ++v) {
            tgVec3 moved = tgMulMatPoint(&motion, here.out[v]);
            apart = fmax(apart, (double)tgDistance(moved, there.out[v]));
        }
        CHECK_AT_MOST(apart / diagonal, 2e-6);
        tgFreeStage(&here);
        tgFreeStage(&there);
    }
}

/// The place of vertex v in another order: 1201 is prime to the number of vertices.
static int tgPermute(int v, int count)
{
    return (int)((1201LL * v + 17) % count);
}

/// Vertices and faces in another order give the same skin in that order. What smoothing over
/// clusters leaves of the order is within a twentieth of the displacement.
static void tgTestVertexOrder(void** state)
{
    (void)state;
    for (int kind = tg_profileOrganic; kind <= tg_profileMuscle; kind += tg_profileMuscle) {
        tgProfile profile = tgMakeProfile(kind);
        tgVolumeDef exact = tgExactDef(&profile), none = tgDefaultRigDef().volume;
        tgShape shape = tgMakeSpine(0.2f), other = tgMakeSpine(0.2f);
        int count = shape.vertexCount;
        for (int v = 0; v < count; ++v) {
            int to = tgPermute(v, count);
            other.positions[to] = shape.positions[v];
            memcpy(other.weights + tg_spineJoints * to, shape.weights + tg_spineJoints * v,
                   tg_spineJoints * sizeof(float));
        }
        for (int f = 0; f < shape.faceCount; ++f) {
            int to = tgPermute(f, shape.faceCount);
            for (int k = 0; k < 4; ++k) {
                other.faceVertices[4 * to + k] = tgPermute(shape.faceVertices[4 * f + k], count);
            }
        }
        tgStage plain = tgMakeStage(tgMakeSpine(0.2f), tg_linear, &none);
        tgStage first = tgMakeStage(shape, tg_linear, &exact);
        tgStage second = tgMakeStage(other, tg_linear, &exact);
        const double angles[tg_spineJoints] = {0.0, 0.9, -0.7, 0.5};
        tgMat34 joints[tg_spineJoints];
        tgBendSpine(&shape, angles, joints);
        tgPlay(&plain, joints, 0.0f);
        tgPlay(&first, joints, 0.0f);
        tgPlay(&second, joints, 0.0f);
        double apart = 0.0, moved = 0.0;
        for (int v = 0; v < count; ++v) {
            tgVec3 there = second.out[tgPermute(v, count)];
            apart = fmax(apart, (double)tgDistance(first.out[v], there));
            moved = fmax(moved, (double)tgDistance(first.out[v], plain.out[v]));
        }
        double diagonal = (double)tgRig_GetInfo(first.rig).restDiagonal;
        print_message("profile %d: another order of vertices: %.1e diagonals apart, moved %.1e\n",
                      kind, apart / diagonal, moved / diagonal);
        CHECK_AT_MOST(apart, 0.05 * moved);
        tgFreeStage(&plain);
        tgFreeStage(&first);
        tgFreeStage(&second);
    }
}

/// The same chain hung on its other end: there is no order of joints.
static void tgTestBoneOrder(void** state)
{
    (void)state;
    tgVolumeDef exact = tgExactDef(NULL);
    exact.contact = tg_contactOff; // planes stand on the joints, which differ
    tgShape reversed = tgMakeSpine(0.2f);
    for (int j = 0; j < tg_spineJoints; ++j) {
        reversed.parents[j] = j + 1 < tg_spineJoints ? j + 1 : -1;
        reversed.restJoints[j].origin.x = 2.5f * (float)(j + 1); // turns about its other end
    }
    tgStage forward = tgMakeStage(tgMakeSpine(0.2f), tg_linear, &exact);
    tgStage backward = tgMakeStage(reversed, tg_linear, &exact);
    const double angles[tg_spineJoints] = {0.0, 0.9, -0.7, 0.5};
    tgMat34 joints[tg_spineJoints], back[tg_spineJoints], step = tgIdentityMat34();
    step.origin.x = 2.5f;
    tgBendSpine(&forward.shape, angles, joints);
    for (int j = 0; j < tg_spineJoints; ++j) { // the same motion of every bone
        back[j] = tgMulMat34(&joints[j], &step);
    }
    tgPlay(&forward, joints, 0.0f);
    tgPlay(&backward, back, 0.0f);
    double apart = 0.0;
    for (int v = 0; v < forward.shape.vertexCount; ++v) {
        apart = fmax(apart, (double)tgDistance(forward.out[v], backward.out[v]));
    }
    print_message("%.2e of the radius between the two orders of bones\n", apart);
    CHECK_AT_MOST(apart, 1e-3);
    tgFreeStage(&forward);
    tgFreeStage(&backward);
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
    tgVolumeDef volume = tgExactDef(NULL);
    volume.mode = (tgVolumeMode)9;
    tgExpect(volume, "mode 9");
    volume = tgExactDef(&profile);
    tgExpect(volume, "tgDefaultProfile");
    profile = tgDefaultProfile(tg_profileRubber);
    profile.sigma[1] = -0.5f;
    tgExpect(volume, "sigma is -0.5");
    profile = tgDefaultProfile(tg_profileRubber);
    profile.mu[0] = 0.5f;
    tgExpect(volume, "mu sums to 1.5");
    profile = tgDefaultProfile(tg_profileOrganic);
    profile.gain = 4.5f;
    tgExpect(volume, "gain is 4.5");
    profile.gain = NAN;
    tgExpect(volume, "gain is");
    profile = tgDefaultProfile(tg_profileCurves);
    profile.curveCounts[0] = 2;
    profile.curves[0][0] = (tgCurvePoint){1.0f, 1.0f};
    tgExpect(volume, "point 1 of curve 0");
    profile = tgDefaultProfile(tg_profileRubber);
    volume.joints = &joint;
    volume.jointCount = 1;
    tgExpect(volume, "joint 7, the skeleton has 2");
    volume = tgExactDef(NULL);
    volume.targetKeys = keys;
    volume.targetKeyCount = 2;
    tgExpect(volume, "target key 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestExact),       cmocka_unit_test(tgTestGrain),
        cmocka_unit_test(tgTestLists),       cmocka_unit_test(tgTestOtherStages),
        cmocka_unit_test(tgTestBreathing),   cmocka_unit_test(tgTestGains),
        cmocka_unit_test(tgTestNothingToDo), cmocka_unit_test(tgTestRigidMotion),
        cmocka_unit_test(tgTestVertexOrder), cmocka_unit_test(tgTestBoneOrder),
        cmocka_unit_test(tgTestRefusals),
    };
    return cmocka_run_group_tests_name("volume_stage", tests, NULL, NULL);
}
