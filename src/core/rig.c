// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Making a rig: check the definition, build every part in scratch memory, then measure one block
// and copy the parts into it.

#include "core/rig.h"

#include "core/bvh.h"
#include "core/hang.h"
#include "core/volume.h"

#include <string.h>

static const int tg_rigCookie = 0x7416;
/// Vertices closer than this fraction of the bounding diagonal are one.
static const float tg_weldFraction = 1e-6f;
enum { tg_mostContactRounds = 8 };
/// Beyond this, squares of areas leave the range of float.
static const float tg_farthest = 1e9f;

tgRigDef tgDefaultRigDef(void)
{
    return (tgRigDef){
        .jointParentStride = sizeof(int),
        .restJointStride = sizeof(tgMat34),
        .influencesPerVertex = 4,
        .skinning = tg_linear,
        .volume = {.cap = 0.3f,
                   .evenOut = true,
                   .limbOnly = true,
                   .local = {.alpha = 1.0f, .beta = 1.0f, .parts = 1},
                   .contact = {.neighbours = tg_contactAuto, .gap = 0.02f, .rounds = 3}},
        .bones = {.thickness = -1.0f,
                  .softness = 0.25f,
                  .reach = 1.0f,
                  .gap = 1.0f,
                  .smoothRounds = 4,
                  .spareInside = true},
        .cookie = tg_rigCookie,
    };
}

static tgResult tgCheckCounts(const tgRigDef* def, tgError* error)
{
    if (def->cookie != tg_rigCookie) {
        return tgFail(error, tg_invalidArgument, -1,
                      "the rig definition is not from tgDefaultRigDef");
    }
    if (def->restPositions.data == NULL || def->restPositions.count < 3) {
        return tgFail(error, tg_invalidMesh, -1, "the mesh has %d vertices, wanted 3 or more",
                      def->restPositions.data != NULL ? def->restPositions.count : 0);
    }
    if (def->restNormals.data != NULL && def->restNormals.count != def->restPositions.count) {
        return tgFail(error, tg_invalidMesh, -1, "there are %d rest normals for %d vertices",
                      def->restNormals.count, def->restPositions.count);
    }
    if (def->faceVertices == NULL || def->faceCount < 1) {
        return tgFail(error, tg_invalidMesh, -1, "the mesh has no faces, wanted at least one");
    }
    if (def->jointParents == NULL || def->restJoints == NULL || def->jointCount < 1 ||
        def->jointCount > 65535) {
        return tgFail(error, tg_invalidArgument, -1,
                      "the skeleton has %d joints, wanted 1 to 65535",
                      def->jointParents != NULL && def->restJoints != NULL ? def->jointCount : 0);
    }
    bool oneFcn = (def->allocator.allocFcn == NULL) != (def->allocator.freeFcn == NULL);
    if (oneFcn) {
        return tgFail(error, tg_invalidArgument, -1, "the allocator has one of its two functions");
    }
    if (def->influenceJoints == NULL || def->influenceWeights == NULL ||
        def->influencesPerVertex < 1) {
        return tgFail(error, tg_invalidArgument, -1, "there are no skin weights");
    }
    if (def->skinning != tg_linear && def->skinning != tg_dualQuaternion) {
        return tgFail(error, tg_invalidArgument, -1, "skinning %d is not one of tgSkinning",
                      (int)def->skinning);
    }
    return tg_success;
}

static tgResult tgCheckContactDef(const tgVolumeDef* volume, tgError* error)
{
    const tgContactDef* contact = &volume->contact;
    if (!(contact->gap >= 0.0f) || !isfinite(contact->gap)) {
        return tgFail(error, tg_invalidArgument, -1, "the contact's gap is %g, wanted 0 or more",
                      (double)contact->gap);
    }
    if (contact->rounds < 1 || contact->rounds > tg_mostContactRounds) {
        return tgFail(error, tg_invalidArgument, -1, "contact has %d rounds, wanted 1 to %d",
                      contact->rounds, tg_mostContactRounds);
    }
    if (contact->neighbours < tg_contactOff || contact->neighbours > tg_contactAuto) {
        return tgFail(error, tg_invalidArgument, -1, "contact %d is not one of tgContactChoice",
                      (int)contact->neighbours);
    }
    bool isAsked = contact->neighbours == tg_contactOn || contact->general;
    if (isAsked && volume->mode == tg_modePaper) {
        return tgFail(error, tg_invalidArgument, -1,
                      "contact does not go with mode paper, wanted sequence or together");
    }
    return tg_success;
}

static tgResult tgCheckPositions(const tgRigDef* def, tgRigInfo* info, tgError* error)
{
    info->restMin = info->restMax = tgVec3View_Get(def->restPositions, 0);
    for (int v = 0; v < def->restPositions.count; ++v) {
        tgVec3 p = tgVec3View_Get(def->restPositions, v);
        bool near =
            fabsf(p.x) <= tg_farthest && fabsf(p.y) <= tg_farthest && fabsf(p.z) <= tg_farthest;
        if (!near) { // NaN is not near either
            return tgFail(error, tg_invalidMesh, v,
                          "vertex %d is at (%g, %g, %g), wanted numbers "
                          "below %g",
                          v, (double)p.x, (double)p.y, (double)p.z, (double)tg_farthest);
        }
        if (def->restNormals.data != NULL && !tgIsFiniteVec3(tgVec3View_Get(def->restNormals, v))) {
            return tgFail(error, tg_invalidMesh, v, "vertex %d has a normal that is not a number",
                          v);
        }
        info->restMin = tgMakeVec3(fminf(info->restMin.x, p.x), fminf(info->restMin.y, p.y),
                                   fminf(info->restMin.z, p.z));
        info->restMax = tgMakeVec3(fmaxf(info->restMax.x, p.x), fmaxf(info->restMax.y, p.y),
                                   fmaxf(info->restMax.z, p.z));
    }
    info->restDiagonal = tgDistance(info->restMin, info->restMax);
    return tg_success;
}

/// Below this part of the cube over its bounding diagonal a mesh encloses no volume.
static const double tg_flatFraction = 1e-9;

static void tgFillInfo(const tgMesh* mesh, const tgInfluences* influences, const tgRigDef* def,
                       const float* rest, tgRigInfo* info)
{
    info->vertexCount = mesh->renderCount;
    info->weldedVertexCount = mesh->vertexCount;
    info->triangleCount = mesh->triangleCount;
    info->quadCount = mesh->quadCount;
    info->degenerateFaceCount = mesh->degenerateCount;
    info->reorientedFaceCount = mesh->reorientedCount;
    info->boundaryEdgeCount = mesh->boundaryEdgeCount;
    info->nonManifoldEdgeCount = mesh->nonManifoldEdgeCount;
    info->boundaryLoopCount = mesh->loopCount;
    info->componentCount = mesh->componentCount;
    info->jointCount = def->jointCount;
    info->influencesPerVertex = influences->most;
    info->restVolume = tgVolume(mesh, rest);
    double diagonal = (double)info->restDiagonal;
    info->isFlat = !(info->restVolume > tg_flatFraction * diagonal * diagonal * diagonal);
}

/// The skeleton in scratch memory, for parts that are built on it.
static bool tgBuildSkeleton(const tgRigDef* def, tgScratch* scratch, tgSkeleton* skeleton)
{
    tgLayout layout = {0};
    tgSkeleton_Place(def, &layout, skeleton);
    layout = (tgLayout){.base = tgScratch_Take(scratch, 1, layout.size)};
    if (layout.base != NULL) {
        tgSkeleton_Place(def, &layout, skeleton);
    }
    return layout.base != NULL;
}

/// What the volume stage knows beforehand.
static tgResult tgBuildVolume(const tgRigDef* def, const tgInfluences* influences,
                              tgScratch* scratch, tgRig* rig, tgError* error)
{
    if (def->volume.method == tg_volumeNone) {
        return tg_success;
    }
    if (def->volume.method == tg_volumeExact) {
        return tgBuildLimbs(def, &rig->mesh, &rig->skeleton, influences, rig->skin.rest, scratch,
                            &rig->limbs, error);
    }
    tgRegionSource source = {
        .mesh = &rig->mesh,
        .skeleton = &rig->skeleton,
        .influences = influences,
        .rest = rig->skin.rest,
        .restDiagonal = rig->info.restDiagonal,
        .evenOut = def->volume.evenOut,
    };
    const tgLocalDef* local = &def->volume.local;
    const tgLocalDef uniform = {.scope = tg_scopeGlobal, .map = tg_mapUniform};
    bool breathes = local->scope == tg_scopeRegions && def->volume.targetKeyCount > 0;
    if (!tgBuildRegions(&source, local, scratch, &rig->regions) ||
        (breathes && !tgBuildRegions(&source, &uniform, scratch, &rig->breathing))) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for the volume stage");
    }
    return tg_success;
}

/// What the contact stage knows beforehand; on top of the limbs.
static tgResult tgBuildContact(const tgRigDef* def, const tgInfluences* influences,
                               tgScratch* scratch, tgRig* rig, tgError* error)
{
    const tgContactDef* contact = &def->volume.contact;
    const tgMesh* mesh = &rig->mesh;
    bool good = true, isLocal = def->volume.method == tg_volumeLocal;
    bool isExact = def->volume.method == tg_volumeExact && def->volume.mode != tg_modePaper;
    bool neighbours =
        contact->neighbours == tg_contactOn || (contact->neighbours == tg_contactAuto && isExact);
    if (def->volume.method == tg_volumeNone || !(neighbours || contact->general)) {
        return tg_success;
    }
    tgResult result = isLocal ? tgBuildLimbs(def, mesh, &rig->skeleton, influences, rig->skin.rest,
                                             scratch, &rig->limbs, error)
                              : tg_success;
    if (result == tg_success && neighbours) {
        good = tgBuildCreases(mesh, &rig->skeleton, &rig->limbs, influences, rig->skin.rest,
                              contact->gap, scratch, &rig->creases);
    }
    if (contact->general) {
        rig->surfaceCount = mesh->triangleCount + 2 * mesh->quadCount;
        rig->surface = tgScratch_Take(scratch, 3 * (size_t)rig->surfaceCount, sizeof(int));
        good &= rig->surface != NULL;
    }
    if (!good) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for the contact stage");
    }
    if (contact->general) {
        tgSplitFaces(mesh->triangles, mesh->triangleCount, mesh->quads, mesh->quadCount,
                     rig->surface);
    }
    return result;
}

/// Builds all parts of `rig` in scratch memory.
static tgResult tgBuildParts(const tgRigDef* def, tgScratch* scratch, tgRig* rig, tgError* error)
{
    tgInfluences influences = {0};
    tgResult result = tgCheckCounts(def, error);
    result = result == tg_success ? tgCheckSkeleton(def, scratch, error) : result;
    result = result == tg_success ? tgCheckVolumeDef(def, error) : result;
    result = result == tg_success ? tgCheckFleshDef(def, error) : result;
    result =
        result == tg_success ? tgCheckLocalDef(&def->volume.local, def->jointCount, error) : result;
    result = result == tg_success ? tgCheckContactDef(&def->volume, error) : result;
    result = result == tg_success ? tgCheckPositions(def, &rig->info, error) : result;
    result = result == tg_success ? tgMakeInfluences(def, scratch, &influences, error) : result;
    if (result != tg_success) {
        return result;
    }
    float weldTolerance = tg_weldFraction * rig->info.restDiagonal;
    result = tgBuildMesh(def, &influences, weldTolerance, scratch, &rig->mesh, error);
    if (result != tg_success) {
        return result;
    }
    if (!tgBuildNormalElements(def, &rig->mesh, scratch, &rig->normals)) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for the normals");
    }
    result = tgBuildSkin(def, &influences, &rig->mesh, rig->normals.extraVertices,
                         rig->normals.extraCount, scratch, &rig->skin, error);
    if (result != tg_success) {
        return result;
    }
    tgPlaceCapCenters(&rig->mesh, rig->skin.rest);
    if (!tgBuildNormals(def, &rig->mesh, rig->skin.rest, rig->skin.extraStart,
                        rig->skin.elementCount, scratch, &rig->normals)) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for the normals");
    }
    tgFillInfo(&rig->mesh, &influences, def, rig->skin.rest, &rig->info);
    bool hasBones = def->bones.boneCount != 0 || def->bones.automatic;
    tgSkinAtRest skin = {&rig->mesh, &influences, rig->skin.rest};
    if (!tgBuildSkeleton(def, scratch, &rig->skeleton) ||
        !tgHangByFlesh(&skin, scratch, &rig->skeleton)) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for the skeleton");
    }
    if (def->flesh.elementCount > 0) {
        result = tgBuildFlesh(def, &rig->mesh, &rig->skeleton, &influences, rig->skin.rest, scratch,
                              &rig->flesh, error);
    }
    if (result == tg_success && hasBones) {
        result = tgBuildBoneShapes(def, &rig->mesh, &rig->skeleton, &influences, rig->skin.rest,
                                   scratch, &rig->bones, error);
    }
    result = result == tg_success ? tgBuildVolume(def, &influences, scratch, rig, error) : result;
    return result == tg_success ? tgBuildContact(def, &influences, scratch, rig, error) : result;
}

/// Lays out the rig; with a block in `layout`, also copies the parts into it.
static tgRig* tgPlaceRig(const tgRigDef* def, const tgRig* built, tgLayout* layout)
{
    tgRig placed = *built;
    tgRig* rig = tgLayout_Take(layout, 1, sizeof(tgRig));
    tgMesh_Place(&built->mesh, layout, &placed.mesh);
    tgSkeleton_Place(def, layout, &placed.skeleton);
    if (rig != NULL) {
        memcpy(placed.skeleton.flesh.carriers, built->skeleton.flesh.carriers,
               (size_t)def->jointCount * sizeof(int));
        tgSkeleton_Hang(&placed.skeleton);
    }
    tgSkin_Place(&built->skin, layout, &placed.skin);
    tgNormalMap_Place(&built->normals, built->mesh.renderCount, built->skin.elementCount, layout,
                      &placed.normals);
    int allVertices = built->mesh.vertexCount + built->mesh.loopCount;
    tgLimbs_Place(&built->limbs, def->jointCount, allVertices, layout, &placed.limbs);
    placed.limbs.tree = placed.skeleton.flesh;
    tgFlesh_Place(&built->flesh, layout, &placed.flesh);
    tgBones_Place(&built->bones, layout, &placed.bones);
    tgRegions_Place(&built->regions, layout, &placed.regions);
    tgRegions_Place(&built->breathing, layout, &placed.breathing);
    tgCreases_Place(&built->creases, layout, &placed.creases);
    size_t surfaceSize = 3 * (size_t)built->surfaceCount;
    placed.surface = tgLayout_Take(layout, surfaceSize, sizeof(int));
    placed.targetKeys =
        tgLayout_Take(layout, (size_t)def->volume.targetKeyCount, sizeof(tgVolumeKey));
    if (rig != NULL) {
        placed.volume = def->volume;
        if (built->info.isFlat) {
            placed.volume.method = tg_volumeNone; // nothing to keep, nothing to measure against
        }
        if (def->volume.targetKeyCount > 0) {
            memcpy(placed.targetKeys, def->volume.targetKeys,
                   (size_t)def->volume.targetKeyCount * sizeof(tgVolumeKey));
        }
        if (surfaceSize > 0) {
            memcpy(placed.surface, built->surface, surfaceSize * sizeof(int));
        }
        placed.size = layout->size;
        *rig = placed;
    }
    return rig;
}

tgRig* tgCreateRig(const tgRigDef* def, tgError* error)
{
    if (def == NULL) {
        tgFail(error, tg_invalidArgument, -1, "there is no rig definition");
        return NULL;
    }
    tgScratch scratch = {.allocator = &def->allocator};
    tgRig built = {.allocator = def->allocator, .skinning = def->skinning};
    tgRig* rig = NULL;
    if (tgBuildParts(def, &scratch, &built, error) == tg_success) {
        tgLayout measure = {0};
        tgPlaceRig(def, &built, &measure);
        tgLayout layout = {0};
        layout.base = measure.overflow ? NULL : tgAllocate(&def->allocator, measure.size);
        if (layout.base != NULL) {
            rig = tgPlaceRig(def, &built, &layout);
        } else {
            tgFail(error, tg_outOfMemory, -1, "no memory for a rig of %zu bytes", measure.size);
        }
    }
    tgScratch_FreeAll(&scratch);
    return rig;
}

void tgDestroyRig(tgRig* rig)
{
    if (rig != NULL) {
        tgAllocator allocator = rig->allocator;
        tgFree(&allocator, rig, rig->size);
    }
}

tgRigInfo tgRig_GetInfo(const tgRig* rig)
{
    return rig->info;
}

int tgRig_GetVertexCount(const tgRig* rig)
{
    return rig->mesh.renderCount;
}

int tgRig_GetFleshCount(const tgRig* rig)
{
    return rig->flesh.elementCount;
}

tgFleshInfo tgRig_GetFleshInfo(const tgRig* rig, int element)
{
    bool isThere = element >= 0 && element < rig->flesh.elementCount;
    return isThere ? rig->flesh.elements[element].info : (tgFleshInfo){0};
}

void tgRig_GetFleshWeights(const tgRig* rig, int element, float* weights)
{
    for (int r = 0; r < rig->mesh.renderCount; ++r) {
        weights[r] = tgFlesh_GetWeight(&rig->flesh, element, rig->mesh.renderToVertex[r]);
    }
}

const int* tgRig_GetWeldedVertices(const tgRig* rig)
{
    return rig->mesh.renderToVertex;
}

int tgRig_GetBoneCount(const tgRig* rig)
{
    return rig->bones.count;
}

tgBoneInfo tgRig_GetBoneInfo(const tgRig* rig, int bone)
{
    bool isThere = bone >= 0 && bone < rig->bones.count;
    return isThere ? rig->bones.bones[bone].info : (tgBoneInfo){.joint = -1};
}

tgBoneMesh tgRig_GetBoneMesh(const tgRig* rig, int bone)
{
    if (bone < 0 || bone >= rig->bones.count) {
        return (tgBoneMesh){0};
    }
    const tgBone* b = &rig->bones.bones[bone];
    return (tgBoneMesh){b->positions, b->vertexCount, b->triangles, b->triangleCount};
}

int tgRig_GetRegion(const tgRig* rig, int vertex)
{
    const tgSkin* skin = &rig->skin;
    int v = rig->mesh.renderToVertex[vertex];
    int begin = skin->groupStart != NULL ? skin->groupStart[v] : v;
    int end = skin->groupStart != NULL ? skin->groupStart[v + 1] : v + 1;
    int best = 4 * begin;
    for (int k = best + 1; k < 4 * end; ++k) {
        bool isEqual = skin->weights[k] == skin->weights[best];
        bool isLower = isEqual && skin->joints[k] < skin->joints[best];
        best = skin->weights[k] > skin->weights[best] || isLower ? k : best;
    }
    return skin->joints[best];
}
