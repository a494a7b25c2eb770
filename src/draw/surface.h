// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// All meshes of one drawing as a single list of checked vertices and triangles.
#ifndef TURGOR_DRAW_SURFACE_H
#define TURGOR_DRAW_SURFACE_H

#include "draw/picture.h"

typedef struct tgSurfaceVertex {
    tgVec3 position, normal;
    float r, g, b;
    float sky; ///< how much of the sky it sees, 0 to 1, weighted by the light that falls in
    float key; ///< how much of the key light it sees
    bool used; ///< by a face; the others hold nothing
} tgSurfaceVertex;

typedef struct tgSurfaceTriangle {
    int corners[3];
    unsigned int edges; ///< bit k: the side opposite corner k is drawn as a line
    bool ghost;         ///< seen through
    bool twoSided;
} tgSurfaceTriangle;

typedef struct tgSurface {
    int vertexCount, triangleCount;
    tgSurfaceVertex* vertices;
    tgSurfaceTriangle* triangles;
    tgSurfaceTriangle* wholes; ///< the triangles before they were cut; NULL: they were not
    int wholeCount;
    tgBounds bounds; ///< of the vertices that a face uses
} tgSurface;

/// Checks everything; on failure there is nothing to free.
tgResult tgBuildSurface(const tgDrawMesh* meshes, int meshCount, tgSurface* surface,
                        tgError* error);
void tgFreeSurface(tgSurface* surface);

#endif
