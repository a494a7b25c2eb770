// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A skeleton from another file: whether it fits a mesh, and how it would. Files often stand their
// characters in another size, place or direction than they were bound in, and a posed mesh is as it
// stands.

#include "bind_fit.h"

#include "core/core.h"
#include "draw/camera.h"
#include "stand.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/// Cells along the longest side to look where joints lie; coarse will do.
enum { tg_trialVoxels = 48 };
/// Joints without a mesh of their own fill so much of the box: skin lies round them.
static const float tg_jointsFill = 0.96f;
/// A side of the joints' box shorter than this part of its diagonal says nothing of their size.
static const float tg_flatSide = 0.1f;

static tgVec3 tgGetCenter(const tgBounds* bounds)
{
    return tgMulSV(0.5f, tgAdd(bounds->lower, bounds->upper));
}

static tgBounds tgGetMeshBounds(const tgScene* scene)
{
    tgBounds bounds = tgEmptyBounds();
    tgBounds_Add(&bounds, (tgVec3View){&scene->positions->x, scene->vertexCount, sizeof(tgVec3)});
    return bounds;
}

/// Joints and where their bones end, in the bind pose or as the nodes stand.
typedef struct tgPlaces {
    tgMat34 *nodes, *joints; ///< as they stand
    tgVec3 *heads, *tails;
    tgBounds box; ///< of the skeleton's own mesh; without one, of the places
    bool hasMesh;
} tgPlaces;

static void tgFreePlaces(tgPlaces* places)
{
    free(places->nodes);
    free(places->joints);
    free(places->heads);
    free(places->tails);
}

/// The skeleton's own skin under plain linear skinning.
static void tgFindMeshBox(const tgScene* skeleton, bool stands, tgPlaces* places)
{
    int count = skeleton->influencesPerVertex;
    places->box = tgEmptyBounds();
    for (int v = 0; v < skeleton->vertexCount; ++v) {
        tgVec3 p = skeleton->positions[v], sum = {0.0f, 0.0f, 0.0f};
        for (int k = 0; stands && k < count; ++k) {
            int at = v * count + k;
            if (skeleton->influenceWeights[at] != 0.0f) {
                int j = skeleton->influenceJoints[at];
                tgMat34 move = tgGetStand(&skeleton->joints[j], &places->joints[j]);
                sum = tgMulAdd(sum, skeleton->influenceWeights[at], tgMulMatPoint(&move, p));
            }
        }
        p = stands && count > 0 ? sum : p;
        tgBounds_Add(&places->box, (tgVec3View){&p.x, 1, sizeof(tgVec3)});
    }
}

static bool tgFindPlaces(const tgScene* skeleton, tgStance stance, tgPlaces* places)
{
    bool stands = stance != tg_stanceBound;
    size_t joints = (size_t)skeleton->jointCount + 1;
    *places = (tgPlaces){.nodes = calloc((size_t)skeleton->nodeCount + 1, sizeof(tgMat34)),
                         .joints = calloc(joints, sizeof(tgMat34)),
                         .heads = calloc(joints, sizeof(tgVec3)),
                         .tails = calloc(joints, sizeof(tgVec3)),
                         .hasMesh = skeleton->vertexCount > 0};
    if (places->nodes == NULL || places->joints == NULL || places->heads == NULL ||
        places->tails == NULL) {
        return false;
    }
    tgScene_SamplePose(skeleton, stance == tg_stanceStarts ? 0 : -1, 0.0, places->nodes,
                       places->joints, NULL);
    tgScene_GetTails(skeleton, places->tails);
    for (int j = 0; j < skeleton->jointCount; ++j) {
        places->heads[j] = skeleton->joints[j].restJoint.origin;
        if (stands) {
            tgMat34 move = tgGetStand(&skeleton->joints[j], &places->joints[j]);
            places->heads[j] = places->joints[j].origin;
            places->tails[j] = tgMulMatPoint(&move, places->tails[j]);
        }
    }
    if (places->hasMesh) {
        tgFindMeshBox(skeleton, stands, places);
    } else {
        places->box = tgEmptyBounds();
        tgBounds_Add(&places->box,
                     (tgVec3View){&places->heads->x, skeleton->jointCount, sizeof(tgVec3)});
        tgBounds_Add(&places->box,
                     (tgVec3View){&places->tails->x, skeleton->jointCount, sizeof(tgVec3)});
    }
    return true;
}

/// So that one box fills another: by their diagonals where both are of meshes, else by the side
/// that is tightest.
static float tgFindScale(const tgPlaces* places, const tgBounds* mesh)
{
    tgVec3 own = tgSub(places->box.upper, places->box.lower),
           wanted = tgSub(mesh->upper, mesh->lower);
    float diagonal = tgLength(own), scale = HUGE_VALF;
    if (!(diagonal > 0.0f)) {
        return 1.0f;
    }
    if (places->hasMesh) {
        return tgLength(wanted) / diagonal;
    }
    const float owns[3] = {own.x, own.y, own.z}, sides[3] = {wanted.x, wanted.y, wanted.z};
    for (int k = 0; k < 3; ++k) {
        scale = owns[k] > tg_flatSide * diagonal ? fminf(scale, sides[k] / owns[k]) : scale;
    }
    return tg_jointsFill * scale;
}

/// How many joints lie outside.
static tgResult tgTryFit(const tgScene* mesh, const tgScene* skeleton, const tgPlaces* places,
                         tgFit* fit, tgError* error)
{
    size_t count = (size_t)skeleton->jointCount;
    tgVec3* heads = calloc(count + 1, sizeof(tgVec3));
    tgVec3* tails = calloc(count + 1, sizeof(tgVec3));
    if (heads == NULL || tails == NULL) {
        free(heads);
        free(tails);
        return tgFail(error, tg_outOfMemory, -1, "out of memory for %d joints",
                      skeleton->jointCount);
    }
    for (size_t j = 0; j < count; ++j) {
        heads[j] = tgMulAdd(fit->offset, fit->scale, places->heads[j]);
        tails[j] = tgMulAdd(fit->offset, fit->scale, places->tails[j]);
    }
    tgBindDef def = tgScene_GetBindDef(mesh, skeleton);
    def.jointPositions = (tgVec3View){&heads->x, skeleton->jointCount, sizeof(tgVec3)};
    def.jointTails = tails;
    def.method = tg_bindDistance;
    def.voxels = tg_trialVoxels;
    def.influencesPerVertex = 1;
    tgError reason = {0};
    tgBinding* binding = tgCreateBinding(&def, &reason);
    fit->outsideCount = binding == NULL ? skeleton->jointCount : 0;
    for (int j = 0; binding != NULL && j < binding->jointCount; ++j) {
        fit->outsideCount += binding->joints[j].place == tg_jointOutside;
    }
    tgDestroyBinding(binding);
    free(heads);
    free(tails);
    return binding == NULL && reason.code == tg_outOfMemory
               ? tgFail(error, tg_outOfMemory, -1, "%s", reason.message)
               : tg_success;
}

/// Joints say little of where the skin round them ends: a little larger or smaller, and a little to
/// each side, in steps that get shorter, as long as that leaves fewer outside.
static tgResult tgImproveFit(const tgScene* mesh, const tgScene* skeleton, const tgPlaces* places,
                             const tgBounds* box, tgFit* fit, tgError* error)
{
    static const float steps[] = {0.12f, 0.06f, 0.03f}; // of the scale, and of the box's sides
    tgVec3 sides = tgSub(box->upper, box->lower), middle = tgGetCenter(box);
    tgResult result = tg_success;
    for (int i = 0; i < 24 && result == tg_success && fit->outsideCount > 0; ++i) {
        float step = (i % 2 == 0 ? 1.0f : -1.0f) * steps[i / 8];
        tgFit tried = *fit;
        if (i % 8 < 2) { // about the middle
            tgVec3 away = tgSub(fit->offset, middle);
            tried.scale = (1.0f + step) * fit->scale;
            tried.offset = tgMulAdd(middle, 1.0f + step, away);
        } else {
            tried.offset.x += i % 8 / 2 == 1 ? step * sides.x : 0.0f;
            tried.offset.y += i % 8 / 2 == 2 ? step * sides.y : 0.0f;
            tried.offset.z += i % 8 / 2 == 3 ? step * sides.z : 0.0f;
        }
        result = tgTryFit(mesh, skeleton, places, &tried, error);
        *fit = result == tg_success && tried.outsideCount < fit->outsideCount ? tried : *fit;
    }
    return result;
}

tgResult tgFindFit(const tgScene* mesh, const tgScene* skeleton, tgFit* fit, tgError* error)
{
    tgResult result = tg_success;
    tgBounds box = tgGetMeshBounds(mesh);
    fit->outsideCount = INT_MAX;
    for (int i = 0; i < 2 * tg_stanceCount && fit->outsideCount > 0; ++i) {
        tgFit tried = {.stance = (tgStance)(i % tg_stanceCount),
                       .isMoved = i >= tg_stanceCount,
                       .scale = 1.0f};
        tgPlaces places;
        if (tried.stance == tg_stanceStarts && skeleton->animationCount == 0) {
            continue;
        }
        if (tgFindPlaces(skeleton, tried.stance, &places)) {
            if (tried.isMoved) {
                tried.scale = tgFindScale(&places, &box);
                tried.offset =
                    tgSub(tgGetCenter(&box), tgMulSV(tried.scale, tgGetCenter(&places.box)));
            }
            result = tgTryFit(mesh, skeleton, &places, &tried, error);
            if (result == tg_success && tried.isMoved && !places.hasMesh) {
                result = tgImproveFit(mesh, skeleton, &places, &box, &tried, error);
            }
        } else {
            result = tgFail(error, tg_outOfMemory, -1, "out of memory for the skeleton");
        }
        tgFreePlaces(&places);
        if (result != tg_success) {
            break;
        }
        *fit = tried.outsideCount < fit->outsideCount ? tried : *fit;
    }
    return result;
}

tgResult tgApplyFit(const tgFit* fit, tgScene* skeleton, tgError* error)
{
    int animation = fit->stance == tg_stanceStarts ? 0 : -1;
    tgResult result = fit->stance != tg_stanceBound
                          ? tgScene_StandSkeleton(skeleton, animation, 0.0, error)
                          : tg_success;
    return result == tg_success && fit->isMoved
               ? tgScene_MoveSkeleton(skeleton, fit->scale, fit->offset, error)
               : result;
}

tgFitText tgTellFit(const tgFit* fit)
{
    tgFitText told;
    static const char* const tg_stances[] = {"as it was bound", "as its file stands it",
                                             "as its first animation starts"};
    const char* stance = tg_stances[fit->stance];
    if (fit->isMoved) {
        snprintf(told.text, sizeof(told.text), "%s, scaled by %.4g and moved by (%.4g %.4g %.4g)",
                 stance, (double)fit->scale, (double)fit->offset.x, (double)fit->offset.y,
                 (double)fit->offset.z);
    } else {
        snprintf(told.text, sizeof(told.text), "%s", stance);
    }
    return told;
}

tgFitText tgTellMisfit(const tgScene* mesh, const tgScene* skeleton)
{
    tgFitText told = {"the skeleton does not fit the mesh"};
    tgPlaces places;
    if (tgFindPlaces(skeleton, tg_stanceBound, &places)) {
        tgBounds box = tgGetMeshBounds(mesh);
        float size = tgDistance(box.lower, box.upper),
              own = tgDistance(places.box.lower, places.box.upper);
        tgVec3 away = tgSub(tgGetCenter(&box), tgGetCenter(&places.box));
        snprintf(
            told.text, sizeof(told.text),
            "the mesh is %.3g times as large as the skeleton%s, and its middle lies (%.3g %.3g "
            "%.3g) away",
            own > 0.0f ? (double)(size / own) : 0.0, places.hasMesh ? "'s own" : "", (double)away.x,
            (double)away.y, (double)away.z);
    }
    tgFreePlaces(&places);
    return told;
}
