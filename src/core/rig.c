// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Making a rig: check the definition, build every part in scratch memory, then measure one block
// and copy the parts into it.

#include "core/rig.h"

#include "core/bodies.h"
#include "core/layers.h"
#include "core/volume.h"

#include <string.h>

static const int tg_rigCookie = 0x7416;
/// Vertices closer than this fraction of the bounding diagonal are one.
static const float tg_weldFraction = 1e-6f;
/// Beyond this, squares of areas leave the range of float.
static const float tg_farthest = 1e9f;

tgRigDef tgDefaultRigDef(void)
{
    return (tgRigDef){
        .jointParentStride = sizeof(int),
        .restJointStride = sizeof(tgMat34),
        .influencesPerVertex = 4,
        .skinning = tg_linear,
        .volume = {.local = {.alpha = 1.0f, .beta = 1.0f, .parts = 1},
                   .contact = tg_contactAuto,
                   .contactGap = 0.02f},
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
    if (!tgCheckAllocator(&def->allocator, error)) {
        return tg_invalidArgument;
    }
    if (def->influenceJoints == NULL || def->influenceWeights == NULL ||
        def->influencesPerVertex < 1) {
        return tgFail(error, tg_invalidArgument, -1, "there are no skin weights");
    }
    if (def->skinning < tg_linear || def->skinning > tg_blend) {
        return tgFail(error, tg_invalidArgument, -1, "skinning %d is not one of tgSkinning",
                      (int)def->skinning);
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
    info->noInsideCount = mesh->noInsideCount;
    info->oneSidedCount = mesh->oneSidedCount;
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

/// Builds all parts of `rig` in scratch memory.
static tgResult tgBuildParts(const tgRigDef* def, tgScratch* scratch, tgRig* rig, tgError* error)
{
    tgInfluences* influences = &rig->source.influences;
    tgResult result = tgCheckCounts(def, error);
    result = result == tg_success ? tgCheckSkeleton(def, scratch, error) : result;
    result = result == tg_success ? tgCheckLayers(def, error) : result;
    result = result == tg_success ? tgCheckPositions(def, &rig->info, error) : result;
    result = result == tg_success ? tgMakeInfluences(def, scratch, influences, error) : result;
    if (result != tg_success) {
        return result;
    }
    float weldTolerance = tg_weldFraction * rig->info.restDiagonal;
    result = tgBuildMesh(def, influences, weldTolerance, scratch, &rig->mesh, error);
    if (result != tg_success) {
        return result;
    }
    if (!tgBuildNormalElements(def, &rig->mesh, scratch, &rig->normals)) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for the normals");
    }
    result = tgBuildSkin(def, influences, &rig->mesh, rig->normals.extraVertices,
                         rig->normals.extraCount, scratch, &rig->skin, error);
    if (result != tg_success) {
        return result;
    }
    tgPlaceCapCenters(&rig->mesh, rig->skin.rest);
    if (!tgBuildNormals(def, &rig->mesh, rig->skin.rest, rig->skin.extraStart,
                        rig->skin.elementCount, scratch, &rig->normals)) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for the normals");
    }
    tgFillInfo(&rig->mesh, influences, def, rig->skin.rest, &rig->info);
    if (!tgBuildSkeleton(def, scratch, &rig->skeleton) ||
        !tgFindBodies(&rig->mesh, influences, rig->skin.rest, scratch, &rig->skeleton)) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for the skeleton");
    }
    rig->volume = tgGetVolumeInUse(&def->volume, &rig->info);
    result = tgBuildLayerSource(def, scratch, rig, error);
    for (int layer = 0; result == tg_success && layer < tg_layerCount; ++layer) {
        result = tgBuildLayer((tgLayer)layer, def, scratch, rig, error);
    }
    return result;
}

/// What layers are made from, as far as the rig keeps it.
static void tgPlaceSource(const tgRig* built, tgLayout* layout, tgLayerSource* placed)
{
    const tgLayerSource* source = &built->source;
    int elements = built->skin.elementCount;
    *placed = (tgLayerSource){0};
    tgVolumeRig_Place(&source->stage, elements, layout, &placed->stage);
    if (built->isLive) {
        tgInfluences_Place(&source->influences, layout, &placed->influences);
        tgLimbs_Place(&source->limbs, built->skeleton.jointCount, layout, &placed->limbs);
        tgSupportSource_Place(&source->supports, elements, layout, &placed->supports);
    }
}

/// Lays out the rig; with a block in `layout`, also copies the parts into it.
static tgRig* tgPlaceRig(const tgRigDef* def, const tgRig* built, tgLayout* layout)
{
    tgRig placed = *built;
    tgRig* rig = tgLayout_Take(layout, 1, sizeof(tgRig));
    tgMesh_Place(&built->mesh, layout, &placed.mesh);
    tgSkeleton_Place(def, layout, &placed.skeleton);
    if (rig != NULL) {
        size_t size = (size_t)def->jointCount * sizeof(int);
        memcpy(placed.skeleton.pivots, built->skeleton.pivots, size);
        memcpy(placed.skeleton.partners, built->skeleton.partners, size);
        memcpy(placed.skeleton.bodies.carriers, built->skeleton.bodies.carriers, size);
        tgTree_Fill(&placed.skeleton.bodies);
    }
    tgSkin_Place(&built->skin, layout, &placed.skin);
    tgNormalMap_Place(&built->normals, built->mesh.renderCount, built->skin.elementCount, layout,
                      &placed.normals);
    tgPlaceSource(built, layout, &placed.source);
    for (int layer = 0; layer < tg_layerCount; ++layer) {
        tgPlaceLayer((tgLayer)layer, built, layout, &placed);
    }
    if (rig != NULL) {
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
    tgRig built = {.allocator = def->allocator, .isLive = def->live, .skinning = def->skinning};
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

int tgRig_GetWrinkleCount(const tgRig* rig)
{
    return rig->wrinkles.count;
}

tgWrinkleInfo tgRig_GetWrinkleInfo(const tgRig* rig, int index)
{
    bool isThere = index >= 0 && index < rig->wrinkles.count;
    return isThere ? rig->wrinkles.joints[index].info : (tgWrinkleInfo){.joint = -1};
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
