// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The keys of the settings file, and values by type. Whatever is wrong is named with what was found
// and what was wanted, and where one known name is near, with that.

#include "io/settings_private.h"
#include "io/settings_text.h"

#include "core/core.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// An editor finds the schema by "$schema"; it means nothing to us.
static const tgSettingsKey tg_settingsKeys[] = {
    {tg_settingsFile, "$schema", false},       {tg_settingsFile, "turgor", false},
    {tg_settingsFile, "skinning", false},      {tg_settingsFile, "volume", false},
    {tg_settingsFile, "flesh", false},         {tg_settingsFile, "bones", false},
    {tg_settingsFile, "refine", false},        {tg_settingsVolume, "method", false},
    {tg_settingsVolume, "mode", false},        {tg_settingsVolume, "target", false},
    {tg_settingsVolume, "default", false},     {tg_settingsVolume, "joints", false},
    {tg_settingsVolume, "cap", false},         {tg_settingsVolume, "evenOut", false},
    {tg_settingsVolume, "limbOnly", false},    {tg_settingsVolume, "holdFaces", false},
    {tg_settingsVolume, "equalShares", false}, {tg_settingsVolume, "local", false},
    {tg_settingsVolume, "contact", true},      {tg_settingsTarget, "time", false},
    {tg_settingsTarget, "scale", false},       {tg_settingsProfile, "profile", false},
    {tg_settingsProfile, "combine", false},    {tg_settingsProfile, "mu", false},
    {tg_settingsProfile, "sigma", false},      {tg_settingsProfile, "center", false},
    {tg_settingsProfile, "folds", false},      {tg_settingsProfile, "foldAngle", false},
    {tg_settingsProfile, "drift", false},      {tg_settingsProfile, "driftFocus", false},
    {tg_settingsProfile, "curves", false},     {tg_settingsFlesh, "name", false},
    {tg_settingsFlesh, "driver", false},       {tg_settingsFlesh, "driven", false},
    {tg_settingsFlesh, "joints", false},       {tg_settingsFlesh, "vertices", false},
    {tg_settingsFlesh, "attenuation", false},  {tg_settingsFlesh, "thickness", false},
    {tg_settingsFlesh, "flow", false},         {tg_settingsFlesh, "frequency", false},
    {tg_settingsFlesh, "dampingRatio", false}, {tg_settingsFlesh, "stiffness", false},
    {tg_settingsFlesh, "damping", false},      {tg_settingsFlesh, "springs", false},
    {tg_settingsFlesh, "mass", false},         {tg_settingsFlesh, "density", false},
    {tg_settingsFlesh, "gravity", false},      {tg_settingsFlesh, "airFriction", false},
    {tg_settingsFlesh, "wind", false},         {tg_settingsFlesh, "elongation", false},
    {tg_settingsFlesh, "stopAtLimit", false},  {tg_settingsFlesh, "resetDistance", false},
    {tg_settingsFlesh, "twist", false},        {tg_settingsSpring, "share", false},
    {tg_settingsSpring, "frequency", false},   {tg_settingsSpring, "dampingRatio", false},
    {tg_settingsSpring, "stiffness", false},   {tg_settingsSpring, "damping", false},
    {tg_settingsTwist, "frequency", false},    {tg_settingsTwist, "dampingRatio", false},
    {tg_settingsTwist, "limit", false},        {tg_settingsBone, "joint", false},
    {tg_settingsBone, "mesh", false},          {tg_settingsBone, "object", false},
    {tg_settingsBone, "thickness", false},     {tg_settingsRefine, "threshold", false},
    {tg_settingsRefine, "levels", false},      {tg_settingsLocal, "scope", false},
    {tg_settingsLocal, "loss", false},         {tg_settingsLocal, "edges", false},
    {tg_settingsLocal, "map", false},          {tg_settingsLocal, "alpha", false},
    {tg_settingsLocal, "beta", false},         {tg_settingsLocal, "regions", false},
    {tg_settingsLocal, "bones", false},        {tg_settingsLocal, "parts", false},
    {tg_settingsLocal, "repeats", false},      {tg_settingsLocal, "exact", false},
    {tg_settingsRegion, "map", false},         {tg_settingsRegion, "alpha", false},
    {tg_settingsRegion, "beta", false},
};

enum { tg_settingsKeyCount = sizeof(tg_settingsKeys) / sizeof(tg_settingsKeys[0]) };

static const char* const tg_objectNames[] = {"the file",
                                             "\"volume\"",
                                             "a key of \"target\"",
                                             "a profile",
                                             "an element of \"flesh\"",
                                             "a spring",
                                             "\"twist\"",
                                             "a bone",
                                             "\"refine\"",
                                             "\"local\"",
                                             "a region"};

static const char* const tg_skinningTexts[] = {"linear", "dual-quaternion"};
static const char* const tg_methodTexts[] = {"none", "exact", "local"};
static const char* const tg_modeTexts[] = {"sequence", "together", "paper"};
static const char* const tg_combineTexts[] = {"add", "multiply"};
static const char* const tg_profileTexts[] = {"organic", "isotropic", "rubber", "muscle",
                                              "folds",   "belly",     "curves"};
static const char* const tg_scopeTexts[] = {"regions", "global"};
static const char* const tg_lossTexts[] = {"closed", "prisms"};
static const char* const tg_edgesTexts[] = {"blended", "still"};
static const char* const tg_mapTexts[] = {"organic", "rubber", "uniform"};

static const char* const tg_attenuationTexts[] = {"parabola", "wyvill"};

_Static_assert(tg_attenuationWyvill == 1, "the names above are in the order of the enum");
_Static_assert(tg_dualQuaternion == 1 && tg_volumeLocal == 2 && tg_modePaper == 2 &&
                   tg_combineMultiply == 1 && tg_profileBelly == 5 && tg_profileCurves == 6 &&
                   tg_scopeGlobal == 1 && tg_lossPrisms == 1 && tg_edgesStill == 1 &&
                   tg_mapUniform == 2,
               "the names above are in the order of the enums");

const tgNameList tg_skinningNames = {tg_skinningTexts, 2};
const tgNameList tg_methodNames = {tg_methodTexts, 3};
const tgNameList tg_modeNames = {tg_modeTexts, 3};
const tgNameList tg_combineNames = {tg_combineTexts, 2};
const tgNameList tg_profileNames = {tg_profileTexts, 7};
const tgNameList tg_attenuationNames = {tg_attenuationTexts, 2};
const tgNameList tg_scopeNames = {tg_scopeTexts, 2};
const tgNameList tg_lossNames = {tg_lossTexts, 2};
const tgNameList tg_edgesNames = {tg_edgesTexts, 2};
const tgNameList tg_mapNames = {tg_mapTexts, 3};

const tgSettingsKey* tgGetSettingsKeys(int* count)
{
    *count = tg_settingsKeyCount;
    return tg_settingsKeys;
}

tgResult tgFailMemory(const tgSettingsReader* reader)
{
    return tgFail(reader->error, tg_outOfMemory, -1, "not enough memory for the settings");
}

void tgWarnAt(const tgSettingsReader* reader, tgJsonPlace place, const char* format, ...)
{
    char text[192];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    tgSettings* settings = reader->settings;
    struct tgSettingsMemory* memory = settings->memory;
    enum { tg_warningSize = 240 };
    char* line = tgArena_Take(&memory->arena, tg_warningSize, 1);
    if (line != NULL && settings->warningCount == memory->warningCapacity) {
        int capacity = 2 * memory->warningCapacity + 8;
        const char** grown = tgArena_Take(&memory->arena, (size_t)capacity, sizeof(*grown));
        if (grown == NULL) {
            return;
        }
        if (settings->warningCount > 0) {
            memcpy(grown, settings->warnings, (size_t)settings->warningCount * sizeof(*grown));
        }
        settings->warnings = grown;
        memory->warningCapacity = capacity;
    }
    if (line != NULL) {
        snprintf(line, tg_warningSize, "line %d, column %d: %s", place.line, place.column, text);
        settings->warnings[settings->warningCount++] = line;
    }
}

/// A key that is none of this object's: of a later version, of another object, or misspelt.
static tgResult tgFailKey(const tgSettingsReader* reader, const tgJsonValue* member,
                          tgSettingsObject which)
{
    tgQuote quote = tgMakeQuote(member->key);
    tgNearest nearest = {.word = member->key};
    const tgSettingsKey* elsewhere = NULL;
    for (int i = 0; i < tg_settingsKeyCount; ++i) {
        const tgSettingsKey* key = &tg_settingsKeys[i];
        bool isSame = strcmp(key->name, member->key) == 0;
        if (isSame && key->object == which) {
            return tgFailAt(reader->error, tg_unsupported, member->keyPlace,
                            "%s is known, but not in this version; expected the file without it",
                            quote.text);
        }
        elsewhere = isSame ? key : elsewhere;
        if (key->object == which && !key->isLater) {
            tgNearest_Try(&nearest, key->name);
        }
    }
    if (elsewhere != NULL) {
        return tgFailAt(reader->error, tg_invalidArgument, member->keyPlace,
                        "%s is no key of %s, expected it in %s", quote.text, tg_objectNames[which],
                        tg_objectNames[elsewhere->object]);
    }
    if (nearest.best != NULL) {
        return tgFailAt(reader->error, tg_invalidArgument, member->keyPlace,
                        "%s is no key of %s, expected \"%s\" perhaps", quote.text,
                        tg_objectNames[which], nearest.best);
    }
    char known[160] = "";
    size_t size = 0;
    for (int i = 0; i < tg_settingsKeyCount; ++i) {
        const tgSettingsKey* key = &tg_settingsKeys[i];
        if (key->object == which && !key->isLater && key->name[0] != '$') {
            snprintf(known + size, sizeof(known) - size, "%s%s", size > 0 ? ", " : "", key->name);
            size = strlen(known);
        }
    }
    return tgFailAt(reader->error, tg_invalidArgument, member->keyPlace,
                    "%s is no key of %s, expected %s", quote.text, tg_objectNames[which], known);
}

tgResult tgCheckKeys(const tgSettingsReader* reader, const tgJsonValue* object,
                     tgSettingsObject which)
{
    for (const tgJsonValue* member = object->first; member != NULL; member = member->next) {
        bool isKnown = false;
        for (int i = 0; i < tg_settingsKeyCount && !isKnown; ++i) {
            const tgSettingsKey* key = &tg_settingsKeys[i];
            isKnown = key->object == which && !key->isLater && strcmp(key->name, member->key) == 0;
        }
        if (!isKnown) {
            return tgFailKey(reader, member, which);
        }
    }
    return tg_success;
}

const tgJsonValue* tgFindMember(const tgJsonValue* object, const char* key)
{
    const tgJsonValue* member = object->first;
    while (member != NULL && strcmp(member->key, key) != 0) {
        member = member->next;
    }
    return member;
}

tgResult tgFailValue(const tgSettingsReader* reader, const tgJsonValue* value, const char* key,
                     const char* wanted)
{
    return tgFailAt(reader->error, tg_invalidArgument, value->place, "%s is %s, expected %s",
                    tgMakeQuote(key).text, tgDescribeJson(value).text, wanted);
}

tgResult tgGetFloat(const tgSettingsReader* reader, const tgJsonValue* value, const char* key,
                    tgNumberRange range, float* number)
{
    static const char* const wanted[] = {"a number", "0 or more", "more than 0"};
    if (value->kind != tg_jsonNumber) {
        return tgFailValue(reader, value, key, "a number");
    }
    bool isFine = range == tg_anyNumber || value->number > 0.0f ||
                  (range == tg_zeroOrMore && value->number == 0.0f);
    if (!isFine) {
        return tgFailValue(reader, value, key, wanted[range]);
    }
    *number = value->number;
    return tg_success;
}

tgResult tgGetFloat3(const tgSettingsReader* reader, const tgJsonValue* value, const char* key,
                     tgNumberRange range, float numbers[3])
{
    if (value->kind != tg_jsonList) {
        return tgFailValue(reader, value, key, "a list of 3 numbers");
    }
    if (value->count != 3) {
        return tgFailAt(reader->error, tg_invalidArgument, value->place,
                        "%s has %d numbers, expected 3", tgMakeQuote(key).text, value->count);
    }
    float* number = numbers;
    for (const tgJsonValue* element = value->first; element != NULL; element = element->next) {
        tgResult result = tgGetFloat(reader, element, key, range, number++);
        if (result != tg_success) {
            return result;
        }
    }
    return tg_success;
}

tgResult tgReadFloat(const tgSettingsReader* reader, const tgJsonValue* object, const char* key,
                     tgNumberRange range, float* number)
{
    const tgJsonValue* value = tgFindMember(object, key);
    return value != NULL ? tgGetFloat(reader, value, key, range, number) : tg_success;
}

tgResult tgReadInt(const tgSettingsReader* reader, const tgJsonValue* object, const char* key,
                   int least, int most, int* number)
{
    const tgJsonValue* value = tgFindMember(object, key);
    if (value == NULL) {
        return tg_success;
    }
    bool isFine = value->kind == tg_jsonNumber && value->number >= (float)least &&
                  value->number <= (float)most && value->number == floorf(value->number);
    if (!isFine) {
        char wanted[48];
        snprintf(wanted, sizeof(wanted), "a whole number from %d to %d", least, most);
        return tgFailValue(reader, value, key, wanted);
    }
    *number = (int)value->number;
    return tg_success;
}

tgResult tgReadBool(const tgSettingsReader* reader, const tgJsonValue* object, const char* key,
                    bool* truth)
{
    const tgJsonValue* value = tgFindMember(object, key);
    if (value != NULL && value->kind != tg_jsonBool) {
        return tgFailValue(reader, value, key, "true or false");
    }
    *truth = value != NULL ? value->truth : *truth;
    return tg_success;
}

tgResult tgReadChoice(const tgSettingsReader* reader, const tgJsonValue* object, const char* key,
                      const tgNameList* list, int* choice)
{
    const tgJsonValue* value = tgFindMember(object, key);
    if (value == NULL) {
        return tg_success;
    }
    char wanted[96] = "";
    size_t size = 0;
    tgNearest nearest = {.word = value->kind == tg_jsonText ? value->text : ""};
    for (int i = 0; i < list->count; ++i) {
        if (value->kind == tg_jsonText && strcmp(value->text, list->names[i]) == 0) {
            *choice = i;
            return tg_success;
        }
        tgNearest_Try(&nearest, list->names[i]);
        snprintf(wanted + size, sizeof(wanted) - size, "%s\"%s\"",
                 i == 0                 ? ""
                 : i + 1 == list->count ? " or "
                                        : ", ",
                 list->names[i]);
        size = strlen(wanted);
    }
    if (nearest.best != NULL) {
        snprintf(wanted, sizeof(wanted), "\"%s\" perhaps", nearest.best);
    }
    return tgFailValue(reader, value, key, wanted);
}
