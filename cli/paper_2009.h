// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Items of the paper of 2009 that have a file of their own.
#ifndef TURGOR_CLI_PAPER_2009_H
#define TURGOR_CLI_PAPER_2009_H

#include "paper.h"

int tgMakeOrderFigure(tgPaper* paper, tgPaperEntry* entry);

#endif
