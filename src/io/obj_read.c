// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// OBJ, line by line: v, vn, vt, f, o, g, usemtl; everything else is passed over. Our own reader,
// because vertices must keep the file's order and count, which general importers do not promise.
// An index may point forwards, so indices are checked when all is read.

#include "io/obj_read.h"

#include "core/core.h"
#include "io/gltf_uri.h"
#include "io/obj_document.h"
#include "io/obj_text.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct tgObjReader {
    tgObjText text;
    tgObjDocument document;
    tgError* error;
    bool hasObjects; ///< an "o" was met: groups no longer name anything
    int object;      ///< the current name, -1 before any
    int material;    ///< -1 before any
    int part;        ///< where the next face goes, -1 when it must be looked up
    int groups;      ///< the current "g" line, -1 before any
} tgObjReader;

/// Room for one more element at the end, or NULL.
static void* tgObjArray_Add(tgObjArray* array, size_t size)
{
    if (array->count == array->capacity) {
        if (array->capacity > INT_MAX / 2) {
            return NULL;
        }
        int capacity = array->capacity > 0 ? 2 * array->capacity : 64;
        void* items = realloc(array->items, (size_t)capacity * size);
        if (items == NULL) {
            return NULL;
        }
        array->items = items;
        array->capacity = capacity;
    }
    return (char*)array->items + (size_t)array->count++ * size;
}

static tgResult tgFailObjMemory(const tgObjReader* reader)
{
    return tgFail(reader->error, tg_outOfMemory, -1, "line %d: out of memory", reader->text.line);
}

/// @param least numbers that must be there; further ones up to 3 are read, the rest passed over
static tgResult tgReadVector(tgObjReader* reader, tgObjArray* array, const char* what, int least)
{
    float values[3] = {0.0f, 0.0f, 0.0f};
    tgObjWord word;
    int count = 0;
    for (; count < 3 && tgObjText_NextWord(&reader->text, &word); ++count) {
        if (!tgObjWord_GetFloat(word, &values[count])) {
            return tgFail(reader->error, tg_invalidMesh, array->count,
                          "line %d: \"%.*s\" in a %s is not a number", reader->text.line,
                          word.length < 40 ? word.length : 40, word.text, what);
        }
    }
    if (count < least) {
        return tgFail(reader->error, tg_invalidMesh, array->count,
                      "line %d: a %s has %d numbers, expected %d", reader->text.line, what, count,
                      least);
    }
    tgVec3* vector = tgObjArray_Add(array, sizeof(tgVec3));
    if (vector == NULL) {
        return tgFailObjMemory(reader);
    }
    *vector = tgMakeVec3(values[0], values[1], values[2]);
    return tg_success;
}

/// Three numbers after a vertex's own are its colour, as many programs write it; anything else
/// there is passed over.
static tgResult tgReadColor(tgObjReader* reader)
{
    tgObjArray* colors = &reader->document.colors;
    float values[3];
    tgObjWord word;
    for (int i = 0; i < 3; ++i) {
        if (!tgObjText_NextWord(&reader->text, &word) || !tgObjWord_GetFloat(word, &values[i])) {
            return tg_success;
        }
    }
    for (bool isOwn = false; !isOwn;) {
        isOwn = colors->count + 1 == reader->document.positions.count;
        tgVec3* color = tgObjArray_Add(colors, sizeof(tgVec3));
        if (color == NULL) {
            return tgFailObjMemory(reader);
        }
        *color = isOwn ? tgMakeVec3(values[0], values[1], values[2]) : tgMakeVec3(1.0f, 1.0f, 1.0f);
    }
    return tg_success;
}

/// One index of a corner. Positive ones count from 1, negative ones back from the last.
static bool tgCutIndex(tgObjWord* word, int count, int* index)
{
    int written = 0;
    if (!tgObjWord_CutInt(word, &written) || written == 0) {
        return false;
    }
    *index = written > 0 ? written - 1 : count + written;
    return *index >= 0;
}

/// "7", "7/1", "7//3" or "7/1/3"; all of the word.
static bool tgCutCorner(const tgObjDocument* document, tgObjWord* word, tgObjCorner* corner)
{
    *corner = (tgObjCorner){-1, -1, -1};
    if (!tgCutIndex(word, document->positions.count, &corner->position)) {
        return false;
    }
    int* const others[2] = {&corner->uv, &corner->normal};
    const int counts[2] = {document->uvs.count, document->normals.count};
    for (int i = 0; i < 2 && word->length > 0 && word->text[0] == '/'; ++i) {
        word->text += 1;
        word->length -= 1;
        bool isEmpty = word->length == 0 || word->text[0] == '/';
        if (!isEmpty && !tgCutIndex(word, counts[i], others[i])) {
            return false;
        }
    }
    return word->length == 0;
}

/// The part for the current object and material.
static bool tgChoosePart(tgObjReader* reader)
{
    tgObjDocument* document = &reader->document;
    if (reader->object < 0) {
        reader->object = tgObjNames_Find(&document->objects, "", 0);
    }
    const int key[2] = {reader->object, reader->material};
    int part = tgObjNames_Find(&document->partKeys, key, sizeof(key));
    if (reader->object < 0 || part < 0) {
        return false;
    }
    if (part == document->parts.count) {
        tgObjPart* added = tgObjArray_Add(&document->parts, sizeof(tgObjPart));
        if (added == NULL) {
            return false;
        }
        *added = (tgObjPart){reader->object, reader->material, 0};
    }
    reader->part = part;
    return true;
}

static tgResult tgReadFace(tgObjReader* reader)
{
    tgObjDocument* document = &reader->document;
    tgObjFace face = {document->corners.count, 0, reader->text.line, 0, reader->groups};
    tgObjWord word;
    while (tgObjText_NextWord(&reader->text, &word)) {
        tgObjWord rest = word;
        tgObjCorner corner;
        if (!tgCutCorner(document, &rest, &corner)) {
            return tgFail(reader->error, tg_invalidMesh, document->faces.count,
                          "line %d: \"%.*s\" is no corner of a face; %d vertices are before it",
                          reader->text.line, word.length < 40 ? word.length : 40, word.text,
                          document->positions.count);
        }
        tgObjCorner* added = tgObjArray_Add(&document->corners, sizeof(tgObjCorner));
        if (added == NULL) {
            return tgFailObjMemory(reader);
        }
        *added = corner;
        face.size += 1;
    }
    if (face.size < 3) {
        return tgFail(reader->error, tg_invalidMesh, document->faces.count,
                      "line %d: a face has %d corners, expected 3 or more", reader->text.line,
                      face.size);
    }
    if (reader->part < 0 && !tgChoosePart(reader)) {
        return tgFailObjMemory(reader);
    }
    face.part = reader->part;
    ((tgObjPart*)document->parts.items)[face.part].faceCount += 1;
    tgObjFace* added = tgObjArray_Add(&document->faces, sizeof(tgObjFace));
    if (added == NULL) {
        return tgFailObjMemory(reader);
    }
    *added = face;
    return tg_success;
}

static tgResult tgReadName(tgObjReader* reader, tgObjNames* names, int* current)
{
    tgObjWord name = tgObjText_Rest(&reader->text);
    *current = tgObjNames_Find(names, name.text, (size_t)name.length);
    reader->part = -1;
    return *current >= 0 ? tg_success : tgFailObjMemory(reader);
}

/// The words of a "g" line are groups that its faces are in; without objects the line is the name
/// of one besides.
static tgResult tgReadGroups(tgObjReader* reader)
{
    tgObjDocument* document = &reader->document;
    tgObjText line = reader->text;
    tgObjWord names[tg_mostGroupWords];
    int words[tg_mostGroupWords], count = 0;
    while (count < tg_mostGroupWords && tgObjText_NextWord(&line, &names[count])) {
        count += 1;
    }
    bool isObject = !reader->hasObjects && count < 2; // that is name enough
    for (int i = 0; i < tg_mostGroupWords && !isObject; ++i) {
        words[i] = -1;
        if (i < count) {
            size_t length = (size_t)names[i].length;
            words[i] = tgObjNames_Find(&document->groups, names[i].text, length);
        }
        if (i < count && words[i] < 0) {
            return tgFailObjMemory(reader);
        }
    }
    reader->groups = isObject ? -1 : tgObjNames_Find(&document->groupLines, words, sizeof(words));
    if (!isObject && reader->groups < 0) {
        return tgFailObjMemory(reader);
    }
    return reader->hasObjects ? tg_success
                              : tgReadName(reader, &document->objects, &reader->object);
}

static tgResult tgReadLine(tgObjReader* reader)
{
    tgObjDocument* document = &reader->document;
    tgObjWord keyword;
    if (!tgObjText_NextWord(&reader->text, &keyword)) {
        return tg_success;
    }
    if (tgObjWord_Is(keyword, "v")) {
        tgResult result = tgReadVector(reader, &document->positions, "vertex", 3);
        return result == tg_success ? tgReadColor(reader) : result;
    }
    if (tgObjWord_Is(keyword, "vn")) {
        return tgReadVector(reader, &document->normals, "normal", 3);
    }
    if (tgObjWord_Is(keyword, "vt")) {
        return tgReadVector(reader, &document->uvs, "texture coordinate", 1);
    }
    if (tgObjWord_Is(keyword, "f")) {
        return tgReadFace(reader);
    }
    if (tgObjWord_Is(keyword, "usemtl")) {
        return tgReadName(reader, &document->materials, &reader->material);
    }
    if (tgObjWord_Is(keyword, "o")) {
        reader->hasObjects = true;
        return tgReadName(reader, &document->objects, &reader->object);
    }
    if (tgObjWord_Is(keyword, "g")) {
        return tgReadGroups(reader);
    }
    return tg_success;
}

static void tgFreeObjDocument(tgObjDocument* document)
{
    free(document->positions.items);
    free(document->colors.items);
    free(document->normals.items);
    free(document->uvs.items);
    free(document->corners.items);
    free(document->faces.items);
    free(document->parts.items);
    tgObjNames_Free(&document->objects);
    tgObjNames_Free(&document->materials);
    tgObjNames_Free(&document->partKeys);
    tgObjNames_Free(&document->groups);
    tgObjNames_Free(&document->groupLines);
}

tgScene* tgImportObjMemory(const char* text, size_t size, tgError* error)
{
    if (text == NULL || size > INT_MAX) {
        tgFail(error, tg_unsupported, -1, "an OBJ file of %zu bytes, expected 1 to %d", size,
               INT_MAX);
        return NULL;
    }
    tgObjReader reader = {.text = {text, text + size, 1}, .error = error};
    reader.object = -1;
    reader.material = -1;
    reader.part = -1;
    reader.groups = -1;
    tgResult result = tg_success;
    do {
        result = tgReadLine(&reader);
    } while (result == tg_success && tgObjText_NextLine(&reader.text));
    tgScene* scene = NULL;
    if (result == tg_success) {
        scene = tgCreateScene();
        result = scene != NULL ? tgBuildObjScene(&reader.document, scene, error)
                               : tgFailObjMemory(&reader);
    }
    tgFreeObjDocument(&reader.document);
    if (result != tg_success) {
        tgDestroyScene(scene);
        return NULL;
    }
    return scene;
}

tgScene* tgImportObj(const char* path, tgError* error)
{
    uint8_t* bytes = NULL;
    size_t size = 0;
    if (tgReadFile(path, INT_MAX, &bytes, &size, error) != tg_success) {
        return NULL;
    }
    tgScene* scene = tgImportObjMemory((const char*)bytes, size, error);
    free(bytes);
    return scene;
}
