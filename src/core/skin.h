// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Stage 2 of the frame: linear or dual quaternion blend of every vertex.
#ifndef TURGOR_CORE_SKIN_H
#define TURGOR_CORE_SKIN_H

#include "core/influence.h"
#include "core/kernels.h"
#include "core/mesh.h"
#include "core/parallel.h"
#include "core/pose.h"

/// What is blended, in arrays that go by *element*: the welded vertices first, then room for the
/// virtual ones in the middle of caps, and from `extraStart` on once more each vertex that has a
/// further normal, because a hard edge runs through it.
typedef struct tgSkin {
    int elementCount; ///< all of them, a multiple of tg_lane
    int extraStart;   ///< a multiple of tg_lane
    int groupCount;   ///< influences come in groups of four
    int* groupStart;  ///< elementCount + 1; NULL when every element has one group
    float* weights;   ///< 4 for each group
    uint16_t* joints; ///< 4 for each group
    uint16_t* pairs;  ///< 4 for each group, into pairList; NULL for linear skinning
    tgJointPair* pairList;
    int pairCount;
    float* rest; ///< 4 for each element: x, y, z, 1
} tgSkin;

/// @param extraVertices the welded vertex of each extra element
tgResult tgBuildSkin(const tgRigDef* def, const tgInfluences* influences, const tgMesh* mesh,
                     const int* extraVertices, int extraCount, tgScratch* scratch, tgSkin* skin,
                     tgError* error);

void tgSkin_Place(const tgSkin* built, tgLayout* layout, tgSkin* placed);

/// Blend elements [begin, end), multiples of tg_lane, in parallel.
void tgRunSkin(const tgParallel* parallel, void (*kernel)(const tgSkinTask*, int, int),
               const tgSkinTask* task, int begin, int end);

#endif
