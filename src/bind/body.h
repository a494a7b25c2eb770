// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The mesh as binding sees it: welded vertices, triangles that look outwards, holes closed by caps.
#ifndef TURGOR_BIND_BODY_H
#define TURGOR_BIND_BODY_H

#include "core/mesh.h"
#include "turgor/bind.h"

typedef struct tgBody {
    tgMesh mesh;       ///< quads as they are, for the diffusion
    int vertexCount;   ///< welded, without the middles of caps
    tgVec3* positions; ///< welded vertices, then the middles of caps
    tgVec3* normals;   ///< unit, outwards; zero for loose vertices
    int triangleCount; ///< quads cut along their shorter diagonal, caps last
    int realCount;     ///< triangles before the caps
    int* triangles;
    int* aroundStart; ///< vertexCount + 1
    int* around;      ///< the real triangles at each vertex
    tgVec3 low, high; ///< of the vertices in faces
    float diagonal;
} tgBody;

tgResult tgBuildBody(const tgBindDef* def, tgScratch* scratch, tgBody* body, tgError* error);

static inline bool tgBody_IsLoose(const tgBody* body, int v)
{
    return body->aroundStart[v] == body->aroundStart[v + 1];
}

static inline tgVec3 tgBody_Corner(const tgBody* body, int triangle, int k)
{
    return body->positions[body->triangles[3 * (size_t)triangle + (size_t)k]];
}

/// Vertex v is a corner of the triangle.
static inline bool tgBody_Touches(const tgBody* body, int triangle, int v)
{
    const int* t = body->triangles + 3 * (size_t)triangle;
    return t[0] == v || t[1] == v || t[2] == v;
}

#endif
