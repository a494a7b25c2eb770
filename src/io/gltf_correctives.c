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
    const tgJsonValue* source = tgJson_Find(work->source->document, "bufferViews");
    tgJsonValue* views = source != NULL ? tgCopyJson(&builder->arena, source) : NULL;
    if (starts == NULL || (views == NULL && source != NULL)) {
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
    tgJsonValue* view = NULL;
    for (size_t index = 0; (view = tgJson_GetItem(views, index)) != NULL; ++index) {
        long long buffer = tgJson_GetWhole(tgJson_Find(view, "buffer"));
        long long offset = tgJson_GetWhole(tgJson_Find(view, "byteOffset"));
        if (buffer < 0 || buffer >= work->source->bufferCount ||
            work->source->buffers[buffer].data == NULL) {
            tgGltfBuilder_Fail(builder, tg_unsupported, -1,
                               "bufferViews[%zu] has no bytes of its own, an extension has them",
                               index);
            break;
        }
        tgGltfBuilder_SetWhole(builder, view, "buffer", 0);
        tgGltfBuilder_SetWhole(builder, view, "byteOffset", offset + (long long)starts[buffer]);
        tgJson_Remove(tgJson_Find(view, "extensions"), "EXT_meshopt_compression");
    }
    if (views != NULL) {
        builder->bufferViews = views;
    }
    free(starts);
}

static void tgCopySource(tgCorrectivesWork* work)
{
    tgGltfBuilder* builder = &work->builder;
    const tgJsonValue* accessors = tgJson_Find(work->source->document, "accessors");
    tgGltfBuilder_CopyDocument(builder, work->source->document);
    if (accessors != NULL) {
        tgJsonValue* copy = tgCopyJson(&builder->arena, accessors);
        if (copy == NULL) {
            tgGltfBuilder_Fail(builder, tg_outOfMemory, -1, "no memory for the accessors");
            return;
        }
        builder->accessors = copy;
    }
    tgCopyBuffers(work);
}

/// Targets of the mesh's own: the most that a primitive has.
static int tgCountOwnTargets(const tgJsonValue* mesh)
{
    size_t most = 0;
    const tgJsonValue* primitives = tgJson_Find(mesh, "primitives");
    const tgJsonValue* primitive = NULL;
    for (size_t index = 0; (primitive = tgJson_GetItem(primitives, index)) != NULL; ++index) {
        size_t count = tgJson_CountItems(tgJson_Find(primitive, "targets"));
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
static int tgCountVertices(const tgCorrectivesWork* work, const tgJsonValue* primitive)
{
    const tgJsonValue* attributes = tgJson_Find(primitive, "attributes");
    const tgJsonValue* index = tgJson_Find(attributes, "POSITION");
    const tgJsonValue* accessor =
        tgJson_GetItem(work->builder.accessors, (size_t)tgJson_GetWhole(index));
    return (int)tgJson_GetWhole(tgJson_Find(accessor, "count"));
}

/// An accessor of zeros, for a primitive that has to have a target and does not move.
static int tgAddZeros(tgCorrectivesWork* work, int count)
{
    const float zero[3] = {0};
    tgJsonValue* json = tgPackJson(&work->builder.arena, "{s:i, s:i, s:s}", "componentType",
                                   tg_gltfFloat, "count", count, "type", "VEC3");
    tgGltfBuilder_Set(&work->builder, json, "min", tgMakeJsonFloats(&work->builder.arena, zero, 3));
    tgGltfBuilder_Set(&work->builder, json, "max", tgMakeJsonFloats(&work->builder.arena, zero, 3));
    return tgGltfBuilder_AddAccessor(&work->builder, json);
}

/// Vectors of all targets of a part in one view. Compressed files hold them in full: zeros take
/// next to no room, and the codec likes them better.
/// @param vectors of the mesh's first target, at the part's first vertex
static int tgWriteWhole(tgCorrectivesWork* work, const tgVec3* vectors, int mesh,
                        const tgScenePart* part, tgJsonValue* list)
{
    tgGltfBuilder* builder = &work->builder;
    size_t stride = (size_t)work->file->meshes->meshes[mesh].vertexCount;
    tgGltfBuilder_BeginView(builder);
    for (int t = 0; t < work->file->targets[mesh].targetCount; ++t) {
        tgGltfBuilder_Write(builder, vectors + (size_t)t * stride,
                            (size_t)part->vertexCount * sizeof(tgVec3));
    }
    int view = tgGltfBuilder_EndView(builder, tg_gltfVertices, (int)sizeof(tgVec3));
    tgGltfBuilder_Append(builder, list, tgMakeJsonWhole(&builder->arena, view));
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

static tgJsonValue* tgMakeTarget(tgCorrectivesWork* work, int mesh, int target,
                                 const tgScenePart* part, bool hasNormals, tgTargetViews views)
{
    const tgShownMesh* shown = &work->file->meshes->meshes[mesh];
    const tgMeshTargets* targets = &work->file->targets[mesh];
    size_t first = (size_t)target * (size_t)shown->vertexCount +
                   (size_t)(part->firstVertex - shown->firstVertices[0]);
    tgJsonValue* json = tgMakeJsonObject(&work->builder.arena);
    int accessor = tgAddVectors(work, targets->offsets + first, part->vertexCount, true,
                                views.offsets, target);
    tgGltfBuilder_SetWhole(&work->builder, json, "POSITION", accessor);
    if (hasNormals) {
        accessor = tgAddVectors(work, targets->normals + first, part->vertexCount, false,
                                views.normals, target);
        tgGltfBuilder_SetWhole(&work->builder, json, "NORMAL", accessor);
    }
    return json;
}

/// "targets" of a primitive: its own, filled up where it has fewer than others, then the new ones.
static void tgExtendPrimitive(tgCorrectivesWork* work, int mesh, int index, tgJsonValue* primitive)
{
    tgGltfBuilder* builder = &work->builder;
    const tgShownMesh* shown = &work->file->meshes->meshes[mesh];
    const tgMeshTargets* targets = &work->file->targets[mesh];
    int part = tgFindPart(work, shown, index);
    if (tgJson_Find(primitive, "targets") == NULL) {
        tgGltfBuilder_Set(builder, primitive, "targets", tgMakeJsonList(&builder->arena));
    }
    tgJsonValue* array = tgJson_Find(primitive, "targets");
    int vertexCount = tgCountVertices(work, primitive);
    while ((int)tgJson_CountItems(array) < work->oldCounts[mesh] &&
           !tgGltfBuilder_HasFailed(builder)) {
        int zeros = tgAddZeros(work, vertexCount);
        tgGltfBuilder_Append(builder, array,
                             tgPackJson(&builder->arena, "{s:i}", "POSITION", zeros));
    }
    const tgJsonValue* attributes = tgJson_Find(primitive, "attributes");
    bool hasNormals = targets->normals != NULL && tgJson_Find(attributes, "NORMAL") != NULL;
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
        tgJsonValue* target = range != NULL ? tgMakeTarget(work, mesh, t, range, hasNormals, views)
                                            : tgPackJson(&builder->arena, "{s:i}", "POSITION",
                                                         tgAddZeros(work, vertexCount));
        tgGltfBuilder_Append(builder, array, target);
    }
}

/// The array `key` of an object with at least so many entries of zero.
static tgJsonValue* tgFillWeights(tgCorrectivesWork* work, tgJsonValue* object, int count)
{
    tgGltfBuilder* builder = &work->builder;
    if (!tgJson_IsList(tgJson_Find(object, "weights"))) {
        tgGltfBuilder_Set(builder, object, "weights", tgMakeJsonList(&builder->arena));
    }
    tgJsonValue* weights = tgJson_Find(object, "weights");
    while ((int)tgJson_CountItems(weights) < count && !tgGltfBuilder_HasFailed(builder)) {
        tgGltfBuilder_Append(builder, weights, tgMakeJsonNumber(&builder->arena, 0.0));
    }
    while ((int)tgJson_CountItems(weights) > count) {
        tgJson_RemoveItem(weights, tgJson_CountItems(weights) - 1);
    }
    return weights;
}

static void tgAppendWeights(tgCorrectivesWork* work, tgJsonValue* weights, const float* values,
                            int count)
{
    for (int i = 0; i < count; ++i) {
        tgGltfBuilder_Append(&work->builder, weights,
                             tgMakeJsonNumber(&work->builder.arena, (double)values[i]));
    }
}

/// Weights when nothing plays: the mesh's for its first node, and each node's own where there are
/// several or it has some already.
static void tgExtendWeights(tgCorrectivesWork* work, int mesh, tgJsonValue* json)
{
    tgGltfBuilder* builder = &work->builder;
    const tgShownMesh* shown = &work->file->meshes->meshes[mesh];
    const tgMeshTargets* targets = &work->file->targets[mesh];
    int old = work->oldCounts[mesh];
    tgJsonValue* nodes = tgGltfBuilder_GetArray(builder, "nodes");
    tgJsonValue* meshWeights = tgFillWeights(work, json, old);
    for (int n = 0; n < shown->nodeCount; ++n) {
        work->isExtended[shown->nodes[n]] = true;
        tgJsonValue* node = tgJson_GetItem(nodes, (size_t)work->source->gltfNodes[shown->nodes[n]]);
        bool hasOwn = tgJson_Find(node, "weights") != NULL;
        if (!hasOwn && shown->nodeCount > 1) {
            tgGltfBuilder_Set(builder, node, "weights", tgCopyJson(&builder->arena, meshWeights));
        }
        if (hasOwn || shown->nodeCount > 1) {
            tgAppendWeights(work, tgFillWeights(work, node, old),
                            targets->weights + (size_t)n * (size_t)targets->targetCount,
                            targets->targetCount);
        }
    }
    tgAppendWeights(work, meshWeights, targets->weights, targets->targetCount);
}

/// Places get the weights of their source.
static void tgCopyWeights(tgCorrectivesWork* work)
{
    tgGltfBuilder* builder = &work->builder;
    const tgScene* scene = work->file->scene;
    const int* gltfNodes = work->source->gltfNodes;
    tgJsonValue* nodes = tgGltfBuilder_GetArray(builder, "nodes");
    for (int i = 0; i < scene->placeCount; ++i) {
        const tgScenePlace* place = &scene->places[i];
        tgJsonValue* node = tgJson_GetItem(nodes, (size_t)gltfNodes[place->node]);
        const tgJsonValue* source = tgJson_GetItem(nodes, (size_t)gltfNodes[place->source]);
        const tgJsonValue* weights = tgJson_Find(source, "weights");
        if (work->isExtended[place->source] && weights != NULL) {
            tgGltfBuilder_Set(builder, node, "weights", tgCopyJson(&builder->arena, weights));
        }
    }
}

static void tgExtendNames(tgCorrectivesWork* work, int mesh, tgJsonValue* json)
{
    tgGltfBuilder* builder = &work->builder;
    const tgMeshTargets* targets = &work->file->targets[mesh];
    if (!tgJson_IsObject(tgJson_Find(json, "extras"))) {
        tgGltfBuilder_Set(builder, json, "extras", tgMakeJsonObject(&builder->arena));
    }
    tgJsonValue* extras = tgJson_Find(json, "extras");
    if (!tgJson_IsList(tgJson_Find(extras, "targetNames"))) {
        tgGltfBuilder_Set(builder, extras, "targetNames", tgMakeJsonList(&builder->arena));
    }
    tgJsonValue* names = tgJson_Find(extras, "targetNames");
    for (int i = (int)tgJson_CountItems(names); i < work->oldCounts[mesh]; ++i) {
        char name[32];
        snprintf(name, sizeof(name), "target_%d", i);
        tgGltfBuilder_Append(builder, names, tgMakeJsonText(&builder->arena, name));
    }
    for (int t = 0; t < targets->targetCount; ++t) {
        tgGltfBuilder_Append(builder, names, tgMakeJsonText(&builder->arena, targets->names[t]));
    }
}

static void tgExtendMesh(tgCorrectivesWork* work, int mesh)
{
    tgGltfBuilder* builder = &work->builder;
    const tgShownMesh* shown = &work->file->meshes->meshes[mesh];
    tgJsonValue* json =
        tgJson_GetItem(tgGltfBuilder_GetArray(builder, "meshes"), (size_t)shown->mesh);
    work->oldCounts[mesh] = tgCountOwnTargets(json);
    tgJsonValue* primitive = NULL;
    for (size_t index = 0;
         (primitive = tgJson_GetItem(tgJson_Find(json, "primitives"), index)) != NULL; ++index) {
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
    tgJsonValue* image = NULL;
    for (size_t index = 0;
         (image = tgJson_GetItem(tgJson_Find(work->builder.document, "images"), index)) != NULL;
         ++index) {
        if (tgJson_Find(image, "uri") != NULL && !tgGltfBuilder_HasFailed(&work->builder)) {
            tgGltfCarry_MoveImage(&work->carry, image, (int)index);
        }
    }
}

static void tgSetExtras(tgCorrectivesWork* work)
{
    tgGltfBuilder* builder = &work->builder;
    tgJsonValue* asset = tgJson_Find(builder->document, "asset");
    if (!tgJson_IsObject(tgJson_Find(asset, "extras"))) {
        tgGltfBuilder_Set(builder, asset, "extras", tgMakeJsonObject(&builder->arena));
    }
    tgError error = {0};
    tgJsonValue* extras = tgReadJson(work->file->extras, strlen(work->file->extras),
                                     &tg_settingsRules, &builder->arena, &error);
    if (extras == NULL) {
        tgGltfBuilder_Fail(builder, error.code, -1, "extras: %s", error.message);
    } else {
        tgGltfBuilder_Set(builder, tgJson_Find(asset, "extras"), "turgor", extras);
    }
}

static void tgFillCorrectives(tgCorrectivesWork* work)
{
    tgCopySource(work);
    for (int m = 0; m < work->file->meshes->count && !tgGltfBuilder_HasFailed(&work->builder);
         ++m) {
        tgExtendMesh(work, m);
    }
    if (!tgGltfBuilder_HasFailed(&work->builder)) {
        tgCopyWeights(work);
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
    tgResult result = tgGltfBuilder_Open(&work.builder, path, file->memory, error);
    if (result == tg_success) {
        tgGltfCarry_Open(&work.carry, work.source, &work.builder);
        work.oldCounts = calloc((size_t)file->meshes->count + 1, sizeof(int));
        work.isExtended = calloc((size_t)file->scene->nodeCount + 1, sizeof(bool));
        work.offsetViews = tgMakeJsonList(&work.builder.arena);
        work.normalViews = tgMakeJsonList(&work.builder.arena);
        if (work.oldCounts == NULL || work.isExtended == NULL || work.offsetViews == NULL ||
            work.normalViews == NULL) {
            tgGltfBuilder_Fail(&work.builder, tg_outOfMemory, -1, "no memory for the meshes");
        } else {
            tgFillCorrectives(&work);
        }
        result = tgGltfBuilder_Close(&work.builder, error);
    }
    tgGltfCarry_Free(&work.carry);
    tgGltfBuilder_Discard(&work.builder);
    free(work.oldCounts);
    free(work.isExtended);
    return result;
}
