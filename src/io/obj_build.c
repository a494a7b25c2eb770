// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// An OBJ document as a scene. Vertices are the file's "v" lines, one for one. OBJ gives normals and
// texture coordinates to corners; they are kept where all corners of every vertex agree, because a
// vertex here has one of each.

#include "core/core.h"
#include "io/obj_document.h"
#include "io/scene_select.h"

#include <stdlib.h>
#include <string.h>

/// What a material without further words looks like.
static const float tg_plainGray = 0.8f;

static tgResult tgCheckObjIndex(const tgObjFace* face, int f, int index, int count,
                                const char* what, tgError* error)
{
    if (index >= count) {
        return tgFail(error, tg_invalidMesh, f, "line %d: the face uses %s %d, the file has %d",
                      face->line, what, index + 1, count);
    }
    return tg_success;
}

static tgResult tgCheckObjIndices(const tgObjDocument* document, tgError* error)
{
    const tgObjFace* faces = document->faces.items;
    const tgObjCorner* corners = document->corners.items;
    for (int f = 0; f < document->faces.count; ++f) {
        for (int k = 0; k < faces[f].size; ++k) {
            const tgObjCorner* corner = &corners[faces[f].firstCorner + k];
            tgResult result = tgCheckObjIndex(&faces[f], f, corner->position,
                                              document->positions.count, "vertex", error);
            if (result == tg_success) {
                result = tgCheckObjIndex(&faces[f], f, corner->uv, document->uvs.count,
                                         "texture coordinate", error);
            }
            if (result == tg_success) {
                result = tgCheckObjIndex(&faces[f], f, corner->normal, document->normals.count,
                                         "normal", error);
            }
            if (result != tg_success) {
                return result;
            }
        }
    }
    return tg_success;
}

static bool tgCopyObjNames(const tgObjDocument* document, tgScene* scene)
{
    scene->nodes = tgScene_Alloc(scene, (size_t)document->objects.count, sizeof(tgSceneNode));
    scene->materials =
        tgScene_Alloc(scene, (size_t)document->materials.count, sizeof(tgSceneMaterial));
    if (scene->nodes == NULL || scene->materials == NULL) {
        return false;
    }
    scene->nodeCount = document->objects.count;
    for (int n = 0; n < scene->nodeCount; ++n) {
        scene->nodes[n].name = tgScene_CopyText(scene, document->objects.texts[n]);
        scene->nodes[n].parent = -1;
        scene->nodes[n].matrix = tgIdentityMat34();
        scene->nodes[n].local = tgIdentityTransform();
    }
    scene->materialCount = document->materials.count;
    for (int m = 0; m < scene->materialCount; ++m) {
        scene->materials[m] =
            (tgSceneMaterial){.name = tgScene_CopyText(scene, document->materials.texts[m]),
                              .baseColor = {tg_plainGray, tg_plainGray, tg_plainGray, 1.0f},
                              .roughness = 1.0f};
    }
    return true;
}

/// Faces in the order of their parts, within a part in the order of the file.
static bool tgCopyObjFaces(const tgObjDocument* document, tgScene* scene)
{
    const tgObjPart* parts = document->parts.items;
    const tgObjFace* faces = document->faces.items;
    const tgObjCorner* corners = document->corners.items;
    size_t partCount = (size_t)document->parts.count;
    size_t faceCount = (size_t)document->faces.count;
    scene->parts = tgScene_Alloc(scene, partCount, sizeof(tgScenePart));
    scene->faceSizes = tgScene_Alloc(scene, faceCount, sizeof(int));
    scene->faceVertices = tgScene_Alloc(scene, (size_t)document->corners.count, sizeof(int));
    int* order = calloc(faceCount, sizeof(int));
    int* primitiveCounts = calloc((size_t)scene->nodeCount, sizeof(int));
    bool isComplete = scene->parts != NULL && scene->faceSizes != NULL &&
                      scene->faceVertices != NULL && order != NULL && primitiveCounts != NULL;
    for (int p = 0; isComplete && p < document->parts.count; ++p) {
        tgScenePart* part = &scene->parts[p];
        part->node = parts[p].object;
        part->name = scene->nodes[part->node].name;
        part->primitive = primitiveCounts[part->node]++;
        part->material = parts[p].material;
        part->firstFace = scene->faceCount;
        scene->faceCount += parts[p].faceCount;
    }
    scene->partCount = isComplete ? document->parts.count : 0;
    for (int f = 0; isComplete && f < document->faces.count; ++f) {
        tgScenePart* part = &scene->parts[faces[f].part];
        order[part->firstFace + part->faceCount++] = f;
    }
    int at = 0;
    for (int f = 0; isComplete && f < scene->faceCount; ++f) {
        const tgObjFace* face = &faces[order[f]];
        scene->faceSizes[f] = face->size;
        for (int k = 0; k < face->size; ++k) {
            scene->faceVertices[at++] = corners[face->firstCorner + k].position;
        }
    }
    free(order);
    free(primitiveCounts);
    return isComplete;
}

/// Give each part a run of vertices. Runs are the same or do not touch, and together they are all
/// vertices: parts that use vertices in between each other's share a run.
static bool tgShareVertices(tgScene* scene)
{
    size_t count = (size_t)scene->vertexCount;
    int* ends = calloc(count, sizeof(int));   // past the last vertex of a part that starts here
    int* starts = calloc(count, sizeof(int)); // of the run that a vertex is in
    bool isComplete = ends != NULL && starts != NULL;
    const int* corner = scene->faceVertices;
    int f = 0;
    for (int p = 0; isComplete && p < scene->partCount; ++p) {
        tgScenePart* part = &scene->parts[p];
        int low = scene->vertexCount;
        int high = 0;
        for (; f < part->firstFace + part->faceCount; ++f) {
            for (int k = 0; k < scene->faceSizes[f]; ++k, ++corner) {
                low = *corner < low ? *corner : low;
                high = *corner >= high ? *corner + 1 : high;
            }
        }
        part->firstVertex = low;
        ends[low] = high > ends[low] ? high : ends[low];
    }
    int start = 0;
    int end = 0;
    for (int v = 0; isComplete && v < scene->vertexCount; ++v) {
        if (ends[v] > 0) {
            start = end > 0 && v >= end ? v : start;
            end = ends[v] > end ? ends[v] : end;
        }
        starts[v] = start;
    }
    // From here on ends[] is the end of the run, kept at its start.
    for (int v = 0; isComplete && v < scene->vertexCount; ++v) {
        ends[starts[v]] = v + 1;
    }
    for (int p = 0; isComplete && p < scene->partCount; ++p) {
        tgScenePart* part = &scene->parts[p];
        part->firstVertex = starts[part->firstVertex];
        part->vertexCount = ends[part->firstVertex] - part->firstVertex;
    }
    free(ends);
    free(starts);
    return isComplete;
}

/// Which of the file's vectors each vertex has, when every corner has one.
/// @param field offset of the index in tgObjCorner
/// @param chosen for each vertex, -1 where no face uses it
/// @return vertices whose corners disagree; -1 when some corner has none
static int tgChooseVectors(const tgObjDocument* document, const tgObjArray* array, size_t field,
                           int* chosen)
{
    const tgVec3* vectors = array->items;
    const tgObjCorner* corners = document->corners.items;
    int disagreeing = 0;
    for (int v = 0; v < document->positions.count; ++v) {
        chosen[v] = -1;
    }
    for (int k = 0; k < document->corners.count; ++k) {
        int index = *(const int*)((const char*)&corners[k] + field);
        int* own = &chosen[corners[k].position];
        if (index < 0) {
            return -1;
        }
        if (*own == -1) {
            *own = index;
        } else if (*own >= 0 && memcmp(&vectors[*own], &vectors[index], sizeof(tgVec3)) != 0) {
            *own = -2;
            disagreeing += 1;
        }
    }
    return disagreeing;
}

static tgResult tgCopyCornerVectors(const tgObjDocument* document, tgScene* scene, int* chosen,
                                    tgError* error)
{
    size_t count = (size_t)scene->vertexCount;
    const tgVec3* uvs = document->uvs.items;
    const tgVec3* normals = document->normals.items;
    int disagreeing = tgChooseVectors(document, &document->uvs, offsetof(tgObjCorner, uv), chosen);
    if (disagreeing > 0) {
        tgScene_Warn(scene, "%s on texture seams; texture coordinates left out",
                     tgTellCount(disagreeing, "vertex lies", "vertices lie").text);
    } else if (disagreeing == 0) {
        scene->uvs = tgScene_Alloc(scene, count, 2 * sizeof(float));
        if (scene->uvs == NULL) {
            return tgFail(error, tg_outOfMemory, -1, "out of memory");
        }
        for (size_t v = 0; v < count; ++v) {
            if (chosen[v] >= 0) {
                // OBJ counts v upwards, the scene counts it downwards like glTF.
                scene->uvs[2 * v] = uvs[chosen[v]].x;
                scene->uvs[2 * v + 1] = 1.0f - uvs[chosen[v]].y;
            }
        }
    }
    // Where corners disagree there is a hard edge, which one vertex cannot show.
    if (tgChooseVectors(document, &document->normals, offsetof(tgObjCorner, normal), chosen) == 0) {
        scene->normals = tgScene_Alloc(scene, count, sizeof(tgVec3));
        if (scene->normals == NULL) {
            return tgFail(error, tg_outOfMemory, -1, "out of memory");
        }
        tgVec3 up = {0.0f, 0.0f, 1.0f};
        for (size_t v = 0; v < count; ++v) {
            scene->normals[v] = chosen[v] >= 0 ? tgNormalize(normals[chosen[v]], up) : up;
        }
    }
    return tg_success;
}

static bool tgCopyObjColors(const tgObjDocument* document, tgScene* scene)
{
    if (document->colors.count == 0) {
        return true;
    }
    int added = tgScene_AddAttribute(scene, "COLOR_0", 3);
    if (added >= 0) {
        memcpy(scene->attributes[added].values, document->colors.items,
               (size_t)document->colors.count * sizeof(tgVec3));
    }
    return added >= 0 && tgScene_CleanAttributes(scene);
}

/// Lists every corner of every group, or counts them.
/// @param next of each group: where its next corner goes
static void tgListGroupCorners(const tgObjDocument* document, int* next, int* vertices)
{
    const tgObjFace* faces = document->faces.items;
    const tgObjCorner* corners = document->corners.items;
    for (int f = 0; f < document->faces.count; ++f) {
        int words[tg_mostGroupWords];
        if (faces[f].groups < 0) {
            continue;
        }
        memcpy(words, document->groupLines.texts[faces[f].groups], sizeof(words));
        for (int w = 0; w < tg_mostGroupWords && words[w] >= 0; ++w) {
            for (int k = 0; k < faces[f].size; ++k) {
                int at = next[words[w]]++;
                if (vertices != NULL) {
                    vertices[at] = corners[faces[f].firstCorner + k].position;
                }
            }
        }
    }
}

static int tgCompareInts(const void* a, const void* b)
{
    int left = *(const int*)a, right = *(const int*)b;
    return (left > right) - (left < right);
}

/// Vertices of the faces of each group, once and in order.
static bool tgCopyObjGroups(const tgObjDocument* document, tgScene* scene)
{
    size_t count = (size_t)document->groups.count;
    if (count == 0) {
        return true;
    }
    int* next = calloc(count + 1, sizeof(int));
    tgSceneGroup* groups = tgScene_Alloc(scene, count, sizeof(tgSceneGroup));
    bool done = next != NULL && groups != NULL;
    if (done) {
        tgListGroupCorners(document, next, NULL);
    }
    int total = 0;
    for (size_t g = 0; g < count && done; ++g) {
        int own = next[g];
        next[g] = total;
        total += own;
    }
    int* vertices = done ? tgScene_Alloc(scene, (size_t)total, sizeof(int)) : NULL;
    done = vertices != NULL;
    if (done) {
        tgListGroupCorners(document, next, vertices);
    }
    for (size_t g = 0; g < count && done; ++g) {
        int first = g > 0 ? next[g - 1] : 0, all = next[g] - first, found = 0;
        qsort(vertices + first, (size_t)all, sizeof(int), tgCompareInts);
        for (int i = 0; i < all; ++i) {
            if (i == 0 || vertices[first + i] != vertices[first + i - 1]) {
                vertices[first + found++] = vertices[first + i];
            }
        }
        groups[g] = (tgSceneGroup){tgScene_CopyText(scene, document->groups.texts[g]), found,
                                   vertices + first};
    }
    free(next);
    if (done) {
        scene->groups = groups;
        scene->groupCount = document->groups.count;
    }
    return done && !scene->hasRunOut;
}

tgResult tgBuildObjScene(const tgObjDocument* document, tgScene* scene, tgError* error)
{
    if (document->positions.count == 0 || document->faces.count == 0) {
        return tgFail(error, tg_invalidMesh, -1, "no mesh: the file has %d vertices and %d faces",
                      document->positions.count, document->faces.count);
    }
    tgResult result = tgCheckObjIndices(document, error);
    if (result != tg_success) {
        return result;
    }
    size_t count = (size_t)document->positions.count;
    scene->vertexCount = document->positions.count;
    scene->positions = tgScene_Alloc(scene, count, sizeof(tgVec3));
    int* chosen = calloc(count, sizeof(int));
    if (scene->positions == NULL || chosen == NULL || !tgCopyObjNames(document, scene) ||
        !tgCopyObjFaces(document, scene) || !tgShareVertices(scene) ||
        !tgCopyObjColors(document, scene) || !tgCopyObjGroups(document, scene)) {
        result = tgFail(error, tg_outOfMemory, -1, "out of memory");
    } else {
        memcpy(scene->positions, document->positions.items, count * sizeof(tgVec3));
        result = tgCopyCornerVectors(document, scene, chosen, error);
    }
    free(chosen);
    return result;
}
