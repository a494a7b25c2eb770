// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Making the layers of a rig. tgCreateRig makes all of them, a change of an instance (change.c)
// those that it concerns; both come here, so both give the same bits.

#include "core/layers.h"

#include <math.h>
#include <string.h>

// ---- checks -------------------------------------------------------------------------------------

static tgResult tgCheckContactDef(const tgVolumeDef* volume, tgError* error)
{
    if (!(volume->contactGap >= 0.0f) || !isfinite(volume->contactGap)) {
        return tgFail(error, tg_invalidArgument, -1, "the contact's gap is %g, wanted 0 or more",
                      (double)volume->contactGap);
    }
    if (volume->contact < tg_contactOff || volume->contact > tg_contactAuto) {
        return tgFail(error, tg_invalidArgument, -1, "contact %d is not one of tgContactChoice",
                      (int)volume->contact);
    }
    if (volume->contact == tg_contactOn && volume->mode == tg_modePaper) {
        return tgFail(error, tg_invalidArgument, -1,
                      "contact does not go with mode paper, wanted mode exact");
    }
    return tg_success;
}

tgResult tgCheckLayers(const tgRigDef* def, tgError* error)
{
    tgResult result = tgCheckVolumeDef(def, error);
    result = result == tg_success ? tgCheckPaint(def, error) : result;
    result = result == tg_success ? tgCheckWrinkles(def, error) : result;
    result = result == tg_success ? tgCheckFleshDef(def, error) : result;
    result =
        result == tg_success ? tgCheckLocalDef(&def->volume.local, def->jointCount, error) : result;
    return result == tg_success ? tgCheckContactDef(&def->volume, error) : result;
}

// ---- the volume ---------------------------------------------------------------------------------

static tgVolumeSource tgGetVolumeSource(const tgRig* rig)
{
    return (tgVolumeSource){.mesh = &rig->mesh,
                            .rest = rig->skin.rest,
                            .diagonal = rig->info.restDiagonal,
                            .elementCount = rig->skin.elementCount,
                            .paint = &rig->paint};
}

tgResult tgBuildLayerSource(const tgRigDef* def, tgScratch* scratch, tgRig* rig, tgError* error)
{
    if (def->volume.method != tg_volumeExact && !def->live) {
        return tg_success;
    }
    tgLayerSource* source = &rig->source;
    tgVolumeSource volume = tgGetVolumeSource(rig);
    tgResult result = tgBuildLimbs(&rig->mesh, &rig->skeleton, &source->influences, rig->skin.rest,
                                   rig->info.restDiagonal, scratch, &source->limbs, error);
    if (result == tg_success &&
        !tgMeasureVolumeRig(&volume, &source->limbs, scratch, &source->stage, &source->supports)) {
        result = tgFail(error, tg_outOfMemory, -1, "no memory for the volume stage");
    }
    return result;
}

tgResult tgArrangeLimbs(tgScratch* scratch, tgRig* rig, tgError* error)
{
    tgVolumeSource source = tgGetVolumeSource(rig);
    rig->stage = rig->source.stage;
    rig->drifts = tgScratch_Take(scratch, (size_t)rig->skeleton.jointCount, sizeof(float));
    if (scratch->failed ||
        !tgArrangeVolumeRig(&source, &rig->limbs, &rig->source.supports, scratch, &rig->stage)) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for the volume stage");
    }
    for (int i = 0; i < rig->limbs.count; ++i) {
        rig->drifts[rig->limbs.limbs[i].hinge] = rig->limbs.limbs[i].drift;
    }
    return tg_success;
}

/// The exact method: limbs with their profiles, and the skin that they move.
static tgResult tgBuildExact(const tgRigDef* def, tgScratch* scratch, tgRig* rig, tgError* error)
{
    const tgLimbs* from = &rig->source.limbs;
    rig->limbs = *from;
    rig->limbs.limbs = tgScratch_Take(scratch, (size_t)from->count, sizeof(tgLimb));
    if (scratch->failed) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for the volume stage");
    }
    for (int i = 0; i < from->count; ++i) {
        rig->limbs.limbs[i] = from->limbs[i];
        tgLimb_FindProfiles(&def->volume, &rig->limbs.limbs[i]);
    }
    return tgArrangeLimbs(scratch, rig, error);
}

static tgRegionSource tgGetRegionSource(const tgRig* rig)
{
    return (tgRegionSource){
        .mesh = &rig->mesh,
        .skeleton = &rig->skeleton,
        .influences = &rig->source.influences,
        .rest = rig->skin.rest,
        .restDiagonal = rig->info.restDiagonal,
        .paint = &rig->paint,
        .evenOut = true,
    };
}

tgResult tgBuildBreathing(const tgVolumeDef* volume, tgScratch* scratch, tgRig* rig, tgError* error)
{
    rig->breathing = (tgRegions){0};
    tgRegionSource source = tgGetRegionSource(rig);
    const tgLocalDef uniform = {.scope = tg_scopeGlobal, .map = tg_mapUniform};
    bool isWanted = volume->method == tg_volumeLocal && volume->targetKeyCount > 0 &&
                    volume->local.scope == tg_scopeRegions;
    return !isWanted || tgBuildRegions(&source, &uniform, scratch, &rig->breathing)
               ? tg_success
               : tgFail(error, tg_outOfMemory, -1, "no memory for the volume stage");
}

static tgResult tgBuildLocal(const tgRigDef* def, tgScratch* scratch, tgRig* rig, tgError* error)
{
    tgRegionSource source = tgGetRegionSource(rig);
    if (!tgBuildRegions(&source, &def->volume.local, scratch, &rig->regions)) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for the volume stage");
    }
    return tgBuildBreathing(&def->volume, scratch, rig, error);
}

static tgResult tgBuildVolume(const tgRigDef* def, tgScratch* scratch, tgRig* rig, tgError* error)
{
    rig->paint = (tgPaint){0};
    rig->limbs = (tgLimbs){0};
    rig->stage = (tgVolumeRig){0};
    rig->regions = rig->breathing = (tgRegions){0};
    rig->drifts = NULL;
    if (tgGetVolumeInUse(&def->volume, &rig->info).method == tg_volumeNone) {
        return tg_success;
    }
    if (!tgBuildPaint(def, &rig->mesh, scratch, &rig->paint)) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for the paint");
    }
    return def->volume.method == tg_volumeExact ? tgBuildExact(def, scratch, rig, error)
                                                : tgBuildLocal(def, scratch, rig, error);
}

tgVolumeDef tgGetVolumeInUse(const tgVolumeDef* volume, const tgRigInfo* info)
{
    tgVolumeDef used = *volume;
    if (info->isFlat) {
        used.method = tg_volumeNone; // nothing to keep, nothing to measure against
    }
    return used;
}

// ---- contact, shape -----------------------------------------------------------------------------

float tgGetPlaneGap(const tgVolumeDef* volume)
{
    bool isExact = volume->method == tg_volumeExact && volume->mode == tg_modeExact;
    bool isWanted =
        volume->contact == tg_contactOn || (volume->contact == tg_contactAuto && isExact);
    return volume->method != tg_volumeNone && isWanted ? volume->contactGap : -1.0f;
}

/// What the contact stage knows beforehand.
static tgResult tgBuildContact(const tgRigDef* def, tgScratch* scratch, tgRig* rig, tgError* error)
{
    rig->planes = (tgPlanes){0};
    tgVolumeDef used = tgGetVolumeInUse(&def->volume, &rig->info);
    rig->planeGap = tgGetPlaneGap(&used);
    if (rig->planeGap >= 0.0f &&
        !tgBuildPlanes(&rig->mesh, &rig->skeleton, &rig->source.influences, rig->skin.rest,
                       rig->planeGap, scratch, &rig->planes)) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for the contact stage");
    }
    return tg_success;
}

bool tgHasDrift(const tgRig* rig)
{
    for (int i = 0; i < rig->limbs.count; ++i) {
        if (rig->limbs.limbs[i].drift > 0.0f) {
            return true;
        }
    }
    return false;
}

/// Where flesh goes round joints whose profiles ask for it. Its clamp needs the planes, so it goes
/// with contact.
static tgResult tgBuildShape(tgScratch* scratch, tgRig* rig, tgError* error)
{
    rig->anatomy = (tgAnatomy){0};
    if (rig->planes.count > 0 && tgHasDrift(rig) &&
        !tgBuildAnatomy(&rig->mesh, &rig->skeleton, &rig->planes, &rig->paint, rig->skin.rest,
                        scratch, &rig->anatomy)) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for the anatomical shape");
    }
    return tg_success;
}

// ---- flesh, bones, wrinkles ---------------------------------------------------------------------

static tgResult tgBuildSprings(const tgRigDef* def, tgScratch* scratch, tgRig* rig, tgError* error)
{
    rig->flesh = (tgFlesh){0};
    return def->flesh.elementCount > 0
               ? tgBuildFlesh(def, &rig->mesh, &rig->skeleton, &rig->source.influences,
                              rig->skin.rest, scratch, &rig->flesh, error)
               : tg_success;
}

static tgResult tgBuildBones(const tgRigDef* def, tgScratch* scratch, tgRig* rig, tgError* error)
{
    rig->bones = (tgBones){0};
    return def->bones.boneCount != 0 || def->bones.automatic
               ? tgBuildBoneShapes(def, &rig->mesh, &rig->skeleton, &rig->source.influences,
                                   rig->skin.rest, scratch, &rig->bones, error)
               : tg_success;
}

/// Where joints wrinkle the skin.
static tgResult tgMakeWrinkles(const tgRigDef* def, tgScratch* scratch, tgRig* rig, tgError* error)
{
    tgWrinkleSource source = {.mesh = &rig->mesh,
                              .skeleton = &rig->skeleton,
                              .influences = &rig->source.influences,
                              .rest = rig->skin.rest,
                              .diagonal = rig->info.restDiagonal};
    return tgBuildWrinkles(&def->wrinkles, &source, scratch, &rig->wrinkles)
               ? tg_success
               : tgFail(error, tg_outOfMemory, -1, "no memory for the wrinkles");
}

// ---- all of them --------------------------------------------------------------------------------

tgResult tgBuildLayer(tgLayer layer, const tgRigDef* def, tgScratch* scratch, tgRig* rig,
                      tgError* error)
{
    switch (layer) {
    case tg_layerFlesh:
        return tgBuildSprings(def, scratch, rig, error);
    case tg_layerBones:
        return tgBuildBones(def, scratch, rig, error);
    case tg_layerWrinkles:
        return tgMakeWrinkles(def, scratch, rig, error);
    case tg_layerVolume:
        return tgBuildVolume(def, scratch, rig, error);
    case tg_layerContact:
        return tgBuildContact(def, scratch, rig, error);
    case tg_layerShape:
        return tgBuildShape(scratch, rig, error);
    default: // the target's keys are copied when they are placed
        rig->targetKeys = (tgVolumeKey*)def->volume.targetKeys;
        rig->volume.targetKeyCount = def->volume.targetKeyCount;
        return tg_success;
    }
}

static void tgPlaceVolume(const tgRig* built, tgLayout* layout, tgRig* placed)
{
    int joints = built->skeleton.jointCount;
    tgPaint_Place(&built->paint, joints, layout, &placed->paint);
    tgLimbs_Place(&built->limbs, joints, layout, &placed->limbs);
    placed->stage = built->stage.directions != NULL ? placed->source.stage : built->stage;
    tgVolumeRig_PlaceArranged(&built->stage, built->skin.elementCount, built->limbs.count, layout,
                              &placed->stage);
    tgRegions_Place(&built->regions, layout, &placed->regions);
    tgRegions_Place(&built->breathing, layout, &placed->breathing);
    placed->drifts = tgPlaceArray(layout, built->drifts, built->drifts != NULL ? (size_t)joints : 0,
                                  sizeof(float));
}

void tgPlaceLayer(tgLayer layer, const tgRig* built, tgLayout* layout, tgRig* placed)
{
    switch (layer) {
    case tg_layerFlesh:
        tgFlesh_Place(&built->flesh, layout, &placed->flesh);
        break;
    case tg_layerBones:
        tgBones_Place(&built->bones, layout, &placed->bones);
        break;
    case tg_layerWrinkles:
        tgWrinkles_Place(&built->wrinkles, layout, &placed->wrinkles);
        break;
    case tg_layerVolume:
        tgPlaceVolume(built, layout, placed);
        break;
    case tg_layerContact:
        tgPlanes_Place(&built->planes, layout, &placed->planes);
        break;
    case tg_layerShape:
        tgAnatomy_Place(&built->anatomy, layout, &placed->anatomy);
        break;
    default:
        placed->targetKeys = tgPlaceArray(
            layout, built->targetKeys, (size_t)built->volume.targetKeyCount, sizeof(tgVolumeKey));
        break;
    }
}
