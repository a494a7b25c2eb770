// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The instance: one character on stage. Its scratch memory for a frame, in one block.
#ifndef TURGOR_CORE_INSTANCE_H
#define TURGOR_CORE_INSTANCE_H

#include "core/contact.h"
#include "core/layers.h"
#include "core/local.h"
#include "core/paper.h"
#include "core/rig.h"
#include "core/target.h"

/// A block of memory that an object owns.
typedef struct tgOwned {
    void* memory;
    size_t size;
} tgOwned;

struct tgInstance {
    const tgRig* rig;  ///< the one it was made of, or its own
    const tgRig* base; ///< the one it was made of
    tgAllocator allocator;
    size_t size;                   ///< of the block
    tgRig own;                     ///< the base with layers of the instance's own
    tgOwned layers[tg_layerCount]; ///< memory of those; none for the base's
    tgOwned room; ///< of a live rig's instance: all that the pointers below point to
    tgParallel parallel;
    const tgKernels* kernels;
    tgNormals normalsFrom;
    bool deformed; ///< there has been a frame

    tgMat34* joints;         ///< of the last frame, joint to model
    tgMat34d* skinMatrices;  ///< bind pose to now
    tgTarget target;         ///< the volume to keep
    tgMat34d* keptJoints;    ///< joints to model in the target pose; for the local method
    float* palette;          ///< skinning matrices of the joints
    float* stretches;        ///< for dual quaternions the stretch before the motion
    float* rigid;            ///< dual quaternions of the joints
    float* pairPalette;      ///< dual quaternions of the pairs, signs set
    tgPairShare* pairShares; ///< how much each pair takes of them
    bool isMixed;            ///< some pair of this frame does not take all of them
    float* shares;           ///< how much each element does
    float* other;            ///< 8 for each element: what is mixed in
    bool stretched;          ///< some joint of this frame scales

    bool shaped;      ///< this frame has a bind shape of its own
    float* shape;     ///< that shape; 4 for each element
    float* positions; ///< 4 for each element
    float* normals;   ///< 4 for each element
    float* slots;     ///< 4 for each slot, see mesh.h

    tgFleshTask flesh; ///< the flesh stage with its state
    tgBoneTask bones;  ///< the bones stage with its scratch memory
    float* freedom;    ///< of each element: 0 pinned, 1 free for the volume stage; NULL: all free
    float* onBone;     ///< the same as bones left it, before contact; the local method alone

    tgAnatomyTask anatomy; ///< the shape of flesh round joints
    tgWrinkleTask wrinkles;
    bool isWrinkled;       ///< this frame
    float* shapedRest;     ///< the bind shape as those move it; 4 for each element
    tgContactTask contact; ///< the contact stage
    tgVolumeTask volume;   ///< the exact method with its scratch memory
    tgPaperTask paper;     ///< mode paper with its own
    tgLocalTask local;     ///< the local method with its scratch memory
    double* added;         ///< scratch, of each limb: volume that contact added
    double shaken;         ///< volume that flesh added by shaking
    double breath;         ///< factor of the volume to keep, this frame
    int lossCount;         ///< of the last frame
    tgJointLoss* jointLosses;
    int* lossPlaces; ///< scratch, of each limb: where its loss is reported
};

/// instance.c: what frames need for the rig that `instance` names, in a block of its own, ready for
/// the first of them. The struct itself may be anywhere; tgConnectInstance once it is in place.
/// @return false without memory
bool tgMakeRoom(tgInstance* instance);
void tgConnectInstance(tgInstance* instance);
/// deform.c: the volume to keep in this frame, breathing and gains included, in double.
double tgGetTarget(tgInstance* instance);
/// deform.c: turns the volume stage's directions as the skin does.
void tgTurnDirections(void* context, int begin, int end);
/// deform.c: turns the volume stage's shift and field as the skin does; see tgVolumeTask.
void tgTurnShift(void* context, int begin, int end);
/// deform.c: takes from displacements what would bring skin across a plane; see tgVolumeTask.
void tgHoldAtPlanes(void* context, float* vectors);

#endif
