// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Items of the paper of 2009 that have a file of their own.
#ifndef TURGOR_PAPER_ROHMER_2009_H
#define TURGOR_PAPER_ROHMER_2009_H

#include "paper.h"

/// The elephant that sits, with folds on its belly, on linear skinning; returns the status.
/// @param settings for the caller to destroy after the actor
int tgOpenElephant(const tgScene* scene, tgActor* actor, tgSettings** settings);

/// A row of table 1: the elephant subdivided where its belly folds.
int tgAddSubdivided(tgPaperEntry* entry);
/// The cost of that as a ratio.
int tgAddSubdivisionCost(tgPaperEntry* entry);
int tgMakeVolumeFigure(tgPaper* paper, tgPaperEntry* entry);
int tgMakeRefineFigure(tgPaper* paper, tgPaperEntry* entry);
int tgMakeStepsFigure(tgPaper* paper, tgPaperEntry* entry);
int tgMakeVoxelFigure(tgPaper* paper, tgPaperEntry* entry);
int tgMakeOrderFigure(tgPaper* paper, tgPaperEntry* entry);

#endif
