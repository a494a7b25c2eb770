// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The primitives of a document that the parts of a scene came from.

#include "io/gltf_source_part.h"

#include "io/scene_refine.h"

enum { tg_gltfTriangles = 4 }; ///< the mode of a primitive; strips and fans share corners

const json_t* tgGltfSource_GetMesh(const tgGltfSource* source, int part)
{
    const json_t* meshes = json_object_get(source->document, "meshes");
    return json_array_get(meshes, (size_t)source->parts[part].mesh);
}

const json_t* tgGltfSource_GetPrimitive(const tgGltfSource* source, int part)
{
    const json_t* primitives = json_object_get(tgGltfSource_GetMesh(source, part), "primitives");
    return json_array_get(primitives, (size_t)source->parts[part].primitive);
}

/// The count of an accessor of the source; -1 when there is none.
static json_int_t tgGetSourceCount(const tgGltfSource* source, const json_t* index)
{
    const json_t* accessors = json_object_get(source->document, "accessors");
    const json_t* accessor = json_is_integer(index)
                                 ? json_array_get(accessors, (size_t)json_integer_value(index))
                                 : NULL;
    const json_t* count = json_object_get(accessor, "count");
    return json_is_integer(count) ? json_integer_value(count) : -1;
}

bool tgFitsSource(const tgScene* scene, const tgMeshLayout* layout)
{
    const tgGltfSource* source = scene->source;
    if (source == NULL || source->partCount != scene->partCount) {
        return false;
    }
    for (int p = 0; p < layout->partCount; ++p) {
        const tgScenePart part = tgScene_GetFilePart(scene, layout->partSources[p]);
        const json_t* primitive = tgGltfSource_GetPrimitive(source, layout->partSources[p]);
        const json_t* attributes = json_object_get(primitive, "attributes");
        const json_t* indices = json_object_get(primitive, "indices");
        const json_t* mode = json_object_get(primitive, "mode");
        json_int_t vertices = tgGetSourceCount(source, json_object_get(attributes, "POSITION"));
        json_int_t corners = indices != NULL ? tgGetSourceCount(source, indices) : vertices;
        bool isList = mode == NULL || json_integer_value(mode) == tg_gltfTriangles;
        json_int_t faces = isList ? corners / 3 : corners - 2;
        if (vertices != part.vertexCount || faces != part.faceCount) {
            return false;
        }
    }
    return true;
}
