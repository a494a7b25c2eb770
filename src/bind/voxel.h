// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The inside of a body in cubic cells, which of their ways to neighbours cross a face, and the
// faces that pass through each cell.
#ifndef TURGOR_BIND_VOXEL_H
#define TURGOR_BIND_VOXEL_H

#include "bind/body.h"

#include <stdint.h>

/// Half of the 26 neighbours; the other half are the same ways walked back.
enum { tg_wayCount = 13 };
extern const int tg_ways[tg_wayCount][3];

typedef struct tgVoxels {
    const tgBody* body;
    double origin[3]; ///< the low corner
    double size;      ///< side of a cell
    int count[3];
    int* triangleStart; ///< one for each cell, and one more
    int* triangles;     ///< that pass through each cell
    uint16_t* cuts;     ///< of each cell: bit w is set when way w crosses a face
    int* insideIndex;   ///< of each cell its number among those inside, -1 for the others
    int insideCount;
    int* insideCells;
    bool isByFlood; ///< winding numbers said nothing; inside is what a flood from outside spares
} tgVoxels;

/// @param voxels cells along the longest side
tgResult tgBuildVoxels(const tgBody* body, int voxels, tgScratch* scratch, tgVoxels* result,
                       tgError* error);

static inline int tgVoxels_Cell(const tgVoxels* voxels, int x, int y, int z)
{
    return (z * voxels->count[1] + y) * voxels->count[0] + x;
}

/// The coordinate of a cell's middle along an axis.
static inline double tgVoxels_Middle(const tgVoxels* voxels, int axis, int at)
{
    return voxels->origin[axis] + ((double)at + 0.5) * voxels->size;
}

/// The three numbers of a cell.
static inline void tgVoxels_Unpack(const tgVoxels* voxels, int cell, int at[3])
{
    at[0] = cell % voxels->count[0];
    at[1] = cell / voxels->count[0] % voxels->count[1];
    at[2] = cell / voxels->count[0] / voxels->count[1];
}

tgVec3 tgVoxels_Center(const tgVoxels* voxels, int cell);
/// The cell a point lies in, moved to the border of the grid when it lies outside.
void tgVoxels_Locate(const tgVoxels* voxels, tgVec3 p, int at[3]);

/// Adds the winding number of each island about a point.
void tgCountIslandWindings(const tgBody* body, tgVec3 p, int* windings);

/// Whether a point is inside the body: exact, whatever the size of the cells.
bool tgVoxels_IsInside(const tgVoxels* voxels, tgVec3 p);

#endif
