// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Bones at creation: each surface welded, turned outwards and put into its joint's space with a
// tree over it; for every skin vertex the bones that may reach it, and the distance to keep from
// them. That distance is what there is at rest where the skin is thinner than asked, so the rest
// pose never changes, not even where a bone sticks out of it.

#include "core/bone_skin.h"
#include "core/boneshape.h"

#include <string.h>

/// Of the bone's width: 2 mm on a finger, 9 mm on a thigh.
static const float tg_defaultThickness = 0.25f;
/// Without thickness there is still a length that softness and gap are counted in, of the width.
static const float tg_leastLength = 0.02f;

static tgResult tgCheckBonesDef(const tgRigDef* def, tgError* error)
{
    const tgBonesDef* bones = &def->bones;
    if (bones->boneCount < 0 || (bones->boneCount > 0 && bones->bones == NULL)) {
        return tgFail(error, tg_invalidArgument, -1, "there are %d bones in no list",
                      bones->boneCount);
    }
    bool isRound = bones->smoothRounds >= 0 && bones->smoothRounds <= 64;
    if (!(bones->softness > 0.0f) || !(bones->reach > 0.0f) || !(bones->gap >= 0.0f) ||
        !(bones->softness < INFINITY) || !(bones->reach < INFINITY) || !(bones->gap < INFINITY) ||
        !isRound || !isfinite(bones->thickness)) {
        return tgFail(
            error, tg_invalidArgument, -1,
            "bones with thickness %g, softness %g, reach %g, gap %g and %d rounds; wanted "
            "numbers, the next two above 0, the gap not below, 0 to 64 rounds",
            (double)bones->thickness, (double)bones->softness, (double)bones->reach,
            (double)bones->gap, bones->smoothRounds);
    }
    for (int b = 0; b < bones->boneCount; ++b) {
        const tgBoneDef* bone = &bones->bones[b];
        if (bone->joint < 0 || bone->joint >= def->jointCount) {
            return tgFail(error, tg_invalidArgument, b, "bone %d is on joint %d, there are %d", b,
                          bone->joint, def->jointCount);
        }
        if (bone->positions.data == NULL || bone->positions.count < 3 ||
            bone->faceVertices == NULL || bone->faceCount < 1) {
            return tgFail(error, tg_invalidMesh, b,
                          "bone %d on joint %d is empty: %d vertices and %d faces", b, bone->joint,
                          bone->positions.data != NULL ? bone->positions.count : 0,
                          bone->faceVertices != NULL ? bone->faceCount : 0);
        }
        if (!isfinite(bone->thickness)) {
            return tgFail(error, tg_invalidArgument, b, "bone %d has a thickness of %g", b,
                          (double)bone->thickness);
        }
        for (int v = 0; v < bone->positions.count; ++v) {
            tgVec3 p = tgVec3View_Get(bone->positions, v);
            if (!(fabsf(p.x) <= 1e9f && fabsf(p.y) <= 1e9f && fabsf(p.z) <= 1e9f)) {
                return tgFail(error, tg_invalidMesh, b,
                              "vertex %d of bone %d is at (%g, %g, %g), wanted numbers below 1e9",
                              v, b, (double)p.x, (double)p.y, (double)p.z);
            }
        }
    }
    return tg_success;
}

/// The bone as a mesh of its own, hanging on one joint: welded, turned outwards, holes counted.
static tgResult tgBuildBoneMesh(const tgBoneDef* def, int b, tgScratch* scratch, tgMesh* mesh,
                                tgError* error)
{
    int count = def->positions.count;
    tgInfluences influences = {.vertexCount = count, .most = 1};
    influences.start = tgScratch_Take(scratch, (size_t)count + 1, sizeof(int));
    influences.joints = tgScratch_Take(scratch, (size_t)count, sizeof(int));
    influences.weights = tgScratch_Take(scratch, (size_t)count, sizeof(float));
    if (scratch->failed) {
        return tgFail(error, tg_outOfMemory, b, "no memory for bone %d", b);
    }
    tgVec3 low = tgVec3View_Get(def->positions, 0), high = low;
    for (int v = 0; v < count; ++v) {
        influences.start[v + 1] = v + 1;
        influences.weights[v] = 1.0f;
        tgVec3 p = tgVec3View_Get(def->positions, v);
        low = tgMakeVec3(fminf(low.x, p.x), fminf(low.y, p.y), fminf(low.z, p.z));
        high = tgMakeVec3(fmaxf(high.x, p.x), fmaxf(high.y, p.y), fmaxf(high.z, p.z));
    }
    tgRigDef rig = tgDefaultRigDef();
    rig.restPositions = def->positions;
    rig.faceVertices = def->faceVertices;
    rig.faceSizes = def->faceSizes;
    rig.faceCount = def->faceCount;
    tgError reason = {0};
    tgResult result =
        tgBuildMesh(&rig, &influences, 1e-6f * tgDistance(low, high), scratch, mesh, &reason);
    if (result != tg_success) {
        return tgFail(error, result, b, "bone %d on joint %d: %s", b, def->joint, reason.message);
    }

    return tg_success;
}

/// Six times volume over area: the diameter of a ball, half as much again for a long rod. Holes are
/// capped for it.
static float tgMeasureWidth(const tgBoneDef* def, const tgMesh* mesh)
{
    double volume = 0.0, area = 0.0;
    tgVec3 origin = tgVec3View_Get(def->positions, 0);
    int faceCount = mesh->triangleCount + mesh->quadCount;
    for (int f = 0; f < faceCount; ++f) {
        bool isQuad = f >= mesh->triangleCount;
        const int* corners =
            isQuad ? mesh->quads + 4 * (f - mesh->triangleCount) : mesh->triangles + 3 * f;
        for (int half = 0; half < 1 + isQuad; ++half) {
            tgVec3 p[3];
            const int chosen[3] = {corners[0], corners[1 + half], corners[2 + half]};
            for (int k = 0; k < 3; ++k) {
                int render = mesh->vertexToRender[chosen[k]];
                p[k] = tgSub(tgVec3View_Get(def->positions, render), origin);
            }
            tgVec3 cross = tgCross(tgSub(p[1], p[0]), tgSub(p[2], p[0]));
            area += 0.5 * (double)tgLength(cross);
            volume += (double)tgDot(p[0], cross) / 6.0;
        }
    }
    return area > 0.0 ? (float)(6.0 * fabs(volume) / area) : 0.0f;
}

static tgResult tgBuildBone(const tgRigDef* rig, const tgBoneDef* def, int b,
                            const tgSkeleton* skeleton, tgScratch* scratch, tgBone* bone,
                            tgError* error)
{
    tgMesh mesh = {0};
    tgResult result = tgBuildBoneMesh(def, b, scratch, &mesh, error);
    if (result != tg_success) {
        return result;
    }
    bone->info.joint = def->joint;
    bone->info.boundaryEdgeCount = mesh.boundaryEdgeCount;
    bone->info.reorientedFaceCount = mesh.reorientedCount;
    bone->vertexCount = mesh.vertexCount;
    bone->triangleCount = bone->info.triangleCount = mesh.triangleCount + 2 * mesh.quadCount;
    float width = tgMeasureWidth(def, &mesh);
    float wanted = def->thickness >= 0.0f ? def->thickness : rig->bones.thickness;
    bone->thickness = wanted >= 0.0f ? wanted : tg_defaultThickness * width;
    bone->softness = rig->bones.softness * fmaxf(bone->thickness, tg_leastLength * width);
    bone->gap = rig->bones.gap * fmaxf(bone->thickness, tg_leastLength * width);
    bone->reach = rig->bones.reach * width;
    bone->positions = tgScratch_Take(scratch, (size_t)bone->vertexCount, sizeof(tgVec3));
    bone->triangles = tgScratch_Take(scratch, 3 * (size_t)bone->triangleCount, sizeof(int));
    bone->treeMemory = tgScratch_Take(scratch, 1, tgBvh_GetSize(bone->triangleCount));
    if (scratch->failed) {
        return tgFail(error, tg_outOfMemory, b, "no memory for bone %d", b);
    }
    const tgMat34d* modelToJoint = &skeleton->restInverse[def->joint];
    for (int v = 0; v < bone->vertexCount; ++v) {
        tgVec3 p = tgVec3View_Get(def->positions, mesh.vertexToRender[v]);
        bone->positions[v] = tgMulPointD(modelToJoint, p);
    }
    tgSplitFaces(mesh.triangles, mesh.triangleCount, mesh.quads, mesh.quadCount, bone->triangles);
    tgSurface surface = tgBone_GetSurface(bone);
    tgBvh_Build(&bone->tree, &surface, bone->treeMemory);
    return tg_success;
}

/// The given bones, then one for every joint without any where they are made automatically.
static tgResult tgBuildAllBones(const tgRigDef* def, const tgMesh* mesh, const tgSkeleton* skeleton,
                                const tgInfluences* influences, const float* rest,
                                tgScratch* scratch, tgBones* bones, tgError* error)
{
    int most = def->bones.boneCount + (def->bones.automatic ? def->jointCount : 0);
    bones->bones = tgScratch_Take(scratch, (size_t)most, sizeof(tgBone));
    bool* hasBone = tgScratch_Take(scratch, (size_t)def->jointCount, sizeof(bool));
    tgResult result = scratch->failed
                          ? tgFail(error, tg_outOfMemory, -1, "no memory for %d bones", most)
                          : tg_success;
    for (int b = 0; b < def->bones.boneCount && result == tg_success; ++b) {
        result = tgBuildBone(def, &def->bones.bones[b], b, skeleton, scratch,
                             &bones->bones[bones->count++], error);
        hasBone[def->bones.bones[b].joint] = true;
    }
    tgBoneMaker maker = {.mesh = mesh,
                         .skeleton = skeleton,
                         .influences = influences,
                         .rest = rest,
                         .scratch = scratch};
    bool isOpen = def->bones.automatic && result == tg_success && tgBoneMaker_Open(&maker);
    for (int j = 0; isOpen && j < def->jointCount && result == tg_success; ++j) {
        tgBoneDef made;
        if (hasBone[j] || !tgMakeAutomaticBone(&maker, j, &made)) {
            continue;
        }
        tgBone* bone = &bones->bones[bones->count];
        result = tgBuildBone(def, &made, bones->count++, skeleton, scratch, bone, error);
        bone->info.isAutomatic = true;
    }
    return result == tg_success && scratch->failed
               ? tgFail(error, tg_outOfMemory, -1, "no memory for the bones")
               : result;
}

tgResult tgBuildBoneShapes(const tgRigDef* def, const tgMesh* mesh, const tgSkeleton* skeleton,
                           const tgInfluences* influences, const float* rest, tgScratch* scratch,
                           tgBones* bones, tgError* error)
{
    tgResult result = tgCheckBonesDef(def, error);
    if (result != tg_success) {
        return result;
    }
    bones->smoothRounds = def->bones.smoothRounds;
    bones->spareInside = def->bones.spareInside;
    result = tgBuildAllBones(def, mesh, skeleton, influences, rest, scratch, bones, error);
    if (result != tg_success) {
        return result;
    }
    tgBoneSkinMaker maker = {
        .bones = bones,
        .mesh = mesh,
        .skeleton = skeleton,
        .influences = influences,
        .rest = rest,
        .scratch = scratch,

    };
    return tgBuildBoneSkin(&maker) ? tg_success
                                   : tgFail(error, tg_outOfMemory, -1, "no memory for the bones");
}

static void tgBone_Place(const tgBone* built, tgLayout* layout, tgBone* placed)
{
    size_t triangles = (size_t)built->triangleCount;
    tgVec3* positions =
        tgPlaceArray(layout, built->positions, (size_t)built->vertexCount, sizeof(tgVec3));
    int* corners = tgPlaceArray(layout, built->triangles, 3 * triangles, sizeof(int));
    char* memory = tgPlaceArray(layout, built->treeMemory, 1, tgBvh_GetSize(built->triangleCount));
    if (placed != NULL) {
        *placed = *built;
        placed->positions = positions;
        placed->triangles = corners;
        placed->treeMemory = memory;
        placed->tree.nodes = (tgBvhNode*)(void*)memory;
        placed->tree.order =
            (int*)(void*)(memory + ((char*)built->tree.order - (char*)built->tree.nodes));
    }
}

void tgBones_Place(const tgBones* built, tgLayout* layout, tgBones* placed)
{
    *placed = *built;
    placed->bones = tgLayout_Take(layout, (size_t)built->count, sizeof(tgBone));
    for (int b = 0; b < built->count; ++b) {
        tgBone_Place(&built->bones[b], layout, placed->bones != NULL ? &placed->bones[b] : NULL);
    }
    placed->hinges =
        tgPlaceArray(layout, built->hinges, (size_t)built->hingeCount, sizeof(tgBoneHinge));
    const tgBoneSkin* from = &built->skin;
    tgBoneSkin* to = &placed->skin;
    size_t count = (size_t)from->count;
    if (count == 0) {
        return;
    }
    to->vertices = tgPlaceArray(layout, from->vertices, count, sizeof(int));
    to->boneStart = tgPlaceArray(layout, from->boneStart, count + 1, sizeof(int));
    to->bones = tgPlaceArray(layout, from->bones, (size_t)from->boneStart[count], sizeof(int));
    to->offsets = tgPlaceArray(layout, from->offsets, count, sizeof(float));
    to->isHeld = tgPlaceArray(layout, from->isHeld, count, sizeof(bool));
    to->softness = tgPlaceArray(layout, from->softness, count, sizeof(float));
    to->gaps = tgPlaceArray(layout, from->gaps, count, sizeof(float));
    to->hinges = tgPlaceArray(layout, from->hinges, count, sizeof(int));
    to->ringStart = tgPlaceArray(layout, from->ringStart, count + 1, sizeof(int));
    to->rings = tgPlaceArray(layout, from->rings, (size_t)from->ringStart[count], sizeof(int));
    to->ringShare = tgPlaceArray(layout, from->ringShare, count, sizeof(float));
}
