// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Numbers and sets at the vertices of a scene: what artists painted or selected in their own
// program, found by its name.

#include "io/scene_select.h"

#include <math.h>
#include <string.h>

/// The attribute that the volume settings go by when they name none.
static const char tg_gammaName[] = "_TURGOR_GAMMA";

int tgScene_FindAttribute(const tgScene* scene, const char* name)
{
    for (int i = 0; i < scene->attributeCount; ++i) {
        if (strcmp(scene->attributes[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

const float* tgScene_GetPaint(const tgScene* scene)
{
    int found = tgScene_FindAttribute(scene, tg_gammaName);
    bool isPaint = found >= 0 && scene->attributes[found].width == 1;
    return isPaint ? scene->attributes[found].values : NULL;
}

int tgScene_AddAttribute(tgScene* scene, const char* name, int width)
{
    size_t count = (size_t)scene->attributeCount, numbers = (size_t)scene->vertexCount;
    numbers *= (size_t)width;
    tgSceneAttribute* grown = tgScene_Alloc(scene, count + 1, sizeof(tgSceneAttribute));
    float* values = tgScene_Alloc(scene, numbers, sizeof(float));
    const char* copy = tgScene_CopyText(scene, name);
    if (grown == NULL || values == NULL || scene->hasRunOut) {
        return -1;
    }
    bool isFull = strncmp(name, "COLOR_", 6) == 0 || strcmp(name, tg_gammaName) == 0;
    for (size_t i = 0; isFull && i < numbers; ++i) {
        values[i] = 1.0f;
    }
    if (count > 0) {
        memcpy(grown, scene->attributes, count * sizeof(tgSceneAttribute));
    }
    grown[count] = (tgSceneAttribute){copy, width, values};
    scene->attributes = grown;
    scene->attributeCount += 1;
    return (int)count;
}

bool tgScene_CleanAttributes(tgScene* scene)
{
    for (int a = 0; a < scene->attributeCount; ++a) {
        tgSceneAttribute* attribute = &scene->attributes[a];
        size_t count = (size_t)attribute->width * (size_t)scene->vertexCount;
        bool isPaint = strcmp(attribute->name, tg_gammaName) == 0;
        int badCount = 0;
        for (size_t i = 0; i < count; ++i) {
            float* value = &attribute->values[i];
            float fine = isfinite(*value) ? *value : 0.0f;
            fine = isPaint ? fminf(fmaxf(fine, 0.0f), 1.0f) : fine;
            badCount += fine != *value;
            *value = fine;
        }
        if (isPaint && attribute->width != 1) {
            tgScene_Warn(scene, "%s has %d numbers at a vertex, expected 1; it is not used",
                         tg_gammaName, attribute->width);
        } else if (badCount > 0) {
            tgScene_Warn(scene, "%d value%s of %.40s %s; cut to that", badCount,
                         badCount == 1 ? "" : "s", attribute->name,
                         isPaint ? "not from 0 to 1" : "not finite");
        }
    }
    return !scene->hasRunOut;
}

/// The attribute and channel of "NAME" or "_NAME", which has one, or of "NAME.r".
static const tgSceneAttribute* tgFindChannel(const tgScene* scene, const char* name, int* channel)
{
    int whole = tgScene_FindAttribute(scene, name);
    if (whole >= 0) {
        *channel = scene->attributes[whole].width == 1 ? 0 : -1;
        return &scene->attributes[whole];
    }
    for (int i = 0; i < scene->attributeCount; ++i) { // glTF wants an underscore before a group
        const tgSceneAttribute* attribute = &scene->attributes[i];
        if (attribute->width == 1 && attribute->name[0] == '_' &&
            strcmp(attribute->name + 1, name) == 0) {
            *channel = 0;
            return attribute;
        }
    }
    static const char letters[] = "rgbaxyzw";
    size_t length = strlen(name);
    const char* letter = length > 2 && name[length - 2] == '.'
                             ? memchr(letters, name[length - 1], sizeof(letters) - 1)
                             : NULL;
    for (int i = 0; letter != NULL && i < scene->attributeCount; ++i) {
        const tgSceneAttribute* attribute = &scene->attributes[i];
        *channel = (int)(letter - letters) % tg_widestAttribute;
        if (strlen(attribute->name) == length - 2 &&
            strncmp(attribute->name, name, length - 2) == 0 && *channel < attribute->width) {
            return attribute;
        }
    }
    return NULL;
}

/// Marks the vertices of the faces of a part.
static void tgMarkPart(const tgScene* scene, const int* partCorners, const tgScenePart* part,
                       float* values)
{
    const int* corner = partCorners;
    for (int f = part->firstFace; f < part->firstFace + part->faceCount; ++f) {
        for (int k = 0; k < scene->faceSizes[f]; ++k) {
            values[*corner++] = 1.0f;
        }
    }
}

/// Whether a place of that name shows the parts of a node; any node for -1.
static bool tgIsShownAs(const tgScene* scene, int node, const char* name)
{
    for (int i = 0; i < scene->placeCount; ++i) {
        const tgScenePlace* place = &scene->places[i];
        if ((node < 0 || place->source == node) && strcmp(place->name, name) == 0) {
            return true;
        }
    }
    return false;
}

/// Marks groups, objects and materials of a name; whether there is any.
static bool tgMarkNamed(const tgScene* scene, const char* name, float* values)
{
    bool isThere = false;
    for (int g = 0; g < scene->groupCount; ++g) {
        const tgSceneGroup* group = &scene->groups[g];
        bool isMeant = strcmp(group->name, name) == 0;
        for (int i = 0; isMeant && i < group->vertexCount; ++i) {
            values[group->vertices[i]] = 1.0f;
        }
        isThere |= isMeant;
    }
    const int* corner = scene->faceVertices;
    bool isPlace = tgIsShownAs(scene, -1, name);
    for (int p = 0; p < scene->partCount; ++p) {
        const tgScenePart* part = &scene->parts[p];
        bool isMeant = strcmp(part->name, name) == 0 ||
                       (isPlace && tgIsShownAs(scene, part->node, name)) ||
                       (part->material >= 0 && part->material < scene->materialCount &&
                        strcmp(scene->materials[part->material].name, name) == 0);
        if (isMeant) {
            tgMarkPart(scene, corner, part, values);
        }
        for (int f = part->firstFace; f < part->firstFace + part->faceCount; ++f) {
            corner += scene->faceSizes[f];
        }
        isThere |= isMeant;
    }
    return isThere;
}

tgSelection tgScene_Select(const tgScene* scene, const char* name, float* values)
{
    int channel = 0;
    const tgSceneAttribute* attribute = tgFindChannel(scene, name, &channel);
    if (attribute != NULL && channel < 0) {
        return tg_selectionWide;
    }
    memset(values, 0, (size_t)scene->vertexCount * sizeof(float));
    for (int v = 0; attribute != NULL && v < scene->vertexCount; ++v) {
        float value = attribute->values[(size_t)attribute->width * (size_t)v + (size_t)channel];
        values[v] = fminf(fmaxf(value, 0.0f), 1.0f);
    }
    if (attribute != NULL) {
        return tg_selectionPaint;
    }
    return tgMarkNamed(scene, name, values) ? tg_selectionSet : tg_selectionNone;
}

void tgScene_VisitNames(const tgScene* scene, void (*visit)(void* context, const char* name),
                        void* context)
{
    for (int a = 0; a < scene->attributeCount; ++a) {
        visit(context, scene->attributes[a].name);
    }
    for (int g = 0; g < scene->groupCount; ++g) {
        visit(context, scene->groups[g].name);
    }
    for (int p = 0; p < scene->partCount; ++p) {
        visit(context, scene->parts[p].name);
    }
    for (int i = 0; i < scene->placeCount; ++i) {
        visit(context, scene->places[i].name);
    }
    for (int m = 0; m < scene->materialCount; ++m) {
        visit(context, scene->materials[m].name);
    }
}
