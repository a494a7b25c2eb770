// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The flesh round a joint, with nothing set: bulges end softly and make no lumps, what a bend
// gained is not dug out of its crease; what goes to all flesh goes there evenly; and a shoulder is
// told from an elbow.

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

/// The elephant as it sits, and how steep something is on its back above the hips.
typedef struct tgSitting {
    tgScene* scene;
    tgMat34* joints;
    int hip;
} tgSitting;

static tgSitting tgMakeSitting(int vertexCount)
{
    tgSitting sitting = {.scene = tgCreateModel("elephant", vertexCount, NULL)};
    tgScene* scene = sitting.scene;
    assert_non_null(scene);
    tgMat34* nodes = calloc((size_t)scene->nodeCount, sizeof(tgMat34));
    sitting.joints = calloc((size_t)scene->jointCount, sizeof(tgMat34));
    tgScene_SamplePose(scene, 0, 2.0, nodes, sitting.joints, NULL);
    while (strcmp(scene->joints[sitting.hip].name, "hip.L") != 0) {
        sitting.hip += 1;
    }
    free(nodes);
    return sitting;
}

static void tgFreeSitting(tgSitting* sitting)
{
    free(sitting->joints);
    tgDestroyScene(sitting->scene);
}

/// The largest difference between neighbours over their distance at rest.
static double tgGetSteepest(const tgSitting* sitting, const tgVec3* values)
{
    const tgScene* scene = sitting->scene;
    tgVec3 hip = scene->joints[sitting->hip].restJoint.origin;
    const int* face = scene->faceVertices;
    double steepest = 0.0;
    for (int f = 0; f < scene->faceCount; face += scene->faceSizes[f], ++f) {
        for (int k = 0; k < scene->faceSizes[f]; ++k) {
            int a = face[k], b = face[(k + 1) % scene->faceSizes[f]];
            float length = tgDistance(scene->positions[a], scene->positions[b]);
            bool isAbove = fminf(scene->positions[a].y, scene->positions[b].y) > hip.y;
            bool isNear = fabsf(scene->positions[a].z - hip.z) < 0.5f;
            if (length > 0.0f && isAbove && isNear) {
                steepest = fmax(steepest, (double)(tgDistance(values[a], values[b]) / length));
            }
        }
    }
    return steepest;
}

/// Where a hip's bulge ends on the back, it does not fall steeply.
static void tgTestSoftEnds(void** state)
{
    (void)state;
    tgSitting sitting = tgMakeSitting(0);
    tgStage stage = tgMakeStage(tgScene_GetRigDef(sitting.scene), tg_volumeExact);
    int count = sitting.scene->vertexCount;
    float* gamma = calloc((size_t)count, sizeof(float));
    tgVec3* values = calloc((size_t)count, sizeof(tgVec3));
    tgPlay(&stage, sitting.joints, sitting.scene->jointCount);
    assert_int_equal(tgInstance_SampleGamma(stage.instance, sitting.hip, gamma, NULL), tg_success);
    float radius = stage.rig->limbs.limbs[stage.rig->limbs.byJoint[sitting.hip]].radius;
    for (int v = 0; v < count; ++v) {
        values[v].x = radius * gamma[v];
    }
    double steepest = tgGetSteepest(&sitting, values);
    print_message("gamma of the hip falls by %.2f over a limb radius\n", steepest);
    CHECK_AT_MOST(steepest, 2.2);
    free(gamma);
    free(values);
    tgFreeStage(&stage);
    tgFreeSitting(&sitting);
}

/// What the hips lost, three hundredths of the elephant, makes no lumps on its back.
static void tgTestNoLumps(void** state)
{
    (void)state;
    tgSitting sitting = tgMakeSitting(0);
    tgRigDef def = tgScene_GetRigDef(sitting.scene);
    tgStage kept = tgMakeStage(def, tg_volumeExact), plain = tgMakeStage(def, tg_volumeNone);
    tgPlay(&kept, sitting.joints, sitting.scene->jointCount);
    tgPlay(&plain, sitting.joints, sitting.scene->jointCount);
    for (int v = 0; v < sitting.scene->vertexCount; ++v) {
        kept.out[v] = tgSub(kept.out[v], plain.out[v]);
    }
    double steepest = tgGetSteepest(&sitting, kept.out);
    print_message("skin is displaced by up to %.2f more than the skin beside it\n", steepest);
    CHECK_AT_MOST(steepest, 0.4);
    tgFreeStage(&kept);
    tgFreeStage(&plain);
    tgFreeSitting(&sitting);
}

/// A finer mesh moves no farther: neither skin that the bend stretches, below the tail and in the
/// groin, nor the tail, which has to lose some, are a place for what the hips lack.
static void tgTestFineMesh(void** state)
{
    (void)state;
    tgSitting sitting = tgMakeSitting(20000);
    tgRigDef def = tgScene_GetRigDef(sitting.scene);
    tgStage kept = tgMakeStage(def, tg_volumeExact), plain = tgMakeStage(def, tg_volumeNone);
    tgPlay(&kept, sitting.joints, sitting.scene->jointCount);
    tgPlay(&plain, sitting.joints, sitting.scene->jointCount);
    double most = 0.0;
    for (int v = 0; v < sitting.scene->vertexCount; ++v) {
        most = fmax(most, (double)tgDistance(kept.out[v], plain.out[v]));
    }
    most /= (double)tgRig_GetInfo(kept.rig).restDiagonal;
    print_message("20000 vertices: moved by at most %.2f %% of the diagonal\n", 100.0 * most);
    CHECK_AT_MOST(most, 0.04);
    tgFreeStage(&kept);
    tgFreeStage(&plain);
    tgFreeSitting(&sitting);
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
    double least = (double)INFINITY, most = 0.0;
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

/// A ball whose top follows a second joint, by weights that rise evenly from one height to another.
/// Its faces between them look up by their height, so their vector areas sum to the mean height.
static float tgFindBallBalance(float low, float high)
{
    enum { tg_around = 48, tg_rings = 95 };
    tgShape ball = tgMakeSphere(tg_around, tg_rings);
    int* joints = calloc(2 * (size_t)ball.vertexCount, sizeof(int));
    float* weights = calloc(2 * (size_t)ball.vertexCount, sizeof(float));
    const int parents[2] = {-1, 0};
    tgTransform middle = tgIdentityTransform();
    middle.position.z = 0.5f * (low + high);
    const tgMat34 rest[2] = {ball.restJoints[0], tgMakeMat34(middle)};
    for (int v = 0; v < ball.vertexCount; ++v) {
        float w = fminf(fmaxf((ball.positions[v].z - low) / (high - low), 0.0f), 1.0f);
        joints[2 * v + 1] = 1;
        weights[2 * v] = 1.0f - w;
        weights[2 * v + 1] = w;
    }
    tgRigDef def = tgShape_GetRigDef(&ball);
    def.jointParents = parents;
    def.restJoints = rest;
    def.jointCount = 2;
    def.influenceJoints = joints;
    def.influenceWeights = weights;
    def.influencesPerVertex = 2;
    tgStage stage = tgMakeStage(def, tg_volumeExact);
    assert_int_equal(stage.rig->limbs.count, 1);
    float balance = stage.rig->limbs.limbs[0].balance;
    tgFreeStage(&stage);
    free(joints);
    free(weights);
    tgFreeShape(&ball);
    return balance;
}

static void tgTestBalance(void** state)
{
    (void)state;
    CHECK_NEAR(tgFindBallBalance(-0.3f, 0.3f), 1.0, 0.01);
    CHECK_NEAR(tgFindBallBalance(0.0f, 0.5f), 1.0 - 0.25 * 1.5707963, 0.01);
    CHECK_NEAR(tgFindBallBalance(0.2f, 0.5f), 1.0 - 0.35 * 1.5707963, 0.01);
    CHECK_NEAR(tgFindBallBalance(0.6f, 0.9f), 0.0, 0.0);
    tgShape tube = tgMakeTube(32, 65, 8.0f, 3.0f, 5.0f, true);
    tgStage stage = tgMakeStage(tgShape_GetRigDef(&tube), tg_volumeExact);
    CHECK_NEAR(stage.rig->limbs.limbs[0].balance, 1.0, 1e-5);
    tgFreeStage(&stage);
    tgFreeShape(&tube);
}

/// A joint that passes through its rest pose: the side it bends to changes at once, so that side
/// counts for nothing there, and for more the farther it turns; from 9 degrees on for all.
static void tgTestThroughRest(void** state)
{
    (void)state;
    tgShape limb = tgMakeTube(32, 65, 8.0f, 3.0f, 5.0f, true);
    tgStage stage = tgMakeStage(tgShape_GetRigDef(&limb), tg_volumeExact);
    double last = 0.0;
    for (int i = -200; i <= 200; ++i) {
        tgMat34 joints[2];
        tgJointFrame frame;
        tgBendTube(&limb, 8.0f, 0.0f, 0.002 * i, joints);
        tgPlay(&stage, joints, 2);
        tgGetLimbFrame(&stage.instance->correct, &stage.rig->limbs.limbs[0], &frame);
        double side = (double)(frame.turnPart * frame.bendPart * frame.bisector[2].y);
        CHECK_AT_MOST(fabs(side - last), i == -200 ? 1.0 : 0.03);
        last = side;
        if (i == 0) {
            CHECK_NEAR(side, 0.0, 1e-6);
        } else if (abs(i) > 80) {
            CHECK_NEAR(frame.turnPart, 1.0, 1e-6);
        }
    }
    tgFreeStage(&stage);
    tgFreeShape(&limb);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestSoftEnds),    cmocka_unit_test(tgTestNoLumps),
        cmocka_unit_test(tgTestFineMesh),    cmocka_unit_test(tgTestGain),
        cmocka_unit_test(tgTestEvenBreath),  cmocka_unit_test(tgTestBalance),
        cmocka_unit_test(tgTestThroughRest),
    };
    return cmocka_run_group_tests_name("limb", tests, NULL, NULL);
}
