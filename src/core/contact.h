// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The contact stage of the frame: skin that would pass through skin stops there.
#ifndef TURGOR_CORE_CONTACT_H
#define TURGOR_CORE_CONTACT_H

#include "core/bvh.h"
#include "core/crease.h"
#include "core/kernels.h"
#include "core/mat34d.h"
#include "core/skin.h"

/// What the stage reads and writes.
typedef struct tgContactTask {
    const tgMesh* mesh;
    const tgLimbs* limbs;
    const tgCreases* creases;
    const tgKernels* kernels;
    const tgSkin* skin;
    const tgMat34* joints;        ///< joint to model
    const tgMat34d* skinMatrices; ///< of each joint since the bind pose
    const bool* bends;            ///< of each limb
    const float* rest;            ///< the frame's bind shape, 4 for each vertex
    bool dualQuaternion;          ///< the base skinning
    bool drifts;                  ///< flesh drifts to the inner side of bends: see tgLimb
    float gap;                    ///< between skin and skin, in limb radii
    float* positions;             ///< 4 for each vertex, caps' middles included
    float* freedom;               ///< of each vertex: lowered to 0 where skin meets skin
    float* onBone;                ///< scratch: freedom as bones left it; NULL without bones
    float* closing;               ///< scratch: one for each vertex of the largest crease
    double* added;                ///< out, of each limb: volume that its vertices' way back added

    // For contact in general; without it there are no triangles.
    const int* triangles; ///< all faces of the mesh, quads cut in two
    int triangleCount;
    tgBvh tree;      ///< over them
    float* base;     ///< 4 for each vertex: before the volume came back
    float* kept;     ///< scratch, of each vertex: how much of its correction is left
    bool* isMeeting; ///< scratch, of each vertex
} tgContactTask;

/// contact.c: where the skin of two bones meets, lays it on the plane between them and pins it.
void tgMeet(const tgContactTask* task);
/// Brings vertices that a correction took past the plane back to it, and pins them.
/// @return whether any vertex had passed
bool tgMeetAgain(const tgContactTask* task);

/// self_contact.c: remembers the positions that corrections start from.
void tgKeepBase(const tgContactTask* task);
/// Takes corrections back, step by step, where they made skin pass through skin, and pins what was
/// moved. Adds to `added`.
/// @return whether any vertex was
bool tgStepBack(tgContactTask* task);

#endif
