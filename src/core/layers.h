// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Layers: the parts of a rig that settings decide on. Each can be made anew alone, from the mesh,
// the skeleton and what a live rig keeps (tgLayerSource).
#ifndef TURGOR_CORE_LAYERS_H
#define TURGOR_CORE_LAYERS_H

#include "core/rig.h"

/// In the order in which they are made: the shape stands on contact and volume.
typedef enum tgLayer {
    tg_layerFlesh = 0, ///< tgRig.flesh
    tg_layerBones,     ///< bones
    tg_layerWrinkles,  ///< wrinkles
    tg_layerVolume,    ///< paint, limbs, stage, regions, breathing, drifts
    tg_layerContact,   ///< planes
    tg_layerShape,     ///< anatomy
    tg_layerTarget,    ///< targetKeys
    tg_layerCount,
} tgLayer;

/// What settings say, but for what only a mesh can tell.
tgResult tgCheckLayers(const tgRigDef* def, tgError* error);

/// What the exact method is made from; what is not needed is left out.
tgResult tgBuildLayerSource(const tgRigDef* def, tgScratch* scratch, tgRig* rig, tgError* error);

/// Builds a layer in scratch memory, in place of the one that `rig` has.
tgResult tgBuildLayer(tgLayer layer, const tgRigDef* def, tgScratch* scratch, tgRig* rig,
                      tgError* error);
/// The part of the volume's layer that the limbs' profiles decide on; limbs and paint are there.
tgResult tgArrangeLimbs(tgScratch* scratch, tgRig* rig, tgError* error);
/// The part of it that the target's keys do: whole pieces, for the local method.
tgResult tgBuildBreathing(const tgVolumeDef* volume, tgScratch* scratch, tgRig* rig,
                          tgError* error);

/// The gap of contact's planes as settings ask for them; negative: none are wanted.
float tgGetPlaneGap(const tgVolumeDef* volume);
/// The numbers that frames go by.
tgVolumeDef tgGetVolumeInUse(const tgVolumeDef* volume, const tgRigInfo* info);
/// Whether any limb has the anatomical shape.
bool tgHasDrift(const tgRig* rig);

/// Lays out a layer; with a block in `layout`, also copies it there.
void tgPlaceLayer(tgLayer layer, const tgRig* built, tgLayout* layout, tgRig* placed);

#endif
