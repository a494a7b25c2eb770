// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The rig: everything about a character that does not change from frame to frame, in one block.
#ifndef TURGOR_CORE_RIG_H
#define TURGOR_CORE_RIG_H

#include "core/boneshape.h"
#include "core/crease.h"
#include "core/flesh.h"
#include "core/limb.h"
#include "core/mesh.h"
#include "core/normals.h"
#include "core/region.h"
#include "core/skeleton.h"
#include "core/skin.h"

struct tgRig {
    tgAllocator allocator;
    size_t size; ///< of the block
    tgSkinning skinning;
    tgRigInfo info;
    tgMesh mesh;
    tgSkeleton skeleton;
    tgSkin skin;
    tgNormalMap normals;
    tgVolumeDef volume; ///< the numbers of it; keys are in targetKeys, profiles in the limbs
    tgVolumeKey* targetKeys;
    tgLimbs limbs;       ///< for the exact method, and for contact
    tgRegions regions;   ///< for the local method
    tgRegions breathing; ///< for the local method with regions and a target over time: whole pieces
    tgFlesh flesh;
    tgBones bones;     ///< none where there is nothing to show
    tgCreases creases; ///< none without contact between neighbours
    int* surface;      ///< all faces as triangles; NULL without contact in general
    int surfaceCount;
};

/// Some kind of contact is looked for.
static inline bool tgRig_HasContact(const tgRig* rig)
{
    return rig->creases.count > 0 || rig->surfaceCount > 0;
}

#endif
