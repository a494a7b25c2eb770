// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Joints on the curves: of a body with legs, of a hand, or else of limbs about hubs.

#include "bind/placer.h"

static const char* const tg_rootNames[] = {"root"};

/// A chain along a body without hubs: a snake, a tube.
static void tgPlaceChain(tgPlacer* placer)
{
    const tgBranch* branch = &placer->branches->branches[0];
    tgPath_Along(&placer->path, branch, false);
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
        parent = tgAddJointAt(placer, parent, fmax(at, fmin(radius, 0.05 * length)));
    }
    if (count > 1) {
        tgEndAtTip(placer, parent, branch->tip);
    }
}

/// The branch to the next hub: joints between, and one at the hub.
/// @param end the branch that ends at that hub
static int tgPlaceToHub(tgPlacer* placer, int b, int end, int parent)
{
    const tgBranches* branches = placer->branches;
    double length = placer->path.length, radius = branches->branches[b].radius;
    int between = tgClampCount(length / (2.0 * tg_neckStep * fmax(radius, 1e-9)) - 1.0, 0, 4);
    tgOpenLimb(placer, "hub", NULL, b)->isNumbered = true;
    for (int k = 0; k < between; ++k) {
        parent = tgAddJointAt(placer, parent, length * (double)(k + 1) / (between + 1));
    }
    return tgAddJoint(placer, parent, branches->branches[end].hub,
                      branches->branches[end].hubRadius);
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
            tgPlaceLimb(placer, &tg_limbKind, placer->def->jointsPerLimb, b, branch->tip, parent);
            continue;
        }
        tgPath_Along(&placer->path, branch, isBack);
        if (isLeaf) { // the way back to the source is a limb too
            tgLayLimb(placer, &tg_limbKind, placer->def->jointsPerLimb, b,
                      placer->def->tips->source, parent);
        } else {
            tgGrowFromHub(placer, end, b, tgPlaceToHub(placer, b, end, parent));
        }
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
    placer->sketch->forward = tgFlattenD(forward, placer->def->up);
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
    tgBodyParts parts;
    bool hasHubs = def->branches->count > 1;
    bool wantsHand = def->plan == tg_planHand || (def->plan == tg_planAuto && tgLooksLikeHand(def));
    if (hasHubs && def->mirror->isFound && def->plan != tg_planNone && def->plan != tg_planHand &&
        tgFindLimbs(placer, &parts)) {
        tgPlaceBody(placer, &parts);
    } else if (hasHubs && wantsHand) {
        tgPlaceHand(placer);
    } else {
        tgPlaceAnyhow(placer);
    }
    return true;
}
