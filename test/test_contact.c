// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Contact on the embedded finger, hand and elephant: no vertex beyond the plane between its bones,
// no triangles through each other, the volume as exact as without, nothing moved elsewhere, the
// same bits everywhere; and the general kind.

#include "contact_stage.h"

/// The bones of a joint as rays from it, at rest or posed: to its parent, and to its child or on.
static void tgGetBones(const tgStage* stage, int joint, const tgMat34* joints, tgVec3 bones[2])
{
    const tgScene* scene = stage->scene;
    int child = -1, parent = scene->joints[joint].parent;
    for (int j = scene->jointCount - 1; j >= 0; --j) {
        child = scene->joints[j].parent == joint ? j : child;
    }
    bones[0] = tgSub(joints[parent].origin, joints[joint].origin);
    bones[1] = child >= 0 ? tgSub(joints[child].origin, joints[joint].origin) : bones[0];
}

static float tgDistanceToRay(tgVec3 p, tgVec3 origin, tgVec3 direction)
{
    tgVec3 to = tgSub(p, origin);
    float along = fmaxf(tgDot(to, direction) / tgDot(direction, direction), 0.0f);
    return tgLength(tgMulAdd(to, -along, direction));
}

/// How far any vertex near a joint is nearer to the other bone now, by plain distances, than to the
/// one that was nearer at rest.
static float tgGetCrossed(const tgStage* stage, const char* name, float reach)
{
    const tgScene* scene = stage->scene;
    int joint = tgScene_FindJoint(scene, name);
    tgMat34* rest = calloc((size_t)scene->jointCount, sizeof(tgMat34));
    for (int j = 0; j < scene->jointCount; ++j) {
        rest[j] = scene->joints[j].restJoint;
    }
    tgVec3 before[2], after[2];
    tgGetBones(stage, joint, rest, before);
    tgGetBones(stage, joint, stage->joints, after);
    float worst = 0.0f;
    for (int v = 0; v < scene->parts[0].vertexCount; ++v) {
        tgVec3 p = scene->positions[v], q = stage->out[v], o = rest[joint].origin;
        float first = tgDistanceToRay(p, o, before[0]), second = tgDistanceToRay(p, o, before[1]);
        if (tgDistance(p, o) > reach || fabsf(first - second) < 1e-6f) {
            continue;
        }
        int own = first < second ? 0 : 1;
        tgVec3 now = stage->joints[joint].origin;
        float passed =
            tgDistanceToRay(q, now, after[own]) - tgDistanceToRay(q, now, after[1 - own]);
        worst = fmaxf(worst, passed);
    }
    free(rest);
    return worst;
}

static void tgTestFinger(void** state)
{
    (void)state;
    static const char* const names[] = {"proximal", "middle"};
    static const int sizes[] = {1200, 4000};
    for (int i = 0; i < 8; ++i) {
        tgSkinning skinning = (tgSkinning)(i & 1);
        const char* name = names[i >> 1 & 1];
        tgVolumeDef none = tgMakeVolume(tg_volumeNone, false),
                    exact = tgMakeVolume(tg_volumeExact, true);
        tgStage plain = tgMakeStage("finger", sizes[i >> 2], skinning, &none, tg_simdBest);
        tgStage met = tgMakeStage("finger", sizes[i >> 2], skinning, &exact, tg_simdBest);
        float radius = 0.0099f;
        for (int degrees = 60; degrees <= 140; degrees += 20) {
            tgBendFinger(&plain, name, degrees);
            tgBendFinger(&met, name, degrees);
            int before = tgCountPairs(&plain), after = tgCountPairs(&met);
            float crossed = tgGetCrossed(&met, name, 2.5f * radius);
            print_message("%-8s %d v, skinning %d, %3d degrees: pairs %3d -> %d, crossed %.4f -> "
                          "%.4f radii, volume %.1e\n",
                          name, met.scene->vertexCount, skinning, degrees, before, after,
                          (double)(tgGetCrossed(&plain, name, 2.5f * radius) / radius),
                          (double)(crossed / radius), tgGetVolumeError(&met));
            assert_true(degrees < 120 || before > 50);
            CHECK_AT_MOST(after, degrees <= 120 ? 0.0 : 0.15 * before);
            CHECK_AT_MOST(crossed, 1e-3 * (double)radius);
            CHECK_AT_MOST(tgGetVolumeError(&met), 1e-6);
        }
        tgFreeStage(&plain);
        tgFreeStage(&met);
    }
}

/// The local method shares the stage; its own accuracy is that of its exact option.
static void tgTestLocal(void** state)
{
    (void)state;
    static const char* const names[] = {"proximal", "middle"};
    for (int i = 0; i < 4; ++i) {
        tgSkinning skinning = (tgSkinning)(i & 1);
        const char* name = names[i >> 1];
        tgVolumeDef off = tgMakeVolume(tg_volumeLocal, false),
                    on = tgMakeVolume(tg_volumeLocal, true);
        off.local.exact = on.local.exact = true;
        tgStage without = tgMakeStage("finger", 0, skinning, &off, tg_simdBest);
        tgStage with = tgMakeStage("finger", 0, skinning, &on, tg_simdBest);
        for (int degrees = 80; degrees <= 140; degrees += 20) {
            tgBendFinger(&without, name, degrees);
            tgBendFinger(&with, name, degrees);
            int before = tgCountPairs(&without), after = tgCountPairs(&with);
            float crossed = tgGetCrossed(&with, name, 2.5f * 0.0099f);
            print_message("local, %-8s skinning %d, %3d degrees: pairs %3d -> %d, crossed %.4f "
                          "radii, volume %.1e\n",
                          name, skinning, degrees, before, after, (double)(crossed / 0.0099f),
                          tgGetVolumeError(&with));
            CHECK_AT_MOST(after, degrees <= 120 ? 0.0 : 0.15 * before);
            CHECK_AT_MOST(crossed, 1e-3 * 0.0099);
            CHECK_AT_MOST(tgGetVolumeError(&with), 1e-6);
        }
        tgFreeStage(&without);
        tgFreeStage(&with);
    }
}

/// Vertices that no bend concerns keep their bits, and at rest all do.
static void tgTestUntouched(void** state)
{
    (void)state;
    for (int skinning = 0; skinning < 2; ++skinning) {
        tgVolumeDef none = tgMakeVolume(tg_volumeNone, false),
                    exact = tgMakeVolume(tg_volumeExact, true);
        tgStage plain = tgMakeStage("finger", 0, (tgSkinning)skinning, &none, tg_simdBest);
        tgStage met = tgMakeStage("finger", 0, (tgSkinning)skinning, &exact, tg_simdBest);
        tgBendFinger(&plain, "distal", 0.0);
        tgBendFinger(&met, "distal", 0.0);
        size_t size = (size_t)met.scene->vertexCount * sizeof(tgVec3);
        assert_memory_equal(plain.out, met.out, size);
        tgBendFinger(&plain, "distal", 120.0);
        tgBendFinger(&met, "distal", 120.0);
        int same = 0, moved = 0;
        for (int v = 0; v < met.scene->vertexCount; ++v) {
            if (met.scene->positions[v].x < 0.055f) {
                assert_memory_equal(&plain.out[v], &met.out[v], sizeof(tgVec3));
                same += 1;
            } else {
                moved += memcmp(&plain.out[v], &met.out[v], sizeof(tgVec3)) != 0;
            }
        }
        assert_true(same > 200 && moved > 100);
        tgFreeStage(&plain);
        tgFreeStage(&met);
    }
}

// ---- the hand -----------------------------------------------------------------------------------

/// How far beyond the plane between its bones any vertex of any crease is, in limb radii.
static float tgGetDeepest(const tgStage* stage, int* creaseCount)
{
    float deepest = 0.0f;
    *creaseCount = 0;
    for (int i = 0; i < stage->rig->creases.count; ++i) {
        const tgCrease* crease = &stage->rig->creases.creases[i];
        const tgLimb* limb = &stage->rig->limbs.limbs[i];
        tgMat34 inverse = tgIdentityMat34(), turns[2];
        int joints[2] = {stage->rig->limbs.tree.carriers[limb->joint], limb->joint};
        for (int k = 0; k < 2; ++k) {
            assert_true(tgInvertMat34(&stage->scene->joints[joints[k]].restJoint, &inverse));
            turns[k] = tgMulMat34(&stage->joints[joints[k]], &inverse);
        }
        tgVec3 in = tgMulMatDirection(&turns[0], limb->boneIn);
        tgVec3 out = tgMulMatDirection(&turns[1], limb->boneOut);
        tgVec3 normal = tgNormalize(tgAdd(in, out), out);
        *creaseCount += crease->count > 0;
        for (int k = 0; k < crease->count; ++k) {
            tgVec3 p = stage->out[stage->rig->mesh.vertexToRender[crease->vertices[k]]];
            float height =
                crease->sides[k] * tgDot(tgSub(p, stage->joints[limb->joint].origin), normal);
            deepest = fmaxf(deepest, -height / limb->radius);
        }
    }
    return deepest;
}

static void tgTestFist(void** state)
{
    (void)state;
    for (int skinning = 0; skinning < 2; ++skinning) {
        tgVolumeDef off = tgMakeVolume(tg_volumeExact, false),
                    on = tgMakeVolume(tg_volumeExact, true);
        tgStage without = tgMakeStage("hand", 0, (tgSkinning)skinning, &off, tg_simdBest);
        tgStage with = tgMakeStage("hand", 0, (tgSkinning)skinning, &on, tg_simdBest);
        int pairs[2] = {0, 0}, creases = 0;
        float deepest = 0.0f;
        double end = with.scene->animations[0].end, error = 0.0;
        for (int i = 0; i <= 16; ++i) {
            tgPlayAnimation(&without, end * i / 16.0);
            tgPlayAnimation(&with, end * i / 16.0);
            pairs[0] += tgCountPairs(&without);
            pairs[1] += tgCountPairs(&with);
            deepest = fmaxf(deepest, tgGetDeepest(&with, &creases));
            error = fmax(error, tgGetVolumeError(&with));
        }
        print_message("hand, skinning %d: %d creases, deepest %.4f radii, pairs %d -> %d, volume "
                      "%.1e\n",
                      skinning, creases, (double)deepest, pairs[0], pairs[1], error);
        assert_true(creases >= 8);
        CHECK_AT_MOST(deepest, 1e-3);
        CHECK_AT_MOST(error, 1e-6);
        // What is left are fingers that touch each other and the palm: no neighbours.
        assert_true(pairs[1] < pairs[0]);
        tgFreeStage(&without);
        tgFreeStage(&with);
    }
}

// ---- which joints -------------------------------------------------------------------------------

static int tgCountCreases(const tgScene* scene)
{
    tgRigDef def = tgScene_GetRigDef(scene);
    def.volume = tgMakeVolume(tg_volumeExact, true);
    tgRig* rig = tgCreateRig(&def, NULL);
    assert_non_null(rig);
    int count = 0;
    for (int i = 0; i < rig->creases.count; ++i) {
        count += rig->creases.creases[i].count > 0;
    }
    tgDestroyRig(rig);
    return count;
}

/// A leaf's bone goes on straight. Where its skin does not, like a foot at the end of a leg, the
/// plane between the two would cut through the toes.
static void tgTestLeaf(void** state)
{
    (void)state;
    tgCylinderDef def = tgDefaultCylinderDef();
    def.boneCount = 2;
    def.length = 8.0f;
    tgScene* scene = tgCreateCylinder(&def, NULL);
    assert_non_null(scene);
    assert_int_equal(tgCountCreases(scene), 1);
    tgVec3 joint = scene->joints[1].restJoint.origin;
    tgVec3 bone = tgNormalize(tgSub(joint, scene->joints[0].restJoint.origin), joint);
    tgVec3 aside = tgCross(bone, tgMakeVec3(0.6f, 0.0f, 0.8f));
    for (int v = 0; v < scene->vertexCount; ++v) { // what lies beyond leans over by 60 degrees
        float along = tgDot(tgSub(scene->positions[v], joint), bone);
        if (along > 0.0f) {
            tgVec3 way = tgMulAdd(tgMulSV(-0.5f, bone), 0.866f, tgNormalize(aside, bone));
            scene->positions[v] = tgMulAdd(scene->positions[v], along, way);
        }
    }
    assert_int_equal(tgCountCreases(scene), 0);
    tgDestroyScene(scene);
}

// ---- the rest -----------------------------------------------------------------------------------

static void tgTestGeneral(void** state)
{
    (void)state;
    tgVolumeDef off = tgMakeVolume(tg_volumeExact, false), on = off;
    on.contact.general = true;
    tgStage without = tgMakeStage("elephant", 0, tg_linear, &off, tg_simdBest);
    tgStage with = tgMakeStage("elephant", 0, tg_linear, &on, tg_simdBest);
    int pairs[2] = {0, 0};
    double end = with.scene->animations[0].end;
    for (int i = 0; i <= 8; ++i) {
        tgPlayAnimation(&without, end * i / 8.0);
        tgPlayAnimation(&with, end * i / 8.0);
        pairs[0] += tgCountPairs(&without);
        pairs[1] += tgCountPairs(&with);
        CHECK_AT_MOST(tgGetVolumeError(&with), 1e-6);
    }
    print_message("elephant, general: pairs %d -> %d\n", pairs[0], pairs[1]);
    CHECK_AT_MOST(pairs[1], 0.75 * pairs[0]);
    tgFreeStage(&without);
    tgFreeStage(&with);
}

/// Modes, breathing and backends.
static void tgTestWays(void** state)
{
    (void)state;
    tgVolumeKey keys[2] = {{0.0f, 1.0f}, {2.0f, 1.1f}};
    for (int mode = tg_modeSequence; mode <= tg_modeTogether; ++mode) {
        for (int skinning = 0; skinning < 2; ++skinning) {
            tgVolumeDef volume = tgMakeVolume(tg_volumeExact, true);
            volume.mode = (tgVolumeMode)mode;
            volume.targetKeys = keys;
            volume.targetKeyCount = 2;
            volume.contact.general = true;
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
}

/// A sitting elephant's tail is bent at its root, by 80 degrees, and by 10 at its middle: skin that
/// the root brings across the middle's plane meets nothing there.
static void tgTestTail(void** state)
{
    (void)state;
    tgVolumeDef with = tgMakeVolume(tg_volumeExact, true);
    tgVolumeDef without = tgMakeVolume(tg_volumeExact, false);
    tgStage on = tgMakeStage("elephant", 0, tg_linear, &with, tg_simdBest);
    tgStage off = tgMakeStage("elephant", 0, tg_linear, &without, tg_simdBest);
    tgPlayAnimation(&on, 2.0);
    tgPlayAnimation(&off, 2.0);
    const tgScene* scene = on.scene;
    int tail = tgScene_FindJoint(scene, "tail2");
    int end = tgScene_FindJoint(scene, "tail3"), per = scene->influencesPerVertex;
    double most = 0.0;
    for (int v = 0; v < scene->vertexCount; ++v) {
        float w = 0.0f;
        for (int k = v * per; k < (v + 1) * per; ++k) {
            int j = scene->influenceJoints[k];
            w += j == tail || j == end ? scene->influenceWeights[k] : 0.0f;
        }
        most = w > 0.9f ? fmax(most, (double)tgDistance(on.out[v], off.out[v])) : most;
    }
    float radius = on.rig->limbs.limbs[on.rig->limbs.byJoint[end]].radius;
    print_message("contact moves the tail by %.4f radii\n", most / (double)radius);
    CHECK_AT_MOST(most, 0.05 * (double)radius);
    tgFreeStage(&on);
    tgFreeStage(&off);
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
    volume.contact.gap = -0.5f;
    tgExpect(volume, "gap is -0.5");
    volume.contact.gap = NAN;
    tgExpect(volume, "gap is");
    volume = tgMakeVolume(tg_volumeExact, true);
    volume.contact.rounds = 9;
    tgExpect(volume, "9 rounds, wanted 1 to 8");
    volume = tgMakeVolume(tg_volumeExact, true);
    volume.mode = tg_modePaper;
    tgExpect(volume, "mode paper");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestFinger),    cmocka_unit_test(tgTestLocal),
        cmocka_unit_test(tgTestUntouched), cmocka_unit_test(tgTestFist),
        cmocka_unit_test(tgTestLeaf),      cmocka_unit_test(tgTestGeneral),
        cmocka_unit_test(tgTestWays),      cmocka_unit_test(tgTestRefusals),
        cmocka_unit_test(tgTestTail),
    };
    return cmocka_run_group_tests_name("contact", tests, NULL, NULL);
}
