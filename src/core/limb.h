// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What is known beforehand of each joint that can bend: its bones, its profiles, the skin that
// bends with it, and the volume that any turn of it takes away.
#ifndef TURGOR_CORE_LIMB_H
#define TURGOR_CORE_LIMB_H

#include "core/mesh.h"
#include "core/skeleton.h"
#include "turgor/volume.h"

/// W of a vertex at a joint: the summed weight of the joint and all that it carries in the tree of
/// bodies. Skin with W = 0 stands still when the joint turns, skin with W = 1 turns rigidly, skin
/// in between bends.
typedef struct tgLimb {
    int joint;
    int hinge;     ///< the joint itself, or its carrier where that is below it in the file: names,
                   ///< bones and profiles are the hinge's
    tgVec3 origin; ///< of the joint, at rest
    float boneLength;  ///< of the parent bone
    float radius;      ///< half the thickness of the flesh where it bends
    tgVec3 boneIn;     ///< unit direction of the parent bone, into the joint, at rest
    tgVec3 boneOut;    ///< unit direction of the joint's own bone at rest
    tgVec3 reference;  ///< a unit vector across boneIn: the side when nothing bends
    double loss[3][3]; ///< C by columns: a turn R against its carrier changes the volume of linear
                       ///< blending by <C, R - 1>
    double moments[2][3]; ///< of the skin, for dual quaternions: see tgLimb_GetLoss
    float gain;           ///< it gives back so many times what it lost
    float drift;          ///< amplitude of the anatomical shape round it, 0 to 1
    bool isChosen;        ///< somebody chose or drew its profile; else its support is its own
    bool isSilent;        ///< it takes nothing: what it loses goes to the others
    int profileCount;
    tgProfile* profiles;
    float foldSwingSquared; ///< (2 sin(foldAngle / 2))^2 of the first belly: all folds from there
    int firstSource, sourceCount; ///< of tgLimbs.sources; while the rig is being made
} tgLimb;

/// Where skin bends, as a list: 4 W (1 - W) over the faces round a vertex, times their area.
typedef struct tgBendSource {
    int vertex;
    float amount;
} tgBendSource;

/// Two limbs that bend the same skin: there their losses do not add up.
typedef struct tgOverlap {
    int first, second;
    float amount; ///< 0 to 1: how much of it they have in common
} tgOverlap;

typedef struct tgLimbs {
    int count;
    tgLimb* limbs; ///< in the tree's order; only joints that skin bends with
    int* byJoint;  ///< of each joint the limb whose hinge it is, -1 for none
    int overlapCount;
    tgOverlap* overlaps;
    tgBendSource* sources; ///< while the rig is being made
} tgLimbs;

tgResult tgCheckVolumeDef(const tgRigDef* def, tgError* error);

/// All but the radius and the profiles.
/// @param influences of the render vertices
tgResult tgBuildLimbs(const tgMesh* mesh, const tgSkeleton* skeleton,
                      const tgInfluences* influences, const float* rest, float diagonal,
                      tgScratch* scratch, tgLimbs* limbs, tgError* error);
/// Gives a limb its profiles, which are copied when it is placed, and what follows from them.
/// @param isNamed somebody said so: none of them is silence, not organic
void tgLimb_SetProfiles(const tgProfile* profiles, int count, bool isNamed, tgLimb* limb);
/// The profiles that a definition has for its joint.
void tgLimb_FindProfiles(const tgVolumeDef* volume, tgLimb* limb);

/// Origin, direction and length of the bone that ends in the limb's hinge, from the nearest
/// ancestor away from it; and of its own bone.
void tgSetLimbBones(const tgSkeleton* skeleton, float diagonal, tgLimb* limb);

void tgLimbs_Place(const tgLimbs* built, int jointCount, tgLayout* layout, tgLimbs* placed);

/// What a turn of the joint against its parent takes away, or adds.
/// @param turn by columns
/// @param dual how much of the blend is of dual quaternions, 0 to 1
double tgLimb_GetLoss(const tgLimb* limb, const double turn[3][3], double dual);

#endif
