// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Where to look from: of a few directions the one with the largest projected area. What counts
// against one are holes that it looks into, and a stump: the skin of the first joint that looks
// away from the body, such as a wrist that was cut off.

#include "view.h"

#include "core/rig.h"
#include "draw/camera.h"

/// The usual view stays while it shows so much of what the best one does, and so little of holes.
static const float tg_goodShare = 0.7f, tg_mostHole = 0.04f;
/// What a hole takes away for each of its area.
static const float tg_holeCost = 3.0f;

/// Cosine from the way out of the body within which the first joint's skin is a stump.
static const float tg_stumpCosine = 0.85f;

/// How much of the usual view is in that of a part, over the way out of the body.
static const float tg_usualShare = 0.5f;

/// After the usual one: from other sides, a little below, and above; what comes first wins a draw.
static const struct {
    tgVec3 direction;
    float liking; ///< faces look to the front
} tg_views[] = {
    {{-0.65f, 0.3f, 0.7f}, 1.0f},  {{0.65f, 0.3f, -0.7f}, 0.9f},  {{-0.65f, 0.3f, -0.7f}, 0.9f},
    {{0.35f, 0.9f, 0.6f}, 0.95f},  {{-0.35f, 0.9f, 0.6f}, 0.95f}, {{0.35f, 0.9f, -0.6f}, 0.9f},
    {{-0.35f, 0.9f, -0.6f}, 0.9f},
};
enum { tg_viewCount = sizeof(tg_views) / sizeof(tg_views[0]) };

/// What is seen from a direction.
typedef struct tgOutlook {
    float area; ///< of skin, projected; what lies behind counts too
    float hole; ///< of holes and stumps that look towards it
} tgOutlook;

/// The first joint that moves skin, and from there to the middle of all joints that do.
typedef struct tgTrunk {
    int joint;
    tgVec3 inwards; ///< a unit vector; 0 where there is no such way
} tgTrunk;

/// Of the skin as it stands: joints are where the vertices that follow them most are.
static tgTrunk tgFindTrunk(const tgRig* rig, const tgScene* scene, const tgVec3* positions)
{
    tgTrunk trunk = {.joint = -1};
    tgVec3 own = {0.0f, 0.0f, 0.0f}, all = own;
    int ownCount = 0;
    for (int v = 0; v < scene->vertexCount; ++v) {
        int region = tgRig_GetRegion(rig, v);
        trunk.joint = trunk.joint < 0 || region < trunk.joint ? region : trunk.joint;
    }
    for (int v = 0; v < scene->vertexCount; ++v) {
        all = tgAdd(all, positions[v]);
        if (tgRig_GetRegion(rig, v) == trunk.joint) {
            own = tgAdd(own, positions[v]);
            ownCount += 1;
        }
    }
    tgVec3 way =
        tgSub(tgMulSV(1.0f / (float)scene->vertexCount, all), tgMulSV(1.0f / (float)ownCount, own));
    trunk.inwards = tgNormalize(way, tgMakeVec3(0.0f, 0.0f, 0.0f));
    return trunk;
}

static tgVec3 tgGetFaceArea(const int* corners, int size, const tgVec3* positions)
{
    tgVec3 sum = {0.0f, 0.0f, 0.0f}, origin = positions[corners[0]];
    for (int k = 1; k + 1 < size; ++k) {
        tgVec3 a = tgSub(positions[corners[k]], origin);
        tgVec3 b = tgSub(positions[corners[k + 1]], origin);
        sum = tgMulAdd(sum, 0.5f, tgCross(a, b));
    }
    return sum;
}

/// A loop is walked as its cap would be, seen from outside.
static tgVec3 tgGetLoopArea(const tgMesh* mesh, int loop, const tgVec3* positions)
{
    tgVec3 sum = {0.0f, 0.0f, 0.0f};
    int begin = mesh->loopStart[loop], end = mesh->loopStart[loop + 1];
    tgVec3 origin = positions[mesh->vertexToRender[mesh->loopVertices[begin]]];
    for (int i = begin + 1; i + 1 < end; ++i) {
        tgVec3 a = tgSub(positions[mesh->vertexToRender[mesh->loopVertices[i]]], origin);
        tgVec3 b = tgSub(positions[mesh->vertexToRender[mesh->loopVertices[i + 1]]], origin);
        sum = tgMulAdd(sum, 0.5f, tgCross(a, b));
    }
    return sum;
}

static tgOutlook tgLookFrom(tgVec3 direction, const tgTrunk* trunk, const tgRig* rig,
                            const tgScene* scene, const tgVec3* positions)
{
    tgVec3 view = tgNormalize(direction, direction);
    tgOutlook outlook = {0.0f, 0.0f};
    const int* corners = scene->faceVertices;
    for (int f = 0; f < scene->faceCount; ++f) {
        tgVec3 area = tgGetFaceArea(corners, scene->faceSizes[f], positions);
        float seen = tgDot(view, area);
        outlook.area += 0.5f * fabsf(seen); // front and back of a closed body are seen once
        if (seen > 0.0f && tgDot(area, trunk->inwards) < -tg_stumpCosine * tgLength(area) &&
            tgRig_GetRegion(rig, corners[0]) == trunk->joint) {
            outlook.hole += seen;
        }
        corners += scene->faceSizes[f];
    }
    for (int i = 0; i < rig->mesh.loopCount; ++i) {
        outlook.hole += fmaxf(0.0f, tgDot(view, tgGetLoopArea(&rig->mesh, i, positions)));
    }
    return outlook;
}

static float tgJudge(tgOutlook outlook)
{
    return outlook.area - tg_holeCost * outlook.hole;
}

tgVec3 tgChooseView(const tgRig* rig, const tgScene* scene, const tgVec3* positions)
{
    tgVec3 usual = tgGetViewDirection(tg_viewThreeQuarter), best = usual;
    tgTrunk trunk = tgFindTrunk(rig, scene, positions);
    tgOutlook seen = tgLookFrom(usual, &trunk, rig, scene, positions);
    float most = tgJudge(seen), largest = seen.area;
    for (int i = 0; i < tg_viewCount; ++i) {
        tgOutlook outlook = tgLookFrom(tg_views[i].direction, &trunk, rig, scene, positions);
        float worth = tg_views[i].liking * tgJudge(outlook);
        largest = fmaxf(largest, outlook.area);
        if (worth > most) {
            most = worth;
            best = tg_views[i].direction;
        }
    }
    bool isGood = seen.area >= tg_goodShare * largest && seen.hole <= tg_mostHole * seen.area;
    return isGood ? usual : tgNormalize(best, usual);
}

tgVec3 tgChooseViewOfPart(const tgScene* scene, const tgVec3* positions, const bool* focus)
{
    tgVec3 usual = tgGetViewDirection(tg_viewThreeQuarter);
    tgVec3 part = {0.0f, 0.0f, 0.0f}, all = part;
    int count = 0;
    for (int v = 0; v < scene->vertexCount; ++v) {
        all = tgMulAdd(all, 1.0f / (float)scene->vertexCount, positions[v]);
        part = focus[v] ? tgAdd(part, positions[v]) : part;
        count += focus[v];
    }
    tgVec3 outwards = tgSub(tgMulSV(1.0f / (float)(count > 0 ? count : 1), part), all);
    outwards.y = 0.0f; // from above or below little is seen of a body that stands
    tgVec3 level = tgNormalize(outwards, usual);
    return tgNormalize(tgMulAdd(level, tg_usualShare, usual), usual);
}
