// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// From the faces of a definition to the mesh as geometry sees it: weld, collect faces, turn them
// outwards, close holes, list the corners round every vertex. Runs once, at creation.

#include "core/mesh.h"

#include "core/topology.h"
#include "core/triangulate.h"
#include "core/volume.h"
#include "core/weld.h"

#include <limits.h>
#include <string.h>

/// Adds a face of 3 or 4 corners unless it has collapsed. A quad with two equal neighbours is a
/// triangle, to the volume as to the eye.
static void tgAddFace(tgMesh* mesh, const int* render, int count)
{
    int kept[4], vertices[4];
    int n = 0;
    for (int k = 0; k < count; ++k) {
        int v = mesh->renderToVertex[render[k]];
        int following = mesh->renderToVertex[render[(k + 1) % count]];
        if (v != following) {
            kept[n] = render[k];
            vertices[n] = v;
            n += 1;
        }
    }
    bool folded = n == 4 && (vertices[0] == vertices[2] || vertices[1] == vertices[3]);
    if (n < 3 || folded) {
        mesh->degenerateCount += 1;
        return;
    }
    int at = n == 3 ? 3 * mesh->triangleCount++ : 4 * mesh->quadCount++;
    memcpy((n == 3 ? mesh->triangles : mesh->quads) + at, vertices, (size_t)n * sizeof(int));
    memcpy((n == 3 ? mesh->triangleRender : mesh->quadRender) + at, kept, (size_t)n * sizeof(int));
}

/// Upper bounds of the faces to come; larger polygons become triangles.
typedef struct tgFaceRoom {
    size_t triangles, quads;
    int largest; ///< corners of the largest polygon
} tgFaceRoom;

static tgResult tgCountFaces(const tgRigDef* def, tgFaceRoom* room, tgError* error)
{
    *room = (tgFaceRoom){0};
    for (int f = 0; f < def->faceCount; ++f) {
        int size = def->faceSizes != NULL ? def->faceSizes[f] : 3;
        if (size < 3) {
            return tgFail(error, tg_invalidMesh, f, "face %d has %d corners, wanted 3 or more", f,
                          size);
        }
        room->quads += size == 4;
        room->triangles += size == 4 ? 1 : (size_t)size - 2; // a quad may collapse to a triangle
        room->largest = size > room->largest ? size : room->largest;
    }
    if (3 * room->triangles + 4 * room->quads > INT_MAX / 4) {
        return tgFail(error, tg_invalidMesh, -1, "%d faces are more than this library can index",
                      def->faceCount);
    }
    return tg_success;
}

/// @param polygon, cut scratch for the largest polygon and its triangles
static tgResult tgCollectFaces(const tgRigDef* def, tgMesh* mesh, int* polygon, int* cut,
                               tgError* error)
{
    const int* corners = def->faceVertices;
    for (int f = 0; f < def->faceCount; ++f) {
        int size = def->faceSizes != NULL ? def->faceSizes[f] : 3;
        for (int k = 0; k < size; ++k) {
            if (corners[k] < 0 || corners[k] >= mesh->renderCount) {
                return tgFail(error, tg_invalidMesh, f, "face %d uses vertex %d, the mesh has %d",
                              f, corners[k], mesh->renderCount);
            }
        }
        if (size <= 4) {
            tgAddFace(mesh, corners, size);
        } else {
            memcpy(polygon, corners, (size_t)size * sizeof(int));
            tgTriangulateFace(def->restPositions, polygon, size, cut);
            for (int k = 0; k < size - 2; ++k) {
                tgAddFace(mesh, cut + 3 * (size_t)k, 3);
            }
        }
        corners += size;
    }
    if (mesh->triangleCount + mesh->quadCount == 0) {
        return tgFail(error, tg_invalidMesh, -1,
                      "all %d faces have corners that coincide, wanted at least one real face",
                      def->faceCount);
    }
    return tg_success;
}

/// A fan from each loop to the virtual vertex in its middle.
static bool tgAddCaps(tgMesh* mesh, tgScratch* scratch)
{
    int capCount = mesh->loopStart[mesh->loopCount];
    int* triangles =
        tgScratch_Take(scratch, 3 * ((size_t)mesh->triangleCount + (size_t)capCount), sizeof(int));
    if (scratch->failed) {
        return false;
    }
    memcpy(triangles, mesh->triangles, 3 * (size_t)mesh->triangleCount * sizeof(int));
    int* out = triangles + 3 * mesh->triangleCount;
    for (int l = 0; l < mesh->loopCount; ++l) {
        int begin = mesh->loopStart[l], count = mesh->loopStart[l + 1] - begin;
        for (int i = 0; i < count; ++i, out += 3) {
            out[0] = mesh->loopVertices[begin + i];
            out[1] = mesh->loopVertices[begin + (i + 1) % count];
            out[2] = mesh->vertexCount + l;
        }
    }
    mesh->triangles = triangles;
    mesh->capTriangleCount = capCount;
    return true;
}

static bool tgListCorners(tgMesh* mesh, tgScratch* scratch)
{
    int triangleCount = mesh->triangleCount + mesh->capTriangleCount;
    int cornerCount = 3 * triangleCount + 4 * mesh->quadCount;
    int vertexCount = mesh->vertexCount + mesh->loopCount;
    int* start = tgScratch_Take(scratch, (size_t)vertexCount + 2, sizeof(int));
    mesh->cornerSlots = tgScratch_Take(scratch, (size_t)cornerCount, sizeof(int));
    if (scratch->failed) {
        return false;
    }
    // start[v + 2] counts, then start[v + 1] walks from the begin of v to its end.
    for (int i = 0; i < 3 * triangleCount; ++i) {
        start[mesh->triangles[i] + 2] += 1;
    }
    for (int i = 0; i < 4 * mesh->quadCount; ++i) {
        start[mesh->quads[i] + 2] += 1;
    }
    for (int v = 0; v < vertexCount; ++v) {
        start[v + 2] += start[v + 1];
    }
    for (int i = 0; i < 3 * triangleCount; ++i) {
        mesh->cornerSlots[start[mesh->triangles[i] + 1]++] = i / 3;
    }
    for (int i = 0; i < 4 * mesh->quadCount; ++i) {
        mesh->cornerSlots[start[mesh->quads[i] + 1]++] = triangleCount + i;
    }
    mesh->cornerStart = start;
    return true;
}

/// The welded rest positions, with the virtual vertices in place; NULL without memory.
static float* tgGatherPositions(const tgRigDef* def, const tgMesh* mesh, tgScratch* scratch)
{
    size_t count = (size_t)mesh->vertexCount + (size_t)mesh->loopCount;
    float* positions = tgScratch_Take(scratch, 4 * count, sizeof(float));
    for (int v = 0; positions != NULL && v < mesh->vertexCount; ++v) {
        tgVec3 p = tgVec3View_Get(def->restPositions, mesh->vertexToRender[v]);
        memcpy(positions + 4 * (size_t)v, &p, sizeof(p));
    }
    if (positions != NULL) {
        tgPlaceCapCenters(mesh, positions);
    }
    return positions;
}

/// All that follows from the welded faces; false without memory.
/// @param step for what is not needed afterwards
static bool tgBuildTopology(const tgRigDef* def, tgScratch* step, tgScratch* scratch, tgMesh* mesh)
{
    int faceCount = mesh->triangleCount + mesh->quadCount;
    bool* turned = tgScratch_Take(scratch, (size_t)faceCount, sizeof(bool));
    bool* conflicts = tgScratch_Take(step, (size_t)faceCount, sizeof(bool));
    tgEdges edges = {0};
    if (scratch->failed || !tgBuildEdges(mesh, step, &edges) ||
        !tgOrientPatches(mesh, &edges, step, turned, conflicts) ||
        !tgFindComponents(mesh, scratch) || !tgFindOneSided(mesh, conflicts, scratch) ||
        !tgFindLoops(mesh, &edges, step, scratch)) {
        return false;
    }
    float* positions = tgGatherPositions(def, mesh, step);
    int oneSidedCount = mesh->noInsideCount;
    if (positions == NULL || !tgFindSheets(mesh, positions, step)) {
        return false;
    }
    if (mesh->noInsideCount > oneSidedCount) { // without caps where there is no inside
        positions =
            tgFindLoops(mesh, &edges, step, scratch) ? tgGatherPositions(def, mesh, step) : NULL;
    }
    if (positions == NULL || !tgPutLooseFirst(mesh, turned, step) || !tgAddCaps(mesh, scratch) ||
        !tgOrientOutwards(mesh, positions, step, turned) || !tgListCorners(mesh, scratch)) {
        return false;
    }
    for (int f = 0; f < faceCount; ++f) {
        mesh->reorientedCount += turned[f];
    }
    mesh->faceTurned = turned;
    return true;
}

/// Numbers the welded vertices by the joint that each follows most, so that the skin of a joint
/// lies together in memory; by their old numbers for the same joint. False without memory.
static bool tgGroupVertices(const tgInfluences* influences, int jointCount, tgScratch* scratch,
                            tgMesh* mesh)
{
    size_t count = (size_t)mesh->vertexCount;
    int* next = tgScratch_Take(scratch, (size_t)jointCount + 1, sizeof(int));
    int* numbers = tgScratch_Take(scratch, count, sizeof(int));
    int* renders = tgScratch_Take(scratch, count, sizeof(int));
    if (scratch->failed) {
        return false;
    }
    for (int v = 0; v < mesh->vertexCount; ++v) {
        next[influences->joints[influences->start[mesh->vertexToRender[v]]] + 1] += 1;
    }
    for (int j = 0; j < jointCount; ++j) {
        next[j + 1] += next[j];
    }
    for (int v = 0; v < mesh->vertexCount; ++v) {
        int heaviest = influences->joints[influences->start[mesh->vertexToRender[v]]];
        numbers[v] = next[heaviest]++;
        renders[numbers[v]] = mesh->vertexToRender[v];
    }
    memcpy(mesh->vertexToRender, renders, count * sizeof(int));
    for (int r = 0; r < mesh->renderCount; ++r) {
        mesh->renderToVertex[r] = numbers[mesh->renderToVertex[r]];
    }
    return true;
}

tgResult tgBuildMesh(const tgRigDef* def, const tgInfluences* influences, float weldTolerance,
                     tgScratch* scratch, tgMesh* mesh, tgError* error)
{
    tgFaceRoom room;
    tgResult result = tgCountFaces(def, &room, error);
    if (result != tg_success) {
        return result;
    }
    *mesh = (tgMesh){.renderCount = def->restPositions.count};
    mesh->renderToVertex = tgScratch_Take(scratch, (size_t)mesh->renderCount, sizeof(int));
    mesh->vertexToRender = tgScratch_Take(scratch, (size_t)mesh->renderCount, sizeof(int));
    mesh->triangles = tgScratch_Take(scratch, 3 * room.triangles, sizeof(int));
    mesh->triangleRender = tgScratch_Take(scratch, 3 * room.triangles, sizeof(int));
    mesh->quads = tgScratch_Take(scratch, 4 * room.quads, sizeof(int));
    mesh->quadRender = tgScratch_Take(scratch, 4 * room.quads, sizeof(int));
    int* polygon = tgScratch_Take(scratch, (size_t)room.largest, sizeof(int));
    int* cut = tgScratch_Take(scratch, 3 * (size_t)room.largest, sizeof(int));
    if (!scratch->failed) {
        mesh->vertexCount = tgWeld(def->restPositions, influences, def->weldKeys, weldTolerance,
                                   scratch, mesh->renderToVertex, mesh->vertexToRender);
    }
    if (!scratch->failed && tgGroupVertices(influences, def->jointCount, scratch, mesh)) {
        result = tgCollectFaces(def, mesh, polygon, cut, error);
        if (result != tg_success) {
            return result;
        }
    }
    tgScratch step = tgScratch_BeginStep(scratch);
    bool isBuilt = tgBuildTopology(def, &step, scratch, mesh);
    if (!tgScratch_EndStep(&step, scratch) || !isBuilt) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for the mesh");
    }
    return tg_success;
}

/// Room in the block, filled from `from` once there is a block.
static int* tgPlaceInts(tgLayout* layout, const int* from, int count)
{
    int* to = tgLayout_Take(layout, (size_t)count, sizeof(int));
    if (to != NULL) {
        memcpy(to, from, (size_t)count * sizeof(int));
    }
    return to;
}

void tgMesh_Place(const tgMesh* built, tgLayout* layout, tgMesh* placed)
{
    int triangleCount = built->triangleCount + built->capTriangleCount;
    int vertexCount = built->vertexCount + built->loopCount;
    int cornerCount = built->cornerStart[vertexCount];
    *placed = *built;
    placed->renderToVertex = tgPlaceInts(layout, built->renderToVertex, built->renderCount);
    placed->vertexToRender = tgPlaceInts(layout, built->vertexToRender, built->vertexCount);
    placed->triangles = tgPlaceInts(layout, built->triangles, 3 * triangleCount);
    placed->quads = tgPlaceInts(layout, built->quads, 4 * built->quadCount);
    placed->cornerStart = tgPlaceInts(layout, built->cornerStart, vertexCount + 1);
    placed->cornerSlots = tgPlaceInts(layout, built->cornerSlots, cornerCount);
    placed->loopStart = tgPlaceInts(layout, built->loopStart, built->loopCount + 1);
    placed->loopVertices =
        tgPlaceInts(layout, built->loopVertices, built->loopStart[built->loopCount]);
    placed->vertexComponent = tgPlaceInts(layout, built->vertexComponent, built->vertexCount);
    placed->hasInside =
        tgPlaceArray(layout, built->hasInside, (size_t)built->componentCount, sizeof(bool));
    placed->triangleRender = NULL; // only needed while building
    placed->quadRender = NULL;
    placed->faceTurned = NULL;
}
