// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// START HERE: automatic skin weights, one line per stage.

#include "bind/bone.h"
#include "bind/distance_weights.h"
#include "bind/follow.h"
#include "bind/heat.h"
#include "core/core.h"

#include <stdlib.h>
#include <string.h>

enum {
    tg_bindCookie = 0x62696e64,
    tg_leastVoxels = 8,
    tg_mostVoxels = 512,
    tg_mostInfluences = 16,
    tg_mostBindJoints = 65535,
};

/// The binding's own memory.
struct tgBindMemory {
    tgAllocator allocator;
    tgScratch scratch;
};

tgBindDef tgDefaultBindDef(void)
{
    return (tgBindDef){
        .jointParentStride = sizeof(int),
        .voxels = 128,
        .influencesPerVertex = 4,
        .cookie = tg_bindCookie,
    };
}

static tgResult tgCheckNumbers(const tgBindDef* def, tgError* error)
{
    if (def->voxels < tg_leastVoxels || def->voxels > tg_mostVoxels) {
        return tgFail(error, tg_invalidArgument, -1, "voxels is %d, wanted %d to %d", def->voxels,
                      tg_leastVoxels, tg_mostVoxels);
    }
    if (def->influencesPerVertex < 1 || def->influencesPerVertex > tg_mostInfluences) {
        return tgFail(error, tg_invalidArgument, -1, "influencesPerVertex is %d, wanted 1 to %d",
                      def->influencesPerVertex, tg_mostInfluences);
    }
    if (!(def->falloff >= 0.0f && def->falloff <= 1e6f)) {
        return tgFail(error, tg_invalidArgument, -1, "falloff is %g, wanted 0 to 1e6",
                      (double)def->falloff);
    }
    return tg_success;
}

static tgResult tgCheckDef(const tgBindDef* def, tgError* error)
{
    if (def == NULL || def->cookie != tg_bindCookie) {
        return tgFail(error, tg_invalidArgument, -1, "start from tgDefaultBindDef()");
    }
    if (def->positions.data == NULL || def->positions.count < 3) {
        return tgFail(error, tg_invalidMesh, -1, "the mesh has %d vertices, wanted 3 or more",
                      def->positions.data != NULL ? def->positions.count : 0);
    }
    if (def->faceVertices == NULL || def->faceCount < 1) {
        return tgFail(error, tg_invalidMesh, -1, "the mesh has no faces");
    }
    int jointCount = def->jointPositions.data != NULL ? def->jointPositions.count : 0;
    if (jointCount < 1 || jointCount > tg_mostBindJoints || def->jointParents == NULL) {
        return tgFail(error, tg_invalidArgument, -1, "the skeleton has %d joints, wanted 1 to %d",
                      jointCount, tg_mostBindJoints);
    }
    for (int j = 0; j < jointCount; ++j) {
        int parent =
            *(const int*)((const char*)def->jointParents + (ptrdiff_t)j * def->jointParentStride);
        if (parent < -1 || parent >= jointCount || parent == j) {
            return tgFail(error, tg_invalidArgument, j,
                          "joint %d has parent %d, wanted -1 or another of %d joints", j, parent,
                          jointCount);
        }
    }
    return tgCheckNumbers(def, error);
}

/// Everything that goes again when the weights are there.
typedef struct tgBindWork {
    tgScratch scratch;
    tgProgress progress;
    tgBody body;
    tgVoxels voxels;
    tgBones bones;
    tgClaims* claims;
    bool* isReached;
    tgWeights weights;
    int followerCount;
} tgBindWork;

static tgResult tgWeighGeodesics(tgBindWork* work, const tgBindDef* def, tgError* error)
{
    tgScratch* scratch = &work->scratch;
    work->claims = tgScratch_Take(scratch, (size_t)work->body.vertexCount, sizeof(tgClaims));
    if (scratch->failed) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for the distances");
    }
    tgResult result = tgMeasureGeodesics(&work->voxels, &work->bones, &work->progress, scratch,
                                         work->claims, work->isReached, error);
    if (result != tg_success) {
        return result;
    }
    return tgDiffuse(&work->body, work->claims, work->bones.jointCount, def->falloff,
                     &work->progress, scratch, &work->weights, error);
}

static tgResult tgRunBind(tgBindWork* work, const tgBindDef* def, tgError* error)
{
    tgScratch* scratch = &work->scratch;
    tgResult result = tgBuildBody(def, scratch, &work->body, error);
    if (result == tg_success) {
        tgTellProgress(&work->progress, "voxels", 0, 1);
        result = tgBuildVoxels(&work->body, def->voxels, scratch, &work->voxels, error);
    }
    if (result == tg_success) {
        result = tgBuildBones(def, &work->voxels, scratch, &work->bones, error);
    }
    if (result != tg_success) {
        return result;
    }
    int vertexCount = work->body.vertexCount;
    work->isReached = tgScratch_Take(scratch, (size_t)vertexCount, sizeof(bool));
    if (!tgOpenWeights(&work->weights, vertexCount, def->influencesPerVertex, scratch)) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for the weights");
    }
    if (def->method == tg_bindGeodesic) {
        result = tgWeighGeodesics(work, def, error);
    } else {
        result = tgWeighDistances(def, &work->voxels, &work->bones, &work->progress, scratch,
                                  &work->weights, work->isReached, error);
    }
    if (result != tg_success) {
        return result;
    }
    work->followerCount =
        tgFollowSkin(&work->voxels, &work->bones, scratch, work->isReached, &work->weights);
    if (work->followerCount < 0) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for the islands");
    }
    tgPruneWeights(&work->weights, vertexCount);
    return tg_success;
}

static float tgFindWeight(const tgWeights* weights, int v, int joint)
{
    size_t start = (size_t)v * (size_t)weights->perVertex;
    for (int k = 0; k < weights->counts[v]; ++k) {
        if (weights->joints[start + (size_t)k] == joint) {
            return weights->weights[start + (size_t)k];
        }
    }
    return 0.0f;
}

/// The most that a weight changes along an edge.
static float tgMeasureJump(const tgBindWork* work)
{
    const tgWeights* weights = &work->weights;
    float largest = 0.0f;
    for (int i = 0; i < 3 * work->body.realCount; ++i) {
        int a = work->body.triangles[i];
        int b = work->body.triangles[i % 3 < 2 ? i + 1 : i - 2];
        size_t start = (size_t)a * (size_t)weights->perVertex;
        for (int k = 0; k < weights->counts[a]; ++k) {
            float there = tgFindWeight(weights, b, weights->joints[start + (size_t)k]);
            largest = fmaxf(largest, fabsf(weights->weights[start + (size_t)k] - there));
        }
    }
    return largest;
}

static void tgCountUnreached(const tgBindWork* work, const tgBindDef* def, tgBinding* binding,
                             bool* isIslandReached)
{
    const tgMesh* mesh = &work->body.mesh;
    for (int v = 0; v < mesh->vertexCount; ++v) {
        isIslandReached[mesh->vertexComponent[v]] |=
            work->isReached[v] || tgBody_IsLoose(&work->body, v);
    }
    for (int r = 0; r < def->positions.count; ++r) {
        int v = mesh->renderToVertex[r];
        bool isLoose = tgBody_IsLoose(&work->body, v);
        binding->looseVertexCount += isLoose;
        binding->unreachedVertexCount += !isLoose && !work->isReached[v];
    }
    bool* isCounted = isIslandReached; // counted once: a counted island becomes a reached one
    for (int v = 0; v < mesh->vertexCount; ++v) {
        if (!isCounted[mesh->vertexComponent[v]]) {
            isCounted[mesh->vertexComponent[v]] = true;
            binding->unreachedIslandCount += 1;
        }
    }
}

/// Islands that have faces.
static int tgCountIslands(const tgBindWork* work, bool* isSeen)
{
    int count = 0;
    for (int v = 0; v < work->body.vertexCount; ++v) {
        int island = work->body.mesh.vertexComponent[v];
        if (!tgBody_IsLoose(&work->body, v) && !isSeen[island]) {
            isSeen[island] = true;
            count += 1;
        }
    }
    return count;
}

/// From welded vertices to those of the caller, with the report.
static bool tgFillBinding(tgBindWork* work, const tgBindDef* def, tgBinding* binding)
{
    tgScratch* keep = &binding->memory->scratch;
    const tgWeights* weights = &work->weights;
    int perVertex = def->influencesPerVertex;
    size_t count = (size_t)def->positions.count;
    int* joints = tgScratch_Take(keep, count * (size_t)perVertex, sizeof(int));
    float* values = tgScratch_Take(keep, count * (size_t)perVertex, sizeof(float));
    tgBindJoint* found = tgScratch_Take(keep, (size_t)work->bones.jointCount, sizeof(tgBindJoint));
    size_t islandRoom = (size_t)work->body.mesh.componentCount + 1;
    bool* isReached = tgScratch_Take(&work->scratch, islandRoom, sizeof(bool));
    bool* isSeen = tgScratch_Take(&work->scratch, islandRoom, sizeof(bool));
    if (keep->failed || work->scratch.failed) {
        return false;
    }
    memcpy(found, work->bones.joints, (size_t)work->bones.jointCount * sizeof(tgBindJoint));
    for (size_t r = 0; r < count; ++r) {
        int v = work->body.mesh.renderToVertex[r];
        size_t from = (size_t)v * (size_t)weights->perVertex, to = r * (size_t)perVertex;
        for (int k = 0; k < weights->counts[v] && k < perVertex; ++k) {
            joints[to + (size_t)k] = weights->joints[from + (size_t)k];
            values[to + (size_t)k] = weights->weights[from + (size_t)k];
        }
        found[joints[to]].vertexCount += 1;
    }
    binding->vertexCount = def->positions.count;
    binding->influencesPerVertex = perVertex;
    binding->influenceJoints = joints;
    binding->influenceWeights = values;
    binding->jointCount = work->bones.jointCount;
    binding->joints = found;
    binding->weldedVertexCount = work->body.vertexCount;
    binding->islandCount = tgCountIslands(work, isSeen);
    binding->followingIslandCount = work->followerCount;
    binding->insideCellCount = work->voxels.insideCount;
    binding->cellSize = (float)work->voxels.size;
    binding->largestJump = tgMeasureJump(work);
    binding->solver = def->method == tg_bindGeodesic ? "built-in" : "none";
    tgCountUnreached(work, def, binding, isReached);
    return true;
}

tgBinding* tgCreateBinding(const tgBindDef* def, tgError* error)
{
    tgError local = {0}; // the solvers tell their reason through it
    tgError* told = error != NULL ? error : &local;
    if (tgCheckDef(def, told) != tg_success) {
        return NULL;
    }
    tgBindDef settled = *def;
    if (settled.falloff == 0.0f) {
        settled.falloff = def->method == tg_bindGeodesic ? 1.0f : 4.0f;
    }
    tgBinding* binding = calloc(1, sizeof(tgBinding));
    struct tgBindMemory* memory = calloc(1, sizeof(struct tgBindMemory));
    tgAllocator allocator = {0};
    tgBindWork work = {
        .scratch.allocator = &allocator,
        .progress = {def->progress, def->progressUser},
    };
    bool isMade = binding != NULL && memory != NULL;
    if (!isMade) {
        free(memory);
        tgFail(told, tg_outOfMemory, -1, "no memory for the weights");
    } else {
        memory->scratch.allocator = &memory->allocator;
        binding->memory = memory;
        isMade = tgRunBind(&work, &settled, told) == tg_success;
        if (isMade && !tgFillBinding(&work, &settled, binding)) {
            isMade = false;
            tgFail(told, tg_outOfMemory, -1, "no memory for the weights");
        }
    }
    tgScratch_FreeAll(&work.scratch);
    if (!isMade) {
        tgDestroyBinding(binding);
        return NULL;
    }
    return binding;
}

void tgDestroyBinding(tgBinding* binding)
{
    if (binding == NULL) {
        return;
    }
    if (binding->memory != NULL) {
        tgScratch_FreeAll(&binding->memory->scratch);
        free(binding->memory);
    }
    free(binding);
}
