// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Shape, contact and volume together, as a frame has them: how deep inner and outer skin lie at a
// bend, no triangles through each other on limbs, no more in a fist, no jumps of slopes, and
// nothing at all where weights are all or nothing.

#include "contact_stage.h"

#include <string.h>

static const tgVec3 tg_turnAxis = {0.0f, 0.0f, 1.0f};

/// As the preset `anatomic` has it.
static tgProfile tgMakeAnatomic(void)
{
    tgProfile profile = tgDefaultProfile(tg_profileOrganic);
    profile.drift = 0.8f;
    return profile;
}

/// @param profile NULL: by default
static tgVolumeDef tgMakeKept(const tgProfile* profile)
{
    tgVolumeDef volume = tgMakeVolume(tg_volumeExact, true);
    volume.profiles = profile;
    volume.profileCount = profile != NULL ? 1 : 0;
    return volume;
}

static tgScene* tgMakeTube(float blendLength, float boneOffset, bool uneven)
{
    tgScene* tube = tgMakeLongTube(48, 81, blendLength, boneOffset, true);
    return uneven ? tgRoughen(tube) : tube;
}

// ---- depth --------------------------------------------------------------------------------------

/// How far from the bone skin lies in the bisecting plane, to the inner side.
static double tgGetDepth(const tgStage* stage, bool isInner, double degrees)
{
    const tgScene* scene = stage->scene;
    tgVec3 origin = scene->joints[1].restJoint.origin;
    tgVec3 wanted = tgAdd(origin, tgMakeVec3(0.0f, isInner ? 1.0f : -1.0f, 0.0f));
    int best = 0;
    for (int v = 0; v < scene->vertexCount; ++v) {
        if (tgDistance(scene->positions[v], wanted) < tgDistance(scene->positions[best], wanted)) {
            best = v;
        }
    }
    assert_true(tgDistance(scene->positions[best], wanted) < 1e-3f);
    double half = 0.5 * degrees * 3.14159265358979323846 / 180.0;
    tgVec3 way = tgSub(stage->out[best], origin);
    return -sin(half) * (double)way.x + cos(half) * (double)way.y;
}

/// A tube whose weights pass over 2 radii. The reference is the closed form at amplitude 0.8 and
/// the volume stage after it, both by programs of their own in double: a mesh of 81 x 48 vertices,
/// the displacement of test_anatomy.c times 0.8, linear blend, clamp, then supports by two screened
/// Poisson solves, three rounds of swells with rho 0.12 and the cubic that meets the volume.
static void tgTestDepth(void** state)
{
    (void)state;
    static const struct {
        double degrees, inner, outer;
    } reference[] = {{30, 1.1181, -0.8666},
                     {60, 1.1527, -0.7456},
                     {90, 1.0567, -0.6235},
                     {120, 0.8129, -0.4651}};
    tgProfile profile = tgMakeAnatomic();
    tgVolumeDef kept = tgMakeKept(&profile);
    tgStage stage = tgStageScene(tgMakeTube(2.0f, 0.0f, false), tg_linear, &kept, tg_simdBest);
    for (int i = 0; i < 4; ++i) {
        tgBendJoint(&stage, 1, tg_turnAxis, reference[i].degrees);
        double inner = tgGetDepth(&stage, true, reference[i].degrees);
        double outer = tgGetDepth(&stage, false, reference[i].degrees);
        print_message("%g degrees: inner skin at %.3f radii, reference %.3f; outer %.3f, %.3f\n",
                      reference[i].degrees, inner, reference[i].inner, outer, reference[i].outer);
        CHECK_NEAR(inner, reference[i].inner, 0.08);
        CHECK_NEAR(outer, reference[i].outer, 0.08);
        CHECK_AT_MOST(tgGetVolumeError(&stage), 1e-6);
    }
    tgFreeStage(&stage);
}

// ---- crossings ----------------------------------------------------------------------------------

/// Bends a joint to 150 degrees; the most pairs of triangles that cross and did not at rest.
static int tgGetMostPairs(tgStage* stage, int joint, tgVec3 axis, double* at)
{
    int most = 0;
    *at = 0.0;
    for (int degrees = 0; degrees <= 150; degrees += 10) {
        tgBendJoint(stage, joint, axis, degrees);
        int pairs = tgCountPairs(stage);
        *at = pairs > most ? degrees : *at;
        most = pairs > most ? pairs : most;
        CHECK_AT_MOST(tgGetVolumeError(stage), 1e-6);
    }
    return most;
}

/// By default and anatomic, linear and by dual quaternions.
static tgSkinning tgPickWay(int way, tgProfile* profile)
{
    *profile = way & 1 ? tgMakeAnatomic() : tgDefaultProfile(tg_profileOrganic);
    return (tgSkinning)(way >> 1 & 1);
}

static void tgTestTubes(void** state)
{
    (void)state;
    static const float lengths[] = {0.5f, 1.0f, 2.0f, 4.0f};
    int missed = 0;
    for (int i = 0; i < 32; ++i) {
        tgProfile profile;
        tgSkinning skinning = tgPickWay(i, &profile);
        tgVolumeDef kept = tgMakeKept(&profile);
        float length = lengths[i >> 2 & 3], offset = i >> 4 ? 0.4f : 0.0f;
        double at;
        tgStage stage =
            tgStageScene(tgMakeTube(length, offset, true), skinning, &kept, tg_simdBest);
        int pairs = tgGetMostPairs(&stage, 1, tg_turnAxis, &at);
        print_message("tube, weights over %.1f radii, bone %.1f below, %s, skinning %d: at most %d "
                      "pairs at %g degrees\n",
                      (double)length, (double)offset, i & 1 ? "anatomic" : "default", skinning,
                      pairs, at);
        missed += pairs > 0;
        tgFreeStage(&stage);
    }
    assert_int_equal(missed, 0);
}

static void tgTestLimbs(void** state)
{
    (void)state;
    static const struct {
        const char *model, *joint;
        tgVec3 axis;
    } limbs[] = {
        {"cylinder", NULL, {0.0f, 0.0f, 1.0f}},    {"finger", "proximal", {0.0f, 0.0f, -1.0f}},
        {"finger", "middle", {0.0f, 0.0f, -1.0f}}, {"finger", "distal", {0.0f, 0.0f, -1.0f}},
        {"arm", "forearm", {0.0f, 0.0f, 1.0f}},
    };
    int missed = 0;
    for (int i = 0; i < 20; ++i) {
        tgProfile profile;
        tgSkinning skinning = tgPickWay(i, &profile);
        tgVolumeDef kept = tgMakeKept(&profile);
        tgStage stage = tgMakeStage(limbs[i / 4].model, 0, skinning, &kept, tg_simdBest);
        const char* name = limbs[i / 4].joint;
        double at;
        int joint = name != NULL ? tgScene_FindJoint(stage.scene, name) : 1;
        int pairs = tgGetMostPairs(&stage, joint, limbs[i / 4].axis, &at);
        print_message("%s %s, %s, skinning %d: at most %d pairs at %g degrees\n",
                      limbs[i / 4].model, name != NULL ? name : "", i & 1 ? "anatomic" : "default",
                      skinning, pairs, at);
        missed += pairs > 0;
        tgFreeStage(&stage);
    }
    assert_int_equal(missed, 0);
}

/// The embedded hand from open to fist, in three poses. What is left is skin of fingers that lie
/// side by side or on the palm, which are no neighbours: fewer than plain skinning has.
static void tgTestFist(void** state)
{
    (void)state;
    tgVolumeDef none = tgMakeVolume(tg_volumeNone, false);
    int missed = 0;
    for (int way = 0; way < 4; ++way) {
        tgProfile profile;
        tgSkinning skinning = tgPickWay(way, &profile);
        tgVolumeDef kept = tgMakeKept(&profile);
        tgStage plain = tgMakeStage("hand", 0, skinning, &none, tg_simdBest);
        tgStage stage = tgMakeStage("hand", 0, skinning, &kept, tg_simdBest);
        double end = stage.scene->animations[0].end;
        int pairs[2] = {0, 0};
        for (int i = 1; i <= 3; ++i) {
            tgPlayAnimation(&plain, end * i / 6.0);
            tgPlayAnimation(&stage, end * i / 6.0);
            pairs[0] += tgCountPairs(&plain);
            pairs[1] += tgCountPairs(&stage);
        }
        print_message("fist, %s, skinning %d: %d pairs, plain %d\n",
                      way & 1 ? "anatomic" : "default", skinning, pairs[1], pairs[0]);
        missed += pairs[1] > pairs[0];
        tgFreeStage(&plain);
        tgFreeStage(&stage);
    }
    assert_int_equal(missed, 0);
}

// ---- slopes -------------------------------------------------------------------------------------

/// From one side to the other in steps of a quarter of a degree: the largest change of a vertex's
/// step over the largest step.
static void tgTestSlopes(void** state)
{
    (void)state;
    int missed = 0;
    for (int way = 0; way < 4; ++way) {
        tgProfile profile;
        tgSkinning skinning = tgPickWay(way, &profile);
        tgVolumeDef kept = tgMakeKept(&profile);
        tgStage stage = tgStageScene(tgMakeTube(2.0f, 0.2f, false), skinning, &kept, tg_simdBest);
        int n = stage.scene->vertexCount;
        tgVec3* last = calloc(2 * (size_t)n, sizeof(tgVec3));
        double steepest = 0.0, jump = 0.0, at = 0.0, atRest = 0.0;
        for (int step = -600; step <= 600; ++step) {
            tgBendJoint(&stage, 1, tg_turnAxis, 0.25 * step);
            for (int v = 0; v < n; ++v) {
                tgVec3 slope = tgSub(stage.out[v], last[v]);
                double change = (double)tgDistance(slope, last[n + v]);
                steepest = step > -600 ? fmax(steepest, (double)tgLength(slope)) : 0.0;
                at = step > -599 && change > jump ? 0.25 * step : at;
                jump = step > -599 ? fmax(jump, change) : 0.0;
                atRest = abs(step) <= 2 ? fmax(atRest, change) : atRest;
                last[n + v] = slope;
                last[v] = stage.out[v];
            }
        }
        print_message("%s, skinning %d: slopes jump by %.4f of the largest at %g degrees, %.4f "
                      "at rest\n",
                      way & 1 ? "anatomic" : "default", skinning, jump / steepest, at,
                      atRest / steepest);
        missed += jump > 0.03 * steepest;
        missed += atRest > 0.01 * steepest;
        free(last);
        tgFreeStage(&stage);
    }
    assert_int_equal(missed, 0);
}

// ---- all or nothing -----------------------------------------------------------------------------

/// Every vertex follows one bone alone: no planes, no shape, and contact leaves every bit.
static void tgTestRigidWeights(void** state)
{
    (void)state;
    tgProfile profile = tgMakeAnatomic();
    tgVolumeDef none = tgMakeVolume(tg_volumeNone, false), kept = tgMakeKept(&profile);
    tgScene* scenes[2];
    for (int i = 0; i < 2; ++i) {
        scenes[i] = tgMakeTube(2.0f, 0.0f, false);
        for (int k = 0; k < scenes[i]->vertexCount * scenes[i]->influencesPerVertex; ++k) {
            float* w = &scenes[i]->influenceWeights[k];
            *w = *w > 0.5f || (*w == 0.5f && scenes[i]->influenceJoints[k] == 1) ? 1.0f : 0.0f;
        }
    }
    tgStage plain = tgStageScene(scenes[0], tg_linear, &none, tg_simdBest);
    tgStage stage = tgStageScene(scenes[1], tg_linear, &kept, tg_simdBest);
    assert_int_equal(stage.rig->planes.count, 0);
    assert_int_equal(stage.rig->anatomy.count, 0);
    tgBendJoint(&plain, 1, tg_turnAxis, 70.0);
    tgMeetAlone(&stage, &plain, NULL);
    size_t size = (size_t)plain.scene->vertexCount * sizeof(tgVec3);
    assert_memory_equal(plain.out, stage.out, size);
    tgBendJoint(&stage, 1, tg_turnAxis, 70.0);
    CHECK_AT_MOST(tgGetVolumeError(&stage), 1e-6);
    tgFreeStage(&plain);
    tgFreeStage(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestDepth),        cmocka_unit_test(tgTestTubes),
        cmocka_unit_test(tgTestLimbs),        cmocka_unit_test(tgTestFist),
        cmocka_unit_test(tgTestRigidWeights), cmocka_unit_test(tgTestSlopes),
    };
    return cmocka_run_group_tests_name("limb_bars", tests, NULL, NULL);
}
