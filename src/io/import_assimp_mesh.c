// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Geometry of an Assimp scene: copies the joined vertices of every mesh, its polygons and its morph
// targets into the scene's arrays, all in the one space of the bind pose. Each mesh is a part.

#include "core/core.h"
#include "io/import_assimp_private.h"
#include "io/scene_select.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/// How many of everything the scene will hold.
typedef struct tgMeshTotals {
    size_t vertexCount, faceCount, cornerCount, morphCount;
    int influencesPerVertex;
    int edgeCount; ///< points and lines, which are left out
    bool hasNormals, hasUvs;
} tgMeshTotals;

static bool tgIsMorph(const struct aiMesh* mesh, const struct aiAnimMesh* target)
{
    return target->mVertices != NULL && target->mNumVertices == mesh->mNumVertices;
}

static tgMeshTotals tgCountMeshes(const tgAssimpImport* import)
{
    tgMeshTotals totals = {.hasNormals = true};
    for (int m = 0; m < import->meshCount; ++m) {
        const tgAssimpMesh* mesh = &import->meshes[m];
        totals.vertexCount += (size_t)mesh->vertexCount;
        totals.hasNormals &= mesh->source->mNormals != NULL;
        totals.hasUvs |= mesh->source->mTextureCoords[0] != NULL;
        for (unsigned f = 0; f < mesh->source->mNumFaces; ++f) {
            unsigned size = mesh->source->mFaces[f].mNumIndices;
            totals.faceCount += size >= 3 ? 1 : 0;
            totals.cornerCount += size >= 3 ? size : 0;
            totals.edgeCount += size < 3 ? 1 : 0;
        }
        for (unsigned t = 0; t < mesh->source->mNumAnimMeshes; ++t) {
            totals.morphCount += tgIsMorph(mesh->source, mesh->source->mAnimMeshes[t]) ? 1 : 0;
        }
        for (int v = 0; v < mesh->vertexCount && mesh->influenceStarts != NULL; ++v) {
            const int* start = &mesh->influenceStarts[mesh->sourceVertices[v]];
            int count = start[1] - start[0];
            if (count > totals.influencesPerVertex) {
                totals.influencesPerVertex = count;
            }
        }
    }
    return totals;
}

static tgResult tgAllocMesh(const tgAssimpImport* import, const tgMeshTotals* totals)
{
    tgScene* scene = import->scene;
    if (totals->vertexCount > INT_MAX || totals->cornerCount > INT_MAX ||
        totals->morphCount > INT_MAX) {
        return tgFail(import->error, tg_unsupported, -1, "more than %d vertices or corners",
                      INT_MAX);
    }
    size_t influenceCount = totals->vertexCount * (size_t)totals->influencesPerVertex;
    scene->positions = tgScene_Alloc(scene, totals->vertexCount, sizeof(tgVec3));
    scene->faceSizes = tgScene_Alloc(scene, totals->faceCount, sizeof(int));
    scene->faceVertices = tgScene_Alloc(scene, totals->cornerCount, sizeof(int));
    scene->influenceJoints = tgScene_Alloc(scene, influenceCount, sizeof(int));
    scene->influenceWeights = tgScene_Alloc(scene, influenceCount, sizeof(float));
    scene->parts = tgScene_Alloc(scene, (size_t)import->meshCount, sizeof(tgScenePart));
    scene->morphs = tgScene_Alloc(scene, totals->morphCount, sizeof(tgSceneMorph));
    bool isComplete = scene->positions != NULL && scene->faceSizes != NULL &&
                      scene->faceVertices != NULL && scene->influenceJoints != NULL &&
                      scene->influenceWeights != NULL && scene->parts != NULL &&
                      scene->morphs != NULL;
    if (totals->hasNormals) {
        scene->normals = tgScene_Alloc(scene, totals->vertexCount, sizeof(tgVec3));
        isComplete &= scene->normals != NULL;
    }
    if (totals->hasUvs) {
        scene->uvs = tgScene_Alloc(scene, totals->vertexCount, 2 * sizeof(float));
        isComplete &= scene->uvs != NULL;
    }
    scene->influencesPerVertex = totals->influencesPerVertex;
    return isComplete ? tg_success : tgAssimpImport_FailMemory(import);
}

/// Normals turn with the cofactors: perpendicular to what the axes span after the map.
static tgVec3 tgMulMatNormal(const tgMat34* m, tgVec3 n)
{
    tgVec3 sum = tgMulSV(n.x, tgCross(m->y, m->z));
    sum = tgMulAdd(sum, n.y, tgCross(m->z, m->x));
    sum = tgMulAdd(sum, n.z, tgCross(m->x, m->y));
    return tgDeterminant(m) < 0.0f ? tgMulSV(-1.0f, sum) : sum;
}

static tgResult tgCopyVertices(const tgAssimpImport* import, const tgAssimpMesh* mesh,
                               int* badNormalCount)
{
    tgScene* scene = import->scene;
    const struct aiMesh* source = mesh->source;
    for (int v = 0; v < mesh->vertexCount; ++v) {
        int s = mesh->sourceVertices[v];
        int target = mesh->firstVertex + v;
        tgVec3 p = tgFromAiVector(source->mVertices[s]);
        p = mesh->isMoved ? tgMulMatPoint(&mesh->meshToModel, p) : p;
        if (!tgIsFiniteVec3(p)) {
            return tgFail(import->error, tg_invalidMesh, target,
                          "vertex %d of mesh \"%.80s\" has a position that is not a number", s,
                          source->mName.data);
        }
        scene->positions[target] = p;
        if (scene->normals != NULL) {
            tgVec3 n = tgFromAiVector(source->mNormals[s]);
            n = mesh->isMoved ? tgMulMatNormal(&mesh->meshToModel, n) : n;
            tgVec3 none = {0.0f, 0.0f, 0.0f};
            scene->normals[target] = tgNormalize(n, none);
            *badNormalCount += tgDot(scene->normals[target], n) > 0.0f ? 0 : 1;
        }
        if (source->mTextureCoords[0] != NULL) {
            struct aiVector3D uv = source->mTextureCoords[0][s];
            bool isFinite = isfinite(uv.x) && isfinite(uv.y);
            // These formats count v upwards, the scene counts it downwards like glTF.
            scene->uvs[2 * (size_t)target] = isFinite ? (float)uv.x : 0.0f;
            scene->uvs[2 * (size_t)target + 1] = isFinite ? 1.0f - (float)uv.y : 0.0f;
        }
    }
    return tg_success;
}

/// Sets of vertex colours, as glTF calls them.
static tgResult tgCopyColors(const tgAssimpImport* import)
{
    tgScene* scene = import->scene;
    for (int set = 0; set < AI_MAX_NUMBER_OF_COLOR_SETS; ++set) {
        char name[16];
        snprintf(name, sizeof(name), "COLOR_%d", set);
        int added = -1;
        for (int m = 0; m < import->meshCount; ++m) {
            const tgAssimpMesh* mesh = &import->meshes[m];
            const struct aiColor4D* colors = mesh->source->mColors[set];
            if (colors != NULL && added < 0) {
                added = tgScene_AddAttribute(scene, name, 4);
                if (added < 0) {
                    return tgAssimpImport_FailMemory(import);
                }
            }
            for (int v = 0; colors != NULL && v < mesh->vertexCount; ++v) {
                const struct aiColor4D* color = &colors[mesh->sourceVertices[v]];
                const float values[4] = {(float)color->r, (float)color->g, (float)color->b,
                                         (float)color->a};
                memcpy(scene->attributes[added].values + 4 * (size_t)(mesh->firstVertex + v),
                       values, sizeof(values));
            }
        }
    }
    return tgScene_CleanAttributes(scene) ? tg_success : tgAssimpImport_FailMemory(import);
}

/// Unused influences keep joint 0 and weight 0.
static void tgCopyInfluences(const tgAssimpImport* import, const tgAssimpMesh* mesh)
{
    const tgScene* scene = import->scene;
    for (int v = 0; v < mesh->vertexCount; ++v) {
        const int* start = &mesh->influenceStarts[mesh->sourceVertices[v]];
        size_t target = (size_t)(mesh->firstVertex + v) * (size_t)scene->influencesPerVertex;
        for (int k = start[0]; k < start[1]; ++k, ++target) {
            scene->influenceJoints[target] = mesh->influences[k].joint;
            scene->influenceWeights[target] = mesh->influences[k].weight;
        }
    }
}

/// @param cornerCount of the scene so far; grows
static tgResult tgCopyFaces(const tgAssimpImport* import, const tgAssimpMesh* mesh,
                            int* cornerCount)
{
    tgScene* scene = import->scene;
    const struct aiMesh* source = mesh->source;
    bool isMirrored = mesh->isMoved && tgDeterminant(&mesh->meshToModel) < 0.0f;
    for (unsigned f = 0; f < source->mNumFaces; ++f) {
        const struct aiFace* face = &source->mFaces[f];
        if (face->mNumIndices < 3) {
            continue;
        }
        for (unsigned k = 0; k < face->mNumIndices; ++k) {
            unsigned s = face->mIndices[isMirrored ? face->mNumIndices - 1 - k : k];
            if (s >= source->mNumVertices) {
                return tgFail(import->error, tg_invalidMesh, scene->faceCount,
                              "face %u of mesh \"%.80s\" uses vertex %u, the mesh has %u", f,
                              source->mName.data, s, source->mNumVertices);
            }
            scene->faceVertices[(*cornerCount)++] = mesh->firstVertex + mesh->joinedVertices[s];
        }
        scene->faceSizes[scene->faceCount++] = (int)face->mNumIndices;
    }
    return tg_success;
}

/// Which of the node's weights drives a target. Assimp splits a mesh by material and gives every
/// piece all targets, so targets of the same name in different pieces share one weight.
static int tgFindMorphIndex(const tgScene* scene, int node, int ownFirst, const char* name)
{
    int next = 0;
    for (int t = 0; t < scene->morphCount; ++t) {
        const tgSceneMorph* morph = &scene->morphs[t];
        if (morph->node == node) {
            if (t < ownFirst && strcmp(morph->name, name) == 0) {
                return morph->indexInNode;
            }
            next = morph->indexInNode >= next ? morph->indexInNode + 1 : next;
        }
    }
    return next;
}

static tgResult tgCopyMorphs(const tgAssimpImport* import, const tgAssimpMesh* mesh)
{
    tgScene* scene = import->scene;
    const struct aiMesh* source = mesh->source;
    int ownFirst = scene->morphCount;
    for (unsigned t = 0; t < source->mNumAnimMeshes; ++t) {
        const struct aiAnimMesh* target = source->mAnimMeshes[t];
        if (!tgIsMorph(source, target)) {
            continue;
        }
        tgVec3* offsets = tgScene_Alloc(scene, (size_t)mesh->vertexCount, sizeof(tgVec3));
        if (offsets == NULL) {
            return tgAssimpImport_FailMemory(import);
        }
        for (int v = 0; v < mesh->vertexCount; ++v) {
            int s = mesh->sourceVertices[v];
            tgVec3 offset =
                tgSub(tgFromAiVector(target->mVertices[s]), tgFromAiVector(source->mVertices[s]));
            offsets[v] = mesh->isMoved ? tgMulMatDirection(&mesh->meshToModel, offset) : offset;
            if (!tgIsFiniteVec3(offsets[v])) {
                return tgFail(import->error, tg_invalidMesh, mesh->firstVertex + v,
                              "morph target \"%.80s\" moves vertex %d to a place that is not a "
                              "number",
                              target->mName.data, s);
            }
        }
        tgSceneMorph morph = {.name = tgScene_CopyText(scene, target->mName.data),
                              .node = mesh->node,
                              .firstVertex = mesh->firstVertex,
                              .vertexCount = mesh->vertexCount,
                              .offsets = offsets};
        morph.indexInNode = tgFindMorphIndex(scene, mesh->node, ownFirst, morph.name);
        // Assimp gives every FBX target the weight 1, whatever the file says.
        bool isKnown = !import->isFbx && isfinite(target->mWeight);
        morph.weight = isKnown ? (float)target->mWeight : 0.0f;
        scene->morphs[scene->morphCount++] = morph;
    }
    return tg_success;
}

static tgResult tgCopyMesh(const tgAssimpImport* import, tgAssimpMesh* mesh, int* cornerCount,
                           int* badNormalCount)
{
    tgScene* scene = import->scene;
    mesh->firstVertex = scene->vertexCount;
    tgScenePart* part = &scene->parts[scene->partCount++];
    part->name = scene->nodes[mesh->node].name;
    part->node = mesh->node;
    // Meshes were taken node by node.
    bool isSameNode = scene->partCount > 1 && part[-1].node == part->node;
    part->primitive = isSameNode ? part[-1].primitive + 1 : 0;
    unsigned material = mesh->source->mMaterialIndex;
    part->material = material < (unsigned)scene->materialCount ? (int)material : -1;
    part->firstVertex = mesh->firstVertex;
    part->vertexCount = mesh->vertexCount;
    part->firstFace = scene->faceCount;
    scene->vertexCount += mesh->vertexCount;
    tgResult result = tgCopyVertices(import, mesh, badNormalCount);
    if (result == tg_success) {
        result = tgCopyFaces(import, mesh, cornerCount);
    }
    if (result == tg_success) {
        result = tgCopyMorphs(import, mesh);
    }
    if (import->isSkinned) {
        tgCopyInfluences(import, mesh);
    }
    part->faceCount = scene->faceCount - part->firstFace;
    return result;
}

tgResult tgAssimpImport_ReadMesh(tgAssimpImport* import)
{
    tgScene* scene = import->scene;
    tgMeshTotals totals = tgCountMeshes(import);
    tgResult result = tgAllocMesh(import, &totals);
    int cornerCount = 0;
    int badNormalCount = 0;
    for (int m = 0; m < import->meshCount && result == tg_success; ++m) {
        result = tgCopyMesh(import, &import->meshes[m], &cornerCount, &badNormalCount);
    }
    if (result == tg_success) {
        result = tgCopyColors(import);
    }
    if (result != tg_success) {
        return result;
    }
    if (scene->faceCount == 0) {
        return tgFail(import->error, tg_invalidMesh, -1, "the file has no mesh with faces");
    }
    if (badNormalCount > 0) {
        scene->normals = NULL;
        tgScene_Warn(
            scene, "%s without a direction; normals left out",
            tgTellCount(badNormalCount, "vertex has a normal", "vertices have normals").text);
    }
    if (totals.edgeCount > 0) {
        tgScene_Warn(
            scene, "%s left out",
            tgTellCount(totals.edgeCount, "point or line was", "points and lines were").text);
    }
    return tg_success;
}
