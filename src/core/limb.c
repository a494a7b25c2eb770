// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The flesh round each joint: bones and radius of its limb, the band of faces that bend with it,
// the vertices that may take its correction. Runs once, at creation.

#include "core/limb.h"

#include "core/limb_maker.h"
#include "core/profile.h"
#include "core/roundness.h"
#include "core/thickness.h"
#include "core/volume.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/// Sums of weights closer than this to 0 or 1 are 0 or 1.
static const float tg_weightSlop = 1e-5f;
/// A bone shorter than this fraction of the bounding diagonal has no direction.
static const float tg_shortBone = 1e-5f;
/// Flesh of this thickness is no sheet, in bounding diagonals.
static const float tg_sturdy = 0.02f;
/// Thicker or rounder than this, in bounding diagonals, makes no difference.
static const float tg_mostThickness = 0.25f;

// ---- checks -------------------------------------------------------------------------------------

static tgResult tgCheckTargetKeys(const tgVolumeDef* volume, tgError* error)
{
    for (int i = 0; i < volume->targetKeyCount; ++i) {
        tgVolumeKey key = volume->targetKeys[i];
        bool rising = i == 0 || key.time > volume->targetKeys[i - 1].time;
        if (!isfinite(key.time) || !(key.scale > 0.0f) || !isfinite(key.scale) || !rising) {
            return tgFail(error, tg_invalidArgument, i,
                          "target key %d is (%g, %g), wanted rising times and scales above 0", i,
                          (double)key.time, (double)key.scale);
        }
    }
    return tg_success;
}

tgResult tgCheckVolumeDef(const tgRigDef* def, tgError* error)
{
    const tgVolumeDef* volume = &def->volume;
    if (volume->method < tg_volumeNone || volume->method > tg_volumeLocal ||
        volume->mode < tg_modeSequence || volume->mode > tg_modePaper) {
        return tgFail(error, tg_invalidArgument, -1, "volume method %d, mode %d: not there",
                      (int)volume->method, (int)volume->mode);
    }
    if (!(volume->cap > 0.0f) || !isfinite(volume->cap)) {
        return tgFail(error, tg_invalidArgument, -1, "the cap is %g, wanted more than 0",
                      (double)volume->cap);
    }
    tgResult result = tgCheckTargetKeys(volume, error);
    for (int i = 0; result == tg_success && i < volume->profileCount; ++i) {
        result = tgCheckProfile(&volume->profiles[i], "default", -1, error);
    }
    for (int i = 0; result == tg_success && i < volume->jointCount; ++i) {
        const tgJointProfiles* entry = &volume->joints[i];
        if (entry->joint < 0 || entry->joint >= def->jointCount) {
            return tgFail(error, tg_invalidArgument, entry->joint,
                          "there are profiles for joint %d, the skeleton has %d joints",
                          entry->joint, def->jointCount);
        }
        char where[32];
        snprintf(where, sizeof(where), "joint %d", entry->joint);
        for (int k = 0; result == tg_success && k < entry->profileCount; ++k) {
            result = tgCheckProfile(&entry->profiles[k], where, entry->joint, error);
        }
    }
    return result;
}

// ---- bones --------------------------------------------------------------------------------------

/// The mean of a joint's children; false when there is none away from the joint itself.
static bool tgGetTail(const tgSkeleton* skeleton, const tgTree* tree, int j, float shortest,
                      tgVec3* tail)
{
    tgVec3 sum = {0.0f, 0.0f, 0.0f};
    int count = 0;
    for (int c = tree->firstChild[j]; c >= 0; c = tree->nextSibling[c]) {
        sum = tgAdd(sum, tgGetRestOrigin(skeleton, c));
        count += 1;
    }
    *tail = count > 0 ? tgMulSV(1.0f / (float)count, sum) : sum;
    return count > 0 && tgDistance(*tail, tgGetRestOrigin(skeleton, j)) > shortest;
}

/// Direction and length of the bone that ends in the joint; the nearest ancestor away from it.
static void tgSetBones(const tgLimbMaker* maker, tgLimb* limb)
{
    const tgSkeleton* skeleton = maker->skeleton;
    const tgTree* tree = maker->tree;
    float shortest = tg_shortBone * maker->diagonal;
    tgVec3 origin = tgGetRestOrigin(skeleton, limb->joint), tail;
    tgVec3 in = {0.0f, 0.0f, 0.0f};
    for (int up = tree->carriers[limb->joint]; up >= 0; up = tree->carriers[up]) {
        in = tgSub(origin, tgGetRestOrigin(skeleton, up));
        if (tgLength(in) > shortest) {
            break;
        }
    }
    bool hasTail = tgGetTail(skeleton, maker->tree, limb->joint, shortest, &tail);
    tgVec3 out = hasTail ? tgSub(tail, origin) : in;
    if (!(tgLength(in) > shortest)) {
        in = out;
    }
    tgVec3 up = tgMakeVec3(0.0f, 1.0f, 0.0f);
    limb->boneLength = tgLength(in) > shortest ? tgLength(in) : 0.1f * maker->diagonal;
    limb->boneIn = tgNormalize(in, up);
    limb->boneOut = tgNormalize(out, limb->boneIn);
    // Across the bone: away from the axis it follows least.
    tgVec3 a = limb->boneIn;
    tgVec3 axis = fabsf(a.z) <= fabsf(a.x) && fabsf(a.z) <= fabsf(a.y) ? tgMakeVec3(0, 0, 1)
                  : fabsf(a.x) <= fabsf(a.y)                           ? tgMakeVec3(1, 0, 0)
                                                                       : tgMakeVec3(0, 1, 0);
    limb->reference = tgNormalize(tgMulAdd(axis, -tgDot(axis, a), a), axis);
}

static float tgDistanceToSegment(tgVec3 p, tgVec3 a, tgVec3 b)
{
    tgVec3 along = tgSub(b, a), to = tgSub(p, a);
    float squared = tgDot(along, along);
    float t = squared > 0.0f ? fminf(fmaxf(tgDot(to, along) / squared, 0.0f), 1.0f) : 0.0f;
    return tgDistance(p, tgMulAdd(a, t, along));
}

/// Mean distance to the two bones of the vertices half way between them: 4 W (1 - W) > 1/2.
static void tgSetRadius(const tgLimbMaker* maker, tgLimb* limb)
{
    tgVec3 origin = tgGetRestOrigin(maker->skeleton, limb->joint);
    tgVec3 head = tgMulAdd(origin, -limb->boneLength, limb->boneIn);
    tgVec3 tail = tgMulAdd(origin, limb->boneLength, limb->boneOut);
    double sum = 0.0, fallback = 0.0;
    int count = 0, fallbackCount = 0;
    for (int v = 0; v < maker->mesh->vertexCount; ++v) {
        float w = maker->subtreeWeights[v];
        if (w <= 0.0f || w >= 1.0f) {
            continue;
        }
        tgVec3 p = tgGetRestPoint(maker, v);
        float d = fminf(tgDistanceToSegment(p, head, origin), tgDistanceToSegment(p, origin, tail));
        bool middle = 4.0f * w * (1.0f - w) > 0.5f;
        sum += middle ? (double)d : 0.0;
        count += middle;
        fallback += (double)d;
        fallbackCount += 1;
    }
    if (count == 0) {
        sum = fallback;
        count = fallbackCount;
    }
    // A joint whose faces bend without any vertex in between: a guess by its bone.
    limb->radius = count > 0 && sum > 0.0 ? (float)(sum / count) : 0.25f * limb->boneLength;
}

// ---- weights at one joint -----------------------------------------------------------------------

/// W and limb mask of every vertex at the joint.
static void tgSetWeights(tgLimbMaker* maker, const tgLimb* limb)
{
    const tgTree* tree = maker->tree;
    const tgInfluences* influences = maker->influences;
    int first = tree->place[limb->joint], end = tree->subtreeEnd[limb->joint];
    int carrier = tree->carriers[limb->joint];
    for (int v = 0; v < maker->mesh->vertexCount; ++v) {
        int render = maker->mesh->vertexToRender[v];
        float below = 0.0f, near = 0.0f;
        for (int k = influences->start[render]; k < influences->start[render + 1]; ++k) {
            int j = influences->joints[k];
            int place = tree->place[j];
            below += place >= first && place < end ? influences->weights[k] : 0.0f;
            bool isNear = j == limb->joint || j == carrier || tree->carriers[j] == limb->joint;
            near += isNear ? influences->weights[k] : 0.0f;
        }
        below = below < tg_weightSlop ? 0.0f : below > 1.0f - tg_weightSlop ? 1.0f : below;
        near = fminf(near, 1.0f);
        maker->subtreeWeights[v] = below;
        maker->masks[v] = maker->def->volume.limbOnly ? near : 1.0f;
    }
    // A cap bends as a whole when its loop does: its middle takes a weight in between.
    for (int l = 0; l < maker->mesh->loopCount; ++l) {
        int begin = maker->mesh->loopStart[l], loopEnd = maker->mesh->loopStart[l + 1];
        float w = maker->subtreeWeights[maker->mesh->loopVertices[begin]];
        bool same = w == 0.0f || w == 1.0f;
        for (int i = begin; i < loopEnd; ++i) {
            same &= maker->subtreeWeights[maker->mesh->loopVertices[i]] == w;
        }
        maker->subtreeWeights[maker->mesh->vertexCount + l] = same ? w : 0.5f;
    }
}

// ---- all joints ---------------------------------------------------------------------------------

static void tgSetProfiles(const tgRigDef* def, tgLimb* limb, tgProfile* organic)
{
    const tgVolumeDef* volume = &def->volume;
    const tgProfile* profiles = volume->profileCount > 0 ? volume->profiles : organic;
    int count = volume->profileCount > 0 ? volume->profileCount : 1;
    for (int i = 0; i < volume->jointCount; ++i) {
        if (volume->joints[i].joint == limb->joint) {
            profiles = volume->joints[i].profiles;
            count = volume->joints[i].profileCount;
        }
    }
    limb->profiles = (tgProfile*)profiles; // copied when the limb is placed
    limb->profileCount = count;
    limb->foldSwingSquared = 2.0f;
    for (int i = count - 1; i >= 0; --i) {
        if (profiles[i].kind == tg_profileBelly) {
            limb->foldSwingSquared = tgGetSwingSquared(profiles[i].foldAngle);
        }
    }
}

static double tgGetArea(const tgLimbMaker* maker, const int* corners, int size)
{
    double area[3] = {0.0, 0.0, 0.0};
    tgAddArea(maker, corners, size, area);
    return sqrt(area[0] * area[0] + area[1] * area[1] + area[2] * area[2]);
}

static void tgSetAreas(tgLimbMaker* maker)
{
    // A corner's share is the length of its face's part of the volume's gradient: a third of a
    // triangle, a sixth of a quad and of its triangle at that corner.
    const tgMesh* mesh = maker->mesh;
    for (int f = 0; f < mesh->triangleCount; ++f) {
        const int* corners = mesh->triangles + 3 * (size_t)f;
        for (int k = 0; k < 3; ++k) {
            maker->areas[corners[k]] += (float)(tgGetArea(maker, corners, 3) / 3.0);
        }
    }
    for (int f = 0; f < mesh->quadCount; ++f) {
        const int* corners = mesh->quads + 4 * (size_t)f;
        double whole = tgGetArea(maker, corners, 4);
        for (int k = 0; k < 4; ++k) {
            const int near[3] = {corners[(k + 3) % 4], corners[k], corners[(k + 1) % 4]};
            maker->areas[corners[k]] += (float)((whole + tgGetArea(maker, near, 3)) / 6.0);
        }
    }
    // Relative to the mean, so that sizes do not leave the range of float; slivers do not explode.
    double sum = 0.0;
    for (int v = 0; v < mesh->vertexCount; ++v) {
        sum += (double)maker->areas[v];
    }
    float mean = maker->meanArea = (float)(sum / mesh->vertexCount);
    for (int v = 0; v < mesh->vertexCount && mean > 0.0f; ++v) {
        float area = maker->areas[v] / mean;
        maker->areas[v] = area > 0.0f ? fmaxf(area, 0.02f) : 0.0f;
    }
}

/// Where the faces round each vertex look, at rest.
static bool tgSetNormals(const tgLimbMaker* maker, tgLimbs* limbs)
{
    const tgMesh* mesh = maker->mesh;
    size_t all = (size_t)(mesh->vertexCount + mesh->loopCount);
    limbs->restNormals = tgScratch_Take(maker->scratch, 4 * all, sizeof(float));
    int triangleCount = mesh->triangleCount + mesh->capTriangleCount;
    for (int f = 0; !maker->scratch->failed && f < triangleCount + mesh->quadCount; ++f) {
        bool isQuad = f >= triangleCount;
        int size = isQuad ? 4 : 3;
        const int* corners = isQuad ? mesh->quads + 4 * (size_t)(f - triangleCount)
                                    : mesh->triangles + 3 * (size_t)f;
        double area[3] = {0.0, 0.0, 0.0};
        tgAddArea(maker, corners, size, area);
        for (int k = 0; k < size; ++k) {
            for (int axis = 0; axis < 3; ++axis) {
                limbs->restNormals[4 * (size_t)corners[k] + (size_t)axis] += (float)area[axis];
            }
        }
    }
    return !maker->scratch->failed;
}

/// How thick the flesh is, and so how much of what finds no place near its joint each vertex takes;
/// and how round.
static bool tgSetThickness(tgLimbMaker* maker, tgLimbs* limbs)
{
    int count = maker->mesh->vertexCount;
    size_t all = (size_t)(count + maker->mesh->loopCount);
    limbs->skinArea = (double)maker->meanArea * count;
    limbs->sturdiness = tgScratch_Take(maker->scratch, all, sizeof(float));
    limbs->evenness = tgScratch_Take(maker->scratch, all, sizeof(float));
    float most = tg_mostThickness * maker->diagonal;
    maker->thickness =
        tgMeasureThickness(maker->mesh, maker->rest, limbs->restNormals, most, maker->scratch);
    maker->roundness =
        tgMeasureRoundness(maker->mesh, limbs->restNormals, most, &maker->reach, maker->scratch);
    for (int v = 0; maker->thickness != NULL && v < count; ++v) {
        bool even = maker->def->volume.evenOut && maker->areas[v] > 0.0f;
        limbs->sturdiness[v] = fminf(maker->thickness[v] / (tg_sturdy * maker->diagonal), 1.0f);
        limbs->evenness[v] = even ? 1.0f / maker->areas[v] : 1.0f;
    }
    return !maker->scratch->failed;
}

/// How much of the volume hangs on each vertex at rest: what a bend stretched or crushed has more
/// or less.
static bool tgSetRestGradient(tgLimbMaker* maker, tgLimbs* limbs)
{
    const tgMesh* mesh = maker->mesh;
    size_t all = (size_t)(mesh->vertexCount + mesh->loopCount);
    float* gradient = tgScratch_Take(maker->scratch, 4 * all, sizeof(float));
    float* slots =
        tgScratch_Take(maker->scratch, 4 * (size_t)tgMesh_SlotCount(mesh), sizeof(float));
    limbs->inverseSquares = tgScratch_Take(maker->scratch, all, sizeof(float));
    if (maker->scratch->failed) {
        return false;
    }
    const tgParallel here = {NULL, NULL};
    const tgKernels* kernels = tgSelectKernels(tg_simdScalar);
    tgFillGradient(&here, kernels, mesh, maker->rest, slots, gradient);
    for (int v = 0; v < mesh->vertexCount; ++v) {
        const float* g = gradient + 4 * (size_t)v;
        float squared = (g[0] * g[0] + g[1] * g[1]) + g[2] * g[2];
        limbs->inverseSquares[v] = squared > 1e-36f ? 1.0f / squared : 0.0f;
    }
    return true;
}

static bool tgTakeMaker(tgLimbMaker* maker, tgLimbs* limbs)
{
    const tgMesh* mesh = maker->mesh;
    tgScratch* scratch = maker->scratch;
    size_t all = (size_t)(mesh->vertexCount + mesh->loopCount);
    maker->subtreeWeights = tgScratch_Take(scratch, all, sizeof(float));
    maker->masks = tgScratch_Take(scratch, all, sizeof(float));
    maker->softened = tgScratch_Take(scratch, all, sizeof(float));
    maker->areas = tgScratch_Take(scratch, all, sizeof(float));
    maker->local = tgScratch_Take(scratch, all, sizeof(int));
    size_t room = (size_t)tgRoundToLane(mesh->vertexCount);
    maker->takers = tgScratch_Take(scratch, room, sizeof(int));
    maker->takerScale = tgScratch_Take(scratch, room, sizeof(float));
    maker->newSlot = tgScratch_Take(scratch, (size_t)tgMesh_SlotCount(mesh), sizeof(int));
    maker->blended = tgScratch_Take(scratch, all, sizeof(bool));
    maker->lost = tgScratch_Take(scratch, (size_t)mesh->componentCount, sizeof(bool));
    maker->firstLimb = tgScratch_Take(scratch, (size_t)mesh->componentCount, sizeof(int));
    limbs->limbs = tgScratch_Take(scratch, (size_t)maker->skeleton->jointCount, sizeof(tgLimb));
    limbs->byJoint = tgScratch_Take(scratch, (size_t)maker->skeleton->jointCount, sizeof(int));
    return !scratch->failed;
}

/// The piece of the mesh that most of the band is on (Boyer and Moore's vote); -1 for none.
static int tgGetMainPiece(const tgLimbMaker* maker, const tgLimb* limb)
{
    int piece = -1, votes = 0;
    for (int i = 0; i < limb->skinnedCount; ++i) {
        int own = maker->mesh->vertexComponent[limb->bandVertices[i]];
        piece = votes == 0 ? own : piece;
        votes += own == piece ? 1 : -1;
    }
    return piece;
}

/// @param number of the limb
static void tgSetKin(tgLimbMaker* maker, tgLimb* limb, int number)
{
    int piece = tgGetMainPiece(maker, limb);
    limb->kin = number;
    if (piece >= 0) {
        int* first = &maker->firstLimb[piece];
        *first = *first > 0 ? *first : number + 1;
        limb->kin = *first - 1;
    }
}

tgResult tgBuildLimbs(const tgRigDef* def, const tgMesh* mesh, const tgSkeleton* skeleton,
                      const tgInfluences* influences, const float* rest, tgScratch* scratch,
                      tgLimbs* limbs, tgError* error)
{
    *limbs = (tgLimbs){.tree = skeleton->flesh};
    const tgTree* tree = &limbs->tree;
    tgLimbMaker maker = {.def = def,
                         .mesh = mesh,
                         .skeleton = skeleton,
                         .tree = tree,
                         .influences = influences,
                         .rest = rest,
                         .scratch = scratch};
    tgProfile* organic = tgScratch_Take(scratch, 1, sizeof(tgProfile));
    if (!tgTakeMaker(&maker, limbs) || organic == NULL ||
        !tgMakeReach(mesh, rest, scratch, &maker.reach) || !tgSetNormals(&maker, limbs)) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for the volume stage");
    }
    *organic = tgDefaultProfile(tg_profileOrganic, def->skinning == tg_dualQuaternion);
    tgVec3 low = tgGetRestPoint(&maker, 0), high = low;
    for (int v = 0; v < mesh->vertexCount; ++v) {
        tgVec3 p = tgGetRestPoint(&maker, v);
        low = tgMakeVec3(fminf(low.x, p.x), fminf(low.y, p.y), fminf(low.z, p.z));
        high = tgMakeVec3(fmaxf(high.x, p.x), fmaxf(high.y, p.y), fmaxf(high.z, p.z));
    }
    maker.diagonal = tgDistance(low, high);
    tgSetAreas(&maker);
    if (!tgSetThickness(&maker, limbs) || !tgSetRestGradient(&maker, limbs)) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for the volume stage");
    }
    for (int i = 0; i < skeleton->jointCount; ++i) {
        tgLimb* limb = &limbs->limbs[limbs->count];
        *limb = (tgLimb){.joint = tree->order[i]};
        limbs->byJoint[limb->joint] = -1;
        if (tree->carriers[limb->joint] < 0) {
            continue; // the first root carries all: nothing bends at it
        }
        tgSetWeights(&maker, limb);
        tgSetBones(&maker, limb);
        tgSetRadius(&maker, limb);
        tgSetProfiles(def, limb, organic);
        bool done = tgMakeBand(&maker, limb);
        if (done && limb->band.triangleCount + limb->band.quadCount > 0) {
            done = tgMakeTakers(&maker, limb);
            tgSetKin(&maker, limb, limbs->count);
            limbs->byJoint[limb->joint] = limbs->count++;
            int takers = tgRoundToLane(limb->takerCount);
            limbs->mostTakers = takers > limbs->mostTakers ? takers : limbs->mostTakers;
        }
        if (!done) {
            return tgFail(error, tg_outOfMemory, -1, "no memory for the volume stage");
        }
    }
    return tg_success;
}

// ---- placing ------------------------------------------------------------------------------------

static void* tgPlaceCopy(tgLayout* layout, const void* from, size_t count, size_t size)
{
    void* to = tgLayout_Take(layout, count, size);
    if (to != NULL && count > 0) {
        memcpy(to, from, count * size);
    }
    return to;
}

static void tgPlacePatch(tgLayout* layout, const tgPatch* from, tgPatch* to)
{
    *to = *from;
    to->triangles =
        tgPlaceCopy(layout, from->triangles, 3 * (size_t)from->triangleCount, sizeof(int));
    to->quads = tgPlaceCopy(layout, from->quads, 4 * (size_t)from->quadCount, sizeof(int));
}

void tgLimbs_Place(const tgLimbs* built, int jointCount, int vertexCount, tgLayout* layout,
                   tgLimbs* placed)
{
    *placed = *built;
    placed->limbs = tgPlaceCopy(layout, built->limbs, (size_t)built->count, sizeof(tgLimb));
    placed->byJoint = tgPlaceCopy(layout, built->byJoint,
                                  built->limbs != NULL ? (size_t)jointCount : 0, sizeof(int));
    placed->restNormals =
        tgPlaceCopy(layout, built->restNormals, built->limbs != NULL ? 4 * (size_t)vertexCount : 0,
                    sizeof(float));
    placed->sturdiness = tgPlaceCopy(layout, built->sturdiness,
                                     built->limbs != NULL ? (size_t)vertexCount : 0, sizeof(float));
    placed->inverseSquares =
        tgPlaceCopy(layout, built->inverseSquares, built->limbs != NULL ? (size_t)vertexCount : 0,
                    sizeof(float));
    placed->evenness = tgPlaceCopy(layout, built->evenness,
                                   built->limbs != NULL ? (size_t)vertexCount : 0, sizeof(float));
    for (int i = 0; i < built->count; ++i) {
        const tgLimb* from = &built->limbs[i];
        tgLimb to = *from;
        size_t band = (size_t)tgRoundToLane(from->bandCount);
        size_t takers = (size_t)tgRoundToLane(from->takerCount);
        to.bandVertices = tgPlaceCopy(layout, from->bandVertices, band, sizeof(int));
        to.bandWeights = tgPlaceCopy(layout, from->bandWeights, band, sizeof(float));
        to.bandDrift = tgPlaceCopy(layout, from->bandDrift, band, sizeof(float));
        tgPlacePatch(layout, &from->band, &to.band);
        to.border = tgPlaceCopy(layout, from->border, 2 * (size_t)from->borderCount, sizeof(int));
        to.takers = tgPlaceCopy(layout, from->takers, takers, sizeof(int));
        to.takerScale = tgPlaceCopy(layout, from->takerScale, takers, sizeof(float));
        tgPlacePatch(layout, &from->around, &to.around);
        to.slotStart = tgPlaceCopy(layout, from->slotStart, takers + 1, sizeof(int));
        to.slotList =
            tgPlaceCopy(layout, from->slotList, (size_t)from->slotStart[takers], sizeof(int));
        tgPlacePatch(layout, &from->beside, &to.beside);
        to.watched = tgPlaceCopy(layout, from->watched, (size_t)from->watchedCount, sizeof(int));
        to.loops = tgPlaceCopy(layout, from->loops, (size_t)from->loopCount, sizeof(int));
        to.loopTakers =
            tgPlaceCopy(layout, from->loopTakers, (size_t)from->loopTakerCount, sizeof(int));
        to.loopTakerLoop =
            tgPlaceCopy(layout, from->loopTakerLoop, (size_t)from->loopTakerCount, sizeof(int));
        to.profiles =
            tgPlaceCopy(layout, from->profiles, (size_t)from->profileCount, sizeof(tgProfile));
        if (placed->limbs != NULL) {
            placed->limbs[i] = to;
        }
    }
}
