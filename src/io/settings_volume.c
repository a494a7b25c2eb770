// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The object "volume" of the settings file: method, mode, target, the default profiles and those of
// single joints.

#include "io/settings_private.h"
#include "io/settings_text.h"

#include <stdlib.h>
#include <string.h>

static tgResult tgReadTargetKey(const tgSettingsReader* reader, const tgJsonValue* value,
                                const tgVolumeKey* before, tgVolumeKey* key)
{
    if (value->kind != tg_jsonObject) {
        return tgFailValue(reader, value, "target", "keys such as {\"time\": 0, \"scale\": 1}");
    }
    tgResult result = tgCheckKeys(reader, value, tg_settingsTarget);
    static const char* const needed[2] = {"time", "scale"};
    for (int i = 0; i < 2 && result == tg_success; ++i) {
        if (tgFindMember(value, needed[i]) == NULL) {
            result = tgFailAt(reader->error, tg_invalidArgument, value->place,
                              "a key of \"target\" without \"%s\", expected both \"time\" and "
                              "\"scale\"",
                              needed[i]);
        }
    }
    if (result == tg_success) {
        result = tgReadFloat(reader, value, "time", tg_anyNumber, &key->time);
    }
    if (result == tg_success) {
        result = tgReadFloat(reader, value, "scale", tg_moreThanZero, &key->scale);
    }
    if (result == tg_success && before != NULL && !(key->time > before->time)) {
        result = tgFailAt(reader->error, tg_invalidArgument, tgFindMember(value, "time")->place,
                          "time %g follows time %g, expected increasing times", (double)key->time,
                          (double)before->time);
    }
    return result;
}

static tgResult tgReadTarget(const tgSettingsReader* reader, const tgJsonValue* target)
{
    if (target == NULL) {
        return tg_success;
    }
    if (target->kind != tg_jsonList) {
        return tgFailValue(reader, target, "target", "a list of keys");
    }
    if (target->count == 0) {
        return tg_success;
    }
    tgSettings* settings = reader->settings;
    tgVolumeKey* keys =
        tgArena_Take(&settings->memory->arena, (size_t)target->count, sizeof(tgVolumeKey));
    if (keys == NULL) {
        return tgFailMemory(reader);
    }
    int count = 0;
    for (const tgJsonValue* value = target->first; value != NULL; value = value->next, ++count) {
        tgResult result =
            tgReadTargetKey(reader, value, count > 0 ? &keys[count - 1] : NULL, &keys[count]);
        if (result != tg_success) {
            return result;
        }
    }
    settings->volume.targetKeys = keys;
    settings->volume.targetKeyCount = count;
    return tg_success;
}

static tgResult tgReadDefault(tgSettingsReader* reader, const tgJsonValue* value)
{
    if (value == NULL) {
        return tg_success;
    }
    const tgProfileBlock* block = NULL;
    tgResult result = tgReadProfiles(reader, value, &block);
    if (result == tg_success) {
        reader->settings->volume.profiles = block->profiles;
        reader->settings->volume.profileCount = block->count;
        reader->base = block->profiles[0];
        reader->baseGiven = block->given[0];
    }
    return result;
}

/// A joint by its name, for searching.
typedef struct tgNamedJoint {
    const char* name;
    int joint;
} tgNamedJoint;

static int tgCompareJoints(const void* a, const void* b)
{
    const tgNamedJoint* left = a;
    const tgNamedJoint* right = b;
    int order = strcmp(left->name, right->name);
    return order != 0 ? order : left->joint - right->joint;
}

/// The first of the sorted joints that has this name, or `count`.
static int tgFindNamedJoint(const tgNamedJoint* joints, int count, const char* name)
{
    int low = 0;
    int high = count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (strcmp(joints[middle].name, name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < count && strcmp(joints[low].name, name) == 0 ? low : count;
}

static tgResult tgFailJoint(const tgSettingsReader* reader, const tgJsonValue* member)
{
    tgNearest nearest = {.word = member->key};
    int jointCount = reader->scene != NULL ? reader->scene->jointCount : 0;
    for (int j = 0; j < jointCount; ++j) {
        tgNearest_Try(&nearest, reader->scene->joints[j].name);
    }
    if (nearest.best != NULL) {
        return tgFailAt(reader->error, tg_invalidArgument, member->keyPlace,
                        "the character has no joint %s, expected %s perhaps",
                        tgMakeQuote(member->key).text, tgMakeQuote(nearest.best).text);
    }
    return tgFailAt(reader->error, tg_invalidArgument, member->keyPlace,
                    "the character has no joint %s, expected the name of one of its %d",
                    tgMakeQuote(member->key).text, jointCount);
}

/// Every member is a name and its profiles, or null for none. A name may belong to several joints.
static tgResult tgReadJointMembers(tgSettingsReader* reader, const tgJsonValue* joints,
                                   const tgNamedJoint* named, int namedCount,
                                   tgJointProfiles* entries)
{
    int count = 0;
    for (const tgJsonValue* member = joints->first; member != NULL; member = member->next) {
        int at = tgFindNamedJoint(named, namedCount, member->key);
        if (at == namedCount) {
            return tgFailJoint(reader, member);
        }
        tgJointProfiles entry = {0};
        if (member->kind != tg_jsonNull) {
            const tgProfileBlock* block = NULL;
            tgResult result = tgReadProfiles(reader, member, &block);
            if (result != tg_success) {
                return result;
            }
            entry.profiles = block->profiles;
            entry.profileCount = block->count;
        }
        for (; at < namedCount && strcmp(named[at].name, member->key) == 0; ++at) {
            entry.joint = named[at].joint;
            entries[count++] = entry;
        }
    }
    reader->settings->volume.joints = entries;
    reader->settings->volume.jointCount = count;
    return tg_success;
}

static tgResult tgReadJoints(tgSettingsReader* reader, const tgJsonValue* joints)
{
    if (joints == NULL) {
        return tg_success;
    }
    if (joints->kind != tg_jsonObject) {
        return tgFailValue(reader, joints, "joints", "an object of joint names and profiles");
    }
    if (joints->count == 0) {
        return tg_success;
    }
    int jointCount = reader->scene != NULL ? reader->scene->jointCount : 0;
    size_t room = (size_t)jointCount + 1;
    // Keys differ, so no joint is met twice and there is an entry for each at most.
    tgArena* arena = &reader->settings->memory->arena;
    tgJointProfiles* entries = tgArena_Take(arena, room, sizeof(tgJointProfiles));
    tgNamedJoint* named = malloc(room * sizeof(tgNamedJoint));
    if (entries == NULL || named == NULL) {
        free(named);
        return tgFailMemory(reader);
    }
    for (int j = 0; j < jointCount; ++j) {
        named[j] = (tgNamedJoint){reader->scene->joints[j].name, j};
    }
    qsort(named, (size_t)jointCount, sizeof(tgNamedJoint), tgCompareJoints);
    tgResult result = tgReadJointMembers(reader, joints, named, jointCount, entries);
    free(named);
    return result;
}

/// "local" is a method of a later version.
static tgResult tgReadMethod(tgSettingsReader* reader, const tgJsonValue* volume)
{
    const tgJsonValue* value = tgFindMember(volume, "method");
    if (value == NULL) {
        return tg_success;
    }
    if (value->kind == tg_jsonText && strcmp(value->text, "local") == 0) {
        return tgFailAt(reader->error, tg_unsupported, value->place,
                        "\"method\" is \"local\", which is not in this version; expected "
                        "\"exact\" or \"none\"");
    }
    int method = 0;
    tgResult result = tgReadChoice(reader, volume, "method", &tg_methodNames, &method);
    reader->settings->volume.method = (tgVolumeMethod)method;
    reader->settings->hasMethod = true;
    return result;
}

tgResult tgReadVolume(tgSettingsReader* reader, const tgJsonValue* volume)
{
    tgVolumeDef* def = &reader->settings->volume;
    int mode = def->mode;
    tgResult result = tgCheckKeys(reader, volume, tg_settingsVolume);
    if (result == tg_success) {
        result = tgReadMethod(reader, volume);
    }
    if (result == tg_success) {
        result = tgReadChoice(reader, volume, "mode", &tg_modeNames, &mode);
        def->mode = (tgVolumeMode)mode;
    }
    if (result == tg_success) {
        result = tgReadFloat(reader, volume, "cap", tg_moreThanZero, &def->cap);
    }
    if (result == tg_success) {
        result = tgReadBool(reader, volume, "evenOut", &def->evenOut);
    }
    if (result == tg_success) {
        result = tgReadBool(reader, volume, "limbOnly", &def->limbOnly);
    }
    if (result == tg_success) {
        result = tgReadBool(reader, volume, "holdFaces", &def->holdFaces);
    }
    if (result == tg_success) {
        result = tgReadBool(reader, volume, "equalShares", &def->equalShares);
    }
    if (result == tg_success) {
        result = tgReadTarget(reader, tgFindMember(volume, "target"));
    }
    if (result == tg_success) {
        result = tgReadDefault(reader, tgFindMember(volume, "default"));
    }
    if (result == tg_success) {
        result = tgReadJoints(reader, tgFindMember(volume, "joints"));
    }
    return result;
}
