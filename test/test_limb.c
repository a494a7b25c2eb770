// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The flesh round a joint, with nothing set: bulges end softly.

#include "check.h"
#include "core/instance.h"
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

/// The elephant sits: where a hip's bulge ends on the back, no edge falls faster than over half a
/// limb radius.
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
    const int* face = scene->faceVertices;
    double steepest = 0.0;
    for (int f = 0; f < scene->faceCount; face += scene->faceSizes[f], ++f) {
        for (int k = 0; k < scene->faceSizes[f]; ++k) {
            int a = face[k], b = face[(k + 1) % scene->faceSizes[f]];
            float length = tgDistance(scene->positions[a], scene->positions[b]);
            if (length > 0.0f) {
                float slope = fabsf(gamma[a] - gamma[b]) * radius / length;
                steepest = fmax(steepest, (double)slope);
            }
        }
    }
    print_message("gamma of the hip falls by %.2f over a limb radius\n", steepest);
    CHECK_AT_MOST(steepest, 2.5);
    free(nodes);
    free(joints);
    free(gamma);
    tgFreeStage(&stage);
    tgDestroyScene(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestSoftEnds),
    };
    return cmocka_run_group_tests_name("limb", tests, NULL, NULL);
}
