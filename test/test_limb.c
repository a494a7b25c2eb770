// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The flesh round a joint, with nothing set: bulges end softly, and what a bend gained
// is not dug out of its crease; what goes to all flesh goes there evenly.

#include "check.h"
#include "core/instance.h"
#include "shapes.h"
#include "turgor/io.h"
#include "turgor/models.h"

typedef struct tgStage {
    tgRig* rig;
    tgInstance* instance;
    tgVec3* out;
} tgStage;

static tgStage tgMakeStage(tgRigDef def, tgVolumeMethod method)
{
    tgStage stage = {0};
    def.skinning = tg_dualQuaternion;
    def.volume.method = method;
    stage.rig = tgCreateRig(&def, NULL);
    assert_non_null(stage.rig);
    tgInstanceDef instanceDef = tgDefaultInstanceDef();
    stage.instance = tgCreateInstance(stage.rig, &instanceDef, NULL);
    assert_non_null(stage.instance);
    stage.out = calloc((size_t)tgRig_GetVertexCount(stage.rig), sizeof(tgVec3));
    return stage;
}

static void tgFreeStage(tgStage* stage)
{
    free(stage->out);
    tgDestroyInstance(stage->instance);
    tgDestroyRig(stage->rig);
}

static void tgPlay(tgStage* stage, const tgMat34* joints, int jointCount)
{
    tgPose pose = {.joints = joints, .jointCount = jointCount};
    tgVec3Span out = {&stage->out->x, tgRig_GetVertexCount(stage->rig), sizeof(tgVec3)};
    assert_int_equal(tgInstance_Deform(stage->instance, &pose, out, (tgVec3Span){0}, NULL), 0);
}

/// The elephant sits: where a hip's bulge ends on the back, it does not fall steeply.
static void tgTestSoftEnds(void** state)
{
    (void)state;
    tgScene* scene = tgCreateModel("elephant", 0, NULL);
    assert_non_null(scene);
    tgStage stage = tgMakeStage(tgScene_GetRigDef(scene), tg_volumeExact);
    tgMat34* nodes = calloc((size_t)scene->nodeCount, sizeof(tgMat34));
    tgMat34* joints = calloc((size_t)scene->jointCount, sizeof(tgMat34));
    float* gamma = calloc((size_t)scene->vertexCount, sizeof(float));
    tgScene_SamplePose(scene, 0, 2.0, nodes, joints, NULL);
    tgPlay(&stage, joints, scene->jointCount);
    int hip = 0;
    while (strcmp(scene->joints[hip].name, "hip.L") != 0) {
        hip += 1;
    }
    assert_int_equal(tgInstance_SampleGamma(stage.instance, hip, gamma, NULL), tg_success);
    float radius = stage.rig->limbs.limbs[stage.rig->limbs.byJoint[hip]].radius;
    float high = scene->joints[hip].restJoint.origin.y;
    const int* face = scene->faceVertices;
    double steepest = 0.0;
    for (int f = 0; f < scene->faceCount; face += scene->faceSizes[f], ++f) {
        for (int k = 0; k < scene->faceSizes[f]; ++k) {
            int a = face[k], b = face[(k + 1) % scene->faceSizes[f]];
            float length = tgDistance(scene->positions[a], scene->positions[b]);
            bool isAbove = fminf(scene->positions[a].y, scene->positions[b].y) > high;
            if (length > 0.0f && isAbove) {
                float slope = fabsf(gamma[a] - gamma[b]) * radius / length;
                steepest = fmax(steepest, (double)slope);
            }
        }
    }
    print_message("gamma of the hip falls by %.2f over a limb radius\n", steepest);
    CHECK_AT_MOST(steepest, 1.9);
    free(nodes);
    free(joints);
    free(gamma);
    tgFreeStage(&stage);
    tgDestroyScene(scene);
}

/// A limb whose bones run close to the side it bends to, as a spine does: dual quaternions gain
/// volume on the other side. The crease is not dug deeper than it was.
static void tgTestGain(void** state)
{
    (void)state;
    const float length = 8.0f, off = 0.6f;
    tgShape limb = tgMakeTube(32, 65, length, 3.0f, 5.0f, true);
    for (int v = 0; v < limb.vertexCount; ++v) {
        limb.positions[v].y -= off;
    }
    tgStage kept = tgMakeStage(tgShape_GetRigDef(&limb), tg_volumeExact);
    tgStage plain = tgMakeStage(tgShape_GetRigDef(&limb), tg_volumeNone);
    tgMat34 joints[2];
    tgBendTube(&limb, length, 0.0f, 1.2, joints);
    tgPlay(&kept, joints, 2);
    tgPlay(&plain, joints, 2);
    tgReport report = tgInstance_GetReport(kept.instance);
    assert_int_equal(report.lossCount, 1);
    assert_true(report.losses[0].loss > 0.01 * tgRig_GetInfo(kept.rig).restVolume);
    // Along the inner bisector, from the joint: the swing is (cos 1.2 - 1, sin 1.2, 0).
    tgVec3 joint = tgMakeVec3(0.5f * length, 0.0f, 0.0f);
    tgVec3 inner = tgNormalize(tgMakeVec3(cosf(1.2f) - 1.0f, sinf(1.2f), 0.0f), joint);
    float deepest = 0.0f;
    for (int v = 0; v < limb.vertexCount; ++v) {
        bool isCrease =
            limb.positions[v].y > -off + 0.9f && fabsf(limb.positions[v].x - 4.0f) < 1.0f;
        float dug = tgDot(inner, tgSub(plain.out[v], kept.out[v]));
        deepest = isCrease ? fmaxf(deepest, dug) : deepest;
    }
    print_message("the crease is %.3f radii deeper\n", (double)deepest);
    CHECK_AT_MOST(deepest, 0.1);
    tgFreeStage(&kept);
    tgFreeStage(&plain);
    tgFreeShape(&limb);
}

/// What goes to the whole skin goes there evenly, however uneven the mesh: a ball whose faces are
/// fifteen times as large at its equator as at its poles breathes in and stays a ball.
static void tgTestEvenBreath(void** state)
{
    (void)state;
    const tgVolumeKey deep = {0.0f, 1.030301f};
    tgShape ball = tgMakeSphere(48, 24);
    tgRigDef def = tgShape_GetRigDef(&ball);
    def.volume.targetKeys = &deep;
    def.volume.targetKeyCount = 1;
    tgStage stage = tgMakeStage(def, tg_volumeExact);
    tgMat34 rest = tgIdentityMat34();
    tgPlay(&stage, &rest, 1);
    double least = INFINITY, most = 0.0;
    for (int v = 0; v < ball.vertexCount; ++v) {
        double radius = (double)tgLength(stage.out[v]);
        least = fmin(least, radius);
        most = fmax(most, radius);
    }
    print_message("a ball of radius 1.01 reaches from %.5f to %.5f\n", least, most);
    CHECK_NEAR(least, 1.01, 3e-4);
    CHECK_NEAR(most, 1.01, 3e-4);
    tgFreeStage(&stage);
    tgFreeShape(&ball);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestSoftEnds),
        cmocka_unit_test(tgTestGain),
        cmocka_unit_test(tgTestEvenBreath),
    };
    return cmocka_run_group_tests_name("limb", tests, NULL, NULL);
}
