// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// START HERE for reading glTF 2.0: the order of the work, and the way in from a file or from
// memory. https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html

#include "io/gltf_read.h"

#include "core/core.h"
#include "io/gltf_document.h"
#include "io/gltf_load.h"
#include "io/gltf_uri.h"
#include "io/scene_finish.h"
#include "turgor/io.h"

#include <stdlib.h>
#include <string.h>

/// Accessor elements a file may ask for: so many in any case, and so many for each of its bytes.
/// An honest file has a few bytes for each element, fewer only where nodes share a mesh.
static const uint64_t tg_freeElements = 1 << 20;
static const uint64_t tg_elementsPerByte = 256;

tgResult tgGltfReader_GetAccessor(tgGltfReader* reader, int index, int componentCount,
                                  const char* place, tgGltfAccessor* accessor, tgError* error)
{
    tgResult result = tgGltfSource_GetAccessor(reader->source, index, accessor, error);
    if (result != tg_success) {
        return result;
    }
    if (accessor->componentCount != componentCount ||
        accessor->isMatrix != (componentCount == 16)) {
        return tgFail(error, tg_invalidMesh, -1,
                      "%s: accessors[%d] has %d components to an element, expected %d", place,
                      index, accessor->componentCount, componentCount);
    }
    if (accessor->isMatrix && accessor->componentType != tg_componentFloat) {
        return tgFail(error, tg_invalidMesh, -1, "%s: accessors[%d] is not of floats", place,
                      index);
    }
    if ((uint64_t)accessor->count > reader->budget) {
        return tgFail(error, tg_invalidMesh, -1,
                      "%s: accessors[%d] claims %d elements, too many for a file of this size",
                      place, index, accessor->count);
    }
    reader->budget -= (uint64_t)accessor->count;
    return tg_success;
}

void* tgGltfReader_Alloc(tgScene* owner, size_t count, size_t size, tgError* error)
{
    void* memory = tgScene_Alloc(owner, count, size);
    if (memory == NULL) {
        tgFail(error, tg_outOfMemory, -1, "not enough memory for %zu times %zu bytes", count, size);
    }
    return memory;
}

static tgResult tgReadStages(tgGltfReader* reader, tgError* error)
{
    typedef tgResult tgStageFcn(tgGltfReader*, tgError*);
    static tgStageFcn* const stages[] = {
        tgReadGltfNodes,     tgReadGltfSkins,      tgReadGltfParts,
        tgReadGltfMesh,      tgReadGltfWeights,    tgReadGltfMorphs,
        tgReadGltfMaterials, tgReadGltfAnimations, tgReadGltfImages,
    };
    for (size_t i = 0; i < sizeof(stages) / sizeof(stages[0]); ++i) {
        tgResult result = stages[i](reader, error);
        if (result != tg_success) {
            return result;
        }
    }
    return tg_success;
}

static tgResult tgReadDocument(tgScene* scene, tgScene* scratch, size_t fileSize, bool prefersLoose,
                               tgError* error)
{
    const json_t* document = scene->source->document;
    uint64_t bytes = fileSize;
    for (int i = 0; i < scene->source->bufferCount; ++i) {
        bytes += scene->source->buffers[i].size;
    }
    tgGltfReader reader = {
        .scene = scene,
        .source = scene->source,
        .scratch = scratch,
        .accessors = json_object_get(document, "accessors"),
        .animations = json_object_get(document, "animations"),
        .materials = json_object_get(document, "materials"),
        .meshes = json_object_get(document, "meshes"),
        .nodes = json_object_get(document, "nodes"),
        .skins = json_object_get(document, "skins"),
        .prefersLoose = prefersLoose,
        .budget = tg_freeElements + tg_elementsPerByte * bytes,
    };
    return tgReadStages(&reader, error);
}

/// @param file taken over
static tgScene* tgReadGltfBytes(uint8_t* file, size_t size, const tgFileRoot* root,
                                bool prefersLoose, tgError* error)
{
    tgScene* scene = tgCreateScene();
    tgScene* scratch = tgCreateScene();
    bool isRead = false;
    if (scene == NULL || scratch == NULL) {
        free(file);
        tgFail(error, tg_outOfMemory, -1, "not enough memory");
    } else {
        scene->source = tgOpenGltfSource(file, size, root, error);
        isRead = scene->source != NULL &&
                 tgReadDocument(scene, scratch, size, prefersLoose, error) == tg_success &&
                 tgScene_Finish(scene, error) == tg_success;
    }
    tgDestroyScene(scratch);
    if (!isRead) {
        tgDestroyScene(scene);
        return NULL;
    }
    return scene;
}

tgScene* tgLoadGltfMemory(const void* data, size_t size, const char* folder, tgError* error)
{
    if (data == NULL) {
        tgFail(error, tg_invalidArgument, -1, "data is NULL");
        return NULL;
    }
    // The scene keeps what it points into; the caller's memory is only lent.
    uint8_t* copy = malloc(size + 1);
    if (copy == NULL) {
        tgFail(error, tg_outOfMemory, -1, "not enough memory for %zu bytes", size);
        return NULL;
    }
    memcpy(copy, data, size);
    tgFileRoot root = {folder, false};
    return tgReadGltfBytes(copy, size, &root, false, error);
}

tgScene* tgLoadGltf(const char* path, const tgLoadDef* def, bool prefersLoose, tgError* error)
{
    uint8_t* file = NULL;
    size_t size = 0;
    if (tgReadFile(path, tg_largestFile, &file, &size, error) != tg_success) {
        return NULL;
    }
    const char* slash = strrchr(path, '/');
    size_t length = slash != NULL ? (size_t)(slash - path) : 1;
    char* beside = malloc(length + 2);
    if (beside == NULL) {
        free(file);
        tgFail(error, tg_outOfMemory, -1, "not enough memory");
        return NULL;
    }
    memcpy(beside, slash != NULL ? path : ".", length);
    beside[length] = '\0'; // the root folder becomes "", and "" + "/name" is right again
    tgFileRoot root = {def->folder != NULL ? def->folder : beside, def->allowOutside};
    tgScene* scene = tgReadGltfBytes(file, size, &root, prefersLoose, error);
    free(beside);
    return scene;
}
