// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What a rig makes of a scene's mesh, and of meshes that are shown at several places: each is
// measured once and counted for all of them, in time and memory of the meshes and the places.

#include "mesh_count.h"

#include "core/core.h"

#include <stdlib.h>

/// Faces of a scene, and the vertices that they use.
typedef struct tgMeshRun {
    int firstVertex, vertexCount;
    int firstFace, faceCount;
    int firstCorner, cornerCount;
    int source; ///< its number among those that have places, from 1 on; 0: it has none
} tgMeshRun;

/// Joints and weights of a mesh without a skin, which hangs on one joint.
static tgResult tgMeasureLoose(tgRigDef def, tgRigInfo* info, tgError* error)
{
    const int parent = -1;
    const tgMat34 rest = tgIdentityMat34();
    int vertexCount = def.restPositions.count;
    size_t room = (size_t)vertexCount + 1;
    int* joints = calloc(room, sizeof(int));
    float* weights = calloc(room, sizeof(float));
    tgRig* rig = NULL;
    if (joints == NULL || weights == NULL) {
        tgFail(error, tg_outOfMemory, -1, "out of memory for %d vertices", vertexCount);
    } else {
        for (int v = 0; v < vertexCount; ++v) {
            weights[v] = 1.0f;
        }
        def.jointParents = &parent;
        def.restJoints = &rest;
        def.jointCount = 1;
        def.influencesPerVertex = 1;
        def.influenceJoints = joints;
        def.influenceWeights = weights;
        rig = tgCreateRig(&def, error);
    }
    free(joints);
    free(weights);
    if (rig == NULL) {
        return error->code;
    }
    *info = tgRig_GetInfo(rig);
    tgDestroyRig(rig);
    return tg_success;
}

/// Some runs of a scene as a mesh of their own.
typedef struct tgMeshPick {
    int vertexCount, faceCount, cornerCount;
    tgVec3* positions;
    int* weldKeys; ///< NULL without morph targets
    int* sizes;
    int* corners;
} tgMeshPick;

static void tgMeshPick_Free(tgMeshPick* pick)
{
    free(pick->positions);
    free(pick->weldKeys);
    free(pick->sizes);
    free(pick->corners);
}

/// @param room how much of each there will be
static tgResult tgMeshPick_Open(tgMeshPick* pick, const tgScene* scene, const tgMeshRun* room,
                                tgError* error)
{
    bool hasKeys = scene->weldKeys != NULL;
    *pick = (tgMeshPick){
        .positions = malloc(((size_t)room->vertexCount + 1) * sizeof(tgVec3)),
        .weldKeys = hasKeys ? malloc(((size_t)room->vertexCount + 1) * sizeof(int)) : NULL,
        .sizes = malloc(((size_t)room->faceCount + 1) * sizeof(int)),
        .corners = malloc(((size_t)room->cornerCount + 1) * sizeof(int)),
    };
    if (pick->positions == NULL || (hasKeys && pick->weldKeys == NULL) || pick->sizes == NULL ||
        pick->corners == NULL) {
        tgMeshPick_Free(pick);
        return tgFail(error, tg_outOfMemory, -1, "out of memory for %d faces", room->faceCount);
    }
    return tg_success;
}

/// @param side -1: mirrored, which turns its faces to the other side
static void tgMeshPick_Add(tgMeshPick* pick, const tgScene* scene, const tgMeshRun* run, float side)
{
    for (int k = 0; k < run->cornerCount; ++k) {
        int v = scene->faceVertices[run->firstCorner + k] - run->firstVertex;
        pick->corners[pick->cornerCount++] = pick->vertexCount + v;
    }
    for (int f = 0; f < run->faceCount; ++f) {
        pick->sizes[pick->faceCount++] = scene->faceSizes[run->firstFace + f];
    }
    for (int v = run->firstVertex; v < run->firstVertex + run->vertexCount; ++v) {
        tgVec3 p = scene->positions[v];
        p.x *= side;
        if (pick->weldKeys != NULL) {
            pick->weldKeys[pick->vertexCount] = scene->weldKeys[v];
        }
        pick->positions[pick->vertexCount++] = p;
    }
}

static int tgComparePositions(const void* left, const void* right)
{
    const float *a = left, *b = right;
    for (int i = 0; i < 3; ++i) {
        if (a[i] != b[i]) {
            return a[i] < b[i] ? -1 : 1;
        }
    }
    return 0;
}

/// Figures of a mesh of which no rig can be made, for none of its faces has three corners. The
/// positions change their order.
static tgRigInfo tgMeshPick_CountPoints(tgMeshPick* pick)
{
    int count = pick->vertexCount;
    tgVec3* positions = pick->positions;
    qsort(positions, (size_t)count, sizeof(tgVec3), tgComparePositions);
    tgRigInfo info = {.vertexCount = count,
                      .degenerateFaceCount = pick->faceCount,
                      .isFlat = true,
                      .restMin = positions[0],
                      .restMax = positions[0]};
    for (int v = 0; v < count; ++v) {
        tgVec3 p = positions[v];
        info.weldedVertexCount += v == 0 || tgComparePositions(&positions[v - 1], &p) != 0;
        info.restMin = tgMakeVec3(fminf(info.restMin.x, p.x), fminf(info.restMin.y, p.y),
                                  fminf(info.restMin.z, p.z));
        info.restMax = tgMakeVec3(fmaxf(info.restMax.x, p.x), fmaxf(info.restMax.y, p.y),
                                  fmaxf(info.restMax.z, p.z));
    }
    return info;
}

/// Some of the mesh by itself.
static tgResult tgMeshPick_Measure(tgMeshPick* pick, tgRigInfo* info, tgError* error)
{
    tgRigDef def = tgDefaultRigDef();
    def.restPositions = (tgVec3View){&pick->positions->x, pick->vertexCount, sizeof(tgVec3)};
    def.faceVertices = pick->corners;
    def.faceSizes = pick->sizes;
    def.faceCount = pick->faceCount;
    def.weldKeys = pick->weldKeys;
    tgResult result = tgMeasureLoose(def, info, error);
    if (result == tg_invalidMesh) { // the reader has checked everything else
        *info = tgMeshPick_CountPoints(pick);
        result = tg_success;
    }
    return result;
}

/// Which vertices, faces and corners the parts of each node have; they follow one another.
/// @param runs zeroed, nodeCount entries
static void tgFindRuns(const tgScene* scene, tgMeshRun* runs)
{
    int corner = 0, f = 0;
    for (int p = 0; p < scene->partCount; ++p) {
        const tgScenePart* part = &scene->parts[p];
        tgMeshRun* run = &runs[part->node];
        if (run->faceCount == 0 && run->vertexCount == 0) {
            *run = (tgMeshRun){
                .firstVertex = part->firstVertex, .firstFace = f, .firstCorner = corner};
        }
        int end = part->firstVertex + part->vertexCount - run->firstVertex;
        run->vertexCount = end > run->vertexCount ? end : run->vertexCount;
        for (; f < part->firstFace + part->faceCount; ++f) {
            corner += scene->faceSizes[f];
        }
        run->faceCount = f - run->firstFace;
        run->cornerCount = corner - run->firstCorner;
    }
}

/// Grows a box, which is empty as long as nothing is counted, by another one that was moved.
static void tgAddBox(const tgRigInfo* box, const tgMat34* move, tgRigInfo* info)
{
    for (int corner = 0; corner < 8; ++corner) {
        tgVec3 p = tgMakeVec3((corner & 1) != 0 ? box->restMax.x : box->restMin.x,
                              (corner & 2) != 0 ? box->restMax.y : box->restMin.y,
                              (corner & 4) != 0 ? box->restMax.z : box->restMin.z);
        p = tgMulMatPoint(move, p);
        bool isFirst = info->vertexCount == 0 && corner == 0;
        tgVec3 least = isFirst ? p : info->restMin, most = isFirst ? p : info->restMax;
        info->restMin = tgMakeVec3(fminf(least.x, p.x), fminf(least.y, p.y), fminf(least.z, p.z));
        info->restMax = tgMakeVec3(fmaxf(most.x, p.x), fmaxf(most.y, p.y), fmaxf(most.z, p.z));
    }
}

/// Adds what one more node shows. The reader keeps the sums below what an int holds.
/// @param move from where the mesh was measured, but for a mirror
static void tgAddCounts(const tgRigInfo* shown, const tgMat34* move, tgRigInfo* info)
{
    tgAddBox(shown, move, info);
    info->vertexCount += shown->vertexCount;
    info->weldedVertexCount += shown->weldedVertexCount;
    info->triangleCount += shown->triangleCount;
    info->quadCount += shown->quadCount;
    info->degenerateFaceCount += shown->degenerateFaceCount;
    info->reorientedFaceCount += shown->reorientedFaceCount;
    info->boundaryEdgeCount += shown->boundaryEdgeCount;
    info->nonManifoldEdgeCount += shown->nonManifoldEdgeCount;
    info->boundaryLoopCount += shown->boundaryLoopCount;
    info->componentCount += shown->componentCount;
    info->noInsideCount += shown->noInsideCount;
    info->oneSidedCount += shown->oneSidedCount;
    info->restVolume += fabs((double)tgDeterminant(move)) * shown->restVolume;
    info->isFlat = info->isFlat && shown->isFlat;
}

/// Scratch of tgAddAll.
typedef struct tgPlaceWork {
    tgMeshRun* runs;  ///< one for each node
    tgMat34* toModel; ///< the same
    tgRigInfo* shown; ///< two for each node that has places: as it is, and mirrored
} tgPlaceWork;

/// How many nodes have places; they are numbered on the way.
static int tgNumberSources(const tgScene* scene, tgMeshRun* runs)
{
    int count = 0;
    for (int i = 0; i < scene->placeCount; ++i) {
        tgMeshRun* run = &runs[scene->places[i].source];
        if (run->source == 0) {
            run->source = ++count;
        }
    }
    return count;
}

/// Adds what a node shows. Measures it, in the node's space, for the first one that does so.
/// @param place the node that carries the parts is a place of itself here
static tgResult tgAddShown(const tgScene* scene, const tgPlaceWork* work, const tgScenePlace* place,
                           tgRigInfo* info, tgError* error)
{
    const tgMeshRun* run = &work->runs[place->source];
    if (run->faceCount == 0) {
        return tg_success;
    }
    tgMat34 move = work->toModel[place->node];
    // A mirror turns the faces over. Of other files than glTF the reader turns them back.
    bool isMirrored = tgDeterminant(&move) < 0.0f && scene->source != NULL;
    tgRigInfo* shown = &work->shown[2 * (run->source - 1) + isMirrored];
    if (shown->vertexCount == 0) {
        tgMeshPick pick;
        tgResult result = tgMeshPick_Open(&pick, scene, run, error);
        if (result != tg_success) {
            return result;
        }
        tgMeshPick_Add(&pick, scene, run, isMirrored ? -1.0f : 1.0f);
        result = tgMeshPick_Measure(&pick, shown, error);
        tgMeshPick_Free(&pick);
        if (result != tg_success) {
            return result;
        }
    }
    if (isMirrored) {
        move.x = tgMulSV(-1.0f, move.x);
    }
    tgAddCounts(shown, &move, info);
    bool isFinite = tgIsFiniteMat34(&move) && isfinite(info->restVolume) &&
                    tgIsFiniteVec3(info->restMin) && tgIsFiniteVec3(info->restMax);
    return isFinite ? tg_success
                    : tgFail(error, tg_invalidMesh, place->node,
                             "\"%.80s\" reaches past the largest number", place->name);
}

/// Parts whose node no other one shows again: welded with each other, where they stand.
static tgResult tgAddOwn(const tgScene* scene, const tgPlaceWork* work, tgRigInfo* info,
                         tgError* error)
{
    tgMeshRun room = {0};
    for (int n = 0; n < scene->nodeCount; ++n) {
        const tgMeshRun* run = &work->runs[n];
        room.vertexCount += run->source == 0 ? run->vertexCount : 0;
        room.faceCount += run->source == 0 ? run->faceCount : 0;
        room.cornerCount += run->source == 0 ? run->cornerCount : 0;
    }
    if (room.faceCount == 0) {
        return tg_success;
    }
    tgMeshPick pick;
    tgResult result = tgMeshPick_Open(&pick, scene, &room, error);
    if (result != tg_success) {
        return result;
    }
    for (int n = 0; n < scene->nodeCount; ++n) {
        if (work->runs[n].source == 0) {
            tgMeshPick_Add(&pick, scene, &work->runs[n], 1.0f);
        }
    }
    tgRigInfo own = {0};
    result = tgMeshPick_Measure(&pick, &own, error);
    tgMeshPick_Free(&pick);
    if (result == tg_success) {
        tgMat34 still = tgIdentityMat34();
        tgAddCounts(&own, &still, info);
    }
    return result;
}

static tgResult tgAddAll(const tgScene* scene, tgPlaceWork* work, tgRigInfo* info, tgError* error)
{
    tgFindRuns(scene, work->runs);
    work->shown = calloc(2 * (size_t)tgNumberSources(scene, work->runs), sizeof(tgRigInfo));
    if (work->shown == NULL) {
        return tgFail(error, tg_outOfMemory, -1, "out of memory for %d nodes", scene->nodeCount);
    }
    tgScene_SamplePose(scene, -1, 0.0, work->toModel, NULL, NULL);
    *info = (tgRigInfo){.isFlat = true};
    tgResult result = tgAddOwn(scene, work, info, error);
    for (int n = 0; n < scene->nodeCount && result == tg_success; ++n) {
        if (work->runs[n].source > 0) {
            tgScenePlace own = {.name = scene->nodes[n].name, .node = n, .source = n};
            result = tgAddShown(scene, work, &own, info, error);
        }
    }
    for (int i = 0; i < scene->placeCount && result == tg_success; ++i) {
        result = tgAddShown(scene, work, &scene->places[i], info, error);
    }
    if (result == tg_success && info->triangleCount + info->quadCount == 0) {
        return tgFail(error, tg_invalidMesh, -1,
                      "all %d faces have corners that coincide, wanted at least one real face",
                      info->degenerateFaceCount);
    }
    info->restDiagonal = tgDistance(info->restMin, info->restMax);
    return result;
}

tgResult tgCountMesh(const tgScene* scene, tgRigInfo* info, tgError* error)
{
    tgRigDef def = tgScene_GetRigDef(scene);
    if (scene->jointCount > 0) {
        tgRig* rig = tgCreateRig(&def, error);
        if (rig == NULL) {
            return error->code;
        }
        *info = tgRig_GetInfo(rig);
        tgDestroyRig(rig);
        return tg_success;
    }
    if (scene->placeCount == 0) {
        return tgMeasureLoose(def, info, error);
    }
    size_t nodeCount = (size_t)scene->nodeCount;
    tgPlaceWork work = {.runs = calloc(nodeCount, sizeof(tgMeshRun)),
                        .toModel = calloc(nodeCount, sizeof(tgMat34))};
    tgResult result = tg_success;
    if (work.runs == NULL || work.toModel == NULL) {
        result = tgFail(error, tg_outOfMemory, -1, "out of memory for %d nodes", scene->nodeCount);
    } else {
        result = tgAddAll(scene, &work, info, error);
    }
    free(work.runs);
    free(work.toModel);
    free(work.shown);
    return result;
}
