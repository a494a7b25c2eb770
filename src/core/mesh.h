// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The mesh as geometry sees it: welded vertices, faces that all look outwards, holes closed by
// virtual caps, and for every vertex the corners of the faces around it.
#ifndef TURGOR_CORE_MESH_H
#define TURGOR_CORE_MESH_H

#include "core/influence.h"
#include "turgor/turgor.h"

/// Vertices: the welded ones first, then one virtual vertex in the middle of each boundary loop.
/// Triangles: those of the mesh first, then the virtual caps.
///
/// Every corner owns a slot that holds its share of the volume gradient. The three corners of a
/// triangle have the same share, so a triangle has one slot; a quad has four, after all triangles.
typedef struct tgMesh {
    int renderCount;
    int vertexCount;   ///< welded
    int triangleCount; ///< without caps
    int capTriangleCount;
    int quadCount;
    int loopCount;
    int componentCount;
    int degenerateCount, reorientedCount, boundaryEdgeCount, nonManifoldEdgeCount;
    int* renderToVertex;  ///< renderCount
    int* vertexToRender;  ///< vertexCount: the first render vertex
    int* triangles;       ///< 3 for each, caps included
    int* quads;           ///< 4 for each
    int* triangleRender;  ///< render vertices of the corners, caps left out; same shape
    int* quadRender;      ///< same for quads
    bool* faceTurned;     ///< faces that came looking inwards: triangles, then quads
    int* cornerStart;     ///< vertexCount + loopCount + 1
    int* cornerSlots;     ///< slots of a vertex's corners, in face order
    int* loopStart;       ///< loopCount + 1
    int* loopVertices;    ///< around each loop
    int* vertexComponent; ///< vertexCount; pieces are numbered by their first vertex
} tgMesh;

static inline int tgMesh_SlotCount(const tgMesh* mesh)
{
    return mesh->triangleCount + mesh->capTriangleCount + 4 * mesh->quadCount;
}

/// Builds in scratch memory.
tgResult tgBuildMesh(const tgRigDef* def, const tgInfluences* influences, float weldTolerance,
                     tgScratch* scratch, tgMesh* mesh, tgError* error);

/// Places the arrays that a frame needs into an object's block and copies them there.
void tgMesh_Place(const tgMesh* built, tgLayout* layout, tgMesh* placed);

#endif
