// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Hands: a wrist, and fingers side by side with bones in the palm.

#include "bind/placer.h"

/// Hubs of fingers are no further apart than this part of a finger.
static const double tg_palmDepth = 0.35;
static const char* const tg_wristNames[] = {"wrist"};
/// Where the wrist is on the way from the source to the fingers.
static const double tg_wristAt = 0.1;
/// Where the bones in the palm start on the way from the wrist to the knuckles.
static const double tg_palmAt = 0.4;

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

bool tgLooksLikeHand(const tgSketchDef* def)
{
    enum { tg_leastTips = 4, tg_mostHandTips = 7 };
    int count = def->tips->count;
    bool isPalm = false;
    for (int b = 0; b < def->branches->count && !isPalm; ++b) {
        isPalm = def->branches->branches[b].tip < 0 && tgIsPalm(def->branches, b, count - 1);
    }
    return !def->mirror->isFound && count >= tg_leastTips && count <= tg_mostHandTips && isPalm;
}

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

void tgPlaceHand(tgPlacer* placer)
{
    const tgBranches* branches = placer->branches;
    placer->sketch->plan = tg_planHand;
    tgPath_Along(&placer->path, &branches->branches[0], false);
    tgOpenLimb(placer, "hand", tg_wristNames, 0);
    int wrist = tgAddJointAt(placer, -1, tg_wristAt * placer->path.length);
    int fingers[tg_mostBranches];
    int count = tgOrderFingers(placer, fingers);
    for (int i = 0; i < count; ++i) {
        int parent = wrist, tip = branches->branches[fingers[i]].tip;
        if (i > 0) { // a thumb moves at its own root; the others have a bone in the palm
            tgPath_Follow(&placer->path, branches, fingers[i], tip);
            tgVec3d knuckle = tgPath_At(&placer->path, tg_fingerKind.at[0] * placer->path.length);
            tgVec3d root = placer->sketch->joints[wrist].position;
            tgOpenLimb(placer, "palm", NULL, fingers[i])->isNumbered = true;
            parent = tgAddJoint(placer, wrist, tgMixD(root, knuckle, tg_palmAt),
                                tgPath_RadiusAt(&placer->path, 0.0));
        }
        tgPlaceLimb(placer, &tg_fingerKind, placer->def->jointsPerLimb, fingers[i], tip, parent);
    }
}
