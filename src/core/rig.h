// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The rig: everything about a character that does not change from frame to frame, in one block.
#ifndef TURGOR_CORE_RIG_H
#define TURGOR_CORE_RIG_H

#include "core/anatomy.h"
#include "core/boneshape.h"
#include "core/flesh.h"
#include "core/limb.h"
#include "core/mesh.h"
#include "core/normals.h"
#include "core/paint.h"
#include "core/plane.h"
#include "core/region.h"
#include "core/skeleton.h"
#include "core/skin.h"
#include "core/volume_stage.h"
#include "core/wrinkle.h"

/// What layers (layers.h) are made from, beside mesh, skin and skeleton. A live rig keeps all of
/// it, any other only the stage.
typedef struct tgLayerSource {
    tgInfluences influences;  ///< of the render vertices
    tgLimbs limbs;            ///< without profiles
    tgVolumeRig stage;        ///< without what profiles and paint say
    tgSupportSource supports; ///< what those are arranged from
} tgLayerSource;

struct tgRig {
    tgAllocator allocator;
    size_t size; ///< of the block
    bool isLive; ///< instances may have layers of their own
    tgSkinning skinning;
    tgRigInfo info;
    tgMesh mesh;
    tgSkeleton skeleton;
    tgSkin skin;
    tgNormalMap normals;
    tgLayerSource source;
    tgVolumeDef volume; ///< the numbers of it; keys are in targetKeys, profiles in the limbs
    tgVolumeKey* targetKeys;
    tgPaint paint;       ///< none where nobody painted
    tgLimbs limbs;       ///< for the exact method
    tgVolumeRig stage;   ///< so, too
    tgRegions regions;   ///< for the local method
    tgRegions breathing; ///< for the local method with regions and a target over time: whole pieces
    tgFlesh flesh;
    tgBones bones;     ///< none where there is nothing to show
    tgPlanes planes;   ///< none without contact
    float planeGap;    ///< that they were made with; negative: none were wanted
    tgAnatomy anatomy; ///< none where no joint drifts
    float* drifts;     ///< of each joint: amplitude of the anatomical shape
    tgWrinkles wrinkles;
};

#endif
