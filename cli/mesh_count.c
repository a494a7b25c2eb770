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

/// A part of the mesh by itself.
/// @param side -1: mirrored, which turns its faces to the other side
static tgResult tgMeasureRun(const tgScene* scene, const tgMeshRun* run, float side,
                             tgRigInfo* info, tgError* error)
{
    int* corners = malloc(((size_t)run->cornerCount + 1) * sizeof(int));
    tgVec3* positions = malloc(((size_t)run->vertexCount + 1) * sizeof(tgVec3));
    if (corners == NULL || positions == NULL) {
        free(corners);
        free(positions);
        return tgFail(error, tg_outOfMemory, -1, "out of memory for %d faces", run->faceCount);
    }
    for (int k = 0; k < run->cornerCount; ++k) {
        corners[k] = scene->faceVertices[run->firstCorner + k] - run->firstVertex;
    }
    for (int v = 0; v < run->vertexCount; ++v) {
        positions[v] = scene->positions[run->firstVertex + v];
        positions[v].x *= side;
    }
    tgRigDef def = tgScene_GetRigDef(scene);
    def.restPositions = (tgVec3View){&positions->x, run->vertexCount, sizeof(tgVec3)};
    def.faceVertices = corners;
    def.faceSizes = scene->faceSizes + run->firstFace;
    def.faceCount = run->faceCount;
    def.weldKeys = NULL; // without morph targets
    def.volume.paint = NULL;
    tgResult result = tgMeasureLoose(def, info, error);
    free(corners);
    free(positions);
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

static void tgAddBox(const tgRigInfo* box, const tgMat34* move, tgRigInfo* info)
{
    for (int corner = 0; corner < 8; ++corner) {
        tgVec3 p = tgMakeVec3((corner & 1) != 0 ? box->restMax.x : box->restMin.x,
                              (corner & 2) != 0 ? box->restMax.y : box->restMin.y,
                              (corner & 4) != 0 ? box->restMax.z : box->restMin.z);
        p = tgMulMatPoint(move, p);
        info->restMin = tgMakeVec3(fminf(info->restMin.x, p.x), fminf(info->restMin.y, p.y),
                                   fminf(info->restMin.z, p.z));
        info->restMax = tgMakeVec3(fmaxf(info->restMax.x, p.x), fmaxf(info->restMax.y, p.y),
                                   fmaxf(info->restMax.z, p.z));
    }
}

/// Adds what one more node shows. The reader keeps the sums below what an int holds.
/// @param move from where the mesh was measured, but for a mirror
static void tgAddCounts(const tgRigInfo* shown, const tgMat34* move, tgRigInfo* info)
{
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
    tgAddBox(shown, move, info);
}

/// Scratch of tgAddPlaces.
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

/// Measures what the place shows when it is the first to do so.
static tgResult tgAddPlace(const tgScene* scene, const tgPlaceWork* work, const tgScenePlace* place,
                           tgRigInfo* info, tgError* error)
{
    const tgMeshRun* run = &work->runs[place->source];
    if (run->faceCount == 0) {
        return tg_success;
    }
    tgMat34 toNode = tgIdentityMat34();
    tgInvertMat34(&work->toModel[place->source], &toNode);
    tgMat34 move = tgMulMat34(&work->toModel[place->node], &toNode);
    bool isMirrored = tgDeterminant(&move) < 0.0f;
    tgRigInfo* shown = &work->shown[2 * (run->source - 1) + isMirrored];
    if (shown->vertexCount == 0) {
        tgResult result = tgMeasureRun(scene, run, isMirrored ? -1.0f : 1.0f, shown, error);
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

static tgResult tgAddPlaces(const tgScene* scene, tgPlaceWork* work, tgRigInfo* info,
                            tgError* error)
{
    tgFindRuns(scene, work->runs);
    work->shown = calloc(2 * (size_t)tgNumberSources(scene, work->runs), sizeof(tgRigInfo));
    if (work->shown == NULL) {
        return tgFail(error, tg_outOfMemory, -1, "out of memory for %d nodes", scene->nodeCount);
    }
    tgScene_SamplePose(scene, -1, 0.0, work->toModel, NULL, NULL);
    tgResult result = tg_success;
    for (int i = 0; i < scene->placeCount && result == tg_success; ++i) {
        result = tgAddPlace(scene, work, &scene->places[i], info, error);
    }
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
    tgResult result = tgMeasureLoose(def, info, error);
    if (result != tg_success || scene->placeCount == 0) {
        return result;
    }
    size_t nodeCount = (size_t)scene->nodeCount;
    tgPlaceWork work = {.runs = calloc(nodeCount, sizeof(tgMeshRun)),
                        .toModel = calloc(nodeCount, sizeof(tgMat34))};
    if (work.runs == NULL || work.toModel == NULL) {
        result = tgFail(error, tg_outOfMemory, -1, "out of memory for %d nodes", scene->nodeCount);
    } else {
        result = tgAddPlaces(scene, &work, info, error);
    }
    free(work.runs);
    free(work.toModel);
    free(work.shown);
    return result;
}
