// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// tgSaveScene: a character as glTF, skinned and animated. Materials, textures and further vertex
// attributes of a glTF input are carried over; its cameras, lights and other meshes are not.

#include "io/gltf_write.h"

#include "core/core.h"
#include "io/gltf_write_mesh.h"
#include "io/vertex_normals.h"
#include "turgor/io.h"

#include <stdlib.h>
#include <string.h>

static tgResult tgCheckScene(const tgScene* scene, tgError* error)
{
    if (scene->vertexCount < 1 || scene->positions == NULL) {
        return tgFail(error, tg_invalidMesh, -1, "the scene has no vertices to write");
    }
    for (int v = 0; v < scene->vertexCount; ++v) {
        tgVec3 p = scene->positions[v];
        if (!tgIsFiniteVec3(p)) {
            return tgFail(error, tg_invalidMesh, v,
                          "vertex %d is at (%g, %g, %g), expected finite numbers", v, (double)p.x,
                          (double)p.y, (double)p.z);
        }
    }
    for (int j = 0; j < scene->jointCount; ++j) {
        int node = scene->joints[j].node;
        if (node < 0 || node >= scene->nodeCount) {
            return tgFail(error, tg_invalidMesh, j, "joint %d uses node %d, the scene has %d", j,
                          node, scene->nodeCount);
        }
    }
    return tg_success;
}

/// Morph targets of each object: one more than the highest index its node is driven by.
static void tgCountTargets(tgSceneWriter* writer)
{
    for (int m = 0; m < writer->scene->morphCount; ++m) {
        const tgSceneMorph* morph = &writer->scene->morphs[m];
        for (int i = 0; i < writer->layout.meshCount; ++i) {
            if (writer->layout.objects[i].node == morph->node &&
                writer->targetCounts[i] <= morph->indexInNode) {
                writer->targetCounts[i] = morph->indexInNode + 1;
            }
        }
    }
}

/// The offsets that target `index` of a node gives to a range; zero where no morph reaches.
static void tgGatherOffsets(const tgScene* scene, int node, int index, tgVertexRange range,
                            tgVec3* offsets)
{
    memset(offsets, 0, (size_t)range.vertexCount * sizeof(*offsets));
    for (int m = 0; m < scene->morphCount; ++m) {
        const tgSceneMorph* morph = &scene->morphs[m];
        if (morph->node != node || morph->indexInNode != index) {
            continue;
        }
        for (int i = 0; i < morph->vertexCount; ++i) {
            int v = morph->firstVertex + i - range.firstVertex;
            if (v >= 0 && v < range.vertexCount && tgIsFiniteVec3(morph->offsets[i])) {
                offsets[v] = morph->offsets[i];
            }
        }
    }
}

/// "targets" of a range that an object of this node uses; NULL when it has none.
static tgJsonValue* tgMakeTargets(tgSceneWriter* writer, int object, tgVertexRange range)
{
    if (writer->targetCounts[object] == 0) {
        return NULL;
    }
    tgGltfBuilder* builder = &writer->builder;
    tgJsonValue* targets = tgMakeJsonList(&builder->arena);
    tgVec3* offsets = malloc((size_t)range.vertexCount * sizeof(*offsets));
    if (offsets == NULL) {
        tgGltfBuilder_Fail(builder, tg_outOfMemory, -1, "no memory for a morph target");
    }
    for (int t = 0; t < writer->targetCounts[object] && offsets != NULL; ++t) {
        tgGatherOffsets(writer->scene, writer->layout.objects[object].node, t, range, offsets);
        int accessor = tgGltfBuilder_AddOffsets(builder, offsets, range.vertexCount, true);
        tgGltfBuilder_Append(builder, targets,
                             tgPackJson(&builder->arena, "{s:i}", "POSITION", accessor));
    }
    free(offsets);
    return targets;
}

/// Weights and names of an object's morph targets.
static void tgSetTargetWeights(tgSceneWriter* writer, int object, tgJsonValue* mesh)
{
    tgGltfBuilder* builder = &writer->builder;
    tgJsonValue* weights = tgMakeJsonList(&builder->arena);
    tgJsonValue* names = tgMakeJsonList(&builder->arena);
    for (int t = 0; t < writer->targetCounts[object]; ++t) {
        float weight = 0.0f;
        const char* name = "";
        for (int m = 0; m < writer->scene->morphCount; ++m) {
            const tgSceneMorph* morph = &writer->scene->morphs[m];
            if (morph->node == writer->layout.objects[object].node && morph->indexInNode == t) {
                weight = isfinite(morph->weight) ? morph->weight : 0.0f;
                name = morph->name != NULL ? morph->name : "";
            }
        }
        tgGltfBuilder_Append(builder, weights, tgMakeJsonNumber(&builder->arena, (double)weight));
        tgGltfBuilder_Append(builder, names, tgMakeJsonText(&builder->arena, name));
    }
    tgGltfBuilder_Set(builder, mesh, "weights", weights);
    tgGltfBuilder_Set(builder, mesh, "extras",
                      tgPackJson(&builder->arena, "{s:o}", "targetNames", names));
}

/// Give every object and place its mesh, and the skin.
static void tgShowMeshes(tgSceneWriter* writer)
{
    tgGltfBuilder* builder = &writer->builder;
    tgJsonValue* nodes = tgGltfBuilder_GetArray(builder, "nodes");
    for (int i = 0; i < writer->layout.objectCount; ++i) {
        tgJsonValue* node = tgJson_GetItem(nodes, (size_t)writer->objectNodes[i]);
        tgGltfBuilder_SetWhole(builder, node, "mesh", writer->layout.objects[i].mesh);
        if (writer->skin >= 0) {
            tgGltfBuilder_SetWhole(builder, node, "skin", writer->skin);
        }
    }
}

static void tgWriteMeshes(tgSceneWriter* writer, tgJsonValue** attributes, tgJsonValue** targets)
{
    tgGltfBuilder* builder = &writer->builder;
    const tgMeshLayout* layout = &writer->layout;
    tgJsonValue* meshes = tgGltfBuilder_GetArray(builder, "meshes");
    for (int i = 0; i < layout->meshCount; ++i) {
        bool hasTargets = writer->targetCounts[i] > 0;
        // Objects may share a range but not its targets, so each gathers its own.
        for (int p = 0; p < layout->partCount && hasTargets; ++p) {
            int range = layout->partRanges[p];
            if (layout->partObjects[p] == i && targets[range] == NULL) {
                targets[range] = tgMakeTargets(writer, i, layout->ranges[range]);
            }
        }
        tgJsonValue* mesh = tgGltfBuilder_MakeMesh(builder, writer->scene, layout, i, attributes,
                                                   hasTargets ? targets : NULL);
        if (hasTargets) {
            tgSetTargetWeights(writer, i, mesh);
        }
        if (writer->carries) {
            tgCarryPrimitives(writer, i, mesh);
        }
        for (int range = 0; range < layout->rangeCount; ++range) {
            targets[range] = NULL;
        }
        tgGltfBuilder_Append(builder, meshes, mesh);
    }
    tgShowMeshes(writer);
}

/// Attributes of every range, then the meshes on them.
static tgResult tgWriteGeometry(tgSceneWriter* writer, tgError* error)
{
    const tgScene* scene = writer->scene;
    const tgMeshLayout* layout = &writer->layout;
    size_t rangeCount = (size_t)layout->rangeCount;
    tgJsonValue** attributes = calloc(rangeCount, sizeof(*attributes));
    tgJsonValue** targets = calloc(rangeCount, sizeof(*targets));
    tgVec3* normals = NULL;
    tgResult result = tg_success;
    if (scene->normals != NULL) {
        normals = malloc((size_t)scene->vertexCount * sizeof(*normals));
    }
    if (attributes == NULL || targets == NULL || (scene->normals != NULL && normals == NULL)) {
        result = tgFail(error, tg_outOfMemory, -1, "no memory for %zu vertex ranges", rangeCount);
    } else if (normals != NULL) {
        result = tgMakeUnitNormals(scene, layout, scene->positions, scene->normals, normals, error);
    }
    if (result == tg_success) {
        for (size_t i = 0; i < rangeCount; ++i) {
            attributes[i] = tgGltfBuilder_MakeAttributes(&writer->builder, scene, layout->ranges[i],
                                                         scene->positions, normals);
            if (writer->skin >= 0) {
                tgWriteInfluences(writer, layout->ranges[i], attributes[i]);
            }
        }
        tgWriteMeshes(writer, attributes, targets);
    }
    free(attributes);
    free(targets);
    free(normals);
    return result;
}

/// Everything but closing the file.
static tgResult tgFillScene(tgSceneWriter* writer, const char* path, tgBytes* memory,
                            tgError* error)
{
    const tgScene* scene = writer->scene;
    tgResult result = tgCheckScene(scene, error);
    if (result == tg_success) {
        result = tgMeshLayout_Make(&writer->layout, scene, error);
    }
    if (result == tg_success) {
        result = tgGltfBuilder_Open(&writer->builder, path, memory, error);
    }
    if (result != tg_success) {
        return result;
    }
    size_t objectCount = (size_t)writer->layout.objectCount;
    writer->objectNodes = calloc(objectCount, sizeof(int));
    writer->targetCounts = calloc(objectCount, sizeof(int));
    writer->jointNodes = calloc((size_t)scene->jointCount + 1, sizeof(int));
    if (writer->objectNodes == NULL || writer->targetCounts == NULL || writer->jointNodes == NULL) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for %zu objects", objectCount);
    }
    tgCountTargets(writer);
    tgWriteNodes(writer);
    tgWriteSkin(writer);
    writer->carries = tgOpenSceneCarry(writer);
    if (!writer->carries) {
        tgGltfBuilder_AddMaterials(&writer->builder, scene, &writer->layout);
    }
    result = tgWriteGeometry(writer, error);
    if (result == tg_success) {
        tgWriteAnimations(writer);
        if (writer->carries) {
            tgCloseSceneCarry(writer);
        }
    }
    return result;
}

static void tgFreeSceneWriter(tgSceneWriter* writer)
{
    tgGltfCarry_Free(&writer->carry);
    tgGltfBuilder_Discard(&writer->builder);
    tgMeshLayout_Free(&writer->layout);
    free(writer->objectNodes);
    free(writer->targetCounts);
    free(writer->jointNodes);
}

static tgResult tgWriteScene(const tgScene* scene, const char* path, tgBytes* memory,
                             tgError* error)
{
    tgSceneWriter writer = {.scene = scene, .skin = -1};
    tgResult result = tgFillScene(&writer, path, memory, error);
    if (result == tg_success) {
        result = tgGltfBuilder_Close(&writer.builder, error);
    }
    tgFreeSceneWriter(&writer);
    return result;
}

tgResult tgSaveSceneToMemory(const tgScene* scene, tgBytes* memory, tgError* error)
{
    *memory = (tgBytes){NULL, 0};
    return tgWriteScene(scene, "scene.glb", memory, error);
}

tgResult tgSaveScene(const tgScene* scene, const char* path, tgError* error)
{
    if (scene == NULL || path == NULL) {
        return tgFail(error, tg_invalidArgument, -1, "no scene or no path");
    }
    if (scene->hasRunOut) {
        return tgFail(error, tg_outOfMemory, -1, "memory ran out while the scene was made");
    }
    if (!tgHasEnding(path, ".glb") && !tgHasEnding(path, ".gltf")) {
        return tgFail(error, tg_unsupported, -1,
                      "unknown ending, a character is written as .glb or .gltf");
    }
    return tgWriteScene(scene, path, NULL, error);
}
