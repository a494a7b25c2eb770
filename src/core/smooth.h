// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Smoothing over a length on the skin at rest: the screened Poisson equation
//
//   (M + l^2 L) x = b,      P_l y = (M + l^2 L)^-1 M y
//
// with M the lumped areas of the vertices and L the cotangent Laplacian. P_l averages over about l
// along the surface, whatever the mesh is like.
#ifndef TURGOR_CORE_SMOOTH_H
#define TURGOR_CORE_SMOOTH_H

#include "core/kernels.h"
#include "core/mesh.h"

/// Right-hand sides are solved eight at a time, side by side for each vertex.
enum { tg_smoothLanes = tg_lane, tg_mostSmoothLevels = 16 };

/// One graph of the hierarchy: the vertices, or clusters of them.
typedef struct tgSmoothLevel {
    int count;
    int* start;     ///< count + 1, into columns
    int* columns;   ///< neighbours
    float* weights; ///< of the edges to them, above 0
    float* degrees; ///< sum of the weights
    float* masses;  ///< area over the mean area of a vertex
    int* cluster;   ///< of each: its place in the next level; NULL on the last
} tgSmoothLevel;

typedef struct tgSmoother {
    int levelCount;
    tgSmoothLevel levels[tg_mostSmoothLevels];
    float meanArea;
} tgSmoother;

/// @param rest 4 floats for each vertex
/// @return false without memory
bool tgBuildSmoother(const tgMesh* mesh, const float* rest, tgScratch* scratch,
                     tgSmoother* smoother);

/// Room that solves need; one for each thread.
typedef struct tgSmoothRoom {
    float* step;                       ///< 8 for each vertex
    int* rows;                         ///< one for each vertex
    float* right[tg_mostSmoothLevels]; ///< 8 for each cluster of each level
    float* x[tg_mostSmoothLevels];
} tgSmoothRoom;

bool tgTakeSmoothRoom(const tgSmoother* smoother, tgScratch* scratch, tgSmoothRoom* room);

/// x = P_l y for eight y at once.
/// @param lengths l of each lane
/// @param least where x is below this part of its lane's peak it may come out as 0; 0: nowhere
/// @param values y in, x out; 8 for each vertex
void tgSmooth(const tgSmoother* smoother, tgSmoothRoom* room, const float lengths[tg_smoothLanes],
              float least, float* values);

#endif
