// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The whole way: any bytes as a glTF, a rig of it with exact volume, contact, flesh and bones, two
// frames, both written as a bake and the character itself written, and both read back. Half of the
// mutations change the JSON of a valid GLB, so that the bytes behind it are reached.

#define _POSIX_C_SOURCE 200809L // getpid

#include "fuzz_frames.h"
#include "io/json.h"

#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t mostSize);
size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t mostSize, unsigned seed);

enum { tg_mostVertices = 600, tg_mostJoints = 40, tg_mostKeys = 2000 };

// ---- mutations of a GLB's JSON ----

static unsigned tgNextRandom(unsigned* state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static tgJsonValue* tgMakeStrangeValue(tgArena* arena, unsigned* state, const tgJsonValue* value)
{
    static const long long numbers[] = {0, 1, -1, 2, 3, 255, 65536, 2147483647, 4294967296};
    static const int types[] = {5120, 5121, 5122, 5123, 5125, 5126};
    static const char* const texts[] = {"VEC3", "SCALAR",  "MAT4",  "LINEAR",   "CUBICSPLINE",
                                        "STEP", "weights", "scale", "rotation", ""};
    if (tgJson_IsWhole(value) && tgNextRandom(state) % 2 == 0) {
        return tgMakeJsonWhole(arena, tgJson_GetWhole(value) + (int)(tgNextRandom(state) % 7) - 3);
    }
    switch (tgNextRandom(state) % 6) {
    case 0:
        return tgMakeJsonWhole(arena, types[tgNextRandom(state) % 6]);
    case 1:
        return tgMakeJsonText(arena, texts[tgNextRandom(state) % 10]);
    case 2:
        return tgMakeJsonNumber(arena, ((double)tgNextRandom(state) - 8e6) / 1e5);
    case 3:
        return tgCopyJson(arena, value);
    default:
        return tgMakeJsonWhole(arena, numbers[tgNextRandom(state) % 9]);
    }
}

/// Goes down at random, and changes, removes or doubles something there.
static void tgMutateJson(tgArena* arena, tgJsonValue* json, unsigned* state)
{
    if (json->count == 0) {
        return;
    }
    size_t choice = tgNextRandom(state) % (unsigned)json->count;
    bool isObject = tgJson_IsObject(json);
    tgJsonValue* child = json->items[choice];
    bool isLeaf = !tgJson_IsObject(child) && !tgJson_IsList(child);
    if (!isLeaf && tgNextRandom(state) % 16 != 0) {
        tgMutateJson(arena, child, state);
    } else if (!isObject && tgNextRandom(state) % 3 == 0) {
        tgJson_Append(json, tgCopyJson(arena, child));
    } else if (tgNextRandom(state) % 5 == 0) {
        if (isObject) {
            tgJson_Remove(json, child->key);
        } else {
            tgJson_RemoveItem(json, choice);
        }
    } else if (isObject) {
        tgJson_Set(json, child->key, tgMakeStrangeValue(arena, state, child));
    } else {
        json->items[choice] = tgMakeStrangeValue(arena, state, child);
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t mostSize, unsigned seed)
{
    unsigned state = seed;
    uint32_t words[5] = {0};
    if (size >= 20) {
        memcpy(words, data, sizeof(words));
    }
    bool isGlb = words[0] == 0x46546C67 && words[3] <= size - 20;
    if (!isGlb || tgNextRandom(&state) % 2 == 0) {
        return LLVMFuzzerMutate(data, size, mostSize);
    }
    static const tgJsonRules rules = {
        .name = "JSON", .largest = 1 << 20, .deepest = 64, .takesLastOfTwins = true};
    static const tgJsonLook look = {.digits = 17};
    tgArena arena = {0};
    tgJsonValue* document = tgReadJson((const char*)data + 20, words[3], &rules, &arena, NULL);
    if (document == NULL) {
        tgArena_Free(&arena);
        return LLVMFuzzerMutate(data, size, mostSize);
    }
    for (unsigned i = 0; i < 1 + seed % 3; ++i) {
        tgMutateJson(&arena, document, &state);
    }
    char* text = tgFormatJson(document, &look);
    tgArena_Free(&arena);
    size_t length = text != NULL ? strlen(text) : 0, padded = (length + 3) / 4 * 4;
    size_t restSize = size - 20 - words[3];
    if (text == NULL || 20 + padded + restSize > mostSize) {
        free(text);
        return LLVMFuzzerMutate(data, size, mostSize);
    }
    memmove(data + 20 + padded, data + 20 + words[3], restSize);
    memset(data + 20, ' ', padded);
    memcpy(data + 20, text, length);
    free(text);
    words[2] = (uint32_t)(20 + padded + restSize);
    words[3] = (uint32_t)padded;
    memcpy(data, words, sizeof(words));
    return words[2];
}

// ---- the way ----

static void tgReadBack(const char* path, const tgScene* scene, bool isBake)
{
    tgError error = {0};
    tgLoadDef def = tgDefaultLoadDef();
    def.mostUnfolding = 1000; // a bake of frames that stand still is small
    tgScene* again = tgLoadSceneWith(path, &def, &error);
    tgRequire(again != NULL);
    // Meshes without a skin are in the bake too, and count where nothing has one.
    // Vertices of a primitive without triangles are not written.
    tgRequire(again->vertexCount <= scene->vertexCount || isBake);
    tgRequire(again->faceCount == scene->faceCount ||
              (isBake && again->faceCount > scene->faceCount));
    tgDestroyScene(again);
}

static void tgWriteAndRead(const tgScene* scene, const tgVec3* positions)
{
    char path[64];
    snprintf(path, sizeof(path), "/dev/shm/fuzz_whole_%d.glb", (int)getpid());
    tgError error = {0};
    tgBakeDef def = tgDefaultBakeDef();
    def.scene = scene;
    def.path = path;
    def.frameCount = 2;
    def.animation = scene->animationCount > 0 ? 0 : -1;
    tgBake* bake = tgOpenBake(&def, &error);
    tgResult result = bake != NULL ? tg_success : error.code;
    for (int i = 0; i < 2 && result == tg_success; ++i) {
        result =
            tgBake_AddFrame(bake, positions + (size_t)i * (size_t)scene->vertexCount, NULL, &error);
    }
    if (result == tg_success) {
        result = tgCloseBake(bake, &error);
    } else {
        tgCancelBake(bake);
    }
    tgRequire(result == tg_success || error.message[0] != '\0');
    if (result == tg_success) {
        tgReadBack(path, scene, true);
        remove(path);
    }
    if (tgSaveScene(scene, path, &error) == tg_success) {
        tgReadBack(path, scene, false);
        remove(path);
    } else {
        tgRequire(error.message[0] != '\0');
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static const char tg_text[] = "{\"bones\": \"auto\", \"volume\": {\"contact\": true}}";
    tgError error = {0};
    tgScene* scene = tgLoadGltfMemory(data, size, NULL, &error);
    tgRequire(scene != NULL || (error.code != tg_success && error.message[0] != '\0'));
    bool isSmall = scene != NULL && scene->vertexCount <= tg_mostVertices &&
                   scene->jointCount <= tg_mostJoints && scene->jointCount > 0 &&
                   scene->nodeCount <= tg_mostKeys;
    tgSettings* settings =
        isSmall ? tgParseSettings(tg_text, sizeof(tg_text) - 1, scene, &error) : NULL;
    if (settings != NULL) {
        settings->volume.method = tg_volumeExact;
        tgSettings_AddFlesh(settings, scene);
        tgVec3* positions = tgPlayTwoFrames(scene, settings);
        if (positions != NULL) {
            tgWriteAndRead(scene, positions);
        }
        free(positions);
    }
    tgDestroySettings(settings);
    tgDestroyScene(scene);
    return 0;
}
