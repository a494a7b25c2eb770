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
    {tg_settingsFile, "$schema"},        {tg_settingsFile, "turgor"},
    {tg_settingsFile, "skinning"},       {tg_settingsFile, "volume"},
    {tg_settingsFile, "flesh"},          {tg_settingsFile, "bones"},
    {tg_settingsFile, "refine"},         {tg_settingsFile, "wrinkles"},
    {tg_settingsVolume, "method"},       {tg_settingsVolume, "mode"},
    {tg_settingsVolume, "target"},       {tg_settingsVolume, "default"},
    {tg_settingsVolume, "joints"},       {tg_settingsVolume, "local"},
    {tg_settingsVolume, "contact"},      {tg_settingsVolume, "paint"},
    {tg_settingsTarget, "time"},         {tg_settingsTarget, "scale"},
    {tg_settingsProfile, "profile"},     {tg_settingsProfile, "combine"},
    {tg_settingsProfile, "mu"},          {tg_settingsProfile, "sigma"},
    {tg_settingsProfile, "center"},      {tg_settingsProfile, "folds"},
    {tg_settingsProfile, "foldAngle"},   {tg_settingsProfile, "drift"},
    {tg_settingsProfile, "gain"},        {tg_settingsProfile, "paint"},
    {tg_settingsProfile, "curves"},      {tg_settingsProfile, "mirror"},
    {tg_settingsFlesh, "name"},          {tg_settingsFlesh, "driver"},
    {tg_settingsFlesh, "driven"},        {tg_settingsFlesh, "joints"},
    {tg_settingsFlesh, "vertices"},      {tg_settingsFlesh, "attenuation"},
    {tg_settingsFlesh, "thickness"},     {tg_settingsFlesh, "flow"},
    {tg_settingsFlesh, "frequency"},     {tg_settingsFlesh, "dampingRatio"},
    {tg_settingsFlesh, "stiffness"},     {tg_settingsFlesh, "damping"},
    {tg_settingsFlesh, "springs"},       {tg_settingsFlesh, "mass"},
    {tg_settingsFlesh, "density"},       {tg_settingsFlesh, "gravity"},
    {tg_settingsFlesh, "airFriction"},   {tg_settingsFlesh, "wind"},
    {tg_settingsFlesh, "elongation"},    {tg_settingsFlesh, "stopAtLimit"},
    {tg_settingsFlesh, "resetDistance"}, {tg_settingsFlesh, "twist"},
    {tg_settingsSpring, "share"},        {tg_settingsSpring, "frequency"},
    {tg_settingsSpring, "dampingRatio"}, {tg_settingsSpring, "stiffness"},
    {tg_settingsSpring, "damping"},      {tg_settingsTwist, "frequency"},
    {tg_settingsTwist, "dampingRatio"},  {tg_settingsTwist, "limit"},
    {tg_settingsBone, "joint"},          {tg_settingsBone, "mesh"},
    {tg_settingsBone, "object"},         {tg_settingsBone, "thickness"},
    {tg_settingsRefine, "threshold"},    {tg_settingsRefine, "levels"},
    {tg_settingsRefine, "smooth"},       {tg_settingsLocal, "scope"},
    {tg_settingsLocal, "loss"},          {tg_settingsLocal, "edges"},
    {tg_settingsLocal, "map"},           {tg_settingsLocal, "alpha"},
    {tg_settingsLocal, "beta"},          {tg_settingsLocal, "regions"},
    {tg_settingsLocal, "bones"},         {tg_settingsLocal, "parts"},
    {tg_settingsLocal, "repeats"},       {tg_settingsLocal, "exact"},
    {tg_settingsRegion, "map"},          {tg_settingsRegion, "alpha"},
    {tg_settingsRegion, "beta"},         {tg_settingsContact, "gap"},
    {tg_settingsWrinkle, "joint"},       {tg_settingsWrinkle, "side"},
    {tg_settingsWrinkle, "count"},       {tg_settingsWrinkle, "depth"},
    {tg_settingsWrinkle, "length"},
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
                                             "a region",
                                             "\"contact\"",
                                             "an entry of \"wrinkles\""};

static const char* const tg_skinningTexts[] = {"auto", "linear", "dual-quaternion", "blend"};
static const char* const tg_methodTexts[] = {"none", "exact", "local"};
static const char* const tg_modeTexts[] = {"exact", "paper"};
static const char* const tg_combineTexts[] = {"add", "multiply"};
static const char* const tg_profileTexts[] = {"organic", "isotropic", "rubber", "muscle",
                                              "folds",   "belly",     "curves"};
static const char* const tg_scopeTexts[] = {"regions", "global"};
static const char* const tg_lossTexts[] = {"closed", "prisms"};
static const char* const tg_edgesTexts[] = {"blended", "still"};
static const char* const tg_mapTexts[] = {"organic", "rubber", "uniform"};

static const char* const tg_sideTexts[] = {"all", "inner", "outer"};
static const char* const tg_attenuationTexts[] = {"parabola", "wyvill"};

_Static_assert(tg_attenuationWyvill == 1, "the names above are in the order of the enum");
_Static_assert(tg_dualQuaternion == 1 && tg_blend == 2 && tg_volumeLocal == 2 &&
                   tg_modePaper == 1 && tg_combineMultiply == 1 && tg_profileBelly == 5 &&
                   tg_profileCurves == 6 && tg_scopeGlobal == 1 && tg_lossPrisms == 1 &&
                   tg_edgesStill == 1 && tg_mapUniform == 2 && tg_wrinkleInner == 1 &&
                   tg_wrinkleOuter == 2,
               "the names above are in the order of the enums");

const tgNameList tg_skinningNames = {tg_skinningTexts, 4};
const tgNameList tg_methodNames = {tg_methodTexts, 3};
const tgNameList tg_modeNames = {tg_modeTexts, 2};
const tgNameList tg_combineNames = {tg_combineTexts, 2};
const tgNameList tg_profileNames = {tg_profileTexts, 7};
const tgNameList tg_attenuationNames = {tg_attenuationTexts, 2};
const tgNameList tg_scopeNames = {tg_scopeTexts, 2};
const tgNameList tg_lossNames = {tg_lossTexts, 2};
const tgNameList tg_edgesNames = {tg_edgesTexts, 2};
const tgNameList tg_mapNames = {tg_mapTexts, 3};
const tgNameList tg_sideNames = {tg_sideTexts, 3};

const tgSettingsKey* tgGetSettingsKeys(int* count)
{
    *count = tg_settingsKeyCount;
    return tg_settingsKeys;
}

tgResult tgFailMemory(const tgSettingsReader* reader)
{
    return tgFail(reader->error, tg_outOfMemory, -1, "not enough memory for the settings");
}

/// Add "line 12, column 7: ..." to a list of lines.
static void tgAddLine(const tgSettingsReader* reader, tgJsonPlace place, const char* format,
                      va_list arguments, const char*** lines, int* count, int* capacity)
{
    enum { tg_lineSize = 240 };
    tgArena* arena = &reader->settings->memory->arena;
    char* line = tgArena_Take(arena, tg_lineSize, 1);
    if (line != NULL && *count == *capacity) {
        int room = 2 * *capacity + 8;
        const char** grown = tgArena_Take(arena, (size_t)room, sizeof(*grown));
        if (grown == NULL) {
            reader->settings->memory->hasRunOut = true;
            return;
        }
        if (*count > 0) {
            memcpy(grown, *lines, (size_t)*count * sizeof(*grown));
        }
        *lines = grown;
        *capacity = room;
    }
    if (line != NULL) {
        int used = snprintf(line, tg_lineSize, "line %d, column %d: ", place.line, place.column);
        vsnprintf(line + used, (size_t)(tg_lineSize - used), format, arguments);
        (*lines)[(*count)++] = line;
    }
    reader->settings->memory->hasRunOut |= line == NULL;
}

void tgWarnAt(const tgSettingsReader* reader, tgJsonPlace place, const char* format, ...)
{
    tgSettings* settings = reader->settings;
    va_list arguments;
    va_start(arguments, format);
    tgAddLine(reader, place, format, arguments, &settings->warnings, &settings->warningCount,
              &settings->memory->warningCapacity);
    va_end(arguments);
}

void tgNoteAt(const tgSettingsReader* reader, tgJsonPlace place, const char* format, ...)
{
    tgSettings* settings = reader->settings;
    va_list arguments;
    va_start(arguments, format);
    tgAddLine(reader, place, format, arguments, &settings->notes, &settings->noteCount,
              &settings->memory->noteCapacity);
    va_end(arguments);
}

/// A key that is none of this object's: of another object, or misspelt.
static tgResult tgFailKey(const tgSettingsReader* reader, const tgJsonValue* member,
                          tgSettingsObject which)
{
    tgQuote quote = tgMakeQuote(member->key);
    tgNearest nearest = {.word = member->key};
    const tgSettingsKey* elsewhere = NULL;
    for (int i = 0; i < tg_settingsKeyCount; ++i) {
        const tgSettingsKey* key = &tg_settingsKeys[i];
        bool isSame = strcmp(key->name, member->key) == 0;
        elsewhere = isSame ? key : elsewhere;
        if (key->object == which) {
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
                        "%s is no key of %s, perhaps \"%s\"", quote.text, tg_objectNames[which],
                        nearest.best);
    }
    // As many as a message has room for.
    char known[104] = "";
    size_t size = 0;
    bool isFull = false;
    for (int i = 0; i < tg_settingsKeyCount && !isFull; ++i) {
        const tgSettingsKey* key = &tg_settingsKeys[i];
        if (key->object == which && key->name[0] != '$') {
            isFull = size + strlen(key->name) + 8 > sizeof(known);
            snprintf(known + size, sizeof(known) - size, "%s%s", size > 0 ? ", " : "",
                     isFull ? "..." : key->name);
            size = strlen(known);
        }
    }
    return tgFailAt(reader->error, tg_invalidArgument, member->keyPlace,
                    "%s is no key of %s, expected %s", quote.text, tg_objectNames[which], known);
}

tgResult tgCheckKeys(const tgSettingsReader* reader, const tgJsonValue* object,
                     tgSettingsObject which)
{
    for (int at = 0; at < object->count; ++at) {
        const tgJsonValue* member = object->items[at];
        bool isKnown = false;
        for (int i = 0; i < tg_settingsKeyCount && !isKnown; ++i) {
            const tgSettingsKey* key = &tg_settingsKeys[i];
            isKnown = key->object == which && strcmp(key->name, member->key) == 0;
        }
        if (!isKnown && !tgWarnGoneKey(reader, member, which)) {
            return tgFailKey(reader, member, which);
        }
    }
    return tg_success;
}

const tgJsonValue* tgFindMember(const tgJsonValue* object, const char* key)
{
    return tgJson_Find(object, key);
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
    bool isFine = range == tg_anyNumber || tgJson_GetFloat(value) > 0.0f ||
                  (range == tg_zeroOrMore && tgJson_GetFloat(value) == 0.0f);
    if (!isFine) {
        return tgFailValue(reader, value, key, wanted[range]);
    }
    *number = tgJson_GetFloat(value);
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
    for (int at = 0; at < value->count; ++at) {
        const tgJsonValue* element = value->items[at];
        tgResult result = tgGetFloat(reader, element, key, range, number++);
        if (result != tg_success) {
            return result;
        }
    }
    return tg_success;
}

tgResult tgCheckBetween(const tgSettingsReader* reader, const tgJsonValue* value, float low,
                        float high, const char* key, const char* wanted)
{
    const tgJsonValue* number = NULL;
    for (size_t at = 0; (number = tgJson_GetEach(value, at)) != NULL; ++at) {
        if (!(tgJson_GetFloat(number) > low && tgJson_GetFloat(number) < high)) {
            return tgFailValue(reader, number, key, wanted);
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
    bool isFine = value->kind == tg_jsonNumber && tgJson_GetFloat(value) >= (float)least &&
                  tgJson_GetFloat(value) <= (float)most &&
                  tgJson_GetFloat(value) == floorf(tgJson_GetFloat(value));
    if (!isFine) {
        char wanted[48];
        snprintf(wanted, sizeof(wanted), "a whole number from %d to %d", least, most);
        return tgFailValue(reader, value, key, wanted);
    }
    *number = (int)tgJson_GetFloat(value);
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
        return tgFailAt(reader->error, tg_invalidArgument, value->place, "%s is %s, perhaps \"%s\"",
                        tgMakeQuote(key).text, tgDescribeJson(value).text, nearest.best);
    }
    return tgFailValue(reader, value, key, wanted);
}
