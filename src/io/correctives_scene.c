// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Which meshes of a document a character consists of, and a document for one that has none.

#include "core/core.h"
#include "io/correctives.h"
#include "io/gltf_source_part.h"
#include "io/gltf_write.h"
#include "turgor/io.h"

#include <stdlib.h>
#include <string.h>

tgResult tgCanAddTargets(const tgScene* scene, bool* can, tgError* error)
{
    tgMeshLayout layout = {0};
    tgError failure = {0};
    bool fits = scene->source != NULL && scene->refined == NULL && !scene->source->hasOtherNodes &&
                tgMeshLayout_Make(&layout, scene, &failure) == tg_success;
    *can = fits && tgFitsSource(scene, &layout);
    tgMeshLayout_Free(&layout);
    if (failure.code == tg_outOfMemory) { // which says nothing of the scene
        return tgFail(error, failure.code, failure.index, "%s", failure.message);
    }
    return tg_success;
}

/// The list's entry for a mesh of the document, made when it is missing.
static tgShownMesh* tgFindShownMesh(tgShownMeshes* list, int mesh, int partCount)
{
    for (int i = 0; i < list->count; ++i) {
        if (list->meshes[i].mesh == mesh) {
            return &list->meshes[i];
        }
    }
    int* memory = list->memory + 2 * (size_t)list->count * (size_t)partCount;
    list->meshes[list->count] =
        (tgShownMesh){.mesh = mesh, .nodes = memory, .firstVertices = memory + partCount};
    list->count += 1;
    return &list->meshes[list->count - 1];
}

tgResult tgListShownMeshes(const tgScene* scene, tgShownMeshes* list, tgError* error)
{
    const tgGltfSource* source = scene->source;
    size_t meshCount = tgJson_CountItems(tgJson_Find(source->document, "meshes"));
    size_t partCount = (size_t)scene->partCount;
    *list = (tgShownMeshes){.meshes = calloc(meshCount + 1, sizeof(tgShownMesh)),
                            .memory = calloc(2 * (meshCount + 1) * (partCount + 1), sizeof(int))};
    if (list->meshes == NULL || list->memory == NULL) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for a list of %zu meshes", meshCount);
    }
    for (int p = 0; p < scene->partCount; ++p) {
        const tgScenePart* part = &scene->parts[p];
        tgShownMesh* shown = tgFindShownMesh(list, source->parts[p].mesh, scene->partCount);
        int last = shown->nodeCount - 1;
        if (last < 0 || shown->nodes[last] != part->node) {
            last = shown->nodeCount++;
            shown->nodes[last] = part->node;
            shown->firstVertices[last] = part->firstVertex;
        }
        int end = part->firstVertex + part->vertexCount - shown->firstVertices[last];
        shown->vertexCount = end > shown->vertexCount ? end : shown->vertexCount;
    }
    return tg_success;
}

void tgFreeShownMeshes(tgShownMeshes* list)
{
    free(list->meshes);
    free(list->memory);
    *list = (tgShownMeshes){0};
}

tgScene* tgMakeDocumentScene(const tgScene* scene, tgError* error)
{
    tgBytes file = {NULL, 0};
    if (tgSaveSceneToMemory(scene, &file, error) != tg_success) {
        return NULL;
    }
    tgScene* copy = tgLoadGltfMemory(file.data, file.size, NULL, error);
    tgFreeBytes(&file);
    size_t positionSize = (size_t)scene->vertexCount * sizeof(tgVec3);
    if (copy != NULL && (copy->vertexCount != scene->vertexCount ||
                         memcmp(copy->positions, scene->positions, positionSize) != 0)) {
        tgDestroyScene(copy);
        copy = NULL;
        tgFail(error, tg_unsupported, -1,
               "its meshes come in another order when they are written as glTF; save it as .glb "
               "first, with turgor bind or another program");
    }
    return copy;
}
