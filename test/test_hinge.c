// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Twist bones, in the chain or as leaves beside it, count as the bone that they lie in: a limb with
// them folds like the one without. A spine in one line stays what it is.

#include "shape_stage.h"

enum { tg_most = 12, tg_none = 0, tg_chain = 1, tg_leaves = 2, tg_stump = 3, tg_helper = 4 };

static const float tg_elbow = 6.0f, tg_wrist = 12.0f;

static tgVolumeDef tgContactVolume(void)
{
    tgVolumeDef volume = tgDefaultRigDef().volume;
    volume.method = tg_volumeExact;
    volume.contact.neighbours = tg_contactOn;
    return volume;
}

static void tgSetJoints(tgShape* tube, int count, const float* places, const int* parents)
{
    size_t n = (size_t)tube->vertexCount * (size_t)count;
    tube->jointCount = tube->influencesPerVertex = count;
    tube->parents = realloc(tube->parents, (size_t)count * sizeof(int));
    tube->restJoints = realloc(tube->restJoints, (size_t)count * sizeof(tgMat34));
    tube->joints = realloc(tube->joints, n * sizeof(int));
    tube->weights = realloc(tube->weights, n * sizeof(float));
    for (int j = 0; j < count; ++j) {
        tube->parents[j] = parents[j];
        tube->restJoints[j] = tgIdentityMat34();
        tube->restJoints[j].origin.x = places[j];
    }
    for (size_t k = 0; k < n; ++k) {
        tube->joints[k] = (int)(k % (size_t)count);
        tube->weights[k] = 0.0f;
    }
}

static float tgStep(float x, float at, float half)
{
    float t = fminf(fmaxf((x - at + half) / (2.0f * half), 0.0f), 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

/// Upper arm, forearm, hand and its tip; then one twist bone half way along each of the first two,
/// which take over the flesh from one end of the bone to the other. A stump ends in its forearm, or
/// in a helper at the elbow.
static tgShape tgMakeArm(int twists)
{
    static const int counts[5] = {4, 6, 6, 2, 3};
    static const float places[2][6] = {{0.0f, 6.0f, 12.0f, 15.0f, 3.0f, 9.0f}, {0.0f, 6.0f, 6.0f}};
    static const int parents[5][6] = {
        {-1, 0, 1, 2}, {-1, 4, 5, 2, 0, 1}, {-1, 0, 1, 2, 0, 1}, {-1, 0}, {-1, 0, 1}};
    tgShape tube = tgMakeTube(24, 81, 16.0f, 0.0f, 1.0f, true);
    int count = counts[twists];
    bool isStump = twists >= tg_stump, hasTwists = twists == tg_chain || twists == tg_leaves;
    tgSetJoints(&tube, count, places[isStump], parents[twists]);
    for (int v = 0; v < tube.vertexCount; ++v) {
        float* w = tube.weights + v * count;
        float x = tube.positions[v].x;
        float below = tgStep(x, tg_elbow, 1.0f), hand = tgStep(x, tg_wrist, 1.0f);
        w[0] = 1.0f - below;
        w[1] = isStump ? below : below - hand;
        if (!isStump) {
            w[2] = hand;
        }
        for (int j = 0; j < 2 && hasTwists; ++j) {
            float part = fminf(fmaxf(x / 6.0f - (float)j, 0.0f), 1.0f);
            w[4 + j] = part * w[j];
            w[j] -= w[4 + j];
        }
    }
    return tube;
}

static const tgCrease* tgGetCrease(const tgStage* stage, int joint)
{
    int limb = stage->rig->limbs.byJoint[joint];
    return limb >= 0 ? &stage->rig->creases.creases[limb] : NULL;
}

static const int tg_kinds[3] = {tg_chain, tg_leaves, tg_helper};

/// The arm that has the same bones, and nothing else in them.
static int tgGetPlain(int twists)
{
    return twists == tg_helper ? tg_stump : tg_none;
}

static void tgCheckAlike(const tgCrease* crease, const tgCrease* wanted)
{
    assert_true(wanted->count > 300);
    assert_int_equal(crease->count, wanted->count);
    for (int i = 0; i < crease->count; ++i) {
        assert_int_equal(crease->vertices[i], wanted->vertices[i]);
        assert_int_equal(crease->witnesses[i], wanted->witnesses[i]);
        CHECK_NEAR(crease->sides[i], wanted->sides[i], 0.0);
        CHECK_NEAR(crease->heights[i], wanted->heights[i], 1e-6);
        CHECK_NEAR(crease->spans[i], wanted->spans[i], 1e-6);
    }
}

static void tgTestTwist(void** state)
{
    (void)state;
    tgVolumeDef volume = tgContactVolume();
    for (int which = 0; which < 6; ++which) {
        int twists = tg_kinds[which / 2];
        tgSkinning skinning = which % 2 ? tg_dualQuaternion : tg_linear;
        tgStage plain = tgMakeStage(tgMakeArm(tgGetPlain(twists)), skinning, &volume);
        tgStage stage = tgMakeStage(tgMakeArm(twists), skinning, &volume);
        tgCheckAlike(tgGetCrease(&stage, 1), tgGetCrease(&plain, 1));
        tgFreeStage(&stage);
        tgFreeStage(&plain);
    }
}

static void tgBendElbow(tgStage* stage, float angle)
{
    tgMat34 joints[tg_most];
    tgTransform turn = tgIdentityTransform();
    turn.rotation = tgMakeQuat(tgMakeVec3(0.0f, 0.0f, 1.0f), angle);
    tgVec3 elbow = tgMakeVec3(tg_elbow, 0.0f, 0.0f);
    turn.position = tgSub(elbow, tgRotate(turn.rotation, elbow));
    tgMat34 motion = tgMakeMat34(turn);
    for (int j = 0; j < stage->shape.jointCount; ++j) {
        const tgMat34* rest = &stage->shape.restJoints[j];
        joints[j] = rest->origin.x >= tg_elbow ? tgMulMat34(&motion, rest) : *rest;
    }
    tgPlay(stage, joints, 0.0f);
}

/// How far skin of one bone near the elbow is beyond the plane between the two, at most.
static float tgGetPassed(const tgStage* stage, float angle)
{
    tgVec3 elbow = tgMakeVec3(tg_elbow, 0.0f, 0.0f);
    tgVec3 normal = tgMakeVec3(cosf(0.5f * angle), sinf(0.5f * angle), 0.0f);
    float passed = -INFINITY;
    for (int v = 0; v < stage->shape.vertexCount; ++v) {
        float x = stage->shape.positions[v].x - tg_elbow;
        float height = tgDot(tgSub(stage->out[v], elbow), normal);
        if (fabsf(x) > 0.01f && fabsf(x) < 4.0f) {
            passed = fmaxf(passed, x > 0.0f ? -height : height);
        }
    }
    return passed;
}

/// Bent by 130 degrees no skin of the upper arm is beyond the plane between the two bones, nor any
/// of the forearm; and all of it that takes part in the plain arm does.
static void tgTestBent(void** state)
{
    (void)state;
    const float angle = 130.0f * 3.14159265f / 180.0f;
    tgVolumeDef volume = tgContactVolume();
    for (int which = 0; which < 6; ++which) {
        int twists = tg_kinds[which / 2];
        tgSkinning skinning = which % 2 ? tg_dualQuaternion : tg_linear;
        tgStage plain = tgMakeStage(tgMakeArm(tgGetPlain(twists)), skinning, &volume);
        tgStage stage = tgMakeStage(tgMakeArm(twists), skinning, &volume);
        assert_int_equal(tgGetCrease(&stage, 1)->count, tgGetCrease(&plain, 1)->count);
        tgBendElbow(&stage, angle);
        CHECK_AT_MOST(tgGetPassed(&stage, angle), 1e-3);
        tgVolumeReport report = tgInstance_MeasureVolume(stage.instance);
        CHECK_NEAR(report.result / report.target, 1.0, 1e-6);
        tgFreeStage(&stage);
        tgFreeStage(&plain);
    }
}

/// Vertebrae shorter than the body is thick, in one line: no part of it folds like an elbow, not
/// even where they begin at the end of a long bone.
static void tgCheckSpine(float firstLength)
{
    const float length = 0.9f;
    float places[tg_most];
    int parents[tg_most];
    for (int j = 0; j < tg_most; ++j) {
        places[j] = j > 0 ? firstLength + length * (float)(j - 1) : 0.0f;
        parents[j] = j - 1;
    }
    float whole = places[tg_most - 1] + length;
    tgShape spine = tgMakeTube(24, 1 + (int)(whole / 0.16f), whole, 0.0f, 1.0f, true);
    tgSetJoints(&spine, tg_most, places, parents);
    for (int v = 0; v < spine.vertexCount; ++v) {
        float* w = spine.weights + v * tg_most;
        float x = spine.positions[v].x;
        for (int j = 0; j < tg_most; ++j) {
            float own = j > 0 ? tgStep(x, places[j], 0.45f) : 1.0f;
            w[j] = own - (j + 1 < tg_most ? tgStep(x, places[j + 1], 0.45f) : 0.0f);
        }
    }
    tgVolumeDef volume = tgContactVolume();
    tgStage stage = tgMakeStage(spine, tg_linear, &volume);
    for (int j = 1; j < tg_most - 1; ++j) {
        const tgCrease* crease = tgGetCrease(&stage, j);
        assert_non_null(crease);
        assert_int_equal(crease->count, 0);
    }
    tgFreeStage(&stage);
}

static void tgTestSpine(void** state)
{
    (void)state;
    tgCheckSpine(0.9f);
    tgCheckSpine(4.0f);
}

/// Skin that goes over from bone to bone half a radius beyond the elbow. What lies over the forearm
/// there and follows the upper arm goes with its neighbours in the first quarter of a radius, where
/// it is of neither bone, and is left out beyond: it passes the plane on the outer side.
static void tgTestMidline(void** state)
{
    (void)state;
    tgVolumeDef volume = tgContactVolume();
    tgShape tube = tgMakeArm(tg_stump);
    for (int v = 0; v < tube.vertexCount; ++v) {
        float below = tgStep(tube.positions[v].x, tg_elbow + 0.5f, 2.0f);
        tube.weights[2 * v] = 1.0f - below;
        tube.weights[2 * v + 1] = below;
    }
    tgStage stage = tgMakeStage(tube, tg_linear, &volume);
    const tgCrease* crease = tgGetCrease(&stage, 1);
    const tgMesh* mesh = &stage.rig->mesh;
    int own = 0, carried = 0, neither = 0;
    for (int i = 0; i < crease->count; ++i) {
        int render = mesh->vertexToRender[crease->vertices[i]];
        float x = stage.shape.positions[render].x - tg_elbow;
        float follows = stage.shape.weights[2 * render + 1];
        own += crease->sides[i] > 0.0f;
        carried += crease->sides[i] < 0.0f;
        if (x > 0.01f && follows < 0.5f) {
            CHECK_AT_MOST(x, 0.25);
            CHECK_NEAR(crease->sides[i], 0.0, 0.0);
            CHECK_NEAR(crease->heights[i], 0.0, 0.0);
            neither += 1;
        }
    }
    assert_true(own > 300 && carried > 300);
    assert_int_equal(neither, 24); // the one ring in the first quarter
    tgFreeStage(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestTwist),
        cmocka_unit_test(tgTestBent),
        cmocka_unit_test(tgTestSpine),
        cmocka_unit_test(tgTestMidline),
    };
    return cmocka_run_group_tests_name("hinge", tests, NULL, NULL);
}
