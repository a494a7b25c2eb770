// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The band of a joint: the faces that bend with it, neither standing still nor turning rigidly
// (2009 s.3.2), and how far their flesh drifts.

#include "core/limb_maker.h"
#include "core/power.h"

#include <math.h>
#include <string.h>

/// pi / 2: a tube's faces look along any direction across it by 2 / pi in the mean.
static const double tg_allRound = 1.57079632679489662;

/// Not all corners stand still, and not all turn rigidly.
static bool tgBends(const float* weights, const int* corners, int size)
{
    int still = 0, rigid = 0;
    for (int k = 0; k < size; ++k) {
        still += weights[corners[k]] == 0.0f;
        rigid += weights[corners[k]] == 1.0f;
    }
    return still < size && rigid < size;
}

static void tgMarkCorners(tgLimbMaker* maker, tgLimb* limb, const int* corners, int size)
{
    for (int k = 0; k < size; ++k) {
        limb->bandCount += maker->local[corners[k]] == 0;
        maker->local[corners[k]] = 1;
    }
}

/// Half the cross product of the diagonals, or of two sides of a triangle: the vector area.
void tgAddArea(const tgLimbMaker* maker, const int* corners, int size, double area[3])
{
    tgVec3 a = tgGetRestPoint(maker, corners[0]), b = tgGetRestPoint(maker, corners[1]);
    tgVec3 c = tgGetRestPoint(maker, corners[2]);
    tgVec3 d = size == 4 ? tgGetRestPoint(maker, corners[3]) : a;
    tgVec3 cross = tgCross(tgSub(c, a), tgSub(d, b));
    area[0] += 0.5 * (double)cross.x;
    area[1] += 0.5 * (double)cross.y;
    area[2] += 0.5 * (double)cross.z;
}

/// The edges of a face that bends which turn rigidly, the other way round: so the face beyond has
/// them. Those between two faces that bend come in both directions and cancel.
static void tgAddBorder(const tgLimbMaker* maker, tgLimb* limb, const int* corners, int size,
                        bool fill)
{
    for (int k = 0; k < size; ++k) {
        int a = corners[k], b = corners[(k + 1) % size];
        if (maker->subtreeWeights[a] == 1.0f && maker->subtreeWeights[b] == 1.0f) {
            if (fill) {
                limb->border[2 * limb->borderCount] = b;
                limb->border[2 * limb->borderCount + 1] = a;
            }
            limb->borderCount += 1;
        }
    }
}

/// Goes over all faces: counts those that bend, or with room in the limb, fills them in.
static void tgSortFaces(tgLimbMaker* maker, tgLimb* limb, bool fill)
{
    const tgMesh* mesh = maker->mesh;
    tgPatch* band = &limb->band;
    band->triangleCount = band->quadCount = limb->bandCount = limb->borderCount = 0;
    int triangleCount = mesh->triangleCount + mesh->capTriangleCount;
    for (int f = 0; f < triangleCount + mesh->quadCount; ++f) {
        bool isQuad = f >= triangleCount;
        int size = isQuad ? 4 : 3;
        const int* corners = isQuad ? mesh->quads + 4 * (size_t)(f - triangleCount)
                                    : mesh->triangles + 3 * (size_t)f;
        if (!tgBends(maker->subtreeWeights, corners, size)) {
            continue;
        }
        tgAddBorder(maker, limb, corners, size, fill);
        if (fill) {
            size_t at = isQuad ? 4 * (size_t)band->quadCount : 3 * (size_t)band->triangleCount;
            memcpy((isQuad ? band->quads : band->triangles) + at, corners,
                   (size_t)size * sizeof(int));
            tgMarkCorners(maker, limb, corners, size);
        }
        band->quadCount += isQuad;
        band->triangleCount += !isQuad;
    }
}

/// Lists what was marked: vertices that joints have bent up to here, those still rigid, caps'
/// middles.
static void tgListBand(tgLimbMaker* maker, tgLimb* limb)
{
    int vertexCount = maker->mesh->vertexCount, count = 0;
    for (int v = 0; v < vertexCount; ++v) {
        float w = maker->subtreeWeights[v];
        maker->blended[v] |= w > 0.0f && w < 1.0f;
    }
    for (int rigid = 0; rigid < 2; ++rigid) {
        for (int v = 0; v < vertexCount; ++v) {
            if (maker->local[v] != 0 && maker->blended[v] != rigid) {
                limb->bandVertices[count++] = v;
            }
        }
        limb->blendedCount = rigid ? limb->blendedCount : count;
    }
    limb->skinnedCount = count;
    for (int l = 0; l < maker->mesh->loopCount; ++l) {
        if (maker->local[vertexCount + l] != 0) {
            limb->bandVertices[count++] = vertexCount + l;
        }
    }
}

/// Loops of caps that bend must be in the list whole, so that their middles can be placed.
static void tgAddCapLoops(tgLimbMaker* maker, tgLimb* limb)
{
    const tgMesh* mesh = maker->mesh;
    for (int l = 0; l < mesh->loopCount; ++l) {
        float w = maker->subtreeWeights[mesh->vertexCount + l];
        if (w == 0.0f || w == 1.0f) {
            continue;
        }
        int begin = mesh->loopStart[l], end = mesh->loopStart[l + 1];
        tgMarkCorners(maker, limb, mesh->loopVertices + begin, end - begin);
    }
}

bool tgTakePatch(tgScratch* scratch, tgPatch* patch, int triangles, int quads)
{
    patch->triangles = tgScratch_Take(scratch, 3 * (size_t)triangles, sizeof(int));
    patch->quads = tgScratch_Take(scratch, 4 * (size_t)quads, sizeof(int));
    return !scratch->failed;
}

/// a R (4 W (1 - W))^b of the organic profile, for the joint's first profile.
static float tgGetDrift(const tgLimbMaker* maker, const tgLimb* limb, int v)
{
    float w = maker->subtreeWeights[v];
    bool still = limb->profileCount == 0 || v >= maker->mesh->vertexCount || w <= 0.0f || w >= 1.0f;
    return still ? 0.0f
                 : limb->profiles[0].drift * limb->radius *
                       tgRaise(4.0f * w * (1.0f - w), fminf(limb->profiles[0].driftFocus, 64.0f));
}

/// How far the weights take to go over, in limb radii: 1 over their mean slope across W = 1/2.
/// Where they jump from one ring to the next, a drift would shear the ring apart.
static float tgGetTransition(const tgLimbMaker* maker, const tgLimb* limb)
{
    const tgPatch* band = &limb->band;
    double slopes = 0.0;
    int count = 0;
    for (int f = 0; f < band->triangleCount + band->quadCount; ++f) {
        int size;
        const int* corners = tgPatch_GetFace(band, f, &size);
        float steepest = 0.0f;
        for (int k = 0; k < size; ++k) {
            int a = corners[k], b = corners[(k + 1) % size];
            float wa = maker->subtreeWeights[a], wb = maker->subtreeWeights[b];
            float length = tgDistance(tgGetRestPoint(maker, a), tgGetRestPoint(maker, b));
            bool crosses = (wa >= 0.5f) != (wb >= 0.5f) && length > 0.0f;
            steepest = crosses ? fmaxf(steepest, fabsf(wa - wb) / length) : steepest;
        }
        slopes += (double)steepest;
        count += steepest > 0.0f;
    }
    return slopes > 0.0 ? (float)(count / slopes) / limb->radius : 1.0f;
}

/// How far the skin that bends goes all round the joint. The vector areas of a tube's faces cancel;
/// those of a shoulder's add up, and their sum is taken against that of their sizes: 2 / pi of it
/// would lie along any direction if the faces looked evenly to all sides across it.
static float tgGetBalance(const tgLimbMaker* maker, const tgLimb* limb)
{
    const tgPatch* band = &limb->band;
    double net[3] = {0.0, 0.0, 0.0}, total = 0.0;
    for (int f = 0; f < band->triangleCount + band->quadCount; ++f) {
        int size;
        const int* corners = tgPatch_GetFace(band, f, &size);
        double area[3] = {0.0, 0.0, 0.0}, bends = 0.0;
        tgAddArea(maker, corners, size, area);
        for (int k = 0; k < size; ++k) {
            double w = (double)maker->subtreeWeights[corners[k]];
            bends += w * (1.0 - w);
        }
        for (int axis = 0; axis < 3; ++axis) {
            net[axis] += bends * area[axis];
        }
        total += bends * sqrt(area[0] * area[0] + area[1] * area[1] + area[2] * area[2]);
    }
    double unmet = sqrt(net[0] * net[0] + net[1] * net[1] + net[2] * net[2]);
    return total > 0.0 ? (float)fmax(1.0 - tg_allRound * unmet / total, 0.0) : 1.0f;
}

bool tgMakeBand(tgLimbMaker* maker, tgLimb* limb)
{
    tgScratch* scratch = maker->scratch;
    tgSortFaces(maker, limb, false);
    int triangles = limb->band.triangleCount, quads = limb->band.quadCount;
    if (triangles + quads == 0) {
        return true;
    }
    limb->border = tgScratch_Take(scratch, 2 * (size_t)limb->borderCount, sizeof(int));
    if (!tgTakePatch(scratch, &limb->band, triangles, quads)) {
        return false;
    }
    tgSortFaces(maker, limb, true);
    tgAddCapLoops(maker, limb);
    size_t most = (size_t)tgRoundToLane(limb->bandCount);
    limb->bandVertices = tgScratch_Take(scratch, most, sizeof(int));
    limb->bandWeights = tgScratch_Take(scratch, most, sizeof(float));
    limb->bandDrift = tgScratch_Take(scratch, most, sizeof(float));
    if (scratch->failed) {
        return false;
    }
    tgListBand(maker, limb);
    limb->balance = tgGetBalance(maker, limb);
    // On a shoulder flesh would drift in on one side and come out on none.
    float gentle = limb->balance * fminf(tgGetTransition(maker, limb), 1.0f);
    for (int i = 0; i < tgRoundToLane(limb->bandCount); ++i) {
        int v = limb->bandVertices[i < limb->bandCount ? i : 0];
        limb->bandVertices[i] = v;
        limb->bandWeights[i] = maker->subtreeWeights[v];
        limb->bandDrift[i] = gentle * tgGetDrift(maker, limb, v);
        limb->drifts |= limb->bandDrift[i] != 0.0f;
        maker->local[v] = 0;
    }
    return true;
}
