// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What the settings file says of vertices by name: paints of the volume, and the skin of flesh.

#include "core/core.h"
#include "io/scene_refine.h"
#include "io/scene_select.h"
#include "io/settings_private.h"
#include "io/settings_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// A vertex with at least so much of an attribute is selected by its name.
static const float tg_selected = 0.5f;

static void tgTryName(void* context, const char* name)
{
    tgNearest_Try(context, name);
}

/// There is nothing called so; suggests what is near.
/// @param isWide there is, but with several channels
static tgResult tgFailSelection(const tgSettingsReader* reader, const tgJsonValue* value,
                                bool isWide)
{
    if (isWide) {
        return tgFailAt(reader->error, tg_invalidArgument, value->place,
                        "%s has several numbers at a vertex, expected one of them, such as "
                        "\"%.40s.r\"",
                        tgMakeQuote(value->text).text, value->text);
    }
    tgNearest nearest = {.word = value->text};
    if (reader->scene != NULL) {
        tgScene_VisitNames(reader->scene, tgTryName, &nearest);
    }
    return tgFailAt(reader->error, tg_invalidArgument, value->place,
                    "the character has no vertex attribute, group, object or material %s%s%s",
                    tgMakeQuote(value->text).text, nearest.best != NULL ? ", perhaps " : "",
                    nearest.best != NULL ? tgMakeQuote(nearest.best).text : "");
}

/// Settings count the file's vertices: of a scene that was refined before they were read, the
/// values of those come first, in their order. tgSettings_FollowScene takes them to all.
static void tgKeepFileValues(const tgScene* scene, float* values)
{
    int count = 0;
    for (int v = 0; v < scene->vertexCount && scene->refined != NULL; ++v) {
        if (scene->refined->means[v].vertices[0] == v) {
            values[count++] = values[v];
        }
    }
    for (int v = count; v < scene->vertexCount && scene->refined != NULL; ++v) {
        values[v] = 0.0f;
    }
}

tgResult tgReadOwnPaint(const tgSettingsReader* reader)
{
    const tgScene* scene = reader->scene;
    const float* own = scene != NULL ? tgScene_GetPaint(scene) : NULL;
    if (own == NULL || scene->refined == NULL) {
        reader->settings->volume.paint = own;
        return tg_success;
    }
    size_t count = (size_t)scene->vertexCount;
    float* values = tgArena_Take(&reader->settings->memory->arena, count, sizeof(float));
    if (values == NULL) {
        return tgFailMemory(reader);
    }
    memcpy(values, own, count * sizeof(float));
    tgKeepFileValues(scene, values);
    reader->settings->volume.paint = values;
    return tg_success;
}

tgResult tgReadPaint(const tgSettingsReader* reader, const tgJsonValue* value, const float** paint)
{
    if (value->kind != tg_jsonText && value->kind != tg_jsonNull) {
        return tgFailValue(reader, value, "paint",
                           "the name of a vertex attribute such as \"COLOR_1.r\", or null");
    }
    int count = reader->scene != NULL ? reader->scene->vertexCount : 0;
    float* values =
        tgArena_Take(&reader->settings->memory->arena, (size_t)count + 1, sizeof(float));
    if (values == NULL) {
        return tgFailMemory(reader);
    }
    if (value->kind == tg_jsonNull) {
        for (int v = 0; v < count; ++v) {
            values[v] = 1.0f;
        }
        *paint = values;
        return tg_success;
    }
    tgSelection found = reader->scene != NULL ? tgScene_Select(reader->scene, value->text, values)
                                              : tg_selectionNone;
    if (found == tg_selectionNone || found == tg_selectionWide) {
        return tgFailSelection(reader, value, found == tg_selectionWide);
    }
    float most = 0.0f;
    for (int v = 0; v < count; ++v) {
        most = values[v] > most ? values[v] : most;
    }
    if (!(most > 0.0f)) {
        tgWarnAt(reader, value->place, "%s is 0 at all vertices: no skin may swell there",
                 tgMakeQuote(value->text).text);
    }
    tgKeepFileValues(reader->scene, values);
    *paint = values;
    return tg_success;
}

/// Adds what one value of "vertices" stands for: a number, or a name.
/// @param values scratch, one for each vertex
static tgResult tgAddToSet(const tgSettingsReader* reader, const tgJsonValue* value, float* values,
                           bool* isIn)
{
    int count = reader->scene != NULL ? reader->scene->vertexCount : 0;
    if (value->kind == tg_jsonText) {
        tgSelection found = reader->scene != NULL
                                ? tgScene_Select(reader->scene, value->text, values)
                                : tg_selectionNone;
        if (found == tg_selectionNone || found == tg_selectionWide) {
            return tgFailSelection(reader, value, found == tg_selectionWide);
        }
        tgKeepFileValues(reader->scene, values);
        for (int v = 0; v < count; ++v) {
            isIn[v] |= values[v] >= tg_selected;
        }
        return tg_success;
    }
    bool isIndex = value->kind == tg_jsonNumber && tgJson_GetFloat(value) >= 0.0f &&
                   tgJson_GetFloat(value) < (float)count &&
                   (float)(int)tgJson_GetFloat(value) == tgJson_GetFloat(value);
    // As written: a float does not hold every number of a large mesh.
    int vertex = isIndex ? atoi(value->text) : -1;
    if (vertex < 0 || vertex >= count) {
        char wanted[64];
        snprintf(wanted, sizeof(wanted), "whole numbers from 0 to %d, or names", count - 1);
        return tgFailValue(reader, value, "vertices", wanted);
    }
    isIn[vertex] = true;
    return tg_success;
}

tgResult tgReadVertexSet(const tgSettingsReader* reader, const tgJsonValue* value,
                         const int** vertices, int* vertexCount)
{
    bool isList = value->kind == tg_jsonList && value->count > 0;
    if (!isList && value->kind != tg_jsonText) {
        return tgFailValue(reader, value, "vertices",
                           "a name, or a list of vertex numbers and names, not empty");
    }
    size_t count = reader->scene != NULL ? (size_t)reader->scene->vertexCount : 0;
    float* values = malloc((count + 1) * sizeof(float));
    bool* isIn = calloc(count + 1, sizeof(bool));
    int* found = tgArena_Take(&reader->settings->memory->arena, count + 1, sizeof(int));
    bool hasMemory = values != NULL && isIn != NULL && found != NULL;
    tgResult result = hasMemory ? tg_success : tgFailMemory(reader);
    const tgJsonValue* one = NULL;
    for (size_t at = 0; (one = tgJson_GetEach(value, at)) != NULL && result == tg_success; ++at) {
        result = tgAddToSet(reader, one, values, isIn);
    }
    *vertexCount = 0;
    for (size_t v = 0; v < count && result == tg_success; ++v) {
        if (isIn[v]) {
            found[(*vertexCount)++] = (int)v;
        }
    }
    free(values);
    free(isIn);
    if (result == tg_success && *vertexCount == 0) {
        result = tgFailAt(reader->error, tg_invalidArgument, value->place,
                          "\"vertices\" selects none, expected a name that is 0.5 or more "
                          "somewhere");
    }
    *vertices = found;
    return result;
}

/// One paint on the finer mesh; NULL without memory.
static float* tgFollowPaint(tgArena* arena, const tgScene* scene, const float* paint)
{
    float* followed = tgArena_Take(arena, (size_t)scene->vertexCount, sizeof(float));
    if (followed != NULL) {
        tgScene_FollowValues(scene, paint, followed);
    }
    return followed;
}

tgResult tgFollowPaints(tgSettings* settings, const tgScene* scene, tgError* error)
{
    tgVolumeDef* volume = &settings->volume;
    tgArena* arena = &settings->memory->arena;
    size_t count = (size_t)volume->jointPaintCount;
    tgJointPaint* entries = tgArena_Take(arena, count + 1, sizeof(tgJointPaint));
    bool done = entries != NULL;
    if (done && volume->paint != NULL) {
        volume->paint = tgFollowPaint(arena, scene, volume->paint);
        done = volume->paint != NULL;
    }
    for (size_t i = 0; i < count && done; ++i) {
        entries[i].joint = volume->jointPaints[i].joint;
        entries[i].paint = tgFollowPaint(arena, scene, volume->jointPaints[i].paint);
        done = entries[i].paint != NULL;
    }
    volume->jointPaints = entries;
    return done ? tg_success : tgFail(error, tg_outOfMemory, -1, "no memory for the paint");
}
