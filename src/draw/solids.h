// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Small solids drawn beside a character: arrows, bones, tubes, balls, surfaces, gathered into one
// mesh.
#ifndef TURGOR_DRAW_SOLIDS_H
#define TURGOR_DRAW_SOLIDS_H

#include "draw/picture.h"

/// All zero is an empty list. Free it with tgFreeSolids.
typedef struct tgSolids {
    tgVec3* positions;
    int* triangles;
    int vertexCount, triangleCount;
    int vertexRoom, triangleRoom;
    bool failed; ///< there was no memory for some of it
} tgSolids;

void tgFreeSolids(tgSolids* solids);

/// A shaft with a head; shorter than its head it is all head.
void tgSolids_AddArrow(tgSolids* solids, tgVec3 from, tgVec3 to, float radius);
/// A slim octahedron, thickest near its start, as bones are drawn in modelling programs.
void tgSolids_AddBone(tgSolids* solids, tgVec3 from, tgVec3 to, float radius);
/// A straight round stick with round ends.
void tgSolids_AddTube(tgSolids* solids, tgVec3 from, tgVec3 to, float radius);
void tgSolids_AddBall(tgSolids* solids, tgVec3 center, float radius);
/// A surface of triangles, moved to where it stands.
void tgSolids_AddMesh(tgSolids* solids, tgVec3View positions, const int* triangles,
                      int triangleCount, const tgMat34* place);

/// The mesh to draw, good until something is added.
tgDrawMesh tgSolids_GetMesh(const tgSolids* solids, tgColor color);

#endif
