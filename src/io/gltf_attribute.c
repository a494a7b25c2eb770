// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Vertex colours (COLOR_n) and attributes that the file's maker added (_NAME), as numbers at
// vertices: what artists paint. One that cannot be read is left out with a warning, for the
// character does not need it.

#include "core/core.h"
#include "io/gltf_read.h"
#include "io/scene_select.h"

#include <string.h>

static bool tgIsPainted(const char* key)
{
    return key[0] == '_' || strncmp(key, "COLOR_", 6) == 0;
}

/// Fills the vertices of a part.
static tgResult tgReadPainted(tgGltfReader* reader, int index, const char* key, tgError* error)
{
    tgScene* scene = reader->scene;
    const tgScenePart* part = &scene->parts[index];
    const tgGltfPart* origin = &reader->source->parts[index];
    tgPlace place =
        tgMakePlace("meshes[%d].primitives[%d].attributes", origin->mesh, origin->primitive);
    int accessorIndex = -1, found = tgScene_FindAttribute(scene, key);
    tgGltfAccessor accessor;
    tgResult result = tgJson_GetIndex(reader->primitives[index].attributes, key, place.text,
                                      tgJson_CountItems(reader->accessors), &accessorIndex, error);
    if (result == tg_success) {
        result = tgGltfSource_GetAccessor(reader->source, accessorIndex, &accessor, error);
    }
    if (result != tg_success) {
        return result;
    }
    int width = accessor.componentCount;
    if (accessor.isMatrix || width > tg_widestAttribute || accessor.count != part->vertexCount) {
        return tgFail(error, tg_invalidMesh, -1,
                      "%s has %d elements of %d numbers, expected %d of 1 to %d", place.text,
                      accessor.count, width, part->vertexCount, tg_widestAttribute);
    }
    if (found >= 0 && scene->attributes[found].width != width) {
        return tgFail(error, tg_invalidMesh, -1, "%s has %d numbers, in another part it has %d",
                      place.text, width, scene->attributes[found].width);
    }
    if (found < 0) {
        result = tgGltfReader_Spend(reader, place.text, (size_t)scene->vertexCount,
                                    (size_t)width * sizeof(float), "numbers", error);
        found = result == tg_success ? tgScene_AddAttribute(scene, key, width) : -1;
        if (found < 0) {
            return result != tg_success ? result
                                        : tgFail(error, tg_outOfMemory, -1, "out of memory");
        }
    }
    tgGltfAccessor_CopyFloats(&accessor, scene->attributes[found].values +
                                             (size_t)width * (size_t)part->firstVertex);
    return tg_success;
}

tgResult tgReadGltfAttributes(tgGltfReader* reader, tgError* error)
{
    tgScene* scene = reader->scene;
    // Parts that share vertices: those of the first, which come last here, are taken.
    for (int i = scene->partCount - 1; i >= 0; --i) {
        const tgJsonValue* value = NULL;
        for (size_t member = 0;
             (value = tgJson_GetMember(reader->primitives[i].attributes, member)) != NULL;
             ++member) {
            const char* key = value->key;
            tgError reason = {0};
            tgResult result =
                tgIsPainted(key) ? tgReadPainted(reader, i, key, &reason) : tg_success;
            if (result == tg_outOfMemory) {
                return tgFail(error, result, -1, "%s", reason.message);
            }
            if (result != tg_success) {
                tgPlace name = tgShortenText(key);
                tgScene_Warn(scene, "%s left out: %s", name.text, reason.message);
            }
        }
    }
    return tgScene_CleanAttributes(scene) ? tg_success
                                          : tgFail(error, tg_outOfMemory, -1, "out of memory");
}
