// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The list "flesh" of the settings file: elements by the names of their joints, with springs.

#include "io/settings_private.h"
#include "io/settings_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const float tg_radiansPerDegree = 0.017453292519943295f;
static const float tg_anyMost = 3.4e38f;
static const float tg_mostForce = 1e9f; ///< along an axis

// ---- numbers ------------------------------------------------------------------------------------

/// A number and where it goes.
typedef struct tgFleshNumber {
    const char* key;
    tgNumberRange range;
    float most;
    float* number;
} tgFleshNumber;

/// Those of the list that the object has.
static tgResult tgReadNumbers(const tgSettingsReader* reader, const tgJsonValue* object,
                              const tgFleshNumber* numbers, int count)
{
    tgResult result = tg_success;
    for (int i = 0; i < count && result == tg_success; ++i) {
        const tgFleshNumber* number = &numbers[i];
        result = tgReadFloat(reader, object, number->key, number->range, number->number);
        if (result == tg_success && tgFindMember(object, number->key) != NULL &&
            *number->number > number->most) {
            char wanted[48];
            snprintf(wanted, sizeof(wanted), "at most %g", (double)number->most);
            result = tgFailValue(reader, tgFindMember(object, number->key), number->key, wanted);
        }
    }
    return result;
}

static tgResult tgReadVector(const tgSettingsReader* reader, const tgJsonValue* object,
                             const char* key, tgVec3* vector)
{
    const tgJsonValue* value = tgFindMember(object, key);
    float numbers[3] = {vector->x, vector->y, vector->z};
    tgResult result =
        value != NULL ? tgGetFloat3(reader, value, key, tg_anyNumber, numbers) : tg_success;
    if (value != NULL && result == tg_success) {
        result =
            tgCheckBetween(reader, value, -tg_mostForce, tg_mostForce, key, "between -1e9 and 1e9");
    }
    *vector = tgMakeVec3(numbers[0], numbers[1], numbers[2]);
    return result;
}

// ---- joints -------------------------------------------------------------------------------------

/// The one joint of this name.
static tgResult tgGetJoint(const tgSettingsReader* reader, const tgJsonValue* value,
                           const char* key, int* joint)
{
    if (value->kind != tg_jsonText) {
        return tgFailValue(reader, value, key, "the name of a joint");
    }
    int jointCount = reader->scene != NULL ? reader->scene->jointCount : 0, found = 0;
    for (int j = jointCount - 1; j >= 0; --j) {
        if (strcmp(reader->scene->joints[j].name, value->text) == 0) {
            *joint = j;
            found += 1;
        }
    }
    if (found > 1) {
        return tgFailAt(reader->error, tg_invalidArgument, value->place,
                        "the character has %d joints %s, expected a name that only one has", found,
                        tgMakeQuote(value->text).text);
    }
    return found == 1 ? tg_success : tgFailJoint(reader, value->text, value->place);
}

static bool tgIsDescendant(const tgScene* scene, int joint, int ancestor)
{
    // Parents come before their children.
    while (joint > ancestor) {
        joint = scene->joints[joint].parent;
    }
    return joint == ancestor;
}

/// The joints of a name or a list of names.
static tgResult tgReadJointList(const tgSettingsReader* reader, const tgJsonValue* value,
                                const char* key, const int** joints, int* count)
{
    bool isList = value->kind == tg_jsonList;
    if ((isList && value->count == 0) || (!isList && value->kind != tg_jsonText)) {
        return tgFailValue(reader, value, key, "the name of a joint, or a list of names");
    }
    *count = isList ? value->count : 1;
    int* list = tgArena_Take(&reader->settings->memory->arena, (size_t)*count, sizeof(int));
    if (list == NULL) {
        return tgFailMemory(reader);
    }
    *joints = list;
    tgResult result = tg_success;
    for (int i = 0; i < *count && result == tg_success; ++i) {
        const tgJsonValue* name = tgJson_GetEach(value, (size_t)i);
        result = tgGetJoint(reader, name, key, &list[i]);
    }
    return result;
}

static tgResult tgReadDriven(const tgSettingsReader* reader, const tgJsonValue* object,
                             tgFleshElement* element)
{
    const tgJsonValue* value = tgFindMember(object, "driven");
    if (value == NULL) {
        return tg_success;
    }
    tgResult result =
        tgReadJointList(reader, value, "driven", &element->driven, &element->drivenCount);
    for (int i = 0; result == tg_success && i < element->drivenCount; ++i) {
        const tgJsonValue* name = tgJson_GetEach(value, (size_t)i);
        int joint = element->driven[i];
        if (joint == element->driver || !tgIsDescendant(reader->scene, joint, element->driver)) {
            return tgFailAt(reader->error, tg_invalidArgument, name->place,
                            "the joint %s is no descendant of %s, expected one",
                            tgMakeQuote(name->text).text,
                            tgMakeQuote(reader->scene->joints[element->driver].name).text);
        }
    }
    return result;
}

/// Where nothing is driven the children end the virtual bone.
static tgResult tgCheckChildren(const tgSettingsReader* reader, const tgJsonValue* driver,
                                const tgFleshElement* element)
{
    bool hasEnd = element->driven != NULL;
    for (int j = 0; j < reader->scene->jointCount && !hasEnd; ++j) {
        hasEnd = reader->scene->joints[j].parent == element->driver;
    }
    return hasEnd ? tg_success
                  : tgFailAt(reader->error, tg_invalidArgument, driver->place,
                             "the joint %s has no children, expected a driver with some, where its "
                             "flesh ends",
                             tgMakeQuote(driver->text).text);
}

static tgResult tgReadDriver(const tgSettingsReader* reader, const tgJsonValue* object,
                             tgFleshElement* element)
{
    const tgJsonValue* value = tgFindMember(object, "driver");
    if (value == NULL) {
        return tgFailAt(reader->error, tg_invalidArgument, object->place,
                        "an element of \"flesh\" without \"driver\", expected the joint that "
                        "carries it");
    }
    tgResult result = tgGetJoint(reader, value, "driver", &element->driver);
    result = result == tg_success ? tgReadDriven(reader, object, element) : result;
    result = result == tg_success ? tgCheckChildren(reader, value, element) : result;
    value = tgFindMember(object, "joints");
    return result == tg_success && value != NULL
               ? tgReadJointList(reader, value, "joints", &element->joints, &element->jointCount)
               : result;
}

static tgResult tgReadVertices(const tgSettingsReader* reader, const tgJsonValue* object,
                               tgFleshElement* element)
{
    const tgJsonValue* value = tgFindMember(object, "vertices");
    return value != NULL ? tgReadVertexSet(reader, value, &element->vertices, &element->vertexCount)
                         : tg_success;
}

// ---- attenuation and springs --------------------------------------------------------------------

static tgResult tgReadAttenuationKeys(const tgSettingsReader* reader, const tgJsonValue* list,
                                      tgFleshElement* element)
{
    if (list->count < 2 || list->count > tg_mostAttenuationKeys) {
        return tgFailAt(reader->error, tg_invalidArgument, list->place,
                        "\"attenuation\" has %d keys, expected 2 to %d", list->count,
                        tg_mostAttenuationKeys);
    }
    element->attenuation = tg_attenuationCurve;
    for (int at = 0; at < list->count; ++at) {
        const tgJsonValue* value = list->items[at];
        float numbers[3];
        tgResult result = tgGetFloat3(reader, value, "attenuation", tg_anyNumber, numbers);
        if (result != tg_success) {
            return result;
        }
        tgAttenuationKey* key = &element->keys[element->keyCount];
        *key = (tgAttenuationKey){numbers[0], numbers[1], numbers[2]};
        bool rising = element->keyCount == 0 || key->coordinate > key[-1].coordinate;
        if (!rising || numbers[0] < -1.0f || numbers[0] > 1.0f) {
            return tgFailAt(reader->error, tg_invalidArgument, value->place,
                            "a key of \"attenuation\" at %g, expected rising ones from -1 to 1",
                            (double)numbers[0]);
        }
        bool isEnd = at == 0 || at == list->count - 1;
        if (isEnd && numbers[1] != 0.0f) {
            return tgFailAt(reader->error, tg_invalidArgument, value->place,
                            "\"attenuation\" ends with %g, expected 0 at both ends",
                            (double)numbers[1]);
        }
        element->keyCount += 1;
    }
    return tg_success;
}

static tgResult tgReadAttenuation(const tgSettingsReader* reader, const tgJsonValue* object,
                                  tgFleshElement* element)
{
    const tgJsonValue* value = tgFindMember(object, "attenuation");
    if (value != NULL && value->kind == tg_jsonList) {
        return tgReadAttenuationKeys(reader, value, element);
    }
    int choice = (int)element->attenuation;
    tgResult result = tgReadChoice(reader, object, "attenuation", &tg_attenuationNames, &choice);
    element->attenuation = (tgAttenuation)choice;
    return result;
}

/// The keys of a spring, which an element with one spring has itself.
static tgResult tgReadSpring(const tgSettingsReader* reader, const tgJsonValue* object,
                             tgFleshSpring* spring)
{
    const tgFleshNumber numbers[] = {
        {"frequency", tg_moreThanZero, 1e5f, &spring->frequency},
        {"dampingRatio", tg_zeroOrMore, 1e6f, &spring->dampingRatio},
        {"stiffness", tg_moreThanZero, 1e30f, &spring->stiffness},
        {"damping", tg_zeroOrMore, 1e30f, &spring->damping},
    };
    static const char* const pairs[2][2] = {{"frequency", "stiffness"},
                                            {"dampingRatio", "damping"}};
    for (int i = 0; i < 2; ++i) {
        const tgJsonValue* second = tgFindMember(object, pairs[i][1]);
        if (second != NULL && tgFindMember(object, pairs[i][0]) != NULL) {
            return tgFailAt(reader->error, tg_invalidArgument, second->keyPlace,
                            "\"%s\" beside \"%s\", expected one of the two", pairs[i][1],
                            pairs[i][0]);
        }
    }
    return tgReadNumbers(reader, object, numbers, 4);
}

static tgResult tgReadSprings(const tgSettingsReader* reader, const tgJsonValue* object,
                              tgFleshElement* element)
{
    const tgJsonValue* list = tgFindMember(object, "springs");
    if (list == NULL) {
        return tgReadSpring(reader, object, &element->springs[0]);
    }
    static const char* const own[] = {"frequency", "dampingRatio", "stiffness", "damping"};
    for (int i = 0; i < 4; ++i) {
        const tgJsonValue* value = tgFindMember(object, own[i]);
        if (value != NULL) {
            return tgFailAt(reader->error, tg_invalidArgument, value->keyPlace,
                            "\"%s\" beside \"springs\", expected it in each of them", own[i]);
        }
    }
    if (list->kind != tg_jsonList || list->count < 1 || list->count > tg_mostFleshSprings) {
        return tgFailValue(reader, list, "springs", "a list of 1 to 8 springs");
    }
    float sum = 0.0f;
    element->springCount = 0;
    for (int at = 0; at < list->count; ++at) {
        const tgJsonValue* value = list->items[at];
        tgFleshSpring* spring = &element->springs[element->springCount++];
        spring->share = 1.0f / (float)list->count;
        if (value->kind != tg_jsonObject) {
            return tgFailValue(reader, value, "springs", "objects such as {\"frequency\": 3}");
        }
        const tgFleshNumber share = {"share", tg_zeroOrMore, tg_anyMost, &spring->share};
        tgResult result = tgCheckKeys(reader, value, tg_settingsSpring);
        result = result == tg_success ? tgReadNumbers(reader, value, &share, 1) : result;
        result = result == tg_success ? tgReadSpring(reader, value, spring) : result;
        if (result != tg_success) {
            return result;
        }
        sum += spring->share;
    }
    if (!(sum > 0.0f)) {
        return tgFailAt(reader->error, tg_invalidArgument, list->place,
                        "the shares of \"springs\" sum to 0, expected more");
    }
    for (int i = 0; i < element->springCount; ++i) {
        element->springs[i].share /= sum;
    }
    return tg_success;
}

static tgResult tgReadTwist(const tgSettingsReader* reader, const tgJsonValue* object,
                            tgFleshElement* element)
{
    const tgJsonValue* twist = tgFindMember(object, "twist");
    if (twist == NULL) {
        return tg_success;
    }
    if (twist->kind != tg_jsonObject) {
        return tgFailValue(reader, twist, "twist", "an object such as {\"frequency\": 3}");
    }
    float degrees = element->twistLimit / tg_radiansPerDegree;
    element->twistFrequency = element->springs[0].frequency;
    const tgFleshNumber numbers[] = {
        {"frequency", tg_moreThanZero, 1e5f, &element->twistFrequency},
        {"dampingRatio", tg_zeroOrMore, 1e6f, &element->twistDampingRatio},
        {"limit", tg_moreThanZero, 90.0f, &degrees},
    };
    tgResult result = tgCheckKeys(reader, twist, tg_settingsTwist);
    result = result == tg_success ? tgReadNumbers(reader, twist, numbers, 3) : result;
    element->twistLimit = degrees * tg_radiansPerDegree;
    return result;
}

// ---- elements -----------------------------------------------------------------------------------

static tgResult tgReadName(const tgSettingsReader* reader, const tgJsonValue* object,
                           tgFleshElement* element)
{
    const tgJsonValue* value = tgFindMember(object, "name");
    if (value == NULL) {
        return tg_success;
    }
    if (value->kind != tg_jsonText) {
        return tgFailValue(reader, value, "name", "a text");
    }
    size_t size = strlen(value->text) + 1;
    char* copy = tgArena_Take(&reader->settings->memory->arena, size, 1);
    if (copy == NULL) {
        return tgFailMemory(reader);
    }
    memcpy(copy, value->text, size);
    element->name = copy;
    return tg_success;
}

static tgResult tgReadElement(const tgSettingsReader* reader, const tgJsonValue* object,
                              tgFleshElement* element)
{
    *element = tgDefaultFleshElement();
    if (object->kind != tg_jsonObject) {
        return tgFailValue(reader, object, "flesh", "elements such as {\"driver\": \"spine\"}");
    }
    const tgFleshNumber numbers[] = {
        {"thickness", tg_zeroOrMore, 1e6f, &element->thickness},
        {"flow", tg_zeroOrMore, 1.0f, &element->flow},
        {"mass", tg_moreThanZero, 1e30f, &element->mass},
        {"density", tg_moreThanZero, 1e30f, &element->density},
        {"airFriction", tg_zeroOrMore, 1e30f, &element->airFriction},
        {"elongation", tg_moreThanZero, 1.0f, &element->elongation},
        {"resetDistance", tg_zeroOrMore, 1e30f, &element->resetDistance},
    };
    tgResult result = tgCheckKeys(reader, object, tg_settingsFlesh);
    result = result == tg_success ? tgReadName(reader, object, element) : result;
    result = result == tg_success ? tgReadDriver(reader, object, element) : result;
    result = result == tg_success ? tgReadVertices(reader, object, element) : result;
    result = result == tg_success ? tgReadNumbers(reader, object, numbers, 7) : result;
    result =
        result == tg_success ? tgReadVector(reader, object, "gravity", &element->gravity) : result;
    result = result == tg_success ? tgReadVector(reader, object, "wind", &element->wind) : result;
    result = result == tg_success ? tgReadAttenuation(reader, object, element) : result;
    result = result == tg_success ? tgReadBool(reader, object, "stopAtLimit", &element->stopAtLimit)
                                  : result;
    result = result == tg_success ? tgReadSprings(reader, object, element) : result;
    return result == tg_success ? tgReadTwist(reader, object, element) : result;
}

tgResult tgReadFlesh(tgSettingsReader* reader, const tgJsonValue* flesh)
{
    if (flesh->kind == tg_jsonText && strcmp(flesh->text, "auto") == 0) {
        return tgSettings_AddFlesh(reader->settings, reader->scene) ? tg_success
                                                                    : tgFailMemory(reader);
    }
    if (flesh->kind != tg_jsonList) {
        return tgFailValue(reader, flesh, "flesh", "a list of elements, or \"auto\"");
    }
    tgFleshElement* elements = tgArena_Take(&reader->settings->memory->arena,
                                            (size_t)flesh->count + 1, sizeof(tgFleshElement));
    if (elements == NULL) {
        return tgFailMemory(reader);
    }
    int count = 0;
    for (int at = 0; at < flesh->count; ++at) {
        const tgJsonValue* value = flesh->items[at];
        tgResult result = tgReadElement(reader, value, &elements[count++]);
        if (result != tg_success) {
            return result;
        }
    }
    reader->settings->flesh = (tgFleshDef){elements, count};
    return tg_success;
}
