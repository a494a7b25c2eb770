// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A skeleton somewhere else: a point that a joint carries goes where scaling and moving the whole
// animation would take it, whatever the interpolation; and a skeleton as it stands is the pose.

#include "check.h"
#include "turgor/io.h"
#include "turgor/models.h"

static const float tg_scale = 37.0f;
static const tgVec3 tg_offset = {5.0f, -2.0f, 11.0f};

static tgScene* tgMakeCat(void)
{
    tgScene* scene = tgCreateModel("cat", 0, NULL);
    assert_non_null(scene);
    return scene;
}

typedef struct tgPosed {
    tgMat34 *nodes, *joints;
} tgPosed;

static tgPosed tgPoseAt(const tgScene* scene, int animation, double time)
{
    tgPosed posed = {calloc((size_t)scene->nodeCount, sizeof(tgMat34)),
                     calloc((size_t)scene->jointCount, sizeof(tgMat34))};
    tgScene_SamplePose(scene, animation, time, posed.nodes, posed.joints, NULL);
    return posed;
}

static void tgFreePosed(tgPosed* posed)
{
    free(posed->nodes);
    free(posed->joints);
}

/// F(M p) for a few points p.
static void tgCheckPlaced(const tgMat34* before, const tgMat34* after, float size)
{
    static const tgVec3 points[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 4; ++i) {
        tgVec3 wanted = tgMulAdd(tg_offset, tg_scale, tgMulMatPoint(before, points[i]));
        CHECK_NEAR(tgDistance(tgMulMatPoint(after, points[i]), wanted), 0.0, 1e-5 * (double)size);
    }
}

/// Makes keys of the roots so that all kinds of them are there.
static void tgAddRootKeys(tgScene* scene, tgInterpolation interpolation)
{
    static const float times[] = {0.0f, 0.4f, 1.0f};
    int perKey = interpolation == tg_interpolateCubic ? 3 : 1;
    tgAnimation* animation = &scene->animations[0];
    tgChannel* channels =
        tgScene_Alloc(scene, (size_t)animation->channelCount + 2, sizeof(tgChannel));
    int count = 0;
    for (int c = 0; c < animation->channelCount; ++c) {
        const tgChannel* channel = &animation->channels[c];
        if (scene->nodes[channel->node].parent >= 0 || channel->path == tg_pathRotation) {
            channels[count++] = *channel;
        }
    }
    int root = scene->joints[0].node;
    while (scene->nodes[root].parent >= 0) {
        root = scene->nodes[root].parent;
    }
    for (int k = 0; k < 2; ++k) {
        float* values = tgScene_Alloc(scene, (size_t)(9 * perKey), sizeof(float));
        for (int i = 0; i < 9 * perKey; ++i) {
            values[i] = k == 0 ? 0.3f * (float)(i % 5) - 0.5f : 1.0f + 0.1f * (float)(i % 4);
        }
        channels[count++] = (tgChannel){.node = root,
                                        .path = k == 0 ? tg_pathTranslation : tg_pathScale,
                                        .interpolation = interpolation,
                                        .keyCount = 3,
                                        .width = 3,
                                        .times = times,
                                        .values = values};
    }
    animation->channels = channels;
    animation->channelCount = count;
}

static void test_moved(void** state)
{
    (void)state;
    for (int kind = tg_interpolateStep; kind <= tg_interpolateCubic; ++kind) {
        tgScene *before = tgMakeCat(), *after = tgMakeCat();
        tgAddRootKeys(before, (tgInterpolation)kind);
        tgAddRootKeys(after, (tgInterpolation)kind);
        assert_int_equal(tgScene_MoveSkeleton(after, tg_scale, tg_offset, NULL), tg_success);
        for (int j = 0; j < before->jointCount; ++j) {
            tgCheckPlaced(&before->joints[j].restJoint, &after->joints[j].restJoint, 100.0f);
        }
        for (int animation = -1; animation < before->animationCount; ++animation) {
            for (double time = 0.0; time < 1.3; time += 0.17) {
                tgPosed first = tgPoseAt(before, animation, time);
                tgPosed second = tgPoseAt(after, animation, time);
                for (int j = 0; j < before->jointCount; ++j) {
                    tgCheckPlaced(&first.joints[j], &second.joints[j], 100.0f);
                }
                tgFreePosed(&first);
                tgFreePosed(&second);
            }
        }
        tgDestroyScene(before);
        tgDestroyScene(after);
    }
}

static void test_stands(void** state)
{
    (void)state;
    for (int animation = -1; animation < 1; ++animation) {
        tgScene* scene = tgMakeCat();
        tgPosed posed = tgPoseAt(scene, animation, 0.3);
        assert_int_equal(tgScene_StandSkeleton(scene, animation, 0.3, NULL), tg_success);
        for (int j = 0; j < scene->jointCount; ++j) {
            assert_memory_equal(&scene->joints[j].restJoint, &posed.joints[j], sizeof(tgMat34));
        }
        tgFreePosed(&posed);
        tgDestroyScene(scene);
    }
}

static void test_refusals(void** state)
{
    (void)state;
    static const float wrong[] = {0.0f, -1.0f, HUGE_VALF, (float)NAN};
    tgScene* scene = tgMakeCat();
    for (int i = 0; i < 4; ++i) {
        tgError error = {0};
        tgMat34 rest = scene->joints[1].restJoint;
        assert_int_equal(tgScene_MoveSkeleton(scene, wrong[i], tg_offset, &error),
                         tg_invalidArgument);
        CHECK_CONTAINS(error.message, "more than 0");
        assert_memory_equal(&scene->joints[1].restJoint, &rest, sizeof(rest));
    }
    tgDestroyScene(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moved),
        cmocka_unit_test(test_stands),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
