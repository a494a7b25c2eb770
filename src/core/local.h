// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The local volume method (2008): each region is given back what it lost, along its normals.
#ifndef TURGOR_CORE_LOCAL_H
#define TURGOR_CORE_LOCAL_H

#include "core/kernels.h"
#include "core/parallel.h"
#include "core/region.h"

/// One region in one frame.
typedef struct tgRegionState {
    bool moves;    ///< its joints do not all move alike
    float bend;    ///< by how much, 0 to 1: all of it from a few degrees on
    double loss;   ///< volume minus volume to keep, before any correction
    double amount; ///< to add in this round
    double left;   ///< of that, still
    double given;  ///< in all rounds, to first order
    double worth;  ///< sum of gamma |g|^2, of vertices that follow it in part their part
    float peak;    ///< the largest gamma |g| of those
    float step;    ///< the move is step times the field
    float room;    ///< how far the cap lets it move, either way
    float moved;   ///< how far it has moved so far, outwards
} tgRegionState;

/// What the stage reads and writes, with its scratch memory.
typedef struct tgLocalTask {
    const tgMesh* mesh;
    const tgSkeleton* skeleton;
    const tgRegions* regions;
    const tgRegions* breathing; ///< whole pieces, for a target over time; none without one
    const tgKernels* kernels;
    const tgParallel* parallel;
    int parts, repeats;
    bool exact;
    float cap;               ///< in radii of the region
    float skinThickness;     ///< a length that is small for this character
    const tgMat34d* motions; ///< of each joint since the pose whose volume is to be kept
    const tgMat34d* kept;    ///< joints to model in that pose
    const float* rest;       ///< vertices in that pose
    bool isRestPose;         ///< which is the rest pose
    bool displaced;          ///< stages before moved skin: any region may have lost volume
    const float* freedom;   ///< for each vertex how much of a correction it may take, 0 pinned to 1
                            ///< free; NULL: all free
    double target;          ///< volume to keep, breathing left out
    double breath;          ///< factor of it over time
    float* positions;       ///< 4 for each vertex, caps' middles included
    float* slots;           ///< scratch: 4 for each slot of the regions
    float* field;           ///< scratch: 4 for each taker
    float* gamma;           ///< scratch: one for each taker
    float* points;          ///< scratch: 4 for each point of the regions
    tgVec3* origins;        ///< scratch: one for each joint
    tgVec3* keptOrigins;    ///< scratch: the same in the pose whose volume is to be kept
    int* leaders;           ///< scratch: the joint that each one moves with
    float* spread;          ///< scratch, for exact: 4 for each element
    float* trial;           ///< scratch, for exact: 4 for each element
    tgFieldWorth* worths;   ///< scratch: one for each seam
    tgRegionState* states;  ///< out: one for each region
    tgRegionState* breaths; ///< scratch: one for each piece
    double residual;        ///< out: volume that found no place
} tgLocalTask;

/// Corrects task->positions. May run again on the result, when a contact stage has moved vertices
/// and pinned them: losses are measured on the positions as they are.
void tgCorrectLocally(tgLocalTask* task);

#endif
