// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Fold-over between neighbouring bones (2008 s.5.4). Skin that was nearer to its own bone at rest
// and is nearer to the neighbour now has passed the plane that halves the angle between the two,
// and skin of the neighbour comes through it from the other side. Such vertices go back to the
// plane, less a gap, and are pinned, so that the volume stage does not push them through again.

#include "core/contact.h"

#include "core/volume.h"

#include <math.h>
#include <string.h>

/// On its way back skin also slides so much outwards, out of the bend: squeezed flesh gives way,
/// and vertices keep their order along the plane.
static const float tg_slide = 0.3f;
/// Corrections may use up the rest of the gap; beyond that they are taken back.
static const float tg_gapLeft = 0.5f;
/// It begins softly so far before, in limb radii.
static const float tg_softness = 0.3f;
/// Bones that all but lie on each other have no plane between them: from 170 degrees on.
static const float tg_leastNormal = 0.17f;

/// A joint that bends, in this pose.
typedef struct tgFold {
    const tgCrease* crease;
    int count; ///< of the crease's vertices, the first ones: only these can be near the plane
    const tgMat34d *own, *carried; ///< skinning matrices of the joint and its carrier
    tgVec3 origin, normal;         ///< of the plane; towards the joint's own bone
    tgVec3 swing;                  ///< see frame.h
    tgVec3 inner;                  ///< unit vector in the plane, to the inner side of the bend
    float scale;                   ///< of the limb since the bind pose
    float sine, cosine;            ///< of half the bend
    float gap, radius;             ///< at that scale
} tgFold;

static tgVec3 tgTurnPoint(const tgMat34d* m, tgVec3 p)
{
    return tgAdd(tgMat34d_MulVector(m, p),
                 tgMakeVec3((float)m->c[3][0], (float)m->c[3][1], (float)m->c[3][2]));
}

/// How many of a crease's vertices a bend can bring near the plane.
static int tgCountNear(const tgCrease* crease, float sine)
{
    int low = 0, high = crease->count;
    while (low < high) {
        int middle = (low + high) / 2;
        bool isNear = crease->onsets[middle] < sine;
        low = isNear ? middle + 1 : low;
        high = isNear ? high : middle;
    }
    return low;
}

/// False where a joint does not bend or cannot fold.
static bool tgMakeFold(const tgContactTask* task, int number, tgFold* fold)
{
    const tgLimb* limb = &task->limbs->limbs[number];
    if (task->creases->count == 0 || !task->bends[number]) {
        return false;
    }
    fold->crease = &task->creases->creases[number];
    if (fold->crease->count == 0) {
        return false;
    }
    fold->own = &task->skinMatrices[limb->joint];
    fold->carried = &task->skinMatrices[task->limbs->tree.carriers[limb->joint]];
    tgVec3 in = tgNormalize(tgMat34d_MulVector(fold->carried, limb->boneIn), limb->boneIn);
    tgVec3 out = tgNormalize(tgMat34d_MulVector(fold->own, limb->boneOut), limb->boneOut);
    tgVec3 straight = tgNormalize(tgMat34d_MulVector(fold->carried, limb->boneOut), limb->boneOut);
    tgVec3 sum = tgAdd(in, out), difference = tgSub(out, in);
    fold->origin = task->joints[limb->joint].origin;
    fold->normal = tgNormalize(sum, out);
    fold->swing = tgSub(out, straight);
    fold->inner = tgNormalize(difference, tgMakeVec3(0.0f, 0.0f, 0.0f));
    fold->scale = 0.5f * (tgMat34d_GetScale(fold->own) + tgMat34d_GetScale(fold->carried));
    fold->radius = fold->scale * limb->radius;
    fold->sine = fminf(0.5f * tgLength(fold->swing), 1.0f);
    fold->cosine = sqrtf(1.0f - fold->sine * fold->sine);
    fold->gap = task->gap * fold->radius;
    fold->count = tgCountNear(fold->crease, fold->sine);
    return fold->count > 0 && tgLength(sum) >= tg_leastNormal;
}

static tgVec3 tgGetPosition(const float* positions, int v)
{
    const float* p = positions + 4 * (size_t)v;
    return tgMakeVec3(p[0], p[1], p[2]);
}

static void tgMove(const tgContactTask* task, int v, tgVec3 by)
{
    float* p = task->positions + 4 * (size_t)v;
    p[0] += by.x;
    p[1] += by.y;
    p[2] += by.z;
}

/// Of vertex i of the crease over the plane, on its own side. This bend turns it by half about the
/// joint; what is lower than that can bring it was brought there by other joints, as skin of a tail
/// that is bent at its root, and counts as no lower than that.
/// @param enough what is higher need not be looked at closely
static float tgGetHeight(const tgContactTask* task, const tgFold* fold, int i, float enough)
{
    const tgCrease* crease = fold->crease;
    tgVec3 p = tgGetPosition(task->positions, crease->vertices[i]);
    float height = crease->sides[i] * tgDot(tgSub(p, fold->origin), fold->normal);
    if (height >= enough) {
        return height;
    }
    float turned = crease->heights[i] * fold->cosine - crease->spans[i] * fold->sine;
    float lowest = fold->scale * turned;
    return height > lowest ? height : lowest;
}

/// How near the plane vertex i may come.
static float tgGetLeast(const tgFold* fold, int i)
{
    return tgGetLeastHeight(fold->scale * fold->crease->heights[i], fold->gap);
}

static double tgMeasureFaces(const tgContactTask* task, const tgFold* fold)
{
    const tgPatch* faces = &fold->crease->faces;
    return task->kernels->coneVolume(faces->triangles, faces->triangleCount, faces->quads,
                                     faces->quadCount, task->positions, fold->origin) /
           6.0;
}

// ---- before the volume comes back ---------------------------------------------------------------

/// So far from where it may come vertex i begins to give way.
static float tgGetSoftness(const tgFold* fold, int i)
{
    float soft = (1.0f - TG_CREASE_NEAREST) * fold->scale * fold->crease->heights[i];
    return soft < tg_softness * fold->radius ? soft : tg_softness * fold->radius;
}

/// How far each vertex has closed on the plane, 0 to 1; false where none has begun.
/// @param yields some are so near that they give way
static bool tgFindClosing(const tgContactTask* task, const tgFold* fold, bool* yields)
{
    bool any = false;
    *yields = false;
    for (int i = 0; i < fold->count; ++i) {
        float range = tgGetClosingRange(fold->scale * fold->crease->heights[i], fold->radius);
        float least = tgGetLeast(fold, i);
        float left = tgGetHeight(task, fold, i, least + range) - least;
        task->closing[i] = 0.0f;
        if (left < range) {
            float t = left > 0.0f ? left / range : 0.0f;
            task->closing[i] = 1.0f - t * t * (3.0f - 2.0f * t);
            *yields |= left < tgGetSoftness(fold, i);
            any = true;
        }
    }
    return any;
}

/// Vertex i as a linear blend carries it, with its drift. Along the plane that keeps the order of
/// vertices, where dual quaternions swell them out of it.
static tgVec3 tgCarry(const tgContactTask* task, const tgFold* fold, int i)
{
    const tgSkin* skin = task->skin;
    int v = fold->crease->vertices[i];
    int begin = skin->groupStart != NULL ? skin->groupStart[v] : v;
    int end = skin->groupStart != NULL ? skin->groupStart[v + 1] : v + 1;
    tgVec3 rest = tgGetPosition(task->rest, v), blend = {0.0f, 0.0f, 0.0f};
    for (int k = 4 * begin; k < 4 * end; ++k) {
        if (skin->weights[k] != 0.0f) {
            tgVec3 p = tgTurnPoint(&task->skinMatrices[skin->joints[k]], rest);
            blend = tgMulAdd(blend, skin->weights[k], p);
        }
    }
    float drift = task->drifts ? fold->scale * fold->crease->drifts[i] : 0.0f;
    return tgMulAdd(blend, drift, fold->swing);
}

/// How far vertex i may be moved: what rests on bone stays there.
static float tgGetMovable(const tgContactTask* task, const tgFold* fold, int i)
{
    return task->onBone != NULL ? task->onBone[fold->crease->vertices[i]] : 1.0f;
}

static void tgPushBack(const tgContactTask* task, const tgFold* fold, int i, float way)
{
    tgVec3 back = tgMulSV(way * fold->crease->sides[i], fold->normal);
    tgMove(task, fold->crease->vertices[i], tgMulAdd(back, tg_slide * way, fold->inner));
}

/// Brings vertex i back to the plane, beginning softly before it gets there: so neighbours are
/// taken along before one of them touches. With d how deep it is and s the softness, its way is
/// (d + s)^3 / (27/4 s^2) from d = -s to s / 2, where that runs into d. Its speed rises with the
/// square of d + s: from one ring of vertices to the next by less than three times what it was.
static void tgYield(const tgContactTask* task, const tgFold* fold, int i)
{
    float least = tgGetLeast(fold, i), soft = tgGetSoftness(fold, i);
    float deep = least - tgGetHeight(task, fold, i, least + soft), run = deep + soft;
    if (run > 0.0f) {
        float way = deep < 0.5f * soft ? run * run * run / (6.75f * soft * soft) : deep;
        tgPushBack(task, fold, i, tgGetMovable(task, fold, i) * way);
    }
}

static void tgLayDown(const tgContactTask* task, const tgFold* fold)
{
    const tgCrease* crease = fold->crease;
    for (int i = 0; i < fold->count; ++i) {
        int v = crease->vertices[i], witness = crease->witnesses[i];
        float closing = witness < fold->count ? task->closing[witness] : 0.0f;
        if (closing > 0.0f) {
            if (task->dualQuaternion) {
                tgVec3 way = tgSub(tgCarry(task, fold, i), tgGetPosition(task->positions, v));
                float part = closing * tgGetMovable(task, fold, i);
                tgMove(task, v, tgMulSV(part, way));
            }
            task->freedom[v] = fminf(task->freedom[v], 1.0f - closing);
        }
        if (task->closing[i] > 0.0f) {
            tgYield(task, fold, i);
        }
    }
}

void tgMeet(const tgContactTask* task)
{
    if (task->onBone != NULL) {
        memcpy(task->onBone, task->freedom, (size_t)task->mesh->vertexCount * sizeof(float));
    }
    for (int i = 0; i < task->limbs->count; ++i) {
        tgFold fold;
        bool yields = false;
        task->added[i] = 0.0;
        if (!tgMakeFold(task, i, &fold) || !tgFindClosing(task, &fold, &yields)) {
            continue;
        }
        bool moves = yields || task->dualQuaternion; // else skin is only held
        double before = moves ? tgMeasureFaces(task, &fold) : 0.0;
        tgLayDown(task, &fold);
        if (moves) {
            tgPlaceCapCenters(task->mesh, task->positions);
            task->added[i] = tgMeasureFaces(task, &fold) - before;
        }
    }
}

// ---- after --------------------------------------------------------------------------------------

/// How far vertex i is past where a correction may take it: half way through the gap.
static float tgGetPassed(const tgContactTask* task, const tgFold* fold, int i)
{
    float least = tg_gapLeft * tgGetLeast(fold, i);
    return tgGetMovable(task, fold, i) * (least - tgGetHeight(task, fold, i, least));
}

static bool tgHasPassed(const tgContactTask* task, const tgFold* fold)
{
    for (int i = 0; i < fold->count; ++i) {
        if (tgGetPassed(task, fold, i) > 0.0f) {
            return true;
        }
    }
    return false;
}

bool tgMeetAgain(const tgContactTask* task)
{
    bool any = false;
    for (int i = 0; i < task->limbs->count; ++i) {
        tgFold fold;
        task->added[i] = 0.0;
        if (tgMakeFold(task, i, &fold) && tgHasPassed(task, &fold)) {
            double before = tgMeasureFaces(task, &fold);
            for (int k = 0; k < fold.count; ++k) {
                float passed = tgGetPassed(task, &fold, k);
                if (passed > 0.0f) {
                    tgPushBack(task, &fold, k, passed);
                    task->freedom[fold.crease->vertices[k]] = 0.0f;
                }
            }
            tgPlaceCapCenters(task->mesh, task->positions);
            task->added[i] = tgMeasureFaces(task, &fold) - before;
            any = true;
        }
    }
    return any;
}
