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
/// @param entries of each mesh of the document its entry and one, 0 when there is none yet
static tgShownMesh* tgFindShownMesh(tgShownMeshes* list, int mesh, int* entries, int room,
                                    size_t* taken)
{
    if (entries[mesh] == 0) {
        int* memory = list->memory + *taken;
        *taken += 2 * (size_t)room;
        list->meshes[list->count] =
            (tgShownMesh){.mesh = mesh, .nodes = memory, .firstVertices = memory + room};
        entries[mesh] = ++list->count;
    }
    return &list->meshes[entries[mesh] - 1];
}

static void tgAddPart(const tgScenePart* part, tgShownMesh* shown)
{
    int last = shown->nodeCount - 1;
    if (last < 0 || shown->nodes[last] != part->node) {
        last = shown->nodeCount++;
        shown->nodes[last] = part->node;
        shown->firstVertices[last] = part->firstVertex;
    }
    int end = part->firstVertex + part->vertexCount - shown->firstVertices[last];
    shown->vertexCount = end > shown->vertexCount ? end : shown->vertexCount;
}

tgResult tgListShownMeshes(const tgScene* scene, tgShownMeshes* list, tgError* error)
{
    size_t meshCount = tgJson_CountItems(tgJson_Find(scene->source->document, "meshes"));
    int* rooms = calloc(2 * meshCount + 1, sizeof(int));
    *list = (tgShownMeshes){.meshes = calloc(meshCount + 1, sizeof(tgShownMesh)),
                            .memory = calloc(2 * (size_t)scene->partCount + 1, sizeof(int))};
    if (list->meshes == NULL || list->memory == NULL || rooms == NULL) {
        free(rooms);
        return tgFail(error, tg_outOfMemory, -1, "no memory for a list of %zu meshes", meshCount);
    }
    int* entries = rooms + meshCount;
    for (int p = 0; p < scene->partCount; ++p) {
        rooms[scene->source->parts[p].mesh] += 1;
    }
    size_t taken = 0;
    for (int p = 0; p < scene->partCount; ++p) {
        int mesh = scene->source->parts[p].mesh;
        tgAddPart(&scene->parts[p], tgFindShownMesh(list, mesh, entries, rooms[mesh], &taken));
    }
    free(rooms);
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
