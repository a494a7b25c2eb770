// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Automatic weights on a half closed hand, whose finger tips come near what is not theirs.
#ifndef TURGOR_PAPER_WEIGHTS_H
#define TURGOR_PAPER_WEIGHTS_H

#include "paper.h"
#include "turgor/bind.h"

typedef struct tgWeighing {
    const char* label;
    bool isPlain; ///< a power of the distance to every bone, whatever lies between
    tgBindMethod method;
    tgInsideTest test;
} tgWeighing;

/// One panel for each, with the weight of the index finger, and how many vertices of the fingers
/// follow another digit; returns the status.
int tgCompareWeights(tgPaper* paper, tgPaperEntry* entry, const tgWeighing* weighings, int count,
                     const char* words);

#endif
