// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The object "volume" of the settings file: method, mode, target, the default profiles and those of
// single joints.

#include "io/settings_private.h"

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

/// Every member is a name and its profiles, or null for none. A name may belong to several joints.
static tgResult tgReadJointMembers(tgSettingsReader* reader, const tgJsonValue* object,
                                   const tgNamedJoints* joints, tgJointProfiles* entries)
{
    int entryCount = 0;
    for (const tgJsonValue* member = object->first; member != NULL; member = member->next) {
        int count = 0, first = tgFindJoints(joints, member->key, &count);
        if (count == 0) {
            return tgFailJoint(reader, member->key, member->keyPlace);
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
        for (int i = first; i < first + count; ++i) {
            entry.joint = joints->sorted[i].joint;
            entries[entryCount++] = entry;
        }
    }
    reader->settings->volume.joints = entries;
    reader->settings->volume.jointCount = entryCount;
    return tg_success;
}

static tgResult tgReadJoints(tgSettingsReader* reader, const tgJsonValue* object)
{
    if (object == NULL) {
        return tg_success;
    }
    if (object->kind != tg_jsonObject) {
        return tgFailValue(reader, object, "joints", "an object of joint names and profiles");
    }
    if (object->count == 0) {
        return tg_success;
    }
    tgNamedJoints joints = {0};
    tgResult result = tgSortJoints(reader, &joints);
    if (result != tg_success) {
        return result;
    }
    // Keys differ, so no joint is met twice and there is an entry for each at most.
    tgJointProfiles* entries = tgArena_Take(&reader->settings->memory->arena,
                                            (size_t)joints.count + 1, sizeof(tgJointProfiles));
    result = entries != NULL ? tgReadJointMembers(reader, object, &joints, entries)
                             : tgFailMemory(reader);
    tgFreeJoints(&joints);
    return result;
}

static tgResult tgReadMethod(tgSettingsReader* reader, const tgJsonValue* volume)
{
    int method = reader->settings->volume.method;
    tgResult result = tgReadChoice(reader, volume, "method", &tg_methodNames, &method);
    reader->settings->volume.method = (tgVolumeMethod)method;
    reader->settings->hasMethod = tgFindMember(volume, "method") != NULL;
    return result;
}

/// true and false, or an object; which is on unless it says otherwise.
static tgResult tgReadContact(const tgSettingsReader* reader, const tgJsonValue* value)
{
    tgContactDef* contact = &reader->settings->volume.contact;
    if (value == NULL) {
        return tg_success;
    }
    if (value->kind == tg_jsonBool) {
        contact->neighbours = value->truth ? tg_contactOn : tg_contactOff;
        return tg_success;
    }
    if (value->kind != tg_jsonObject) {
        return tgFailValue(reader, value, "contact",
                           "true, false or an object such as {\"gap\": 0.02}");
    }
    bool neighbours = true;
    tgResult result = tgCheckKeys(reader, value, tg_settingsContact);
    if (result == tg_success) {
        result = tgReadBool(reader, value, "neighbours", &neighbours);
        contact->neighbours = neighbours ? tg_contactOn : tg_contactOff;
    }
    if (result == tg_success) {
        result = tgReadBool(reader, value, "general", &contact->general);
    }
    if (result == tg_success) {
        result = tgReadFloat(reader, value, "gap", tg_zeroOrMore, &contact->gap);
    }
    if (result == tg_success) {
        result = tgReadInt(reader, value, "rounds", 1, 8, &contact->rounds);
    }
    return result;
}

/// What the rig would refuse, told where it is written.
static tgResult tgCheckContact(const tgSettingsReader* reader, const tgJsonValue* volume)
{
    const tgVolumeDef* def = &reader->settings->volume;
    bool isAsked = def->contact.neighbours == tg_contactOn || def->contact.general;
    if (isAsked && def->mode == tg_modePaper) {
        return tgFailAt(reader->error, tg_invalidArgument, tgFindMember(volume, "contact")->place,
                        "\"contact\" does not go with \"mode\": \"paper\", expected the mode "
                        "\"sequence\" or \"together\"");
    }
    return tg_success;
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
    if (result == tg_success) {
        result = tgReadLocal(reader, tgFindMember(volume, "local"));
    }
    if (result == tg_success) {
        result = tgReadContact(reader, tgFindMember(volume, "contact"));
    }
    if (result == tg_success) {
        result = tgCheckContact(reader, volume);
    }
    return result;
}
