// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The tree of curves from the source to the tips.
#ifndef TURGOR_BIND_BRANCHES_H
#define TURGOR_BIND_BRANCHES_H

#include "bind/reeb.h"

enum { tg_branchPoints = 65, tg_mostBranches = 2 * tg_mostTips };

/// A curve through the middle of the body, from the hub where its parent ends to a tip or to a hub
/// of its own.
typedef struct tgBranch {
    uint64_t tips; ///< that lie beyond it, one bit each
    int parent; ///< the branch whose hub it starts from; -1 for the one that starts at the source
    int tip;    ///< where it ends; -1 for a hub
    int mirror; ///< its image; itself on the plane; -1 for none
    bool isSymmetric;      ///< the mean of it and of its image was taken
    double length, radius; ///< radius: mean
    tgVec3d hub;           ///< where its children start, when it has some
    double hubRadius;
    tgVec3d points[tg_branchPoints];
    double radii[tg_branchPoints];
} tgBranch;

typedef struct tgBranches {
    int count;
    tgBranch* branches; ///< parent before child; those that were merged into a hub are gone
} tgBranches;

bool tgBuildBranches(const tgSkinNet* net, const tgMirror* mirror, const tgTips* tips,
                     const tgReeb* reeb, tgScratch* scratch, tgBranches* branches);

#endif
