// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What the files that make limbs share.
#ifndef TURGOR_CORE_LIMB_MAKER_H
#define TURGOR_CORE_LIMB_MAKER_H

#include "core/limb.h"
#include "core/reach.h"

/// Everything that making the limbs needs, and marks that are cleared after each joint.
typedef struct tgLimbMaker {
    const tgRigDef* def;
    const tgMesh* mesh;
    const tgSkeleton* skeleton;
    const tgTree* tree;
    const tgInfluences* influences;
    const float* rest;
    tgScratch* scratch;
    float diagonal;
    float* subtreeWeights; ///< W of every vertex, caps' middles included, at the joint at hand
    float* masks;          ///< limb mask of every vertex at the joint at hand
    float* softened;       ///< room for another
    float* areas;          ///< a third of the rest area round each vertex, over their mean
    float meanArea;        ///< that mean
    float* thickness;      ///< of the flesh under each vertex
    float* roundness;      ///< of the skin at each vertex
    tgReach reach;         ///< distances from the middle of the band at hand
    int* takers;           ///< room for the takers of any joint
    float* takerScale;
    int* newSlot;   ///< slots of the whole mesh to slots of the limb at hand, + 1
    bool* lost;     ///< pieces that bend at the joint at hand
    int* firstLimb; ///< of each piece: its number + 1; 0: none yet
    bool* blended;  ///< vertices that this joint, or one before it in the tree, bends
    int* local;     ///< number + 1 in the list being made
} tgLimbMaker;

static inline tgVec3 tgGetRestPoint(const tgLimbMaker* maker, int v)
{
    const float* p = maker->rest + 4 * (size_t)v;
    return tgMakeVec3(p[0], p[1], p[2]);
}

static inline tgVec3 tgGetRestOrigin(const tgSkeleton* skeleton, int j)
{
    const double* o = skeleton->rest[j].c[3];
    return tgMakeVec3((float)o[0], (float)o[1], (float)o[2]);
}

/// limb_band.c: the faces that bend with the joint. False without memory.
bool tgMakeBand(tgLimbMaker* maker, tgLimb* limb);
/// limb_takers.c: the vertices that may take its correction. False without memory.
bool tgMakeTakers(tgLimbMaker* maker, tgLimb* limb);

/// Adds the vector area of a face at rest.
void tgAddArea(const tgLimbMaker* maker, const int* corners, int size, double area[3]);
bool tgTakePatch(tgScratch* scratch, tgPatch* patch, int triangles, int quads);

#endif
