// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Straight ways through the body, and the faces they cross.
#ifndef TURGOR_BIND_SIGHT_H
#define TURGOR_BIND_SIGHT_H

#include "bind/voxel.h"

/// Whether the way from `from` to `to` meets a triangle; touching its border counts.
bool tgSegmentHits(const tgBody* body, int triangle, tgVec3 from, tgVec3 to);

/// No face lies between; faces at `vertex` (-1: none) do not count.
bool tgIsClear(const tgVoxels* voxels, tgVec3 from, tgVec3 to, int vertex);

/// Where the way crosses faces, as fractions of it, ascending.
/// @return how many there are, at most `room`
int tgListCrossings(const tgVoxels* voxels, tgVec3 from, tgVec3 to, double* crossings, int room);

#endif
