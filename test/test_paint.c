// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Painted gamma: skin moves where it is painted and nowhere else, to the bit, and the volume is
// kept all the same; measured by a sum over triangles of its own.

#include "check.h"
#include "spine.h"

enum { tg_around = 24, tg_rings = 49 };
static const float tg_length = 8.0f;
static const double tg_pi = 3.14159265358979323846;

static double tgCone(tgVec3 x, tgVec3 y, tgVec3 z)
{
    return ((double)x.x * ((double)y.y * (double)z.z - (double)y.z * (double)z.y) +
            (double)x.y * ((double)y.z * (double)z.x - (double)y.x * (double)z.z) +
            (double)x.z * ((double)y.x * (double)z.y - (double)y.y * (double)z.x)) /
           6.0;
}

/// Quads as the mean of both ways to cut them, the two ends closed by fans to their means.
static double tgMeasure(const tgShape* tube, const tgVec3* p)
{
    double sum = 0.0;
    const int* c = tube->faceVertices;
    tgVec3 means[2] = {{0}};
    for (int k = 0; k < tg_around; ++k) {
        means[0] = tgMulAdd(means[0], 1.0f / tg_around, p[k]);
        means[1] = tgMulAdd(means[1], 1.0f / tg_around, p[tube->vertexCount - 1 - k]);
    }
    for (int f = 0; f < tube->faceCount; ++f, c += 4) {
        for (int k = 0; k < 4; ++k) {
            int a = c[k], b = c[(k + 1) % 4];
            sum += 0.5 * tgCone(p[a], p[b], p[c[(k + 2) % 4]]);
            bool isFirst = a < tg_around && b < tg_around;
            bool isLast = a >= tube->vertexCount - tg_around && b >= tube->vertexCount - tg_around;
            sum += isFirst || isLast ? tgCone(p[b], p[a], means[isLast]) : 0.0;
        }
    }
    return sum;
}

typedef struct tgTrial {
    tgShape tube;
    tgRig* rig;
    tgInstance* instance;
    tgVec3* out;
} tgTrial;

static tgTrial tgBeginTrial(const tgVolumeDef* volume)
{
    tgTrial run = {.tube = tgMakeTube(tg_around, tg_rings, tg_length, 3.0f, 5.0f, true)};
    tgRigDef def = tgShape_GetRigDef(&run.tube);
    tgError error = {0};
    def.volume = *volume;
    run.rig = tgCreateRig(&def, &error);
    if (run.rig == NULL) {
        print_error("%s\n", error.message);
    }
    assert_non_null(run.rig);
    tgInstanceDef instanceDef = tgDefaultInstanceDef();
    run.instance = tgCreateInstance(run.rig, &instanceDef, NULL);
    run.out = calloc((size_t)run.tube.vertexCount, sizeof(tgVec3));
    tgMat34 joints[2];
    tgBendTube(&run.tube, tg_length, 0.0f, 75.0 * tg_pi / 180.0, joints);
    tgPose pose = {.joints = joints, .jointCount = 2, .time = 1.0f};
    tgVec3Span out = {&run.out->x, run.tube.vertexCount, sizeof(tgVec3)};
    assert_int_equal(tgInstance_Deform(run.instance, &pose, out, (tgVec3Span){0}, NULL),
                     tg_success);
    return run;
}

static void tgEndTrial(tgTrial* run)
{
    free(run->out);
    tgDestroyInstance(run->instance);
    tgDestroyRig(run->rig);
    tgFreeShape(&run->tube);
}

/// 1 on the side z > 0 of the tube, 0 on the other.
static float* tgPaintHalf(void)
{
    tgShape tube = tgMakeTube(tg_around, tg_rings, tg_length, 3.0f, 5.0f, true);
    float* paint = calloc((size_t)tube.vertexCount, sizeof(float));
    for (int v = 0; v < tube.vertexCount; ++v) {
        paint[v] = tube.positions[v].z > 0.01f ? 1.0f : 0.0f;
    }
    tgFreeShape(&tube);
    return paint;
}

static tgVolumeDef tgMakeVolume(tgVolumeMethod method)
{
    tgVolumeDef volume = tgDefaultRigDef().volume;
    volume.method = method;
    volume.contact = tg_contactOff; // it moves skin, painted or not
    return volume;
}

/// Ways to keep the volume, all of which go by the paint.
typedef struct tgWay {
    const char* name;
    tgVolumeMethod method;
    tgVolumeMode mode;
    tgProfileKind kind;
    tgLocalScope scope;
    tgLocalMap map;
    float scale; ///< of the volume to keep
} tgWay;

static const tgWay tg_ways[] = {
    {"organic", tg_volumeExact, tg_modeExact, tg_profileOrganic, 0, 0, 1.0f},
    {"organic, breathing", tg_volumeExact, tg_modeExact, tg_profileOrganic, 0, 0, 1.03f},
    {"rubber", tg_volumeExact, tg_modeExact, tg_profileRubber, 0, 0, 1.0f},
    {"isotropic", tg_volumeExact, tg_modeExact, tg_profileIsotropic, 0, 0, 1.0f},
    {"paper", tg_volumeExact, tg_modePaper, tg_profileIsotropic, 0, 0, 1.0f},
    {"local", tg_volumeLocal, tg_modeExact, 0, tg_scopeRegions, tg_mapOrganic, 1.0f},
    {"local, rubber", tg_volumeLocal, tg_modeExact, 0, tg_scopeRegions, tg_mapRubber, 1.0f},
    {"local, global", tg_volumeLocal, tg_modeExact, 0, tg_scopeGlobal, tg_mapUniform, 1.0f},
    {"local, breathing", tg_volumeLocal, tg_modeExact, 0, tg_scopeRegions, tg_mapOrganic, 1.03f},
};

enum { tg_wayCount = sizeof(tg_ways) / sizeof(tg_ways[0]) };

static void test_only_painted_skin_moves(void** state)
{
    (void)state;
    float* paint = tgPaintHalf();
    tgVolumeDef none = tgMakeVolume(tg_volumeNone);
    tgTrial plain = tgBeginTrial(&none);
    for (int w = 0; w < tg_wayCount; ++w) {
        const tgWay* way = &tg_ways[w];
        tgVolumeDef volume = tgMakeVolume(way->method);
        tgProfile profile = tgDefaultProfile(way->kind);
        const tgVolumeKey key = {0.0f, way->scale};
        volume.mode = way->mode;
        volume.profiles = &profile;
        volume.profileCount = 1;
        volume.local.scope = way->scope;
        volume.local.map = way->map;
        volume.local.exact = true;
        volume.local.repeats = 2;
        volume.targetKeys = &key;
        volume.targetKeyCount = way->scale != 1.0f;
        volume.paint = paint;
        tgTrial run = tgBeginTrial(&volume);
        int moved = 0;
        for (int v = 0; v < run.tube.vertexCount; ++v) {
            bool isSame = memcmp(&run.out[v], &plain.out[v], sizeof(tgVec3)) == 0;
            if (paint[v] == 0.0f && !isSame) {
                print_error("%s: vertex %d moved\n", way->name, v);
            }
            assert_true(isSame || paint[v] > 0.0f);
            moved += !isSame;
        }
        assert_true(moved > run.tube.vertexCount / 16);
        tgVolumeReport report = tgInstance_MeasureVolume(run.instance);
        CHECK_NEAR(report.result / report.target, 1.0, 1e-6);
        // By a sum of its own: so much more than plain skinning left.
        double gained = tgMeasure(&run.tube, run.out) - tgMeasure(&run.tube, plain.out);
        tgVolumeReport before = tgInstance_MeasureVolume(plain.instance);
        double missing = report.target - before.result;
        assert_true(missing > 0.01 * report.rest);
        CHECK_NEAR(gained, missing, 1e-5 * report.rest);
        tgEndTrial(&run);
    }
    tgEndTrial(&plain);
    free(paint);
}

/// A paint of 1 is none at all.
static void test_full_paint_changes_nothing(void** state)
{
    (void)state;
    enum { tg_most = tg_around * tg_rings };
    float ones[tg_most];
    for (int v = 0; v < tg_most; ++v) {
        ones[v] = 1.0f;
    }
    for (int method = tg_volumeExact; method <= tg_volumeLocal; ++method) {
        tgVolumeDef volume = tgMakeVolume((tgVolumeMethod)method);
        tgTrial plain = tgBeginTrial(&volume);
        volume.paint = ones;
        const tgJointPaint entry = {1, ones};
        volume.jointPaints = &entry;
        volume.jointPaintCount = 1;
        tgTrial painted = tgBeginTrial(&volume);
        assert_memory_equal(painted.out, plain.out, tg_most * sizeof(tgVec3));
        tgEndTrial(&plain);
        tgEndTrial(&painted);
    }
}

/// What is sampled is the support or the profile times the paint, of each joint its own.
static void test_gamma_is_painted(void** state)
{
    (void)state;
    enum { tg_most = tg_around * tg_rings };
    float paint[tg_most], plainGamma[tg_most], gamma[tg_most];
    for (int v = 0; v < tg_most; ++v) {
        paint[v] = (float)(v % 5) / 4.0f;
    }
    for (int way = 0; way < 4; ++way) {
        tgVolumeDef volume = tgMakeVolume(tg_volumeExact);
        tgProfile profile = tgDefaultProfile(tg_profileIsotropic);
        volume.profiles = &profile;
        volume.profileCount = way % 2;
        tgTrial plain = tgBeginTrial(&volume);
        assert_int_equal(tgInstance_SampleGamma(plain.instance, 1, plainGamma, NULL), tg_success);
        const tgJointPaint entry = {1, paint};
        volume.paint = way < 2 ? paint : NULL;
        volume.jointPaints = &entry;
        volume.jointPaintCount = way < 2 ? 0 : 1;
        tgTrial painted = tgBeginTrial(&volume);
        assert_int_equal(tgInstance_SampleGamma(painted.instance, 1, gamma, NULL), tg_success);
        for (int v = 0; v < tg_most; ++v) {
            CHECK_NEAR(gamma[v], plainGamma[v] * paint[v], 3e-5);
        }
        tgEndTrial(&plain);
        tgEndTrial(&painted);
    }
}

static void tgPoseSpine(const tgVolumeDef* volume, int bent, tgVec3* out)
{
    tgShape spine = tgMakeSpine(0.0f);
    tgRigDef def = tgShape_GetRigDef(&spine);
    def.volume = *volume;
    tgRig* rig = tgCreateRig(&def, NULL);
    tgInstanceDef instanceDef = tgDefaultInstanceDef();
    tgInstance* instance = tgCreateInstance(rig, &instanceDef, NULL);
    double angles[tg_spineJoints] = {0};
    tgMat34 joints[tg_spineJoints];
    angles[bent] = 1.2;
    tgBendSpine(&spine, angles, joints);
    tgPose pose = {.joints = joints, .jointCount = tg_spineJoints};
    tgVec3Span span = {&out->x, spine.vertexCount, sizeof(tgVec3)};
    assert_int_equal(tgInstance_Deform(instance, &pose, span, (tgVec3Span){0}, NULL), tg_success);
    tgDestroyInstance(instance);
    tgDestroyRig(rig);
    tgFreeShape(&spine);
}

/// A paint of one joint holds what that joint gives back, and leaves the others alone.
static void test_joints_have_paints_of_their_own(void** state)
{
    (void)state;
    enum { tg_most = tg_spineAround * tg_spineRings };
    static tgVec3 plain[tg_most], out[tg_most];
    float paint[tg_most];
    for (int v = 0; v < tg_most; ++v) {
        paint[v] = v % tg_spineAround < tg_spineAround / 2 ? 1.0f : 0.0f;
    }
    const tgJointPaint entry = {1, paint};
    for (int method = tg_volumeExact; method <= tg_volumeLocal; ++method) {
        for (int bent = 1; bent <= 3; bent += 2) {
            tgVolumeDef volume = tgMakeVolume(tg_volumeNone);
            tgPoseSpine(&volume, bent, plain);
            volume = tgMakeVolume((tgVolumeMethod)method);
            volume.local.edges = tg_edgesStill;
            volume.jointPaints = &entry;
            volume.jointPaintCount = 1;
            tgPoseSpine(&volume, bent, out);
            int moved = 0;
            for (int v = 0; v < tg_most; ++v) {
                // With the local method the paint is that of the joint's region.
                bool isHeld =
                    paint[v] == 0.0f && (method == tg_volumeExact ||
                                         (v / tg_spineAround > 18 && v / tg_spineAround < 27));
                moved += isHeld && memcmp(&out[v], &plain[v], sizeof(tgVec3)) != 0;
            }
            bool isPainted = bent == 1;
            assert_true(isPainted ? moved == 0 : method == tg_volumeLocal || moved > 0);
        }
    }
}

/// Nowhere to go: the skin stays, and the report says what is missing.
static void test_nothing_painted(void** state)
{
    (void)state;
    enum { tg_most = tg_around * tg_rings };
    float none[tg_most] = {0};
    tgVolumeDef volume = tgMakeVolume(tg_volumeNone);
    tgTrial plain = tgBeginTrial(&volume);
    for (int method = tg_volumeExact; method <= tg_volumeLocal; ++method) {
        volume = tgMakeVolume((tgVolumeMethod)method);
        volume.paint = none;
        volume.local.exact = true;
        tgTrial held = tgBeginTrial(&volume);
        assert_memory_equal(held.out, plain.out, tg_most * sizeof(tgVec3));
        tgVolumeReport report = tgInstance_MeasureVolume(held.instance);
        double missing = report.target - report.result;
        assert_true(missing > 0.01 * report.rest);
        CHECK_NEAR(tgInstance_GetReport(held.instance).residual, missing, 1e-5 * report.rest);
        tgEndTrial(&held);
    }
    tgEndTrial(&plain);
}

static void test_refusals(void** state)
{
    (void)state;
    enum { tg_most = tg_around * tg_rings };
    static const float bad[3] = {-0.1f, 1.5f, NAN};
    float paint[tg_most] = {0};
    tgShape tube = tgMakeTube(tg_around, tg_rings, tg_length, 3.0f, 5.0f, true);
    for (int i = 0; i < 3; ++i) {
        tgRigDef def = tgShape_GetRigDef(&tube);
        tgError error = {0};
        paint[17] = bad[i];
        def.volume.paint = paint;
        assert_null(tgCreateRig(&def, &error));
        assert_int_equal(error.code, tg_invalidArgument);
        assert_int_equal(error.index, 17);
        CHECK_CONTAINS(error.message, "at vertex 17, wanted 0 to 1");
    }
    const tgJointPaint entries[2] = {{2, paint}, {1, NULL}};
    for (int i = 0; i < 2; ++i) {
        tgRigDef def = tgShape_GetRigDef(&tube);
        tgError error = {0};
        def.volume.jointPaints = &entries[i];
        def.volume.jointPaintCount = 1;
        assert_null(tgCreateRig(&def, &error));
        CHECK_CONTAINS(error.message, "the skeleton has 2 joints");
    }
    tgFreeShape(&tube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_only_painted_skin_moves),
        cmocka_unit_test(test_full_paint_changes_nothing),
        cmocka_unit_test(test_gamma_is_painted),
        cmocka_unit_test(test_joints_have_paints_of_their_own),
        cmocka_unit_test(test_nothing_painted),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
