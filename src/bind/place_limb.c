// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Limbs by proportions: where artists put joints on the limbs of twenty characters, in lengths of
// the limb from the first loop that goes round it alone to its tip.

#include "bind/placer.h"

static const tgLimbKind tg_toeKind = {.base = "toe", .at = {0.0, 0.36, 0.73}, .count = 3};
const tgLimbKind tg_limbKind = {.base = "limb", .at = {0.0, 0.36, 0.73}, .count = 3};
const tgLimbKind tg_earKind = {.base = "ear", .at = {0.0, 0.36, 0.73}, .count = 3};
const tgLimbKind tg_tailKind = {.base = "tail", .isAlone = true};
const tgLimbKind tg_fingerKind = {
    .base = "finger", .at = {-0.25, 0.32, 0.67}, .count = 3, .sides = &tg_limbKind};
const tgLimbKind tg_armKind = {.base = "arm",
                               .names = {"shoulder", "elbow", "wrist"},
                               .at = {-0.11, 0.32, 0.66},
                               .count = 3,
                               .hasFingers = true};
const tgLimbKind tg_legKind = {.base = "leg",
                               .names = {"hip", "knee", "ankle", "toe"},
                               .at = {-0.12, 0.31, 0.72, 0.87},
                               .count = 4,
                               .sides = &tg_toeKind};
const tgLimbKind tg_forelegKind = {.base = "foreleg",
                                   .names = {"shoulder", "elbow", "carpus", "forefoot"},
                                   .at = {-0.27, 0.0, 0.37, 0.78},
                                   .count = 4,
                                   .sides = &tg_toeKind};
const tgLimbKind tg_hindlegKind = {.base = "hindleg",
                                   .names = {"hip", "knee", "hock", "hindfoot"},
                                   .at = {-0.27, 0.0, 0.37, 0.78},
                                   .count = 4,
                                   .sides = &tg_toeKind};

/// An ear or a horn has three joints when it is longer than so many radii, else one.
static const double tg_longEar = 3.0;
/// An ear that is shorter than this part of the way from the hub to its tip started late: its joint
/// stands at that part of the way.
static const double tg_lateEar = 0.4, tg_earAt = 0.6;
/// Fingers leave an arm beyond this part of it.
static const double tg_fingersFrom = 0.45;

int tgAddJoint(tgPlacer* placer, int parent, tgVec3d p, double radius)
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

int tgAddJointAt(tgPlacer* placer, int parent, double at)
{
    return tgAddJoint(placer, parent, tgPath_At(&placer->path, at),
                      tgPath_RadiusAt(&placer->path, at));
}

tgSketchLimb* tgOpenLimb(tgPlacer* placer, const char* base, const char* const* names, int branch)
{
    tgSketch* sketch = placer->sketch;
    if (sketch->limbCount < tg_mostSketchLimbs) {
        sketch->limbCount += 1;
    }
    tgSketchLimb* limb = &sketch->limbs[sketch->limbCount - 1];
    *limb = (tgSketchLimb){.base = base,
                           .names = names,
                           .first = sketch->jointCount,
                           .branch = branch,
                           .mirror = -1,
                           .isSymmetric = placer->branches->branches[branch].isSymmetric};
    return limb;
}

tgVec3d tgGetTip(const tgPlacer* placer, int tip)
{
    return tgSkinNet_Place(placer->def->net, placer->def->tips->tips[tip].vertex);
}

void tgEndAtTip(tgPlacer* placer, int joint, int tip)
{
    placer->sketch->joints[joint].hasTail = true;
    placer->sketch->joints[joint].tail = tgGetTip(placer, tip);
    placer->sketch->joints[joint].tip = tip;
}

/// The places of a limb's joints on the placer's path. More or fewer than the kind has: spread
/// evenly over the same range.
static int tgSpreadJoints(const tgPlacer* placer, const tgLimbKind* kind, int count,
                          double at[tg_mostLimbJoints])
{
    bool isOwn = count == 0 || count == kind->count;
    count = isOwn ? kind->count : count < tg_mostLimbJoints ? count : tg_mostLimbJoints;
    double end = kind->at[0] + (1.0 - kind->at[0]) * (double)(count - 1) / (double)count;
    for (int k = 0; k < count; ++k) {
        double t = count > 1 ? (double)k / (double)(count - 1) : 0.0;
        at[k] = isOwn ? kind->at[k] : kind->at[0] + t * (end - kind->at[0]);
        at[k] *= placer->path.length;
    }
    return count;
}

int tgLayLimb(tgPlacer* placer, const tgLimbKind* kind, int count, int branch, int tip, int parent)
{
    double at[tg_mostLimbJoints];
    count = tgSpreadJoints(placer, kind, count, at);
    bool isNamed = kind->names[0] != NULL && count == kind->count;
    tgSketchLimb* limb = tgOpenLimb(placer, kind->base, isNamed ? kind->names : NULL, branch);
    limb->isNumbered = kind->names[0] == NULL && !kind->isAlone;
    for (int k = 0; k < count; ++k) {
        parent = tgAddJointAt(placer, parent, at[k]);
    }
    tgEndAtTip(placer, parent, tip);
    return parent;
}

static bool tgIsPathSymmetric(const tgBranches* branches, int branch, int tip)
{
    bool isSymmetric = true;
    for (int b = branch; b >= 0 && isSymmetric; b = tgFindChild(branches, b, tip)) {
        isSymmetric = branches->branches[b].isSymmetric;
    }
    return isSymmetric;
}

static void tgPlaceSides(tgPlacer* placer, const tgLimbKind* kind, int count, int branch, int tip,
                         int first);

int tgPlaceLimb(tgPlacer* placer, const tgLimbKind* kind, int count, int branch, int tip,
                int parent)
{
    int first = placer->sketch->jointCount;
    tgPath_Follow(&placer->path, placer->branches, branch, tip);
    int last = tgLayLimb(placer, kind, count, branch, tip, parent);
    placer->sketch->limbs[placer->sketch->limbCount - 1].isSymmetric =
        tgIsPathSymmetric(placer->branches, branch, tip);
    placer->isPlaced[branch] = true;
    tgPlaceSides(placer, kind, count, branch, tip, first);
    return last;
}

/// Where only the end of one has a curve of its own, one joint stands between the hub and that.
void tgPlaceAppendage(tgPlacer* placer, const tgLimbKind* kind, int branch, int parent)
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
    tgPlaceLimb(placer, kind, count, branch, tip, parent);
    if (isLate && first < placer->sketch->jointCount) {
        double t = fmin(tg_earAt * whole / (whole - length), 1.0);
        placer->sketch->joints[first].position = tgMulAddD(hub, t, before);
    }
}

/// What branches off a limb on its way to its tip: fingers of arms, else toes and spikes.
/// @param first the limb's first joint; its curve is the placer's path
static void tgPlaceSides(tgPlacer* placer, const tgLimbKind* kind, int count, int branch, int tip,
                         int first)
{
    const tgBranches* branches = placer->branches;
    const tgLimbKind* sides = kind->sides != NULL ? kind->sides : kind;
    double at[tg_mostLimbJoints];
    count = tgSpreadJoints(placer, kind, count, at);
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
        bool isFinger = kind->hasFingers && walked > tg_fingersFrom * length;
        hasFingers = hasFingers || isFinger;
        for (int c = 0; c < branches->count; ++c) {
            if (branches->branches[c].parent != b || c == leaf) {
                continue;
            }
            if (isFinger) {
                tgPlaceLimb(placer, &tg_fingerKind, 0, c, tgFindFarthest(branches, c),
                            first + count - 1);
            } else {
                tgPlaceAppendage(placer, sides, c, parent);
            }
        }
    }
    if (hasFingers && leaf >= 0 && leaf != branch) {
        tgPlaceLimb(placer, &tg_fingerKind, 0, leaf, tip, first + count - 1);
    }
}
