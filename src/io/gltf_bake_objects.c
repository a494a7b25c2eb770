// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The document of a bake whose scene did not come from glTF: one node and one mesh for each object,
// its materials, and the animation of the frames.

#include "io/gltf_bake.h"
#include "io/gltf_write_mesh.h"

#include <stdlib.h>

void tgLayOutObjects(tgGltfBake* bake)
{
    const tgScene* scene = bake->def->scene;
    const tgMeshLayout* layout = &bake->layout;
    tgGltfBuilder* builder = &bake->builder;
    int* nodes = calloc((size_t)layout->objectCount, sizeof(int));
    if (nodes == NULL) {
        tgGltfBuilder_Fail(builder, tg_outOfMemory, -1, "no memory for the nodes");
        return;
    }
    for (int range = 0; range < layout->rangeCount; ++range) {
        if (scene->uvs != NULL) {
            int accessor = tgGltfBuilder_AddUvs(builder, scene, layout->ranges[range]);
            tgGltfBuilder_SetWhole(builder, bake->attributes[range], "TEXCOORD_0", accessor);
        }
        tgGltfBuilder_AddPainted(builder, scene, layout->ranges[range], bake->attributes[range]);
    }
    tgJsonValue* roots = tgMakeJsonList(&builder->arena);
    tgJsonValue* nodeArray = tgGltfBuilder_GetArray(builder, "nodes");
    tgJsonValue* meshes = tgGltfBuilder_GetArray(builder, "meshes");
    for (int i = 0; i < layout->objectCount; ++i) {
        if (i < layout->meshCount) {
            tgJsonValue* mesh = tgGltfBuilder_MakeMesh(builder, scene, layout, i, bake->attributes,
                                                       bake->def->still ? NULL : bake->targets);
            tgSetFrameNames(bake, mesh);
            tgGltfBuilder_Append(builder, meshes, mesh);
        }
        tgJsonValue* node = tgPackJson(&builder->arena, "{s:i}", "mesh", layout->objects[i].mesh);
        tgGltfBuilder_SetName(builder, node, layout->objects[i].name);
        tgGltfBuilder_Append(builder, nodeArray, node);
        tgGltfBuilder_Append(builder, roots, tgMakeJsonWhole(&builder->arena, i));
        nodes[i] = i;
    }
    tgGltfBuilder_AddMaterials(builder, scene, layout);
    tgGltfBuilder_SetWhole(builder, builder->document, "scene", 0);
    tgGltfBuilder_Set(builder, builder->document, "scenes",
                      tgPackJson(&builder->arena, "[{s:o}]", "nodes", roots));
    if (!bake->def->still) {
        for (int c = 0; c < tgCountClips(bake->def); ++c) {
            tgJsonValue* animation = tgMakeFrameAnimation(bake, c);
            tgAnimateFrames(bake, c, animation, nodes);
            tgGltfBuilder_Append(builder, tgGltfBuilder_GetArray(builder, "animations"), animation);
        }
    }
    free(nodes);
}
