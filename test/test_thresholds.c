// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What the volume stage leaves out, from both sides: turns too small to take volume, needs too
// small to be given back by their own joint, supports with too little room.

#include "shape_stage.h"

static tgRigDef tgGetDef(const tgShape* shape)
{
    tgRigDef def = tgShape_GetRigDef(shape);
    def.volume.method = tg_volumeExact;
    def.volume.contact = tg_contactOff;
    return def;
}

static void tgDeformOnce(const tgRigDef* def, const tgMat34* joints, tgVec3* out)
{
    tgError error = {0};
    tgRig* rig = tgCreateRig(def, &error);
    assert_non_null(rig);
    tgInstanceDef instanceDef = tgDefaultInstanceDef();
    tgInstance* instance = tgCreateInstance(rig, &instanceDef, NULL);
    tgPose pose = {.joints = joints, .jointCount = def->jointCount};
    tgVec3Span span = {&out->x, def->restPositions.count, sizeof(tgVec3)};
    assert_int_equal(tgInstance_Deform(instance, &pose, span, (tgVec3Span){0}, NULL), tg_success);
    tgDestroyInstance(instance);
    tgDestroyRig(rig);
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

/// What the second joint is asked for over what the first is, with a gain; 0: nothing.
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
    double first = states[rig->limbs.byJoint[1]].need, second = states[rig->limbs.byJoint[2]].need;
    tgDestroyInstance(instance);
    tgDestroyRig(rig);
    return fabs(second / first);
}

/// A need of less than 1e-5 of the largest is not given back by its own joint: the least gain that
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
    CHECK_NEAR(tgGetNeed(&pair, posed, 1.0f), 1.0, 1e-5);
    for (int i = 0; i < 12; ++i) {
        float middle = 0.5f * (low + high);
        bool isAsked = tgGetNeed(&pair, posed, middle) > 0.0;
        low = isAsked ? low : middle;
        high = isAsked ? middle : high;
    }
    CHECK_NEAR(tgGetNeed(&pair, posed, high), 1e-5, 1e-6);
    CHECK_NEAR(tgGetNeed(&pair, posed, low), 0.0, 0.0);
    tgFreeShape(&pair);
}

/// A profile on one vertex: with less than 1e-6 of all the skin's room it is not asked.
static void tgTestSmallRoom(void** state)
{
    (void)state;
    tgShape tube = tgMakeTube(16, 33, 8.0f, 3.0f, 5.0f, true);
    int best = 16 * 16 + 12; // on the outer side, at the joint
    tgVec3 place = tgSub(tube.positions[best], tgMakeVec3(4.0f, 0.0f, 0.0f));
    tgRigDef def = tgGetDef(&tube);
    tgRig* rig = tgCreateRig(&def, NULL);
    assert_non_null(rig);
    int welded = rig->mesh.renderToVertex[best];
    double share =
        (double)(rig->stage.radii[welded] * rig->stage.areas[welded]) / rig->stage.allSum;
    tgDestroyRig(rig);
    size_t count = (size_t)tube.vertexCount;
    tgVec3 *out = calloc(count, sizeof(tgVec3)), *plain = calloc(count, sizeof(tgVec3));
    tgMat34 joints[2];
    tgBendTube(&tube, 8.0f, 0.0f, 0.3, joints); // e2 is y, e1 = e2 x e0 is -z
    def = tgShape_GetRigDef(&tube);
    tgDeformOnce(&def, joints, plain);
    for (int i = 0; i < 2; ++i) {
        // A spot about the vertex, times a hill that is low there and high where there is no skin.
        tgProfile list[2] = {tgDefaultProfile(tg_profileIsotropic),
                             tgDefaultProfile(tg_profileCurves)};
        const float unit = 4.0f;
        list[0].sigma[0] = list[0].sigma[1] = list[0].sigma[2] = 0.02f;
        list[0].center[0] = place.x / unit;
        list[0].center[1] = -place.z / unit;
        list[0].center[2] = place.y / unit;
        list[1].combine = tg_combineMultiply;
        list[1].curveCounts[0] = 2;
        float low = (float)((i == 0 ? 0.8e-6 : 1.25e-6) / share + 1e-4);
        list[1].curves[0][0] = (tgCurvePoint){2.0f, low};
        list[1].curves[0][1] = (tgCurvePoint){3.0f, 1.0f};
        def = tgGetDef(&tube);
        def.volume.profiles = list;
        def.volume.profileCount = 2;
        tgDeformOnce(&def, joints, out);
        double own = (double)tgDistance(out[best], plain[best]);
        double beside = (double)tgDistance(out[best + 16], plain[best + 16]);
        print_message("room of %.2e: the spot moves by %.2e, the skin beside it by %.2e\n",
                      ((double)low - 1e-4) * share, own, beside);
        assert_true(i == 0 ? own < 1.2 * beside : own > 2.0 * beside);
    }
    free(out);
    free(plain);
    tgFreeShape(&tube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestSmallNeeds),
        cmocka_unit_test(tgTestSmallRoom),
    };
    return cmocka_run_group_tests_name("thresholds", tests, NULL, NULL);
}
