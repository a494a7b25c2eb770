// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The primitives of a document that the parts of a scene came from.

#include "io/gltf_source_part.h"

#include "io/scene_refine.h"

enum { tg_gltfTriangles = 4 }; ///< the mode of a primitive; strips and fans share corners

const tgJsonValue* tgGltfSource_GetMesh(const tgGltfSource* source, int part)
{
    const tgJsonValue* meshes = tgJson_Find(source->document, "meshes");
    return tgJson_GetItem(meshes, (size_t)source->parts[part].mesh);
}

const tgJsonValue* tgGltfSource_GetPrimitive(const tgGltfSource* source, int part)
{
    const tgJsonValue* primitives = tgJson_Find(tgGltfSource_GetMesh(source, part), "primitives");
    return tgJson_GetItem(primitives, (size_t)source->parts[part].primitive);
}

/// The count of an accessor of the source; -1 when there is none.
static long long tgGetSourceCount(const tgGltfSource* source, const tgJsonValue* index)
{
    const tgJsonValue* accessors = tgJson_Find(source->document, "accessors");
    const tgJsonValue* accessor =
        tgJson_IsWhole(index) ? tgJson_GetItem(accessors, (size_t)tgJson_GetWhole(index)) : NULL;
    const tgJsonValue* count = tgJson_Find(accessor, "count");
    return tgJson_IsWhole(count) ? tgJson_GetWhole(count) : -1;
}

bool tgFitsSource(const tgScene* scene, const tgMeshLayout* layout)
{
    const tgGltfSource* source = scene->source;
    if (source == NULL || source->partCount != scene->partCount) {
        return false;
    }
    for (int p = 0; p < layout->partCount; ++p) {
        const tgScenePart part = tgScene_GetFilePart(scene, layout->partSources[p]);
        const tgJsonValue* primitive = tgGltfSource_GetPrimitive(source, layout->partSources[p]);
        const tgJsonValue* attributes = tgJson_Find(primitive, "attributes");
        const tgJsonValue* indices = tgJson_Find(primitive, "indices");
        const tgJsonValue* mode = tgJson_Find(primitive, "mode");
        long long vertices = tgGetSourceCount(source, tgJson_Find(attributes, "POSITION"));
        long long corners = indices != NULL ? tgGetSourceCount(source, indices) : vertices;
        bool isList = mode == NULL || tgJson_GetWhole(mode) == tg_gltfTriangles;
        long long faces = isList ? corners / 3 : corners - 2;
        if (vertices != part.vertexCount || faces != part.faceCount) {
            return false;
        }
    }
    return true;
}
