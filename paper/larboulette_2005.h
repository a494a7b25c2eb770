// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Items of the paper of 2005 that have a file of their own, and what they share.
#ifndef TURGOR_PAPER_LARBOULETTE_2005_H
#define TURGOR_PAPER_LARBOULETTE_2005_H

#include "paper.h"

/// Along a virtual bone, y from -1 to 1.
double tgAttenuate(bool isWyvill, double y);

int tgMakeLimbFigure(tgPaper* paper, tgPaperEntry* entry);
int tgMakeElementsFigure(tgPaper* paper, tgPaperEntry* entry);
int tgMakeFramesFigure(tgPaper* paper, tgPaperEntry* entry);
int tgMakeShapeFigure(tgPaper* paper, tgPaperEntry* entry);
int tgMakeWrinkleFigure(tgPaper* paper, tgPaperEntry* entry);

#endif
