// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Other people's characters bound anew to their own skeletons: they deform without NaN, and their
// main joints are mostly the artist's. Skipped in words for characters that are not there.

#include "actor.h"
#include "assets.h"

static tgBinding* tgBindScene(const tgScene* scene, tgBindMethod method, int voxels)
{
    tgBindDef def = tgScene_GetBindDef(scene, scene);
    def.method = method;
    def.voxels = voxels;
    tgError error = {0};
    tgBinding* binding = tgCreateBinding(&def, &error);
    if (binding == NULL) {
        print_error("%s\n", error.message);
    }
    assert_non_null(binding);
    return binding;
}

/// Vertices whose main joint has, for the artist, the largest weight too, in percent.
static double tgMeasureAgreement(const tgScene* scene, const tgBinding* binding)
{
    int agreed = 0, own = scene->influencesPerVertex;
    for (int v = 0; v < scene->vertexCount; ++v) {
        const int* joints = scene->influenceJoints + (size_t)v * (size_t)own;
        const float* weights = scene->influenceWeights + (size_t)v * (size_t)own;
        int main = binding->influenceJoints[(size_t)v * (size_t)binding->influencesPerVertex];
        float largest = 0.0f, ours = 0.0f;
        for (int k = 0; k < own; ++k) {
            largest = fmaxf(largest, weights[k]);
            ours += joints[k] == main ? weights[k] : 0.0f;
        }
        agreed += ours >= 0.9999f * largest; // artists like halves
    }
    return 100.0 * agreed / scene->vertexCount;
}

static void tgTestAgreement(void** state)
{
    (void)state;
    static const struct {
        const char* name;
        double least; ///< percent
    } cases[] = {
        {"CesiumMan.glb", 90.0},
        {"Fox.glb", 75.0},
        {"human_makehuman.glb", 62.0},
        {"spot_vs.glb", 70.0},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        tgScene* scene = tgLoadAsset(cases[i].name);
        if (scene == NULL) {
            continue;
        }
        double agreed[2];
        for (int method = 0; method < 2; ++method) {
            tgBinding* binding = tgBindScene(scene, (tgBindMethod)method, 128);
            agreed[method] = tgMeasureAgreement(scene, binding);
            tgDestroyBinding(binding);
        }
        print_message("%-22s main joint as the artist's: geodesic %.1f %%, distance %.1f %%\n",
                      cases[i].name, agreed[0], agreed[1]);
        assert_true(agreed[0] >= cases[i].least);
        tgDestroyScene(scene);
    }
}

/// A few frames of the first animation, with the volume kept.
static void tgCheckFrames(const tgScene* scene)
{
    tgRigDef def = tgScene_GetRigDef(scene);
    def.volume.method = tg_volumeExact;
    tgActor actor = tgMakeActor(&def);
    tgMat34* nodes = calloc((size_t)scene->nodeCount, sizeof(tgMat34));
    tgMat34* joints = calloc((size_t)scene->jointCount, sizeof(tgMat34));
    int animation = scene->animationCount > 0 ? 0 : -1;
    int frames = tgScene_GetFrameCount(scene, animation, 30.0);
    for (int i = 0; i < 3; ++i) {
        double time = tgScene_GetFrameTime(scene, animation, 30.0, i * (frames - 1) / 2);
        tgScene_SamplePose(scene, animation, time, nodes, joints, NULL);
        tgActor_Play(&actor, joints);
        for (int v = 0; v < scene->vertexCount; ++v) {
            assert_true(tgIsFiniteVec3(actor.out[v]));
        }
    }
    free(nodes);
    free(joints);
    tgFreeActor(&actor);
}

static void tgCheckBinding(const char* name, const tgScene* artist)
{
    tgBinding* binding = tgBindScene(artist, tg_bindGeodesic, 48);
    print_message("%-26s %5d of %6d vertices unreached, %d of %d islands\n", name,
                  binding->unreachedVertexCount, binding->vertexCount,
                  binding->unreachedIslandCount, binding->islandCount);
    tgScene* scene = tgLoadAsset(name);
    tgError error = {0};
    assert_int_equal(tgScene_SetSkin(scene, scene, binding->influencesPerVertex,
                                     binding->influenceJoints, binding->influenceWeights, &error),
                     tg_success);
    tgCheckFrames(scene);
    tgDestroyBinding(binding);
    tgDestroyScene(scene);
}

static void tgTestEveryAsset(void** state)
{
    (void)state;
    tgCheckAssets(tg_characters, tg_usualCharacterCount, tgCheckBinding);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestAgreement),
        cmocka_unit_test(tgTestEveryAsset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
