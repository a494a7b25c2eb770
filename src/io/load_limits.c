// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// How much of a file is read.

#include "core/core.h"
#include "io/gltf_load.h"
#include "io/gltf_uri.h"
#include "turgor/io.h"

tgLoadDef tgDefaultLoadDef(void)
{
    return (tgLoadDef){
        .mostBytes = tg_largestFile,
        .mostVertices = 100000000,
        .mostJoints = 1000000,
        .mostFrames = 1000000,
        .mostUnfolding = 40,
        .cookie = tg_loadCookie,
    };
}

/// The most keys that a track has.
static int tgCountKeys(const tgScene* scene)
{
    int most = 0;
    for (int a = 0; a < scene->animationCount; ++a) {
        for (int c = 0; c < scene->animations[a].channelCount; ++c) {
            int count = scene->animations[a].channels[c].keyCount;
            most = count > most ? count : most;
        }
    }
    return most;
}

tgScene* tgKeepLimits(tgScene* scene, const tgLoadDef* def, tgError* error)
{
    if (scene == NULL) {
        return NULL;
    }
    if (scene->hasRunOut) {
        tgDestroyScene(scene);
        tgFail(error, tg_outOfMemory, -1, "out of memory");
        return NULL;
    }
    const struct {
        const char *what, *name;
        int found, most;
    } limits[] = {
        {"vertices", "mostVertices", scene->vertexCount, def->mostVertices},
        {"joints", "mostJoints", scene->jointCount, def->mostJoints},
        {"frames", "mostFrames", tgCountKeys(scene), def->mostFrames},
    };
    for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); ++i) {
        if (limits[i].found > limits[i].most) {
            tgFail(error, tg_unsupported, -1, "has %d %s, expected at most %d (tgLoadDef.%s)",
                   limits[i].found, limits[i].what, limits[i].most, limits[i].name);
            tgDestroyScene(scene);
            return NULL;
        }
    }
    return scene;
}
