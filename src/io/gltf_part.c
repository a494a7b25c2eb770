// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Which primitives become parts of the scene, in file order, and which run of vertices and faces
// each of them gets. Primitives of one node that use the same vertices share one run.

#include "core/core.h"
#include "io/gltf_document.h"
#include "io/gltf_read.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    tg_mostSets = 64,  ///< 256 influences on a vertex; tgReadGltfWeights sorts them in place
    tg_mostTries = 64, ///< primitives with the same positions that are compared with a new one
};

/// Bytes that a vertex, a face and a primitive take in the scene and in a rig made of it, beside
/// what their accessors are counted for. Measured on meshes of 200 000 vertices and on soups of
/// triangles.
enum { tg_vertexMemory = 150, tg_faceMemory = 480, tg_partMemory = 300 };

int tgGltfReader_CountTargets(const tgGltfReader* reader, int mesh)
{
    const tgJsonValue* primitives =
        tgJson_Find(tgJson_GetItem(reader->meshes, (size_t)mesh), "primitives");
    size_t most = 0;
    for (size_t p = 0; p < tgJson_CountItems(primitives); ++p) {
        size_t count = tgJson_CountItems(tgJson_Find(tgJson_GetItem(primitives, p), "targets"));
        most = count > most ? count : most;
    }
    return (int)most;
}

/// Both of a pair or none: a set of joints without weights says nothing.
static tgResult tgCountSets(tgGltfPrimitive* primitive, const char* place, tgError* error)
{
    for (int n = 0;; ++n) {
        char joints[24];
        char weights[24];
        snprintf(joints, sizeof(joints), "JOINTS_%d", n);
        snprintf(weights, sizeof(weights), "WEIGHTS_%d", n);
        bool hasJoints = tgJson_Find(primitive->attributes, joints) != NULL;
        bool hasWeights = tgJson_Find(primitive->attributes, weights) != NULL;
        if (hasJoints != hasWeights) {
            return tgFail(error, tg_invalidMesh, -1, "%s has %s without %s", place,
                          hasJoints ? joints : weights, hasJoints ? weights : joints);
        }
        if (!hasJoints) {
            primitive->setCount = n;
            return tg_success;
        }
        if (n == tg_mostSets) {
            return tgFail(error, tg_unsupported, -1, "%s has more than %d sets of joints", place,
                          tg_mostSets);
        }
    }
}

static tgResult tgReadAttributes(tgGltfReader* reader, const tgJsonValue* json, const char* place,
                                 tgGltfPrimitive* primitive, tgError* error)
{
    tgPlace attributes = tgMakePlace("%s.attributes", place);
    size_t accessorCount = tgJson_CountItems(reader->accessors);
    tgResult result = tgJson_GetObject(json, "attributes", place, &primitive->attributes, error);
    if (result == tg_success) {
        result = tgJson_GetArray(json, "targets", place, &primitive->targets, error);
    }
    if (result == tg_success) {
        result = tgJson_GetIndex(primitive->attributes, "POSITION", attributes.text, accessorCount,
                                 &primitive->positions, error);
    }
    if (result == tg_success) {
        result = tgJson_GetIndex(primitive->attributes, "NORMAL", attributes.text, accessorCount,
                                 &primitive->normals, error);
    }
    if (result == tg_success) {
        result = tgJson_GetIndex(primitive->attributes, "TEXCOORD_0", attributes.text,
                                 accessorCount, &primitive->uvs, error);
    }
    if (result == tg_success) {
        result = tgJson_GetIndex(json, "indices", place, accessorCount, &primitive->indices, error);
    }
    if (result == tg_success && primitive->positions < 0) {
        return tgFail(error, tg_invalidMesh, -1, "%s has no POSITION", place);
    }
    if (result == tg_success && reader->hasSkin) {
        result = tgCountSets(primitive, place, error);
    }
    return result;
}

/// Keys of the attributes that make two vertices at one place different ones for us.
static bool tgTellsVerticesApart(const char* key)
{
    return strcmp(key, "POSITION") == 0 || strcmp(key, "NORMAL") == 0 ||
           strncmp(key, "JOINTS_", 7) == 0 || strncmp(key, "WEIGHTS_", 8) == 0;
}

static bool tgHasSameAttributes(const tgJsonValue* a, const tgJsonValue* b)
{
    const tgJsonValue* value = NULL;
    for (size_t member = 0; (value = tgJson_GetMember(a, member)) != NULL; ++member) {
        const char* key = value->key;
        if (tgTellsVerticesApart(key) && !tgJson_IsSame(value, tgJson_Find(b, key))) {
            return false;
        }
    }
    return true;
}

static bool tgHasSameVertices(const tgGltfPrimitive* a, const tgGltfPrimitive* b)
{
    if (a->positions != b->positions || a->normals != b->normals || a->setCount != b->setCount) {
        return false;
    }
    bool hasSameTargets = a->targets == b->targets || tgJson_IsSame(a->targets, b->targets);
    return hasSameTargets && tgHasSameAttributes(a->attributes, b->attributes) &&
           tgHasSameAttributes(b->attributes, a->attributes);
}

/// Give part `index` the vertices of an earlier part of its node, or new ones.
static tgResult tgAssignVertices(tgGltfReader* reader, int index, const char* place, tgError* error)
{
    tgScene* scene = reader->scene;
    tgGltfPart* parts = reader->source->parts;
    tgScenePart* part = &scene->parts[index];
    tgGltfPrimitive* primitive = &reader->primitives[index];
    int* last = &reader->lastWithPositions[primitive->positions];
    int tries = 0;
    for (int i = *last; i >= 0 && parts[i].node == parts[index].node && tries < tg_mostTries;
         i = reader->primitives[i].before, ++tries) {
        if (tgHasSameVertices(&reader->primitives[i], primitive)) {
            part->firstVertex = scene->parts[i].firstVertex;
            part->vertexCount = scene->parts[i].vertexCount;
            return tg_success;
        }
    }
    tgGltfAccessor accessor;
    tgResult result = tgGltfReader_GetAccessor(reader, reader->primitives[index].positions, 3,
                                               place, &accessor, error);
    if (result != tg_success) {
        return result;
    }
    if (accessor.count > INT_MAX / 16 - scene->vertexCount) {
        return tgFail(error, tg_unsupported, -1, "%s: more than %d vertices", place, INT_MAX / 16);
    }
    result = tgGltfReader_Spend(reader, place, (size_t)accessor.count, tg_vertexMemory, "vertices",
                                error);
    if (result != tg_success) {
        return result;
    }
    primitive->before = *last;
    *last = index;
    parts[index].ownsVertices = true;
    part->firstVertex = scene->vertexCount;
    part->vertexCount = accessor.count;
    scene->vertexCount += accessor.count;
    return tg_success;
}

static tgResult tgAssignFaces(tgGltfReader* reader, int index, const char* place, tgError* error)
{
    tgScene* scene = reader->scene;
    tgScenePart* part = &scene->parts[index];
    tgGltfPrimitive* primitive = &reader->primitives[index];
    primitive->cornerCount = part->vertexCount;
    if (primitive->indices >= 0) {
        tgGltfAccessor accessor;
        tgResult result =
            tgGltfReader_GetAccessor(reader, primitive->indices, 1, place, &accessor, error);
        if (result != tg_success) {
            return result;
        }
        if (!tgGltfAccessor_IsUnsigned(&accessor)) {
            return tgFail(error, tg_invalidMesh, -1,
                          "%s: indices of component type %d, expected 5121, 5123 or 5125", place,
                          accessor.componentType);
        }
        primitive->cornerCount = accessor.count;
    }
    int corners = primitive->cornerCount;
    bool isList = primitive->mode == tg_modeTriangles;
    reader->looseCornerCount += isList ? corners % 3 : 0;
    part->firstFace = scene->faceCount;
    part->faceCount = isList ? corners / 3 : corners > 2 ? corners - 2 : 0;
    if (part->faceCount > INT_MAX / 16 - scene->faceCount) {
        return tgFail(error, tg_unsupported, -1, "%s: more than %d faces", place, INT_MAX / 16);
    }
    scene->faceCount += part->faceCount;
    return tgGltfReader_Spend(reader, place, (size_t)part->faceCount, tg_faceMemory, "faces",
                              error);
}

/// What a primitive is drawn as, and whether we can read it at all.
static tgResult tgReadMode(const tgJsonValue* json, const char* place, size_t* mode, tgError* error)
{
    if (!tgJson_IsObject(json)) {
        return tgFail(error, tg_invalidMesh, -1, "%s is %s, expected an object", place,
                      tgJson_GetTypeName(json));
    }
    *mode = tg_modeTriangles;
    tgResult result = tgJson_GetSize(json, "mode", place, mode, error);
    if (result == tg_success && *mode > tg_modeFan) {
        return tgFail(error, tg_invalidMesh, -1, "%s.mode is %zu, expected 0 to 6", place, *mode);
    }
    if (result == tg_success && tgGltfHasExtension(json, "KHR_draco_mesh_compression")) {
        return tgFail(error, tg_unsupported, -1,
                      "%s is compressed with KHR_draco_mesh_compression, which is not supported",
                      place);
    }
    return result;
}

/// Fills the last part; tgAddPart has made room for it.
static tgResult tgReadPart(tgGltfReader* reader, const tgJsonValue* json, const char* place,
                           tgError* error)
{
    tgScene* scene = reader->scene;
    int index = scene->partCount - 1;
    tgScenePart* part = &scene->parts[index];
    tgGltfPrimitive* primitive = &reader->primitives[index];
    int mesh = reader->source->parts[index].mesh;
    tgPlace meshPlace = tgMakePlace("meshes[%d]", mesh);
    primitive->meshName = "";
    tgResult result = tgJson_GetText(tgJson_GetItem(reader->meshes, (size_t)mesh), "name",
                                     meshPlace.text, &primitive->meshName, error);
    if (result == tg_success) {
        result = tgJson_GetIndex(json, "material", place, tgJson_CountItems(reader->materials),
                                 &part->material, error);
    }
    if (result == tg_success) {
        result = tgReadAttributes(reader, json, place, primitive, error);
    }
    if (result == tg_success) {
        result = tgAssignVertices(reader, index, place, error);
    }
    if (result == tg_success) {
        result = tgAssignFaces(reader, index, place, error);
    }
    const char* nodeName = scene->nodes[part->node].name;
    part->name = nodeName[0] != '\0' ? nodeName : primitive->meshName;
    return result;
}

/// Adds one primitive of one node, unless it is made of points or lines.
static tgResult tgAddPart(tgGltfReader* reader, int node, int primitive, int* skippedCount,
                          tgError* error)
{
    tgScene* scene = reader->scene;
    int mesh = reader->gltfNodes[node].mesh;
    const tgJsonValue* primitives =
        tgJson_Find(tgJson_GetItem(reader->meshes, (size_t)mesh), "primitives");
    const tgJsonValue* json = tgJson_GetItem(primitives, (size_t)primitive);
    tgPlace place = tgMakePlace("meshes[%d].primitives[%d]", mesh, primitive);
    size_t mode = 0;
    tgResult result = tgReadMode(json, place.text, &mode, error);
    if (result != tg_success) {
        return result;
    }
    if (mode < tg_modeTriangles) {
        *skippedCount += 1;
        return tg_success;
    }
    int index = scene->partCount;
    reader->primitives[index].mode = (int)mode;
    scene->parts[index].node = reader->source->sceneNodes[node];
    scene->parts[index].primitive = primitive;
    reader->source->parts[index] = (tgGltfPart){
        .node = node,
        .mesh = mesh,
        .primitive = primitive,
        .skin = reader->gltfNodes[node].skin,
    };
    scene->partCount += 1;
    reader->source->partCount = scene->partCount;
    return tgReadPart(reader, json, place.text, error);
}

static tgResult tgCountPrimitives(const tgGltfReader* reader, size_t* count, tgError* error)
{
    *count = 0;
    for (int n = 0; n < reader->source->nodeCount; ++n) {
        if (!reader->gltfNodes[n].isTaken || reader->gltfNodes[n].isPlace) {
            continue;
        }
        int mesh = reader->gltfNodes[n].mesh;
        tgPlace place = tgMakePlace("meshes[%d]", mesh);
        const tgJsonValue* primitives = NULL;
        tgResult result = tgJson_GetArray(tgJson_GetItem(reader->meshes, (size_t)mesh),
                                          "primitives", place.text, &primitives, error);
        if (result != tg_success) {
            return result;
        }
        *count += tgJson_CountItems(primitives);
    }
    return tg_success;
}

tgResult tgReadGltfParts(tgGltfReader* reader, tgError* error)
{
    tgScene* scene = reader->scene;
    size_t room = 0;
    tgResult result = tgCountPrimitives(reader, &room, error);
    if (result != tg_success) {
        return result;
    }
    if (room > INT_MAX / 16) {
        return tgFail(error, tg_unsupported, -1, "%zu primitives, expected at most %d", room,
                      INT_MAX / 16);
    }
    result = tgGltfReader_Spend(reader, "meshes", room, tg_partMemory, "primitives", error);
    if (result != tg_success) {
        return result;
    }
    reader->primitives = tgGltfReader_Alloc(reader->scratch, room, sizeof(tgGltfPrimitive), error);
    scene->parts = tgGltfReader_Alloc(scene, room, sizeof(tgScenePart), error);
    reader->source->parts = calloc(room + 1, sizeof(tgGltfPart));
    size_t accessorCount = tgJson_CountItems(reader->accessors);
    reader->lastWithPositions =
        tgGltfReader_Alloc(reader->scratch, accessorCount, sizeof(int), error);
    if (reader->primitives == NULL || scene->parts == NULL || reader->source->parts == NULL ||
        reader->lastWithPositions == NULL) {
        return tgFail(error, tg_outOfMemory, -1, "not enough memory for %zu primitives", room);
    }
    for (size_t i = 0; i < accessorCount; ++i) {
        reader->lastWithPositions[i] = -1;
    }
    int skippedCount = 0;
    for (int n = 0; n < reader->source->nodeCount; ++n) {
        if (!reader->gltfNodes[n].isTaken || reader->gltfNodes[n].isPlace) {
            continue;
        }
        const tgJsonValue* mesh = tgJson_GetItem(reader->meshes, (size_t)reader->gltfNodes[n].mesh);
        int count = (int)tgJson_CountItems(tgJson_Find(mesh, "primitives"));
        for (int p = 0; p < count && result == tg_success; ++p) {
            result = tgAddPart(reader, n, p, &skippedCount, error);
        }
        if (result != tg_success) {
            return result;
        }
    }
    if (skippedCount > 0) {
        tgScene_Warn(scene, "%d primitive%s of points or lines; left out", skippedCount,
                     skippedCount == 1 ? "" : "s");
    }
    if (reader->looseCornerCount > 0) {
        tgScene_Warn(scene, "%d corner%s after the last whole triangle; left out",
                     reader->looseCornerCount, reader->looseCornerCount == 1 ? "" : "s");
    }
    if (scene->faceCount == 0) {
        return tgFail(error, tg_invalidMesh, -1, "the meshes of the scene have no triangles");
    }
    return tg_success;
}
