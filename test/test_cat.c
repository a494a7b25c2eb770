// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The cat's motions, and the joints that flesh hangs on: paws that stand neither slip nor sink, the
// jump leaves the ground, the belly follows the spine; the mushroom's cap follows one bone.

#include "model_checks.h"
#include "turgor/models.h"

enum { tg_stepCount = 120, tg_pawCount = 4 };

static const char* const tg_paws[tg_pawCount] = {"forepaw.L", "forepaw.R", "hindpaw.L",
                                                 "hindpaw.R"};

typedef struct tgTrack {
    tgVec3 paws[tg_stepCount][tg_pawCount];
    tgVec3 pelvis[tg_stepCount];
    double step; ///< seconds
} tgTrack;

static void tgFollow(const tgScene* scene, const char* animation, tgTrack* track)
{
    int index = tgScene_FindAnimation(scene, animation);
    assert_true(index >= 0);
    tgMat34* nodes = calloc((size_t)scene->nodeCount, sizeof(tgMat34));
    tgMat34* joints = calloc((size_t)scene->jointCount, sizeof(tgMat34));
    track->step = scene->animations[index].end / tg_stepCount;
    for (int i = 0; i < tg_stepCount; ++i) {
        tgScene_SamplePose(scene, index, i * track->step, nodes, joints, NULL);
        for (int k = 0; k < tg_pawCount; ++k) {
            track->paws[i][k] = joints[tgScene_FindJoint(scene, tg_paws[k])].origin;
        }
        track->pelvis[i] = joints[tgScene_FindJoint(scene, "pelvis")].origin;
    }
    free(nodes);
    free(joints);
}

/// Each paw stands for a while; while it does, it runs back with the ground, all at one speed.
static void tgTestRunKeepsToTheGround(void** state)
{
    (void)state;
    tgScene* scene = tgCreateModel("cat", 0, NULL);
    assert_non_null(scene);
    static tgTrack tg_track;
    tgFollow(scene, "run", &tg_track);
    float rest = scene->joints[tgScene_FindJoint(scene, tg_paws[0])].restJoint.origin.y;
    double speedSum = 0.0, least = 1e9, most = 0.0;
    int standing = 0;
    for (int i = 0; i + 1 < tg_stepCount; ++i) {
        for (int k = 0; k < tg_pawCount; ++k) {
            tgVec3 a = tg_track.paws[i][k], b = tg_track.paws[i + 1][k];
            assert_true(a.y > rest - 0.002f);
            if (fabsf(a.y - rest) < 2e-4f && fabsf(b.y - rest) < 2e-4f) {
                double speed = (double)(a.z - b.z) / tg_track.step;
                speedSum += speed;
                least = fmin(least, speed);
                most = fmax(most, speed);
                standing += 1;
            }
        }
    }
    double speed = speedSum / standing;
    print_message("runs at %.2f m/s, between %.2f and %.2f while a paw stands\n", speed, least,
                  most);
    // A quarter of the time each, more or less.
    assert_in_range(standing, tg_stepCount * tg_pawCount / 5, tg_stepCount * tg_pawCount / 3);
    CHECK_NEAR(least, speed, 0.25 * speed);
    CHECK_NEAR(most, speed, 0.25 * speed);
    tgDestroyScene(scene);
}

static void tgTestJumpLeavesTheGround(void** state)
{
    (void)state;
    tgScene* scene = tgCreateModel("cat", 0, NULL);
    assert_non_null(scene);
    static tgTrack tg_track;
    tgFollow(scene, "jump", &tg_track);
    float rest = scene->joints[tgScene_FindJoint(scene, tg_paws[0])].restJoint.origin.y;
    float highest = 0.0f, lowest = 1e9f;
    int inAir = 0;
    for (int i = 0; i < tg_stepCount; ++i) {
        float paw = 1e9f;
        for (int k = 0; k < tg_pawCount; ++k) {
            paw = fminf(paw, tg_track.paws[i][k].y - rest);
        }
        CHECK_AT_MOST(-paw, 2e-3f);
        inAir += paw > 0.01f;
        highest = fmaxf(highest, paw);
        lowest = fminf(lowest, tg_track.pelvis[i].y - tg_track.pelvis[0].y);
    }
    assert_true(highest > 0.2f && lowest < -0.05f);
    assert_in_range(inAir, tg_stepCount / 5, tg_stepCount / 2);
    tgDestroyScene(scene);
}

/// What flesh needs: vertices far from the spine that belong to it.
static void tgTestBellyHangsOnTheSpine(void** state)
{
    (void)state;
    tgScene* scene = tgCreateModel("cat", 0, NULL);
    assert_non_null(scene);
    int count = 0;
    for (int v = 0; v < scene->vertexCount; ++v) {
        tgVec3 p = scene->positions[v];
        if (fabsf(p.x) > 0.02f || p.y > 0.13f || p.z < -0.06f || p.z > 0.02f) {
            continue;
        }
        count += 1;
        float spine = 0.0f;
        for (int k = 0; k < scene->influencesPerVertex; ++k) {
            int i = v * scene->influencesPerVertex + k;
            bool isSpine = strncmp(scene->joints[scene->influenceJoints[i]].name, "spine", 5) == 0;
            spine += isSpine ? scene->influenceWeights[i] : 0.0f;
        }
        assert_true(spine > 0.8f);
    }
    assert_true(count >= 8);
    tgDestroyScene(scene);
}

static void tgTestCapHangsOnOneBone(void** state)
{
    (void)state;
    tgScene* scene = tgCreateModel("mushroom", 0, NULL);
    assert_non_null(scene);
    int cap = tgScene_FindJoint(scene, "cap"), top = tgScene_FindJoint(scene, "top");
    assert_true(cap >= 0 && top >= 0);
    assert_int_equal(scene->joints[top].parent, cap);
    float lower = scene->joints[cap].restJoint.origin.y;
    float upper = scene->joints[top].restJoint.origin.y;
    float widest = 0.0f, stem = 0.0f;
    for (int v = 0; v < scene->vertexCount; ++v) {
        tgVec3 p = scene->positions[v];
        float away = sqrtf(p.x * p.x + p.z * p.z);
        if (away > 0.06f) {
            // All of the rim, between the ends of the bone, and moving with it.
            assert_true(p.y > lower && p.y < upper);
            int joint = scene->influenceJoints[v * scene->influencesPerVertex];
            assert_true(joint == cap || joint == top);
            widest = fmaxf(widest, away);
        }
        stem = p.y > 0.06f && p.y < 0.10f ? fmaxf(stem, away) : stem;
    }
    assert_true(widest > 3.0f * stem);
    // The core is rigid: nothing but the root moves.
    assert_int_equal(scene->animations[0].channelCount, 1);
    assert_int_equal(scene->animations[0].channels[0].path, tg_pathTranslation);
    tgDestroyScene(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestRunKeepsToTheGround),
        cmocka_unit_test(tgTestJumpLeavesTheGround),
        cmocka_unit_test(tgTestBellyHangsOnTheSpine),
        cmocka_unit_test(tgTestCapHangsOnOneBone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
