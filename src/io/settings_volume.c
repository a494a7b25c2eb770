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
    for (int at = 0; at < target->count; ++at, ++count) {
        const tgJsonValue* value = target->items[at];
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

/// The default profiles: for some joint they should be of use.
static bool tgReachAnyJoint(const tgScene* scene, const tgVolumeDef* volume)
{
    bool canTell = false;
    for (int j = 0; scene != NULL && j < scene->jointCount; ++j) {
        bool hasBone = scene->joints[j].parent >= 0;
        if (hasBone && tgProfilesReach(scene, j, volume->profiles, volume->profileCount)) {
            return true;
        }
        canTell |= hasBone;
    }
    return !canTell;
}

static tgResult tgReadDefault(tgSettingsReader* reader, const tgJsonValue* value)
{
    if (value == NULL) {
        return tg_success;
    }
    tgVolumeDef* volume = &reader->settings->volume;
    tgResult result = tgReadProfiles(reader, value, &volume->profiles, &volume->profileCount);
    if (result == tg_success) {
        const tgJsonValue* first = tgJson_GetEach(value, 0);
        const tgJsonValue* paint = tgFindMember(first, "paint");
        if (paint != NULL) {
            return tgFailAt(reader->error, tg_invalidArgument, paint->keyPlace,
                            "\"paint\" in \"default\", expected it in \"volume\" itself, or in "
                            "single joints");
        }
        reader->base = volume->profiles[0];
        reader->baseHasCurves = tgFindMember(first, "curves") != NULL;
        const tgJsonValue* mirror = tgFindMember(first, "mirror");
        if (mirror != NULL) {
            tgWarnAt(reader, mirror->keyPlace,
                     "\"mirror\" is not used by the default, which is for all joints");
        }
        if (!tgReachAnyJoint(reader->scene, volume)) {
            tgWarnAt(reader, value->place,
                     "this profile reaches no joint's skin; center, sigma and curves count in "
                     "lengths of the parent bone");
        }
    }
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

/// Neither of the modes that were there before.
static tgResult tgReadMode(const tgSettingsReader* reader, const tgJsonValue* volume)
{
    int mode = reader->settings->volume.mode;
    if (tgWarnGoneMode(reader, tgFindMember(volume, "mode"))) {
        return tg_success;
    }
    tgResult result = tgReadChoice(reader, volume, "mode", &tg_modeNames, &mode);
    reader->settings->volume.mode = (tgVolumeMode)mode;
    return result;
}

/// true and false, or an object, which is on.
static tgResult tgReadContact(const tgSettingsReader* reader, const tgJsonValue* value)
{
    tgVolumeDef* volume = &reader->settings->volume;
    if (value == NULL) {
        return tg_success;
    }
    if (value->kind == tg_jsonBool) {
        volume->contact = value->truth ? tg_contactOn : tg_contactOff;
        return tg_success;
    }
    if (value->kind != tg_jsonObject) {
        return tgFailValue(reader, value, "contact",
                           "true, false or an object such as {\"gap\": 0.02}");
    }
    volume->contact = tg_contactOn;
    tgResult result = tgCheckKeys(reader, value, tg_settingsContact);
    if (result == tg_success) {
        result = tgReadFloat(reader, value, "gap", tg_zeroOrMore, &volume->contactGap);
    }
    return result;
}

/// What the rig would refuse, told where it is written.
static tgResult tgCheckContact(const tgSettingsReader* reader, const tgJsonValue* volume)
{
    const tgVolumeDef* def = &reader->settings->volume;
    if (def->contact == tg_contactOn && def->mode == tg_modePaper) {
        return tgFailAt(reader->error, tg_invalidArgument, tgFindMember(volume, "contact")->place,
                        "\"contact\" does not go with \"mode\": \"paper\", expected the mode "
                        "\"exact\"");
    }
    return tg_success;
}

tgResult tgReadVolume(tgSettingsReader* reader, const tgJsonValue* volume)
{
    tgResult result = tgCheckKeys(reader, volume, tg_settingsVolume);
    if (result == tg_success) {
        result = tgReadMethod(reader, volume);
    }
    if (result == tg_success) {
        result = tgReadMode(reader, volume);
    }
    const tgJsonValue* paint = tgFindMember(volume, "paint");
    if (result == tg_success && paint != NULL) {
        result = tgReadPaint(reader, paint, &reader->settings->volume.paint);
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
