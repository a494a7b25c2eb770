// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Skin weights of an Assimp scene, from lists by bone to lists by vertex: merged, sorted and made
// to sum to one, however many a vertex has. Assimp gives every corner of a face a vertex of its
// own, so corners that agree in place, normal, texture coordinates, weights and morph targets are
// then joined, in the order in which they come.

#include "core/core.h"
#include "io/import_assimp_private.h"
#include "io/number_text.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/// Farther from 1 than this is told to the user; less is what text and 16-bit files round to.
static const double tg_boneWeightSlop = 1e-3;
/// Exporters write the normal and the texture coordinates once for each corner, with rounding.
static const float tg_cornerSlop = 1e-5f;

/// What was mended, to be told once for the whole file.
typedef struct tgSkinReport {
    int unnormalizedCount;
    double lowestSum, highestSum;
    int unweightedCount;
} tgSkinReport;

static int tgCompareByJoint(const void* left, const void* right)
{
    const tgBoneInfluence* a = left;
    const tgBoneInfluence* b = right;
    if (a->joint != b->joint) {
        return a->joint < b->joint ? -1 : 1;
    }
    return (a->weight > b->weight) - (a->weight < b->weight);
}

static int tgCompareByWeight(const void* left, const void* right)
{
    const tgBoneInfluence* a = left;
    const tgBoneInfluence* b = right;
    if (a->weight != b->weight) {
        return a->weight > b->weight ? -1 : 1;
    }
    return (a->joint > b->joint) - (a->joint < b->joint);
}

/// Merge, sort and normalise one vertex's influences in place.
/// @return how many are left
/// @param sum of the weights as found
static int tgCleanInfluences(tgBoneInfluence* influences, int count, double* sum)
{
    qsort(influences, (size_t)count, sizeof(tgBoneInfluence), tgCompareByJoint);
    int kept = 0;
    *sum = 0.0;
    for (int k = 0; k < count; ++k) {
        if (!(influences[k].weight > 0.0f)) {
            continue;
        }
        *sum += (double)influences[k].weight;
        if (kept > 0 && influences[kept - 1].joint == influences[k].joint) {
            influences[kept - 1].weight += influences[k].weight;
        } else {
            influences[kept++] = influences[k];
        }
    }
    qsort(influences, (size_t)kept, sizeof(tgBoneInfluence), tgCompareByWeight);
    for (int k = 0; k < kept; ++k) {
        influences[k].weight = (float)((double)influences[k].weight / *sum);
    }
    return kept;
}

/// The joint for vertices without weights: the nearest above the mesh, or else the mesh's first.
static int tgFindFallbackJoint(const tgAssimpImport* import, const tgAssimpMesh* mesh)
{
    const tgScene* scene = import->scene;
    for (int node = mesh->node; node >= 0; node = scene->nodes[node].parent) {
        for (int j = 0; j < scene->jointCount; ++j) {
            if (scene->joints[j].node == node) {
                return j;
            }
        }
    }
    int first = mesh->boneJoints[0];
    for (unsigned b = 1; b < mesh->source->mNumBones; ++b) {
        first = mesh->boneJoints[b] < first ? mesh->boneJoints[b] : first;
    }
    return first;
}

/// Check every weight, and count them for each vertex into starts[v + 1].
static tgResult tgCountInfluences(const tgAssimpImport* import, const struct aiMesh* source,
                                  int* starts)
{
    size_t total = source->mNumVertices; // each may need the fallback joint
    for (unsigned b = 0; b < source->mNumBones; ++b) {
        const struct aiBone* bone = source->mBones[b];
        total += bone->mNumWeights;
        if (total > INT_MAX) {
            return tgFail(import->error, tg_unsupported, -1, "more than %d weights", INT_MAX);
        }
        for (unsigned k = 0; k < bone->mNumWeights; ++k) {
            unsigned v = bone->mWeights[k].mVertexId;
            float w = (float)bone->mWeights[k].mWeight;
            if (v >= source->mNumVertices) {
                return tgFail(import->error, tg_invalidMesh, -1,
                              "bone \"%.80s\" moves vertex %u, its mesh has %u", bone->mName.data,
                              v, source->mNumVertices);
            }
            if (!isfinite(w)) {
                return tgFail(import->error, tg_invalidMesh, (int)v,
                              "bone \"%.80s\" moves vertex %u with a weight that is not a number",
                              bone->mName.data, v);
            }
            starts[v + 1] += 1;
        }
    }
    for (unsigned v = 0; v < source->mNumVertices; ++v) {
        starts[v + 1] = starts[v] + (starts[v + 1] > 0 ? starts[v + 1] : 1);
    }
    return tg_success;
}

static void tgReportSum(tgSkinReport* report, double sum)
{
    if (fabs(sum - 1.0) > tg_boneWeightSlop) {
        if (report->unnormalizedCount == 0) {
            report->lowestSum = sum;
            report->highestSum = sum;
        }
        report->lowestSum = fmin(report->lowestSum, sum);
        report->highestSum = fmax(report->highestSum, sum);
        report->unnormalizedCount += 1;
    }
}

/// Sort the bones' lists into the vertices' lists, then clean those. Rooms that merging empties are
/// closed up, so that starts[v + 1] - starts[v] is the count again. `sums` is for the report.
static tgResult tgSortInfluences(const tgAssimpImport* import, tgAssimpMesh* mesh, double* sums)
{
    const struct aiMesh* source = mesh->source;
    size_t vertexCount = source->mNumVertices;
    int* starts = tgScene_Alloc(import->scratch, vertexCount + 1, sizeof(int));
    int* counts = tgScene_Alloc(import->scratch, vertexCount, sizeof(int));
    if (starts == NULL || counts == NULL) {
        return tgAssimpImport_FailMemory(import);
    }
    tgResult result = tgCountInfluences(import, source, starts);
    if (result != tg_success) {
        return result;
    }
    tgBoneInfluence* influences =
        tgScene_Alloc(import->scratch, (size_t)starts[vertexCount], sizeof(tgBoneInfluence));
    if (influences == NULL) {
        return tgAssimpImport_FailMemory(import);
    }
    for (unsigned b = 0; b < source->mNumBones; ++b) {
        const struct aiBone* bone = source->mBones[b];
        for (unsigned k = 0; k < bone->mNumWeights; ++k) {
            unsigned v = bone->mWeights[k].mVertexId;
            influences[starts[v] + counts[v]++] =
                (tgBoneInfluence){mesh->boneJoints[b], (float)bone->mWeights[k].mWeight};
        }
    }
    int fallback = tgFindFallbackJoint(import, mesh);
    int end = 0;
    for (size_t v = 0; v < vertexCount; ++v) {
        tgBoneInfluence* own = &influences[starts[v]];
        int kept = tgCleanInfluences(own, counts[v], &sums[v]);
        if (kept == 0) {
            own[kept++] = (tgBoneInfluence){fallback, 1.0f};
        }
        memmove(&influences[end], own, (size_t)kept * sizeof(tgBoneInfluence));
        starts[v] = end;
        end += kept;
    }
    starts[vertexCount] = end;
    mesh->influenceStarts = starts;
    mesh->influences = influences;
    return tg_success;
}

static bool tgIsNear(struct aiVector3D a, struct aiVector3D b)
{
    return fabsf((float)(a.x - b.x)) <= tg_cornerSlop &&
           fabsf((float)(a.y - b.y)) <= tg_cornerSlop && fabsf((float)(a.z - b.z)) <= tg_cornerSlop;
}

static bool tgIsSamePlace(struct aiVector3D a, struct aiVector3D b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool tgIsSameVertex(const tgAssimpMesh* mesh, int a, int b)
{
    const struct aiMesh* source = mesh->source;
    if (!tgIsSamePlace(source->mVertices[a], source->mVertices[b]) ||
        (source->mNormals != NULL && !tgIsNear(source->mNormals[a], source->mNormals[b])) ||
        (source->mTextureCoords[0] != NULL &&
         !tgIsNear(source->mTextureCoords[0][a], source->mTextureCoords[0][b]))) {
        return false;
    }
    for (unsigned t = 0; t < source->mNumAnimMeshes; ++t) {
        const struct aiAnimMesh* target = source->mAnimMeshes[t];
        if (target->mVertices != NULL && target->mNumVertices == source->mNumVertices &&
            !tgIsSamePlace(target->mVertices[a], target->mVertices[b])) {
            return false;
        }
    }
    if (mesh->influenceStarts == NULL) {
        return true;
    }
    int startA = mesh->influenceStarts[a], countA = mesh->influenceStarts[a + 1] - startA;
    int startB = mesh->influenceStarts[b], countB = mesh->influenceStarts[b + 1] - startB;
    if (countA != countB) {
        return false;
    }
    for (int k = 0; k < countA; ++k) {
        tgBoneInfluence left = mesh->influences[startA + k];
        tgBoneInfluence right = mesh->influences[startB + k];
        if (left.joint != right.joint || left.weight != right.weight) {
            return false;
        }
    }
    return true;
}

static uint32_t tgHashPlace(struct aiVector3D place)
{
    // Adding zero makes -0 and 0 the same bits.
    float parts[3] = {(float)place.x + 0.0f, (float)place.y + 0.0f, (float)place.z + 0.0f};
    uint32_t hash = 2166136261u;
    for (int i = 0; i < 3; ++i) {
        uint32_t bits;
        memcpy(&bits, &parts[i], sizeof(bits));
        hash = (hash ^ bits) * 16777619u;
        hash ^= hash >> 15;
    }
    return hash;
}

static tgResult tgJoinVertices(const tgAssimpImport* import, tgAssimpMesh* mesh)
{
    int sourceCount = (int)mesh->source->mNumVertices;
    uint32_t slotCount = 16;
    while (slotCount < (uint32_t)sourceCount && slotCount < (1u << 30)) {
        slotCount *= 2;
    }
    // Chains of vertices of equal hash; 0 ends a chain, so everything is one higher.
    int* heads = tgScene_Alloc(import->scratch, slotCount, sizeof(int));
    int* nexts = tgScene_Alloc(import->scratch, (size_t)sourceCount, sizeof(int));
    mesh->joinedVertices = tgScene_Alloc(import->scratch, (size_t)sourceCount, sizeof(int));
    mesh->sourceVertices = tgScene_Alloc(import->scratch, (size_t)sourceCount, sizeof(int));
    if (heads == NULL || nexts == NULL || mesh->joinedVertices == NULL ||
        mesh->sourceVertices == NULL) {
        return tgAssimpImport_FailMemory(import);
    }
    for (int s = 0; s < sourceCount; ++s) {
        int* head = &heads[tgHashPlace(mesh->source->mVertices[s]) & (slotCount - 1)];
        int found = *head;
        while (found > 0 && !tgIsSameVertex(mesh, mesh->sourceVertices[found - 1], s)) {
            found = nexts[found - 1];
        }
        if (found == 0) {
            int v = mesh->vertexCount++;
            mesh->sourceVertices[v] = s;
            nexts[v] = *head;
            *head = v + 1;
            found = v + 1;
        }
        mesh->joinedVertices[s] = found - 1;
    }
    return tg_success;
}

static tgResult tgReadMeshSkin(tgAssimpImport* import, tgAssimpMesh* mesh, tgSkinReport* report)
{
    if (mesh->source->mNumVertices > INT_MAX / 2) {
        return tgFail(import->error, tg_unsupported, -1, "mesh \"%.80s\" has %u vertices",
                      mesh->source->mName.data, mesh->source->mNumVertices);
    }
    if (!import->isSkinned) {
        return tgJoinVertices(import, mesh);
    }
    double* sums = tgScene_Alloc(import->scratch, mesh->source->mNumVertices, sizeof(double));
    if (sums == NULL) {
        return tgAssimpImport_FailMemory(import);
    }
    tgResult result = tgSortInfluences(import, mesh, sums);
    if (result == tg_success) {
        result = tgJoinVertices(import, mesh);
    }
    for (int v = 0; v < mesh->vertexCount && result == tg_success; ++v) {
        double sum = sums[mesh->sourceVertices[v]];
        if (sum > 0.0) {
            tgReportSum(report, sum);
        } else {
            report->unweightedCount += 1;
        }
    }
    return result;
}

tgResult tgAssimpImport_ReadSkin(tgAssimpImport* import)
{
    tgSkinReport report = {0};
    for (int m = 0; m < import->meshCount; ++m) {
        tgResult result = tgReadMeshSkin(import, &import->meshes[m], &report);
        if (result != tg_success) {
            return result;
        }
    }
    if (report.unnormalizedCount > 0) {
        tgScene_Warn(import->scene, "%d %s had weights that sum to %s; normalised",
                     report.unnormalizedCount,
                     report.unnormalizedCount == 1 ? "vertex" : "vertices",
                     tgTellSums(report.lowestSum, report.highestSum).text);
    }
    if (report.unweightedCount > 0) {
        tgScene_Warn(import->scene, "%d %s no weights; bound to the nearest joint above the mesh",
                     report.unweightedCount,
                     report.unweightedCount == 1 ? "vertex had" : "vertices had");
    }
    return tg_success;
}
