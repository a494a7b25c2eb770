// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// How much of a file is read.

#include "core/core.h"
#include "io/gltf_load.h"
#include "io/gltf_uri.h"
#include "turgor/io.h"

#include <stdlib.h>

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

/// Vertices, or faces if there are more, that nodes show: places too. -1 without memory.
static int64_t tgCountShown(const tgScene* scene)
{
    int64_t* sizes = calloc((size_t)scene->nodeCount + 1, sizeof(int64_t));
    int64_t count = sizes != NULL ? scene->vertexCount : -1;
    for (int p = 0; p < scene->partCount && sizes != NULL && scene->placeCount > 0; ++p) {
        const tgScenePart* part = &scene->parts[p];
        int most = part->faceCount > part->vertexCount ? part->faceCount : part->vertexCount;
        sizes[part->node] += most;
    }
    for (int i = 0; i < scene->placeCount && sizes != NULL; ++i) {
        count += sizes[scene->places[i].source];
    }
    free(sizes);
    return count;
}

tgScene* tgKeepLimits(tgScene* scene, const tgLoadDef* def, tgError* error)
{
    if (scene == NULL) {
        return NULL;
    }
    int64_t shownCount = tgCountShown(scene);
    if (scene->hasRunOut || shownCount < 0) {
        tgDestroyScene(scene);
        tgFail(error, tg_outOfMemory, -1, "out of memory");
        return NULL;
    }
    const struct {
        const char *what, *name;
        int64_t found;
        int most;
    } limits[] = {
        {"vertices", "mostVertices", shownCount, def->mostVertices},
        {"joints", "mostJoints", scene->jointCount, def->mostJoints},
        {"frames", "mostFrames", tgCountKeys(scene), def->mostFrames},
    };
    for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); ++i) {
        if (limits[i].found > limits[i].most) {
            tgFail(error, tg_unsupported, -1, "has %lld %s, expected at most %d (tgLoadDef.%s)",
                   (long long)limits[i].found, limits[i].what, limits[i].most, limits[i].name);
            tgDestroyScene(scene);
            return NULL;
        }
    }
    return scene;
}
