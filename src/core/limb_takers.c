// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The takers of a joint: vertices that may take its correction, those of its own limb near the line
// where flesh follows both sides alike; and the faces round them.

#include "core/limb_maker.h"
#include "core/profile.h"

#include <math.h>
#include <string.h>

/// Takers are looked for farther out than the profile reaches: a blend of two places that a bend of
/// 96 degrees parts lies nearer to the joint by so much.
static const float tg_reachSlack = 1.5f;
/// Corrections fade out over this distance along the skin, in limb radii.
static const float tg_fadeEnd = 2.25f;
/// A limb does not end faster than over this distance along the skin, in limb radii.
static const float tg_maskWidth = 0.9f;

/// From this thickness on flesh takes its full part, in limb radii; a round limb has two.
static const float tg_thickEnough = 0.5f;
/// And from this roundness on, where a round limb has one. Of 531 frames of 19 animations 71 turn
/// over more than 1.05 times the faces of plain skinning and 2 without it, 50 with 0.3, 28 with
/// 0.5, 27 with 0.6, where more is left over that finds no place.
static const float tg_roundEnough = 0.5f;

/// Pieces that have faces in the band; only what lost volume is asked to give.
static void tgMarkPieces(const tgLimbMaker* maker, const tgLimb* limb)
{
    memset(maker->lost, 0, (size_t)maker->mesh->componentCount * sizeof(bool));
    for (int i = 0; i < limb->bandCount; ++i) {
        int v = limb->bandVertices[i];
        if (v < maker->mesh->vertexCount) {
            maker->lost[maker->mesh->vertexComponent[v]] = true;
        }
    }
}

/// The line along which flesh follows both sides alike: faces with corners on both sides of W =
/// 1/2.
static void tgMarkMiddle(const tgLimbMaker* maker, const tgPatch* band, float* distances)
{
    for (int f = 0; f < band->triangleCount + band->quadCount; ++f) {
        int size, above = 0;
        const int* corners = tgPatch_GetFace(band, f, &size);
        for (int k = 0; k < size; ++k) {
            above += maker->subtreeWeights[corners[k]] >= 0.5f;
        }
        for (int k = 0; k < size && above > 0 && above < size; ++k) {
            if (corners[k] < maker->mesh->vertexCount) {
                distances[corners[k]] = 0.0f;
            }
        }
    }
}

/// The masks that rise no faster than over the limit, least above or greatest below the given ones.
static void tgSpreadMasks(tgLimbMaker* maker, float limit, bool above)
{
    float* distances = maker->reach.distances;
    for (int v = 0; v < maker->mesh->vertexCount; ++v) {
        distances[v] = limit * (above ? 1.0f - maker->masks[v] : maker->masks[v]);
    }
    tgSpreadReach(&maker->reach, limit);
}

/// Weights that go over steeply would cut a bulge off: masks go over no faster than tg_maskWidth,
/// as far inwards as outwards, so that limbs do not grow.
static void tgSoftenMasks(tgLimbMaker* maker, const tgLimb* limb)
{
    const float* distances = maker->reach.distances;
    float limit = tg_maskWidth * limb->radius;
    tgSpreadMasks(maker, limit, true);
    for (int v = 0; v < maker->mesh->vertexCount; ++v) {
        maker->softened[v] = 1.0f - distances[v] / limit;
    }
    tgSpreadMasks(maker, limit, false);
    for (int v = 0; v < maker->mesh->vertexCount; ++v) {
        float t = 0.5f * (maker->softened[v] + distances[v] / limit);
        maker->masks[v] = t * t * (3.0f - 2.0f * t);
    }
}

/// Fades the masks out with the distance from that line, along the skin: a hip does not move the
/// back.
static void tgFadeMasks(tgLimbMaker* maker, const tgLimb* limb)
{
    float* distances = maker->reach.distances;
    for (int v = 0; v < maker->mesh->vertexCount; ++v) {
        distances[v] = INFINITY;
    }
    tgMarkMiddle(maker, &limb->band, distances);
    float limit = tg_fadeEnd * limb->radius;
    tgSpreadReach(&maker->reach, limit);
    bool any = false;
    for (int v = 0; v < maker->mesh->vertexCount; ++v) {
        any |= distances[v] <= limit;
    }
    for (int v = 0; any && v < maker->mesh->vertexCount; ++v) {
        float t = fmaxf(1.0f - distances[v] / limit, 0.0f);
        maker->masks[v] *= t * t * (3.0f - 2.0f * t);
    }
}

/// What part of its full share skin takes that has so much of what it needs.
static float tgGetPart(float has, float needs)
{
    float t = fminf(has / needs, 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

/// Sheets of skin take little: an ear turns over before it can hold a head's volume.
static void tgSpareThinSkin(tgLimbMaker* maker, const tgLimb* limb)
{
    for (int v = 0; v < maker->mesh->vertexCount; ++v) {
        maker->masks[v] *= tgGetPart(maker->thickness[v], tg_thickEnough * limb->radius);
    }
}

/// So do ridges.
static void tgSpareRidges(tgLimbMaker* maker, const tgLimb* limb)
{
    for (int v = 0; v < maker->mesh->vertexCount; ++v) {
        maker->masks[v] *= tgGetPart(maker->roundness[v], tg_roundEnough * limb->radius);
    }
}

/// The takers' mean thickness, each as far as it takes part.
static float tgGetMeanThickness(const tgLimbMaker* maker, const tgLimb* limb)
{
    double sum = 0.0, total = 0.0;
    for (int i = 0; i < limb->takerCount; ++i) {
        double part = (double)(maker->masks[limb->takers[i]] * maker->areas[limb->takers[i]]);
        sum += part * (double)maker->thickness[limb->takers[i]];
        total += part;
    }
    return total > 0.0 ? (float)(sum / total) : limb->radius;
}

static void tgChooseTakers(tgLimbMaker* maker, tgLimb* limb)
{
    tgVec3 origin = tgGetRestOrigin(maker->skeleton, limb->joint);
    float reach = tg_reachSlack * tgGetProfileReach(limb);
    limb->takerCount = 0;
    for (int v = 0; v < maker->mesh->vertexCount; ++v) {
        int piece = maker->mesh->vertexComponent[v];
        bool takes = piece >= 0 && maker->lost[piece] && maker->masks[v] > 0.0f &&
                     maker->areas[v] > 0.0f && tgDistance(tgGetRestPoint(maker, v), origin) < reach;
        if (takes) {
            float area = maker->def->volume.evenOut ? maker->areas[v] : 1.0f;
            limb->takers[limb->takerCount] = v;
            limb->takerScale[limb->takerCount++] = maker->masks[v] / area;
        }
    }
    for (int i = limb->takerCount; i < tgRoundToLane(limb->takerCount); ++i) {
        limb->takers[i] = limb->takers[0];
        limb->takerScale[i] = 0.0f;
    }
}

/// Takers, then the middles of caps that move along.
static int tgGetMoved(const tgLimbMaker* maker, const tgLimb* limb, int i)
{
    return i < limb->takerCount ? limb->takers[i]
                                : maker->mesh->vertexCount + limb->loops[i - limb->takerCount];
}

/// Slots of the whole mesh to slots of `around`, and the faces in it.
static bool tgCollectAround(tgLimbMaker* maker, tgLimb* limb)
{
    int* newSlot = maker->newSlot;
    const tgMesh* mesh = maker->mesh;
    tgScratch* scratch = maker->scratch;
    int allTriangles = mesh->triangleCount + mesh->capTriangleCount;
    int cornerCount = 0, triangles = 0, quads = 0;
    for (int pass = 0; pass < 2; ++pass) {
        // First count the faces, then number and copy them.
        int triangle = 0, quad = 0;
        for (int i = 0; i < limb->takerCount + limb->loopCount; ++i) {
            int v = tgGetMoved(maker, limb, i);
            for (int k = mesh->cornerStart[v]; k < mesh->cornerStart[v + 1]; ++k) {
                int slot = mesh->cornerSlots[k];
                bool isQuad = slot >= allTriangles;
                int first = isQuad ? allTriangles + (slot - allTriangles) / 4 * 4 : slot;
                cornerCount += pass == 0;
                bool seen = pass == 0 ? newSlot[first] != 0 : newSlot[first] > 0;
                if (seen) {
                    continue;
                }
                newSlot[first] = -1;
                if (pass == 1 && isQuad) {
                    memcpy(limb->around.quads + 4 * (size_t)quad,
                           mesh->quads + (slot - allTriangles) / 4 * 4, 4 * sizeof(int));
                    newSlot[first] = triangles + 4 * quad + 1;
                } else if (pass == 1) {
                    memcpy(limb->around.triangles + 3 * (size_t)triangle,
                           mesh->triangles + 3 * (size_t)slot, 3 * sizeof(int));
                    newSlot[first] = triangle + 1;
                }
                triangle += !isQuad;
                quad += isQuad;
            }
        }
        triangles = triangle;
        quads = quad;
        if (pass == 0 && !tgTakePatch(scratch, &limb->around, triangles, quads)) {
            return false;
        }
    }
    limb->around.triangleCount = triangles;
    limb->around.quadCount = quads;
    limb->slotStart =
        tgScratch_Take(scratch, (size_t)tgRoundToLane(limb->takerCount) + 1, sizeof(int));
    limb->slotList = tgScratch_Take(scratch, (size_t)cornerCount, sizeof(int));
    return !scratch->failed;
}

static void tgListSlots(tgLimbMaker* maker, tgLimb* limb)
{
    int* newSlot = maker->newSlot;
    const tgMesh* mesh = maker->mesh;
    int allTriangles = mesh->triangleCount + mesh->capTriangleCount;
    int count = 0;
    for (int i = 0; i < limb->takerCount; ++i) {
        int v = limb->takers[i];
        limb->slotStart[i] = count;
        for (int k = mesh->cornerStart[v]; k < mesh->cornerStart[v + 1]; ++k) {
            int slot = mesh->cornerSlots[k];
            int corner = slot >= allTriangles ? (slot - allTriangles) % 4 : 0;
            limb->slotList[count++] = newSlot[slot - corner] - 1 + corner;
        }
    }
    for (int i = limb->takerCount; i <= tgRoundToLane(limb->takerCount); ++i) {
        limb->slotStart[i] = count;
    }
    for (int i = 0; i < limb->takerCount + limb->loopCount; ++i) { // clean up for the next joint
        int v = tgGetMoved(maker, limb, i);
        for (int k = mesh->cornerStart[v]; k < mesh->cornerStart[v + 1]; ++k) {
            int slot = mesh->cornerSlots[k];
            newSlot[slot >= allTriangles ? allTriangles + (slot - allTriangles) / 4 * 4 : slot] = 0;
        }
    }
}

/// Takers on boundary loops: they move the middle of the cap along.
static bool tgListLoops(tgLimbMaker* maker, tgLimb* limb)
{
    const tgMesh* mesh = maker->mesh;
    size_t corners = (size_t)mesh->loopStart[mesh->loopCount];
    limb->loops = tgScratch_Take(maker->scratch, (size_t)mesh->loopCount, sizeof(int));
    limb->loopTakers = tgScratch_Take(maker->scratch, corners, sizeof(int));
    limb->loopTakerLoop = tgScratch_Take(maker->scratch, corners, sizeof(int));
    if (maker->scratch->failed) {
        return false;
    }
    for (int i = 0; i < limb->takerCount; ++i) {
        maker->local[limb->takers[i]] = i + 1;
    }
    for (int l = 0; l < mesh->loopCount; ++l) {
        int before = limb->loopTakerCount;
        for (int i = mesh->loopStart[l]; i < mesh->loopStart[l + 1]; ++i) {
            int taker = maker->local[mesh->loopVertices[i]] - 1;
            if (taker >= 0) {
                limb->loopTakers[limb->loopTakerCount] = taker;
                limb->loopTakerLoop[limb->loopTakerCount++] = limb->loopCount;
            }
        }
        if (limb->loopTakerCount > before) {
            limb->loops[limb->loopCount++] = l;
        }
    }
    for (int i = 0; i < limb->takerCount; ++i) {
        maker->local[limb->takers[i]] = 0;
    }
    return true;
}

/// Faces of the band that touch no taker drift all the same.
static bool tgCollectBeside(tgLimbMaker* maker, tgLimb* limb)
{
    const tgPatch* band = &limb->band;
    tgPatch* beside = &limb->beside;
    if (!tgTakePatch(maker->scratch, beside, band->triangleCount, band->quadCount)) {
        return false;
    }
    for (int i = 0; i < limb->takerCount; ++i) {
        maker->local[limb->takers[i]] = 1;
    }
    for (int f = 0; f < band->triangleCount + band->quadCount; ++f) {
        bool isQuad = f >= band->triangleCount, touches = false;
        int size;
        const int* corners = tgPatch_GetFace(band, f, &size);
        for (int k = 0; k < size; ++k) {
            touches |= maker->local[corners[k]] != 0;
        }
        int* to = isQuad ? beside->quads + 4 * (size_t)beside->quadCount
                         : beside->triangles + 3 * (size_t)beside->triangleCount;
        if (!touches) {
            memcpy(to, corners, (size_t)size * sizeof(int));
            beside->quadCount += isQuad;
            beside->triangleCount += !isQuad;
        }
    }
    for (int i = 0; i < limb->takerCount; ++i) {
        maker->local[limb->takers[i]] = 0;
    }
    return true;
}

static void tgWatchCorners(tgLimbMaker* maker, tgLimb* limb, const int* corners, int count)
{
    for (int k = 0; k < count; ++k) {
        if (maker->local[corners[k]] == 0) {
            maker->local[corners[k]] = 1;
            limb->watched[limb->watchedCount++] = corners[k];
        }
    }
}

/// All vertices of the faces that this joint's correction may turn over.
static bool tgListWatched(tgLimbMaker* maker, tgLimb* limb)
{
    const tgPatch* patches[2] = {&limb->around, &limb->beside};
    size_t most = (size_t)(maker->mesh->vertexCount + maker->mesh->loopCount), corners = 0;
    for (int i = 0; i < 2; ++i) {
        corners += 3 * (size_t)patches[i]->triangleCount + 4 * (size_t)patches[i]->quadCount;
    }
    limb->watched = tgScratch_Take(maker->scratch, corners < most ? corners : most, sizeof(int));
    if (maker->scratch->failed) {
        return false;
    }
    for (int i = 0; i < 2; ++i) {
        tgWatchCorners(maker, limb, patches[i]->triangles, 3 * patches[i]->triangleCount);
        tgWatchCorners(maker, limb, patches[i]->quads, 4 * patches[i]->quadCount);
    }
    for (int i = 0; i < limb->watchedCount; ++i) {
        maker->local[limb->watched[i]] = 0;
    }
    return true;
}

/// The list at its own size, in place of the room that all joints share.
static bool tgKeepTakers(tgLimbMaker* maker, tgLimb* limb)
{
    size_t count = (size_t)tgRoundToLane(limb->takerCount);
    limb->takers = tgScratch_Take(maker->scratch, count, sizeof(int));
    limb->takerScale = tgScratch_Take(maker->scratch, count, sizeof(float));
    if (maker->scratch->failed) {
        return false;
    }
    memcpy(limb->takers, maker->takers, count * sizeof(int));
    memcpy(limb->takerScale, maker->takerScale, count * sizeof(float));
    return true;
}

bool tgMakeTakers(tgLimbMaker* maker, tgLimb* limb)
{
    limb->takers = maker->takers;
    limb->takerScale = maker->takerScale;
    tgMarkPieces(maker, limb);
    if (maker->def->volume.limbOnly) {
        tgSoftenMasks(maker, limb);
        tgFadeMasks(maker, limb);
        tgSpareThinSkin(maker, limb);
        tgSpareRidges(maker, limb);
    }
    tgChooseTakers(maker, limb);
    limb->girth = fminf(limb->radius, tgGetMeanThickness(maker, limb));
    if (!tgKeepTakers(maker, limb) || !tgListLoops(maker, limb) || !tgCollectAround(maker, limb)) {
        return false;
    }
    tgListSlots(maker, limb);
    return tgCollectBeside(maker, limb) && tgListWatched(maker, limb);
}
