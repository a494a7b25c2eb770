// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The Reeb graph of a field over the skin: its level sets as loops, and how they follow each other.
#ifndef TURGOR_BIND_REEB_H
#define TURGOR_BIND_REEB_H

#include "bind/tips.h"

#include <stdint.h>

/// One connected piece of a level set: a cut through a limb.
typedef struct tgLoop {
    int low, high; ///< the parts of the skin below it and above it
    int level;
    tgVec3d center; ///< of the area that it goes round
    double radius;  ///< mean distance of the loop from there
} tgLoop;

typedef struct tgReeb {
    int loopCount;
    tgLoop* loops;
    int partCount;
    int* towards; ///< of each part the loop on the way to the source; -1 for the source's own
    int tipParts[tg_mostTips]; ///< -1 for a tip that cannot be reached
} tgReeb;

bool tgBuildReeb(const tgSkinNet* net, const tgTips* tips, const double* field, tgScratch* scratch,
                 tgReeb* reeb);

#endif
