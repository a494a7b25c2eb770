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

tgResult tgGltfReader_Spend(tgGltfReader* reader, const char* place, size_t count, size_t size,
                            const char* what, tgError* error)
{
    if (size > 0 && count > reader->budget / size) {
        reader->isOverBudget = true;
        return tgFail(
            error, tg_invalidMesh, -1,
            "%s: %zu more %s are too many for a file of this size; --max-unfolding allows more",
            place, count, what);
    }
    reader->budget -= (uint64_t)count * size;
    return tg_success;
}

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
    size_t elementSize = (size_t)componentCount * sizeof(float);
    return tgGltfReader_Spend(reader, place, (size_t)accessor->count, elementSize, "elements",
                              error);
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
        tgReadGltfNodes,     tgReadGltfSkins,      tgReadGltfPlaces,  tgReadGltfParts,
        tgReadGltfMesh,      tgReadGltfAttributes, tgReadGltfWeights, tgReadGltfMorphs,
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

/// Bytes of memory for what the file unfolds to, beside its JSON. With 36 MB, and 40 for each byte
/// of the file, `turgor info` stays below 40 times the file and 50 MB. Base64 counts as the bytes
/// that it stands for.
static uint64_t tgGetBudget(const tgGltfSource* source, size_t fileSize, int mostUnfolding)
{
    uint64_t binarySize = 0, textSize = fileSize;
    for (int i = 0; i < source->bufferCount; ++i) {
        binarySize += source->buffers[i].size;
    }
    static const char* const keys[] = {"buffers", "images"};
    for (int k = 0; k < 2; ++k) {
        const tgJsonValue* entry = NULL;
        for (size_t index = 0;
             (entry = tgJson_GetItem(tgJson_Find(source->document, keys[k]), index)) != NULL;
             ++index) {
            const char* uri = tgJson_GetString(tgJson_Find(entry, "uri"));
            size_t length = uri != NULL ? strlen(uri) : 0;
            textSize -= length < textSize ? length : textSize;
        }
    }
    bool isInside = source->file != NULL && source->bufferCount > 0;
    uint64_t insideSize = isInside ? source->buffers[0].size : 0;
    textSize -= insideSize < textSize ? insideSize : textSize;
    uint64_t allowed = (uint64_t)mostUnfolding * (textSize + binarySize);
    uint64_t all = tg_freeMemory + allowed;
    return all > source->jsonMemory ? all - source->jsonMemory : 0;
}

/// A glTF that is being read.
typedef struct tgGltfFile {
    tgGltfSource* source;
    size_t size; ///< bytes
    const tgLoadDef* def;
    bool prefersLoose;
    bool isOverBudget; ///< it would unfold too far, and has no skin
} tgGltfFile;

static tgResult tgReadDocument(tgGltfFile* file, tgScene* scene, tgScene* scratch, bool sharesLoose,
                               tgError* error)
{
    const tgJsonValue* document = file->source->document;
    tgGltfReader reader = {
        .scene = scene,
        .source = file->source,
        .scratch = scratch,
        .accessors = tgJson_Find(document, "accessors"),
        .animations = tgJson_Find(document, "animations"),
        .materials = tgJson_Find(document, "materials"),
        .meshes = tgJson_Find(document, "meshes"),
        .nodes = tgJson_Find(document, "nodes"),
        .skins = tgJson_Find(document, "skins"),
        .prefersLoose = file->prefersLoose,
        .sharesLoose = sharesLoose,
        .budget = tgGetBudget(file->source, file->size, file->def->mostUnfolding),
    };
    tgResult result = tgReadStages(&reader, error);
    file->isOverBudget = reader.isOverBudget && !reader.hasSkin;
    return result;
}

/// @return NULL on failure; otherwise it has taken over the source
static tgScene* tgMakeScene(tgGltfFile* file, bool sharesLoose, tgError* error)
{
    tgScene* scene = tgCreateScene();
    tgScene* scratch = tgCreateScene();
    bool isRead = false;
    if (scene == NULL || scratch == NULL) {
        tgFail(error, tg_outOfMemory, -1, "not enough memory");
    } else {
        scene->source = file->source;
        isRead = tgReadDocument(file, scene, scratch, sharesLoose, error) == tg_success &&
                 tgScene_Finish(scene, error) == tg_success;
    }
    tgDestroyScene(scratch);
    if (!isRead && scene != NULL) {
        scene->source = NULL;
        tgDestroyScene(scene);
        scene = NULL;
    }
    return isRead ? scene : NULL;
}

/// @param file taken over
static tgScene* tgReadGltfBytes(uint8_t* file, size_t size, const tgFileRoot* root,
                                const tgLoadDef* def, bool prefersLoose, tgError* error)
{
    tgGltfFile work = {
        .source = tgOpenGltfSource(file, size, root, def->mostUnfolding, error),
        .size = size,
        .def = def,
        .prefersLoose = prefersLoose,
    };
    if (work.source == NULL) {
        return NULL;
    }
    tgScene* scene = tgMakeScene(&work, false, error);
    if (scene == NULL && work.isOverBudget && def->sharesMeshes) {
        tgGltfSource_Forget(work.source);
        scene = tgMakeScene(&work, true, error);
    }
    if (scene == NULL) {
        tgDestroyGltfSource(work.source);
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
    tgLoadDef def = tgDefaultLoadDef();
    tgScene* scene = tgReadGltfBytes(copy, size, &root, &def, false, error);
    return tgKeepLimits(scene, &def, error);
}

tgScene* tgLoadGltf(const char* path, const tgLoadDef* def, bool prefersLoose, tgError* error)
{
    uint8_t* file = NULL;
    size_t size = 0;
    if (tgReadFile(path, def->mostBytes, &file, &size, error) != tg_success) {
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
    tgScene* scene = tgReadGltfBytes(file, size, &root, def, prefersLoose, error);
    free(beside);
    return scene;
}
