// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The document of a bake whose scene came from glTF: a copy of the input's in which each baked node
// has lost mesh and skin, and a new root without a transform carries the baked mesh. Everything
// else stays under its own index: nodes, materials, textures, cameras, lights, meshes without a
// skin, and the animation that was baked, for whatever hangs on a joint.

#include "io/gltf_bake_source.h"

#include "io/gltf_carry_refined.h"
#include "io/gltf_source_part.h"
#include "io/gltf_write_mesh.h"

#include <stdlib.h>
#include <string.h>

/// Extensions of the whole document that say things about the rig, or that refer to buffer views in
/// ways of their own.
static const char* const tg_rigExtensions[] = {
    "VRM",
    "VRMC_vrm",
    "VRMC_springBone",
    "EXT_structural_metadata",
};

static void tgCopyDocument(tgSourceBake* work)
{
    tgGltfBuilder* builder = work->builder;
    json_t* document = tgCopyJson(work->source->document);
    if (document == NULL) {
        tgGltfBuilder_Fail(builder, tg_outOfMemory, -1, "no memory to copy the document");
        return;
    }
    json_decref(builder->document);
    builder->document = document;
    static const char* const gone[] = {"accessors", "bufferViews", "buffers", "skins",
                                       "animations"};
    for (size_t i = 0; i < sizeof(gone) / sizeof(gone[0]); ++i) {
        json_object_del(document, gone[i]);
    }
    json_t* extensions = json_object_get(document, "extensions");
    for (size_t i = 0; i < sizeof(tg_rigExtensions) / sizeof(tg_rigExtensions[0]); ++i) {
        json_object_del(extensions, tg_rigExtensions[i]);
    }
    if (extensions != NULL && json_object_size(extensions) == 0) {
        json_object_del(document, "extensions");
    }
    if (!json_is_object(json_object_get(document, "asset"))) {
        tgGltfBuilder_Set(builder, document, "asset", json_object());
    }
    json_t* asset = json_object_get(document, "asset");
    tgGltfBuilder_Set(builder, asset, "version", json_string("2.0"));
    tgGltfBuilder_Set(builder, asset, "generator", json_string("turgor"));
}

/// Take mesh and skin from baked nodes, and from any other with a skin, for skins are gone.
static void tgStripNodes(tgSourceBake* work)
{
    json_t* nodes = tgGltfBuilder_GetArray(work->builder, "nodes");
    for (int i = 0; i < work->source->partCount; ++i) {
        work->isBaked[work->source->parts[i].node] = true;
    }
    size_t index = 0;
    json_t* node = NULL;
    json_array_foreach(nodes, index, node)
    {
        work->isBaked[index] |= json_object_get(node, "skin") != NULL;
        if (!work->isBaked[index]) {
            json_t* instances =
                json_object_get(json_object_get(node, "extensions"), "EXT_mesh_gpu_instancing");
            tgGltfCarry_RemapAll(&work->carry, json_object_get(instances, "attributes"),
                                 tg_carryOther);
            continue;
        }
        json_object_del(node, "mesh");
        json_object_del(node, "skin");
        json_object_del(node, "weights");
        json_object_del(json_object_get(node, "extensions"), "EXT_mesh_gpu_instancing");
        // The new node takes over the name, which would otherwise be there twice.
        if (json_object_get(node, "children") == NULL) {
            json_object_del(node, "name");
        }
    }
}

/// Meshes that nodes still use, with all their bytes.
static void tgCarryMeshes(tgSourceBake* work)
{
    tgGltfBuilder* builder = work->builder;
    json_t* old = json_incref(tgGltfBuilder_GetArray(builder, "meshes"));
    json_t* meshes = json_array();
    tgGltfBuilder_Set(builder, builder->document, "meshes", meshes);
    size_t index = 0, p = 0, t = 0;
    json_t *node = NULL, *primitive = NULL, *target = NULL;
    json_array_foreach(tgGltfBuilder_GetArray(builder, "nodes"), index, node)
    {
        json_t* value = json_object_get(node, "mesh");
        json_t* mesh = json_array_get(old, (size_t)json_integer_value(value));
        if (value == NULL || mesh == NULL) {
            continue;
        }
        int* known = &work->newMeshes[json_integer_value(value)];
        if (*known < 0) {
            *known = (int)json_array_size(meshes);
            tgGltfBuilder_Append(builder, meshes, json_incref(mesh));
            json_array_foreach(json_object_get(mesh, "primitives"), p, primitive)
            {
                tgGltfCarry_RemapAll(&work->carry, json_object_get(primitive, "attributes"),
                                     tg_carryVertices);
                tgGltfCarry_Remap(&work->carry, primitive, "indices", tg_carryIndices);
                json_array_foreach(json_object_get(primitive, "targets"), t, target)
                {
                    tgGltfCarry_RemapAll(&work->carry, target, tg_carryVertices);
                }
            }
        }
        tgGltfBuilder_Set(builder, node, "mesh", json_integer(*known));
    }
    json_decref(old);
}

/// Attributes that the bake writes itself, or that made sense with the skin only.
static bool tgIsBakedAttribute(const char* key)
{
    return strcmp(key, "POSITION") == 0 || strcmp(key, "NORMAL") == 0 ||
           strcmp(key, "TANGENT") == 0 || strncmp(key, "JOINTS_", 7) == 0 ||
           strncmp(key, "WEIGHTS_", 8) == 0;
}

static const json_t* tgGetSourceMesh(const tgSourceBake* work, int part)
{
    return tgGltfSource_GetMesh(work->source, work->bake->layout.partSources[part]);
}

static const json_t* tgGetSourcePrimitive(const tgSourceBake* work, int part)
{
    return tgGltfSource_GetPrimitive(work->source, work->bake->layout.partSources[part]);
}

bool tgMatchesSource(const tgGltfBake* bake)
{
    const tgScene* scene = bake->def->scene;
    return tgFitsSource(scene, &bake->layout) && !scene->source->hasOtherNodes;
}

static json_t* tgMakeBakedPrimitive(tgSourceBake* work, int part)
{
    tgGltfBake* bake = work->bake;
    tgGltfBuilder* builder = work->builder;
    json_t* primitive = tgCopyJson(tgGetSourcePrimitive(work, part));
    json_t* attributes = json_object_get(primitive, "attributes");
    const char* key = NULL;
    json_t* value = NULL;
    void* next = NULL;
    json_object_foreach_safe(attributes, next, key, value)
    {
        if (tgIsBakedAttribute(key)) {
            json_object_del(attributes, key);
        }
    }
    const tgScene* scene = bake->def->scene;
    tgGltfCarry_RemapPart(&work->carry, scene, bake->layout.partSources[part], attributes);
    if (scene->refined == NULL) {
        tgGltfCarry_Remap(&work->carry, primitive, "indices", tg_carryIndices);
    } else {
        int triangles =
            tgGltfBuilder_AddTriangles(builder, scene, &bake->layout, &bake->layout.parts[part]);
        tgGltfBuilder_Set(builder, primitive, "indices", json_integer(triangles));
        json_object_del(primitive, "mode");
    }
    json_object_del(json_object_get(primitive, "extensions"), "KHR_draco_mesh_compression");
    json_object_del(primitive, "targets");
    if (!bake->def->still) {
        json_t* targets = bake->targets[bake->layout.partRanges[part]];
        tgGltfBuilder_Set(builder, primitive, "targets", json_incref(targets));
    }
    bake->partAttributes[part] = attributes;
    return primitive;
}

/// The baked mesh of an object: its source's mesh with the parts that were baked.
static json_t* tgMakeBakedMesh(tgSourceBake* work, int object)
{
    const tgMeshLayout* layout = &work->bake->layout;
    tgGltfBuilder* builder = work->builder;
    json_t* mesh = NULL;
    json_t* primitives = json_array();
    for (int part = 0; part < layout->partCount; ++part) {
        if (layout->partObjects[part] != object) {
            continue;
        }
        if (mesh == NULL) {
            mesh = tgCopyJson(tgGetSourceMesh(work, part));
        }
        tgGltfBuilder_Append(builder, primitives, tgMakeBakedPrimitive(work, part));
    }
    json_object_del(mesh, "weights");
    json_object_del(json_object_get(mesh, "extras"), "targetNames");
    tgGltfBuilder_Set(builder, mesh, "primitives", primitives);
    tgSetFrameNames(work->bake, mesh);
    return mesh;
}

/// The root above a node of the document.
static int tgFindSourceRoot(const tgSourceBake* work, int node)
{
    const tgScene* scene = work->bake->def->scene;
    int at = work->source->sceneNodes[node];
    while (scene->nodes[at].parent >= 0) {
        at = scene->nodes[at].parent;
    }
    return work->source->gltfNodes[at];
}

/// "scenes" for a document that has none: all roots.
static void tgMakeScenes(tgSourceBake* work)
{
    tgGltfBuilder* builder = work->builder;
    json_t* roots = json_array();
    for (int i = 0; i < work->source->nodeCount; ++i) {
        if (tgFindSourceRoot(work, i) == i) {
            tgGltfBuilder_Append(builder, roots, json_integer(i));
        }
    }
    tgGltfBuilder_Set(builder, builder->document, "scenes", json_pack("[{s:o}]", "nodes", roots));
    tgGltfBuilder_Set(builder, builder->document, "scene", json_integer(0));
}

/// Show the new node in every scene that shows the old one; in the opening one when none does.
static void tgShowNode(tgSourceBake* work, int oldNode, int newNode)
{
    tgGltfBuilder* builder = work->builder;
    json_t* scenes = json_object_get(builder->document, "scenes");
    int root = tgFindSourceRoot(work, oldNode);
    bool isShown = false;
    size_t s = 0, i = 0;
    json_t *scene = NULL, *value = NULL;
    json_array_foreach(scenes, s, scene)
    {
        json_t* nodes = json_object_get(scene, "nodes");
        bool hasOld = false;
        json_array_foreach(nodes, i, value)
        {
            hasOld |= json_is_integer(value) && json_integer_value(value) == root;
        }
        if (hasOld) {
            tgGltfBuilder_Append(builder, nodes, json_integer(newNode));
            isShown = true;
        }
    }
    if (!isShown) {
        json_t* opening = json_object_get(builder->document, "scene");
        scene = json_array_get(scenes, (size_t)json_integer_value(opening));
        if (json_object_get(scene, "nodes") == NULL) {
            tgGltfBuilder_Set(builder, scene, "nodes", json_array());
        }
        tgGltfBuilder_Append(builder, json_object_get(scene, "nodes"), json_integer(newNode));
    }
}

static void tgAddBakedNodes(tgSourceBake* work)
{
    tgGltfBuilder* builder = work->builder;
    json_t* nodes = tgGltfBuilder_GetArray(builder, "nodes");
    json_t* meshes = tgGltfBuilder_GetArray(builder, "meshes");
    const json_t* oldNodes = json_object_get(work->source->document, "nodes");
    if (json_array_size(json_object_get(builder->document, "scenes")) == 0) {
        tgMakeScenes(work);
    }
    for (int i = 0; i < work->bake->layout.objectCount; ++i) {
        int old = work->source->gltfNodes[work->bake->layout.objects[i].node];
        const json_t* oldNode = json_array_get(oldNodes, (size_t)old);
        json_t* node = json_pack("{s:i}", "mesh", (int)json_array_size(meshes));
        static const char* const kept[] = {"name", "extras"};
        for (size_t k = 0; k < sizeof(kept) / sizeof(kept[0]); ++k) {
            json_t* value = json_object_get(oldNode, kept[k]);
            if (value != NULL) {
                tgGltfBuilder_Set(builder, node, kept[k], tgCopyJson(value));
            }
        }
        tgGltfBuilder_Append(builder, meshes, tgMakeBakedMesh(work, i));
        tgGltfBuilder_Append(builder, nodes, node);
        work->objectNodes[i] = (int)json_array_size(nodes) - 1;
        tgShowNode(work, old, work->objectNodes[i]);
    }
}

static void tgFillSourceBake(tgSourceBake* work)
{
    tgCopyDocument(work);
    if (tgGltfBuilder_HasFailed(work->builder)) {
        return;
    }
    tgStripNodes(work);
    tgCarryMeshes(work);
    tgAddBakedNodes(work);
    tgWriteSourceAnimation(work);
    tgGltfCarry_MoveExtensionViews(&work->carry);
    tgGltfCarry_MoveImages(&work->carry);
    tgGltfCarry_TrimExtensions(&work->carry);
}

void tgLayOutSource(tgGltfBake* bake)
{
    const tgGltfSource* source = bake->def->scene->source;
    size_t meshCount = json_array_size(json_object_get(source->document, "meshes"));
    tgSourceBake work = {.bake = bake, .source = source, .builder = &bake->builder};
    tgGltfCarry_Open(&work.carry, source, work.builder);
    work.isBaked = calloc((size_t)source->nodeCount + 1, sizeof(bool));
    work.newMeshes = calloc(meshCount + 1, sizeof(int));
    work.objectNodes = calloc((size_t)bake->layout.objectCount, sizeof(int));
    if (work.isBaked == NULL || work.newMeshes == NULL || work.objectNodes == NULL) {
        tgGltfBuilder_Fail(work.builder, tg_outOfMemory, -1, "no memory for the nodes");
    }
    if (!tgGltfBuilder_HasFailed(work.builder)) {
        for (size_t i = 0; i < meshCount; ++i) {
            work.newMeshes[i] = -1;
        }
        tgFillSourceBake(&work);
    }
    tgGltfCarry_Free(&work.carry);
    free(work.isBaked);
    free(work.newMeshes);
    free(work.objectNodes);
}
