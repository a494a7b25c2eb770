// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A way along branches, and places on it.
#ifndef TURGOR_BIND_LIMB_PATH_H
#define TURGOR_BIND_LIMB_PATH_H

#include "bind/branches.h"

typedef struct tgLimbPath {
    int count;
    tgVec3d* points;
    double* radii;
    double* lengths; ///< from the start to each point
    double length;
    tgVec3d direction; ///< unit, at the start
} tgLimbPath;

/// The branch below `hub` (-1: the first one) that leads to a tip; -1 for none.
int tgFindChild(const tgBranches* branches, int hub, int tip);
/// The last branch that leads to both tips.
int tgFindCommon(const tgBranches* branches, int a, int b);
/// A branch lies on the way from the source to another, or is that.
bool tgIsAbove(const tgBranches* branches, int above, int b);
/// How far it is along the branches to a tip, from the start of a branch on.
double tgMeasureToTip(const tgBranches* branches, int branch, int tip);
/// The tip of a branch's that is furthest along it.
int tgFindFarthest(const tgBranches* branches, int branch);

/// Room for a path along all branches.
bool tgOpenPath(const tgBranches* branches, tgScratch* scratch, tgLimbPath* path);
void tgPath_Add(tgLimbPath* path, tgVec3d p, double radius);
/// Adds the points of a branch, or those in reverse.
void tgPath_AddBranch(tgLimbPath* path, const tgBranch* branch, bool isReversed);
/// Lengths and direction; call it when all is added.
void tgPath_Finish(tgLimbPath* path);
/// One branch, or that in reverse.
void tgPath_Along(tgLimbPath* path, const tgBranch* branch, bool isReversed);
/// From the start of a branch to a tip.
void tgPath_Follow(tgLimbPath* path, const tgBranches* branches, int branch, int tip);

/// The place at a length; before the start straight on, along the direction there.
tgVec3d tgPath_At(const tgLimbPath* path, double at);
double tgPath_RadiusAt(const tgLimbPath* path, double at);

#endif
