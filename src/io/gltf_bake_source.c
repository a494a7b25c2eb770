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

/// Times that the scenes of a document show a baked object, beside once for each: 23 MB of memory.
enum { tg_mostShown = 250000 };

/// The document without what moves its meshes.
static void tgCopyDocument(tgSourceBake* work)
{
    static const char* const gone[] = {"skins", "animations"};
    tgGltfBuilder_CopyDocument(work->builder, work->source->document);
    tgJsonValue* document = work->builder->document;
    for (size_t i = 0; i < sizeof(gone) / sizeof(gone[0]); ++i) {
        tgJson_Remove(document, gone[i]);
    }
    tgJsonValue* extensions = tgJson_Find(document, "extensions");
    for (size_t i = 0; i < sizeof(tg_rigExtensions) / sizeof(tg_rigExtensions[0]); ++i) {
        tgJson_Remove(extensions, tg_rigExtensions[i]);
    }
    if (extensions != NULL && tgJson_CountMembers(extensions) == 0) {
        tgJson_Remove(document, "extensions");
    }
}

/// Take mesh and skin from baked nodes, and from any other with a skin, for skins are gone.
static void tgStripNodes(tgSourceBake* work)
{
    tgJsonValue* nodes = tgGltfBuilder_GetArray(work->builder, "nodes");
    for (int i = 0; i < work->source->partCount; ++i) {
        work->isBaked[work->source->parts[i].node] = true;
    }
    const tgScene* scene = work->bake->def->scene;
    for (int i = 0; i < scene->placeCount; ++i) {
        work->isBaked[work->source->gltfNodes[scene->places[i].node]] = true;
    }
    tgJsonValue* node = NULL;
    for (size_t index = 0; (node = tgJson_GetItem(nodes, index)) != NULL; ++index) {
        work->isBaked[index] |= tgJson_Find(node, "skin") != NULL;
        if (!work->isBaked[index]) {
            tgJsonValue* instances =
                tgJson_Find(tgJson_Find(node, "extensions"), "EXT_mesh_gpu_instancing");
            tgGltfCarry_RemapAll(&work->carry, tgJson_Find(instances, "attributes"), tg_carryOther);
            continue;
        }
        tgJson_Remove(node, "mesh");
        tgJson_Remove(node, "skin");
        tgJson_Remove(node, "weights");
        tgJson_Remove(tgJson_Find(node, "extensions"), "EXT_mesh_gpu_instancing");
        // The new node takes over the name, which would otherwise be there twice.
        if (tgJson_Find(node, "children") == NULL) {
            tgJson_Remove(node, "name");
        }
    }
}

/// Meshes that nodes still use, with all their bytes.
static void tgCarryMeshes(tgSourceBake* work)
{
    tgGltfBuilder* builder = work->builder;
    tgJsonValue* old = tgGltfBuilder_GetArray(builder, "meshes");
    tgJsonValue* meshes = tgMakeJsonList(&builder->arena);
    tgGltfBuilder_Set(builder, builder->document, "meshes", meshes);
    tgJsonValue *node = NULL, *primitive = NULL, *target = NULL;
    for (size_t index = 0;
         (node = tgJson_GetItem(tgGltfBuilder_GetArray(builder, "nodes"), index)) != NULL;
         ++index) {
        tgJsonValue* value = tgJson_Find(node, "mesh");
        tgJsonValue* mesh = tgJson_GetItem(old, (size_t)tgJson_GetWhole(value));
        if (value == NULL || mesh == NULL) {
            continue;
        }
        int* known = &work->newMeshes[tgJson_GetWhole(value)];
        if (*known < 0) {
            *known = (int)tgJson_CountItems(meshes);
            tgGltfBuilder_Append(builder, meshes, mesh);
            for (size_t p = 0;
                 (primitive = tgJson_GetItem(tgJson_Find(mesh, "primitives"), p)) != NULL; ++p) {
                tgGltfCarry_RemapAll(&work->carry, tgJson_Find(primitive, "attributes"),
                                     tg_carryVertices);
                tgGltfCarry_Remap(&work->carry, primitive, "indices", tg_carryIndices);
                for (size_t t = 0;
                     (target = tgJson_GetItem(tgJson_Find(primitive, "targets"), t)) != NULL; ++t) {
                    tgGltfCarry_RemapAll(&work->carry, target, tg_carryVertices);
                }
            }
        }
        tgGltfBuilder_SetWhole(builder, node, "mesh", *known);
    }
}

/// Attributes that the bake writes itself, or that made sense with the skin only.
static bool tgIsBakedAttribute(const char* key)
{
    return strcmp(key, "POSITION") == 0 || strcmp(key, "NORMAL") == 0 ||
           strcmp(key, "TANGENT") == 0 || strncmp(key, "JOINTS_", 7) == 0 ||
           strncmp(key, "WEIGHTS_", 8) == 0;
}

static const tgJsonValue* tgGetSourceMesh(const tgSourceBake* work, int part)
{
    return tgGltfSource_GetMesh(work->source, work->bake->layout.partSources[part]);
}

static const tgJsonValue* tgGetSourcePrimitive(const tgSourceBake* work, int part)
{
    return tgGltfSource_GetPrimitive(work->source, work->bake->layout.partSources[part]);
}

bool tgMatchesSource(const tgGltfBake* bake)
{
    const tgScene* scene = bake->def->scene;
    return tgFitsSource(scene, &bake->layout) && !scene->source->hasOtherNodes;
}

static tgJsonValue* tgMakeBakedPrimitive(tgSourceBake* work, int part)
{
    tgGltfBake* bake = work->bake;
    tgGltfBuilder* builder = work->builder;
    tgJsonValue* primitive = tgCopyJson(&builder->arena, tgGetSourcePrimitive(work, part));
    tgJsonValue* attributes = tgJson_Find(primitive, "attributes");
    for (size_t i = tgJson_CountMembers(attributes); i > 0; --i) {
        const char* key = tgJson_GetMember(attributes, i - 1)->key;
        if (tgIsBakedAttribute(key)) {
            tgJson_Remove(attributes, key);
        }
    }
    const tgScene* scene = bake->def->scene;
    tgGltfCarry_RemapPart(&work->carry, scene, bake->layout.partSources[part], attributes);
    if (scene->refined == NULL) {
        tgGltfCarry_Remap(&work->carry, primitive, "indices", tg_carryIndices);
    } else {
        int triangles =
            tgGltfBuilder_AddTriangles(builder, scene, &bake->layout, &bake->layout.parts[part]);
        tgGltfBuilder_SetWhole(builder, primitive, "indices", triangles);
        tgJson_Remove(primitive, "mode");
    }
    tgJson_Remove(tgJson_Find(primitive, "extensions"), "KHR_draco_mesh_compression");
    tgJson_Remove(primitive, "targets");
    if (!bake->def->still) {
        tgJsonValue* targets = bake->targets[bake->layout.partRanges[part]];
        tgGltfBuilder_Set(builder, primitive, "targets", targets);
    }
    bake->partAttributes[part] = attributes;
    return primitive;
}

/// The baked mesh of an object: its source's mesh with the parts that were baked.
static tgJsonValue* tgMakeBakedMesh(tgSourceBake* work, int object)
{
    const tgMeshLayout* layout = &work->bake->layout;
    tgGltfBuilder* builder = work->builder;
    tgJsonValue* mesh = NULL;
    tgJsonValue* primitives = tgMakeJsonList(&builder->arena);
    for (int part = 0; part < layout->partCount; ++part) {
        if (layout->partObjects[part] != object) {
            continue;
        }
        if (mesh == NULL) {
            mesh = tgCopyJson(&builder->arena, tgGetSourceMesh(work, part));
        }
        tgGltfBuilder_Append(builder, primitives, tgMakeBakedPrimitive(work, part));
    }
    tgJson_Remove(mesh, "weights");
    tgJson_Remove(tgJson_Find(mesh, "extras"), "targetNames");
    tgGltfBuilder_Set(builder, mesh, "primitives", primitives);
    tgSetFrameNames(work->bake, mesh);
    return mesh;
}

/// Of each node of the document the root above it. Parents come before children in the scene.
static void tgFindRoots(tgSourceBake* work)
{
    const tgScene* scene = work->bake->def->scene;
    for (int n = 0; n < work->source->nodeCount; ++n) {
        int node = work->source->gltfNodes[n], parent = scene->nodes[n].parent;
        work->roots[node] = parent >= 0 ? work->roots[work->source->gltfNodes[parent]] : node;
    }
}

/// "scenes" for a document that has none: all roots.
static void tgMakeScenes(tgSourceBake* work)
{
    tgGltfBuilder* builder = work->builder;
    tgJsonValue* roots = tgMakeJsonList(&builder->arena);
    for (int i = 0; i < work->source->nodeCount; ++i) {
        if (work->roots[i] == i) {
            tgGltfBuilder_Append(builder, roots, tgMakeJsonWhole(&builder->arena, i));
        }
    }
    tgGltfBuilder_Set(builder, builder->document, "scenes",
                      tgPackJson(&builder->arena, "[{s:o}]", "nodes", roots));
    tgGltfBuilder_SetWhole(builder, builder->document, "scene", 0);
}

/// Scratch of tgShowNodes.
typedef struct tgSceneWork {
    int* firstObjects; ///< of each root of the document the first object below it, -1 for none
    int* nextObjects;  ///< of each object the next one below the same root, -1 for none
    int* lastScenes;   ///< of each node of the document the last scene that lists it, -1 for none
    int* found;        ///< objects that a scene shows
    bool* isShown;     ///< of each object: some scene shows it
    int64_t leftCount; ///< entries that may still be added to scenes
} tgSceneWork;

static int tgCompareObjects(const void* a, const void* b)
{
    int x = *(const int*)a, y = *(const int*)b;
    return (x > y) - (x < y);
}

/// Show the new node of each object in a scene that shows its old one.
static void tgShowNodesIn(tgSourceBake* work, tgSceneWork* scratch, int index, tgJsonValue* scene)
{
    tgGltfBuilder* builder = work->builder;
    tgJsonValue* nodes = tgJson_Find(scene, "nodes");
    const tgJsonValue* value = NULL;
    int count = 0;
    for (size_t i = 0; (value = tgJson_GetItem(nodes, i)) != NULL; ++i) {
        long long node = tgJson_IsWhole(value) ? tgJson_GetWhole(value) : -1;
        if (node < 0 || node >= work->source->nodeCount || scratch->lastScenes[node] == index) {
            continue;
        }
        scratch->lastScenes[node] = index;
        for (int o = scratch->firstObjects[node]; o >= 0; o = scratch->nextObjects[o]) {
            scratch->found[count++] = o;
        }
    }
    // A small file may have many scenes that all show all objects.
    scratch->leftCount -= count;
    if (scratch->leftCount < 0) {
        tgGltfBuilder_Fail(builder, tg_unsupported, -1,
                           "the scenes show baked objects again more than %d times, too many for "
                           "one file; bake it with fewer scenes",
                           tg_mostShown);
        return;
    }
    qsort(scratch->found, (size_t)count, sizeof(int), tgCompareObjects);
    for (int i = 0; i < count; ++i) {
        int object = scratch->found[i];
        tgGltfBuilder_Append(builder, nodes,
                             tgMakeJsonWhole(&builder->arena, work->objectNodes[object]));
        scratch->isShown[object] = true;
    }
}

/// In the scene that opens, what no scene shows.
static void tgShowOthers(tgSourceBake* work, const tgSceneWork* scratch)
{
    tgGltfBuilder* builder = work->builder;
    const tgJsonValue* opening = tgJson_Find(builder->document, "scene");
    tgJsonValue* scene =
        tgJson_GetItem(tgJson_Find(builder->document, "scenes"), (size_t)tgJson_GetWhole(opening));
    for (int i = 0; i < work->bake->layout.objectCount; ++i) {
        if (!scratch->isShown[i] && tgJson_Find(scene, "nodes") == NULL) {
            tgGltfBuilder_Set(builder, scene, "nodes", tgMakeJsonList(&builder->arena));
        }
        if (!scratch->isShown[i]) {
            tgGltfBuilder_Append(builder, tgJson_Find(scene, "nodes"),
                                 tgMakeJsonWhole(&builder->arena, work->objectNodes[i]));
        }
    }
}

/// Objects below each root of the document.
static void tgListBelowRoots(const tgSourceBake* work, tgSceneWork* scratch)
{
    const tgMeshLayout* layout = &work->bake->layout;
    for (int n = 0; n < work->source->nodeCount; ++n) {
        scratch->firstObjects[n] = scratch->lastScenes[n] = -1;
    }
    for (int i = layout->objectCount - 1; i >= 0; --i) {
        int* first =
            &scratch->firstObjects[work->roots[work->source->gltfNodes[layout->objects[i].node]]];
        scratch->nextObjects[i] = *first;
        *first = i;
    }
}

/// Show the new nodes in every scene that shows the old ones; in the opening one when none does.
static void tgShowNodes(tgSourceBake* work)
{
    tgGltfBuilder* builder = work->builder;
    size_t nodeCount = (size_t)work->source->nodeCount + 1;
    size_t objectCount = (size_t)work->bake->layout.objectCount + 1;
    tgSceneWork scratch = {
        .firstObjects = calloc(nodeCount, sizeof(int)),
        .nextObjects = calloc(objectCount, sizeof(int)),
        .lastScenes = calloc(nodeCount, sizeof(int)),
        .found = calloc(objectCount, sizeof(int)),
        .isShown = calloc(objectCount, sizeof(bool)),
        .leftCount = tg_mostShown + (int64_t)work->bake->layout.objectCount,
    };
    if (scratch.firstObjects == NULL || scratch.nextObjects == NULL || scratch.lastScenes == NULL ||
        scratch.found == NULL || scratch.isShown == NULL) {
        tgGltfBuilder_Fail(builder, tg_outOfMemory, -1, "no memory for the scenes");
    } else {
        tgJsonValue* scene = NULL;
        tgListBelowRoots(work, &scratch);
        for (int s = 0; (scene = tgJson_GetItem(tgJson_Find(builder->document, "scenes"),
                                                (size_t)s)) != NULL &&
                        !tgGltfBuilder_HasFailed(builder);
             ++s) {
            tgShowNodesIn(work, &scratch, s, scene);
        }
        tgShowOthers(work, &scratch);
    }
    free(scratch.firstObjects);
    free(scratch.nextObjects);
    free(scratch.lastScenes);
    free(scratch.found);
    free(scratch.isShown);
}

static void tgAddBakedNodes(tgSourceBake* work)
{
    tgGltfBuilder* builder = work->builder;
    tgJsonValue* nodes = tgGltfBuilder_GetArray(builder, "nodes");
    tgJsonValue* meshes = tgGltfBuilder_GetArray(builder, "meshes");
    const tgJsonValue* oldNodes = tgJson_Find(work->source->document, "nodes");
    if (tgJson_CountItems(tgJson_Find(builder->document, "scenes")) == 0) {
        tgMakeScenes(work);
    }
    const tgMeshLayout* layout = &work->bake->layout;
    int firstMesh = (int)tgJson_CountItems(meshes);
    for (int i = 0; i < layout->objectCount; ++i) {
        const tgMeshObject* object = &layout->objects[i];
        int old = work->source->gltfNodes[object->node];
        const tgJsonValue* oldNode = tgJson_GetItem(oldNodes, (size_t)old);
        tgJsonValue* node = tgPackJson(&builder->arena, "{s:i}", "mesh", firstMesh + object->mesh);
        static const char* const kept[] = {"name", "extras"};
        for (size_t k = 0; k < sizeof(kept) / sizeof(kept[0]); ++k) {
            tgJsonValue* value = tgJson_Find(oldNode, kept[k]);
            if (value != NULL) {
                tgGltfBuilder_Set(builder, node, kept[k], tgCopyJson(&builder->arena, value));
            }
        }
        if (i < layout->meshCount) {
            tgGltfBuilder_Append(builder, meshes, tgMakeBakedMesh(work, i));
        }
        tgGltfBuilder_Append(builder, nodes, node);
        work->objectNodes[i] = (int)tgJson_CountItems(nodes) - 1;
    }
    tgShowNodes(work);
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
    size_t meshCount = tgJson_CountItems(tgJson_Find(source->document, "meshes"));
    tgSourceBake work = {.bake = bake, .source = source, .builder = &bake->builder};
    tgGltfCarry_Open(&work.carry, source, work.builder);
    work.isBaked = calloc((size_t)source->nodeCount + 1, sizeof(bool));
    work.newMeshes = calloc(meshCount + 1, sizeof(int));
    work.objectNodes = calloc((size_t)bake->layout.objectCount, sizeof(int));
    work.roots = calloc((size_t)source->nodeCount + 1, sizeof(int));
    if (work.isBaked == NULL || work.newMeshes == NULL || work.objectNodes == NULL ||
        work.roots == NULL) {
        tgGltfBuilder_Fail(work.builder, tg_outOfMemory, -1, "no memory for the nodes");
    }
    if (!tgGltfBuilder_HasFailed(work.builder)) {
        for (size_t i = 0; i < meshCount; ++i) {
            work.newMeshes[i] = -1;
        }
        tgFindRoots(&work);
        tgFillSourceBake(&work);
    }
    tgGltfCarry_Free(&work.carry);
    free(work.isBaked);
    free(work.newMeshes);
    free(work.objectNodes);
    free(work.roots);
}
