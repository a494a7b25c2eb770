// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Mode paper, for comparison: exact volume as it was published (2009).
#ifndef TURGOR_CORE_PAPER_H
#define TURGOR_CORE_PAPER_H

#include "core/paint.h"
#include "core/parallel.h"
#include "core/profile.h"
#include "core/skin.h"
#include "core/target.h"

/// What the method reads and writes.
typedef struct tgPaperTask {
    const tgMesh* mesh;
    const tgSkeleton* skeleton;
    const tgLimbs* limbs;
    const tgSkin* skin;
    const tgKernels* kernels;
    const tgParallel* parallel;
    bool isLinear;
    const tgPaint* paint;   ///< multiplies gamma
    const tgTarget* target; ///< with the motions of the joints
    const float* rest;      ///< the frame's bind shape; 4 for each element
    float* positions;       ///< out; 4 for each element, caps' middles included
    float* slots;           ///< scratch: 4 for each slot of the mesh

    // Scratch memory of the instance.
    float* palette;   ///< matrices of the joints as far as they are posed
    float* rigid;     ///< the same as dual quaternions
    float* pairs;     ///< and for the pairs
    tgMat34d* states; ///< bind pose to the state, of each joint
    bool* turns;      ///< of each limb: whether it does
    float* skinned;   ///< 4 for each element
    float* carried;   ///< 4 for each element: displacements so far
    float* gradient;  ///< 4 for each element
    float* gamma;     ///< one for each element
} tgPaperTask;

void tgPaperTask_Place(const tgSkin* skin, int jointCount, int limbCount, tgLayout* layout,
                       tgPaperTask* task);
void tgRestoreAsPublished(const tgPaperTask* task);

#endif
