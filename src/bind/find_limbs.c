// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Which tips are legs, arms and tail: limbs come in pairs across the mirror plane, legs stand on
// the floor, and arms leave the axis between hips and head.

#include "bind/placer.h"

/// Arms leave the axis in this part of the way from the hips to the end of the head; ears do later.
static const double tg_armReach = 0.8;
/// Of the height: as high feet may be above the floor.
static const double tg_footReach = 0.08;

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

/// Of the pairs off the floor the one with the longest limbs below the head.
static void tgFindArms(const tgPlacer* placer, const tgTipPair* pairs, int count,
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
}

/// Of the two pairs that stand, forelegs are those nearer to the head.
static bool tgFindForelegs(const tgPlacer* placer, const tgTipPair* pairs, tgBodyParts* parts)
{
    const tgBranches* branches = placer->branches;
    tgVec3d head = tgGetTip(placer, placer->def->tips->source);
    bool isDeeper = pairs[1].hub != pairs[0].hub && tgIsAbove(branches, pairs[0].hub, pairs[1].hub);
    bool isFurther = pairs[1].hub == pairs[0].hub &&
                     tgLengthD(tgSubD(tgGetTip(placer, pairs[1].tips[0]), head)) >
                         tgLengthD(tgSubD(tgGetTip(placer, pairs[0].tips[0]), head));
    bool isSwapped = isDeeper || isFurther;
    parts->hind = pairs[isSwapped ? 1 : 0];
    parts->fore = pairs[isSwapped ? 0 : 1];
    parts->hasFore = true;
    return tgIsAbove(branches, parts->fore.hub, parts->hind.hub);
}

bool tgFindLimbs(tgPlacer* placer, tgBodyParts* parts)
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
    *parts = (tgBodyParts){.isQuadruped = isQuadruped,
                           .hindKind = isQuadruped ? &tg_hindlegKind : &tg_legKind,
                           .foreKind = isQuadruped ? &tg_forelegKind : &tg_armKind,
                           .hind = pairs[0]};
    if (isQuadruped && !tgFindForelegs(placer, pairs, parts)) {
        return false;
    }
    parts->tail = tgFindTail(placer, parts->hind.hub);
    tgLayAxis(placer, parts->hind.hub, parts->tail);
    if (!isQuadruped) {
        tgFindArms(placer, pairs, count, parts);
    }
    return true;
}
