// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Smooth shading with sharp creases: which faces share a normal at each vertex, found once, and
// the normals themselves, made anew for every pose.
#ifndef TURGOR_DRAW_CREASE_H
#define TURGOR_DRAW_CREASE_H

#include "draw/picture.h"

/// Start from tgDefaultCreaseDef(). The faces are those of tgDrawMesh.
typedef struct tgCreaseDef {
    tgVec3View positions; ///< at rest: what is a crease there stays one in every pose
    const int* welded;    ///< for each vertex, the same number for those at one place; NULL: each
                          ///< vertex stands alone
    const int* faceSizes; ///< NULL: all triangles
    const int* faceVertices;
    int faceCount;
    float cosine; ///< faces that meet at a sharper angle than this get normals of their own; 0.25
    int cookie;   ///< set by tgDefaultCreaseDef, not by you
} tgCreaseDef;

tgCreaseDef tgDefaultCreaseDef(void);

/// Corners of faces that share a place and a normal are one point.
typedef struct tgCreases {
    int pointCount;
    int* vertices; ///< a vertex at the place of each point
    int cornerCount;
    int* corners;         ///< the point of each corner, in the order of faceVertices
    int* sources;         ///< the vertex of each corner
    const int* faceSizes; ///< as given
    int faceCount;
} tgCreases;

tgResult tgFindCreases(const tgCreaseDef* def, tgCreases* creases, tgError* error);
void tgFreeCreases(tgCreases* creases);

/// Positions and unit normals of all points in a pose.
/// @param positions of the vertices
/// @param places pointCount entries
/// @param normals pointCount entries
void tgCreases_Shape(const tgCreases* creases, tgVec3View positions, tgVec3* places,
                     tgVec3* normals);

#endif
