// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Other people's characters through the reader: their counts, and the volume that plain skinning
// leaves of them, against figures taken with another program. Skipped when the folder is absent.

#include "assets.h"

/// From the table beside the files. Volumes are in % of the bind pose, over the first animation.
typedef struct tgAssetFacts {
    const char* file;
    int vertexCount, faceCount, jointCount, influences, animationCount;
    double lowest, highest; ///< 0 where the table gives none or the mesh is not closed
    int warningCount;
    bool isScaled; ///< by nodes above the skeleton: only lowest over highest means something
} tgAssetFacts;

static const tgAssetFacts tg_assets[] = {
    {"CesiumMan.glb", 3273, 4672, 19, 4, 1, 94.15, 96.38, 0},
    {"Fox.glb", 1728, 576, 24, 4, 3, 97.72, 99.53, 0},
    {"RiggedFigure.glb", 370, 256, 19, 4, 1, 97.58, 100.00, 0},
    {"RiggedSimple.glb", 160, 188, 2, 2, 1, 97.35, 100.00, 0},
    {"SimpleSkin.gltf", 10, 8, 2, 2, 1, 0, 0, 0},
    {"RecursiveSkeletons.glb", 3360, 6384, 840, 1, 1, 95.86, 100.00, 1, true},
    {"elephant_african_bush.glb", 1017, 1602, 58, 4, 5, 0, 0, 0},
    {"giraffe_adult.glb", 454, 690, 31, 2, 4, 0, 0, 0},
    {"giraffe_vs.glb", 1673, 3336, 59, 13, 1, 0, 0, 0},
    {"spot_vs.glb", 2930, 5856, 26, 11, 1, 90.83, 102.07, 0},
    {"human_makehuman.glb", 13380, 26756, 163, 4, 1, 92.95, 104.23, 0},
    {"human_makehuman_53k.glb", 53514, 107024, 163, 8, 1, 0, 0, 0},
    {"hand_bones.glb", 1360, 2314, 25, 4, 1, 92.12, 100.00, 0},
    {"hand_generic_right.glb", 1360, 2314, 25, 4, 0, 0, 0, 0},
    // The table says 62 joints; the six skins name 67 different nodes.
    {"Yeti.glb", 19476, 35146, 67, 4, 1, 95.44, 100.12, 3, true},
};

/// What the rest of Turgor relies on, whatever the file.
static void tgCheckPromises(const tgScene* scene)
{
    for (int n = 0; n < scene->nodeCount; ++n) {
        assert_true(scene->nodes[n].parent < n);
    }
    for (int j = 0; j < scene->jointCount; ++j) {
        assert_true(scene->joints[j].parent < j);
    }
    for (int k = 0; k < 3 * scene->faceCount; ++k) {
        assert_true(scene->faceVertices[k] >= 0 && scene->faceVertices[k] < scene->vertexCount);
    }
    for (int v = 0; v < scene->vertexCount; ++v) {
        size_t first = (size_t)v * (size_t)scene->influencesPerVertex;
        double sum = 0.0;
        for (int k = 0; k < scene->influencesPerVertex; ++k) {
            float weight = scene->influenceWeights[first + (size_t)k];
            int joint = scene->influenceJoints[first + (size_t)k];
            assert_true(joint >= 0 && joint < scene->jointCount && weight >= 0.0f);
            assert_true(k == 0 || weight <= scene->influenceWeights[first + (size_t)k - 1]);
            sum += (double)weight;
        }
        CHECK_NEAR(sum, 1.0, 1e-6);
    }
}

static void TestCounts(void** state)
{
    (void)state;
    int readCount = 0;
    for (size_t i = 0; i < sizeof(tg_assets) / sizeof(tg_assets[0]); ++i) {
        const tgAssetFacts* facts = &tg_assets[i];
        tgScene* scene = tgLoadAsset(facts->file);
        if (scene == NULL) {
            continue;
        }
        readCount += 1;
        assert_int_equal(scene->vertexCount, facts->vertexCount);
        assert_int_equal(scene->faceCount, facts->faceCount);
        assert_int_equal(scene->jointCount, facts->jointCount);
        assert_int_equal(scene->influencesPerVertex, facts->influences);
        assert_int_equal(scene->animationCount, facts->animationCount);
        assert_int_equal(scene->warningCount, facts->warningCount);
        tgCheckPromises(scene);
        tgDestroyScene(scene);
    }
    if (readCount == 0) {
        skip();
    }
}

static void TestYetiIsMended(void** state)
{
    (void)state;
    tgScene* scene = tgLoadAsset("Yeti.glb");
    if (scene == NULL) {
        skip();
        return;
    }
    assert_string_equal(scene->warnings[0],
                        "7128 vertices had weights that sum to 0.77 to 1.00; normalised");
    assert_string_equal(scene->warnings[1],
                        "12339 joint indices were out of range, all with weight 0; ignored");
    assert_string_equal(scene->warnings[2],
                        "the skeleton stands at 20 times the size it was bound in");
    assert_int_equal(scene->partCount, 6);
    tgDestroyScene(scene);
}

/// Enclosed volume, from the origin: six times is the sum of a . (b x c).
static double tgSumVolume(const tgScene* scene, const tgVec3* p)
{
    double sum = 0.0;
    for (int f = 0; f < scene->faceCount; ++f) {
        const int* v = scene->faceVertices + 3 * (size_t)f;
        sum += (double)tgDot(p[v[0]], tgCross(p[v[1]], p[v[2]]));
    }
    return sum / 6.0;
}

/// Plain linear blend skinning, straight from the definition.
static void tgSkin(const tgScene* scene, const tgMat34* joints, tgMat34* skinning, tgVec3* posed)
{
    for (int j = 0; j < scene->jointCount; ++j) {
        tgMat34 inverse = tgIdentityMat34();
        assert_true(tgInvertMat34(&scene->joints[j].restJoint, &inverse));
        skinning[j] = tgMulMat34(&joints[j], &inverse);
    }
    for (int v = 0; v < scene->vertexCount; ++v) {
        posed[v] = tgMakeVec3(0, 0, 0);
        for (int k = 0; k < scene->influencesPerVertex; ++k) {
            size_t i = (size_t)v * (size_t)scene->influencesPerVertex + (size_t)k;
            tgVec3 moved = tgMulMatPoint(&skinning[scene->influenceJoints[i]], scene->positions[v]);
            posed[v] = tgMulAdd(posed[v], scene->influenceWeights[i], moved);
        }
    }
}

/// Volume of every frame of the first animation, in % of the pose of the file at rest.
static void tgMeasureVolumes(const tgScene* scene, double* lowest, double* highest)
{
    tgVec3* posed = calloc((size_t)scene->vertexCount, sizeof(tgVec3));
    tgMat34* nodes = calloc((size_t)scene->nodeCount, sizeof(tgMat34));
    tgMat34* joints = calloc((size_t)scene->jointCount, sizeof(tgMat34));
    tgMat34* skinning = calloc((size_t)scene->jointCount, sizeof(tgMat34));
    assert_true(posed != NULL && nodes != NULL && joints != NULL && skinning != NULL);
    double rest = tgSumVolume(scene, scene->positions);
    *lowest = 1e30;
    *highest = 0.0;
    int frameCount = tgScene_GetFrameCount(scene, 0, 30.0);
    for (int frame = 0; frame < frameCount; ++frame) {
        double time = tgScene_GetFrameTime(scene, 0, 30.0, frame);
        tgScene_SamplePose(scene, 0, time, nodes, joints, NULL);
        tgSkin(scene, joints, skinning, posed);
        double percent = 100.0 * tgSumVolume(scene, posed) / rest;
        *lowest = fmin(*lowest, percent);
        *highest = fmax(*highest, percent);
    }
    free(posed);
    free(nodes);
    free(joints);
    free(skinning);
}

static void TestVolumesOfPlainSkinning(void** state)
{
    (void)state;
    int readCount = 0;
    for (size_t i = 0; i < sizeof(tg_assets) / sizeof(tg_assets[0]); ++i) {
        if (tg_assets[i].highest == 0.0) {
            continue;
        }
        tgScene* scene = tgLoadAsset(tg_assets[i].file);
        if (scene == NULL) {
            continue;
        }
        readCount += 1;
        double lowest = 0.0;
        double highest = 0.0;
        tgMeasureVolumes(scene, &lowest, &highest);
        if (tg_assets[i].isScaled) {
            lowest *= tg_assets[i].highest / highest;
            highest = tg_assets[i].highest;
        }
        print_message("%s: %.2f to %.2f\n", tg_assets[i].file, lowest, highest);
        // The other program took its frames at other moments, which moves the extremes a little.
        CHECK_NEAR(lowest, tg_assets[i].lowest, 0.05);
        CHECK_NEAR(highest, tg_assets[i].highest, 0.05);
        tgDestroyScene(scene);
    }
    if (readCount == 0) {
        skip();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestCounts),
        cmocka_unit_test(TestYetiIsMended),
        cmocka_unit_test(TestVolumesOfPlainSkinning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
