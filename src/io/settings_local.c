// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The object "local" of "volume": scope, map and exponents, of all regions and of single ones.

#include "io/settings_private.h"

#include <string.h>

/// What is under way: an entry for each joint that the file names as a region.
typedef struct tgLocalReader {
    const tgSettingsReader* reader;
    tgNamedJoints joints;
    tgLocalRegion* regions;
    int* byJoint; ///< the entry of each joint, + 1; 0 for none
} tgLocalReader;

/// The entry of a joint, new ones with what all regions have.
static tgLocalRegion* tgTakeRegion(tgLocalReader* local, int joint)
{
    tgLocalDef* def = &local->reader->settings->volume.local;
    if (local->byJoint[joint] == 0) {
        local->regions[def->regionCount] = (tgLocalRegion){
            .joint = joint, .map = def->map, .alpha = def->alpha, .beta = def->beta};
        local->byJoint[joint] = ++def->regionCount;
    }
    return &local->regions[local->byJoint[joint] - 1];
}

/// Map and exponents, of the whole or of one region.
static tgResult tgReadMap(const tgSettingsReader* reader, const tgJsonValue* object,
                          tgLocalMap* map, float* alpha, float* beta)
{
    int choice = *map;
    tgResult result = tgReadChoice(reader, object, "map", &tg_mapNames, &choice);
    *map = (tgLocalMap)choice;
    float* const exponents[2] = {alpha, beta};
    static const char* const keys[2] = {"alpha", "beta"};
    for (int i = 0; i < 2 && result == tg_success; ++i) {
        result = tgReadFloat(reader, object, keys[i], tg_zeroOrMore, exponents[i]);
        if (result == tg_success && *exponents[i] > 64.0f) {
            result = tgFailValue(reader, tgFindMember(object, keys[i]), keys[i], "0 to 64");
        }
    }
    return result;
}

static tgResult tgReadRegion(tgLocalReader* local, const tgJsonValue* member,
                             const tgMatches* matches)
{
    const tgSettingsReader* reader = local->reader;
    if (member->kind != tg_jsonObject) {
        return tgFailValue(reader, member, member->key, "an object with map, alpha or beta");
    }
    tgResult result = tgCheckKeys(reader, member, tg_settingsRegion);
    for (int i = 0; i < matches->count && result == tg_success; ++i) {
        tgLocalRegion* region = tgTakeRegion(local, matches->joints[i]);
        result = tgReadMap(reader, member, &region->map, &region->alpha, &region->beta);
    }
    return result;
}

/// The joints of a list of names, into memory of the settings.
static tgResult tgReadBoneNames(tgLocalReader* local, const tgJsonValue* list, const int** bones,
                                int* boneCount)
{
    const tgSettingsReader* reader = local->reader;
    if (list->kind != tg_jsonList || list->count == 0) {
        return tgFailValue(reader, list, list->key, "a list of joint names");
    }
    int room = 0;
    for (int pass = 0; pass < 2; ++pass) { // count, fill: a name may belong to several joints
        int* joints = NULL;
        if (pass == 1) {
            joints = tgArena_Take(&reader->settings->memory->arena, (size_t)room, sizeof(int));
            if (joints == NULL) {
                return tgFailMemory(reader);
            }
            *bones = joints;
            *boneCount = room;
        }
        for (int at = 0; at < list->count; ++at) {
            const tgJsonValue* name = list->items[at];
            if (name->kind != tg_jsonText) {
                return tgFailValue(reader, name, list->key, "a list of joint names");
            }
            tgMatches matches;
            tgResult result =
                tgReadMatches(reader, &local->joints, name->text, name->place, &matches);
            if (result != tg_success) {
                return result;
            }
            for (int i = 0; pass == 1 && i < matches.count; ++i) {
                *joints++ = matches.joints[i];
            }
            room += pass == 0 ? matches.count : 0;
        }
    }
    return tg_success;
}

static tgResult tgReadRegionBones(tgLocalReader* local, const tgJsonValue* member,
                                  const tgMatches* matches)
{
    const int* bones = NULL;
    int boneCount = 0;
    tgResult result = tgReadBoneNames(local, member, &bones, &boneCount);
    for (int i = 0; i < matches->count && result == tg_success; ++i) {
        tgLocalRegion* region = tgTakeRegion(local, matches->joints[i]);
        region->bones = bones;
        region->boneCount = boneCount;
    }
    return result;
}

/// An object whose keys are regions, which are named after their joints. Patterns go first, so that
/// names have the last word.
static tgResult tgReadByRegion(tgLocalReader* local, const tgJsonValue* object, const char* key,
                               tgResult (*read)(tgLocalReader*, const tgJsonValue*,
                                                const tgMatches*))
{
    const tgJsonValue* regions = tgFindMember(object, key);
    if (regions == NULL) {
        return tg_success;
    }
    if (regions->kind != tg_jsonObject) {
        return tgFailValue(local->reader, regions, key, "an object of regions by joint name");
    }
    tgResult result = tg_success;
    for (int pass = 0; pass < 2; ++pass) {
        for (int at = 0; at < regions->count && result == tg_success; ++at) {
            const tgJsonValue* member = regions->items[at];
            tgMatches matches = {NULL, 0, false};
            result = tgReadMatches(local->reader, &local->joints, member->key, member->keyPlace,
                                   &matches);
            if (result == tg_success && matches.isPattern == (pass == 0)) {
                result = read(local, member, &matches);
            }
        }
    }
    return result;
}

static tgResult tgReadRegions(const tgSettingsReader* reader, const tgJsonValue* object)
{
    if (tgFindMember(object, "regions") == NULL && tgFindMember(object, "bones") == NULL) {
        return tg_success;
    }
    tgLocalReader local = {.reader = reader};
    tgResult result =
        tgSortJoints(reader->scene, &local.joints) ? tg_success : tgFailMemory(reader);
    if (result == tg_success) {
        tgArena* arena = &reader->settings->memory->arena;
        size_t room = (size_t)local.joints.count + 1;
        local.regions = tgArena_Take(arena, room, sizeof(tgLocalRegion));
        local.byJoint = tgArena_Take(arena, room, sizeof(int));
        bool hasMemory = local.regions != NULL && local.byJoint != NULL;
        result = hasMemory ? tg_success : tgFailMemory(reader);
    }
    if (result == tg_success) {
        reader->settings->volume.local.regions = local.regions;
        result = tgReadByRegion(&local, object, "regions", tgReadRegion);
    }
    if (result == tg_success) {
        result = tgReadByRegion(&local, object, "bones", tgReadRegionBones);
    }
    tgFreeJoints(&local.joints);
    return result;
}

tgResult tgReadLocal(const tgSettingsReader* reader, const tgJsonValue* object)
{
    if (object == NULL) {
        return tg_success;
    }
    if (object->kind != tg_jsonObject) {
        return tgFailValue(reader, object, "local", "an object {...}");
    }
    tgLocalDef* def = &reader->settings->volume.local;
    int scope = def->scope, loss = def->loss, edges = def->edges;
    tgResult result = tgCheckKeys(reader, object, tg_settingsLocal);
    if (result == tg_success) {
        result = tgReadChoice(reader, object, "scope", &tg_scopeNames, &scope);
        def->scope = (tgLocalScope)scope;
    }
    if (result == tg_success) {
        result = tgReadChoice(reader, object, "loss", &tg_lossNames, &loss);
        def->loss = (tgLocalLoss)loss;
    }
    if (result == tg_success) {
        result = tgReadChoice(reader, object, "edges", &tg_edgesNames, &edges);
        def->edges = (tgLocalEdges)edges;
    }
    if (result == tg_success) {
        result = tgReadMap(reader, object, &def->map, &def->alpha, &def->beta);
    }
    if (result == tg_success) {
        result = tgReadInt(reader, object, "parts", 1, 1000, &def->parts);
    }
    if (result == tg_success) {
        result = tgReadInt(reader, object, "repeats", 0, 100, &def->repeats);
    }
    if (result == tg_success) {
        result = tgReadBool(reader, object, "exact", &def->exact);
    }
    return result == tg_success ? tgReadRegions(reader, object) : result;
}
