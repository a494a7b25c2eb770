// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What is known of a character, as JSON for the page.

#include "tell.h"

#include "io/joint_names.h"
#include "io/json.h"
#include "play/bends.h"
#include "turgor/models.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double tg_degrees = 57.29577951308232;
/// In the order of tgProfileKind.
static const char* const tg_kinds[] = {"organic", "isotropic", "rubber", "muscle",
                                       "folds",   "belly",     "curves"};
enum { tg_kindCount = sizeof(tg_kinds) / sizeof(tg_kinds[0]) };

/// The text of a value, and the end of its arena.
static char* tgFinish(tgArena* arena, const tgJsonValue* value)
{
    const tgJsonLook look = {.digits = 17};
    char* text = value != NULL && !arena->ranOut ? tgFormatJson(value, &look) : NULL;
    tgArena_Free(arena);
    return text;
}

static tgJsonValue* tgMakeVector(tgArena* arena, tgVec3 v)
{
    return tgMakeJsonFloats(arena, &v.x, 3);
}

/// A float as the shortest text that is the same float again.
static tgJsonValue* tgMakeFloat(tgArena* arena, float value)
{
    for (int digits = 6; digits < 9; ++digits) {
        char text[32];
        snprintf(text, sizeof(text), "%.*g", digits, (double)value);
        if (strtof(text, NULL) == value) {
            return tgMakeJsonNumber(arena, strtod(text, NULL));
        }
    }
    return tgMakeJsonNumber(arena, (double)value);
}

static tgJsonValue* tgMakeFloats(tgArena* arena, const float* values, int count)
{
    tgJsonValue* list = tgMakeJsonList(arena);
    for (int i = 0; i < count; ++i) {
        tgJson_Append(list, tgMakeFloat(arena, values[i]));
    }
    return list;
}

static tgJsonValue* tgMakeTexts(tgArena* arena, const char* const* texts, int count)
{
    tgJsonValue* list = tgMakeJsonList(arena);
    for (int i = 0; i < count; ++i) {
        tgJson_Append(list, tgMakeJsonText(arena, texts[i]));
    }
    return list;
}

// ---- the character ------------------------------------------------------------------------------

/// What the rig knows of a joint, which settings may change.
static tgJsonValue* tgMakeJointInfo(tgArena* arena, const tgHero* hero, int j)
{
    tgJointInfo info = tgRig_GetJointInfo(tgInstance_GetRig(hero->instance), j);
    return tgPackJson(arena, "{s:b, s:f, s:f, s:f}", "bends", (int)info.bends, "radius",
                      (double)info.radius, "boneLength", (double)info.boneLength, "aptness",
                      (double)info.aptness);
}

char* tgTellJoints(const tgHero* hero)
{
    tgArena arena = {0};
    tgJsonValue* list = tgMakeJsonList(&arena);
    for (int j = 0; j < hero->scene->jointCount; ++j) {
        tgJson_Append(list, tgMakeJointInfo(&arena, hero, j));
    }
    return tgFinish(&arena, list);
}

static tgJsonValue* tgMakeJoint(tgArena* arena, const tgHero* hero, int j, const tgBend* bend,
                                int twin)
{
    const tgSceneJoint* joint = &hero->scene->joints[j];
    tgJsonValue* object = tgPackJson(arena, "{s:i, s:s, s:i, s:o, s:i, s:f, s:f, s:o}", "index", j,
                                     "name", joint->name, "parent", joint->parent, "position",
                                     tgMakeVector(arena, joint->restJoint.origin), "twin", twin,
                                     "swing", (double)bend->swing, "twist", (double)bend->twist,
                                     "axis", tgMakeVector(arena, bend->axis));
    tgJson_Merge(object, tgMakeJointInfo(arena, hero, j));
    return object;
}

static tgJsonValue* tgMakeJoints(tgArena* arena, const tgHero* hero)
{
    const tgScene* scene = hero->scene;
    tgJsonValue* list = tgMakeJsonList(arena);
    tgBend* bends = calloc((size_t)scene->jointCount + 1, sizeof(tgBend));
    tgNamedJoints named = {0};
    if (bends == NULL || !tgFindBends(scene, bends) || !tgSortJoints(scene, &named)) {
        free(bends);
        return NULL;
    }
    tgMirrorPlane plane = tgFindMirrorPlane(scene, &named);
    for (int j = 0; j < scene->jointCount; ++j) {
        tgTwin twin = tgFindTwin(scene, &named, &plane, j);
        bool hasTwin = twin.kind == tg_twinByName || twin.kind == tg_twinByPlace ||
                       twin.kind == tg_twinAgainstName;
        tgJson_Append(list, tgMakeJoint(arena, hero, j, &bends[j], hasTwin ? twin.joint : -1));
    }
    tgFreeJoints(&named);
    free(bends);
    return list;
}

static tgJsonValue* tgMakeParts(tgArena* arena, const tgScene* scene)
{
    tgJsonValue* list = tgMakeJsonList(arena);
    for (int i = 0; i < scene->partCount; ++i) {
        const tgScenePart* part = &scene->parts[i];
        tgJson_Append(list, tgPackJson(arena, "{s:s, s:s, s:i, s:i, s:i, s:i, s:i, s:i}", "name",
                                       part->name, "node", scene->nodes[part->node].name,
                                       "primitive", part->primitive, "material", part->material,
                                       "firstVertex", part->firstVertex, "vertexCount",
                                       part->vertexCount, "firstTriangle", part->firstFace,
                                       "triangleCount", part->faceCount));
    }
    return list;
}

static tgJsonValue* tgMakeMaterials(tgArena* arena, const tgScene* scene)
{
    tgJsonValue* list = tgMakeJsonList(arena);
    for (int i = 0; i < scene->materialCount; ++i) {
        const tgSceneMaterial* material = &scene->materials[i];
        tgJson_Append(list, tgPackJson(arena, "{s:s, s:o, s:f}", "name", material->name,
                                       "baseColor", tgMakeJsonFloats(arena, material->baseColor, 4),
                                       "roughness", (double)material->roughness));
    }
    return list;
}

static tgJsonValue* tgMakeAnimations(tgArena* arena, const tgScene* scene)
{
    tgJsonValue* list = tgMakeJsonList(arena);
    for (int i = 0; i < scene->animationCount; ++i) {
        const tgAnimation* animation = &scene->animations[i];
        tgJson_Append(list,
                      tgPackJson(arena, "{s:i, s:s, s:f, s:f}", "index", i, "name", animation->name,
                                 "start", animation->start, "end", animation->end));
    }
    return list;
}

char* tgTellHero(const tgHero* hero)
{
    const tgScene* scene = hero->scene;
    tgArena arena = {0};
    tgRigInfo info = tgRig_GetInfo(hero->rig);
    tgJsonValue* mesh = tgPackJson(&arena, "{s:i, s:i, s:f, s:b}", "weldedVertexCount",
                                   info.weldedVertexCount, "holes", info.boundaryLoopCount,
                                   "restVolume", info.restVolume, "isFlat", (int)info.isFlat);
    tgJsonValue* bounds =
        tgPackJson(&arena, "{s:o, s:o, s:f}", "min", tgMakeVector(&arena, info.restMin), "max",
                   tgMakeVector(&arena, info.restMax), "diagonal", (double)info.restDiagonal);
    tgJsonValue* value =
        tgPackJson(&arena, "{s:i, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "vertexCount",
                   scene->vertexCount, "triangleCount", scene->faceCount, "warnings",
                   tgMakeTexts(&arena, scene->warnings, scene->warningCount), "joints",
                   tgMakeJoints(&arena, hero), "animations", tgMakeAnimations(&arena, scene),
                   "parts", tgMakeParts(&arena, scene), "materials", tgMakeMaterials(&arena, scene),
                   "mesh", mesh, "bounds", bounds);
    return tgFinish(&arena, value);
}

char* tgTellSettings(const tgSettings* settings)
{
    tgArena arena = {0};
    tgJsonValue* value =
        tgPackJson(&arena, "{s:o, s:o}", "warnings",
                   tgMakeTexts(&arena, settings->warnings, settings->warningCount), "notes",
                   tgMakeTexts(&arena, settings->notes, settings->noteCount));
    return tgFinish(&arena, value);
}

// ---- profiles -----------------------------------------------------------------------------------

static tgJsonValue* tgMakeCurves(tgArena* arena, const tgProfile* profile)
{
    tgJsonValue* curves = tgMakeJsonList(arena);
    for (int axis = 0; axis < 3; ++axis) {
        tgJsonValue* points = tgMakeJsonList(arena);
        for (int i = 0; i < profile->curveCounts[axis]; ++i) {
            tgCurvePoint p = profile->curves[axis][i];
            const float pair[2] = {p.coordinate, p.value};
            tgJson_Append(points, tgMakeFloats(arena, pair, 2));
        }
        tgJson_Append(curves, points);
    }
    return curves;
}

/// With the keys that count for its kind, and in a list for its place.
static tgJsonValue* tgMakeProfile(tgArena* arena, const tgProfile* profile, bool isFirst)
{
    tgProfileKind kind = profile->kind;
    bool isOrganic = kind == tg_profileOrganic, isBelly = kind == tg_profileBelly;
    tgJsonValue* object = tgPackJson(arena, "{s:s}", "profile", tg_kinds[kind]);
    if (isFirst && !isOrganic) {
        tgJson_Set(object, "mu", tgMakeFloats(arena, profile->mu, 3));
    }
    if (!isOrganic && kind != tg_profileCurves) {
        tgJson_Set(object, "sigma", tgMakeFloats(arena, profile->sigma, 3));
        tgJson_Set(object, "center", tgMakeFloats(arena, profile->center, 3));
    }
    if (kind == tg_profileFolds || isBelly) {
        tgJson_Set(object, "folds", tgMakeFloat(arena, profile->folds));
    }
    if (isBelly) {
        double angle = tg_degrees * (double)profile->foldAngle;
        tgJson_Set(object, "foldAngle", tgMakeFloat(arena, (float)angle));
    }
    if (kind == tg_profileCurves) {
        tgJson_Set(object, "curves", tgMakeCurves(arena, profile));
    }
    if (isFirst) {
        tgJson_Set(object, "gain", tgMakeFloat(arena, profile->gain));
    }
    if (isFirst && (isOrganic || profile->drift > 0.0f)) {
        tgJson_Set(object, "drift", tgMakeFloat(arena, profile->drift));
    }
    if (!isFirst) {
        const char* combine = profile->combine == tg_combineMultiply ? "multiply" : "add";
        tgJson_Set(object, "combine", tgMakeJsonText(arena, combine));
    }
    return object;
}

static tgJsonValue* tgMakeProfiles(tgArena* arena, const tgProfile* profiles, int count)
{
    tgJsonValue* list = tgMakeJsonList(arena);
    for (int i = 0; i < count; ++i) {
        tgJson_Append(list, tgMakeProfile(arena, &profiles[i], i == 0));
    }
    return list;
}

char* tgTellProfiles(const tgHero* hero, int joint)
{
    tgArena arena = {0};
    const tgVolumeDef* volume = &hero->settings->volume;
    const tgProfile organic = tgDefaultProfile(tg_profileOrganic);
    const tgProfile* profiles = volume->profileCount > 0 ? volume->profiles : &organic;
    int count = volume->profileCount > 0 ? volume->profileCount : 1;
    for (int i = 0; i < volume->jointCount; ++i) {
        if (volume->joints[i].joint == joint) {
            profiles = volume->joints[i].profiles;
            count = volume->joints[i].profileCount;
        }
    }
    return tgFinish(&arena, tgMakeProfiles(&arena, profiles, count));
}

char* tgTellDefaultProfile(const char* kind)
{
    for (int i = 0; i < tg_kindCount; ++i) {
        if (strcmp(kind, tg_kinds[i]) == 0) {
            tgArena arena = {0};
            tgProfile profile = tgDefaultProfile((tgProfileKind)i);
            return tgFinish(&arena, tgMakeProfile(&arena, &profile, true));
        }
    }
    return NULL;
}

// ---- flesh --------------------------------------------------------------------------------------

static tgJsonValue* tgMakeNames(tgArena* arena, const tgScene* scene, const int* joints, int count)
{
    tgJsonValue* list = tgMakeJsonList(arena);
    for (int i = 0; i < count; ++i) {
        tgJson_Append(list, tgMakeJsonText(arena, scene->joints[joints[i]].name));
    }
    return list;
}

static tgJsonValue* tgMakeSpring(tgArena* arena, const tgFleshSpring* spring, bool hasShare)
{
    tgJsonValue* object = tgMakeJsonObject(arena);
    if (hasShare) {
        tgJson_Set(object, "share", tgMakeFloat(arena, spring->share));
    }
    bool isStiff = spring->stiffness > 0.0f, isDamped = spring->damping >= 0.0f;
    tgJson_Set(object, isStiff ? "stiffness" : "frequency",
               tgMakeFloat(arena, isStiff ? spring->stiffness : spring->frequency));
    tgJson_Set(object, isDamped ? "damping" : "dampingRatio",
               tgMakeFloat(arena, isDamped ? spring->damping : spring->dampingRatio));
    return object;
}

static tgJsonValue* tgMakeAttenuation(tgArena* arena, const tgFleshElement* element)
{
    if (element->attenuation != tg_attenuationCurve) {
        bool isParabola = element->attenuation == tg_attenuationParabola;
        return tgMakeJsonText(arena, isParabola ? "parabola" : "wyvill");
    }
    tgJsonValue* list = tgMakeJsonList(arena);
    for (int i = 0; i < element->keyCount; ++i) {
        const tgAttenuationKey* key = &element->keys[i];
        const float numbers[3] = {key->coordinate, key->value, key->tangent};
        tgJson_Append(list, tgMakeFloats(arena, numbers, 3));
    }
    return list;
}

static void tgSetSprings(tgArena* arena, const tgFleshElement* element, tgJsonValue* object)
{
    if (element->springCount == 1) {
        tgJson_Merge(object, tgMakeSpring(arena, &element->springs[0], false));
        return;
    }
    tgJsonValue* springs = tgMakeJsonList(arena);
    for (int i = 0; i < element->springCount; ++i) {
        tgJson_Append(springs, tgMakeSpring(arena, &element->springs[i], true));
    }
    tgJson_Set(object, "springs", springs);
}

static tgJsonValue* tgMakeElement(tgArena* arena, const tgScene* scene,
                                  const tgFleshElement* element)
{
    tgJsonValue* object = tgPackJson(arena, "{s:s}", "driver", scene->joints[element->driver].name);
    if (element->name != NULL) {
        tgJson_Set(object, "name", tgMakeJsonText(arena, element->name));
    }
    if (element->drivenCount > 0) {
        tgJson_Set(object, "driven",
                   tgMakeNames(arena, scene, element->driven, element->drivenCount));
    }
    if (element->jointCount > 0) {
        tgJson_Set(object, "joints",
                   tgMakeNames(arena, scene, element->joints, element->jointCount));
    }
    tgSetSprings(arena, element, object);
    tgJson_Set(object, "attenuation", tgMakeAttenuation(arena, element));
    tgJson_Set(object, "thickness", tgMakeFloat(arena, element->thickness));
    tgJson_Set(object, "flow", tgMakeFloat(arena, element->flow));
    if (element->mass > 0.0f) {
        tgJson_Set(object, "mass", tgMakeFloat(arena, element->mass));
    }
    tgJson_Set(object, "density", tgMakeFloat(arena, element->density));
    tgJson_Set(object, "gravity", tgMakeFloats(arena, &element->gravity.x, 3));
    tgJson_Set(object, "airFriction", tgMakeFloat(arena, element->airFriction));
    tgJson_Set(object, "wind", tgMakeFloats(arena, &element->wind.x, 3));
    tgJson_Set(object, "elongation", tgMakeFloat(arena, element->elongation));
    tgJson_Set(object, "stopAtLimit", tgMakeJsonBool(arena, element->stopAtLimit));
    tgJson_Set(object, "resetDistance", tgMakeFloat(arena, element->resetDistance));
    if (element->twistFrequency > 0.0f) {
        float limit = (float)(tg_degrees * (double)element->twistLimit);
        tgJson_Set(object, "twist",
                   tgPackJson(arena, "{s:o, s:o, s:o}", "frequency",
                              tgMakeFloat(arena, element->twistFrequency), "dampingRatio",
                              tgMakeFloat(arena, element->twistDampingRatio), "limit",
                              tgMakeFloat(arena, limit)));
    }
    return object;
}

static tgJsonValue* tgMakeFlesh(tgArena* arena, const tgScene* scene, const tgFleshDef* flesh)
{
    tgJsonValue* list = tgMakeJsonList(arena);
    for (int i = 0; i < flesh->elementCount; ++i) {
        tgJson_Append(list, tgMakeElement(arena, scene, &flesh->elements[i]));
    }
    return list;
}

char* tgTellFlesh(const tgHero* hero)
{
    tgArena arena = {0};
    return tgFinish(&arena, tgMakeFlesh(&arena, hero->scene, &hero->settings->flesh));
}

char* tgTellFleshMotion(const tgHero* hero)
{
    tgArena arena = {0};
    tgJsonValue* list = tgMakeJsonList(&arena);
    const tgRig* rig = tgInstance_GetRig(hero->instance);
    for (int i = 0; i < hero->settings->flesh.elementCount; ++i) {
        const tgFleshElement* element = &hero->settings->flesh.elements[i];
        tgFleshMotion motion = tgInstance_GetFleshMotion(hero->instance, i);
        tgFleshInfo info = tgRig_GetFleshInfo(rig, i);
        const char* joint = hero->scene->joints[element->driver].name;
        tgJson_Append(list,
                      tgPackJson(&arena, "{s:s, s:i, s:o, s:o, s:o, s:f, s:f, s:i, s:f}", "name",
                                 element->name != NULL ? element->name : joint, "driver",
                                 element->driver, "anchor", tgMakeVector(&arena, motion.anchor),
                                 "displacement", tgMakeVector(&arena, motion.displacement),
                                 "velocity", tgMakeVector(&arena, motion.velocity), "twist",
                                 (double)motion.twist, "limit", (double)info.limit, "vertexCount",
                                 info.vertexCount, "mass", info.mass));
    }
    return tgFinish(&arena, list);
}

// ---- the last frame -----------------------------------------------------------------------------

char* tgTellLosses(const tgHero* hero)
{
    tgArena arena = {0};
    tgJsonValue* list = tgMakeJsonList(&arena);
    tgReport report = tgInstance_GetReport(hero->instance);
    for (int i = 0; i < report.lossCount; ++i) {
        const tgJointLoss* loss = &report.losses[i];
        tgJson_Append(list, tgPackJson(&arena, "{s:i, s:f, s:f, s:f, s:f}", "joint", loss->joint,
                                       "loss", loss->loss, "inside", loss->inside, "beside",
                                       loss->beside, "spilled", loss->spilled));
    }
    return tgFinish(&arena, list);
}

char* tgTellAxes(const tgHero* hero, int joint)
{
    tgArena arena = {0};
    tgJointAxes axes;
    if (!tgInstance_GetJointAxes(hero->instance, joint, &axes)) {
        return tgFinish(&arena, tgMakeJsonNull(&arena));
    }
    return tgFinish(
        &arena,
        tgPackJson(&arena, "{s:o, s:o, s:o, s:o, s:f, s:f, s:o, s:[o, o, o]}", "origin",
                   tgMakeVector(&arena, axes.origin), "e0", tgMakeVector(&arena, axes.axes[0]),
                   "e1", tgMakeVector(&arena, axes.axes[1]), "e2",
                   tgMakeVector(&arena, axes.axes[2]), "length", (double)axes.length, "bend",
                   (double)axes.bend, "restOrigin", tgMakeVector(&arena, axes.restOrigin),
                   "restAxes", tgMakeVector(&arena, axes.restAxes[0]),
                   tgMakeVector(&arena, axes.restAxes[1]), tgMakeVector(&arena, axes.restAxes[2])));
}

// ---- lists --------------------------------------------------------------------------------------

char* tgTellPreset(const tgHero* hero, const char* preset, tgError* error)
{
    const tgScene* scene = hero->scene;
    tgSettings* settings = tgParseSettings("{}", 2, scene, error);
    if (settings == NULL || tgSettings_ApplyPreset(settings, scene, preset, error) != tg_success) {
        tgDestroySettings(settings);
        return NULL;
    }
    tgArena arena = {0};
    tgJsonValue* joints = tgMakeJsonObject(&arena);
    for (int i = 0; i < settings->volume.jointCount; ++i) {
        const tgJointProfiles* entry = &settings->volume.joints[i];
        tgJson_Set(joints, scene->joints[entry->joint].name,
                   tgMakeProfiles(&arena, entry->profiles, entry->profileCount));
    }
    tgJsonValue* value =
        tgPackJson(&arena, "{s:o, s:o, s:o}", "default",
                   tgMakeProfiles(&arena, settings->volume.profiles, settings->volume.profileCount),
                   "joints", joints, "flesh", tgMakeFlesh(&arena, scene, &settings->flesh));
    char* text = tgFinish(&arena, value);
    tgDestroySettings(settings);
    return text;
}

char* tgTellPresetNames(void)
{
    tgArena arena = {0};
    tgJsonValue* list = tgMakeJsonList(&arena);
    for (int i = 0; tgGetPresetName(i) != NULL; ++i) {
        tgJson_Append(list, tgMakeJsonText(&arena, tgGetPresetName(i)));
    }
    return tgFinish(&arena, list);
}

char* tgTellModels(void)
{
    tgArena arena = {0};
    tgJsonValue* list = tgMakeJsonList(&arena);
    int count;
    const tgModelInfo* models = tgGetModels(&count);
    for (int i = 0; i < count; ++i) {
        tgJson_Append(list, tgPackJson(&arena, "{s:s, s:s, s:i}", "name", models[i].name,
                                       "description", models[i].description, "vertexCount",
                                       models[i].defaultVertexCount));
    }
    return tgFinish(&arena, list);
}
