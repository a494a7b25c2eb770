// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Which extensions a document still uses after parts of it went: those that some "extensions"
// object names, and vertex formats, which are used without being named.

#include "io/gltf_carry.h"

#include <string.h>

static const char* const tg_quantization = "KHR_mesh_quantization";

/// Collect the keys of all "extensions" objects at or below `json` into the object `names`.
static void tgCollectExtensions(tgGltfBuilder* builder, const tgJsonValue* json, tgJsonValue* names)
{
    const tgJsonValue* value = NULL;
    for (size_t i = 0; (value = tgJson_GetMember(json, i)) != NULL; ++i) {
        const tgJsonValue* extension = NULL;
        if (strcmp(value->key, "extensions") == 0) {
            for (size_t e = 0; (extension = tgJson_GetMember(value, e)) != NULL; ++e) {
                tgGltfBuilder_Set(builder, names, extension->key,
                                  tgMakeJsonBool(&builder->arena, true));
            }
        }
        if (strcmp(value->key, "extras") != 0) {
            tgCollectExtensions(builder, value, names);
        }
    }
    for (size_t i = 0; (value = tgJson_GetItem(json, i)) != NULL; ++i) {
        tgCollectExtensions(builder, value, names);
    }
}

/// Does glTF without KHR_mesh_quantization know this format for this attribute?
static bool tgIsPlainFormat(const char* attribute, const tgJsonValue* accessor, bool isTarget)
{
    long long type = tgJson_GetWhole(tgJson_Find(accessor, "componentType"));
    bool isNormalized = tgJson_IsTrue(tgJson_Find(accessor, "normalized"));
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

static bool tgHasQuantized(const tgGltfBuilder* builder, tgJsonValue* attributes, bool isTarget)
{
    tgJsonValue* value = NULL;
    for (size_t member = 0; (value = tgJson_GetMember(attributes, member)) != NULL; ++member) {
        const char* key = value->key;
        const tgJsonValue* accessor =
            tgJson_GetItem(builder->accessors, (size_t)tgJson_GetWhole(value));
        if (accessor != NULL && !tgIsPlainFormat(key, accessor, isTarget)) {
            return true;
        }
    }
    return false;
}

static bool tgUsesQuantization(const tgGltfBuilder* builder)
{
    tgJsonValue *mesh = NULL, *primitive = NULL, *target = NULL;
    for (size_t m = 0; (mesh = tgJson_GetItem(tgJson_Find(builder->document, "meshes"), m)) != NULL;
         ++m) {
        for (size_t p = 0; (primitive = tgJson_GetItem(tgJson_Find(mesh, "primitives"), p)) != NULL;
             ++p) {
            if (tgHasQuantized(builder, tgJson_Find(primitive, "attributes"), false)) {
                return true;
            }
            for (size_t t = 0;
                 (target = tgJson_GetItem(tgJson_Find(primitive, "targets"), t)) != NULL; ++t) {
                if (tgHasQuantized(builder, target, true)) {
                    return true;
                }
            }
        }
    }
    return false;
}

static void tgTrimList(tgGltfBuilder* builder, const char* key, const tgJsonValue* names)
{
    tgJsonValue* list = tgJson_Find(builder->document, key);
    for (size_t i = tgJson_CountItems(list); i > 0; --i) {
        const char* name = tgJson_GetString(tgJson_GetItem(list, i - 1));
        if (name == NULL || tgJson_Find(names, name) == NULL) {
            tgJson_RemoveItem(list, i - 1);
        }
    }
    if (list != NULL && tgJson_CountItems(list) == 0) {
        tgJson_Remove(builder->document, key);
    }
}

void tgGltfCarry_TrimExtensions(tgGltfCarry* carry)
{
    tgGltfBuilder* builder = carry->builder;
    tgJsonValue* names = tgMakeJsonObject(&builder->arena);
    tgCollectExtensions(builder, builder->document, names);
    tgCollectExtensions(builder, builder->accessors, names);
    if (tgUsesQuantization(builder)) {
        tgGltfBuilder_Set(builder, names, tg_quantization, tgMakeJsonBool(&builder->arena, true));
    }
    tgTrimList(builder, "extensionsUsed", names);
    tgTrimList(builder, "extensionsRequired", names);
}
