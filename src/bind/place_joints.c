// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Joints by proportions: where artists put them on the limbs of twenty characters, in lengths of
// the limb from the first loop that goes round it alone to its tip. The trunk goes along the axis
// from the tail over the hips to the head; its joints stand where hips and shoulders are, and where
// the body narrows to a neck.

#include "bind/sketch.h"

#include <stdlib.h>
#include <string.h>

enum { tg_mostKindJoints = 4, tg_mostLimbJoints = 32 };

/// Where the joints of a limb are and what they are called.
typedef struct tgLimbKind {
    const char* base;
    const char* names[tg_mostKindJoints]; ///< NULL: numbered
    double at[tg_mostKindJoints];
    int count;
    bool isAlone; ///< there is one of it: "tail3", not "tail1_3"
} tgLimbKind;

static const tgLimbKind tg_arm = {"arm", {"shoulder", "elbow", "wrist"}, {-0.11, 0.32, 0.66}, 3};
static const tgLimbKind tg_leg = {
    "leg", {"hip", "knee", "ankle", "toe"}, {-0.12, 0.31, 0.72, 0.87}, 4};
static const tgLimbKind tg_foreleg = {
    "foreleg", {"shoulder", "elbow", "carpus", "forefoot"}, {-0.27, 0.0, 0.37, 0.78}, 4};
static const tgLimbKind tg_hindleg = {
    "hindleg", {"hip", "knee", "hock", "hindfoot"}, {-0.27, 0.0, 0.37, 0.78}, 4};
static const tgLimbKind tg_finger = {"finger", {NULL}, {-0.25, 0.32, 0.67}, 3};
static const tgLimbKind tg_limb = {"limb", {NULL}, {0.0, 0.36, 0.73}, 3};
static const tgLimbKind tg_ear = {"ear", {NULL}, {0.0, 0.36, 0.73}, 3};
static const tgLimbKind tg_tail = {"tail", {NULL}, {0.0}, 0, true};
static const tgLimbKind tg_toe = {"toe", {NULL}, {0.0, 0.36, 0.73}, 3};

/// An ear or a horn has three joints when it is longer than so many radii, else one.
static const double tg_longEar = 3.0;
/// An ear that is shorter than this part of the way from the hub to its tip started late: its joint
/// stands at that part of the way.
static const double tg_lateEar = 0.4, tg_earAt = 0.6;
/// Of the diagonal: the joints of tails and trunks are so far apart; what goes on so far beyond the
/// head is a trunk.
static const double tg_tailStep = 0.07, tg_trunkStep = 0.06, tg_leastTrunk = 0.22;
/// A neck goes on while the body is no thicker than this, times its thinnest place.
static const double tg_neckToBody = 1.8, tg_neckToHead = 1.5;
/// Its joints stand so many radii apart.
static const double tg_neckStep = 3.0;
/// The spine of a quadruped lies towards the back, in radii.
static const double tg_spineLift = 0.3;
/// Arms leave the axis in this part of the way from the hips to the end of the head; ears do later.
static const double tg_armReach = 0.8;
/// Fingers leave an arm beyond this part of it.
static const double tg_fingersFrom = 0.45;
/// Of the height: as high feet may be above the floor.
static const double tg_footReach = 0.08;

typedef struct tgPlacer {
    const tgSketchDef* def;
    const tgBranches* branches;
    tgSketch* sketch;
    tgLimbPath path;
    tgLimbPath axis;
    double hubAt[tg_mostBranches]; ///< of branches on the axis: where their hubs are on it
    bool isOnAxis[tg_mostBranches];
    bool isPlaced[tg_mostBranches]; ///< a limb starts there already
} tgPlacer;

// ---- joints and limbs ----

static int tgAddJoint(tgPlacer* placer, int parent, tgVec3d p, double radius)
{
    tgSketch* sketch = placer->sketch;
    if (sketch->jointCount == tg_mostSketchJoints) {
        return sketch->jointCount - 1;
    }
    tgSketchJoint* joint = &sketch->joints[sketch->jointCount];
    *joint = (tgSketchJoint){.limb = sketch->limbCount - 1,
                             .parent = parent,
                             .mirror = -1,
                             .tip = -1,
                             .position = p,
                             .radius = radius};
    sketch->limbs[joint->limb].count += 1;
    return sketch->jointCount++;
}

/// What is added next belongs to a new limb.
static void tgOpenLimb(tgPlacer* placer, const char* base, const char* const* names, int branch)
{
    tgSketch* sketch = placer->sketch;
    if (sketch->limbCount < tg_mostSketchLimbs) {
        sketch->limbCount += 1;
    }
    sketch->limbs[sketch->limbCount - 1] =
        (tgSketchLimb){.base = base,
                       .names = names,
                       .first = sketch->jointCount,
                       .branch = branch,
                       .mirror = -1,
                       .isSymmetric = placer->branches->branches[branch].isSymmetric};
}

static tgVec3d tgGetTip(const tgPlacer* placer, int tip)
{
    return tgSkinNet_Place(placer->def->net, placer->def->tips->tips[tip].vertex);
}

static void tgEndAtTip(tgPlacer* placer, int joint, int tip)
{
    placer->sketch->joints[joint].hasTail = true;
    placer->sketch->joints[joint].tail = tgGetTip(placer, tip);
    placer->sketch->joints[joint].tip = tip;
}

/// The places of a limb's joints, in its lengths. More or fewer than the kind has: spread evenly
/// over the same range.
static int tgSpreadJoints(const tgLimbKind* kind, int count, double at[tg_mostLimbJoints])
{
    if (count == 0 || count == kind->count) {
        memcpy(at, kind->at, (size_t)kind->count * sizeof(double));
        return kind->count;
    }
    count = count < tg_mostLimbJoints ? count : tg_mostLimbJoints;
    double end = kind->at[0] + (1.0 - kind->at[0]) * (double)(count - 1) / (double)count;
    for (int k = 0; k < count; ++k) {
        double t = count > 1 ? (double)k / (double)(count - 1) : 0.0;
        at[k] = kind->at[0] + t * (end - kind->at[0]);
    }
    return count;
}

static bool tgIsPathSymmetric(const tgBranches* branches, int branch, int tip)
{
    bool isSymmetric = true;
    for (int b = branch; b >= 0 && isSymmetric; b = tgFindChild(branches, b, tip)) {
        isSymmetric = branches->branches[b].isSymmetric;
    }
    return isSymmetric;
}

static void tgPlaceSides(tgPlacer* placer, const tgLimbKind* kind, int branch, int tip, int first,
                         const double* at, int count);

/// A limb from the start of a branch to a tip, and what branches off it.
/// @param count joints; 0: as the kind has it
/// @return its last joint
static int tgPlaceLimb(tgPlacer* placer, const tgLimbKind* kind, int branch, int tip, int parent,
                       int count)
{
    double at[tg_mostLimbJoints];
    tgPath_Follow(&placer->path, placer->branches, branch, tip);
    count = tgSpreadJoints(kind, count, at);
    bool isNamed = kind->names[0] != NULL && count == kind->count;
    tgOpenLimb(placer, kind->base, isNamed ? kind->names : NULL, branch);
    tgSketchLimb* limb = &placer->sketch->limbs[placer->sketch->limbCount - 1];
    limb->isNumbered = kind->names[0] == NULL && !kind->isAlone;
    limb->isSymmetric = tgIsPathSymmetric(placer->branches, branch, tip);
    placer->isPlaced[branch] = true;
    int first = placer->sketch->jointCount;
    double length = placer->path.length;
    for (int k = 0; k < count; ++k) {
        parent = tgAddJoint(placer, parent, tgPath_At(&placer->path, at[k] * length),
                            tgPath_RadiusAt(&placer->path, at[k] * length));
        at[k] *= length;
    }
    tgEndAtTip(placer, parent, tip);
    tgPlaceSides(placer, kind, branch, tip, first, at, count);
    return parent;
}

/// Ears, horns, spikes: one joint, or three. Where only the end of one has a curve of its own, one
/// joint stands between the hub and that.
static int tgPlaceAppendage(tgPlacer* placer, const tgLimbKind* kind, int branch, int parent)
{
    int tip = tgFindFarthest(placer->branches, branch);
    const tgBranch* start = &placer->branches->branches[branch];
    double length = tgMeasureToTip(placer->branches, branch, tip);
    tgVec3d hub = placer->branches->branches[start->parent].hub;
    tgVec3d before = tgSubD(start->points[0], hub);
    double whole = length + tgLengthD(before);
    bool isLate = length < tg_lateEar * whole;
    int count = length > tg_longEar * start->radius && !isLate ? 3 : 1;
    count = placer->def->jointsPerLimb > 0 ? placer->def->jointsPerLimb : count;
    int first = placer->sketch->jointCount;
    int last = tgPlaceLimb(placer, kind, branch, tip, parent, count);
    if (isLate && first < placer->sketch->jointCount) {
        double t = fmin(tg_earAt * whole / (whole - length), 1.0);
        placer->sketch->joints[first].position = tgMulAddD(hub, t, before);
    }
    return last;
}

/// What branches off a limb on its way to its tip: fingers of arms, else toes and spikes.
static void tgPlaceSides(tgPlacer* placer, const tgLimbKind* kind, int branch, int tip, int first,
                         const double* at, int count)
{
    const tgBranches* branches = placer->branches;
    double length = tgMeasureToTip(branches, branch, tip), walked = 0.0;
    int leaf = branch;
    bool hasFingers = false;
    for (int b = branch; b >= 0 && branches->branches[b].tip < 0;
         b = tgFindChild(branches, b, tip)) {
        walked += branches->branches[b].length;
        leaf = tgFindChild(branches, b, tip);
        int parent = first;
        for (int k = 1; k < count; ++k) {
            parent = at[k] <= walked ? first + k : parent;
        }
        bool isFinger = kind == &tg_arm && walked > tg_fingersFrom * length;
        hasFingers = hasFingers || isFinger;
        for (int c = 0; c < branches->count; ++c) {
            if (branches->branches[c].parent != b || c == leaf) {
                continue;
            }
            if (isFinger) {
                tgPlaceLimb(placer, &tg_finger, c, tgFindFarthest(branches, c), first + count - 1,
                            0);
            } else {
                bool isFoot = kind == &tg_leg || kind == &tg_foreleg || kind == &tg_hindleg;
                tgPlaceAppendage(placer,
                                 isFoot               ? &tg_toe
                                 : kind == &tg_finger ? &tg_limb
                                                      : kind,
                                 c, parent);
            }
        }
    }
    if (hasFingers && leaf >= 0 && leaf != branch) {
        tgPlaceLimb(placer, &tg_finger, leaf, tip, first + count - 1, 0);
    }
}

// ---- the axis ----

/// From the tail, or from the hips when there is none, to the source.
static void tgLayAxis(tgPlacer* placer, int hipHub, int tail)
{
    const tgBranches* branches = placer->branches;
    int indices[tg_mostBranches];
    placer->axis.count = 0;
    if (tail >= 0) {
        int leaf = -1;
        for (int b = 0; b < branches->count; ++b) {
            leaf = branches->branches[b].tip == tail ? b : leaf;
        }
        for (int b = leaf; b >= 0 && b != hipHub; b = branches->branches[b].parent) {
            tgPath_AddBranch(&placer->axis, &branches->branches[b], true);
        }
    }
    for (int b = hipHub; b >= 0; b = branches->branches[b].parent) {
        indices[b] = placer->axis.count;
        placer->isOnAxis[b] = true;
        tgPath_AddBranch(&placer->axis, &branches->branches[b], true);
    }
    tgPath_Finish(&placer->axis);
    for (int b = hipHub; b >= 0; b = branches->branches[b].parent) {
        placer->hubAt[b] = placer->axis.lengths[indices[b]];
    }
}

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

static int tgClampCount(double wanted, int least, int most)
{
    return (int)fmin(fmax(floor(wanted + 0.5), (double)least), (double)most);
}

// ---- bodies with legs ----

/// Two tips, one on each side, whose limbs part at a hub.
typedef struct tgTipPair {
    int tips[2];
    int hub;
    int limbs[2];  ///< the branches they start with
    double height; ///< above the floor
    double length;
} tgTipPair;

static int tgListPairs(const tgPlacer* placer, tgTipPair* pairs)
{
    const tgTips* tips = placer->def->tips;
    int count = 0;
    for (int i = 0; i < tips->count; ++i) {
        int other = tips->tips[i].partner;
        if (other <= i || i == tips->source || other == tips->source) {
            continue;
        }
        tgTipPair pair = {.tips = {i, other}, .hub = tgFindCommon(placer->branches, i, other)};
        if (pair.hub < 0) {
            continue;
        }
        pair.limbs[0] = tgFindChild(placer->branches, pair.hub, i);
        pair.limbs[1] = tgFindChild(placer->branches, pair.hub, other);
        if (pair.limbs[0] < 0 || pair.limbs[1] < 0 || pair.limbs[0] == pair.limbs[1]) {
            continue;
        }
        pair.length = tgMeasureToTip(placer->branches, pair.limbs[0], i);
        double heights[2];
        for (int k = 0; k < 2; ++k) {
            heights[k] =
                tgDotD(tgGetTip(placer, pair.tips[k]), placer->def->up) - placer->def->floor;
        }
        pair.height = fmax(heights[0], heights[1]);
        int same = -1; // fingers of one hand: the longest stands for the arm
        for (int k = 0; k < count; ++k) {
            same =
                pairs[k].limbs[0] == pair.limbs[0] || pairs[k].limbs[0] == pair.limbs[1] ? k : same;
        }
        if (same < 0) {
            pairs[count++] = pair;
        } else {
            double height = fmin(pairs[same].height, pair.height);
            pairs[same] = pair.length > pairs[same].length ? pair : pairs[same];
            pairs[same].height = height;
        }
    }
    return count;
}

static bool tgIsAbove(const tgBranches* branches, int above, int b)
{
    while (b >= 0 && b != above) {
        b = branches->branches[b].parent;
    }
    return b == above;
}

/// The pairs that stand on the floor come first, the lowest first.
static void tgSortPairs(tgTipPair* pairs, int count)
{
    for (int i = 1; i < count; ++i) {
        tgTipPair pair = pairs[i];
        int at = i;
        for (; at > 0 && pairs[at - 1].height > pair.height; --at) {
            pairs[at] = pairs[at - 1];
        }
        pairs[at] = pair;
    }
}

typedef struct tgBodyParts {
    tgTipPair hind; ///< the legs, or the hind legs
    tgTipPair fore; ///< arms or forelegs
    bool hasFore;
    int tail; ///< a tip, -1 for none
    tgVec3d hips, shoulders;
} tgBodyParts;

/// The tip on the plane that lies furthest beyond the hips.
static int tgFindTail(const tgPlacer* placer, int hipHub)
{
    const tgTips* tips = placer->def->tips;
    int best = -1;
    double furthest = 0.0;
    for (int i = 0; i < tips->count; ++i) {
        int child = tgFindChild(placer->branches, hipHub, i);
        if (tips->tips[i].partner != i || i == tips->source || child < 0 ||
            placer->branches->branches[child].mirror != child) {
            continue;
        }
        double length = tgMeasureToTip(placer->branches, child, i);
        if (length > furthest) {
            furthest = length;
            best = i;
        }
    }
    return best;
}

/// Of the pairs off the floor the one with the longest limbs below the head.
static bool tgFindArms(const tgPlacer* placer, const tgTipPair* pairs, int count,
                       tgBodyParts* parts)
{
    double hip = placer->hubAt[parts->hind.hub];
    for (int i = 0; i < count; ++i) {
        if (!tgIsAbove(placer->branches, pairs[i].hub, parts->hind.hub) ||
            pairs[i].limbs[0] == parts->hind.limbs[0] ||
            pairs[i].limbs[0] == parts->hind.limbs[1]) {
            continue;
        }
        double part = (placer->hubAt[pairs[i].hub] - hip) / (placer->axis.length - hip);
        if (part < tg_armReach && (!parts->hasFore || pairs[i].length > parts->fore.length)) {
            parts->fore = pairs[i];
            parts->hasFore = true;
        }
    }
    return parts->hasFore;
}

static void tgPlacePairOf(tgPlacer* placer, const tgLimbKind* kind, const tgTipPair* pair,
                          int parent)
{
    for (int k = 0; k < 2; ++k) {
        tgPlaceLimb(placer, kind, pair->limbs[k], tgFindFarthest(placer->branches, pair->limbs[k]),
                    parent, placer->def->jointsPerLimb);
    }
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

static const char* const tg_spineNames[] = {"pelvis", "spine1", "spine2", "chest"};
static const char* const tg_headNames[] = {"head"};

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

static void tgPlaceHead(tgPlacer* placer, const tgBodyParts* parts, double chest, tgTrunk* trunk)
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
    int last = tgAddTrunk(placer, trunk, neck.to, 0.0);
    if (isHub && beyond > tg_leastTrunk * diagonal) {
        count = tgClampCount(beyond / (tg_trunkStep * diagonal), 3, 8);
        tgOpenLimb(placer, "trunk", NULL, 0);
        for (int k = 0; k < count; ++k) {
            last = tgAddTrunk(placer, trunk, headHub + beyond * (double)k / count, 0.0);
        }
    }
    tgEndAtTip(placer, last, placer->def->tips->source);
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
    tgPlaceLimb(placer, &tg_tail, branch, parts->tail, pelvis, count);
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
        tgPlaceAppendage(placer, parent >= headJoint ? &tg_ear : &tg_limb, b, parent);
    }
}

static void tgPlaceSpine(tgPlacer* placer, tgBodyParts* parts, bool isQuadruped, tgTrunk* trunk)
{
    const tgLimbKind* hindKind = isQuadruped ? &tg_hindleg : &tg_leg;
    const tgLimbKind* foreKind = isQuadruped ? &tg_foreleg : &tg_arm;
    const tgLimbPath* axis = &placer->axis;
    double hipAt = placer->hubAt[parts->hind.hub];
    double start = fmax(hipAt - 2.0 * placer->branches->branches[parts->hind.hub].hubRadius, 0.0);
    parts->hips = tgFindMiddle(placer, hindKind, &parts->hind);
    double pelvis = hipAt, chest = hipAt + 0.55 * (axis->length - hipAt);
    tgVec3d along = tgSubD(tgPath_At(axis, chest), parts->hips);
    if (parts->hasFore) {
        parts->shoulders = tgFindMiddle(placer, foreKind, &parts->fore);
        along = tgSubD(parts->shoulders, parts->hips);
    }
    if (isQuadruped) {
        along = tgMulAddD(along, -tgDotD(along, placer->def->up), placer->def->up);
    }
    pelvis = tgFindPast(placer, start, parts->hips, along);
    if (parts->hasFore) {
        chest = tgFindPast(placer, pelvis, parts->shoulders, along);
    }
    double lift = isQuadruped ? tg_spineLift : 0.0;
    tgOpenLimb(placer, "spine", tg_spineNames, 0);
    for (int k = 0; k < 4; ++k) {
        tgAddTrunk(placer, trunk, pelvis + (chest - pelvis) * (double)k / 3.0, lift);
    }
    tgPlaceHead(placer, parts, chest, trunk);
}

/// toe - ankle of both legs, or chest - pelvis.
static void tgFindForward(tgPlacer* placer, bool isQuadruped, const tgTrunk* trunk, int legs)
{
    tgSketch* sketch = placer->sketch;
    tgVec3d forward = {0};
    if (isQuadruped) {
        forward = tgSubD(sketch->joints[trunk->joints[3]].position,
                         sketch->joints[trunk->joints[0]].position);
    } else {
        for (int k = legs; k < sketch->limbCount; ++k) {
            const tgSketchLimb* limb = &sketch->limbs[k];
            if (strcmp(limb->base, "leg") == 0 && limb->count > 1) {
                const tgSketchJoint* last = &sketch->joints[limb->first + limb->count - 1];
                forward = tgAddD(forward, tgSubD(last->tail, last[-1].position));
            }
        }
    }
    sketch->forward = tgMulAddD(forward, -tgDotD(forward, placer->def->up), placer->def->up);
}

static void tgPlaceBody(tgPlacer* placer, tgBodyParts* parts, bool isQuadruped)
{
    tgTrunk trunk = {0};
    tgPlaceSpine(placer, parts, isQuadruped, &trunk);
    int headJoint = -1;
    for (int i = 0; i < placer->sketch->limbCount; ++i) {
        const tgSketchLimb* limb = &placer->sketch->limbs[i];
        headJoint = limb->names == tg_headNames ? limb->first : headJoint;
    }
    int legs = placer->sketch->limbCount;
    tgPlacePairOf(placer, isQuadruped ? &tg_hindleg : &tg_leg, &parts->hind, trunk.joints[0]);
    if (parts->hasFore) {
        tgPlacePairOf(placer, isQuadruped ? &tg_foreleg : &tg_arm, &parts->fore, trunk.joints[3]);
    }
    tgPlaceTail(placer, parts, trunk.joints[0]);
    tgPlaceRest(placer, &trunk, headJoint);
    tgFindForward(placer, isQuadruped, &trunk, legs);
}

/// Legs by the floor, arms by the axis; false when there are not as many as the plan wants.
static bool tgTryBody(tgPlacer* placer)
{
    const tgSketchDef* def = placer->def;
    tgTipPair pairs[tg_mostTips];
    int count = tgListPairs(placer, pairs), feet = 0;
    tgSortPairs(pairs, count);
    while (feet < count && pairs[feet].height <= tg_footReach * def->height) {
        feet += 1;
    }
    bool isQuadruped = def->plan == tg_planQuadruped || (def->plan == tg_planAuto && feet == 2);
    bool isBiped = def->plan == tg_planBiped || (def->plan == tg_planAuto && feet == 1);
    if ((!isBiped && !isQuadruped) || count < (isQuadruped ? 2 : 1)) {
        return false;
    }
    tgBodyParts parts = {.hind = pairs[0], .tail = -1};
    if (isQuadruped) {
        parts.hasFore = true;
        parts.fore = pairs[1];
        bool isDeeper = parts.fore.hub != parts.hind.hub &&
                        tgIsAbove(placer->branches, parts.hind.hub, parts.fore.hub);
        tgVec3d head = tgGetTip(placer, def->tips->source);
        bool isFurther = parts.fore.hub == parts.hind.hub &&
                         tgLengthD(tgSubD(tgGetTip(placer, parts.fore.tips[0]), head)) >
                             tgLengthD(tgSubD(tgGetTip(placer, parts.hind.tips[0]), head));
        if (isDeeper || isFurther) {
            parts.hind = pairs[1];
            parts.fore = pairs[0];
        }
        if (!tgIsAbove(placer->branches, parts.fore.hub, parts.hind.hub)) {
            return false;
        }
    }
    parts.tail = tgFindTail(placer, parts.hind.hub);
    tgLayAxis(placer, parts.hind.hub, parts.tail);
    if (!isQuadruped) {
        tgFindArms(placer, pairs, count, &parts);
    }
    placer->sketch->plan = isQuadruped ? tg_planQuadruped : tg_planBiped;
    tgPlaceBody(placer, &parts, isQuadruped);
    return true;
}

// ---- hands ----

/// Hubs of fingers are no further apart than this part of a finger.
static const double tg_palmDepth = 0.35;
static const char* const tg_wristNames[] = {"wrist"};
/// Where the wrist is on the way from the source to the fingers.
static const double tg_wristAt = 0.1;
/// Where the bones in the palm start on the way from the wrist to the knuckles.
static const double tg_palmAt = 0.4;

/// Branches that end in tips, side by side; the one that ends nearest to the wrist, the thumb, is
/// the first or the last, and the first it shall be.
static int tgOrderFingers(const tgPlacer* placer, int* fingers)
{
    const tgBranches* branches = placer->branches;
    tgVec3d wrist = tgGetTip(placer, placer->def->tips->source);
    tgVec3d across = {0};
    int count = 0;
    for (int b = 1; b < branches->count; ++b) {
        if (branches->branches[b].tip >= 0) {
            fingers[count++] = b;
        }
    }
    for (int i = 0; i < count; ++i) { // between the two tips that are furthest apart
        for (int j = i + 1; j < count; ++j) {
            tgVec3d apart = tgSubD(tgGetTip(placer, branches->branches[fingers[j]].tip),
                                   tgGetTip(placer, branches->branches[fingers[i]].tip));
            across = tgLengthD(apart) > tgLengthD(across) ? apart : across;
        }
    }
    tgVec3d along = tgSubD(branches->branches[0].hub, wrist);
    double square = tgDotD(along, along);
    across = square > 0.0 ? tgMulAddD(across, -tgDotD(across, along) / square, along) : across;
    for (int i = 1; i < count; ++i) {
        int finger = fingers[i], at = i;
        double place = tgDotD(tgGetTip(placer, branches->branches[finger].tip), across);
        for (; at > 0 &&
               tgDotD(tgGetTip(placer, branches->branches[fingers[at - 1]].tip), across) > place;
             --at) {
            fingers[at] = fingers[at - 1];
        }
        fingers[at] = finger;
    }
    double ends[2];
    for (int k = 0; k < 2 && count > 0; ++k) {
        int tip = branches->branches[fingers[k == 0 ? 0 : count - 1]].tip;
        ends[k] = tgLengthD(tgSubD(tgGetTip(placer, tip), wrist));
    }
    for (int i = 0; i < count / 2 && ends[1] < ends[0]; ++i) {
        int swapped = fingers[i];
        fingers[i] = fingers[count - 1 - i];
        fingers[count - 1 - i] = swapped;
    }
    return count;
}

static void tgPlaceHand(tgPlacer* placer)
{
    const tgBranches* branches = placer->branches;
    placer->sketch->plan = tg_planHand;
    placer->path.count = 0;
    tgPath_AddBranch(&placer->path, &branches->branches[0], false);
    tgPath_Finish(&placer->path);
    double at = tg_wristAt * placer->path.length;
    tgOpenLimb(placer, "hand", tg_wristNames, 0);
    int wrist =
        tgAddJoint(placer, -1, tgPath_At(&placer->path, at), tgPath_RadiusAt(&placer->path, at));
    int fingers[tg_mostBranches];
    int count = tgOrderFingers(placer, fingers);
    for (int i = 0; i < count; ++i) {
        int parent = wrist;
        if (i > 0) { // a thumb moves at its own root; the others have a bone in the palm
            tgPath_Follow(&placer->path, branches, fingers[i], branches->branches[fingers[i]].tip);
            tgVec3d knuckle = tgPath_At(&placer->path, tg_finger.at[0] * placer->path.length);
            tgVec3d root = placer->sketch->joints[wrist].position;
            tgOpenLimb(placer, "palm", NULL, fingers[i]);
            placer->sketch->limbs[placer->sketch->limbCount - 1].isNumbered = true;
            tgVec3d p = tgAddD(tgMulSVD(1.0 - tg_palmAt, root), tgMulSVD(tg_palmAt, knuckle));
            parent = tgAddJoint(placer, wrist, p, tgPath_RadiusAt(&placer->path, 0.0));
        }
        tgPlaceLimb(placer, &tg_finger, fingers[i], branches->branches[fingers[i]].tip, parent,
                    placer->def->jointsPerLimb);
    }
}

// ---- limbs about hubs ----

static const char* const tg_rootNames[] = {"root"};

/// A chain along a body without hubs: a snake, a tube.
static void tgPlaceChain(tgPlacer* placer)
{
    const tgBranch* branch = &placer->branches->branches[0];
    placer->path.count = 0;
    tgPath_AddBranch(&placer->path, branch, false);
    tgPath_Finish(&placer->path);
    double length = placer->path.length, radius = 0.0;
    for (int k = 0; k < tg_branchPoints; ++k) {
        radius = fmax(radius, branch->radii[k]);
    }
    int count = placer->def->jointsPerLimb > 0
                    ? placer->def->jointsPerLimb
                    : tgClampCount(length / (tg_neckStep * fmax(radius, 1e-9)), 1, 12);
    int parent = -1;
    tgOpenLimb(placer, "spine", NULL, 0);
    for (int k = 0; k < count; ++k) {
        double at = count == 1 ? 0.5 * length : length * (double)k / count;
        at = fmax(at, fmin(radius, 0.05 * length));
        parent = tgAddJoint(placer, parent, tgPath_At(&placer->path, at),
                            tgPath_RadiusAt(&placer->path, at));
    }
    if (count > 1) {
        tgEndAtTip(placer, parent, branch->tip);
    }
}

/// Joints from a hub outwards along all branches there but the one it was reached by. A branch is
/// walked backwards when it leads to the source.
static void tgGrowFromHub(tgPlacer* placer, int hub, int cameBy, int parent)
{
    const tgBranches* branches = placer->branches;
    for (int b = 0; b < branches->count; ++b) {
        bool isBack = b == hub;
        if (b == cameBy || (!isBack && branches->branches[b].parent != hub)) {
            continue;
        }
        const tgBranch* branch = &branches->branches[b];
        int end = isBack ? branch->parent : b;
        bool isLeaf = isBack ? end < 0 : branch->tip >= 0;
        if (isLeaf && !isBack) {
            tgPlaceLimb(placer, &tg_limb, b, branch->tip, parent, placer->def->jointsPerLimb);
            continue;
        }
        placer->path.count = 0;
        tgPath_AddBranch(&placer->path, branch, isBack);
        tgPath_Finish(&placer->path);
        double length = placer->path.length;
        if (isLeaf) { // the way back to the source is a limb too
            double at[tg_mostLimbJoints];
            int count = tgSpreadJoints(&tg_limb, placer->def->jointsPerLimb, at);
            tgOpenLimb(placer, tg_limb.base, NULL, b);
            placer->sketch->limbs[placer->sketch->limbCount - 1].isNumbered = true;
            int last = parent;
            for (int k = 0; k < count; ++k) {
                last = tgAddJoint(placer, last, tgPath_At(&placer->path, at[k] * length),
                                  tgPath_RadiusAt(&placer->path, at[k] * length));
            }
            tgEndAtTip(placer, last, placer->def->tips->source);
            continue;
        }
        int between =
            tgClampCount(length / (2.0 * tg_neckStep * fmax(branch->radius, 1e-9)) - 1.0, 0, 4);
        tgOpenLimb(placer, "hub", NULL, b);
        placer->sketch->limbs[placer->sketch->limbCount - 1].isNumbered = true;
        int last = parent;
        for (int k = 0; k < between; ++k) {
            double at = length * (double)(k + 1) / (between + 1);
            last = tgAddJoint(placer, last, tgPath_At(&placer->path, at),
                              tgPath_RadiusAt(&placer->path, at));
        }
        last = tgAddJoint(placer, last, branches->branches[end].hub,
                          branches->branches[end].hubRadius);
        tgGrowFromHub(placer, end, b, last);
    }
}

static void tgPlaceAnyhow(tgPlacer* placer)
{
    const tgBranches* branches = placer->branches;
    placer->sketch->plan = tg_planNone;
    int thickest = -1;
    for (int b = 0; b < branches->count; ++b) {
        if (branches->branches[b].tip < 0 &&
            (thickest < 0 ||
             branches->branches[b].hubRadius > branches->branches[thickest].hubRadius)) {
            thickest = b;
        }
    }
    if (thickest < 0) {
        tgPlaceChain(placer);
        return;
    }
    tgOpenLimb(placer, "root", tg_rootNames, thickest);
    int root = tgAddJoint(placer, -1, branches->branches[thickest].hub,
                          branches->branches[thickest].hubRadius);
    tgGrowFromHub(placer, thickest, -1, root);
    tgVec3d source = tgGetTip(placer, placer->def->tips->source);
    tgVec3d forward = tgSubD(source, placer->sketch->joints[root].position);
    placer->sketch->forward =
        tgMulAddD(forward, -tgDotD(forward, placer->def->up), placer->def->up);
}

/// All tips but the thumb's leave from nearly one place: below some hub the branches between hubs
/// are short beside the fingers.
static bool tgIsPalm(const tgBranches* branches, int hub, int tipCount)
{
    double between = 0.0, fingers = 0.0;
    int count = 0;
    for (int b = 0; b < branches->count; ++b) {
        const tgBranch* branch = &branches->branches[b];
        if (b == hub || !tgIsAbove(branches, hub, b)) {
            continue;
        }
        if (branch->tip >= 0) {
            fingers += branch->length;
            count += 1;
        } else {
            between = fmax(between, branch->length);
        }
    }
    return count >= 3 && count + 1 >= tipCount && between * count < tg_palmDepth * fingers;
}

static bool tgLooksLikeHand(const tgSketchDef* def)
{
    enum { tg_leastTips = 4, tg_mostHandTips = 7 };
    int count = def->tips->count;
    bool isPalm = false;
    for (int b = 0; b < def->branches->count && !isPalm; ++b) {
        isPalm = def->branches->branches[b].tip < 0 && tgIsPalm(def->branches, b, count - 1);
    }
    return !def->mirror->isFound && count >= tg_leastTips && count <= tg_mostHandTips && isPalm;
}

bool tgPlaceJoints(const tgSketchDef* def, tgScratch* scratch, tgSketch* sketch)
{
    tgPlacer* placer = tgScratch_Take(scratch, 1, sizeof(tgPlacer));
    if (scratch->failed) {
        return false;
    }
    *placer = (tgPlacer){.def = def, .branches = def->branches, .sketch = sketch};
    if (!tgOpenPath(def->branches, scratch, &placer->path) ||
        !tgOpenPath(def->branches, scratch, &placer->axis)) {
        return false;
    }
    sketch->jointCount = sketch->limbCount = 0;
    sketch->forward = (tgVec3d){0};
    bool hasHubs = def->branches->count > 1;
    bool wantsHand = def->plan == tg_planHand || (def->plan == tg_planAuto && tgLooksLikeHand(def));
    if (hasHubs && def->mirror->isFound && def->plan != tg_planNone && def->plan != tg_planHand &&
        tgTryBody(placer)) {
        return true;
    }
    if (hasHubs && wantsHand) {
        tgPlaceHand(placer);
    } else {
        tgPlaceAnyhow(placer);
    }
    return true;
}
