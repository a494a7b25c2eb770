// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Morph targets: offsets of positions, one for each target and run of vertices, with the weights
// that the node or its mesh starts with (section 3.7.2.2). Targets that only bend normals or
// colours are left out.

#include "core/core.h"
#include "io/gltf_read.h"

#include <limits.h>

/// The accessor of a target's positions, -1 for none.
static tgResult tgGetTargetAccessor(const tgGltfReader* reader, int part, size_t target,
                                    int* accessor, tgError* error)
{
    const tgGltfPart* origin = &reader->source->parts[part];
    tgPlace place = tgMakePlace("meshes[%d].primitives[%d].targets[%zu]", origin->mesh,
                                origin->primitive, target);
    const tgJsonValue* json = tgJson_GetItem(reader->primitives[part].targets, target);
    if (!tgJson_IsObject(json)) {
        return tgFail(error, tg_invalidMesh, -1, "%s is %s, expected an object", place.text,
                      tgJson_GetTypeName(json));
    }
    return tgJson_GetIndex(json, "POSITION", place.text, tgJson_CountItems(reader->accessors),
                           accessor, error);
}

/// "weights" of the node, or of its mesh, or 0.
static float tgGetDefaultWeight(const tgGltfReader* reader, const tgGltfPart* origin, size_t target)
{
    const tgJsonValue* node = tgJson_GetItem(reader->nodes, (size_t)origin->node);
    const tgJsonValue* mesh = tgJson_GetItem(reader->meshes, (size_t)origin->mesh);
    const tgJsonValue* weights = tgJson_Find(node, "weights");
    if (weights == NULL) {
        weights = tgJson_Find(mesh, "weights");
    }
    double weight = tgJson_GetNumber(tgJson_GetItem(weights, target));
    return weight > -1e6 && weight < 1e6 ? (float)weight : 0.0f;
}

/// Exporters agreed on mesh.extras.targetNames; the specification has no names.
static const char* tgGetTargetName(const tgGltfReader* reader, int mesh, size_t target)
{
    const tgJsonValue* extras = tgJson_Find(tgJson_GetItem(reader->meshes, (size_t)mesh), "extras");
    const tgJsonValue* name = tgJson_GetItem(tgJson_Find(extras, "targetNames"), target);
    return tgJson_IsText(name) ? tgJson_GetString(name) : "";
}

/// Offsets that move nothing, which a bake has for frames that stand still: all share one array.
static tgResult tgGetZeros(tgGltfReader* reader, int count, const tgVec3** offsets, tgError* error)
{
    if (reader->zeroCount < count) {
        int most = 0;
        for (int i = 0; i < reader->scene->partCount; ++i) {
            int partCount = reader->scene->parts[i].vertexCount;
            most = partCount > most ? partCount : most;
        }
        reader->zeros = tgGltfReader_Alloc(reader->scene, (size_t)most, sizeof(tgVec3), error);
        reader->zeroCount = reader->zeros != NULL ? most : 0;
    }
    *offsets = reader->zeros;
    return reader->zeros != NULL ? tg_success : tg_outOfMemory;
}

/// One offset for each vertex of the part, in the scene's space.
static tgResult tgReadOffsets(tgGltfReader* reader, const tgScenePart* part, int accessorIndex,
                              const char* place, const tgVec3** result, tgError* error)
{
    tgGltfAccessor accessor;
    if (tgGltfSource_GetAccessor(reader->source, accessorIndex, &accessor, NULL) == tg_success &&
        accessor.data == NULL && accessor.sparseCount == 0 && accessor.componentCount == 3 &&
        accessor.count == part->vertexCount) {
        return tgGetZeros(reader, accessor.count, result, error);
    }
    tgResult status = tgGltfReader_GetAccessor(reader, accessorIndex, 3, place, &accessor, error);
    if (status != tg_success) {
        return status;
    }
    if (accessor.count != part->vertexCount) {
        return tgFail(error, tg_invalidMesh, -1, "%s has %d offsets for %d vertices", place,
                      accessor.count, part->vertexCount);
    }
    size_t count = (size_t)accessor.count;
    tgVec3* offsets = tgGltfReader_Alloc(reader->scene, count, sizeof(tgVec3), error);
    const tgMat34* nodesToModel =
        reader->hasSkin ? NULL : tgGltfReader_GetNodesToModel(reader, error);
    if (offsets == NULL || (nodesToModel == NULL && !reader->hasSkin)) {
        return tg_outOfMemory;
    }
    tgGltfAccessor_CopyFloats(&accessor, &offsets->x);
    for (size_t v = 0; v < count; ++v) {
        if (!reader->hasSkin) {
            offsets[v] = tgMulMatDirection(&nodesToModel[part->node], offsets[v]);
        }
        if (!tgIsFiniteVec3(offsets[v])) {
            return tgFail(error, tg_invalidMesh, (int)v,
                          "%s moves vertex %zu by (%g, %g, %g), expected finite numbers", place, v,
                          (double)offsets[v].x, (double)offsets[v].y, (double)offsets[v].z);
        }
    }
    *result = offsets;
    return tg_success;
}

static tgResult tgReadMorph(tgGltfReader* reader, int partIndex, size_t target, int accessorIndex,
                            tgSceneMorph* morph, tgError* error)
{
    const tgGltfPart* origin = &reader->source->parts[partIndex];
    const tgScenePart* part = &reader->scene->parts[partIndex];
    tgPlace place = tgMakePlace("meshes[%d].primitives[%d].targets[%zu]", origin->mesh,
                                origin->primitive, target);
    const tgVec3* offsets = NULL;
    tgResult result = tgReadOffsets(reader, part, accessorIndex, place.text, &offsets, error);
    if (result != tg_success) {
        return result;
    }
    *morph = (tgSceneMorph){
        .name = tgGetTargetName(reader, origin->mesh, target),
        .node = part->node,
        .indexInNode = (int)target,
        .firstVertex = part->firstVertex,
        .vertexCount = part->vertexCount,
        .offsets = offsets,
        .weight = tgGetDefaultWeight(reader, origin, target),
    };
    return tg_success;
}

tgResult tgReadGltfMorphs(tgGltfReader* reader, tgError* error)
{
    tgScene* scene = reader->scene;
    size_t room = 0;
    for (int i = 0; i < scene->partCount; ++i) {
        bool isOwner = reader->source->parts[i].ownsVertices;
        room += isOwner ? tgJson_CountItems(reader->primitives[i].targets) : 0;
    }
    if (room == 0) {
        return tg_success;
    }
    if (room > INT_MAX / 16) {
        return tgFail(error, tg_unsupported, -1, "%zu morph targets, expected at most %d", room,
                      INT_MAX / 16);
    }
    tgResult spent =
        tgGltfReader_Spend(reader, "meshes", room, sizeof(tgSceneMorph), "morph targets", error);
    if (spent != tg_success) {
        return spent;
    }
    scene->morphs = tgGltfReader_Alloc(scene, room, sizeof(tgSceneMorph), error);
    if (scene->morphs == NULL) {
        return tg_outOfMemory;
    }
    for (int i = 0; i < scene->partCount; ++i) {
        if (!reader->source->parts[i].ownsVertices) {
            continue;
        }
        size_t targetCount = tgJson_CountItems(reader->primitives[i].targets);
        for (size_t target = 0; target < targetCount; ++target) {
            int accessor = -1;
            tgResult result = tgGetTargetAccessor(reader, i, target, &accessor, error);
            if (result == tg_success && accessor >= 0) {
                result = tgReadMorph(reader, i, target, accessor, &scene->morphs[scene->morphCount],
                                     error);
                scene->morphCount += result == tg_success;
            }
            if (result != tg_success) {
                return result;
            }
        }
    }
    return tg_success;
}
