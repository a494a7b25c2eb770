// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Any settings on characters that are good: the first byte chooses one, the rest is the settings
// file. What the reader lets through must make a rig and two frames, or a message.

#include "fuzz_frames.h"
#include "turgor/models.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

enum { tg_actorCount = 3 };

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static const struct {
        const char* name;
        int vertexCount;
    } tg_actors[tg_actorCount] = {{"arm", 300}, {"cylinder", 200}, {"finger", 300}};
    static tgScene* tg_scenes[tg_actorCount];
    if (size == 0) {
        return 0;
    }
    int actor = data[0] % tg_actorCount;
    tgError error = {0};
    if (tg_scenes[actor] == NULL) {
        const char* name = tg_actors[actor].name;
        tg_scenes[actor] = tgCreateModel(name, tg_actors[actor].vertexCount, &error);
        tgRequire(tg_scenes[actor] != NULL);
    }
    const tgScene* scene = tg_scenes[actor];
    tgSettings* settings = tgParseSettings((const char*)data + 1, size - 1, scene, &error);
    tgRequire(settings != NULL || error.message[0] != '\0');
    if (settings != NULL) {
        free(tgPlayTwoFrames(scene, settings));
    }
    tgDestroySettings(settings);
    return 0;
}
