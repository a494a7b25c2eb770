// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Items of the paper of 2008 that have a file of their own.
#ifndef TURGOR_PAPER_ROHMER_2008_H
#define TURGOR_PAPER_ROHMER_2008_H

#include "paper.h"

int tgMakeContactFigure(tgPaper* paper, tgPaperEntry* entry);

#endif
