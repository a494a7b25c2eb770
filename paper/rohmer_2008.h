// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Items of the paper of 2008 that have a file of their own, and what they share.
#ifndef TURGOR_PAPER_ROHMER_2008_H
#define TURGOR_PAPER_ROHMER_2008_H

#include "paper.h"

/// The paper's tube: 256 vertices, two bones.
tgCylinderDef tgGetPaperTube(float degrees);

/// A plain skin and a corrected one in the same pose.
typedef struct tgPair {
    tgActor plain, kept;
} tgPair;

/// Both at a time of the scene's animation; returns the status. Close it in either case.
int tgOpenPair(const tgScene* scene, const tgVolumeDef* volume, double time, tgPair* pair);
void tgClosePair(tgPair* pair);
/// Errors of both.
void tgAddPairErrors(tgPaperEntry* entry, tgPair* pair, const char* label);

/// The local method.
tgVolumeDef tgMakeLocal(tgLocalScope scope, tgLocalMap map);
/// A picture of everyone's gamma, up to a NULL, a panel each; returns the status.
int tgSaveMaps(tgPaper* paper, tgPaperEntry* entry, tgActor* const* actors,
               const char* const* labels, const char* view, const char* words);

int tgMakeInputFigure(tgPaper* paper, tgPaperEntry* entry);
int tgMakeSegmentationFigure(tgPaper* paper, tgPaperEntry* entry);
int tgMakeFoldOverFigure(tgPaper* paper, tgPaperEntry* entry);
/// What preventing fold-over costs, as a ratio.
int tgAddFoldOverCost(tgPaper* paper, tgPaperEntry* entry);
int tgMakeContactFigure(tgPaper* paper, tgPaperEntry* entry);
int tgMakeBellyFigure(tgPaper* paper, tgPaperEntry* entry);

#endif
