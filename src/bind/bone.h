// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The bones of a skeleton, cut to the parts that lie inside the body.
#ifndef TURGOR_BIND_BONE_H
#define TURGOR_BIND_BONE_H

#include "bind/voxel.h"

/// A part of the way from a joint to one of its children, or a joint without children.
typedef struct tgBone {
    int joint;
    tgVec3 from, to;     ///< equal for a point
    bool startsAtParent; ///< the bone of another joint ends at `from`
    bool endsAtChild;    ///< another joint begins at `to`
    float length;        ///< of the whole bone, before it was cut
} tgBone;

typedef struct tgBones {
    int jointCount;
    int boneCount;
    tgBone* bones;       ///< those of joint 0 first
    int* jointStart;     ///< jointCount + 1, into bones
    tgBindJoint* joints; ///< where each was found
} tgBones;

tgResult tgBuildBones(const tgBindDef* def, const tgVoxels* voxels, tgScratch* scratch,
                      tgBones* bones, tgError* error);

/// The way from a point to the nearest part of a joint's bones.
typedef struct tgBoneWay {
    tgVec3 nearest;
    float distance;
    float past; ///< 0 beside the bone, up to 1 straight past an end where another bone goes on
    float boneLength;
} tgBoneWay;

/// Distance is HUGE_VALF for a joint without bones.
tgBoneWay tgBones_Measure(const tgBones* bones, int joint, tgVec3 p);

/// Past its ends a bone counts as further away, up to twice: before its start the flesh is its
/// parent's, after its end its child's. Without that, all that lies past a joint without children
/// is as near to its parent.
static inline float tgBoneWay_Claim(const tgBoneWay* way)
{
    return way->distance * (1.0f + way->past);
}

#endif
