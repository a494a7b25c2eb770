// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What a character that came from glTF has beside its skeleton and its shape: materials with their
// textures, and further attributes of its vertices, such as texture coordinates, colours, tangents.

#include "io/gltf_carry_refined.h"
#include "io/gltf_source_part.h"
#include "io/gltf_write.h"

#include <string.h>

/// Members of the document that materials consist of.
static const char* const tg_carriedArrays[] = {"materials", "textures",       "images",
                                               "samplers",  "extensionsUsed", "extensionsRequired"};

bool tgOpenSceneCarry(tgSceneWriter* writer)
{
    if (!tgFitsSource(writer->scene, &writer->layout)) {
        return false;
    }
    const tgGltfSource* source = writer->scene->source;
    tgGltfBuilder* builder = &writer->builder;
    tgGltfCarry_Open(&writer->carry, source, builder);
    for (size_t i = 0; i < sizeof(tg_carriedArrays) / sizeof(tg_carriedArrays[0]); ++i) {
        const tgJsonValue* array = tgJson_Find(source->document, tg_carriedArrays[i]);
        if (array != NULL) {
            tgGltfBuilder_Set(builder, builder->document, tg_carriedArrays[i],
                              tgCopyJson(&builder->arena, array));
        }
    }
    const char* copyright =
        tgJson_GetString(tgJson_Find(tgJson_Find(source->document, "asset"), "copyright"));
    if (copyright != NULL) {
        tgGltfBuilder_SetText(builder, tgJson_Find(builder->document, "asset"), "copyright",
                              copyright);
    }
    return true;
}

/// Attributes that the scene has itself, or that fitted another skin.
static bool tgIsOwnAttribute(const char* key, bool isMoved)
{
    return strcmp(key, "POSITION") == 0 || strcmp(key, "NORMAL") == 0 ||
           strncmp(key, "JOINTS_", 7) == 0 || strncmp(key, "WEIGHTS_", 8) == 0 ||
           (isMoved && strcmp(key, "TANGENT") == 0);
}

static void tgCarryAttributes(tgSceneWriter* writer, tgJsonValue* primitive, int part)
{
    const tgGltfSource* source = writer->scene->source;
    tgGltfBuilder* builder = &writer->builder;
    const tgJsonValue* old = tgJson_Find(tgGltfSource_GetPrimitive(source, part), "attributes");
    // Without a skin the vertices were moved to model space; tangents were not.
    bool isMoved = source->parts[part].skin < 0;
    tgJsonValue* added = tgMakeJsonObject(&builder->arena);
    tgJsonValue* value = NULL;
    for (size_t member = 0; (value = tgJson_GetMember(old, member)) != NULL; ++member) {
        const char* key = value->key;
        if (!tgIsOwnAttribute(key, isMoved)) {
            tgGltfBuilder_Set(builder, added, key, value);
        }
    }
    tgGltfCarry_RemapPart(&writer->carry, writer->scene, part, added);
    // Parts that share their vertices share the object, and need not agree in the rest.
    tgJsonValue* attributes = tgCopyJson(&builder->arena, tgJson_Find(primitive, "attributes"));
    if (attributes == NULL || !tgJson_Merge(attributes, added)) {
        tgGltfBuilder_Fail(builder, tg_outOfMemory, -1, "no memory for the attributes");
    }
    tgGltfBuilder_Set(builder, primitive, "attributes", attributes);
}

void tgCarryPrimitives(tgSceneWriter* writer, int object, tgJsonValue* mesh)
{
    const tgMeshLayout* layout = &writer->layout;
    tgGltfBuilder* builder = &writer->builder;
    size_t index = 0;
    for (int p = 0; p < layout->partCount; ++p) {
        if (layout->partObjects[p] != object) {
            continue;
        }
        tgJsonValue* primitive = tgJson_GetItem(tgJson_Find(mesh, "primitives"), index++);
        int part = layout->partSources[p];
        const tgJsonValue* old = tgGltfSource_GetPrimitive(writer->scene->source, part);
        const tgJsonValue* material = tgJson_Find(old, "material");
        tgJson_Remove(primitive, "material");
        if (material != NULL) {
            tgGltfBuilder_Set(builder, primitive, "material",
                              tgCopyJson(&builder->arena, material));
        }
        tgCarryAttributes(writer, primitive, part);
    }
}

void tgCloseSceneCarry(tgSceneWriter* writer)
{
    if (tgGltfBuilder_HasFailed(&writer->builder)) {
        return;
    }
    tgGltfCarry_MoveExtensionViews(&writer->carry);
    tgGltfCarry_MoveImages(&writer->carry);
    tgGltfCarry_TrimExtensions(&writer->carry);
}
