// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Tips in pairs across the mirror plane. The source, from which the skeleton is walked, is the
// head: the tip on the plane with the most paired tips near it (ears, horns, arms) that do not
// stand on the floor. Without a plane it is the tip with the most skin about it, the wrist of a
// hand.

#include "bind/tip_pairs.h"

#include <string.h>

/// Fractions of the diagonal: as near as this the reflection of a tip finds its partner; so far
/// apart partners in a pose may be; as near as this the reflection lies on the skin.
static const double tg_pairNear = 0.04, tg_pairFar = 0.3, tg_skinNear = 0.02;
/// By how much partners may differ in their average distance.
static const double tg_pairValue = 0.12;
/// Skin about a tip is measured within this part of the diagonal.
static const double tg_aboutReach = 0.12;
/// Paired tips further from all others on the plane than this part of the largest distance have a
/// head of their own between them.
static const double tg_headless = 0.75;

typedef struct tgPairing {
    const tgSkinNet* net;
    const tgTipRules* rules;
    tgWalker* walker;
    tgTips* tips;
} tgPairing;

static tgVec3d tgTipPlace(const tgPairing* pairing, int i)
{
    return tgSkinNet_Place(pairing->net, pairing->tips->tips[i].vertex);
}

static double tgMeasureToImage(const tgPairing* pairing, int a, int b)
{
    tgVec3d image = tgMirror_Reflect(pairing->rules->mirror, tgTipPlace(pairing, a));
    return tgLengthD(tgSubD(image, tgTipPlace(pairing, b)));
}

/// Pairs whose tips are each other's nearest image; itself counts.
static void tgPairNear(const tgPairing* pairing)
{
    tgTips* tips = pairing->tips;
    double reach = tg_pairNear * pairing->net->diagonal;
    int nearest[tg_mostTips];
    for (int a = 0; a < tips->count; ++a) {
        nearest[a] = -1;
        double best = reach;
        for (int b = 0; b < tips->count; ++b) {
            double distance = tgMeasureToImage(pairing, a, b);
            if (distance <= best) {
                best = distance;
                nearest[a] = b;
            }
        }
    }
    for (int a = 0; a < tips->count; ++a) {
        if (nearest[a] >= 0 && nearest[nearest[a]] == a) {
            tips->tips[a].partner = nearest[a];
        }
    }
}

/// The best partner for a tip among those without one, which stand on the other side.
static int tgFindFarPartner(const tgPairing* pairing, int a)
{
    const tgTips* tips = pairing->tips;
    const tgMirror* mirror = pairing->rules->mirror;
    double best = tg_pairFar * pairing->net->diagonal;
    int found = -1;
    for (int b = 0; b < tips->count; ++b) {
        double value = tips->tips[a].value;
        bool isAlike = fabs(value - tips->tips[b].value) <= tg_pairValue * value;
        bool isAcross = tgMirror_Height(mirror, tgTipPlace(pairing, a)) *
                            tgMirror_Height(mirror, tgTipPlace(pairing, b)) <
                        0.0;
        double distance = tgMeasureToImage(pairing, a, b);
        if (tips->tips[b].partner < 0 && isAlike && isAcross && distance < best) {
            best = distance;
            found = b;
        }
    }
    return found;
}

static void tgPairFar(const tgPairing* pairing)
{
    tgTips* tips = pairing->tips;
    int found[tg_mostTips];
    for (int a = 0; a < tips->count; ++a) {
        found[a] = tips->tips[a].partner < 0 ? tgFindFarPartner(pairing, a) : -1;
    }
    for (int a = 0; a < tips->count; ++a) {
        if (found[a] > a && found[found[a]] == a) {
            tips->tips[a].partner = found[a];
            tips->tips[found[a]].partner = a;
        }
    }
}

static int tgNearestVertex(const tgSkinNet* net, tgVec3d p, double within)
{
    tgClosestPoint place;
    if (!tgBvh_FindClosest(&net->tree, &net->surface, tgVec3d_ToFloat(p), within, &place)) {
        return -1;
    }
    const int* c = net->triangles + 3 * (size_t)place.triangle;
    int best = 0;
    for (int k = 1; k < 3; ++k) {
        best = place.weights[k] > place.weights[best] ? k : best;
    }
    return c[best];
}

/// A tip whose image is on the skin gets its partner there.
static void tgAddPartners(const tgPairing* pairing)
{
    tgTips* tips = pairing->tips;
    int count = tips->count;
    for (int a = 0; a < count && tips->count < tg_mostTips; ++a) {
        tgVec3d place = tgTipPlace(pairing, a);
        double height = fabs(tgMirror_Height(pairing->rules->mirror, place));
        if (tips->tips[a].partner >= 0 || height < tg_skinNear * pairing->net->diagonal) {
            continue;
        }
        int vertex = tgNearestVertex(pairing->net, tgMirror_Reflect(pairing->rules->mirror, place),
                                     tg_skinNear * pairing->net->diagonal);
        bool isTaken = vertex < 0;
        for (int b = 0; b < tips->count; ++b) {
            isTaken = isTaken || tips->tips[b].vertex == vertex;
        }
        if (isTaken) {
            continue;
        }
        tgTip* added = &tips->tips[tips->count];
        *added = tips->tips[a];
        added->vertex = vertex;
        added->value = tips->values[vertex];
        added->fate = tg_tipAdded;
        added->partner = a;
        tips->tips[a].partner = tips->count;
        tips->count += 1;
    }
}

// ---- the source ----

static double tgMeasureAbout(const tgPairing* pairing, int vertex)
{
    tgWalkFrom(pairing->net, pairing->walker, vertex,
               (float)(tg_aboutReach * pairing->net->diagonal));
    double area = 0.0;
    for (int i = 0; i < pairing->walker->reachedCount; ++i) {
        area += pairing->net->areas[pairing->walker->reached[i]];
    }
    return area;
}

/// Distances over the skin from the tips on the plane to all tips.
typedef struct tgMidlines {
    int count;
    int tips[tg_mostTips];
    double largest[tg_mostTips]; ///< distance from each
    double distances[tg_mostTips][tg_mostTips];
    int votes[tg_mostTips];
} tgMidlines;

static bool tgIsMidline(const tgTips* tips, int i)
{
    return tips->tips[i].partner == i;
}

static void tgMeasureMidlines(const tgPairing* pairing, tgMidlines* midlines)
{
    const tgTips* tips = pairing->tips;
    midlines->count = 0;
    for (int i = 0; i < tips->count; ++i) {
        if (!tgIsMidline(tips, i)) {
            continue;
        }
        int m = midlines->count++;
        midlines->tips[m] = i;
        midlines->votes[m] = 0;
        tgWalkFrom(pairing->net, pairing->walker, tips->tips[i].vertex, HUGE_VALF);
        const float* distances = pairing->walker->heap.distances;
        midlines->largest[m] =
            (double)distances[pairing->walker->reached[pairing->walker->reachedCount - 1]];
        for (int b = 0; b < tips->count; ++b) {
            midlines->distances[m][b] = (double)distances[tips->tips[b].vertex];
        }
    }
}

/// Paired tips off the floor that are far from every tip on the plane.
static bool tgIsHeadless(const tgPairing* pairing, const tgMidlines* midlines, int i)
{
    const tgTip* tip = &pairing->tips->tips[i];
    if (tip->partner < 0 || tip->partner == i || tip->isOnFloor) {
        return false;
    }
    for (int m = 0; m < midlines->count; ++m) {
        if (midlines->distances[m][i] <= tg_headless * midlines->largest[m]) {
            return false;
        }
    }
    return true;
}

/// The vertex on the plane with the largest average distance among those that are nearer to
/// headless tips than to others.
static bool tgAddHead(const tgPairing* pairing, const tgMidlines* midlines, tgScratch* scratch)
{
    const tgSkinNet* net = pairing->net;
    tgTips* tips = pairing->tips;
    float* nearest = tgScratch_Take(scratch, (size_t)net->vertexCount, sizeof(float));
    bool* isNearHead = tgScratch_Take(scratch, (size_t)net->vertexCount, sizeof(bool));
    if (scratch->failed) {
        return false;
    }
    bool isAny = false;
    for (int i = 0; i < tips->count; ++i) {
        isAny = isAny || tgIsHeadless(pairing, midlines, i);
    }
    // Fewer than two pairs and a tail are limbs about a hub, not shoulders.
    if (!isAny || tips->count < 4 || tips->count == tg_mostTips) {
        return true;
    }
    for (int v = 0; v < net->vertexCount; ++v) {
        nearest[v] = HUGE_VALF;
    }
    for (int i = 0; i < tips->count; ++i) {
        bool isHeadless = tgIsHeadless(pairing, midlines, i);
        tgWalkFrom(net, pairing->walker, tips->tips[i].vertex, HUGE_VALF);
        for (int v = 0; v < net->vertexCount; ++v) {
            if (pairing->walker->heap.distances[v] < nearest[v]) {
                nearest[v] = pairing->walker->heap.distances[v];
                isNearHead[v] = isHeadless;
            }
        }
    }
    int best = -1;
    for (int v = 0; v < net->vertexCount; ++v) {
        double height = fabs(tgMirror_Height(pairing->rules->mirror, tgSkinNet_Place(net, v)));
        bool isOnPlane = height <= 0.5 * tg_skinNear * net->diagonal;
        if (isOnPlane && isNearHead[v] && (best < 0 || tips->values[v] > tips->values[best])) {
            best = v;
        }
    }
    if (best >= 0) {
        tips->tips[tips->count] = (tgTip){.vertex = best,
                                          .saddle = best,
                                          .value = tips->values[best],
                                          .length = tg_aboutReach * net->diagonal,
                                          .area = net->area,
                                          .fate = tg_tipAdded,
                                          .partner = tips->count};
        tips->count += 1;
    }
    return true;
}

static void tgVote(const tgPairing* pairing, tgMidlines* midlines)
{
    const tgTips* tips = pairing->tips;
    for (int i = 0; i < tips->count; ++i) {
        if (tips->tips[i].partner < 0 || tgIsMidline(tips, i) || tips->tips[i].isOnFloor) {
            continue;
        }
        int best = -1;
        for (int m = 0; m < midlines->count; ++m) {
            if (best < 0 || midlines->distances[m][i] < midlines->distances[best][i]) {
                best = m;
            }
        }
        if (best >= 0) {
            midlines->votes[best] += 1;
        }
    }
}

static void tgChooseByArea(const tgPairing* pairing, const tgMidlines* midlines)
{
    tgTips* tips = pairing->tips;
    int mostVotes = 0;
    double most = -1.0;
    for (int m = 0; m < midlines->count; ++m) {
        mostVotes = midlines->votes[m] > mostVotes ? midlines->votes[m] : mostVotes;
    }
    int count = midlines->count > 0 ? midlines->count : tips->count;
    for (int m = 0; m < count; ++m) {
        int i = midlines->count > 0 ? midlines->tips[m] : m;
        if (midlines->count > 0 && midlines->votes[m] < mostVotes) {
            continue;
        }
        double area = tgMeasureAbout(pairing, tips->tips[i].vertex);
        if (area > most * (1.0 + 1e-9)) {
            most = area;
            tips->source = i;
        }
    }
}

/// The tip nearest to a vertex, or a new one there.
static void tgTakeGivenSource(const tgPairing* pairing)
{
    const tgSkinNet* net = pairing->net;
    tgTips* tips = pairing->tips;
    tgVec3d place = tgSkinNet_Place(net, pairing->rules->givenSource);
    int best = -1;
    double nearest = tg_pairNear * net->diagonal;
    for (int i = 0; i < tips->count; ++i) {
        double distance = tgLengthD(tgSubD(tgTipPlace(pairing, i), place));
        if (distance <= nearest) {
            nearest = distance;
            best = i;
        }
    }
    if (best < 0) {
        best = tips->count < tg_mostTips ? tips->count++ : tg_mostTips - 1;
        bool isMidline = pairing->rules->mirror->isFound &&
                         fabs(tgMirror_Height(pairing->rules->mirror, place)) <=
                             0.5 * tg_pairNear * net->diagonal;
        tips->tips[best] = (tgTip){.vertex = pairing->rules->givenSource,
                                   .saddle = pairing->rules->givenSource,
                                   .value = tips->values[pairing->rules->givenSource],
                                   .length = tg_aboutReach * net->diagonal,
                                   .area = net->area,
                                   .fate = tg_tipAdded,
                                   .partner = isMidline ? best : -1};
    }
    tips->source = best;
}

/// A body that sticks out at one place only: the other end is the vertex furthest from it.
static void tgAddOtherEnd(const tgPairing* pairing)
{
    tgTips* tips = pairing->tips;
    tgWalkFrom(pairing->net, pairing->walker, tips->tips[0].vertex, HUGE_VALF);
    int last = pairing->walker->reached[pairing->walker->reachedCount - 1];
    if (last == tips->tips[0].vertex) {
        return;
    }
    tips->tips[1] = tips->tips[0];
    tips->tips[1].vertex = last;
    tips->tips[1].value = tips->values[last];
    tips->tips[1].fate = tg_tipAdded;
    tips->count = 2;
}

bool tgPairTips(const tgSkinNet* net, const tgTipRules* rules, tgWalker* walker, tgScratch* scratch,
                tgTips* tips)
{
    tgPairing pairing = {net, rules, walker, tips};
    tgMidlines* midlines = tgScratch_Take(scratch, 1, sizeof(tgMidlines));
    if (scratch->failed) {
        return false;
    }
    tips->source = 0;
    bool isBlob = tips->count == 1; // nothing sticks out, so there is nothing to pair
    if (isBlob) {
        tgAddOtherEnd(&pairing);
    }
    if (!isBlob && rules->mirror->isFound) {
        tgPairNear(&pairing);
        tgPairFar(&pairing);
        tgAddPartners(&pairing);
        tgMeasureMidlines(&pairing, midlines);
        if (!tgAddHead(&pairing, midlines, scratch)) {
            return false;
        }
        tgMeasureMidlines(&pairing, midlines);
        tgVote(&pairing, midlines);
    }
    tgChooseByArea(&pairing, midlines);
    if (rules->givenSource >= 0) {
        tgTakeGivenSource(&pairing);
    }
    return true;
}
