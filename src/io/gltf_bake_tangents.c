// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The tangents that baked primitives have in the document they came from.

#include "io/gltf_bake.h"
#include "io/gltf_carry_refined.h"
#include "io/gltf_source.h"
#include "io/scene_refine.h"

#include <stdlib.h>
#include <string.h>

/// The TANGENT accessor of a part of the layout, -1 for none.
static int tgFindTangents(const tgGltfBake* bake, int part)
{
    const tgGltfSource* source = bake->def->scene->source;
    const tgGltfPart* origin = &source->parts[bake->layout.partSources[part]];
    const tgJsonValue* meshes = tgJson_Find(source->document, "meshes");
    const tgJsonValue* mesh = tgJson_GetItem(meshes, (size_t)origin->mesh);
    const tgJsonValue* primitive =
        tgJson_GetItem(tgJson_Find(mesh, "primitives"), (size_t)origin->primitive);
    const tgJsonValue* value = tgJson_Find(tgJson_Find(primitive, "attributes"), "TANGENT");
    // Without a skin the vertices were moved to model space, and these were not.
    return tgJson_IsWhole(value) && origin->skin >= 0 ? (int)tgJson_GetWhole(value) : -1;
}

static bool tgAllocateTangents(tgGltfBake* bake)
{
    size_t count = (size_t)bake->def->scene->vertexCount;
    if (bake->tangents == NULL) {
        bake->tangents = calloc(count, 4 * sizeof(float));
        bake->baseTangents = calloc(count, sizeof(tgVec3));
        bake->frameTangents = calloc(count, sizeof(tgVec3));
        bake->firstTangents = calloc(count, sizeof(tgVec3));
    }
    return bake->tangents != NULL && bake->baseTangents != NULL && bake->frameTangents != NULL &&
           bake->firstTangents != NULL;
}

void tgReadSourceTangents(tgGltfBake* bake)
{
    const tgScene* scene = bake->def->scene;
    tgGltfBuilder* builder = &bake->builder;
    for (int part = 0; part < bake->layout.partCount; ++part) {
        int index = tgFindTangents(bake, part);
        int source = bake->layout.partSources[part];
        int range = bake->layout.partRanges[part];
        tgVertexRange vertices = bake->layout.ranges[range];
        tgGltfAccessor accessor;
        if (index < 0 || bake->rangeHasTangents[range] || tgGltfBuilder_HasFailed(builder)) {
            continue;
        }
        if (tgGltfSource_GetAccessor(scene->source, index, &accessor, &builder->failure) !=
            tg_success) {
            return;
        }
        if (accessor.componentCount != 4 ||
            accessor.count != tgScene_GetFilePart(scene, source).vertexCount) {
            continue;
        }
        if (!tgAllocateTangents(bake)) {
            tgGltfBuilder_Fail(builder, tg_outOfMemory, -1, "no memory for the tangents");
            return;
        }
        float* tangents = bake->tangents + 4 * (size_t)vertices.firstVertex;
        tgGltfAccessor_CopyFloats(&accessor, tangents);
        tgAverageTangents(scene, source, tangents);
        for (int i = 0; i < vertices.vertexCount; ++i) {
            memcpy(&bake->baseTangents[vertices.firstVertex + i], tangents + 4 * (size_t)i,
                   sizeof(tgVec3));
        }
        bake->rangeHasTangents[range] = true;
    }
}
