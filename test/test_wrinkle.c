// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Wrinkles: a strip that a joint compresses keeps its own length, measured along its vertices; none
// at rest, to the bit; smooth in the pose; and the volume is kept with them.

#include "check.h"
#include "shapes.h"

enum { tg_around = 16, tg_rings = 601 };
static const float tg_length = 12.0f;

typedef struct tgTrial {
    tgShape tube;
    tgRig* rig;
    tgInstance* instance;
    tgVec3* out;
} tgTrial;

static tgTrial tgOpen(float from, float to, bool smooth, const tgWrinkle* wrinkle,
                      const tgVolumeDef* volume)
{
    tgTrial trial = {.tube = tgMakeTube(tg_around, tg_rings, tg_length, from, to, smooth)};
    tgRigDef def = tgShape_GetRigDef(&trial.tube);
    tgError error = {0};
    if (volume != NULL) {
        def.volume = *volume;
    }
    def.wrinkles.wrinkles = wrinkle;
    def.wrinkles.wrinkleCount = wrinkle != NULL;
    trial.rig = tgCreateRig(&def, &error);
    if (trial.rig == NULL) {
        print_error("%s\n", error.message);
    }
    assert_non_null(trial.rig);
    tgInstanceDef instanceDef = tgDefaultInstanceDef();
    trial.instance = tgCreateInstance(trial.rig, &instanceDef, NULL);
    trial.out = calloc((size_t)trial.tube.vertexCount, sizeof(tgVec3));
    return trial;
}

static void tgShut(tgTrial* trial)
{
    free(trial->out);
    tgDestroyInstance(trial->instance);
    tgDestroyRig(trial->rig);
    tgFreeShape(&trial->tube);
}

/// The second joint bends by an angle and slides along the tube.
static void tgPoseTube(tgTrial* trial, double angle, float slide)
{
    tgMat34 joints[2];
    tgBendTube(&trial->tube, tg_length, 0.0f, angle, joints);
    joints[1].origin.x += slide;
    tgPose pose = {.joints = joints, .jointCount = 2};
    tgVec3Span out = {&trial->out->x, trial->tube.vertexCount, sizeof(tgVec3)};
    assert_int_equal(tgInstance_Deform(trial->instance, &pose, out, (tgVec3Span){0}, NULL),
                     tg_success);
}

/// Along vertices of one line of the tube, between two places at rest.
static double tgMeasureLine(const tgShape* tube, const tgVec3* p, int line, float from, float to)
{
    double sum = 0.0;
    for (int ring = 0; ring + 1 < tg_rings; ++ring) {
        int a = tg_around * ring + line, b = a + tg_around;
        if (tube->positions[a].x >= from && tube->positions[b].x <= to) {
            double x = (double)p[b].x - (double)p[a].x, y = (double)p[b].y - (double)p[a].y;
            double z = (double)p[b].z - (double)p[a].z;
            sum += sqrt(x * x + y * y + z * z);
        }
    }
    return sum;
}

static tgWrinkle tgMakeWrinkle(int count, float length)
{
    tgWrinkle wrinkle = tgDefaultWrinkle(1);
    wrinkle.count = count;
    wrinkle.length = length / (0.5f * tg_length);
    return wrinkle;
}

/// A child that slides towards its parent compresses the ramp of the weights evenly, by c: without
/// waves the strip is 1 - c as long, with them it has its length, within half a percent.
static void test_strip_keeps_its_length(void** state)
{
    (void)state;
    tgWrinkle wrinkle = tgMakeWrinkle(16, 8.0f);
    tgTrial trial = tgOpen(2.0f, 10.0f, false, &wrinkle, NULL);
    tgTrial plain = tgOpen(2.0f, 10.0f, false, NULL, NULL);
    double worst = 0.0;
    for (int percent = 1; percent <= 25; ++percent) {
        double c = 0.01 * percent;
        tgPoseTube(&trial, 0.0, (float)(-8.0 * c));
        tgPoseTube(&plain, 0.0, (float)(-8.0 * c));
        for (int line = 0; line < tg_around; line += 3) {
            // The ends, where waves fade out, left out.
            const tgVec3* rest = trial.tube.positions;
            double wanted = tgMeasureLine(&trial.tube, rest, line, 3.0f, 9.0f);
            double bare = tgMeasureLine(&plain.tube, plain.out, line, 3.0f, 9.0f);
            double found = tgMeasureLine(&trial.tube, trial.out, line, 3.0f, 9.0f);
            CHECK_NEAR(bare / wanted, 1.0 - c, 1e-4);
            worst = fmax(worst, fabs(found / wanted - 1.0));
        }
    }
    CHECK_AT_MOST(worst, 0.006);
    tgShut(&trial);
    tgShut(&plain);
}

/// To first order A = 2 sqrt(c / (1 - c)) / k, with k the wave number of the compressed strip.
static void test_amplitude(void** state)
{
    (void)state;
    tgWrinkle wrinkle = tgMakeWrinkle(16, 8.0f);
    tgTrial trial = tgOpen(2.0f, 10.0f, false, &wrinkle, NULL);
    for (int percent = 5; percent <= 20; percent += 5) {
        double c = 0.01 * percent, k = 6.283185307179586 / 0.5 / (1.0 - c);
        tgPoseTube(&trial, 0.0, (float)(-8.0 * c));
        double highest = 0.0;
        for (int v = 0; v < trial.tube.vertexCount; ++v) {
            double y = (double)trial.out[v].y, z = (double)trial.out[v].z;
            highest = fmax(highest, sqrt(y * y + z * z) - 1.0);
        }
        double first = 2.0 * sqrt(c / (1.0 - c)) / k, e = c / (1.0 - c);
        double taken = c * c / (c * c + 1e-4); // half a percent goes without a wave
        CHECK_NEAR(highest / first, sqrt(taken + 0.75 * e * taken * taken), 0.02);
    }
    tgShut(&trial);
}

/// On a bend: the inner side, which plain skinning shortens, is nearly as long as at rest; the
/// outer side, which is stretched, has no wrinkle at all.
static void test_bend(void** state)
{
    (void)state;
    tgWrinkle wrinkle = tgMakeWrinkle(12, 8.0f);
    tgTrial trial = tgOpen(2.0f, 10.0f, true, &wrinkle, NULL);
    tgTrial plain = tgOpen(2.0f, 10.0f, true, NULL, NULL);
    tgPoseTube(&trial, 1.0, 0.0f);
    tgPoseTube(&plain, 1.0, 0.0f);
    double shortest = 1.0, wrinkled = 0.0;
    int inner = 0, outer = 0;
    for (int line = 0; line < tg_around; ++line) {
        double wanted = tgMeasureLine(&trial.tube, trial.tube.positions, line, 3.0f, 9.0f);
        double bare = tgMeasureLine(&plain.tube, plain.out, line, 3.0f, 9.0f) / wanted;
        double found = tgMeasureLine(&trial.tube, trial.out, line, 3.0f, 9.0f) / wanted;
        if (bare < shortest) {
            shortest = bare;
            wrinkled = found;
            inner = line;
        }
    }
    outer = (inner + tg_around / 2) % tg_around;
    CHECK_AT_MOST(shortest, 0.9);
    CHECK_NEAR(wrinkled, 1.0, 0.01);
    for (int ring = 0; ring < tg_rings; ++ring) {
        int v = tg_around * ring + outer;
        assert_memory_equal(&trial.out[v], &plain.out[v], sizeof(tgVec3));
    }
    tgShut(&trial);
    // Only one side, where only that is asked for.
    wrinkle.side = tg_wrinkleOuter;
    trial = tgOpen(2.0f, 10.0f, true, &wrinkle, NULL);
    tgPoseTube(&trial, 1.0, 0.0f);
    for (int ring = 0; ring < tg_rings; ++ring) {
        int v = tg_around * ring + inner;
        assert_memory_equal(&trial.out[v], &plain.out[v], sizeof(tgVec3));
    }
    tgShut(&trial);
    wrinkle.side = tg_wrinkleInner;
    trial = tgOpen(2.0f, 10.0f, true, &wrinkle, NULL);
    tgPoseTube(&trial, 1.0, 0.0f);
    double found = tgMeasureLine(&trial.tube, trial.out, inner, 3.0f, 9.0f);
    CHECK_NEAR(found / 6.0, wrinkled, 0.005);
    tgShut(&trial);
    tgShut(&plain);
}

static void test_none_at_rest(void** state)
{
    (void)state;
    tgWrinkle wrinkle = tgMakeWrinkle(12, 8.0f);
    tgTrial trial = tgOpen(2.0f, 10.0f, true, &wrinkle, NULL);
    tgPoseTube(&trial, 0.0, 0.0f);
    assert_memory_equal(trial.out, trial.tube.positions,
                        (size_t)trial.tube.vertexCount * sizeof(tgVec3));
    // And after a bend, too.
    tgPoseTube(&trial, 0.8, 0.0f);
    tgPoseTube(&trial, 0.0, 0.0f);
    assert_memory_equal(trial.out, trial.tube.positions,
                        (size_t)trial.tube.vertexCount * sizeof(tgVec3));
    tgShut(&trial);
}

/// The largest second difference of what wrinkles move, over the step: it goes to 0 with the step
/// when the first derivative has no jump.
static double tgFindJump(tgTrial* trial, tgTrial* plain, double step)
{
    double most = 0.0;
    size_t count = (size_t)trial->tube.vertexCount;
    tgVec3* moved[3];
    for (int i = 0; i < 3; ++i) {
        moved[i] = calloc(count, sizeof(tgVec3));
    }
    int frame = 0;
    for (double angle = -0.06; angle <= 0.06; angle += step, ++frame) {
        tgPoseTube(trial, angle, 0.0f);
        tgPoseTube(plain, angle, 0.0f);
        for (size_t v = 0; v < count; ++v) {
            moved[frame % 3][v] = tgSub(trial->out[v], plain->out[v]);
        }
        for (size_t v = 0; v < count && frame >= 2; ++v) {
            tgVec3 twice = tgMulSV(2.0f, moved[(frame - 1) % 3][v]);
            tgVec3 other = tgAdd(moved[frame % 3][v], moved[(frame - 2) % 3][v]);
            most = fmax(most, (double)tgLength(tgSub(other, twice)) / step);
        }
    }
    for (int i = 0; i < 3; ++i) {
        free(moved[i]);
    }
    return most;
}

static void test_smooth_in_the_pose(void** state)
{
    (void)state;
    tgWrinkle wrinkle = tgMakeWrinkle(8, 8.0f);
    wrinkle.side = tg_wrinkleInner; // the side changes at rest
    tgTrial trial = tgOpen(2.0f, 10.0f, true, &wrinkle, NULL);
    tgTrial plain = tgOpen(2.0f, 10.0f, true, NULL, NULL);
    double coarse = tgFindJump(&trial, &plain, 0.02), fine = tgFindJump(&trial, &plain, 0.005);
    assert_true(coarse > 0.0);
    CHECK_AT_MOST(fine, 0.75 * coarse);
    tgShut(&trial);
    tgShut(&plain);
}

static void test_volume_is_kept(void** state)
{
    (void)state;
    static const struct {
        tgVolumeMethod method;
        tgVolumeMode mode;
        tgSkinning skinning;
    } ways[] = {{tg_volumeExact, tg_modeExact, tg_linear},
                {tg_volumeExact, tg_modePaper, tg_linear},
                {tg_volumeLocal, tg_modeExact, tg_linear}};
    for (int w = 0; w < 3; ++w) {
        tgVolumeDef volume = tgDefaultRigDef().volume;
        tgProfile profile = tgDefaultProfile(tg_profileIsotropic);
        volume.method = ways[w].method;
        volume.mode = ways[w].mode;
        volume.profiles = &profile;
        volume.profileCount = ways[w].mode == tg_modePaper;
        volume.local.exact = true;
        tgWrinkle wrinkle = tgMakeWrinkle(12, 8.0f);
        tgTrial trial = tgOpen(2.0f, 10.0f, true, &wrinkle, &volume);
        tgTrial plain = tgOpen(2.0f, 10.0f, true, NULL, &volume);
        tgPoseTube(&trial, 1.2, 0.0f);
        tgPoseTube(&plain, 1.2, 0.0f);
        tgVolumeReport report = tgInstance_MeasureVolume(trial.instance);
        CHECK_NEAR(report.result / report.rest, 1.0, 1e-6);
        double most = 0.0;
        for (int v = 0; v < trial.tube.vertexCount; ++v) {
            most = fmax(most, (double)tgDistance(trial.out[v], plain.out[v]));
        }
        assert_true(most > 0.03); // they show
        tgShut(&trial);
        tgShut(&plain);
    }
}

static void test_depth(void** state)
{
    (void)state;
    tgWrinkle wrinkle = tgMakeWrinkle(4, 8.0f);
    double highest[2] = {0.0, 0.0};
    for (int i = 0; i < 2; ++i) {
        wrinkle.depth = i == 0 ? 0.0f : 0.02f; // of a bone of 6
        tgTrial trial = tgOpen(2.0f, 10.0f, false, &wrinkle, NULL);
        tgPoseTube(&trial, 0.0, -2.0f);
        for (int v = 0; v < trial.tube.vertexCount; ++v) {
            double y = (double)trial.out[v].y, z = (double)trial.out[v].z;
            highest[i] = fmax(highest[i], sqrt(y * y + z * z) - 1.0);
        }
        tgShut(&trial);
    }
    assert_true(highest[0] > 0.25);
    CHECK_NEAR(highest[1], 0.12, 0.001);
}

/// Automatic ones fit the mesh: none where it has too few vertices.
static void test_automatic(void** state)
{
    (void)state;
    for (int rings = 13; rings <= 601; rings += 588) {
        tgShape tube = tgMakeTube(tg_around, rings, tg_length, 5.0f, 7.0f, true);
        tgRigDef def = tgShape_GetRigDef(&tube);
        def.wrinkles.automatic = true;
        tgRig* rig = tgCreateRig(&def, NULL);
        assert_non_null(rig);
        assert_int_equal(tgRig_GetWrinkleCount(rig), rings > 100 ? 1 : 0);
        tgWrinkleInfo info = tgRig_GetWrinkleInfo(rig, 0);
        if (rings > 100) {
            assert_int_equal(info.joint, 1);
            assert_true(info.isAutomatic && info.count >= 3 && info.verticesPerWave >= 6.0f);
            assert_true(info.vertexCount > 1000);
        } else {
            assert_int_equal(info.joint, -1);
        }
        tgDestroyRig(rig);
        tgFreeShape(&tube);
    }
}

static void test_refusals(void** state)
{
    (void)state;
    tgShape tube = tgMakeTube(8, 9, tg_length, 5.0f, 7.0f, true);
    static const struct {
        int joint, count;
        float depth, length;
        const char* message;
    } cases[] = {
        {0, 4, 0.0f, 0.0f, "wrinkles at joint 0, wanted one with a parent"},
        {2, 4, 0.0f, 0.0f, "wrinkles at joint 2, wanted one"},
        {1, 0, 0.0f, 0.0f, "0 wrinkles at joint 1"},
        {1, 65, 0.0f, 0.0f, "wanted 1 to 64"},
        {1, 4, -1.0f, 0.0f, "depth -1"},
        {1, 4, 0.0f, NAN, "wanted 0 or more"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        tgRigDef def = tgShape_GetRigDef(&tube);
        tgWrinkle wrinkle = tgDefaultWrinkle(cases[i].joint);
        tgError error = {0};
        wrinkle.count = cases[i].count;
        wrinkle.depth = cases[i].depth;
        wrinkle.length = cases[i].length;
        def.wrinkles = (tgWrinklesDef){&wrinkle, 1, false};
        assert_null(tgCreateRig(&def, &error));
        CHECK_CONTAINS(error.message, cases[i].message);
    }
    tgRigDef def = tgShape_GetRigDef(&tube);
    tgWrinkle twice[2] = {tgDefaultWrinkle(1), tgDefaultWrinkle(1)};
    tgError error = {0};
    def.wrinkles = (tgWrinklesDef){twice, 2, false};
    assert_null(tgCreateRig(&def, &error));
    CHECK_CONTAINS(error.message, "twice");
    twice[0].cookie = 0;
    assert_null(tgCreateRig(&def, &error));
    CHECK_CONTAINS(error.message, "tgDefaultWrinkle");
    tgFreeShape(&tube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strip_keeps_its_length),
        cmocka_unit_test(test_amplitude),
        cmocka_unit_test(test_bend),
        cmocka_unit_test(test_none_at_rest),
        cmocka_unit_test(test_smooth_in_the_pose),
        cmocka_unit_test(test_volume_is_kept),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_automatic),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
