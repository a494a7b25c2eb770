// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The contact stage of the frame: skin stays on its side of the plane between two bodies.
#ifndef TURGOR_CORE_CONTACT_H
#define TURGOR_CORE_CONTACT_H

#include "core/mat34d.h"
#include "core/parallel.h"
#include "core/plane.h"
#include "core/skin.h"

/// What the stage reads and writes.
typedef struct tgContactTask {
    const tgPlanes* planes;
    const tgMesh* mesh;
    const tgSkin* skin;           ///< weights of the linear blend
    const tgMat34d* skinMatrices; ///< of each joint since the bind pose
    const tgParallel* parallel;
    const tgKernels* kernels;
    const float* rest;    ///< the frame's bind shape, 4 for each element
    bool isLinear;        ///< the base skinning: positions are that blend already
    float* positions;     ///< 4 for each element
    const float* movable; ///< of each element, 0 to 1: less where bones hold it; NULL: all 1
    float* freedom;       ///< of each element: times what is left for later stages; may be NULL
    double* changed;      ///< out, of each plane: volume that it added, to first order
    struct tgPlanePose* poses; ///< out, of each plane: in this frame
    double* changedParts;      ///< out, of each part: volume that was added there
    int* ends;                 ///< out, of each part: the end of the vertices that the bend reaches
    float* near;               ///< out, of each of those: 0 to 1, how near it is to the plane
} tgContactTask;

/// Room for what comes out.
void tgContactTask_Place(const tgPlanes* planes, tgLayout* layout, tgContactTask* task);

/// Moves skin that passed the plane between its body and another back to its own side, and lowers
/// the freedom of skin that lies near a plane on the inner side of a bend.
void tgRunContact(const tgContactTask* task);

/// Whether a plane reached vertices of the chunk.
bool tgIsChunkReached(const tgContactTask* task, int chunk);

/// Takes from the vectors of a chunk, 4 for each element, the part across the planes: near a plane
/// later stages may move skin along it.
void tgHoldChunk(const tgContactTask* task, int chunk, float* vectors);
/// The same of all chunks.
void tgHoldVectors(const tgContactTask* task, float* vectors);

#endif
