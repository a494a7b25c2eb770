// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The volume that a patch of skin encloses once its borders are closed.
#ifndef TURGOR_CORE_FLESH_PATCH_H
#define TURGOR_CORE_FLESH_PATCH_H

#include "core/topology.h"

/// What measuring patches of one mesh needs.
typedef struct tgPatchMeter {
    const tgMesh* mesh;
    const float* rest; ///< 4 for each vertex
    tgEdges edges;
    int* leader;      ///< scratch: of the border that each vertex lies on; -1 for none
    double (*sum)[3]; ///< scratch: of the vertices of each border, at its leader
    int* count;       ///< scratch: how many they are
} tgPatchMeter;

/// False without memory.
bool tgMakePatchMeter(const tgMesh* mesh, const float* rest, tgScratch* scratch,
                      tgPatchMeter* meter);

/// Of the faces whose corners are all inside.
/// @param inside one for each welded vertex
double tgMeasurePatch(tgPatchMeter* meter, const bool* inside);

#endif
