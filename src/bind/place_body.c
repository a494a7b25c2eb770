// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The trunk goes along the axis from the tail over the hips to the head; its joints stand where
// hips and shoulders are, and where the body narrows to a neck. Legs, arms, tail and whatever else
// leaves the axis start from its joints.

#include "bind/placer.h"

/// Of the diagonal: the joints of tails and trunks are so far apart; what goes on so far beyond the
/// head is a trunk.
static const double tg_tailStep = 0.07, tg_trunkStep = 0.06, tg_leastTrunk = 0.22;
/// A neck goes on while the body is no thicker than this, times its thinnest place.
static const double tg_neckToBody = 1.8, tg_neckToHead = 1.5;
/// The spine of a quadruped lies towards the back, in radii.
static const double tg_spineLift = 0.3;

static const char* const tg_spineNames[] = {"pelvis", "spine1", "spine2", "chest"};
static const char* const tg_headNames[] = {"head"};

// ---- the axis ----

/// The first place of the axis, from `from` on, that lies past p along a direction.
static double tgFindPast(const tgPlacer* placer, double from, tgVec3d p, tgVec3d direction)
{
    enum { tg_steps = 512 };
    const tgLimbPath* axis = &placer->axis;
    for (int i = 0; i <= tg_steps; ++i) {
        double at = from + (axis->length - from) * (double)i / tg_steps;
        if (tgDotD(tgSubD(tgPath_At(axis, at), p), direction) >= 0.0) {
            return at;
        }
    }
    return from;
}

typedef struct tgNeck {
    double from, to; ///< places on the axis
    double radius;   ///< at its thinnest
} tgNeck;

/// The thinnest place between chest and head, grown both ways.
static tgNeck tgFindNeck(const tgPlacer* placer, double chest, double head)
{
    enum { tg_steps = 200 };
    const tgLimbPath* axis = &placer->axis;
    double step = (head - chest) / tg_steps;
    int thinnest = 0;
    double radius = HUGE_VAL;
    for (int i = 0; i <= tg_steps; ++i) {
        double r = tgPath_RadiusAt(axis, chest + step * i);
        if (r < radius) {
            radius = r;
            thinnest = i;
        }
    }
    int low = thinnest, high = thinnest;
    while (low > 0 && tgPath_RadiusAt(axis, chest + step * (low - 1)) < tg_neckToBody * radius) {
        low -= 1;
    }
    while (high < tg_steps &&
           tgPath_RadiusAt(axis, chest + step * (high + 1)) < tg_neckToHead * radius) {
        high += 1;
    }
    return (tgNeck){chest + step * low, chest + step * high, radius};
}

/// Where the first joints of a pair of limbs will stand, in the middle between them.
static tgVec3d tgFindMiddle(tgPlacer* placer, const tgLimbKind* kind, const tgTipPair* pair)
{
    tgVec3d sum = {0};
    for (int k = 0; k < 2; ++k) {
        tgPath_Follow(&placer->path, placer->branches, pair->limbs[k],
                      tgFindFarthest(placer->branches, pair->limbs[k]));
        tgVec3d p = tgPath_At(&placer->path, kind->at[0] * placer->path.length);
        sum = tgMulAddD(sum, 0.5, p);
    }
    return sum;
}

// ---- the trunk ----

/// Joints along the axis, which are each other's children.
typedef struct tgTrunk {
    int count;
    int joints[48];
    double at[48];
} tgTrunk;

static int tgAddTrunk(tgPlacer* placer, tgTrunk* trunk, double at, double lift)
{
    double radius = tgPath_RadiusAt(&placer->axis, at);
    tgVec3d p = tgMulAddD(tgPath_At(&placer->axis, at), lift * radius, placer->def->up);
    int parent = trunk->count > 0 ? trunk->joints[trunk->count - 1] : -1;
    int joint = tgAddJoint(placer, parent, p, radius);
    if (trunk->count < (int)(sizeof(trunk->joints) / sizeof(trunk->joints[0]))) {
        trunk->joints[trunk->count] = joint;
        trunk->at[trunk->count++] = at;
    }
    return joint;
}

/// The joint of the trunk before a place on the axis.
static int tgFindTrunkJoint(const tgTrunk* trunk, double at)
{
    int found = 0;
    for (int i = 1; i < trunk->count; ++i) {
        found = trunk->at[i] <= at ? i : found;
    }
    return trunk->joints[found];
}

/// The first hub beyond the shoulders; without one, three quarters of the way.
static double tgFindHeadHub(const tgPlacer* placer, const tgBodyParts* parts, double chest,
                            bool* isHub)
{
    int below = parts->hasFore ? parts->fore.hub : parts->hind.hub;
    double nearest = HUGE_VAL;
    for (int b = 0; b < placer->branches->count; ++b) {
        if (placer->isOnAxis[b] && b != below && tgIsAbove(placer->branches, b, below) &&
            placer->hubAt[b] > chest) {
            nearest = fmin(nearest, placer->hubAt[b]);
        }
    }
    *isHub = nearest < HUGE_VAL;
    return *isHub ? nearest : chest + 0.75 * (placer->axis.length - chest);
}

/// @return the head's joint
static int tgPlaceHead(tgPlacer* placer, const tgBodyParts* parts, double chest, tgTrunk* trunk)
{
    bool isHub;
    double headHub = tgFindHeadHub(placer, parts, chest, &isHub);
    double diagonal = placer->def->net->diagonal, beyond = placer->axis.length - headHub;
    tgNeck neck = tgFindNeck(placer, chest, headHub);
    double from = fmax(neck.from, chest + 0.1 * (neck.to - chest));
    int count = tgClampCount((neck.to - from) / (tg_neckStep * fmax(neck.radius, 1e-9)), 1, 5);
    tgOpenLimb(placer, "neck", NULL, 0);
    for (int k = 0; k < count; ++k) {
        tgAddTrunk(placer, trunk, from + (neck.to - from) * (double)k / count, 0.0);
    }
    tgOpenLimb(placer, "head", tg_headNames, 0);
    int head = tgAddTrunk(placer, trunk, neck.to, 0.0), last = head;
    if (isHub && beyond > tg_leastTrunk * diagonal) {
        count = tgClampCount(beyond / (tg_trunkStep * diagonal), 3, 8);
        tgOpenLimb(placer, "trunk", NULL, 0);
        for (int k = 0; k < count; ++k) {
            last = tgAddTrunk(placer, trunk, headHub + beyond * (double)k / count, 0.0);
        }
    }
    tgEndAtTip(placer, last, placer->def->tips->source);
    return head;
}

/// @return the head's joint
static int tgPlaceSpine(tgPlacer* placer, const tgBodyParts* parts, tgTrunk* trunk)
{
    const tgLimbPath* axis = &placer->axis;
    double hipAt = placer->hubAt[parts->hind.hub];
    double start = fmax(hipAt - 2.0 * placer->branches->branches[parts->hind.hub].hubRadius, 0.0);
    double chest = hipAt + 0.55 * (axis->length - hipAt);
    tgVec3d hips = tgFindMiddle(placer, parts->hindKind, &parts->hind);
    tgVec3d shoulders = parts->hasFore ? tgFindMiddle(placer, parts->foreKind, &parts->fore)
                                       : tgPath_At(axis, chest);
    tgVec3d along = tgSubD(shoulders, hips);
    along = parts->isQuadruped ? tgFlattenD(along, placer->def->up) : along;
    double pelvis = tgFindPast(placer, start, hips, along);
    if (parts->hasFore) {
        chest = tgFindPast(placer, pelvis, shoulders, along);
    }
    double lift = parts->isQuadruped ? tg_spineLift : 0.0;
    tgOpenLimb(placer, "spine", tg_spineNames, 0);
    for (int k = 0; k < 4; ++k) {
        tgAddTrunk(placer, trunk, pelvis + (chest - pelvis) * (double)k / 3.0, lift);
    }
    return tgPlaceHead(placer, parts, chest, trunk);
}

// ---- what leaves it ----

/// @param lasts receives the last joints of both
static void tgPlacePairOf(tgPlacer* placer, const tgLimbKind* kind, const tgTipPair* pair,
                          int parent, int lasts[2])
{
    for (int k = 0; k < 2; ++k) {
        lasts[k] = tgPlaceLimb(placer, kind, placer->def->jointsPerLimb, pair->limbs[k],
                               tgFindFarthest(placer->branches, pair->limbs[k]), parent);
    }
}

static void tgPlaceTail(tgPlacer* placer, const tgBodyParts* parts, int pelvis)
{
    int branch =
        parts->tail >= 0 ? tgFindChild(placer->branches, parts->hind.hub, parts->tail) : -1;
    if (branch < 0) {
        return;
    }
    double length = tgMeasureToTip(placer->branches, branch, parts->tail);
    int count = tgClampCount(length / (tg_tailStep * placer->def->net->diagonal), 2, 8);
    tgPlaceLimb(placer, &tg_tailKind, count, branch, parts->tail, pelvis);
}

/// Whatever leaves the axis and is no leg, arm or tail.
static void tgPlaceRest(tgPlacer* placer, const tgTrunk* trunk, int headJoint)
{
    const tgBranches* branches = placer->branches;
    for (int b = 0; b < branches->count; ++b) {
        int hub = branches->branches[b].parent;
        if (hub < 0 || !placer->isOnAxis[hub] || placer->isOnAxis[b] || placer->isPlaced[b]) {
            continue;
        }
        int parent = tgFindTrunkJoint(trunk, placer->hubAt[hub]);
        tgPlaceAppendage(placer, parent >= headJoint ? &tg_earKind : &tg_limbKind, b, parent);
    }
}

/// toe - ankle of both legs, or chest - pelvis.
/// @param feet the last joints of both legs
static void tgFindForward(tgPlacer* placer, bool isQuadruped, const tgTrunk* trunk,
                          const int feet[2])
{
    tgSketch* sketch = placer->sketch;
    tgVec3d forward = {0};
    if (isQuadruped) {
        forward = tgSubD(sketch->joints[trunk->joints[3]].position,
                         sketch->joints[trunk->joints[0]].position);
    } else {
        for (int k = 0; k < 2; ++k) {
            const tgSketchJoint* foot = &sketch->joints[feet[k]];
            if (sketch->limbs[foot->limb].count > 1) {
                forward = tgAddD(forward, tgSubD(foot->tail, foot[-1].position));
            }
        }
    }
    sketch->forward = tgFlattenD(forward, placer->def->up);
}

void tgPlaceBody(tgPlacer* placer, const tgBodyParts* parts)
{
    tgTrunk trunk = {0};
    int feet[2], hands[2];
    placer->sketch->plan = parts->isQuadruped ? tg_planQuadruped : tg_planBiped;
    int head = tgPlaceSpine(placer, parts, &trunk);
    tgPlacePairOf(placer, parts->hindKind, &parts->hind, trunk.joints[0], feet);
    if (parts->hasFore) {
        tgPlacePairOf(placer, parts->foreKind, &parts->fore, trunk.joints[3], hands);
    }
    tgPlaceTail(placer, parts, trunk.joints[0]);
    tgPlaceRest(placer, &trunk, head);
    tgFindForward(placer, parts->isQuadruped, &trunk, feet);
}
