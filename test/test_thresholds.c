// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What the volume stage leaves out, from both sides: needs too small to be given back by their own
// joint.

#include "shape_stage.h"

static tgRigDef tgGetDef(const tgShape* shape)
{
    tgRigDef def = tgShape_GetRigDef(shape);
    def.volume.method = tg_volumeExact;
    def.volume.contact = tg_contactOff;
    return def;
}

/// Two tubes, each with a joint; the second gives back a part of what it lost.
static tgShape tgMakePair(void)
{
    tgShape one = tgMakeTube(16, 33, 8.0f, 3.0f, 5.0f, true);
    int n = one.vertexCount;
    tgShape pair = tgMakeShape(2 * n, 2 * one.faceCount, 8 * one.faceCount);
    pair.jointCount = 3;
    pair.influencesPerVertex = 2;
    pair.parents = realloc(pair.parents, 3 * sizeof(int));
    pair.restJoints = realloc(pair.restJoints, 3 * sizeof(tgMat34));
    for (int j = 0; j < 3; ++j) { // both hinges at x = 0, where floats are fine
        pair.parents[j] = j > 0 ? 0 : -1;
        pair.restJoints[j] = tgIdentityMat34();
        pair.restJoints[j].origin = tgMakeVec3(j > 0 ? 0.0f : -4.0f, 0.0f, j == 1 ? 8.0f : 0.0f);
    }
    for (int v = 0; v < 2 * n; ++v) {
        tgVec3 p = one.positions[v % n];
        pair.positions[v] = tgMakeVec3(p.x - 4.0f, p.y, p.z + (v < n ? 8.0f : 0.0f));
        pair.joints[2 * v + 1] = v < n ? 1 : 2;
        pair.weights[2 * v] = one.weights[2 * (v % n)];
        pair.weights[2 * v + 1] = one.weights[2 * (v % n) + 1];
    }
    for (int f = 0; f < 2 * one.faceCount; ++f) {
        int corners[4];
        for (int k = 0; k < 4; ++k) {
            corners[k] = one.faceVertices[4 * (f % one.faceCount) + k] + f / one.faceCount * n;
        }
        tgShape_AddFace(&pair, 4, corners);
    }
    tgFreeShape(&one);
    return pair;
}

/// What the second joint is asked for over the volume to keep, with a gain; 0: nothing.
static double tgGetNeed(const tgShape* pair, const tgMat34* posed, float gain)
{
    tgProfile own = tgDefaultProfile(tg_profileOrganic), part = own;
    const tgJointProfiles joints[2] = {{1, &own, 1}, {2, &part, 1}};
    part.gain = gain;
    tgRigDef def = tgGetDef(pair);
    def.volume.joints = joints;
    def.volume.jointCount = 2;
    tgRig* rig = tgCreateRig(&def, NULL);
    assert_non_null(rig);
    tgInstanceDef instanceDef = tgDefaultInstanceDef();
    tgInstance* instance = tgCreateInstance(rig, &instanceDef, NULL);
    tgPose pose = {.joints = posed, .jointCount = 3};
    assert_int_equal(tgInstance_Deform(instance, &pose, (tgVec3Span){0}, (tgVec3Span){0}, NULL),
                     tg_success);
    const tgLimbState* states = instance->volume.states;
    double asked = states[rig->limbs.byJoint[2]].need / instance->volume.target;
    tgDestroyInstance(instance);
    tgDestroyRig(rig);
    return fabs(asked);
}

/// A need of less than 1e-6 of the volume is not given back by its own joint: the least gain that
/// is, found by halving.
static void tgTestSmallNeeds(void** state)
{
    (void)state;
    tgShape pair = tgMakePair();
    tgMat34 posed[3];
    memcpy(posed, pair.restJoints, sizeof(posed));
    for (int j = 1; j < 3; ++j) {
        tgTransform turn = tgIdentityTransform();
        turn.position = pair.restJoints[j].origin;
        turn.rotation = tgMakeQuat(tgMakeVec3(0, 0, 1), 2.0f);
        posed[j] = tgMakeMat34(turn);
    }
    float low = 0.0f, high = 1e-4f;
    for (int i = 0; i < 16; ++i) {
        float middle = 0.5f * (low + high);
        bool isAsked = tgGetNeed(&pair, posed, middle) > 0.0;
        low = isAsked ? low : middle;
        high = isAsked ? middle : high;
    }
    CHECK_NEAR(tgGetNeed(&pair, posed, high), 1e-6, 1e-7);
    CHECK_NEAR(tgGetNeed(&pair, posed, low), 0.0, 0.0);
    tgFreeShape(&pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestSmallNeeds),
    };
    return cmocka_run_group_tests_name("thresholds", tests, NULL, NULL);
}
