// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Layers of an instance's own. A change copies the rig's struct, builds the layers that differ with
// the same code as tgCreateRig, and gives the instance room for them. The mesh, the skin and the
// skeleton stay those of the rig, which never changes. All or nothing: the old layers go when the
// new ones are all there.

#include "core/instance.h"

#include <string.h>

typedef struct tgChange {
    tgInstance* instance;
    tgScratch scratch;
    tgRig rig;                    ///< as it will be; new layers in scratch memory
    bool isNew[tg_layerCount];    ///< which ones
    tgOwned owned[tg_layerCount]; ///< their blocks
    tgInstance made;              ///< the instance as it will be
} tgChange;

static tgResult tgStartChange(tgInstance* instance, tgChange* change, tgError* error)
{
    if (instance == NULL) {
        return tgFail(error, tg_invalidArgument, -1, "there is no instance");
    }
    if (!instance->base->isLive) {
        return tgFail(error, tg_unsupported, -1,
                      "the instance's rig cannot be changed, wanted one made with tgRigDef.live");
    }
    *change = (tgChange){.instance = instance,
                         .scratch = {.allocator = &instance->allocator},
                         .rig = *instance->rig};
    return tg_success;
}

static tgResult tgBuildNew(tgChange* change, tgLayer layer, const tgRigDef* def, tgError* error)
{
    change->isNew[layer] = true;
    return tgBuildLayer(layer, def, &change->scratch, &change->rig, error);
}

// ---- taking it over -----------------------------------------------------------------------------

static void tgFreeOwned(const tgAllocator* allocator, tgOwned* owned)
{
    tgFree(allocator, owned->memory, owned->size);
    *owned = (tgOwned){NULL, 0};
}

/// Copies a new layer into a block of its own.
static bool tgPlaceNew(tgChange* change, tgLayer layer)
{
    const tgAllocator* allocator = &change->instance->allocator;
    tgRig placed = change->rig;
    tgLayout measure = {0};
    tgPlaceLayer(layer, &change->rig, &measure, &placed);
    if (measure.size > 0) {
        tgLayout layout = {0};
        layout.base = measure.overflow ? NULL : tgAllocate(allocator, measure.size);
        if (layout.base == NULL) {
            return false;
        }
        change->owned[layer] = (tgOwned){layout.base, measure.size};
        tgPlaceLayer(layer, &change->rig, &layout, &placed);
    }
    change->rig = placed;
    return true;
}

/// Whether what frames need depends on nothing that is new.
static bool tgKeepsRoom(const tgChange* change)
{
    for (int layer = 0; layer < tg_layerCount; ++layer) {
        if (change->isNew[layer] && layer != tg_layerTarget) {
            return false;
        }
    }
    return true;
}

static bool tgMakeOwned(tgChange* change)
{
    const tgInstance* old = change->instance;
    bool isMade = true;
    for (int layer = 0; isMade && layer < tg_layerCount; ++layer) {
        isMade = !change->isNew[layer] || tgPlaceNew(change, (tgLayer)layer);
    }
    if (!isMade || tgKeepsRoom(change)) {
        return isMade;
    }
    change->made = (tgInstance){
        .rig = &change->rig,
        .base = old->base,
        .allocator = old->allocator,
        .size = old->size,
        .parallel = old->parallel,
        .kernels = old->kernels,
        .normalsFrom = old->normalsFrom,
        .breath = 1.0,
    };
    return tgMakeRoom(&change->made);
}

/// The skin and the springs stay where they are; all else comes with the next frame.
static void tgTakeRoom(tgChange* change)
{
    tgInstance* instance = change->instance;
    tgInstance* made = &change->made;
    const tgRig* rig = &change->rig;
    made->flesh.flesh = &rig->flesh;
    tgCarryFlesh(&instance->flesh, &made->flesh);
    memcpy(made->positions, instance->positions,
           4 * (size_t)rig->skin.elementCount * sizeof(float));
    memcpy(made->joints, instance->joints, (size_t)rig->skeleton.jointCount * sizeof(tgMat34));
    tgFreeOwned(&instance->allocator, &instance->room);
    memcpy(made->layers, instance->layers, sizeof(made->layers));
    *instance = *made;
}

static void tgTakeOver(tgChange* change)
{
    tgInstance* instance = change->instance;
    if (!tgKeepsRoom(change)) {
        tgTakeRoom(change);
    }
    for (int layer = 0; layer < tg_layerCount; ++layer) {
        if (change->isNew[layer]) {
            tgFreeOwned(&instance->allocator, &instance->layers[layer]);
            instance->layers[layer] = change->owned[layer];
        }
    }
    instance->own = change->rig;
    instance->rig = &instance->own;
    tgConnectInstance(instance);
}

/// @param result of building the new layers
static tgResult tgFinishChange(tgChange* change, tgResult result, tgError* error)
{
    if (result == tg_success && !tgMakeOwned(change)) {
        result = tgFail(error, tg_outOfMemory, -1, "no memory for other layers");
    }
    if (result == tg_success) {
        tgTakeOver(change);
    } else {
        for (int layer = 0; layer < tg_layerCount; ++layer) {
            tgFreeOwned(&change->instance->allocator, &change->owned[layer]);
        }
    }
    tgScratch_FreeAll(&change->scratch);
    return result;
}

// ---- what differs -------------------------------------------------------------------------------

static bool tgIsSamePaint(const tgPaint* a, const tgPaint* b, int jointCount)
{
    size_t vertices = (size_t)a->vertexCount;
    return a->setCount == b->setCount &&
           (a->setCount == 0 ||
            (memcmp(a->jointSets, b->jointSets, (size_t)jointCount * sizeof(int)) == 0 &&
             memcmp(a->sets, b->sets, (size_t)a->setCount * vertices * sizeof(float)) == 0));
}

static bool tgWantsShape(const tgRig* rig)
{
    return rig->planes.count > 0 && tgHasDrift(rig);
}

/// The anatomical shape, if what it stands on is another.
static tgResult tgChangeShape(tgChange* change, tgError* error)
{
    const tgRig *old = change->instance->rig, *rig = &change->rig;
    bool isSame = !change->isNew[tg_layerContact] && tgWantsShape(old) == tgWantsShape(rig) &&
                  tgIsSamePaint(&old->paint, &rig->paint, rig->skeleton.jointCount);
    return isSame ? tg_success : tgBuildNew(change, tg_layerShape, NULL, error);
}

static tgResult tgChangeVolume(tgChange* change, const tgRigDef* def, tgError* error)
{
    change->rig.volume = tgGetVolumeInUse(&def->volume, &change->rig.info);
    tgResult result = tgBuildNew(change, tg_layerVolume, def, error);
    if (result == tg_success &&
        tgGetPlaneGap(&change->rig.volume) != change->instance->rig->planeGap) {
        result = tgBuildNew(change, tg_layerContact, def, error);
    }
    result = result == tg_success ? tgChangeShape(change, error) : result;
    return result == tg_success ? tgBuildNew(change, tg_layerTarget, def, error) : result;
}

/// A definition with the counts of the rig and nothing else.
static tgRigDef tgGetEmptyDef(const tgRig* rig)
{
    tgRigDef def = tgDefaultRigDef();
    def.restPositions.count = rig->mesh.renderCount;
    def.jointParents = rig->skeleton.parents;
    def.jointCount = rig->skeleton.jointCount;
    return def;
}

// ---- changes ------------------------------------------------------------------------------------

tgResult tgInstance_SetLayers(tgInstance* instance, const tgLayers* layers, tgError* error)
{
    tgChange change;
    tgResult result = tgStartChange(instance, &change, error);
    if (result != tg_success || layers == NULL) {
        return result != tg_success ? result
                                    : tgFail(error, tg_invalidArgument, -1, "there are no layers");
    }
    tgRigDef def = tgGetEmptyDef(instance->rig);
    def.volume = layers->volume != NULL ? *layers->volume : def.volume;
    def.flesh = layers->flesh != NULL ? *layers->flesh : def.flesh;
    def.bones = layers->bones != NULL ? *layers->bones : def.bones;
    def.wrinkles = layers->wrinkles != NULL ? *layers->wrinkles : def.wrinkles;
    result = tgCheckLayers(&def, error);
    if (result == tg_success && layers->flesh != NULL) {
        result = tgBuildNew(&change, tg_layerFlesh, &def, error);
    }
    if (result == tg_success && layers->bones != NULL) {
        result = tgBuildNew(&change, tg_layerBones, &def, error);
    }
    if (result == tg_success && layers->wrinkles != NULL) {
        result = tgBuildNew(&change, tg_layerWrinkles, &def, error);
    }
    if (result == tg_success && layers->volume != NULL) {
        result = tgChangeVolume(&change, &def, error);
    }
    return tgFinishChange(&change, result, error);
}

tgResult tgInstance_SetFlesh(tgInstance* instance, const tgFleshDef* flesh, tgError* error)
{
    const tgFleshDef none = {NULL, 0};
    const tgLayers layers = {.flesh = flesh != NULL ? flesh : &none};
    return tgInstance_SetLayers(instance, &layers, error);
}

static tgResult tgCheckProfiles(const tgRig* rig, int joint, const tgProfile* profiles, int count,
                                tgError* error)
{
    if (rig->volume.method != tg_volumeExact) {
        return tgFail(error, tg_unsupported, -1,
                      "profiles are for the exact volume method, the instance has %s",
                      rig->volume.method == tg_volumeLocal ? "the local one" : "none");
    }
    tgRigDef def = tgGetEmptyDef(rig);
    const tgJointProfiles entry = {joint, profiles, profiles != NULL ? count : 0};
    def.volume.joints = &entry;
    def.volume.jointCount = 1;
    return tgCheckVolumeDef(&def, error);
}

tgResult tgInstance_SetProfiles(tgInstance* instance, int joint, const tgProfile* profiles,
                                int profileCount, tgError* error)
{
    tgChange change;
    tgResult result = tgStartChange(instance, &change, error);
    result = result == tg_success
                 ? tgCheckProfiles(instance->rig, joint, profiles, profileCount, error)
                 : result;
    if (result != tg_success) {
        return result;
    }
    tgLimbs* limbs = &change.rig.limbs;
    const tgLimb* old = limbs->limbs;
    limbs->limbs = tgScratch_Take(&change.scratch, (size_t)limbs->count, sizeof(tgLimb));
    change.isNew[tg_layerVolume] = true;
    for (int i = 0; limbs->limbs != NULL && i < limbs->count; ++i) {
        limbs->limbs[i] = old[i];
        if (old[i].hinge == joint) {
            tgLimb_SetProfiles(profiles, profiles != NULL ? profileCount : 0, true,
                               &limbs->limbs[i]);
        }
    }
    result = limbs->limbs != NULL
                 ? tgArrangeLimbs(&change.scratch, &change.rig, error)
                 : tgFail(error, tg_outOfMemory, -1, "no memory for the volume stage");
    result = result == tg_success ? tgChangeShape(&change, error) : result;
    return tgFinishChange(&change, result, error);
}

tgResult tgInstance_SetTarget(tgInstance* instance, const tgVolumeKey* keys, int keyCount,
                              tgError* error)
{
    tgChange change;
    tgResult result = tgStartChange(instance, &change, error);
    if (result != tg_success) {
        return result;
    }
    tgRigDef def = tgGetEmptyDef(instance->rig);
    def.volume.targetKeys = keys;
    def.volume.targetKeyCount = keys != NULL ? keyCount : 0;
    result = tgCheckVolumeDef(&def, error);
    result = result == tg_success ? tgBuildNew(&change, tg_layerTarget, &def, error) : result;
    // With the local method whole pieces breathe, if any key says so.
    bool breathed = instance->rig->volume.targetKeyCount > 0;
    if (result == tg_success && instance->rig->volume.method == tg_volumeLocal &&
        breathed != (change.rig.volume.targetKeyCount > 0)) {
        change.isNew[tg_layerVolume] = true;
        result = tgBuildBreathing(&change.rig.volume, &change.scratch, &change.rig, error);
    }
    return tgFinishChange(&change, result, error);
}

const tgRig* tgInstance_GetRig(const tgInstance* instance)
{
    return instance->rig;
}
