// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Vertices and faces of the parts. The vertices of a skinned mesh are taken as they are stored, for
// its node's transform does not move it (section 3.7.3.1); those of a mesh without a skin are
// brought to where the node puts them, unless several nodes share it.

#include "core/core.h"
#include "io/gltf_read.h"

#include <limits.h>

/// Texture coordinates and normals belong to vertices: as many as positions.
static tgResult tgReadVertexFloats(tgGltfReader* reader, int accessorIndex, int width,
                                   const tgScenePart* part, const char* place, float* values,
                                   tgError* error)
{
    tgGltfAccessor accessor;
    tgResult result =
        tgGltfReader_GetAccessor(reader, accessorIndex, width, place, &accessor, error);
    if (result != tg_success) {
        return result;
    }
    if (accessor.count != part->vertexCount) {
        return tgFail(error, tg_invalidMesh, -1, "%s has %d elements for %d vertices", place,
                      accessor.count, part->vertexCount);
    }
    tgGltfAccessor_CopyFloats(&accessor, values);
    return tg_success;
}

/// Index of the first position that is not a finite number, -1 when all are.
static int tgFindBadVector(const tgVec3* vectors, int count)
{
    for (int v = 0; v < count; ++v) {
        if (!tgIsFiniteVec3(vectors[v])) {
            return v;
        }
    }
    return -1;
}

static tgResult tgMoveToModel(tgGltfReader* reader, const tgScenePart* part, tgError* error)
{
    const tgMat34* nodesToModel = tgGltfReader_GetNodesToModel(reader, error);
    if (nodesToModel == NULL) {
        return tg_outOfMemory;
    }
    tgMat34 nodeToModel = nodesToModel[part->node];
    // Normals go with the inverse transpose: the rows of the inverse are the columns here.
    tgMat34 inverse = tgIdentityMat34();
    tgInvertMat34(&nodeToModel, &inverse);
    tgVec3* positions = reader->scene->positions + part->firstVertex;
    for (int v = 0; v < part->vertexCount; ++v) {
        positions[v] = tgMulMatPoint(&nodeToModel, positions[v]);
    }
    for (int v = 0; v < part->vertexCount && reader->scene->normals != NULL; ++v) {
        tgVec3* normal = &reader->scene->normals[part->firstVertex + v];
        tgVec3 moved = tgMakeVec3(tgDot(inverse.x, *normal), tgDot(inverse.y, *normal),
                                  tgDot(inverse.z, *normal));
        *normal = tgNormalize(moved, *normal);
    }
    return tg_success;
}

static tgResult tgReadVertices(tgGltfReader* reader, int index, tgError* error)
{
    tgScene* scene = reader->scene;
    const tgGltfPrimitive* primitive = &reader->primitives[index];
    const tgGltfPart* origin = &reader->source->parts[index];
    const tgScenePart* part = &scene->parts[index];
    tgPlace place = tgMakePlace("meshes[%d].primitives[%d]", origin->mesh, origin->primitive);
    tgVec3* positions = scene->positions + part->firstVertex;
    tgResult result =
        tgReadVertexFloats(reader, primitive->positions, 3, part, place.text, &positions->x, error);
    if (result == tg_success && scene->normals != NULL) {
        tgVec3* normals = scene->normals + part->firstVertex;
        result =
            tgReadVertexFloats(reader, primitive->normals, 3, part, place.text, &normals->x, error);
    }
    if (result == tg_success && primitive->uvs >= 0) {
        result = tgReadVertexFloats(reader, primitive->uvs, 2, part, place.text,
                                    scene->uvs + 2 * (size_t)part->firstVertex, error);
    }
    if (result == tg_success && !reader->hasSkin && !reader->gltfNodes[origin->node].isShared) {
        result = tgMoveToModel(reader, part, error);
    }
    int bad = result == tg_success ? tgFindBadVector(positions, part->vertexCount) : -1;
    if (bad >= 0) {
        tgPlace name = tgShortenText(part->name);
        return tgFail(error, tg_invalidMesh, bad,
                      "vertex %d of \"%s\" is at (%g, %g, %g), expected finite numbers", bad,
                      name.text, (double)positions[bad].x, (double)positions[bad].y,
                      (double)positions[bad].z);
    }
    return result;
}

/// Corners of face f among the indices of a primitive (section 3.7.2.1).
static void tgGetCorners(int mode, int f, int corners[3])
{
    if (mode == tg_modeTriangles) {
        corners[0] = 3 * f;
        corners[1] = 3 * f + 1;
        corners[2] = 3 * f + 2;
    } else if (mode == tg_modeStrip) {
        corners[0] = f;
        corners[1] = f + 1 + f % 2; // every second one is turned, so that all look the same way
        corners[2] = f + 2 - f % 2;
    } else {
        corners[0] = f + 1;
        corners[1] = f + 2;
        corners[2] = 0;
    }
}

static tgResult tgMakeFaces(tgGltfReader* reader, int index, const uint32_t* indices,
                            tgError* error)
{
    const tgScenePart* part = &reader->scene->parts[index];
    int* faceVertices = reader->scene->faceVertices + 3 * (size_t)part->firstFace;
    int mode = reader->primitives[index].mode;
    uint32_t vertexCount = (uint32_t)part->vertexCount;
    for (int f = 0; f < part->faceCount; ++f) {
        int corners[3];
        tgGetCorners(mode, f, corners);
        for (int k = 0; k < 3; ++k) {
            uint32_t vertex = indices != NULL ? indices[corners[k]] : (uint32_t)corners[k];
            if (vertex >= vertexCount) {
                tgPlace name = tgShortenText(part->name);
                return tgFail(error, tg_invalidMesh, f,
                              "face %d of \"%s\" uses vertex %u, the mesh has %u", f, name.text,
                              vertex, vertexCount);
            }
            faceVertices[3 * (size_t)f + (size_t)k] = part->firstVertex + (int)vertex;
        }
    }
    return tg_success;
}

/// @param indices scratch with room for the largest primitive
static tgResult tgReadFaces(tgGltfReader* reader, int index, uint32_t* indices, tgError* error)
{
    const tgGltfPrimitive* primitive = &reader->primitives[index];
    if (primitive->indices < 0) {
        return tgMakeFaces(reader, index, NULL, error);
    }
    // Its type, size and cost were checked when the faces were counted.
    tgGltfAccessor accessor;
    tgResult result =
        tgGltfSource_GetAccessor(reader->source, primitive->indices, &accessor, error);
    if (result != tg_success) {
        return result;
    }
    tgGltfAccessor_CopyUnsigned(&accessor, indices);
    return tgMakeFaces(reader, index, indices, error);
}

/// Normals are kept when every part has them, texture coordinates when any has.
static tgResult tgAllocateMesh(tgGltfReader* reader, uint32_t** indices, tgError* error)
{
    tgScene* scene = reader->scene;
    size_t vertexCount = (size_t)scene->vertexCount;
    size_t faceCount = (size_t)scene->faceCount;
    bool hasNormals = true;
    bool hasUvs = false;
    size_t mostCorners = 0;
    for (int i = 0; i < scene->partCount; ++i) {
        const tgGltfPrimitive* primitive = &reader->primitives[i];
        size_t corners = primitive->indices >= 0 ? (size_t)primitive->cornerCount : 0;
        hasNormals = hasNormals && primitive->normals >= 0;
        hasUvs = hasUvs || primitive->uvs >= 0;
        mostCorners = corners > mostCorners ? corners : mostCorners;
    }
    scene->positions = tgGltfReader_Alloc(scene, vertexCount, sizeof(tgVec3), error);
    scene->faceSizes = tgGltfReader_Alloc(scene, faceCount, sizeof(int), error);
    scene->faceVertices = tgGltfReader_Alloc(scene, faceCount, 3 * sizeof(int), error);
    *indices = tgGltfReader_Alloc(reader->scratch, mostCorners, sizeof(uint32_t), error);
    if (hasNormals) {
        scene->normals = tgGltfReader_Alloc(scene, vertexCount, sizeof(tgVec3), error);
    }
    if (hasUvs) {
        scene->uvs = tgGltfReader_Alloc(scene, vertexCount, 2 * sizeof(float), error);
    }
    bool isComplete = scene->positions != NULL && scene->faceSizes != NULL &&
                      scene->faceVertices != NULL && *indices != NULL &&
                      (scene->normals != NULL || !hasNormals) && (scene->uvs != NULL || !hasUvs);
    return isComplete ? tg_success : tg_outOfMemory;
}

/// A normal that is no direction would spread; without one the surface itself decides.
static void tgDropBadNormals(tgScene* scene)
{
    int badCount = 0;
    for (int v = 0; v < scene->vertexCount && scene->normals != NULL; ++v) {
        if (!tgIsFiniteVec3(scene->normals[v])) {
            scene->normals[v] = tgMakeVec3(0.0f, 0.0f, 0.0f);
            badCount += 1;
        }
    }
    if (badCount > 0) {
        tgScene_Warn(scene, "%d normal%s no finite numbers; set to zero", badCount,
                     badCount == 1 ? " has" : "s have");
    }
}

tgResult tgReadGltfMesh(tgGltfReader* reader, tgError* error)
{
    tgScene* scene = reader->scene;
    uint32_t* indices = NULL;
    tgResult result = tgAllocateMesh(reader, &indices, error);
    for (int i = 0; i < scene->partCount && result == tg_success; ++i) {
        if (reader->source->parts[i].ownsVertices) {
            result = tgReadVertices(reader, i, error);
        }
        if (result == tg_success) {
            result = tgReadFaces(reader, i, indices, error);
        }
    }
    if (result != tg_success) {
        return result;
    }
    for (int f = 0; f < scene->faceCount; ++f) {
        scene->faceSizes[f] = 3;
    }
    tgDropBadNormals(scene);
    return tg_success;
}
