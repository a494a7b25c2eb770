// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The instance: one character on stage. Its scratch memory for a frame, in one block.
#ifndef TURGOR_CORE_INSTANCE_H
#define TURGOR_CORE_INSTANCE_H

#include "core/contact.h"
#include "core/correct.h"
#include "core/local.h"
#include "core/rig.h"

struct tgInstance {
    const tgRig* rig;
    tgAllocator allocator;
    size_t size; ///< of the block
    tgParallel parallel;
    const tgKernels* kernels;
    tgNormals normalsFrom;
    bool deformed; ///< there has been a frame

    tgMat34* joints;        ///< of the last frame, joint to model
    tgMat34d* skinMatrices; ///< bind pose to now
    tgMat34d* targetJoints; ///< of the pose whose volume is to be kept
    tgMat34d* targetSkins;  ///< bind pose to that pose
    float* targetPositions; ///< in that pose, where it is not the rest pose; 4 for each element
    float* palette;         ///< matrices; for dual quaternions the stretch before the motion
    float* rigid;           ///< dual quaternions of the joints
    float* pairPalette;     ///< dual quaternions of the pairs, signs set
    bool stretched;         ///< some joint of this frame scales

    bool shaped;      ///< this frame has a bind shape of its own
    float* shape;     ///< that shape; 4 for each element
    float* positions; ///< 4 for each element
    float* normals;   ///< 4 for each element
    float* slots;     ///< 4 for each slot, see mesh.h

    tgFleshTask flesh; ///< the flesh stage with its state
    tgBoneTask bones;  ///< the bones stage with its scratch memory
    float* freedom;    ///< of each element: 0 pinned, 1 free for the volume stage; NULL: all free

    tgContactTask contact; ///< the contact stage
    tgCorrectTask correct; ///< the exact method with its scratch memory
    tgLocalTask local;     ///< the local method with its scratch memory
    tgMat34d* motions;     ///< of the joints since the target pose
    double breath;         ///< factor of the volume to keep, this frame
    int lossCount;         ///< of the last frame
    tgJointLoss* jointLosses;
};

/// The motions since the pose whose volume is to be kept, and that volume. Mostly that is the bind
/// pose, and the motions are the skinning matrices. May use the palette as scratch.
void tgSetTarget(tgInstance* instance);

#endif
