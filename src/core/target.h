// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The volume to keep: that of the bind shape with the frame's scales and lengths, and no turns.
#ifndef TURGOR_CORE_TARGET_H
#define TURGOR_CORE_TARGET_H

#include "core/kernels.h"
#include "core/mat34d.h"
#include "core/mesh.h"
#include "core/parallel.h"
#include "core/skeleton.h"
#include "core/skin.h"
#include "core/volume_stage.h"

typedef struct tgTarget {
    bool isRest;      ///< the target pose is the bind pose, and the shape its own
    bool isKnownSize; ///< the target pose is the bind pose at another size: only that is known
    bool isRigid;     ///< all joints of the frame have the same scale, all ways: `size`
    double size;
    double sign;       ///< -1 for a character that is mirrored, whose cones count the other way
    double volume;     ///< to keep, but for breathing; of a mirrored character as of another
    double scale;      ///< of the character: cube root of what that is against the bind volume
    tgMat34d* skins;   ///< bind pose to target pose, of each joint
    tgMat34d* motions; ///< target pose to now, of each joint
    float* palette;    ///< scratch: the skins, rounded; what `volume` was measured with
    float* known;      ///< scratch: the same of the last frame
    bool isKnown;      ///< `volume` is that of `known`
    float* positions;  ///< of the target pose, where it is not the bind pose; 4 for each element
} tgTarget;

/// What a frame brings.
typedef struct tgTargetTask {
    const tgSkeleton* skeleton;
    const tgMesh* mesh;
    const tgSkin* skin;
    const tgKernels* kernels;
    const tgParallel* parallel;
    const tgMat34d* skinMatrices;
    const float* shape;   ///< the frame's own bind shape; NULL: the rig's
    bool wantsPose;       ///< the pose itself is needed, not only its volume
    tgVolumeTask* volume; ///< measures it; NULL: the method has none
    double restVolume;
} tgTargetTask;

void tgSetTarget(const tgTargetTask* task, tgTarget* target);

#endif
