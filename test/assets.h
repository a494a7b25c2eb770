// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Other people's characters, where their folder is there.
#ifndef TURGOR_TEST_ASSETS_H
#define TURGOR_TEST_ASSETS_H

#include "check.h"
#include "turgor/io.h"

/// NULL, told in words, when the file is not there or this build has no reader for it. One that is
/// there must load.
static inline tgScene* tgLoadAsset(const char* name)
{
    char path[1024];
    snprintf(path, sizeof(path), "%s/%s", TURGOR_ASSETS, name);
    FILE* file = fopen(path, "rb");
    if (file == NULL) {
        print_message("%s is not there: skipped\n", name);
        return NULL;
    }
    fclose(file);
    tgError error = {0};
    tgScene* scene = tgLoadScene(path, &error);
    if (scene == NULL && error.code == tg_unsupported) {
        print_message("%s is skipped: %s\n", name, error.message);
        return NULL;
    }
    if (scene == NULL) {
        print_error("%s: %s\n", name, error.message);
    }
    assert_non_null(scene);
    return scene;
}

typedef void tgCheckFcn(const char* name, const tgScene* scene);

/// `check` for all that are there; the test is skipped when none is.
static inline void tgCheckAssets(const char* const* names, size_t count, tgCheckFcn* check)
{
    int seen = 0;
    for (size_t i = 0; i < count; ++i) {
        tgScene* scene = tgLoadAsset(names[i]);
        if (scene != NULL) {
            seen += 1;
            check(names[i], scene);
            tgDestroyScene(scene);
        }
    }
    if (seen == 0) {
        skip();
    }
}

/// Everyone in the folder that has a skin, the largest last.
static const char* const tg_characters[] = {
    "CesiumMan.glb",
    "Fox.glb",
    "RiggedFigure.glb",
    "RiggedFigure.dae",
    "RiggedSimple.glb",
    "RecursiveSkeletons.glb",
    "SimpleSkin.gltf",
    "Q_Apatosaurus.glb",
    "Q_Fox.glb",
    "Q_KnightCharacter.glb",
    "Q_Rat.glb",
    "Q_Spider.glb",
    "godot_player.glb",
    "arnaud.fbx",
    "elephant_african_bush.glb",
    "giraffe_adult.glb",
    "giraffe_vs.glb",
    "spot_vs.glb",
    "hand_bones.glb",
    "hand_generic_right.glb",
    "Trex.fbx",
    "Snake.fbx",
    "turkey_walk.dae",
    "human_makehuman.glb",
    "Yeti.glb",
    "human_makehuman_53k.glb",
};
enum { tg_characterCount = sizeof(tg_characters) / sizeof(tg_characters[0]) };
enum { tg_usualCharacterCount = tg_characterCount - 1 }; ///< without the one of 53 514 vertices

#endif
