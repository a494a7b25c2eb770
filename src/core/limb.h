// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What the volume stage knows beforehand of the flesh round each joint: which faces bend with it,
// which vertices may take its correction, how thick the limb is.
#ifndef TURGOR_CORE_LIMB_H
#define TURGOR_CORE_LIMB_H

#include "core/mesh.h"
#include "core/skeleton.h"
#include "core/skin.h"
#include "turgor/volume.h"

/// Faces as the kernels take them, over vertices of the whole mesh.
typedef struct tgPatch {
    int triangleCount, quadCount;
    int* triangles;
    int* quads;
} tgPatch;

/// Corners of face f: triangles first, then quads.
static inline const int* tgPatch_GetFace(const tgPatch* patch, int f, int* size)
{
    bool isQuad = f >= patch->triangleCount;
    *size = isQuad ? 4 : 3;
    return isQuad ? patch->quads + 4 * (size_t)(f - patch->triangleCount)
                  : patch->triangles + 3 * (size_t)f;
}

/// W of a vertex at a joint: the summed weight of the joint and all its descendants. Faces with all
/// W = 0 stand still when the joint turns, faces with all W = 1 turn rigidly, those in between
/// bend.
typedef struct tgLimb {
    int joint;
    float boneLength; ///< of the parent bone
    float radius;     ///< of the limb at the joint
    float girth;      ///< that, or how thick its takers' flesh is where that is less
    int kin;          ///< the first limb on the same piece of the mesh
    float balance;    ///< 1 where its skin goes all round the joint, 0 where it is on one side
    tgVec3 boneIn;    ///< unit direction of the parent bone, into the joint, at rest
    tgVec3 boneOut;   ///< unit direction of the joint's own bone at rest
    tgVec3 reference; ///< a unit vector across boneIn: the side when nothing bends

    int bandCount;      ///< vertices of the faces that bend
    int blendedCount;   ///< the first ones: this joint, or one before it in the tree, bends them
    int skinnedCount;   ///< with those that are rigid until then; what follows are middles of caps
    int* bandVertices;  ///< padded to tg_lane by repeating the first
    float* bandWeights; ///< W of each
    float* bandDrift;   ///< how far each drifts, for a swing of length 1
    bool drifts;        ///< some of them do
    tgPatch band;       ///< over vertices of the whole mesh
    int borderCount;    ///< edges between the band and the faces that turn rigidly
    int* border;        ///< their ends, in the order of those faces; some twice, there and back

    int takerCount;    ///< vertices that may take this joint's correction
    int* takers;       ///< padded to tg_lane by repeating the first
    float* takerScale; ///< mask of the limb over vertex area; 0 in the padding
    tgPatch around;    ///< faces that takers move, over vertices of the whole mesh
    int* slotStart;    ///< into slotList, for each taker (padding has none), and the end
    int* slotList;     ///< slots of `around`

    tgPatch beside;   ///< faces of the band that touch no taker, over vertices of the whole mesh
    int watchedCount; ///< vertices of `around` and `beside`, caps' middles included
    int* watched;

    int loopCount; ///< boundary loops with a taker
    int* loops;
    int loopTakerCount; ///< places of takers on such loops
    int* loopTakers;    ///< the taker
    int* loopTakerLoop; ///< its loop, as a place in `loops`

    int profileCount;
    tgProfile* profiles;
    float
        foldSwingSquared; ///< (2 sin(foldAngle / 2))^2 of the first belly: all folds from there on
} tgLimb;

typedef struct tgLimbs {
    tgTree tree; ///< the skeleton's, by the flesh that they share
    int count;
    tgLimb* limbs;      ///< in the tree's order; only joints that can lose volume
    float* restNormals; ///< 4 for each vertex, caps' middles included: area-weighted, last one 0
    float* sturdiness;  ///< of each vertex: 1 where flesh is thick, less in ears and wings
    float* evenness; ///< of each vertex: 1 over its area, where uneven meshes are to bulge evenly
    float* inverseSquares; ///< of each vertex: 1 over |dV/dp|^2 at rest, 0 where that is 0
    double skinArea;       ///< of the whole skin at rest
    int* byJoint;          ///< index of each joint's limb, -1 for none
    int mostTakers;        ///< the largest number, padded, for scratch memory
} tgLimbs;

tgResult tgCheckVolumeDef(const tgRigDef* def, tgError* error);

/// @param influences of the render vertices
tgResult tgBuildLimbs(const tgRigDef* def, const tgMesh* mesh, const tgSkeleton* skeleton,
                      const tgInfluences* influences, const float* rest, tgScratch* scratch,
                      tgLimbs* limbs, tgError* error);

/// @param vertexCount caps' middles included
void tgLimbs_Place(const tgLimbs* built, int jointCount, int vertexCount, tgLayout* layout,
                   tgLimbs* placed);

#endif
