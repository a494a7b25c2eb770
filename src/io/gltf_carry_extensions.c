// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Which extensions a document still uses after parts of it went: those that some "extensions"
// object names, and vertex formats, which are used without being named.

#include "io/gltf_carry.h"

#include <string.h>

static const char* const tg_quantization = "KHR_mesh_quantization";

/// Collect the keys of all "extensions" objects at or below `json` into the object `names`.
static void tgCollectExtensions(tgGltfBuilder* builder, const json_t* json, json_t* names)
{
    const char* key = NULL;
    json_t* value = NULL;
    size_t index = 0;
    json_object_foreach((json_t*)json, key, value)
    { // the loop changes nothing
        const char* name = NULL;
        json_t* extension = NULL;
        if (strcmp(key, "extensions") == 0) {
            json_object_foreach(value, name, extension)
            {
                tgGltfBuilder_Set(builder, names, name, json_true());
            }
        }
        if (strcmp(key, "extras") != 0) {
            tgCollectExtensions(builder, value, names);
        }
    }
    json_array_foreach(json, index, value)
    {
        tgCollectExtensions(builder, value, names);
    }
}

/// Does glTF without KHR_mesh_quantization know this format for this attribute?
static bool tgIsPlainFormat(const char* attribute, const json_t* accessor, bool isTarget)
{
    json_int_t type = json_integer_value(json_object_get(accessor, "componentType"));
    bool isNormalized = json_is_true(json_object_get(accessor, "normalized"));
    bool isUnsigned = type == tg_gltfUnsignedByte || type == tg_gltfUnsignedShort;
    if (strcmp(attribute, "POSITION") == 0 || strcmp(attribute, "NORMAL") == 0 ||
        strcmp(attribute, "TANGENT") == 0) {
        return type == tg_gltfFloat;
    }
    if (strncmp(attribute, "TEXCOORD_", 9) == 0) {
        return type == tg_gltfFloat || (isUnsigned && isNormalized && !isTarget);
    }
    return true;
}

static bool tgHasQuantized(const tgGltfBuilder* builder, json_t* attributes, bool isTarget)
{
    const char* key = NULL;
    json_t* value = NULL;
    json_object_foreach(attributes, key, value)
    {
        const json_t* accessor =
            json_array_get(builder->accessors, (size_t)json_integer_value(value));
        if (accessor != NULL && !tgIsPlainFormat(key, accessor, isTarget)) {
            return true;
        }
    }
    return false;
}

static bool tgUsesQuantization(const tgGltfBuilder* builder)
{
    size_t m = 0, p = 0, t = 0;
    json_t *mesh = NULL, *primitive = NULL, *target = NULL;
    json_array_foreach(json_object_get(builder->document, "meshes"), m, mesh)
    {
        json_array_foreach(json_object_get(mesh, "primitives"), p, primitive)
        {
            if (tgHasQuantized(builder, json_object_get(primitive, "attributes"), false)) {
                return true;
            }
            json_array_foreach(json_object_get(primitive, "targets"), t, target)
            {
                if (tgHasQuantized(builder, target, true)) {
                    return true;
                }
            }
        }
    }
    return false;
}

static void tgTrimList(tgGltfBuilder* builder, const char* key, const json_t* names)
{
    json_t* list = json_object_get(builder->document, key);
    for (size_t i = json_array_size(list); i > 0; --i) {
        const char* name = json_string_value(json_array_get(list, i - 1));
        if (name == NULL || json_object_get(names, name) == NULL) {
            json_array_remove(list, i - 1);
        }
    }
    if (list != NULL && json_array_size(list) == 0) {
        json_object_del(builder->document, key);
    }
}

void tgGltfCarry_TrimExtensions(tgGltfCarry* carry)
{
    tgGltfBuilder* builder = carry->builder;
    json_t* names = json_object();
    tgCollectExtensions(builder, builder->document, names);
    tgCollectExtensions(builder, builder->accessors, names);
    if (tgUsesQuantization(builder)) {
        tgGltfBuilder_Set(builder, names, tg_quantization, json_true());
    }
    tgTrimList(builder, "extensionsUsed", names);
    tgTrimList(builder, "extensionsRequired", names);
    json_decref(names);
}
