// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The target is met, or what is missed is told, where closing it is hard: many joints that bend a
// little, bones that hold most of the skin, and a small character far from the origin.

#include "actor.h"
#include "turgor/models.h"
#include "turgor/turgor.h"

#include <math.h>
#include <stdlib.h>

static const double tg_degree = 0.017453292519943295;

/// Every joint but the first turns about z by an angle, to one side and the other.
static void tgBendChain(const tgScene* scene, double angle, tgMat34* joints)
{
    tgMat34* motions = calloc((size_t)scene->jointCount, sizeof(tgMat34));
    for (int j = 0; j < scene->jointCount; ++j) {
        tgVec3 origin = scene->joints[j].restJoint.origin;
        int parent = scene->joints[j].parent;
        tgTransform turn = tgIdentityTransform();
        double own = parent < 0 ? 0.0 : j % 2 == 1 ? angle : -angle;
        turn.rotation = tgMakeQuat(tgMakeVec3(0, 0, 1), (float)own);
        turn.position = tgSub(origin, tgRotate(turn.rotation, origin));
        motions[j] = tgMakeMat34(turn);
        if (parent >= 0) {
            motions[j] = tgMulMat34(&motions[parent], &motions[j]);
        }
        joints[j] = tgMulMat34(&motions[j], &scene->joints[j].restJoint);
    }
    free(motions);
}

/// @return what is missed, over the volume to keep
static double tgPlayPose(tgInstance* instance, const tgScene* scene, const tgMat34* joints)
{
    tgPose pose = {.joints = joints, .jointCount = scene->jointCount};
    tgVec3Span none = {NULL, 0, 0};
    assert_int_equal(tgInstance_Deform(instance, &pose, none, none, NULL), tg_success);
    tgVolumeReport volume = tgInstance_MeasureVolume(instance);
    return fabs(volume.result - volume.target) / fabs(volume.target);
}

static tgRigDef tgGetExact(const tgScene* scene)
{
    tgRigDef def = tgScene_GetRigDef(scene);
    def.volume.method = tg_volumeExact;
    def.volume.contact = tg_contactOff;
    return def;
}

/// 24 vertices round, one radius thick.
static tgScene* tgMakeCylinder(int boneCount, float length, int ringCount)
{
    tgCylinderDef def = tgDefaultCylinderDef();
    def.boneCount = boneCount;
    def.length = length;
    def.ringCount = ringCount;
    def.aroundCount = 24;
    tgScene* scene = tgCreateCylinder(&def, NULL);
    assert_non_null(scene);
    return scene;
}

/// Sixteen joints that need less than a millionth of the volume each.
static void tgTestManySmallNeeds(void** state)
{
    (void)state;
    tgScene* scene = tgMakeCylinder(17, 60.0f, 301);
    tgRigDef def = tgGetExact(scene);
    tgRig* rig = tgCreateRig(&def, NULL);
    tgInstance* instance = tgCreateInstance(rig, NULL, NULL);
    tgMat34* joints = calloc((size_t)scene->jointCount, sizeof(tgMat34));
    for (double angle = 0.2; angle < 3.0; angle *= 1.2) {
        tgBendChain(scene, angle * tg_degree, joints);
        assert_true(tgPlayPose(instance, scene, joints) <= 1e-6);
    }
    free(joints);
    tgDestroyInstance(instance);
    tgDestroyRig(rig);
    tgDestroyScene(scene);
}

enum { tg_around = 24, tg_along = 60, tg_boneFaces = 2 * tg_around * tg_along };

/// A closed tube along x.
typedef struct tgBoneTube {
    tgVec3 positions[tg_around * tg_along + 2];
    int corners[3 * tg_boneFaces];
} tgBoneTube;

static tgBoneDef tgMakeBoneTube(tgBoneTube* tube, int joint, float from, float to, float radius)
{
    int count = 0, last = tg_along - 1, poles = tg_around * tg_along;
    tube->positions[poles] = tgMakeVec3(from, 0, 0);
    tube->positions[poles + 1] = tgMakeVec3(to, 0, 0);
    for (int i = 0; i < tg_along; ++i) {
        for (int k = 0; k < tg_around; ++k) {
            double angle = 360.0 * tg_degree * k / tg_around;
            float x = from + (to - from) * (float)i / (float)last;
            int next = (k + 1) % tg_around, row = i * tg_around, above = row + tg_around;
            tube->positions[row + k] =
                tgMakeVec3(x, radius * (float)cos(angle), radius * (float)sin(angle));
            const int side[6] = {row + k, row + next,   above + next,
                                 row + k, above + next, above + k};
            for (int c = 0; i < last && c < 6; ++c) {
                tube->corners[count++] = side[c];
            }
            if (i == last) {
                const int ends[6] = {poles, next, k, poles + 1, row + k, row + next};
                for (int c = 0; c < 6; ++c) {
                    tube->corners[count++] = ends[c];
                }
            }
        }
    }
    assert_int_equal(count, 3 * tg_boneFaces);
    return (tgBoneDef){.joint = joint,
                       .positions = {&tube->positions->x, poles + 2, sizeof(tgVec3)},
                       .faceVertices = tube->corners,
                       .faceCount = tg_boneFaces,
                       .thickness = -1.0f};
}

/// Bones nearly as thick as the limb hold the skin that the joint would give its loss back to.
static void tgTestBonesHold(void** state)
{
    (void)state;
    tgScene* scene = tgMakeCylinder(2, 24.0f, 145);
    static tgBoneTube tubes[2];
    tgBoneDef bones[2] = {tgMakeBoneTube(&tubes[0], 0, 6.0f, 12.0f, 0.999f),
                          tgMakeBoneTube(&tubes[1], 1, 12.0f, 18.0f, 0.999f)};
    tgRigDef def = tgGetExact(scene);
    def.bones.bones = bones;
    def.bones.boneCount = 2;
    tgRig* rig = tgCreateRig(&def, NULL);
    assert_non_null(rig);
    tgInstance* instance = tgCreateInstance(rig, NULL, NULL);
    tgMat34 joints[2];
    int held = 0;
    for (double angle = 0.0; angle <= 90.0; angle += 15.0) {
        tgBendChain(scene, angle * tg_degree, joints);
        assert_true(tgPlayPose(instance, scene, joints) <= 1e-6);
        held += tgInstance_GetBoneReport(instance).heldCount;
    }
    assert_true(held > 100);
    tgDestroyInstance(instance);
    tgDestroyRig(rig);
    tgDestroyScene(scene);
}

/// A hundredth of its size and thousands of its sizes away, an arm is closed in few rounds, and
/// what floats there are too coarse for is told.
static void tgTestFarAway(void** state)
{
    (void)state;
    tgScene* scene = tgCreateModel("arm", 2500, NULL);
    tgRigDef def = tgGetExact(scene);
    tgRig* rig = tgCreateRig(&def, NULL);
    tgInstance* instance = tgCreateInstance(rig, NULL, NULL);
    tgMat34* joints = calloc((size_t)scene->jointCount, sizeof(tgMat34));
    for (int i = 0; i < 40; ++i) {
        tgBendChain(scene, (5.0 + 2.0 * i) * tg_degree, joints);
        float far = powf(10.0f, -2.0f + 0.15f * (float)i);
        for (int j = 0; j < scene->jointCount; ++j) {
            joints[j].x = tgMulSV(0.01f, joints[j].x);
            joints[j].y = tgMulSV(0.01f, joints[j].y);
            joints[j].z = tgMulSV(0.01f, joints[j].z);
            joints[j].origin = tgMulSV(0.01f, joints[j].origin);
            joints[j].origin.y += far;
            joints[j].origin.z -= 0.3f * far;
        }
        double missed = tgPlayPose(instance, scene, joints);
        assert_true(missed <= 1e-6 || tgInstance_GetReport(instance).residual != 0.0);
    }
    free(joints);
    tgDestroyInstance(instance);
    tgDestroyRig(rig);
    tgDestroyScene(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestManySmallNeeds),
        cmocka_unit_test(tgTestBonesHold),
        cmocka_unit_test(tgTestFarAway),
    };
    return cmocka_run_group_tests_name("closing", tests, NULL, NULL);
}
