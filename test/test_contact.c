// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Contact by planes on tubes and on the embedded arm, finger, hand and elephant: planes where limbs
// bend, no triangles through each other, the side of the plane that skin had at rest, volume told
// to first order, freedom near planes only, nothing moved at rest or elsewhere, the same bits in
// any order of blocks.

#include "contact_stage.h"
#include "core/volume.h"

#include <string.h>

static const tgVec3 tg_turnAxis = {0.0f, 0.0f, 1.0f}; // of tubes and of the finger

static tgScene* tgMakeTube(float blendLength, float boneOffset, bool smooth)
{
    return tgRoughen(tgMakeLongTube(24, 65, blendLength, boneOffset, smooth));
}

/// The stages of a test: plain skin, and the same with planes.
typedef struct tgBoth {
    tgStage plain, met;
} tgBoth;

static tgBoth tgStageBoth(tgScene* first, tgScene* second, tgSkinning skinning)
{
    tgVolumeDef none = tgMakeVolume(tg_volumeNone, false);
    tgVolumeDef exact = tgMakeVolume(tg_volumeExact, true);
    return (tgBoth){tgStageScene(first, skinning, &none, tg_simdBest),
                    tgStageScene(second, skinning, &exact, tg_simdBest)};
}

static tgBoth tgStageModel(const char* model, tgSkinning skinning)
{
    return tgStageBoth(tgCreateModel(model, 0, NULL), tgCreateModel(model, 0, NULL), skinning);
}

static void tgFreeBoth(tgBoth* both)
{
    tgFreeStage(&both->plain);
    tgFreeStage(&both->met);
}

/// Bends a joint from 0 to so many degrees; the worst count of pairs with contact, before any
/// volume comes back, and after all skin went out by so much as the planes let it.
static int tgGetWorst(tgBoth* both, int joint, tgVec3 axis, int most, float out, int* plainPairs)
{
    int worst = 0;
    *plainPairs = 0;
    for (int degrees = 0; degrees <= most; degrees += 10) {
        tgBendJoint(&both->plain, joint, axis, degrees);
        *plainPairs += tgCountPairs(&both->plain);
        tgMeetAlone(&both->met, &both->plain, NULL);
        int pairs = tgCountPairs(&both->met);
        worst = pairs > worst ? pairs : worst;
        tgPushOut(&both->met, &both->plain, out);
        pairs = tgCountPairs(&both->met);
        worst = pairs > worst ? pairs : worst;
    }
    return worst;
}

static void tgTestTubes(void** state)
{
    (void)state;
    for (int i = 0; i < 32; ++i) {
        static const float lengths[] = {0.5f, 1.0f, 2.0f, 4.0f};
        float offset = 0.4f * (float)(i >> 2 & 1);
        bool smooth = (i >> 3 & 1) != 0;
        tgSkinning skinning = (tgSkinning)(i >> 4 & 1);
        tgBoth both = tgStageBoth(tgMakeTube(lengths[i & 3], offset, smooth),
                                  tgMakeTube(lengths[i & 3], offset, smooth), skinning);
        int plain, worst = tgGetWorst(&both, 1, tg_turnAxis, 150, 0.12f, &plain);
        print_message(
            "tube, weights over %.1f radii, bone %.1f below, smooth %d, skinning %d: pairs "
            "%d -> at most %d\n",
            (double)lengths[i & 3], (double)offset, smooth, skinning, plain, worst);
        CHECK_AT_MOST(worst, 0.0);
        tgFreeBoth(&both);
    }
}

static void tgTestLimbs(void** state)
{
    (void)state;
    static const struct {
        const char *model, *joint;
        tgVec3 axis;
        float radius;
        int most; ///< degrees; beyond, the middle finger's tip meets skin that is no neighbour's
    } limbs[] = {
        {"cylinder", NULL, {0.0f, 0.0f, 1.0f}, 1.0f, 150},
        {"finger", "proximal", {0.0f, 0.0f, -1.0f}, 0.0128f, 150},
        {"finger", "middle", {0.0f, 0.0f, -1.0f}, 0.0098f, 140},
        {"finger", "distal", {0.0f, 0.0f, -1.0f}, 0.0085f, 150},
        {"arm", "forearm", {0.0f, 0.0f, 1.0f}, 0.0444f, 150},
    };
    for (size_t i = 0; i < 2 * sizeof(limbs) / sizeof(limbs[0]); ++i) {
        tgSkinning skinning = (tgSkinning)(i & 1);
        tgBoth both = tgStageModel(limbs[i / 2].model, skinning);
        const char* name = limbs[i / 2].joint;
        int joint = name != NULL ? tgScene_FindJoint(both.plain.scene, name) : 1;
        float out = 0.12f * limbs[i / 2].radius;
        int plain,
            worst = tgGetWorst(&both, joint, limbs[i / 2].axis, limbs[i / 2].most, out, &plain);
        print_message("%s %s, skinning %d: pairs %d -> at most %d\n", limbs[i / 2].model,
                      name != NULL ? name : "", skinning, plain, worst);
        assert_true(plain > 50);
        CHECK_AT_MOST(worst, 0.0);
        tgFreeBoth(&both);
    }
}

// ---- planes -------------------------------------------------------------------------------------

static const tgPlane* tgFindPlane(const tgStage* stage, const char* joint)
{
    int j = tgScene_FindJoint(stage->scene, joint);
    for (int i = 0; i < stage->rig->planes.count; ++i) {
        if (stage->rig->planes.planes[i].joint == j) {
            return &stage->rig->planes.planes[i];
        }
    }
    return NULL;
}

/// On a finger the normal is the bone's direction, the place the joint, the radius the finger's.
static void tgTestPlanes(void** state)
{
    (void)state;
    static const char* const names[] = {"proximal", "middle", "distal"};
    tgVolumeDef exact = tgMakeVolume(tg_volumeExact, true);
    tgStage stage = tgMakeStage("finger", 0, tg_linear, &exact, tg_simdBest);
    assert_int_equal(stage.rig->planes.count, 3);
    for (int i = 0; i < 3; ++i) {
        const tgPlane* plane = tgFindPlane(&stage, names[i]);
        assert_non_null(plane);
        const tgSceneJoint* joint = &stage.scene->joints[plane->joint];
        assert_memory_equal(&plane->place, &joint->restJoint.origin, sizeof(tgVec3));
        CHECK_NEAR(fabsf(plane->normal.x), 1.0, 0.01);
        CHECK_NEAR(plane->radius, 0.0105, 0.0025);
        for (int e = 0; e < plane->count; ++e) {
            const tgPlaneVertices* at = &stage.rig->planes.vertices;
            int i1 = plane->first + e;
            const float* p = stage.rig->skin.rest + 4 * (size_t)at->vertex[i1];
            tgVec3 way = tgSub(tgMakeVec3(p[0], p[1], p[2]), plane->place);
            assert_true(at->side[i1] * tgDot(way, plane->normal) >= 0.0f);
        }
    }
    tgFreeStage(&stage);
    // The bones of a palm lie side by side and have none; those of fingers have one each.
    stage = tgMakeStage("hand", 0, tg_linear, &exact, tg_simdBest);
    assert_non_null(tgFindPlane(&stage, "index_middle"));
    assert_non_null(tgFindPlane(&stage, "index_distal"));
    assert_null(tgFindPlane(&stage, "little_metacarpal"));
    tgFreeStage(&stage);
}

/// Every vertex at a plane is in one part of it, and that in the vertex's chunk; parts of a chunk
/// go from plane to plane, and their vertices by rising onset.
static void tgTestParts(void** state)
{
    (void)state;
    tgVolumeDef exact = tgMakeVolume(tg_volumeExact, true);
    tgStage stage = tgMakeStage("elephant", 0, tg_linear, &exact, tg_simdBest);
    const tgPlanes* planes = &stage.rig->planes;
    const tgParts* parts = &planes->parts;
    int* seen = calloc((size_t)planes->vertexCount, sizeof(int));
    assert_int_equal(parts->chunkCount, (stage.rig->mesh.vertexCount + 255) / 256);
    assert_true(parts->count > planes->count);
    assert_int_equal(parts->chunkStart[parts->chunkCount], parts->count);
    for (int chunk = 0; chunk < parts->chunkCount; ++chunk) {
        for (int i = parts->chunkStart[chunk]; i < parts->chunkStart[chunk + 1]; ++i) {
            const tgListPart* part = &parts->parts[i];
            const tgPlane* plane = &planes->planes[part->list];
            assert_true(i == parts->chunkStart[chunk] || part[-1].list < part->list);
            assert_true(part->first >= plane->first);
            assert_true(part->first + part->count <= plane->first + plane->count);
            for (int e = part->first; e < part->first + part->count; ++e) {
                const float* onset = planes->vertices.onset + e;
                assert_int_equal(planes->vertices.vertex[e] / 256, chunk);
                assert_true(e == part->first || onset[-1] <= onset[0]);
                seen[e] += 1;
            }
        }
    }
    for (int e = 0; e < planes->vertexCount; ++e) {
        assert_int_equal(seen[e], 1);
    }
    free(seen);
    tgFreeStage(&stage);
}

// ---- what it does -------------------------------------------------------------------------------

/// The volume that it says to have added, by areas at rest, against what it added: creases have
/// more skin along the plane than their areas at rest tell.
static void tgTestChanged(void** state)
{
    (void)state;
    for (int degrees = 60; degrees <= 120; degrees += 30) {
        tgBoth both = tgStageModel("finger", tg_linear);
        int joint = tgScene_FindJoint(both.plain.scene, "middle");
        tgBendJoint(&both.plain, joint, tgMakeVec3(0.0f, 0.0f, -1.0f), degrees);
        double before = tgVolume(&both.met.rig->mesh, both.plain.instance->positions);
        double added = tgMeetAlone(&both.met, &both.plain, NULL);
        double after = tgVolume(&both.met.rig->mesh, both.met.instance->positions);
        double radius = 0.0099, unit = radius * radius * radius;
        print_message("at %d degrees contact adds %.4f cubic radii and says %.4f\n", degrees,
                      (after - before) / unit, added / unit);
        CHECK_NEAR(added / unit, (after - before) / unit, 0.01 + 0.45 * fabs(added / unit));
        tgFreeBoth(&both);
    }
}

/// Freedom is 1 away from bends and on their outer side, and falls to nothing on the plane.
static void tgTestFreedom(void** state)
{
    (void)state;
    tgBoth both =
        tgStageBoth(tgMakeTube(2.0f, 0.0f, true), tgMakeTube(2.0f, 0.0f, true), tg_linear);
    size_t elements = (size_t)both.met.rig->skin.elementCount;
    float* freedom = calloc(elements, sizeof(float));
    tgBendJoint(&both.plain, 1, tg_turnAxis, 120.0);
    tgMeetAlone(&both.met, &both.plain, freedom);
    float least = 1.0f;
    for (int v = 0; v < both.met.rig->mesh.vertexCount; ++v) {
        const float* p = both.met.rig->skin.rest + 4 * (size_t)v;
        bool isFar = fabsf(p[0] - 5.0f) > 4.0f, isOuter = p[1] < -0.3f;
        assert_true(freedom[v] >= 0.0f && freedom[v] <= 1.0f);
        assert_true(!(isFar || isOuter) || freedom[v] == 1.0f);
        least = fminf(least, freedom[v]);
    }
    CHECK_AT_MOST(least, 0.05);
    free(freedom);
    tgFreeBoth(&both);
}

/// Vertices that no bend concerns keep their bits; at rest and under a rigid motion all do.
static void tgTestUntouched(void** state)
{
    (void)state;
    for (int skinning = 0; skinning < 2; ++skinning) {
        tgBoth both = tgStageModel("finger", (tgSkinning)skinning);
        size_t size = (size_t)both.met.scene->vertexCount * sizeof(tgVec3);
        int root = tgScene_FindJoint(both.plain.scene, "knuckle");
        tgBendJoint(&both.plain, root, tgMakeVec3(0.6f, 0.0f, 0.8f), 77.0);
        tgMeetAlone(&both.met, &both.plain, NULL);
        assert_memory_equal(both.plain.out, both.met.out, size);
        int joint = tgScene_FindJoint(both.plain.scene, "distal");
        tgBendJoint(&both.plain, joint, tgMakeVec3(0.0f, 0.0f, -1.0f), 120.0);
        tgMeetAlone(&both.met, &both.plain, NULL);
        int same = 0, moved = 0;
        for (int v = 0; v < both.met.scene->vertexCount; ++v) {
            bool isSame = memcmp(&both.plain.out[v], &both.met.out[v], sizeof(tgVec3)) == 0;
            assert_true(isSame || both.met.scene->positions[v].x > 0.05f);
            same += isSame;
            moved += !isSame;
        }
        assert_true(same > 200 && moved > 20);
        tgFreeBoth(&both);
    }
}

/// Twice the size, turned and elsewhere: the same, twice the size, turned and elsewhere.
static void tgTestScaled(void** state)
{
    (void)state;
    tgBoth both = tgStageModel("finger", tg_linear), other = tgStageModel("finger", tg_linear);
    int joint = tgScene_FindJoint(both.plain.scene, "middle");
    tgBendJoint(&both.plain, joint, tgMakeVec3(0.0f, 0.0f, -1.0f), 110.0);
    tgMeetAlone(&both.met, &both.plain, NULL);
    tgTransform place = tgIdentityTransform();
    place.rotation = tgMakeQuat(tgMakeVec3(0.0f, 0.6f, 0.8f), 1.0f);
    place.position = tgMakeVec3(0.1f, -0.2f, 0.05f);
    tgMat34 motion = tgMakeMat34(place);
    motion.x = tgMulSV(2.0f, motion.x);
    motion.y = tgMulSV(2.0f, motion.y);
    motion.z = tgMulSV(2.0f, motion.z);
    for (int j = 0; j < both.plain.scene->jointCount; ++j) {
        other.plain.joints[j] = tgMulMat34(&motion, &both.plain.joints[j]);
    }
    tgPlay(&other.plain, 0.0f);
    tgMeetAlone(&other.met, &other.plain, NULL);
    for (int v = 0; v < both.met.scene->vertexCount; ++v) {
        tgVec3 expected = tgMulMatPoint(&motion, both.met.out[v]);
        CHECK_AT_MOST(tgDistance(expected, other.met.out[v]), 2e-6);
    }
    tgFreeBoth(&both);
    tgFreeBoth(&other);
}

/// Blocks in any order, on any thread.
static void tgRunBackwards(tgRangeFcn* range, int count, int minRange, void* context, void* user)
{
    (void)minRange;
    (void)user;
    for (int i = count - 1; i >= 0; --i) {
        range(i, i + 1, context);
    }
}

static void tgTestOrder(void** state)
{
    (void)state;
    tgBoth both = tgStageModel("elephant", tg_linear), other = tgStageModel("elephant", tg_linear);
    tgPlayAnimation(&both.plain, 2.0);
    tgPlayAnimation(&other.plain, 2.0);
    other.met.instance->parallel.run = tgRunBackwards;
    double first = tgMeetAlone(&both.met, &both.plain, NULL);
    double second = tgMeetAlone(&other.met, &other.plain, NULL);
    size_t size = (size_t)both.met.scene->vertexCount * sizeof(tgVec3);
    assert_memory_equal(both.met.out, other.met.out, size);
    assert_memory_equal(&first, &second, sizeof(first));
    assert_true(memcmp(both.met.out, both.plain.out, size) != 0);
    tgFreeBoth(&both);
    tgFreeBoth(&other);
}

/// The embedded hand from open to fist. Fingers that touch each other and the palm are no
/// neighbours, and cross as skinning has them.
static void tgTestFist(void** state)
{
    (void)state;
    tgBoth both = tgStageModel("hand", tg_linear);
    int pairs[2] = {0, 0};
    double end = both.plain.scene->animations[0].end;
    for (int i = 1; i <= 3; ++i) {
        tgPlayAnimation(&both.plain, end * i / 6.0);
        tgMeetAlone(&both.met, &both.plain, NULL);
        pairs[0] += tgCountPairs(&both.plain);
        pairs[1] += tgCountPairs(&both.met);
    }
    print_message("fist: pairs %d -> %d\n", pairs[0], pairs[1]);
    CHECK_AT_MOST(pairs[1], 500.0);
    tgFreeBoth(&both);
}

/// A sitting elephant's tail is bent at its root, by 80 degrees, and by 10 at its middle: skin that
/// the root brings across the middle's plane meets nothing there.
static void tgTestTail(void** state)
{
    (void)state;
    tgBoth both = tgStageModel("elephant", tg_linear);
    tgPlayAnimation(&both.plain, 2.0);
    tgMeetAlone(&both.met, &both.plain, NULL);
    const tgScene* scene = both.met.scene;
    int tail = tgScene_FindJoint(scene, "tail2"), end = tgScene_FindJoint(scene, "tail3");
    int per = scene->influencesPerVertex;
    double most = 0.0;
    for (int v = 0; v < scene->vertexCount; ++v) {
        float w = 0.0f;
        for (int k = v * per; k < (v + 1) * per; ++k) {
            int j = scene->influenceJoints[k];
            w += j == tail || j == end ? scene->influenceWeights[k] : 0.0f;
        }
        double way = (double)tgDistance(both.met.out[v], both.plain.out[v]);
        most = w > 0.9f ? fmax(most, way) : most;
    }
    const tgPlane* plane = tgFindPlane(&both.met, "tail3");
    float radius = plane != NULL ? plane->radius : 0.02f;
    print_message("contact moves the tail by %.4f radii\n", most / (double)radius);
    CHECK_AT_MOST(most, 0.05 * (double)radius);
    tgFreeBoth(&both);
}

// ---- in the frame -------------------------------------------------------------------------------

/// With the volume: exact, breathing, the same bits on all backends.
static void tgTestWays(void** state)
{
    (void)state;
    tgVolumeKey keys[2] = {{0.0f, 1.0f}, {2.0f, 1.1f}};
    for (int skinning = 0; skinning < 2; ++skinning) {
        tgVolumeDef volume = tgMakeVolume(tg_volumeExact, true);
        volume.targetKeys = keys;
        volume.targetKeyCount = 2;
        tgStage best = tgMakeStage("finger", 0, (tgSkinning)skinning, &volume, tg_simdBest);
        tgStage scalar = tgMakeStage("finger", 0, (tgSkinning)skinning, &volume, tg_simdScalar);
        for (int i = 0; i <= 6; ++i) {
            tgPlayAnimation(&best, 0.5 * i);
            tgPlayAnimation(&scalar, 0.5 * i);
            tgVolumeReport report = tgInstance_MeasureVolume(best.instance);
            CHECK_NEAR(report.target / report.rest, 1.0 + fmin(0.025 * i, 0.1), 1e-6);
            CHECK_NEAR(report.result / report.target, 1.0, 1e-6);
            assert_true(tgInstance_GetStateHash(best.instance) ==
                        tgInstance_GetStateHash(scalar.instance));
        }
        tgFreeStage(&best);
        tgFreeStage(&scalar);
    }
}

static void tgExpect(tgVolumeDef volume, const char* fragment)
{
    tgScene* scene = tgCreateModel("finger", 0, NULL);
    tgRigDef def = tgScene_GetRigDef(scene);
    def.volume = volume;
    tgError error = {0};
    assert_null(tgCreateRig(&def, &error));
    CHECK_CONTAINS(error.message, fragment);
    tgDestroyScene(scene);
}

static void tgTestRefusals(void** state)
{
    (void)state;
    tgVolumeDef volume = tgMakeVolume(tg_volumeExact, true);
    volume.contactGap = -0.5f;
    tgExpect(volume, "gap is -0.5");
    volume.contactGap = NAN;
    tgExpect(volume, "gap is");
    volume = tgMakeVolume(tg_volumeExact, true);
    volume.mode = tg_modePaper;
    tgExpect(volume, "mode paper");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestTubes),     cmocka_unit_test(tgTestLimbs),
        cmocka_unit_test(tgTestPlanes),    cmocka_unit_test(tgTestParts),
        cmocka_unit_test(tgTestChanged),   cmocka_unit_test(tgTestFreedom),
        cmocka_unit_test(tgTestUntouched), cmocka_unit_test(tgTestScaled),
        cmocka_unit_test(tgTestOrder),     cmocka_unit_test(tgTestFist),
        cmocka_unit_test(tgTestTail),      cmocka_unit_test(tgTestWays),
        cmocka_unit_test(tgTestRefusals),
    };
    return cmocka_run_group_tests_name("contact", tests, NULL, NULL);
}
