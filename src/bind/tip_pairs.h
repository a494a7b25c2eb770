// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Which tips are a left and a right one, and from which of all the skeleton is walked.
#ifndef TURGOR_BIND_TIP_PAIRS_H
#define TURGOR_BIND_TIP_PAIRS_H

#include "bind/tips.h"

bool tgPairTips(const tgSkinNet* net, const tgTipRules* rules, tgWalker* walker, tgScratch* scratch,
                tgTips* tips);

#endif
