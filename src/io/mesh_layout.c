// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A scene's mesh as writers want it. Files hold a few parts, seldom a hundred, so objects and
// ranges are found by looking through those that are there already.

#include "io/mesh_layout.h"

#include "core/core.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static tgResult tgMeasureFaces(tgMeshLayout* layout, const tgScene* scene, tgError* error)
{
    int start = 0;
    for (int f = 0; f < scene->faceCount; ++f) {
        int size = scene->faceSizes[f];
        if (size < 3 || size > INT_MAX - start) {
            return tgFail(error, tg_invalidMesh, f, "face %d has %d corners, expected 3 or more", f,
                          size);
        }
        layout->faceStarts[f] = start;
        layout->largestFace = size > layout->largestFace ? size : layout->largestFace;
        start += size;
    }
    layout->faceStarts[scene->faceCount] = start;
    return tg_success;
}

static tgResult tgCheckPart(const tgMeshLayout* layout, const tgScene* scene, int index,
                            const tgScenePart* part, tgError* error)
{
    if (part->firstVertex < 0 || part->vertexCount < 0 ||
        part->firstVertex > scene->vertexCount - part->vertexCount || part->firstFace < 0 ||
        part->faceCount < 0 || part->firstFace > scene->faceCount - part->faceCount) {
        return tgFail(error, tg_invalidMesh, index,
                      "part %d reaches past the %d vertices and %d faces of the mesh", index,
                      scene->vertexCount, scene->faceCount);
    }
    for (int f = part->firstFace; f < part->firstFace + part->faceCount; ++f) {
        for (int k = layout->faceStarts[f]; k < layout->faceStarts[f + 1]; ++k) {
            int v = scene->faceVertices[k];
            if (v < part->firstVertex || v - part->firstVertex >= part->vertexCount) {
                return tgFail(error, tg_invalidMesh, f,
                              "face %d uses vertex %d, its part has vertices %d to %d", f, v,
                              part->firstVertex, part->firstVertex + part->vertexCount - 1);
            }
        }
    }
    return tg_success;
}

static int tgFindObject(tgMeshLayout* layout, const tgScenePart* part)
{
    int i = 0;
    for (; i < layout->objectCount; ++i) {
        const tgMeshObject* object = &layout->objects[i];
        if (object->node == part->node &&
            (part->node >= 0 || strcmp(object->name, part->name) == 0)) {
            return i;
        }
    }
    layout->objects[i] = (tgMeshObject){part->name, part->node, i};
    layout->objectCount += 1;
    return i;
}

static int tgFindRange(tgMeshLayout* layout, const tgScenePart* part)
{
    int i = 0;
    for (; i < layout->rangeCount; ++i) {
        const tgVertexRange* range = &layout->ranges[i];
        if (range->firstVertex == part->firstVertex && range->vertexCount == part->vertexCount) {
            return i;
        }
    }
    layout->ranges[i] = (tgVertexRange){part->firstVertex, part->vertexCount};
    layout->rangeCount += 1;
    if (part->vertexCount > layout->largestRange) {
        layout->largestRange = part->vertexCount;
    }
    return i;
}

static tgResult tgAddParts(tgMeshLayout* layout, const tgScene* scene, tgError* error)
{
    const tgScenePart whole = {"mesh", -1, 0, -1, 0, scene->vertexCount, 0, scene->faceCount};
    bool isListed = scene->partCount > 0;
    int count = isListed ? scene->partCount : 1;
    for (int i = 0; i < count; ++i) {
        tgScenePart part = isListed ? scene->parts[i] : whole;
        part.name = part.name != NULL ? part.name : "";
        tgResult result = tgCheckPart(layout, scene, i, &part, error);
        if (result != tg_success) {
            return result;
        }
        if (part.faceCount == 0) {
            continue;
        }
        int p = layout->partCount;
        layout->parts[p] = part;
        layout->partSources[p] = i;
        layout->partObjects[p] = tgFindObject(layout, &part);
        layout->partRanges[p] = tgFindRange(layout, &part);
        layout->partCount += 1;
    }
    if (layout->partCount == 0) {
        return tgFail(error, tg_invalidMesh, -1, "the mesh has no faces to write");
    }
    return tg_success;
}

/// Places after the objects, where those they show have faces.
static tgResult tgAddPlaces(tgMeshLayout* layout, const tgScene* scene, tgError* error)
{
    layout->meshCount = layout->objectCount;
    if (scene->placeCount == 0) {
        return tg_success;
    }
    int* objectOf = malloc((size_t)scene->nodeCount * sizeof(int));
    if (objectOf == NULL) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for %d places", scene->placeCount);
    }
    for (int n = 0; n < scene->nodeCount; ++n) {
        objectOf[n] = -1;
    }
    for (int i = 0; i < layout->meshCount; ++i) {
        if (layout->objects[i].node >= 0) {
            objectOf[layout->objects[i].node] = i;
        }
    }
    for (int i = 0; i < scene->placeCount; ++i) {
        const tgScenePlace* place = &scene->places[i];
        int mesh = place->source >= 0 ? objectOf[place->source] : -1;
        if (mesh >= 0) {
            const char* name = place->name != NULL ? place->name : "";
            layout->objects[layout->objectCount++] = (tgMeshObject){name, place->node, mesh};
        }
    }
    free(objectOf);
    return tg_success;
}

tgResult tgMeshLayout_Make(tgMeshLayout* layout, const tgScene* scene, tgError* error)
{
    memset(layout, 0, sizeof(*layout));
    size_t count = scene->partCount > 0 ? (size_t)scene->partCount : 1;
    size_t objectRoom = count + (size_t)scene->placeCount;
    layout->parts = calloc(count, sizeof(*layout->parts));
    layout->partSources = calloc(count, sizeof(int));
    layout->partObjects = calloc(count, sizeof(int));
    layout->partRanges = calloc(count, sizeof(int));
    layout->objects = calloc(objectRoom, sizeof(*layout->objects));
    layout->ranges = calloc(count, sizeof(*layout->ranges));
    layout->faceStarts = calloc((size_t)scene->faceCount + 1, sizeof(int));
    if (layout->parts == NULL || layout->partSources == NULL || layout->partObjects == NULL ||
        layout->partRanges == NULL || layout->objects == NULL || layout->ranges == NULL ||
        layout->faceStarts == NULL) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for %zu parts", count);
    }
    tgResult result = tgMeasureFaces(layout, scene, error);
    if (result == tg_success) {
        result = tgAddParts(layout, scene, error);
    }
    return result == tg_success ? tgAddPlaces(layout, scene, error) : result;
}

void tgMeshLayout_Free(tgMeshLayout* layout)
{
    free(layout->parts);
    free(layout->partSources);
    free(layout->partObjects);
    free(layout->partRanges);
    free(layout->objects);
    free(layout->ranges);
    free(layout->faceStarts);
    memset(layout, 0, sizeof(*layout));
}
