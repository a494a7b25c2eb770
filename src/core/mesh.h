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
/// Faces of pieces without an inside (inside.c) are the first of the triangles and of the quads;
/// they are skin, but no part of the volume.
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
    int noInsideCount, oneSidedCount;       ///< pieces without an inside; those that are one-sided
    int looseTriangleCount, looseQuadCount; ///< faces of these
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
    int* vertexComponent; ///< vertexCount; pieces are numbered by their first vertex; -1: no face
    bool* hasInside;      ///< componentCount
} tgMesh;

/// Whether a vertex is part of what encloses volume.
static inline bool tgMesh_HasInside(const tgMesh* mesh, int v)
{
    return mesh->vertexComponent[v] >= 0 && mesh->hasInside[mesh->vertexComponent[v]];
}

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
