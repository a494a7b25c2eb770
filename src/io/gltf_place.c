// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Nodes that show one mesh. A skin is placed by its joints alone (section 3.7.3.1), so nodes with
// the same mesh and the same skin show the same triangles at the same places: the first of them
// brings the parts, the others are places of it. Without a skin each stands elsewhere; they are
// places only where that is asked for, and the vertices stay in the space of the mesh: where one of
// its nodes puts them, rounding may leave too little of them for the others. A mesh with morph
// targets may look different under each node, so those keep vertices of their own.

#include "core/core.h"
#include "io/gltf_read.h"

#include <stdlib.h>

/// What makes two nodes show the same.
typedef struct tgShownAs {
    int mesh, skin;
    int node; ///< of the document
} tgShownAs;

static int tgCompareShown(const void* left, const void* right)
{
    const tgShownAs *a = left, *b = right;
    if (a->mesh != b->mesh) {
        return a->mesh < b->mesh ? -1 : 1;
    }
    if (a->skin != b->skin) {
        return a->skin < b->skin ? -1 : 1;
    }
    return (a->node > b->node) - (a->node < b->node);
}

/// All nodes that are taken, those that show the same next to each other and in file order.
static tgShownAs* tgSortShown(tgGltfReader* reader, int* count, tgError* error)
{
    size_t room = (size_t)reader->source->nodeCount;
    tgShownAs* shown = tgGltfReader_Alloc(reader->scratch, room, sizeof(tgShownAs), error);
    *count = 0;
    for (int n = 0; n < reader->source->nodeCount && shown != NULL; ++n) {
        const tgGltfNode* node = &reader->gltfNodes[n];
        if (node->isTaken) {
            shown[(*count)++] = (tgShownAs){node->mesh, node->skin, n};
        }
    }
    if (shown != NULL) {
        qsort(shown, (size_t)*count, sizeof(tgShownAs), tgCompareShown);
    }
    return shown;
}

/// For each node of the document the one whose parts it shows, -1 when it has its own.
static int* tgFindSources(tgGltfReader* reader, int* placeCount, tgError* error)
{
    size_t nodeCount = (size_t)reader->source->nodeCount;
    int shownCount = 0;
    tgShownAs* shown = tgSortShown(reader, &shownCount, error);
    int* sources = tgGltfReader_Alloc(reader->scratch, nodeCount, sizeof(int), error);
    if (shown == NULL || sources == NULL) {
        return NULL;
    }
    for (size_t n = 0; n < nodeCount; ++n) {
        sources[n] = -1;
    }
    *placeCount = 0;
    for (int first = 0, end = 0; first < shownCount; first = end) {
        while (end < shownCount && shown[end].mesh == shown[first].mesh &&
               shown[end].skin == shown[first].skin) {
            end += 1;
        }
        if (end - first == 1 || tgGltfReader_CountTargets(reader, shown[first].mesh) > 0) {
            continue;
        }
        for (int i = first + 1; i < end; ++i) {
            sources[shown[i].node] = shown[first].node;
            *placeCount += 1;
        }
    }
    return sources;
}

static tgResult tgAddPlace(tgGltfReader* reader, int node, int source, tgError* error)
{
    tgScene* scene = reader->scene;
    int mesh = reader->gltfNodes[node].mesh;
    tgPlace place = tgMakePlace("meshes[%d]", mesh);
    const char* name = "";
    tgResult result = tgJson_GetText(tgJson_GetItem(reader->meshes, (size_t)mesh), "name",
                                     place.text, &name, error);
    int sceneNode = reader->source->sceneNodes[node];
    const char* own = scene->nodes[sceneNode].name;
    scene->places[scene->placeCount++] = (tgScenePlace){
        .name = own[0] != '\0' ? own : name,
        .node = sceneNode,
        .source = reader->source->sceneNodes[source],
    };
    reader->gltfNodes[node].isPlace = true;
    reader->gltfNodes[source].isShared = true;
    return result;
}

tgResult tgReadGltfPlaces(tgGltfReader* reader, tgError* error)
{
    if (!reader->hasSkin && !reader->sharesLoose) {
        return tg_success;
    }
    enum { tg_placeMemory = 64 }; // bytes in the scene, and for the lists above
    int placeCount = 0;
    const int* sources = tgFindSources(reader, &placeCount, error);
    if (sources == NULL) {
        return tg_outOfMemory;
    }
    tgResult result = tgGltfReader_Spend(reader, "nodes", (size_t)placeCount, tg_placeMemory,
                                         "places of a mesh", error);
    if (result != tg_success) {
        return result;
    }
    reader->scene->places =
        tgGltfReader_Alloc(reader->scene, (size_t)placeCount, sizeof(tgScenePlace), error);
    if (reader->scene->places == NULL) {
        return tg_outOfMemory;
    }
    for (int i = 0; i < reader->source->nodeCount && result == tg_success; ++i) {
        int node = reader->source->gltfNodes[i];
        if (sources[node] >= 0) {
            result = tgAddPlace(reader, node, sources[node], error);
        }
    }
    return result;
}
