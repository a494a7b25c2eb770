// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Edges of a mesh under construction, and what follows from them: orientation, pieces, holes.
#ifndef TURGOR_CORE_TOPOLOGY_H
#define TURGOR_CORE_TOPOLOGY_H

#include "core/mesh.h"

/// One side of one face. Face f is a triangle below triangleCount, a quad from there on.
typedef struct tgEdgeUse {
    int low, high; ///< vertices, low < high
    int face;
    bool forward; ///< the face walks from low to high
} tgEdgeUse;

typedef struct tgEdges {
    int useCount;
    tgEdgeUse* uses; ///< sorted by low, then high, then face
    int edgeCount;
    int* edgeStart; ///< edgeCount + 1, into uses
    int* faceEdges; ///< the edge of each side: 3 for each triangle, then 4 for each quad
} tgEdges;

/// Sides of face f: how many, and where they start in faceEdges.
static inline int tgMesh_SideCount(const tgMesh* mesh, int f)
{
    return f < mesh->triangleCount ? 3 : 4;
}
static inline int tgMesh_FirstSide(const tgMesh* mesh, int f)
{
    return f < mesh->triangleCount ? 3 * f : 4 * f - mesh->triangleCount;
}
static inline int* tgMesh_Corners(const tgMesh* mesh, int f)
{
    return f < mesh->triangleCount ? mesh->triangles + 3 * f
                                   : mesh->quads + 4 * (f - mesh->triangleCount);
}
static inline int* tgMesh_RenderCorners(const tgMesh* mesh, int f)
{
    return f < mesh->triangleCount ? mesh->triangleRender + 3 * f
                                   : mesh->quadRender + 4 * (f - mesh->triangleCount);
}

/// Turn face f round: the same corners, seen from the other side.
void tgMesh_FlipFace(tgMesh* mesh, int f);

/// edges.c. False without memory.
bool tgBuildEdges(const tgMesh* mesh, tgScratch* scratch, tgEdges* edges);

/// orient.c: faces that share an edge walk it in opposite directions; the way most faces of a patch
/// came decides. `turned` (one for each face) toggles with every turn.
/// A patch that is one-sided stays as it came.
/// @param conflicts some faces of each one-sided patch
bool tgOrientPatches(tgMesh* mesh, const tgEdges* edges, tgScratch* scratch, bool* turned,
                     bool* conflicts);

/// orient.c: numbers the pieces.
bool tgFindComponents(tgMesh* mesh, tgScratch* scratch);

/// orient.c: turns pieces whose enclosed volume, caps included, is negative.
/// @param positions 4 floats for each vertex, virtual ones in place
bool tgOrientOutwards(tgMesh* mesh, const float* positions, tgScratch* scratch, bool* turned);

/// boundary.c: the loops that are left when every edge walked one way is set against the other way.
/// Pieces without an inside have none.
/// @param step for what is not needed afterwards
bool tgFindLoops(tgMesh* mesh, const tgEdges* edges, tgScratch* step, tgScratch* scratch);

/// inside.c: one-sided pieces have no inside.
/// @param conflicts some faces of these
bool tgFindOneSided(tgMesh* mesh, const bool* conflicts, tgScratch* scratch);
/// inside.c: nor have pieces that are caps for the most part.
/// @param positions 4 floats for each vertex, virtual ones in place
bool tgFindSheets(tgMesh* mesh, const float* positions, tgScratch* step);
/// inside.c: sorts the faces. What was known by their numbers is not true any more.
bool tgPutLooseFirst(tgMesh* mesh, bool* turned, tgScratch* step);

#endif
