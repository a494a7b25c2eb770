// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Contact by planes on other people's characters: in the sum over its frames none crosses itself
// more than plain linear skinning does, nor by more than 15 % more once the volume has come back,
// and one whose weights are all or nothing keeps its bits.

#include "assets.h"
#include "contact_stage.h"

#include <string.h>

/// Of an animation, or of all where there are fewer.
enum { tg_leastFrames = 12, tg_allFrames = 48 };

/// A scene is freed by its stage; each stage has one of its own.
static tgStage tgStageAsset(const char* name, const tgVolumeDef* volume)
{
    tgStage stage = tgStageScene(tgLoadAsset(name), tg_linear, volume, tg_simdBest);
    return stage;
}

/// All parts, unlike the embedded finger whose nail lies in it.
static void tgListAllTriangles(tgStage* stage)
{
    stage->scene->parts[0].faceCount = stage->scene->faceCount;
    free(stage->triangles);
    stage->triangleCount = 0;
    tgListTriangles(stage);
}

static void tgCheckCrossings(const char* name, const tgScene* scene)
{
    tgVolumeDef none = tgMakeVolume(tg_volumeNone, false);
    tgVolumeDef exact = tgMakeVolume(tg_volumeExact, true);
    tgStage plain = tgStageAsset(name, &none), met = tgStageAsset(name, &exact);
    int pairs[3] = {0, 0, 0}, moved = 0;
    tgMat34* nodes = calloc((size_t)scene->nodeCount, sizeof(tgMat34));
    tgListAllTriangles(&plain);
    tgListAllTriangles(&met);
    int frameCount = tg_allFrames / (scene->animationCount > 0 ? scene->animationCount : 1);
    frameCount = frameCount < tg_leastFrames ? tg_leastFrames : frameCount;
    for (int i = 0; i < scene->animationCount * frameCount; ++i) {
        const tgAnimation* animation = &scene->animations[i / frameCount];
        double part = (double)(i % frameCount) / (frameCount - 1);
        tgScene_SamplePose(plain.scene, i / frameCount, part * animation->end, nodes, plain.joints,
                           NULL);
        tgPlay(&plain, 0.0f);
        tgMeetAlone(&met, &plain, NULL);
        pairs[0] += tgCountPairs(&plain);
        pairs[1] += tgCountPairs(&met);
        size_t size = (size_t)scene->vertexCount * sizeof(tgVec3);
        moved += memcmp(plain.out, met.out, size) != 0;
        tgPlay(&met, 0.0f);
        pairs[2] += tgCountPairs(&met);
    }
    print_message("%s: %d planes, pairs %d -> %d, %d with the volume, moved in %d frames\n", name,
                  met.rig->planes.count, pairs[0], pairs[1], pairs[2], moved);
    CHECK_AT_MOST(pairs[1], pairs[0]);
    // Skin swells into what is no neighbour's and was met before: fingers of a fist, crossed legs.
    CHECK_AT_MOST(pairs[2], 1.15 * pairs[0]);
    assert_true(strcmp(name, "godot_player.glb") != 0 || moved == 0);
    free(nodes);
    tgFreeStage(&plain);
    tgFreeStage(&met);
}

static void tgTestCrossings(void** state)
{
    (void)state;
    static const char* const names[] = {
        "Q_Rat.glb",
        "Q_Fox.glb",
        "Q_Apatosaurus.glb",
        "Q_KnightCharacter.glb",
        "CesiumMan.glb",
        "Fox.glb",
        "Trex.fbx",
        "godot_player.glb",
        "spot_vs.glb",
        "hand_bones.glb",
        "human_makehuman.glb",
        "elephant_african_bush.glb",
        "Snake.fbx",
        "turkey_walk.dae",
    };
    tgCheckAssets(names, sizeof(names) / sizeof(names[0]), tgCheckCrossings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tgTestCrossings)};
    return cmocka_run_group_tests_name("contact_assets", tests, NULL, NULL);
}
