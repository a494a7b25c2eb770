// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Nodes of an FBX or DAE file that show the same meshes without a skin: where copies would take too
// much memory for a file of this size, the first of them brings the parts, in its own space, and
// the others are places of it.

#include "core/core.h"
#include "io/gltf_document.h"
#include "io/import_assimp_private.h"

#include <stdlib.h>
#include <string.h>

/// Bytes that a face and a vertex take in the scene and in a rig made of it, as in gltf_part.c.
/// Assimp has three vertices for a triangle at this point.
enum { tg_faceMemory = 480, tg_cornerMemory = 50 };

/// A node and its place in the scene.
typedef struct tgShower {
    const struct aiNode* node;
    int index;
} tgShower;

/// Whether a node shows what several may share: polygons without a skin that no target bends.
static bool tgCanShare(const tgAssimpImport* import, const struct aiNode* node)
{
    for (unsigned k = 0; k < node->mNumMeshes; ++k) {
        if (node->mMeshes[k] >= import->source->mNumMeshes) {
            return false;
        }
        const struct aiMesh* mesh = import->source->mMeshes[node->mMeshes[k]];
        if (mesh->mNumBones > 0 || mesh->mNumAnimMeshes > 0 || !tgHasPolygons(mesh)) {
            return false;
        }
    }
    return node->mNumMeshes > 0;
}

static bool tgShowsSame(const struct aiNode* a, const struct aiNode* b)
{
    return a->mNumMeshes == b->mNumMeshes &&
           memcmp(a->mMeshes, b->mMeshes, a->mNumMeshes * sizeof(unsigned)) == 0;
}

static int tgCompareShowers(const void* left, const void* right)
{
    const tgShower *a = left, *b = right;
    if (a->node->mNumMeshes != b->node->mNumMeshes) {
        return a->node->mNumMeshes < b->node->mNumMeshes ? -1 : 1;
    }
    int order = memcmp(a->node->mMeshes, b->node->mMeshes, a->node->mNumMeshes * sizeof(unsigned));
    return order != 0 ? order : (a->index > b->index) - (a->index < b->index);
}

/// Whether copies for all nodes would unfold too far.
static bool tgIsTooMuch(const tgAssimpImport* import)
{
    double memory = 0.0;
    for (int n = 0; n < import->scene->nodeCount; ++n) {
        const struct aiNode* node = import->sourceNodes[n];
        for (unsigned k = 0; k < node->mNumMeshes; ++k) {
            if (node->mMeshes[k] < import->source->mNumMeshes) {
                const struct aiMesh* mesh = import->source->mMeshes[node->mMeshes[k]];
                memory += (double)tg_faceMemory * mesh->mNumFaces +
                          (double)tg_cornerMemory * mesh->mNumVertices;
            }
        }
    }
    const tgAssimpFile* file = import->file;
    return memory > (double)tg_freeMemory + (double)file->wish.mostUnfolding * (double)file->size;
}

/// @param sources of each node the one that it shows again, -1 for none
static bool tgAddPlaces(tgAssimpImport* import, const int* sources)
{
    tgScene* scene = import->scene;
    scene->places = tgScene_Alloc(scene, (size_t)scene->nodeCount, sizeof(tgScenePlace));
    for (int n = 0; n < scene->nodeCount && scene->places != NULL; ++n) {
        if (sources[n] >= 0) {
            scene->places[scene->placeCount++] =
                (tgScenePlace){.name = scene->nodes[n].name, .node = n, .source = sources[n]};
            import->isPlace[n] = true;
            import->isShared[sources[n]] = true;
        }
    }
    return scene->places != NULL;
}

bool tgAssimpImport_FindPlaces(tgAssimpImport* import)
{
    if (import->isSkinned || import->file->wish.mostUnfolding == 0 || !tgIsTooMuch(import)) {
        return true;
    }
    int nodeCount = import->scene->nodeCount, count = 0;
    tgShower* showers = tgScene_Alloc(import->scratch, (size_t)nodeCount, sizeof(tgShower));
    int* sources = tgScene_Alloc(import->scratch, (size_t)nodeCount, sizeof(int));
    if (showers == NULL || sources == NULL) {
        return false;
    }
    for (int n = 0; n < nodeCount; ++n) {
        sources[n] = -1;
        if (tgCanShare(import, import->sourceNodes[n])) {
            showers[count++] = (tgShower){import->sourceNodes[n], n};
        }
    }
    qsort(showers, (size_t)count, sizeof(tgShower), tgCompareShowers);
    for (int first = 0, end = 0; first < count; first = end) {
        while (end < count && tgShowsSame(showers[first].node, showers[end].node)) {
            end += 1;
        }
        for (int i = first + 1; i < end; ++i) {
            sources[showers[i].index] = showers[first].index;
        }
    }
    return tgAddPlaces(import, sources);
}
