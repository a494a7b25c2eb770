// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// "wrinkles" of the settings file: "auto", or a list of joints and what their wrinkles are like.

#include "io/settings_private.h"

#include <string.h>

enum { tg_mostWaves = 64 };

/// What all joints of one entry have.
static tgResult tgReadWaves(const tgSettingsReader* reader, const tgJsonValue* object,
                            tgWrinkle* wrinkle)
{
    int side = (int)wrinkle->side;
    tgResult result = tgReadChoice(reader, object, "side", &tg_sideNames, &side);
    wrinkle->side = (tgWrinkleSide)side;
    if (result == tg_success) {
        result = tgReadInt(reader, object, "count", 1, tg_mostWaves, &wrinkle->count);
    }
    static const char* const keys[2] = {"depth", "length"};
    float* const numbers[2] = {&wrinkle->depth, &wrinkle->length};
    for (int i = 0; i < 2 && result == tg_success; ++i) {
        const tgJsonValue* value = tgFindMember(object, keys[i]);
        result = tgReadFloat(reader, object, keys[i], tg_moreThanZero, numbers[i]);
        if (result == tg_success && value != NULL) {
            result =
                tgCheckBetween(reader, value, 0.0f, 100.0f, keys[i], "more than 0, at most 100");
        }
    }
    return result;
}

/// One entry: all joints of its name or pattern, after those of the entries before.
static tgResult tgReadWrinkle(const tgSettingsReader* reader, const tgJsonValue* object,
                              const tgNamedJoints* joints, tgWrinkle* wrinkles, int* wrinkleCount)
{
    if (object->kind != tg_jsonObject) {
        return tgFailValue(reader, object, "wrinkles", "objects such as {\"joint\": \"elbow.L\"}");
    }
    tgResult result = tgCheckKeys(reader, object, tg_settingsWrinkle);
    const tgJsonValue* name = tgFindMember(object, "joint");
    if (result == tg_success && name == NULL) {
        return tgFailAt(reader->error, tg_invalidArgument, object->place,
                        "an entry of \"wrinkles\" without \"joint\", expected the joint that "
                        "wrinkles the skin");
    }
    if (result == tg_success && name->kind != tg_jsonText) {
        return tgFailValue(reader, name, "joint", "the name of a joint");
    }
    tgWrinkle waves = tgDefaultWrinkle(-1);
    result = result == tg_success ? tgReadWaves(reader, object, &waves) : result;
    if (result != tg_success) {
        return result;
    }
    tgMatches matches = {0};
    result = tgReadMatches(reader, joints, name->text, name->place, &matches);
    for (int i = 0; i < matches.count && result == tg_success; ++i) {
        waves.joint = matches.joints[i];
        bool isTwice = false;
        for (int k = 0; k < *wrinkleCount; ++k) {
            isTwice |= wrinkles[k].joint == waves.joint;
        }
        if (isTwice || reader->scene->joints[waves.joint].parent < 0) {
            return tgFailAt(reader->error, tg_invalidArgument, name->place,
                            isTwice ? "the joint %s has wrinkles already, expected it once"
                                    : "the joint %s has no parent, expected one that bends",
                            tgMakeQuote(name->text).text);
        }
        wrinkles[(*wrinkleCount)++] = waves;
    }
    return result;
}

tgResult tgReadWrinkles(const tgSettingsReader* reader, const tgJsonValue* value)
{
    tgWrinklesDef* def = &reader->settings->wrinkles;
    if (value->kind == tg_jsonText && strcmp(value->text, "auto") == 0) {
        def->automatic = true;
        return tg_success;
    }
    if (value->kind != tg_jsonList) {
        return tgFailValue(reader, value, "wrinkles", "a list of joints, or \"auto\"");
    }
    tgNamedJoints joints = {0};
    tgResult result = tgSortJoints(reader->scene, &joints) ? tg_success : tgFailMemory(reader);
    tgWrinkle* wrinkles =
        tgArena_Take(&reader->settings->memory->arena, (size_t)joints.count + 1, sizeof(tgWrinkle));
    if (result == tg_success && wrinkles == NULL) {
        result = tgFailMemory(reader);
    }
    int count = 0;
    for (int at = 0; at < value->count && result == tg_success; ++at) {
        const tgJsonValue* one = value->items[at];
        result = tgReadWrinkle(reader, one, &joints, wrinkles, &count);
    }
    tgFreeJoints(&joints);
    def->wrinkles = wrinkles;
    def->wrinkleCount = count;
    return result;
}
