// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Where a body sticks out: hands, feet, ears, tails.
#ifndef TURGOR_BIND_TIPS_H
#define TURGOR_BIND_TIPS_H

#include "bind/mirror.h"

enum { tg_mostTips = 60, tg_mostDropped = 64 };

typedef struct tgTip {
    int vertex;
    int saddle;    ///< the vertex where it meets something further out
    double value;  ///< average distance of the skin from it
    double length; ///< how much less that is at the saddle
    double area;   ///< of what lies beyond the saddle
    tgTipFate fate;
    int partner; ///< on the other side, itself on the plane, -1 for none
    bool isOnFloor;
} tgTip;

typedef struct tgTips {
    int count;
    tgTip tips[tg_mostTips]; ///< longest first
    int droppedCount;
    tgTip dropped[tg_mostDropped];
    int source;     ///< of the tips
    double* values; ///< average distance of the skin from each vertex
} tgTips;

/// How tips are chosen.
typedef struct tgTipRules {
    const tgMirror* mirror;
    tgVec3d up; ///< unit
    double floor, height;
    double leastLength; ///< of the diagonal
    bool keepsToes;
    int givenSource; ///< a vertex, -1 for none
} tgTipRules;

/// Average distances; they do not depend on the rules.
bool tgMeasureAverages(const tgSkinNet* net, tgWalker* walker, tgScratch* scratch, tgTips* tips);
/// The tips, their partners, and which of them is the source.
bool tgFindTips(const tgSkinNet* net, const tgTipRules* rules, tgWalker* walker, tgScratch* scratch,
                tgTips* tips);

#endif
