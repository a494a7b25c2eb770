// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The object "refine" of the settings file: how finely, and where, the mesh is split. And what the
// settings say of vertices, once that is done.

#include "core/core.h"
#include "io/scene_refine.h"
#include "io/settings_private.h"

#include <stdlib.h>
#include <string.h>

tgResult tgReadRefine(const tgSettingsReader* reader, const tgJsonValue* refine)
{
    if (refine->kind != tg_jsonObject) {
        return tgFailValue(reader, refine, "refine", "an object {...}");
    }
    tgRefineSettings* settings = &reader->settings->refine;
    settings->levels = tgDefaultSceneRefineDef().levels;
    tgResult result = tgCheckKeys(reader, refine, tg_settingsRefine);
    if (result == tg_success) {
        result = tgReadFloat(reader, refine, "threshold", tg_zeroOrMore, &settings->threshold);
    }
    if (result == tg_success && settings->threshold > 1.0f) {
        result = tgFailValue(reader, tgFindMember(refine, "threshold"), "threshold", "0 to 1");
    }
    if (result == tg_success) {
        result = tgReadBool(reader, refine, "smooth", &settings->smooth);
    }
    const tgJsonValue* levels = tgFindMember(refine, "levels");
    if (result == tg_success && levels != NULL) {
        bool isFine = levels->kind == tg_jsonNumber && tgJson_GetFloat(levels) >= 0.0f &&
                      tgJson_GetFloat(levels) <= (float)tg_mostRefineLevels &&
                      tgJson_GetFloat(levels) == (float)(int)tgJson_GetFloat(levels);
        if (!isFine) {
            return tgFailValue(reader, levels, "levels", "a whole number, 0 to 4");
        }
        settings->levels = (int)tgJson_GetFloat(levels);
    }
    return result;
}

/// @param isFile, isIn scratch, one entry for each vertex of the finer scene
static bool tgFollowElement(tgArena* arena, const tgScene* scene, bool* isFile, bool* isIn,
                            tgFleshElement* element)
{
    memset(isFile, 0, (size_t)scene->vertexCount * sizeof(bool));
    for (int i = 0; i < element->vertexCount; ++i) {
        isFile[element->vertices[i]] = true;
    }
    tgScene_FollowVertices(scene, isFile, isIn);
    int* vertices = tgArena_Take(arena, (size_t)scene->vertexCount, sizeof(int));
    int count = 0;
    for (int v = 0; v < scene->vertexCount && vertices != NULL; ++v) {
        if (isIn[v]) {
            vertices[count++] = v;
        }
    }
    element->vertices = vertices;
    element->vertexCount = count;
    return vertices != NULL;
}

tgResult tgSettings_FollowScene(tgSettings* settings, const tgScene* scene, tgError* error)
{
    size_t elementCount = (size_t)settings->flesh.elementCount;
    if (scene->refined == settings->memory->followed) {
        return tg_success;
    }
    tgResult result = tgFollowPaints(settings, scene, error);
    if (result != tg_success) {
        return result;
    }
    tgArena* arena = &settings->memory->arena;
    tgFleshElement* elements = tgArena_Take(arena, elementCount + 1, sizeof(*elements));
    bool* isFile = calloc((size_t)scene->vertexCount, sizeof(bool));
    bool* isIn = calloc((size_t)scene->vertexCount, sizeof(bool));
    bool done = elements != NULL && isFile != NULL && isIn != NULL;
    for (size_t i = 0; i < elementCount && done; ++i) {
        elements[i] = settings->flesh.elements[i];
        if (elements[i].vertices != NULL) {
            done = tgFollowElement(arena, scene, isFile, isIn, &elements[i]);
        }
    }
    free(isFile);
    free(isIn);
    if (!done) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for the vertices of the flesh");
    }
    settings->flesh.elements = elements;
    settings->memory->followed = scene->refined;
    return tg_success;
}
