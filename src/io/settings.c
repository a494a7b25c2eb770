// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The settings file: read as JSON with places, then key by key into the definitions of the core.
// Also the presets, which are the profiles' own defaults by name.

#include "turgor/settings.h"

#include "core/core.h"
#include "io/gltf_uri.h"
#include "io/settings_private.h"

#include <stdlib.h>
#include <string.h>

enum { tg_settingsVersion = 1 };

static tgSettings* tgCreateSettings(void)
{
    tgSettings* settings = calloc(1, sizeof(tgSettings));
    if (settings == NULL) {
        return NULL;
    }
    settings->memory = calloc(1, sizeof(struct tgSettingsMemory));
    if (settings->memory == NULL) {
        free(settings);
        return NULL;
    }
    settings->bones = tgDefaultRigDef().bones;
    settings->volume = tgDefaultRigDef().volume;
    settings->volume.method = tg_volumeExact;
    settings->refine.threshold = tgDefaultSceneRefineDef().threshold;
    return settings;
}

void tgDestroySettings(tgSettings* settings)
{
    if (settings != NULL) {
        tgFreeBoneFiles(settings->memory->boneFiles);
        tgArena_Free(&settings->memory->arena);
        free(settings->memory);
        free(settings);
    }
}

static tgResult tgReadVersion(const tgSettingsReader* reader, const tgJsonValue* root)
{
    const tgJsonValue* value = tgFindMember(root, "turgor");
    if (value != NULL &&
        (value->kind != tg_jsonNumber || tgJson_GetFloat(value) != (float)tg_settingsVersion)) {
        return tgFailValue(reader, value, "turgor", "1, the version of the settings");
    }
    value = tgFindMember(root, "$schema");
    if (value != NULL && value->kind != tg_jsonText) {
        return tgFailValue(reader, value, "$schema", "a text");
    }
    return tg_success;
}

/// "auto", or none: what the scene's file says.
static tgResult tgReadSkinning(const tgSettingsReader* reader, const tgJsonValue* root)
{
    enum { tg_auto = 0 }; // of the names; tgSkinning follows
    tgSettings* settings = reader->settings;
    int choice = tg_auto;
    tgResult result = tgReadChoice(reader, root, "skinning", &tg_skinningNames, &choice);
    settings->hasSkinning = choice != tg_auto;
    settings->skinning = settings->hasSkinning   ? (tgSkinning)(choice - 1)
                         : reader->scene != NULL ? reader->scene->skinning
                                                 : tg_linear;
    return result;
}

static tgResult tgReadSettings(tgSettingsReader* reader, const tgJsonValue* root)
{
    if (root->kind != tg_jsonObject) {
        return tgFailAt(reader->error, tg_invalidArgument, root->place,
                        "the file is %s, expected an object {...}", tgDescribeJson(root).text);
    }
    const tgJsonValue* volume = tgFindMember(root, "volume");
    tgResult result = tgReadVersion(reader, root);
    if (result == tg_success) {
        result = tgCheckKeys(reader, root, tg_settingsFile);
    }
    if (result == tg_success && volume != NULL && volume->kind != tg_jsonObject) {
        result = tgFailValue(reader, volume, "volume", "an object {...}");
    }
    if (result == tg_success) {
        result = tgReadSkinning(reader, root);
    }
    if (result == tg_success) {
        result = tgReadOwnPaint(reader);
    }
    if (result == tg_success && volume != NULL) {
        result = tgReadVolume(reader, volume);
    }
    const tgJsonValue* flesh = tgFindMember(root, "flesh");
    if (result == tg_success && flesh != NULL) {
        result = tgReadFlesh(reader, flesh);
    }
    const tgJsonValue* bones = tgFindMember(root, "bones");
    if (result == tg_success && bones != NULL) {
        result = tgReadBones(reader, bones);
    }
    const tgJsonValue* wrinkles = tgFindMember(root, "wrinkles");
    if (result == tg_success && wrinkles != NULL) {
        result = tgReadWrinkles(reader, wrinkles);
    }
    const tgJsonValue* refine = tgFindMember(root, "refine");
    if (result == tg_success && refine != NULL) {
        result = tgReadRefine(reader, refine);
    }
    return result;
}

/// @param folder where the file is; NULL: these settings are no file
static tgSettings* tgParseText(const char* text, size_t size, const tgScene* scene,
                               const char* folder, tgError* error)
{
    tgArena arena = {0};
    const tgJsonValue* root = tgParseJson(text, size, &arena, error);
    tgSettings* settings = NULL;
    if (root != NULL) {
        settings = tgCreateSettings();
        tgSettingsReader reader = {.settings = settings,
                                   .scene = scene,
                                   .folder = folder,
                                   .error = error,
                                   .base = tgDefaultProfile(tg_profileOrganic)};
        tgResult result = settings != NULL ? tgReadSettings(&reader, root) : tgFailMemory(&reader);
        if (result == tg_success && settings->memory->hasRunOut) {
            result = tgFailMemory(&reader);
        }
        if (result != tg_success) {
            tgDestroySettings(settings);
            settings = NULL;
        }
    }
    tgArena_Free(&arena);
    return settings;
}

tgSettings* tgParseSettings(const char* text, size_t size, const tgScene* scene, tgError* error)
{
    return tgParseText(text, size, scene, NULL, error);
}

tgSettings* tgLoadSettings(const char* path, const tgScene* scene, tgError* error)
{
    uint8_t* bytes = NULL;
    size_t size = 0;
    if (tgReadFile(path, tg_largestJson, &bytes, &size, error) != tg_success) {
        return NULL;
    }
    const char* slash = strrchr(path, '/');
    size_t length = slash != NULL ? (size_t)(slash - path) : 0;
    char* folder = malloc(length + 2);
    tgSettings* settings = NULL;
    if (folder != NULL) {
        memcpy(folder, path, length);
        folder[length] = '\0';
        if (slash == path) {
            strcpy(folder, "/");
        }
        settings = tgParseText((const char*)bytes, size, scene, folder, error);
    } else {
        tgFail(error, tg_outOfMemory, -1, "not enough memory for the settings");
    }
    free(folder);
    free(bytes);
    return settings;
}

/// A profile by name, and whether flesh comes with it.
typedef struct tgPreset {
    const char* name;
    tgProfileKind kind;
    float drift;
    bool hasFlesh;
} tgPreset;

/// In the order in which they are offered.
static const tgPreset tg_presets[] = {
    {"organic", tg_profileOrganic, 0.0f, false},     {"rubber", tg_profileRubber, 0.0f, false},
    {"muscle", tg_profileMuscle, 0.0f, false},       {"folds", tg_profileFolds, 0.0f, false},
    {"isotropic", tg_profileIsotropic, 0.0f, false}, {"belly", tg_profileBelly, 0.0f, false},
    {"anatomic", tg_profileOrganic, 0.8f, false}, // as flesh moves round clean limbs
    {"flesh", tg_profileOrganic, 0.0f, true},
};

enum { tg_presetCount = sizeof(tg_presets) / sizeof(tg_presets[0]) };

const char* tgGetPresetName(int index)
{
    return index >= 0 && index < tg_presetCount ? tg_presets[index].name : NULL;
}

/// NULL when there is no such preset.
static const tgPreset* tgFindPreset(const char* name)
{
    for (int i = 0; i < tg_presetCount; ++i) {
        if (name != NULL && strcmp(name, tg_presets[i].name) == 0) {
            return &tg_presets[i];
        }
    }
    return NULL;
}

bool tgMakePreset(const char* name, tgProfile* profile)
{
    const tgPreset* preset = tgFindPreset(name);
    if (preset != NULL) {
        *profile = tgDefaultProfile(preset->kind);
        profile->drift = preset->drift;
    }
    return preset != NULL;
}

bool tgPresetHasFlesh(const char* name)
{
    const tgPreset* preset = tgFindPreset(name);
    return preset != NULL && preset->hasFlesh;
}
