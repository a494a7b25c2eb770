// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The volume stage on meshes that are hardly any, and on skins that are hardly held: faces of no
// area, loose vertices, one triangle, flat sheets, several pieces, one joint, eleven influences,
// joints scaled to nothing. Numbers come out, and the volume where there is one.

#include "core/instance.h"
#include "random_skin.h"

typedef struct tgOdd {
    tgRig* rig;
    tgInstance* instance;
    tgVec3* out;
    int count;
} tgOdd;

static tgOdd tgOpenOdd(const tgShape* shape, tgSkinning skinning, const tgProfile* profile)
{
    tgError error = {0};
    tgRigDef def = tgShape_GetRigDef(shape);
    def.skinning = skinning;
    def.volume.method = tg_volumeExact;
    def.volume.profiles = profile;
    def.volume.profileCount = profile != NULL ? 1 : 0;
    tgOdd odd = {.rig = tgCreateRig(&def, &error), .count = shape->vertexCount};
    if (odd.rig == NULL) {
        print_error("%s\n", error.message);
    }
    assert_non_null(odd.rig);
    tgInstanceDef instanceDef = tgDefaultInstanceDef();
    odd.instance = tgCreateInstance(odd.rig, &instanceDef, NULL);
    assert_non_null(odd.instance);
    odd.out = calloc((size_t)shape->vertexCount, sizeof(tgVec3));
    return odd;
}

static void tgCloseOdd(tgOdd* odd)
{
    free(odd->out);
    tgDestroyInstance(odd->instance);
    tgDestroyRig(odd->rig);
}

static void tgPlayOdd(tgOdd* odd, const tgMat34* joints, int jointCount)
{
    tgPose pose = {.joints = joints, .jointCount = jointCount};
    tgVec3Span out = {&odd->out->x, odd->count, sizeof(tgVec3)};
    assert_int_equal(tgInstance_Deform(odd->instance, &pose, out, (tgVec3Span){0}, NULL), 0);
    for (int v = 0; v < odd->count; ++v) {
        assert_true(tgIsFiniteVec3(odd->out[v]));
    }
}

static double tgGetMiss(const tgOdd* odd)
{
    tgVolumeReport report = tgInstance_MeasureVolume(odd->instance);
    return fabs(report.result / report.target - 1.0);
}

/// What was made once: unit directions or none, radii above 0 and no farther than an eighth of the
/// diagonal.
static void tgCheckSetUp(const tgOdd* odd)
{
    const tgVolumeRig* stage = &odd->rig->stage;
    float far = 0.125f * tgRig_GetInfo(odd->rig).restDiagonal;
    for (int v = 0; stage->directions != NULL && v < odd->rig->mesh.vertexCount; ++v) {
        const float* n = stage->directions + 4 * (size_t)v;
        double length = sqrt((double)(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]));
        assert_true(length == 0.0 || fabs(length - 1.0) < 1e-5);
        assert_true(stage->radii[v] > 0.0f && stage->radii[v] <= 1.001f * far);
        assert_true(isfinite(stage->areas[v]) && stage->areas[v] >= 0.0f);
    }
}

/// Turns of all joints by up to a right angle, in any order of parents.
static void tgPoseOdd(const tgShape* shape, unsigned* seed, tgMat34* joints)
{
    for (int j = 0; j < shape->jointCount; ++j) {
        tgVec3 axis = tgNormalize(tgRandomVec3(seed), tgMakeVec3(1, 0, 0));
        tgVec3 origin = shape->restJoints[j].origin;
        tgTransform turn = tgIdentityTransform();
        turn.rotation = tgMakeQuat(axis, 1.5f * (float)tgNextSigned(seed));
        turn.position = tgSub(origin, tgRotate(turn.rotation, origin));
        tgMat34 own = tgMakeMat34(turn);
        joints[j] = tgMulMat34(&own, &shape->restJoints[j]);
    }
}

/// Random weights on random meshes: nothing is smooth, and the volume is met all the same.
static void tgTestRandomSkins(void** state)
{
    (void)state;
    double worst = 0.0;
    for (int i = 0; i < 42; ++i) {
        tgRandomDef def = {.seed = 900u + (unsigned)i,
                           .around = 5 + i % 5,
                           .rings = 5 + i % 9,
                           .isOpen = i & 1,
                           .faces = (tgFaceKinds)(i % 3),
                           .jointCount = i % 4 == 3 ? 11 : 2 + i % 4,
                           .influences = i % 4 == 3 ? 11 : 2};
        tgProfile profile = tgDefaultProfile((tgProfileKind)(i % 7));
        tgShape shape = tgMakeRandomSkin(&def);
        tgOdd odd = tgOpenOdd(&shape, (tgSkinning)(i % 3), &profile);
        tgCheckSetUp(&odd);
        unsigned seed = (unsigned)i;
        for (int pose = 0; pose < 3; ++pose) {
            tgMat34 joints[16];
            tgPoseOdd(&shape, &seed, joints);
            tgPlayOdd(&odd, joints, shape.jointCount);
            double told = fabs(tgInstance_GetReport(odd.instance).residual) /
                          fabs(tgInstance_MeasureVolume(odd.instance).target);
            worst = fmax(worst, tgGetMiss(&odd) - told);
            CHECK_AT_MOST(told, 1e-6); // all found a place
        }
        tgCloseOdd(&odd);
        tgFreeShape(&shape);
    }
    print_message("random skins: volume off by %.1e at most\n", worst);
    CHECK_AT_MOST(worst, 1e-6);
}

/// A tube with faces of no area between its rings, and vertices that no face uses.
static void tgTestSlivers(void** state)
{
    (void)state;
    for (int skinning = tg_linear; skinning <= tg_blend; ++skinning) {
        tgShape tube = tgMakeTube(12, 25, 8.0f, 3.0f, 5.0f, true);
        for (int k = 0; k < 12; ++k) {
            tube.positions[12 * 12 + k] = tube.positions[12 * 11 + k]; // a ring on another one
            tube.positions[12 * 13 + k].x = tube.positions[12 * 14 + k].x - 1e-6f;
        }
        for (int k = 0; k < 4; ++k) {
            tube.faceVertices[4 * 30 + k] = tube.faceVertices[4 * 31]; // a face of one point
        }
        tgOdd odd = tgOpenOdd(&tube, (tgSkinning)skinning, NULL);
        tgCheckSetUp(&odd);
        tgMat34 joints[2];
        for (int i = -4; i <= 4; ++i) {
            tgBendTube(&tube, 8.0f, 0.0f, 0.5 * i, joints);
            tgPlayOdd(&odd, joints, 2);
            CHECK_AT_MOST(tgGetMiss(&odd), 1e-6);
        }
        tgCloseOdd(&odd);
        tgFreeShape(&tube);
    }
}

/// One triangle, two that lie on each other, a bent sheet: no volume, and none is kept.
static void tgTestFlat(void** state)
{
    (void)state;
    for (int which = 0; which < 3; ++which) {
        tgShape sheet = tgMakeShape(9, 8, 24);
        for (int v = 0; v < 9; ++v) {
            sheet.positions[v] = tgMakeVec3((float)(v % 3), (float)(v / 3), 0.0f);
            sheet.joints[2 * v + 1] = 1;
            sheet.weights[2 * v] = 1.0f - 0.5f * (float)(v % 3);
            sheet.weights[2 * v + 1] = 0.5f * (float)(v % 3);
        }
        sheet.jointCount = sheet.influencesPerVertex = 2;
        sheet.restJoints[1].origin.x = 1.0f;
        const int two[6] = {0, 1, 4, 4, 1, 0};
        for (int f = 0; f < (which == 0 ? 1 : 2); ++f) {
            tgShape_AddFace(&sheet, 3, two + 3 * f);
        }
        for (int f = 0; which == 2 && f < 3; ++f) {
            static const int more[9] = {1, 2, 5, 3, 4, 7, 4, 5, 8};
            tgShape_AddFace(&sheet, 3, more + 3 * f);
        }
        tgOdd odd = tgOpenOdd(&sheet, tg_linear, NULL);
        tgMat34 joints[2] = {tgIdentityMat34(), tgIdentityMat34()};
        joints[1].y = tgMakeVec3(0.0f, 0.0f, 1.0f);
        joints[1].z = tgMakeVec3(0.0f, -1.0f, 0.0f);
        joints[1].origin.x = 1.0f;
        tgPlayOdd(&odd, joints, 2);
        tgCloseOdd(&odd);
        tgFreeShape(&sheet);
    }
}

/// One joint carries all: whatever it does the skin goes along.
static void tgTestOneJoint(void** state)
{
    (void)state;
    tgShape ball = tgMakeSphere(12, 7);
    tgOdd odd = tgOpenOdd(&ball, tg_linear, NULL);
    tgTransform t = {tgMakeVec3(1, 2, 3), tgMakeQuat(tgMakeVec3(0, 0, 1), 1.0f), {2, 2, 2}};
    tgMat34 joint = tgMakeMat34(t);
    tgPlayOdd(&odd, &joint, 1);
    CHECK_AT_MOST(tgGetMiss(&odd), 1e-6);
    for (int v = 0; v < ball.vertexCount; ++v) {
        tgVec3 known = tgMulMatPoint(&joint, ball.positions[v]);
        CHECK_NEAR(tgDistance(odd.out[v], known), 0.0, 2e-6);
    }
    tgVolumeReport report = tgInstance_MeasureVolume(odd.instance);
    CHECK_NEAR(report.target / report.rest, 8.0, 1e-5);
    tgCloseOdd(&odd);
    tgFreeShape(&ball);
}

/// Ten tubes side by side, each bent by its own joint: each gets back its own, within what is
/// shared out of rounding.
static void tgTestPieces(void** state)
{
    (void)state;
    enum { tg_pieces = 10 };
    tgShape one = tgMakeTube(10, 21, 8.0f, 3.0f, 5.0f, true);
    int n = one.vertexCount;
    tgShape all =
        tgMakeShape(tg_pieces * n, tg_pieces * one.faceCount, 4 * tg_pieces * one.faceCount);
    all.jointCount = tg_pieces + 1;
    all.influencesPerVertex = 2;
    all.parents = realloc(all.parents, (tg_pieces + 1) * sizeof(int));
    all.restJoints = realloc(all.restJoints, (tg_pieces + 1) * sizeof(tgMat34));
    for (int j = 0; j <= tg_pieces; ++j) {
        all.parents[j] = j > 0 ? 0 : -1;
        all.restJoints[j] = tgIdentityMat34();
        all.restJoints[j].origin =
            tgMakeVec3(j > 0 ? 4.0f : 0.0f, 5.0f * (float)(j > 0 ? j - 1 : 0), 0.0f);
    }
    for (int v = 0; v < tg_pieces * n; ++v) {
        all.positions[v] = one.positions[v % n];
        all.positions[v].y += 5.0f * (float)(v / n);
        all.joints[2 * v] = 0;
        all.joints[2 * v + 1] = 1 + v / n;
        all.weights[2 * v] = one.weights[2 * (v % n)];
        all.weights[2 * v + 1] = one.weights[2 * (v % n) + 1];
    }
    for (int f = 0; f < tg_pieces * one.faceCount; ++f) {
        int corners[4];
        for (int k = 0; k < 4; ++k) {
            corners[k] = one.faceVertices[4 * (f % one.faceCount) + k] + f / one.faceCount * n;
        }
        tgShape_AddFace(&all, 4, corners);
    }
    tgOdd odd = tgOpenOdd(&all, tg_linear, NULL);
    tgMat34 joints[tg_pieces + 1];
    double changed[2] = {0.0, 0.0}; // of a piece that stays, and of those that bend
    joints[0] = tgIdentityMat34();
    for (int j = 1; j <= tg_pieces; ++j) { // every other one bends
        tgTransform turn = tgIdentityTransform();
        turn.position = all.restJoints[j].origin;
        turn.rotation = tgMakeQuat(tgMakeVec3(0, 0, 1), j & 1 ? 0.25f * (float)j : 0.0f);
        joints[j] = tgMakeMat34(turn);
    }
    tgPlayOdd(&odd, joints, tg_pieces + 1);
    CHECK_AT_MOST(tgGetMiss(&odd), 1e-6);
    for (int v = 0; v < tg_pieces * n; ++v) {
        if (v / n % 2 == 1) {
            changed[0] = fmax(changed[0], (double)tgDistance(odd.out[v], all.positions[v]));
        }
    }
    CHECK_AT_MOST(changed[0], 1e-5); // pieces that stand still are left alone
    tgCloseOdd(&odd);
    tgFreeShape(&one);
    tgFreeShape(&all);
}

/// A bone scaled to nothing, to almost nothing, or turned inside out.
static void tgTestCrushed(void** state)
{
    (void)state;
    static const float scales[4] = {0.0f, 1e-6f, 1e-2f, -1.0f};
    tgShape tube = tgMakeTube(12, 25, 8.0f, 3.0f, 5.0f, true);
    for (int i = 0; i < 12; ++i) {
        tgOdd odd = tgOpenOdd(&tube, (tgSkinning)(i / 4), NULL);
        tgMat34 joints[2];
        tgBendTube(&tube, 8.0f, 0.0f, 1.0, joints);
        float s = scales[i % 4];
        joints[1].x = tgMulSV(s, joints[1].x);
        joints[1].y = tgMulSV(s, joints[1].y);
        joints[1].z = tgMulSV(s, joints[1].z);
        tgPlayOdd(&odd, joints, 2);
        tgCloseOdd(&odd);
    }
    tgFreeShape(&tube);
}

/// A bone that is all but nothing, whose child is not: that bone has not become 1e38 times as long.
static void tgTestCrushedParent(void** state)
{
    (void)state;
    static const float scales[4] = {1e-44f, 1e-38f, 1e-20f, 1e-9f};
    tgShape tube = tgMakeTube(12, 25, 8.0f, 3.0f, 5.0f, true);
    for (int i = 0; i < 12; ++i) {
        tgOdd odd = tgOpenOdd(&tube, (tgSkinning)(i / 4), NULL);
        tgMat34 joints[2];
        tgBendTube(&tube, 8.0f, 0.0f, 0.0, joints);
        joints[0].y = tgMulSV(scales[i % 4], joints[0].y);
        joints[0].z = tgMulSV(-scales[(i + 1) % 4], joints[0].z);
        joints[1].origin.z += 0.03125f;
        tgPlayOdd(&odd, joints, 2);
        tgVolumeReport report = tgInstance_MeasureVolume(odd.instance);
        assert_true(report.target <= 2.0 * report.rest);
        tgCloseOdd(&odd);
    }
    tgFreeShape(&tube);
}

/// A mirrored character gets the mirror image of what it would get: it swells where that does.
static void tgTestMirrored(void** state)
{
    (void)state;
    tgShape shape = tgMakeTube(24, 41, 8.0f, 3.0f, 5.0f, true);
    tgMat34 mirror = tgIdentityMat34();
    for (int kind = 0; kind <= (int)tg_profileBelly; ++kind) {
        tgProfile profile = tgDefaultProfile((tgProfileKind)kind);
        for (int size = 1; size <= 2; ++size) {
            tgOdd odd = tgOpenOdd(&shape, tg_linear, kind == 0 ? NULL : &profile);
            tgMat34 joints[2];
            tgVec3* before = calloc((size_t)odd.count, sizeof(tgVec3));
            tgBendTube(&shape, 8.0f, 0.0f, 1.4, joints);
            mirror.y.y = mirror.z.z = (float)size;
            mirror.x.x = (float)-size;
            tgPlayOdd(&odd, joints, 2);
            memcpy(before, odd.out, (size_t)odd.count * sizeof(tgVec3));
            joints[0] = tgMulMat34(&mirror, &joints[0]);
            joints[1] = tgMulMat34(&mirror, &joints[1]);
            tgPlayOdd(&odd, joints, 2);
            assert_true(tgInstance_MeasureVolume(odd.instance).result > 0.0);
            CHECK_AT_MOST(tgGetMiss(&odd), 1e-6);
            for (int v = 0; v < odd.count; ++v) {
                tgVec3 image = tgMulMatPoint(&mirror, before[v]);
                CHECK_AT_MOST((double)tgDistance(odd.out[v], image), 2e-5);
            }
            free(before);
            tgCloseOdd(&odd);
        }
    }
    tgFreeShape(&shape);
}

/// A root that is scaled to nothing and has no skin is no reason to keep no volume.
static void tgTestHiddenRoot(void** state)
{
    (void)state;
    tgShape shape = tgMakeTube(24, 41, 8.0f, 3.0f, 5.0f, true);
    tgRigDef def = tgShape_GetRigDef(&shape);
    tgMat34 rest[3] = {tgIdentityMat34(), shape.restJoints[0], shape.restJoints[1]}, joints[3];
    int parents[3] = {-1, -1, 1};
    int* influences = calloc((size_t)(shape.vertexCount * def.influencesPerVertex), sizeof(int));
    for (int i = 0; i < shape.vertexCount * def.influencesPerVertex; ++i) {
        influences[i] = def.influenceJoints[i] + 1;
    }
    def.influenceJoints = influences;
    def.jointParents = parents;
    def.restJoints = rest;
    def.jointCount = 3;
    def.volume.method = tg_volumeExact;
    tgRig* rig = tgCreateRig(&def, NULL);
    tgInstanceDef instanceDef = tgDefaultInstanceDef();
    tgInstance* instance = tgCreateInstance(rig, &instanceDef, NULL);
    assert_non_null(instance);
    tgBendTube(&shape, 8.0f, 0.0f, 1.4, joints + 1);
    memset(&joints[0], 0, sizeof(joints[0]));
    tgPose pose = {.joints = joints, .jointCount = 3};
    assert_int_equal(tgInstance_Deform(instance, &pose, (tgVec3Span){0}, (tgVec3Span){0}, NULL), 0);
    tgVolumeReport report = tgInstance_MeasureVolume(instance);
    CHECK_NEAR(report.target / report.rest, 1.0, 1e-6);
    CHECK_NEAR(report.result / report.target, 1.0, 1e-6);
    free(influences);
    tgDestroyInstance(instance);
    tgDestroyRig(rig);
    tgFreeShape(&shape);
}

/// Cloth of two layers, back to back, is a closed mesh of no volume: its joints and planes are
/// there, and nothing is kept.
static void tgTestTwoLayers(void** state)
{
    (void)state;
    tgShape tube = tgMakeTube(24, 41, 8.0f, 3.0f, 5.0f, true);
    int count = tube.faceCount, corner = 0;
    tgShape cloth = tgMakeShape(tube.vertexCount, 2 * count, 2 * tube.cornerCount);
    memcpy(cloth.positions, tube.positions, (size_t)tube.vertexCount * sizeof(tgVec3));
    for (int f = 0; f < count; ++f) {
        const int* face = tube.faceVertices + corner;
        int size = tube.faceSizes[f], turned[4];
        for (int k = 0; k < size; ++k) {
            turned[k] = face[size - 1 - k];
        }
        tgShape_AddFace(&cloth, size, face);
        tgShape_AddFace(&cloth, size, turned);
        corner += size;
    }
    tgRigDef def = tgShape_GetRigDef(&tube);
    tgRigDef layers = tgShape_GetRigDef(&cloth);
    def.faceSizes = layers.faceSizes;
    def.faceVertices = layers.faceVertices;
    def.faceCount = layers.faceCount;
    def.volume.method = tg_volumeExact;
    tgRig* rig = tgCreateRig(&def, NULL);
    assert_non_null(rig);
    tgInstanceDef instanceDef = tgDefaultInstanceDef();
    tgInstance* instance = tgCreateInstance(rig, &instanceDef, NULL);
    assert_non_null(instance);
    tgMat34 joints[2];
    tgBendTube(&tube, 8.0f, 0.0f, 1.4, joints);
    tgPose pose = {.joints = joints, .jointCount = 2};
    assert_int_equal(tgInstance_Deform(instance, &pose, (tgVec3Span){0}, (tgVec3Span){0}, NULL), 0);
    tgDestroyInstance(instance);
    tgDestroyRig(rig);
    tgFreeShape(&cloth);
    tgFreeShape(&tube);
}

/// A frame depends on its pose alone, not on those before it.
static void tgTestNoMemory(void** state)
{
    (void)state;
    tgShape shape = tgMakeTube(24, 161, 32.0f, 14.0f, 18.0f, true);
    static const double angles[5] = {0.6, 2.8, 2.3, 0.6, 1.2};
    for (int i = 0; i < 24; ++i) {
        tgProfile profile = tgDefaultProfile((tgProfileKind)(i % 6));
        profile.gain = 0.5f + 0.5f * (float)(i / 6);
        tgOdd odd = tgOpenOdd(&shape, tg_linear, &profile);
        for (int frame = 0; frame < 5; ++frame) {
            tgMat34 joints[2];
            tgOdd fresh = tgOpenOdd(&shape, tg_linear, &profile);
            tgBendTube(&shape, 32.0f, 0.0f, angles[frame], joints);
            tgPlayOdd(&odd, joints, 2);
            tgPlayOdd(&fresh, joints, 2);
            assert_memory_equal(odd.out, fresh.out, (size_t)odd.count * sizeof(tgVec3));
            tgCloseOdd(&fresh);
        }
        tgCloseOdd(&odd);
    }
    tgFreeShape(&shape);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestMirrored),      cmocka_unit_test(tgTestHiddenRoot),
        cmocka_unit_test(tgTestTwoLayers),     cmocka_unit_test(tgTestNoMemory),
        cmocka_unit_test(tgTestRandomSkins),   cmocka_unit_test(tgTestSlivers),
        cmocka_unit_test(tgTestFlat),          cmocka_unit_test(tgTestOneJoint),
        cmocka_unit_test(tgTestPieces),        cmocka_unit_test(tgTestCrushed),
        cmocka_unit_test(tgTestCrushedParent),
    };
    return cmocka_run_group_tests_name("volume_odd", tests, NULL, NULL);
}
