// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Morph targets added to a character's own glTF. The document is copied with all its accessors,
// views and bytes under their own indices; targets, names, weights and channels join the end.

#include "io/gltf_correctives.h"

#include "core/core.h"
#include "io/gltf_source_part.h"

#include <stdlib.h>
#include <string.h>

/// All buffers one after the other, and the views where those have gone.
static void tgCopyBuffers(tgCorrectivesWork* work)
{
    static const char padding[4];
    tgGltfBuilder* builder = &work->builder;
    uint64_t* starts = calloc((size_t)work->source->bufferCount + 1, sizeof(*starts));
    json_t* views = tgCopyJson(json_object_get(builder->document, "bufferViews"));
    if (starts == NULL || (views == NULL && json_object_get(builder->document, "bufferViews"))) {
        tgGltfBuilder_Fail(builder, tg_outOfMemory, -1, "no memory for the buffer views");
        free(starts);
        return;
    }
    for (int i = 0; i < work->source->bufferCount; ++i) {
        const tgGltfBuffer* buffer = &work->source->buffers[i];
        starts[i] = builder->spool.size;
        if (buffer->data != NULL) {
            tgGltfBuilder_Write(builder, buffer->data, buffer->size);
            tgGltfBuilder_Write(builder, padding, (size_t)(-buffer->size & 3));
        }
    }
    size_t index = 0;
    json_t* view = NULL;
    json_array_foreach(views, index, view)
    {
        json_int_t buffer = json_integer_value(json_object_get(view, "buffer"));
        json_int_t offset = json_integer_value(json_object_get(view, "byteOffset"));
        if (buffer < 0 || buffer >= work->source->bufferCount ||
            work->source->buffers[buffer].data == NULL) {
            tgGltfBuilder_Fail(builder, tg_unsupported, -1,
                               "bufferViews[%zu] has no bytes of its own, an extension has them",
                               index);
            break;
        }
        tgGltfBuilder_Set(builder, view, "buffer", json_integer(0));
        tgGltfBuilder_Set(builder, view, "byteOffset",
                          json_integer(offset + (json_int_t)starts[buffer]));
        json_object_del(json_object_get(view, "extensions"), "EXT_meshopt_compression");
    }
    if (views != NULL) {
        json_decref(builder->bufferViews);
        builder->bufferViews = views;
    }
    free(starts);
}

static void tgCopySource(tgCorrectivesWork* work)
{
    tgGltfBuilder* builder = &work->builder;
    json_t* document = tgCopyJson(work->source->document);
    if (document == NULL) {
        tgGltfBuilder_Fail(builder, tg_outOfMemory, -1, "no memory to copy the document");
        return;
    }
    json_decref(builder->document);
    builder->document = document;
    tgCopyBuffers(work);
    json_t* accessors = json_object_get(document, "accessors");
    if (accessors != NULL) {
        json_decref(builder->accessors);
        builder->accessors = json_incref(accessors);
    }
    static const char* const gone[] = {"accessors", "bufferViews", "buffers"};
    for (size_t i = 0; i < sizeof(gone) / sizeof(gone[0]); ++i) {
        json_object_del(document, gone[i]);
    }
    json_t* asset = json_object_get(document, "asset");
    tgGltfBuilder_Set(builder, asset, "generator", json_string("turgor"));
}

/// Targets of the mesh's own: the most that a primitive has.
static int tgCountOwnTargets(const json_t* mesh)
{
    size_t most = 0, index = 0;
    const json_t* primitives = json_object_get(mesh, "primitives");
    const json_t* primitive = NULL;
    json_array_foreach((json_t*)primitives, index, primitive)
    {
        size_t count = json_array_size(json_object_get(primitive, "targets"));
        most = count > most ? count : most;
    }
    return (int)most;
}

/// The scene's part that is a primitive of a mesh under its first node; -1 when none is.
static int tgFindPart(const tgCorrectivesWork* work, const tgShownMesh* shown, int primitive)
{
    const tgScene* scene = work->file->scene;
    for (int p = 0; p < scene->partCount; ++p) {
        if (scene->parts[p].node == shown->nodes[0] && scene->parts[p].primitive == primitive) {
            return p;
        }
    }
    return -1;
}

/// The number of vertices of a primitive as the document has it.
static int tgCountVertices(const tgCorrectivesWork* work, const json_t* primitive)
{
    const json_t* attributes = json_object_get(primitive, "attributes");
    const json_t* index = json_object_get(attributes, "POSITION");
    const json_t* accessor =
        json_array_get(work->builder.accessors, (size_t)json_integer_value(index));
    return (int)json_integer_value(json_object_get(accessor, "count"));
}

/// An accessor of zeros, for a primitive that has to have a target and does not move.
static int tgAddZeros(tgCorrectivesWork* work, int count)
{
    const float zero[3] = {0};
    json_t* json =
        json_pack("{s:i, s:i, s:s}", "componentType", tg_gltfFloat, "count", count, "type", "VEC3");
    tgGltfBuilder_Set(&work->builder, json, "min", tgMakeJsonNumbers(zero, 3));
    tgGltfBuilder_Set(&work->builder, json, "max", tgMakeJsonNumbers(zero, 3));
    return tgGltfBuilder_AddAccessor(&work->builder, json);
}

/// Vectors of all targets of a part in one view. Compressed files hold them in full: zeros take
/// next to no room, and the codec likes them better.
/// @param vectors of the mesh's first target, at the part's first vertex
static int tgWriteWhole(tgCorrectivesWork* work, const tgVec3* vectors, int mesh,
                        const tgScenePart* part, json_t* list)
{
    tgGltfBuilder* builder = &work->builder;
    size_t stride = (size_t)work->file->meshes->meshes[mesh].vertexCount;
    tgGltfBuilder_BeginView(builder);
    for (int t = 0; t < work->file->targets[mesh].targetCount; ++t) {
        tgGltfBuilder_Write(builder, vectors + (size_t)t * stride,
                            (size_t)part->vertexCount * sizeof(tgVec3));
    }
    int view = tgGltfBuilder_EndView(builder, tg_gltfVertices, (int)sizeof(tgVec3));
    tgGltfBuilder_Append(builder, list, json_integer(view));
    return view;
}

/// One target's vectors as an accessor.
/// @param view of all targets (tgWriteWhole); -1: one of its own
static int tgAddVectors(tgCorrectivesWork* work, const tgVec3* vectors, int count, bool isPosition,
                        int view, int target)
{
    tgGltfBuilder* builder = &work->builder;
    if (view < 0) {
        return tgGltfBuilder_AddOffsets(builder, vectors, count, isPosition);
    }
    return tgGltfBuilder_AddSlice(builder, vectors, count, isPosition, view,
                                  (size_t)target * (size_t)count * sizeof(tgVec3));
}

/// The views that hold all targets of a part; -1 where each has its own.
typedef struct tgTargetViews {
    int offsets, normals;
} tgTargetViews;

static json_t* tgMakeTarget(tgCorrectivesWork* work, int mesh, int target, const tgScenePart* part,
                            bool hasNormals, tgTargetViews views)
{
    const tgShownMesh* shown = &work->file->meshes->meshes[mesh];
    const tgMeshTargets* targets = &work->file->targets[mesh];
    size_t first = (size_t)target * (size_t)shown->vertexCount +
                   (size_t)(part->firstVertex - shown->firstVertices[0]);
    json_t* json = json_object();
    int accessor = tgAddVectors(work, targets->offsets + first, part->vertexCount, true,
                                views.offsets, target);
    tgGltfBuilder_Set(&work->builder, json, "POSITION", json_integer(accessor));
    if (hasNormals) {
        accessor = tgAddVectors(work, targets->normals + first, part->vertexCount, false,
                                views.normals, target);
        tgGltfBuilder_Set(&work->builder, json, "NORMAL", json_integer(accessor));
    }
    return json;
}

/// "targets" of a primitive: its own, filled up where it has fewer than others, then the new ones.
static void tgExtendPrimitive(tgCorrectivesWork* work, int mesh, int index, json_t* primitive)
{
    tgGltfBuilder* builder = &work->builder;
    const tgShownMesh* shown = &work->file->meshes->meshes[mesh];
    const tgMeshTargets* targets = &work->file->targets[mesh];
    int part = tgFindPart(work, shown, index);
    if (json_object_get(primitive, "targets") == NULL) {
        tgGltfBuilder_Set(builder, primitive, "targets", json_array());
    }
    json_t* array = json_object_get(primitive, "targets");
    int vertexCount = tgCountVertices(work, primitive);
    while ((int)json_array_size(array) < work->oldCounts[mesh] &&
           !tgGltfBuilder_HasFailed(builder)) {
        int zeros = tgAddZeros(work, vertexCount);
        tgGltfBuilder_Append(builder, array, json_pack("{s:i}", "POSITION", zeros));
    }
    const json_t* attributes = json_object_get(primitive, "attributes");
    bool hasNormals = targets->normals != NULL && json_object_get(attributes, "NORMAL") != NULL;
    tgTargetViews views = {-1, -1};
    const tgScenePart* range = part >= 0 ? &work->file->scene->parts[part] : NULL;
    if (work->file->compress && range != NULL) {
        size_t first = (size_t)(range->firstVertex - shown->firstVertices[0]);
        views.offsets =
            tgWriteWhole(work, targets->offsets + first, mesh, range, work->offsetViews);
        views.normals = hasNormals ? tgWriteWhole(work, targets->normals + first, mesh, range,
                                                  work->normalViews)
                                   : -1;
    }
    for (int t = 0; t < targets->targetCount && !tgGltfBuilder_HasFailed(builder); ++t) {
        json_t* target = range != NULL
                             ? tgMakeTarget(work, mesh, t, range, hasNormals, views)
                             : json_pack("{s:i}", "POSITION", tgAddZeros(work, vertexCount));
        tgGltfBuilder_Append(builder, array, target);
    }
}

/// The array `key` of an object with at least so many entries of zero.
static json_t* tgFillWeights(tgCorrectivesWork* work, json_t* object, int count)
{
    tgGltfBuilder* builder = &work->builder;
    if (!json_is_array(json_object_get(object, "weights"))) {
        tgGltfBuilder_Set(builder, object, "weights", json_array());
    }
    json_t* weights = json_object_get(object, "weights");
    while ((int)json_array_size(weights) < count && !tgGltfBuilder_HasFailed(builder)) {
        tgGltfBuilder_Append(builder, weights, json_real(0.0));
    }
    while ((int)json_array_size(weights) > count) {
        json_array_remove(weights, json_array_size(weights) - 1);
    }
    return weights;
}

static void tgAppendWeights(tgCorrectivesWork* work, json_t* weights, const float* values,
                            int count)
{
    for (int i = 0; i < count; ++i) {
        tgGltfBuilder_Append(&work->builder, weights, json_real((double)values[i]));
    }
}

/// Weights when nothing plays: the mesh's for its first node, and each node's own where there are
/// several or it has some already.
static void tgExtendWeights(tgCorrectivesWork* work, int mesh, json_t* json)
{
    tgGltfBuilder* builder = &work->builder;
    const tgShownMesh* shown = &work->file->meshes->meshes[mesh];
    const tgMeshTargets* targets = &work->file->targets[mesh];
    int old = work->oldCounts[mesh];
    json_t* nodes = tgGltfBuilder_GetArray(builder, "nodes");
    json_t* meshWeights = tgFillWeights(work, json, old);
    for (int n = 0; n < shown->nodeCount; ++n) {
        json_t* node = json_array_get(nodes, (size_t)work->source->gltfNodes[shown->nodes[n]]);
        bool hasOwn = json_object_get(node, "weights") != NULL;
        if (!hasOwn && shown->nodeCount > 1) {
            tgGltfBuilder_Set(builder, node, "weights", tgCopyJson(meshWeights));
        }
        if (hasOwn || shown->nodeCount > 1) {
            tgAppendWeights(work, tgFillWeights(work, node, old),
                            targets->weights + (size_t)n * (size_t)targets->targetCount,
                            targets->targetCount);
        }
    }
    tgAppendWeights(work, meshWeights, targets->weights, targets->targetCount);
}

static void tgExtendNames(tgCorrectivesWork* work, int mesh, json_t* json)
{
    tgGltfBuilder* builder = &work->builder;
    const tgMeshTargets* targets = &work->file->targets[mesh];
    if (!json_is_object(json_object_get(json, "extras"))) {
        tgGltfBuilder_Set(builder, json, "extras", json_object());
    }
    json_t* extras = json_object_get(json, "extras");
    if (!json_is_array(json_object_get(extras, "targetNames"))) {
        tgGltfBuilder_Set(builder, extras, "targetNames", json_array());
    }
    json_t* names = json_object_get(extras, "targetNames");
    for (int i = (int)json_array_size(names); i < work->oldCounts[mesh]; ++i) {
        char name[32];
        snprintf(name, sizeof(name), "target_%d", i);
        tgGltfBuilder_Append(builder, names, json_string(name));
    }
    for (int t = 0; t < targets->targetCount; ++t) {
        tgGltfBuilder_Append(builder, names, tgMakeJsonText(targets->names[t]));
    }
}

static void tgExtendMesh(tgCorrectivesWork* work, int mesh)
{
    tgGltfBuilder* builder = &work->builder;
    const tgShownMesh* shown = &work->file->meshes->meshes[mesh];
    json_t* json = json_array_get(tgGltfBuilder_GetArray(builder, "meshes"), (size_t)shown->mesh);
    work->oldCounts[mesh] = tgCountOwnTargets(json);
    size_t index = 0;
    json_t* primitive = NULL;
    json_array_foreach(json_object_get(json, "primitives"), index, primitive)
    {
        int part = tgFindPart(work, shown, (int)index);
        if (part >= 0) {
            tgMendInfluences(work, part, primitive);
        }
        if (work->file->targets[mesh].targetCount > 0) {
            tgExtendPrimitive(work, mesh, (int)index, primitive);
        }
    }
    if (work->file->targets[mesh].targetCount > 0) {
        tgExtendWeights(work, mesh, json);
        tgExtendNames(work, mesh, json);
    }
}

/// Images of other files come along: the new file may lie elsewhere.
static void tgTakeImages(tgCorrectivesWork* work)
{
    size_t index = 0;
    json_t* image = NULL;
    json_array_foreach(json_object_get(work->builder.document, "images"), index, image)
    {
        if (json_object_get(image, "uri") != NULL && !tgGltfBuilder_HasFailed(&work->builder)) {
            tgGltfCarry_MoveImage(&work->carry, image, (int)index);
        }
    }
}

static void tgSetExtras(tgCorrectivesWork* work)
{
    tgGltfBuilder* builder = &work->builder;
    json_t* asset = json_object_get(builder->document, "asset");
    if (!json_is_object(json_object_get(asset, "extras"))) {
        tgGltfBuilder_Set(builder, asset, "extras", json_object());
    }
    tgGltfBuilder_Set(builder, json_object_get(asset, "extras"), "turgor",
                      json_loads(work->file->extras, JSON_DECODE_ANY, NULL));
}

static void tgFillCorrectives(tgCorrectivesWork* work)
{
    tgCopySource(work);
    for (int m = 0; m < work->file->meshes->count && !tgGltfBuilder_HasFailed(&work->builder);
         ++m) {
        tgExtendMesh(work, m);
    }
    if (!tgGltfBuilder_HasFailed(&work->builder)) {
        tgMendSkeletons(work);
        tgWriteTargetTracks(work);
        tgTakeImages(work);
        tgGltfCarry_TrimExtensions(&work->carry);
    }
    if (!tgGltfBuilder_HasFailed(&work->builder) && work->file->extras != NULL) {
        tgSetExtras(work);
    }
    if (!tgGltfBuilder_HasFailed(&work->builder) && work->file->compress) {
        tgCompressViews(work);
    }
}

tgResult tgSaveCorrectives(const tgCorrectivesFile* file, const char* path, tgError* error)
{
    tgCorrectivesWork work = {.file = file, .source = file->scene->source};
    tgResult result = tgGltfBuilder_Open(&work.builder, path, error);
    if (result == tg_success) {
        tgGltfCarry_Open(&work.carry, work.source, &work.builder);
        work.oldCounts = calloc((size_t)file->meshes->count + 1, sizeof(int));
        work.offsetViews = json_array();
        work.normalViews = json_array();
        if (work.oldCounts == NULL || work.offsetViews == NULL || work.normalViews == NULL) {
            tgGltfBuilder_Fail(&work.builder, tg_outOfMemory, -1, "no memory for the meshes");
        } else {
            tgFillCorrectives(&work);
        }
        result = tgGltfBuilder_Close(&work.builder, error);
    }
    tgGltfCarry_Free(&work.carry);
    tgGltfBuilder_Discard(&work.builder);
    json_decref(work.offsetViews);
    json_decref(work.normalViews);
    free(work.oldCounts);
    return result;
}
