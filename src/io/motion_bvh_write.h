// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A skeleton and its motion to write.
#ifndef TURGOR_IO_MOTION_BVH_WRITE_H
#define TURGOR_IO_MOTION_BVH_WRITE_H

#include "turgor/math.h"

/// At rest all joints have the model's axes.
typedef struct tgSkeletonMotion {
    int jointCount;
    const char* const* names;
    const int* parents;      ///< -1 for the first alone; parent before child
    const tgVec3* positions; ///< in the model, at rest
    const tgVec3* ends;      ///< for each joint its bone's far end; NaN where it has none
    int frameCount;
    double frameTime;            ///< seconds
    const tgVec3* rootPositions; ///< for each frame
    const tgMat34* locals;       ///< jointCount for each frame: joint to parent; only axes are read
} tgSkeletonMotion;

/// A Biovision .bvh file. Ends only become End Sites of joints without children, as the format has
/// it.
tgResult tgSaveBvh(const tgSkeletonMotion* motion, const char* path, tgError* error);

#endif
