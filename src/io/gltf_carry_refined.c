// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Vertex attributes for a mesh that is finer than the document's. What has a mean gets it, as
// floats, which every attribute may be; whole numbers, such as features that vertices belong to,
// have none, and a new vertex takes that of a neighbour.

#include "io/gltf_carry_refined.h"

#include "io/scene_refine.h"

#include <stdlib.h>
#include <string.h>

void tgAverageTangents(const tgScene* scene, int part, float* tangents)
{
    const tgScenePart* whole = &scene->parts[part];
    tgScene_AveragePart(scene, part, 4, tangents);
    for (int i = tgScene_GetFilePart(scene, part).vertexCount; i < whole->vertexCount; ++i) {
        int neighbour = scene->refined->means[whole->firstVertex + i].vertices[0];
        float* own = tangents + 4 * (size_t)i;
        tgVec3 first;
        memcpy(&first, tangents + 4 * (size_t)(neighbour - whole->firstVertex), sizeof(first));
        tgVec3 mean = tgNormalize(tgMakeVec3(own[0], own[1], own[2]), first);
        memcpy(own, &mean, sizeof(mean));
        own[3] = tangents[4 * (size_t)(neighbour - whole->firstVertex) + 3];
    }
}

static int tgAddMeans(tgGltfCarry* carry, const tgScene* scene, int part,
                      const tgGltfAccessor* accessor, bool isTangent)
{
    int count = scene->parts[part].vertexCount, width = accessor->componentCount;
    float* values = calloc((size_t)count, (size_t)width * sizeof(float));
    if (values == NULL) {
        tgGltfBuilder_Fail(carry->builder, tg_outOfMemory, -1, "no memory for %d vertices", count);
        return -1;
    }
    tgGltfAccessor_CopyFloats(accessor, values);
    if (isTangent) {
        tgAverageTangents(scene, part, values);
    } else {
        tgScene_AveragePart(scene, part, width, values);
    }
    tgGltfArray array = {values, count, tg_gltfFloat, width, tg_gltfVertices, false};
    int added = tgGltfBuilder_AddArray(carry->builder, &array);
    free(values);
    return added;
}

/// @param json of the accessor in the source
static int tgAddCopies(tgGltfCarry* carry, const tgScene* scene, int part,
                       const tgGltfAccessor* accessor, const tgJsonValue* json)
{
    tgGltfBuilder* builder = carry->builder;
    const tgScenePart* whole = &scene->parts[part];
    size_t size = (size_t)accessor->elementSize;
    uint8_t* bytes = calloc((size_t)whole->vertexCount, size);
    tgJsonValue* copy = tgCopyJson(&builder->arena, json);
    if (bytes == NULL || copy == NULL) {
        free(bytes);
        tgGltfBuilder_Fail(builder, tg_outOfMemory, -1, "no memory for %d vertices",
                           whole->vertexCount);
        return -1;
    }
    tgGltfAccessor_CopyPacked(accessor, bytes);
    for (int i = accessor->count; i < whole->vertexCount; ++i) {
        int from = scene->refined->means[whole->firstVertex + i].vertices[0] - whole->firstVertex;
        memcpy(bytes + (size_t)i * size, bytes + (size_t)from * size, size);
    }
    static const char* const gone[] = {"byteOffset", "sparse"};
    for (size_t i = 0; i < sizeof(gone) / sizeof(gone[0]); ++i) {
        tgJson_Remove(copy, gone[i]);
    }
    int view = tgGltfCarry_AddElements(carry, bytes, whole->vertexCount, size, tg_carryVertices);
    tgGltfBuilder_SetWhole(builder, copy, "bufferView", view);
    tgGltfBuilder_SetWhole(builder, copy, "count", whole->vertexCount);
    free(bytes);
    return tgGltfBuilder_AddAccessor(builder, copy);
}

/// The accessor of one attribute for all vertices of the part; -1 after a failure.
static int tgRefineAttribute(tgGltfCarry* carry, const tgScene* scene, int part, const char* key,
                             long long index)
{
    tgGltfBuilder* builder = carry->builder;
    tgGltfAccessor accessor;
    if (tgGltfBuilder_HasFailed(builder)) {
        return -1;
    }
    if (index < 0 || index >= carry->accessorCount) {
        tgGltfBuilder_Fail(builder, tg_invalidMesh, -1,
                           "%s refers to accessor %lld, the input has %d", key, (long long)index,
                           carry->accessorCount);
        return -1;
    }
    if (tgGltfSource_GetAccessor(carry->source, (int)index, &accessor, &builder->failure) !=
        tg_success) {
        return -1;
    }
    int fileCount = tgScene_GetFilePart(scene, part).vertexCount;
    if (accessor.count != fileCount) {
        tgGltfBuilder_Fail(builder, tg_invalidMesh, -1, "%s has %d elements for %d vertices", key,
                           accessor.count, fileCount);
        return -1;
    }
    bool isWhole = accessor.componentType != tg_gltfFloat && !accessor.normalized;
    if (isWhole || accessor.isMatrix) {
        const tgJsonValue* all = tgJson_Find(carry->source->document, "accessors");
        return tgAddCopies(carry, scene, part, &accessor, tgJson_GetItem(all, (size_t)index));
    }
    bool isTangent = strcmp(key, "TANGENT") == 0 && accessor.componentCount == 4;
    return tgAddMeans(carry, scene, part, &accessor, isTangent);
}

/// The same accessor for the same vertices is the same again: parts share them.
static int tgFindRefined(tgGltfCarry* carry, const tgScene* scene, int part, const char* key,
                         long long index)
{
    int firstVertex = scene->parts[part].firstVertex;
    for (const tgRefinedAccessor* known = carry->refined; known != NULL; known = known->next) {
        if (known->source == index && known->firstVertex == firstVertex) {
            return known->accessor;
        }
    }
    tgRefinedAccessor* added = malloc(sizeof(*added));
    if (added == NULL) {
        tgGltfBuilder_Fail(carry->builder, tg_outOfMemory, -1, "no memory for the accessors");
        return -1;
    }
    int accessor = tgRefineAttribute(carry, scene, part, key, index);
    *added = (tgRefinedAccessor){index, firstVertex, accessor, carry->refined};
    carry->refined = added;
    return accessor;
}

void tgGltfCarry_RemapPart(tgGltfCarry* carry, const tgScene* scene, int part,
                           tgJsonValue* attributes)
{
    if (scene->refined == NULL) {
        tgGltfCarry_RemapAll(carry, attributes, tg_carryVertices);
        return;
    }
    tgJsonValue* value = NULL;
    for (size_t member = 0; (value = tgJson_GetMember(attributes, member)) != NULL; ++member) {
        const char* key = value->key;
        long long index = tgJson_IsWhole(value) ? tgJson_GetWhole(value) : -1;
        // Replacing the value of a key that is there is safe within the loop.
        tgGltfBuilder_SetWhole(carry->builder, attributes, key,
                               tgFindRefined(carry, scene, part, key, index));
    }
}
