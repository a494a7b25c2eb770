// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// 2005, figure 8: the mushroom as a network of masses and springs, against one flesh element.
#ifndef TURGOR_PAPER_NETWORK_H
#define TURGOR_PAPER_NETWORK_H

#include "paper.h"

int tgMakeNetworkFigure(tgPaper* paper, tgPaperEntry* entry);

#endif
