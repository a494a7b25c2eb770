// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The plain colour of each material, for pictures. Textures and everything else about materials
// stay in the document, from where the writer carries them over.

#include "io/gltf_read.h"

tgResult tgReadGltfMaterials(tgGltfReader* reader, tgError* error)
{
    tgScene* scene = reader->scene;
    size_t count = tgJson_CountItems(reader->materials);
    scene->materials = tgGltfReader_Alloc(scene, count, sizeof(tgSceneMaterial), error);
    if (scene->materials == NULL) {
        return tg_outOfMemory;
    }
    scene->materialCount = (int)count;
    for (size_t i = 0; i < count; ++i) {
        const tgJsonValue* json = tgJson_GetItem(reader->materials, i);
        const tgJsonValue* surface = NULL;
        tgPlace place = tgMakePlace("materials[%zu]", i);
        tgPlace surfacePlace = tgMakePlace("materials[%zu].pbrMetallicRoughness", i);
        tgSceneMaterial* material = &scene->materials[i];
        *material = (tgSceneMaterial){.name = "", .baseColor = {1, 1, 1, 1}, .roughness = 1.0f};
        tgResult result = tgJson_GetText(json, "name", place.text, &material->name, error);
        if (result == tg_success) {
            result = tgJson_GetObject(json, "pbrMetallicRoughness", place.text, &surface, error);
        }
        if (result == tg_success) {
            result = tgJson_GetFloats(surface, "baseColorFactor", surfacePlace.text, 4,
                                      material->baseColor, error);
        }
        if (result != tg_success) {
            return result;
        }
        const tgJsonValue* roughness = tgJson_Find(surface, "roughnessFactor");
        double value = tgJson_IsNumber(roughness) ? tgJson_GetNumber(roughness) : 1.0;
        material->roughness = value >= 0.0 && value <= 1.0 ? (float)value : 1.0f;
    }
    return tg_success;
}
