// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Pieces of a glTF mesh made from a scene's arrays: materials, attributes, triangles. Parts with
// the same vertices share their attributes.

#include "io/gltf_write_mesh.h"

#include "core/triangulate.h"

#include <stdlib.h>
#include <string.h>

enum {
    tg_mostGroups = 64,     ///< vertex groups that are written
    tg_groupNameSize = 128, ///< bytes of their names
};

/// glTF's own default is a metal, which is black in a viewer without surroundings.
static const tgSceneMaterial tg_plainMaterial = {"plain", {0.8f, 0.8f, 0.8f, 1.0f}, 0.7f};

void tgGltfBuilder_SetName(tgGltfBuilder* builder, tgJsonValue* object, const char* name)
{
    if (name != NULL && name[0] != '\0') {
        tgGltfBuilder_SetText(builder, object, "name", name);
    }
}

static float tgClampToOne(float value)
{
    return value >= 0.0f ? fminf(value, 1.0f) : 0.0f; // NaN becomes 0
}

static tgJsonValue* tgMakeMaterial(tgGltfBuilder* builder, const tgSceneMaterial* material)
{
    float color[4];
    for (int i = 0; i < 4; ++i) {
        color[i] = tgClampToOne(material->baseColor[i]);
    }
    tgJsonValue* surface = tgPackJson(&builder->arena, "{s:i}", "metallicFactor", 0);
    tgGltfBuilder_Set(builder, surface, "baseColorFactor",
                      tgMakeJsonFloats(&builder->arena, color, 4));
    tgGltfBuilder_Set(builder, surface, "roughnessFactor",
                      tgMakeJsonNumber(&builder->arena, (double)tgClampToOne(material->roughness)));
    tgJsonValue* json = tgMakeJsonObject(&builder->arena);
    tgGltfBuilder_SetName(builder, json, material->name);
    tgGltfBuilder_Set(builder, json, "pbrMetallicRoughness", surface);
    if (color[3] < 1.0f) {
        tgGltfBuilder_SetText(builder, json, "alphaMode", "BLEND");
    }
    // Other formats draw both sides of a face, and meshes with holes count on it.
    tgGltfBuilder_Set(builder, json, "doubleSided", tgMakeJsonBool(&builder->arena, true));
    return json;
}

/// Index into the written materials: the plain one comes after those of the scene.
static int tgGetMaterial(const tgScene* scene, const tgScenePart* part)
{
    bool isListed = part->material >= 0 && part->material < scene->materialCount;
    return isListed ? part->material : scene->materialCount;
}

void tgGltfBuilder_AddMaterials(tgGltfBuilder* builder, const tgScene* scene,
                                const tgMeshLayout* layout)
{
    tgJsonValue* materials = tgGltfBuilder_GetArray(builder, "materials");
    for (int i = 0; i < scene->materialCount; ++i) {
        tgGltfBuilder_Append(builder, materials, tgMakeMaterial(builder, &scene->materials[i]));
    }
    for (int part = 0; part < layout->partCount; ++part) {
        if (tgGetMaterial(scene, &layout->parts[part]) == scene->materialCount) {
            tgGltfBuilder_Append(builder, materials, tgMakeMaterial(builder, &tg_plainMaterial));
            break;
        }
    }
}

int tgGltfBuilder_AddUvs(tgGltfBuilder* builder, const tgScene* scene, tgVertexRange range)
{
    const float* uvs = scene->uvs + 2 * (size_t)range.firstVertex;
    size_t count = 2 * (size_t)range.vertexCount;
    float* finite = malloc(count * sizeof(float));
    if (finite == NULL) {
        tgGltfBuilder_Fail(builder, tg_outOfMemory, -1, "no memory for texture coordinates");
        return -1;
    }
    for (size_t i = 0; i < count; ++i) {
        finite[i] = isfinite(uvs[i]) ? uvs[i] : 0.0f;
    }
    tgGltfArray array = {finite, range.vertexCount, tg_gltfFloat, 2, tg_gltfVertices, false};
    int accessor = tgGltfBuilder_AddArray(builder, &array);
    free(finite);
    return accessor;
}

/// A group as an attribute: 1 at its vertices, 0 at the others of the range.
static void tgAddGroup(tgGltfBuilder* builder, const tgSceneGroup* group, tgVertexRange range,
                       float* values, tgJsonValue* attributes)
{
    char name[tg_groupNameSize];
    bool isThere = false;
    memset(values, 0, (size_t)range.vertexCount * sizeof(float));
    for (int i = 0; i < group->vertexCount; ++i) {
        int v = group->vertices[i] - range.firstVertex;
        if (v >= 0 && v < range.vertexCount) {
            values[v] = 1.0f;
            isThere = true;
        }
    }
    snprintf(name, sizeof(name), "_%s", group->name);
    tgJsonValue* text = tgMakeJsonText(&builder->arena, name);
    const char* key = text != NULL ? tgJson_GetString(text) : name;
    if (isThere && tgJson_Find(attributes, key) == NULL) {
        tgGltfArray array = {values, range.vertexCount, tg_gltfFloat, 1, tg_gltfVertices, false};
        int accessor = tgGltfBuilder_AddArray(builder, &array);
        tgGltfBuilder_SetWhole(builder, attributes, key, accessor);
    }
}

void tgGltfBuilder_AddPainted(tgGltfBuilder* builder, const tgScene* scene, tgVertexRange range,
                              tgJsonValue* attributes)
{
    for (int a = 0; a < scene->attributeCount; ++a) {
        const tgSceneAttribute* attribute = &scene->attributes[a];
        size_t width = (size_t)attribute->width;
        tgGltfArray array = {attribute->values + width * (size_t)range.firstVertex,
                             range.vertexCount,
                             tg_gltfFloat,
                             attribute->width,
                             tg_gltfVertices,
                             false};
        int accessor = tgGltfBuilder_AddArray(builder, &array);
        tgGltfBuilder_SetWhole(builder, attributes, attribute->name, accessor);
    }
    float* values = malloc(((size_t)range.vertexCount + 1) * sizeof(float));
    if (values == NULL) {
        tgGltfBuilder_Fail(builder, tg_outOfMemory, -1, "no memory for the groups");
        return;
    }
    for (int g = 0; g < scene->groupCount && g < tg_mostGroups; ++g) {
        if (strlen(scene->groups[g].name) < tg_groupNameSize - 1) {
            tgAddGroup(builder, &scene->groups[g], range, values, attributes);
        }
    }
    free(values);
}

tgJsonValue* tgGltfBuilder_MakeAttributes(tgGltfBuilder* builder, const tgScene* scene,
                                          tgVertexRange range, const tgVec3* positions,
                                          const tgVec3* normals)
{
    tgJsonValue* attributes = tgMakeJsonObject(&builder->arena);
    int accessor =
        tgGltfBuilder_AddPositions(builder, positions + range.firstVertex, range.vertexCount);
    tgGltfBuilder_SetWhole(builder, attributes, "POSITION", accessor);
    if (normals != NULL) {
        tgGltfArray array = {normals + range.firstVertex,
                             range.vertexCount,
                             tg_gltfFloat,
                             3,
                             tg_gltfVertices,
                             false};
        accessor = tgGltfBuilder_AddArray(builder, &array);
        tgGltfBuilder_SetWhole(builder, attributes, "NORMAL", accessor);
    }
    if (scene->uvs != NULL) {
        accessor = tgGltfBuilder_AddUvs(builder, scene, range);
        tgGltfBuilder_SetWhole(builder, attributes, "TEXCOORD_0", accessor);
    }
    tgGltfBuilder_AddPainted(builder, scene, range, attributes);
    return attributes;
}

/// Vertices counted from the part's first; 65535 would mean "start a new strip" in 16 bits.
static int tgAddIndices(tgGltfBuilder* builder, const tgScenePart* part, int* indices, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        indices[i] -= part->firstVertex;
    }
    bool isShort = part->vertexCount <= 65535;
    if (isShort) {
        for (size_t i = 0; i < count; ++i) {
            uint16_t value = (uint16_t)indices[i];
            memcpy((char*)indices + 2 * i, &value, sizeof(value)); // never past the int it was
        }
    }
    int type = isShort ? tg_gltfUnsignedShort : tg_gltfUnsignedInt;
    tgGltfArray array = {indices, (int)count, type, 1, tg_gltfIndices, false};
    return tgGltfBuilder_AddArray(builder, &array);
}

int tgGltfBuilder_AddTriangles(tgGltfBuilder* builder, const tgScene* scene,
                               const tgMeshLayout* layout, const tgScenePart* part)
{
    int endFace = part->firstFace + part->faceCount;
    size_t corners = (size_t)(layout->faceStarts[endFace] - layout->faceStarts[part->firstFace]);
    size_t count = 3 * (corners - 2 * (size_t)part->faceCount);
    int* indices = malloc(count * sizeof(int));
    int* face = malloc((size_t)layout->largestFace * sizeof(int));
    if (indices == NULL || face == NULL || count > INT32_MAX) {
        free(indices);
        free(face);
        tgGltfBuilder_Fail(builder, tg_outOfMemory, -1, "no memory for the triangles of a part");
        return -1;
    }
    const tgVec3View positions = {&scene->positions->x, scene->vertexCount, sizeof(tgVec3)};
    int* next = indices;
    for (int f = part->firstFace; f < endFace; ++f) {
        int start = layout->faceStarts[f];
        int size = layout->faceStarts[f + 1] - start;
        memcpy(face, scene->faceVertices + start, (size_t)size * sizeof(int));
        tgTriangulateFace(positions, face, size, next);
        next += 3 * (size - 2);
    }
    int accessor = tgAddIndices(builder, part, indices, count);
    free(indices);
    free(face);
    return accessor;
}

tgJsonValue* tgGltfBuilder_MakeMesh(tgGltfBuilder* builder, const tgScene* scene,
                                    const tgMeshLayout* layout, int object,
                                    tgJsonValue** attributes, tgJsonValue** targets)
{
    tgJsonValue* primitives = tgMakeJsonList(&builder->arena);
    for (int p = 0; p < layout->partCount; ++p) {
        if (layout->partObjects[p] != object) {
            continue;
        }
        const tgScenePart* part = &layout->parts[p];
        int range = layout->partRanges[p];
        tgJsonValue* primitive = tgMakeJsonObject(&builder->arena);
        tgGltfBuilder_Set(builder, primitive, "attributes", attributes[range]);
        tgGltfBuilder_SetWhole(builder, primitive, "indices",
                               tgGltfBuilder_AddTriangles(builder, scene, layout, part));
        tgGltfBuilder_SetWhole(builder, primitive, "material", tgGetMaterial(scene, part));
        if (targets != NULL) {
            tgGltfBuilder_Set(builder, primitive, "targets", targets[range]);
        }
        tgGltfBuilder_Append(builder, primitives, primitive);
    }
    tgJsonValue* mesh = tgMakeJsonObject(&builder->arena);
    tgGltfBuilder_SetName(builder, mesh, layout->objects[object].name);
    tgGltfBuilder_Set(builder, mesh, "primitives", primitives);
    return mesh;
}
