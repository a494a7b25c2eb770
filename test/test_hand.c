// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The hand: proportions, and a fist in which the thumb closes last and no finger goes far into the
// palm under plain skinning.

#include "model_checks.h"
#include "turgor/models.h"

static const char* const tg_fingers[] = {"index", "middle", "ring", "little"};

static tgVec3 tgGetOrigin(const tgScene* scene, const tgMat34* joints, const char* digit,
                          const char* segment)
{
    char name[64];
    snprintf(name, sizeof(name), "%s_%s", digit, segment);
    int joint = tgScene_FindJoint(scene, name);
    assert_true(joint >= 0);
    return joints != NULL ? joints[joint].origin : scene->joints[joint].restJoint.origin;
}

/// Lengths of the finger bones over those of an adult hand (metacarpal, proximal, middle; metres).
static void tgTestProportions(void** state)
{
    (void)state;
    static const float tg_lengths[4][3] = {{0.068f, 0.045f, 0.026f},
                                           {0.068f, 0.050f, 0.030f},
                                           {0.062f, 0.046f, 0.028f},
                                           {0.057f, 0.037f, 0.021f}};
    static const char* const tg_segments[] = {"metacarpal", "proximal", "middle", "distal"};
    tgScene* scene = tgCreateModel("hand", 0, NULL);
    assert_non_null(scene);
    assert_int_equal(scene->jointCount, 21);
    for (int i = 0; i < 4; ++i) {
        for (int s = 0; s < 3; ++s) {
            tgVec3 start = tgGetOrigin(scene, NULL, tg_fingers[i], tg_segments[s]);
            tgVec3 end = tgGetOrigin(scene, NULL, tg_fingers[i], tg_segments[s + 1]);
            CHECK_NEAR(tgDistance(start, end), tg_lengths[i][s], 0.1f * tg_lengths[i][s]);
        }
    }
    float height = 0.0f;
    for (int v = 0; v < scene->vertexCount; ++v) {
        height = fmaxf(height, scene->positions[v].y);
    }
    // From the crease of the wrist to the tip of the middle finger: 0.19 m in men.
    float wrist = scene->joints[tgScene_FindJoint(scene, "wrist")].restJoint.origin.y;
    CHECK_NEAR(height - wrist, 0.19, 0.01);
    tgDestroyScene(scene);
}

typedef struct tgPosedHand {
    tgScene* scene;
    tgMat34* nodes;
    tgMat34* joints;
    tgVec3* positions;
    tgVec3* normals;
} tgPosedHand;

/// Plain linear skinning, written down once more.
static void tgPoseHand(tgPosedHand* hand, double time)
{
    tgScene* scene = hand->scene;
    tgScene_SamplePose(scene, 0, time, hand->nodes, hand->joints, NULL);
    for (int v = 0; v < scene->vertexCount; ++v) {
        tgVec3 position = {0.0f, 0.0f, 0.0f}, normal = {0.0f, 0.0f, 0.0f};
        for (int k = 0; k < scene->influencesPerVertex; ++k) {
            int i = v * scene->influencesPerVertex + k;
            int joint = scene->influenceJoints[i];
            float w = scene->influenceWeights[i];
            // Rest frames are not turned.
            tgVec3 local = tgSub(scene->positions[v], scene->joints[joint].restJoint.origin);
            position = tgMulAdd(position, w, tgMulMatPoint(&hand->joints[joint], local));
            normal =
                tgMulAdd(normal, w, tgMulMatDirection(&hand->joints[joint], scene->normals[v]));
        }
        hand->positions[v] = position;
        hand->normals[v] = tgNormalize(normal, scene->normals[v]);
    }
}

static tgPosedHand tgOpenHand(void)
{
    tgPosedHand hand = {.scene = tgCreateModel("hand", 0, NULL)};
    assert_non_null(hand.scene);
    hand.nodes = calloc((size_t)hand.scene->nodeCount, sizeof(tgMat34));
    hand.joints = calloc((size_t)hand.scene->jointCount, sizeof(tgMat34));
    hand.positions = calloc((size_t)hand.scene->vertexCount, sizeof(tgVec3));
    hand.normals = calloc((size_t)hand.scene->vertexCount, sizeof(tgVec3));
    return hand;
}

static void tgCloseHand(tgPosedHand* hand)
{
    tgDestroyScene(hand->scene);
    free(hand->nodes);
    free(hand->joints);
    free(hand->positions);
    free(hand->normals);
}

/// The name of the joint that moves a vertex most; weights are stored largest first.
static const char* tgGetOwner(const tgScene* scene, int v)
{
    return scene->joints[scene->influenceJoints[v * scene->influencesPerVertex]].name;
}

static bool tgIsPalm(const char* name)
{
    return strcmp(name, "wrist") == 0 ||
           (strstr(name, "_metacarpal") != NULL && strncmp(name, "thumb", 5) != 0);
}

/// How deep the fingers' last phalanges are under the palm's skin, by its nearest vertex.
static float tgMeasureDepth(const tgPosedHand* hand)
{
    const tgScene* scene = hand->scene;
    float deepest = -1e9f;
    for (int v = 0; v < scene->vertexCount; ++v) {
        const char* name = tgGetOwner(scene, v);
        if (strstr(name, "_distal") == NULL || strncmp(name, "thumb", 5) == 0) {
            continue;
        }
        float nearest = 1e9f, depth = 0.0f;
        for (int u = 0; u < scene->vertexCount; ++u) {
            float distance = tgDistance(hand->positions[u], hand->positions[v]);
            if (distance < nearest && tgIsPalm(tgGetOwner(scene, u))) {
                nearest = distance;
                depth = tgDot(tgSub(hand->positions[u], hand->positions[v]), hand->normals[u]);
            }
        }
        deepest = fmaxf(deepest, depth);
    }
    return deepest;
}

static void tgTestFistReachesThePalm(void** state)
{
    (void)state;
    tgPosedHand hand = tgOpenHand();
    tgPoseHand(&hand, 2.1);
    for (int i = 0; i < 4; ++i) {
        tgVec3 knuckle = tgGetOrigin(hand.scene, hand.joints, tg_fingers[i], "proximal");
        tgVec3 last = tgGetOrigin(hand.scene, hand.joints, tg_fingers[i], "distal");
        // The last joint hangs below the knuckle, in front of the palm.
        assert_true(last.y < knuckle.y - 0.01f && last.z > knuckle.z + 0.02f);
    }
    float depth = tgMeasureDepth(&hand);
    print_message("fingertips lie %.1f mm under the palm's skin\n", 1000.0 * (double)depth);
    // They touch it, and sink in by less than half their own thickness: contact can mend that.
    assert_true(depth > -0.003f && depth < 0.007f);
    // The thumb lies in front of the fingers that it covers.
    tgVec3 thumb = tgGetOrigin(hand.scene, hand.joints, "thumb", "distal");
    tgVec3 index = tgGetOrigin(hand.scene, hand.joints, "index", "middle");
    assert_true(thumb.z > index.z + 0.005f);
    tgCloseHand(&hand);
}

/// The part of its whole turn that a joint has done, in degrees over degrees.
static float tgGetTurn(const tgPosedHand* hand, const char* digit, const char* segment)
{
    char name[64];
    snprintf(name, sizeof(name), "%s_%s", digit, segment);
    int joint = tgScene_FindJoint(hand->scene, name);
    const tgMat34* own = &hand->joints[joint];
    const tgMat34* above = &hand->joints[hand->scene->joints[joint].parent];
    float trace = tgDot(own->x, above->x) + tgDot(own->y, above->y) + tgDot(own->z, above->z);
    return acosf(fmaxf(-1.0f, fminf(1.0f, 0.5f * (trace - 1.0f))));
}

static void tgTestThumbClosesLast(void** state)
{
    (void)state;
    tgPosedHand hand = tgOpenHand();
    tgPoseHand(&hand, 2.1);
    float finger = tgGetTurn(&hand, "index", "middle"), thumb = tgGetTurn(&hand, "thumb", "distal");
    assert_true(finger > 1.5f && thumb > 0.9f);
    tgPoseHand(&hand, 1.4);
    assert_true(tgGetTurn(&hand, "index", "middle") > 0.95f * finger);
    CHECK_AT_MOST(tgGetTurn(&hand, "thumb", "distal"), 0.2f * thumb);
    tgPoseHand(&hand, 2.7);
    assert_true(tgGetTurn(&hand, "index", "middle") > 0.95f * finger);
    CHECK_AT_MOST(tgGetTurn(&hand, "thumb", "distal"), 0.25f * thumb);
    tgCloseHand(&hand);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestProportions),
        cmocka_unit_test(tgTestFistReachesThePalm),
        cmocka_unit_test(tgTestThumbClosesLast),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
